//! `RUN/order/RANK.races`: what a rank says of the races that it found while
//! it ran. Which receives race stands in its order record: they alone are
//! there, with the last of each thread, so that the record's end is known.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::run_info::write_atomically;
use crate::{directory, Error};

const ENDING: &str = "races";

/// What one rank found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RankRaces {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Messages received, or looked at by a blocking probe.
    pub messages: u64,
    /// Of these, by a receive or blocking probe with a wildcard.
    pub receives: u64,
    /// Of these, how many race.
    pub racing: u64,
    /// The same with those of one sender in a row as one.
    pub blocks: u64,
    /// Most receives that were kept at one time to compare with.
    pub most_kept: u64,
    /// Receives that were compared later than in their turn.
    pub late: u64,
    /// Thread and number of receives that were recorded without a race, to mark the end.
    pub last: Vec<(u32, u64)>,
    /// What was not looked at.
    pub not_covered: Vec<String>,
}

impl RankRaces {
    /// Writes the file of the rank.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, run: &Path) -> Result<(), Error> {
        let path = path_of(run, self.rank);
        let folder = directory::order(run);
        fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
        let text = serde_json::to_vec_pretty(self)
            .map_err(|e| Error::damaged(&path, format!("its content is no JSON: {e}")))?;
        write_atomically(&path, &text)
    }
}

fn path_of(run: &Path, rank: u32) -> PathBuf {
    directory::order(run).join(format!("{rank}.{ENDING}"))
}

/// Reads what the ranks found, by rank; nothing where races were not looked for.
///
/// # Errors
/// When a file is damaged.
pub fn read(run: &Path) -> Result<Vec<RankRaces>, Error> {
    let entries = fs::read_dir(directory::order(run))
        .into_iter()
        .flatten()
        .flatten();
    let paths = entries.map(|entry| entry.path());
    let mut all = Vec::new();
    for path in paths.filter(|path| path.extension().is_some_and(|e| e == ENDING)) {
        let text = fs::read(&path).map_err(|e| Error::io(&path, e))?;
        let races: RankRaces = serde_json::from_slice(&text)
            .map_err(|e| Error::damaged(&path, format!("expected races as JSON: {e}")))?;
        all.push(races);
    }
    all.sort_by_key(|races| races.rank);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ranks_found_is_read_as_it_was_written() {
        let run = tempfile::tempdir().unwrap();
        assert_eq!(read(run.path()).unwrap(), []);
        let of = |rank| RankRaces {
            rank,
            racing: 3,
            last: vec![(0, 17)],
            ..RankRaces::default()
        };
        of(10).write(run.path()).unwrap();
        of(2).write(run.path()).unwrap();
        assert_eq!(read(run.path()).unwrap(), [of(2), of(10)]);
        assert!(!crate::order::exists(run.path()), "they are no record");
        fs::write(path_of(run.path(), 2), "{").unwrap();
        let error = read(run.path()).unwrap_err().to_string();
        assert!(error.contains("2.races"), "{error}");
    }
}
