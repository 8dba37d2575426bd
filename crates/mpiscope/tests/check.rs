//! `mpiscope check`: nothing is found in archives of ours, and in others' what there is.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use common::trial::Json;
use common::{matrix, mpiscope, process, workspace, Done, Trial};

/// A folder to work in.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    /// With a simulated run, corrected.
    fn simulated() -> Place {
        let place = Place::new();
        let make = "simulate mix -n 5 --hosts 2 --iterations 40 -o mix.mpiscope";
        place.mpiscope(make).check(0, &[]);
        place.mpiscope("sync mix.mpiscope").check(0, &[]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    #[track_caller]
    fn mpiscope(&self, line: &str) -> Done {
        let mut command = Command::new(mpiscope());
        process::run(command.args(line.split(' ')).current_dir(&self.0))
    }
}

fn eztrace() -> PathBuf {
    workspace().join("crates/mpiscope/tests/archives/eztrace/eztrace_log.otf2")
}

#[test]
fn a_run_of_ours_keeps_all_rules() {
    let place = Place::simulated();
    let done = place.mpiscope("check mix.mpiscope");
    done.check(0, &[]);
    let clean = done.out.matches("nothing is against").count();
    assert_eq!(clean, 2, "as measured and as corrected: {}", done.out);
    let cannot = "PyPI's otf2 (3.2) cannot open it: it defines 1 intercommunicator,";
    assert_eq!(done.out.matches(cannot).count(), 2, "{}", done.out);
}

/// Messages of all kinds, requests, communicators, threads.
const PROGRAMS: [&str; 6] = [
    "blocking.c",
    "nonblocking.c",
    "icollectives.c",
    "intercomm.c",
    "communicators.c",
    "threads.c",
];

#[test]
fn so_do_traces_of_programs() {
    for program in PROGRAMS {
        for case in matrix::cases(&PROGRAMS, program, &[4]) {
            let Some(trial) = Trial::new(case, &format!("tests/mpi/{program}")) else {
                continue;
            };
            let done = trial.traced().mpiscope("check");
            done.check(0, &[]);
            assert!(done.out.contains("nothing is against"), "{}", done.out);
        }
    }
}

#[test]
fn what_other_tools_write_is_told_with_who_refuses_it() {
    let place = Place::new();
    let line = format!("check {}", eztrace().display());
    let done = place.mpiscope(&line);
    done.check(1, &[]);
    for word in ["numbers-with-gaps", "leave-without-enter", "Scalasca"] {
        assert!(done.out.contains(word), "{word}: {}", done.out);
    }
    let done = place.mpiscope(&format!("check --json {}", eztrace().display()));
    done.check(1, &[]);
    let json = Json(serde_json::from_str(&done.out).unwrap());
    assert_eq!(*json.get("clean"), false);
    let archive = &json.get("archives")[0];
    assert_eq!(archive["events"], 1016);
    let findings = archive["findings"].as_array().unwrap();
    let counts = findings.iter().find(|it| it["rule"] == "event-count");
    assert_eq!(counts.unwrap()["count"], 4);
}

#[test]
fn what_is_cut_is_damage() {
    let place = Place::simulated();
    let file = place.path("mix.mpiscope/traces/0.evt");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let done = place.mpiscope("check mix.mpiscope/traces.otf2");
    done.check(3, &[]);
    assert!(done.out.contains("file-cut (1)"), "{}", done.out);
    fs::write(place.path("mix.mpiscope/traces.otf2"), b"\x03\x42OTF2\0").unwrap();
    let done = place.mpiscope("check --json mix.mpiscope");
    done.check(3, &["traces.otf2"]);
    assert!(done.out.contains("\"damage\""), "{}", done.out);
}

#[test]
fn what_is_no_archive_is_refused() {
    let place = Place::new();
    fs::write(place.path("thesis.tex"), "a thesis").unwrap();
    place
        .mpiscope("check thesis.tex")
        .check(2, &["no OTF2 archive"]);
    place.mpiscope("check nothing").check(2, &["nothing"]);
    place.mpiscope("check").check(2, &["RUN|ARCHIVE"]);
}

#[test]
fn the_rules_are_told_without_an_archive() {
    let done = Place::new().mpiscope("check --rules");
    done.check(0, &[]);
    assert!(done.out.contains("leave-without-enter: only what was"));
}

#[test]
fn a_packed_run_is_checked_as_it_is() {
    let place = Place::simulated();
    place.mpiscope("pack mix.mpiscope").check(0, &[]);
    let done = place.mpiscope("check mix.mpiscope.tar.zst");
    done.check(0, &[]);
    assert!(done.out.contains("nothing is against"), "{}", done.out);
}
