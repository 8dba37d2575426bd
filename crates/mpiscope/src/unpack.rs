//! `mpiscope unpack`: the run or archive that was packed, as it was.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use mpiscope_archive::trace::anchor_of;
use mpiscope_run::run_info;

use crate::aside::{beside, remove, replace};
use crate::cli::Unpack;
use crate::exit::DAMAGED;
use crate::input::Damaged;
use crate::packed::{is_packed, Packed};
use crate::report::show;
use crate::{living, say, signals, size};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Unpack) -> Result<u8> {
    let file = &arguments.input;
    ensure!(file.exists(), "{}: no such file", file.display());
    ensure!(
        is_packed(file),
        "{} is no packed run: `mpiscope pack` writes them",
        file.display()
    );
    let packed = Packed::open(file)?;
    let place = match &arguments.output {
        Some(place) => place.clone(),
        None => file.with_file_name(packed.root()),
    };
    check_free(&place, arguments.force)?;
    let aside = beside(&place, "partial")?;
    // Of an earlier process of that number.
    let _ = remove(&aside);
    signals::remove_when_ended(&aside)?;
    let restored = packed.restore(&aside).inspect_err(|_| {
        let _ = remove(&aside);
    });
    let restored = restored.with_context(|| format!("cannot unpack {}", file.display()))?;
    if restored.files == 0 {
        remove(&aside)?;
        let damage = restored.damage.join("; ");
        return Err(Damaged(format!("{damage}; nothing could be restored")).into());
    }
    replace(&aside, &place).with_context(|| format!("cannot write {}", place.display()))?;
    say::report(format!(
        "{}: {} of {}",
        place.display(),
        show::counted(restored.files as u64, "file"),
        size::show(restored.bytes)
    ))?;
    for damage in &restored.damage {
        say::aside(format!("error: {damage}; all else was restored"));
    }
    Ok(if restored.damage.is_empty() {
        0
    } else {
        DAMAGED
    })
}

/// Refuses to replace what nobody asked to replace, or what is neither run nor archive.
fn check_free(place: &Path, force: bool) -> Result<()> {
    let shown = place.display();
    ensure!(
        place.file_name().is_some(),
        "{shown} names no directory to make"
    );
    let Ok(data) = fs::symlink_metadata(place) else {
        return Ok(());
    };
    let is_empty = || fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_none());
    if data.is_dir() && is_empty() {
        return Ok(());
    }
    ensure!(
        force,
        "{shown} exists; give --force to replace it, or another name with -o"
    );
    let is_archive = || anchor_of(place).is_ok_and(|anchor: PathBuf| anchor.is_file());
    let is_ours = data.is_dir() && (place.join(run_info::FILE).is_file() || is_archive());
    ensure!(
        is_ours,
        "{shown} is neither a run nor an archive: not replaced"
    );
    living::refuse(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_run_is_replaced_and_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("heat.mpiscope");
        let check = |force| check_free(&place, force).map_err(|error| error.to_string());
        assert!(check(false).is_ok());
        fs::create_dir(&place).unwrap();
        assert!(check(false).is_ok());
        fs::write(place.join("thesis"), "").unwrap();
        assert!(check(false).unwrap_err().contains("--force"));
        assert!(check(true).unwrap_err().contains("neither a run"));
        fs::write(place.join(run_info::FILE), "{}").unwrap();
        assert!(check(true).is_ok());
    }
}
