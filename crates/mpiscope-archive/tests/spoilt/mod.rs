//! One archive for each rule that is against it.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod drawn;
pub mod random;
pub mod readers;

use otf2::{
    CollectiveOp, Definition, Event, GroupType, IdMap, LocalDefinition, MappingType, Paradigm,
    UNDEFINED,
};

use drawn::*;

fn offset(time: u64) -> LocalDefinition {
    LocalDefinition::ClockOffset {
        time,
        offset: 0,
        standard_deviation: 0.0,
    }
}

fn table() -> LocalDefinition {
    LocalDefinition::MappingTable {
        mapping_type: MappingType::REGION,
        id_map: IdMap::Dense(vec![0, 1, 2]),
    }
}

fn property(name: &str, value: &str) -> Drawn {
    // The writer refuses such properties: another one's bytes are altered.
    let mut drawn = Drawn::clean();
    drawn.options.properties = vec![(name.into(), value.into())];
    drawn
}

/// libotf2 3.0.2 takes one that stands alone.
fn valueless() -> Drawn {
    let mut drawn = property("A::A", "x");
    drawn.options.properties.push(("A::B".into(), "c".into()));
    drawn.alter("traces.otf2", |bytes| {
        let at = bytes.windows(7).position(|it| it == b"A::B\0c\0");
        bytes.remove(at.unwrap() + 5);
    })
}

fn at(definitions: &[Definition], test: fn(&Definition) -> bool) -> usize {
    definitions.iter().position(test).unwrap()
}

/// A send that is posted so often, and completed once.
fn nonblocking(times: u32) -> Vec<(u64, Event)> {
    let isend = Event::MpiIsend {
        receiver: 1,
        communicator: 0,
        msg_tag: 7,
        msg_length: 8,
        request_id: 5,
    };
    let complete = Event::MpiIsendComplete { request_id: 5 };
    let mut events = vec![(25, Event::Enter { region: SEND })];
    events.extend((0..times).map(|_| (25, isend.clone())));
    events.push((25, complete));
    events.push((25, Event::Leave { region: SEND }));
    events
}

/// Returns the archives by the names of the rules.
pub fn all() -> Vec<(&'static str, Drawn)> {
    let mut all = files();
    all.extend(definitions());
    all.extend(events());
    all.extend(across());
    all
}

fn files() -> Vec<(&'static str, Drawn)> {
    let clean = Drawn::clean;
    vec![
        ("file-missing", clean().alter("traces/1.evt", Vec::clear)),
        (
            "file-cut",
            clean().alter("traces/0.evt", |bytes| bytes.truncate(bytes.len() - 4)),
        ),
        (
            "file-damaged",
            clean().alter("traces/0.evt", |bytes| {
                // The barrier's end has a communicator of five bytes.
                let (from, to) = ([23, 5, 0, 0], [23, 5, 0, 5]);
                replace(bytes, &from, &to);
            }),
        ),
        (
            "local-definitions-missing",
            clean().alter("traces/1.def", Vec::clear),
        ),
        (
            "file-of-no-location",
            clean().alter("traces/9.evt", |bytes| bytes.push(3)),
        ),
        (
            "property-name",
            property("A::B", "c").alter("traces.otf2", |bytes| replace(bytes, b"A::B", b"A.:B")),
        ),
        ("property-value", valueless()),
        (
            "anchor-counts",
            clean().alter("traces.otf2", |bytes| bytes[30] += 1),
        ),
    ]
}

