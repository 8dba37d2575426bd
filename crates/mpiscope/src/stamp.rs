//! What tells a file from others, and from itself before it was changed.
//!
//! Whoever changes what stands in a file moves its moment of change (`ctime`), which no program
//! can set. Only what changes twice within one tick of the file system's clock is not seen: who
//! relies on a stamp asks whether it is [settled](Stamp::is_settled).

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// How long ago the last change must be; file systems' clocks tick every 10 ms or more often.
const SETTLED: Duration = Duration::from_millis(100);

/// The same where moments of change are whole seconds, or two.
const SETTLED_IN_SECONDS: Duration = Duration::from_secs(3);

/// What lay at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    path: PathBuf,
    found: Option<Found>,
}

/// A file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Bytes.
    pub size: u64,
    inode: u64,
    /// Nanoseconds since 1970.
    modified: i64,
    changed: i64,
}

impl Stamp {
    /// Looks at a path.
    pub fn of(path: PathBuf) -> Stamp {
        Stamp {
            found: Found::at(&path),
            path,
        }
    }

    /// Returns whether the same lies there now.
    pub fn holds(&self) -> bool {
        Found::at(&self.path) == self.found
    }

    /// Returns whether a change since `then`, when the stamp was made or before, would be seen.
    pub fn is_settled(&self, then: SystemTime) -> bool {
        self.found
            .is_none_or(|found| is_settled(found.changed, then))
    }
}

impl Found {
    /// Looks at a path; nothing if nothing is there.
    pub fn at(path: &Path) -> Option<Found> {
        let found = fs::metadata(path).ok()?;
        let moment = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000) + rest;
        Some(Found {
            size: found.len(),
            inode: found.ino(),
            modified: moment(found.mtime(), found.mtime_nsec()),
            changed: moment(found.ctime(), found.ctime_nsec()),
        })
    }

    /// Returns the moment of change, in nanoseconds since 1970.
    pub fn changed(&self) -> i64 {
        self.changed
    }

    /// Returns all that it consists of.
    pub fn words(&self) -> [u64; 4] {
        let (modified, changed) = (self.modified as u64, self.changed as u64);
        [self.size, self.inode, modified, changed]
    }
}

/// Returns whether a change was so long before a moment that another one since then would be seen.
pub fn is_settled(changed: i64, then: SystemTime) -> bool {
    let then = then.duration_since(UNIX_EPOCH).unwrap_or_default();
    let wait = match changed % 1_000_000_000 {
        0 => SETTLED_IN_SECONDS,
        _ => SETTLED,
    };
    i128::from(changed) + (wait.as_nanos() as i128) <= then.as_nanos() as i128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_just_changed_is_not_settled() {
        let at = |seconds: f64| UNIX_EPOCH + Duration::from_secs_f64(seconds);
        let check = |changed: i64, then: f64, settled: bool| {
            assert_eq!(is_settled(changed, at(then)), settled, "{changed} {then}");
        };
        check(7_500_000_000, 7.55, false);
        check(7_500_000_000, 7.65, true);
        check(7_500_000_000, 7.4, false);
        check(7_000_000_000, 9.9, false);
        check(7_000_000_000, 10.0, true);
    }
}
