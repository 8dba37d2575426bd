//! Fortran objects: the unit, which only C can say, is merged into them.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use mpiscope_instrument::{bridge, Instrumented};

use super::attempt::Attempt;

/// Returns the line that gives the first line of a source its number and file back.
pub fn head(file: &str) -> String {
    format!(
        "# 1 \"{}\"\n",
        file.replace('\\', "\\\\").replace('"', "\\\"")
    )
}

/// Compiles the unit and its bridge with the Fortran compiler's own driver,
/// and links both into one relocatable object.
pub fn merge(attempt: &Attempt, found: &Instrumented, object: &Path) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    let source = attempt.unused().with_extension("c");
    let unit = attempt.unused().with_extension("o");
    let merged = attempt.unused().with_extension("o");
    fs::write(&source, bridge(found)).map_err(text)?;
    let mut words: Vec<OsString> = ["-O2", "-fPIC", "-c"].map(OsString::from).into();
    words.extend(attempt.line.machine());
    words.extend([source.into(), "-o".into(), unit.clone().into()]);
    run(
        &mut attempt.command(&words).map_err(text)?,
        "the unit does not compile",
    )?;
    let mut linker = Command::new(linker(attempt));
    linker
        .arg("-r")
        .arg(object)
        .arg(&unit)
        .arg("-o")
        .arg(&merged);
    run(&mut linker, "the unit cannot be merged")?;
    fs::copy(&merged, object).map(|_| ()).map_err(text)
}

/// Asks the compiler for its linker.
fn linker(attempt: &Attempt) -> OsString {
    let words = ["-print-prog-name=ld".into()];
    let output = attempt
        .command(&words)
        .and_then(|mut command| command.output());
    let said = output.ok().filter(|output| output.status.success());
    let name = said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    name.filter(|name| !name.is_empty())
        .unwrap_or("ld".into())
        .into()
}

fn run(command: &mut Command, failure: &str) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|error| format!("{failure}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{failure}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}
