use std::collections::BTreeSet;

use mpiscope_model::Trace;

use super::permutations::{self, choose};
use super::*;
use crate::statistics::testing::parse;

fn measures(picture: &str) -> Measures {
    let trace = Trace::parse(picture).unwrap();
    Measures::of(&trace, &trace.matching())
}

/// Two ranks: one works until `sent`, the other waits for its message.
fn waits(sent: u32, line: u32) -> Measures {
    measures(&format!(
        "0: 0 enter(MPI_Init) 5 leave(MPI_Init) 10 enter(MPI_Recv) !at(/src/heat.c:{line}) {0} recv<1 {1} leave(MPI_Recv) \
            {2} enter(MPI_Finalize) {3} leave(MPI_Finalize)
         1: 0 enter(MPI_Init) 5 leave(MPI_Init) 10 enter(relax) {sent} leave(relax) {sent} enter(MPI_Send) !at(/src/heat.c:7) {sent} send>0 {0} leave(MPI_Send) \
            {2} enter(MPI_Finalize) {3} leave(MPI_Finalize)",
        sent + 2,
        sent + 4,
        sent + 10,
        sent + 20
    ))
}

fn value(run: &Measures, name: &str) -> i64 {
    let of_name = |(key, _): &(&Key, &Row)| key.typed() == name;
    run.rows.iter().find(of_name).map_or(-1, |(_, row)| row.ns)
}

#[test]
fn a_run_is_rows_that_add_up() {
    let run = waits(100, 42);
    assert_eq!(value(&run, "time"), 105);
    assert_eq!(value(&run, "relax"), 90);
    assert_eq!(value(&run, "waiting in MPI_Recv@heat.c:42"), 90);
    assert_eq!(value(&run, "MPI_Recv@heat.c:42"), 4);
    assert_eq!(value(&run, "waiting"), 90);
    // Both ranks, from the end of MPI_Init to the begin of MPI_Finalize.
    assert_eq!(run.total_ns, 2 * 105);
    assert_eq!(run.ranks, 2);
}

#[test]
fn what_got_slower_is_named_with_what_follows_from_it() {
    let runs = |sent: [u32; 5]| sent.map(|it| waits(it, 42));
    let a = runs([1000, 1004, 998, 1001, 1003]);
    let b = runs([1101, 1100, 1104, 1096, 1102]);
    let found = compare(&a, &b, &Asked::default());
    let slower: Vec<String> = found
        .rows
        .iter()
        .filter(|it| it.judgement == Judgement::Slower)
        .map(|it| it.key.typed())
        .collect();
    let expected = [
        "computation",
        "waiting",
        "time",
        "relax",
        "waiting in MPI_Recv@heat.c:42",
    ];
    assert_eq!(
        slower.iter().map(String::as_str).collect::<BTreeSet<_>>(),
        BTreeSet::from(expected)
    );
    let back = compare(&b, &a, &Asked::default());
    let faster = back
        .rows
        .iter()
        .filter(|it| it.judgement == Judgement::Faster);
    assert_eq!(faster.count(), expected.len());
}

#[test]
fn lines_that_moved_are_the_same_statements() {
    let found = compare(&[waits(100, 85)], &[waits(100, 88)], &Asked::default());
    let moved: Vec<(String, String)> = found
        .rows
        .iter()
        .filter_map(|it| Some((it.was.as_ref()?.typed(), it.key.typed())))
        .collect();
    let is_moved = |a: &str, b: &str| moved.contains(&(a.to_owned(), b.to_owned()));
    assert!(
        is_moved("MPI_Recv@heat.c:85", "MPI_Recv@heat.c:88"),
        "{moved:?}"
    );
    assert!(
        is_moved(
            "waiting in MPI_Recv@heat.c:85",
            "waiting in MPI_Recv@heat.c:88"
        ),
        "{moved:?}"
    );
    assert!(found.rows.iter().all(|it| it.only.is_none()));
}

fn call(line: u64) -> Key {
    Key::Call(Call {
        name: "MPI_Send".into(),
        file: "a.c".into(),
        at: line,
        is_line: true,
        ..Call::default()
    })
}

