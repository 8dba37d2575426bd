//! One call: when it was, what is around it, and who was at its other end.

use mpiscope_model::{CallSite, EventKind, EventRef, LocationIndex};

use crate::encode::NONE;
use crate::run::Clocked;
use crate::state::Frame;

/// Events of a call that are looked at for what it says.
const MOST_EVENTS: usize = 256;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The event that began it.
    pub event: EventRef,
    /// The event that ended it, if that is known.
    pub end: Option<u32>,
    /// Its region, or [`NONE`].
    pub region: u32,
    /// How many calls are around it.
    pub depth: u32,
    /// The regions around it and its own, outermost first.
    pub stack: Vec<u32>,
    /// When it began and ended.
    pub time: (u64, u64),
}

/// How a call is tied to another event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    /// What the other one is to the call: `received by`, `sent by`.
    pub role: &'static str,
    /// The other event.
    pub event: EventRef,
}

impl Clocked<'_> {
    /// Returns the call that an event belongs to: its own of an enter or leave, of others the
    /// innermost around.
    pub fn call(&self, event: EventRef) -> Option<Call> {
        if u64::from(event.index) >= self.events(event.location) {
            return None;
        }
        let line = self.line(event.location);
        let frames = &line.sums.frames;
        let mut state = line.state_before(event.index);
        let before: Vec<Frame> = state.open(frames).collect();
        let mut ended = None;
        // What a leave ends last is what it names.
        line.step(&mut state, event.index, |frame| ended = Some(frame));
        if let Some(frame) = ended {
            let inner = before.iter().position(|it| *it == frame).unwrap_or(0);
            return Some(self.described(event.location, &before[inner..], Some(event.index)));
        }
        let open: Vec<Frame> = state.open(frames).collect();
        let innermost = open.get(..1)?;
        let end = line
            .ends_of(innermost, event.index + 1, state)
            .pop()
            .flatten();
        Some(self.described(event.location, &open, end))
    }

    /// Returns the call of a row at a moment, of a depth or the innermost.
    pub fn call_at(&self, row: u32, time: u64, depth: Option<u32>) -> Option<Call> {
        let location = self.run.rows.list.get(row as usize)?.location?;
        let line = self.line(location);
        let behind = line.before(time.saturating_add(1));
        let state = line.state_before(behind);
        let open: Vec<Frame> = state.open(&line.sums.frames).collect();
        let inner = match depth {
            Some(depth) => open.len().checked_sub(depth as usize + 1)?,
            None => 0,
        };
        let asked = open.get(..=inner)?;
        let end = line.ends_of(asked, behind, state).pop().flatten();
        let is_past = behind == line.len() && line.len() > 0 && time > line.time(line.len() - 1);
        (!is_past).then(|| self.described(location, &open[inner..], end))
    }

    /// Describes a call by what is open, itself first.
    fn described(&self, location: LocationIndex, open: &[Frame], end: Option<u32>) -> Call {
        let line = self.line(location);
        let frame = open[0];
        let last = end.unwrap_or(line.len() - 1);
        Call {
            event: EventRef {
                location,
                index: frame.enter,
            },
            end,
            region: frame.region,
            depth: open.len() as u32 - 1,
            stack: open.iter().rev().map(|frame| frame.region).collect(),
            time: (line.time(frame.enter), line.time(last)),
        }
    }

    /// Returns when an event was: of an enter from when to when its call lasts, of others twice the
    /// same moment.
    pub fn time_of(&self, event: EventRef) -> Option<(u64, u64)> {
        if u64::from(event.index) >= self.events(event.location) {
            return None;
        }
        if self.line(event.location).event(event.index).0 == EventKind::Enter {
            return self.call(event).map(|call| call.time);
        }
        let time = self.recorded(event);
        Some((time, time))
    }

    /// Returns the events of a call, the first ones of one with many.
    pub fn events_of(&self, call: &Call) -> impl Iterator<Item = EventRef> {
        let last = (self.events(call.event.location) as u32).saturating_sub(1);
        let location = call.event.location;
        let events = call.event.index..=call.end.unwrap_or(last);
        events
            .take(MOST_EVENTS)
            .map(move |index| EventRef { location, index })
    }

    /// Returns the other ends of the messages of a call.
    pub fn others(&self, call: &Call) -> Vec<Other> {
        let ends = self.events_of(call).flat_map(|it| self.run.partners.of(it));
        let other = |end: crate::partners::End| Other {
            role: match end.sends {
                true => "received by",
                false => "sent by",
            },
            event: end.other,
        };
        ends.map(other).collect()
    }

    /// Returns where in the program an event was called: what the event itself says, or else the
    /// innermost call around it that says so.
    pub fn call_site(&self, event: EventRef) -> Option<&CallSite> {
        if u64::from(event.index) >= self.events(event.location) {
            return None;
        }
        let line = self.line(event.location);
        let state = line.state_before(event.index);
        let around = state.open(&line.sums.frames).map(|frame| frame.enter);
        let mut events = std::iter::once(event.index).chain(around);
        let site = events.find_map(|at| line.with_event(at, |events, at| events.call_site(at)))?;
        self.run.trace.definitions.call_sites.get(site.index())
    }

    /// Returns the region of a call by name.
    pub fn region_name(&self, region: u32) -> Option<&str> {
        let regions = &self.run.trace.definitions.regions;
        let region = regions.get(region as usize).filter(|_| region != NONE)?;
        Some(&region.name)
    }
}
