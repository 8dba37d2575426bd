//! Calls that asked whether something is there, and found nothing, in one record.

/// Unsuccessful polls of one function from one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Polls {
    /// Process-local region id of the function.
    pub region: u16,
    /// Where in the program's memory the calls return to.
    pub site: u64,
    /// How many have returned.
    pub count: u32,
    /// Ticks within them: estimated from those that were measured.
    pub ticks: u64,
    /// Whether one more was called and has not returned.
    pub within: bool,
}
