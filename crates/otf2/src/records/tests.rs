//! Every kind of every table, and what the tables promise.

use super::*;
use crate::wire::ByteOrder;
use crate::{Definition, Event, LocalDefinition, Marker, Snapshot, Thumbnail};
use proptest::prelude::*;

/// Numbers of all magnitudes, and often the extremes.
fn numbers(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed | 1;
    let mut step = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    move || match step() % 16 {
        0 => 0,
        1 => u64::MAX,
        _ => step() >> (step() % 64),
    }
}

fn written<R: Record>(record: &R, bound: usize, order: ByteOrder) -> Vec<u8> {
    let mut out = Out::new(1 << 16, order);
    record.put(&mut out, bound);
    out.filled().to_vec()
}

fn check<R: Record + std::fmt::Debug>(record: R) {
    assert!(record.writable(), "{record:?}");
    // Events keep room for the longest payload, definitions know its size.
    let (bound, size) = (record.bound(), record.size());
    assert!(size <= bound, "{record:?}");
    for (order, bound) in [(ByteOrder::Little, bound), (ByteOrder::Big, size)] {
        let bytes = written(&record, bound, order);
        let mut cursor = Cursor::new(&bytes, order);
        let id = cursor.u8().unwrap();
        let read = R::get(id, &mut cursor).unwrap();
        assert_eq!(cursor.remaining(), 0, "{record:?}");
        // By bytes, since NaN does not equal itself.
        assert_eq!(written(&read, bound, order), bytes, "{record:?}");
        assert_eq!(format!("{read:?}"), format!("{record:?}"));
    }
    let exact = written(&record, size, ByteOrder::Little);
    assert_eq!(exact.len(), record.head(size) + size, "{record:?}");
}

macro_rules! check_kinds {
    ($next:expr, $($Record:ident),*) => {$(
        for kind in $Record::KINDS {
            let record = $Record::sample(kind.id, $next);
            prop_assert_eq!(record.name(), kind.name);
            check(record);
        }
        check($Record::sample(200, $next));
    )*};
}

proptest! {
    #[test]
    fn every_kind_of_record_comes_back(seed: u64) {
        let next = &mut numbers(seed);
        check_kinds!(next, Event, Definition, LocalDefinition, Marker, Snapshot, Thumbnail);
        check(LocalDefinition::sample(10 + (seed % 34) as u8, next));
    }

    #[test]
    fn no_bytes_make_a_record_panic(id: u8, bytes: Vec<u8>) {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let cursor = || Cursor::new(&bytes, order);
            let _ = Event::get(id, &mut cursor());
            let _ = Definition::get(id, &mut cursor());
            let _ = LocalDefinition::get(id, &mut cursor());
            let _ = Marker::get(id, &mut cursor());
            let _ = Snapshot::get(id, &mut cursor());
            let _ = Thumbnail::get(id, &mut cursor());
        }
    }

    #[test]
    fn every_record_of_a_snapshot_but_its_ends_repeats_an_event(seed: u64, time: u64) {
        for kind in Snapshot::KINDS {
            let mut record = Snapshot::sample(kind.id, &mut numbers(seed));
            let found = record.orig_event_time_mut().map(|it| *it = time).is_some();
            let field = format!("orig_event_time: {time}");
            prop_assert_eq!(found, kind.fields[0].0 == "orig_event_time");
            prop_assert_eq!(found, format!("{record:?}").contains(&field));
        }
    }
}

#[test]
fn the_tables_are_complete() {
    assert_eq!(Event::KINDS.len(), 83);
    assert_eq!(Definition::KINDS.len(), 38);
    assert_eq!(Snapshot::KINDS.len(), 20);
    for kinds in [Event::KINDS, Definition::KINDS, Snapshot::KINDS] {
        let ids: std::collections::HashSet<u8> = kinds.iter().map(|kind| kind.id).collect();
        assert_eq!(ids.len(), kinds.len());
    }
}

fn definition(bytes: &[u8]) -> Definition {
    let mut cursor = Cursor::new(bytes, ByteOrder::Little);
    let id = cursor.u8().unwrap();
    Definition::get(id, &mut cursor).unwrap()
}

#[test]
fn a_region_of_otf2_1_0_has_its_role_from_its_type() {
    // id 3, name 4, no description, type MPI_COLL_BARRIER, file 5, lines 0.
    assert_eq!(
        definition(&[15, 10, 1, 3, 1, 4, 255, 22, 1, 5, 0, 0]),
        Definition::Region {
            id: 3,
            name: 4,
            description: u32::MAX,
            source_file: 5,
            begin_line_number: 0,
            end_line_number: 0,
            canonical_name: 4,
            region_role: crate::RegionRole::BARRIER,
            paradigm: crate::Paradigm::MPI,
            region_flags: crate::RegionFlag::NONE,
        }
    );
}

#[test]
fn a_property_of_otf2_1_is_a_string() {
    assert_eq!(
        definition(&[28, 6, 1, 2, 1, 3, 1, 9]),
        Definition::LocationGroupProperty {
            location_group: 2,
            name: 3,
            value: crate::Value::String(9),
        }
    );
}

#[test]
fn fields_of_a_newer_writer_are_skipped() {
    let bytes = [23, 7, 1, 1, 1, 2, 0, 77, 78, 10];
    let mut cursor = Cursor::new(&bytes, ByteOrder::Little);
    cursor.u8().unwrap();
    Definition::get(23, &mut cursor).unwrap();
    assert_eq!(cursor.u8(), Ok(10));
}

#[test]
fn what_cannot_be_written_is_known() {
    let string = Definition::String {
        id: 0,
        string: "a\0b".into(),
    };
    assert!(!string.writable());
    let values = vec![crate::MetricValue::from(1.0); 256];
    assert!(!Event::Metric { metric: 0, values }.writable());
    let payload = vec![];
    assert!(!Event::Unknown { id: 12, payload }.writable());
}

#[test]
fn local_files_may_repeat_global_definitions() {
    let bytes = [10, 4, 1, 7, b'a', 0];
    let mut cursor = Cursor::new(&bytes[1..], ByteOrder::Little);
    let string = Definition::String {
        id: 7,
        string: "a".into(),
    };
    let read = LocalDefinition::get(bytes[0], &mut cursor).unwrap();
    assert_eq!(read, LocalDefinition::Definition(string));
    let payload = vec![];
    assert!(!LocalDefinition::Unknown { id: 10, payload }.writable());
}
