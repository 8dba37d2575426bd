//! Replays under gdb: one prompt over all ranks, one rank under gdb itself,
//! stops at an event of the trace. What is typed comes from scripts that wait
//! for what they expect, so that nothing depends on speed.
#![forbid(unsafe_code)]

mod common;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{matrix, mpi, mpiscope, process, Case, Done, Trial};

const PROGRAM: &str = "tests/mpi/debugged.c";
const TESTS: [&str; 7] = ["sets", "quit", "server", "tmux", "stop", "alone", "choose"];

/// A recorded run, to be replayed.
struct Replay {
    trial: Trial,
    /// What the program printed: who came, in order.
    printed: String,
}

impl Replay {
    /// Traces the program; nothing without a command that the test needs.
    fn record(case: Case, needs: &[&str]) -> Option<Replay> {
        if let Some(name) = needs.iter().find(|name| !mpi::is_command(name)) {
            common::missing(&format!("no {name}"));
            return None;
        }
        let trial = Trial::new(case, PROGRAM)?;
        let done = trial.run_trace(&["--no-sync"]);
        done.check(0, &[]);
        let printed = done.out.lines().find(|line| line.ends_with(" came"));
        let printed = printed.unwrap().to_owned();
        Some(Replay { trial, printed })
    }

    fn words(&self, options: &[&str]) -> Vec<String> {
        let mut words = vec!["replay".to_owned(), "run".to_owned()];
        words.extend(options.iter().map(ToString::to_string));
        words.push("--".to_owned());
        words.extend(self.trial.line(&[]));
        words
    }

    fn command(&self, options: &[&str]) -> Command {
        let mut command = self.trial.command(mpiscope());
        command.args(self.words(options));
        command
    }

    #[track_caller]
    fn typing(&self, options: &[&str], script: &str) -> Done {
        process::run_typing(&mut self.command(options), script)
    }

    /// Expects lines in the transcript, and that the order held to the end.
    #[track_caller]
    fn check(&self, done: &Done, lines: &[&str]) {
        done.check(0, &["replayed as recorded"]);
        for line in lines.iter().chain([&self.printed.as_str()]) {
            let found = done.out.lines().any(|found| found.trim() == line.trim());
            assert!(found, "no `{line}` in {done:#?}");
        }
    }
}

fn sampled(test: &str) -> Vec<Case> {
    matrix::cases(&TESTS, test, &[3])
}

#[test]
fn equal_answers_of_all_ranks_are_said_once_while_the_order_holds() {
    for case in matrix::all(&[3]) {
        let Some(replay) = Replay::record(case, &["gdb"]) else {
            return;
        };
        let done = replay.typing(
            &["--gdb", "all"],
            "break debugged.c:35\nrun\nwait\nprint n\nbt\nprint no_such_variable\n\
             array part[0..9] from 1\narray part[2..7] count n from 1\n\
             delete\nfocus 0\nbreak debugged.c:21\nfocus all\ncontinue &\n\
             focus 0\nwait\nprint from\nnext\ndelete\nfocus all\ncontinue &\nwait\n",
        );
        let first = &replay.printed[..1];
        replay.check(
            &done,
            &[
                "0-2: breakpoint 1: main at debugged.c:35:  if (rank == 0) {",
                "0: 4   1,2: 3",
                "0-2: #0 main at debugged.c:35",
                "0-2: No symbol \"no_such_variable\" in current context.",
                "0: part[0..3] = 0, 10, 20, 30",
                "1: part[4..6] = 40, 50, 60",
                "2: part[7..9] = 70, 80, 90",
                "0: part[2..3] = 20, 30",
                "2: part[7] = 70",
                "0: breakpoint 2: receive_all at debugged.c:21:  order[i] = from; /* who came */",
                &format!("0: {first}"),
                "(0-2) wait",
            ],
        );
    }
}

#[test]
fn a_breakpoint_at_an_mpi_call_stops_once_and_some_ranks_may_run_free() {
    for case in sampled("sets") {
        let Some(replay) = Replay::record(case, &["gdb"]) else {
            return;
        };
        let script = "focus 1\nbreak MPI_Send\nfocus all\nrun &\nfocus 1\nwait\nprint n\nbt\n\
                      continue\nwait\nnext\nstatus\nfocus all\nhalt\ndetach\n";
        let done = replay.typing(&["--gdb", "1-2"], script);
        let stop = "1: breakpoint 1: in MPI_Send, called by main at debugged.c:39:  \
                    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);";
        replay.check(&done, &["1: 3", stop]);
        assert_eq!(done.out.matches(stop).count(), 2, "{done:#?}");
    }
}

