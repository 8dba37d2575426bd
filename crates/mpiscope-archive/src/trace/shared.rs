//! An archive that several processes share: each reads the events of its own locations, and all
//! come to know what else a trace has.

use std::path::Path;

use mpiscope_model::{plain, Definitions, Events, Processes, Trace};

use super::names::Reference;
use super::tables::Tables;
use super::writers::Writer;
use super::{clocks, read_all, Read};
use crate::progress::Progress;
use crate::source::{Source, Stream};
use crate::Error;

/// An archive of which no events are read.
pub struct Shared {
    source: Source,
    tables: Tables,
}

impl Shared {
    /// Opens an archive and reads its definitions.
    ///
    /// # Errors
    /// As [`read_trace`](super::read_trace).
    pub fn open(path: &Path) -> Result<Shared, Error> {
        let source = Source::open(path)?;
        let tables = Tables::new(&source.definitions, Writer::of(source.creator()));
        Ok(Shared { source, tables })
    }

    /// Returns what events refer to.
    pub fn definitions(&self) -> &Definitions {
        &self.tables.definitions
    }

    /// Returns a number that is the same for whoever opened the same archive.
    pub fn identity(&self) -> u64 {
        let streams = self.source.streams.iter();
        let streams: Vec<(u64, u64)> = streams.map(|it| (it.id, it.events)).collect();
        let trace_id = self.source.archive.anchor().trace_id;
        let definitions = &self.source.definitions;
        mpiscope_model::hash::stable(&format!("{trace_id} {streams:?} {definitions:?}"))
    }

    /// Returns the locations, without events but with how many they are said to have, and which of
    /// them read one clock.
    pub fn locations(&self) -> Trace {
        let streams = &self.source.streams;
        let location = |stream: &Stream| {
            let mut location = stream.location(Events::default(), None);
            let told = Some(stream.events).filter(|events| *events < u64::MAX);
            location.elsewhere = told.unwrap_or(0) as usize;
            location
        };
        Trace {
            clocks: clocks::domains(&self.source, &vec![Vec::new(); streams.len()]),
            locations: streams.iter().map(location).collect(),
            ..Trace::default()
        }
    }

    /// Reads the events of those locations that belong to this process, which `parts` says, the
    /// same on all; all get the same trace, but for the events themselves.
    pub fn read(self, parts: Vec<u32>, processes: &dyn Processes, progress: &Progress) -> Trace {
        let Shared { source, mut tables } = self;
        let me = processes.me() as u32;
        let (numbers, streams): (Vec<u32>, Vec<&Stream>) = (0..)
            .zip(&source.streams)
            .filter(|(number, _)| parts.get(*number as usize) == Some(&me))
            .unzip();
        let events = streams.iter().map(|stream| stream.events);
        progress.expect(events.fold(0, u64::saturating_add));
        // By whom a reference is missed first, as one process would find it.
        let told = |undefined: Vec<(u32, Reference)>| {
            let undefined = undefined.into_iter();
            let named = undefined.map(|(place, it)| (numbers[place as usize], it));
            let mut all = processes.share_all(named.collect()).concat();
            all.sort_by_key(|(number, _)| *number);
            all
        };
        let read = read_all(&source, &mut tables, &streams, progress, told);
        let mut locations: Vec<_> = (source.streams.iter())
            .map(|stream| stream.location(Events::default(), None))
            .collect();
        let found = Found::of(&numbers, &read).shared(processes);
        for (number, count) in found.counts {
            locations[number as usize].elsewhere = count as usize;
        }
        for (number, why) in found.truncated {
            locations[number as usize].truncated = Some(why);
        }
        let mut offsets = vec![Vec::new(); locations.len()];
        for (number, time, offset, deviation) in found.offsets {
            offsets[number as usize].push((time, offset, deviation));
        }
        for (&number, read) in numbers.iter().zip(read) {
            locations[number as usize] = read.location;
        }
        Trace {
            resolution: source.clock.resolution,
            clocks: clocks::domains(&source, &offsets),
            locations,
            definitions: tables.definitions,
            parts,
            places: Default::default(),
        }
    }
}

/// What all are to know of the locations that one has read, by their numbers.
struct Found {
    counts: Vec<(u32, u64)>,
    truncated: Vec<(u32, String)>,
    offsets: Vec<(u32, u64, i64, f64)>,
}

impl Found {
    fn of(numbers: &[u32], read: &[Read]) -> Found {
        let all = || numbers.iter().copied().zip(read);
        let truncated = all().filter_map(|(number, read)| {
            let why = read.location.truncated.clone()?;
            Some((number, why))
        });
        let offsets = all().flat_map(|(number, read)| {
            let offsets = read.offsets.iter();
            offsets.map(move |&(time, offset, deviation)| (number, time, offset, deviation))
        });
        Found {
            counts: all()
                .map(|(number, read)| (number, read.location.events.len() as u64))
                .collect(),
            truncated: truncated.collect(),
            offsets: offsets.collect(),
        }
    }

    /// Returns what all have found.
    fn shared(self, processes: &dyn Processes) -> Found {
        let (numbers, texts): (Vec<u32>, Vec<String>) = self.truncated.into_iter().unzip();
        let numbers = processes.share_all(numbers).concat();
        let texts = processes.share_texts(&texts);
        Found {
            counts: processes.share_all(self.counts).concat(),
            truncated: numbers.into_iter().zip(texts).collect(),
            offsets: processes.share_all(self.offsets).concat(),
        }
    }
}

/// Its kind and its number.
impl plain::Plain for Reference {
    fn put(self, bytes: &mut Vec<u8>) {
        let (kind, number) = match self {
            Reference::Region(number) => (0u8, number),
            Reference::Communicator(number) => (1, number),
            Reference::Window(number) => (2, number),
            Reference::Team(number) => (3, number),
        };
        (kind, number).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Reference> {
        let (kind, number) = plain::Plain::take(bytes)?;
        let make = match kind {
            0u8 => Reference::Region,
            1 => Reference::Communicator,
            2 => Reference::Window,
            3 => Reference::Team,
            _ => return None,
        };
        Some(make(number))
    }
}
