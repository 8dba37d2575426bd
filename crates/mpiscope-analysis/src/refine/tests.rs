//! Small runs, and what is proposed for the next.

use expect_test::{expect, Expect};

use super::*;
use crate::iterations::Iterations;

/// Writes of each region what was counted and what becomes of it, and what is left of each location.
#[track_caller]
fn check(picture: &str, causes: &[&str], expected: &Expect) {
    let trace = Trace::parse(picture).unwrap();
    let regions = (0..).zip(&trace.definitions.regions);
    let these = regions.filter(|(_, region)| causes.contains(&region.name.as_str()));
    let causes: Vec<RegionId> = these.map(|(number, _)| RegionId(number)).collect();
    let found = Refinement::of(&trace, &causes);
    let regions = found.regions.iter().map(|it| {
        format!(
            "{}: {} visits, {} events, {} each: {:?}",
            it.name,
            it.visits,
            it.events,
            it.mean().0,
            it.fate
        )
    });
    let locations = found.locations.iter().map(|it| {
        let left = it.events - it.left_out;
        format!(
            "rank {}: {left} of {} events, {} own",
            it.rank, it.events, it.own
        )
    });
    let lines: Vec<String> = regions.chain(locations).collect();
    expected.assert_eq(&lines.join("\n"));
}

/// So many visits of a region, each so long, from some time on.
fn visits(name: &str, times: i64, from: i64, length: i64) -> String {
    let visit = |at: i64| {
        let begin = from + at * length;
        format!("{begin} enter({name}) {} leave({name}) ", begin + length)
    };
    (0..times).map(visit).collect()
}

