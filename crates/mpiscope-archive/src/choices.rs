//! Which event of a trace made which choice of the order record, and as much
//! of the record as a trace tells by itself.
//!
//! The nth wildcard receive or blocking probe that a thread posted is the nth
//! in its record, and so are its waits for several requests, its polls that
//! succeeded and its nonblocking receives. A trace tells the source of every
//! message. It does not tell everything: which place in the program's array
//! the request had that a wait for any completed, and which receive an
//! MPI_Cancel that came too late was about.

mod walk;

use std::collections::BTreeMap;

use mpiscope_model::{EventRef, LocationIndex, PointToPoint, Trace};

use mpiscope_run::order::{Cancel, Origin, Outcome, RankOrder, Record, Taken, ThreadOrder};
use walk::{Completions, Walk};

/// The choices of all threads, by world rank and thread.
#[derive(Debug, Default)]
pub struct Choices(pub BTreeMap<(u32, u32), Thread>);

/// The choices of one thread.
#[derive(Debug, Default)]
pub struct Thread {
    /// Its location.
    pub location: LocationIndex,
    /// Wildcard receives and blocking probes, in the order of posting.
    pub receives: Vec<Receive>,
    /// Waits for several requests and polls that succeeded.
    pub outcomes: Vec<Returned>,
    /// Nonblocking receives, wildcard or not, in the order of posting.
    pub nonblocking: Vec<NonblockingReceive>,
}

/// A receive or blocking probe with a wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receive {
    /// Where it was posted.
    pub post: EventRef,
    /// Where it completed, if it did.
    pub done: Option<EventRef>,
    /// What it took.
    pub taken: Option<Taken>,
}

/// A wait or poll that is an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returned {
    /// The event at which it returned.
    pub event: u32,
    /// What came of it, if the trace tells.
    pub outcome: Option<Outcome>,
}

/// A nonblocking receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NonblockingReceive {
    /// Where it completed or was cancelled, if it did.
    pub done: Option<EventRef>,
    /// Whether it was cancelled.
    pub cancelled: bool,
}

impl Choices {
    /// Finds the choices of a trace.
    pub fn of(trace: &Trace) -> Choices {
        let mut completions = Completions::of(trace);
        let mut all = Choices::default();
        for (location, index) in trace.locations.iter().zip(0..) {
            let walk = Walk::new(LocationIndex(index), &mut completions);
            let key = (location.rank.0, location.thread);
            all.0.insert(key, walk.through(trace, location));
        }
        all
    }

    /// Returns the record as far as the trace tells it. Of each thread it ends
    /// before the first outcome that is not known; of cancelled receives it has
    /// those that were cancelled.
    pub fn record(&self, trace: &Trace) -> Record {
        let mut ranks: BTreeMap<u32, RankOrder> = BTreeMap::new();
        for (&(rank, number), thread) in &self.0 {
            let order = ranks.entry(rank).or_insert_with(|| RankOrder {
                rank,
                finished: true,
                ..RankOrder::default()
            });
            let location = &trace.locations[thread.location.index()];
            order.finished &= location.truncated.is_none();
            order.threads.push(thread.order(number));
        }
        let processes = trace.definitions.processes.len().max(ranks.len());
        Record {
            origin: Origin {
                world_size: processes as u32,
                ..Origin::default()
            },
            ranks: ranks.into_values().collect(),
        }
    }

    /// Returns the first outcome of each thread that the trace does not tell.
    pub fn untold(&self) -> impl Iterator<Item = EventRef> + '_ {
        self.0.values().filter_map(|thread| {
            let first = thread.outcomes.get(thread.told())?;
            Some(EventRef {
                location: thread.location,
                index: first.event,
            })
        })
    }
}

impl Thread {
    /// Returns how many outcomes come before the first that is not known.
    pub fn told(&self) -> usize {
        let is_told = |returned: &&Returned| returned.outcome.is_some();
        self.outcomes.iter().take_while(is_told).count()
    }

    /// Returns those outcomes.
    pub fn told_outcomes(&self) -> Vec<Outcome> {
        let outcomes = self.outcomes.iter();
        outcomes.map_while(|it| it.outcome.clone()).collect()
    }

    fn order(&self, number: u32) -> ThreadOrder {
        let here =
            |it: &NonblockingReceive| it.done.is_some_and(|done| done.location == self.location);
        let cancels = (0..).zip(&self.nonblocking);
        let cancels = cancels.filter(|(_, it)| it.cancelled && here(it));
        ThreadOrder {
            number,
            lineage: lineage(number),
            receives: self.receives.iter().map(|it| it.taken).collect(),
            outcomes: self.told_outcomes(),
            cancels: cancels
                .map(|(receive, _)| Cancel {
                    receive,
                    succeeded: true,
                })
                .collect(),
            ..ThreadOrder::default()
        }
    }
}

/// Who made a thread of a trace is known of the first alone. No thread has the
/// number that the others get, so that none is taken for another.
fn lineage(number: u32) -> u64 {
    match number {
        0 => 1,
        others => u64::from(others) << 2,
    }
}

/// Returns what a receive took, as the record says it.
pub fn taken(message: &PointToPoint) -> Taken {
    Taken {
        source: message.peer,
        tag: message.any_tag.then_some(message.tag),
    }
}

fn is_wild(message: &PointToPoint) -> bool {
    message.any_source || message.any_tag
}

/// Derives the record of a traced run.
pub fn from_trace(trace: &Trace) -> Record {
    Choices::of(trace).record(trace)
}

#[cfg(test)]
mod tests;
