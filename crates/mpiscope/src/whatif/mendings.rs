//! What mending each of the worst would gain, each by itself.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use mpiscope_analysis::profile::{Activity, Profile};
use mpiscope_analysis::whatif::{Changes, Replay};
use mpiscope_archive::model::{Duration, Matching, Trace};

use super::facts::Mending;
use super::names::typed;
use crate::analyze::FEW;

/// Calls with which MPI begins and ends.
const ENDS: [&str; 3] = ["MPI_Init", "MPI_Init_thread", "MPI_Finalize"];

/// A change, in words and as one types it.
struct Change {
    words: String,
    options: Vec<String>,
    changes: Changes,
}

/// Replays it with each of some changes; returns them, those of most gain first.
pub fn all(trace: &Trace, matching: &Matching, replay: &Replay, top: usize) -> Vec<Mending> {
    let sums = replay.sums();
    let named = |all: Vec<Activity>| {
        let name = |it: Activity| Some((typed(trace, &it)?, it));
        all.into_iter().filter_map(name).collect::<Vec<_>>()
    };
    let computation = most(replay, top, |number, it| match replay.is_computation(it) {
        true => sums[number][0],
        false => Duration::ZERO,
    });
    let waiting = most(replay, top, |number, it| match it {
        Activity::Mpi(_) => sums[number][1],
        _ => Duration::ZERO,
    });
    let causes = match trace.event_count() > FEW {
        true => computation.clone(),
        false => causes(trace, matching, replay, top),
    };
    let mut changes = whole(replay);
    changes.extend(named(computation).iter().map(|it| faster(replay, it)));
    changes.extend(named(waiting).iter().map(|it| without_waiting(replay, it)));
    changes.extend(named(causes).iter().map(|it| mended(replay, it)));
    let length = replay.measured().length().0;
    let mending = |it: Change| {
        let predicted = replay.run(&it.changes).length().0;
        Mending {
            change: it.words,
            options: it.options,
            predicted_ns: predicted,
            gain_ns: length.saturating_sub(predicted),
        }
    };
    let mut found: Vec<Mending> = changes.into_iter().map(mending).collect();
    found.sort_by_key(|it| Reverse(it.gain_ns));
    found
}

/// Returns changes of the whole run.
fn whole(replay: &Replay) -> Vec<Change> {
    let mut balanced = Changes::default();
    balanced.balance(replay, |it| replay.is_computation(it));
    let mut network = Changes::default();
    network.latency = Some(Duration::ZERO);
    network.bandwidth = Some(f64::INFINITY);
    vec![
        Change {
            words: "all computation is balanced".to_owned(),
            options: vec!["--balance".to_owned()],
            changes: balanced,
        },
        Change {
            words: "the network takes no time".to_owned(),
            options: vec!["--latency=0".to_owned(), "--bandwidth=inf".to_owned()],
            changes: network,
        },
    ]
}

fn faster(replay: &Replay, (name, activity): &(String, Activity)) -> Change {
    let mut changes = Changes::default();
    changes.scale(replay, 0.5, |_, it| it == activity);
    Change {
        words: format!("{name} takes half as long"),
        options: vec![format!("--scale={name}=0.5")],
        changes,
    }
}

fn without_waiting(replay: &Replay, (name, activity): &(String, Activity)) -> Change {
    let mut changes = Changes::default();
    changes.no_wait(replay, |it| it == activity);
    Change {
        words: format!("nobody waits in {name}"),
        options: vec![format!("--no-wait={name}")],
        changes,
    }
}

/// What caused waiting does so no more: computation is balanced, a call takes no time of its own.
fn mended(replay: &Replay, (name, activity): &(String, Activity)) -> Change {
    let mut changes = Changes::default();
    let (words, option) = match replay.is_computation(activity) {
        true => {
            changes.balance(replay, |it| it == activity);
            (format!("{name} is balanced"), format!("--balance={name}"))
        }
        false => {
            changes.scale(replay, 0.0, |_, it| it == activity);
            let words = format!("{name} takes no time but waiting");
            (words, format!("--scale={name}=0"))
        }
    };
    Change {
        words,
        options: vec![option],
        changes,
    }
}

/// Returns the activities of most of something.
fn most(replay: &Replay, top: usize, of: impl Fn(usize, &Activity) -> Duration) -> Vec<Activity> {
    let all = replay.activities.iter().enumerate();
    let mut all: Vec<(Duration, Activity)> = all.map(|(at, it)| (of(at, it), *it)).collect();
    all.retain(|(time, _)| *time > Duration::ZERO);
    all.sort_by(|a, b| b.cmp(a));
    all.into_iter().take(top).map(|(_, it)| it).collect()
}

/// Returns what caused most waiting, on any rank.
fn causes(trace: &Trace, matching: &Matching, replay: &Replay, top: usize) -> Vec<Activity> {
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
