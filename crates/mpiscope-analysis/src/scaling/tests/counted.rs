use super::*;

/// One rank for 100 ns at 2 cycles a nanosecond and 2 instructions a cycle; then two for 60 ns each.
const ONE: &str = "0: 0 enter(MPI_Init) 10 metric(+cycles=0,+instructions=0) 10 leave(MPI_Init) \
    110 metric(+cycles=200,+instructions=400) 110 enter(MPI_Finalize) \
    120 metric(+cycles=900,+instructions=900) 120 leave(MPI_Finalize)";
const TWO: &str = "\
0: 0 enter(MPI_Init) 10 metric(+cycles:u=5,+instructions:u=5) 10 leave(MPI_Init) \
   70 metric(+cycles:u=125,+instructions:u=245) 70 enter(MPI_Finalize) 80 leave(MPI_Finalize)
1: 0 enter(MPI_Init) 10 metric(+cycles:u=0,+instructions:u=0) 10 leave(MPI_Init) \
   70 metric(+cycles:u=120,+instructions:u=240) 70 enter(MPI_Finalize) 80 leave(MPI_Finalize)";

#[test]
fn computation_scales_by_instructions_their_speed_and_the_clock_s() {
    let found = scale(&[run(ONE), run(TWO)], Kind::Strong, None).unwrap();
    let two = found.largest();
    assert_eq!(two.computation_scalability, Some(100.0 / 120.0));
    let factors = two.of_computation.unwrap();
    assert_eq!(factors.instructions, 400.0 / 480.0);
    assert_eq!((factors.per_cycle, factors.frequency), (1.0, 1.0));
    let first = found.reference().of_computation.unwrap();
    assert_eq!(
        [first.instructions, first.per_cycle, first.frequency],
        [1.0; 3]
    );
}

#[test]
fn a_run_without_counters_has_no_such_factors() {
    let found = scale(&[run(super::ONE), run(TWO)], Kind::Strong, None).unwrap();
    assert_eq!(found.largest().of_computation, None);
    let found = scale(&[run(ONE), run(super::TWO)], Kind::Strong, None).unwrap();
    assert_eq!(found.largest().of_computation, None);
    assert!(found.reference().of_computation.is_some());
}
