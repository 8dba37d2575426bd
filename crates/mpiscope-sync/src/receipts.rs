//! What the forward sweep leaves for the backward one: what each receiver leaves
//! its senders.
//!
//! A message that was received at LC may not have been sent after LC less its
//! minimum latency. That is known where it was received; so a part of the trace
//! has it of its own receivers, and tells the others what concerns them.

use crate::exchange::{Crew, Division};
use crate::links::Slots;
use crate::records::Role;

/// No limit: after all times.
pub(crate) const NO_LIMIT: i64 = i64::MAX;

/// What all parts have received.
pub(crate) struct Receipts<'p> {
    /// Who received.
    pub crew: Crew<'p>,
    /// Which part has which locations.
    pub division: Division,
    /// By part that is done here.
    pub of_part: Vec<Received>,
}

/// What one part has received.
pub(crate) struct Received {
    /// The latest time at which each message to this part could have been sent.
    pub sent: Slots,
    /// When each member of a collective operation left it, if it is a receiver
    /// of this part.
    pub left: Vec<i64>,
}

impl Received {
    /// Has receivers limit nobody.
    pub fn free(&mut self, freed: &[(Role, u32)]) {
        for &(role, link) in freed {
            match role {
                Role::Exit => self.left[link as usize] = NO_LIMIT,
                _ => self.sent.set(link, NO_LIMIT),
            }
        }
    }
}