#[track_caller]
fn check_pairs(a: &[&[u64]], b: &[&[u64]], expected: &[(Option<u64>, Option<u64>)]) {
    let calls = |runs: &[&[u64]]| -> Vec<Vec<Key>> {
        let of_run = |lines: &&[u64]| lines.iter().copied().map(call).collect();
        runs.iter().map(of_run).collect()
    };
    let (a, b) = (calls(a), calls(b));
    let [of_a, of_b] = [&a, &b]
        .map(|runs| -> Vec<BTreeSet<&Key>> { runs.iter().map(|it| it.iter().collect()).collect() });
    let line = |it: Option<Key>| it.and_then(|it| it.calls().next().map(|it| it.at));
    let pairs = pairs::pair(&of_a, &of_b);
    let pairs: Vec<_> = pairs.into_iter().map(|(a, b)| (line(a), line(b))).collect();
    assert_eq!(pairs, expected);
}

#[test]
fn equally_many_calls_are_paired_in_their_order() {
    check_pairs(
        &[&[5, 8]],
        &[&[8, 11]],
        &[(Some(5), Some(8)), (Some(8), Some(11))],
    );
    check_pairs(
        &[&[5, 8]],
        &[&[5, 6, 8]],
        &[(Some(5), Some(5)), (None, Some(6)), (Some(8), Some(8))],
    );
    check_pairs(&[&[5]], &[&[]], &[(Some(5), None)]);
}

#[test]
fn what_single_runs_call_moves_nothing() {
    check_pairs(
        &[&[20], &[10, 20]],
        &[&[20, 30], &[20]],
        &[(Some(20), Some(20)), (None, Some(30)), (Some(10), None)],
    );
}

#[test]
fn a_small_part_of_a_slower_whole_is_tested_and_judged_by_what_a_takes() {
    let run = |part: i64, rest: i64, noise: i64| {
        let total = part + rest + noise;
        let mut run = Measures {
            time_ns: total,
            total_ns: total,
            ..Measures::default()
        };
        run.add(Key::Region("part".into()), part + noise, 1);
        run.add(Key::Region("rest".into()), rest, 1);
        run
    };
    let a = [0, 1, 2, 3, 4].map(|it| run(5000, 95_000, it));
    let b = [0, 1, 2, 3, 4].map(|it| run(10_000, 990_000, it));
    let found = compare(&a, &b, &Asked::default());
    let part = found
        .rows
        .iter()
        .find(|it| it.key == Key::Region("part".into()));
    assert_eq!(part.unwrap().judgement, Judgement::Slower);
}

#[test]
fn iterations_whose_medians_differ_the_other_way_tell_nothing() {
    // Of B most are shorter, and the one in the middle is longer.
    let run = |iterations: Vec<i64>| {
        let mut run = Measures {
            time_ns: 1000,
            total_ns: 1000,
            ..Measures::default()
        };
        let count = iterations.len() as u64;
        run.add(
            Key::Iteration,
            crate::iterations::median(iterations.clone()),
            count,
        );
        run.iterations = iterations;
        run
    };
    let a = run((0..21).map(|it| if it < 11 { 20 } else { 40 }).collect());
    let b = run((0..21).map(|it| if it < 10 { 10 } else { 21 }).collect());
    let found = compare(&[a], &[b], &Asked::default());
    let row = found
        .rows
        .iter()
        .find(|it| it.key == Key::Iteration)
        .unwrap();
    assert_eq!((row.p, row.judgement), (None, Judgement::Unknown));
}

#[test]
fn too_few_runs_are_no_evidence() {
    let few = |a, b| match permutations::too_few(a, b, 0.01) {
        Some(Evidence::TooFew {
            permutations,
            wanted,
            ..
        }) => Some((permutations, wanted)),
        _ => None,
    };
    assert_eq!(few(3, 3), Some((20, 5)));
    assert_eq!(few(4, 4), Some((70, 5)));
    assert_eq!(few(4, 5), None);
    assert_eq!(few(5, 5), None);
    let runs = [100, 101, 102].map(|it| waits(it, 4));
    let found = compare(&runs, &runs, &Asked::default());
    assert!(found
        .rows
        .iter()
        .all(|it| it.judgement == Judgement::Unknown));
}

