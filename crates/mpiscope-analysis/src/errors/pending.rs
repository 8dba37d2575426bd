//! Nonblocking operations that were begun and not completed.

use std::collections::hash_map::Entry;

use mpiscope_model::requests::UnderWay;
use mpiscope_model::{EventKind, EventRef, Events, LocationIndex, RequestId, Trace};
use rustc_hash::FxHashMap;

/// Returns the operations of a process that have not ended, by their requests.
pub(super) fn pending(trace: &Trace, locations: &[LocationIndex]) -> Vec<(EventRef, RequestId)> {
    let each = locations.iter().map(|location| {
        let left = one_by_one(&trace.locations[location.index()].events)?;
        let event = |(index, request)| (EventRef::new(*location, index as usize), request);
        Some(left.into_iter().map(event).collect())
    });
    match each.collect::<Option<Vec<Vec<_>>>>() {
        Some(left) if left.len() == 1 || left.iter().all(Vec::is_empty) => left.concat(),
        _ => in_any_order(trace, locations),
    }
}

/// What a thread has left, by its requests, if it begins an operation before it ends it, and none
/// under a number that another one has: as all do but those that share requests.
fn one_by_one(events: &Events) -> Option<Vec<(u32, RequestId)>> {
    let mut open = UnderWay::default();
    for (index, step) in steps(events) {
        match step {
            Step::Begin(request) if open.insert(request, index).is_some() => return None,
            Step::Begin(_) => {}
            Step::End(request) => {
                open.take(request)?;
            }
        }
    }
    let mut left: Vec<_> = open
        .iter()
        .map(|(request, index)| (index, request))
        .collect();
    left.sort_unstable_by_key(|(_, request)| request.0);
    Some(left)
}

/// What an event does to a request.
enum Step {
    Begin(RequestId),
    End(RequestId),
}

/// Returns what the events of a location do to requests.
fn steps(events: &Events) -> impl Iterator<Item = (u32, Step)> + '_ {
    use EventKind::*;
    let rows = events.kinds().iter().zip(events.args());
    (0u32..).zip(rows).filter_map(|(index, (kind, &row))| {
        let row = row as usize;
        let step = match kind {
            MpiIrecvRequest | NonBlockingCollectiveRequest => Step::Begin(events.requests()[row]),
            MpiIsend => Step::Begin(events.messages()[row].request?),
            MpiIsendComplete | MpiRequestCancelled => Step::End(events.requests()[row]),
            MpiIrecv => Step::End(events.messages()[row].request?),
            NonBlockingCollectiveComplete => Step::End(events.completions()[row].0),
            _ => return None,
        };
        Some((index, step))
    })
}

/// The same for requests that threads share.
///
/// What has ended is forgotten at once, so that the table stays as small as what is under way.
fn in_any_order(trace: &Trace, locations: &[LocationIndex]) -> Vec<(EventRef, RequestId)> {
    let mut open = Open::default();
    for &location in locations {
        let events = &trace.locations[location.index()].events;
        for (index, step) in steps(events) {
            match step {
                Step::Begin(request) => {
                    open.begin(request.0, EventRef::new(location, index as usize));
                }
                Step::End(request) => open.end(request.0),
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
    use mpiscope_model::Timestamp;
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

        /// What is found one by one, if anything, is what is found in any order.
        #[test]
        fn threads_that_share_nothing_are_looked_at_one_by_one(
            steps in prop::collection::vec((0usize..2, 0u64..4, any::<bool>()), 0..20),
        ) {
            let mut trace = Trace::default();
            trace.locations.resize_with(2, Default::default);
            for (location, request, begins) in steps {
                let events = &mut trace.locations[location].events;
                match begins {
                    true => events.push_irecv_request(Timestamp(0), RequestId(request)),
                    false => events.push_isend_complete(Timestamp(0), RequestId(request)),
                }
            }
            let both = [LocationIndex(0), LocationIndex(1)];
            for locations in [&both[..1], &both[..]] {
                prop_assert_eq!(pending(&trace, locations), in_any_order(&trace, locations));
            }
        }
    }
}
