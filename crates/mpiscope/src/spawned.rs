//! Worlds that the program spawned: each is a run of its own, and ends as that of the program does.

use std::path::{Path, PathBuf};

use anyhow::Result;
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::spawned;

use crate::launch::environment::Launch;
use crate::rundir::shown;
use crate::{exit, say};

/// Concludes the run of the program, then those of the worlds that it spawned; returns the exit code that
/// they deserve together, and says what went wrong.
pub fn conclude_each(
    run: &Path,
    launch: &Launch,
    conclude: impl Fn(&Path, &Launch) -> Result<u8>,
) -> u8 {
    let conclude = |run: &Path, launch: &Launch| {
        conclude(run, launch).unwrap_or_else(|error| {
            say::aside(format!("error: {}: {}", shown(run), say::chain(&error)));
            exit::of(&error)
        })
    };
    note(run);
    // A run in which nothing was recorded goes, and its list with it.
    let worlds = worlds(run, launch);
    let mut code = conclude(run, launch);
    for (world, launch) in worlds {
        say::aside(format!(
            "mpiscope: processes that the program spawned are a run of their own: {}",
            shown(&world)
        ));
        code = code.max(conclude(&world, &launch));
    }
    code
}

/// Has the run of the program name those of the worlds that it spawned, before it is completed.
fn note(run: &Path) {
    let worlds = spawned::list(run);
    let info = RunInfo::read(run).ok().filter(|_| !worlds.is_empty());
    let Some(mut info) = info else { return };
    info.notes.extend(worlds.iter().map(|world| {
        format!(
            "processes that the program spawned are a run of their own, beside this one: {}",
            world.file_name().unwrap_or_default().to_string_lossy()
        )
    }));
    if let Err(error) = info.write(run) {
        say::aside(format!("note: {error}"));
    }
}

/// Returns the runs of the worlds that processes of a run spawned, each with how it was launched.
fn worlds(run: &Path, launch: &Launch) -> Vec<(PathBuf, Launch)> {
    let worlds = spawned::list(run).into_iter();
    let with_launch = |world: PathBuf| {
        // One whose run cannot be read never began.
        let run_id = RunInfo::read(&world).ok()?.run_id;
        let launch = Launch {
            run_id,
            ..launch.clone()
        };
        Some((world, launch))
    };
    worlds.filter_map(with_launch).collect()
}
