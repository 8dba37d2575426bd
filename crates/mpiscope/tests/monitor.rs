//! Statistics of real programs: they count what a trace of the same run holds,
//! take as much room after many iterations as after few, and outlive a kill.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;

use common::{matrix, mpiscope, process, Case, Done, Trial};
use mpiscope_archive::model::structure::Structure;
use mpiscope_archive::model::{EventKind, Trace};
use mpiscope_run::statistics::{read_rank, structures, Kind, Process, Row, Side};

/// Programs of `tests/mpi` that call MPI in every way.
const PROGRAMS: [&str; 18] = [
    "blocking.c",
    "nonblocking.c",
    "wildcards.c",
    "probes.c",
    "persistent.c",
    "sendrecv.c",
    "types.c",
    "collectives.c",
    "icollectives.c",
    "neighbors.c",
    "idup.c",
    "isendrecv.c",
    "edge.c",
    "communicators.c",
    "intercomm.c",
    "threads.c",
    "mpif.f",
    "usempi.f90",
];

/// Runs `mpiscope COMMAND -o run -- …` in the trial's folder.
#[track_caller]
fn observe(trial: &Trial, command: &str) -> Done {
    let mut line = trial.command(mpiscope());
    line.args(command.split_whitespace())
        .args(["--force", "-o", "run", "--"])
        .args(trial.line(&[]));
    process::run(&mut line)
}

fn statistics(trial: &Trial) -> Vec<Process> {
    let ranks = 0..trial.ranks;
    ranks
        .map(|rank| read_rank(&trial.path("run"), rank).unwrap())
        .collect()
}

fn rows(process: &Process) -> impl Iterator<Item = &Row> {
    process.threads.iter().flat_map(|thread| &thread.rows)
}

/// What is counted: messages and bytes sent and received, collective operations, calls.
type Totals = [u64; 6];

fn of_statistics(process: &Process) -> Totals {
    let mut totals = Totals::default();
    for row in rows(process).filter(|row| row.kind == Kind::Call) {
        totals[5] += row.calls;
        match row.side {
            Side::Sent => {
                (totals[0], totals[1]) = (totals[0] + row.messages, totals[1] + row.bytes)
            }
            Side::Received => {
                (totals[2], totals[3]) = (totals[2] + row.messages, totals[3] + row.bytes);
            }
            Side::Collective => totals[4] += row.messages,
            Side::None => {}
        }
        let binned: u64 = row.histogram.iter().map(|(_, count)| count).sum();
        let messages = if row.side == Side::None {
            0
        } else {
            row.messages
        };
        assert_eq!(binned, messages, "{row:?}");
    }
    totals
}

fn of_trace(trace: &Trace, rank: u32) -> Totals {
    let mut totals = Totals::default();
    for location in trace
        .locations
        .iter()
        .filter(|location| location.rank.0 == rank)
    {
        for (kind, &arg) in location.events.kinds().iter().zip(location.events.args()) {
            let bytes = || location.events.messages()[arg as usize].bytes;
            match kind {
                EventKind::Enter => {
                    // Not ours, nor where threads are created and joined.
                    let name = &trace.definitions.regions[arg as usize].name;
                    totals[5] += u64::from(name.starts_with("MPI_"));
                }
                EventKind::MpiSend | EventKind::MpiIsend => {
                    (totals[0], totals[1]) = (totals[0] + 1, totals[1] + bytes());
                }
                EventKind::MpiRecv | EventKind::MpiIrecv => {
                    (totals[2], totals[3]) = (totals[2] + 1, totals[3] + bytes());
                }
                EventKind::MpiCollectiveEnd | EventKind::NonBlockingCollectiveComplete => {
                    totals[4] += 1;
                }
                _ => {}
            }
        }
    }
    totals
}

#[test]
fn statistics_count_what_a_trace_of_the_same_run_holds() {
    for program in PROGRAMS {
        for case in matrix::cases(&PROGRAMS, program, &[2, 3, 4]) {
            let source = format!("tests/mpi/{program}");
            let Some(trial) = Trial::new(case, &source) else {
                continue;
            };
            observe(&trial, "trace --no-sync --statistics").check(0, &[]);
            let trace = mpiscope_archive::trace::read_trace(&trial.path("run")).unwrap();
            for (rank, process) in (0..).zip(statistics(&trial)) {
                let counted = of_statistics(&process);
                assert_eq!(
                    counted,
                    of_trace(&trace, rank),
                    "{program}, rank {rank}, {case:?}"
                );
            }
        }
    }
}