/// Stops rank 0 at its first receive, where `commands` are typed, and lets all run to their ends.
fn at_the_first_receive(replay: &Replay, commands: &str) -> Done {
    let script = format!(
        "focus 0\ntbreak MPI_Recv\nfocus all\nrun &\nfocus 0\nwait\n{commands}focus all\ndetach\n"
    );
    replay.typing(&["--gdb", "all"], &script)
}

/// Returns the numbers and senders that were listed.
fn listed(done: &Done) -> Vec<(u32, u32)> {
    let line = |line: &str| {
        let (number, rest) = line.trim().split_once("  of rank ")?;
        let (sender, rest) = rest.split_once(' ')?;
        let told = rest.starts_with("at debugged.c:39, tag 0, 4 bytes: ");
        told.then_some((number.parse().ok()?, sender.parse().ok()?))
    };
    done.out.lines().filter_map(line).collect()
}

fn came_first(done: &Done) -> u32 {
    let line = done.out.lines().find(|line| line.ends_with(" came"));
    let first = line.and_then(|line| line.split(' ').next()?.parse().ok());
    first.unwrap_or_else(|| panic!("nobody came in {done:#?}"))
}

#[test]
fn a_receive_takes_the_message_that_is_chosen_and_the_result_follows() {
    for case in matrix::cases(&TESTS, "choose", &[4]) {
        let Some(replay) = Replay::record(case, &["gdb"]) else {
            return;
        };
        let recorded: u32 = replay.printed[..1].parse().unwrap();
        let mut seen = Vec::new();
        for number in 1..=3 {
            let done = at_the_first_receive(&replay, &format!("choose {number}\n"));
            let listed = listed(&done);
            let numbers: Vec<u32> = listed.iter().map(|it| it.0).collect();
            assert_eq!(numbers, [1, 2, 3], "{done:#?}");
            let sender = listed[number as usize - 1].1;
            assert_eq!(came_first(&done), sender, "{done:#?}");
            seen.push(sender);
            if number == 1 {
                assert_eq!(sender, recorded);
                replay.check(
                    &done,
                    &[&format!(
                        "0: takes the message of rank {sender}, as recorded"
                    )],
                );
                continue;
            }
            done.check(
                0,
                &[&format!(
                    "replayed as recorded until it was chosen otherwise: rank 0 took a message \
                     from rank {sender} in its call 4 at debugged.c:20"
                )],
            );
            let said = format!(
                "0: takes the message of rank {sender}; from here on the record leads nobody"
            );
            assert!(done.out.contains(&said), "{done:#?}");
        }
        seen.sort_unstable();
        assert_eq!(seen, [1, 2, 3]);
    }
}

#[test]
fn what_cannot_be_chosen_is_refused_with_the_list() {
    for case in matrix::cases(&TESTS, "choose", &[4]) {
        let Some(replay) = Replay::record(case, &["gdb"]) else {
            return;
        };
        let done = at_the_first_receive(&replay, "choose 4\nchoose x\nchoose\n");
        assert!(done.out.contains("`4`: no number of the list"), "{done:#?}");
        assert!(
            done.out.contains("`x`: a number of the list is expected"),
            "{done:#?}"
        );
        // When it stopped, and after each command.
        assert_eq!(listed(&done).len(), 4 * 3, "{done:#?}");
        replay.check(&done, &[]);
        let early = "tbreak main\nrun\nwait\nchoose 1\ndetach\n";
        let done = replay.typing(&["--gdb", "0,1"], early);
        let next = "0: does not stand before a receive from anybody; its next is MPI_Recv at \
                    debugged.c:20, its call 4";
        replay.check(
            &done,
            &[next, "1: receives no more from anybody in the record"],
        );
    }
}

#[test]
fn a_rank_is_chosen_where_there_is_no_trace() {
    for case in matrix::cases(&TESTS, "choose", &[4]) {
        let Some(replay) = Replay::record(case, &["gdb"]) else {
            return;
        };
        let traces = ["traces.otf2", "traces.def", "traces"];
        for name in traces.map(|name| replay.trial.path("run").join(name)) {
            let _ = std::fs::remove_file(&name);
            let _ = std::fs::remove_dir_all(&name);
        }
        let recorded: u32 = replay.printed[..1].parse().unwrap();
        let other = recorded % 3 + 1;
        let done = at_the_first_receive(&replay, &format!("choose\nchoose 9\nchoose {other}\n"));
        let why = format!(
            "0: the run has no trace, which would tell what may come; `choose RANK`, by ranks in \
             the communicator, is for the next receive from anybody, which took a message of rank \
             {recorded}"
        );
        assert!(done.out.contains(&why), "{done:#?}");
        assert!(done.out.contains("`9`: there are 4 ranks"), "{done:#?}");
        done.check(
            0,
            &["until it was chosen otherwise: rank 0 took a message from rank"],
        );
        assert_eq!(came_first(&done), other, "{done:#?}");
    }
}

