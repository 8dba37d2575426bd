//! Limits that a shell or a batch system sets, and disks that are full or not to be
//! written to, ended mpiscope by a signal or changed how the program ended.

use std::path::Path;

use crate::common::{matrix, mpiscope, process, say, Done, Trial};

/// Runs a line in a shell that has set something before.
fn after(trial: &Trial, setting: &str, line: &[String]) -> Done {
    let mut command = trial.command("sh");
    let script = format!("{setting} && exec \"$@\"");
    process::run(command.args(["-c", &script, "sh"]).args(line))
}

fn observed(trial: &Trial, words: &[&str]) -> Vec<String> {
    let mut line = vec![mpiscope().display().to_string()];
    line.extend(words.iter().map(|word| (*word).to_owned()));
    line.push("--".to_owned());
    line.extend(trial.line(&[]));
    line
}

#[test]
fn programs_run_under_limits_as_they_do_bare() {
    // Open files, address space in KiB, locked memory, stack in KiB.
    for limit in ["-n 64", "-v 2000000", "-l 0", "-s 400"] {
        for case in matrix::cases(&["-n", "-v", "-l", "-s"], &limit[..2], &[2]) {
            let Some(trial) = Trial::new(case, "tests/mpi/exits.c") else {
                continue;
            };
            let setting = format!("ulimit {limit}");
            let bare = after(&trial, &setting, &trial.line(&[]));
            let done = after(&trial, &setting, &observed(&trial, &["trace", "-o", "run"]));
            assert_eq!((done.code, &done.out), (bare.code, &bare.out), "{done:#?}");
            done.check_calm();
            for command in ["info", "analyze", "races", "stats"] {
                let line = [
                    mpiscope().display().to_string(),
                    command.into(),
                    "run".into(),
                ];
                let read = after(&trial, &setting, &line);
                assert!(read.code < 128, "{limit} {command}: {read:#?}");
                read.check_calm();
            }
        }
    }
}

/// Has a command find another file system at `at`; none where this system lets nobody mount.
fn mounted(trial: &Trial, options: &str, at: &Path, line: &[String]) -> Option<Done> {
    let script = format!(
        "mount -t tmpfs -o {options} tmpfs {0} && cd {0} && exec \"$@\"",
        at.display()
    );
    let mut command = trial.command("unshare");
    let done = process::run(command.args(["-m", "sh", "-c", &script, "sh"]).args(line));
    let allowed = !done.errors.contains("unshare failed") && !done.errors.contains("mount:");
    if !allowed {
        say("not tested: this system allows no mount of its own (unshare -m)");
    }
    allowed.then_some(done)
}

#[test]
fn a_disk_that_is_full_or_not_to_be_written_to_is_named() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/exits.c") else {
            continue;
        };
        let bare = trial.untraced();
        let folder = trial.path("disk");
        std::fs::create_dir_all(&folder).unwrap();
        for mode in ["trace", "record", "monitor"] {
            let line = observed(&trial, &[mode, "-o", "run"]);
            let Some(refused) = mounted(&trial, "ro", &folder, &line) else {
                return;
            };
            refused.check(2, &["cannot create", "Read-only file system"]);
            // The agent's copy has no room.
            let Some(full) = mounted(&trial, "size=200k", &folder, &line) else {
                return;
            };
            full.check(bare.code, &["No space left on device"]);
            assert_eq!(full.out, bare.out, "{mode}");
        }
    }
}

#[test]
fn a_report_that_nobody_can_take_is_no_success() {
    let Some(case) = matrix::all(&[2]).pop() else {
        return;
    };
    let Some(trial) = Trial::new(case, "tests/mpi/exits.c") else {
        return;
    };
    let run = trial.traced();
    for command in ["info", "analyze", "races"] {
        for json in ["", "--json"] {
            let shell = |script: &str| {
                let script = script.replace(
                    "REPORT",
                    &format!("'{}' {command} {json} run", mpiscope().display()),
                );
                process::run(run.trial.command("bash").args(["-c", &script]))
            };
            let full = shell("REPORT >/dev/full");
            full.check(2, &["cannot write the report"]);
            // Who reads the first line only wants no more.
            let closed = shell("set -o pipefail; REPORT | head -1 >/dev/null");
            closed.check_calm();
            assert!(closed.code <= 1, "{closed:#?}");
        }
    }
}
