//! How threads share the work of reading: each reads locations, and all of
//! them the chunks of a long one.
//!
//! Of a location that is longer than half of what one thread would have to
//! read, threads read chunks, each into memory that stays in its processor's
//! cache, while one joins those that were read before in their order. What
//! comes out is the same.

use std::ops::Range;

use mpiscope_model::Events;
use otf2::read::EventFile;
use otf2::ClockCorrection;
use rayon::prelude::*;

use super::events::{self, Times};
use super::names::{Names, Reference};
use super::tables::Tables;
use super::Read;
use crate::progress::Progress;
use crate::source::{correction, Source, Stream};

/// What all locations are read with.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub source: &'a Source,
    pub tables: &'a Tables,
    pub progress: &'a Progress,
}

/// Chunks that are read for each thread until they are joined.
const CHUNKS: usize = 2;

impl<'a> Reading<'a> {
    /// Reads locations as far as they go, by all threads of the current pool.
    pub fn locations(self, streams: &[&Stream]) -> Vec<Read> {
        let events = streams.iter().map(|stream| stream.events);
        let all = events.fold(0, u64::saturating_add);
        let threads = rayon::current_num_threads() as u64;
        let is_long = |stream: &Stream| threads > 1 && stream.events > all / (2 * threads);
        let streams = streams.par_iter().with_max_len(1);
        let read = streams.map(|stream| match is_long(stream) {
            true => self.long(stream),
            false => self.location(stream),
        });
        read.collect()
    }

    /// Reads a location from its begin to its end.
    fn location(self, stream: &Stream) -> Read {
        let offsets = self.offsets(stream);
        let mut names = Names::new(self.tables);
        let mut events = Events::default();
        let truncated = self.events_of(stream, &offsets.correction, &mut names, &mut events);
        self.read(stream, events, offsets, truncated, names.undefined())
    }

    /// Returns what the clock offsets of a location are: measurements, or what corrects it.
    pub fn offsets(self, stream: &Stream) -> Offsets {
        let (mut measured, damage) = self.source.offsets(stream.id);
        let correction = match self.source.corrected {
            // They are in the times, and no measurements of clocks.
            true => correction(&std::mem::take(&mut measured)),
            false => ClockCorrection::default(),
        };
        Offsets {
            measured,
            correction,
            damage,
        }
    }

    fn open(self, stream: &Stream) -> Result<EventFile, String> {
        let file = self.source.archive.events(stream.id);
        file.map_err(|error| error.to_string())
    }

    /// Reads the events of a location; returns why it stopped early, if it did.
    fn events_of(
        self,
        stream: &Stream,
        correction: &ClockCorrection,
        names: &mut Names<'_>,
        events: &mut Events,
    ) -> Option<String> {
        match self.open(stream) {
            Ok(file) if file.size() == 0 && stream.events > 0 => Some(format!(
                "{}: holds nothing, expected {} events",
                file.path().display(),
                stream.events
            )),
            Ok(file) => {
                *events = Events::with_capacity(file.most_events() as usize);
                let times = Times::new(&self.source.clock, correction);
                events::read(&file, times, names, events, self.progress)
            }
            Err(error) => Some(error),
        }
    }

    /// Makes a location of what its file told.
    fn read(
        self,
        stream: &Stream,
        events: Events,
        offsets: Offsets,
        truncated: Option<String>,
        undefined: Vec<Reference>,
    ) -> Read {
        Read {
            location: stream.location(events, truncated.or(offsets.damage)),
            offsets: offsets.measured,
            undefined,
        }
    }

    /// Reads a long location by all threads, unless its chunks mean something else each for
    /// itself than together.
    fn long(self, stream: &Stream) -> Read {
        let file = self.open(stream);
        let offsets = self.offsets(stream);
        let joined = file.as_ref().ok();
        let joined = joined.and_then(|file| self.joined(file, &offsets.correction));
        match joined {
            Some((events, undefined)) => self.read(stream, events, offsets, None, undefined),
            None => self.location(stream),
        }
    }

    /// Reads chunks side by side and joins them.
    fn joined(
        self,
        file: &EventFile,
        correction: &ClockCorrection,
    ) -> Option<(Events, Vec<Reference>)> {
        (file.chunks() > 1).then_some(())?;
        let mut all = Events::with_capacity(file.most_events() as usize);
        let mut missed = Names::new(self.tables);
        let at_once = CHUNKS * rayon::current_num_threads();
        let mut ready: Vec<Piece> = Vec::new();
        let mut next: Vec<Piece> = Vec::new();
        next.resize_with(at_once, Piece::default);
        let mut from = 0;
        while from < file.chunks() || !ready.is_empty() {
            let chunks = from..file.chunks().min(from + at_once);
            let ((), read) = rayon::join(
                || join(&mut all, &mut ready, &mut missed),
                || self.pieces(file, correction, chunks.clone(), &mut next),
            );
            read.then_some(())?;
            from = chunks.end;
            std::mem::swap(&mut ready, &mut next);
            next.resize_with(at_once, Piece::default);
            ready.truncate(chunks.len());
        }
        Some((all, missed.undefined()))
    }

    fn pieces(
        self,
        file: &EventFile,
        correction: &ClockCorrection,
        chunks: Range<usize>,
        pieces: &mut [Piece],
    ) -> bool {
        let pieces = pieces[..chunks.len()].par_iter_mut().with_max_len(1);
        let whole = pieces.zip(chunks).map(|(piece, chunk)| {
            let mut names = Names::new(self.tables);
            let times = Times::new(&self.source.clock, correction);
            let events = &mut piece.events;
            let whole = events::read_chunk(file, chunk, times, &mut names, events, self.progress);
            piece.undefined = names.undefined();
            whole
        });
        whole.reduce(|| true, |one, other| one && other)
    }
}

/// Clock offsets of a location.
pub(super) struct Offsets {
    /// As measurements of its clock.
    pub measured: Vec<(u64, i64, f64)>,
    /// As what corrects its times.
    pub correction: ClockCorrection,
    /// Why some may be missing.
    damage: Option<String>,
}

/// A chunk of a long location.
#[derive(Default)]
struct Piece {
    events: Events,
    undefined: Vec<Reference>,
}

fn join(all: &mut Events, pieces: &mut [Piece], missed: &mut Names<'_>) {
    for piece in pieces {
        all.append(&mut piece.events);
        missed.missed(&piece.undefined);
    }
}
