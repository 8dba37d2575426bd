//! Races found while a program runs are those found in its trace: both look at
//! the same run. Replay then needs the receives that race, and no others.
//!
//! Compared are receives and blocking probes from anybody, by their number
//! among those of their rank. What nonblocking probes find is recorded by its
//! own counter, race or not.
#![forbid(unsafe_code)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use common::matrix::Random;
use common::{found, matrix, mpiscope, process, workspace, Case, Done, Trial};
use mpiscope_analysis::races::Races;
use mpiscope_archive::model::{Event, EventRef, Location, LocationIndex, Trace};
use mpiscope_archive::trace::read_trace;
use mpiscope_run::order::{self, online};

/// Rank, and number among its wildcard receives and blocking wildcard probes.
type Receives = BTreeSet<(u32, u64)>;

/// Programs in which offline detection knows more of who waits for whom, so
/// that online detection finds more races.
const MORE: &[(&str, &str)] = &[
    (
        "synchronous",
        "a synchronous send returns knowing of its receive",
    ),
    (
        "synchronous_chain",
        "a synchronous send returns knowing of its receive",
    ),
];

/// Programs with threads, in which races are not looked for, which is said.
const APART: &[&str] = &["threads", "threads_apart", "threads_send"];

/// Returns the programs of a folder that end well, with their ranks.
fn programs(folder: &str) -> BTreeMap<String, u32> {
    let folder = workspace().join(folder);
    let of = |path: &Path| {
        let text = std::fs::read_to_string(path).ok()?;
        let ranks = text.lines().find_map(|line| {
            let line = line.trim_start_matches([' ', '*', '!']);
            let ranks = line.strip_prefix("ranks:")?.trim_end_matches("*/");
            ranks.trim().parse().ok()
        })?;
        let name = path.file_stem()?.to_str()?.to_owned();
        let is_c = path.extension().is_some_and(|ending| ending == "c");
        (is_c && !text.contains("ends:")).then_some((name, ranks))
    };
    let entries = std::fs::read_dir(folder).unwrap();
    entries
        .filter_map(|entry| of(&entry.unwrap().path()))
        .collect()
}

/// Whether a program is among those of this test run: all, or one in `most`.
fn chosen(random: &mut Random, most: usize) -> bool {
    std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1") || random.below(most) == 0
}

/// Returns which posts of a rank have a choice, in order.
fn with_choice(trace: &Trace, location: &Location) -> Vec<usize> {
    let mut name = "";
    let events = &location.events;
    let has_choice = |(index, (_, event)): (usize, (_, Event))| {
        let wild = match event {
            Event::Enter(region) => {
                name = &trace.definitions.regions[region.index()].name;
                false
            }
            Event::MpiIrecvRequest(_) => events
                .posted(index)
                .is_some_and(|posted| posted.source.is_none() || posted.tag.is_none()),
            Event::MpiRecv(message) => {
                message.request.is_none() && (message.any_source || message.any_tag)
            }
            Event::MpiProbe(message) => {
                matches!(name, "MPI_Probe" | "MPI_Mprobe")
                    && (message.any_source || message.any_tag)
            }
            _ => false,
        };
        wild.then_some(index)
    };
    events.iter().enumerate().filter_map(has_choice).collect()
}

/// Returns what races by the trace.
fn offline(trace: &Trace) -> Receives {
    let races = Races::find(trace, &trace.matching()).list();
    let posts: BTreeSet<EventRef> = races.iter().map(|race| race.post).collect();
    let mut receives = Receives::new();
    for (at, location) in (0..).zip(&trace.locations) {
        for (number, index) in (0..).zip(with_choice(trace, location)) {
            if posts.contains(&EventRef::new(LocationIndex(at), index)) {
                receives.insert((location.rank.0, number));
            }
        }
    }
    receives
}

/// Returns what raced by the sparse record: all that is in it, but for the marks of its end.
fn recorded(run: &Path) -> Receives {
    let marks: Receives = online::read(run)
        .unwrap()
        .iter()
        .flat_map(|races| races.last.iter().map(|&(_, number)| (races.rank, number)))
        .collect();
    let mut receives = Receives::new();
    for rank in order::read(run).unwrap().ranks {
        let all = rank
            .threads
            .iter()
            .flat_map(|thread| (0..).zip(&thread.receives));
        let known = all.filter(|(_, taken)| taken.is_some());
        receives.extend(known.map(|(number, _)| (rank.rank, number)));
    }
    &receives - &marks
}

/// Whether stamps go through shared memory, or as between hosts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Near,
    Far,
}

/// Runs `mpiscope COMMAND -- PROGRAM` in the trial's folder.
#[track_caller]
fn mpiscope_with(trial: &Trial, way: Way, command: &str) -> Done {
    let mut line = trial.command(mpiscope());
    if way == Way::Far {
        line.env("MPISCOPE_RACES_FAR", "1");
    }
    let words = command.split_whitespace();
    let done = process::run(line.args(words).arg("--").args(trial.line(&[])));
    done.check_calm();
    done
}

