//! Blocks of an archive say what its events do where they stand, or there are none.

mod common;

use common::written::Written;
use mpiscope_archive::progress::Progress;
use mpiscope_archive::trace::blocks::{says_the_same, Blocks};
use mpiscope_archive::trace::read_trace;
use mpiscope_archive::write::write_trace;
use mpiscope_model::{EventKind, Events, Timestamp, Trace};
use mpiscope_simulate::parameters::{Parameters, Program};
use mpiscope_simulate::simulate;
use otf2::Event;

const EVERY: u32 = 100;

/// Finds the blocks of an archive whose events these are.
fn found(anchor: &std::path::Path, trace: &Trace) -> Option<Blocks> {
    let lengths: Vec<usize> = trace.locations.iter().map(|it| it.events.len()).collect();
    let (mut blocks, empty) = Blocks::open(anchor, EVERY).unwrap();
    assert_eq!(empty.locations.len(), trace.locations.len());
    let same = |location: usize, first: usize, block: &_| {
        says_the_same(block, &trace.locations[location].events, first)
    };
    let is_found = blocks.find(&lengths, same, &Progress::default());
    is_found.then_some(blocks)
}

/// What events begin and end; which operation ends is not in an outline.
fn told(events: &Events) -> Vec<(Timestamp, EventKind, Option<u32>)> {
    let kinds = events.kinds().iter().zip(events.args());
    let told = |(time, (kind, arg)): (&Timestamp, (&EventKind, &u32))| match kind {
        EventKind::Enter | EventKind::Leave | EventKind::MeasurementOnOff => {
            (*time, *kind, Some(*arg))
        }
        EventKind::MpiCollectiveBegin | EventKind::MpiCollectiveEnd => (*time, *kind, None),
        _ => (*time, EventKind::Other, None),
    };
    events.times().iter().zip(kinds).map(told).collect()
}

#[test]
fn an_outline_has_what_begins_and_ends() {
    let trace = Trace::parse(
        "0: 1 enter(f) 2 send>1 3 off 5 on 6 isend>1#1 7 wait#1 8 leave(f) 9 barrier{ 10 }
         1: 1 recv<0 2 enter(g) 3 recv<0 4 enter(f) 5 leave(f) 9 barrier{ 10 }",
    );
    let trace = trace.unwrap();
    let place = tempfile::tempdir().unwrap();
    write_trace(&trace, place.path(), &[]).unwrap();
    let trace = read_trace(place.path()).unwrap();
    let blocks = found(place.path(), &trace).unwrap();
    for (location, number) in trace.locations.iter().zip(0..) {
        let outline = blocks.outline(number, 0);
        assert_eq!(told(&outline), told(&location.events));
        let kinds = outline.kinds().iter();
        let others = kinds.filter(|kind| **kind == EventKind::Other).count();
        assert!(others > 0 && outline.messages().is_empty());
    }
}

#[test]
fn blocks_are_read_in_any_order() {
    for program in [Program::Mix, Program::Collectives] {
        let parameters = Parameters {
            ranks: 6,
            hosts: 2,
            iterations: 60,
            program,
            ..Parameters::default()
        };
        let trace = simulate(&parameters).unwrap().trace;
        let place = tempfile::tempdir().unwrap();
        write_trace(&trace, place.path(), &[]).unwrap();
        let anchor = place.path();
        let trace = read_trace(anchor).unwrap();
        let blocks = found(anchor, &trace).unwrap();
        let (mut later, empty) = Blocks::open(anchor, EVERY).unwrap();
        assert_eq!(empty.definitions, trace.definitions);
        assert_eq!(empty.clocks, trace.clocks);
        later.set_marks(blocks.marks().to_vec());
        for (location, number) in trace.locations.iter().zip(0..) {
            let count = location.events.len().div_ceil(EVERY as usize) as u32;
            for block in (0..count).rev() {
                let events = later.events(number, block);
                let first = (block * EVERY) as usize;
                assert!(says_the_same(&events, &location.events, first));
                assert_eq!(later.times(number, block), events.times());
                assert_eq!(told(&later.outline(number, block)), told(&events));
            }
            assert!(later.events(number, count).is_empty());
        }
    }
}

#[test]
fn what_nobody_defined_has_no_blocks() {
    let written = Written::default().event(0, 10, Event::Enter { region: 100 });
    let place = written.written();
    let trace = read_trace(place.path()).unwrap();
    assert_eq!(trace.event_count(), 1);
    assert!(found(place.path(), &trace).is_none());
}

#[test]
fn of_an_archive_that_is_gone_blocks_say_nothing() {
    let trace = Trace::parse("0: 1 enter(f) 2 leave(f)\n1: 3 4 5").unwrap();
    let place = tempfile::tempdir().unwrap();
    write_trace(&trace, place.path(), &[]).unwrap();
    let trace = read_trace(place.path()).unwrap();
    let blocks = found(place.path(), &trace).unwrap();
    std::fs::remove_dir_all(place.path().join("traces")).unwrap();
    let events = blocks.events(1, 0);
    assert_eq!(events.len(), 3);
    assert_eq!(blocks.times(1, 0).len(), 3);
    assert!(!says_the_same(&events, &trace.locations[1].events, 0));
}
