//! Packed runs that a command works on lie elsewhere; its words name the file that was given.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where packed runs were unpacked, and what the user called them.
static UNPACKED: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());

/// Remembers that the user calls this folder by the name of a file.
pub fn remember(folder: &Path, file: &Path) {
    let pair = (folder.to_owned(), file.to_owned());
    known().push(pair);
}

fn known() -> std::sync::MutexGuard<'static, Vec<(PathBuf, PathBuf)>> {
    UNPACKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a path as the user would write it.
pub fn given(path: &Path) -> PathBuf {
    let known = known();
    let mut given = known.iter().filter_map(|(folder, file)| {
        let below = path.strip_prefix(folder).ok()?;
        Some(match below.as_os_str().is_empty() {
            true => file.clone(),
            false => file.join(below),
        })
    });
    given.next().unwrap_or_else(|| path.to_owned())
}

/// Returns a text in which paths are as the user would write them.
pub fn as_given(text: String) -> String {
    let known = known();
    known.iter().fold(text, |text, (folder, file)| {
        replaced(text, &folder.to_string_lossy(), &file.to_string_lossy())
    })
}

fn replaced(text: String, folder: &str, file: &str) -> String {
    if !text.contains(folder) {
        return text;
    }
    // In JSON a name may need escapes that it does not need elsewhere.
    let is_json = text.starts_with(['{', '[']);
    let escaped = serde_json::Value::from(file).to_string();
    let name = match is_json {
        true => escaped.trim_matches('"'),
        false => file,
    };
    text.replace(folder, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_the_file_that_was_given() {
        let check = |text: &str, file: &str, expected: &str| {
            assert_eq!(replaced(text.to_owned(), "/tmp/x/a", file), expected);
        };
        check("/tmp/x/a: 3 ranks", "a.tar.zst", "a.tar.zst: 3 ranks");
        check("/tmp/x/a/run.json", "b", "b/run.json");
        check(r#"{"p":"/tmp/x/a"}"#, "a\t", r#"{"p":"a\t"}"#);
        check("nothing of it", "b", "nothing of it");
    }

    #[test]
    fn a_path_is_that_of_the_file() {
        remember(Path::new("/unpacked/one"), Path::new("one.tar.zst"));
        let check = |path: &str, expected: &str| {
            assert_eq!(given(Path::new(path)), Path::new(expected));
        };
        check("/unpacked/one", "one.tar.zst");
        check("/unpacked/one/traces.otf2", "one.tar.zst/traces.otf2");
        check("/unpacked/other", "/unpacked/other");
    }
}
