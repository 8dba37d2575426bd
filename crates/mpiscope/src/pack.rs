//! `mpiscope pack`: a run or an archive becomes one file.

mod anonymous;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use mpiscope_archive::progress::Progress;
use mpiscope_archive::trace::anchor_of;
use mpiscope_run::directory;
use mpiscope_run::run_info::{self, RunInfo};

use crate::aside::{beside, remove, replace};
use crate::cli::{Only, Pack};
use crate::packed::{self, is_packed, Source, ENDING};
use crate::progress::{self, Unit};
use crate::report::show;
use crate::{cache, finish, input, living, say, shifts, signals, size};
use anonymous::{Anonymous, ANONYMOUS};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Pack) -> Result<u8> {
    let given = &arguments.input;
    ensure!(!is_packed(given), "{} is packed already", given.display());
    ensure!(
        given.exists(),
        "{}: no such run or archive",
        given.display()
    );
    let path = input::run_of(given);
    let mut made = None;
    let (source, default) = match (arguments.anonymize, is_run(&path)) {
        (true, is_run) => {
            let anonymous = made.insert(Anonymous::make(&path, is_run)?);
            (anonymous.source()?, beside_input(given, ANONYMOUS))
        }
        (false, true) => of_run(&path, arguments.only)?,
        (false, false) => of_archive(&path, arguments.only)?,
    };
    let place = match &arguments.output {
        Some(place) => place.clone(),
        None => default,
    };
    check_place(&place, &source, arguments.force)?;
    let aside = beside(&place, "partial")?;
    // Of an earlier process of that number.
    let _ = remove(&aside);
    signals::remove_when_ended(&aside)?;
    let progress = Progress::default();
    progress.expect(source.bytes());
    let what = format!("packing {}", given.display());
    let index = progress::during(&what, Unit::Bytes, &progress, || {
        packed::write(&source, &aside, &progress)
    });
    let index = index.inspect_err(|_| {
        let _ = remove(&aside);
    })?;
    replace(&aside, &place).with_context(|| format!("cannot write {}", place.display()))?;
    say::report(format!(
        "{}: {} of {}, packed into {}",
        place.display(),
        show::counted(index.files().count() as u64, "file"),
        size::show(index.bytes()),
        size::show(fs::metadata(&place)?.len())
    ))?;
    if let Some(anonymous) = made {
        say::report(anonymous.left_out())?;
    }
    Ok(0)
}

fn is_run(path: &Path) -> bool {
    let named = path.extension().is_some_and(|it| it == directory::SUFFIX);
    path.is_dir() && (path.join(run_info::FILE).is_file() || named)
}

/// Returns what of a run is packed, and where that goes.
fn of_run(run: &Path, only: Option<Only>) -> Result<(Source, PathBuf)> {
    refuse_unfinished(run)?;
    let full = run
        .canonicalize()
        .with_context(|| format!("cannot read {}", run.display()))?;
    let name = name_of(&full)?;
    let stem = name.strip_suffix(".mpiscope").unwrap_or(&name).to_owned();
    let (folder, root) = match only {
        None => (run.to_owned(), name),
        Some(Only::Measured) => (run.to_owned(), format!("{stem}-measured.mpiscope")),
        Some(Only::Corrected) => (directory::corrected(run), format!("{stem}-corrected")),
    };
    ensure!(
        only != Some(Only::Corrected) || folder.is_dir(),
        "{} has no corrected archive; `mpiscope sync {0}` writes one",
        run.display()
    );
    let mut paths = below(&folder)?;
    // What commands keep is of the files as they lie here.
    paths.retain(|path| !cache::is_kept(path));
    if only == Some(Only::Measured) {
        let corrected = directory::corrected(Path::new(""));
        // What `info` says of the run is of both archives.
        paths.retain(|path| !path.starts_with(&corrected) && path != Path::new("info.json"));
    }
    let place = near(run, &full, &root);
    let source = Source {
        folder,
        root,
        paths,
    };
    Ok((source, place))
}

