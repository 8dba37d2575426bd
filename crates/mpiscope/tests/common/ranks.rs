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

/// Waits until a process has ended.
pub fn gone(id: u32) {
    let path = format!("/proc/{id}/maps");
    let lives = || std::fs::read_to_string(&path).is_ok_and(|maps| !maps.is_empty());
    let begin = Instant::now();
    while lives() {
        assert!(begin.elapsed() < Duration::from_secs(10), "{id} lives on");
        std::thread::sleep(Duration::from_millis(5));
    }
}
