//! Where two records differ first, thread by thread, and which of these
//! differences follows from no other.

use mpiscope_analysis::happened_before::{sweep, Columns};
use mpiscope_archive::model::{EventRef, Trace};
use mpiscope_run::order::{Outcome, RankOrder, Taken, ThreadOrder};

use super::text::{outcome, taken};
use super::{Difference, Report, Side};
use crate::explore::calls::call;

/// Compares thread by thread; of each the first difference.
pub(super) fn compare(a: &Side, b: &Side) -> Report {
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
            _ => thread.outcomes.get(at).map(|it| EventRef {
                location: thread.location,
                index: it.event,
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
