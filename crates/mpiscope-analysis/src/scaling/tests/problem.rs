//! Growth with the size of the problem.

use super::super::*;
use super::run;
use crate::compare::Key;

/// Reading grows with the size, comparing pairs with its square, and writing stays the same.
fn sized(size: u64, more: u64) -> Run {
    let ends = [1000 * size, 1000 * size + 100 * size * size + more];
    let last = ends[1] + 500;
    run(&format!(
        "0: 0 enter(read) {0} leave(read) {0} enter(pairs) {1} leave(pairs) \
         {1} enter(write) {last} leave(write)",
        ends[0], ends[1]
    ))
}

fn named<'a>(found: &'a BySize, name: &str) -> &'a SizeRow {
    let key = Part::Of(Key::Region(name.into()));
    found.rows.iter().find(|it| it.part == key).unwrap()
}

#[test]
fn what_outgrows_all_else_comes_first_with_where_it_takes_more_than_half() {
    let runs = [sized(8, 0), sized(1, 0), sized(4, 0), sized(2, 0)];
    let found = by_size(&runs, &[8.0, 1.0, 4.0, 2.0]).unwrap();
    let sizes: Vec<f64> = found.sizes.iter().map(|it| it.size).collect();
    assert_eq!(sizes, [1.0, 2.0, 4.0, 8.0]);
    let pairs = named(&found, "pairs");
    assert_eq!(&found.rows[0], pairs);
    assert!((pairs.growth.unwrap().exponent - 2.0).abs() < 1e-9);
    assert!(pairs.outgrows());
    // 100 · N² is 1000 · N + 500 at 10.5.
    let half = pairs.half_from.unwrap();
    assert!((9.0..16.0).contains(&half), "{half}");
    assert!((named(&found, "read").growth.unwrap().exponent - 1.0).abs() < 1e-9);
    let write = named(&found, "write");
    assert!(write.growth.unwrap().exponent.abs() < 1e-9);
    assert!(!write.outgrows() && write.half_from.is_none());
    let sum: i64 = found.rows.iter().map(|it| it.excess_ns).sum();
    assert!(sum.abs() <= found.rows.len() as i64, "{sum}");
}

#[test]
fn what_takes_more_than_half_already_does_so_from_a_size_that_was_run() {
    let sizes = [1.0, 4.0, 16.0, 32.0];
    let runs: Vec<Run> = sizes.iter().map(|it| sized(*it as u64, 0)).collect();
    let found = by_size(&runs, &sizes).unwrap();
    assert_eq!(named(&found, "pairs").half_from, Some(16.0));
    // More than half at the begin is not from there on.
    assert_eq!(named(&found, "read").half_from, None);
}

#[test]
fn two_sizes_tell_no_power() {
    let runs = [sized(1, 0), sized(4, 0), sized(4, 9)];
    let found = by_size(&runs, &[1.0, 4.0, 4.0]).unwrap();
    assert!(found.growth.is_none());
    let all = found.rows.iter();
    assert!(all
        .clone()
        .all(|it| it.growth.is_none() && it.against_rest.is_none()));
    assert!(all
        .clone()
        .all(|it| !it.outgrows() && it.within_spread.is_some()));
}

#[test]
fn repetitions_make_no_interval_narrower() {
    let sizes = [1.0, 2.0, 4.0];
    let runs = [sized(1, 20), sized(2, 0), sized(4, 90)];
    let once = by_size(&runs, &sizes).unwrap();
    let twice = by_size(&[&runs[..], &runs[..]].concat(), &[sizes, sizes].concat()).unwrap();
    let widths = |found: &BySize| named(found, "pairs").growth.unwrap().half_width;
    assert!(widths(&once) > 0.0);
    assert_eq!(widths(&once), widths(&twice));
}

#[test]
fn sizes_that_tell_nothing_are_refused() {
    let two = run(super::TWO);
    assert_eq!(
        by_size(&[sized(1, 0), two], &[1.0, 2.0]),
        Err(Refusal::SeveralRanks)
    );
    let runs = [sized(1, 0), sized(2, 0)];
    assert_eq!(
        by_size(&runs, &[2.0, 2.0]),
        Err(Refusal::OneProblem(Some(2.0)))
    );
    assert_eq!(by_size(&[], &[]), Err(Refusal::OneProblem(None)));
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(by_size(&runs, &[1.0, odd]), Err(Refusal::NoSize(1)));
    }
    // Nothing goes by in it.
    assert_eq!(by_size(&[run("0: 5")], &[1.0]), Err(Refusal::Empty(0)));
}

#[test]
fn what_rows_lack_of_the_whole_stands_before_no_statement() {
    // Rank 0 has done much when rank 1 leaves MPI_Init, in the smaller run alone.
    let started = |late: u64, size: u64| {
        let (begin, end) = (10 + late, 10 + late + 100 * size);
        run(&format!(
            "0: 0 enter(MPI_Init) 10 leave(MPI_Init) {end} enter(MPI_Finalize) {end} leave(MPI_Finalize)
             1: 0 enter(MPI_Init) {begin} leave(MPI_Init) {end} enter(MPI_Finalize) {end} leave(MPI_Finalize)"
        ))
    };
    let found = by_size(&[started(90, 1), started(0, 2)], &[1.0, 2.0]).unwrap();
    let ends = found.rows.iter().find(|it| it.part == Part::Ends).unwrap();
    assert_eq!(ends.core_ns, [-90, 0]);
    assert!(ends.excess_ns > 0, "{found:?}");
    assert_ne!(&found.rows[0], ends);
}
