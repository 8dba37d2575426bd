//! Dependency files: they name the user's source, not the instrumented copy.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::words::{CommandLine, Role};

/// Puts the source's name where the compiler wrote the copy's.
///
/// # Errors
/// If a dependency file cannot be rewritten.
pub fn restore(
    line: &CommandLine,
    object: &Path,
    copy: &Path,
    source: &Path,
) -> std::io::Result<()> {
    for file in files(line, object) {
        let Ok(text) = std::fs::read(&file) else {
            continue;
        };
        let copy = copy.as_os_str().as_bytes();
        let restored = replace(&text, copy, &escaped(source));
        if restored != text {
            std::fs::write(file, restored)?;
        }
    }
    Ok(())
}

/// Returns where the compiler may have written dependencies.
fn files(line: &CommandLine, object: &Path) -> Vec<PathBuf> {
    let words: Vec<&OsString> = line
        .words
        .iter()
        .filter(|word| word.role == Role::Dependencies)
        .map(|word| &word.text)
        .collect();
    let mut files = vec![];
    for (index, word) in words.iter().enumerate() {
        let text = word.to_string_lossy();
        if text == "-MF" {
            files.extend(words.get(index + 1).map(PathBuf::from));
        } else if let Some(file) = text.strip_prefix("-MF") {
            files.push(file.into());
        } else if let Some(rest) = text.strip_prefix("-Wp,") {
            files.extend(rest.split(',').nth(1).map(PathBuf::from));
        }
    }
    if !words.is_empty() {
        files.push(object.with_extension("d"));
    }
    files
}

/// Writes a file's name as make reads it.
fn escaped(file: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    for byte in file.as_os_str().as_bytes() {
        match byte {
            b' ' | b'#' => text.extend([b'\\', *byte]),
            b'$' => text.extend(b"$$"),
            _ => text.push(*byte),
        }
    }
    text
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
        result.extend_from_slice(&rest[..at]);
        result.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    result.extend_from_slice(rest);
    result
}
