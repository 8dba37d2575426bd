//! Call stacks over time, as speedscope reads them
//! (<https://www.speedscope.app/file-format-schema.json>): for each location a profile of regions
//! that open and close.
//!
//! A frame is a region with the statement that called it. What opens is closed, in order, also
//! where the trace was cut; times never go back.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use mpiscope_archive::model::{CallSiteId, EventKind, Location, RegionId};
use serde_json::{json, Value};

use super::notes::Stacks;
use super::source::{create, Source, Written};
use crate::packed;
use crate::report::show;
use mpiscope_analysis::nesting::{Frame, Nesting};

/// Writes the file.
pub fn write(source: &Source, file: &Path) -> Result<Written> {
    let mut out = create(file)?;
    let mut frames = Frames::default();
    let mut stacks = Stacks::default();
    let (mut profiles, mut calls) = (0, 0);
    let schema = "https://www.speedscope.app/file-format-schema.json";
    let exporter = format!("mpiscope {}", mpiscope_run::VERSION);
    write!(
        out,
        r#"{{"$schema":{},"exporter":{},"name":{},"activeProfileIndex":0,"profiles":["#,
        json!(schema),
        json!(exporter),
        json!(packed::given(&source.input.path))
    )?;
    for location in &source.trace.locations {
        source.progress.advance(location.events.len() as u64);
        if !location.events.kinds().contains(&EventKind::Enter) {
            stacks.others += location.events.len() as u64;
            continue;
        }
        let comma = if profiles == 0 { "" } else { "," };
        write!(out, "{comma}")?;
        let mut profile = Profile {
            source,
            location,
            frames: &mut frames,
            stacks: &mut stacks,
            out: &mut out,
            events: 0,
        };
        calls += profile.write()?;
        profiles += 1;
    }
    write!(out, r#"],"shared":{{"frames":["#)?;
    for (at, frame) in frames.all.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(out, "{comma}{frame}")?;
    }
    writeln!(out, "]}}}}")?;
    out.flush()?;
    Ok(Written {
        what: vec![
            show::counted(profiles, "profile"),
            show::counted(calls, "call"),
        ],
        notes: stacks.sentences("speedscope"),
    })
}

/// The frames that there are, in the order in which they came.
#[derive(Default)]
struct Frames {
    all: Vec<Value>,
    numbers: HashMap<(RegionId, Option<CallSiteId>), usize>,
}

impl Frames {
    fn number(&mut self, source: &Source, region: RegionId, site: Option<CallSiteId>) -> usize {
        if let Some(&number) = self.numbers.get(&(region, site)) {
            return number;
        }
        self.numbers.insert((region, site), self.all.len());
        self.all.push(frame(source, region, site));
        self.all.len() - 1
    }
}

fn frame(source: &Source, region: RegionId, site: Option<CallSiteId>) -> Value {
    let definitions = &source.trace.definitions;
    let name = source.region(region);
    let site = site.and_then(|site| definitions.call_sites.get(site.index()));
    match (site, definitions.regions.get(region.index())) {
        (Some(site), _) => json!({
            "name": format!("{name} at {site}"), "file": site.file, "line": site.line,
        }),
        (None, Some(region)) if region.begin_line > 0 => json!({
            "name": name, "file": region.source_file, "line": region.begin_line,
        }),
        _ => json!({ "name": name }),
    }
}

/// One location on its way into the file.
struct Profile<'a, W> {
    source: &'a Source<'a>,
    location: &'a Location,
    frames: &'a mut Frames,
    stacks: &'a mut Stacks,
    out: &'a mut W,
    events: u64,
}

