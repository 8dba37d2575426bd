//! Time by call path: sums for every 2048 events of a location, so that those of any window need
//! few events besides. A call path is what was called where: calls of one function from two lines
//! are two.

use std::ops::Range;

use mpiscope_model::EventKind;
use rustc_hash::FxHashMap;

use crate::encode::NONE;
use crate::line::Line;
use crate::state::{Frame, State};

/// Events of a chunk.
pub(crate) const CHUNK: u32 = 2048;
/// Calls deeper than this count as those that are around them.
const DEEPEST: usize = 128;
/// Call paths of a run, at most: others count as what is around them.
const MOST: usize = 1 << 16;

/// What is known of a call path in some stretch of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathSum {
    /// How often it was begun.
    pub calls: u64,
    /// Time in it, without what is called from it.
    pub time: u64,
    /// How long of that was waiting.
    pub waiting: u64,
}

impl PathSum {
    pub fn add(&mut self, other: &PathSum) {
        self.calls += other.calls;
        self.time = self.time.saturating_add(other.time);
        self.waiting = self.waiting.saturating_add(other.waiting);
    }
}

/// Sums by path.
pub(crate) type Sums = FxHashMap<u32, PathSum>;

/// What was called, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Called {
    /// Its region, or [`NONE`].
    pub region: u32,
    /// Its call site, the first of those that are alike, or [`NONE`] if nobody told.
    pub site: u32,
}

impl Called {
    pub const NOTHING: Called = Called {
        region: NONE,
        site: NONE,
    };
}

/// Call paths: the first is that of no call.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The path around each, and what it calls.
    pub nodes: Vec<(u32, Called)>,
    children: FxHashMap<(u32, Called), u32>,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            nodes: vec![(NONE, Called::NOTHING)],
            children: FxHashMap::default(),
        }
    }
}

impl Table {
    /// Makes a table of its paths, parents before their children; nothing if they are not.
    pub fn of(nodes: Vec<(u32, Called)>) -> Option<Table> {
        let mut table = Table::default();
        let (first, rest) = nodes.split_first()?;
        (*first == (NONE, Called::NOTHING)).then_some(())?;
        for (path, called) in rest {
            let is_new = !table.children.contains_key(&(*path, *called));
            ((*path as usize) < table.nodes.len() && is_new).then_some(())?;
            table
                .children
                .insert((*path, *called), table.nodes.len() as u32);
            table.nodes.push((*path, *called));
        }
        Some(table)
    }

    /// Returns whether there may be more paths than it holds.
    pub fn is_cut(&self) -> bool {
        self.nodes.len() >= MOST
    }

    fn find(&self, path: u32, called: Called) -> u32 {
        self.children.get(&(path, called)).copied().unwrap_or(path)
    }

    fn find_or_add(&mut self, path: u32, called: Called) -> u32 {
        if let Some(child) = self.children.get(&(path, called)) {
            return *child;
        }
        if self.nodes.len() >= MOST {
            return path;
        }
        let child = self.nodes.len() as u32;
        self.nodes.push((path, called));
        self.children.insert((path, called), child);
        child
    }
}

/// The chunks of a location: sums by path, each chunk's behind those of the one before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunks {
    pub ends: Vec<u32>,
    pub sums: Vec<(u32, PathSum)>,
}

impl Chunks {
    /// Reads a location; paths are numbered by a table of its own.
    pub fn new(line: &Line) -> (Chunks, Table) {
        let mut table = Table::default();
        let mut chunks = Chunks::default();
        for first in (0..line.len()).step_by(CHUNK as usize) {
            let behind = first.saturating_add(CHUNK).min(line.len());
            let end = line.time(behind.min(line.len() - 1));
            let mut sums = Sums::default();
            let child = |path, called| table.find_or_add(path, called);
            scan(line, first..behind, line.time(first)..end, child, &mut sums);
            chunks.sums.extend(sums);
            chunks.ends.push(chunks.sums.len() as u32);
        }
        chunks.sums.shrink_to_fit();
        (chunks, table)
    }

    /// Numbers paths by another table, into which this one's are put.
    pub fn renumber(&mut self, own: &Table, all: &mut Table) {
        let mut numbers = Vec::with_capacity(own.nodes.len());
        for (path, called) in &own.nodes {
            // Parents come before their children.
            let number = match path {
                &NONE => 0,
                path => all.find_or_add(numbers[*path as usize], *called),
            };
            numbers.push(number);
        }
        self.sums
            .iter_mut()
            .for_each(|(path, _)| *path = numbers[*path as usize]);
    }

    pub fn bytes(&self) -> usize {
        4 * self.ends.len() + self.sums.len() * size_of::<(u32, PathSum)>()
    }

    /// Returns whether a call was begun among the events of an event's chunk whose path suits.
    pub fn begins(&self, event: u32, suits: impl Fn(u32) -> bool) -> bool {
        let chunk = (event / CHUNK) as usize;
        let sums = &self.sums[self.end(chunk)..self.end(chunk + 1)];
        sums.iter().any(|(path, sum)| sum.calls > 0 && suits(*path))
    }

