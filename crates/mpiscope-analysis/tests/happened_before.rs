//! What the clocks say is what the transitive closure of all waits says.

mod common;

use mpiscope_analysis::happened_before::{sweep, Columns};
use mpiscope_model::{EventRef, LocationIndex, Trace};
use proptest::prelude::*;

use common::closure::Closure;

fn events(trace: &Trace) -> Vec<EventRef> {
    let of = |(number, location): (usize, &mpiscope_model::Location)| {
        let location_index = LocationIndex(number as u32);
        (0..location.events.len()).map(move |index| EventRef::new(location_index, index))
    };
    trace.locations.iter().enumerate().flat_map(of).collect()
}

/// Compares, for every pair of events of which the first is one that others
/// can know of, or in the past of one.
fn check(trace: &Trace) -> Result<(), TestCaseError> {
    let matching = trace.matching();
    let closure = Closure::new(trace, &matching);
    let all = events(trace);
    let mut answers = 0;
    let contradictions = sweep(
        trace,
        &matching,
        &Columns::all(trace),
        &all,
        |number, known| {
            answers += 1;
            let at = all[number];
            for before in all.iter().filter(|before| before.location != at.location) {
                let knows = known
                    .latest(before.location)
                    .is_some_and(|latest| latest >= before.index);
                assert_eq!(
                    knows,
                    closure.precedes(*before, at),
                    "{before:?} {at:?}\n{}",
                    trace.print(&trace.times())
                );
            }
        },
    );
    prop_assert_eq!(answers, all.len());
    prop_assert_eq!(contradictions, 0);
    Ok(())
}

#[test]
fn who_waits_for_whom_differs_by_operation() {
    let pictures = [
        "0: 1 bcast(root=1){ 9 }\n1: 2 bcast(root=1){ 9 }\n2: 3 bcast(root=1){ 9 }",
        "0: 1 reduce(root=1){ 9 }\n1: 2 reduce(root=1){ 9 }\n2: 3 reduce(root=1){ 9 }",
        "0: 1 scan{ 9 }\n1: 2 scan{ 9 }\n2: 3 scan{ 9 }",
        "2: 1 exscan{ 9 }\n1: 2 exscan{ 9 }\n0: 3 exscan{ 9 }",
        "0: 1 allreduce(sent=0){ 9 }\n1: 2 allreduce{ 9 }\n2: 3 allreduce(received=0){ 9 }",
        "0: 1 barrier{ 9 } 10 barrier{ 11 }\n1: 2 barrier{ 9 } 10 barrier{ 11 }",
        "0: 1 alltoallv{ 9 } !dense\n1: 2 alltoallv{ 9 }\n2: 3 alltoallv{ 9 }",
        "0: 1 icollective#1 2 send>1 4 ibarrier#1\n1: 1 icollective#1 3 recv<0 4 ibarrier#1",
        "comm b: 0 1 | 2\n0: 1 bcast(root=self,comm=b){ 5 }\n1: 1 bcast(root=outside,comm=b){ 5 }\n2: 1 bcast(root=0,comm=b){ 5 }",
        "comm b: 0 1 | 2\n0: 1 barrier(comm=b){ 5 }\n1: 1 barrier(comm=b){ 5 }\n2: 1 barrier(comm=b){ 5 }",
        "0: 1 !signal(3) 2 probe<1 3 recv<1\n1: 1 send>0 2\n2: 5 !await(3)",
    ];
    for picture in pictures {
        check(&Trace::parse(picture).unwrap()).unwrap();
    }
}

#[test]
fn waits_that_close_a_circle_are_passed_over() {
    let trace =
        Trace::parse("0: 1 recv<1 2 send>1 3 barrier{ 4 }\n1: 1 recv<0 2 send>0 3 barrier{ 4 }")
            .unwrap();
    let mut answers = 0;
    let all = events(&trace);
    let contradictions = sweep(
        &trace,
        &trace.matching(),
        &Columns::all(&trace),
        &all,
        |_, _| answers += 1,
    );
    assert_eq!((contradictions, answers), (1, all.len()));
}

proptest! {
    #[test]
    fn clocks_say_what_the_closure_says(program in common::program::programs(4)) {
        check(&program.run())?;
    }
}
