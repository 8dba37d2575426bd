//! Response files: `@FILE` stands for the words in FILE.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Response files may name others, but not without end.
const DEEPEST: usize = 50;

/// Returns the words, response files taken apart, and whether there were any.
pub fn expand(words: &[OsString]) -> (Vec<OsString>, bool) {
    let mut expanded = Vec::new();
    let mut any = false;
    for word in words {
        any |= append(word, &mut expanded, DEEPEST);
    }
    (expanded, any)
}

/// Returns whether the word was a response file. As with gcc, one that cannot be read is a word.
fn append(word: &OsStr, expanded: &mut Vec<OsString>, depth: usize) -> bool {
    let file = word.as_bytes().strip_prefix(b"@").map(OsStr::from_bytes);
    let text = file
        .filter(|_| depth > 0)
        .and_then(|file| std::fs::read(file).ok());
    let Some(text) = text else {
        expanded.push(word.to_owned());
        return false;
    };
    for word in split(&text) {
        append(&word, expanded, depth - 1);
    }
    true
}

/// Splits as gcc does: at blanks, which quotes and backslashes protect.
pub fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => word.get_or_insert_default().extend(bytes.next()),
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (None, _) if byte.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

/// Writes words so that [`split`] finds them again.
pub fn write(file: &Path, words: &[OsString]) -> std::io::Result<()> {
    let mut text = Vec::new();
    for word in words {
        text.push(b'"');
        for byte in word.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(*byte);
        }
        text.extend(b"\"\n");
    }
    std::fs::write(file, text)
}