#[test]
fn one_run_each_is_judged_by_its_iterations_alone() {
    let run = |ns: i64| {
        let mut run = Measures {
            iterations: (0..20).map(|it| ns + it % 5).collect(),
            total_ns: ns,
            ..Measures::default()
        };
        run.add(Key::Iteration, ns + 2, 20);
        run.add(Key::Computation, ns, 1);
        run
    };
    let found = compare(&[run(100)], &[run(120)], &Asked::default());
    assert_eq!(found.evidence, Some(Evidence::Iterations));
    let of = |key: Key| found.rows.iter().find(|it| it.key == key).unwrap();
    assert_eq!(of(Key::Iteration).judgement, Judgement::Slower);
    assert_eq!(of(Key::Computation).judgement, Judgement::Unknown);
    let equal = compare(&[run(100)], &[run(100)], &Asked::default());
    let first = &equal.rows[0];
    assert_eq!(
        (&first.key, first.judgement),
        (&Key::Iteration, Judgement::Noise)
    );
}

#[test]
fn iterations_that_are_counted_otherwise_are_not_compared() {
    let run = |count: u64| {
        let mut run = Measures {
            iterations: (0..count as i64).collect(),
            ..Measures::default()
        };
        run.add(Key::Iteration, 10, count);
        run.add(Key::Time, 10, 1);
        run
    };
    let keys = |a, b| -> Vec<Key> {
        let found = compare(&[run(a)], &[run(b)], &Asked::default());
        found.rows.into_iter().map(|it| it.key).collect()
    };
    assert_eq!(keys(40, 42), [Key::Time, Key::Iteration]);
    assert_eq!(keys(40, 20), [Key::Time]);
}

#[test]
fn iterations_of_one_statement_are_compared_however_many_there_are() {
    // Barriers on a line, so many and so far apart; in B the line moved.
    let run = |line: u32, count: i64, apart: i64| {
        let rank = |number: i64| {
            let barrier = |round: i64| {
                let (at, end) = ((round + 1) * apart - 5 + number, (round + 1) * apart);
                format!(
                    "{at} enter(MPI_Barrier) !at(a.c:{line}) {at} barrier{{ {end} }} {end} leave(MPI_Barrier)"
                )
            };
            let all: Vec<String> = (0..count).map(barrier).collect();
            format!("{number}: 0 {}", all.join(" "))
        };
        let trace = Trace::parse(&format!("{}\n{}", rank(0), rank(1))).unwrap();
        Measures::of(&trace, &trace.matching())
    };
    let found = compare(&[run(7, 40, 100)], &[run(9, 20, 150)], &Asked::default());
    let row = found.rows.iter().find(|it| it.key == Key::Iteration);
    let row = row.unwrap();
    assert_eq!((&row.a[..], &row.b[..]), (&[100][..], &[150][..]));
    assert_eq!(row.judgement, Judgement::Slower);
    let has_phases = found.rows.iter().any(|it| matches!(it.key, Key::Phase(_)));
    assert!(has_phases);
    // Of a name without a place nobody knows which statement it is.
    let nameless = |mut run: Measures| {
        run.anchor.as_mut().unwrap().file.clear();
        run
    };
    let found = compare(
        &[nameless(run(7, 40, 100))],
        &[nameless(run(7, 20, 150))],
        &Asked::default(),
    );
    assert!(!found.rows.iter().any(|it| it.key == Key::Iteration));
}

