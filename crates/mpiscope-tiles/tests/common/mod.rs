//! Drawn traces, and what they hold by a reading without shortcuts.

pub mod brute;

use std::fmt::Write;

use mpiscope_model::{CallSite, CallSiteId, Event, EventKind, Events, Timestamp, Trace};
use mpiscope_tiles::blocks::{Source, BLOCK};
use proptest::prelude::*;

/// What a location does next.
#[derive(Clone, Debug)]
enum Deed {
    Enter(usize),
    Leave(usize),
    Send(usize),
    Receive(usize),
    Barrier,
    Switch(bool),
    Nothing,
}

/// A trace to be.
#[derive(Clone, Debug)]
pub struct Drawn(Vec<Vec<(i64, Deed)>>);

const REGIONS: [&str; 6] = [
    "main",
    "solve",
    "MPI_Send",
    "MPI_Recv",
    "MPI_Bcast",
    "MPI_Win_fence",
];
const LOCATIONS: usize = 3;

/// Draws traces: most are damaged in some way.
pub fn drawn() -> impl Strategy<Value = Drawn> {
    let deed = prop_oneof![
        6 => (0..REGIONS.len()).prop_map(Deed::Enter),
        6 => (0..REGIONS.len()).prop_map(Deed::Leave),
        2 => (0..LOCATIONS).prop_map(Deed::Send),
        2 => (0..LOCATIONS).prop_map(Deed::Receive),
        1 => Just(Deed::Barrier),
        1 => any::<bool>().prop_map(Deed::Switch),
        2 => Just(Deed::Nothing),
    ];
    let step = prop_oneof![8 => 0i64..20, 1 => 1000i64..5000, 1 => -30i64..0];
    let location = prop::collection::vec((step, deed), 0..500);
    prop::collection::vec(location, 1..=LOCATIONS).prop_map(Drawn)
}

impl Drawn {
    /// Returns the trace.
    pub fn trace(&self) -> Trace {
        let mut picture = String::new();
        for (rank, deeds) in self.0.iter().enumerate() {
            write!(picture, "{rank}:").unwrap();
            let mut now = 100;
            for (step, deed) in deeds {
                now += step;
                let text = match deed {
                    Deed::Enter(region) => format!("enter({})", REGIONS[*region]),
                    Deed::Leave(region) => format!("leave({})", REGIONS[*region]),
                    Deed::Send(to) => format!("send>{}", to % self.0.len()),
                    Deed::Receive(from) => format!("recv<{}", from % self.0.len()),
                    Deed::Barrier => format!("barrier{{ {} }}", now + 1),
                    Deed::Switch(true) => "on".into(),
                    Deed::Switch(false) => "off".into(),
                    Deed::Nothing => String::new(),
                };
                write!(picture, " {now} {text}").unwrap();
            }
            picture.push('\n');
        }
        let mut trace = Trace::parse(&picture).unwrap_or_else(|error| panic!("{error}\n{picture}"));
        place(&mut trace);
        trace
    }

    /// Returns a trace of calls that are entered and never left.
    pub fn deep(calls: usize) -> Trace {
        let enters = (0..calls).map(|at| format!(" {at} enter(f)"));
        Trace::parse(&format!("0:{}", enters.collect::<String>())).unwrap()
    }
}

/// Says of most enters where they are called: two call sites are of one line, and of one nothing is
/// known.
fn place(trace: &mut Trace) {
    let site = |file: Option<&str>, offset| CallSite {
        file: file.map(str::to_owned),
        line: Some(1),
        offset,
        ..CallSite::default()
    };
    let files = [Some("a.c"), Some("b.c"), Some("a.c"), None];
    trace.definitions.call_sites = files
        .into_iter()
        .zip(0..)
        .map(|it| site(it.0, it.1))
        .collect();
    for location in &mut trace.locations {
        for index in 0..location.events.len() {
            let number = index * 7 % 5;
            if location.events.kinds()[index] == EventKind::Enter && number < files.len() {
                location
                    .events
                    .set_call_site(index, CallSiteId(number as u32));
            }
        }
    }
}

/// A trace cut into blocks, each of which knows nothing of the others.
pub struct Cut(pub Trace);

impl Source for Cut {
    fn events(&self, location: u32, block: u32) -> Events {
        let events = &self.0.locations[location as usize].events;
        let first = (block * BLOCK) as usize;
        let mut cut = Events::default();
        for (index, (time, event)) in events.iter().enumerate().skip(first).take(BLOCK as usize) {
            match event {
                Event::Enter(region) => cut.push_enter(time, region),
                Event::Leave(region) => cut.push_leave(time, region),
                Event::MpiSend(message) => cut.push_send(time, *message),
                Event::MpiIsend(message) => cut.push_isend(time, *message),
                Event::MpiRecv(message) => cut.push_recv(time, *message),
                Event::MpiIrecv(message) => cut.push_irecv(time, *message),
                Event::MpiCollectiveBegin => cut.push_collective_begin(time),
                Event::MpiCollectiveEnd(it) => cut.push_collective_end(time, *it),
                Event::MeasurementOnOff(on) => cut.push_on_off(time, on),
                _ => cut.push_other(time, 0),
            }
            if let Some(site) = events.call_site(index) {
                cut.set_call_site(index - first, site);
            }
        }
        cut
    }

    fn outline(&self, location: u32, block: u32) -> Events {
        let mut outline = Events::default();
        for (time, event) in self.events(location, block).iter() {
            match event {
                Event::MpiSend(_) | Event::MpiIsend(_) | Event::MpiRecv(_) | Event::MpiIrecv(_) => {
                    outline.push_other(time, 0);
                }
                other => outline.push(time, other),
            }
        }
        outline
    }

    fn times(&self, _: &str, _: u32, _: u32) -> Option<Vec<Timestamp>> {
        None
    }
}
