//! The classical cases, each in a picture.

use expect_test::{expect, Expect};
use mpiscope_model::Trace;

use crate::profile::{Activity, Profile, Statement};

/// Writes each delay with its costs, and what all of them are.
#[track_caller]
fn check(picture: &str, expected: &Expect) {
    let trace = Trace::parse(picture).unwrap();
    let profile = Profile::of(&trace, &trace.matching());
    let causes = profile.causes.as_ref().unwrap();
    let regions = &trace.definitions.regions;
    let statement = |it: &Option<Statement>| {
        let region = it.and_then(|it| it.place.region);
        region.map_or("", |it| &regions[it.index()].name)
    };
    let name = |activity: &Activity| match activity {
        Activity::Mpi(it) | Activity::Threads(it) => statement(&Some(*it)).to_owned(),
        Activity::Region(region) => regions[region.index()].name.clone(),
        Activity::Between(from, to) => format!("{}..{}", statement(from), statement(to)),
        Activity::Unrecorded => unreachable!("nobody knows"),
    };
    let mut rows: Vec<String> = Vec::new();
    for delay in &causes.delays {
        rows.push(format!(
            "rank {} {}: short-term {} long-term {}",
            delay.rank,
            name(&profile.activities[delay.activity as usize].0),
            delay.short_term.0,
            delay.long_term.0
        ));
    }
    let rest = &causes.rest;
    rows.push(format!(
        "waiting {}: indirect {}, propagating {}; unrecorded {}, contradicting {}, without excess {}",
        causes.waiting.0,
        causes.indirect.0,
        causes.propagating.0,
        rest.unrecorded.0,
        rest.contradicting.0,
        rest.without_excess.0
    ));
    expected.assert_eq(&rows.join("\n"));
}