impl<W: Write> Profile<'_, W> {
    /// Writes it; returns how many calls it has.
    fn write(&mut self) -> Result<u64> {
        let events = &self.location.events;
        let times = events.times();
        let begin = times.first().map_or(0, |&time| self.source.ns(time));
        let end = times.iter().max().map_or(0, |&time| self.source.ns(time));
        write!(
            self.out,
            r#"{{"type":"evented","name":{},"unit":"nanoseconds","startValue":{begin},"endValue":{end},"events":["#,
            json!(self.source.name(self.location)),
        )?;
        let mut nesting = Nesting::default();
        let mut now = begin;
        for (index, &time) in times.iter().enumerate() {
            let time = self.source.ns(time);
            self.stacks.backward += u64::from(time < now);
            now = now.max(time);
            nesting.step(events, index);
            match events.kinds()[index] {
                EventKind::Enter => self.event('O', nesting.innermost(), now)?,
                EventKind::Leave => {
                    self.stacks.cut += (nesting.ended().len() as u64).saturating_sub(1);
                    for frame in nesting.ended() {
                        self.event('C', Some(frame), now)?;
                    }
                }
                _ => self.stacks.others += 1,
            }
        }
        self.stacks.cut += nesting.open().len() as u64;
        self.stacks.unopened += nesting.unopened();
        for frame in nesting.open() {
            self.event('C', Some(frame), now)?;
        }
        write!(self.out, "]}}")?;
        Ok(self.events / 2)
    }

    fn event(&mut self, kind: char, frame: Option<Frame>, at: i64) -> Result<()> {
        let Some(frame) = frame else { return Ok(()) };
        let site = self.location.events.call_site(frame.enter as usize);
        let number = self.frames.number(self.source, frame.region, site);
        let comma = if self.events == 0 { "" } else { "," };
        self.events += 1;
        Ok(write!(
            self.out,
            r#"{comma}{{"type":"{kind}","frame":{number},"at":{at}}}"#
        )?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;
    use mpiscope_archive::model::Trace;

    fn written(picture: &str) -> (Value, Written) {
        let input = Input {
            trace: Trace::parse(picture).unwrap(),
            ..Input::default()
        };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out.json");
        let written = write(&Source::new(&input), &file).unwrap();
        let text = std::fs::read_to_string(file).unwrap();
        (serde_json::from_str(&text).unwrap(), written)
    }

    fn events(profile: &Value) -> String {
        let events = profile["events"].as_array().unwrap().iter();
        let text = |it: &Value| format!("{}{}@{}", it["type"], it["frame"], it["at"]);
        events
            .map(text)
            .collect::<Vec<_>>()
            .join(" ")
            .replace('"', "")
    }

    #[test]
    fn calls_of_one_statement_are_one_frame() {
        let (json, written) = written(
            "0: 10 enter(main) 20 enter(MPI_Send) !at(a.c:7) 21 send>1 30 leave(MPI_Send) \
             40 enter(MPI_Send) !at(a.c:7) 50 leave(MPI_Send) 60 leave(main)\n1: 21 recv<0",
        );
        let frames = &json["shared"]["frames"];
        assert_eq!(frames[1]["name"], "MPI_Send at a.c:7");
        assert_eq!(
            (frames[1]["line"].as_u64(), frames.as_array().unwrap().len()),
            (Some(7), 2)
        );
        assert_eq!(json["profiles"].as_array().unwrap().len(), 1);
        let profile = &json["profiles"][0];
        assert_eq!(events(profile), "O0@0 O1@10 C1@20 O1@30 C1@40 C0@50");
        assert_eq!(
            (&profile["startValue"], &profile["endValue"]),
            (&json!(0), &json!(50))
        );
        assert_eq!(written.what, ["1 profile", "3 calls"]);
        assert_eq!(written.notes.len(), 1, "{:?}", written.notes);
    }

    #[test]
    fn what_was_never_left_is_closed() {
        let (json, written) =
            written("0: 10 enter(main) 20 enter(a) 30 leave(main) 40 enter(b) 50");
        assert_eq!(
            events(&json["profiles"][0]),
            "O0@0 O1@10 C1@20 C0@20 O2@30 C2@40"
        );
        assert!(
            written
                .notes
                .concat()
                .contains("ends 2 calls, which the program never left"),
            "{written:?}"
        );
    }
}
