//! The table of calls: how long each region took, with and without what it called.

use arrow_array::RecordBatch;
use mpiscope_analysis::nesting::Nesting;
use mpiscope_model::{CallSiteId, Location, RegionId, Timestamp};
use rayon::prelude::*;

use crate::columns::FromRows;
use crate::{rank, Tables};

struct Call<'a> {
    location: &'a Location,
    region: RegionId,
    site: Option<CallSiteId>,
    begin: Timestamp,
    end: Timestamp,
    /// Time in the calls that it made itself.
    within: i64,
    depth: i64,
    /// The row of the call that made it.
    parent: Option<i64>,
    /// The row of its enter.
    row: i64,
    /// It was left itself: not cut off by the end of the call around it, or of the trace.
    complete: bool,
}

impl Call<'_> {
    fn inclusive(&self) -> i64 {
        (self.end - self.begin).0
    }
}

/// Makes the table.
pub fn table(tables: &Tables) -> RecordBatch {
    let locations = tables.trace.locations.par_iter().with_max_len(1);
    let found = locations.zip(&tables.first_rows);
    let found: Vec<Vec<Call>> = found.map(|(it, &row)| calls(it, row)).collect();
    let mut rows: Vec<Call> = Vec::with_capacity(found.iter().map(Vec::len).sum());
    for mut calls in found {
        let first = rows.len() as i64;
        for call in &mut calls {
            call.parent = call.parent.map(|parent| first + parent);
        }
        rows.append(&mut calls);
    }
    FromRows::new(&rows)
        .text("Name", &tables.regions, |it| tables.region(Some(it.region)))
        .number("Process", |it| rank(it.location))
        .number("Thread", |it| i64::from(it.location.thread))
        .number("begin_ns", |it| tables.ns(it.begin))
        .number("end_ns", |it| tables.ns(it.end))
        .number("time.inc", Call::inclusive)
        .number("time.exc", |it| it.inclusive().saturating_sub(it.within))
        .text("call_site", &tables.call_sites, |it| {
            tables.call_site(it.site)
        })
        .number("depth", |it| it.depth)
        .maybe("parent", |it| it.parent)
        .flag("complete", |it| it.complete)
        .number("event", |it| it.row)
        .table()
}

/// Returns the calls of a location in the order in which they were entered; parents are
/// numbered within it.
fn calls(location: &Location, first_row: usize) -> Vec<Call<'_>> {
    let events = &location.events;
    let mut nesting = Nesting::default();
    let mut calls: Vec<Call> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, &time) in events.times().iter().enumerate() {
        nesting.step(events, at);
        let ended = nesting.ended().len();
        for number in 0..ended {
            end(&mut calls, &mut open, time, number + 1 == ended);
        }
        let Some(frame) = nesting.innermost().filter(|it| it.enter as usize == at) else {
            continue;
        };
        calls.push(Call {
            location,
            region: frame.region,
            site: events.call_site(at),
            begin: time,
            end: time,
            within: 0,
            depth: open.len() as i64,
            parent: open.last().map(|&parent| parent as i64),
            row: (first_row + at) as i64,
            complete: false,
        });
        open.push(calls.len() - 1);
    }
    let last = events.times().last().copied().unwrap_or_default();
    while !open.is_empty() {
        end(&mut calls, &mut open, last, false);
    }
    calls
}

/// Ends the innermost call that is open.
fn end(calls: &mut [Call], open: &mut Vec<usize>, time: Timestamp, complete: bool) {
    let Some(number) = open.pop() else {
        return;
    };
    calls[number].end = time;
    calls[number].complete = complete;
    let inclusive = calls[number].inclusive();
    if let Some(&parent) = open.last() {
        calls[parent].within = calls[parent].within.saturating_add(inclusive);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_model::Trace;

    /// Begin, inclusive and exclusive time, parent, and whether it was left.
    #[track_caller]
    fn check(picture: &str, expected: &[(i64, i64, i64, Option<i64>, bool)]) {
        let trace = Trace::parse(picture).unwrap();
        let found: Vec<_> = calls(&trace.locations[0], 0)
            .iter()
            .map(|it| {
                let (begin, inclusive) = (it.begin.0, it.inclusive());
                let exclusive = inclusive - it.within;
                (begin, inclusive, exclusive, it.parent, it.complete)
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_a_call_called_is_not_in_its_exclusive_time() {
        check(
            "0: 1 enter(main) 3 enter(a) 4 enter(b) 6 leave(b) 7 leave(a) 8 enter(b) 9 leave(b) 10 leave(main)",
            &[
                (1, 9, 4, None, true),
                (3, 4, 2, Some(0), true),
                (4, 2, 2, Some(1), true),
                (8, 1, 1, Some(0), true),
            ],
        );
    }

    #[test]
    fn what_was_never_left_ends_with_what_is_around_it() {
        check(
            "0: 1 enter(main) 2 enter(a) 5 leave(main) 6 leave(a) 7 enter(b) 9",
            &[
                (1, 4, 1, None, true),
                (2, 3, 3, Some(0), false),
                (7, 2, 2, None, false),
            ],
        );
    }
}
