//! Which program runs under which MPI on how many ranks.
//!
//! Programs are dealt to the cells like cards: with the whole matrix left out
//! each program still runs once, and every MPI and every number of ranks gets
//! its turn. `MPISCOPE_TEST_ALL=1` runs all; `MPISCOPE_TEST_SEED` deals again
//! what was dealt before.

use std::sync::OnceLock;

use super::{found, mpi::Mpi, say};

/// One cell of the matrix.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The MPI.
    pub mpi: &'static Mpi,
    /// Size of MPI_COMM_WORLD.
    pub ranks: u32,
}

/// Returns the cells in which `program`, one of `programs`, is to run.
pub fn cases(programs: &[&str], program: &str, ranks: &[u32]) -> Vec<Case> {
    let mut cells = all(ranks);
    if cells.is_empty() || is_full() {
        return cells;
    }
    let mut order = programs.to_vec();
    let mut random = Random::new(seed());
    random.shuffle(&mut order);
    random.shuffle(&mut cells);
    let at = order.iter().position(|name| *name == program);
    let at = at.unwrap_or_else(|| panic!("{program} is not among {programs:?}"));
    vec![cells[at % cells.len()]]
}

/// Returns whether all is run, however long that takes.
pub fn is_full() -> bool {
    std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1")
}

/// Returns every cell.
pub fn all(ranks: &[u32]) -> Vec<Case> {
    let of = |mpi| ranks.iter().map(move |&ranks| Case { mpi, ranks });
    found().iter().copied().flat_map(of).collect()
}

/// Returns the seed of everything random in these tests; says it once.
pub fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| {
        let given = std::env::var("MPISCOPE_TEST_SEED").ok();
        let given = given.map(|text| text.parse().expect("MPISCOPE_TEST_SEED is a number"));
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed();
        let seed = given.unwrap_or_else(|| now.map_or(0, |now| now.as_secs() % 1_000_000));
        say(&format!("MPISCOPE_TEST_SEED={seed}"));
        seed
    })
}

/// Numbers that look random (SplitMix64; Steele, Lea, Flood 2014).
pub struct Random(u64);

impl Random {
    /// Begins a sequence; each seed has its own.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
