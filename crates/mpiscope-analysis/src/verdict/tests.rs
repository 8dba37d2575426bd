//! What is said of small runs, drawn.

use expect_test::{expect, Expect};
use mpiscope_model::{Rank, Scheduled, Trace};

use super::*;

fn judged(picture: &str) -> (Trace, Verdict) {
    let trace = Trace::parse(picture).unwrap();
    let matching = trace.matching();
    let verdict = Verdict::of(&trace, &matching, &Profile::of(&trace, &matching));
    (trace, verdict)
}

/// Expects the headline and what is said of each loss and doubt.
#[track_caller]
fn check(picture: &str, expected: &Expect) {
    let (trace, verdict) = judged(picture);
    let words = verdict.words(&trace);
    let losses = words.losses.iter();
    let losses = losses.map(|it| format!("{}\n  {}\n  {}", it.text, it.why, it.next));
    let all = std::iter::once(words.headline.clone());
    let all: Vec<String> = all.chain(losses).chain(words.doubts.clone()).collect();
    expected.assert_eq(&all.join("\n"));
}

/// Expects the kind of the first loss, and its ranks in their order.
#[track_caller]
fn check_kind(picture: &str, kind: Kind, ranks: &[u32]) {
    let (_, verdict) = judged(picture);
    let first = &verdict.losses[0];
    assert_eq!(
        (first.kind, first.ranks.as_slice()),
        (kind, ranks),
        "{verdict:#?}"
    );
}

/// Repeats what ranks do, each round so much later.
fn rounds(count: i64, period: i64, ranks: &[&dyn Fn(i64, i64) -> String]) -> String {
    let rank = |(number, does): (usize, &&dyn Fn(i64, i64) -> String)| {
        let all: Vec<String> = (0..count)
            .map(|round| does(round, round * period))
            .collect();
        format!("{number}: 0 {}", all.join(" "))
    };
    let lines: Vec<String> = ranks.iter().enumerate().map(rank).collect();
    lines.join("\n")
}

