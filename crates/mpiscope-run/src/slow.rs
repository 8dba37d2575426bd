//! Recording that ends with a slow iteration: `trace --until-slow step=3`.
//!
//! An iteration lasts from one begin of a region, or of a function of MPI, to the next in the first
//! thread of a process. One that takes so many times the median of those before ends recording: at
//! once in that process, which says so in a file of the run, and within a moment in all that see it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Fewer iterations than this have no median that means something.
pub const FEWEST: usize = 10;
/// As many of the latest iterations are looked at.
const LATEST: usize = 101;

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Slow {
    /// A region of the program, or a function of MPI.
    pub name: String,
    /// So many times the median, more than 1.
    pub times: f64,
}

impl Slow {
    /// Reads `step=3`.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let read = || {
            let (name, times) = text.rsplit_once('=')?;
            let times = times
                .parse()
                .ok()
                .filter(|times| (1.0..1e9).contains(times) && *times > 1.0)?;
            (!name.is_empty()).then(|| Self {
                name: name.to_owned(),
                times,
            })
        };
        read().ok_or_else(|| {
            "a region or a function of MPI is expected, and how many times the median of the time from one \
             begin of it to the next is too long, such as step=3 or MPI_Allreduce=2.5"
                .to_owned()
        })
    }

    /// Returns it as it is read.
    pub fn text(&self) -> String {
        format!("{}={}", self.name, self.times)
    }
}

/// A slow iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// World rank of the process.
    pub rank: u32,
    /// How many times the median of those before it took.
    pub times: f64,
    /// Which of its iterations it was, from 1.
    pub iteration: u64,
    /// When it ended, in seconds since MPI_Init.
    pub seconds: f64,
}

/// Returns the file in which the first process that finds one says so.
pub fn place(run: &Path) -> PathBuf {
    run.join("slow.json")
}

/// Says that one was found, if nobody has.
///
/// # Errors
/// Those of the file system.
pub fn tell(run: &Path, found: &Found) -> io::Result<()> {
    match File::create_new(place(run)) {
        Ok(mut file) => file.write_all(&serde_json::to_vec(found)?),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Returns the slow iteration that ended recording, if one did.
pub fn found(run: &Path) -> Option<Found> {
    serde_json::from_slice(&std::fs::read(place(run)).ok()?).ok()
}

/// How long the latest iterations took, in whatever unit.
#[derive(Debug, Default)]
pub struct Lengths {
    latest: Vec<u64>,
    count: u64,
}

impl Lengths {
    /// Takes another; returns how many times the median of those before it takes, if there are enough.
    pub fn take(&mut self, length: u64) -> Option<f64> {
        let before = self.median();
        match self.latest.len() < LATEST {
            true => self.latest.push(length),
            false => self.latest[(self.count % LATEST as u64) as usize] = length,
        }
        self.count += 1;
        before.map(|median| length as f64 / median.max(1) as f64)
    }

    /// Returns how many were taken.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the one in the middle, the upper of two.
    fn median(&self) -> Option<u64> {
        if self.latest.len() < FEWEST {
            return None;
        }
        let mut all = [0; LATEST];
        let all = &mut all[..self.latest.len()];
        all.copy_from_slice(&self.latest);
        let middle = all.len() / 2;
        Some(*all.select_nth_unstable(middle).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_slow_is_a_name_and_a_number_above_one() {
        let slow = Slow::read("a=b=2.5").unwrap();
        assert_eq!((slow.name.as_str(), slow.times), ("a=b", 2.5));
        assert_eq!(Slow::read(&slow.text()), Ok(slow));
        for text in [
            "", "step", "step=", "=3", "step=1", "step=-3", "step=nan", "step=inf",
        ] {
            assert!(Slow::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_length_is_compared_with_the_median_of_those_before() {
        let mut lengths = Lengths::default();
        for length in [100, 1, 100, 100, 1000, 100, 100, 1, 100, 100] {
            assert_eq!(lengths.take(length), None);
        }
        assert_eq!(lengths.take(250), Some(2.5));
        assert_eq!(lengths.count(), 11);
        // What was long ago counts no more.
        for _ in 0..LATEST {
            lengths.take(500);
        }
        assert_eq!(lengths.take(500), Some(1.0));
    }

    #[test]
    fn the_first_who_finds_one_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let found_by = |rank| Found {
            rank,
            times: 3.5,
            iteration: 12,
            seconds: 0.25,
        };
        assert_eq!(found(folder.path()), None);
        tell(folder.path(), &found_by(1)).unwrap();
        tell(folder.path(), &found_by(0)).unwrap();
        assert_eq!(found(folder.path()), Some(found_by(1)));
    }
}
