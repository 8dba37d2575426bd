//! Where each location stood when the run ended: in a call of MPI that never
//! returned, in its own code after one, or past MPI_Finalize.

use mpiscope_model::{Event, EventKind, EventRef, LocationIndex, RegionId, Trace};

use crate::errors::calls::{Calls, End};
use crate::processes::Processes;

/// Where a location stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stood {
    /// In this call, which never returned.
    In(EventRef),
    /// In its own code, after this call of MPI.
    After(EventRef),
    /// It came to MPI_Finalize.
    Finalized,
    /// It never called MPI.
    Elsewhere,
}

/// Returns where each location stood, in the order of the trace's.
pub fn last_calls(trace: &Trace) -> Vec<Stood> {
    let processes = Processes::new(trace);
    let calls = Calls::new(trace, &processes);
    let ends = calls.ends.iter().zip(0..);
    ends.map(|(end, location)| match end {
        End::Within(enter) => Stood::In(*enter),
        End::Finalized => finalized(trace, LocationIndex(location)),
        End::Elsewhere => Stood::Elsewhere,
        End::Somewhere => {
            last_of_mpi(trace, LocationIndex(location)).map_or(Stood::Elsewhere, Stood::After)
        }
    })
    .collect()
}

/// Members of MPI_Finalize wait for each other: who left it when it entered
/// it was never released, and the archive's writer closed the call.
fn finalized(trace: &Trace, location: LocationIndex) -> Stood {
    let Some(enter) = last_of_mpi(trace, location) else {
        return Stood::Finalized;
    };
    let events = &trace.locations[location.index()].events;
    let after = &events.times()[enter.index as usize..];
    match after.iter().all(|time| *time == after[0]) {
        true => Stood::In(enter),
        false => Stood::Finalized,
    }
}

/// Returns whether recording was off where what is known of a location ends, or calls of MPI were
/// left out: what it did last is not known then.
pub fn is_unrecorded(trace: &Trace, location: LocationIndex) -> bool {
    let events = &trace.locations[location.index()].events;
    let last = events.switches().last();
    let may_be_left_out = !trace.definitions.told.calls;
    may_be_left_out
        || last.is_some_and(|&switch| {
            matches!(
                events.event(switch as usize),
                Event::MeasurementOnOff(false)
            )
        })
}

/// A loop of polls that find nothing, at the end of what is known of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polling {
    /// The first of them.
    pub first: EventRef,
    /// How many there are, at least.
    pub polls: u64,
}

/// Functions that ask and do not wait, without `MPI_` and in lower case.
const POLLS: [&str; 12] = [
    "test",
    "testany",
    "testall",
    "testsome",
    "iprobe",
    "improbe",
    "parrived",
    "win_test",
    "request_get_status",
    "request_get_status_any",
    "request_get_status_all",
    "request_get_status_some",
];

/// Returns the loop of polls of which a call was the last; nothing if it polled once, or found something.
pub fn polling(trace: &Trace, last: EventRef) -> Option<Polling> {
    let events = &trace.locations[last.location.index()].events;
    let kinds = events.kinds();
    let is_poll = |index: usize| {
        let region = trace.definitions.regions.get(events.args()[index] as usize);
        let name = region.map(|region| region.name.to_lowercase());
        let name = name.as_deref().and_then(|name| name.strip_prefix("mpi_"));
        name.is_some_and(|name| POLLS.contains(&name))
    };
    let mut found = Polling {
        first: last,
        polls: 0,
    };
    let mut next = Some(last.index as usize);
    while let Some(index) = next.filter(|&index| kinds[index] == EventKind::Enter && is_poll(index))
    {
        found.first.index = index as u32;
        found.polls += events.polls(index).unwrap_or(1);
        // Between it and the call before may be what that one has tested, and nothing else.
        let before = kinds[..index].split_last();
        next = before.and_then(|(end, within)| {
            let enter = within
                .iter()
                .rposition(|kind| *kind != EventKind::MpiRequestTest)?;
            (*end == EventKind::Leave).then_some(enter)
        });
    }
    (found.polls > 1).then_some(found)
}

/// Returns the enter of the last call of MPI of a location.
pub(crate) fn last_of_mpi(trace: &Trace, location: LocationIndex) -> Option<EventRef> {
    let events = &trace.locations[location.index()].events;
    let is_mpi = |index: usize| {
        let region = RegionId(events.args()[index]);
        let region = trace.definitions.regions.get(region.index());
        region.is_some_and(|region| region.name.to_lowercase().starts_with("mpi_"))
    };
    (0..events.len())
        .rev()
        .find(|&index| events.kinds()[index] == EventKind::Enter && is_mpi(index))
        .map(|index| EventRef::new(location, index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(picture: &str, expected: &[&str]) {
        let trace = Trace::parse(picture).unwrap();
        let shown = |stood: &Stood| match stood {
            Stood::In(event) => format!("in {}", event.index),
            Stood::After(event) => format!("after {}", event.index),
            Stood::Finalized => "finalized".to_owned(),
            Stood::Elsewhere => "elsewhere".to_owned(),
        };
        let found: Vec<String> = last_calls(&trace).iter().map(shown).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_rank_stands_in_the_call_that_it_did_not_leave() {
        check(
            "0: 1 enter(MPI_Send) 2 send>1 3 leave(MPI_Send) 4 enter(MPI_Recv) 4 leave(MPI_Recv)
             1: 1 enter(MPI_Recv) 5 recv<0 6 leave(MPI_Recv) 7 enter(work) 8 leave(work)
             2: 1 enter(MPI_Init) 5 leave(MPI_Init) 6 enter(MPI_Finalize) 7 leave(MPI_Finalize)
             3: 1 enter(work) 2 leave(work)
             4: 6 enter(MPI_Finalize) 6 leave(MPI_Finalize)",
            &["in 3", "after 0", "finalized", "elsewhere", "in 0"],
        );
    }

    #[test]
    fn where_recording_is_off_the_last_call_is_not_known() {
        let picture = "\
0: 1 enter(MPI_Barrier) 2 leave(MPI_Barrier) 3 off
1: 1 off 2 on 3 enter(MPI_Barrier) 4 leave(MPI_Barrier)
2: 1 enter(MPI_Barrier) 2 leave(MPI_Barrier)";
        let trace = Trace::parse(picture).unwrap();
        let off = (0..3).map(|location| is_unrecorded(&trace, LocationIndex(location)));
        assert_eq!(off.collect::<Vec<_>>(), [true, false, false]);
    }

    #[test]
    fn a_loop_of_polls_has_a_first_and_a_number() {
        let picture = "0: 1 enter(MPI_Iprobe) 2 probe<1 3 leave(MPI_Iprobe) 4 enter(MPI_Test) 5 test#1 6 leave(MPI_Test) \
             7 enter(MPI_Iprobe) 8 leave(MPI_Iprobe) 9 enter(MPI_Iprobe) !polls(7) 20 leave(MPI_Iprobe) !cut";
        let trace = Trace::parse(picture).unwrap();
        let at = |index| polling(&trace, EventRef::new(LocationIndex(0), index));
        let found = at(8).unwrap();
        assert_eq!((found.first.index, found.polls), (3, 9));
        assert_eq!(at(3), None, "one poll is no loop");
        assert_eq!(at(0), None, "it found something");
    }
}