#[test]
fn computation_that_a_new_call_divides_is_compared_as_a_whole() {
    // After a broadcast, three rounds of 60 ns and a reduction; in one build a barrier after 20 ns.
    let run = |is_divided: bool| {
        let rank = |number: i64| {
            let round = |round: i64| {
                let (at, end) = (10 + 70 * round, 80 + 70 * round);
                let middle = format!(
                    "{} enter(MPI_Barrier) !at(a.c:8) {} barrier{{ {} }} {} leave(MPI_Barrier) ",
                    at + 20,
                    at + 20,
                    at + 21,
                    at + 21
                );
                let (came, middle) = match is_divided {
                    true => (at + 61, middle),
                    false => (at + 60, String::new()),
                };
                format!(
                    "{middle}{came} enter(MPI_Reduce) !at(a.c:9) {came} reduce(root=0){{ {end} }} {end} leave(MPI_Reduce)"
                )
            };
            let all: Vec<String> = (0..3).map(round).collect();
            format!(
                "{number}: 0 enter(MPI_Bcast) !at(a.c:5) 0 bcast(root=0){{ 10 }} 10 leave(MPI_Bcast) {}",
                all.join(" ")
            )
        };
        let trace = Trace::parse(&format!("{}\n{}", rank(0), rank(1))).unwrap();
        Measures::of(&trace, &trace.matching())
    };
    let told = |a: bool, b: bool| -> Vec<String> {
        let found = compare(&[run(a)], &[run(b)], &Asked::default());
        let of_computation = |row: &&Compared| matches!(row.key, Key::Between(..));
        let rows = found.rows.iter().filter(of_computation);
        let mut rows: Vec<String> = rows
            .map(|it| format!("{} {:?} {:?} {:?}", it.key.typed(), it.a, it.b, it.only))
            .collect();
        rows.sort();
        rows
    };
    let expected = [
        "MPI_Bcast@a.c:5..MPI_Reduce@a.c:9 [120] [120] None",
        "MPI_Reduce@a.c:9..MPI_Reduce@a.c:9 [240] [240] None",
    ];
    assert_eq!(told(false, true), expected);
    assert_eq!(told(true, false), expected);
    assert_eq!(told(true, true).len(), 3, "both have the barrier");
}

#[test]
fn equal_runs_are_judged_by_all_permutations_too() {
    let runs = [100; 5].map(|it| waits(it, 4));
    let found = compare(&runs, &runs, &Asked::default());
    let expected = Evidence::Runs {
        permutations: 252,
        exact: true,
    };
    assert_eq!(found.evidence, Some(expected));
    assert!(found.rows.iter().all(|it| it.judgement == Judgement::Small));
}

#[test]
fn one_run_that_is_far_off_turns_no_judgement_round() {
    let runs = |all: [i64; 5]| {
        all.map(|ns| {
            let mut run = Measures {
                total_ns: 10_000,
                ..Measures::default()
            };
            run.add(Key::Region("solve".into()), ns, 1);
            run
        })
    };
    // Four of A's are shorter than B's; on average A is longer.
    let a = runs([1000, 1001, 1002, 1003, 9000]);
    let b = runs([1500, 1501, 1502, 1503, 1504]);
    let asked = Asked {
        level: 0.5,
        ..Asked::default()
    };
    let row = &compare(&a, &b, &asked).rows[0];
    assert!(row.change() < 0.0);
    assert_ne!(row.judgement, Judgement::Slower);
}

#[test]
fn binomials_are_those_of_pascals_triangle() {
    for n in 1..30 {
        for k in 1..n {
            assert_eq!(choose(n, k), choose(n - 1, k - 1) + choose(n - 1, k));
        }
        assert_eq!((choose(n, 0), choose(n, n)), (1, 1));
    }
    assert_eq!(choose(400, 200), u64::MAX);
}

/// The definition, by bit masks and sums as in a textbook.
fn reference(rows: &[Vec<f64>], a: usize) -> Vec<f64> {
    let runs = rows[0].len();
    let welch = |row: &[f64], mask: u32| {
        let side = |which: bool| -> Vec<f64> {
            let of = (0..runs).filter(|it| (mask >> it & 1 == 1) == which);
            of.map(|it| row[it]).collect()
        };
        let mean = |it: &[f64]| it.iter().sum::<f64>() / it.len() as f64;
        let error = |it: &[f64]| {
            let middle = mean(it);
            let squares: f64 = it.iter().map(|x| (x - middle).powi(2)).sum();
            squares / (it.len() as f64 - 1.0) / it.len() as f64
        };
        let (x, y) = (side(true), side(false));
        (mean(&x) - mean(&y)).abs() / (error(&x) + error(&y) + 0.005f64.powi(2)).sqrt()
    };
    let masks = (0..1u32 << runs).filter(|it| it.count_ones() as usize == a);
    let masks: Vec<u32> = masks.collect();
    let real: Vec<f64> = rows.iter().map(|row| welch(row, (1 << a) - 1)).collect();
    let raw = |at: usize| {
        // Stepping down: only rows that differ no more than this one compete with it.
        let rivals: Vec<usize> = (0..rows.len()).filter(|it| real[*it] <= real[at]).collect();
        let reaches = |mask: &&u32| {
            rivals
                .iter()
                .any(|it| welch(&rows[*it], **mask) >= real[at] - 1e-9)
        };
        masks.iter().filter(reaches).count() as f64 / masks.len() as f64
    };
    let raw: Vec<f64> = (0..rows.len()).map(raw).collect();
    let surer = |at: usize| {
        let all = (0..rows.len()).filter(|it| real[*it] >= real[at]);
        all.map(|it| raw[it]).fold(0.0, f64::max)
    };
    (0..rows.len()).map(surer).collect()
}

