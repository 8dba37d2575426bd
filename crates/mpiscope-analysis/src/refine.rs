//! What the next trace can leave out: regions of the program that are visited often and briefly, and
//! cost more in a trace than they tell.
//!
//! A region is proposed by its name, as filters know no more: all regions of one name share its
//! fate. One that a call of MPI is made from stays, as does one that makes others wait.
//!
//! ```
//! use mpiscope_analysis::refine::{Fate, Refinement};
//! use mpiscope_model::Trace;
//!
//! let visits = "1 enter(tiny) 2 leave(tiny) ".repeat(10_000);
//! let trace = Trace::parse(&format!("
//!     0: 0 enter(step) {visits} 3 enter(MPI_Barrier) 4 leave(MPI_Barrier) 5 leave(step)
//! "))?;
//! let found = Refinement::of(&trace, &[]);
//! assert_eq!((found.events(), found.saved()), (20_004, 20_000));
//! let tiny = &found.regions[0];
//! assert_eq!((tiny.name.as_str(), tiny.fate), ("tiny", Fate::LeftOut));
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod buffer;
mod counts;
mod names;
#[cfg(test)]
mod tests;
mod window;

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_model::{Duration, LocationIndex, Paradigm, Region, RegionId, Trace};
use rayon::prelude::*;

use crate::profile::{Activity, Profile};
use crate::timeline::is_mpi;
use crate::verdict::{Source, Verdict, MATTERS};
use counts::Counts;
use names::Parts;

pub use buffer::Buffer;
pub use names::can_be_named;
pub use window::{NoWindow, Window};

/// Visits, of all threads together, from which on a region is often visited.
pub const OFTEN: u64 = 10_000;
/// The mean duration of a visit below which it is brief: what a trace adds is a hundredth of this.
pub const BRIEF: Duration = Duration(5_000);

/// What becomes of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// It is visited often and briefly: the next trace is to leave it out.
    LeftOut,
    /// So it is, but MPI is called or threads meet in it, or in another region of that name.
    Encloses,
    /// So it is, but it is what made others wait.
    Cause,
    /// So it is, but no filter can name it, and nothing besides.
    Nameless,
    /// It is visited seldom, or takes its time.
    Worthwhile,
}

/// All regions of the program's own that have one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfName {
    /// The name.
    pub name: String,
    /// How often they were visited.
    pub visits: u64,
    /// Their events: enters and leaves.
    pub events: u64,
    /// How long all visits took, what they called included.
    pub time: Duration,
    /// What becomes of them.
    pub fate: Fate,
}

impl OfName {
    /// Returns how long a visit took, in the mean.
    pub fn mean(&self) -> Duration {
        let visits = i64::try_from(self.visits.max(1)).unwrap_or(i64::MAX);
        Duration(self.time.0 / visits)
    }

    /// Returns whether they are visited often and briefly, in a run so many times as long.
    fn is_frequent(&self, times: f64) -> bool {
        self.visits as f64 * times >= OFTEN as f64 && self.mean() < BRIEF
    }
}

/// What is known besides the trace.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Regions that are to stay, as they made others wait.
    pub causes: &'a [RegionId],
    /// How many times as long the next run takes.
    pub times: f64,
    /// Whether the run's own filter was to leave out a name: if it did not, none can.
    pub is_filtered: &'a dyn Fn(&str) -> bool,
}

impl Default for Known<'_> {
    fn default() -> Self {
        Known {
            causes: &[],
            times: 1.0,
            is_filtered: &|_| false,
        }
    }
}

/// What is known of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfLocation {
    /// Which.
    pub location: LocationIndex,
    /// World rank.
    pub rank: u32,
    /// All of its events.
    pub events: u64,
    /// What of them are enters and leaves of the program's own regions.
    pub own: u64,
    /// What of them the next trace would leave out.
    pub left_out: u64,
    /// From its first to its last event.
    pub time: Duration,
}

/// What a trace holds, and what the next one can leave out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refinement {
    /// The program's own regions by name, those of most events first.
    pub regions: Vec<OfName>,
    /// All locations, in their order.
    pub locations: Vec<OfLocation>,
    /// Of each region of the trace whether it is left out.
    pub is_left_out: Vec<bool>,
}

impl Refinement {
    /// Looks at a whole trace; `causes` are regions that are to stay.
    pub fn of(trace: &Trace, causes: &[RegionId]) -> Refinement {
        let known = Known {
            causes,
            ..Known::default()
        };
        Refinement::knowing(trace, known)
    }

    /// Looks at a whole trace, of which more is known.
    pub fn knowing(trace: &Trace, known: Known) -> Refinement {
        let own: Vec<bool> = trace.definitions.regions.iter().map(is_own).collect();
        let locations = trace.locations.par_iter();
        let counts: Vec<Counts> = locations.map(|it| Counts::of(it, &own)).collect();
        let (regions, of_region) = by_name(trace, &counts, &own, known);
        let is_left_out: Vec<bool> = of_region
            .iter()
            .map(|name| name.is_some_and(|name| regions[name].fate == Fate::LeftOut))
            .collect();
        let locations = (0..)
            .zip(trace.locations.iter().zip(&counts))
            .map(|(number, (location, counts))| OfLocation {
                location: LocationIndex(number),
                rank: location.rank.0,
                events: location.events.len() as u64,
                own: counts.events(|_| true),
                left_out: counts.events(|region| is_left_out[region]),
                time: counts.time,
            })
            .collect();
        let mut found = Refinement {
            regions,
            locations,
            is_left_out,
        };
        let most_first = |it: &OfName| (std::cmp::Reverse(it.events), it.name.clone());
        found.regions.sort_by_cached_key(most_first);
        found
    }

