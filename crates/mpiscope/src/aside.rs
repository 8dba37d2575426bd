//! What is written beside its place, and moved there when it is complete.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

/// Returns a name in the same folder that nobody else uses.
pub fn beside(place: &Path, what: &str) -> Result<PathBuf> {
    let place = std::path::absolute(place)?;
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    Ok(place.with_file_name(format!(".{name}.{what}-{}", std::process::id())))
}

/// Moves a file or a directory to its place; what is there goes away only when the new one is
/// complete.
pub fn replace(aside: &Path, place: &Path) -> Result<()> {
    let old = beside(place, "old")?;
    let had = place.exists();
    if had {
        fs::rename(place, &old)?;
    }
    if let Err(error) = fs::rename(aside, place) {
        if had {
            let _ = fs::rename(&old, place);
        }
        let _ = remove(aside);
        return Err(error.into());
    }
    if had {
        remove(&old)?;
    }
    Ok(())
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
