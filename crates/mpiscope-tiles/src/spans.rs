//! Tiles of calls: each by itself, with its depth, and the time in it that was waiting.

use std::ops::Range;

use mpiscope_model::LocationIndex;

use crate::encode::NONE;
use crate::encode::{Encoder, Kind};
use crate::line::Line;
use crate::run::Clocked;
use crate::state::{Frame, State};
use crate::sums::STRIDE;
use crate::tile::Tile;

/// Calls of a tile, at most.
pub const MOST: usize = 1 << 16;
/// Events that are looked at for a tile, at most.
const MOST_EVENTS: u32 = 1 << 19;

/// A call, or a stretch of time in which recording was off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// When it begins.
    pub begin: u64,
    /// When it ends.
    pub end: u64,
    /// Its row.
    pub row: u32,
    /// Its region, or [`NONE`].
    pub region: u32,
    /// The event that began it.
    pub event: u32,
    /// How many calls are around it.
    pub depth: u32,
    /// Whether its end is known.
    pub ended: bool,
    /// Recording was off.
    pub is_off: bool,
}

/// A stretch of time in which a call waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// When it begins.
    pub begin: u64,
    /// When it ends.
    pub end: u64,
    /// Its row.
    pub row: u32,
    /// The event that began the call.
    pub event: u32,
}

/// The calls and the waiting of some rows that touch a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    /// By row, depth and begin.
    pub spans: Vec<Span>,
    /// By row and begin.
    pub waits: Vec<Wait>,
}

impl Clocked<'_> {
    /// Returns the calls of some rows that touch a window; nothing if there are too many.
    pub fn spans(&self, rows: Range<u32>, window: Range<u64>) -> Option<Spans> {
        let locations =
            rows.filter_map(|row| Some((row, self.run.rows.list[row as usize].location?)));
        let lines: Vec<_> = locations
            .map(|(row, location)| Within::new(self.line(location), row, &window))
            .collect();
        let events: u64 = lines.iter().map(|it| u64::from(it.behind - it.first)).sum();
        if events > u64::from(MOST_EVENTS) {
            return None;
        }
        let mut spans = Spans::default();
        for line in &lines {
            line.tell(&mut spans);
            if spans.spans.len() > MOST {
                return None;
            }
        }
        Some(spans)
    }

    /// Returns the calls of a block of rows, encoded; `finding` knows which finding a waiting call
    /// is listed as.
    pub fn spans_tile(
        &self,
        tile: Tile,
        block: u32,
        finding: impl Fn(LocationIndex, u32) -> Option<u32>,
    ) -> Option<Vec<u8>> {
        let rows = self.rows_of(block)?;
        let (found, flags) = match self.spans(rows, tile.window()) {
            Some(found) => (found, 0),
            None => (Spans::default(), 1),
        };
        let Spans { spans, waits } = &found;
        let mut encoder = Encoder::new(Kind::Spans, spans.len(), flags);
        encoder.f64s(spans.iter().map(|it| it.begin as f64));
        encoder.f64s(spans.iter().map(|it| it.end as f64));
        encoder.u32s(spans.iter().map(|it| it.row));
        encoder.u32s(spans.iter().map(|it| it.region));
        encoder.u32s(spans.iter().map(|it| it.event));
        encoder.u16s(
            spans
                .iter()
                .map(|it| u16::try_from(it.depth).unwrap_or(u16::MAX)),
        );
        encoder.u16s(spans.iter().map(bits));
        encoder.u32s([waits.len() as u32]);
        encoder.f64s(waits.iter().map(|it| it.begin as f64));
        encoder.f64s(waits.iter().map(|it| it.end as f64));
        encoder.u32s(waits.iter().map(|it| it.row));
        let number = |wait: &Wait| {
            let location = self.run.rows.list[wait.row as usize].location;
            location.and_then(|location| finding(location, wait.event))
        };
        encoder.u32s(waits.iter().map(|it| number(it).unwrap_or(NONE)));
        Some(encoder.finish())
    }
}

fn bits(span: &Span) -> u16 {
    u16::from(!span.ended) * 2 + u16::from(span.is_off) * 4
}

/// The events of a location within a window.
struct Within<'a> {
    line: Line<'a>,
    row: u32,
    window: Range<u64>,
    first: u32,
    behind: u32,
}

