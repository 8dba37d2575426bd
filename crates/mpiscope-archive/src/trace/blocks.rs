//! Events of an archive by number: a block of them is decoded when somebody asks for it, from where
//! it lies in the file.
//!
//! Where blocks lie is found once, in one pass ([`Blocks::find`]), which compares what each block
//! says by itself with what it says where it stands: few archives have events that mean something
//! else to who does not know those before, and of such ones there are no blocks.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::{collections::HashMap, path::Path};

use mpiscope_model::{Events, Location, Rank, Timestamp, Trace};
use mpiscope_run::system;
pub use otf2::read::Mark;
use otf2::read::{EventFile, Reads};
use otf2::ClockCorrection;
use rayon::prelude::*;

use super::events::{self, Times};
use super::names::Names;
use super::part;
use super::shares::{Offsets, Reading};
use super::tables::Tables;
use super::writers::Writer;
use super::{clocks, Error};
use crate::progress::Progress;
use crate::source::Source;

/// Files that are mapped, at most: a quarter of the mappings that Linux gives a process, as there
/// may be the archives of other clocks beside this one.
const MOST_FILES: usize = 1 << 14;
/// Blocks that are read before the memory of their files is let go: the kernel maps more of a file
/// than is asked for.
const MOST_READ: usize = 1 << 9;

thread_local! {
    /// The bytes of the block that is being read.
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// Its events.
    static EVENTS: RefCell<Events> = RefCell::default();
}

/// Where the blocks of a location lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// How many events there are.
    pub events: u32,
    /// The begin of each block.
    pub marks: Vec<Mark>,
}

/// An archive whose events are read by block.
pub struct Blocks {
    source: Source,
    tables: Tables,
    corrections: Vec<ClockCorrection>,
    /// Events of a block.
    every: u32,
    locations: Vec<Marks>,
    files: Mutex<Files>,
}

/// A file, mapped, and if so many may be open the file itself, of which blocks are read: what is
/// mapped page by page takes twice the time, and memory for all that lies around a block.
struct Opened {
    mapped: EventFile,
    reads: Option<(Reads, Place)>,
}

/// A place among the files that are open: of all archives together half of those that the process
/// may have open.
struct Place;

static OPEN: AtomicU64 = AtomicU64::new(0);

