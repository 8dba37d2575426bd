//! A process under a budget computes the same, and holds no more than it may.
//! One test, as the allocator is the process's own.
#![forbid(unsafe_code)]

use mpiscope_archive::memory::{limit, peak, Memory};

#[global_allocator]
static MEMORY: Memory = Memory;

const BUDGET: u64 = 48 << 20;

#[test]
fn columns_larger_than_the_budget_keep_their_values() {
    let before: Vec<u64> = (0..100_000).collect();
    let folder = tempfile::tempdir().unwrap();
    limit(folder.path(), BUDGET, 0).unwrap();
    assert!(limit(folder.path(), BUDGET, 0).is_err(), "only once");

    // 8 columns of 16 MiB each, grown as vectors grow, then shrunk and freed.
    let mut columns: Vec<Vec<u64>> = (0..8).map(|_| Vec::new()).collect();
    for value in 0..1 << 21 {
        for (number, column) in columns.iter_mut().enumerate() {
            column.push(value * 8 + number as u64);
        }
    }
    let n = 1u64 << 21;
    for (number, column) in columns.iter_mut().enumerate() {
        let sum: u64 = column.iter().sum();
        assert_eq!(sum, 8 * (n * (n - 1) / 2) + n * number as u64);
        column.truncate(1000);
        column.shrink_to_fit();
        assert_eq!(column[999], 999 * 8 + number as u64);
    }
    drop(columns);

    assert!(vec![0u64; 1 << 20].iter().all(|&zero| zero == 0), "reused");
    let threads: Vec<_> = (0..4u64)
        .map(|seed| std::thread::spawn(move || churn(seed)))
        .collect();
    assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
    assert!(before.iter().copied().eq(0..100_000), "from before");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // The watcher keeps it below the budget, but on a busy machine it comes late.
    let peak = peak().unwrap();
    eprintln!("held {} MiB at most", peak >> 20);
    assert!(peak < 2 * BUDGET, "held {peak} bytes of {BUDGET}");
}

/// Allocates, grows and frees blocks of all sizes; returns whether each kept
/// its bytes.
fn churn(seed: u64) -> bool {
    let mut live: Vec<(u8, Vec<u8>)> = Vec::new();
    let mut state = seed + 1;
    let mut kept = true;
    for step in 0..3000u64 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let size = 1usize << (8 + (state >> 33) % 10);
        let fill = (state >> 20) as u8;
        match step % 3 {
            0 => live.push((fill, vec![fill; size])),
            1 => {
                if let Some((fill, block)) = live.last_mut() {
                    block.resize(block.len() + size, *fill);
                }
            }
            _ if live.len() > 20 => {
                let (fill, block) = live.swap_remove((state >> 40) as usize % live.len());
                kept &= block.iter().all(|&byte| byte == fill);
            }
            _ => {}
        }
    }
    kept && live
        .iter()
        .all(|(fill, block)| block.iter().all(|byte| byte == fill))
}
