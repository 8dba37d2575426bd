//! Communicators as a thread numbers them: by first use, so that two runs of
//! the same program number alike although their handles are addresses.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use mpi_abi::Mpi;

/// What a thread remembers of a communicator.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    handle: usize,
    /// By first use, from 1; MPI_COMM_WORLD is 0.
    pub number: u32,
    /// Ranks that a message can come from.
    pub size: u32,
}

/// The communicators of one thread.
#[derive(Debug, Default)]
pub struct Comms {
    known: Vec<Known>,
    last: usize,
    /// How much of the list of freed ones was seen.
    seen: usize,
    next: u32,
}

/// Handles freed by any thread, in order; they may come again for others.
#[derive(Debug, Default)]
pub struct Freed {
    count: AtomicUsize,
    handles: Mutex<Vec<usize>>,
}

impl Freed {
    /// Returns how many were freed.
    #[inline]
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Notes that a communicator is about to be freed.
    pub fn add(&self, handle: usize) {
        let mut handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        handles.push(handle);
        self.count.store(handles.len(), Ordering::Release);
    }
}

impl Comms {
    /// Returns what is known of a communicator that the program passes to MPI.
    #[inline]
    pub fn get(&mut self, mpi: &Mpi, freed: &Freed, handle: usize) -> Known {
        if freed.count() == self.seen {
            if let Some(known) = self.known.get(self.last) {
                if known.handle == handle {
                    return *known;
                }
            }
        }
        self.look_up(mpi, freed, handle)
    }

    #[cold]
    fn look_up(&mut self, mpi: &Mpi, freed: &Freed, handle: usize) -> Known {
        {
            let handles = freed.handles.lock().unwrap_or_else(PoisonError::into_inner);
            let gone = handles.get(self.seen..).unwrap_or_default();
            self.known.retain(|known| !gone.contains(&known.handle));
            self.seen = handles.len();
        }
        if let Some(at) = self.known.iter().position(|known| known.handle == handle) {
            self.last = at;
            return self.known[at];
        }
        let is_world = handle == mpi.abi.comm_world;
        self.next += u32::from(!is_world);
        let known = Known {
            handle,
            number: if is_world { 0 } else { self.next },
            size: size(mpi, handle),
        };
        self.last = self.known.len();
        self.known.push(known);
        known
    }
}

fn size(mpi: &Mpi, handle: usize) -> u32 {
    if handle == mpi.abi.comm_null {
        return 0;
    }
    // SAFETY: the program passes this communicator to MPI in the same call.
    let size = unsafe {
        match mpi.comm_test_inter(handle) {
            Ok(true) => mpi.comm_remote_size(handle),
            Ok(false) => mpi.comm_size(handle),
            Err(code) => Err(code),
        }
    };
    size.unwrap_or(0) as u32
}