#[test]
fn who_computes_longer_is_named_with_the_calls_around_it() {
    check(
        "0: 0 enter(MPI_Barrier) !at(a.c:7) 0 barrier{ 1 } 1 leave(MPI_Barrier) 10 enter(MPI_Recv) !at(a.c:9) 72 recv<1 73 leave(MPI_Recv) 80
         1: 0 enter(MPI_Barrier) !at(a.c:7) 0 barrier{ 1 } 1 leave(MPI_Barrier) 60 enter(MPI_Send) !at(a.c:12) 61 send>0 62 leave(MPI_Send) 80",
        &expect![[r#"
            31 % of the ranks' time from first to last event is waiting (50 ns), 11 % is in MPI otherwise
            uneven computation, 31 % (50 ns): rank 1 computes longer between MPI_Barrier at a.c:7 and MPI_Send at a.c:12 than those that wait, most rank 0 (the two calls enclose it)
              sure: 100 % of all waiting is charged to what caused it
              trace with --sample 1ms or with regions for the lines in between; give less to do there, or the others more
            time in MPI that is no waiting, 11 % (17 ns): 76 % of it in MPI_Recv at a.c:9, in 1 call, most on rank 0
              open: what of it can be spared the trace does not tell
              see whether it can be called less often, or go on beside the computation"#]],
    );
}

#[test]
fn a_run_in_which_nobody_waits_is_told_so() {
    check(
        "0: 0 100 enter(MPI_Send) 100 send>1 101 leave(MPI_Send) 200
         1: 0 101 enter(MPI_Recv) 101 recv<0 102 leave(MPI_Recv) 200",
        &expect!["nothing was lost that matters: 0.2 % of the ranks' time from first to last event is waiting (1 ns), 0.2 % is in MPI otherwise"],
    );
    check(
        "0: 5",
        &expect!["no time went by from first to last event: nothing can be told"],
    );
}

#[test]
fn who_makes_others_late_through_others_heads_a_chain() {
    check_kind(
        "0: 0 60 enter(MPI_Send) 61 send>1 62 leave(MPI_Send) 90
         1: 0 5 enter(MPI_Recv) 62 recv<0 63 leave(MPI_Recv) 64 enter(MPI_Send) 65 send>2 66 leave(MPI_Send) 90
         2: 0 5 enter(MPI_Recv) 66 recv<1 67 leave(MPI_Recv) 68 enter(MPI_Send) 69 send>3 70 leave(MPI_Send) 90
         3: 0 5 enter(MPI_Recv) 70 recv<2 71 leave(MPI_Recv) 90",
        Kind::LateSenderChain,
        &[0],
    );
}

#[test]
fn ranks_that_compute_in_turn_are_serialized() {
    // Each sends the token on after 20 ns of work, at the same lines.
    let turn = |own: i64, from: usize, to: usize| {
        move |_: i64, at: i64| {
            let (since, begin, end) = ((at + own - 40).max(1), at + own, at + own + 20);
            format!(
                "{since} enter(MPI_Recv) !at(a.c:5) {begin} recv<{from} {begin} leave(MPI_Recv) \
                 {end} enter(MPI_Send) !at(a.c:7) {end} send>{to} {end} leave(MPI_Send)"
            )
        }
    };
    let (zero, one, two) = (turn(20, 2, 1), turn(40, 0, 2), turn(60, 1, 0));
    let picture = rounds(6, 60, &[&zero, &one, &two]);
    // The token begins with a message that rank 2 sends itself.
    let picture = picture.replace(
        "2: 0",
        "2: 0 enter(MPI_Send) !at(a.c:3) 0 send>0 1 leave(MPI_Send)",
    );
    check_kind(&picture, Kind::Serialization, &[0, 1]);
}

#[test]
fn a_barrier_at_which_each_is_late_in_its_turn_may_be_needless() {
    let late = |rank: i64| {
        move |round: i64, at: i64| {
            let came = at + if round % 2 == rank { 90 } else { 10 };
            format!("{came} enter(MPI_Barrier) !at(a.c:5) {came} barrier{{ {0} }} {0} leave(MPI_Barrier)", at + 91)
        }
    };
    let (zero, one) = (late(0), late(1));
    check_kind(&rounds(6, 100, &[&zero, &one]), Kind::Barrier, &[0, 1]);
}

#[test]
fn receives_in_wrong_order_are_told_with_what_they_would_save() {
    let picture = "
        0: 0 enter(MPI_Recv) !at(a.c:5) 50 recv<1 51 leave(MPI_Recv) 81 enter(MPI_Recv) !at(a.c:7) 81 recv<2 82 leave(MPI_Recv) 112
        1: 0 50 enter(MPI_Send) 50 send>0 51 leave(MPI_Send) 112
        2: 0 10 enter(MPI_Send) 10 send>0 11 leave(MPI_Send) 112";
    check_kind(picture, Kind::WrongOrder, &[0]);
    assert_eq!(judged(picture).1.losses[0].evidence.saved.0, 30);
}

#[test]
fn causes_that_were_not_looked_for_are_no_verdict() {
    let trace = Trace::parse(
        "0: 0 10 enter(MPI_Recv) !at(a.c:9) 72 recv<1 73 leave(MPI_Recv) 80
         1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send) 80",
    )
    .unwrap();
    let matching = trace.matching();
    let profile = Profile::without_causes(&trace, &matching);
    let verdict = Verdict::of(&trace, &matching, &profile);
    assert_eq!(verdict.losses[0].kind, Kind::Waiting);
    assert_eq!(verdict.losses[0].ranks, [1]);
    assert_eq!(verdict.doubts, [Doubt::NoCauses]);
}

#[test]
fn what_is_not_recorded_cannot_be_told() {
    let (_, verdict) = judged("0: 0 10 off 50 on 100\n1: 0 100");
    assert_eq!(verdict.doubts, [Doubt::Unrecorded(0.2)]);
}

#[test]
fn whoever_is_named_may_have_waited_in_calls_that_were_left_out() {
    let mut trace = Trace::parse(
        "0: 0 enter(MPI_Barrier) 50 barrier{ 51 } 51 leave(MPI_Barrier) 60
         1: 0 50 enter(MPI_Barrier) 50 barrier{ 51 } 51 leave(MPI_Barrier) 60",
    );
    let of = |trace: &Trace| {
        let matching = trace.matching();
        Verdict::of(trace, &matching, &Profile::of(trace, &matching))
    };
    let whole = of(trace.as_ref().unwrap());
    assert_eq!(whole.losses[0].certainty, Certainty::Sure);
    let trace = trace.as_mut().unwrap();
    trace.definitions.told.calls = false;
    let part = of(trace);
    assert_eq!(part.losses[0].certainty, Certainty::Open);
    assert_eq!(part.doubts, [Doubt::LeftOut]);
    let said = &part.words(trace).losses[0];
    assert!(
        said.why
            .starts_with("open: calls of MPI are not in the trace"),
        "{said:?}"
    );
}

#[test]
fn who_came_last_is_open_where_members_are_missing() {
    let (mut trace, whole) = judged(
        "0: 0 enter(MPI_Barrier) 50 barrier{ 51 } 51 leave(MPI_Barrier) 60
         1: 0 50 enter(MPI_Barrier) 50 barrier{ 51 } 51 leave(MPI_Barrier) 60",
    );
    assert!(!whole.lacks_members());
    trace.definitions.communicators[0].members.push(Rank(2));
    let matching = trace.matching();
    let part = Verdict::of(&trace, &matching, &Profile::of(&trace, &matching));
    assert_eq!(part.losses[0].certainty, Certainty::Open);
    assert_eq!(part.doubts, [Doubt::MissingMembers(1.0)]);
    let said = &part.words(&trace).losses[0];
    assert!(
        said.why
            .starts_with("open: members of collective operations"),
        "{said:?}"
    );
}

#[test]
fn between_polls_a_rank_may_have_waited() {
    let polling = |first: &str| {
        let (trace, verdict) = judged(&format!(
            "0: 0 enter({first}) 1 leave({first}) 90 enter(MPI_Test) 91 leave(MPI_Test) 100\n1: 0 100"
        ));
        let said = verdict.words(&trace).headline;
        let begin = match verdict.doubts.is_empty() {
            true => "nothing was lost that matters",
            false => "whether time was lost cannot be told",
        };
        assert!(said.starts_with(begin), "{said}");
        verdict.doubts
    };
    assert_eq!(polling("MPI_Iprobe"), [Doubt::Polling(0.445)]);
    for other in ["MPI_Wait", "MPI_Test_cancelled"] {
        assert_eq!(polling(other), []);
    }
}

#[test]
fn what_is_told_of_a_call_hides_no_more_time_in_mpi_than_it_lost() {
    // Rank 1 is longer in a call by 4 ns, for which rank 0 waits; both carry data for 100 ns.
    let carries = |more: i64| {
        format!(
            "0: 0 enter(MPI_Alltoall) !at(a.c:7) 0 alltoall{{ 100 }} 100 leave(MPI_Alltoall) \
                100 enter(MPI_Barrier) !at(a.c:9) 100 barrier{{ {0} }} {0} leave(MPI_Barrier) 1000
             1: 0 enter(MPI_Alltoall) !at(a.c:7) 0 alltoall{{ {0} }} {0} leave(MPI_Alltoall) \
                {0} enter(MPI_Barrier) !at(a.c:9) {0} barrier{{ {0} }} {0} leave(MPI_Barrier) 1000",
            100 + more
        )
    };
    let kinds = |more| -> Vec<Kind> {
        let (_, verdict) = judged(&carries(more));
        verdict.losses.iter().map(|it| it.kind).collect()
    };
    assert_eq!(kinds(4), [Kind::Transfer]);
    assert_eq!(kinds(60), [Kind::Transfer, Kind::SlowCall]);
}

/// Judges a run of two ranks of which rank 1 computes for 50 ns while rank 0 waits, and which were ready
/// to run and had no processor for so long.
fn without_processor(delays: [i64; 2], processors: u32) -> (Trace, Verdict) {
    let mut trace = Trace::parse(
        "0: 0 enter(MPI_Barrier) 50 barrier{ 51 } 51 leave(MPI_Barrier) 60
         1: 0 50 enter(MPI_Barrier) 50 barrier{ 51 } 51 leave(MPI_Barrier) 60",
    )
    .unwrap();
    for (process, delay) in trace.definitions.processes.iter_mut().zip(delays) {
        process.scheduled = Some(Scheduled {
            delay: Duration(delay),
            processors,
        });
    }
    let matching = trace.matching();
    let verdict = Verdict::of(&trace, &matching, &Profile::of(&trace, &matching));
    (trace, verdict)
}

#[test]
fn who_had_no_processor_is_not_surely_slow() {
    // While it waits, nobody minds.
    for (delays, certainty) in [
        ([0, 0], Certainty::Sure),
        ([50, 4], Certainty::Sure),
        ([0, 5], Certainty::Likely),
        ([0, 25], Certainty::Open),
    ] {
        let (_, verdict) = without_processor(delays, 2);
        assert_eq!(verdict.losses[0].certainty, certainty, "{delays:?}");
    }
    let (trace, verdict) = without_processor([0, 30], 1);
    let said = verdict.words(&trace);
    assert_eq!(
        said.losses[0].why,
        "open: 100 % of all waiting is charged to what caused it, but rank 1 was ready to run and \
         had no processor for 30 ns"
    );
    let crowd = None;
    assert_eq!(
        verdict.doubts,
        [Doubt::WithoutProcessor { share: 0.25, crowd }]
    );
}

/// A program that ends at once lasts longer in MPI_Init and MPI_Finalize than between them.
#[test]
fn a_delay_longer_than_the_run_was_not_in_it() {
    let (_, verdict) = without_processor([0, 5_000], 2);
    assert_eq!(verdict.losses[0].certainty, Certainty::Sure);
    assert_eq!(verdict.doubts, []);
}

#[test]
fn a_host_with_fewer_processors_than_ranks_is_told() {
    let (mut trace, _) = without_processor([10, 30], 2);
    let crowd = |trace: &Trace| {
        let matching = trace.matching();
        let verdict = Verdict::of(trace, &matching, &Profile::of(trace, &matching));
        verdict.words(trace).doubts.join("")
    };
    assert!(!crowd(&trace).contains("processors"));
    let mut third = trace.definitions.processes[1].clone();
    third.rank = Rank(2);
    trace.definitions.processes.push(third);
    expect!["what ranks did in 33 % of their time: they were ready to run and had no processor (3 ranks on 2 processors), which looks like computation, slow calls or waiting"].assert_eq(&crowd(&trace));
}

#[test]
fn what_hardly_is_in_the_trace_makes_nothing_sure() {
    let picture = "
        0: 0 enter(MPI_Barrier) 50 barrier{ 51 } 51 leave(MPI_Barrier) 60 off 90 on 100
        1: 0 50 enter(MPI_Barrier) 50 barrier{ 51 } 51 leave(MPI_Barrier) 100";
    let (_, verdict) = judged(picture);
    assert_eq!(verdict.losses[0].certainty, Certainty::Likely);
    assert_eq!(verdict.doubts, [Doubt::Unrecorded(0.15)]);
}

#[test]
fn clocks_that_are_worse_than_the_waits_tell_no_cause() {
    let (trace, verdict) = judged(
        "0: 0 10 enter(MPI_Recv) !at(a.c:9) 12 recv<1 30 leave(MPI_Recv) 80
         1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send) 80",
    );
    assert_eq!(verdict.losses[0].kind, Kind::Waiting);
    assert_eq!(
        verdict.doubts,
        [Doubt::Clocks(1.0), Doubt::Unexplained(1.0)]
    );
    assert!(!verdict.words(&trace).headline.contains("nothing"));
}

