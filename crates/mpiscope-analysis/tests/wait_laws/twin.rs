//! Wait states straight from their definitions, by plain loops over all events of all ranks.
//!
//! A call that depends on others waits from its begin until the last of them has come, that is until
//! that one entered its own call, at most until its end. So what has to be told of each kind is only
//! who depends on whom: `Need`s, which the modules gather.

mod calls;
mod collectives;
mod completion;
mod late_complete;
mod late_progress;
mod locks;
mod messages;
mod windows;

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_analysis::wait_states::Kind;
use mpiscope_model::{Event, Trace};

use calls::Call;
use collectives::Part;

/// An event: its location, and its number there.
pub type At = (usize, usize);

/// What one call needs of another one.
struct Need {
    /// Any event of the call that waits.
    waits: At,
    /// What the other one did.
    other: At,
    kind: Kind,
    unless: Unless,
}

/// When a call did not wait though the other one came after its begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unless {
    /// It waited in any case, as it cannot end before.
    Never,
    /// It had ended before the other one came.
    Ended,
    /// It had, or ended at that moment.
    Ending,
}

/// A wait state; those for whom it may be come at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    pub begin: i64,
    pub end: i64,
    pub contradicts: bool,
    /// Kinds and locations.
    pub whom: BTreeSet<(Kind, usize)>,
}

/// A trace, its calls, and what these need.
pub struct Twin<'a> {
    trace: &'a Trace,
    calls: Vec<Call>,
    needs: Vec<Need>,
    /// Who met in an operation, and what waiting in it is called.
    met: Vec<(Kind, Vec<Part>)>,
}

impl<'a> Twin<'a> {
    pub fn new(trace: &'a Trace) -> Twin<'a> {
        let mut twin = Twin {
            trace,
            calls: calls::all(trace),
            needs: Vec::new(),
            met: Vec::new(),
        };
        twin.messages();
        twin.collectives();
        twin.windows();
        twin.locks();
        twin
    }

    /// Returns the wait states by the events that enter their calls.
    pub fn waits(&self) -> BTreeMap<At, Wait> {
        let mut waits = BTreeMap::new();
        for call in &self.calls {
            let wait = self.wait(call);
            waits.extend(wait.map(|wait| ((call.location, call.enter), wait)));
        }
        waits
    }

    fn wait(&self, call: &Call) -> Option<Wait> {
        let needs = self.needs.iter();
        let needs = needs.filter(|it| call.has(it.waits) && it.other.0 != call.location);
        let needs: Vec<(i64, &Need)> = needs.map(|it| (self.came(it.other), it)).collect();
        let counts = |(came, need): &&(i64, &Need)| match need.unless {
            Unless::Never => *came > call.begin,
            Unless::Ended => *came > call.begin && *came <= call.end,
            Unless::Ending => *came > call.begin && *came < call.end,
        };
        let last = needs.iter().filter(counts).map(|(came, _)| *came).max()?;
        let of_last = needs
            .iter()
            .filter(counts)
            .filter(|(came, _)| *came == last);
        let wait = Wait {
            begin: call.begin,
            end: last.min(call.end),
            contradicts: last > call.end,
            whom: of_last.map(|(_, need)| (need.kind, need.other.0)).collect(),
        };
        (wait.end > wait.begin).then_some(wait)
    }

    /// Returns when somebody came: when the call of an event was entered, or, outside of calls, when
    /// the event was.
    fn came(&self, event: At) -> i64 {
        let call = self.call(event);
        call.map_or_else(|| self.time(event), |call| call.begin)
    }

    /// Returns the call around an event.
    fn call(&self, event: At) -> Option<&Call> {
        self.calls.iter().find(|call| call.has(event))
    }

    fn time(&self, (location, event): At) -> i64 {
        self.trace.locations[location].events.times()[event].0
    }

    fn event(&self, (location, event): At) -> Event<'a> {
        self.trace.locations[location].events.event(event)
    }

    /// Returns all events, location by location.
    fn events(&self) -> Vec<(At, Event<'a>)> {
        let locations = 0..self.trace.locations.len();
        locations
            .flat_map(|location| self.events_of(location))
            .collect()
    }

    fn events_of(&self, location: usize) -> Vec<(At, Event<'a>)> {
        let all = 0..self.trace.locations[location].events.len();
        all.map(|it| ((location, it), self.event((location, it))))
            .collect()
    }

    fn rank(&self, location: usize) -> u32 {
        self.trace.locations[location].rank.0
    }

    fn need(&mut self, waits: At, other: At, kind: Kind, unless: Unless) {
        self.needs.push(Need {
            waits,
            other,
            kind,
            unless,
        });
    }
}