/// Traces a program with races looked for, and compares; then replays it.
#[track_caller]
fn check(case: Case, way: Way, source: &str, arguments: &[&str]) {
    let Some(trial) = Trial::new(case, source) else {
        return;
    };
    let trial = trial.arguments(arguments);
    let run = trial.path("run");
    mpiscope_with(&trial, way, "trace --races online --no-sync -o run").check(0, &["races: "]);
    let trace = read_trace(&run.join("traces.otf2")).unwrap();
    let (offline, online) = (offline(&trace), recorded(&run));
    let name = Path::new(source).file_stem().unwrap().to_str().unwrap();
    let under = format!("{name} under {case:?}, {way:?}");
    match MORE.iter().any(|(more, _)| *more == name) {
        true => assert!(
            offline.is_subset(&online),
            "{under}: {offline:?} {online:?}"
        ),
        false => assert_eq!(offline, online, "{under}: offline, online"),
    }
    let racing: u64 = online::read(&run)
        .unwrap()
        .iter()
        .map(|rank| rank.racing)
        .sum();
    assert_eq!(racing, online.len() as u64, "{under}");
    mpiscope_with(&trial, way, "replay run").check(0, &["replayed as recorded"]);
}

#[test]
fn online_and_offline_find_the_same_races() {
    let mut random = Random::new(matrix::seed());
    let programs = programs("tests/mpi/races");
    assert!(programs.len() > 40, "{programs:?}");
    for (name, ranks) in programs {
        for mpi in found() {
            if !APART.contains(&&*name) && chosen(&mut random, 6 * found().len()) {
                let way = [Way::Near, Way::Near, Way::Far][random.below(3)];
                let source = format!("tests/mpi/races/{name}.c");
                check(Case { mpi, ranks }, way, &source, &[]);
            }
        }
    }
}

/// Every message races with those of all others (Clémençon et al. 1995, Figure 1).
#[test]
fn the_receive_benchmark_races_as_its_trace_says() {
    for mpi in found() {
        let case = Case { mpi, ranks: 3 };
        let source = "bench/programs/receive.c";
        check(case, Way::Near, source, &["recv", "5"]);
    }
}

/// What is not looked at is said, and is in the record all the same.
#[test]
fn what_is_not_looked_at_is_said_and_recorded() {
    let Some(mpi) = found().first() else { return };
    let ranks = programs("tests/mpi/races")["threads"];
    let Some(trial) = Trial::new(Case { mpi, ranks }, "tests/mpi/races/threads.c") else {
        return;
    };
    let record = "record --races online -o run";
    mpiscope_with(&trial, Way::Near, record).check(0, &["MPI_THREAD_MULTIPLE"]);
    mpiscope_with(&trial, Way::Near, "replay run").check(0, &["replayed as recorded"]);
}

/// What is said of programs that lose messages, or stamps, in odd ways;
/// nothing of those in which all can be known.
const ODD: &[(&str, &str)] = &[
    ("across", ""),
    ("callback_to_plain", ""),
    ("cancelled_sends", "a send that was cancelled"),
    ("copied_attribute", "within the program's callbacks"),
    ("disagreeing", ""),
    ("error_handler", "a send that failed"),
    ("failed_receives", "a receive that failed"),
    ("freed_early", "a receive that was freed"),
    ("generalized_request", "within the program's callbacks"),
    ("many_outstanding", ""),
];

/// Nobody waits for a stamp that does not come, nor takes one for another.
#[test]
fn no_program_waits_for_a_stamp() {
    let mut random = Random::new(matrix::seed());
    let programs = programs("tests/mpi/online");
    let odd: Vec<&str> = ODD.iter().map(|(name, _)| *name).collect();
    assert!(programs.keys().eq(odd.iter()), "{programs:?}");
    for (name, words) in ODD {
        for (mpi, way) in found()
            .iter()
            .flat_map(|mpi| [(mpi, Way::Near), (mpi, Way::Far)])
        {
            if !chosen(&mut random, 4) {
                continue;
            }
            let (ranks, source) = (programs[*name], format!("tests/mpi/online/{name}.c"));
            let Some(trial) = Trial::new(Case { mpi, ranks }, &source) else {
                continue;
            };
            let done = mpiscope_with(&trial, way, "record --races online -o run");
            done.check(0, &["races: ", words]);
            let is_exact = words.is_empty() && (*name, way) != ("many_outstanding", Way::Near);
            let said = done.errors.contains("not exactly");
            assert_eq!(said, !is_exact, "{name} under {mpi:?}, {way:?}: {done:?}");
        }
    }
}