/// By function, direction and peer: calls, messages, bytes. How often a program
/// asks, and how many it gets at once, is another number each time.
fn by_peer(process: &Process) -> BTreeMap<(String, Side, Option<u32>), [u64; 3]> {
    let mut all = BTreeMap::new();
    let asks = |row: &&Row| {
        let name = process.region(row.region);
        name.starts_with("MPI_Test") || name == "MPI_Waitsome"
    };
    for row in rows(process).filter(|row| !asks(row)) {
        let key = (
            process.region(row.region).to_owned(),
            row.side,
            process.world_rank(row.peer(), row.group()),
        );
        let sum: &mut [u64; 3] = all.entry(key).or_default();
        for (sum, more) in sum.iter_mut().zip([row.calls, row.messages, row.bytes]) {
            *sum += more;
        }
    }
    all
}

#[test]
fn without_a_trace_the_same_is_counted() {
    const SAME_EACH_TIME: [&str; 6] = [
        "blocking.c",
        "types.c",
        "collectives.c",
        "edge.c",
        "nonblocking.c",
        "persistent.c",
    ];
    for program in SAME_EACH_TIME {
        for case in matrix::cases(&SAME_EACH_TIME, program, &[2, 3]) {
            let source = format!("tests/mpi/{program}");
            let Some(trial) = Trial::new(case, &source) else {
                continue;
            };
            observe(&trial, "trace --no-sync --statistics").check(0, &[]);
            let beside: Vec<_> = statistics(&trial).iter().map(by_peer).collect();
            observe(&trial, "monitor").check(0, &["MPI calls"]);
            let alone: Vec<_> = statistics(&trial).iter().map(by_peer).collect();
            assert_eq!(alone, beside, "{program}, {case:?}");
        }
    }
}

#[track_caller]
fn each(source: &str, ranks: u32, look: impl Fn(Case, Trial)) {
    let source = format!("tests/mpi/monitor/{source}");
    for case in matrix::cases(&["volume.c"], "volume.c", &[ranks]) {
        if let Some(trial) = Trial::new(case, &source) {
            look(case, trial);
        }
    }
}

/// Calls, messages and bytes are the same the short way and the long way, and in the same number of
/// calls waiting is told apart: after requests of both ways, errors and truncated messages, too.
#[test]
fn the_short_way_counts_what_the_long_way_counts() {
    let apart = |process: &Process| -> u64 { rows(process).map(|row| row.separated).sum() };
    for case in matrix::all(&[2, 3]) {
        let Some(trial) = Trial::new(case, "tests/mpi/monitor/ways.c") else {
            continue;
        };
        observe(&trial, "monitor").check(0, &["MPI calls"]);
        let short: Vec<_> = statistics(&trial).iter().map(by_peer).collect();
        let told: Vec<u64> = statistics(&trial).iter().map(apart).collect();
        observe(&trial, "trace --no-sync --statistics").check(0, &[]);
        let long: Vec<_> = statistics(&trial).iter().map(by_peer).collect();
        assert_eq!(short, long, "{case:?}");
        observe(&trial, "monitor --virtual-clock enforce").check(0, &["MPI calls"]);
        let expected: Vec<u64> = statistics(&trial).iter().map(apart).collect();
        for (told, expected) in told.into_iter().zip(expected) {
            // Of messages that were received before their senders' words came nothing is told.
            assert!(told * 10 >= expected * 9, "{told} of {expected}, {case:?}");
        }
    }
}

/// A thread that begins may count on where another has ended, and counts that once.
#[test]
fn threads_that_begin_while_others_end_are_counted_once() {
    each("relay.c", 1, |case, trial| {
        for command in ["monitor", "trace --no-sync --statistics"].repeat(8) {
            observe(&trial, command).check(0, &[]);
            let all = statistics(&trial);
            let asked = all.iter().flat_map(by_peer);
            let asked = asked.filter(|((name, ..), _)| name == "MPI_Comm_rank");
            let calls: u64 = asked.map(|(_, [calls, ..])| calls).sum();
            assert_eq!(calls, 200 * 4, "{command}, {case:?}");
        }
    });
}

/// Bytes of the statistics of all ranks.
fn volume(trial: &Trial) -> u64 {
    let path = |rank| mpiscope_run::statistics::path(&trial.path("run"), rank);
    let bytes = |rank| std::fs::metadata(path(rank)).unwrap().len();
    (0..trial.ranks).map(bytes).sum()
}