impl Place {
    /// Takes one, if there is one.
    fn take() -> Option<Place> {
        static MOST: OnceLock<u64> = OnceLock::new();
        let most = *MOST.get_or_init(|| system::open_files() / 2);
        let next = |open| (open < most).then_some(open + 1);
        let taken = OPEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        taken.is_ok().then_some(Place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Files that were looked at lately, and those before.
#[derive(Default)]
struct Files {
    now: HashMap<u32, Arc<Opened>>,
    before: HashMap<u32, Arc<Opened>>,
    /// Those of which blocks were mapped since memory was last let go.
    read: HashMap<u32, Arc<Opened>>,
    /// How many blocks of them were.
    blocks: usize,
}

impl Files {
    /// Returns a file that was looked at before.
    fn find(&mut self, location: u32) -> Option<Arc<Opened>> {
        let known = self.now.get(&location).cloned();
        known.or_else(|| {
            let file = self.before.remove(&location)?;
            self.keep(location, file.clone());
            Some(file)
        })
    }

    fn keep(&mut self, location: u32, file: Arc<Opened>) {
        if self.now.len() >= MOST_FILES / 2 {
            self.before = std::mem::take(&mut self.now);
        }
        self.now.insert(location, file);
    }

    /// Notes that a block was looked at where it is mapped; returns the files of which
    /// enough were.
    fn maps(&mut self, location: u32, file: &Arc<Opened>) -> HashMap<u32, Arc<Opened>> {
        self.blocks += 1;
        self.read.entry(location).or_insert_with(|| file.clone());
        match self.blocks.is_multiple_of(MOST_READ) {
            true => std::mem::take(&mut self.read),
            false => HashMap::new(),
        }
    }
}

impl Blocks {
    /// Opens an archive, and says what is known of it without its events: a trace in which all
    /// locations are empty.
    ///
    /// # Errors
    /// When there is no archive, or its definitions cannot be read.
    pub fn open(path: &Path, every: u32) -> Result<(Blocks, Trace), Error> {
        let source = Source::open(path)?;
        let tables = Tables::new(&source.definitions, Writer::of(source.creator()));
        let progress = Progress::default();
        let reading = Reading {
            source: &source,
            tables: &tables,
            progress: &progress,
        };
        let streams = source.streams.par_iter();
        let offsets: Vec<Offsets> = streams.map(|stream| reading.offsets(stream)).collect();
        let (measured, corrections): (Vec<_>, Vec<_>) = (offsets.into_iter())
            .map(|it| (it.measured, it.correction))
            .unzip();
        let location = |stream: &crate::source::Stream| Location {
            id: stream.id,
            kind: stream.kind,
            name: stream.name.clone(),
            rank: Rank(stream.rank),
            thread: stream.thread,
            events: Events::default(),
            elsewhere: 0,
            truncated: None,
        };
        let trace = Trace {
            resolution: source.clock.resolution,
            clocks: clocks::domains(&source, &measured),
            locations: source.streams.iter().map(location).collect(),
            definitions: tables.definitions.clone(),
            parts: Vec::new(),
            places: Default::default(),
        };
        let blocks = Blocks {
            source,
            tables,
            corrections,
            every,
            locations: Vec::new(),
            files: Mutex::default(),
        };
        Ok((blocks, trace))
    }

    /// Finds the blocks of all locations, which have so many events; `is_right` compares the events
    /// of a block with what they should be, by location and number of the first. Returns whether
    /// all are right; else there are no blocks.
    pub fn find(
        &mut self,
        lengths: &[usize],
        is_right: impl Fn(usize, usize, &Events) -> bool + Sync,
        progress: &Progress,
    ) -> bool {
        let read = |location, records: &mut otf2::read::Events<'_>, first: usize, most| {
            let events = self.decode(location, records, most, first == 0);
            events.is_some_and(|it| it.len() == most && is_right(location, first, &it))
        };
        let found = self.found(lengths, read, progress);
        self.set_found(found)
    }

    /// Does the same for an archive of which nobody needs but the [times](Self::times); `is_right`
    /// compares these.
    pub fn find_times(
        &mut self,
        lengths: &[usize],
        is_right: impl Fn(usize, usize, &[Timestamp]) -> bool + Sync,
        progress: &Progress,
    ) -> bool {
        let read = |location: usize, records: &mut otf2::read::Events<'_>, first, most| {
            let times = Times::new(&self.source.clock, &self.corrections[location]);
            let times = part::read_times(records, most, times);
            times.is_some_and(|it| it.len() == most && is_right(location, first, &it))
        };
        let found = self.found(lengths, read, progress);
        self.set_found(found)
    }

    fn set_found(&mut self, found: Option<Vec<Marks>>) -> bool {
        let is_found = found.is_some();
        self.locations = found.unwrap_or_default();
        is_found
    }

    /// Finds blocks; `read` reads the next events of a location, from a first one on and so many,
    /// and tells whether they are right.
    fn found(
        &self,
        lengths: &[usize],
        read: impl Fn(usize, &mut otf2::read::Events<'_>, usize, usize) -> bool + Sync,
        progress: &Progress,
    ) -> Option<Vec<Marks>> {
        if lengths.len() != self.source.streams.len() {
            return None;
        }
        let locations = lengths.par_iter().enumerate().with_max_len(1);
        let found = locations.map(|(location, length)| {
            let marks = self.found_in(location, *length, &read);
            progress.advance(*length as u64);
            marks
        });
        found.collect()
    }

    fn found_in(
        &self,
        location: usize,
        length: usize,
        read: impl Fn(usize, &mut otf2::read::Events<'_>, usize, usize) -> bool,
    ) -> Option<Marks> {
        let mut found = Marks {
            events: u32::try_from(length).ok()?,
            marks: Vec::with_capacity(length.div_ceil(self.every as usize)),
        };
        let file = self.source.archive.events(self.source.streams[location].id);
        let file = file.ok()?;
        let mut records = file.iter();
        for first in (0..length).step_by(self.every as usize) {
            found.marks.push(records.mark());
            let most = (length - first).min(self.every as usize);
            read(location, &mut records, first, most).then_some(())?;
        }
        Some(found)
    }

    /// Returns where blocks lie, by location.
    pub fn marks(&self) -> &[Marks] {
        &self.locations
    }

    /// Takes where blocks lie from an earlier time.
    pub fn set_marks(&mut self, marks: Vec<Marks>) {
        self.locations = marks;
    }

    /// Reads the events of a block; of what cannot be read any more, events that say nothing.
    pub fn events(&self, location: u32, block: u32) -> Events {
        let (first, most) = self.range(location, block);
        let decode = |records: &mut otf2::read::Events<'_>| {
            self.decode(location as usize, records, most, first == 0)
        };
        filled(self.read(location, block, decode), most)
    }

    /// Reads what the events of a block begin and end, and when each was; all others say nothing.
    pub fn outline(&self, location: u32, block: u32) -> Events {
        let (_, most) = self.range(location, block);
        let decode = |records: &mut otf2::read::Events<'_>| {
            let mut names = Names::new(&self.tables);
            let times = Times::new(&self.source.clock, &self.corrections[location as usize]);
            let events = part::read_outline(records, most, times, &mut names)?;
            names.undefined().is_empty().then_some(events)
        };
        filled(self.read(location, block, decode), most)
    }

    /// Reads the times of a block, those of its [`events`](Self::events).
    pub fn times(&self, location: u32, block: u32) -> Vec<Timestamp> {
        let (_, most) = self.range(location, block);
        let decode = |records: &mut otf2::read::Events<'_>| {
            let correction = &self.corrections[location as usize];
            part::read_times(records, most, Times::new(&self.source.clock, correction))
        };
        let mut times = self.read(location, block, decode).unwrap_or_default();
        let last = times.last().copied().unwrap_or_default();
        times.resize(most, last);
        times
    }

