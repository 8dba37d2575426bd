//! The same choices from a trace: what wildcard receives and probes took.
//!
//! A trace tells the source of every message, and so most of what an order
//! record holds. It does not tell the index that a wait for any returned, nor
//! of all polls whether they succeeded; a record does. So this is a second
//! witness for receives, and a record for those who have but a trace.

use std::collections::{BTreeMap, HashMap};

use mpiscope_model::{Event, Location, PointToPoint, RequestId, Trace};

use super::{Found, Origin, Outcome, RankOrder, Record, Taken, ThreadOrder};

/// Derives the wildcard receives and probes of a traced run. The nth of a
/// thread is the nth in that thread's order record.
pub fn from_trace(trace: &Trace) -> Record {
    let mut ranks: BTreeMap<u32, Vec<&Location>> = BTreeMap::new();
    for location in &trace.locations {
        ranks.entry(location.rank.0).or_default().push(location);
    }
    Record {
        origin: Origin {
            world_size: ranks.len() as u32,
            ..Origin::default()
        },
        ranks: ranks
            .into_iter()
            .map(|(rank, locations)| of_rank(trace, rank, &locations))
            .collect(),
    }
}

fn of_rank(trace: &Trace, rank: u32, locations: &[&Location]) -> RankOrder {
    let completed = completed(locations);
    let threads = locations.iter().map(|location| {
        let mut thread = Thread {
            order: ThreadOrder {
                number: location.thread,
                ..ThreadOrder::default()
            },
            completed: &completed,
            misses: 0,
        };
        thread.walk(trace, location);
        thread.order
    });
    let mut threads: Vec<ThreadOrder> = threads.collect();
    threads.sort_by_key(|thread| thread.number);
    RankOrder {
        rank,
        finished: locations
            .iter()
            .all(|location| location.truncated.is_none()),
        threads,
        ..RankOrder::default()
    }
}

/// What nonblocking receives took, whichever thread saw them complete.
fn completed<'a>(locations: &[&'a Location]) -> HashMap<RequestId, &'a PointToPoint> {
    let events = locations.iter().flat_map(|location| location.events.iter());
    events
        .filter_map(|(_, event)| match event {
            Event::MpiIrecv(message) => Some((message.request?, message)),
            _ => None,
        })
        .collect()
}

fn taken(message: &PointToPoint) -> Taken {
    Taken {
        source: message.peer,
        tag: message.any_tag.then_some(message.tag),
    }
}

fn is_wild(message: &PointToPoint) -> bool {
    message.any_source || message.any_tag
}

/// The calls that look whether there is a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Probe {
    No,
    Blocking,
    Poll,
}

fn probe(name: &str) -> Probe {
    match name {
        "MPI_Probe" | "MPI_Mprobe" => Probe::Blocking,
        "MPI_Iprobe" | "MPI_Improbe" => Probe::Poll,
        _ => Probe::No,
    }
}

struct Thread<'a> {
    order: ThreadOrder,
    completed: &'a HashMap<RequestId, &'a PointToPoint>,
    misses: u64,
}

impl Thread<'_> {
    fn walk(&mut self, trace: &Trace, location: &Location) {
        let mut within = Vec::new();
        let mut found = false;
        for (index, (_, event)) in location.events.iter().enumerate() {
            match event {
                Event::Enter(region) => {
                    let region = trace.definitions.regions.get(region.0 as usize);
                    within.push(region.map_or(Probe::No, |region| probe(&region.name)));
                    found = false;
                }
                Event::Leave(_) => {
                    let missed = within.pop() == Some(Probe::Poll) && !found;
                    self.misses += u64::from(missed);
                }
                Event::MpiProbe(message) => {
                    found = true;
                    self.probed(within.last().copied().unwrap_or(Probe::No), message);
                }
                // One that belongs to a probe took what that had found.
                Event::MpiRecv(message) if message.request.is_none() && is_wild(message) => {
                    self.order.receives.push(Some(taken(message)));
                }
                Event::MpiIrecvRequest(request) => self.posted(location, index, request),
                _ => {}
            }
        }
    }

    fn probed(&mut self, call: Probe, message: &PointToPoint) {
        let wild = is_wild(message);
        match call {
            Probe::Poll => {
                let found = match wild {
                    true => Found::Message(taken(message)),
                    false => Found::Nothing,
                };
                let misses = std::mem::take(&mut self.misses);
                let success = Outcome::Success { misses, found };
                self.order.outcomes.push(success);
            }
            _ if wild => self.order.receives.push(Some(taken(message))),
            _ => {}
        }
    }

    fn posted(&mut self, location: &Location, index: usize, request: RequestId) {
        let message = self.completed.get(&request);
        let posted = location.events.posted(index);
        let wild = match (posted, message) {
            (Some(posted), _) => posted.source.is_none() || posted.tag.is_none(),
            (None, Some(message)) => is_wild(message),
            (None, None) => false,
        };
        if wild {
            self.order
                .receives
                .push(message.map(|message| taken(message)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receives(text: &str) -> Vec<Option<(u32, Option<u32>)>> {
        let trace = Trace::parse(text).unwrap();
        let record = from_trace(&trace);
        let receives = &record.ranks[0].threads[0].receives;
        let plain = |taken: &Option<Taken>| taken.map(|taken| (taken.source, taken.tag));
        receives.iter().map(plain).collect()
    }

    #[test]
    fn receives_are_in_the_order_of_their_posts() {
        let text = "0: 1 irecv#1 2 irecv#2 3 recv<2(any) 4 wait<2#2(any) 5 wait<1#1(any,tag=7,anytag) 6 recv<1
                    1: 1 send>0(tag=7) 2 send>0
                    2: 1 send>0 2 send>0";
        let expected = [Some((1, Some(7))), Some((2, None)), Some((2, None))];
        assert_eq!(receives(text), expected);
    }
}