fn definitions() -> Vec<(&'static str, Drawn)> {
    let clean = Drawn::clean;
    let define = |spoil: fn(&mut Vec<Definition>)| clean().define(spoil);
    vec![
        (
            "defined-twice",
            define(|all| all.push(region(MAIN, 6, Paradigm::USER))),
        ),
        (
            "undefined-reference",
            define(|all| all.push(region(6, 77, Paradigm::USER))),
        ),
        (
            "defined-later",
            define(|all| {
                let node = at(all, |it| matches!(it, Definition::SystemTreeNode { .. }));
                let node = all.remove(node);
                all.push(node);
            }),
        ),
        (
            "circle",
            define(|all| {
                all.push(comm(1, 1, 2));
                all.push(comm(2, 1, 1));
            }),
        ),
        (
            "numbers-with-gaps",
            define(|all| all.push(region(1 << 30, 6, Paradigm::USER))),
        ),
        (
            "numbers-out-of-order",
            define(|all| {
                all.push(region(7, 6, Paradigm::USER));
                all.push(region(6, 6, Paradigm::USER));
            }),
        ),
        (
            "clock-missing",
            define(|all| {
                all.remove(0);
            }),
        ),
        (
            "times-beyond-clock",
            define(|all| {
                all[0] = Definition::ClockProperties {
                    timer_resolution: 1_000_000_000,
                    global_offset: 10,
                    trace_length: 31,
                    realtime_timestamp: u64::MAX,
                }
            }),
        ),
        (
            "processes-missing",
            define(|all| {
                let first = at(all, |it| matches!(it, Definition::Group { .. }));
                all.swap(first, first + 1);
            }),
        ),
        (
            "member-outside",
            define(|all| all.push(group(2, GroupType::COMM_GROUP, &[0, 2]))),
        ),
        (
            "self-group",
            define(|all| all.push(group(2, GroupType::COMM_SELF, &[0]))),
        ),
        (
            "region-of-mpi",
            define(|all| all.push(region(6, 2, Paradigm::USER))),
        ),
        (
            "event-count",
            define(|all| {
                let location = at(all, |it| matches!(it, Definition::Location { .. }));
                all[location] = location_of_99();
            }),
        ),
        (
            "chunk-count",
            clean().alter("traces/0.evt", |bytes| bytes[10] = 99),
        ),
        ("two-mappings", clean().local(vec![table(), table()])),
        ("offset-alone", clean().local(vec![offset(10)])),
        (
            "offset-order",
            clean().local(vec![offset(10), offset(30), offset(20)]),
        ),
    ]
}

fn location_of_99() -> Definition {
    location(0, 0, 99)
}

fn events() -> Vec<(&'static str, Drawn)> {
    let events = |spoil: fn(&mut Vec<(u64, Event)>)| Drawn::clean().events(spoil);
    vec![
        (
            "time-decreases",
            Drawn::clean().alter("traces/0.evt", |bytes| {
                replace(bytes, &[5, 21, 0, 0, 0, 0, 0, 0, 0], &[5, 19]);
            }),
        ),
        (
            "record-unknown",
            events(|all| {
                let payload = vec![1, 2, 3];
                all.insert(5, (21, Event::Unknown { id: 200, payload }));
            }),
        ),
        (
            "leave-without-enter",
            events(|all| all.insert(6, (22, Event::Leave { region: SEND }))),
        ),
        (
            "enter-without-leave",
            events(|all| all.insert(3, (12, Event::Enter { region: MAIN }))),
        ),
        ("peer-outside", events(|all| all.insert(5, (21, send(2))))),
        (
            "root-outside",
            events(|all| {
                all[8].1 = Event::MpiCollectiveEnd {
                    collective_op: CollectiveOp::BARRIER,
                    communicator: 0,
                    root: 2,
                    size_sent: 0,
                    size_received: 0,
                }
            }),
        ),
        (
            "outside-of-mpi",
            events(|all| {
                all.remove(3);
                all.remove(4);
            }),
        ),
        (
            "begin-without-end",
            events(|all| all.insert(7, (31, Event::MpiCollectiveBegin))),
        ),
        (
            "end-without-begin",
            events(|all| {
                all.remove(7);
            }),
        ),
        (
            "request-not-active",
            Drawn::clean().events(|all| drop(all.splice(6..6, nonblocking(0)))),
        ),
        (
            "request-reused",
            Drawn::clean().events(|all| {
                drop(all.splice(3..6, nonblocking(2)));
            }),
        ),
    ]
}

fn across() -> Vec<(&'static str, Drawn)> {
    let both = |spoil: fn(&mut Vec<(u64, Event)>)| {
        let mut drawn = Drawn::clean();
        drawn.events.values_mut().for_each(spoil);
        drawn.counted()
    };
    vec![
        (
            "operation-unknown",
            both(|all| {
                all[8].1 = Event::MpiCollectiveEnd {
                    collective_op: CollectiveOp::CREATE_HANDLE,
                    communicator: 0,
                    root: UNDEFINED,
                    size_sent: 0,
                    size_received: 0,
                }
            }),
        ),
        (
            "collective-order",
            Drawn::clean().events(|all| drop(all.drain(6..10))),
        ),
        (
            "unmatched",
            Drawn::clean().events(|all| {
                all.remove(4);
            }),
        ),
        ("init-missing", both(|all| drop(all.drain(1..3)))),
        ("finalize-missing", both(|all| drop(all.drain(10..12)))),
    ]
}