struct Noise(u64);

impl Noise {
    /// About normal: mean 0, deviation 1.
    fn next(&mut self) -> f64 {
        let mut sum = -6.0;
        for _ in 0..12 {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            sum += (self.0 >> 11) as f64 / (1u64 << 53) as f64;
        }
        sum
    }
}

#[test]
fn the_test_is_its_definition() {
    let mut noise = Noise(7);
    for round in 0..60 {
        let (a, b) = (2 + round % 4, 2 + round / 4 % 4);
        let rows: Vec<Vec<f64>> = (0..4)
            .map(|row| {
                let shift = if row == round % 6 { 0.05 } else { 0.0 };
                let value =
                    |run: usize| 1.0 + 0.01 * noise.next() + if run < a { 0.0 } else { shift };
                (0..a + b).map(value).collect()
            })
            .collect();
        let (ps, evidence) = permutations::test(&rows, a, b);
        let permutations = choose(a + b, a);
        assert_eq!(
            evidence,
            Evidence::Runs {
                permutations,
                exact: true
            }
        );
        for (p, expected) in ps.iter().zip(reference(&rows, a)) {
            assert!(
                (p - expected).abs() < 1e-9,
                "{ps:?} {:?}",
                reference(&rows, a)
            );
        }
    }
}

#[test]
fn many_runs_are_drawn_from_and_say_about_the_same() {
    let mut noise = Noise(3);
    let mut row = |shift: f64| -> Vec<f64> {
        (0..24)
            .map(|it| 0.01 * noise.next() + if it < 12 { 0.0 } else { shift })
            .collect()
    };
    let rows = vec![row(0.1), row(0.0)];
    let (ps, evidence) = permutations::test(&rows, 12, 12);
    assert!(matches!(
        evidence,
        Evidence::Runs {
            exact: false,
            permutations: 10_001
        }
    ));
    assert!(ps[0] < 0.001 && ps[1] > 0.01, "{ps:?}");
    assert_eq!(permutations::test(&rows, 12, 12).0, ps);
}

/// The promise of the level, over sets that differ by nothing but noise.
#[test]
fn equal_sets_are_seldom_told_apart() {
    let mut noise = Noise(11);
    let mut alarms = 0;
    for _ in 0..400 {
        let rows: Vec<Vec<f64>> = (0..12)
            .map(|_| (0..10).map(|_| 0.02 * noise.next()).collect())
            .collect();
        let (ps, _) = permutations::test(&rows, 5, 5);
        alarms += usize::from(ps.iter().any(|it| *it <= 0.01));
    }
    // 2 of 252 are expected, 3.2 of 400.
    assert!(alarms <= 10, "{alarms}");
}

/// What two ranks count: each call of `MPI_Recv` takes so long, and half of that is waiting.
fn counted(recv: u64, line: u32, is_virtual: bool) -> Measures {
    let mut all = parse(&format!(
        "procedure main 1-9
           call MPI_Init 2
           call MPI_Recv {line}
         procedure work 20-30
           loop for 21-25
             call MPI_Send 23
         @0 1 1x 100
         @0 2>1 2x {recv} wait {0}
         @1 1 1x 150
         @1 5>0 2x 10
         @1 3<0 1x 700",
        recv / 2
    ));
    all.ranks[0].intrusion = 40;
    Measures::of_statistics(&all, is_virtual)
}

