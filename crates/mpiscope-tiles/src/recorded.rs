//! Messages that are looked at one after the other: a few blocks of events and times stay at
//! hand, as those that follow each other are mostly sent and received in the same ones.

use std::sync::Arc;

use mpiscope_model::{EventRef, Events, Message, PointToPoint, Timestamp};

use crate::messages::Timed;
use crate::run::Clocked;
use crate::sums::STRIDE;

/// Blocks at hand: those of a process and of its neighbours in a grid.
const AT_HAND: usize = 8;

/// Times of events, as a clock told them.
pub(crate) struct Recorded<'a, 'b> {
    clock: &'b Clocked<'a>,
    /// By location and number, in no order.
    at_hand: [Option<((u32, u32), Times)>; AT_HAND],
    /// The one that goes next.
    next: usize,
    /// The block of the send that was looked at last.
    sends: Option<((u32, u32), Arc<Events>)>,
}

/// The times of a block.
enum Times {
    /// The events' own.
    Own(Arc<Events>),
    Other(Arc<Vec<Timestamp>>),
}

impl<'a, 'b> Recorded<'a, 'b> {
    pub fn new(clock: &'b Clocked<'a>) -> Self {
        Recorded {
            clock,
            at_hand: Default::default(),
            next: 0,
            sends: None,
        }
    }

    /// Returns a message with its times.
    pub fn timed(&mut self, message: Message) -> Timed {
        Timed {
            message,
            sent: self.time(message.send),
            received: self.time(message.receive),
        }
    }

    /// Returns what the send of a message says.
    pub fn told(&mut self, send: EventRef) -> PointToPoint {
        let Some(blocks) = &self.clock.run.blocks else {
            return self.clock.told(send);
        };
        let place = (send.location.0, send.index / STRIDE);
        if self.sends.as_ref().is_none_or(|it| it.0 != place) {
            self.sends = Some((place, blocks.events(place.0, place.1)));
        }
        let told = |(_, events): &(_, Arc<Events>)| told(events, (send.index % STRIDE) as usize);
        self.sends.as_ref().map(told).unwrap_or_default()
    }

    /// Returns when an event happened, in nanoseconds from the start.
    pub fn time(&mut self, event: EventRef) -> u64 {
        let Clocked { run, view } = *self.clock;
        let Some(blocks) = &run.blocks else {
            return self.clock.recorded(event);
        };
        let place = (event.location.0, event.index / STRIDE);
        let mut known = self.at_hand.iter().flatten();
        let time = match known.find(|it| it.0 == place) {
            Some((_, times)) => times.at(event),
            None => {
                let times = match blocks.times((view.number, &view.name), place.0, place.1) {
                    Some(times) => Times::Other(times),
                    None => Times::Own(blocks.events(place.0, place.1)),
                };
                let time = times.at(event);
                self.at_hand[self.next] = Some((place, times));
                self.next = (self.next + 1) % AT_HAND;
                time
            }
        };
        view.times.since_start(time)
    }
}

/// Returns what a send says.
pub(crate) fn told(events: &Events, at: usize) -> PointToPoint {
    let row = events.args()[at] as usize;
    events.messages().get(row).copied().unwrap_or_default()
}

impl Times {
    fn at(&self, event: EventRef) -> Timestamp {
        let at = (event.index % STRIDE) as usize;
        match self {
            Times::Own(events) => events.times()[at],
            Times::Other(times) => times[at],
        }
    }
}