#[test]
fn much_longer_runs_leave_no_more_bytes() {
    let many = match std::env::var_os("MPISCOPE_TEST_ALL") {
        Some(_) => "10000000",
        None => "100000",
    };
    each("volume.c", 2, |_, trial| {
        let few = trial.arguments(&["1000"]);
        observe(&few, "monitor").check(0, &[]);
        let bytes = volume(&few);
        let long = few.arguments(&[many]);
        observe(&long, "monitor").check(0, &[]);
        assert_eq!(volume(&long), bytes);
    });
}

#[test]
fn sixty_four_statements_on_sixteen_ranks_take_less_than_64_kib_a_rank() {
    each("statements.c", 16, |_, trial| {
        observe(&trial, "monitor").check(0, &[]);
        let rows_of_exchanges = |process: &Process| {
            let messages = rows(process).filter(|row| row.messages > 0);
            messages.count()
        };
        for process in statistics(&trial) {
            assert_eq!(rows_of_exchanges(&process), 2 * 64);
        }
        assert!(volume(&trial) < 16 * 64 * 1024, "{}", volume(&trial));
    });
}

#[test]
fn communicators_made_all_the_time_are_as_many_groups_as_they_have_members() {
    each("many_comms.c", 4, |_, trial| {
        observe(&trial, "monitor").check(0, &[]);
        for process in statistics(&trial) {
            // The world, itself, and its half.
            assert_eq!(process.groups.len(), 3);
            let reductions = rows(&process).filter(|row| row.side == Side::Collective);
            let of_groups: Vec<u64> = reductions
                .map(|row| row.messages)
                .filter(|n| *n == 100)
                .collect();
            assert!(of_groups.len() >= 2, "{of_groups:?}");
        }
    });
}

#[test]
fn every_size_is_in_its_bin() {
    each("sizes.c", 2, |_, trial| {
        observe(&trial, "monitor").check(0, &[]);
        for (process, side) in statistics(&trial).iter().zip([Side::Sent, Side::Received]) {
            let row = rows(process).find(|row| row.side == side).unwrap();
            let expected: Vec<(u8, u64)> = (1..=21).map(|k| (k, u64::from(k))).collect();
            assert_eq!(row.histogram, expected);
            // What holds the bins is no row of its own.
            let calls: u64 = rows(process).map(|row| row.calls).sum();
            let now: u64 = process.threads.iter().map(|thread| thread.now.calls).sum();
            assert_eq!(calls, now);
        }
    });
}

#[test]
fn a_killed_program_leaves_what_it_had_counted() {
    each("killed.c", 2, |_, trial| {
        let done = observe(&trial, "monitor");
        assert_ne!(done.code, 0);
        assert!(
            done.errors.contains("end without MPI_Finalize"),
            "{}",
            done.errors
        );
        for process in statistics(&trial) {
            assert_eq!(of_statistics(&process)[4], 100);
            assert!(process.threads.iter().all(|thread| !thread.finished));
        }
    });
}

#[test]
fn a_program_without_mpi_leaves_nothing() {
    let Some(case) = matrix::all(&[1]).first().copied() else {
        return;
    };
    let Some(trial) = Trial::new(case, "tests/mpi/hello.c") else {
        return;
    };
    let mut line = trial.command(mpiscope());
    line.args(["monitor", "-o", "run", "--", "/bin/true"]);
    process::run(&mut line).check(2, &["nothing was recorded"]);
    assert!(!trial.path("run").exists());
}

/// A program compiled by `mpiscope cc`, its structure and rank 0's statistics.
struct Instrumented {
    structure: Structure,
    process: Process,
    out: String,
}

impl Instrumented {
    /// Builds and runs a program of `tests/mpi/monitor` on one rank.
    fn run(case: Case, source: &str) -> Instrumented {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        let mut compile = std::process::Command::new(mpiscope());
        compile
            .args(["cc", &case.mpi.command("mpicc"), "-g", "-O2", "-o"])
            .arg(&program)
            .arg(common::workspace().join("tests/mpi/monitor").join(source));
        process::run(&mut compile).check(0, &[]);
        let trial = Trial::of(case, program);
        let done = observe(&trial, "monitor");
        done.check(0, &[]);
        let mut structures = std::fs::read_dir(structures(&trial.path("run"))).unwrap();
        let text = std::fs::read_to_string(structures.next().unwrap().unwrap().path()).unwrap();
        Instrumented {
            structure: Structure::parse(&text).unwrap(),
            process: statistics(&trial).remove(0),
            out: done.out,
        }
    }