/// Returns kinds and ranks of the losses, most first.
fn kinds(picture: &str) -> Vec<(Kind, Vec<u32>)> {
    let losses = judged(picture).1.losses.into_iter();
    losses.map(|it| (it.kind, it.ranks)).collect()
}

#[test]
fn receives_in_wrong_order_hide_nothing_else_of_the_rank_that_is_late() {
    let picture = "
        0: 0 enter(MPI_Recv) !at(a.c:5) 50 recv<1 51 leave(MPI_Recv) 81 enter(MPI_Recv) !at(a.c:7) 81 recv<2 82 leave(MPI_Recv) 112 enter(MPI_Barrier) 112 barrier{ 172 } 172 leave(MPI_Barrier)
        1: 0 50 enter(MPI_Send) 50 send>0 51 leave(MPI_Send) 171 enter(MPI_Barrier) 171 barrier{ 172 } 172 leave(MPI_Barrier)
        2: 0 10 enter(MPI_Send) 10 send>0 11 leave(MPI_Send) 112 enter(MPI_Barrier) 112 barrier{ 172 } 172 leave(MPI_Barrier)";
    let expected = [
        (Kind::UnevenComputation, vec![1]),
        (Kind::WrongOrder, vec![0]),
    ];
    assert_eq!(kinds(picture), expected);
}

