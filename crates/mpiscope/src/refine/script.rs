//! The line that traces as proposed, kept in a file: `--apply` writes filter, window and buffer.

use std::path::{Path, PathBuf};

use super::facts::Facts;
use super::place;
use crate::packed;

/// How the file begins, by which an earlier one is known.
pub const BEGIN: &str = "#!/bin/sh\n# Proposed ";
/// The place of a command that is not known.
const COMMAND: &str = " -- COMMAND";

/// Returns where it goes, beside the filter; nowhere where that goes into a pipe.
pub fn of(filter: &Path) -> Option<PathBuf> {
    let is_other = filter.metadata().is_ok_and(|it| !it.is_file());
    (!is_other).then(|| filter.with_extension("trace.sh"))
}

/// Returns whether an earlier one lies there.
pub fn is_earlier(place: &Path) -> bool {
    place::begins(place, BEGIN)
}

/// Returns what is in it; nothing where nothing is proposed.
pub fn text(facts: &Facts) -> Option<String> {
    let has_any = facts.filter.is_some() || facts.buffer.proposed.is_some() || facts.has_window();
    if !has_any || facts.line.is_empty() {
        return None;
    }
    let run = packed::given(&facts.path);
    let name = run.file_name().unwrap_or(run.as_os_str()).to_string_lossy();
    // Where a name breaks the line, the comment would end.
    let name = name.replace(char::is_control, " ");
    let (how, line) = match facts.line.strip_suffix(COMMAND) {
        Some(options) => (
            "give it the command: sh FILE COMMAND",
            format!("exec {options} -- \"$@\""),
        ),
        None if facts.line.starts_with("export ") => (
            "set these before you start the program: . ./FILE",
            facts.line.clone(),
        ),
        None => (
            "run it where the program was started: sh FILE",
            format!("exec {}", facts.line),
        ),
    };
    Some(format!("{BEGIN}from the trace {name}; {how}\n{line}\n"))
}
