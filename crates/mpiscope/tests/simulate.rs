//! Runs that never were: made by a command, read by all others.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::process::{self, Done};
use common::{digest, mpiscope};
use rustix::process::{kill_process, Pid, Signal};
use serde_json::Value;

/// A folder to make runs in.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `mpiscope` with a line's words.
    #[track_caller]
    fn mpiscope(&self, line: &str) -> Done {
        let mut command = Command::new(mpiscope());
        command.args(line.split(' ')).current_dir(self.0.path());
        process::run(&mut command)
    }

    #[track_caller]
    fn json(&self, line: &str) -> Value {
        let done = self.mpiscope(line);
        done.check(0, &[]);
        serde_json::from_str(&done.out).unwrap()
    }
}

/// The event files of the archive in a folder.
fn events(folder: &Path) -> Vec<u64> {
    let files = digest(&folder.join("traces")).into_iter();
    let files = files.filter(|(path, _)| path.extension().is_some_and(|end| end == "evt"));
    files.map(|(_, content)| content).collect()
}

#[test]
fn a_simulated_run_is_corrected_and_compared_with_the_truth() {
    let place = Folder::new();
    for program in ["halo", "pairs", "workers", "collectives", "mix"] {
        let made = place.json(&format!(
            "simulate {program} -n 8 --hosts 3 --iterations 60 --start 600 --pause 20..30 --json"
        ));
        let run = format!("{program}.mpiscope");
        let info = place.json(&format!("info --json {run}"));
        assert_eq!(info["ranks"], 8);
        assert_eq!(info["events"], made["events"]);
        assert_eq!(info["clocks"].as_array().map(Vec::len), Some(3));
        let unmatched = &info["messages"];
        assert_eq!(unmatched["unmatched_sends"], 0);
        assert_eq!(unmatched["unmatched_receives"], 0);
        let mended = place.json(&format!("sync --truth --force --json {run}"));
        assert_eq!(mended["violations"]["corrected"]["reversed"], 0);
        assert_eq!(mended["violations"]["corrected"]["clock_condition"], 0);
        let error = |what: &str| {
            mended["truth"][what]["global_time"]["mean_ns"]
                .as_f64()
                .unwrap()
        };
        assert!(error("measured") > 1e6, "{}", error("measured"));
        assert!(error("corrected") < 1e6, "{}", error("corrected"));
        assert_eq!(
            mended["truth"]["corrected"]["global_time"]["count"],
            made["events"]
        );
    }
}

#[test]
fn perfect_clocks_tell_the_truth() {
    let place = Folder::new();
    let line = "simulate halo -n 4 --hosts 2 --iterations 5 --offset 0 --drift 0ppm \
                --wander 0ppm --wave 0ppm --read-jitter 0";
    place.mpiscope(line).check(0, &[]);
    let found = place.json("sync --truth --presync none --json halo.mpiscope");
    assert_eq!(found["truth"]["measured"]["global_time"]["worst_ns"], 0);
    let run = place.path("halo.mpiscope");
    assert_eq!(events(&run), events(&run.join("truth")));
}

#[test]
fn no_simulated_program_errs() {
    let folder = Folder::new();
    for seed in 1..=4 {
        let run = format!("mix-{seed}.mpiscope");
        let done = folder.mpiscope(&format!(
            "simulate mix -n 4 --iterations 100 --seed {seed} -o {run}"
        ));
        done.check(0, &[]);
        let races = folder.json(&format!("races --json {run}"));
        assert_eq!(races["errors"], Value::Array(Vec::new()), "seed {seed}");
    }
}

#[test]
fn one_seed_is_one_run_and_runs_are_numbered() {
    let place = Folder::new();
    let small = "simulate mix -n 5 --hosts 2 --iterations 12";
    for seed in [7, 7, 8] {
        place
            .mpiscope(&format!("{small} --seed {seed}"))
            .check(0, &[]);
    }
    let [first, again, other] =
        ["mix.mpiscope", "mix.2.mpiscope", "mix.3.mpiscope"].map(|name| place.path(name));
    for part in ["", "truth"] {
        assert_eq!(events(&first.join(part)), events(&again.join(part)));
        assert_ne!(events(&first.join(part)), events(&other.join(part)));
    }
    let parameters = fs::read_to_string(first.join("run.json")).unwrap();
    let parameters: Value = serde_json::from_str(&parameters).unwrap();
    assert_eq!(parameters["simulated"]["seed"], 7);
    place
        .mpiscope(&format!("{small} -o mix.mpiscope"))
        .check(2, &["--force"]);
    assert_eq!(events(&first), events(&again), "left as it was");
    place
        .mpiscope(&format!("{small} --seed 8 -o mix.mpiscope --force"))
        .check(0, &[]);
    assert_eq!(events(&first), events(&other));
}

#[test]
fn what_cannot_be_simulated_is_refused_and_leaves_nothing() {
    let place = Folder::new();
    for (line, word) in [
        ("simulate snow", "--list"),
        ("simulate", "PROGRAM"),
        ("simulate halo -n 0", "ranks is 0, expected 1 to"),
        (
            "simulate halo -n 4 --hosts 5",
            "hosts is 5, expected 1 to 4",
        ),
        ("simulate halo --wander 5", "a rate such as"),
        (
            "simulate halo --step 99@1s:1ms",
            "host of a clock step is 99",
        ),
        ("simulate halo --imbalance nan", "imbalance is NaN"),
    ] {
        place.mpiscope(line).check(2, &[word]);
    }
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 0);
}

#[test]
fn a_damaged_truth_is_told() {
    let place = Folder::new();
    place
        .mpiscope("simulate halo -n 2 --hosts 2 --iterations 3")
        .check(0, &[]);
    let truth = place.path("halo.mpiscope").join("truth");
    fs::write(truth.join("traces/1.evt"), "").unwrap();
    let word = "does not hold the events of the measured archive";
    place
        .mpiscope("sync --truth halo.mpiscope")
        .check(3, &[word]);
    fs::remove_dir_all(&truth).unwrap();
    place
        .mpiscope("sync --truth halo.mpiscope")
        .check(2, &["no known truth"]);
}

#[test]
fn who_interrupts_leaves_nothing_half_written() {
    let place = Folder::new();
    let make = "simulate halo -n 16 --iterations 2000 -o";
    place.mpiscope(&format!("{make} a.mpiscope")).check(0, &[]);
    let begun = |folder: &Path, known: &[PathBuf]| entries(folder) != known;
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        for (line, folder) in [
            (format!("{make} b.mpiscope"), place.path("")),
            ("sync a.mpiscope".to_owned(), place.path("a.mpiscope")),
            ("sync a.mpiscope -o out".to_owned(), place.path("")),
        ] {
            let known = entries(&folder);
            // A suite that runs in the background may ignore signals, and what it starts does, too.
            let mut command = Command::new("env");
            command
                .arg("--default-signal=INT,TERM,HUP")
                .arg(mpiscope())
                .args(line.split(' '))
                .current_dir(place.0.path());
            let mut child = command.spawn().unwrap();
            // Until it has begun to write.
            while !begun(&folder, &known) && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            kill_process(Pid::from_child(&child), signal).unwrap();
            let status = child.wait().unwrap();
            assert!(!status.success(), "{line} {signal:?}: {status}");
            assert_eq!(entries(&folder), known, "{line} {signal:?}");
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
