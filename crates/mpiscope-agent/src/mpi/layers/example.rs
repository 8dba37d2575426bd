//! How long the program was in barriers: the smallest layer that does something.

use std::sync::atomic::{AtomicU64, Ordering};

use mpi_abi::id;

use super::Next;
use crate::base::clock::ticks;
use crate::mpi::call::Call;

/// Ticks.
pub static IN_BARRIERS: AtomicU64 = AtomicU64::new(0);

/// Goes around every call.
pub fn layer(call: &mut Call, next: Next) -> usize {
    if call.function != id::MPI_BARRIER {
        return next.go(call);
    }
    let began = ticks();
    let result = next.go(call);
    IN_BARRIERS.fetch_add(ticks() - began, Ordering::Relaxed);
    result
}