#[test]
fn receives_in_wrong_order_are_told_of_all_that_wait() {
    let late = |rank: i64| {
        format!("{rank}: 0 enter(MPI_Recv) !at(a.c:5) 50 recv<2 51 leave(MPI_Recv) 81 enter(MPI_Recv) !at(a.c:7) 81 recv<3 82 leave(MPI_Recv) 112\n")
    };
    let picture = format!(
        "{}{}2: 0 50 enter(MPI_Send) 50 send>0 50 send>1 51 leave(MPI_Send) 112
         3: 0 10 enter(MPI_Send) 10 send>0 10 send>1 11 leave(MPI_Send) 112",
        late(0),
        late(1)
    );
    let (trace, verdict) = judged(&picture);
    let said = &verdict.words(&trace).losses[0];
    expect!["receives in wrong order, 22 % (100 ns): ranks 0 and 1 wait for rank 2 in MPI_Recv at a.c:5, 2 times in all, while a message of rank 3 is there, which is received later in MPI_Recv at a.c:7; to receive what has come first would save up to 60 ns"].assert_eq(&said.text);
}

#[test]
fn contention_hides_nothing_else_of_the_master() {
    let exchange = |at: i64, since: i64, own: &str, other: i64, begin: i64| {
        format!("{at} {own} {since} enter(MPI_Recv) !at(a.c:9) {begin} recv<{other} {begin} leave(MPI_Recv)")
    };
    let send = |to: i64| format!("enter(MPI_Send) !at(a.c:5) @ send>{to} @ leave(MPI_Send)");
    let send = |to: i64, at: i64| send(to).replace('@', &at.to_string());
    let master = |_: i64, at: i64| {
        let receive = |from: i64, at: i64| {
            format!("{at} enter(MPI_Recv) !at(a.c:3) {at} recv<{from} {at} leave(MPI_Recv)")
        };
        let (one, two) = (at + 21, at + 41);
        format!(
            "{} {one} {} {} {two} {}",
            receive(1, at + 1),
            send(1, one),
            receive(2, one),
            send(2, two)
        )
    };
    let worker = |answered: i64| {
        move |_: i64, at: i64| exchange(at + 1, at + 1, &send(0, at + 1), 0, at + answered)
    };
    let (one, two) = (worker(21), worker(41));
    let picture = rounds(6, 45, &[&master, &one, &two]);
    let lines = picture.lines().zip([390, 275, 275]);
    let lines = lines.map(|(line, at)| {
        format!("{line} {at} enter(MPI_Barrier) {at} barrier{{ 391 }} 391 leave(MPI_Barrier)")
    });
    let lines: Vec<String> = lines.collect();
    let kinds = kinds(&lines.join("\n"));
    assert_eq!(kinds[0], (Kind::Contention, vec![0]));
    assert_eq!(kinds[1], (Kind::UnevenComputation, vec![0]));
}

