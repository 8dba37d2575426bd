//! Exit codes: 0 done, the others by name.

use crate::input::Damaged;

/// Something was found that should not be.
pub const FINDINGS: u8 = 1;
/// Wrong usage, or what was asked for cannot be done.
pub const CANNOT: u8 = 2;
/// The input is damaged; what could be read was used.
pub const DAMAGED: u8 = 3;

/// Returns the exit code of an error.
pub fn of(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<Damaged>() {
        Some(_) => DAMAGED,
        None => CANNOT,
    }
}
