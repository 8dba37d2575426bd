//! The report of small runs, drawn.

use std::path::Path;

use expect_test::{expect, Expect};
use mpiscope_analysis::clock_errors::{ClockErrors, HalfWidths};
use mpiscope_archive::model::statistics::{
    Figures, Kind, Peer, Process, Record, Side, Statement, Statistics,
};
use mpiscope_archive::model::{ClockDomain, Duration, LocationIndex, Timestamp, Trace};

use super::super::facts::Facts;
use super::super::{counted, traced};
use crate::input::Input;
use crate::stats::Loaded;
use crate::testing::has_documented_keys;
use crate::uncertainty;

/// Rank 1 works long, sends and comes last to the barrier.
const PICTURE: &str = "
    0: 0 enter(MPI_Recv) !at(src/a.c:7) 5200 recv<1(bytes=8) 5300 leave(MPI_Recv) \
       5400 enter(MPI_Barrier) !at(src/a.c:9) 5400 barrier{ 9100 } 9100 leave(MPI_Barrier) 9200
    1: 0 5000 enter(MPI_Send) !at(src/b.c:3) 5000 send>0(bytes=8) 5100 leave(MPI_Send) \
       9000 enter(MPI_Barrier) !at(src/b.c:5) 9000 barrier{ 9100 } 9100 leave(MPI_Barrier) 9200";

/// A run on one host, so of one clock.
fn input(picture: &str) -> Input {
    let mut trace = Trace::parse(picture).unwrap();
    let locations = 0..trace.locations.len() as u32;
    trace.clocks = vec![ClockDomain {
        locations: locations.map(LocationIndex).collect(),
        measurements: Vec::new(),
    }];
    Input {
        path: Path::new("run").to_owned(),
        trace,
        ..Input::default()
    }
}

fn facts(input: &Input) -> Facts {
    traced::facts(
        input,
        uncertainty::of_input(input).0,
        traced::Asked::default(),
    )
}

#[track_caller]
fn check(picture: &str, top: usize, expected: &Expect) {
    expected.assert_eq(&super::text(&facts(&input(picture)), top));
}

/// One receive that waited 30 of 40 ns, if that was told apart, and a barrier.
fn monitored(separated: u64) -> Loaded {
    let statement = |name: &str, line| Statement {
        kind: Kind::Communication,
        name: name.into(),
        file: "src/a.c".into(),
        line,
        end: line,
        ..Statement::default()
    };
    let record = |rank, statement, peer, side, delay| Record {
        rank,
        statement,
        peer,
        side,
        figures: Figures {
            calls: 2,
            time: 40_000,
            delay: if separated > 0 { delay } else { 0 },
            separated,
            ..Figures::default()
        },
        ..Record::default()
    };
    let rank = |rank| Process {
        rank,
        duration: 100_000,
        thread_time: 100_000,
        ..Process::default()
    };
    Loaded {
        statistics: Statistics {
            statements: vec![statement("MPI_Recv", 7), statement("MPI_Barrier", 9)],
            records: vec![
                record(0, 0, Peer::Rank(1), Side::Received, 30_000),
                record(0, 1, Peer::All(2), Side::Collective, 20_000),
                record(1, 1, Peer::All(2), Side::Collective, 0),
            ],
            ranks: vec![rank(0), rank(1)],
        },
        ..Loaded::default()
    }
}

