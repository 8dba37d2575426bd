//! The text language: what is said comes back, what is wrong is pointed at.

use expect_test::{expect, Expect};
use mpiscope_model::Trace;
use proptest::prelude::*;

fn comes_back(picture: &str) {
    let trace = Trace::parse(picture).unwrap();
    assert_eq!(trace.print(&trace.times()), picture);
}

fn refused(picture: &str, expected: Expect) {
    expected.assert_eq(&Trace::parse(picture).unwrap_err().to_string());
}

#[test]
fn every_event_comes_back() {
    comes_back(
        "\
comm row: 0 1
comm bridge: 0 | 1
comm me: self
clock 0 0.1: 0 +0 ±0
clock 1: -5 +5 ±1, 100 -7 ±2
0: -3 1 other(4) 2 enter(main) 3 send>1(comm=row,tag=3,bytes=8) 4 isend>1#1 5 test#1 6 wait#1 7 cancel#9 8 leave(main) 9 off
1: 3 recv<0(any,anytag) 4 irecv#2 5 wait<0#2(comm=bridge,any) 6 probe<0 6 probe<0#8(any) 6 recv<0#8 7 on 8 recv<0(bytes=3,seq=7)
0.1: 1 bcast(root=0,sent=9,received=0){ 2 barrier(comm=me){ 3 } 4 } 4 gather(root=self,comm=bridge){ 4 } 4 bcast(root=outside){ 4 } 5 scan(sent=0,seq=4){ 6 } 7 ?{
1.1: 5 }allreduce
",
    );
}

#[test]
fn hosts_and_racks_come_back() {
    comes_back(
        "\
host a: 0 2
host b in left: 1
host c in left: 3
0: 1
1: 1
2: 1
3: 1
",
    );
    refused(
        "host a: 0\nhost a: 1",
        expect!["line 2, column 6: expected a name that no host has yet"],
    );
}

#[test]
fn kinds_of_locations_come_back() {
    comes_back("accelerator 0.1 2:\nmetric 0.2:\n0: 1\n0.1: 1\n0.2: 1\n2: 1\n");
    refused(
        "metric 1:\n0: 1",
        expect!["line 1, column 8: expected a location that has events"],
    );
}

#[test]
fn threads_windows_and_notes_come_back() {
    comes_back(
        "\
comm ring: 0 1 edges 0>1 1>0
comm none: 0 edges
win w: ring
0: 1 icollective#1 !persistent(2) 2 iallreduce#1(comm=ring,seq=3) 3 ibarrier#2 4 comm_create(ring) 5 leave(MPI_Comm_dup) !created(ring) 6 fork(2) 7 team_begin(t) 8 enter(omp_barrier) 9 leave(omp_barrier) 10 team_end(t) 11 join 12 acquire(1,2) 13 release(1,2) 14 thread_create(c,1) 15 thread_wait(c,1) 16 task_create(t,0,1) 17 task_switch(t,0,1) 18 task_complete(t,0,1)
0.1: 1 thread_begin(c,1) 2 acquire(1,3,pthread) 3 thread_end(c,1) 4 !signal(7) !await(8) 5 !seq(2)
1: 1 win_create(w) 2 win_begin 3 win_end(w,barrier,sync) 4 win_end(w,bcast,root=0,sent=9) 5 win_destroy(w) 6 group_sync(w,0&1) 7 lock_request(w,1,0) 8 lock_acquire(w,1,0,shared) !seq(4) 9 lock_try(w,1,0) 10 lock_release(w,1,0) 11 notify_in(w,0) 12 notify_out(w,0) 13 isend>0#1 !sync 14 alltoallv{ 15 } !dense 16 neighbor_allgather(comm=ring){ 17 }
",
    );
}

#[test]
fn samples_come_back() {
    comes_back(
        "\
sampled 1000
0: 1 sample(src/heat.c:42) 2 sample(heat+0x11d3*4) 3 enter(solve) 4 sample(src/heat.c:42*2) 5 leave(solve)
",
    );
}

#[test]
fn values_of_metrics_come_back() {
    comes_back(
        "\
0: 1 metric(residual=0.5,steps=-3) 2 enter(solve) 3 metric(a counter[10^-9 s]=18446744073709551615u) 4 metric(steps=7.0) 5 metric(residual=NaN)
1: 1 metric(steps=1)
",
    );
    refused(
        "0: 1 metric(steps=many)",
        expect!["line 1, column 19: expected a number, as 300, 300u or 0.5"],
    );
}