#[test]
fn quitting_kills_the_program() {
    for case in sampled("quit") {
        let Some(replay) = Replay::record(case, &["gdb"]) else {
            return;
        };
        // The end of what is typed is the same as `quit`.
        let done = replay.typing(
            &["--gdb", "all"],
            "tbreak receive_all\nrun &\nfocus 0\nwait\n",
        );
        done.check(137, &["killed at the prompt"]);
        assert!(!done.out.contains(" came"), "{done:#?}");
    }
}

#[test]
fn one_rank_is_debugged_through_gdbserver() {
    for case in sampled("server") {
        let Some(replay) = Replay::record(case, &["gdb", "gdbserver"]) else {
            return;
        };
        let running = process::start(&mut replay.command(&["--gdb", "1"]));
        let script = "-ex 'break debugged.c:39' -ex continue -ex 'print n'";
        let (said, done) = through_gdbserver(&replay.trial, running, script);
        assert!(said.contains("$1 = 3"), "{said}\n{done:#?}");
        replay.check(&done, &[]);
    }
}

/// Connects gdb as the line says that is printed; then the program runs to its end.
#[track_caller]
fn through_gdbserver(trial: &Trial, running: process::Running, script: &str) -> (String, Done) {
    let errors = running.wait_for_error("target remote");
    let line = errors.lines().find(|line| line.contains("target remote"));
    let line = line.unwrap().trim();
    let line = format!("timeout 100 {line} -batch {script} -ex delete -ex continue </dev/null");
    let output = trial.command("sh").args(["-c", &line]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (said, running.wait())
}

/// One process, without a launcher, at the prompt or under gdb itself.
#[test]
fn a_rank_is_debugged_without_the_others() {
    for case in sampled("alone") {
        let Some(replay) = Replay::record(case, &["gdb", "gdbserver"]) else {
            return;
        };
        let trial = &replay.trial;
        let mut record = trial.command(mpiscope());
        record.args(["record", "--payload", "0", "-o", "lone", "--"]);
        let recorded = process::run_surely_after(record.args(trial.line(&[])), || {
            drop(std::fs::remove_dir_all(trial.path("lone")));
        });
        recorded.check(0, &["payload of rank 0"]);
        let command = |debugged: &str| {
            let mut command = trial.command(mpiscope());
            command.args(["replay", "lone", "--alone", "0", "--gdb", debugged, "--"]);
            command.arg(&trial.program);
            command
        };
        let script = "break debugged.c:21\nrun\nwait\nprint from\ndelete\ncontinue\nwait\n";
        let done = process::run_typing(&mut command("all"), script);
        done.check(0, &["executed as recorded"]);
        let first = format!("0: {}", &recorded.out[..1]);
        let lines: Vec<&str> = done.out.lines().map(str::trim).collect();
        assert!(lines.contains(&first.as_str()), "{done:#?}");
        assert!(lines.contains(&recorded.out.trim()), "{done:#?}");

        let script = "-ex 'break debugged.c:21' -ex continue -ex 'print 100 + from'";
        let running = process::start(&mut command("0"));
        let (said, done) = through_gdbserver(trial, running, script);
        done.check(0, &["executed as recorded"]);
        let first = format!("$1 = 10{}", &recorded.out[..1]);
        assert!(said.contains(&first), "{said}\n{done:#?}");
        process::run(&mut command("1")).check(2, &["only rank 0 is executed"]);
    }
}

#[test]
fn one_rank_is_debugged_in_a_window_of_tmux() {
    for case in sampled("tmux") {
        let Some(replay) = Replay::record(case, &["gdb", "tmux"]) else {
            return;
        };
        let _alone = process::lock();
        let tmux = Tmux::start(&replay);
        tmux.wait_for("rank 1", "(gdb)");
        tmux.send("break debugged.c:39");
        tmux.wait_for("rank 1", "Breakpoint 1 at");
        tmux.send("run");
        tmux.wait_for("rank 1", "hit Breakpoint 1");
        tmux.send("print 1000 + n");
        tmux.wait_for("rank 1", "$1 = 1003");
        tmux.send("set confirm off");
        tmux.send("delete");
        tmux.send("continue");
        let screen = tmux.wait_for("0", "code 0");
        assert!(screen.contains(&replay.printed), "{screen}");
    }
}

#[test]
fn everybody_is_halted_at_an_event_of_the_trace() {
    for case in sampled("stop") {
        let Some(replay) = Replay::record(case, &["gdb"]) else {
            return;
        };
        // Its third call after MPI_Init: rank, size, then the barrier.
        let trace =
            mpiscope_archive::trace::read_trace(&replay.trial.path("run/traces.otf2")).unwrap();
        let events = &trace.locations[0].events;
        let name = |at: &usize| match events.event(*at) {
            mpiscope_archive::model::Event::Enter(region) => {
                trace.definitions.regions[region.index()].name == "MPI_Barrier"
            }
            _ => false,
        };
        let event = (0..events.len()).find(name).unwrap();
        let at = format!("{}:{event}", trace.locations[0].id);
        let options = ["--gdb", "all", "--stop-at", &at];
        let done = replay.typing(&options, "run\nwait\nprint n\nbt\ndetach\n");
        let stop = "0: the event of --stop-at: in MPI_Barrier, called by main at debugged.c:34:  \
                    COLLECTIVE(MPI_Barrier(MPI_COMM_WORLD)); /* all have their part */";
        replay.check(&done, &[stop]);
        done.check(0, &["stops at call 3 of rank 0, MPI_Barrier at"]);
    }
}

#[test]
fn what_cannot_be_debugged_is_refused_before_anything_is_started() {
    for case in sampled("quit") {
        let Some(replay) = Replay::record(case, &["gdb"]) else {
            return;
        };
        let refused = |options: &[&str], words: &str| {
            process::run(&mut replay.command(options)).check(2, &[words]);
        };
        refused(&["--gdb", "x"], "a set of ranks such as 0,2-3");
        refused(&["--stop-at", "0"], "LOCATION:EVENT is expected");
        refused(&["--stop-at", "77:0"], "there is no such location");
        refused(&["--stop-at", "0:100000"], "from 0 on");
        let mut without = replay.command(&["--gdb", "all"]);
        let done = process::run(without.env("PATH", only_launcher(&replay)));
        done.check(2, &["--gdb needs gdb"]);
    }
}

/// Returns a folder that holds the launcher, and no debugger.
fn only_launcher(replay: &Replay) -> PathBuf {
    let folder = replay.trial.path("bin");
    std::fs::create_dir(&folder).unwrap();
    let name = replay.trial.mpi.command("mpirun");
    let launcher = mpi::find(&name).unwrap();
    std::os::unix::fs::symlink(launcher, folder.join(name)).unwrap();
    folder
}

/// A tmux of our own, in which the replay runs; dropped, it ends.
struct Tmux<'a> {
    replay: &'a Replay,
    name: String,
}

