//! An event as a line that people read.

use std::borrow::Cow;
use std::io::{Result, Write};

use mpiscope_archive::model::{CallSite, EventKind, Location, Trace};

use super::selection::Selection;
use super::{Format, Shown};
use crate::input::Input;
use crate::kinds::Kinds;
use crate::packed;
use crate::report::show;
use crate::terminal;
use crate::traced;
use mpiscope_analysis::described::{comm_name, metrics, region_name, Described};

/// The widths of the columns.
#[derive(Debug)]
pub struct Lines {
    time: usize,
    who: usize,
}

impl Lines {
    /// Measures what is to be printed.
    pub fn new(trace: &Trace, selection: &Selection) -> Lines {
        let locations = selection.of(trace);
        let last = locations.filter_map(|location| location.events.times().iter().max());
        let longest = last.max().map_or(0, |&last| (last - selection.origin).0);
        let names = selection.of(trace).map(|it| who(it).chars().count());
        Lines {
            time: seconds(longest).len(),
            who: names.max().unwrap_or(0),
        }
    }
}

impl Format for Lines {
    fn head(&self, input: &Input, out: &mut impl Write) -> Result<()> {
        let line = format!(
            "# {}: {}, {}, {}, in {}; seconds since the first event",
            packed::given(&input.anchor).display(),
            show::counted(input.ranks(), "rank"),
            Kinds::of(&input.trace).sentence(),
            show::counted(input.trace.event_count() as u64, "event"),
            traced::clock(input)
        );
        writeln!(out, "{}", one_line(&line))
    }

    fn event(&self, input: &Input, shown: &Shown, out: &mut impl Write) -> Result<()> {
        let location = &input.trace.locations[shown.event.location.index()];
        let index = shown.event.index as usize;
        let described = shown.describer.describe(index);
        let line = format!(
            "{:>time$}  {:<who$}  {:<16}  {}",
            seconds(described.time_ns),
            who(location),
            described.kind,
            particulars(&input.trace, &described, location.events.kinds()[index]),
            time = self.time,
            who = self.who,
        );
        writeln!(out, "{}", one_line(line.trim_end()))
    }
}

/// An event has one line, whatever its names hold.
fn one_line(line: &str) -> Cow<'_, str> {
    match line.contains('\n') {
        true => Cow::Owned(terminal::harmless(&line.replace('\n', "\\n")).into_owned()),
        false => terminal::harmless(line),
    }
}

/// Names a location by its rank, and where it is not the first of several by its thread.
fn who(location: &Location) -> String {
    match (location.is_thread(), location.thread) {
        (true, 0) => format!("rank {}", location.rank.0),
        (true, thread) => format!("rank {}.{thread}", location.rank.0),
        (false, _) => location.name.clone(),
    }
}

/// Writes nanoseconds as seconds, exactly.
fn seconds(ns: i64) -> String {
    format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
}

/// Writes what an event says besides.
fn particulars(trace: &Trace, it: &Described, kind: EventKind) -> String {
    let sites = &trace.definitions.call_sites;
    let site = it.site.and_then(|site| sites.get(site.index()));
    let name = match kind {
        EventKind::Sample => site.and_then(|site| site.function.as_deref()),
        _ => it.region.and_then(|region| region_name(trace, region)),
    };
    let mut text = name.unwrap_or_default().to_owned();
    let any = |any: bool, what: &str| match any {
        true => format!(" (any {what})"),
        false => String::new(),
    };
    let comm = it.comm.map(|comm| {
        let name = comm_name(trace, comm).map(str::to_owned);
        name.unwrap_or_else(|| format!("communicator {}", comm.0))
    });
    let parts = [
        it.operation.map(str::to_owned),
        it.peer.map(|peer| {
            format!(
                "{}rank {peer}{}",
                toward(kind),
                any(it.any_source, "source")
            )
        }),
        it.root.map(|root| format!("root rank {root}")),
        it.tag
            .map(|tag| format!("tag {tag}{}", any(it.any_tag, "tag"))),
        it.bytes.map(|bytes| format!("{bytes} B")),
        it.sent.map(|bytes| format!("{bytes} B sent")),
        it.received.map(|bytes| format!("{bytes} B received")),
        comm,
        it.window.map(|window| format!("window {}", window.0)),
        it.request.map(|request| format!("request {request}")),
    ];
    let values = metrics(trace, it.values).map(|(metric, value)| {
        let text = format!("{} = {value} {}", metric.name, metric.unit);
        text.trim_end().to_owned()
    });
    let parts: Vec<String> = parts.into_iter().flatten().chain(values).collect();
    if !parts.is_empty() {
        text += if text.is_empty() { "" } else { " " };
        text += &parts.join(", ");
    }
    if let Some(site) = site {
        text += &format!(" at {}", place(site));
    }
    if let Some(periods) = it.periods.filter(|&periods| periods != 1) {
        text += &format!(" ({periods} periods)");
    }
    text
}

