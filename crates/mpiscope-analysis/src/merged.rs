//! The events of several locations in one order: by time, of equal times by location.
//!
//! ```
//! use mpiscope_analysis::merged::merged;
//! use mpiscope_model::{LocationIndex, Trace};
//!
//! let trace = Trace::parse("0: 10 30\n1: 10 20").unwrap();
//! let all = [LocationIndex(0), LocationIndex(1)];
//! let order: Vec<u32> = merged(&trace, &all).map(|event| event.location.0).collect();
//! assert_eq!(order, [0, 1, 1, 0]);
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mpiscope_model::{EventRef, LocationIndex, Timestamp, Trace};

/// The next event of a location: its time, the location's id, and the event itself.
type Next = Reverse<(Timestamp, u64, EventRef)>;

/// Walks through the events of some locations in the order of (time, id of the location). Events
/// of one location keep the order in which they were recorded, whatever their times.
pub fn merged<'a>(
    trace: &'a Trace,
    locations: &[LocationIndex],
) -> impl Iterator<Item = EventRef> + 'a {
    let firsts = locations.iter().map(|&location| EventRef::new(location, 0));
    let mut heap: BinaryHeap<Next> = firsts.filter_map(|event| next(trace, event)).collect();
    std::iter::from_fn(move || {
        let Reverse((_, _, event)) = heap.pop()?;
        let after = EventRef::new(event.location, event.index as usize + 1);
        heap.extend(next(trace, after));
        Some(event)
    })
}

/// Returns an event with what it is ordered by, if there is such an event.
fn next(trace: &Trace, event: EventRef) -> Option<Next> {
    let location = trace.locations.get(event.location.index())?;
    let time = location.events.times().get(event.index as usize)?;
    Some(Reverse((*time, location.id, event)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(picture: &str, locations: &[u32], expected: &[(u32, u32)]) {
        let trace = Trace::parse(picture).unwrap();
        let locations: Vec<_> = locations.iter().copied().map(LocationIndex).collect();
        let order = merged(&trace, &locations).map(|event| (event.location.0, event.index));
        assert_eq!(order.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn events_of_one_time_come_by_location() {
        check("0: 5 7\n1: 5 6", &[1, 0], &[(0, 0), (1, 0), (1, 1), (0, 1)]);
    }

    #[test]
    fn a_location_keeps_its_own_order() {
        check("0: 5 3\n1: 4", &[0, 1], &[(1, 0), (0, 0), (0, 1)]);
    }

    #[test]
    fn only_those_asked_for_are_there() {
        check("0: 5\n1: 4", &[0, 9], &[(0, 0)]);
        check("0: 5\n1:", &[1], &[]);
    }
}
