//! Persistent wildcard receives of a replay, and those made in their place.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mpiscope_run::order::Taken;

use crate::mpi::call::Lang;

/// A handle: for C, and as the program's language holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle {
    pub c: usize,
    pub native: usize,
}

/// A persistent wildcard receive and those made in its place.
pub struct Family {
    pub lang: Lang,
    /// Buffer, count, datatype, source, tag, communicator, as C passes them; in
    /// Fortran the integers behind the addresses.
    pub args: [usize; 6],
    pub function: mpi_abi::FunctionId,
    pub own: Handle,
    pub others: HashMap<Option<Taken>, Handle>,
    pub current: Handle,
}

/// All of them; only replay has any.
#[derive(Default)]
pub struct PersistentReceives(Mutex<State>);

#[derive(Default)]
pub struct State {
    pub families: Vec<Option<Family>>,
    pub by_handle: HashMap<usize, usize>,
}

impl PersistentReceives {
    /// Nobody else has them meanwhile.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
