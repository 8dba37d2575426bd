//! What is written beside its place, and moved there when it is complete.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use rustix::fs::{renameat_with, RenameFlags, CWD};

use crate::signals;

/// Returns a name in the same folder that nobody else uses.
pub fn beside(place: &Path, what: &str) -> Result<PathBuf> {
    let place = std::path::absolute(place)?;
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    Ok(place.with_file_name(format!(".{name}.{what}-{}", std::process::id())))
}

/// Refuses to write over what may be something else than what begins so.
pub fn check_place(place: &Path, force: bool, begins: &[u8], what: &str) -> Result<()> {
    let shown = place.display();
    ensure!(
        place.file_name().is_some(),
        "{shown} names no file to write"
    );
    let Ok(there) = place.symlink_metadata() else {
        return Ok(());
    };
    // Pipes and the like are written to as they are.
    if !there.is_dir() && !there.is_file() {
        return Ok(());
    }
    ensure!(there.is_file(), "{shown} is a directory; name a file");
    ensure!(
        force,
        "{shown} exists; give --force to replace it, or name another place"
    );
    let begin = fs::read(place).with_context(|| format!("cannot read {shown}"))?;
    ensure!(
        begin.starts_with(begins),
        "{shown} is no earlier {what}: not replaced"
    );
    Ok(())
}

/// Moves a file or a directory to its place; what is there goes away only when the new one is
/// complete, and a signal finds one of the two there.
pub fn replace(aside: &Path, place: &Path) -> Result<()> {
    if let Err(error) = signals::hold(|| exchange(aside, place)) {
        let _ = remove(aside);
        return Err(error.into());
    }
    // What was there, if anything was.
    match aside.symlink_metadata() {
        Ok(_) => Ok(remove(aside)?),
        Err(_) => Ok(()),
    }
}

/// Moves what is aside to its place, and what is there aside.
fn exchange(aside: &Path, place: &Path) -> std::io::Result<()> {
    let Ok(there) = place.symlink_metadata() else {
        return fs::rename(aside, place);
    };
    if !there.is_dir() && !aside.is_dir() {
        return fs::rename(aside, place);
    }
    if renameat_with(CWD, aside, CWD, place, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    // Not every file system can do it in one step.
    let mut old = aside.as_os_str().to_owned();
    old.push("-old");
    fs::rename(place, &old)?;
    if let Err(error) = fs::rename(aside, place) {
        fs::rename(&old, place)?;
        return Err(error);
    }
    fs::rename(&old, aside)
}

/// Writes a file in one step; what is no file, as a pipe, is written to as it is.
pub fn write(place: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    if place.symlink_metadata().is_ok_and(|it| !it.is_file()) {
        return Ok(fs::write(place, content)?);
    }
    let aside = beside(place, "partial")?;
    signals::remove_when_ended(&aside)?;
    let written = fs::write(&aside, content);
    written.inspect_err(|_| drop(remove(&aside)))?;
    replace(&aside, place)
}

/// Removes a file, or a directory with all that is in it.
pub fn remove(path: &Path) -> std::io::Result<()> {
    match fs::symlink_metadata(path)?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let [new, place] = ["new", "place"].map(|name| folder.path().join(name));
        for directory in [&new, &place] {
            fs::create_dir(directory).unwrap();
            fs::write(directory.join(directory.file_name().unwrap()), "").unwrap();
        }
        replace(&new, &place).unwrap();
        assert!(place.join("new").exists() && !place.join("place").exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_is_written_in_one_step() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("place");
        for content in ["long ago", "new"] {
            write(&place, content).unwrap();
            assert_eq!(fs::read_to_string(&place).unwrap(), content);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(&folder.path().join("no/such/place"), "").is_err());
    }

    #[test]
    fn so_is_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let [new, place] = ["new", "place"].map(|name| folder.path().join(name));
        fs::write(&new, "new").unwrap();
        fs::write(&place, "old").unwrap();
        replace(&new, &place).unwrap();
        assert_eq!(fs::read_to_string(&place).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
