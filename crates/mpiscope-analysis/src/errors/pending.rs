//! Nonblocking operations that were begun and not completed.

use std::collections::hash_map::Entry;

use mpiscope_model::{EventKind, EventRef, LocationIndex, RequestId, Trace};
use rustc_hash::FxHashMap;

/// Returns the operations of a process that have not ended, by their requests.
///
/// What has ended is forgotten at once, so that the table stays as small as what is under way.
pub(super) fn pending(trace: &Trace, locations: &[LocationIndex]) -> Vec<(EventRef, RequestId)> {
    use EventKind::*;
    let mut open = Open::default();
    for &location in locations {
        let events = &trace.locations[location.index()].events;
        let request_of = |row: usize| events.messages()[row].request.map(|request| request.0);
        for (index, kind) in events.kinds().iter().enumerate() {
            let row = events.args()[index] as usize;
            let event = EventRef::new(location, index);
            match kind {
                MpiIrecvRequest | NonBlockingCollectiveRequest => {
                    open.begin(events.requests()[row].0, event);
                }
                MpiIsend => {
                    if let Some(request) = request_of(row) {
                        open.begin(request, event);
                    }
                }
                MpiIsendComplete | MpiRequestCancelled => open.end(events.requests()[row].0),
                MpiIrecv => {
                    if let Some(request) = request_of(row) {
                        open.end(request);
                    }
                }
                NonBlockingCollectiveComplete => open.end(events.completions()[row].0 .0),
                _ => {}
            }
        }
    }
    open.left()
}

/// Operations under way, by the numbers of their requests.
#[derive(Default)]
struct Open(FxHashMap<u64, Numbered>);

/// A number may serve several operations, one after the other, and what ends in another thread may
/// be seen before its begin.
enum Numbered {
    /// The first that has not ended, and those begun since.
    Begun(EventRef, Vec<EventRef>),
    /// Ended so much more often than begun.
    Ended(usize),
}

impl Open {
    /// Notes the begin of an operation, unless its end has been seen.
    fn begin(&mut self, request: u64, event: EventRef) {
        match self.0.entry(request) {
            Entry::Vacant(new) => {
                new.insert(Numbered::Begun(event, Vec::new()));
            }
            Entry::Occupied(mut known) => match known.get_mut() {
                Numbered::Begun(_, later) => later.push(event),
                Numbered::Ended(1) => {
                    known.remove();
                }
                Numbered::Ended(more) => *more -= 1,
            },
        }
    }

    /// Notes an end, of the operation that was begun first.
    fn end(&mut self, request: u64) {
        match self.0.entry(request) {
            Entry::Vacant(new) => {
                new.insert(Numbered::Ended(1));
            }
            Entry::Occupied(mut known) => match known.get_mut() {
                Numbered::Begun(_, later) if later.is_empty() => {
                    known.remove();
                }
                Numbered::Begun(first, later) => *first = later.remove(0),
                Numbered::Ended(more) => *more += 1,
            },
        }
    }

    fn left(self) -> Vec<(EventRef, RequestId)> {
        let mut left = Vec::new();
        for (request, numbered) in self.0 {
            if let Numbered::Begun(first, later) = numbered {
                let events = std::iter::once(first).chain(later);
                left.extend(events.map(|event| (event, RequestId(request))));
            }
        }
        left.sort_by_key(|(_, request)| request.0);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Of each number as many as ended are done, whatever was seen first: those begun first.
        #[test]
        fn as_many_as_ended_are_done(steps in prop::collection::vec((0u64..4, any::<bool>()), 0..60)) {
            let mut open = Open::default();
            let mut begun = vec![Vec::new(); 4];
            let mut ended = [0; 4];
            for (index, &(request, begins)) in steps.iter().enumerate() {
                let event = EventRef::new(LocationIndex(0), index);
                match begins {
                    true => {
                        open.begin(request, event);
                        begun[request as usize].push(event);
                    }
                    false => {
                        open.end(request);
                        ended[request as usize] += 1;
                    }
                }
            }
            let expected: Vec<_> = (0u64..)
                .zip(begun.into_iter().zip(ended))
                .flat_map(|(request, (events, done))| {
                    events.into_iter().skip(done).map(move |event| (event, RequestId(request)))
                })
                .collect();
            prop_assert_eq!(open.left(), expected);
        }
    }
}
