//! What mending each of the worst would gain, each by itself.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use clap::Parser;
use mpiscope_analysis::profile::{Activity, Profile};
use mpiscope_analysis::whatif::{Changes, Replay};
use mpiscope_archive::model::{Duration, Matching, Trace};
use rayon::prelude::*;

use super::changes::Asked;
use super::facts::{Kind, Mending};
use super::names::{typed, Named};
use crate::cli::{Cli, Command, Whatif};
use crate::traced::FEW;

/// Calls with which MPI begins and ends.
const ENDS: [&str; 3] = ["MPI_Init", "MPI_Init_thread", "MPI_Finalize"];

/// Changes of each kind that are tried, at most: it does not depend on how many are shown.
const TRIED: usize = 10;

/// Replays at a time, at most: each has a table of all activities, and the times of all pieces.
const AT_A_TIME: usize = 4;

/// A change, in words and as one types it.
struct Change {
    kind: Kind,
    words: String,
    options: Vec<String>,
    changes: Changes,
}

/// All that an option of that name changes.
#[derive(Clone)]
struct Group {
    name: String,
    activities: BTreeSet<Activity>,
}

/// Replays it with each of some changes; returns them, those of most gain first.
pub fn all(trace: &Trace, matching: &Matching, replay: &Replay) -> Vec<Mending> {
    let sums = replay.sums();
    let computation = most(trace, replay, |number, it| {
        match replay.is_computation(it) {
            true => sums[number][0].0,
            false => 0,
        }
    });
    let waiting = most(trace, replay, |number, it| match it {
        Activity::Mpi(_) => sums[number][1].0,
        _ => 0,
    });
    let causes = match trace.event_count() > FEW {
        true => computation.clone(),
        false => {
            let costs = causes(trace, matching);
            most(trace, replay, |_, it| costs.get(it).copied().unwrap_or(0))
        }
    };
    let length = replay.measured().length().0;
    let mut changes = whole(replay)
        .into_iter()
        .chain(computation.iter().map(|it| faster(replay, it)))
        .chain(waiting.iter().map(|it| without_waiting(replay, it)))
        .chain(causes.iter().map(|it| mended(replay, it)));
    let mut found = Vec::new();
    loop {
        let some: Vec<Change> = changes.by_ref().take(AT_A_TIME).collect();
        if some.is_empty() {
            break;
        }
        found.par_extend(some.into_par_iter().map(|it| mending(replay, length, it)));
    }
    found.sort_by_key(|it| Reverse(it.gain_ns));
    found
}

/// Replays it with a change.
fn mending(replay: &Replay, length: i64, change: Change) -> Mending {
    let predicted = replay.run(&change.changes).length().0;
    Mending {
        kind: change.kind,
        change: change.words,
        options: change.options,
        predicted_ns: predicted,
        gain_ns: length.saturating_sub(predicted),
    }
}

/// Replays it with the change that options say; nothing if they name what is not there.
pub fn tried(trace: &Trace, replay: &Replay, options: &[String]) -> Option<Mending> {
    let command = ["mpiscope", "whatif", "run"].map(str::to_owned);
    let words = command.into_iter().chain(options.iter().cloned());
    let Command::Whatif(arguments) = Cli::try_parse_from(words).ok()?.command else {
        return None;
    };
    let asked = Asked::of(&arguments, trace, replay).ok()?;
    let change = Change {
        kind: kind(&arguments),
        words: asked.said.join(" and "),
        options: options.to_vec(),
        changes: asked.changes,
    };
    Some(mending(replay, replay.measured().length().0, change))
}

/// Returns of what kind a change is; of one that is of several, that which gains most by itself as a
/// rule.
fn kind(arguments: &Whatif) -> Kind {
    match () {
        () if !arguments.balance.is_empty() => Kind::Balance,
        () if !arguments.no_wait.is_empty() => Kind::NoWait,
        () if !arguments.scale.is_empty() => Kind::Scale,
        () => Kind::Network,
    }
}

/// Returns so many rows of those that gain most, the best of each kind among them: programs that
/// have one function many times would fill a table with one kind alone.
pub fn top(all: &[Mending], top: usize) -> Vec<&Mending> {
    let is_best = |at: usize| !all[..at].iter().any(|it| it.kind == all[at].kind);
    let (best, others): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|at| is_best(*at));
    let mut shown: Vec<usize> = best.into_iter().chain(others).take(top).collect();
    shown.sort_unstable();
    shown.into_iter().map(|at| &all[at]).collect()
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
            kind: Kind::Balance,
            words: "all computation is balanced".to_owned(),
            options: vec!["--balance".to_owned()],
            changes: balanced,
        },
        Change {
            kind: Kind::Network,
            words: "the network takes no time".to_owned(),
            options: vec!["--latency=0".to_owned(), "--bandwidth=inf".to_owned()],
            changes: network,
        },
    ]
}

