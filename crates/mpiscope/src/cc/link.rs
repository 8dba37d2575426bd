//! Sources and program in one command: objects first, then the rest with them.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;

use super::attempt::{Attempt, Unit};
use super::words::Role;

/// Compiles every source, then links; returns the compiler's exit code.
pub fn run(attempt: &mut Attempt) -> Result<u8> {
    let mut objects = Vec::new();
    for (source, dialect) in attempt.line.sources() {
        let object = attempt.unused().with_extension("o");
        let unit = Unit {
            source,
            dialect,
            object: Some(&object),
        };
        let code = attempt.compile(unit)?;
        if code != 0 {
            return Ok(code);
        }
        objects.push(object);
    }
    attempt.write_structures()?;
    let words = linked(attempt, objects);
    attempt.execute(&words)
}

/// Returns the command line with an object in the place of every source.
fn linked(attempt: &Attempt, objects: Vec<PathBuf>) -> Vec<OsString> {
    let mut objects = objects.into_iter();
    let words = attempt.line.words.iter();
    words
        .filter_map(|word| match word.role {
            Role::Source(_) => objects.next().map(OsString::from),
            _ => Some(word.text.clone()),
        })
        .collect()
}
