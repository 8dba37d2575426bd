mod counted;
mod growth;
mod no_efficiencies;
mod outside;
mod problem;

use mpiscope_model::Trace;

use super::*;
use crate::compare::{Call, Key, Measures};
use crate::profile::RankSum;
use mpiscope_model::Duration;

fn run(picture: &str) -> Run {
    let trace = Trace::parse(picture).unwrap();
    Run::of(&trace, &trace.matching())
}

const ONE: &str =
    "0: 0 enter(MPI_Init) 10 leave(MPI_Init) 110 enter(MPI_Finalize) 120 leave(MPI_Finalize)";

/// Rank 1 leaves MPI_Init first, rank 0 is the first to come to MPI_Finalize.
const TWO: &str = "\
0: 0 enter(MPI_Init) 10 leave(MPI_Init) 60 enter(MPI_Finalize) 90 leave(MPI_Finalize)
1: 0 enter(MPI_Init) 8 leave(MPI_Init) 80 enter(MPI_Finalize) 90 leave(MPI_Finalize)";

#[test]
fn ranks_are_looked_at_from_the_last_in_mpi_init_to_the_last_in_mpi_finalize() {
    let two = run(TWO);
    assert_eq!(two.measures.time_ns, 70);
    let ranks: Vec<_> = two.ranks.unwrap();
    let parts = ranks.iter().map(|it| (it.rank, it.time.0, it.waiting.0));
    assert_eq!(parts.collect::<Vec<_>>(), [(0, 50, 20), (1, 70, 0)]);
}

#[test]
fn what_all_rows_lose_is_what_the_whole_loses() {
    let found = scale(&[run(ONE), run(TWO)], Kind::Strong, None).unwrap();
    let two = found.largest();
    assert_eq!((two.core_ns, two.lost_ns), (140, 40));
    assert_eq!(two.computation_scalability, Some(100.0 / 120.0));
    assert_eq!(two.efficiency.unwrap().parallel, 120.0 / 140.0);
    assert!((two.global.unwrap() - 100.0 / 140.0).abs() < 1e-12);
    let rows = found.rows.iter().map(|row| (row.class(), row.excess_ns));
    // Work of 50 and 72 ns after 100; the rest of 140.
    let expected = [(Class::Computation, 22), (Class::Waiting, 18)];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    assert_eq!(found.lost(Class::Computation), 22);
}

