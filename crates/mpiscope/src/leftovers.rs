//! Memory that dead runs hold is given back before the next one needs it.

use mpiscope_run::shared_memory::{self, Leftover, Reclaimed, SHARED_MEMORY};

use crate::rundir::shown;
use crate::{say, size};

/// Gives back what this user's dead runs left in this host's shared memory, and says so.
pub fn reclaim() {
    for leftover in shared_memory::leftovers() {
        say::aside(format!("mpiscope: {}", told(&leftover)));
    }
}

fn told(leftover: &Leftover) -> String {
    let held = size::show(leftover.bytes);
    let what = name(leftover);
    match leftover.reclaim() {
        Ok(Reclaimed::Kept) => format!(
            "{held} that {what} left in {SHARED_MEMORY} when it died lie in its directory now \
             (mpiscope recover {what})"
        ),
        Ok(Reclaimed::Removed) => {
            format!("{held} that {what}, which was deleted, left in {SHARED_MEMORY} are free again")
        }
        Ok(Reclaimed::Elsewhere) => format!(
            "{held} that {what} left in {SHARED_MEMORY} are being moved into its directory by \
             another command"
        ),
        Ok(Reclaimed::Unknown) => format!(
            "{held} of a dead run stay in {}, as nothing tells where its run is; if nobody needs \
             them: rm -r {}",
            leftover.folder.display(),
            leftover.folder.display()
        ),
        Err(error) => format!("{held} that {what} left in {SHARED_MEMORY} stay there: {error}"),
    }
}

/// Names the run of a leftover as it can be typed.
pub fn name(leftover: &Leftover) -> String {
    let run = leftover.run.as_deref().unwrap_or(&leftover.folder);
    shown(run).to_string()
}