fn faster(replay: &Replay, Group { name, activities }: &Group) -> Change {
    let mut changes = Changes::default();
    changes.scale_everywhere(replay, 0.5, |it| activities.contains(it));
    Change {
        kind: Kind::Scale,
        words: format!("{name} takes half as long"),
        options: vec![format!("--scale={name}=0.5")],
        changes,
    }
}

fn without_waiting(replay: &Replay, Group { name, activities }: &Group) -> Change {
    let mut changes = Changes::default();
    changes.no_wait(replay, |it| is_call(it) && activities.contains(it));
    Change {
        kind: Kind::NoWait,
        words: format!("nobody waits in {name}"),
        options: vec![format!("--no-wait={name}")],
        changes,
    }
}

/// What caused waiting does so no more: computation is balanced, a call takes no time of its own.
fn mended(replay: &Replay, Group { name, activities }: &Group) -> Change {
    let mut changes = Changes::default();
    let (kind, words, option) = match activities.iter().any(|it| replay.is_computation(it)) {
        true => {
            changes.balance(replay, |it| {
                replay.is_computation(it) && activities.contains(it)
            });
            let option = format!("--balance={name}");
            (Kind::Balance, format!("{name} is balanced"), option)
        }
        false => {
            changes.scale_everywhere(replay, 0.0, |it| activities.contains(it));
            let words = format!("{name} takes no time of its own");
            (Kind::Scale, words, format!("--scale={name}=0"))
        }
    };
    Change {
        kind,
        words,
        options: vec![option],
        changes,
    }
}

/// Returns the names of most of something, each with all that it means, of whatever folder, region or
/// place within regions that is.
fn most(trace: &Trace, replay: &Replay, of: impl Fn(usize, &Activity) -> i64) -> Vec<Group> {
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    for (number, activity) in replay.activities.iter().enumerate() {
        let time = of(number, activity);
        let name = (time > 0).then(|| typed(trace, activity)).flatten();
        if let Some(name) = name {
            let sum = sums.entry(name).or_default();
            *sum = sum.saturating_add(time);
        }
    }
    let mut all: Vec<(i64, String)> = sums.into_iter().map(|(name, sum)| (sum, name)).collect();
    all.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let group = |(_, name): (i64, String)| {
        let activities = Named::parse(&name).all(trace, replay);
        // A name that reads as something else names nothing.
        let is_named = |it: &Activity| typed(trace, it).as_ref() == Some(&name);
        activities
            .iter()
            .any(is_named)
            .then_some(Group { name, activities })
    };
    all.into_iter().filter_map(group).take(TRIED).collect()
}

/// Returns what caused how much waiting, on any rank.
fn causes(trace: &Trace, matching: &Matching) -> BTreeMap<Activity, i64> {
    let profile = Profile::of(trace, matching);
    let mut costs: BTreeMap<Activity, i64> = BTreeMap::new();
    for delay in profile.causes.iter().flat_map(|it| &it.delays) {
        let activity = profile.activities[delay.activity as usize].0;
        // Nobody mends how long MPI takes to begin and to end.
        if !is_end(trace, &activity) {
            let cost = costs.entry(activity).or_default();
            *cost = cost.saturating_add(delay.costs().0);
        }
    }
    costs
}

fn is_call(activity: &Activity) -> bool {
    matches!(activity, Activity::Mpi(_))
}

fn is_end(trace: &Trace, activity: &Activity) -> bool {
    let Activity::Mpi(statement) = activity else {
        return false;
    };
    let region = statement.place.region;
    let region = region.and_then(|it| trace.definitions.regions.get(it.index()));
    region.is_some_and(|it| ENDS.contains(&it.name.as_str()))
}

#[cfg(test)]
mod tests {
    use expect_test::{expect, Expect};

    use super::*;

