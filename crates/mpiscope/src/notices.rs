//! What processes had to tell while nobody could read it: `RUN/notices/`.
//!
//! A rank in trouble goes on unobserved and leaves one message a line in a
//! file of its own; `trace` tells the user at the end, equal ones once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::launch::environment;
use crate::say;

const FOLDER: &str = "notices";

/// Leaves a message for the end of the run.
pub fn leave(run: &Path, message: &str) -> Result<()> {
    let folder = run.join(FOLDER);
    let path = folder.join(format!("{}.txt", environment::unique()));
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, format!("{message}\n")))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the messages of a run, each with the number of processes that left it.
pub fn read(run: &Path) -> BTreeMap<String, usize> {
    let mut messages = BTreeMap::new();
    // No folder: nothing to tell.
    for entry in fs::read_dir(run.join(FOLDER))
        .into_iter()
        .flatten()
        .flatten()
    {
        let text = fs::read_to_string(entry.path())
            .unwrap_or_else(|error| format!("cannot read {}: {error}", entry.path().display()));
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            *messages.entry(line.to_owned()).or_default() += 1;
        }
    }
    messages
}

/// Tells them on standard error.
pub fn tell(run: &Path) {
    for (message, count) in read(run) {
        match count {
            1 => say::aside(format!("note: {message}")),
            _ => say::aside(format!("note: {message} (from {count} processes)")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_messages_are_told_once() {
        let run = tempfile::tempdir().unwrap();
        assert!(read(run.path()).is_empty());
        for message in ["full", "no clock", "full"] {
            leave(run.path(), message).unwrap();
        }
        let expected = [("full".to_owned(), 2), ("no clock".to_owned(), 1)];
        assert_eq!(read(run.path()), expected.into());
    }
}