    /// Returns the number of a block's first event, and how many there are.
    fn range(&self, location: u32, block: u32) -> (u32, usize) {
        let first = block.saturating_mul(self.every);
        let marks = self.locations.get(location as usize);
        let behind = marks.map_or(0, |marks| marks.events);
        (first, behind.saturating_sub(first).min(self.every) as usize)
    }

    /// Has somebody decode a block.
    fn read<T>(
        &self,
        location: u32,
        block: u32,
        decode: impl FnOnce(&mut otf2::read::Events<'_>) -> Option<T>,
    ) -> Option<T> {
        let marks = &self.locations.get(location as usize)?.marks;
        let mark = *marks.get(block as usize)?;
        let next = marks.get(block as usize + 1).copied();
        let number = u64::from(block.saturating_mul(self.every)) + 1;
        let file = self.file(location)?;
        BYTES.with_borrow_mut(|bytes| {
            let part = file.reads.as_ref().and_then(|(reads, _)| {
                let all = (mark, next);
                file.mapped.between(all, number, reads, bytes)
            });
            match part {
                Some(mut records) => decode(&mut records),
                None => {
                    let found = decode(&mut file.mapped.from_mark(mark, number));
                    match file.reads {
                        Some(_) => file.mapped.let_go(),
                        None => self.let_go(location, &file),
                    }
                    found
                }
            }
        })
    }

    /// Decodes the next events as if there were none before; nothing if they are not sound.
    fn decode(
        &self,
        location: usize,
        records: &mut otf2::read::Events<'_>,
        most: usize,
        is_first: bool,
    ) -> Option<Events> {
        let mut names = Names::new(&self.tables);
        let times = Times::new(&self.source.clock, &self.corrections[location]);
        EVENTS.with_borrow_mut(|events| {
            events.clear();
            events::read_some(records, most, is_first, times, &mut names, events)?;
            // A copy takes no more memory than it needs, and all of it at once.
            names.undefined().is_empty().then(|| events.clone())
        })
    }

    /// Returns a location's file; nothing if it cannot be opened.
    fn file(&self, location: u32) -> Option<Arc<Opened>> {
        let mut files = self.files();
        if let Some(file) = files.find(location) {
            return Some(file);
        }
        let stream = self.source.streams.get(location as usize)?;
        let mapped = self.source.archive.events(stream.id).ok()?;
        let reads = Place::take().and_then(|place| Some((mapped.reads().ok()??, place)));
        mapped.let_go();
        let file = Arc::new(Opened { mapped, reads });
        files.keep(location, file.clone());
        Some(file)
    }

    /// Lets go of memory, if a block of a file is but one of many that are mapped.
    fn let_go(&self, location: u32, file: &Arc<Opened>) {
        let were_mapped = self.files().maps(location, file);
        were_mapped.values().for_each(|file| file.mapped.let_go());
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns so many events: behind those that could be read, others that say nothing.
fn filled(read: Option<Events>, most: usize) -> Events {
    let mut events = read.unwrap_or_default();
    let last = events.times().last().copied();
    while events.len() < most {
        events.push_other(last.unwrap_or_default(), 0);
    }
    events
}

/// Returns whether a block says the same as the events of a location from one on; whether the
/// begin of a collective operation ends in the block does not matter.
pub fn says_the_same(block: &Events, events: &Events, first: usize) -> bool {
    let behind = first + block.len();
    if behind > events.len() || block.times() != &events.times()[first..behind] {
        return false;
    }
    let same = |at: usize| {
        let (own, other) = (block.event(at), events.event(first + at));
        own == other && block.call_site(at) == events.call_site(first + at)
    };
    (0..block.len()).all(same)
}