    /// Expects rows, and that each is what its options do; `__` in names stands for two dots.
    #[track_caller]
    fn check(picture: &str, expected: &Expect) {
        let mut trace = Trace::parse(picture).unwrap();
        let regions = trace.definitions.regions.iter_mut();
        regions.for_each(|it| it.name = it.name.replace("__", ".."));
        let matching = trace.matching();
        let replay = Replay::of(&trace, &matching);
        let mut rows = Vec::new();
        for mending in all(&trace, &matching, &replay) {
            let words = ["mpiscope", "whatif", "run"].map(str::to_owned);
            let words = words.into_iter().chain(mending.options.clone());
            let Command::Whatif(arguments) = Cli::try_parse_from(words).unwrap().command else {
                panic!("another command");
            };
            let asked = Asked::of(&arguments, &trace, &replay).unwrap();
            let predicted = replay.run(&asked.changes).length().0;
            assert_eq!(predicted, mending.predicted_ns, "{:?}", mending.options);
            rows.push(mending.options.join(" "));
        }
        rows.sort();
        expected.assert_eq(&rows.join("\n"));
    }

    #[test]
    fn the_best_of_each_kind_is_among_the_first() {
        let mending = |(kind, gain_ns): (Kind, i64)| Mending {
            kind,
            change: String::new(),
            options: Vec::new(),
            predicted_ns: 100 - gain_ns,
            gain_ns,
        };
        let scaled = (11..30).rev().map(|gain| (Kind::Scale, gain));
        let others = [(Kind::NoWait, 8), (Kind::Balance, 6), (Kind::Balance, 5)];
        let all: Vec<Mending> = scaled.chain(others).map(mending).collect();
        let gains = |some: usize| -> Vec<i64> {
            let shown = top(&all, some);
            shown.into_iter().map(|it| it.gain_ns).collect()
        };
        assert_eq!(gains(10), [29, 28, 27, 26, 25, 24, 23, 22, 8, 6]);
        assert_eq!(gains(2), [29, 8]);
        assert_eq!(gains(100).len(), 22);
    }

    #[test]
    fn a_row_is_all_that_its_option_means() {
        // The same call within two regions, and in files of the same name.
        check(
            "0: 0 enter(f) 5 enter(MPI_Recv) !at(/a/x.c:8) 30 recv<1 31 leave(MPI_Recv) 40 leave(f) \
                50 enter(MPI_Recv) !at(/a/x.c:8) 70 recv<1 71 leave(MPI_Recv) \
                80 enter(MPI_Recv) !at(/b/x.c:8) 90 recv<1 91 leave(MPI_Recv) 95
             1: 0 28 enter(MPI_Send) 28 send>0 29 leave(MPI_Send) 66 enter(MPI_Send) 66 send>0 \
                67 leave(MPI_Send) 88 enter(MPI_Send) 88 send>0 89 leave(MPI_Send) 95",
            &expect![[r#"
                --balance
                --balance=..MPI_Send
                --balance=MPI_Send..MPI_Send
                --latency=0 --bandwidth=inf
                --no-wait=MPI_Recv@x.c:8
                --scale=..MPI_Send=0.5
                --scale=MPI_Recv@x.c:8..=0.5
                --scale=MPI_Recv@x.c:8..MPI_Recv@x.c:8=0.5
                --scale=MPI_Send..=0.5
                --scale=MPI_Send..MPI_Send=0.5
                --scale=f=0.5"#]],
        );
        // Calls without places, beside one that has one.
        check(
            "0: 0 5 enter(MPI_Recv) 30 recv<1 31 leave(MPI_Recv) \
                50 enter(MPI_Recv) !at(x.c:8) 70 recv<1 71 leave(MPI_Recv) 95
             1: 0 28 enter(MPI_Send) 28 send>0 29 leave(MPI_Send) 66 enter(MPI_Send) 66 send>0 \
                67 leave(MPI_Send) 95",
            &expect![[r#"
                --balance
                --balance=..MPI_Send
                --balance=MPI_Send..MPI_Send
                --latency=0 --bandwidth=inf
                --no-wait=MPI_Recv
                --no-wait=MPI_Recv@x.c:8
                --scale=..MPI_Recv=0.5
                --scale=..MPI_Send=0.5
                --scale=MPI_Recv..MPI_Recv@x.c:8=0.5
                --scale=MPI_Recv@x.c:8..=0.5
                --scale=MPI_Send..=0.5
                --scale=MPI_Send..MPI_Send=0.5"#]],
        );
        // Names that read as something else.
        check(
            "0: 0 enter(computation) 20 leave(computation) 20 enter(a__b) 40 leave(a__b) 50",
            &expect![[r#"
                --balance
                --latency=0 --bandwidth=inf
                --scale=..=0.5
                --scale=computation=0.5"#]],
        );
    }
}
