//! A reading of all events that knows no shortcuts.

use std::ops::Range;

use mpiscope_analysis::wait_states::wait_states;
use mpiscope_model::{Event, EventKind, EventRef, LocationIndex};
use mpiscope_tiles::search::{Found, Search};
use mpiscope_tiles::spans::Span;
use mpiscope_tiles::{Class, Clocked, Run, NONE};

/// What a location did from one event to the next, and until when of that it waited.
pub struct Stretch {
    location: LocationIndex,
    time: Range<u64>,
    class: Class,
}

pub struct Stretches {
    done: Vec<Stretch>,
    waits: Vec<(LocationIndex, Range<u64>)>,
}

/// Something that is open.
#[derive(Clone, Copy)]
struct Open {
    region: u32,
    enter: u32,
    is_call: bool,
}

/// What is open after an event, and whether recording is off.
type After = (Vec<Open>, bool);

/// Reads a location: the frames that each event leaves open, and whether recording is off.
fn read(clock: &Clocked, at: usize) -> Vec<After> {
    let events = &clock.run.trace.locations[at].events;
    let (mut open, mut off) = (Vec::<Open>::new(), false);
    let mut states = Vec::new();
    for (index, (kind, arg)) in events.kinds().iter().zip(events.args()).enumerate() {
        let call = open.iter().position(|it| it.is_call);
        let (enter, region) = (index as u32, *arg);
        match kind {
            EventKind::Enter => open.push(Open {
                region,
                enter,
                is_call: call.is_none() && clock.run.regions.is_mpi(region),
            }),
            EventKind::Leave => {
                if let Some(at) = open.iter().rposition(|it| it.region == region) {
                    open.truncate(at);
                }
            }
            EventKind::MpiCollectiveBegin if call.is_none() && region != NONE => open.push(Open {
                region: NONE,
                enter,
                is_call: true,
            }),
            EventKind::MpiCollectiveEnd => {
                if let Some(at) = call.filter(|at| open[*at].region == NONE) {
                    open.truncate(at);
                }
            }
            EventKind::MeasurementOnOff => {
                open.truncate(call.unwrap_or(open.len()));
                off = region == 0;
            }
            _ => {}
        }
        states.push((open.clone(), off));
    }
    states
}

fn times(clock: &Clocked, at: usize) -> Vec<u64> {
    let times = clock.view.times.forward(&clock.run.trace, at as u32);
    let since = |time| clock.view.times.since_start(time);
    times.iter().map(|time| since(*time)).collect()
}

pub fn stretches(clock: &Clocked) -> Stretches {
    let mut done = Vec::new();
    for at in 0..clock.run.trace.locations.len() {
        let times = times(clock, at);
        let location = LocationIndex(at as u32);
        let mut tell = |time: Range<u64>, class| {
            done.push(Stretch {
                location,
                time,
                class,
            });
        };
        let first = times.first().copied().unwrap_or(u64::MAX);
        tell(0..first, Class::Nothing);
        let states = read(clock, at);
        for (index, (open, off)) in states.iter().enumerate() {
            let call = open.iter().find(|it| it.is_call);
            let class = match (call, open.last(), off) {
                (Some(call), ..) if call.region == NONE => Class::Collective,
                (Some(call), ..) => clock.run.regions.class(call.region),
                (None, _, true) => Class::Unrecorded,
                (None, Some(frame), false) => clock.run.regions.class(frame.region),
                (None, None, false) => Class::Computation,
            };
            match times.get(index + 1) {
                Some(next) => tell(times[index]..*next, class),
                None => tell(times[index]..u64::MAX, Class::Nothing),
            }
        }
    }
    let waits = wait_states(&clock.run.trace, &clock.run.matching);
    let since = |time| clock.view.times.since_start(time);
    let waits = waits.iter();
    Stretches {
        done,
        waits: waits
            .map(|it| (it.call.location, since(it.begin)..since(it.end)))
            .collect(),
    }
}

/// Returns the time of each class, and of waiting, that some locations spent in a bin.
pub fn done(all: &Stretches, locations: &[LocationIndex], bin: &Range<u64>) -> Vec<u128> {
    let common = |time: &Range<u64>| {
        let common = time
            .end
            .min(bin.end)
            .saturating_sub(time.start.max(bin.start));
        u128::from(common)
    };
    let mut sums = vec![0; 10];
    for stretch in all
        .done
        .iter()
        .filter(|it| locations.contains(&it.location))
    {
        sums[stretch.class.index()] += common(&stretch.time);
    }
    for (_, time) in all
        .waits
        .iter()
        .filter(|(location, _)| locations.contains(location))
    {
        sums[9] += common(time);
    }
    sums
}