    /// Of each calling statement of a procedure: its line, how often it called, and its milliseconds.
    fn callers(&self, procedure: &str) -> Vec<(u32, u64, u64)> {
        let rate = self.process.nanoseconds_per_tick();
        let named = |number: u64| self.structure.statements.get(number as usize);
        let mut all: Vec<(u32, u64, u64)> = rows(&self.process)
            .filter(|row| row.kind == Kind::Procedure)
            .filter(|row| named(row.place).is_some_and(|statement| statement.name == procedure))
            .map(|row| {
                let line = named(row.other).map_or(0, |statement| statement.line);
                (line, row.calls, (row.time as f64 * rate * 1e-6) as u64)
            })
            .collect();
        all.sort_unstable();
        all
    }
}

#[test]
fn procedures_are_timed_for_each_statement_that_calls_them() {
    for case in matrix::cases(&["procedures.c"], "procedures.c", &[1]) {
        let run = Instrumented::run(case, "procedures.c");
        let calls =
            |procedure| -> Vec<u64> { run.callers(procedure).iter().map(|of| of.1).collect() };
        assert_eq!(calls("main"), [1]);
        // From down, ping, pong, cheap and dear, in the order of their lines.
        assert_eq!(calls("work"), [4, 2, 2, 5, 5]);
        let of_work = run.callers("work");
        let (cheap, dear) = (of_work[3].2, of_work[4].2);
        assert!(dear >= 100 && cheap >= 5 && cheap < dear, "{of_work:?}");
        // Of a cycle, the call from outside; within it, each once.
        assert_eq!(calls("down"), [1]);
        assert_eq!((calls("ping"), calls("pong")), (vec![1], vec![1]));
        let all = run.callers("main")[0].2;
        let parts: u64 = ["cheap", "dear", "down", "ping"]
            .iter()
            .flat_map(|name| run.callers(name))
            .map(|of| of.2)
            .sum();
        assert!(parts <= all, "{parts} of {all} ms");
    }
}

/// Lines of another build, or of a source that was edited since, would be wrong ones.
#[test]
fn what_was_changed_since_the_run_is_told() {
    for case in matrix::cases(&["changed"], "changed", &[1]) {
        let folder = tempfile::tempdir().unwrap();
        let [source, program] = ["a.c", "program"].map(|name| folder.path().join(name));
        let text = std::fs::read_to_string(common::workspace().join("tests/mpi/monitor/volume.c"));
        let text = text.unwrap();
        let build = |text: &str| {
            std::fs::write(&source, text).unwrap();
            let mut compile = std::process::Command::new(mpiscope());
            compile.current_dir(folder.path()).args([
                "cc",
                &case.mpi.command("mpicc"),
                "-g",
                "-o",
                "program",
                "a.c",
            ]);
            process::run(&mut compile).check(0, &[]);
        };
        build(&text);
        let trial = Trial::of(case, program.clone()).arguments(&["10"]);
        observe(&trial, "monitor").check(0, &[]);
        let said = || {
            let mut line = trial.command(mpiscope());
            let done = process::run(line.args(["stats", "run"]));
            done.check(0, &[]);
            done.out + &done.errors
        };
        let [before, edited, built] = [None, Some(false), Some(true)].map(|change| {
            let longer = format!("/* A line more. */\n{text}");
            match change {
                Some(false) => std::fs::write(&source, longer).unwrap(),
                Some(true) => build(&longer),
                None => {}
            }
            said()
        });
        let line = "MPI_Init a.c:";
        assert!(
            before.contains(line) && !before.contains("was changed"),
            "{before}"
        );
        assert!(
            edited.contains(line) && edited.contains("a.c was changed since"),
            "{edited}"
        );
        assert!(
            !built.contains(line) && built.contains("is another build"),
            "{built}"
        );
    }
}

#[test]
fn commands_for_traces_say_that_a_run_was_monitored() {
    each("volume.c", 2, |_, trial| {
        observe(&trial, "monitor").check(0, &["next: mpiscope stats"]);
        let on_run = |command: &str| {
            let mut line = trial.command(mpiscope());
            process::run(line.args([command, "run"]))
        };
        on_run("info").check(0, &["monitored, not traced"]);
        on_run("recover").check(0, &["monitored, not traced"]);
        on_run("sync").check(2, &["monitored, not traced"]);
        on_run("races").check(2, &["monitored, not traced"]);
    });
}

#[test]
fn a_forked_child_counts_nothing_and_ends_well() {
    for case in matrix::cases(&["forked.c"], "forked.c", &[1]) {
        let run = Instrumented::run(case, "forked.c");
        assert_eq!(run.out, "child ended with 7\n");
        let calls: Vec<u64> = run.callers("work").iter().map(|of| of.1).collect();
        assert_eq!(calls, [1]);
    }
}
