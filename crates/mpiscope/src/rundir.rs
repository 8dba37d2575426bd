//! Which directory a run goes into; nothing is overwritten unless asked.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use mpiscope_run::{directory, spawned};

use crate::{aside, living};

/// The ending of a run's name.
const ENDING: &str = "mpiscope";

/// Returns where a run belongs: where the user says, or by the program's name.
fn place(output: Option<&Path>, program: &str) -> Result<PathBuf> {
    let named = PathBuf::from(format!("{program}.{ENDING}"));
    Ok(std::path::absolute(output.unwrap_or(&named))?)
}

/// Creates the directory of a new run and returns its absolute path.
///
/// `output` is the user's choice; without it the run is named after the
/// program, and numbered if there is one of that name. With `force` the old
/// run of that name is removed.
pub fn create(output: Option<&Path>, program: &str, force: bool) -> Result<PathBuf> {
    let path = place(output, program)?;
    refuse_unnamable(&path)?;
    if force {
        remove(&path)?;
    }
    if output.is_none() {
        return create_numbered(&path, program);
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)
            .with_context(|| format!("cannot create {}", parent.display()))?;
    }
    ensure!(
        try_create(&path)?,
        "{} exists; give --force to replace it, or another name to -o",
        path.display()
    );
    Ok(path)
}

/// Does the same, but has an old run of that name stay: the new one is made beside it, and the
/// place where it belongs then is returned, too.
pub fn create_beside(
    output: Option<&Path>,
    program: &str,
    force: bool,
) -> Result<(PathBuf, Option<PathBuf>)> {
    let place = place(output, program)?;
    refuse_unnamable(&place)?;
    if !force || place.symlink_metadata().is_err() {
        return Ok((create(output, program, false)?, None));
    }
    refuse_others(&place)?;
    let made = aside::beside(&place, "partial")?;
    // Of an earlier process of that number.
    let _ = aside::remove(&made);
    fs::create_dir(&made).with_context(|| format!("cannot create {}", made.display()))?;
    Ok((made, Some(place)))
}

fn create_numbered(first: &Path, program: &str) -> Result<PathBuf> {
    if try_create(first)? {
        return Ok(first.to_owned());
    }
    for number in 2..100_000 {
        let path = first.with_file_name(format!("{program}.{number}.{ENDING}"));
        if try_create(&path)? {
            return Ok(path);
        }
    }
    bail!("every name up to {program}.99999.{ENDING} is taken")
}

/// Refuses to replace the run that is read from; `output`, `program` and `force` as in [`create`].
pub fn refuse_source(
    source: &Path,
    output: Option<&Path>,
    program: &str,
    force: bool,
) -> Result<()> {
    let path = place(output, program)?;
    let is_source = match (path.canonicalize(), source.canonicalize()) {
        (Ok(path), Ok(source)) => path == source,
        _ => false,
    };
    ensure!(
        !(force && is_source),
        "{} is the run that is replayed, and is not replaced; name another one with -o",
        path.display()
    );
    Ok(())
}

/// Creates a directory; returns false if there is something of that name.
fn try_create(path: &Path) -> Result<bool> {
    match fs::create_dir(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot create {}", path.display())),
    }
}

/// Refuses a path that cannot be told to ranks, before any of them starts.
pub fn refuse_unnamable(path: &Path) -> Result<()> {
    directory::refuse_unnamable(path).map_err(anyhow::Error::msg)
}

/// Names a run as one would type it from here.
pub fn shown(run: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let near = run.strip_prefix(here).unwrap_or(run);
    near.display().to_string()
}

/// Removes an old run, and only what looks like one.
fn remove(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    refuse_others(path)?;
    // The worlds that it spawned go with it.
    let worlds = spawned::list(path);
    worlds.iter().try_for_each(|world| refuse_others(world))?;
    for run in worlds.iter().map(PathBuf::as_path).chain([path]) {
        fs::remove_dir_all(run).with_context(|| format!("cannot remove {}", run.display()))?;
    }
    Ok(())
}

/// Refuses to replace what does not look like a run, or is still being made.
fn refuse_others(path: &Path) -> Result<()> {
    let data = fs::symlink_metadata(path)?;
    let named = path.extension().is_some_and(|ending| ending == ENDING);
    let is_run = data.is_dir() && (named || path.join("run.json").is_file());
    ensure!(
        is_run,
        "{} is no run of mpiscope: not replaced",
        path.display()
    );
    living::refuse(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_replaced_with_the_worlds_that_it_spawned() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("heat.mpiscope");
        fs::create_dir(&run).unwrap();
        let world = spawned::create(&run).unwrap();
        let other = folder.path().join("heat-spawned.2.mpiscope");
        fs::create_dir(&other).unwrap();
        remove(&run).unwrap();
        assert!(!run.exists() && !world.exists());
        assert!(other.exists(), "it is of another program");
    }

    #[test]
    fn what_is_replayed_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("heat.mpiscope");
        fs::create_dir(&source).unwrap();
        let other = folder.path().join("./heat.mpiscope");
        let refused = |output: &Path, force| refuse_source(&source, Some(output), "heat", force);
        let error = refused(&other, true).unwrap_err().to_string();
        assert!(error.contains("is the run that is replayed"), "{error}");
        refused(&other, false).unwrap();
        refused(&folder.path().join("new.mpiscope"), true).unwrap();
    }

    #[test]
    fn runs_of_one_program_are_numbered() {
        let folder = tempfile::tempdir().unwrap();
        let first = folder.path().join("heat.mpiscope");
        let names: Vec<PathBuf> = (0..3)
            .map(|_| create_numbered(&first, "heat").unwrap())
            .collect();
        let ends = ["heat.mpiscope", "heat.2.mpiscope", "heat.3.mpiscope"];
        assert!(names
            .iter()
            .zip(ends)
            .all(|(name, end)| name.ends_with(end)));
    }

    #[test]
    fn a_chosen_name_is_replaced_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/a.mpiscope");
        create(Some(&path), "heat", false).unwrap();
        fs::write(path.join("old"), "").unwrap();
        let error = create(Some(&path), "heat", false).unwrap_err();
        assert!(error.to_string().contains("--force"), "{error}");
        create(Some(&path), "heat", true).unwrap();
        assert!(!path.join("old").exists());
    }

    #[test]
    fn force_spares_what_is_no_run() {
        let folder = tempfile::tempdir().unwrap();
        let thesis = folder.path().join("thesis");
        fs::create_dir(&thesis).unwrap();
        assert!(create(Some(&thesis), "heat", true).is_err());
        fs::write(thesis.join("run.json"), "{}").unwrap();
        assert!(create(Some(&thesis), "heat", true).is_ok());
        let file = folder.path().join("file.mpiscope");
        fs::write(&file, "text").unwrap();
        assert!(create(Some(&file), "heat", true).is_err());
    }
}