#[test]
fn in_weak_scaling_core_time_grows_with_the_ranks() {
    let found = scale(&[run(TWO), run(ONE)], Kind::Weak, None).unwrap();
    let two = found.largest();
    assert_eq!((two.core_ns, two.lost_ns), (140, -60));
    assert_eq!(two.scaling_efficiency, 100.0 / 70.0);
    assert_eq!((two.speedup, two.ideal_speedup), (200.0 / 70.0, 2.0));
    assert_eq!(two.computation_scalability, Some(2.0 * 100.0 / 120.0));
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

/// A run of regions and calls that take what chance says.
fn drawn(random: &mut Random, ranks: u64) -> Run {
    let mut measures = Measures {
        ranks,
        ..Measures::default()
    };
    let call = |at| Call {
        name: "MPI_Recv".into(),
        at,
        ..Call::default()
    };
    for at in 0..4 {
        let of = [
            Key::Region(format!("r{at}")),
            Key::Call(call(at)),
            Key::WaitingIn(call(at)),
        ];
        for key in of {
            if random.below(4) > 0 {
                measures.add(key, random.below(1000) as i64, 1);
            }
        }
    }
    measures.total_ns = measures.rows.values().map(|row| row.ns).sum();
    measures.time_ns = 2000 + random.below(1000) as i64;
    let rank = |rank: u64, random: &mut Random| RankSum {
        rank: rank as u32,
        time: Duration(1 + random.below(1000) as i64),
        waiting: Duration(random.below(1000) as i64),
        ..RankSum::default()
    };
    Run {
        measures,
        ranks: Ok((0..ranks).map(|it| rank(it, random)).collect()),
        ideal: Ok(Duration(1000 + random.below(1000) as i64)),
        contradictions: 0,
        has_calls: true,
        is_corrected: false,
        causing: None,
        useful: None,
        arguments: None,
    }
}

/// What a rank does: when it is in calls, MPI_Init first and MPI_Finalize last.
type Calls = Vec<(u64, u64)>;

fn drawn_calls(random: &mut Random) -> Calls {
    let mut now = 0;
    let mut calls = Vec::new();
    for _ in 0..2 + random.below(6) {
        let begin = now + random.below(20) * u64::from(now > 0);
        now = begin + 1 + random.below(9);
        calls.push((begin, now));
    }
    calls
}

fn picture(ranks: &[Calls]) -> String {
    let name = |at: usize, calls: &Calls| match at {
        0 => "MPI_Init",
        at if at + 1 == calls.len() => "MPI_Finalize",
        _ => "MPI_Comm_rank",
    };
    let mut text = String::new();
    for (rank, calls) in ranks.iter().enumerate() {
        text += &format!("{rank}:");
        for (at, (begin, end)) in calls.iter().enumerate() {
            let name = name(at, calls);
            text += &format!(" {begin} enter({name}) {end} leave({name})");
        }
        text.push('\n');
    }
    text
}

/// Looks at each nanosecond: returns how many there are, and in how many each rank works.
fn walked(ranks: &[Calls]) -> (i64, Vec<i64>) {
    let begin = ranks.iter().map(|calls| calls[0].1).max().unwrap();
    let end = ranks
        .iter()
        .map(|calls| calls[calls.len() - 1].0)
        .max()
        .unwrap();
    let works = |calls: &Calls, now: u64| {
        let is_in = |(begin, end): &(u64, u64)| (*begin..*end).contains(&now);
        now < calls[calls.len() - 1].1 && !calls.iter().any(is_in)
    };
    let of_rank = |calls: &Calls| (begin..end).filter(|now| works(calls, *now)).count() as i64;
    let length = end.saturating_sub(begin) as i64;
    (length, ranks.iter().map(of_rank).collect())
}

#[test]
fn work_is_that_of_each_nanosecond_of_the_window() {
    let mut random = Random(17);
    for _ in 0..500 {
        let ranks: Vec<Calls> = (0..1 + random.below(4))
            .map(|_| drawn_calls(&mut random))
            .collect();
        let text = picture(&ranks);
        let found = run(&text);
        let (length, work) = walked(&ranks);
        assert_eq!(found.measures.time_ns, length, "{text}");
        let of_ranks = found.ranks.as_ref().unwrap().iter().map(|it| it.time.0);
        assert_eq!(of_ranks.collect::<Vec<_>>(), work, "{text}");
        if length > 0 {
            let both = [run(ONE), found];
            let Ok(both) = scale(&both, Kind::Strong, None) else {
                continue;
            };
            let lost: i64 = both.rows.iter().map(|row| row.excess_ns).sum();
            assert_eq!(lost, both.largest().lost_ns, "{text}");
        }
    }
}

/// Everything once more, straight from the definitions.
#[test]
fn figures_are_their_definitions() {
    let mut random = Random(5);
    for round in 0..300 {
        let kind = [Kind::Strong, Kind::Weak][round % 2];
        let counts: Vec<u64> = (0..2 + random.below(6))
            .map(|_| 1 + random.below(5))
            .collect();
        let runs: Vec<Run> = counts.iter().map(|it| drawn(&mut random, *it)).collect();
        let mut sizes = counts.clone();
        sizes.sort_unstable();
        sizes.dedup();
        let Ok(found) = scale(&runs, kind, None) else {
            assert_eq!(sizes.len(), 1);
            continue;
        };
        assert_eq!(
            found.sizes.iter().map(|it| it.ranks).collect::<Vec<_>>(),
            sizes
        );
        let time = |at: usize| runs[at].measures.time_ns as f64;
        let first = &found.sizes[0];
        for size in &found.sizes {
            let (p, p0) = (size.ranks as f64, first.ranks as f64);
            let of_size = (0..runs.len()).filter(|it| counts[*it] == size.ranks);
            let mut times: Vec<f64> = of_size.map(time).collect();
            times.sort_by(f64::total_cmp);
            assert_eq!(time(size.run), times[(times.len() - 1) / 2]);
            let speedup = time(first.run) / time(size.run);
            let speedup = if kind == Kind::Weak {
                speedup * p / p0
            } else {
                speedup
            };
            assert!((size.speedup - speedup).abs() < 1e-9);
            // The global efficiency falls as the speedup does behind the ideal one.
            let fallen = size.global.unwrap() / first.global.unwrap();
            assert!((fallen - speedup / (p / p0)).abs() < 1e-9);
            let of = size.efficiency.unwrap();
            let split = of.split.unwrap();
            let product = of.load_balance * split.serialization * split.transfer;
            assert!((of.parallel - product).abs() < 1e-9);
        }
        let last = found.largest();
        let ideal = if kind == Kind::Weak {
            last.ranks as f64 / first.ranks as f64
        } else {
            1.0
        };
        let lost =
            last.ranks as f64 * time(last.run) - ideal * first.ranks as f64 * time(first.run);
        assert!((last.lost_ns as f64 - lost).abs() <= 0.5);
        let of_rows: i64 = found.rows.iter().map(|row| row.excess_ns).sum();
        // Each row is rounded.
        assert!((of_rows - last.lost_ns).abs() <= found.rows.len() as i64);
        assert!(found.rows.is_sorted_by(|a, b| a.excess_ns >= b.excess_ns));
    }
}

fn part(ranks: u64, ns: i64) -> Run {
    let mut run = run(ONE);
    run.measures = Measures {
        ranks,
        time_ns: ns,
        ..Measures::default()
    };
    run.measures
        .add(Key::Region("part".into()), ns * ranks as i64, 1);
    run
}

#[test]
fn differences_within_repetitions_are_marked() {
    let within = |runs: &[(u64, i64)]| {
        let runs: Vec<Run> = runs.iter().map(|(ranks, ns)| part(*ranks, *ns)).collect();
        let found = scale(&runs, Kind::Weak, None).unwrap();
        let is_part = |row: &&Row| row.part == Part::Of(Key::Region("part".into()));
        found.rows.iter().find(is_part).unwrap().within_spread
    };
    assert_eq!(within(&[(1, 100), (2, 120)]), None);
    assert_eq!(within(&[(1, 100), (1, 110), (2, 120)]), Some(false));
    assert_eq!(
        within(&[(1, 100), (1, 110), (2, 120), (2, 109)]),
        Some(true)
    );
    assert_eq!(within(&[(1, 100), (1, 130), (2, 120)]), Some(true));
}

#[test]
fn the_median_run_stands_for_its_repetitions() {
    let runs = [
        part(2, 9),
        part(1, 30),
        part(1, 10),
        part(1, 20),
        part(2, 7),
    ];
    let found = scale(&runs, Kind::Weak, None).unwrap();
    let sizes = found
        .sizes
        .iter()
        .map(|it| (it.runs.clone(), it.run, it.between_ns));
    let expected = [(vec![2, 3, 1], 3, (10, 30)), (vec![4, 0], 4, (7, 9))];
    assert_eq!(sizes.collect::<Vec<_>>(), expected);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let why = |runs: &[(u64, i64)], reference| {
        let runs: Vec<Run> = runs.iter().map(|(ranks, ns)| part(*ranks, *ns)).collect();
        scale(&runs, Kind::Strong, reference).err()
    };
    assert_eq!(why(&[], None), Some(Refusal::OneSize(None)));
    assert_eq!(
        why(&[(4, 1), (4, 2)], None),
        Some(Refusal::OneSize(Some(4)))
    );
    assert_eq!(why(&[(4, 1), (2, 0)], None), Some(Refusal::Empty(1)));
    let known = vec![2, 4];
    assert_eq!(
        why(&[(4, 1), (2, 1)], Some(3)),
        Some(Refusal::NoReference(3, known))
    );
    assert_eq!(
        why(&[(4, 1), (2, 1)], Some(4)),
        Some(Refusal::ReferenceIsLargest(4))
    );
    assert_eq!(why(&[(4, 1), (2, 1)], Some(2)), None);
}

#[test]
fn who_makes_others_wait_is_told_by_size() {
    let one = run("0: 0 enter(serial) 40 leave(serial) 80");
    let two = |who: &str| {
        let other = if who == "0" { "1" } else { "0" };
        run(&format!(
            "{who}: 0 enter(serial) 40 leave(serial) 40 barrier{{ 40 }} 60\n{other}: 0 barrier{{ 40 }} 60"
        ))
    };
    let found = scale(&[one.clone(), two("1")], Kind::Strong, None).unwrap();
    let causes = found.causes.unwrap();
    let serial = Cause {
        key: Key::Region("serial".into()),
        waiting_ns: vec![0, 40],
        excess_ns: 40,
        rank: 1,
        rank_ns: 40,
    };
    assert_eq!(causes, [serial]);
    let unasked = Run {
        causing: None,
        ..two("0")
    };
    assert_eq!(
        scale(&[one, unasked], Kind::Strong, None).unwrap().causes,
        None
    );
}

#[test]
fn the_rank_that_causes_most_is_that_of_the_largest_sum() {
    // Rank 0 delays the others once by 30, and rank 1 twice by 20, in two calls of the same name.
    let three = run("
        0: 0 enter(part) 30 leave(part) 30 barrier{ 30 } 30 barrier{ 50 } 50 barrier{ 70 } 70
        1: 0 barrier{ 30 } 30 enter(part) 50 leave(part) 50 barrier{ 50 } 50 enter(part) 70 leave(part) 70 barrier{ 70 } 70
    ");
    let caused = three.causing.unwrap();
    let expected = Caused {
        ns: 70,
        rank: 1,
        rank_ns: 40,
    };
    assert_eq!(caused[&Key::Region("part".into())], expected);
}

#[test]
fn strong_is_told_by_computation_and_weak_by_arguments_too() {
    let of = |ranks: u64, work: i64, arguments: &str| {
        let mut run = part(ranks, 100);
        run.arguments = Some(vec![arguments.to_owned()]);
        run.ranks = Ok(vec![RankSum {
            time: Duration(work),
            ..RankSum::default()
        }]);
        run
    };
    let kind = |few: Run, many: Run| found_kind(&[many, few]);
    let strong = Found::Told(Kind::Strong);
    assert_eq!(kind(of(1, 800, "x"), of(8, 820, "x")), strong);
    assert_eq!(kind(of(1, 800, "x"), of(8, 820, "y")), strong);
    assert_eq!(
        kind(of(1, 100, "x"), of(8, 820, "y")),
        Found::Told(Kind::Weak)
    );
    assert_eq!(kind(of(1, 100, "x"), of(8, 820, "x")), Found::Either);
    let untold = Run {
        arguments: None,
        ..of(8, 820, "")
    };
    assert_eq!(kind(of(1, 100, "x"), untold), Found::Either);
    assert_eq!(kind(of(1, 100, "x"), of(8, 300, "y")), Found::Neither);
    assert_eq!(kind(of(1, 0, "x"), of(8, 300, "y")), Found::Neither);
    assert_eq!(found_kind(&[]), Found::Neither);
}
