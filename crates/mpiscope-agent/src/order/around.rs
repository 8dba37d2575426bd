//! Who goes around the rows of the order: set in MPI_Init, by whoever composes the layers.

use std::sync::OnceLock;

use super::call::OrderedCall;
use super::state::Session;
use super::table::Row;

/// A layer around the rows.
pub struct Around {
    /// Makes an outermost call, by its row or otherwise.
    pub outermost: fn(&mut OrderedCall, Row) -> usize,
    /// Makes a call within another, as a callback's.
    pub nested: fn(&mut OrderedCall) -> usize,
    /// Ends, in MPI_Finalize, before the order does.
    pub finish: fn(&'static Session),
    /// Whether it writes what wildcard receives took, in place of the rows.
    pub writes_receives: bool,
}

static AROUND: OnceLock<&'static Around> = OnceLock::new();

/// Has a layer go around the rows from now on.
pub fn go_around(around: &'static Around) {
    let _ = AROUND.set(around);
}

/// Returns which does.
#[inline]
pub fn around() -> Option<&'static Around> {
    AROUND.get().copied()
}

/// Returns whether what wildcard receives took is written by others than the rows.
#[inline]
pub fn leaves_receives() -> bool {
    around().is_some_and(|around| around.writes_receives)
}