#[test]
fn a_master_that_waits_itself_is_no_contention() {
    let receive = |from: i64, at: i64, end: i64| {
        format!("{at} enter(MPI_Recv) !at(a.c:3) {end} recv<{from} {end} leave(MPI_Recv)")
    };
    let send = |to: i64, at: i64| {
        format!("{at} enter(MPI_Send) !at(a.c:5) {at} send>{to} {at} leave(MPI_Send)")
    };
    // It answers nobody before the slow one has come.
    let master = |_: i64, at: i64| {
        let received = format!(
            "{} {}",
            receive(1, at + 1, at + 2),
            receive(2, at + 2, at + 41)
        );
        format!("{received} {} {}", send(1, at + 41), send(2, at + 41))
    };
    let worker = |computes: i64| {
        move |_: i64, at: i64| {
            let sent = at + computes;
            format!("{} {}", send(0, sent), receive(0, sent, at + 42))
        }
    };
    let (quick, slow) = (worker(1), worker(40));
    let kinds = kinds(&rounds(6, 45, &[&master, &quick, &slow]));
    assert!(kinds.iter().all(|it| it.0 != Kind::Contention), "{kinds:?}");
    assert_eq!(kinds[0].1, [2], "{kinds:?}");
}

/// Three barriers, at which rank 1 is late, and what rank 0 does for so long after.
fn late_at_three(rest: i64) -> String {
    let rank = |own: i64| {
        let barrier = |line: i64| {
            let (at, end) = (40 * (line - 1) + own, 40 * line);
            format!("{at} enter(MPI_Barrier) !at(a.c:{line}) {at} barrier{{ {end} }} {end} leave(MPI_Barrier)")
        };
        (1..=3).map(barrier).collect::<Vec<_>>().join(" ")
    };
    let (zero, one) = (rank(10), rank(40));
    format!("0: 0 {zero} {}\n1: 0 {one} 121", 121 + rest)
}

