//! Who writes an archive: one process, or several, each of which writes the files of
//! its own locations, and the first what belongs to all.

use std::path::Path;

use mpiscope_model::{Processes, Timestamp};

use super::Written;
use crate::Error;

/// Processes that write one archive, and which of them has which locations.
#[derive(Clone, Copy)]
pub struct Writers<'a> {
    /// Nothing if one writes all.
    pub processes: Option<&'a dyn Processes>,
    /// By location; not looked at if one writes all.
    pub part_of: &'a [u32],
}

impl Writers<'_> {
    /// One process.
    pub const ALONE: Writers<'static> = Writers {
        processes: None,
        part_of: &[],
    };

    fn me(&self) -> usize {
        self.processes.map_or(0, Processes::me)
    }

    /// Returns whether a location is this process's.
    pub(super) fn has(&self, location: usize) -> bool {
        match self.processes {
            None => true,
            Some(processes) => {
                let part = self.part_of.get(location).copied().unwrap_or(0);
                part as usize == processes.me()
            }
        }
    }

    /// Returns what each process has to say, by number.
    fn share(&self, mine: Vec<u8>) -> Vec<Vec<u8>> {
        match self.processes {
            None => vec![mine],
            Some(processes) => processes.share(mine),
        }
    }

    /// Has all fail where one does.
    pub(super) fn agree<T>(&self, out: &Path, mine: Result<T, Error>) -> Result<T, Error> {
        let said = mine.as_ref().err().map(ToString::to_string);
        let all = self.share(said.clone().unwrap_or_default().into_bytes());
        let failed = all.iter().enumerate().find(|(_, said)| !said.is_empty());
        match (mine, failed) {
            (Err(error), _) => Err(error),
            (Ok(_), Some((number, said))) => {
                let said = String::from_utf8_lossy(said);
                let said = format!("process {number}: {said}");
                Err(Error::io(out, std::io::Error::other(said)))
            }
            (Ok(done), None) => Ok(done),
        }
    }

    /// Has the first process do something for all, who go on when it is done.
    pub(super) fn first<T: Default>(
        &self,
        out: &Path,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let done = match self.me() {
            0 => work(),
            _ => Ok(T::default()),
        };
        self.agree(out, done)
    }

    /// Returns the first and the last time of all columns.
    pub(super) fn range(
        &self,
        mine: Option<(Timestamp, Timestamp)>,
    ) -> Option<(Timestamp, Timestamp)> {
        let words = mine.map_or(Vec::new(), |(first, last)| vec![first.0, last.0]);
        let of = |words: Vec<i64>| Some((Timestamp(*words.first()?), Timestamp(*words.get(1)?)));
        let all = self.share(bytes(words.into_iter()));
        let all = all.iter().filter_map(|bytes| of(numbers(bytes).collect()));
        all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Returns what all have written, in the order of locations.
    pub(super) fn written(&self, mine: &[Written]) -> Vec<Written> {
        let row = |it: &Written| {
            let offsets = it.offsets.map_or(-1, |offsets| offsets as i64);
            [it.at as i64, it.location as i64, it.events as i64, offsets]
        };
        let all = self.share(bytes(mine.iter().flat_map(row)));
        let words: Vec<i64> = all.iter().flat_map(|bytes| numbers(bytes)).collect();
        let row = |row: &[i64]| Written {
            at: row[0] as usize,
            location: row[1] as u64,
            events: row[2] as u64,
            offsets: u64::try_from(row[3]).ok(),
        };
        let mut all: Vec<Written> = words.chunks_exact(4).map(row).collect();
        all.sort_by_key(|it| it.at);
        all
    }

    /// Has the first process know the columns of all locations, of which each has its
    /// own; to the others they stay as they are.
    pub(super) fn whole(&self, times: &[Vec<Timestamp>]) -> Vec<Vec<Timestamp>> {
        let Some(processes) = self.processes else {
            return times.to_vec();
        };
        let mine = times.iter().enumerate().filter(|(at, _)| self.has(*at));
        let words = mine.flat_map(|(at, column)| {
            let head = [at as i64, column.len() as i64];
            head.into_iter().chain(column.iter().map(|time| time.0))
        });
        let all = processes.gather(bytes(words));
        let mut whole = times.to_vec();
        for part in &all {
            let mut words = numbers(part);
            while let (Some(at), Some(length)) = (words.next(), words.next()) {
                let column = words.by_ref().take(length as usize).map(Timestamp);
                whole[at as usize] = column.collect();
            }
        }
        whole
    }
}

fn bytes(words: impl Iterator<Item = i64>) -> Vec<u8> {
    words.flat_map(i64::to_le_bytes).collect()
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = i64> + '_ {
    let words = bytes.chunks_exact(8);
    words.map(|word| i64::from_le_bytes(word.try_into().unwrap_or_default()))
}
