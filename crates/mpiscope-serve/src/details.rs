//! Answers about single calls: what is known of one, where the next is, when events were.

use mpiscope_analysis::described::metrics;
use mpiscope_model::{CommId, Event, EventRef};
use mpiscope_tiles::details::Call;
use mpiscope_tiles::search::Search;
use mpiscope_tiles::{Class, NONE};
use serde_json::{json, Value};

use crate::answer::{Answer, Asked, Told};

/// Events whose times are told at once, at most.
const MOST: usize = 1000;
/// Lines of a source file before and after the one that is shown.
const AROUND: usize = 5;

impl Asked<'_> {
    fn event_of(&self, row: u32, event: u32) -> Option<EventRef> {
        let rows = &self.clock.run.rows;
        let location = rows.list.get(row as usize)?.location?;
        let events = self.clock.run.events(location);
        (u64::from(event) < events).then_some(EventRef {
            location,
            index: event,
        })
    }

    fn row_of(&self, event: EventRef) -> u32 {
        self.clock.run.rows.of_location[event.location.index()]
    }
}

/// Answers `event`.
pub(crate) fn event(asked: &Asked) -> Told {
    let event = asked.event_of(asked.part(0)?, asked.part(1)?);
    let event = event.ok_or_else(|| Answer::none("event"))?;
    let call = asked.clock.call(event);
    let call = call.ok_or_else(|| Answer::none("call: the event stands in none"))?;
    Ok(Answer::json(&described(asked, &call)))
}

/// Answers `at`.
pub(crate) fn at(asked: &Asked) -> Told {
    let bad = |what| Answer::error(400, what);
    let row = asked.question.number("row").map_err(bad)?;
    let time = asked.question.moment("time").map_err(bad)?;
    let depth = asked.question.number("depth").map_err(bad)?;
    let (Some(row), Some(time)) = (row, time) else {
        return Err(Answer::error(400, "row and time are expected"));
    };
    let call = asked.clock.call_at(row, time, depth);
    let call = call.ok_or_else(|| Answer::none("call there"))?;
    Ok(Answer::json(&described(asked, &call)))
}

/// Answers `times`.
pub(crate) fn times(asked: &Asked) -> Told {
    let pairs = asked.question.parameter("events").unwrap_or_default();
    let pairs: Vec<&str> = pairs.split(',').filter(|it| !it.is_empty()).collect();
    if pairs.len() > MOST {
        return Err(Answer::error(400, format!("at most {MOST} events at once")));
    }
    let time = |pair: &&str| {
        let wrong = || Answer::error(400, format!("{pair}: ROW:EVENT is expected"));
        let (row, event) = pair.split_once(':').ok_or_else(wrong)?;
        let row = row.parse().map_err(|_| wrong())?;
        let event = event.parse().map_err(|_| wrong())?;
        let event = asked.event_of(row, event);
        let time = event.and_then(|event| asked.clock.time_of(event));
        time.ok_or_else(|| Answer::none("event"))
    };
    let times: Result<Vec<(u64, u64)>, Answer> = pairs.iter().map(time).collect();
    Ok(Answer::json(&times?))
}

/// Answers `search`.
pub(crate) fn search(asked: &Asked) -> Told {
    let bad = |what| Answer::error(400, what);
    let question = asked.question;
    let class: Option<usize> = question.number("class").map_err(bad)?;
    let search = Search {
        text: question.parameter("text").map(str::to_owned),
        class: class
            .map(|it| {
                Class::ALL
                    .get(it)
                    .copied()
                    .ok_or_else(|| Answer::none("class"))
            })
            .transpose()?,
        communicator: question.number("communicator").map_err(bad)?,
        tag: question.number("tag").map_err(bad)?,
        row: question.number("row").map_err(bad)?,
    };
    let from = question.moment("from").map_err(bad)?;
    let found = match question.parameter("direction") {
        None | Some("next") => asked.clock.next(&search, from.unwrap_or(0)),
        Some("previous") => asked.clock.previous(&search, from.unwrap_or(u64::MAX)),
        Some(other) => {
            let what = format!("direction={other}: next or previous is expected");
            return Err(Answer::error(400, what));
        }
    };
    let found = found.map(|found| {
        let call = asked.clock.call(found.event);
        let event = call.as_ref().map_or(found.event, |call| call.event);
        let (begin, end) = call.map_or((found.time, found.time), |call| call.time);
        json!({ "row": asked.row_of(event), "event": event.index, "begin": begin, "end": end })
    });
    let total = asked.clock.total_of(&search);
    Ok(Answer::json(&json!({ "total": total, "found": found })))
}