/// Names a place in the program without the folder that its file lies in.
fn place(site: &CallSite) -> String {
    let text = site.to_string();
    let name = text.rsplit_once('/').map(|(_, name)| name.to_owned());
    name.unwrap_or(text)
}

/// Says which way a message goes.
fn toward(kind: EventKind) -> &'static str {
    match kind {
        EventKind::MpiSend | EventKind::MpiIsend => "to ",
        EventKind::MpiRecv | EventKind::MpiIrecv | EventKind::MpiProbe => "from ",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};
    use mpiscope_analysis::described::{origin, Describer};
    use mpiscope_archive::model::{EventRef, LocationIndex};

    fn check(picture: &str, location: u32, expected: Expect) {
        let input = Input {
            trace: Trace::parse(picture).unwrap(),
            ..Input::default()
        };
        let lines = Lines { time: 11, who: 6 };
        let of = &input.trace.locations[location as usize];
        let describer = &Describer::new(&input.trace, of, origin(&input.trace));
        let mut out = Vec::new();
        for index in 0..of.events.len() {
            let event = EventRef::new(LocationIndex(location), index);
            let shown = Shown { event, describer };
            lines.event(&input, &shown, &mut out).unwrap();
        }
        expected.assert_eq(&String::from_utf8(out).unwrap());
    }

    #[test]
    fn a_message_is_told_with_its_call() {
        check(
            "0: 1000 enter(MPI_Send) !at(src/heat.c:42) 1020 send>1(tag=7,bytes=64) 1090 leave(MPI_Send)
             1: 2000000000 recv<0(any)",
            0,
            expect![[r#"
                0.000000000  rank 0  enter             MPI_Send at heat.c:42
                0.000000020  rank 0  send              MPI_Send to rank 1, tag 7, 64 B, world at heat.c:42
                0.000000090  rank 0  leave             MPI_Send at heat.c:42
            "#]],
        );
    }

    #[test]
    fn an_event_stays_in_its_line() {
        assert_eq!(
            one_line("solve \x1b[2J\nrank 1"),
            r"solve \u{1b}[2J\nrank 1"
        );
    }

    #[test]
    fn a_value_is_told_with_its_unit() {
        check(
            "0: 5 enter(solve) 6 metric(residual=1e-7,heat[K]=300) 7 leave(solve)",
            0,
            expect![[r#"
                0.000000000  rank 0  enter             solve
                0.000000001  rank 0  metric            solve residual = 1e-7, heat = 300 K
                0.000000002  rank 0  leave             solve
            "#]],
        );
    }

    #[test]
    fn a_collective_is_told_with_root_and_bytes() {
        check(
            "0: 5\n1: 2000000005 enter(MPI_Bcast) 2000000005 bcast(root=0,sent=0,received=8){ 2000000006 }",
            1,
            expect![[r#"
                2.000000000  rank 1  enter             MPI_Bcast
                2.000000000  rank 1  collective_begin  MPI_Bcast bcast, root rank 0, world
                2.000000001  rank 1  collective_end    MPI_Bcast bcast, root rank 0, 0 B sent, 8 B received, world
            "#]],
        );
    }
}
