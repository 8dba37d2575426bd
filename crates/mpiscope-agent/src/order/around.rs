//! Who goes around the rows of the order: set in MPI_Init, by whoever composes the layers.

use std::sync::OnceLock;

use super::call::{OrderedCall, Row};
use super::out::leave_receives;
use super::state::Session;

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
    if around.writes_receives {
        leave_receives();
    }
}

/// Returns which does.
#[inline]
pub fn around() -> Option<&'static Around> {
    AROUND.get().copied()
}