#[test]
fn a_rank_is_slow_only_if_it_computes_longer_than_others() {
    check(
        &late_at_three(0),
        &expect![[r#"
            37 % of the ranks' time from first to last event is waiting (90 ns), 0 % is in MPI otherwise
            a slow rank, 37 % (90 ns): rank 1 computes for 121 ns, others for 31 ns in the mean; these wait for it after at least 3 stretches of the program, most between MPI_Barrier at a.c:2 and MPI_Barrier at a.c:3 (the two calls enclose it)
              sure: 100 % of all waiting is charged to what caused it
              trace with --sample 1ms or with regions for the lines in between; compare its core, memory (NUMA) and clock with the others', and how much work it is given"#]],
    );
    let kinds = kinds(&late_at_three(300));
    assert_eq!(kinds[0], (Kind::UnevenComputation, vec![1]));
}

#[test]
fn growth_that_is_no_ranks_own_names_none() {
    // In each round another rank computes longer, and later rounds longer than those before.
    let begin = |round: i64| 40 * round + 2 * round * round;
    let rank = |number: i64| {
        let barrier = |round: i64| {
            let own = if round % 4 == number {
                begin(round + 1) - begin(round)
            } else {
                10
            };
            let (at, end) = (begin(round) + own - 1, begin(round + 1));
            format!("{at} enter(MPI_Barrier) !at(a.c:5) {at} barrier{{ {end} }} {end} leave(MPI_Barrier)")
        };
        let all: Vec<String> = (0..40).map(barrier).collect();
        format!("{number}: 0 {}", all.join(" "))
    };
    let lines: Vec<String> = (0..4).map(rank).collect();
    let (trace, verdict) = judged(&lines.join("\n"));
    let at = verdict
        .losses
        .iter()
        .position(|it| it.kind == Kind::GrowingIterations);
    let at = at.unwrap();
    assert_eq!(verdict.losses[at].ranks, [0; 0]);
    let said = &verdict.words(&trace).losses[at];
    expect![[r#"
        iterations grow, 44 % (8.45 µs): each of 39 iterations takes 70 ns at the begin and 174 ns at the end (medians of the first and the last third): no rank's own time, without waiting, grows by half as much: which rank is the cause is not told
        sure: most pairs of iterations say so, which is no chance
        compare the first iterations with the last: what ranks wait for there, and whether each takes a little longer"#]].assert_eq(&format!("{}\n{}\n{}", said.text, said.why, said.next));
}

#[test]
fn messages_that_grow_are_told_with_their_line() {
    // Each round's broadcast takes 4 ns longer than the one before, the barrier behind it 2 ns always.
    let begin = |round: i64| 20 * round + 2 * round * round;
    let rank = |number: i64| {
        let round = |round: i64| {
            let (at, end) = (begin(round) + 10, begin(round + 1) - 4);
            let met = begin(round + 1);
            format!(
                "{at} enter(MPI_Bcast) !at(a.c:5) {at} bcast(root=0){{ {end} }} {end} leave(MPI_Bcast) \
                 {} enter(MPI_Barrier) !at(a.c:7) {} barrier{{ {met} }} {met} leave(MPI_Barrier)",
                end + 2,
                end + 2
            )
        };
        let all: Vec<String> = (0..40).map(round).collect();
        format!("{number}: 0 {}", all.join(" "))
    };
    let lines: Vec<String> = (0..2).map(rank).collect();
    let (trace, verdict) = judged(&lines.join("\n"));
    let said = &verdict.words(&trace).losses[0];
    expect![[r#"
        iterations grow, 53 % (4.22 µs): each of 39 iterations takes 50 ns at the begin and 154 ns at the end (medians of the first and the last third): ranks 0 and 1 are longer and longer in MPI_Bcast at a.c:5, waiting aside
        sure: most pairs of iterations say so, which is no chance
        see whether its messages grow from iteration to iteration, or become more"#]]
    .assert_eq(&format!("{}\n{}\n{}", said.text, said.why, said.next));
}

#[test]
fn imbalance_behind_overlap_names_who_computes_longer() {
    // Both post, compute (rank 1 for longer), and are in MPI_Waitall until rank 1 has come.
    let rank = |other: i64, computes: i64| {
        move |_: i64, at: i64| {
            let (post, sent, came, end) = (at + 2, at + 4, at + 4 + computes, at + 66);
            format!(
                "{post} enter(MPI_Irecv) !at(a.c:5) {post} irecv#1 {post} leave(MPI_Irecv) \
                 {post} enter(MPI_Isend) !at(a.c:6) {post} isend>{other}#2 {sent} leave(MPI_Isend) \
                 {came} enter(MPI_Waitall) !at(a.c:9) {end} wait<{other}#1 {end} wait#2 {end} leave(MPI_Waitall)"
            )
        }
    };
    let (zero, one) = (rank(1, 16), rank(0, 56));
    let picture = rounds(6, 70, &[&zero, &one]);
    let (trace, verdict) = judged(&picture);
    let words = verdict.words(&trace);
    let losses = words.losses.iter();
    let losses: Vec<String> = losses
        .map(|it| format!("{}\n{}\n{}", it.text, it.why, it.next))
        .collect();
    expect![[r#"
        late progress, 29 % (240 ns): rank 1 computes longer between MPI_Isend at a.c:6 and MPI_Waitall at a.c:9 while its messages are under way; those at the other side, most rank 0, are in MPI_Waitall at a.c:9 until then, although both sides of these messages had been begun before (the two calls enclose it)
        likely: 6 such calls ended in 36 ns after that, together; whether MPI needed that rank or the way took so long, the trace does not tell
        trace with --sample 1ms or with regions for the lines in between; give less to do there, or call MPI_Test in between: many libraries carry large messages only while ranks are in their calls
        time in MPI that is no waiting, 12 % (96 ns): 75 % of it in MPI_Waitall at a.c:9, in 12 calls, most on rank 0
        open: what of it can be spared the trace does not tell
        see whether it can be called less often, or go on beside the computation"#]]
    .assert_eq(&losses.join("\n"));
}

#[test]
fn who_was_late_as_others_were_is_not_said_to_compute_longer() {
    // Rank 1 comes late to MPI_Waitall, as it was late to post, and computes no longer than rank 0.
    let rank = |other: i64, posts: i64| {
        move |_: i64, at: i64| {
            let (post, came, end) = (at + posts, at + posts + 20, at + 66);
            format!(
                "{post} enter(MPI_Irecv) !at(a.c:5) {post} irecv#1 {post} leave(MPI_Irecv) \
                 {post} enter(MPI_Isend) !at(a.c:6) {post} isend>{other}#2 {post} leave(MPI_Isend) \
                 {came} enter(MPI_Waitall) !at(a.c:9) {end} wait<{other}#1 {end} wait#2 {end} leave(MPI_Waitall)"
            )
        }
    };
    let (zero, one) = (rank(1, 2), rank(0, 40));
    let (_, verdict) = judged(&rounds(6, 70, &[&zero, &one]));
    let told: Vec<(Kind, &[u32])> = (verdict.losses.iter())
        .map(|it| (it.kind, &it.ranks[..]))
        .collect();
    assert!(told.contains(&(Kind::UnevenComputation, &[1])), "{told:?}");
    assert!(
        !told.iter().any(|it| it.0 == Kind::LateProgress),
        "{told:?}"
    );
}

#[test]
fn small_messages_are_of_all_that_send_them() {
    let rank = |other: i64| {
        move |_: i64, at: i64| {
            let (send, receive) = (at + 1, at + 4);
            format!(
                "{send} enter(MPI_Send) !at(a.c:5) {send} send>{other}(bytes=8) {} leave(MPI_Send) \
                 {receive} enter(MPI_Recv) !at(a.c:6) {receive} recv<{other}(bytes=8) {} leave(MPI_Recv)",
                send + 1,
                receive + 1
            )
        }
    };
    let (zero, one) = (rank(1), rank(0));
    let (trace, verdict) = judged(&rounds(1500, 10, &[&zero, &one]));
    let said = &verdict.words(&trace).losses[0];
    expect!["small messages, 20 % (6 µs): 3000 messages of 8 bytes in the mean, from ranks 0 and 1; each takes 1 ns in MPI_Send at a.c:5, which sends most"].assert_eq(&said.text);
}

#[test]
fn what_was_done_already_is_not_advised() {
    let picture = "0: 0 10 enter(MPI_Recv) !at(a.c:9) 12 recv<1 30 leave(MPI_Recv) 80
         1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send) 80";
    let (trace, verdict) = judged(picture);
    let words = verdict.clone().words(&trace);
    assert_eq!(words.losses[0].next, "correct the clocks (`mpiscope sync`)");
    assert!(words.doubts[0].ends_with(": `mpiscope sync` corrects them"));
    let words = verdict.with_corrected(true).words(&trace);
    assert!(!words.losses[0].next.contains("mpiscope sync"));
    assert!(words.doubts[0].ends_with(", corrected as these are"));
}

#[test]
fn times_that_no_sum_holds_are_no_panic() {
    let late = "9000000000000000000";
    let wait = |rank: u32| {
        format!("{rank}: 0 enter(MPI_Recv) !at(a.c:5) {late} recv<3 {late} leave(MPI_Recv)\n")
    };
    let send = |to: u32| format!("{late} enter(MPI_Send) {late} send>{to} {late} leave(MPI_Send)");
    let sends = [0, 1, 2].map(send).join(" ");
    let picture = format!("{}{}{}3: 0 {sends}", wait(0), wait(1), wait(2));
    let (trace, verdict) = judged(&picture);
    verdict.words(&trace);
    assert_eq!(verdict.losses[0].ranks, [3]);
}
