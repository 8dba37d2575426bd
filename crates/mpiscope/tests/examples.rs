//! Every example under every MPI: the trace holds what the program itself
//! counted, and the program does what it does untraced.
#![forbid(unsafe_code)]

mod common;

use common::compare::compare;
use common::trial::counted;
use common::{matrix, Case, Done, Trial};

/// Sixteen runs of a second: no need for a sample.
#[track_caller]
fn check(source: &str, arguments: fn(Case) -> [u32; 2]) {
    for case in matrix::all(&[2, 4]) {
        let Some(trial) = Trial::new(case, source) else {
            continue;
        };
        let (run, facts) = compare(trial.arguments(&arguments(case)));
        assert_eq!(run.done.code, 0);
        let locations = facts.map(|facts| facts.locations.len());
        assert!(locations.is_none_or(|locations| locations == case.ranks as usize));
    }
}

/// Points a side, and steps: MPICH spins where ranks outnumber cores.
fn heat(case: Case) -> [u32; 2] {
    [64, case.mpi.patience]
}

#[test]
fn heat_in_c_is_traced_as_it_counts() {
    check("examples/heat.c", heat);
}

#[test]
fn heat_in_fortran_is_traced_as_it_counts() {
    check("examples/heat.f90", heat);
}

/// Every call of it is collective.
#[test]
fn conjugate_gradients_are_traced_as_they_count() {
    check("examples/cg.c", |case| [500, case.mpi.patience / 40]);
}

#[test]
fn a_cloud_that_drifts_is_traced_as_it_counts() {
    check("examples/cloud.c", |case| [200, case.mpi.patience / 10]);
}

#[test]
fn workers_with_wildcards_are_traced_as_they_count() {
    check("examples/workers.c", |_| [100_000, 20]);
}

/// Prints a result that no race changes, and counts that races do.
#[track_caller]
fn check_racing(source: &str, arguments: fn(Case) -> [u32; 3]) {
    for case in matrix::all(&[2, 4]) {
        let Some(trial) = Trial::new(case, source) else {
            continue;
        };
        let trial = trial.arguments(&arguments(case));
        let result = |done: &Done| {
            let lines = done.out.lines().filter(|line| !line.starts_with("counted"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let untraced = trial.untraced();
        untraced.check(0, &[]);
        let run = trial.traced();
        run.done.check(0, &[]);
        assert_eq!(result(&run.done), result(&untraced));
        // Probes come by the ten thousand: too many for PyPI's reader.
        let info = run.check_info();
        let found = info.figure("messages.point_to_point");
        assert_eq!(found, counted(&run.done.out)["messages"]);
    }
}

#[test]
fn a_salesman_who_probes_is_traced_as_it_counts() {
    check_racing("examples/salesman.c", |case| [8, case.ranks, 20]);
}

#[test]
fn sums_in_order_of_arrival_are_traced_as_they_count() {
    check_racing("examples/bicgstab.c", |case| [case.mpi.patience / 2, 20, 1]);
}
