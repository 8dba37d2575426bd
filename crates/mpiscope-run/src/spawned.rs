//! Worlds that a program spawned (MPI 4.1, §11.8): each is a run of its own, beside the one of the
//! program, which has a list of them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::directory::{self, SUFFIX};
use crate::Error;

/// What the list is called.
pub const FILE: &str = "spawned";

/// Creates the run of a world that processes of the run `from` spawned, and names it there.
///
/// # Errors
/// When the directory cannot be created, or the list not be written.
pub fn create(from: &Path) -> Result<PathBuf, Error> {
    let name = from.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(&format!(".{SUFFIX}")).unwrap_or(&name);
    let parent = from.parent().unwrap_or(Path::new(""));
    let run = directory::create(parent, &format!("{stem}-spawned"))?;
    let list = from.join(FILE);
    let line = run.file_name().unwrap_or_default().to_string_lossy();
    let file = fs::OpenOptions::new().create(true).append(true).open(&list);
    // One write: several worlds may begin at a time.
    let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    written.map_err(|error| Error::io(&list, error))?;
    Ok(run)
}

/// Returns the runs of the worlds that processes of a run spawned, as they began, as far as they are
/// beside it still.
pub fn list(run: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(run.join(FILE)).unwrap_or_default();
    let is_name = |line: &&str| {
        let path = Path::new(line);
        path.file_name() == Some(line.as_ref()) && path.extension() == Some(SUFFIX.as_ref())
    };
    let names = text.lines().filter(is_name);
    names
        .map(|name| run.with_file_name(name))
        .filter(|path| path.is_dir())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_knows_the_worlds_that_it_spawned() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("master.mpiscope");
        fs::create_dir(&run).unwrap();
        assert!(list(&run).is_empty());
        let [first, second] = [(); 2].map(|()| create(&run).unwrap());
        assert_eq!(first, folder.path().join("master-spawned.mpiscope"));
        assert_eq!(second, folder.path().join("master-spawned.2.mpiscope"));
        assert_eq!(list(&run), [first.clone(), second]);
        fs::write(
            run.join(FILE),
            "../master.mpiscope\n.\n\nmaster-spawned.mpiscope\n",
        )
        .unwrap();
        assert_eq!(list(&run), [first], "others are none of ours");
    }
}
