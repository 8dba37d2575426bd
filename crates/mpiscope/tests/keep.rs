//! The flight recorder: the latest events are kept, of ranks and threads whose windows differ, and
//! their messages are matched as if all were there.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::messages::{self, Messages, Sent};
use common::trial::Run;
use common::{found, is_command, missing, mpiscope, process, workspace, Case, Mpi, Trial};
use serde_json::Value;

/// What each rank keeps, of eight times as much or more.
const KEPT: &[&str] = &["--keep", "256k", "--buffer", "1M"];

/// Two ranks of which one leaves thrice as many records with each message.
fn mixed(mpi: &'static Mpi, turns: u32, calls: [u32; 2], end: &str) -> Option<Trial> {
    let trial = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/keep/mixed.c")?;
    let [one, other] = calls;
    let words = [turns.to_string(), one.to_string(), other.to_string()];
    let mut words = words.to_vec();
    words.extend((!end.is_empty()).then(|| end.to_owned()));
    Some(trial.arguments(&words))
}

/// The messages that a rank sends, or receives, in the order of its events.
fn sequence(events: &Messages, rank: u64, sends: bool) -> Vec<Sent> {
    let own = events.values().filter(|it| (it.0, it.1) == (rank, sends));
    own.map(|it| it.2).collect()
}

/// Expects that what was kept are the latest of all messages, and not all of them.
#[track_caller]
fn check_latest(kept: &Messages, all: &Messages) {
    for rank in [0, 1] {
        for sends in [false, true] {
            let (kept, all) = (sequence(kept, rank, sends), sequence(all, rank, sends));
            assert!(all.ends_with(&kept), "rank {rank} sends {sends}: {kept:?}");
            assert!(!kept.is_empty() && kept.len() < all.len());
        }
    }
    assert_ne!(
        sequence(kept, 0, true).len(),
        sequence(kept, 1, true).len(),
        "their windows are alike"
    );
}

/// Expects that it is said what was given up, in text and JSON; returns how many records.
#[track_caller]
fn said(run: &Run, ranks: u64) -> u64 {
    let what = format!("not complete: as --keep asks for, {ranks} ranks gave up");
    assert!(run.done.errors.contains(&what), "{}", run.done.errors);
    for command in ["info", "analyze"] {
        let done = run.mpiscope(command);
        assert!(done.out.contains(&what), "{command}: {}", done.out);
    }
    let races = run.mpiscope("races");
    let unsure = "recording was switched off for a part of the run";
    assert!(races.out.contains(unsure), "{}", races.out);
    let facts = run.facts();
    let told = &facts.get("switched")[0];
    assert_eq!(
        (&told["why"], &told["ranks"]),
        (&"kept".into(), &ranks.into())
    );
    assert_eq!(told["from"], 0.0);
    told["given_up"].as_u64().unwrap()
}

#[track_caller]
fn is_right(run: &Run) {
    let out = &run.done.out;
    assert!(out.contains(" right"), "{out} {}", run.done.errors);
}

#[test]
fn the_latest_are_kept_and_meet() {
    for &mpi in found() {
        let Some(trial) = mixed(mpi, 20, [300, 100], "") else {
            continue;
        };
        let all = messages::of(&trial.traced());
        let Some(trial) = mixed(mpi, 20, [300, 100], "") else {
            continue;
        };
        let run = trial.traced_with(KEPT);
        is_right(&run);
        run.check_archives();
        run.check_shared_memory();
        let kept = messages::matched(&run);
        check_latest(&kept, &all);
        run.mpiscope("check").check(0, &[]);
        let given_up = said(&run, 2);
        let events = run.json("info --json").figure("events");
        assert!(
            given_up > events,
            "{given_up} were given up, {events} are kept"
        );
        assert!(!run.path.join("spill").exists() && !run.path.join("order").exists());
    }
}

/// Of functions that are left out nothing is there, and the others meet.
#[test]
fn filters_and_what_is_kept_go_together() {
    for &mpi in found() {
        let Some(trial) = mixed(mpi, 20, [300, 100], "") else {
            continue;
        };
        let rules = "SCOREP_REGION_NAMES_BEGIN EXCLUDE MPI_Isend MPI_Wait MPI_Mrecv SCOREP_REGION_NAMES_END";
        fs::write(trial.path("its.filter"), rules).unwrap();
        let run = trial.traced_with(&[KEPT, &["--filter", "its.filter"]].concat());
        is_right(&run);
        let kept = messages::matched(&run);
        assert!(!kept.is_empty());
        run.mpiscope("check").check(0, &[]);
        said(&run, 2);
    }
}

/// Bytes of the disk that files of a folder take, and bytes that were written to them.
fn disk(folder: &Path) -> [u64; 2] {
    let mut sums = [0, 0];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let known = entry.metadata().unwrap();
        sums[0] += known.blocks() * 512;
        sums[1] += known.len();
    }
    sums
}

/// A process that is killed leaves the latest; what it has written to disk is much more than what
/// is there of it.
#[test]
fn who_is_killed_leaves_the_latest_and_no_more() {
    for &mpi in found() {
        let Some(trial) = mixed(mpi, 10, [6000, 3000], "kill") else {
            continue;
        };
        let run = trial.traced_with(KEPT);
        assert!(run.done.out.contains("mixed: right"), "{}", run.done.out);
        assert_ne!(run.done.code, 0);
        let given_up = said(&run, 2);
        assert!(given_up > 200_000, "{given_up}");
        let [there, written] = disk(&run.path.join("spill"));
        assert!(written > 8 << 20, "{written} bytes were written");
        assert!(there < 4 << 20, "{there} bytes are there");
        let kept = messages::matched(&run);
        let last = sequence(&kept, 0, true).pop();
        assert_eq!(last.map(|(_, tag, bytes)| (tag, bytes)), Some((9, 998)));
        run.mpiscope("recover").check(0, &[]);
        assert_eq!(messages::matched(&run), kept);
    }
}

