//! Under an ample budget, columns lie in ordinary memory as long as half of it lasts.
//! One test, as the allocator is the process's own.
#![forbid(unsafe_code)]

use mpiscope_archive::memory::{limit, Memory};

#[global_allocator]
static MEMORY: Memory = Memory;

const MIB: usize = 1 << 20;

#[test]
fn the_first_columns_lie_in_ordinary_memory_and_the_next_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    // More than half is asked for.
    limit(folder.path(), 128 << 20, 100 << 20).unwrap();
    let in_file = || held_of_files();
    let before = in_file();
    // Grown as vectors grow, and all at once.
    let mut first: Vec<u64> = Vec::new();
    first.extend((0..).take(4 * MIB / 8));
    for more in 0..(20 * MIB / 8) as u64 {
        first.push(more);
    }
    let zeros = vec![0u64; 8 * MIB / 8];
    assert!(zeros.iter().all(|it| *it == 0));
    assert!(
        in_file() < before + 4 * MIB,
        "{} KiB more",
        (in_file() - before) >> 10
    );
    let second: Vec<u64> = (0..(40 * MIB / 8) as u64).collect();
    let with_second = in_file();
    assert!(with_second > before + 36 * MIB);
    // What is given back can be had again.
    assert_eq!(
        first[4 * MIB / 8..].iter().copied().max(),
        Some((20 * MIB / 8) as u64 - 1)
    );
    drop((first, zeros));
    let third: Vec<u64> = (0..(40 * MIB / 8) as u64).collect();
    assert!(in_file() < with_second + 4 * MIB);
    assert_eq!(second, third);
}

/// Returns the bytes of files that this process holds in memory.
fn held_of_files() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = text.split(' ').nth(2).unwrap().parse().unwrap();
    pages * 4096
}
