//! What had happened before an event, as far as its location could know.
//!
//! One event happened before another if both are of one location and it came
//! first, or if a chain of messages leads from it to the other (Lamport 1978):
//! messages of point-to-point communication, those that a collective operation
//! implies, and all other waits that a [`Matching`] tells of.
//!
//! Each location has a vector clock (Fidge 1988, Mattern 1989): for every
//! location the latest event known of it. A question names an event, and is
//! answered when the sweep comes by. Clocks hold columns only for locations
//! that questions are about, and share what they have in common (`clock`).
//!
//! ```
//! use mpiscope_analysis::happened_before::{sweep, Columns};
//! use mpiscope_model::{EventRef, LocationIndex, Trace};
//!
//! let trace = Trace::parse("
//!     0: 1 send>1 5 send>1
//!     1: 2 recv<0 3 send>2
//!     2: 4 recv<1
//! ")?;
//! let last = EventRef::new(LocationIndex(2), 0);
//! let mut known = None;
//! sweep(&trace, &trace.matching(), &Columns::all(&trace), &[last], |_, at| {
//!     known = at.latest(LocationIndex(0));
//! });
//! assert_eq!(known, Some(0), "the first of both sends came before");
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod gate;
mod steps;

use mpiscope_model::{EventRef, LocationIndex, Matching, Trace};

use crate::clock::Clock;
use gate::CollectiveGates;
use steps::{Step, Steps, Waits, What};

/// No column, no location.
const NONE: u32 = u32::MAX;

/// The locations that questions are about.
#[derive(Clone, Debug)]
pub struct Columns {
    /// By location, [`NONE`] if it has none.
    of: Vec<u32>,
    count: usize,
}

impl Columns {
    /// All locations of a trace.
    pub fn all(trace: &Trace) -> Columns {
        let count = trace.locations.len();
        let of = (0..count as u32).collect();
        Columns { of, count }
    }

    /// Some locations of a trace.
    pub fn some(trace: &Trace, locations: impl IntoIterator<Item = LocationIndex>) -> Columns {
        let mut columns = Columns {
            of: vec![NONE; trace.locations.len()],
            count: 0,
        };
        for location in locations {
            if columns.column(location).is_none() {
                columns.of[location.index()] = columns.count as u32;
                columns.count += 1;
            }
        }
        columns
    }

    fn column(&self, location: LocationIndex) -> Option<usize> {
        let column = self.of[location.index()];
        (column != NONE).then_some(column as usize)
    }
}

/// What is known at an event.
pub struct Known<'a> {
    at: EventRef,
    clock: &'a Clock,
    columns: &'a Columns,
}

impl Known<'_> {
    /// Returns the latest event of a location that happened before this one,
    /// or is this one, and that anybody elsewhere can know of: one that others
    /// wait for. At the location itself that is simply the event.
    ///
    /// So event `i` of another location happened before this one exactly if
    /// the answer is `i` or later. Nothing is known of locations without column.
    pub fn latest(&self, location: LocationIndex) -> Option<u32> {
        if location == self.at.location {
            return Some(self.at.index);
        }
        let column = self.columns.column(location)?;
        self.clock.get(column).checked_sub(1)
    }
}

/// Walks through all waits of a trace and answers what is known at events:
/// calls `answer` with the number of each question, in no particular order.
/// Events that do not exist get no answer.
///
/// Returns how many waits contradict the others, as in a damaged trace: they
/// close a circle, and are passed over.
pub fn sweep(
    trace: &Trace,
    matching: &Matching,
    columns: &Columns,
    questions: &[EventRef],
    answer: impl FnMut(usize, Known),
) -> usize {
    sweep_with(trace, matching, &[], columns, questions, answer)
}

/// The same with waits that the matching does not tell of: pairs of a send and
/// what comes after it, each at a location of its own.
pub(crate) fn sweep_with(
    trace: &Trace,
    matching: &Matching,
    others: &[(EventRef, EventRef)],
    columns: &Columns,
    questions: &[EventRef],
    answer: impl FnMut(usize, Known),
) -> usize {
    let collectives = CollectiveGates::new(trace, matching);
    let waits = Waits { matching, others };
    let steps = Steps::new(trace, &waits, &collectives, questions);
    let clock = Clock::new(columns.count);
    let place = LocationState {
        clock: clock.clone(),
        next: 0,
        joins: 0,
        entered: (NONE, 0),
        queued: false,
    };
    let mut sweep = Sweep {
        columns,
        waits,
        places: vec![place; trace.locations.len()],
        stamps: vec![Stamp::Unsent; waits.len()],
        steps: &steps,
        collectives,
        queue: Vec::new(),
        answer,
    };
    sweep.run()
}

