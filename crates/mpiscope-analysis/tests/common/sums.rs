//! What the figures of a profile have in common, whatever the trace holds.

use std::collections::BTreeMap;

use mpiscope_analysis::profile::{Profile, RankSum, Sum};
use mpiscope_analysis::wait_states::{wait_states, WaitState};
use mpiscope_model::{Duration, Timestamp, Trace};
use proptest::prelude::*;

/// Expects sums by activity, rank, pair and statement to agree, and the
/// critical path to be as long as the run.
pub fn agree(trace: &Trace) -> Result<(), TestCaseError> {
    let matching = trace.matching();
    let profile = Profile::of(trace, &matching);
    let states = wait_states(trace, &matching);
    prop_assert!(states.iter().all(|state| state.duration().0 > 0));
    let sum_of = |among_threads: bool| -> i64 {
        let of = states
            .iter()
            .filter(|it| it.kind.is_among_threads() == among_threads);
        of.map(|state| state.duration().0).sum()
    };
    let (waiting, of_threads) = (sum_of(false), sum_of(true));
    let activities = |of: &dyn Fn(&Sum) -> Duration| -> i64 {
        profile.activities.iter().map(|(_, sum)| of(sum).0).sum()
    };
    let ranks = |of: &dyn Fn(&RankSum) -> Duration| profile.total(of).0;
    prop_assert_eq!(
        activities(&|sum| sum.time + sum.waiting),
        ranks(&|rank| rank.time)
    );
    prop_assert_eq!(activities(&|sum| sum.waiting), waiting + of_threads);
    prop_assert_eq!(ranks(&|rank| rank.threads_waiting), of_threads);
    prop_assert!(ranks(&|rank| rank.threads) >= of_threads);
    prop_assert_eq!(ranks(&|rank| rank.waiting), waiting);
    prop_assert_eq!(ranks(&|rank| rank.causing), waiting);
    prop_assert_eq!(
        profile.pairs.values().map(|it| it.time.0).sum::<i64>(),
        waiting
    );
    prop_assert_eq!(
        profile.waits.values().map(|it| it.all.time.0).sum::<i64>(),
        waiting + of_threads
    );
    let causes = profile.causes.clone().unwrap_or_default();
    prop_assert_eq!(causes.waiting.0, waiting + of_threads);
    let costs = causes.delays.iter().map(|it| it.costs().0);
    prop_assert_eq!(costs.sum::<i64>() + causes.rest.all().0, causes.waiting.0);
    let mut delays = causes.delays.iter();
    prop_assert!(delays.all(|it| it.short_term.0 >= 0 && it.long_term.0 >= 0));
    prop_assert!(activities(&|sum| sum.held) <= waiting + of_threads);
    prop_assert_eq!(activities(&|sum| sum.path), profile.length().0);
    prop_assert_eq!(ranks(&|rank| rank.path), profile.length().0);
    each_location_has_its_time(&profile, &states, trace)?;
    has_no_gaps(&profile, trace)
}

/// Expects waiting, MPI otherwise, threads otherwise, time that was not recorded and computation to
/// be all of a location's time: no wait state is told twice, and none is longer than its location.
fn each_location_has_its_time(
    profile: &Profile,
    states: &[WaitState],
    trace: &Trace,
) -> Result<(), TestCaseError> {
    let mut times: BTreeMap<u32, i64> = BTreeMap::new();
    for (number, location) in trace.locations.iter().enumerate() {
        let all = location.events.times();
        // A clock that runs backwards is held.
        let (Some(first), Some(last)) = (all.first(), all.iter().max()) else {
            continue;
        };
        *times.entry(location.rank.0).or_default() += (*last - *first).0;
        let own = states
            .iter()
            .filter(|it| it.call.location.index() == number);
        let mut own: Vec<(Timestamp, Timestamp)> = own.map(|it| (it.begin, it.end)).collect();
        own.sort_unstable();
        prop_assert!(own.iter().all(|it| *first <= it.0 && it.1 <= *last));
        prop_assert!(own.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{own:?}");
    }
    for rank in &profile.ranks {
        prop_assert_eq!(Some(&rank.time.0), times.get(&rank.rank).or(Some(&0)));
        prop_assert!(rank.waiting <= rank.mpi && rank.threads_waiting <= rank.threads);
        prop_assert!(rank.mpi + rank.threads + rank.unrecorded <= rank.time);
    }
    Ok(())
}

fn has_no_gaps(profile: &Profile, trace: &Trace) -> Result<(), TestCaseError> {
    let with_events = trace.locations.iter().filter(|it| !it.events.is_empty());
    let times = || with_events.clone().map(|location| location.events.times());
    let first = times().map(|times| times[0]).min();
    let last = times().flatten().max().copied();
    let steps = &profile.path.steps;
    let ends: Option<(Timestamp, Timestamp)> = first.zip(last).filter(|(a, b)| a < b);
    let found = steps.first().zip(steps.last());
    prop_assert_eq!(found.map(|(first, last)| (first.begin, last.end)), ends);
    prop_assert!(steps.windows(2).all(|pair| pair[0].end == pair[1].begin));
    prop_assert!(steps.iter().all(|step| step.begin < step.end));
    Ok(())
}
