//! Where an export goes, and how it gets there in one step: it is written beside its place, under
//! a name that nobody else uses, and removed if it is not completed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};

use crate::aside::{beside, remove, replace};
use crate::cli::{Export, To};
use crate::input::Input;
use crate::signals;

use super::tables;

/// The place of an export that is being written.
#[derive(Debug)]
pub struct Place {
    path: PathBuf,
    aside: PathBuf,
}

impl Place {
    /// Finds the place, and makes sure that nothing is lost there.
    pub fn new(arguments: &Export, input: &Input) -> Result<Place> {
        let path = match &arguments.output {
            Some(path) => path.clone(),
            None => derived(&input.path, arguments.to),
        };
        ensure!(
            path.file_name().is_some(),
            "{} names no file or folder to write",
            path.display()
        );
        check_free(&path, arguments)?;
        refuse_source(&path, input)?;
        let aside = beside(&path, "partial")?;
        // Of an earlier process of that number.
        let _ = remove(&aside);
        signals::remove_when_ended(&aside)?;
        Ok(Place { path, aside })
    }

    /// Returns where the export will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns where it is written.
    pub fn aside(&self) -> &Path {
        &self.aside
    }

    /// Moves the export to its place.
    pub fn keep(self) -> Result<PathBuf> {
        let context = || format!("cannot write {}", self.path.display());
        replace(&self.aside, &self.path).with_context(context)?;
        Ok(self.path.clone())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Not there any more if it was kept.
        let _ = remove(&self.aside);
    }
}

/// Returns the name beside the input.
pub fn derived(input: &Path, to: To) -> PathBuf {
    // Of `.` the name is known only in full.
    let full = input.canonicalize().unwrap_or_else(|_| input.to_owned());
    let is_run = full.extension().is_some_and(|it| it == "mpiscope");
    let name = match full.is_dir() && !is_run {
        true => full.file_name(),
        false => full.file_stem(),
    };
    let name = name.unwrap_or_default().to_string_lossy();
    let ending = match to {
        To::Parquet => "-parquet",
        To::Csv => "-csv",
        To::Perfetto => ".perfetto-trace",
        To::Speedscope => ".speedscope.json",
    };
    let name = format!("{name}{ending}");
    // As the user writes it, where that is possible.
    match input.file_name() {
        Some(_) => input.with_file_name(name),
        None => full.with_file_name(name),
    }
}

/// Refuses to replace what nobody asked to replace, or what is no export.
fn check_free(path: &Path, arguments: &Export) -> Result<()> {
    let Ok(data) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    let entries = || fs::read_dir(path).into_iter().flatten().flatten();
    if data.is_dir() && entries().next().is_none() {
        return Ok(());
    }
    ensure!(
        arguments.force,
        "{} exists; give --force to replace it, or another place with -o",
        path.display()
    );
    let is_folder = matches!(arguments.to, To::Parquet | To::Csv);
    let is_ours = match is_folder {
        true => data.is_dir() && entries().all(|entry| tables::is_ours(&entry.path())),
        false => data.is_file(),
    };
    ensure!(
        is_ours,
        "{} is no earlier export: not replaced",
        path.display()
    );
    Ok(())
}

/// Refuses to write over what is read, whatever is forced.
fn refuse_source(path: &Path, input: &Input) -> Result<()> {
    let (Ok(place), Ok(anchor)) = (path.canonicalize(), input.anchor.canonicalize()) else {
        return Ok(());
    };
    let is_run = input.path.is_dir();
    let run = is_run.then(|| input.path.canonicalize()).transpose()?;
    let parts = [
        run.unwrap_or_else(|| anchor.clone()),
        anchor.with_extension(""),
        anchor.with_extension("def"),
        anchor.clone(),
    ];
    ensure!(
        !anchor.starts_with(&place) && !parts.iter().any(|part| place.starts_with(part)),
        "{} is part of the archive, which stays as it is; name another place",
        path.display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn arguments(line: &str) -> Export {
        let words = ["mpiscope", "export"].into_iter().chain(line.split(' '));
        match crate::cli::Cli::parse_from(words).command {
            crate::cli::Command::Export(arguments) => arguments,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_name_is_that_of_the_input() {
        let folder = tempfile::tempdir().unwrap();
        let check = |input: &str, to: To, expected: &str| {
            let found = derived(&folder.path().join(input), to);
            assert_eq!(found, folder.path().join(expected));
        };
        fs::create_dir(folder.path().join("heat.mpiscope")).unwrap();
        fs::create_dir(folder.path().join("run.2")).unwrap();
        fs::write(folder.path().join("traces.otf2"), "").unwrap();
        check("heat.mpiscope", To::Parquet, "heat-parquet");
        check("heat.mpiscope", To::Perfetto, "heat.perfetto-trace");
        check("run.2", To::Csv, "run.2-csv");
        check("traces.otf2", To::Speedscope, "traces.speedscope.json");
    }

    #[test]
    fn only_an_export_is_replaced_and_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let check = |to: &str, force: &str| {
            let line = format!("--to {to}{force} heat.mpiscope");
            check_free(&out, &arguments(&line)).map_err(|error| error.to_string())
        };
        assert!(check("parquet", "").is_ok());
        fs::create_dir(&out).unwrap();
        assert!(check("parquet", "").is_ok());
        fs::write(out.join("events.parquet"), "").unwrap();
        assert!(check("parquet", "").unwrap_err().contains("--force"));
        assert!(check("parquet", " --force").is_ok());
        assert!(check("perfetto", " --force").is_err());
        fs::write(out.join("thesis"), "").unwrap();
        let error = check("parquet", " --force").unwrap_err();
        assert!(error.contains("no earlier export"), "{error}");
    }

    #[test]
    fn the_archive_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("a/traces")).unwrap();
        for file in ["a/traces.otf2", "a/traces.def", "a/traces/0.evt", "a/other"] {
            fs::write(path(file), "").unwrap();
        }
        let check = |input: &str, place: &str| {
            let input = Input {
                path: path(input),
                anchor: path("a/traces.otf2"),
                ..Input::default()
            };
            refuse_source(&path(place), &input).is_ok()
        };
        for place in ["a", "a/traces", "a/traces/0.evt", "a/traces.def", "."] {
            assert!(
                !check("a", place) && !check("a/traces.otf2", place),
                "{place}"
            );
        }
        assert!(!check("a", "a/other") && check("a/traces.otf2", "a/other"));
        assert!(check("a", "b"));
    }
}
