//! `mpiscope diff --order A B`: where two runs first took their messages in
//! another order.
//!
//! After the first difference the runs may differ in everything. So of each
//! thread the first is told, and first of all those that follow from no other:
//! no thread that differed earlier could have told of it.

mod compare;
mod text;

use std::path::Path;

use anyhow::{bail, ensure, Result};
use mpiscope_archive::choices::Choices;
use mpiscope_archive::model::{EventRef, Trace};
use mpiscope_archive::trace::anchor_of;
use mpiscope_run::order::{self as records, Record};
use mpiscope_run::run_info::RunInfo;
use serde::Serialize;

use crate::exit::FINDINGS;
use crate::input::{Damaged, Input};
use crate::report::show;
use crate::say;
use compare::compare;
use text::text;

/// One of both runs.
struct Side {
    record: Record,
    trace: Option<(Trace, Choices)>,
    /// The record is only what the trace tells.
    receives_only: bool,
}

/// Everything that is reported.
#[derive(Debug, Default, Serialize)]
struct Report {
    /// One run.
    a: String,
    /// The other.
    b: String,
    /// Whether all choices are equal.
    equal: bool,
    /// Choices compared.
    compared: u64,
    /// The first difference of each thread; those that follow from no other first.
    differences: Vec<Difference>,
    /// What is to be known besides, in sentences.
    notes: Vec<String>,
}

/// The first difference of a thread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
struct Difference {
    /// World rank.
    rank: u32,
    /// Thread of the rank.
    thread: u32,
    /// `receive`, `wait or poll`.
    what: &'static str,
    /// Which of that kind, from 1.
    number: usize,
    /// What the one run did.
    a: String,
    /// What the other did.
    b: String,
    /// The call, if there is a trace.
    call: Option<String>,
    /// It follows from no other of them, as far as is known.
    first: bool,
    /// Its event in the trace.
    #[serde(skip)]
    event: Option<EventRef>,
}

/// Compares the order of two runs; returns the exit code, that of findings if a difference is to
/// be one.
pub fn run(path_a: &Path, path_b: &Path, json: bool, fails: bool) -> Result<u8> {
    let (a, b) = (Side::open(path_a)?, Side::open(path_b)?);
    comparable(&a.record, &b.record, path_a, path_b)?;
    let mut report = compare(&a, &b);
    report.a = path_a.display().to_string();
    report.b = path_b.display().to_string();
    match json {
        true => say::report(serde_json::to_string_pretty(&report)?)?,
        false => say::report(text(&report))?,
    }
    Ok(match fails && !report.equal {
        true => FINDINGS,
        false => 0,
    })
}

impl Side {
    fn open(path: &Path) -> Result<Side> {
        let has_trace = anchor_of(path).is_ok();
        let trace = match has_trace {
            true => Some(Input::open(path)?),
            false => None,
        };
        let program = trace.as_ref().and_then(|input| input.run.clone());
        // Where calls were left out, nobody knows which choice is whose.
        let trace = trace.filter(|input| input.trace.definitions.told.calls);
        let trace = trace.map(|input| {
            let choices = Choices::of(&input.trace);
            (input.trace, choices)
        });
        let (record, receives_only) = if records::exists(path) {
            let record = records::read(path).map_err(|error| Damaged(error.to_string()))?;
            (record, false)
        } else if let Some((trace, choices)) = &trace {
            (of_trace(trace, choices, program.as_ref()), true)
        } else {
            bail!(
                "{}: neither an order record nor a trace of all calls; `mpiscope record` and `mpiscope trace` write them",
                path.display()
            );
        };
        Ok(Side {
            record,
            trace,
            receives_only,
        })
    }
}

fn of_trace(trace: &Trace, choices: &Choices, info: Option<&RunInfo>) -> Record {
    let mut record = choices.record(trace);
    let program = info.map(|info| info.program.clone()).unwrap_or_default();
    for rank in &mut record.ranks {
        rank.program.clone_from(&program);
    }
    record
}

