//! Parts find the same together, whatever their number, though each knows of
//! its own events alone when they happened.

use mpiscope_model::{Assumptions, Duration, Events, Timestamp, Trace};
use proptest::prelude::*;

use super::known::Known;
use super::part::part;
use super::report::Violations;
use super::view::View;
use crate::exchange::{in_bytes, on_threads, Exchange};
use crate::testing::simulated;
use crate::{Latencies, LatencyOverride, LatencyTable};

const ALL: Assumptions = Assumptions {
    init: true,
    finalize: true,
    creation: true,
};

/// What a part holds of the events of others.
#[derive(Clone, Copy)]
enum Others {
    /// None of them, as on another machine.
    Absent,
    /// What they are, but not when: whoever looks there finds something else
    /// than by asking.
    AtWrongTimes,
}

fn own_only(
    known: &Known,
    me: usize,
    others: Others,
    trace: &Trace,
) -> (Trace, Vec<Vec<Timestamp>>) {
    let (mut trace, mut times) = (trace.clone(), trace.times());
    for ((at, location), times) in (0..).zip(&mut trace.locations).zip(&mut times) {
        if known.part_of(at) == me {
            continue;
        }
        times.fill(Timestamp(7));
        match others {
            Others::Absent => location.events = Events::default(),
            Others::AtWrongTimes => location.events.set_times(times.clone()),
        }
    }
    (trace, times)
}

fn found<E: Exchange>(
    exchange: &E,
    known: &Known,
    others: Others,
    trace: &Trace,
) -> Option<Violations> {
    let (trace, times) = own_only(known, exchange.me(), others, trace);
    let view = View::new(known, exchange.me(), &trace, &times);
    part(exchange, &view).map(|found| found.violations())
}

/// Checks in so many parts: by threads and by bytes part 0 finds the same, the
/// others nothing.
fn by_parts(trace: &Trace, latencies: &LatencyTable, parts: usize) -> Violations {
    use Others::{Absent, AtWrongTimes};
    let known = Known::new(&ALL, trace, latencies, parts);
    let none = vec![(); parts];
    let by_threads = on_threads(none.clone(), |it, ()| {
        found(it, &known, AtWrongTimes, trace)
    });
    let by_bytes = in_bytes(none, |it, ()| found(it, &known, Absent, trace));
    assert_eq!(by_threads, by_bytes);
    let mut all = by_threads.into_iter();
    let first = all.next().flatten();
    assert!(all.all(|other| other.is_none()));
    first.unwrap()
}

/// Checks in several numbers of parts.
fn check_parts(trace: &Trace) -> Violations {
    let latency = LatencyOverride::by_clock(Duration(2), Duration(900));
    let latencies = LatencyTable::new(trace, &Latencies::given(&latency));
    let one = by_parts(trace, &latencies, 1);
    for parts in [2, 3, 7, trace.locations.len()] {
        assert_eq!(by_parts(trace, &latencies, parts), one, "{parts} parts");
    }
    one
}

#[test]
fn all_parts_together_find_the_same_whatever_their_number() {
    for name in ["partial", "partial-all-kinds", "partial-pairs"] {
        let found = check_parts(&simulated(name));
        assert!(found.reversed.count > 0 && found.clock_condition.count > 0);
    }
}

const HEAD: &str = "comm line: 0 1 2 3 edges 0>1 1>2 2>0
comm row: 0 2 3
comm facing: 0 1 | 2 3
win w: world
";

/// Locations; two processes have two threads.
const LOCATIONS: [&str; 6] = ["0", "0.1", "1", "1.1", "2", "3"];

const SHARED_LOCK: &str = "A: lock_acquire(w,2,0,shared) !seq(N) \
    enter(MPI_Win_unlock) lock_release(w,2,0) leave(MPI_Win_unlock)";

/// What processes A and B may do, or all, or the threads M and T of one: their
/// events, each at a time of its own, and N for the number of the step.
const STEPS: &[&str] = &[
    "A: send>B | B: probe<A recv<A",
    "A: send>B",
    "A: isend>B#5 cancel#5 | B: irecv#9 cancel#9",
    "A: enter(MPI_Ssend) send>B leave(MPI_Ssend) | B: enter(MPI_Recv) recv<A leave(MPI_Recv)",
    "A: isend>B#7 !sync wait#7 | B: irecv#8 wait<A#8",
    "*: barrier{ }",
    "*: scan{ }",
    "*: bcast(root=1){ }",
    "*: alltoallv{ } !dense",
    "A: barrier(comm=row){ } | B: barrier(comm=row){ }",
    "*: icollective#1 iallreduce#1",
    "A: icollective#1 !persistent(0) ibarrier#1 | B: icollective#1 !persistent(0) ibarrier#1",
    "*: neighbor_allgather(comm=line){ }",
    "*: barrier(comm=facing){ }",
    "*: enter(MPI_Comm_dup) leave(MPI_Comm_dup) !created(row)",
    "*: enter(MPI_Win_allocate) win_create(w) leave(MPI_Win_allocate)",
    "*: win_begin win_end(w,barrier,sync)",
    "A: enter(MPI_Win_start) group_sync(w,B) leave(MPI_Win_start) \
        enter(MPI_Win_complete) group_sync(w,B) leave(MPI_Win_complete) | \
     B: enter(MPI_Win_post) group_sync(w,A) leave(MPI_Win_post) \
        enter(MPI_Win_wait) group_sync(w,A) leave(MPI_Win_wait)",
    "A: lock_acquire(w,2,0) !seq(N) lock_release(w,2,0)",
    SHARED_LOCK,
    "A: notify_out(w,B) | B: notify_in(w,A)",
    "A: . !signal(N) | B: . !await(N)",
    "A: . !signal(N) . !signal(N) . !await(1) | B: . !await(N) . !await(N)",
    "M: fork(2) team_begin(t) enter(omp_barrier) leave(omp_barrier) team_end(t) join | \
     T: team_begin(t) enter(omp_barrier) leave(omp_barrier) team_end(t)",
    "M: thread_create(c,N) | T: thread_begin(c,N) thread_end(c,N) | M: thread_wait(c,N)",
    "M: acquire(3,N) release(3,N)",
    "T: acquire(3,N) release(3,N)",
    "M: task_create(t,0,N) | T: task_switch(t,0,N) task_complete(t,0,N) | \
     M: enter(omp_taskwait) leave(omp_taskwait)",
    "A: off on",
    "*: enter(MPI_Init) leave(MPI_Init)",
    "*: enter(MPI_Finalize) leave(MPI_Finalize)",
];

