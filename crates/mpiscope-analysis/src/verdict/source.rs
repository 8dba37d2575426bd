//! Where in the program's own code a loss is: the line that most samples of the rank show there, or
//! else what a region's definition says.

use mpiscope_model::{CallSiteId, LocationIndex, RegionId, Trace};
use rustc_hash::FxHashMap;

use crate::profile::{stretches, Activity};
use crate::races::first_of_lines;
use crate::timeline::{Regions, Timeline};

/// A place in the program's own code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A region of the program.
    Region(RegionId),
    /// The line of most samples, its periods, and those of all samples there.
    Samples(CallSiteId, u64, u64),
}

/// Finds that of what a rank does, if regions or samples tell; samples do of one rank alone.
pub(super) fn of(trace: &Trace, activity: Activity, rank: Option<u32>) -> Option<Source> {
    let sampled = || sampled(trace, activity, rank?);
    match activity {
        Activity::Region(region) => sampled().or(Some(Source::Region(region))),
        Activity::Between(..) => sampled(),
        Activity::Mpi(_) | Activity::Threads(_) | Activity::Unrecorded => None,
    }
}

/// Returns the line that most samples of a rank show in what it does there.
fn sampled(trace: &Trace, wanted: Activity, rank: u32) -> Option<Source> {
    let locations = trace.locations.iter().enumerate();
    let own = locations.filter(|(_, it)| it.rank.0 == rank && !it.events.samples().is_empty());
    let mut lines: FxHashMap<CallSiteId, u64> = FxHashMap::default();
    let first = first_of_lines(trace);
    for (at, location) in own {
        let samples = location.events.samples();
        let at = LocationIndex(at as u32);
        let line = Timeline::new(trace, &Regions::new(trace), at);
        stretches::computation(trace, &first, &line, at, |activity, events, _| {
            if activity != wanted {
                return;
            }
            let from = samples.partition_point(|(event, _)| *event < events.start);
            let these = samples[from..].iter();
            for (_, sample) in these.take_while(|(event, _)| *event < events.end) {
                let site = first.get(sample.site.index()).copied();
                *lines.entry(site.unwrap_or(sample.site)).or_default() += u64::from(sample.periods);
            }
        });
    }
    let all = lines.values().sum();
    let most = lines.into_iter();
    let most = most.max_by_key(|(site, periods)| (*periods, std::cmp::Reverse(*site)));
    most.map(|(site, periods)| Source::Samples(site, periods, all))
}