    /// Returns how many events the trace has.
    pub fn events(&self) -> u64 {
        self.locations.iter().map(|it| it.events).sum()
    }

    /// Returns how many of them the next trace would leave out.
    pub fn saved(&self) -> u64 {
        self.locations.iter().map(|it| it.left_out).sum()
    }

    /// Returns the regions of one fate.
    pub fn with(&self, fate: Fate) -> impl Iterator<Item = &OfName> {
        self.regions.iter().filter(move |it| it.fate == fate)
    }
}

/// Adds up by name; returns of each region which name it has, if it is the program's own.
fn by_name(
    trace: &Trace,
    counts: &[Counts],
    own: &[bool],
    known: Known,
) -> (Vec<OfName>, Vec<Option<usize>>) {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found: Vec<OfName> = Vec::new();
    let mut encloses: Vec<bool> = Vec::new();
    let regions = trace.definitions.regions.iter().zip(own);
    let of_region: Vec<Option<usize>> = regions
        .map(|(region, own)| {
            own.then(|| {
                *names.entry(&region.name).or_insert_with(|| {
                    found.push(OfName {
                        name: region.name.clone(),
                        visits: 0,
                        events: 0,
                        time: Duration::ZERO,
                        fate: Fate::Worthwhile,
                    });
                    encloses.push(false);
                    found.len() - 1
                })
            })
        })
        .collect();
    for (region, count) in counts.iter().flat_map(Counts::regions) {
        if let Some(name) = of_region[region] {
            let sum = &mut found[name];
            sum.visits += count.visits;
            sum.events += count.events;
            sum.time += count.time;
            encloses[name] |= count.encloses;
        }
    }
    let fates = fates(trace, &found, &of_region, known);
    for ((name, fate), encloses) in found.iter_mut().zip(fates).zip(encloses) {
        name.fate = match name.is_frequent(known.times) {
            false => Fate::Worthwhile,
            true if encloses => Fate::Encloses,
            true => fate,
        };
    }
    (found, of_region)
}

/// Returns of each name what becomes of it if it is visited often and briefly, and encloses nothing.
fn fates(trace: &Trace, found: &[OfName], of_region: &[Option<usize>], known: Known) -> Vec<Fate> {
    let regions = || {
        let regions = trace.definitions.regions.iter().zip(of_region);
        regions.filter_map(|(region, name)| Some((region, (*name)?)))
    };
    let parts = Parts::of(regions().map(|(region, _)| region));
    let shorts: BTreeSet<&str> = found
        .iter()
        .filter_map(|it| Some(it.name.split_once('(')?.0))
        .collect();
    // Filters take the name of a function for all that it may take.
    let is_nameless =
        |name: &str| !can_be_named(name) || shorts.contains(name) || (known.is_filtered)(name);
    let mut fates: Vec<Fate> = (found.iter())
        .map(|it| match is_nameless(&it.name) {
            true => Fate::Nameless,
            false => Fate::LeftOut,
        })
        .collect();
    for (_, name) in regions().filter(|(region, _)| parts.may_be_part(region)) {
        fates[name] = Fate::Nameless;
    }
    for cause in known.causes {
        if let Some(Some(name)) = of_region.get(cause.index()) {
            fates[*name] = Fate::Cause;
        }
    }
    fates
}

/// Returns whether a region is of the program, and neither of MPI, of threads nor of a tool.
fn is_own(region: &Region) -> bool {
    let of_program = matches!(
        region.paradigm,
        Paradigm::Unknown | Paradigm::User | Paradigm::Compiler
    );
    of_program && !is_mpi(region) && !region.name.starts_with("mpiscope: ")
}

/// Returns the regions that the verdict names, and those that made others wait as long as matters to
/// it.
pub fn causes(trace: &Trace, profile: &Profile, verdict: &Verdict) -> Vec<RegionId> {
    let mut found: Vec<RegionId> = Vec::new();
    for loss in &verdict.losses {
        match (loss.activity, loss.source) {
            (_, Some(Source::Region(region))) => found.push(region),
            (_, Some(Source::Samples(site, ..))) => {
                let site = trace.definitions.call_sites.get(site.index());
                let function = site.and_then(|it| it.function.as_deref());
                let named = |name: &str| function.is_some_and(|it| it == name);
                let regions = (0..).zip(&trace.definitions.regions);
                let these = regions.filter(|(_, region)| named(&region.name));
                found.extend(these.map(|(number, _)| RegionId(number)));
            }
            _ => {}
        }
        if let Some(Activity::Region(region)) = loss.activity {
            found.push(region);
        }
    }
    let delays = profile.causes.iter().flat_map(|it| &it.delays);
    let matter = delays.filter(|it| verdict.share(it.costs()) >= MATTERS);
    found.extend(matter.filter_map(|delay| {
        let (activity, _) = profile.activities.get(delay.activity as usize)?;
        match activity {
            Activity::Region(region) => Some(*region),
            _ => None,
        }
    }));
    found.sort_unstable();
    found.dedup();
    found
}
