//! A replay under the debugger never ended, and left its processes behind.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::common::{found, missing, mpi, mpiscope, process, Case, Trial};

/// A program of Fortran, traced: gdb reads expressions in its language.
fn trials() -> Vec<Trial> {
    if !mpi::is_command("gdb") {
        missing("no gdb");
        return Vec::new();
    }
    let trial = |mpi| Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/usempi.f90");
    let trials: Vec<Trial> = (found().iter()).filter_map(|mpi| trial(mpi)).collect();
    for trial in &trials {
        trial.run_trace(&["--no-sync"]).check(0, &[]);
    }
    trials
}

fn replay(trial: &Trial) -> Command {
    let mut command = trial.command(mpiscope());
    command.args(["replay", "run", "--gdb", "all", "--"]);
    command.args(trial.line(&[]));
    command
}

/// Expects that no process works in the folder of a trial any more, but for what ends just now.
#[track_caller]
fn check_none_left(trial: &Trial) {
    let folder = trial.path("").canonicalize().unwrap();
    let begin = Instant::now();
    loop {
        let left = processes_in(&folder);
        if left.is_empty() {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "{left:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Returns the command lines of all processes whose folder this is.
fn processes_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let processes = entries.map(|entry| entry.path());
    let here = |path: &std::path::PathBuf| {
        std::fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == folder)
    };
    let line = |path: std::path::PathBuf| {
        let line = std::fs::read(path.join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ")
    };
    processes.filter(here).map(line).collect()
}

#[test]
fn a_replay_at_the_prompt_ends_with_its_program_in_any_language() {
    for trial in trials() {
        let mut command = replay(&trial);
        let (running, keyboard) = process::start_typing(&mut command, "run\nwait\n");
        let done = running.wait();
        drop(keyboard);
        done.check(0, &["replayed as recorded"]);
        assert!(done.out.contains("0,1: exited with 0"), "{done:#?}");
        check_none_left(&trial);
    }
}

#[test]
fn who_is_asked_to_end_takes_the_debuggers_and_the_program_along() {
    for trial in trials() {
        for signal in ASKED_TO_END {
            check_asked(&trial, signal);
        }
    }
}

const ASKED_TO_END: [Signal; 3] = [Signal::TERM, Signal::HUP, Signal::INT];

#[track_caller]
fn check_asked(trial: &Trial, signal: Signal) {
    let (running, keyboard) = process::start_typing(&mut replay(trial), "");
    let begin = Instant::now();
    while !running.so_far().contains("are loaded under gdb") {
        assert!(begin.elapsed() < Duration::from_secs(100));
        std::thread::sleep(Duration::from_millis(20));
    }
    running.signal(signal);
    running.wait().check(137, &[]);
    drop(keyboard);
    check_none_left(trial);
}

/// The one rank waits in gdbserver for a gdb that may never come.
#[test]
fn who_is_asked_to_end_takes_gdbserver_along() {
    if !mpi::is_command("gdbserver") {
        return missing("no gdbserver");
    }
    for trial in trials() {
        for signal in ASKED_TO_END {
            for rank in ["0", "1"] {
                let mut command = trial.command(mpiscope());
                command.args(["replay", "run", "--gdb", rank, "--"]);
                // Without tmux, wherever the test itself runs.
                command.args(trial.line(&[])).env_remove("TMUX");
                let mut running = process::start(&mut command);
                running.wait_for_error("waits for gdb");
                running.signal(signal);
                assert!(
                    running.ends_within(Duration::from_secs(30)),
                    "{signal:?} to rank {rank} under {:?}",
                    running.so_far()
                );
                drop(running);
                check_none_left(&trial);
            }
        }
    }
}
