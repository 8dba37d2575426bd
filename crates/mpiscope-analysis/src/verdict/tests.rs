//! What is said of small runs, drawn.

use expect_test::{expect, Expect};
use mpiscope_model::Trace;

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
            31 % of the ranks' time between MPI_Init and MPI_Finalize is waiting (50 ns), 11 % is in MPI otherwise
            uneven computation, 31 % (50 ns): rank 1 computes longer between MPI_Barrier at a.c:7 and MPI_Send at a.c:12 than those that wait, most rank 0 (the two calls enclose it)
              sure: 100 % of all waiting is charged to what caused it
              trace with --sample 1ms or with regions for the lines in between; give less to do there, or the others more
            time in MPI that is no waiting, 11 % (17 ns): 76 % of it in MPI_Recv at a.c:9, in 1 call with 0 bytes, most on rank 0
              open: what of it can be spared the trace does not tell
              see whether less can be sent, or while computing"#]],
    );
}

#[test]
fn a_run_in_which_nobody_waits_is_told_so() {
    check(
        "0: 0 100 enter(MPI_Send) 100 send>1 101 leave(MPI_Send) 200
         1: 0 101 enter(MPI_Recv) 101 recv<0 102 leave(MPI_Recv) 200",
        &expect!["nothing was lost that matters: 0.2 % of the ranks' time between MPI_Init and MPI_Finalize is waiting (1 ns), 0.2 % is in MPI otherwise"],
    );
    check(
        "0: 5",
        &expect!["no time went by between MPI_Init and MPI_Finalize: nothing can be told"],
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