#[test]
fn what_is_known_of_calls_comes_back() {
    comes_back(
        "\
comm row: 0 1
0: 1 enter(MPI_Recv) !at(src/heat.c:42) !posted(any,anytag,cap=8,sig=12) 2 recv<1(any,anytag) !sig(12) 3 irecv#1 !posted(1,tag=3,comm=row) 4 enter(MPI_Probe) !at(heat+0x11d3) !posted(any) 5 bcast(root=0){ !posted(0,sig=9) 6 } !sig(9)
1: 1 enter(MPI_Send) !at(src/heat.c:42) 2 isend>0#1 !sync !sig(12) 3 !at(heat.c:7)
",
    );
    let trace = Trace::parse("0: 1 !at(a.c:1) 2 !at(a.c:2) 3 !at(a.c:1)").unwrap();
    assert_eq!(trace.definitions.call_sites.len(), 2);
}

#[test]
fn comments_and_blank_lines_say_nothing() {
    let trace = Trace::parse("// nothing\n\n0: 1 send>1 // sent\n 0: 2").unwrap();
    assert_eq!(trace.print(&trace.times()), "0: 1 send>1 2\n");
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    refused(
        "0: 1 send1",
        expect!["line 1, column 6: expected an event such as send>1, or the next time"],
    );
    refused("0: 1 send<1", expect!["line 1, column 10: expected >"]);
    refused("\n0: x", expect!["line 2, column 4: expected a time"]);
    refused(
        "0: 1 recv<0(comm=row)",
        expect!["line 1, column 18: expected the name of a communicator defined above"],
    );
    refused("0: 1 send>0(any)", expect!["line 1, column 13: expected tag, comm, bytes, any or anytag of a message, root, comm, sent or received of a collective, seq of either"]);
    refused(
        "0: 1 }",
        expect!["line 1, column 7: expected { before }, or the name of an operation after it"],
    );
    refused(
        "clock 3: 0 +1 ±1\n0: 1",
        expect!["line 1, column 7: expected a location that has events"],
    );
    refused(
        "0: 1 !at(heat.c)",
        expect!["line 1, column 10: expected FILE:LINE or MODULE+0xOFFSET"],
    );
    refused(
        "0: 1 !posted(any,cap)",
        expect!["line 1, column 21: expected ="],
    );
    refused(
        "0: 99999999999999999999",
        expect!["line 1, column 4: expected a time"],
    );
    refused(
        "4294967295: 1",
        expect!["line 1, column 1: expected a rank below 1048576"],
    );
    refused(
        "zero: 1",
        expect![
            "line 1, column 1: expected a location such as 0: or 0.1:, comm, win, clock, accelerator, metric or host"
        ],
    );
}

/// Pieces of the language, in any order.
const PIECES: &[&str] = &[
    "0:",
    "1:",
    "0.1:",
    "\n",
    " ",
    "7",
    "-3",
    "send>1",
    "isend>0#1",
    "recv<0",
    "irecv#1",
    "wait<0#1",
    "wait#1",
    "probe<1",
    "(any,tag=4)",
    "(comm=row)",
    "(sent=0)",
    "(seq=3)",
    "off",
    "icollective#1",
    "iscan#1",
    "team_begin(t)",
    "acquire(1,2)",
    "task_switch(t,0,1)",
    "win_begin",
    "win_end(w,barrier,sync)",
    "group_sync(w,0&1)",
    "lock_acquire(w,1,0)",
    "!signal(1)",
    "!seq(1)",
    "!sync",
    "!sig(4)",
    "!at(a.c:1)",
    "!at(a+0xf)",
    "!posted(any,anytag)",
    "!posted(1,cap=3)",
    "barrier",
    "bcast",
    "(root=0)",
    "{",
    "}",
    "?{",
    "enter(f)",
    "leave(f)",
    "other(5)",
    "metric(a=1)",
    "metric(",
    "comm row: 0 1",
    "clock 0:",
    " 0 +5 ±1",
    ",",
    "é",
    "99999999999999999999",
];

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        1 => prop::sample::select(PIECES).prop_map(str::to_string),
        4 => prop::sample::select(&PIECES[5..45]).prop_map(|piece| format!(" {piece}")),
        2 => (0..100i64).prop_map(|time| format!(" {time}")),
    ];
    prop::collection::vec(piece, 0..30)
        .prop_map(|pieces| format!("win w: world\n0:{}", pieces.concat()))
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in pieces()) {
        if let Err(error) = Trace::parse(&text) {
            let line = text.lines().nth(error.line - 1).unwrap_or_default();
            prop_assert!(error.column <= line.chars().count() + 1);
        }
    }

    /// An event list that breaks off reads back: what comes before an error.
    #[test]
    fn what_is_read_is_printed_so_that_it_reads_the_same(text in pieces()) {
        let whole = match Trace::parse(&text) {
            Ok(_) => text,
            Err(error) if error.line == 2 => text.chars().take("win w: world\n".len() + error.column - 1).collect(),
            Err(_) => return Ok(()),
        };
        if let Ok(trace) = Trace::parse(&whole) {
            let printed = trace.print(&trace.times());
            prop_assert_eq!(Trace::parse(&printed).unwrap(), trace);
        }
    }
}
