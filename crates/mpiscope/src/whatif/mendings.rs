//! What mending each of the worst would gain, each by itself.

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_analysis::profile::{Activity, Profile};
use mpiscope_analysis::whatif::{Changes, Replay};
use mpiscope_archive::model::{Duration, Matching, Trace};

use super::facts::Mending;
use super::names::typed;
use crate::analyze::FEW;

/// Calls with which MPI begins and ends.
const ENDS: [&str; 3] = ["MPI_Init", "MPI_Init_thread", "MPI_Finalize"];

/// Replays it with each of some changes; returns them, those of most gain first.
pub fn all(trace: &Trace, matching: &Matching, replay: &Replay, top: usize) -> Vec<Mending> {
    let length = replay.measured().length().0;
    let mut found = Vec::new();
    let mut add = |change: String, options: &[String], changes: &Changes| {
        let predicted = replay.run(changes).length().0;
        found.push(Mending {
            change,
            options: options.to_vec(),
            predicted_ns: predicted,
            gain_ns: length.saturating_sub(predicted),
        });
    };
    for mending in whole(replay) {
        add(mending.0, &mending.1, &mending.2);
    }
    for activity in worst(replay, top, |it, [time, _]| {
        match replay.is_computation(it) {
            true => *time,
            false => Duration::ZERO,
        }
    }) {
        let mut changes = Changes::default();
        changes.scale(replay, 0.5, |_, it| *it == activity);
        if let Some(name) = typed(trace, &activity) {
            let option = format!("--scale={name}=0.5");
            add(format!("{name} takes half as long"), &[option], &changes);
        }
    }
    for activity in worst(replay, top, |it, [_, waiting]| match it {
        Activity::Mpi(_) => *waiting,
        _ => Duration::ZERO,
    }) {
        let mut changes = Changes::default();
        changes.no_wait(replay, |it| *it == activity);
        if let Some(name) = typed(trace, &activity) {
            let option = format!("--no-wait={name}");
            add(format!("nobody waits in {name}"), &[option], &changes);
        }
    }
    for activity in causes(trace, matching, replay, top) {
        let Some(name) = typed(trace, &activity) else {
            continue;
        };
        let mut changes = Changes::default();
        if replay.is_computation(&activity) {
            changes.balance(replay, |it| *it == activity);
            let option = format!("--balance={name}");
            add(format!("{name} is balanced"), &[option], &changes);
        } else {
            changes.scale(replay, 0.0, |_, it| *it == activity);
            let option = format!("--scale={name}=0");
            add(
                format!("{name} takes no time but waiting"),
                &[option],
                &changes,
            );
        }
    }
    found.sort_by_key(|it| -it.gain_ns);
    found
}

/// Returns changes of the whole run.
fn whole(replay: &Replay) -> Vec<(String, Vec<String>, Changes)> {
    let mut balanced = Changes::default();
    balanced.balance(replay, |it| replay.is_computation(it));
    let mut network = Changes::default();
    network.latency = Some(Duration::ZERO);
    network.bandwidth = Some(f64::INFINITY);
    let words = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect();
    vec![
        (
            "all computation is balanced".to_owned(),
            words(&["--balance"]),
            balanced,
        ),
        (
            "the network takes no time".to_owned(),
            words(&["--latency=0", "--bandwidth=inf"]),
            network,
        ),
    ]
}

/// Returns the activities of most of something.
fn worst(
    replay: &Replay,
    top: usize,
    of: impl Fn(&Activity, &[Duration; 2]) -> Duration,
) -> Vec<Activity> {
    let sums = replay.sums();
    let all = replay.activities.iter().zip(&sums);
    let mut all: Vec<(Duration, Activity)> = all.map(|(it, sums)| (of(it, sums), *it)).collect();
    all.retain(|(time, _)| *time > Duration::ZERO);
    all.sort_by(|a, b| b.cmp(a));
    all.into_iter().take(top).map(|(_, it)| it).collect()
}

/// Returns what caused most waiting, on any rank; of a trace of too many events, all that took
/// most time.
fn causes(trace: &Trace, matching: &Matching, replay: &Replay, top: usize) -> Vec<Activity> {
    if trace.event_count() > FEW {
        return worst(replay, top, |it, [time, _]| {
            match replay.is_computation(it) {
                true => *time,
                false => Duration::ZERO,
            }
        });
    }
    let profile = Profile::of(trace, matching);
    let mut costs: BTreeMap<u32, i64> = BTreeMap::new();
    for delay in profile.causes.iter().flat_map(|it| &it.delays) {
        let cost = costs.entry(delay.activity).or_default();
        *cost = cost.saturating_add(delay.costs().0);
    }
    // Nobody mends how long MPI takes to begin and to end.
    let is_mended = |it: &Activity| match it {
        Activity::Mpi(statement) => {
            let region = statement.place.region;
            let region = region.and_then(|it| trace.definitions.regions.get(it.index()));
            !region.is_some_and(|it| ENDS.contains(&it.name.as_str()))
        }
        _ => true,
    };
    let known: BTreeSet<Activity> = replay.activities.iter().copied().collect();
    let mut costs: Vec<(i64, Activity)> = costs
        .into_iter()
        .map(|(activity, cost)| (cost, profile.activities[activity as usize].0))
        .filter(|(_, activity)| known.contains(activity) && is_mended(activity))
        .collect();
    costs.sort_by(|a, b| b.cmp(a));
    costs.into_iter().take(top).map(|(_, it)| it).collect()
}