/// Where a location is.
#[derive(Clone)]
struct LocationState {
    clock: Clock,
    next: usize,
    /// How often its clock was joined with another.
    joins: u32,
    /// The member of a collective operation that it entered last, and the
    /// number of joins then.
    entered: (u32, u32),
    queued: bool,
}

/// What a message carries.
#[derive(Clone)]
enum Stamp {
    Unsent,
    /// The location that waits for it.
    Awaited(u32),
    Sent(Clock),
    Received,
}

struct Sweep<'a, A> {
    columns: &'a Columns,
    waits: Waits<'a>,
    places: Vec<LocationState>,
    /// By wait.
    stamps: Vec<Stamp>,
    steps: &'a Steps,
    collectives: CollectiveGates,
    queue: Vec<u32>,
    answer: A,
}

impl<A: FnMut(usize, Known)> Sweep<'_, A> {
    fn run(&mut self) -> usize {
        let mut contradictions = 0;
        (0..self.places.len() as u32)
            .rev()
            .for_each(|l| self.wake(l));
        let mut unfinished = 0;
        loop {
            while let Some(location) = self.queue.pop() {
                self.places[location as usize].queued = false;
                self.advance(location);
            }
            // Who still waits, waits in a circle.
            let is_left = |l: &usize| self.places[*l].next < self.steps.of(*l).len();
            let Some(location) = (unfinished..self.places.len()).find(is_left) else {
                return contradictions;
            };
            unfinished = location;
            contradictions += 1;
            self.places[location].next += 1;
            self.wake(location as u32);
        }
    }

    fn wake(&mut self, location: u32) {
        let place = &mut self.places[location as usize];
        if !place.queued {
            place.queued = true;
            self.queue.push(location);
        }
    }

    /// Goes on at a location until it waits for another.
    fn advance(&mut self, location: u32) {
        let steps = self.steps;
        let own = steps.of(location as usize);
        while let Some(step) = own.get(self.places[location as usize].next) {
            if !self.take(location, step) {
                return;
            }
            self.places[location as usize].next += 1;
        }
    }

    /// Takes a step, unless it has to wait.
    fn take(&mut self, location: u32, step: &Step) -> bool {
        let id = step.id as usize;
        match step.what {
            What::Receive => return self.receive(location, id),
            What::Exit => return self.exit(location, step.id),
            What::Ask => {
                let at = EventRef {
                    location: LocationIndex(location),
                    index: step.index,
                };
                let known = Known {
                    at,
                    clock: &self.places[location as usize].clock,
                    columns: self.columns,
                };
                (self.answer)(id, known);
            }
            What::Send => {
                let clock = self.places[location as usize].clock.clone();
                let before = std::mem::replace(&mut self.stamps[id], Stamp::Sent(clock));
                if let Stamp::Awaited(receiver) = before {
                    self.wake(receiver);
                }
            }
            What::Enter => {
                let place = &mut self.places[location as usize];
                place.entered = (step.id, place.joins);
                let mut clock = place.clock.clone();
                if let Some(column) = self.columns.column(LocationIndex(location)) {
                    clock.raise(column, step.index.saturating_add(1));
                }
                let woken = self.collectives.enter(step.id, clock);
                woken.into_iter().for_each(|waiting| self.wake(waiting));
            }
        }
        true
    }

    fn receive(&mut self, location: u32, wait: usize) -> bool {
        let stamp = &mut self.stamps[wait];
        let Stamp::Sent(clock) = stamp else {
            *stamp = Stamp::Awaited(location);
            return false;
        };
        let place = &mut self.places[location as usize];
        place.clock.join(clock);
        place.joins += 1;
        let send = self.waits.get(wait).0;
        if let Some(column) = self.columns.column(send.location) {
            place.clock.raise(column, send.index.saturating_add(1));
        }
        *stamp = Stamp::Received;
        true
    }

    fn exit(&mut self, location: u32, member: u32) -> bool {
        let place = &mut self.places[location as usize];
        match self.collectives.exit(member, location) {
            gate::Exit::Waits => return false,
            gate::Exit::Nothing => {}
            gate::Exit::Joins(clock, with_own) => {
                if with_own && place.entered == (member, place.joins) {
                    // All that it knew is in there.
                    place.clock = clock;
                } else {
                    place.clock.join(&clock);
                }
                place.joins += 1;
            }
        }
        true
    }
}
