//! The calls of MPI: each from the entry into a function of MPI to its exit, whatever is entered
//! within. An operation that stands in no function is a call, too; one that was never left lasts to
//! the end.

use mpiscope_model::{Event, Trace};

use super::At;

#[derive(Clone, Debug)]
pub(super) struct Call {
    pub location: usize,
    pub enter: usize,
    pub leave: usize,
    pub begin: i64,
    pub end: i64,
    /// Of its function; an operation without one has none.
    pub name: String,
}

impl Call {
    pub fn has(&self, (location, event): At) -> bool {
        self.location == location && (self.enter..=self.leave).contains(&event)
    }
}

pub(super) fn all(trace: &Trace) -> Vec<Call> {
    let locations = 0..trace.locations.len();
    locations.flat_map(|location| of(trace, location)).collect()
}

fn of(trace: &Trace, location: usize) -> Vec<Call> {
    let events = &trace.locations[location].events;
    let mut calls: Vec<Call> = Vec::new();
    let mut next = 0;
    while next < events.len() {
        let Some(name) = begins(trace, events.event(next), &|| {
            has_end(trace, location, next)
        }) else {
            next += 1;
            continue;
        };
        let leave = end(trace, location, next);
        calls.push(Call {
            location,
            enter: next,
            leave,
            begin: events.times()[next].0,
            end: events.times()[leave].0,
            name,
        });
        next = leave + 1;
    }
    calls
}

/// Returns the name of the call that an event begins, if it begins one.
fn begins(trace: &Trace, event: Event, has_end: &dyn Fn() -> bool) -> Option<String> {
    match event {
        Event::Enter(region) => {
            let name = &trace.definitions.regions[region.index()].name;
            name.starts_with("MPI_").then(|| name.clone())
        }
        Event::MpiCollectiveBegin if has_end() => Some(String::new()),
        _ => None,
    }
}

fn has_end(trace: &Trace, location: usize, begin: usize) -> bool {
    let events = &trace.locations[location].events;
    let mut rest = begin + 1..events.len();
    rest.any(|it| matches!(events.event(it), Event::MpiCollectiveEnd(_)))
}

/// Returns the event that ends the call that one begins.
fn end(trace: &Trace, location: usize, begin: usize) -> usize {
    let events = &trace.locations[location].events;
    let is_function = matches!(events.event(begin), Event::Enter(_));
    let mut depth = 0;
    for event in begin..events.len() {
        match events.event(event) {
            Event::Enter(_) => depth += 1,
            Event::Leave(_) => depth -= 1,
            Event::MpiCollectiveEnd(_) if !is_function => return event,
            _ => {}
        }
        if is_function && depth == 0 {
            return event;
        }
    }
    events.len() - 1
}