/// Times of broken clocks, whose sums no number holds: nothing overflows.
#[test]
fn waiting_longer_than_numbers_tell_is_as_long_as_they_do() {
    check(
        "0: 0 10 barrier{ 9223372036854775807 }
         1: 0 30 barrier{ 9223372036854775807 }
         2: -9223372036854775807 9223372036854775806 barrier{ 9223372036854775807 }",
        &expect![[r#"
            rank 2 ..: short-term 9223372036854775807 long-term 0
            waiting 9223372036854775807: indirect 0, propagating 0; unrecorded 0, contradicting 0, without excess 0"#]],
    );
}

#[test]
fn who_computes_longer_before_a_barrier_delays_the_others() {
    check(
        "0: 0 10 barrier{ 50 }
         1: 0 30 barrier{ 50 }
         2: 0 40 barrier{ 50 }",
        &expect![[r#"
            rank 2 ..: short-term 40 long-term 0
            waiting 40: indirect 0, propagating 0; unrecorded 0, contradicting 0, without excess 0"#]],
    );
}

#[test]
fn balanced_programs_have_no_delays() {
    check(
        "0: 0 10 barrier{ 12 } 40 barrier{ 42 }
         1: 0 10 barrier{ 12 } 40 barrier{ 42 }",
        &expect![
            "waiting 0: indirect 0, propagating 0; unrecorded 0, contradicting 0, without excess 0"
        ],
    );
}

#[test]
fn what_was_before_both_waited_the_last_time_is_no_delay() {
    check(
        "0: 0 10 barrier{ 30 } 60 barrier{ 70 }
         1: 0 30 barrier{ 30 } 40 barrier{ 70 }",
        &expect![[r#"
            rank 0 ..: short-term 20 long-term 0
            rank 1 ..: short-term 20 long-term 0
            waiting 40: indirect 0, propagating 0; unrecorded 0, contradicting 0, without excess 0"#]],
    );
}

#[test]
fn the_first_of_a_chain_delays_the_last() {
    check(
        "0: 0 10 enter(MPI_Recv) 72 recv<1 73 leave(MPI_Recv) 80
         1: 0 10 enter(MPI_Recv) 52 recv<2 53 leave(MPI_Recv) 53 enter(MPI_Send) 53 send>0 54 leave(MPI_Send)
         2: 0 50 enter(MPI_Send) 51 send>1 52 leave(MPI_Send)",
        &expect![[r#"
            rank 2 ..MPI_Send: short-term 40 long-term 40
            rank 1 MPI_Recv: short-term 3 long-term 0
            waiting 83: indirect 40, propagating 40; unrecorded 0, contradicting 0, without excess 0"#]],
    );
}

#[test]
fn a_receiver_that_comes_late_delays_its_sender() {
    check(
        "0: 0 10 enter(MPI_Ssend) 10 send>1 42 leave(MPI_Ssend)
         1: 0 40 enter(MPI_Recv) 41 recv<0 42 leave(MPI_Recv)",
        &expect![[r#"
            rank 1 ..MPI_Recv: short-term 30 long-term 0
            waiting 30: indirect 0, propagating 0; unrecorded 0, contradicting 0, without excess 0"#]],
    );
}

#[test]
fn regions_are_compared_with_themselves() {
    check(
        "0: 0 enter(main) 10 enter(solve) 20 leave(solve) 20 barrier{ 50 } 60 leave(main)
         1: 0 enter(main) 20 enter(solve) 40 leave(solve) 40 barrier{ 50 } 60 leave(main)",
        &expect![[r#"
            rank 1 main: short-term 10 long-term 0
            rank 1 solve: short-term 10 long-term 0
            waiting 20: indirect 0, propagating 0; unrecorded 0, contradicting 0, without excess 0"#]],
    );
}

#[test]
fn computation_is_compared_across_lines_that_differ_by_rank() {
    check(
        "0: 0 10 barrier{ 20 } 70 enter(MPI_Recv) 72 recv<1 73 leave(MPI_Recv) 80
         1: 0 20 barrier{ 20 } 71 enter(MPI_Send) 71 send>0 72 leave(MPI_Send) 80",
        &expect![[r#"
            rank 1 ..: short-term 10 long-term 0
            rank 1 ..MPI_Send: short-term 1 long-term 0
            waiting 11: indirect 0, propagating 0; unrecorded 0, contradicting 0, without excess 0"#]],
    );
}

#[test]
fn who_was_not_recorded_is_charged_with_nothing() {
    check(
        "0: 0 10 enter(MPI_Recv) 46 recv<1(seq=1) 47 leave(MPI_Recv)
         1: 0 10 off 35 on 45 enter(MPI_Send) 45 send>0(seq=1) 46 leave(MPI_Send)",
        &expect![[r#"
            rank 1 ..: short-term 5 long-term 0
            rank 1 ..MPI_Send: short-term 5 long-term 0
            waiting 35: indirect 0, propagating 0; unrecorded 25, contradicting 0, without excess 0"#]],
    );
    check(
        "0: 0 10 barrier{ 50 }
         1: 30 40 barrier{ 50 }",
        &expect!["waiting 30: indirect 0, propagating 0; unrecorded 30, contradicting 0, without excess 0"],
    );
}

/// Rank 1 is started late, and computes longer later on.
#[test]
fn who_is_started_late_is_compared_since_all_were_in_mpi_init() {
    check(
        "0: 0 enter(MPI_Init) 110 leave(MPI_Init) 120 barrier{ 140 }
         1: 100 enter(MPI_Init) 110 leave(MPI_Init) 140 barrier{ 140 }",
        &expect![[r#"
            rank 1 MPI_Init..: short-term 20 long-term 0
            waiting 20: indirect 0, propagating 0; unrecorded 0, contradicting 0, without excess 0"#]],
    );
    // Who leaves MPI_Init late was longer in it since.
    check(
        "0: 0 enter(MPI_Init_thread) 110 leave(MPI_Init_thread) 120 barrier{ 140 }
         1: 100 enter(MPI_Init_thread) 130 leave(MPI_Init_thread) 140 barrier{ 140 }",
        &expect![[r#"
            rank 1 MPI_Init_thread: short-term 20 long-term 0
            waiting 20: indirect 0, propagating 0; unrecorded 0, contradicting 0, without excess 0"#]],
    );
}

#[test]
fn who_was_not_in_mpi_init_with_all_others_is_compared_since_the_begin() {
    // Rank 0 had left it before.
    check(
        "0: 0 enter(MPI_Init) 10 leave(MPI_Init) 20 barrier{ 140 }
         1: 100 enter(MPI_Init) 110 leave(MPI_Init) 140 barrier{ 140 }",
        &expect![[r#"
            rank 1 MPI_Init..: short-term 20 long-term 0
            waiting 120: indirect 0, propagating 0; unrecorded 100, contradicting 0, without excess 0"#]],
    );
    // Rank 1 does not call it, as its recording begins later.
    check(
        "0: 0 enter(MPI_Init) 110 leave(MPI_Init) 120 barrier{ 140 }
         1: 100 140 barrier{ 140 }",
        &expect![[r#"
            rank 1 ..: short-term 5 long-term 0
            waiting 20: indirect 0, propagating 0; unrecorded 15, contradicting 0, without excess 0"#]],
    );
}

#[test]
fn clocks_that_contradict_each_other_charge_nobody() {
    check(
        "0: 0 10 enter(MPI_Recv) 20 recv<1 30 leave(MPI_Recv) 50
         1: 0 40 enter(MPI_Send) 45 send>0 60 leave(MPI_Send)",
        &expect!["waiting 20: indirect 0, propagating 0; unrecorded 0, contradicting 20, without excess 0"],
    );
}

#[test]
fn threads_are_compared_since_they_were_forked() {
    check(
        "0: 0 20 fork(2) 21 team_begin(t) 30 enter(omp_barrier) 71 leave(omp_barrier) 72 team_end(t) 73 join
         0.1: 22 team_begin(t) 70 enter(omp_barrier) 71 leave(omp_barrier) 72 team_end(t)",
        &expect![[r#"
            rank 0 ..: short-term 38 long-term 0
            waiting 40: indirect 0, propagating 0; unrecorded 2, contradicting 0, without excess 0"#]],
    );
}

#[test]
fn a_slow_thread_of_another_rank_is_found_behind_its_first_thread() {
    check(
        "0: 0 5 fork(2) 5 team_begin(t) 6 enter(omp_barrier) 51 leave(omp_barrier) 52 team_end(t) 53 join \
            55 enter(MPI_Send) 55 send>1 56 leave(MPI_Send)
         0.1: 5 team_begin(t) 50 enter(omp_barrier) 51 leave(omp_barrier) 52 team_end(t)
         1: 0 8 enter(MPI_Recv) 56 recv<0 57 leave(MPI_Recv)",
        &expect![[r#"
            rank 0 ..: short-term 44 long-term 44
            rank 0 ..MPI_Send: short-term 2 long-term 0
            rank 0 omp_barrier: short-term 1 long-term 0
            waiting 91: indirect 44, propagating 44; unrecorded 0, contradicting 0, without excess 0"#]],
    );
}