/// A step: what, by whom, and how much time passes before its events.
type Step = (usize, usize, usize, [i64; 4]);

/// The locations that a step names, of processes A and B.
fn who_acts(who: &str, a: usize, b: usize) -> Vec<String> {
    match who {
        "A" => vec![format!("{a}")],
        "B" => vec![format!("{b}")],
        "M" => vec![format!("{}", a % 2)],
        "T" => vec![format!("{}.1", a % 2)],
        _ => (0..4).map(|process| process.to_string()).collect(),
    }
}

/// Writes down what was done, by locations whose clocks are wrong.
fn picture(steps: &[Step], begin: [i64; 6]) -> String {
    let mut lines = LOCATIONS.map(|location| format!("{location}:"));
    let mut clocks = begin;
    for (number, &(step, a, b, pauses)) in (1..).zip(steps) {
        let [a, b] = [a % 4, (a + 1 + b % 3) % 4];
        let names = [
            ("<A", "<", a),
            (">B", ">", b),
            (",A)", ",", a),
            (",B)", ",", b),
        ];
        let numbers = [("(N)", "(", number), (",N)", ",", number)];
        let named = |token: &str| {
            let mut token = token.to_owned();
            for (name, before, number) in names.iter().chain(&numbers) {
                let after = if name.ends_with(')') { ")" } else { "" };
                token = token.replace(name, &format!("{before}{number}{after}"));
            }
            token
        };
        for share in STEPS[step % STEPS.len()].split(" | ") {
            let (who, tokens) = share.trim().split_once(": ").unwrap();
            for location in who_acts(who, a, b) {
                let at = LOCATIONS.iter().position(|it| *it == location).unwrap();
                for (token, pause) in tokens.split_whitespace().zip(pauses.iter().cycle()) {
                    if !token.starts_with('!') {
                        clocks[at] += pause;
                        lines[at] += &format!(" {}", clocks[at]);
                    }
                    if token != "." {
                        lines[at] += &format!(" {}", named(token));
                    }
                }
            }
        }
    }
    format!("{HEAD}{}", lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn waits_of_all_kinds_are_found_in_any_number_of_parts(
        steps in prop::collection::vec(
            (0..STEPS.len(), 0..4usize, 0..3usize, prop::array::uniform4(0..400i64)),
            1..60,
        ),
        begin in prop::array::uniform6(0..2000i64),
    ) {
        let picture = picture(&steps, begin);
        let trace = Trace::parse(&picture);
        prop_assert!(trace.is_ok(), "{:?}\n{picture}", trace.err());
        check_parts(&trace.unwrap());
    }
}

#[test]
fn each_step_taken_twice_is_something_to_look_at() {
    let pauses = [10, 20, 30, 40];
    let quiet = |step: &usize| {
        let twice = [(*step, 0, 0, pauses), (*step, 2, 0, pauses)];
        let trace = Trace::parse(&picture(&twice, [500, 900, 0, 300, 700, 100]));
        check_parts(&trace.unwrap()).logical == 0
    };
    let quiet = (0..STEPS.len()).filter(quiet).map(|step| STEPS[step]);
    // Nobody waits for itself, for those who share, or for what is not received.
    let expected = [
        "A: send>B",
        "A: isend>B#5 cancel#5 | B: irecv#9 cancel#9",
        SHARED_LOCK,
        "M: acquire(3,N) release(3,N)",
        "T: acquire(3,N) release(3,N)",
        "A: off on",
    ];
    assert_eq!(quiet.collect::<Vec<_>>(), expected);
}

#[test]
fn a_wait_that_is_told_twice_counts_once() {
    let trace = Trace::parse("0: 10 !signal(1) !signal(2)\n1: 5 !await(1) !await(2)");
    assert_eq!(check_parts(&trace.unwrap()).logical, 1);
}
