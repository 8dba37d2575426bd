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
1: 3 recv<0(any,anytag) 4 irecv#2 5 wait<0#2(comm=bridge,any) 6 probe<0 7 on 8 recv<0(bytes=3,seq=7)
0.1: 1 bcast(root=0,sent=9,received=0){ 2 barrier(comm=me){ 3 } 4 } 5 scan(sent=0,seq=4){ 6 } 7 ?{
1.1: 5 }allreduce
",
    );
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
        "0: 99999999999999999999",
        expect!["line 1, column 4: expected a time"],
    );
    refused(
        "4294967295: 1",
        expect!["line 1, column 1: expected a rank below 1048576"],
    );
    refused(
        "zero: 1",
        expect!["line 1, column 1: expected a location such as 0: or 0.1:, comm or clock"],
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
    "barrier",
    "bcast",
    "(root=0)",
    "{",
    "}",
    "?{",
    "enter(f)",
    "leave(f)",
    "other(5)",
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
        4 => prop::sample::select(&PIECES[5..28]).prop_map(|piece| format!(" {piece}")),
        2 => (0..100i64).prop_map(|time| format!(" {time}")),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| format!("0:{}", pieces.concat()))
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
            Err(error) if error.line == 1 => text.chars().take(error.column - 1).collect(),
            Err(_) => return Ok(()),
        };
        if let Ok(trace) = Trace::parse(&whole) {
            let printed = trace.print(&trace.times());
            prop_assert_eq!(Trace::parse(&printed).unwrap(), trace);
        }
    }
}
