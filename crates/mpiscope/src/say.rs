//! Words to the user: reports on standard output, all else on standard error.
//!
//! `println!` panics when the reader has gone (`mpiscope info … | head`), and a
//! trace must not end because nobody listens any more.

use std::fmt::Display;
use std::io::{stderr, stdout, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::exit::DAMAGED;
use crate::packed;
use crate::terminal;

/// Hears lines before they are written; returns whether that is then needless.
pub type Listener = Box<dyn Fn(&str) -> bool + Send + Sync>;

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Has an editor hear from now on what is said. The first that asks for it is the one.
pub fn tell_also(listener: Listener) {
    let _ = LISTENER.set(listener);
}

/// Another process says all there is to be said.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Has this process say nothing from now on, or say things again.
pub fn be_silent(silent: bool) {
    SILENT.store(silent, Ordering::SeqCst);
}

/// Returns whether this process says nothing.
pub fn is_silent() -> bool {
    SILENT.load(Ordering::SeqCst)
}

fn is_heard(line: &str) -> bool {
    if is_silent() {
        return true;
    }
    LISTENER.get().is_some_and(|listener| listener(line))
}

/// Writes a report, with a line's end, to standard output.
pub fn report(text: impl Display) -> Result<()> {
    let text = packed::as_given(text.to_string());
    if is_heard(&format!("{text}\n")) {
        return Ok(());
    }
    let text = terminal::harmless(&text);
    let mut out = stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write the report"),
    }
}

/// Writes a line to standard error, if anybody is there.
pub fn aside(text: impl Display) {
    // In one write: lines of many processes do not mix.
    let line = packed::as_given(format!("{text}\n"));
    if is_heard(&line) {
        return;
    }
    let _ = stderr().write_all(terminal::harmless(&line).as_bytes());
}

/// Writes a line to standard error even where this process says nothing else: nobody else knows.
pub fn alarm(text: impl Display) {
    be_silent(false);
    aside(text);
}

/// Says what was found, as JSON or as text, and then what could not be read; returns the exit code.
pub fn found(
    json: bool,
    facts: &impl Serialize,
    text: impl FnOnce() -> String,
    damage: &[String],
) -> Result<u8> {
    match json {
        true => report(serde_json::to_string_pretty(facts)?)?,
        false => report(text())?,
    }
    Ok(damaged(damage))
}

/// Says what could not be read; returns the exit code.
pub fn damaged(damage: &[String]) -> u8 {
    for damage in damage {
        aside(format!("error: {damage}"));
    }
    if damage.is_empty() {
        0
    } else {
        DAMAGED
    }
}

/// Returns an error with its causes, each said once: many errors tell their cause themselves.
pub fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    match limit(&text) {
        Some(limit) => format!("{text}: {limit}"),
        None => text,
    }
}

/// Names the limit of the process that an error of the system's is about (errno(3)).
fn limit(text: &str) -> Option<String> {
    let is = |number: i32| text.contains(&format!("(os error {number})"));
    if is(27) {
        let bytes = mpiscope_run::system::file_size_limit();
        return Some(format!("files may have {bytes} bytes here (ulimit -f)"));
    }
    is(24).then(|| "more files would be open than may be (ulimit -n)".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_was_hit_is_named() {
        let error = std::io::Error::from_raw_os_error(27);
        let error = anyhow::Error::new(error).context("cannot write a.evt");
        let text = chain(&error);
        assert!(
            text.starts_with("cannot write a.evt: File too large"),
            "{text}"
        );
        assert!(text.contains("ulimit -f"), "{text}");
    }

    #[test]
    fn a_cause_is_said_once() {
        let error = anyhow::anyhow!("no such file")
            .context("cannot read a: no such file")
            .context("b");
        assert_eq!(chain(&error), "b: cannot read a: no such file");
    }
}
