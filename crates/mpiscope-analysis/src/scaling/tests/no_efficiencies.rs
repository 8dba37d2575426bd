//! Runs whose efficiencies have no meaning.

use super::*;

#[test]
fn clocks_that_contradict_each_other_leave_no_efficiencies() {
    // The receive ends before the send begins.
    let mut wrong = run("
        0: 0 enter(MPI_Recv) 20 recv<1 30 leave(MPI_Recv) 100
        1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send) 100
    ");
    assert!(wrong.contradictions > 0);
    assert_eq!(wrong.trusted(), Err(NoEfficiency::Clocks));
    let both = |wrong: &Run| scale(&[run(ONE), wrong.clone()], Kind::Strong, None).unwrap();
    let found = both(&wrong);
    let largest = found.largest();
    assert_eq!((largest.efficiency, largest.global), (None, None));
    assert_eq!(largest.computation_scalability, None);
    assert!(found.is_whole, "ranks took the time all the same");
    wrong.is_corrected = true;
    assert!(both(&wrong).largest().global.is_some());
}

#[test]
fn calls_that_were_left_out_leave_no_efficiencies() {
    let mut two = mpiscope_model::Trace::parse(TWO).unwrap();
    two.definitions.told.calls = false;
    let filtered = Run::of(&two, &two.matching());
    assert_eq!(filtered.trusted(), Err(NoEfficiency::CallsMissing));
    let found = scale(&[run(ONE), filtered], Kind::Strong, None).unwrap();
    let largest = found.largest();
    assert_eq!((largest.efficiency, largest.global), (None, None));
    assert!(found.is_whole, "ranks took the time all the same");
}

#[test]
fn a_reference_without_efficiencies_leaves_no_global_ones() {
    let gap = run("0: 0 5 off 8 on 10");
    let found = scale(&[gap, run(TWO)], Kind::Strong, None).unwrap();
    let largest = found.largest();
    assert!(largest.efficiency.is_some());
    assert_eq!(
        (largest.global, largest.computation_scalability),
        (None, None)
    );
    assert!(!found.is_whole);
}

#[test]
fn ranks_without_events_leave_no_efficiencies() {
    let missing = run("0: 0 5\n1:");
    assert_eq!(missing.measures.ranks, 2);
    assert_eq!(missing.ranks, Err(NoEfficiency::RanksMissing));
}

#[test]
fn several_threads_and_gaps_have_no_efficiencies() {
    let threads = run("0: 0 5\n0.1: 0 5");
    assert_eq!(threads.ranks, Err(NoEfficiency::SeveralThreads));
    let gap = run("0: 0 5 off 8 on 10");
    assert_eq!(gap.ranks, Err(NoEfficiency::Unrecorded));
    let found = scale(&[gap, run(TWO)], Kind::Strong, None).unwrap();
    assert_eq!(found.sizes[0].global, None);
    // Rows are all that is known of core time.
    let of_rows: i64 = found.rows.iter().map(|row| row.excess_ns).sum();
    assert_eq!(of_rows, found.largest().lost_ns);
}
