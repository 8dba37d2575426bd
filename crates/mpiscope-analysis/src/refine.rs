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
#[cfg(test)]
mod tests;
mod window;

use std::collections::BTreeMap;

use mpiscope_model::{Duration, LocationIndex, Paradigm, Region, RegionId, Trace};
use rayon::prelude::*;

use crate::profile::{Activity, Profile};
use crate::timeline::is_mpi;
use crate::verdict::{Source, Verdict, MATTERS};
use counts::Counts;

pub use buffer::Buffer;
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
    /// So it is, but no filter can name it.
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

    /// Returns whether they are visited often and briefly.
    fn is_frequent(&self) -> bool {
        self.visits >= OFTEN && self.mean() < BRIEF
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
        let own: Vec<bool> = trace.definitions.regions.iter().map(is_own).collect();
        let locations = trace.locations.par_iter();
        let counts: Vec<Counts> = locations.map(|it| Counts::of(it, &own)).collect();
        let (regions, of_region) = by_name(trace, &counts, &own, causes);
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
    causes: &[RegionId],
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
    let mut is_cause = vec![false; found.len()];
    for cause in causes {
        if let Some(Some(name)) = of_region.get(cause.index()) {
            is_cause[*name] = true;
        }
    }
    for (at, name) in found.iter_mut().enumerate() {
        name.fate = match name.is_frequent() {
            false => Fate::Worthwhile,
            true if encloses[at] => Fate::Encloses,
            true if is_cause[at] => Fate::Cause,
            true if !can_be_named(&name.name) => Fate::Nameless,
            true => Fate::LeftOut,
        };
    }
    (found, of_region)
}

/// Returns whether a region is of the program, and neither of MPI, of threads nor of a tool.
fn is_own(region: &Region) -> bool {
    let of_program = matches!(
        region.paradigm,
        Paradigm::Unknown | Paradigm::User | Paradigm::Compiler
    );
    of_program && !is_mpi(region) && !region.name.starts_with("mpiscope: ")
}

/// Returns whether a filter can name a region: one without a name of its own is called by its place
/// or by words of ours.
fn can_be_named(name: &str) -> bool {
    let place = name.rsplit_once("+0x").map(|(_, offset)| offset);
    let is_place = place.is_some_and(|it| u64::from_str_radix(it, 16).is_ok());
    let is_ours = ["user: MPI_", "user: mpiscope: ", "(no name)"]
        .iter()
        .any(|begin| name.starts_with(begin));
    !name.is_empty() && !is_place && !is_ours && !name.chars().any(char::is_control)
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