#[test]
fn statistics_are_rows_that_add_up_too() {
    let run = counted(60, 5, false);
    // The longer of 1000 - 100 - 40 and 1000 - 150.
    assert_eq!(value(&run, "time"), 860);
    assert_eq!(value(&run, "mpi"), 70);
    assert_eq!(value(&run, "MPI_Recv@a.c:5"), 60);
    assert_eq!(value(&run, "MPI_Send@a.c:23"), 10);
    assert_eq!(value(&run, "computation"), 860 - 60 + 850 - 10);
    assert_eq!(value(&run, "waiting"), -1);
    assert_eq!(run.total_ns, 860 + 850);
    let functions: BTreeSet<&str> = (run.rows.keys().flat_map(Key::calls))
        .map(|it| it.function.as_str())
        .collect();
    assert_eq!(functions, BTreeSet::from(["main", "work"]));

    let run = counted(60, 5, true);
    assert_eq!(value(&run, "MPI_Recv@a.c:5"), 30);
    assert_eq!(value(&run, "waiting in MPI_Recv@a.c:5"), 30);
    assert_eq!((value(&run, "waiting"), value(&run, "mpi")), (30, 70));
    assert_eq!(Measures::of_statistics(&parse(""), true).total_ns, 0);
}

#[test]
fn sets_of_statistics_are_judged_as_sets_of_traces_are() {
    let runs = |recv: [u64; 5], line| recv.map(|it| counted(it, line, false));
    let a = runs([300, 301, 302, 303, 304], 5);
    let b = runs([400, 401, 402, 403, 404], 6);
    let found = compare(&a, &b, &Asked::default());
    let recv = found
        .rows
        .iter()
        .find(|it| it.key.typed() == "MPI_Recv@a.c:6")
        .unwrap();
    assert_eq!(recv.was.as_ref().unwrap().typed(), "MPI_Recv@a.c:5");
    assert_eq!(recv.judgement, Judgement::Slower);
    let single = compare(&a[..1], &b[..1], &Asked::default());
    assert_eq!(single.evidence, None);
}

#[test]
fn times_of_several_kinds_are_shown_and_not_judged() {
    let traced = |sent: u32| {
        let mut run = waits(sent, 5);
        run.add(Key::Iteration, 10, 20);
        run
    };
    let a: Vec<Measures> = (100..105).map(traced).collect();
    for is_virtual in [false, true] {
        let b: Vec<Measures> = (900..905)
            .map(|recv| counted(recv, 5, is_virtual))
            .collect();
        let found = compare(&a, &b, &Asked::default());
        assert_eq!(found.evidence, Some(Evidence::Mixed));
        assert!(found
            .rows
            .iter()
            .all(|it| it.judgement == Judgement::Unknown && it.p.is_none()));
        let names: Vec<String> = found.rows.iter().map(|it| it.key.typed()).collect();
        assert_eq!(names[..3], ["time", "computation", "mpi"], "{names:?}");
        assert!(
            names[3..].iter().all(|it| it.starts_with("MPI_")),
            "{names:?}"
        );
    }
    // What the trace tells of a call and of waiting in it is one row, as statistics have it.
    let one = a[0].as_counted();
    assert_eq!(value(&one, "MPI_Recv@heat.c:5"), 90 + 4);
    assert_eq!(
        one.total_ns,
        value(&one, "mpi") + value(&one, "computation")
    );
    assert_eq!(one.total_ns, a[0].total_ns);
    let plain = [counted(60, 5, false)];
    let in_virtual_time = [counted(60, 5, true)];
    let found = compare(&plain, &in_virtual_time, &Asked::default());
    assert_eq!(found.evidence, Some(Evidence::Mixed));
}

/// A rank calls `solve` from two places, which computes and communicates so long.
fn by_paths(first: u32, second: u32, line: u32) -> Measures {
    let times = [0, first, first + 10, first + 20, first + 20 + second];
    let at = |it: usize| 100 + times[it];
    measures(&format!(
        "0: 0 enter(MPI_Init) 5 leave(MPI_Init) 10 enter(main) 100 enter(warm) 100 enter(solve) {} enter(MPI_Barrier) !at(/src/heat.c:{line}) {} leave(MPI_Barrier) {1} leave(solve) {1} leave(warm) \
            {} enter(solve) {} enter(solve) {4} leave(solve) {4} leave(solve) {4} enter(alone) {5} leave(alone) {5} leave(main) {5} enter(MPI_Finalize) {5} leave(MPI_Finalize)",
        at(1),
        at(2),
        at(3),
        at(3),
        at(4),
        at(4) + 50
    ))
}

