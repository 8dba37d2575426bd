//! What is added up, and the laws that hold for every trace.

use expect_test::{expect, Expect};

use super::*;

/// Writes each activity with its figures: times, time, waiting, on the path, held.
#[track_caller]
fn check(picture: &str, expected: &Expect) {
    let trace = Trace::parse(picture).unwrap();
    let profile = Profile::of(&trace, &trace.matching());
    let statement = |statement: &Statement| {
        let regions = &trace.definitions.regions;
        let site = statement
            .place
            .site
            .map(|site| &trace.definitions.call_sites[site.index()]);
        let region = statement
            .place
            .region
            .map(|region| regions[region.index()].name.clone());
        let line = site.map_or(String::new(), |site| format!(" {site}"));
        let within = statement
            .within
            .map(|region| format!(" in {}", regions[region.index()].name));
        region.unwrap_or_default() + &line + &within.unwrap_or_default()
    };
    let name = |activity: &Activity| match activity {
        Activity::Mpi(call) => statement(call),
        Activity::Threads(call) => format!("threads: {}", statement(call)),
        Activity::Region(region) => trace.definitions.regions[region.index()].name.clone(),
        Activity::Between(from, to) => {
            let end = |call: &Option<Statement>| call.as_ref().map_or("end".into(), statement);
            format!("{} .. {}", end(from), end(to))
        }
        Activity::Unrecorded => "unrecorded".into(),
    };
    let row = |(activity, sum): &(Activity, Sum)| {
        format!(
            "{}: {}x {} waiting {} path {} held {}",
            name(activity),
            sum.times,
            sum.time.0,
            sum.waiting.0,
            sum.path.0,
            sum.held.0
        )
    };
    let mut rows: Vec<String> = profile.activities.iter().map(row).collect();
    rows.sort();
    expected.assert_eq(&rows.join("\n"));
}

#[test]
fn waiting_among_threads_is_no_work() {
    check(
        "0: 0 fork(2) 1 team_begin(t) 1 enter(omp_parallel) !at(a.c:3) 10 leave(omp_parallel) 10 team_end(t) \
            10 enter(omp_join) !at(a.c:3) 22 leave(omp_join) 22 join 30 fork(2) 31 team_begin(t) \
            31 enter(omp_parallel) !at(a.c:9) 40 leave(omp_parallel) 40 team_end(t) 41 join
         0.1: 2 team_begin(t) 2 enter(omp_parallel) !at(a.c:3) 20 leave(omp_parallel) 20 team_end(t) \
            32 team_begin(t) 32 enter(omp_parallel) !at(a.c:9) 39 leave(omp_parallel) 39 team_end(t)",
        &expect![[r#"
            end .. end: 1x 11 waiting 0 path 10 held 8
            omp_parallel: 4x 43 waiting 0 path 27 held 10
            threads: omp_join a.c:3: 1x 2 waiting 10 path 2 held 2
            threads: omp_parallel a.c:9: 1x 2 waiting 10 path 0 held 0
            unrecorded: 0x 0 waiting 0 path 2 held 0"#]],
    );
}

#[test]
fn a_call_that_stands_for_many_polls_counts_as_many() {
    check(
        "0: 0 enter(MPI_Test) !at(a.c:3) 1 leave(MPI_Test) 3 enter(MPI_Test) !at(a.c:3) !polls(70) 9 leave(MPI_Test)",
        &expect![[r#"
            MPI_Test a.c:3 .. MPI_Test a.c:3: 1x 2 waiting 0 path 2 held 0
            MPI_Test a.c:3: 71x 7 waiting 0 path 7 held 0"#]],
    );
}

#[test]
fn time_is_told_by_statement_and_between_statements() {
    check(
        "0: 0 enter(MPI_Recv) !at(a.c:3) 52 recv<1 60 leave(MPI_Recv) 90
         1: 0 50 enter(MPI_Send) !at(a.c:5) 50 send>0 54 leave(MPI_Send) 60",
        &expect![[r#"
            MPI_Recv a.c:3 .. end: 1x 30 waiting 0 path 30 held 0
            MPI_Recv a.c:3: 1x 10 waiting 50 path 10 held 0
            MPI_Send a.c:5 .. end: 1x 6 waiting 0 path 0 held 0
            MPI_Send a.c:5: 1x 4 waiting 0 path 0 held 0
            end .. MPI_Send a.c:5: 1x 50 waiting 0 path 50 held 50"#]],
    );
}

#[test]
fn where_regions_of_the_program_are_known_work_is_theirs() {
    check(
        "0: 0 enter(main) 0 enter(MPI_Init) 1 leave(MPI_Init) 5 enter(MPI_Send) 6 send>1 8 leave(MPI_Send) 10 leave(main)
         1: 0 enter(main) 1 enter(MPI_Recv) 7 recv<0 9 leave(MPI_Recv) 12 leave(main)",
        &expect![[r#"
            MPI_Init in main: 1x 1 waiting 0 path 1 held 0
            MPI_Recv in main: 1x 4 waiting 4 path 4 held 0
            MPI_Send in main: 1x 3 waiting 0 path 0 held 0
            main: 4x 10 waiting 0 path 7 held 4"#]],
    );
}

#[test]
fn who_is_waited_for_by_several_holds_them_all_up() {
    check(
        "0: 0 10 barrier{ 50 }
         1: 0 20 barrier{ 50 }
         2: 0 40 barrier{ 50 }",
        &expect![[r#"
            : 3x 30 waiting 50 path 10 held 0
            end .. : 3x 70 waiting 0 path 40 held 50"#]],
    );
}

#[test]
fn what_was_not_recorded_is_told_apart() {
    check(
        "0: 0 10 off 30 on 40 barrier{ 50 }
         1: 5 20 barrier{ 50 }",
        &expect![[r#"
            : 2x 40 waiting 0 path 10 held 0
            end .. : 2x 25 waiting 0 path 10 held 0
            end .. end: 1x 10 waiting 0 path 10 held 0
            unrecorded: 1x 20 waiting 0 path 20 held 0"#]],
    );
}
