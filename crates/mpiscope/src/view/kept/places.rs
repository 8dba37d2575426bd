//! Where events and the times of all clocks lie, block by block.

use std::path::{Path, PathBuf};

use mpiscope_archive::model::{Events, Location, LocationIndex, Timestamp};
use mpiscope_archive::progress::Progress;
use mpiscope_archive::trace::blocks::{says_the_same, Blocks, Mark, Marks};
use mpiscope_run::directory;
use mpiscope_tiles::blocks::{Source, BLOCK};
use mpiscope_tiles::coded::Coded;
use mpiscope_tiles::Run;
use rayon::prelude::*;

use super::facts::Way;
use crate::input::Input;

/// The archive, and the clocks whose times are others.
pub struct Places {
    own: Blocks,
    clocks: Vec<(String, Other)>,
}

/// Where the times of a clock are.
enum Other {
    Own,
    Archive(Way, Box<Blocks>),
    Coded(Vec<Coded>),
}

/// Returns the archive that a clock's times may be in.
fn archive_of(clock: &str, run: &Path) -> Option<(Way, PathBuf)> {
    let (way, folder) = match clock {
        "corrected" => (Way::Corrected, directory::corrected(run)),
        "true" => (Way::Truth, directory::truth(run)),
        _ => return None,
    };
    Some((way, directory::anchor(&folder))).filter(|(_, anchor)| anchor.is_file())
}

impl Places {
    /// Finds them for a run whose events and times are in memory.
    pub fn find(input: &Input, run: &Run, progress: &Progress) -> Option<Places> {
        let locations = &run.trace.locations;
        let lengths: Vec<usize> = locations.iter().map(|it| it.events.len()).collect();
        let (mut own, _) = Blocks::open(&input.anchor, BLOCK).ok()?;
        let same = |location: usize, first: usize, block: &Events| {
            says_the_same(block, &locations[location].events, first)
        };
        own.find(&lengths, same, progress).then_some(())?;
        let mut clocks = Vec::new();
        for clock in run.clocks() {
            let column = |location: usize| clock.view.times.recorded(&run.trace, location as u32);
            let name = clock.view.name.clone();
            if clock.view.times.are_the_traces() {
                clocks.push((name, Other::Own));
                continue;
            }
            let in_archive = archive_of(&name, &input.path).and_then(|(way, anchor)| {
                let (mut blocks, _) = Blocks::open(&anchor, BLOCK).ok()?;
                let same = |location: usize, first: usize, times: &[Timestamp]| {
                    column(location).get(first..first + times.len()) == Some(times)
                };
                let found = blocks.find_times(&lengths, same, progress);
                found.then(|| Other::Archive(way, Box::new(blocks)))
            });
            let other = in_archive.unwrap_or_else(|| {
                let code = |(at, location): (usize, &Location)| {
                    Coded::new(location.events.times(), column(at))
                };
                Other::Coded(locations.par_iter().enumerate().map(code).collect())
            });
            clocks.push((name, other));
        }
        Some(Places { own, clocks })
    }

    /// Returns the names of clocks, and what their times are.
    pub fn clocks(&self) -> Vec<(String, Way)> {
        let way = |other: &Other| match other {
            Other::Own => Way::Own,
            Other::Archive(way, _) => *way,
            Other::Coded(_) => Way::Coded,
        };
        let clocks = self.clocks.iter();
        clocks.map(|(name, it)| (name.clone(), way(it))).collect()
    }

    /// Writes down where blocks lie: a part for each clock.
    pub fn write(&self) -> Vec<Vec<u8>> {
        let part = |(_, other): &(String, Other)| match other {
            Other::Own => write_marks(self.own.marks()),
            Other::Archive(_, blocks) => write_marks(blocks.marks()),
            Other::Coded(coded) => write_coded(coded),
        };
        self.clocks.iter().map(part).collect()
    }

    /// Reads them for an archive that was opened.
    pub fn read(
        mut own: Blocks,
        clocks: &[(String, Way)],
        parts: impl Iterator<Item = Option<Vec<u8>>>,
        run: &Path,
    ) -> Option<Places> {
        let mut found = Vec::new();
        let mut is_known = false;
        for ((name, way), part) in clocks.iter().zip(parts) {
            let part = &part?;
            let other = match way {
                Way::Own => {
                    own.set_marks(read_marks(part)?);
                    is_known = true;
                    Other::Own
                }
                Way::Corrected | Way::Truth => {
                    let (_, anchor) = archive_of(name, run)?;
                    let (mut blocks, _) = Blocks::open(&anchor, BLOCK).ok()?;
                    blocks.set_marks(read_marks(part)?);
                    Other::Archive(*way, Box::new(blocks))
                }
                Way::Coded => Other::Coded(read_coded(part)?),
            };
            found.push((name.clone(), other));
        }
        is_known.then_some(Places { own, clocks: found })
    }
}

