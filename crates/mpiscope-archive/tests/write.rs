//! A trace that is written is the trace that is read.
#![forbid(unsafe_code)]

#[path = "../../../tests/missing.rs"]
mod missing;

use std::path::Path;
use std::process::Command;

use expect_test::{expect, Expect};
use missing::missing;
use mpiscope_archive::trace::read_trace;
use mpiscope_archive::write::write_trace;
use mpiscope_model::Trace;
use mpiscope_simulate::parameters::{Placement, Program};
use mpiscope_simulate::{preset, simulate, Parameters};

fn written(trace: &Trace, directory: &Path) -> Trace {
    let done = write_trace(trace, directory, &[]).unwrap();
    let again = read_trace(&done.anchor).unwrap();
    assert_eq!(done.events, again.event_count() as u64);
    assert!(again.locations.iter().all(|l| l.truncated.is_none()));
    again
}

/// Simulated runs of all programs, on machines of all sorts.
fn runs() -> impl Iterator<Item = Parameters> {
    let programs = [
        Program::Halo,
        Program::Pairs,
        Program::Workers,
        Program::Collectives,
        Program::Mix,
    ];
    let runs = programs
        .into_iter()
        .flat_map(|p| (0..6).map(move |seed| (p, seed)));
    runs.map(|(program, seed)| {
        let mut parameters = Parameters {
            program,
            seed,
            ranks: 1 + (seed as u32 * 5) % 13,
            hosts: 1,
            iterations: 12 * seed as u32,
            placement: [Placement::Block, Placement::Random][seed as usize % 2],
            ..Parameters::default()
        };
        parameters.hosts = 1 + seed as u32 % parameters.ranks;
        parameters.components = 1 + seed as u32 % 2 * (parameters.ranks - 1).min(1);
        parameters.clocks.per_rank = seed == 3;
        parameters
    })
}

#[test]
fn simulated_traces_come_back_as_they_were() {
    for parameters in runs() {
        let trace = simulate(&parameters).unwrap().trace;
        let run = tempfile::tempdir().unwrap();
        assert!(written(&trace, run.path()) == trace, "{parameters:?}");
    }
}

fn check(picture: &str, expect: Expect) {
    let run = tempfile::tempdir().unwrap();
    let trace = Trace::parse(picture).unwrap();
    let again = written(&trace, run.path());
    expect.assert_eq(&again.print(&again.times()));
    assert!(written(&again, run.path()) == again, "once more");
}

