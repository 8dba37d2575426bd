//! Commands are given packed runs as they are given runs: what they read is unpacked for them,
//! and goes away with them.
//!
//! A command that writes into the run has to be told where else that goes; one that starts the
//! program again needs the run itself.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use tempfile::TempDir;

use crate::cli::Command;
use crate::input::Damaged;
use crate::packed::{self, is_packed, Packed};
use crate::{export, job, signals};

/// What was unpacked for a command; it is removed with this.
#[derive(Debug, Default)]
pub struct Unpacked(Vec<TempDir>);

/// Unpacks what a command is given packed, and has it read that.
pub fn open(command: &mut Command) -> Result<Unpacked> {
    let mut unpacked = Unpacked::default();
    let packed = command.inputs().into_iter().find(|path| is_packed(path));
    if let Some(file) = packed.map(|path| path.clone()) {
        ensure!(
            job::processes().is_none(),
            "{0} is a packed run, and each process would unpack it for itself; unpack it first: \
             mpiscope unpack {0}",
            file.display()
        );
        fit(command, &file)?;
    }
    for path in command.inputs() {
        if is_packed(path) {
            let (folder, run) = unpack(path)?;
            unpacked.0.push(folder);
            *path = run;
        }
    }
    Ok(unpacked)
}

/// Settles where a command writes that has only a file to read; an error if it cannot do so.
fn fit(command: &mut Command, file: &Path) -> Result<()> {
    let shown = file.display();
    match command {
        Command::Sync(sync) => ensure!(
            sync.output.is_some() || (sync.truth && !sync.force),
            "{shown} stays as it is: name where the corrected archive goes with -o, or unpack the \
             run first (mpiscope unpack {shown})"
        ),
        Command::Export(export) if export.output.is_none() => {
            let run = file.with_file_name(Packed::open(file)?.root());
            export.output = Some(export::derived(&run, export.to));
        }
        Command::Top(top) => ensure!(
            top.once || top.json || top.openmetrics || top.output.is_some(),
            "{shown} is a packed run, in which nothing happens any more: `mpiscope stats {shown}`, \
             or `mpiscope top --once {shown}`"
        ),
        Command::Replay(_) | Command::Explore(_) | Command::Recover(_) => bail!(
            "{shown} is a packed run, and this works in the run itself; next: mpiscope unpack \
             {shown}"
        ),
        _ => {}
    }
    Ok(())
}

/// Unpacks a run where temporary files go.
fn unpack(file: &Path) -> Result<(TempDir, PathBuf)> {
    let packed = Packed::open(file)?;
    let folder = signals::make_fleeting(|| {
        let folder = tempfile::Builder::new().prefix("mpiscope-").tempdir();
        let folder = folder.context("cannot make a temporary folder (TMPDIR says where)")?;
        let path = folder.path().to_owned();
        Ok((folder, path))
    })?;
    // What the system calls it: commands may, too.
    let run = folder.path().canonicalize()?.join(packed.root());
    packed::remember(&run, file);
    let restored = packed.restore(&run).with_context(|| {
        format!(
            "cannot unpack {} (TMPDIR says where it is unpacked)",
            file.display()
        )
    })?;
    if let Some(damage) = restored.damage.first() {
        let whole = match restored.files {
            0 => "nothing could be restored".to_owned(),
            _ => format!(
                "`mpiscope unpack {}` restores what is whole",
                file.display()
            ),
        };
        return Err(Damaged(format!("{damage}; {whole}")).into());
    }
    Ok((folder, run))
}
