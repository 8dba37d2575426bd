//! Files that a program writes, by patterns with `*` and `?`.

use std::collections::hash_map::DefaultHasher;
use std::collections::BTreeMap;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

/// The files that are compared.
#[derive(Debug, Clone, Default)]
pub struct Files(Vec<String>);

/// When files were last written, and how long they are.
pub type Stamps = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

impl Files {
    /// All that fit any of these patterns.
    pub fn new(patterns: &[String]) -> Files {
        Files(patterns.to_vec())
    }

    /// Returns those that exist, with their stamps.
    pub fn stamps(&self) -> Stamps {
        let found = self.0.iter().flat_map(|pattern| found(pattern));
        let stamp = |path: PathBuf| {
            let data = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
            Some((path, (data.modified().ok(), data.len())))
        };
        found.filter_map(stamp).collect()
    }

    /// Returns a hash of each; nothing for those that have not been written
    /// since `before`.
    pub fn hashes(&self, before: &Stamps) -> Result<BTreeMap<String, Option<u64>>> {
        let mut hashes = BTreeMap::new();
        for (path, stamp) in self.stamps() {
            let hash = match before.get(&path) == Some(&stamp) {
                true => None,
                false => Some(hash(&path)?),
            };
            hashes.insert(path.display().to_string(), hash);
        }
        Ok(hashes)
    }
}

fn hash(path: &Path) -> Result<u64> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    Ok(hasher.finish())
}

/// Returns the paths that fit a pattern, component by component.
fn found(pattern: &str) -> Vec<PathBuf> {
    let mut paths = vec![match pattern.starts_with('/') {
        true => PathBuf::from("/"),
        false => PathBuf::new(),
    }];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        if !part.contains(['*', '?']) {
            paths.iter_mut().for_each(|path| path.push(part));
            continue;
        }
        let within = |path: &PathBuf| {
            let folder = match path.as_os_str().is_empty() {
                true => Path::new("."),
                false => path,
            };
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            let fitting = names.filter(|name| fits(part.as_bytes(), name.as_bytes()));
            fitting.map(|name| path.join(name)).collect::<Vec<_>>()
        };
        paths = paths.iter().flat_map(within).collect();
    }
    paths.sort_unstable();
    paths
}

fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => (0..=name.len()).any(|skip| fits(rest, &name[skip..])),
        (Some((b'?', rest)), Some((_, name))) => fits(rest, name),
        (Some((a, rest)), Some((b, name))) => a == b && fits(rest, name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_names() {
        let check = |pattern: &str, name: &str, expected: bool| {
            assert_eq!(
                fits(pattern.as_bytes(), name.as_bytes()),
                expected,
                "{pattern} {name}"
            );
        };
        check("*.dat", "a.dat", true);
        check("out?.*", "out1.txt", true);
        check("*.dat", "a.data", false);
        check("a", "a", true);
    }

    #[test]
    fn a_file_that_was_not_written_again_has_no_hash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dat");
        fs::write(&path, "1").unwrap();
        let files = Files::new(&[folder.path().join("*.dat").display().to_string()]);
        let before = files.stamps();
        let name = path.display().to_string();
        assert_eq!(files.hashes(&before).unwrap()[&name], None);
        fs::write(&path, "12").unwrap();
        assert!(files.hashes(&before).unwrap()[&name].is_some());
    }
}
