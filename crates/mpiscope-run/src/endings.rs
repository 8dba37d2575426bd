//! How ranks ended that never came to MPI_Finalize: a line each in `RUN/endings/`.
//!
//! A process writes its line at the last moment, in a handler of signals too,
//! and only its first word counts. So it is plain text: what, a number, and
//! when, in nanoseconds since 1970:
//!
//! ```text
//! signal 11 1763824599000000000
//! ```
//!
//! Who was killed from outside, or left by `_exit`, has no time for a word.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What ended a process, of those ends that leave it time for a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "by", content = "code")]
pub enum Cause {
    /// A signal that its own doing raised: SIGSEGV, SIGABRT and so on.
    Signal(i32),
    /// MPI_Abort, with this error code.
    Abort(i32),
    /// `exit`, or the end of `main`, with this code.
    Exit(i32),
}

impl Cause {
    /// Returns the word that stands for it in the file.
    pub const fn word(self) -> &'static str {
        match self {
            Cause::Signal(_) => "signal",
            Cause::Abort(_) => "abort",
            Cause::Exit(_) => "exit",
        }
    }

    /// Returns its number.
    pub const fn number(self) -> i32 {
        match self {
            Cause::Signal(number) | Cause::Abort(number) | Cause::Exit(number) => number,
        }
    }

    fn parse(word: &str, number: i32) -> Option<Self> {
        let all = [
            Cause::Signal(number),
            Cause::Abort(number),
            Cause::Exit(number),
        ];
        all.into_iter().find(|cause| cause.word() == word)
    }
}

/// The last word of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// World rank.
    pub rank: u32,
    /// What ended it.
    #[serde(flatten)]
    pub cause: Cause,
    /// When, in nanoseconds since 1970 by its host's clock.
    pub at: u64,
}

/// Returns where ranks leave their last words.
pub fn folder(run: &Path) -> PathBuf {
    run.join("endings")
}

/// Returns the file of a rank's last word.
pub fn path(run: &Path, rank: u32) -> PathBuf {
    folder(run).join(rank.to_string())
}

/// Reads the last words of a run, the earliest first. What is no such word is passed over.
pub fn read(run: &Path) -> Vec<Ending> {
    let entries = fs::read_dir(folder(run)).into_iter().flatten().flatten();
    let mut found: Vec<Ending> = entries
        .filter_map(|entry| {
            let rank = entry.file_name().to_str()?.parse().ok()?;
            parse(rank, &fs::read_to_string(entry.path()).ok()?)
        })
        .collect();
    found.sort_by_key(|ending| (ending.at, ending.rank));
    found
}

fn parse(rank: u32, line: &str) -> Option<Ending> {
    let mut words = line.split_whitespace();
    let (word, number, at) = (words.next()?, words.next()?, words.next()?);
    Some(Ending {
        rank,
        cause: Cause::parse(word, number.parse().ok()?)?,
        at: at.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_are_read_in_their_order() {
        let run = tempfile::tempdir().unwrap();
        assert!(read(run.path()).is_empty());
        fs::create_dir(folder(run.path())).unwrap();
        for (rank, line) in [
            (0, "exit 7 300\n"),
            (3, "signal 11 100\n"),
            (5, "abort -1 200\n"),
            (6, "signal 11"),
            (7, "fire 3 100"),
        ] {
            fs::write(path(run.path(), rank), line).unwrap();
        }
        let found: Vec<_> = (read(run.path()).iter())
            .map(|ending| (ending.rank, ending.cause))
            .collect();
        let expected = [
            (3, Cause::Signal(11)),
            (5, Cause::Abort(-1)),
            (0, Cause::Exit(7)),
        ];
        assert_eq!(found, expected);
    }
}
