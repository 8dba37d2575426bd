//! What others read in our archives: PyPI's `otf2` and Debian's `otf2-print`.
//!
//! Neither shares code with us. A warning of theirs is a fault of ours.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde::Deserialize;

use super::mpi::is_command;
use super::{missing, process, workspace};

/// What `read_archive.py` prints.
#[derive(Debug, Deserialize)]
pub struct Facts {
    pub messages: u64,
    pub bytes: u64,
    pub received: u64,
    pub received_bytes: u64,
    /// Receives whose send is there.
    pub pairs: u64,
    pub collectives: u64,
    /// Bytes sent, bytes received and roots of each collective operation: `bcast_sent`.
    pub operations: BTreeMap<String, u64>,
    pub events: u64,
    /// Events of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// Events of each kind with each attribute: `MpiRecv MPISCOPE::WILDCARD`.
    pub attributes: BTreeMap<String, u64>,
    /// Region and line, or else place, of each entry that knows where it was called from.
    pub sites: BTreeMap<String, u64>,
    /// What is wrong in any archive.
    pub problems: Vec<String>,
    /// Location and its group.
    pub locations: Vec<(u64, u64)>,
    /// How often each location entered each region.
    pub entered: BTreeMap<u64, BTreeMap<String, u64>>,
    /// The values that each location told: `residual 0.5`.
    pub values: BTreeMap<u64, Vec<String>>,
    /// Each location's events but for their times.
    pub digests: BTreeMap<u64, String>,
    /// Types of all groups.
    pub groups: Vec<String>,
    /// Name, parent, number of members.
    pub communicators: Vec<(String, Option<String>, u64)>,
}

impl Facts {
    /// Returns a figure by the name that the programs print it with.
    pub fn figure(&self, name: &str) -> u64 {
        match name {
            "messages" => self.messages,
            "bytes" => self.bytes,
            "received" => self.received,
            "received_bytes" => self.received_bytes,
            "pairs" => self.pairs,
            "collectives" => self.collectives,
            _ => {
                let found = self.operations.get(name).copied();
                found.unwrap_or_else(|| panic!("no {name} in the archive"))
            }
        }
    }

    /// Returns how many events of these kinds have an attribute.
    pub fn with_attribute(&self, attribute: &str) -> u64 {
        let has = |(key, _): &(&String, &u64)| key.ends_with(attribute);
        self.attributes
            .iter()
            .filter(has)
            .map(|(_, count)| count)
            .sum()
    }
}

/// Reads an archive with PyPI's `otf2`; nothing, with a word, without it.
#[track_caller]
pub fn read(anchor: &Path) -> Option<Facts> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/read_archive.py");
    let done = process::run(Command::new(python()?).arg(script).arg(anchor));
    let anchor = anchor.display();
    assert!(
        done.code == 0 && done.errors.is_empty(),
        "{anchor}: {}",
        done.errors
    );
    let facts: Facts = serde_json::from_str(&done.out).unwrap();
    assert_eq!(facts.problems, Vec::<String>::new(), "{anchor}");
    Some(facts)
}

/// Returns a Python that has PyPI's `otf2`; nothing, with a word, without it.
pub fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let given = std::env::var_os("MPISCOPE_ORACLE_PYTHON").map(PathBuf::from);
        let python = given.unwrap_or_else(|| workspace().join("target/oracle/bin/python"));
        let has_otf2 = Command::new(&python).args(["-c", "import otf2"]).output();
        if has_otf2.is_ok_and(|output| output.status.success()) {
            return Some(python);
        }
        missing(&format!("PyPI's otf2: not at {}", python.display()));
        None
    };
    PYTHON.get_or_init(find).as_deref()
}

/// Reads an archive with `otf2-print`; returns how many records it does not know.
///
/// Debian's 3.0.2 does not know probes (record 89), and these alone.
#[track_caller]
pub fn print(anchor: &Path) -> Option<u64> {
    lines_with(anchor, "UNKNOWN")
}

/// Reads an archive with `otf2-print`; returns how many collectives ended.
#[track_caller]
pub fn collectives(anchor: &Path) -> Option<u64> {
    lines_with(anchor, "MPI_COLLECTIVE_END")
}

/// Returns how many lines of a clean `otf2-print` begin so.
#[track_caller]
fn lines_with(anchor: &Path, beginning: &str) -> Option<u64> {
    Some(printed(anchor, beginning)?.len() as u64)
}

/// Returns the lines of a clean `otf2-print` that begin so.
#[track_caller]
pub fn printed(anchor: &Path, beginning: &str) -> Option<Vec<String>> {
    if !is_command("otf2-print") {
        missing("no otf2-print");
        return None;
    }
    let all = ["-Werror", "--show-all"];
    let done = process::run(Command::new("otf2-print").args(all).arg(anchor));
    let anchor = anchor.display();
    assert!(
        done.code == 0 && done.errors.is_empty(),
        "{anchor}: {}",
        done.errors
    );
    let complains = |line: &&str| line.contains("WARNING") || line.contains("ERROR");
    assert_eq!(done.out.lines().find(complains), None, "{anchor}");
    assert_containers_differ(&done.out);
    let found = done.out.lines().filter(|line| line.starts_with(beginning));
    Some(found.map(ToOwned::to_owned).collect())
}

/// No process has the name and the number of a thread: ViTE, which tells them apart by these two,
/// refuses such an archive.
#[track_caller]
fn assert_containers_differ(printed: &str) {
    let container = |line: &str| {
        let (kind, rest) = line.split_once(' ')?;
        let (number, rest) = rest.trim_start().split_once("  Name: \"")?;
        let (name, _) = rest.split_once('"')?;
        matches!(kind, "LOCATION" | "LOCATION_GROUP").then(|| format!("{name}_{number}"))
    };
    let mut seen = HashSet::new();
    for name in printed.lines().filter_map(container) {
        assert!(seen.insert(name.clone()), "two containers are {name}");
    }
}