#[test]
fn what_is_visited_often_and_briefly_is_left_out() {
    let (tiny, seldom) = (
        visits("tiny", 10_000, 0, 4_999),
        visits("seldom", 9_999, 0, 1),
    );
    let long = visits("long", 10_000, 0, 5_000);
    check(
        &format!("0: {tiny}\n1: {seldom}\n2: {long}"),
        &[],
        &expect![[r#"
            long: 10000 visits, 20000 events, 5000 each: Worthwhile
            tiny: 10000 visits, 20000 events, 4999 each: LeftOut
            seldom: 9999 visits, 19998 events, 1 each: Worthwhile
            rank 0: 0 of 20000 events, 20000 own
            rank 1: 19998 of 19998 events, 19998 own
            rank 2: 20000 of 20000 events, 20000 own"#]],
    );
}

#[test]
fn ranks_together_make_a_region_frequent() {
    let half = visits("tiny", 5_000, 0, 1);
    check(
        &format!("0: {half}\n1: {half}"),
        &[],
        &expect![[r#"
            tiny: 10000 visits, 20000 events, 1 each: LeftOut
            rank 0: 0 of 10000 events, 10000 own
            rank 1: 0 of 10000 events, 10000 own"#]],
    );
}

#[test]
fn a_region_in_which_mpi_is_called_once_stays_and_so_do_those_around_it() {
    let (inner, outer) = (
        visits("inner", 10_000, 0, 1),
        visits("outer", 10_000, 20_000, 1),
    );
    check(
        &format!(
            "0: {inner} {outer} 50000 enter(outer) 50001 enter(inner) 50002 enter(MPI_Wait) \
             50003 leave(MPI_Wait) 50004 leave(inner) 50005 leave(outer)"
        ),
        &[],
        &expect![[r#"
            inner: 10001 visits, 20002 events, 1 each: Encloses
            outer: 10001 visits, 20002 events, 1 each: Encloses
            rank 0: 40006 of 40006 events, 40004 own"#]],
    );
}

#[test]
fn messages_and_operations_in_no_call_of_mpi_count_as_calls() {
    let (a, b) = (visits("a", 10_000, 0, 1), visits("b", 10_000, 0, 1));
    check(
        &format!(
            "0: {a} 10000 enter(a) 10001 send>1 10002 leave(a)\n1: {b} 10000 recv<0 10001 barrier{{ 10002 }}"
        ),
        &[],
        &expect![[r#"
            a: 10001 visits, 20002 events, 1 each: Encloses
            b: 10000 visits, 20000 events, 1 each: LeftOut
            rank 0: 20003 of 20003 events, 20002 own
            rank 1: 3 of 20003 events, 20000 own"#]],
    );
}

#[test]
fn a_cause_of_waiting_stays() {
    check(
        &format!("0: {}", visits("hot", 10_000, 0, 1)),
        &["hot"],
        &expect![[r#"
            hot: 10000 visits, 20000 events, 1 each: Cause
            rank 0: 20000 of 20000 events, 20000 own"#]],
    );
}

/// What becomes of regions, each visited so often.
#[track_caller]
fn fates(names: &[(&str, i64)], file: &str, known: Known, expected: &[Fate]) {
    let all = (0..).zip(names);
    let visits = all.map(|(at, (name, times))| visits(name, *times, at * 1_000_000, 1));
    let mut trace = Trace::parse(&format!("0: {}", visits.collect::<String>())).unwrap();
    for region in &mut trace.definitions.regions {
        region.source_file = file.to_owned();
    }
    let found = Refinement::knowing(&trace, known);
    let fate = |name: &str| {
        found
            .regions
            .iter()
            .find(|it| it.name == name)
            .unwrap()
            .fate
    };
    let fates: Vec<Fate> = names.iter().map(|(name, _)| fate(name)).collect();
    assert_eq!(fates, expected);
}

#[test]
fn a_function_that_is_named_in_part_stays() {
    let names = [("tiny", 10_000), ("step", 10_000)];
    fates(&names, "a.c", Known::default(), &[Fate::LeftOut; 2]);
    fates(&names, "a.cpp", Known::default(), &[Fate::Nameless; 2]);
    fates(&names, "", Known::default(), &[Fate::LeftOut; 2]);
}

#[test]
fn a_name_that_the_filter_has_already_is_not_proposed_again() {
    let known = Known {
        is_filtered: &|name| name == "tiny",
        ..Known::default()
    };
    let names = [("tiny", 10_000), ("step", 10_000)];
    fates(&names, "a.c", known, &[Fate::Nameless, Fate::LeftOut]);
}

#[test]
fn a_longer_run_makes_a_region_frequent() {
    let longer = |times: f64| Known {
        times,
        ..Known::default()
    };
    let names = [("tiny", 100), ("step", 99)];
    fates(&names, "", longer(1.0), &[Fate::Worthwhile; 2]);
    fates(
        &names,
        "",
        longer(100.0),
        &[Fate::LeftOut, Fate::Worthwhile],
    );
}

#[test]
fn what_was_never_left_counts_to_the_end_and_leaves_without_enter_count_as_events() {
    check(
        "0: 0 leave(f) 1 enter(f) 2 enter(g) 9 leave(f) 10 enter(g) 15",
        &[],
        &expect![[r#"
            f: 1 visits, 3 events, 8 each: Worthwhile
            g: 2 visits, 2 events, 6 each: Worthwhile
            rank 0: 6 of 6 events, 5 own"#]],
    );
    check("0:", &[], &expect!["rank 0: 0 of 0 events, 0 own"]);
}

#[test]
fn a_buffer_has_room_for_the_largest_rank() {
    let at = |rank: u32, own: u64, others: u64| OfLocation {
        location: LocationIndex(0),
        rank,
        events: own + others,
        own,
        left_out: 0,
        time: Duration::ZERO,
    };
    let need = |locations: &[OfLocation], times: f64| {
        let found = Refinement {
            regions: Vec::new(),
            locations: locations.to_vec(),
            is_left_out: Vec::new(),
        };
        let buffer = found.buffer(times);
        (buffer.bytes / 32, buffer.rank)
    };
    assert_eq!(need(&[], 1.0), (0, 0));
    assert_eq!(need(&[at(0, 10, 0), at(1, 20, 0)], 1.0), (20, 1));
    assert_eq!(need(&[at(0, 10, 0), at(1, 20, 0)], 2.5), (50, 1));
    // Records of calls of MPI are more than their events, at most.
    assert_eq!(need(&[at(0, 0, 3)], 1.0), (5, 0));
    // Threads share as much as the first has, and one takes half of what is there.
    assert_eq!(need(&[at(0, 10, 0), at(0, 8, 0)], 1.0), (16, 0));
    assert_eq!(
        need(&[at(0, 10, 0), at(0, 8, 0), at(0, 4, 0)], 1.0),
        (20, 0)
    );
}

/// Says which of some iterations are proposed, and when they are.
#[track_caller]
fn window(picture: &str, wanted: usize, expected: Result<(usize, usize, i64, i64, u64), NoWindow>) {
    let trace = Trace::parse(picture).unwrap();
    let matching = trace.matching();
    let found = Iterations::of(&trace, &matching).unwrap();
    let lengths = found.measure(&trace, &matching);
    let window = Refinement::of(&trace, &[]).window(&trace, &found, &lengths, wanted);
    let told = window.map(|it| {
        let numbers = &it.iterations;
        (numbers.start, numbers.end, it.from.0, it.until.0, it.events)
    });
    assert_eq!(told, expected);
}

#[test]
fn steady_iterations_are_proposed_the_first_ones_apart() {
    // Ranks count from where each left MPI_Init; the third iteration is slow.
    let rank = |init: i64| {
        let ends = [100, 200, 300, 500, 600, 700, 800, 900, 1000];
        let barriers = ends.map(|end| format!(" {} barrier{{ {end} }}", end - 10));
        format!(
            "0 enter(MPI_Init) {init} leave(MPI_Init){}",
            barriers.concat()
        )
    };
    let picture = format!("0: {}\n1: {}", rank(20), rank(30));
    window(&picture, 2, Ok((3, 5, 470, 680, 11)));
    window(&picture, 1, Ok((1, 2, 170, 280, 7)));
    window(&picture, 5, Err(NoWindow::Few(8)));
    let without = picture.replace("MPI_Init", "MPI_Comm_rank");
    window(&without, 2, Err(NoWindow::NoInit));
}