/// One thread waits all the time, and keeps no other from giving up.
#[test]
fn threads_keep_what_is_of_the_same_time() {
    for &mpi in found() {
        let case = Case { mpi, ranks: 2 };
        let program = "tests/mpi/keep/threads.c";
        let of = |steps: u32| Some(Trial::new(case, program)?.arguments(&[steps, 300]));
        let Some(trial) = of(30) else { continue };
        let all = messages::of(&trial.traced());
        let Some(trial) = of(30) else { continue };
        let run = trial.traced_with(&["--keep", "256k", "--buffer", "1M"]);
        is_right(&run);
        let kept = messages::matched(&run);
        assert!(kept.len() < all.len(), "{} of {}", kept.len(), all.len());
        assert!(kept.len() > 20, "{}", kept.len());
        run.mpiscope("check").check(0, &[]);
        said(&run, 2);
    }
}

/// The program of teams of threads, which wants OpenMP.
fn teams(mpi: &'static Mpi) -> Option<(Trial, tempfile::TempDir)> {
    let command = mpi.command("mpicc");
    if !is_command(&command) {
        missing(&format!("teams.c: no {command}"));
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("teams");
    let source = workspace().join("tests/mpi/keep/teams.c");
    let mut compile = Command::new(&command);
    compile
        .args(["-g", "-fopenmp", "-o"])
        .arg(&program)
        .arg(source);
    process::run(&mut compile).check(0, &[]);
    let trial = Trial::of(Case { mpi, ranks: 2 }, program).arguments(&["100"]);
    Some((trial, folder))
}

/// Of a team either all threads are there or none.
#[test]
fn teams_are_kept_whole() {
    for &mpi in found() {
        let Some((trial, _folder)) = teams(mpi) else {
            continue;
        };
        let run = trial.traced_with(&["--keep", "64k"]);
        is_right(&run);
        messages::matched(&run);
        run.mpiscope("check").check(0, &[]);
        said(&run, 2);
        let mut entered: BTreeMap<u64, u64> = BTreeMap::new();
        for line in run.mpiscope("print --json").out.lines().skip(1) {
            let event: Value = serde_json::from_str(line).unwrap();
            if event["event"] == "enter" && event["region"] == "omp parallel" {
                *entered
                    .entry(event["location"].as_u64().unwrap())
                    .or_default() += 1;
            }
        }
        let times: Vec<u64> = entered.values().copied().collect();
        let [one, its_other, two, other_of_two] = times[..] else {
            panic!("{entered:?}");
        };
        assert_eq!((one, two), (its_other, other_of_two), "{entered:?}");
        assert!((1..100).contains(&one), "{entered:?}");
    }
}

/// Steps until a file is there, each with a message that has its number for a tag.
fn steps(mpi: &'static Mpi, until: Option<&str>) -> Option<Trial> {
    let trial = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/control/steps.c")?;
    let end = trial.path("end").to_string_lossy().into_owned();
    Some(trial.arguments(&[until.unwrap_or(&end)]))
}

#[test]
fn the_last_seconds_are_kept() {
    for &mpi in found() {
        let Some(trial) = steps(mpi, Some("2.5")) else {
            continue;
        };
        let run = trial.traced_with(&["--keep", "1s"]);
        is_right(&run);
        run.check_archives();
        let kept = messages::matched(&run);
        assert!(!kept.is_empty());
        assert!(kept.values().all(|(_, _, (_, tag, _))| *tag > 0));
        run.mpiscope("check").check(0, &[]);
        said(&run, 2);
        let facts = run.facts();
        let until = facts.get("switched")[0]["until"].as_f64().unwrap();
        // Of 2.5 s and more the last one is there, however slow the machine is.
        let length = run.json("analyze --json").0["length_ns"].as_f64().unwrap() / 1e9;
        assert!(until > 1.0 && until < length - 0.5, "{until} of {length}");
    }
}

/// While it runs it is looked at as any.
#[test]
fn a_run_that_lives_is_seen() {
    let mpi = found()[0];
    let Some(trial) = steps(mpi, None) else {
        return;
    };
    let running = process::start(&mut trial.trace(&["--keep", "500ms", "--buffer", "1M"]));
    let begin = Instant::now();
    loop {
        let mut command = trial.command(mpiscope());
        let seen = command.args(["state", "--json", "run"]).output().unwrap();
        let seen: Value = serde_json::from_slice(&seen.stdout).unwrap_or_default();
        // Nobody knows what ended in what was given up.
        if seen.to_string().contains("recording was switched off") {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(100), "{seen:#}");
        std::thread::sleep(Duration::from_millis(100));
    }
    fs::write(trial.path("end"), "").unwrap();
    let run = trial.ended(running.wait());
    is_right(&run);
    messages::matched(&run);
}

#[test]
fn what_cannot_be_kept_is_said() {
    let mpi = found()[0];
    let Some(trial) = steps(mpi, Some("0.1")) else {
        return;
    };
    for wrong in ["0", "5x", "0s", "1k", ""] {
        let done = trial.run_trace(&["--keep", wrong]);
        done.check(
            2,
            &["a size is expected, such as 64M (64k at least), or a time, such as 30s"],
        );
    }
    for other in [["--limit", "1M"], ["--races", "online"]] {
        let words = [&["--keep", "64M"], &other[..]].concat();
        let done = trial.run_trace(&words);
        done.check(2, &["cannot be used with"]);
    }
    assert!(!trial.path("run").exists());
}
