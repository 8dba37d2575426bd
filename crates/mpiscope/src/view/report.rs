//! `mpiscope report`: the page of a run in one file.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use mpiscope_serve::{report, About};

use super::anonymous::{self, Names};
use super::{load, picture, site_of};
use crate::aside;
use crate::cli::Report;
use crate::progress::while_doing;
use crate::report::show;
use crate::{packed, say, size};

/// How a report begins, by which an earlier one is known.
const BEGIN: &[u8] = b"<!doctype html>";

/// Runs the command; returns its exit code.
pub fn run(arguments: &Report) -> Result<u8> {
    let names = match arguments.anonymize {
        true => Names::LeftOut,
        false => Names::Kept,
    };
    if arguments.picture.is_asked() {
        return picture::run(arguments, names);
    }
    let inputs = &arguments.inputs;
    inputs.iter().try_for_each(|it| load::refuse(it))?;
    let place = match (&arguments.output, inputs.first()) {
        (Some(place), _) => place.clone(),
        (None, Some(first)) => beside(&packed::given(first), "html"),
        (None, None) => PathBuf::from("report.html"),
    };
    if place.as_os_str() != "-" {
        aside::check_place(&place, arguments.force, BEGIN, "report")?;
    }
    let mut site = site_of(inputs, names, arguments.no_cache)?;
    let said: Vec<String> = (site.runs.iter().map(|run| &run.about))
        .map(|about| match names {
            Names::Kept => told(about),
            Names::LeftOut => LEFT_OUT.to_owned(),
        })
        .collect();
    for (run, said) in site.runs.iter_mut().zip(&said) {
        run.about.notes.push(said.clone());
    }
    let made = while_doing("writing the report", || report(&site, arguments.size));
    let made = made.context("this mpiscope was built without its page")?;
    if place.as_os_str() == "-" {
        let mut out = std::io::stdout().lock();
        let written = out.write_all(&made.html).and_then(|()| out.flush());
        return written
            .map(|()| 0)
            .context("cannot write to standard output");
    }
    aside::write(&place, &made.html)
        .with_context(|| format!("cannot write {}", place.display()))?;
    let shown = place.display();
    let length = made.html.len() as u64;
    let mut lines = vec![
        format!(
            "{shown}: {}, one file to open in any browser or to mail",
            size::show(length)
        ),
        match made.is_whole {
            true => "It holds the time of every call, and all that is known of those that findings name."
                .to_owned(),
            false => format!(
                "It holds the whole run in coarse steps and single calls where most was found; \
                 for all calls use `mpiscope view`, or a greater --size than {}.",
                size::show(arguments.size.max(length))
            ),
        },
    ];
    if length > arguments.size {
        lines.push(format!(
            "That is more than {}: the page and what was found take so much by themselves.",
            size::show(arguments.size)
        ));
    }
    let mut said = said;
    said.dedup();
    lines.extend(said);
    say::report(lines.join("\n"))?;
    Ok(0)
}

/// Says what a report tells of the machine and the program of a run, where it is written and where it
/// is read.
fn told(about: &About) -> String {
    let mut told: Vec<String> = (anonymous::telling(about))
        .map(|(word, value)| format!("{} {value}", word.to_lowercase()))
        .collect();
    let mut sources: Vec<&str> = about.sources.keys().map(String::as_str).collect();
    sources.sort_unstable();
    if !sources.is_empty() {
        let files = show::counted(sources.len() as u64, "source file");
        told.push(format!("the text of {files} ({})", sources.join(", ")));
    }
    format!(
        "This report tells of the machine and the program: {}, besides hosts and files where rows and \
         calls name them; --anonymize leaves all of it out.",
        told.join("; ")
    )
}

const LEFT_OUT: &str =
    "Hosts, paths, the program's name and arguments, sources and the date are left out of \
    this report, and names that the program gave to communicators; names of functions and \
    regions, and the MPI, are in it.";

/// Returns the place of a report, or what else is made of a run, if none is named: beside the input,
/// by its name.
pub fn beside(input: &Path, extension: &str) -> PathBuf {
    let name = input
        .file_name()
        .unwrap_or(input.as_os_str())
        .to_string_lossy();
    let stem = name.split(".mpiscope").next().unwrap_or_default();
    let stem = stem.strip_suffix(".otf2").unwrap_or(stem);
    input.with_file_name(format!("{stem}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_lies_beside_its_run() {
        let place = |input| beside(Path::new(input), "html").display().to_string();
        assert_eq!(place("a/heat.mpiscope"), "a/heat.html");
        assert_eq!(place("heat.mpiscope.tar.zst"), "heat.html");
        assert_eq!(place("scorep/traces.otf2"), "scorep/traces.html");
    }
}