#[test]
fn events_of_all_kinds_come_back() {
    check(
        "comm row: 0 1
         comm bridge: 0 | 1
         comm me: self
         0: 1 enter(solve) 2 send>1(tag=3,bytes=8,seq=4) 3 isend>1#7 4 wait#7 5 test#9 6 cancel#9 7 leave(solve) 8 off 9 on
         1: 1 probe<0(tag=3,any) 2 recv<0(tag=3,bytes=8,any,anytag) 3 irecv#1 4 wait<0#1 5 bcast(root=1,comm=row){ 6 } 7 barrier(comm=bridge){ 8 } 9 scan(comm=me){ 10 } 11 ?{",
        expect![[r#"
            comm row: 0 1
            comm bridge: 0 | 1
            comm me: self
            clock 0:
            clock 1:
            0: 1 enter(solve) 2 send>1(tag=3,bytes=8,seq=4) 3 isend>1#7 4 wait#7 5 test#9 6 cancel#9 7 leave(solve) 8 off 9 on
            1: 1 probe<0(tag=3,any) 2 recv<0(tag=3,bytes=8,any,anytag) 3 irecv#1 4 wait<0#1 5 bcast(root=1,comm=row){ 6 } 7 barrier(comm=bridge){ 8 } 9 scan(comm=me){ 10 } 11 ?{
        "#]],
    );
}

#[test]
fn what_an_archive_cannot_hold_is_changed_as_documented() {
    check(
        "clock 3: 10 -5 ±2
         3: 5 9 7 11
         0: 1 send>3",
        expect![[r#"
            clock 0:
            clock 1:
            clock 2:
            clock 3: 10 -5 ±2, 11 -5 ±2
            0: 1 send>3
            1:
            2:
            3: 5 other(34) 9 other(34) 9 other(34) 11 other(34)
        "#]],
    );
}

#[test]
fn negative_times_move_all() {
    let run = tempfile::tempdir().unwrap();
    let trace = Trace::parse("clock 1: -20 +3 ±1, 50 +3 ±1\n0: 5\n1: -7 9").unwrap();
    let done = write_trace(&trace, run.path(), &[]).unwrap();
    assert_eq!((done.shift, done.held), (20, 0));
    let again = read_trace(run.path()).unwrap();
    expect![[r#"
        clock 0:
        clock 1: 0 +3 ±1, 70 +3 ±1
        0: 25 other(34)
        1: 13 other(34) 29 other(34)
    "#]]
    .assert_eq(&again.print(&again.times()));
}

#[test]
fn what_is_no_trace_is_refused() {
    let run = tempfile::tempdir().unwrap();
    let mut trace = Trace::parse("0: 1\n1: 2").unwrap();
    trace.locations[0].rank.0 = u32::MAX;
    let error = write_trace(&trace, run.path(), &[])
        .unwrap_err()
        .to_string();
    assert!(error.contains("4294967296 ranks"), "{error}");
    trace.locations[0] = trace.locations[1].clone();
    let error = write_trace(&trace, run.path(), &[])
        .unwrap_err()
        .to_string();
    assert!(error.contains("same thread"), "{error}");
}

/// Returns what otf2-print says of an archive; nothing, with a word, without it.
fn otf2_print(anchor: &Path, options: &[&str]) -> Option<String> {
    let output = Command::new("otf2-print")
        .args(options)
        .arg(anchor)
        .output();
    let Ok(output) = output else {
        missing("no otf2-print");
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && errors.is_empty(),
        "{options:?}: {errors}"
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lower = text.to_lowercase();
    assert!(
        !lower.contains("warning") && !lower.contains("error"),
        "{text}"
    );
    Some(text)
}

#[test]
fn otf2_print_reads_what_was_written() {
    let run = tempfile::tempdir().unwrap();
    let mut parameters = preset::find("partial-all-kinds").unwrap().parameters();
    (parameters.ranks, parameters.hosts, parameters.iterations) = (6, 2, 60);
    let trace = simulate(&parameters).unwrap().trace;
    let properties = [("MPISCOPE::SIMULATED".to_owned(), "true".to_owned())];
    let done = write_trace(&trace, run.path(), &properties).unwrap();
    for options in [&["-G", "-L", "0", "-C"][..], &["-A"], &[]] {
        otf2_print(&done.anchor, options);
    }
}

/// Events of threads, windows and nonblocking operations, with notes.
const RARE: &str = "\
comm row: 0 1
win w: world
0: 1 icollective#7 !persistent(2) 2 ibcast#7(root=0) 3 comm_create(row) 4 fork(2) 5 team_begin(t) 6 team_end(t) 7 join
0: 8 thread_create(t,1) 9 thread_begin(t,1) 10 thread_end(t,1) 11 thread_wait(t,1) 12 acquire(3,0) 13 release(3,0)
0: 14 task_create(t,0,1) 15 task_switch(t,0,1) 16 task_complete(t,0,1) 17 off 18 on 19 send>1 !sync !signal(4)
0: 20 alltoallv{ 21 } !dense 22 enter(MPI_Comm_dup) 23 leave(MPI_Comm_dup) !created(row)
1: 1 win_create(w) 2 win_begin 3 win_end(w,barrier,sync) 4 group_sync(w,0&1) 5 lock_request(w,0,0) 6 lock_try(w,0,0)
1: 7 lock_acquire(w,0,0,shared) !seq(4) 8 lock_release(w,0,0) 9 notify_out(w,0) 10 notify_in(w,0) 11 win_destroy(w)
1: 20 recv<0 !await(4) 21 alltoallv{ 22 }
";

#[test]
fn samples_come_back() {
    check(
        "sampled 1000000\n0: 1 sample(src/heat.c:42) 2 sample(heat+0x11d3*4) 3 send>1\n1: 4 recv<0",
        expect![[r#"
            sampled 1000000
            clock 0:
            clock 1:
            0: 1 sample(src/heat.c:42) 2 sample(heat+0x11d3*4) 3 send>1
            1: 4 recv<0
        "#]],
    );
}

#[test]
fn values_of_metrics_come_back() {
    check(
        "0: 1 metric(a=0.5,b[K]=-3) 2 metric(b[K]=4) 3 metric(c=5u)\n1: 4 metric(c=6u)",
        expect![[r#"
            clock 0:
            clock 1:
            0: 1 metric(a=0.5,b[K]=-3) 2 metric(b[K]=4) 3 metric(c=5u)
            1: 4 metric(c=6u)
        "#]],
    );
}

#[test]
fn rarer_kinds_come_back() {
    check(
        RARE,
        expect![[r#"
        comm row: 0 1
        win w: world
        clock 0:
        clock 1:
        0: 1 icollective#7 !persistent(2) 2 ibcast#7(root=0) 3 comm_create(row) 4 fork(2) 5 team_begin(t) 6 team_end(t) 7 join 8 thread_create(t,1) 9 thread_begin(t,1) 10 thread_end(t,1) 11 thread_wait(t,1) 12 acquire(3,0) 13 release(3,0) 14 task_create(t,0,1) 15 task_switch(t,0,1) 16 task_complete(t,0,1) 17 off 18 on 19 send>1 !sync !signal(4) 20 alltoallv{ 21 } !dense 22 enter(MPI_Comm_dup) 23 leave(MPI_Comm_dup) !created(row)
        1: 1 win_create(w) 2 win_begin 3 win_end(w,barrier,sync) 4 group_sync(w,0&1) 5 lock_request(w,0,0) 6 lock_try(w,0,0) 7 lock_acquire(w,0,0,shared) !seq(4) 8 lock_release(w,0,0) 9 notify_out(w,0) 10 notify_in(w,0) 11 win_destroy(w) 20 recv<0 !await(4) 21 alltoallv{ 22 }
    "#]],
    );
}

#[test]
fn rarer_kinds_are_read_by_others() {
    let run = tempfile::tempdir().unwrap();
    let done = write_trace(&Trace::parse(RARE).unwrap(), run.path(), &[]).unwrap();
    for options in [&["-G"][..], &["-A"], &[]] {
        otf2_print(&done.anchor, options);
    }
}