impl<'a> Tmux<'a> {
    fn start(replay: &'a Replay) -> Tmux<'a> {
        let name = format!("mpiscope-test-{}", std::process::id());
        let tmux = Tmux { replay, name };
        let words = replay.words(&["--gdb", "1"]);
        let line = format!(
            "{} {}; echo code $?; sleep 600",
            mpiscope().display(),
            words.join(" ")
        );
        tmux.obey(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            "180",
            "-y",
            "50",
            &line,
        ]);
        tmux
    }

    fn obey(&self, arguments: &[&str]) -> String {
        let mut command = self.replay.trial.command("tmux");
        command
            .env_remove("TMUX")
            .args(["-L", &self.name])
            .args(arguments);
        let output = command.output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn send(&self, line: &str) {
        self.obey(&["send-keys", "-t", "rank 1", line, "Enter"]);
    }

    /// Waits until a window shows a text; returns all it shows.
    #[track_caller]
    fn wait_for(&self, window: &str, text: &str) -> String {
        let begin = Instant::now();
        loop {
            let screen = self.obey(&["capture-pane", "-p", "-t", window]);
            if screen.contains(text) {
                return screen;
            }
            let all = self.obey(&["capture-pane", "-p", "-t", "0"]);
            assert!(
                begin.elapsed() < Duration::from_secs(120),
                "no `{text}` in {screen}\n{all}"
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
