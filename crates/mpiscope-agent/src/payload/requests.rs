//! Requests whose data is still to come, or that may be started again.

use std::collections::HashMap;

use mpi_abi::{id, Mpi};

use super::places::Region;
use crate::base::raw_call::pmpi_c;

/// What a request is about.
#[derive(Debug)]
pub struct Pending {
    /// Where its data goes.
    pub receives: Vec<Region>,
    /// What it sends, if it is persistent.
    pub sends: Vec<Region>,
    /// A status tells how much was received.
    pub is_message: bool,
    /// It can be started again.
    pub persistent: bool,
}

impl Pending {
    /// Lets go of it.
    pub fn release(self) {
        let all = self.receives.into_iter().chain(self.sends);
        all.for_each(Region::release);
    }
}

/// All of a process; a request without data is none of them.
pub struct Requests {
    mpi: &'static Mpi,
    pending: HashMap<usize, Pending>,
}

impl Requests {
    /// Begins with none.
    pub fn new(mpi: &'static Mpi) -> Self {
        Self {
            mpi,
            pending: HashMap::new(),
        }
    }

    /// Adds one.
    pub fn insert(&mut self, key: usize, pending: Pending) {
        if let Some(old) = self.pending.insert(key, pending) {
            old.release();
        }
    }

    /// Takes one out.
    pub fn take(&mut self, key: usize) -> Option<Pending> {
        self.pending.remove(&key)
    }

    /// Returns what a persistent request sends.
    pub fn sends(&self, key: usize) -> &[Region] {
        self.pending.get(&key).map_or(&[], |pending| &pending.sends)
    }

    /// Asks MPI whether a request is complete, without ending it: 1 or 0.
    pub fn is_done(&self, request: usize) -> u64 {
        let (mut flag, mut status) = (0i32, [0u64; 8]);
        let args = [
            request,
            &raw mut flag as usize,
            status.as_mut_ptr() as usize,
        ];
        let asked = pmpi_c(id::MPI_REQUEST_GET_STATUS, args);
        u64::from(asked == Some(self.mpi.abi.success) && flag != 0)
    }
}
