//! By how much corrected times can be wrong: a file beside the corrected
//! archive, for analyses and viewers.
//!
//! Time is cut into windows, and in each every clock has a half-width: how far
//! it is off the master's at most, and in 99 of 100 cases. Pairs of clocks that
//! exchanged messages may know better. Nothing here computes; the correction does.
//! Version 1 had one half-width, which was an estimate.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;

/// Name of the file in the directory of a corrected archive.
pub const FILE: &str = "uncertainty.json";
const VERSION: u32 = 2;

/// Half-widths of the errors of corrected times.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Uncertainty {
    /// Layout of the file.
    pub version: u32,
    /// Each location of the archive, in the order of its trace, with the
    /// number of its clock.
    pub clocks: Vec<LocationClock>,
    /// When the first window begins, in the archive's time.
    pub begin_ns: i64,
    /// How long a window is.
    pub window_ns: i64,
    /// The windows.
    pub windows: Vec<Window>,
}

/// The clock of a location.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocationClock {
    /// The location's number in the archive.
    pub location: u64,
    /// The number of its clock, an index into [`Window::to_master_ns`].
    pub clock: u32,
}

/// What is known of one window of time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// How far each clock is off the master's at most, two clocks off each
    /// other by the sum; nothing if it is unknown.
    pub to_master_ns: Vec<Option<i64>>,
    /// Pairs of clocks that know better: their numbers, the lower one first,
    /// and how far they are off each other at most.
    pub pairs: Vec<(u32, u32, i64)>,
    /// How far clocks are off in 99 of 100 cases, any two of them off each other by
    /// the sum; nothing if nothing tells.
    #[serde(default)]
    pub interval_ns: Vec<Option<i64>>,
    /// Pairs of clocks that know better, likewise.
    #[serde(default)]
    pub interval_pairs: Vec<(u32, u32, i64)>,
}

/// The intervals of a window: of each clock, and of pairs that know better.
pub type Intervals<'a> = (&'a [Option<i64>], &'a [(u32, u32, i64)]);

impl Uncertainty {
    /// Reads the file beside a corrected archive, given its directory; nothing
    /// if there is none.
    ///
    /// # Errors
    /// When it cannot be read, or is of a later version.
    pub fn read(directory: &Path) -> Result<Option<Uncertainty>, Error> {
        let path = directory.join(FILE);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(&path, error)),
        };
        let read: Uncertainty = serde_json::from_slice(&text).map_err(|error| {
            Error::damaged(&path, format!("expected half-widths as JSON: {error}"))
        })?;
        if read.version > VERSION {
            let what = format!(
                "it has version {}, this mpiscope reads {VERSION}",
                read.version
            );
            return Err(Error::damaged(&path, what));
        }
        Ok(Some(read))
    }

    /// Returns each location's number with that of its clock.
    pub fn clock_numbers(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.clocks.iter().map(|it| (it.location, it.clock))
    }

    /// Returns, window by window, how far clocks are off in 99 of 100 cases, and pairs of them that
    /// know better.
    pub fn intervals(&self) -> impl Iterator<Item = Intervals<'_>> {
        let windows = self.windows.iter();
        windows.map(|it| (&it.interval_ns[..], &it.interval_pairs[..]))
    }

    /// Writes the file into the directory of a corrected archive.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, directory: &Path) -> Result<(), Error> {
        let path = directory.join(FILE);
        let stamped = Uncertainty {
            version: VERSION,
            ..self.clone()
        };
        let text = serde_json::to_vec(&stamped)
            .map_err(|error| Error::damaged(&path, format!("its content is no JSON: {error}")))?;
        fs::write(&path, text).map_err(|error| Error::io(&path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Uncertainty {
        Uncertainty {
            version: VERSION,
            clocks: vec![LocationClock {
                location: 1 << 32,
                clock: 1,
            }],
            begin_ns: -5,
            window_ns: 1_000_000_000,
            windows: vec![Window {
                to_master_ns: vec![Some(0), None],
                pairs: vec![(0, 1, 120)],
                interval_ns: vec![Some(0), Some(90)],
                interval_pairs: vec![(0, 1, 40)],
            }],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Uncertainty::read(folder.path()).unwrap(), None);
        example().write(folder.path()).unwrap();
        assert_eq!(Uncertainty::read(folder.path()).unwrap(), Some(example()));
    }

    #[test]
    fn what_is_damaged_or_too_new_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["{", r#"{"version": 3}"#, r#"{"windows": 3}"#] {
            fs::write(folder.path().join(FILE), text).unwrap();
            let error = Uncertainty::read(folder.path()).unwrap_err().to_string();
            assert!(error.contains(FILE), "{error}");
        }
    }
}
