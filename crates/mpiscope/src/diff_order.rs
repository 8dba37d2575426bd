//! `mpiscope diff --order A B`: where two runs first took their messages in
//! another order.
//!
//! After the first difference the runs may differ in everything. So of each
//! thread the first is told, and first of all those that follow from no other:
//! no thread that differed earlier could have told of it.

mod text;

use std::path::Path;

use anyhow::{bail, ensure, Result};
use mpiscope_analysis::happened_before::{sweep, Columns};
use mpiscope_run::model::{EventRef, Trace};
use mpiscope_run::order::{self as records, Outcome, RankOrder, Record, Taken, ThreadOrder};
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::trace::anchor_of;
use serde::Serialize;

use crate::cli::Diff;
use crate::explore::calls::call;
use crate::explore::choices::Choices;
use crate::input::{Damaged, Input};
use crate::{say, show, FINDINGS};
use text::{outcome, taken, text};

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

/// Compares the order of two runs; returns the exit code.
pub fn run(arguments: &Diff) -> Result<u8> {
    let (a, b) = (Side::open(&arguments.a)?, Side::open(&arguments.b)?);
    comparable(&a.record, &b.record, &arguments.a, &arguments.b)?;
    let mut report = compare(&a, &b);
    report.a = arguments.a.display().to_string();
    report.b = arguments.b.display().to_string();
    match arguments.json {
        true => say::report(serde_json::to_string_pretty(&report)?)?,
        false => say::report(text(&report))?,
    }
    Ok(match arguments.fail_on {
        Some(_) if !report.equal => FINDINGS,
        _ => 0,
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
                "{}: neither an order record nor a trace; `mpiscope record` and `mpiscope trace` write them",
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

fn compare(a: &Side, b: &Side) -> Report {
    let mut report = Report::default();
    let outcomes = !a.receives_only && !b.receives_only;
    if !outcomes {
        let note = "one run has no order record: waits and polls are not compared";
        report.notes.push(note.to_owned());
    }
    for rank in &a.record.ranks {
        let Some(other) = b.record.rank(rank.rank) else {
            report
                .notes
                .push(format!("rank {} is only in the first run", rank.rank));
            continue;
        };
        for thread in &rank.threads {
            let empty = ThreadOrder::default();
            let twin = twin(other, thread).unwrap_or(&empty);
            report.compared += thread.receives.len() as u64;
            report.compared += if outcomes {
                thread.outcomes.len() as u64
            } else {
                0
            };
            let found = of_thread(a, b, rank, thread, twin, outcomes);
            report.differences.extend(found);
        }
    }
    let only = b
        .record
        .ranks
        .iter()
        .filter(|it| a.record.rank(it.rank).is_none());
    report
        .notes
        .extend(only.map(|it| format!("rank {} is only in the second run", it.rank)));
    report.equal = report.differences.is_empty();
    if let Some((trace, _)) = &a.trace {
        mark_first(trace, &mut report.differences);
    }
    report
        .differences
        .sort_by_key(|it| (!it.first, it.rank, it.thread));
    report
}

/// Returns the same thread of another run: made by the same, if that is known.
fn twin<'a>(other: &'a RankOrder, thread: &ThreadOrder) -> Option<&'a ThreadOrder> {
    let mut threads = other.threads.iter();
    threads.find(|it| match (it.lineage, thread.lineage) {
        (0, _) | (_, 0) => it.number == thread.number,
        (own, others) => own == others,
    })
}

/// Returns a thread's first difference: the earlier one of receives and
/// outcomes, or both where that is not known.
fn of_thread(
    a: &Side,
    b: &Side,
    rank: &RankOrder,
    thread: &ThreadOrder,
    twin: &ThreadOrder,
    outcomes: bool,
) -> Vec<Difference> {
    let make = |what, number: usize, a: String, b: String| Difference {
        rank: rank.rank,
        thread: thread.number,
        what,
        number: number + 1,
        a,
        b,
        ..Difference::default()
    };
    let mut found = Vec::new();
    if let Some(k) = first(&thread.receives, &twin.receives) {
        let words = |all: &[Option<Taken>]| match all.get(k) {
            Some(Some(it)) => taken(*it),
            Some(None) => "none".to_owned(),
            None => "has no more".to_owned(),
        };
        found.push(make(
            "receive",
            k,
            words(&thread.receives),
            words(&twin.receives),
        ));
    }
    let differs = first(&thread.outcomes, &twin.outcomes).filter(|_| outcomes);
    if let Some(k) = differs {
        let words = |all: &[Outcome]| all.get(k).map_or("has no more".to_owned(), outcome);
        found.push(make(
            "wait or poll",
            k,
            words(&thread.outcomes),
            words(&twin.outcomes),
        ));
    }
    for difference in &mut found {
        locate(a, b, difference);
    }
    if let [receive, outcome] = &found[..] {
        let events = receive.event.zip(outcome.event);
        let same = events.filter(|(r, o)| r.location == o.location);
        if let Some((receive, outcome)) = same {
            found.remove(usize::from(receive < outcome));
        }
    }
    found
}

/// Finds the call in the trace of the one run, else of the other.
fn locate(a: &Side, b: &Side, difference: &mut Difference) {
    let key = (difference.rank, difference.thread);
    for (side, is_a) in [(a, true), (b, false)] {
        let Some((trace, choices)) = &side.trace else {
            continue;
        };
        let Some(thread) = choices.0.get(&key) else {
            continue;
        };
        let at = difference.number - 1;
        let event = match difference.what {
            "receive" => thread.receives.get(at).map(|receive| receive.post),
            _ => thread.outcomes.get(at).map(|&index| EventRef {
                location: thread.location,
                index,
            }),
        };
        if let Some(event) = event {
            difference.call = call(trace, event);
            difference.event = Some(event).filter(|_| is_a);
            return;
        }
    }
}

fn first<T: PartialEq>(a: &[T], b: &[T]) -> Option<usize> {
    let differs = (0..a.len().min(b.len())).find(|&k| a[k] != b[k]);
    differs.or((a.len() != b.len()).then_some(a.len().min(b.len())))
}

/// Marks the differences that no other happened before.
fn mark_first(trace: &Trace, differences: &mut [Difference]) {
    let events: Vec<EventRef> = differences.iter().filter_map(|it| it.event).collect();
    let columns = Columns::some(trace, events.iter().map(|event| event.location));
    let mut follows = vec![false; events.len()];
    sweep(trace, &trace.matching(), &columns, &events, |k, known| {
        let earlier = |(j, event): (usize, &EventRef)| {
            j != k
                && known
                    .latest(event.location)
                    .is_some_and(|latest| latest >= event.index)
        };
        follows[k] = events.iter().enumerate().any(earlier);
    });
    let located = differences.iter_mut().filter(|it| it.event.is_some());
    for (difference, follows) in located.zip(follows) {
        difference.first = !follows;
    }
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
