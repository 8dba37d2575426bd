//! A program that hangs is looked at while it does, on the screen of a terminal
//! too, and after it was killed.
#![forbid(unsafe_code)]

mod common;

use std::process::Command;
use std::time::{Duration, Instant};

use common::{matrix, mpi, mpiscope, process, Trial};
use serde_json::Value;

const PROGRAM: &str = "tests/mpi/monitor/hangs.c";
const CYCLE: &str = "these ranks wait for each other: rank 0 (MPI_Recv hangs.c:11) -> \
                     rank 1 (MPI_Recv hangs.c:11) -> rank 2 (MPI_Recv hangs.c:11) -> rank 0";

/// Runs one of our commands on the run until it says what is wanted.
#[track_caller]
fn until(trial: &Trial, words: &[&str], wanted: impl Fn(&str) -> bool) -> String {
    let begin = Instant::now();
    loop {
        let output = trial
            .command(mpiscope())
            .args(words)
            .arg("run")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if wanted(&text) {
            return text;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "{words:?}: {text}"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_program_that_hangs_is_seen_to_and_when_it_was_killed_where() {
    for case in matrix::cases(&[PROGRAM], PROGRAM, &[3]) {
        if let Some(trial) = Trial::new(case, PROGRAM) {
            watch_and_kill(&trial);
        }
    }
}

fn watch_and_kill(trial: &Trial) {
    let mut line = trial.command(mpiscope());
    let running = process::start(
        line.args(["monitor", "-o", "run", "--"])
            .args(trial.line(&[])),
    );
    until(trial, &["top", "--once"], |text| text.contains(CYCLE));
    let json = until(trial, &["top", "--once", "--json"], |text| {
        text.starts_with('{')
    });
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["cycle"], serde_json::json!([0, 1, 2]));
    until(trial, &["analyze"], |text| text.contains("3 ranks running"));
    on_the_screen(trial);
    // Clocks are noted once a second: what is left behind must be older than that.
    until(trial, &["top", "--once", "--json"], |text| {
        let json: Value = serde_json::from_str(text).unwrap();
        let ranks = json["ranks"].as_array().unwrap();
        ranks
            .iter()
            .all(|rank| rank["threads"][0]["for_ns"].as_u64() > Some(4_000_000_000))
    });
    let pid = |rank: usize| json["ranks"][rank]["pid"].as_u64().unwrap() as u32;
    process::kill(pid(0));
    assert_ne!(running.wait().code, 0);
    let died = until(trial, &["top", "--once"], |text| text.contains("died"));
    assert!(
        died.contains("3 ranks ended without MPI_Finalize"),
        "{died}"
    );
    assert!(died.contains(CYCLE), "{died}");
    let tree = until(trial, &["stats"], |text| text.contains("program"));
    assert!(tree.contains("MPI_Barrier hangs.c:10"), "{tree}");
    until(trial, &["analyze"], |text| {
        text.contains("3 ranks ended without MPI_Finalize")
    });
}

/// Reads the screen of `top` in a terminal, and types.
fn on_the_screen(trial: &Trial) {
    if !mpi::is_command("tmux") {
        return common::missing("no tmux");
    }
    let tmux = Tmux {
        trial,
        name: format!("mpiscope-top-{}", std::process::id()),
    };
    let line = format!(
        "{} top --interval 0.2 run; echo code $?; sleep 600",
        mpiscope().display()
    );
    tmux.obey(&[
        "-f",
        "/dev/null",
        "new-session",
        "-d",
        "-x",
        "180",
        "-y",
        "24",
        &line,
    ]);
    tmux.wait_for(CYCLE);
    tmux.wait_for("MPI_Recv   hangs.c:11");
    tmux.obey(&["send-keys", "Enter"]);
    tmux.wait_for("communication statements of rank 0");
    tmux.obey(&["send-keys", "Tab"]);
    tmux.wait_for("statement");
    tmux.obey(&["send-keys", "p"]);
    tmux.wait_for("(paused)");
    tmux.obey(&["send-keys", "q"]);
    tmux.wait_for("code 0");
}

/// A tmux of our own; dropped, it ends.
struct Tmux<'a> {
    trial: &'a Trial,
    name: String,
}

impl Tmux<'_> {
    fn obey(&self, words: &[&str]) -> String {
        let mut command: Command = self.trial.command("tmux");
        command
            .env_remove("TMUX")
            .args(["-L", &self.name])
            .args(words);
        String::from_utf8_lossy(&command.output().unwrap().stdout).into_owned()
    }

    #[track_caller]
    fn wait_for(&self, text: &str) {
        let begin = Instant::now();
        loop {
            let screen = self.obey(&["capture-pane", "-p"]);
            if screen.contains(text) {
                return;
            }
            assert!(
                begin.elapsed() < Duration::from_secs(120),
                "no `{text}` in {screen}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Tmux<'_> {
    fn drop(&mut self) {
        self.obey(&["kill-server"]);
    }
}