    /// Returns where the sums of the chunks before one end.
    fn end(&self, chunk: usize) -> usize {
        chunk.checked_sub(1).map_or(0, |it| self.ends[it] as usize)
    }

    fn add(&self, chunks: Range<usize>, sums: &mut Sums) {
        let end = |chunk: usize| self.end(chunk);
        for (path, sum) in &self.sums[end(chunks.start)..end(chunks.end)] {
            sums.entry(*path).or_default().add(sum);
        }
    }

    /// Adds what a location did in a window.
    pub fn within(&self, line: &Line, window: Range<u64>, table: &Table, sums: &mut Sums) {
        if line.len() == 0 {
            return;
        }
        let child = |path, called| table.find(path, called);
        let (first, behind) = (line.before(window.start), line.before(window.end));
        // Whole chunks: from the first that begins in the window to the last that does, or to the
        // end of the location.
        let from = first.div_ceil(CHUNK);
        let is_all = behind == line.len();
        let to = match is_all {
            true => behind.div_ceil(CHUNK),
            false => behind.saturating_sub(1) / CHUNK,
        };
        if from >= to {
            return scan(line, first..behind, window, child, sums);
        }
        let begin = from * CHUNK;
        let until = line.time(begin);
        scan(line, first..begin, window.start..until, child, sums);
        self.add(from as usize..to as usize, sums);
        if !is_all {
            let end = to * CHUNK;
            scan(line, end..behind, line.time(end)..window.end, child, sums);
        }
    }
}

/// Adds up, event by event, what a location did in a window that has these events; `child` knows
/// the path of what a path calls.
fn scan(
    line: &Line,
    events: Range<u32>,
    window: Range<u64>,
    child: impl FnMut(u32, Called) -> u32,
    sums: &mut Sums,
) {
    let last = line.time(line.len() - 1);
    let mut scan = Scan::new(line, events.start, window.start, child, sums);
    line.pieces(events, |piece| {
        piece.each(|index, time, event| {
            scan.pass(time);
            scan.take(index, time, event, |region| piece.site(index, region));
        });
    });
    scan.pass(window.end.min(last));
}

/// A moment of a location that goes forward.
struct Scan<'a, 'b, F> {
    line: &'b Line<'a>,
    state: State<'a>,
    child: F,
    sums: &'b mut Sums,
    /// The paths of the calls that are open, innermost last.
    stack: Vec<u32>,
    now: u64,
    /// The next call that waited.
    wait: usize,
    /// Until when the last one waited.
    waits_until: u64,
}

impl<'a, 'b, F: FnMut(u32, Called) -> u32> Scan<'a, 'b, F> {
    fn new(line: &'b Line<'a>, event: u32, begin: u64, child: F, sums: &'b mut Sums) -> Self {
        let state = line.state_before(event);
        let open: Vec<Frame> = state.open(&line.sums.frames).collect();
        let wait = line.waits.before(event);
        let earlier = wait.checked_sub(1).and_then(|at| line.waits.get(at));
        let now = begin.max(line.time(0));
        let mut scan = Scan {
            waits_until: earlier.map_or(0, |wait| line.waits_until(wait, now)),
            now,
            stack: Vec::with_capacity(open.len()),
            wait,
            state,
            child,
            sums,
            line,
        };
        for Frame { enter, region } in open.into_iter().rev() {
            let site = line.site(enter, region);
            scan.enter(Called { region, site });
        }
        scan
    }

    fn path(&self) -> u32 {
        self.stack.last().copied().unwrap_or(0)
    }

    fn enter(&mut self, called: Called) {
        let around = self.path();
        let path = match self.stack.len() < DEEPEST {
            true => (self.child)(around, called),
            false => around,
        };
        self.stack.push(path);
    }

    /// Lets time pass in which nothing happens.
    fn pass(&mut self, until: u64) {
        if until <= self.now {
            return;
        }
        if !self.state.is_off() || self.state.is_in_call() {
            let sum = self.sums.entry(self.path()).or_default();
            sum.time = sum.time.saturating_add(until - self.now);
            sum.waiting += self.waits_until.clamp(self.now, until) - self.now;
        }
        self.now = until;
    }

    /// Takes an event; `site` knows where a region was called that it enters.
    fn take(
        &mut self,
        index: u32,
        time: u64,
        event: (EventKind, u32),
        site: impl FnOnce(u32) -> u32,
    ) {
        let mut ended = 0;
        let frames = &self.line.sums.frames;
        self.state.step(frames, index, event, |_| ended += 1);
        self.stack.truncate(self.stack.len() - ended);
        if let Some(region) = self.state.begun_by(index) {
            let site = site(region);
            self.enter(Called { region, site });
            self.sums.entry(self.path()).or_default().calls += 1;
        }
        let wait = self.line.waits.get(self.wait);
        if let Some((_, lasted)) = wait.filter(|it| it.0 == index) {
            self.waits_until = time.saturating_add(lasted);
            self.wait += 1;
        }
    }
}