/// Two runs of one program on as many ranks?
fn comparable(a: &Record, b: &Record, path_a: &Path, path_b: &Path) -> Result<()> {
    let (path_a, path_b) = (path_a.display(), path_b.display());
    let (size_a, size_b) = (a.origin.world_size, b.origin.world_size);
    ensure!(
        size_a == size_b,
        "{path_a} is of {}, {path_b} of {}: their orders cannot be compared",
        show::counted(u64::from(size_a), "rank"),
        show::counted(u64::from(size_b), "rank")
    );
    let base = |program: &str| program.rsplit('/').next().unwrap_or_default().to_owned();
    for order in &a.ranks {
        let Some(other) = b.rank(order.rank) else {
            continue;
        };
        let (of_a, of_b) = (base(&order.program), base(&other.program));
        ensure!(
            of_a == of_b || of_a.is_empty() || of_b.is_empty(),
            "rank {} is {of_a} in {path_a} and {of_b} in {path_b}: their orders cannot be compared",
            order.rank
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    fn side(picture: &str) -> Side {
        let trace = Trace::parse(picture).unwrap();
        let choices = Choices::of(&trace);
        Side {
            record: choices.record(&trace),
            trace: Some((trace, choices)),
            receives_only: true,
        }
    }

    #[track_caller]
    fn check(a: &str, b: &str, expected: Expect) {
        let mut report = compare(&side(a), &side(b));
        (report.a, report.b) = ("A".into(), "B".into());
        expected.assert_eq(&text(&report));
    }

    const SENDS: &str = "1: 1 send>0 2 send>0\n2: 1 send>0 2 send>0";

    #[test]
    fn the_first_receive_that_differs_is_named_with_its_line() {
        check(
            &format!("0: 4 recv<1(any) 5 enter(MPI_Recv) !at(sum.c:12) 6 recv<1(any) 7 leave(MPI_Recv) 8 recv<2(any)\n{SENDS}"),
            &format!("0: 4 recv<1(any) 6 recv<2(any) 8 recv<1(any)\n{SENDS}"),
            expect![[r#"
                A and B differ; the first of each thread:
                note: one run has no order record: waits and polls are not compared
                  rank 0, receive 2, MPI_Recv at sum.c:12: rank 1 | rank 2 (follows from no other)"#]],
        );
    }

    #[test]
    fn what_follows_from_another_difference_comes_after_it() {
        let run = |first: u32, second: u32| {
            format!(
                "0: 10 recv<1(any) 11 recv<2(any)
                 1: 1 send>0
                 2: 1 send>0
                 3: 2 recv<{first}(any) 3 recv<{second}(any) 4 send>0
                 4: 1 send>3
                 5: 1 send>3"
            )
            .replace(
                "recv<1(any) 11",
                &format!("recv<{}(any) 11", if first == 4 { 3 } else { 1 }),
            )
        };
        check(
            &run(4, 5),
            &run(5, 4),
            expect![[r#"
            A and B differ; the first of each thread:
            note: one run has no order record: waits and polls are not compared
              rank 3, receive 1: rank 4 | rank 5 (follows from no other)
              rank 0, receive 1: rank 3 | rank 1"#]],
        );
    }

    #[test]
    fn equal_orders_are_said_to_be_equal() {
        let run = format!("0: 4 recv<1(any)\n{SENDS}");
        check(
            &run,
            &run,
            expect![[r#"
            A and B took their messages in the same order: 1 choice
            note: one run has no order record: waits and polls are not compared"#]],
        );
    }

    #[test]
    fn runs_on_other_numbers_of_ranks_are_refused() {
        let (a, b) = (side("0: 1\n1: 1"), side("0: 1"));
        let error = comparable(&a.record, &b.record, "A".as_ref(), "B".as_ref()).unwrap_err();
        let expected = "A is of 2 ranks, B of 1 rank: their orders cannot be compared";
        assert_eq!(error.to_string(), expected);
    }
}
