//! How late each sender could have sent: the limits of backward amortization.
//!
//! Only times of the forward sweep count, so it does not matter in which order
//! locations are smoothed. A part of the trace has the limits of its own
//! senders: those that its own receivers leave them, and those that other parts
//! tell it. Who tells whom of what, and in which order, follows from the
//! matching, of which all have what concerns them; so nothing but times is told.

mod collectives;
mod messages;

use mpiscope_model::EventRef;

use crate::exchange::{rounds_of_operations, Exchange, Rounds};
use crate::latest::Latest;
use crate::linked::Linked;
use crate::links::ends;
use crate::logical::CollectiveSync;
use crate::receipts::{Received, NO_LIMIT};
use crate::records::{Record, Role};
use crate::sweep::Known;
use collectives::Collectives;
use messages::Messages;

/// Who is whose receiver, and what is told of that at a time.
pub(crate) struct Matched<'a> {
    pub known: Known<'a>,
    pub collectives: &'a [Option<CollectiveSync<'a>>],
    /// The operation of each member.
    pub of_member: &'a [u32],
    /// Which messages are told of at a time, and which operations.
    rounds: Rounds,
    operations: Vec<Vec<u32>>,
}

impl<'a> Matched<'a> {
    /// `outside` leads to the other processes that do their part.
    pub fn new<E: Exchange>(outside: &E, known: Known<'a>, linked: &'a Linked) -> Matched<'a> {
        let (matching, division) = (known.matching, known.division);
        let links = match division.parts() {
            1 => 0,
            _ => (matching.messages.len() + matching.bounds.len()) as u32,
        };
        let part_of = |event: EventRef| division.part_of(event.location.0);
        let both = |link| {
            let (send, receive) = ends(matching, link);
            (part_of(send), part_of(receive))
        };
        let own = matching.of_all.is_some();
        let rounds = Rounds::among(outside, own, division.parts(), (0..links).map(both));
        let operations = match division.parts() {
            1 => Vec::new(),
            _ => rounds_of_operations(outside, matching, division),
        };
        Matched {
            known,
            collectives: linked.collectives(),
            of_member: linked.of_member(),
            rounds,
            operations,
        }
    }
}

/// The limits of a part's senders; asked for on any thread.
pub(crate) struct Limits<'a> {
    messages: Messages<'a>,
    collectives: Collectives<'a>,
}

impl<'a> Limits<'a> {
    /// Tells other parts what was received here, and is told what this part,
    /// which has these records, has sent them.
    pub fn new<E: Exchange>(
        exchange: &E,
        matched: &'a Matched<'a>,
        received: Received,
        records: &[Vec<Record>],
    ) -> Limits<'a> {
        Limits {
            messages: Messages::new(exchange, matched, received.sent, records),
            collectives: Collectives::new(exchange, matched, received.left),
        }
    }

    /// Returns the latest time that a record's event may be moved to.
    pub fn of(&self, record: &Record, latest: &mut [Latest; 2]) -> i64 {
        match record.role {
            Role::Send => self.messages.of(record),
            Role::Enter => self.collectives.of(record.link as usize, latest),
            _ => NO_LIMIT,
        }
    }

    /// Asks for the limit of a record that is asked about soon.
    #[inline(always)]
    pub fn look_ahead(&self, record: &Record) {
        self.messages.look_ahead(record);
    }
}
