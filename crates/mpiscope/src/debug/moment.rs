//! Where a replay is to stop: an event of the traced run, as the agent can
//! count to it.
//!
//! The agent counts the calls of a thread from the end of MPI_Init on, all
//! that an order is about: the outermost ones, but for those that it handles
//! apart ([`APART`]). The trace has an enter for each of them.

use std::path::Path;

use anyhow::{bail, ensure, Context, Result};
use mpiscope_analysis::evidence::WHY_CALLS_LACK;
use mpiscope_archive::model::{Event, EventRef, Location, LocationIndex, Trace};

use crate::input::Input;

/// An event, by the numbers that reports name it by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventNumber {
    /// The location's number in the archive.
    pub location: u64,
    /// The event's number in the location, from 0.
    pub event: usize,
}

/// Reads `LOCATION:EVENT`.
pub fn event(text: &str) -> Result<EventNumber, String> {
    let numbers = text.split_once(':');
    let parsed = numbers.and_then(|(location, event)| {
        Some(EventNumber {
            location: location.parse().ok()?,
            event: event.parse().ok()?,
        })
    });
    parsed.ok_or_else(|| {
        "LOCATION:EVENT is expected, two numbers as `mpiscope races` names them".into()
    })
}

/// A call of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// World rank.
    pub rank: u32,
    /// Number of the thread.
    pub thread: u32,
    /// Number of the call, from 1.
    pub call: u64,
    /// What it is: `MPI_Recv at heat.c:42`.
    pub what: String,
}

/// Calls that the agent does not count.
const APART: [&str; 4] = [
    "MPI_Init",
    "MPI_Init_thread",
    "MPI_Finalize",
    "MPI_Pcontrol",
];

impl Moment {
    /// Finds the call of an event in the trace of a run.
    pub fn find(run: &Path, number: EventNumber) -> Result<Moment> {
        let input = Input::open(run).context("--stop-at needs the trace of the run")?;
        of(&input.trace, number).with_context(|| {
            let EventNumber { location, event } = number;
            format!("--stop-at {location}:{event}")
        })
    }
}

fn of(trace: &Trace, number: EventNumber) -> Result<Moment> {
    let mut locations = trace.locations.iter();
    let found = locations.position(|location| location.id == number.location);
    let index = found.with_context(|| {
        let ids: Vec<String> = trace.locations.iter().map(|l| l.id.to_string()).collect();
        format!("there is no such location, but {}", ids.join(", "))
    })?;
    let location = &trace.locations[index];
    let events = location.events.len();
    ensure!(
        number.event < events,
        "the location has {events} events, from 0 on"
    );
    ensure!(
        trace.definitions.told.calls,
        "calls of MPI are not in the trace {WHY_CALLS_LACK}, and nobody knows how many were made \
         before it"
    );
    let (call, at, name) = counted(trace, location, number.event)?;
    let enter = EventRef::new(LocationIndex(index as u32), at);
    let site = trace.call_site(enter).map(|site| format!(" at {site}"));
    Ok(Moment {
        rank: location.rank.0,
        thread: location.thread,
        call,
        what: format!("{name}{}", site.unwrap_or_default()),
    })
}

/// Returns the number, the enter and the name of the call that an event lies in; between two
/// calls, of the next one.
pub fn counted<'a>(
    trace: &'a Trace,
    location: &Location,
    event: usize,
) -> Result<(u64, usize, &'a str)> {
    let mut call = 0;
    let mut within = None;
    for (at, (_, kind)) in location.events.iter().enumerate() {
        match kind {
            Event::MeasurementOnOff(_) => bail!(
                "recording was switched off and on before it, and nobody knows how many calls were made meanwhile"
            ),
            Event::Enter(region) => {
                let name = trace.definitions.regions.get(region.index());
                let name = name.map_or("", |region| region.name.as_str());
                if name.starts_with("MPI_") && !APART.contains(&name) {
                    // Of several polls that found nothing, the first.
                    within = Some((call + 1, at, name));
                    call += location.events.polls(at).unwrap_or(1);
                }
            }
            _ => {}
        }
        if at >= event {
            if let Some(found) = within {
                return Ok(found);
            }
        }
        if matches!(kind, Event::Leave(_)) {
            within = None;
        }
    }
    bail!("no MPI call that could be stopped at follows it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    fn check(text: &str, event: usize, expected: Expect) {
        let trace = Trace::parse(text).unwrap();
        let number = EventNumber {
            location: trace.locations[0].id,
            event,
        };
        expected.assert_eq(&match of(&trace, number) {
            Ok(moment) => format!("call {} {}", moment.call, moment.what),
            Err(error) => error.to_string(),
        });
    }

    #[test]
    fn numbers_are_read() {
        assert_eq!(
            event("3:17"),
            Ok(EventNumber {
                location: 3,
                event: 17
            })
        );
        for text in ["", "3", "3:", ":1", "a:1", "3:-1"] {
            assert!(event(text).is_err(), "{text}");
        }
    }

    const RUN: &str = "0: 1 enter(MPI_Init) 2 leave(MPI_Init) 3 enter(MPI_Send) 4 send>1 5 leave(MPI_Send) 6 enter(MPI_Pcontrol) 7 leave(MPI_Pcontrol) 8 enter(MPI_Send) 9 send>1 10 leave(MPI_Send) 11 enter(MPI_Finalize) 12 leave(MPI_Finalize)\n1: 5 recv<0 11 recv<0";

    #[test]
    fn calls_are_counted_as_the_agent_counts() {
        check(RUN, 3, expect!["call 1 MPI_Send"]);
        check(RUN, 4, expect!["call 1 MPI_Send"]);
        check(RUN, 7, expect!["call 2 MPI_Send"]);
        check(RUN, 0, expect!["call 1 MPI_Send"]);
    }

    #[test]
    fn of_polls_that_are_told_together_each_is_counted() {
        let run = "0: 1 enter(MPI_Test) 2 leave(MPI_Test) 3 enter(MPI_Test) !polls(7) 4 leave(MPI_Test) 5 enter(MPI_Send) 6 leave(MPI_Send)";
        check(run, 2, expect!["call 2 MPI_Test"]);
        check(run, 4, expect!["call 9 MPI_Send"]);
    }

    #[test]
    fn what_cannot_be_stopped_at_is_said() {
        check(
            RUN,
            10,
            expect!["no MPI call that could be stopped at follows it"],
        );
        check(RUN, 99, expect!["the location has 12 events, from 0 on"]);
    }
}
