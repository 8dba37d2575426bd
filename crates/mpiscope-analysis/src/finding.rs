//! What analyses find, in one form: a kind, places in the trace with the part that each plays,
//! a weight and a sentence. A display that knows this form shows findings of any analysis, also of
//! those that do not exist yet.
//!
//! An analysis adds its own by a module here that makes a [`Finding`] of each of its facts.
//!
//! ```
//! use mpiscope_analysis::clock_errors::ClockErrors;
//! use mpiscope_analysis::finding::{self, Findings};
//! use mpiscope_analysis::wait_states::wait_states;
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 0 enter(MPI_Recv) 52 recv<1 53 leave(MPI_Recv)
//!     1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send)
//! ")?;
//! let mut findings = Findings::default();
//! let errors = ClockErrors::measured(&trace);
//! finding::of_waits(&trace, &wait_states(&trace, &trace.matching()), &errors, &mut findings);
//! assert_eq!(findings.list[0].text, "Rank 0 waits 50 ns for rank 1 in MPI_Recv");
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod causes;
mod errors;
mod explored;
mod iterations;
mod path;
mod races;
mod replayed;
mod reversed;
mod waits;

use std::borrow::Cow;

use mpiscope_model::{EventRef, RegionId, Trace};

use crate::races::CallPlace;
use crate::rounded::rounded;

pub use causes::of_causes;
pub use errors::of_errors;
pub use explored::{of_explored, Explored, Forced};
pub use iterations::of_iterations;
pub use path::of_path;
pub use races::of_races;
pub use replayed::{of_replayed, Departure, Replayed};
pub use reversed::of_reversed;
pub use waits::{of_waits, of_wrong_order};

/// Findings of a kind that are listed, at most: the weightiest.
pub const MOST: usize = 20_000;

/// What a weight counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// A number of what is wrong for certain, in this run or in one that was made of it: told
    /// before all else.
    Certain,
    /// Nanoseconds.
    Nanoseconds,
    /// A number of anything.
    Count,
    /// Nanoseconds that clocks disagree by: nobody lost them.
    Apart,
}

impl Unit {
    /// Returns what it measures, for programs: weights of different measures cannot be compared.
    pub fn measure(self) -> &'static str {
        match self {
            Unit::Certain => "certain",
            Unit::Nanoseconds => "time",
            Unit::Count => "count",
            Unit::Apart => "apart",
        }
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Nanoseconds | Unit::Apart => "ns",
            Unit::Certain | Unit::Count => "count",
        }
    }
}

/// A place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The part it plays: `waits`, `causes`, `step`, `receive`, `candidate`, …
    pub role: &'static str,
    /// Where it is.
    pub event: EventRef,
    /// What is to be said of it, such as `MPI_Send at heat.c:42`.
    pub text: String,
}

impl Place {
    /// Names a place after its call.
    pub fn new(trace: &Trace, role: &'static str, event: EventRef) -> Place {
        Place {
            role,
            event,
            text: call(trace, event),
        }
    }
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What sort of thing it is, for programs: `late_sender`.
    pub kind: Cow<'static, str>,
    /// Where it is, the place to look at first first.
    pub places: Vec<Place>,
    /// What the weight counts.
    pub unit: Unit,
    /// How much it matters, among its like.
    pub weight: u64,
    /// In a sentence.
    pub text: String,
}

/// All of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// As findings name it.
    pub name: Cow<'static, str>,
    /// What it is called.
    pub label: String,
    /// What weights count.
    pub unit: Unit,
    /// How many there are, listed or not.
    pub count: u64,
    /// Their weight together.
    pub weight: u64,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The kinds of which there are any, as they were added.
    pub kinds: Vec<Kind>,
    /// The weightiest of each kind, kind by kind.
    pub list: Vec<Finding>,
}

impl Findings {
    /// Adds all of a kind, of which `make` describes those that are listed.
    pub fn add<T>(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        label: String,
        unit: Unit,
        mut found: Vec<(u64, T)>,
        make: impl Fn(&T) -> (Vec<Place>, String),
    ) {
        if found.is_empty() {
            return;
        }
        let name = name.into();
        let weights = found.iter().map(|(weight, _)| *weight);
        self.kinds.push(Kind {
            name: name.clone(),
            label,
            unit,
            count: found.len() as u64,
            weight: weights.fold(0, u64::saturating_add),
        });
        // Stable: among equals the first comes first.
        found.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        found.truncate(MOST);
        let finding = |(weight, it): &(u64, T)| {
            let (places, text) = make(it);
            Finding {
                kind: name.clone(),
                places,
                unit,
                weight: *weight,
                text,
            }
        };
        self.list.extend(found.iter().map(finding));
    }
}

/// Writes `MPI_Recv at heat.c:42`, or as much as is known.
fn call(trace: &Trace, event: EventRef) -> String {
    named(trace, CallPlace::of(trace, event))
}

/// Writes the same of a place in the program.
pub fn named(trace: &Trace, place: CallPlace) -> String {
    let name = region(trace, place.region).unwrap_or("a call");
    let sites = &trace.definitions.call_sites;
    let site = place.site.and_then(|site| sites.get(site.index()));
    match site {
        Some(site) => {
            let place = site.to_string();
            let file = place.rsplit('/').next().unwrap_or_default();
            format!("{name} at {file}")
        }
        None => name.to_owned(),
    }
}

fn region(trace: &Trace, region: Option<RegionId>) -> Option<&str> {
    let region = trace.definitions.regions.get(region?.index())?;
    (!region.name.is_empty()).then_some(region.name.as_str())
}

/// Writes `rank 3`, or `rank 3, thread 1`.
fn who(trace: &Trace, event: EventRef) -> String {
    let location = &trace.locations[event.location.index()];
    match location.thread {
        0 => format!("rank {}", location.rank.0),
        thread => format!("rank {}, thread {thread}", location.rank.0),
    }
}

/// Returns a text as the begin of a sentence.
pub fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_the_weightiest_are_listed_and_all_are_counted() {
        let mut findings = Findings::default();
        let all = (0..MOST as u64 + 5)
            .map(|weight| (weight, weight))
            .collect();
        findings.add("x", "X".into(), Unit::Count, all, |it| {
            (Vec::new(), it.to_string())
        });
        assert_eq!(findings.kinds[0].count, MOST as u64 + 5);
        assert_eq!(findings.list.len(), MOST);
        assert_eq!(findings.list[0].weight, MOST as u64 + 4);
    }
}