#[test]
fn a_region_that_is_reached_by_several_paths_has_a_row_of_each() {
    let run = by_paths(40, 300, 7);
    assert_eq!(value(&run, "solve"), 340);
    assert_eq!(value(&run, "main/warm/solve"), 40);
    // Within itself it is the same.
    assert_eq!(value(&run, "main/solve"), 300);
    assert_eq!(value(&run, "main/warm/MPI_Barrier@heat.c:7"), -1);
    assert_eq!(value(&run, "main/warm/solve/MPI_Barrier@heat.c:7"), 10);
    assert_eq!(value(&run, "main/alone"), 50);
    let sum: i64 = (run.rows.iter())
        .filter(|(key, _)| !key.is_total() && !matches!(key, Key::Path(..)))
        .map(|(_, row)| row.ns)
        .sum();
    assert_eq!(sum, run.total_ns);

    let a = [300, 301, 302, 303, 304].map(|it| by_paths(1000, it, 7));
    let b = [400, 401, 402, 403, 404].map(|it| by_paths(1000, it, 9));
    let found = compare(&a, &b, &Asked::default());
    let paths: Vec<(String, Judgement)> = (found.rows.iter())
        .filter(|it| matches!(it.key, Key::Path(..)))
        .map(|it| (it.key.typed(), it.judgement))
        .collect();
    // What is reached by one path alone has no rows but its own.
    let expected = [
        ("main/solve".to_owned(), Judgement::Slower),
        ("main/warm/solve".to_owned(), Judgement::Small),
    ];
    assert_eq!(paths, expected);
    assert_eq!(found.paths_left_out, 0);
}

#[test]
fn call_paths_follow_lines_that_moved_and_are_told_where_one_is_new() {
    let call = |line: u64| Call {
        name: "MPI_Send".into(),
        file: "a.c".into(),
        at: line,
        is_line: true,
        ..Call::default()
    };
    let run = |line: u64, paths: &[&str]| {
        let mut run = Measures {
            total_ns: 1000,
            ..Measures::default()
        };
        run.add(Key::Call(call(line)), 100, 1);
        for path in paths {
            let around = path.split('/').map(str::to_owned).collect();
            run.add(Key::Path(around, Box::new(Key::Call(call(line)))), 50, 1);
        }
        run
    };
    let found = |a: &[&str], b: &[&str]| -> Vec<(String, Option<String>, Option<Side>)> {
        let found = compare(&[run(5, a)], &[run(8, b)], &Asked::default());
        let rows = found.rows.into_iter();
        rows.filter(|it| matches!(it.key, Key::Path(..)))
            .map(|it| (it.key.typed(), it.was.map(|was| was.typed()), it.only))
            .collect()
    };
    let was = |path: &str| Some(format!("{path}/MPI_Send@a.c:5"));
    let is = |path: &str| format!("{path}/MPI_Send@a.c:8");
    assert_eq!(
        found(&["main/x", "main/y"], &["main/x", "main/y"]),
        [
            (is("main/x"), was("main/x"), None),
            (is("main/y"), was("main/y"), None)
        ]
    );
    let gone = found(&["main/x", "main/y"], &["main/x"]);
    assert_eq!(gone.len(), 2, "{gone:?}");
    assert!(gone.contains(&(was("main/y").unwrap(), None, Some(Side::A))));
    assert_eq!(found(&["main/x"], &["main/x"]), []);
    assert_eq!(found(&[], &["main/x"]), []);
}

#[test]
fn of_many_call_paths_those_that_differ_most_are_compared() {
    let run = |shift: i64| {
        let mut run = Measures {
            total_ns: 1_000_000,
            ..Measures::default()
        };
        for path in 0..100 {
            let key = Key::Path(vec![format!("f{path}")], Box::new(Key::Region("g".into())));
            run.add(key, 5000 + shift * path, 1);
        }
        run
    };
    for (a, b) in [(0, 3), (3, 0)] {
        let found = compare(&[run(a)], &[run(b)], &Asked::default());
        assert_eq!((found.rows.len(), found.paths_left_out), (30, 70));
        assert_eq!(found.rows[0].key.typed(), "f99/g");
        assert!(found.rows.iter().all(|it| it.change().abs() >= 3.0 * 70.0));
    }
}

