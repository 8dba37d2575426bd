//! Where a thread was found computing, as a timer of its own has it looked at.

use crate::definitions::CallSiteId;

/// A look at a thread that computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Where it was: the function and the line of the instruction that was next.
    pub site: CallSiteId,
    /// For how many periods of the timer this stands: 1, or more where several had ended before
    /// the thread could be looked at.
    pub periods: u32,
}
