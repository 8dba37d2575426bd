//! Who shares a clock with whom.
//!
//! Ranks of one kernel that read the same counter read one clock; those whose
//! time namespace has it say another time, and a rank with a clock fault of its
//! own, have another. The lowest rank of each clock speaks for it.

use std::collections::HashMap;

use mpi_abi::{Code, OwnComm};
use mpiscope_run::process::Identity;

/// Finds for every rank the lowest one that reads the same clock: same kernel,
/// same counter and time namespace, no fault of its own. Returns those but rank 0.
pub fn find_representatives(own: OwnComm, identity: &mut Identity) -> Result<Vec<u32>, Code> {
    let all = own.allgather(&identity.clock().to_le_bytes())?;
    let keys: Vec<&[u8]> = all.chunks_exact(8).collect();
    let mut first_of = HashMap::new();
    let mut representatives = Vec::new();
    for (rank, key) in (0..).zip(&keys) {
        if *first_of.entry(*key).or_insert(rank) == rank && rank != 0 {
            representatives.push(rank);
        }
    }
    let mine = keys
        .get(identity.rank as usize)
        .and_then(|key| first_of.get(key));
    identity.clock_representative = mine.copied().unwrap_or(identity.rank);
    Ok(representatives)
}