#[test]
fn what_matters_comes_first() {
    check(
        PICTURE,
        10,
        &expect![[r#"
            run: 2 ranks, 9.2 µs from first to last event
            verdict: 47 % of the ranks' time from first to last event is waiting (8.6 µs), 3.3 % is in MPI otherwise
              1. uneven computation, 27 % (5 µs): rank 1 computes longer before MPI_Send at b.c:3 than those that wait, most rank 0
                 sure: 100 % of all waiting is charged to what caused it
                 mending it would gain 2.5 µs of 9.2 µs (27.2 %), if ..MPI_Send@b.c:3 takes 0.5 times as long
                 next: trace with --sample 1ms or with regions for the lines in between; give less to do there, or the others more
              2. uneven computation, 19 % (3.51 µs): rank 1 computes longer between MPI_Send at b.c:3 and MPI_Barrier at b.c:5 than those that wait, most rank 0 (the two calls enclose it)
                 sure: 100 % of all waiting is charged to what caused it
                 mending it would gain 1.95 µs of 9.2 µs (21.2 %), if MPI_Send@b.c:3..MPI_Barrier@b.c:5 takes 0.5 times as long
                 next: trace with --sample 1ms or with regions for the lines in between; give less to do there, or the others more

            MPI: 9.2 µs, 50 % of the time of all threads; of that waiting 8.6 µs, 46.7 % of the time
            worst: MPI_Recv at a.c:7 (late sender), 5 µs, 100 % of it on rank 0, 100 % for rank 1
            outside of MPI: 4.6 µs a rank in the mean, most on rank 1 with 9 µs: a perfect balance would save 48.9 % of that
            parallel efficiency: 50 % = load balance 51.1 % × communication 97.8 % (serialization 100 % × transfer 97.8 %)
            iterations: none: no statement is called again and again, for a good part of the time, with the same calls in between

              wait state       times  waiting   share
              late sender          1     5 µs  27.2 %
              wait at barrier      1   3.6 µs  19.6 %

              statement             calls    time  waiting       wait state  who waits  for whom  bytes
              MPI_Recv at a.c:7         1  5.3 µs     5 µs      late sender     rank 0    rank 1    8 B
              MPI_Barrier at a.c:9      1  3.7 µs   3.6 µs  wait at barrier     rank 0    rank 1
              MPI_Barrier at b.c:5      1  100 ns     0 ns
              MPI_Send at b.c:3         1  100 ns     0 ns                                          8 B

            root causes: 100 % of all waiting was caused directly, 0 % through waits of others
              took longer than on those that waited                       rank  short-term  long-term  of all waiting
              computation up to MPI_Send at b.c:3                            1        5 µs                     58.1 %
              computation from MPI_Send at b.c:3 to MPI_Barrier at b.c:5     1     3.51 µs                     40.8 %
              MPI_Send at b.c:3                                              1       92 ns                     1.07 %

            critical path: 97.8 % computation, 2.17 % in MPI, 2 segments
              on the critical path                                          time   share  imbalance  caused waiting
              computation up to MPI_Send at b.c:3                           5 µs  54.3 %     2.5 µs            5 µs
              computation from MPI_Send at b.c:3 to MPI_Barrier at b.c:5  3.9 µs  42.4 %    1.95 µs          3.6 µs
              MPI_Barrier at a.c:9                                        100 ns  1.09 %      50 ns
              computation after MPI_Barrier at a.c:9                      100 ns  1.09 %      50 ns
              MPI_Send at b.c:3                                           100 ns  1.09 %      50 ns

              rank    time  in MPI  waiting  caused waiting  on the critical path
              0     9.2 µs  97.8 %   8.6 µs            0 ns                2.17 %
              1     9.2 µs  2.17 %     0 ns          8.6 µs                97.8 %

              who waits for whom  times  waiting  of all waiting
              rank 0 for rank 1       2   8.6 µs           100 %

              bytes, messages: from, to rank         0  1
              0                                      .  .
              1                               8 B in 1  ."#]],
    );
}

#[test]
fn rows_beyond_those_asked_for_are_counted() {
    check(
        PICTURE,
        1,
        &expect![[r#"
            run: 2 ranks, 9.2 µs from first to last event
            verdict: 47 % of the ranks' time from first to last event is waiting (8.6 µs), 3.3 % is in MPI otherwise
              1. uneven computation, 27 % (5 µs): rank 1 computes longer before MPI_Send at b.c:3 than those that wait, most rank 0
                 sure: 100 % of all waiting is charged to what caused it
                 mending it would gain 2.5 µs of 9.2 µs (27.2 %), if ..MPI_Send@b.c:3 takes 0.5 times as long
                 next: trace with --sample 1ms or with regions for the lines in between; give less to do there, or the others more
              2. uneven computation, 19 % (3.51 µs): rank 1 computes longer between MPI_Send at b.c:3 and MPI_Barrier at b.c:5 than those that wait, most rank 0 (the two calls enclose it)
                 sure: 100 % of all waiting is charged to what caused it
                 mending it would gain 1.95 µs of 9.2 µs (21.2 %), if MPI_Send@b.c:3..MPI_Barrier@b.c:5 takes 0.5 times as long
                 next: trace with --sample 1ms or with regions for the lines in between; give less to do there, or the others more

            MPI: 9.2 µs, 50 % of the time of all threads; of that waiting 8.6 µs, 46.7 % of the time
            worst: MPI_Recv at a.c:7 (late sender), 5 µs, 100 % of it on rank 0, 100 % for rank 1
            outside of MPI: 4.6 µs a rank in the mean, most on rank 1 with 9 µs: a perfect balance would save 48.9 % of that
            parallel efficiency: 50 % = load balance 51.1 % × communication 97.8 % (serialization 100 % × transfer 97.8 %)
            iterations: none: no statement is called again and again, for a good part of the time, with the same calls in between

              wait state       times  waiting   share
              late sender          1     5 µs  27.2 %
              wait at barrier      1   3.6 µs  19.6 %

              statement          calls    time  waiting   wait state  who waits  for whom  bytes
              MPI_Recv at a.c:7      1  5.3 µs     5 µs  late sender     rank 0    rank 1    8 B
              … and 3 more: --top

            root causes: 100 % of all waiting was caused directly, 0 % through waits of others
              took longer than on those that waited  rank  short-term  long-term  of all waiting
              computation up to MPI_Send at b.c:3       1        5 µs                     58.1 %
              … and 2 more: --top

            critical path: 97.8 % computation, 2.17 % in MPI, 2 segments
              on the critical path                 time   share  imbalance  caused waiting
              computation up to MPI_Send at b.c:3  5 µs  54.3 %     2.5 µs            5 µs
              … and 4 more: --top

              rank    time  in MPI  waiting  caused waiting  on the critical path
              1     9.2 µs  2.17 %     0 ns          8.6 µs                97.8 %
              … and 1 more: --top

              who waits for whom  times  waiting  of all waiting
              rank 0 for rank 1       2   8.6 µs           100 %

              bytes, messages: from, to rank         0  1
              0                                      .  .
              1                               8 B in 1  ."#]],
    );
}

/// The run that the book draws (`crates/mpiscope-picture/tests/pictures.rs`): rank 0 computes long,
/// rank 1 waits for it, rank 2 for rank 1.
const CHAIN: &str = "
    0: 0 60000 enter(MPI_Send) !at(src/c.c:9) 60000 send>1 61000 leave(MPI_Send) \
       65000 enter(MPI_Barrier) !at(src/c.c:11) 65000 barrier{ 101000 } 101000 leave(MPI_Barrier) 105000
    1: 0 20000 enter(MPI_Recv) !at(src/c.c:7) 61000 recv<0 62000 leave(MPI_Recv) \
       72000 enter(MPI_Send) !at(src/c.c:9) 72000 send>2 73000 leave(MPI_Send) \
       77000 enter(MPI_Barrier) !at(src/c.c:11) 77000 barrier{ 101000 } 101000 leave(MPI_Barrier) 105000
    2: 0 20000 enter(MPI_Recv) !at(src/c.c:7) 73000 recv<1 74000 leave(MPI_Recv) \
       100000 enter(MPI_Barrier) !at(src/c.c:11) 100000 barrier{ 101000 } 101000 leave(MPI_Barrier) 105000";

#[test]
fn the_first_of_a_chain_is_the_root_cause() {
    let facts = facts(&input(CHAIN));
    expect![[r#"
        root causes: 50.9 % of all waiting was caused directly, 49.1 % through waits of others
          took longer than on those that waited                        rank  short-term  long-term  of all waiting
          computation up to MPI_Send at c.c:9                             0       40 µs    65.9 µs          70.6 %
          computation from MPI_Recv at c.c:7 to MPI_Barrier at c.c:11     2     21.1 µs                     14.1 %
          computation from MPI_Recv at c.c:7 to MPI_Send at c.c:9         1       10 µs    6.48 µs            11 %
          MPI_Recv at c.c:7                                               1        2 µs     1.3 µs           2.2 %
          MPI_Recv at c.c:7                                               2     3.21 µs                     2.14 %"#]].assert_eq(&super::causes::text(&facts, 5));
}

#[test]
fn what_two_functions_call_is_told_by_its_paths() {
    let rank = |number: u32, [first, second]: [u32; 2]| {
        let end = first + second;
        format!(
            "{number}: 0 enter(main) 0 enter(set_up) 0 enter(exchange) {first} leave(exchange) \
             {first} leave(set_up) {first} enter(solve) {first} enter(exchange) {end} \
             leave(exchange) {end} leave(solve) {end} enter(MPI_Barrier) {end} barrier{{ 70 }} 70 \
             leave(MPI_Barrier) 70 leave(main)\n"
        )
    };
    let facts = facts(&input(&(rank(0, [20, 40]) + &rank(1, [10, 20]))));
    expect![[r#"
        root causes: 100 % of all waiting was caused directly, 0 % through waits of others
          took longer than on those that waited  rank  short-term  long-term  of all waiting
          exchange                                  0       30 ns                      100 %
            by main / solve / exchange                      20 ns                     66.7 %
            by main / set_up / exchange                     10 ns                     33.3 %"#]]
    .assert_eq(&super::causes::text(&facts, 5));
    let paths = &facts.root_causes.unwrap().delays[0].paths;
    let paths: Vec<(String, i64)> = (paths.iter())
        .map(|it| (it.path.join("/"), it.short_term_ns))
        .collect();
    let expected = [("main/solve/exchange", 20), ("main/set_up/exchange", 10)];
    assert_eq!(paths, expected.map(|(path, ns)| (path.to_owned(), ns)));
}

#[test]
fn waiting_without_known_cause_is_told() {
    let picture = "0: 0 enter(MPI_Recv) 5002 recv<1 5003 leave(MPI_Recv)
                   1: 4000 5000 enter(MPI_Send) 5000 send>0 5003 leave(MPI_Send)
                   2: 0 enter(MPI_Recv) 8 recv<3 9 leave(MPI_Recv)
                   3: 0 400 enter(MPI_Send) 400 send>2 401 leave(MPI_Send)";
    let facts = facts(&input(picture));
    expect![[r#"
        root causes: 20 % of all waiting was caused directly, 0 % through waits of others
        not explained: 4 µs (79.9 %): recording was off or had not begun
        not explained: 9 ns (0.18 %): the clocks contradict each other
          took longer than on those that waited  rank  short-term  long-term  of all waiting
          computation up to MPI_Send                1        1 µs                       20 %"#]]
    .assert_eq(&super::causes::text(&facts, 5));
    let facts = Facts {
        no_root_causes: Some("not looked for".into()),
        ..Facts::default()
    };
    expect!["root causes: not looked for"].assert_eq(&super::causes::text(&facts, 5));
}

#[test]
fn a_trace_in_which_nobody_waits_says_so() {
    check(
        "0: 0 enter(f) 7 leave(f)",
        9,
        &expect![[r#"
            run: 1 rank, 7 ns from first to last event
            verdict: nothing was lost that matters: 0 % of the ranks' time from first to last event is waiting (0 ns), 0 % is in MPI otherwise

            MPI: 0 ns, 0 % of the time of all threads; of that waiting 0 ns, 0 % of the time
            outside of MPI: 7 ns a rank in the mean, most on rank 0 with 7 ns: a perfect balance would save 0 % of that
            parallel efficiency: 100 % = load balance 100 % × communication 100 % (serialization 100 % × transfer 100 %)
            iterations: none: no process calls MPI

            no call waited for another rank

            critical path: 100 % computation, 0 % in MPI, 1 segment
              on the critical path  time  share  imbalance  caused waiting
              f                     7 ns  100 %

              rank  time  in MPI  waiting  caused waiting  on the critical path
              0     7 ns     0 %     0 ns            0 ns                 100 %"#]],
    );
    check(
        "",
        9,
        &expect![[r#"
            run: 0 ranks, 0 ns from first to last event
            verdict: no time went by from first to last event: nothing can be told

            MPI: 0 ns, 0 % of the time of all threads; of that waiting 0 ns, 0 % of the time
            outside of MPI: 0 ns a rank in the mean, most on rank 0 with 0 ns: a perfect balance would save 0 % of that
            iterations: none: no process calls MPI

            no call waited for another rank"#]],
    );
}

#[test]
fn clocks_that_contradict_the_messages_are_told() {
    let picture = "0: 0 enter(MPI_Recv) 2 recv<1 3 leave(MPI_Recv)
                   1: 0 9 enter(MPI_Send) 9 send>0 9 leave(MPI_Send)";
    let facts = facts(&input(picture));
    expect!["1 call ended, by the clocks, before the other side had come; `mpiscope sync run` corrects them"].assert_eq(&facts.notes.join("\n"));
}

#[test]
fn statistics_tell_what_they_can() {
    let facts = counted::facts(Path::new("run"), &monitored(1));
    expect![[r#"
        run: 2 ranks, 100 µs observed, in statistics
        MPI: 120 µs, 60 % of the time of all threads; of that waiting 50 µs, 25 % of the time
        worst: MPI_Recv at a.c:7 (late sender), 30 µs, 100 % of it on rank 0, 100 % for rank 1
        outside of MPI: 40 µs a rank in the mean, most on rank 1 with 60 µs: a perfect balance would save 33.3 % of that
        note: finished; these are statistics, in which single waits and their order are not kept
        note: waiting was told apart in 3 of 6 calls, so there may have been more
        note: of collective operations records do not tell which member came last
        note: the critical path needs a trace: `mpiscope trace -- (the command of run)`

          wait state       times  waiting  share
          late sender          1    30 µs   15 %
          wait at barrier      2    20 µs   10 %

          statement             calls   time  waiting       wait state     who waits         for whom  bytes
          MPI_Recv at a.c:7         2  40 µs   ≥30 µs      late sender        rank 0           rank 1
          MPI_Barrier at a.c:9      4  80 µs   ≥20 µs  wait at barrier  rank 0 100 %  (least: rank 1)

          rank    time  in MPI  waiting  caused waiting
          0     100 µs    80 %    50 µs               -
          1     100 µs    40 %     0 ns               -

          who waits for whom  times  waiting  of all waiting
          rank 0 for rank 1       1    30 µs            60 %"#]].assert_eq(&super::text(&facts, 10));
}

#[test]
fn where_waiting_is_not_told_apart_the_option_is_named() {
    let facts = counted::facts(Path::new("run"), &monitored(0));
    assert_eq!(facts.waiting_ns, None);
    assert!(facts.worst().is_none());
    expect![[r#"
        finished; these are statistics, in which single waits and their order are not kept
        waiting was not told apart from transfer: run the program under `mpiscope monitor`
        the critical path needs a trace: `mpiscope trace -- (the command of run)`"#]]
    .assert_eq(&facts.notes.join("\n"));
}

#[test]
fn samples_tell_where_computation_was() {
    let picture = "sampled 1000000
        0: 0 1 sample(src/a.c:7*4) 2 sample(src/a.c:7*3) 3 sample(src/a.c:9) 9
        1: 0 1 sample(src/a.c:9*2) 2 sample(/lib/libm.so+0x40*6) 9";
    let mut input = input(picture);
    let sites = &mut input.trace.definitions.call_sites;
    for site in sites.iter_mut().filter(|site| site.file.is_some()) {
        site.function = Some("relax".into());
    }
    let facts = facts(&input);
    let found = facts.computation.unwrap();
    expect![[r#"
        where computation was, by 5 samples that stand for 16 periods of 1 ms of processor time outside of MPI (what is short or rare may be missing)
          function             share   time  samples    share of the ranks' computation
          relax (a.c)         62.5 %  10 ms        4  25 % on rank 1 to 100 % on rank 0
          libm.so (no names)  37.5 %   6 ms        1    0 % on rank 0 to 75 % on rank 1

          line                 share  time  samples     share of the ranks' computation
          relax at a.c:7      43.8 %  7 ms        2   0 % on rank 1 to 87.5 % on rank 0
          libm.so (no names)  37.5 %  6 ms        1     0 % on rank 0 to 75 % on rank 1
          relax at a.c:9      18.8 %  3 ms        2  12.5 % on rank 0 to 25 % on rank 1"#]].assert_eq(&super::computation::text(&found, 10));
}

#[test]
fn both_kinds_of_runs_have_the_documented_keys() {
    let traced = facts(&input(PICTURE));
    let counted = counted::facts(Path::new("run"), &monitored(2));
    for facts in [traced, counted] {
        let json = serde_json::to_value(&facts).unwrap();
        has_documented_keys(&json, "`mpiscope analyze --json");
    }
}

#[test]
fn what_clocks_leave_open_is_told_beside_the_waiting() {
    // Ranks 0 and 1 of one host, 2 and 3 of two others; of the clock of the last nothing is known.
    let picture = "0: 0 enter(MPI_Recv) 5000 recv<1 5003 leave(MPI_Recv) 9000
                   1: 0 4000 enter(MPI_Send) 4000 send>0 4003 leave(MPI_Send) \
                      5000 enter(MPI_Recv) 5090 recv<2 5095 leave(MPI_Recv) \
                      6000 enter(MPI_Recv) 7500 recv<2 7505 leave(MPI_Recv) 9000
                   2: 0 5080 enter(MPI_Send) 5080 send>1 5083 leave(MPI_Send) \
                      7500 enter(MPI_Send) 7500 send>1 7503 leave(MPI_Send) \
                      8000 enter(MPI_Recv) 8700 recv<3 8705 leave(MPI_Recv) 9000
                   3: 0 8700 enter(MPI_Send) 8700 send>2 8703 leave(MPI_Send) 9000";
    let input = input(picture);
    let errors = ClockErrors {
        clock_of: vec![Some(0), Some(0), Some(1), Some(2)],
        begin: Timestamp(0),
        window: Duration(100_000),
        windows: vec![HalfWidths {
            of_clock: vec![Some(Duration(0)), Some(Duration(120)), None],
            pairs: Vec::new(),
        }],
    };
    let facts = traced::facts(&input, errors, traced::Asked::default());
    let text = super::text(&facts, 0);
    let told: Vec<&str> = text.lines().filter(|it| !it.contains('…')).collect();
    expect![[r#"
        run: 4 ranks, 9 µs from first to last event
        verdict: 17 % of the ranks' time from first to last event is waiting (6.28 µs ± 120 ns at least), 2.9 % is in MPI otherwise
          1. uneven computation, 13 % (4.78 µs): rank 1 computes longer before MPI_Send than those that wait, most rank 0
             sure: 100 % of all waiting is charged to what caused it
             mending it would gain 2 µs of 9 µs (22.2 %), if ..MPI_Send takes 0.5 times as long
             next: trace with --sample 1ms or with regions for the lines in between; give less to do there, or the others more
          2. uneven computation, 4.2 % (1.5 µs): rank 2 computes longer between two calls of MPI_Send than those that wait, most rank 1 (the two calls enclose it)
             sure: 100 % of all waiting is charged to what caused it
             mending it alone would gain nothing of 9 µs, if MPI_Send..MPI_Send is balanced
             next: trace with --sample 1ms or with regions for the lines in between; give less to do there, or the others more

        MPI: 7.32 µs, 20.3 % of the time of all threads; of that waiting 6.28 µs (± 120 ns by the clocks), 17.4 % of the time
        below clock resolution: 80 ns of the waiting, in 1 wait: no longer than what the clocks can be wrong by
        unknown: by how much clocks are wrong against each other in 700 ns of the waiting (1 wait); `mpiscope sync run` finds it
        worst: MPI_Recv (late sender), 6.28 µs, 63.7 % of it on rank 0, 63.7 % for rank 1
        outside of MPI: 7.17 µs a rank in the mean, most on rank 3 with 9 µs: a perfect balance would save 20.3 % of that
        parallel efficiency: 79.7 % = load balance 79.7 % × communication 100 % (serialization 100 % × transfer 100 %)
        iterations: none: no statement is called again and again, for a good part of the time, with the same calls in between

          wait state   times  waiting  by the clocks  below clock resolution   share
          late sender      4  6.28 µs     ≥ ± 120 ns                   80 ns  17.4 %

          statement  calls  time  waiting  wait state  who waits  for whom  bytes

        root causes: 100 % of all waiting was caused directly, 0 % through waits of others
          took longer than on those that waited  rank  short-term  long-term  of all waiting

        critical path: 88.9 % computation, 11.1 % in MPI, 2 segments
          on the critical path  time  share  imbalance  caused waiting

          rank  time  in MPI  waiting  caused waiting  on the critical path

          who waits for whom  times  waiting  of all waiting

          bytes, messages: from, to rank         0         1         2  3
          0                                      .         .         .  .
          1                               0 B in 1         .         .  .
          2                                      .  0 B in 2         .  .
          3                                      .         .  0 B in 1  ."#]].assert_eq(&told[..].join("\n"));
    let of_ranks: Vec<i64> = (facts.by_rank.iter())
        .map(|it| it.resolution.unwrap().half_width_ns)
        .collect();
    assert_eq!(of_ranks, [0, 120, 0, 0]);
}

/// The first iteration is slow and has half the efficiency of the others; in the fifth one rank works.
#[test]
fn phases_have_efficiencies_of_their_own() {
    let turns = [
        (400, 400),
        (180, 180),
        (180, 180),
        (180, 180),
        (180, 10),
        (180, 180),
    ];
    let mut lines = ["0: 0 10 barrier{ 20 }", "1: 0 10 barrier{ 20 }"].map(str::to_owned);
    let mut now = 20;
    for (number, (one, other)) in turns.into_iter().enumerate() {
        let end = now + if number == 0 { 800 } else { 200 };
        for (line, work) in lines.iter_mut().zip([one, other]) {
            *line += &format!(" {} barrier{{ {end} }}", now + work);
        }
        now = end;
    }
    let found = facts(&input(&lines.join("\n")));
    let told: Vec<String> = crate::analyze::iterations::text(&found).collect();
    let expected = expect![[r#"
        iterations: 6 from one a call to the next, 98.9 % of the time: 200 ns in the median, from 200 ns to 800 ns
        the first iteration takes 800 ns in place of 200 ns
        only 83.3 % of the iterations call the same and take about as long
        efficiency of the iterations: 67.5 % = load balance 93.5 % × communication 72.2 % (serialization 100 % × transfer 72.2 %)
        of the first iteration: 50 % = load balance 100 % × communication 50 % (serialization 100 % × transfer 50 %)
        of the others: 81.5 % = load balance 90.6 % × communication 90 % (serialization 100 % × transfer 90 %)
        least in iteration 5: 47.5 % = load balance 52.8 % × communication 90 % (serialization 100 % × transfer 90 %)"#]];
    expected.assert_eq(&told.join("\n"));
}

#[test]
fn efficiencies_that_cannot_be_told_are_said_to_be_with_the_reason() {
    let told = |picture: &str| crate::analyze::efficiency::text(&facts(&input(picture))).unwrap();
    assert_eq!(
        told("0: 0 5 off 8 on 10\n1: 0 10"),
        "parallel efficiency: cannot tell, as a part of it was not recorded"
    );
    assert_eq!(
        told("0: 0 10\n0.1: 0 10"),
        "parallel efficiency: cannot tell, as its ranks have several threads"
    );
    assert_eq!(
        told("0: 0 40 enter(MPI_Send) 40 send>1 50 leave(MPI_Send) 100\n1: 0 100"),
        "parallel efficiency: 95 % = load balance 95 % × communication 100 % (serialization and \
         transfer: cannot tell, as of 1 send, receive or operation the other side is not in the trace)"
    );
}
