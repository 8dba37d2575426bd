//! The calls of a trace, as a replay compares its own with them.

use std::collections::{BTreeMap, HashMap};

use mpiscope_model::{
    CallSite, CallSiteId, Event, EventRef, Location, LocationIndex, PostedCall, Trace,
};
use mpiscope_run::order::calls::{Called, Calls, Envelope, Writer, APART, LAST};

/// Returns the calls of all ranks of a trace.
pub fn of_trace(trace: &Trace) -> BTreeMap<u32, Calls> {
    let mut writers: BTreeMap<u32, Writer> = BTreeMap::new();
    if !trace.definitions.told.calls {
        return BTreeMap::new(); // what was called in between, nobody knows
    }
    let mut places = Places::new(trace);
    for location in &trace.locations {
        let writer = writers.entry(location.rank.0).or_default();
        thread(writer, &mut places, location);
    }
    writers
        .into_iter()
        .map(|(rank, writer)| (rank, writer.finish()))
        .collect()
}

/// Returns the enter of a call of a thread, counted from 1 as a replay counts them; nothing if the
/// trace does not hold it, or nobody knows which it is, as recording was off before or calls were
/// left out.
pub fn call_at(trace: &Trace, rank: u32, thread: u32, call: u64) -> Option<EventRef> {
    if !trace.definitions.told.calls {
        return None;
    }
    let of_thread = |it: &Location| it.rank.0 == rank && it.thread == thread && it.is_thread();
    let at = trace.locations.iter().position(of_thread)?;
    let events = &trace.locations[at].events;
    let mut counted = 0;
    let beginning = beginning(trace, &trace.locations[at]);
    for (index, (_, event)) in events.iter().enumerate() {
        match event {
            Event::MeasurementOnOff(_) => return None,
            Event::Enter(region) => {
                let name = name_of(trace, region.0);
                let is_counted =
                    name.starts_with("MPI_") && !APART.contains(&name) && beginning != Some(index);
                let calls = events.polls(index).unwrap_or(1);
                let before = counted;
                counted += if is_counted { calls } else { 0 };
                if (before..counted).contains(&call.wrapping_sub(1)) {
                    return Some(EventRef::new(LocationIndex(at as u32), index));
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns whether a function asks for a message, not for all members of a
/// communicator.
fn receives(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("recv") || name.contains("probe")
}

/// Returns where the process entered the session with which its recording began, before which nothing
/// was counted.
fn beginning(trace: &Trace, location: &Location) -> Option<usize> {
    let mut calls = location
        .events
        .iter()
        .enumerate()
        .filter_map(|(index, (_, event))| {
            let Event::Enter(region) = event else {
                return None;
            };
            let name = name_of(trace, region.0);
            name.starts_with("MPI_").then_some((index, name))
        });
    let first = calls.next().filter(|_| location.thread == 0);
    first
        .filter(|(_, name)| *name == "MPI_Session_init")
        .map(|(index, _)| index)
}

fn thread(writer: &mut Writer, places: &mut Places, location: &Location) {
    let mut open: Option<Open> = None;
    let beginning = beginning(places.trace, location);
    for (index, (_, event)) in location.events.iter().enumerate() {
        match event {
            // What was called meanwhile, nobody knows.
            Event::MeasurementOnOff(_) => break,
            Event::Enter(region) => {
                let name = name_of(places.trace, region.0);
                let is_apart = APART.contains(&name) || beginning == Some(index);
                if !name.starts_with("MPI_") || is_apart {
                    continue;
                }
                places.write(writer, open.take());
                let posted = location.events.posted(index);
                open = Some(Open {
                    function: name,
                    site: location.events.call_site(index),
                    polls: location.events.polls(index),
                    sent: None,
                    asked: posted.filter(|_| receives(name)).map(asked),
                });
                if name == LAST {
                    break;
                }
            }
            Event::MpiSend(message) | Event::MpiIsend(message) => {
                let sent = Envelope {
                    comm: message.comm.0,
                    peer: Some(message.peer),
                    tag: Some(message.tag),
                    bytes: Some(message.bytes),
                };
                if let Some(open) = &mut open {
                    open.sent.get_or_insert(sent);
                }
            }
            Event::MpiIrecvRequest(_) => {
                if let (Some(open), Some(posted)) = (&mut open, location.events.posted(index)) {
                    open.asked.get_or_insert(asked(posted));
                }
            }
            _ => {}
        }
    }
    places.write(writer, open.take());
    writer.end_thread(location.thread);
}

/// A call whose events are still to come.
struct Open<'a> {
    function: &'a str,
    site: Option<CallSiteId>,
    polls: Option<u64>,
    sent: Option<Envelope>,
    asked: Option<Envelope>,
}

/// The places of a trace as they are shown, each put into words once.
struct Places<'a> {
    trace: &'a Trace,
    shown: HashMap<Option<CallSiteId>, String>,
}

impl<'a> Places<'a> {
    fn new(trace: &'a Trace) -> Self {
        let shown = HashMap::new();
        Self { trace, shown }
    }

    fn write(&mut self, writer: &mut Writer, open: Option<Open>) {
        let Some(open) = open else { return };
        let sites = &self.trace.definitions.call_sites;
        let site = self.shown.entry(open.site).or_insert_with(|| {
            let site = open.site.and_then(|site| sites.get(site.index()));
            site.map_or_else(String::new, shown)
        });
        writer.call(&Called {
            function: open.function,
            site,
            polls: open.polls,
            sent: open.sent,
            asked: open.asked,
        });
    }
}

fn name_of(trace: &Trace, region: u32) -> &str {
    let region = trace.definitions.regions.get(region as usize);
    region.map_or("", |region| region.name.as_str())
}

fn asked(posted: &PostedCall) -> Envelope {
    Envelope {
        comm: posted.comm.0,
        peer: posted.source,
        tag: posted.tag,
        bytes: posted.capacity,
    }
}

/// Names a place without the folders that lead to it.
fn shown(site: &CallSite) -> String {
    let text = site.to_string();
    text.rsplit('/').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};
    use mpiscope_run::order::calls::{read, write};

    fn check(text: &str, expected: Expect) {
        let trace = Trace::parse(text).unwrap();
        let run = tempfile::tempdir().unwrap();
        write(run.path(), &of_trace(&trace)).unwrap();
        let calls = read(run.path(), 0).unwrap().unwrap();
        let side = |side: Option<Envelope>| match side {
            None => String::new(),
            Some(Envelope {
                peer, tag, bytes, ..
            }) => format!(" {peer:?} {tag:?} {bytes:?}"),
        };
        let line = |call: Called| {
            let Called {
                function,
                site,
                polls,
                sent,
                asked,
            } = call;
            let polls = polls.map_or_else(String::new, |polls| format!(" x{polls}"));
            let sides = [polls, side(sent), side(asked)].concat();
            format!("{function} {site}{sides}")
                .replace("  ", " ")
                .trim_end()
                .to_owned()
        };
        let lines: Vec<_> = calls.of(0).unwrap().map(line).collect();
        expected.assert_eq(&lines.join("\n"));
        assert_eq!(read(run.path(), 7).unwrap(), None);
    }

    #[test]
    fn a_call_is_found_by_its_number() {
        let trace = Trace::parse(
            "0: 1 enter(MPI_Init) 2 leave(MPI_Init) 3 enter(solve) 4 enter(MPI_Send) 5 send>1 6 leave(MPI_Send) \
             7 enter(MPI_Pcontrol) 8 leave(MPI_Pcontrol) 9 enter(MPI_Finalize) 10 leave(MPI_Finalize)
             1: 5 recv<0 6 off 7 on 8 enter(MPI_Barrier)",
        );
        let trace = trace.unwrap();
        let at = |rank, call| Some(call_at(&trace, rank, 0, call)?.index);
        assert_eq!((at(0, 1), at(0, 2)), (Some(3), Some(8)));
        assert_eq!(
            (at(0, 0), at(0, 3), at(1, 1), at(7, 1)),
            (None, None, None, None)
        );
    }

    #[test]
    fn polls_that_are_told_together_are_counted_one_by_one() {
        let picture = "0: 1 enter(MPI_Test) 2 leave(MPI_Test) 3 enter(MPI_Test) !polls(7) 4 leave(MPI_Test) 5 enter(MPI_Finalize) 6 leave(MPI_Finalize)";
        let trace = Trace::parse(picture).unwrap();
        let at = |call| Some(call_at(&trace, 0, 0, call)?.index);
        assert_eq!((at(1), at(2), at(8)), (Some(0), Some(2), Some(2)));
        assert_eq!((at(9), at(10)), (Some(4), None));
        check(
            picture,
            expect![[r#"
                MPI_Test
                MPI_Test x7
                MPI_Finalize"#]],
        );
    }

    #[test]
    fn calls_come_in_their_order_with_what_they_send() {
        check(
            "0: 1 enter(MPI_Init) 2 leave(MPI_Init) 3 enter(solve) 4 enter(MPI_Send) !at(a/heat.c:7) 5 send>1(tag=3) 6 leave(MPI_Send) \
             7 enter(MPI_Pcontrol) 8 leave(MPI_Pcontrol) 9 enter(MPI_Barrier) 10 leave(MPI_Barrier) \
             11 enter(MPI_Finalize) 12 leave(MPI_Finalize) 13 enter(MPI_Send) 14 leave(MPI_Send)
             1: 5 recv<0(tag=3)",
            expect![[r#"
                MPI_Send heat.c:7 Some(1) Some(3) Some(0)
                MPI_Barrier
                MPI_Finalize"#]],
        );
    }
}
