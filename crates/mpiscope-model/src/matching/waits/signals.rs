//! Waits that someone noted: what awaits a number comes after all that signal it.

use std::collections::BTreeMap;

use crate::definitions::LocationIndex;
use crate::events::Note;
use crate::messages::{BoundKind, Matching};
use crate::trace::{EventRef, Trace};

pub(super) fn collect(trace: &Trace, matching: &mut Matching) {
    let mut ends: BTreeMap<u64, [Vec<EventRef>; 2]> = BTreeMap::new();
    for (number, location) in trace.locations.iter().enumerate() {
        for &(index, note) in location.events.notes() {
            let event = EventRef::new(LocationIndex(number as u32), index as usize);
            match note {
                Note::Signal(number) => ends.entry(number).or_default()[0].push(event),
                Note::Await(number) => ends.entry(number).or_default()[1].push(event),
                _ => {}
            }
        }
    }
    for [signals, awaits] in ends.values() {
        for &receive in awaits {
            for &send in signals {
                matching.bind(BoundKind::Signal, send, receive);
            }
        }
    }
}