impl Source for Places {
    fn events(&self, location: u32, block: u32) -> Events {
        self.own.events(location, block)
    }

    fn outline(&self, location: u32, block: u32) -> Events {
        self.own.outline(location, block)
    }

    fn times(&self, clock: &str, location: u32, block: u32) -> Option<Vec<Timestamp>> {
        let (_, other) = self.clocks.iter().find(|(name, _)| name == clock)?;
        match other {
            Other::Own => None,
            Other::Archive(_, blocks) => Some(blocks.times(location, block)),
            Other::Coded(coded) => {
                let known = self.own.events(location, block);
                let coded = coded.get(LocationIndex(location).index())?;
                coded.block(block, known.times())
            }
        }
    }
}

/// A column of numbers, each as how far it is from the one before, as compressors like them.
fn put_column(out: &mut Vec<u8>, numbers: impl Iterator<Item = u64>) {
    let mut last = 0u64;
    for number in numbers {
        out.extend(number.wrapping_sub(last).to_le_bytes());
        last = number;
    }
}

fn take_number(from: &mut &[u8]) -> Option<u64> {
    let (bytes, rest) = from.split_first_chunk::<8>()?;
    *from = rest;
    Some(u64::from_le_bytes(*bytes))
}

fn take_column(from: &mut &[u8], length: usize) -> Option<Vec<u64>> {
    let mut last = 0u64;
    let number = |_| {
        last = last.wrapping_add(take_number(from)?);
        Some(last)
    };
    (0..length).map(number).collect()
}

fn write_marks(locations: &[Marks]) -> Vec<u8> {
    let mut out = Vec::new();
    put_column(&mut out, [locations.len() as u64].into_iter());
    for location in locations {
        put_column(&mut out, [u64::from(location.events)].into_iter());
        put_column(&mut out, location.marks.iter().map(|it| it.chunk.into()));
        put_column(&mut out, location.marks.iter().map(|it| it.at.into()));
        put_column(&mut out, location.marks.iter().map(|it| it.time));
    }
    out
}

fn read_marks(mut from: &[u8]) -> Option<Vec<Marks>> {
    let locations = take_number(&mut from)?;
    let location = |_| {
        let events = u32::try_from(take_number(&mut from)?).ok()?;
        let length = events.div_ceil(BLOCK) as usize;
        let mut column = || take_column(&mut from, length);
        let (chunks, places, times) = (column()?, column()?, column()?);
        let marks = chunks.into_iter().zip(places).zip(times);
        let mark = |((chunk, at), time): ((u64, u64), u64)| {
            Some(Mark {
                chunk: u32::try_from(chunk).ok()?,
                at: u32::try_from(at).ok()?,
                time,
            })
        };
        let mut marks: Vec<Mark> = marks.map(mark).collect::<Option<_>>()?;
        marks.shrink_to_fit();
        Some(Marks { events, marks })
    };
    (0..locations).map(location).collect()
}

fn write_coded(locations: &[Coded]) -> Vec<u8> {
    let mut out = Vec::new();
    put_column(&mut out, [locations.len() as u64].into_iter());
    for Coded { ends, bytes } in locations {
        put_column(&mut out, [ends.len() as u64].into_iter());
        put_column(&mut out, ends.iter().map(|it| (*it).into()));
        out.extend(bytes);
    }
    out
}

fn read_coded(mut from: &[u8]) -> Option<Vec<Coded>> {
    let locations = take_number(&mut from)?;
    let location = |_| {
        let length = usize::try_from(take_number(&mut from)?).ok()?;
        let ends = take_column(&mut from, length)?.into_iter();
        let ends = ends.map(|it| u32::try_from(it).ok());
        let ends: Vec<u32> = ends.collect::<Option<_>>()?;
        let bytes = ends.last().map_or(0, |it| *it as usize);
        let (bytes, rest) = from.split_at_checked(bytes)?;
        from = rest;
        Some(Coded {
            ends,
            bytes: bytes.to_vec(),
        })
    };
    (0..locations).map(location).collect()
}