/// Returns all calls, and all stretches without recording.
pub fn spans(clock: &Clocked) -> Vec<Span> {
    let mut spans = Vec::new();
    for at in 0..clock.run.trace.locations.len() {
        let times = times(clock, at);
        let row = clock.run.rows.of_location[at];
        let states = read(clock, at);
        let last = times.len().saturating_sub(1);
        let ends = |from: usize, ended: &dyn Fn(&After) -> bool| {
            let after = states.iter().enumerate().skip(from);
            after
                .clone()
                .find(|(_, state)| ended(state))
                .map(|(at, _)| at)
        };
        for (index, (open, off)) in states.iter().enumerate() {
            let event = index as u32;
            let span = |end: Option<usize>, region, depth: usize, is_off| Span {
                begin: times[index],
                end: times[end.unwrap_or(last)],
                row,
                region,
                event,
                depth: depth as u32,
                ended: end.is_some(),
                is_off,
            };
            if let Some(frame) = open.last().filter(|frame| frame.enter == event) {
                let end = ends(index, &|(open, _)| !open.iter().any(|it| it.enter == event));
                spans.push(span(end, frame.region, open.len() - 1, false));
            }
            let was_off = index > 0 && states[index - 1].1;
            if *off && !was_off {
                let end = ends(index, &|(_, off)| !off);
                spans.push(span(end, NONE, 0, true));
            }
        }
    }
    spans
}

/// A region and where it is called, and calls, inclusive and exclusive time of it.
pub type OfCalls = ((u32, u32), u64, u64, u64);

/// Returns where a call of MPI stands: the first call site that is written alike.
pub fn site(clock: &Clocked, at: usize, enter: u32, region: u32) -> u32 {
    let Run { trace, regions, .. } = clock.run;
    let sites = &trace.definitions.call_sites;
    let site = trace.locations[at].events.call_site(enter as usize);
    let site = site.map(|it| &sites[it.index()]);
    match site.filter(|it| it.file.is_some() && regions.is_mpi(region)) {
        Some(site) => sites.iter().position(|it| it.file == site.file).unwrap() as u32,
        None => NONE,
    }
}

/// Returns what the calls of each region did in a window, by call site if that is asked for, and
/// the time of all.
pub fn calls(clock: &Clocked, window: &Range<u64>, by_site: bool) -> (Vec<OfCalls>, u64) {
    let mut sums: std::collections::BTreeMap<(u32, u32), (u64, u64, u64)> = Default::default();
    let mut all = 0;
    for at in 0..clock.run.trace.locations.len() {
        let times = times(clock, at);
        let called = |it: &Open| match by_site {
            true => (it.region, site(clock, at, it.enter, it.region)),
            false => (it.region, NONE),
        };
        for (index, (open, off)) in read(clock, at).iter().enumerate() {
            let event = index as u32;
            if let Some(frame) = open.last().filter(|frame| frame.enter == event) {
                if window.contains(&times[index]) && frame.region != NONE {
                    sums.entry(called(frame)).or_default().0 += 1;
                }
            }
            let Some(next) = times.get(index + 1) else {
                continue;
            };
            let common = (*next)
                .min(window.end)
                .saturating_sub(times[index].max(window.start));
            if *off && !open.iter().any(|it| it.is_call) {
                continue;
            }
            all += common;
            let mut regions: Vec<(u32, u32)> = open.iter().map(called).collect();
            if let Some(region) = regions.last().filter(|it| it.0 != NONE) {
                sums.entry(*region).or_default().2 += common;
            }
            regions.sort_unstable();
            regions.dedup();
            for region in regions.into_iter().filter(|it| it.0 != NONE) {
                sums.entry(region).or_default().1 += common;
            }
        }
    }
    let told = sums.into_iter().filter(|(_, it)| it.0 > 0 || it.1 > 0);
    (
        told.map(|(region, it)| (region, it.0, it.1, it.2))
            .collect(),
        all,
    )
}

/// Returns all events that suit a search.
pub fn suiting(clock: &Clocked, search: &Search) -> Vec<Found> {
    let mut found = Vec::new();
    let regions = &clock.run.trace.definitions.regions;
    for (at, location) in clock.run.trace.locations.iter().enumerate() {
        let row = clock.run.rows.of_location[at];
        let within = |asked| {
            let rows: &Vec<LocationIndex> = &clock.run.rows.locations[asked as usize];
            rows.contains(&LocationIndex(at as u32))
        };
        if search
            .row
            .is_some_and(|asked| asked != row && !within(asked))
        {
            continue;
        }
        for (index, time) in times(clock, at).into_iter().enumerate() {
            let suits = match (search.tag, location.events.event(index)) {
                (Some(tag), Event::MpiSend(it) | Event::MpiRecv(it)) => it.tag == tag,
                (None, Event::Enter(region)) => {
                    let mut name = regions[region.index()].name.to_lowercase();
                    let site = site(clock, at, index as u32, region.0);
                    if site != NONE {
                        let file = &clock.run.trace.definitions.call_sites[site as usize].file;
                        name += &format!(" at {}:1", file.as_deref().unwrap());
                    }
                    search
                        .text
                        .as_ref()
                        .is_none_or(|text| name.contains(&text.to_lowercase()))
                        && search
                            .class
                            .is_none_or(|it| it == clock.run.regions.class(region.0))
                }
                _ => false,
            };
            if suits {
                found.push(Found {
                    time,
                    event: EventRef::new(LocationIndex(at as u32), index),
                });
            }
        }
    }
    found
}
