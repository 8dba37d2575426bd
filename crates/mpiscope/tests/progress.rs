//! What is shown of long work: on a terminal, elsewhere, and not at all.
#![forbid(unsafe_code)]

mod common;

use std::process::Command;

use common::{is_command, missing, mpiscope, process, Done};

/// Commands, and what they say they are doing.
const PHASES: [(&str, &[&str]); 8] = [
    (
        "sync halo.mpiscope --force",
        &[
            "reading halo.mpiscope/traces.otf2: 100 %",
            "matching messages: ",
            "correcting times: stage 6 of 6",
            "checking corrected times: ",
            "corrected: 100 %",
        ],
    ),
    (
        "info halo.mpiscope --clocks",
        &[
            "reading halo.mpiscope/traces.otf2: 100 %",
            "comparing clocks: ",
        ],
    ),
    ("analyze --no-cache halo.mpiscope", &["analyzing: "]),
    ("races --no-cache halo.mpiscope", &["looking for races: "]),
    ("print halo.mpiscope", &["printing events: 100 %"]),
    (
        "export --to csv --force halo.mpiscope",
        &["writing halo-csv: 100 %"],
    ),
    (
        "pack --force halo.mpiscope",
        &["packing halo.mpiscope: 100 %"],
    ),
    (
        "analyze halo.mpiscope.tar.zst",
        &[
            "unpacking halo.mpiscope.tar.zst: 100 %",
            "reading halo.mpiscope.tar.zst/corrected/traces.otf2: 100 %",
        ],
    ),
];

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        let make = "simulate halo -n 4 --hosts 2 --iterations 20 -o halo.mpiscope";
        place.mpiscope(make, "off").check(0, &[]);
        place.mpiscope("sync halo.mpiscope", "off").check(0, &[]);
        place
    }

    /// Runs a command with this setting.
    #[track_caller]
    fn mpiscope(&self, line: &str, setting: &str) -> Done {
        let mut command = Command::new(mpiscope());
        command.args(line.split(' '));
        self.run(command, setting)
    }

    #[track_caller]
    fn run(&self, mut command: Command, setting: &str) -> Done {
        command
            .current_dir(&self.0)
            .env("MPISCOPE_PROGRESS", setting);
        process::run(&mut command)
    }
}

#[test]
fn without_a_terminal_there_are_lines() {
    let place = Place::new();
    for (line, phases) in PHASES {
        let silent = place.mpiscope(line, "off");
        silent.check(0, &[]);
        let done = place.mpiscope(line, "0");
        done.check(0, phases);
        assert!(!done.errors.contains('\r'), "{line}: {}", done.errors);
        let lines = done.errors.lines();
        assert!(lines.clone().all(|line| line.starts_with("mpiscope: ")));
        if !line.starts_with("sync") && !line.starts_with("pack") {
            assert_eq!(done.out, silent.out, "{line}");
        }
    }
}

#[test]
fn of_short_work_nothing_is_shown() {
    let place = Place::new();
    for (line, _) in PHASES {
        for setting in ["off", "3600"] {
            let done = place.mpiscope(line, setting);
            assert_eq!(done.errors, "", "{line}");
        }
    }
}

#[test]
fn a_terminal_shows_a_bar() {
    if !is_command("script") {
        missing("script, which lends a terminal");
        return;
    }
    let place = Place::new();
    for (line, phases) in PHASES {
        let on_terminal = |setting: &str| {
            let mut command = Command::new("script");
            // As wide as no sentence is.
            let inner = format!("stty cols 200 rows 50; {} {line}", mpiscope().display());
            command.args(["-qec", &inner, "/dev/null"]);
            command.env("TERM", "xterm");
            place.run(command, setting).out
        };
        let shown = on_terminal("0");
        let silent = on_terminal("off");
        assert!(!silent.contains("reading"), "{silent}");
        if line.starts_with("print") {
            // Its lines show how far it is.
            assert!(!shown.contains("printing"), "{line}");
            continue;
        }
        for phase in phases {
            // What it shows between begin and end is a matter of time.
            let begin = phase.split(": ").next().unwrap();
            assert!(shown.contains(begin), "no {begin} in {shown}");
        }
        // A bar takes its place, and goes away.
        assert!(
            shown.contains('\r') && !silent.contains("\u{1b}"),
            "{shown}"
        );
    }
}