fn described(asked: &Asked, call: &Call) -> Value {
    let others = asked.clock.others(call);
    let others = others.iter().map(|other| {
        let (begin, end) = asked.clock.time_of(other.event).unwrap_or_default();
        json!({
            "role": other.role,
            "row": asked.row_of(other.event),
            "event": other.event.index,
            "begin": begin,
            "end": end,
        })
    });
    let mut findings: Vec<u32> = (asked.clock.events_of(call))
        .flat_map(|event| asked.shown.found.of_event(event).iter().copied())
        .collect();
    findings.sort_unstable();
    findings.dedup();
    let (begin, end) = call.time;
    let region = (call.region != NONE).then_some(call.region);
    json!({
        "row": asked.row_of(call.event),
        "event": call.event.index,
        "region": region,
        "begin": begin,
        "end": end,
        "uncertainty": asked.shown.uncertainty(&asked.clock, call.event),
        "depth": call.depth,
        "facts": facts(asked, call),
        "stack": call.stack.iter().filter(|it| **it != NONE).collect::<Vec<_>>(),
        "source": source(asked, call),
        "others": others.collect::<Vec<_>>(),
        "findings": findings,
    })
}

/// Returns what the events of a call say, each once; what calls within it say is theirs.
fn facts(asked: &Asked, call: &Call) -> Vec<[String; 2]> {
    let trace = &asked.clock.run.trace;
    let location = &trace.locations[call.event.location.index()];
    let mut facts: Vec<[String; 2]> = Vec::new();
    let mut say = |word: &str, value: String| {
        let fact = [word.to_owned(), value];
        if !facts.contains(&fact) && facts.len() < 64 {
            facts.push(fact);
        }
    };
    if call.end.is_none() {
        say("End", "not recorded".to_owned());
    }
    let communicator = |comm: CommId| {
        let known = trace.definitions.communicators.get(comm.index());
        known.map_or(format!("number {}", comm.0), |it| it.name.clone())
    };
    let rank = |comm: CommId, peer: u32| {
        let known = mpiscope_analysis::described::world_rank(trace, location.rank, comm, peer);
        known.map_or(format!("rank {peer} of it"), |rank| format!("rank {rank}"))
    };
    // How many calls are open, the one that is asked for included.
    let mut open = 0_u32;
    for event in asked.clock.events_of(call) {
        asked.clock.run.with_event(event, |events, at| {
            let told = events.event(at);
            match told {
                Event::Enter(_) => open += 1,
                Event::Leave(_) => open = open.saturating_sub(1),
                _ => {}
            }
            if open > 1 {
                return;
            }
            match told {
                Event::MpiSend(it) | Event::MpiIsend(it) => say("Sends to", rank(it.comm, it.peer)),
                Event::MpiRecv(it) | Event::MpiIrecv(it) => {
                    say("Receives from", rank(it.comm, it.peer));
                    if it.any_source {
                        say("Asked for", "any source".to_owned());
                    }
                    if it.any_tag {
                        say("Asked for", "any tag".to_owned());
                    }
                }
                Event::MpiCollectiveEnd(it) | Event::NonBlockingCollectiveComplete(_, it) => {
                    say("Operation", it.op.name().to_owned());
                    if it.comm != CommId::NONE {
                        say("Communicator", communicator(it.comm));
                    }
                    if let Some(root) = it.root {
                        say("Root", rank(it.comm, root));
                    }
                    say("Bytes sent", it.sent.to_string());
                    say("Bytes received", it.received.to_string());
                }
                Event::Metric(values) => {
                    for (metric, value) in metrics(trace, values) {
                        let text = format!("{value} {}", metric.unit);
                        say(&metric.name, text.trim_end().to_owned());
                    }
                }
                _ => {}
            }
            if let Event::MpiSend(it)
            | Event::MpiIsend(it)
            | Event::MpiRecv(it)
            | Event::MpiIrecv(it) = told
            {
                say("Tag", it.tag.to_string());
                say("Bytes", it.bytes.to_string());
                say("Communicator", communicator(it.comm));
            }
        });
    }
    facts
}

/// Returns where in the program a call stands, with the text around it if it was readable.
fn source(asked: &Asked, call: &Call) -> Option<Value> {
    let site = asked.clock.call_site(call.event)?;
    let file = site.file.as_ref()?;
    let line = site.line.unwrap_or(0) as usize;
    let lines = asked.shown.about.sources.get(file);
    let first = line.saturating_sub(AROUND + 1);
    let text = lines.map(|lines| {
        let numbered = lines.iter().enumerate().skip(first);
        let shown = numbered.take_while(|(at, _)| *at < line + AROUND);
        let shown = shown.map(|(at, text)| json!([at + 1, text]));
        shown.collect::<Vec<_>>()
    });
    Some(json!({ "file": file, "line": line, "text": text.unwrap_or_default() }))
}