impl<'a> Within<'a> {
    fn new(line: Line<'a>, row: u32, window: &Range<u64>) -> Within<'a> {
        Within {
            row,
            first: line.before(window.start),
            behind: line.before(window.end),
            window: window.clone(),
            line,
        }
    }

    fn tell(&self, found: &mut Spans) {
        let from = found.spans.len();
        let (line, frames) = (&self.line, &self.line.sums.frames);
        let mut state = line.state_before(self.first);
        let mut off = state.is_off().then(|| self.last_switch());
        for index in self.first..self.behind {
            let (depth, mut within) = (state.depth(frames), 0);
            line.step(&mut state, index, |frame| {
                within += 1;
                found
                    .spans
                    .push(self.span(frame, depth - within, Some(index)));
            });
            match (off, state.is_off()) {
                (None, true) => off = Some(index),
                (Some(since), false) => {
                    found.spans.push(self.off(since, Some(index)));
                    off = None;
                }
                _ => {}
            }
        }
        let open: Vec<Frame> = state.open(frames).collect();
        let ends = line.ends_of(&open, self.behind, state.clone());
        for (at, (frame, end)) in open.iter().zip(ends).enumerate() {
            found
                .spans
                .push(self.span(*frame, open.len() - 1 - at, end));
        }
        if let Some(since) = off {
            let next = line.sums.switches_before(self.behind);
            let mut next = line.sums.switches[next..].iter();
            let end = next.find(|(_, off)| !off).map(|(switch, _)| *switch);
            found.spans.push(self.off(since, end));
        }
        // What is open though all events are past ended with the last.
        let touches = |span: &Span| span.end >= self.window.start && span.begin < self.window.end;
        let mut told = found.spans.split_off(from);
        told.retain(touches);
        told.sort_unstable_by_key(|span| (span.depth, span.begin, span.event));
        found.spans.append(&mut told);
        self.tell_waits(found);
    }

    /// Returns the event since which recording is off before the window.
    fn last_switch(&self) -> u32 {
        let before = self.line.sums.switches_before(self.first);
        let before = self.line.sums.switches[..before].iter().rev();
        let off = before.take_while(|(_, off)| *off);
        off.last().map_or(0, |(switch, _)| *switch)
    }

    fn span(&self, frame: Frame, depth: usize, end: Option<u32>) -> Span {
        let last = self.line.len() - 1;
        Span {
            begin: self.line.time(frame.enter),
            end: self.line.time(end.unwrap_or(last)),
            row: self.row,
            region: frame.region,
            event: frame.enter,
            depth: depth as u32,
            ended: end.is_some(),
            is_off: false,
        }
    }

    /// Returns a stretch without recording: it is the whole row that does nothing then.
    fn off(&self, since: u32, end: Option<u32>) -> Span {
        let frame = Frame {
            enter: since,
            region: NONE,
        };
        Span {
            is_off: true,
            ..self.span(frame, 0, end)
        }
    }

    fn tell_waits(&self, found: &mut Spans) {
        let waits = self.line.waits;
        let first = waits.before(self.first).saturating_sub(1);
        for number in first..waits.before(self.behind) {
            let Some((event, lasted)) = waits.get(number) else {
                continue;
            };
            let begin = self.line.time(event);
            let end = begin.saturating_add(lasted);
            if end >= self.window.start && begin < self.window.end {
                found.waits.push(Wait {
                    begin,
                    end,
                    row: self.row,
                    event,
                });
            }
        }
    }
}

impl Line<'_> {
    /// Returns the event at which each of some frames ends that are open before event `from`,
    /// innermost first; nothing of those that never end.
    pub fn ends_of(&self, open: &[Frame], from: u32, state: State) -> Vec<Option<u32>> {
        let mut ends = Vec::with_capacity(open.len());
        let (mut at, mut state) = (from, state);
        for frame in open {
            let end = ends.last().copied().flatten();
            // One leave may end several.
            if let Some(end) = end.filter(|_| !state.open(&self.sums.frames).any(|it| it == *frame))
            {
                ends.push(Some(end));
                continue;
            }
            let found = self.end_of(*frame, &mut at, &mut state);
            ends.push(found);
            if found.is_none() {
                // What is around what never ends does not end either.
                ends.resize(open.len(), None);
                break;
            }
        }
        ends
    }

    /// Goes on to the event that ends a frame, and behind it.
    fn end_of(&self, frame: Frame, at: &mut u32, state: &mut State) -> Option<u32> {
        let next_place = at.div_ceil(STRIDE) * STRIDE;
        if let Some(end) = self.step_to_end(frame, at, state, next_place) {
            return Some(end);
        }
        // It is open at that place, so the arena has it: the last place is looked for at which it
        // still is.
        let place = (*at / STRIDE) as usize;
        let is_open = |place: usize| {
            let node = self.sums.place(place).node;
            self.sums.frames.is_open(frame.enter, node)
        };
        let (mut open, mut closed) = (place, self.sums.places());
        if open >= closed {
            return None;
        }
        while closed - open > 1 {
            let middle = open + (closed - open) / 2;
            match is_open(middle) {
                true => open = middle,
                false => closed = middle,
            }
        }
        if open > place {
            state.move_to(self.sums.place(open));
            *at = open as u32 * STRIDE;
        }
        self.step_to_end(frame, at, state, self.len())
    }

    fn step_to_end(
        &self,
        frame: Frame,
        at: &mut u32,
        state: &mut State,
        until: u32,
    ) -> Option<u32> {
        while *at < until.min(self.len()) {
            let mut is_end = false;
            self.step(state, *at, |ended| is_end |= ended == frame);
            *at += 1;
            if is_end {
                return Some(*at - 1);
            }
        }
        None
    }
}
