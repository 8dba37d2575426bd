//! Recording that was off for a while, and what must be known after it: how
//! many messages and collective operations went by unseen on each channel.

use mpiscope_model::{Event, PointToPoint};
use rustc_hash::FxHashMap;

/// The channels of one rank: a communicator, peer, tag and direction, or a
/// communicator alone for collective operations.
#[derive(Default)]
pub(crate) struct Channels {
    counts: FxHashMap<(u32, u32, u64), Count>,
    /// How often recording has been switched on again.
    pauses: u32,
}

#[derive(Default)]
struct Count {
    events: u64,
    /// Pauses after which the count was told.
    told: u32,
}

/// In place of a tag: collective operations have none.
const COLLECTIVE: u64 = 2 << 32;

impl Channels {
    /// Notes that recording is on again.
    pub fn resume(&mut self) {
        self.pauses += 1;
    }

    /// Counts an event; returns how many went before on its channel, if that
    /// is to be noted.
    pub fn pass(&mut self, event: &Event<'_>, recorded: bool) -> Option<u64> {
        let message =
            |m: &PointToPoint, receives: u64| (m.comm.0, m.peer, receives << 32 | u64::from(m.tag));
        let channel = match event {
            Event::MpiSend(m) | Event::MpiIsend(m) => message(m, 0),
            Event::MpiRecv(m) | Event::MpiIrecv(m) => message(m, 1),
            Event::MpiCollectiveEnd(c) => (c.comm.0, 0, COLLECTIVE),
            _ => return None,
        };
        let count = self.counts.entry(channel).or_default();
        let before = count.events;
        count.events += 1;
        let first = recorded && count.told < self.pauses;
        if first {
            count.told = self.pauses;
        }
        first.then_some(before)
    }
}
