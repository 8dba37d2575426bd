//! `RUN/placement.json`: which ranks run on which host, told when they begin and removed when all
//! of them have written the archive. Of a run that died it says where the buffers of ranks lie
//! that are not seen from here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::process::Members;
use crate::run_info::write_atomically;
use crate::Error;

/// The ranks of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// Its name.
    pub host: String,
    /// World ranks, ascending.
    pub ranks: Members,
}

fn path(run: &Path) -> PathBuf {
    run.join("placement.json")
}

/// Writes on which host each rank runs; hosts come in the order of their first ranks.
///
/// # Errors
/// When the file cannot be written.
pub fn write<'a>(run: &Path, hosts: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut of_host: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (rank, host) in (0..).zip(hosts) {
        of_host.entry(host).or_default().push(rank);
    }
    let mut placed: Vec<(&str, Vec<u32>)> = of_host.into_iter().collect();
    placed.sort_by_key(|(_, ranks)| ranks[0]);
    let placed = placed.into_iter().map(|(host, ranks)| Placed {
        host: host.to_owned(),
        ranks: Members::new(&ranks),
    });
    let placed: Vec<Placed> = placed.collect();
    let path = path(run);
    let text =
        serde_json::to_vec(&placed).map_err(|error| Error::damaged(&path, error.to_string()))?;
    write_atomically(&path, &text)
}

/// Reads it; nothing where nobody has told, or nobody can read it.
pub fn read(run: &Path) -> Vec<Placed> {
    let text = fs::read(path(run)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Removes it.
pub fn remove(run: &Path) {
    let _ = fs::remove_file(path(run));
}

/// Returns the hosts that some ranks were on, as far as that is known.
pub fn hosts_of(run: &Path, ranks: &[u32]) -> Vec<String> {
    let has = |placed: &Placed| (placed.ranks.iter()).any(|rank| ranks.contains(&rank));
    let placed = read(run).into_iter().filter(has);
    placed.map(|placed| placed.host).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_found_where_they_were_put() {
        let run = tempfile::tempdir().unwrap();
        let run = run.path();
        assert!(read(run).is_empty());
        write(run, ["b", "b", "a", "b", "c"].into_iter()).unwrap();
        let hosts: Vec<String> = read(run).into_iter().map(|placed| placed.host).collect();
        assert_eq!(hosts, ["b", "a", "c"]);
        assert_eq!(hosts_of(run, &[3]), ["b"]);
        assert_eq!(hosts_of(run, &[2, 4]), ["a", "c"]);
        assert!(hosts_of(run, &[]).is_empty());
        remove(run);
        assert!(hosts_of(run, &[3]).is_empty());
    }
}