/// A run whose program has not ended, or whose buffers are not in it, would be packed in part.
fn refuse_unfinished(run: &Path) -> Result<()> {
    let shown = run.display();
    // A damaged run.json does not hinder packing.
    let run_id = RunInfo::read(run).unwrap_or_default().run_id;
    if let Some(process) = living::still_running(run, &run_id) {
        bail!("{shown}: the program still runs (process {process})");
    }
    let outside = finish::buffers(run, &run_id);
    let outside = outside.iter().any(|path| !path.starts_with(run));
    ensure!(
        !outside,
        "{shown}: its ranks died and left their events in shared memory; `mpiscope recover \
         {shown}` brings them into the run"
    );
    Ok(())
}

/// Returns an archive, without what else lies beside it, and where it goes.
fn of_archive(path: &Path, only: Option<Only>) -> Result<(Source, PathBuf)> {
    ensure!(
        only.is_none(),
        "{} is no run, so there is nothing to choose by --only",
        path.display()
    );
    let anchor = anchor_of(path)?;
    ensure!(
        input::begins_like_an_archive(&anchor),
        "{} is neither a run nor the anchor of an OTF2 archive",
        path.display()
    );
    let full = anchor.canonicalize()?;
    let folder = full.parent().unwrap_or(Path::new("/")).to_owned();
    let stem = full.file_stem().unwrap_or_default();
    let own = [stem.into(), full.with_extension("def").into_os_string()];
    let own =
        own.map(|name: OsString| PathBuf::from(Path::new(&name).file_name().unwrap_or(&name)));
    let shifts = shifts::beside(&full);
    let is_own = |path: &PathBuf| {
        own.iter().any(|own| path.starts_with(own))
            || Some(path.as_os_str()) == full.file_name()
            || path == Path::new("uncertainty.json")
            || Some(path.as_os_str()) == shifts.file_name()
    };
    let mut paths = below(&folder)?;
    paths.retain(is_own);
    let root = match path.is_dir() {
        true => name_of(&folder)?,
        false => name_of(&full.with_extension(""))?,
    };
    let (given, target) = match path.is_dir() {
        true => (path, &folder),
        false => (&*anchor, &full),
    };
    let place = near(given, target, &root);
    let source = Source {
        folder,
        root,
        paths,
    };
    Ok((source, place))
}

fn name_of(full: &Path) -> Result<String> {
    let name = full
        .file_name()
        .with_context(|| format!("{} has no name; name a folder above it", full.display()))?;
    let name = name.to_str().with_context(|| {
        format!(
            "the name of {} is no UTF-8, as names in a packed run are; rename it",
            full.display()
        )
    })?;
    Ok(name.to_owned())
}

/// Returns the packed run's name beside the input, as the user writes it where that is possible.
fn near(given: &Path, full: &Path, root: &str) -> PathBuf {
    let name = format!("{root}{ENDING}");
    match given.file_name() {
        Some(_) => given.with_file_name(name),
        None => full.with_file_name(name),
    }
}

/// Returns where a packed run of another name than its input's goes.
fn beside_input(given: &Path, root: &str) -> PathBuf {
    given.with_file_name(format!("{root}{ENDING}"))
}

/// Bytes of a file that is long.
const LONG: u64 = 1 << 20;

/// Lists all that lies below a folder: files, so that those stand side by side that are most alike,
/// and then the folders. Of short files that is a rank's own in measured and in true time, so that
/// who compresses meets one while the other is in sight (a fifteenth is saved); of long ones it is
/// those of neighbouring ranks (a fifteenth, too, where ranks do the same).
fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = vec![PathBuf::new()];
    let mut files = Vec::new();
    let mut at = 0;
    while let Some(within) = folders.get(at).cloned() {
        let path = folder.join(&within);
        let context = || format!("cannot read {}", path.display());
        for entry in fs::read_dir(&path).with_context(context)? {
            let entry = entry.with_context(context)?;
            let path = within.join(entry.file_name());
            let data = entry.metadata().with_context(context)?;
            match data.is_dir() {
                true => folders.push(path),
                false => files.push((data.len() >= LONG, path)),
            }
        }
        at += 1;
    }
    folders.remove(0);
    folders.sort_by(|a, b| b.cmp(a));
    files.sort_by_cached_key(|(is_long, path)| {
        let as_if = if *is_long { path } else { of_any_time(path) };
        (*is_long, by_number(as_if), path.clone())
    });
    let files = files.into_iter().map(|(_, path)| path);
    Ok(files.chain(folders).collect())
}

