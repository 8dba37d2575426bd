//! The calls of a trace, as a replay compares its own with them.

use std::collections::{BTreeMap, HashMap};

use mpiscope_model::{CallSite, CallSiteId, Event, Location, PostedCall, Trace};
use mpiscope_run::order::calls::{Called, Calls, Envelope, Writer, APART, LAST};

/// Returns the calls of all ranks of a trace.
pub fn of_trace(trace: &Trace) -> BTreeMap<u32, Calls> {
    let mut writers: BTreeMap<u32, Writer> = BTreeMap::new();
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

/// Returns whether a function asks for a message, not for all members of a
/// communicator.
fn receives(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("recv") || name.contains("probe")
}

fn thread(writer: &mut Writer, places: &mut Places, location: &Location) {
    let mut open: Option<Open> = None;
    for (index, (_, event)) in location.events.iter().enumerate() {
        match event {
            // What was called meanwhile, nobody knows.
            Event::MeasurementOnOff(_) => break,
            Event::Enter(region) => {
                let name = name_of(places.trace, region.0);
                if !name.starts_with("MPI_") || APART.contains(&name) {
                    continue;
                }
                places.write(writer, open.take());
                let posted = location.events.posted(index);
                open = Some(Open {
                    function: name,
                    site: location.events.call_site(index),
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
                sent,
                asked,
            } = call;
            let sides = [side(sent), side(asked)].concat();
            format!("{function} {site}{sides}").trim_end().to_owned()
        };
        let lines: Vec<_> = calls.of(0).unwrap().map(line).collect();
        expected.assert_eq(&lines.join("\n"));
        assert_eq!(read(run.path(), 7).unwrap(), None);
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