/// A rank that starts, iterates and ends; the first iteration takes so long.
fn iterates(start: u32, first: u32, each: u32, rest: u32) -> Measures {
    let mut at = 10 + start;
    let mut picture = String::from("0: 0 enter(MPI_Init) 10 leave(MPI_Init)");
    for number in 0..=12 {
        if number > 0 {
            at += if number == 1 { first } else { each };
        }
        picture += &format!(" {at} barrier{{ {} }}", at + 2);
        at += 2;
    }
    at += rest;
    picture += &format!(" {at} enter(MPI_Finalize) {} leave(MPI_Finalize)", at + 5);
    measures(&picture)
}

fn phase(found: &Comparison, phase: Phase) -> Option<&Compared> {
    found.rows.iter().find(|it| it.key == Key::Phase(phase))
}

#[test]
fn phases_are_rows_that_add_up_to_the_time() {
    let (a, b) = (iterates(500, 400, 98, 300), iterates(900, 800, 98, 300));
    let found = compare(&[a], &[b], &Asked::default());
    let values = |it: Phase| phase(&found, it).map(|row| (row.a[0], row.b[0]));
    assert_eq!(values(Phase::Before), Some((502, 902)));
    assert_eq!(values(Phase::WarmUp), Some((402, 802)));
    assert_eq!(values(Phase::Steady), Some((1100, 1100)));
    assert_eq!(values(Phase::After), Some((300, 300)));
    assert_eq!(phase(&found, Phase::Steady).unwrap().visits_a, 11.0);
    let time = found.rows.iter().find(|it| it.key == Key::Time).unwrap();
    assert_eq!((time.a[0], time.b[0]), (2304, 3104));
}

#[test]
fn a_phase_is_judged_by_its_part_of_the_time() {
    let runs = |start: u32, rest: u32| [0, 1, 2, 3, 4].map(|it| iterates(start + it, 98, 98, rest));
    // The start takes twice as long, and so does the end, which is next to nothing.
    let found = compare(&runs(500, 5), &runs(1000, 10), &Asked::default());
    let judgement = |it: Phase| phase(&found, it).map(|row| row.judgement);
    assert_eq!(judgement(Phase::Before), Some(Judgement::Slower));
    assert_eq!(judgement(Phase::After), Some(Judgement::Small));
    assert_eq!(judgement(Phase::Steady), Some(Judgement::Small));
    // No iteration is slow.
    assert_eq!(judgement(Phase::WarmUp), None);
}

#[test]
fn what_single_runs_warm_up_is_the_same_iterations_in_all() {
    // Chance made the first iteration of one run slow, of five.
    let one = |slow: u32| [98, 98, slow, 98, 98].map(|first| iterates(500, first, 98, 300));
    let found = compare(&one(400), &one(98), &Asked::default());
    assert_eq!(phase(&found, Phase::WarmUp), None);
    let steady = phase(&found, Phase::Steady).unwrap();
    assert_eq!((steady.a[0], steady.a[2]), (1200, 1502));
    // And here that of one was not.
    let most = |not: u32| [400, 400, not, 400, 400].map(|first| iterates(500, first, 98, 300));
    let found = compare(&most(98), &most(400), &Asked::default());
    assert_eq!(
        phase(&found, Phase::WarmUp).unwrap().a,
        [402, 402, 100, 402, 402]
    );
}

#[test]
fn phases_that_one_run_lacks_are_not_compared() {
    let (a, mut b) = (iterates(500, 400, 98, 300), iterates(900, 800, 98, 300));
    b.phases = None;
    let found = compare(std::slice::from_ref(&a), &[b], &Asked::default());
    assert_eq!(phase(&found, Phase::Before), None);
    let none = Measures {
        phases: Some(Phases::default()),
        ..a.clone()
    };
    let found = compare(&[a], &[none], &Asked::default());
    assert_eq!(phase(&found, Phase::WarmUp), None);
    assert!(phase(&found, Phase::Steady).is_some());
}
