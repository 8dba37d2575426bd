//! Programs whose ranks say who they are, so that a test can end them.

use std::time::{Duration, Instant};

use super::process::{self, Running};
use super::Trial;

/// Starts a program under observation; returns with the process ids of its ranks.
#[track_caller]
pub fn start(trial: &Trial) -> (Running, Vec<u32>) {
    start_with(trial, &[])
}

/// The same, with options of `trace`.
#[track_caller]
pub fn start_with(trial: &Trial, options: &[&str]) -> (Running, Vec<u32>) {
    let running = process::start(&mut trial.trace(options));
    let begin = Instant::now();
    loop {
        let out = running.so_far();
        let complete = out.lines().filter_map(|line| line.rsplit_once(" pid "));
        let ids: Vec<u32> = complete
            .filter_map(|(_, id)| id.trim().parse().ok())
            .collect();
        if ids.len() == trial.ranks as usize && out.ends_with('\n') {
            return (running, ids);
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{out}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until a process has ended, and with it all that it had open or mapped: its memory looks
/// empty before.
pub fn gone(id: u32) {
    let begin = Instant::now();
    while lives(id) {
        assert!(begin.elapsed() < Duration::from_secs(10), "{id} lives on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a thread of a process does more than to wait for its parent (proc(5), state Z).
fn lives(id: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{id}/task"));
    threads.into_iter().flatten().flatten().any(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        let state = stat.rsplit_once(") ").map(|(_, rest)| &rest[..1]);
        state.is_some_and(|state| !matches!(state, "Z" | "X"))
    })
}