/// Returns what sorts the files of a folder that are named by numbers as these.
fn by_number(path: &Path) -> (PathBuf, u64, PathBuf) {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let number = stem.and_then(|stem| stem.parse().ok()).unwrap_or(0);
    let folder = path.parent().unwrap_or(Path::new(""));
    (folder.to_owned(), number, path.to_owned())
}

/// Returns which file of an archive this is, whichever of a run's archives that is.
fn of_any_time(path: &Path) -> &Path {
    let others = [directory::corrected, directory::truth].map(|folder| folder(Path::new("")));
    let mut within = others
        .iter()
        .filter_map(|folder| path.strip_prefix(folder).ok());
    within.next().unwrap_or(path)
}

/// Refuses to replace what nobody asked to replace, or what is no packed run.
fn check_place(place: &Path, source: &Source, force: bool) -> Result<()> {
    let shown = place.display();
    ensure!(
        place.file_name().is_some(),
        "{shown} names no file to write"
    );
    if let (Ok(place), Ok(folder)) = (place.canonicalize(), source.folder.canonicalize()) {
        ensure!(
            !place.starts_with(folder),
            "{shown} is part of what is packed; name another place"
        );
    }
    if place.symlink_metadata().is_err() {
        return Ok(());
    }
    ensure!(
        force,
        "{shown} exists; give --force to replace it, or another place with -o"
    );
    ensure!(
        is_packed(place),
        "{shown} is no earlier packed run: not replaced"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_alike_stand_side_by_side() {
        let check = |length: u64, expected: [&str; 5]| {
            let folder = tempfile::tempdir().unwrap();
            for file in expected {
                let path = folder.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let file = fs::File::create(path).unwrap();
                file.set_len(length).unwrap();
            }
            let paths = below(folder.path()).unwrap();
            let folders = ["truth/traces", "truth", "traces"];
            let expected = expected.into_iter().chain(folders);
            assert_eq!(paths, expected.map(PathBuf::from).collect::<Vec<_>>());
        };
        check(
            LONG - 1,
            [
                "run.json",
                "traces/2.evt",
                "truth/traces/2.evt",
                "traces/10.evt",
                "truth/traces/10.evt",
            ],
        );
        check(
            LONG,
            [
                "run.json",
                "traces/2.evt",
                "traces/10.evt",
                "truth/traces/2.evt",
                "truth/traces/10.evt",
            ],
        );
    }

    #[test]
    fn only_a_packed_run_is_replaced_and_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let source = Source {
            folder: folder.path().join("heat.mpiscope"),
            root: "heat.mpiscope".to_owned(),
            paths: Vec::new(),
        };
        fs::create_dir(&source.folder).unwrap();
        let check = |name: &str, force: bool| {
            let place = folder.path().join(name);
            check_place(&place, &source, force).map_err(|error| error.to_string())
        };
        assert!(check("a.tar.zst", false).is_ok());
        fs::write(folder.path().join("a.tar.zst"), b"\x28\xB5\x2F\xFD").unwrap();
        assert!(check("a.tar.zst", false).unwrap_err().contains("--force"));
        assert!(check("a.tar.zst", true).is_ok());
        fs::write(folder.path().join("thesis"), "text").unwrap();
        let error = check("thesis", true).unwrap_err();
        assert!(error.contains("no earlier packed run"), "{error}");
        fs::write(source.folder.join("run.json"), "").unwrap();
        let error = check("heat.mpiscope/run.json", true).unwrap_err();
        assert!(error.contains("part of what is packed"), "{error}");
    }
}
