//! Where nonblocking messages were posted, and where they completed. Requests
//! that one thread posts and another completes are left out.

use mpiscope_model::requests::UnderWay;
use mpiscope_model::{EventKind, EventRef, Events, Trace};
use rayon::prelude::*;

use crate::by_event::ByEvent;

/// No event.
const NONE: u32 = u32::MAX;

/// Of each location and message that was sent or received there, the event on
/// the other side of its request: of a send its completion, of a receive its
/// post; of a blocking one the event itself.
pub(crate) struct OtherSides<'a> {
    trace: &'a Trace,
    /// By location and row of the message.
    of: Vec<Vec<u32>>,
    /// Of messages that another process has, as it told.
    told: Vec<ByEvent<u32>>,
}

impl<'a> OtherSides<'a> {
    pub fn new(trace: &'a Trace) -> OtherSides<'a> {
        let locations = trace.locations.par_iter();
        OtherSides {
            trace,
            of: locations.map(|it| other_sides(&it.events)).collect(),
            told: Vec::new(),
        }
    }

    /// Adds what other processes tell of their messages, by location: the event on the other side of
    /// each.
    pub fn hear(&mut self, told: Vec<Vec<(u32, u32)>>) {
        self.told.resize_with(told.len(), ByEvent::default);
        for (known, told) in self.told.iter_mut().zip(told) {
            known.add(told);
        }
    }

    /// Returns where a send completed, or a receive was posted.
    #[inline]
    pub fn of(&self, message: EventRef) -> Option<EventRef> {
        let location = message.location.index();
        let args = self.trace.locations[location].events.args();
        let index = match args.get(message.index as usize) {
            Some(row) => self.of[location][*row as usize],
            None => self.told.get(location)?.get(message.index)?,
        };
        (index != NONE).then_some(EventRef { index, ..message })
    }
}

/// Reads one location.
fn other_sides(events: &Events) -> Vec<u32> {
    let (kinds, args) = (events.kinds(), events.args());
    let mut other = vec![NONE; events.messages().len()];
    let mut under_way = UnderWay::default();
    for (index, (&kind, &row)) in (0u32..).zip(kinds.iter().zip(args)) {
        let row = row as usize;
        match kind {
            EventKind::MpiSend | EventKind::MpiRecv => other[row] = index,
            EventKind::MpiIsend => {
                if let Some(request) = events.messages()[row].request {
                    under_way.insert(request, index);
                }
            }
            EventKind::MpiIrecvRequest => {
                under_way.insert(events.requests()[row], index);
            }
            EventKind::MpiIsendComplete => {
                let post = under_way.take(events.requests()[row]);
                let post = post.filter(|post| kinds[*post as usize] == EventKind::MpiIsend);
                if let Some(post) = post {
                    other[args[post as usize] as usize] = index;
                }
            }
            EventKind::MpiIrecv => {
                let request = events.messages()[row].request;
                let post = request.and_then(|request| under_way.take(request));
                other[row] = post.unwrap_or(NONE);
            }
            _ => {}
        }
    }
    other
}
