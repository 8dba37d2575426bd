//! The run directory: its name and what lies where in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::shared_memory;
use crate::Error;

/// Suffix of a run directory.
pub const SUFFIX: &str = "mpiscope";

/// Creates a new run directory `NAME.mpiscope` in `parent`; where that is
/// taken `NAME.2.mpiscope` and so on. `program` may be a path: its last part counts.
///
/// # Errors
/// When the directory cannot be created.
pub fn create(parent: &Path, program: &str) -> Result<PathBuf, Error> {
    for number in 1..u32::MAX {
        let path = parent.join(name(program, number));
        match std::fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(Error::io(&path, e)),
        }
    }
    Err(Error::damaged(parent, "it has no free name left for a run"))
}

fn name(program: &str, number: u32) -> String {
    let stem = Path::new(program)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let stem = if stem.is_empty() { "run".into() } else { stem };
    match number {
        1 => format!("{stem}.{SUFFIX}"),
        _ => format!("{stem}.{number}.{SUFFIX}"),
    }
}

/// Refuses a path that no run can have: its ranks, `run.json` and programs that read what commands
/// say are told it as text.
///
/// # Errors
/// When it is not UTF-8: words that name it.
pub fn refuse_unnamable(path: &Path) -> std::result::Result<(), String> {
    match path.to_str() {
        Some(_) => Ok(()),
        None => Err(format!(
            "{path:?} is not UTF-8, as paths of runs must be: name a place that is"
        )),
    }
}

/// Returns the anchor of the archive as measured.
pub fn anchor(run: &Path) -> PathBuf {
    run.join("traces.otf2")
}

/// Returns the directory of the archive with corrected times.
pub fn corrected(run: &Path) -> PathBuf {
    run.join("corrected")
}

/// Returns the directory of the archive with the true times of a simulated run.
pub fn truth(run: &Path) -> PathBuf {
    run.join("truth")
}

/// Returns the file that is there while the ranks of an MPI program record
/// into the run: its rank 0 makes it, so that no second program gets in between.
pub fn recording(run: &Path) -> PathBuf {
    run.join("recording")
}

/// Returns the folder that takes its place where each rank begins by itself, with a file per rank.
pub fn recording_ranks(run: &Path) -> PathBuf {
    run.join("recording-ranks")
}

/// Says that this rank, which began by itself, does not record.
pub fn end_recording_of(run: &Path, rank: u32) {
    let _ = fs::remove_file(recording_ranks(run).join(rank.to_string()));
}

/// Returns the ranks that began by themselves.
pub fn ranks_recording(run: &Path) -> Vec<u32> {
    let entries = fs::read_dir(recording_ranks(run)).into_iter().flatten();
    let ranks = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ranks.collect()
}

/// Says that nobody records into the run any more.
pub fn end_recording(run: &Path) {
    // Mostly neither is there.
    let _ = fs::remove_file(recording(run));
    let _ = fs::remove_dir_all(recording_ranks(run));
}

/// Returns where the order record lies, a file per rank.
pub fn order(run: &Path) -> PathBuf {
    run.join("order")
}

/// Returns where buffers are kept that became no archive at once.
pub fn buffers(run: &Path) -> PathBuf {
    run.join("buffers")
}

/// Returns the folders in which buffers of a run may lie, as seen from this host.
pub fn places(run: &Path, run_id: &str) -> Vec<PathBuf> {
    let near = (!run_id.is_empty()).then(|| shared_memory::folder(run_id));
    near.into_iter().chain([buffers(run)]).collect()
}

/// Makes a file that processes write to, in `near`, which is memory, or if that
/// has no room among the run's buffers; returns where.
///
/// # Errors
/// When it can be made in neither.
pub fn place<T>(
    near: &Path,
    run: &Path,
    name: &str,
    make: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(PathBuf, T)> {
    let path = near.join(name);
    let error = match make(&path) {
        Ok(made) => return Ok((path, made)),
        Err(error) => error,
    };
    let far = buffers(run);
    let path = far.join(name);
    match std::fs::create_dir_all(&far).and_then(|()| make(&path)) {
        Ok(made) => Ok((path, made)),
        Err(second) => {
            let what = format!("{error}; in {}: {second}", far.display());
            Err(io::Error::new(second.kind(), what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_in_memory_lies_in_the_run() {
        let run = tempfile::tempdir().unwrap();
        let make = |path: &Path| std::fs::write(path, "");
        let (path, ()) = place(Path::new("/nowhere"), run.path(), "a", make).unwrap();
        assert_eq!(path, buffers(run.path()).join("a"));
        let error = place(Path::new("/nowhere"), &path, "a", make).unwrap_err();
        assert!(error.to_string().contains("buffers/a"), "{error}");
    }

    #[test]
    fn runs_of_one_program_are_numbered() {
        let parent = tempfile::tempdir().unwrap();
        let created: Vec<String> = (0..3)
            .map(|_| create(parent.path(), "/opt/bin/heat").unwrap())
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(
            created,
            ["heat.mpiscope", "heat.2.mpiscope", "heat.3.mpiscope"]
        );
    }
}
