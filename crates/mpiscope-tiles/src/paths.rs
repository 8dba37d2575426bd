//! Time by call path: sums for every 2048 events of a location, so that those of any window need
//! few events besides.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::cursor::Line;
use crate::NONE;

/// Events of a chunk.
const CHUNK: u32 = 2048;
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
    fn add(&mut self, other: &PathSum) {
        self.calls += other.calls;
        self.time = self.time.saturating_add(other.time);
        self.waiting = self.waiting.saturating_add(other.waiting);
    }
}

/// Sums by path.
pub(crate) type Sums = FxHashMap<u32, PathSum>;

/// Call paths: the first is that of no call.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The path around each, and its region.
    pub nodes: Vec<(u32, u32)>,
    children: FxHashMap<(u32, u32), u32>,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            nodes: vec![(NONE, NONE)],
            children: FxHashMap::default(),
        }
    }
}

impl Table {
    fn find(&self, path: u32, region: u32) -> u32 {
        self.children.get(&(path, region)).copied().unwrap_or(path)
    }

    fn find_or_add(&mut self, path: u32, region: u32) -> u32 {
        if let Some(child) = self.children.get(&(path, region)) {
            return *child;
        }
        if self.nodes.len() >= MOST {
            return path;
        }
        let child = self.nodes.len() as u32;
        self.nodes.push((path, region));
        self.children.insert((path, region), child);
        child
    }
}

/// The chunks of a location: sums by path, each chunk's behind those of the one before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunks {
    ends: Vec<u32>,
    sums: Vec<(u32, PathSum)>,
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
            let child = |path, region| table.find_or_add(path, region);
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
        for (path, region) in &own.nodes {
            // Parents come before their children.
            let number = match path {
                &NONE => 0,
                path => all.find_or_add(numbers[*path as usize], *region),
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

    fn add(&self, chunks: Range<usize>, sums: &mut Sums) {
        let end = |chunk: usize| chunk.checked_sub(1).map_or(0, |it| self.ends[it] as usize);
        for (path, sum) in &self.sums[end(chunks.start)..end(chunks.end)] {
            sums.entry(*path).or_default().add(sum);
        }
    }

    /// Adds what a location did in a window.
    pub fn within(&self, line: &Line, window: Range<u64>, table: &Table, sums: &mut Sums) {
        if line.len() == 0 {
            return;
        }
        let child = |path, region| table.find(path, region);
        let (first, behind) = (line.before(window.start), line.before(window.end));
        // Whole chunks: from the first that begins in the window to the last that does.
        let from = first.div_ceil(CHUNK);
        let to = behind.saturating_sub(1) / CHUNK;
        if from >= to {
            return scan(line, first..behind, window, child, sums);
        }
        let (begin, end) = (from * CHUNK, to * CHUNK);
        scan(
            line,
            first..begin,
            window.start..line.time(begin),
            child,
            sums,
        );
        self.add(from as usize..to as usize, sums);
        scan(line, end..behind, line.time(end)..window.end, child, sums);
    }
}

/// Adds up, event by event, what a location did in a window that has these events.
fn scan(
    line: &Line,
    events: Range<u32>,
    window: Range<u64>,
    mut child: impl FnMut(u32, u32) -> u32,
    sums: &mut Sums,
) {
    let frames = &line.sums.frames;
    let mut state = line.state_before(events.start);
    let mut open: Vec<u32> = state.open(frames).map(|frame| frame.region).collect();
    open.reverse();
    let mut stack: Vec<u32> = Vec::with_capacity(open.len());
    let mut enter = |stack: &mut Vec<u32>, region| {
        let around = stack.last().copied().unwrap_or(0);
        let path = match stack.len() < DEEPEST {
            true => child(around, region),
            false => around,
        };
        stack.push(path);
        path
    };
    for region in open {
        enter(&mut stack, region);
    }
    let first = line.time(0);
    let last = line.time(line.len() - 1);
    let mut wait = line.waits.before(events.start);
    let earlier = wait.checked_sub(1).and_then(|at| line.waits.get(at));
    let mut until = earlier.map_or(0, |(call, lasted)| line.time(call).saturating_add(lasted));
    let mut now = window.start.max(first);
    let mut pass = |now: &mut u64, to: u64, path: u32, until: u64, is_known: bool| {
        if to > *now {
            if is_known {
                let sum = sums.entry(path).or_default();
                sum.time = sum.time.saturating_add(to - *now);
                sum.waiting += until.clamp(*now, to) - *now;
            }
            *now = to;
        }
    };
    let mut begun: Vec<u32> = Vec::new();
    for index in events {
        let path = stack.last().copied().unwrap_or(0);
        let is_known = !(state.is_off() && !state.is_in_call());
        pass(&mut now, line.time(index), path, until, is_known);
        let mut ended = 0;
        state.step(frames, index, |_| ended += 1);
        stack.truncate(stack.len() - ended);
        if let Some(region) = state.begun_by(index) {
            begun.push(enter(&mut stack, region));
        }
        if let Some((_, lasted)) = line.waits.get(wait).filter(|it| it.0 == index) {
            until = line.time(index).saturating_add(lasted);
            wait += 1;
        }
    }
    let path = stack.last().copied().unwrap_or(0);
    let is_known = !(state.is_off() && !state.is_in_call());
    pass(&mut now, window.end.min(last), path, until, is_known);
    for path in begun {
        sums.entry(path).or_default().calls += 1;
    }
}
