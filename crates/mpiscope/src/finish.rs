//! The end of a run: what the processes left becomes an archive, and that a corrected one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use mpiscope_run::recover::{has_more, recover_guarded, Recovered};
use mpiscope_run::run_info::{RunInfo, State};
use mpiscope_run::stored;
use mpiscope_run::{directory, endings, shared_memory};

use crate::correction::Summary;
use crate::end_of_run::EndOfRun;
use crate::input::{Damaged, Input};
use crate::launch::environment;
use crate::living::{still_running, wait_for_writers};
use crate::report::show;
use crate::rundir::shown;
use crate::{elsewhere, say, signals, symbols, sync};

/// What a run has left.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    /// The ranks wrote the archive.
    Complete,
    /// It was made from their buffers.
    Recovered(Recovered),
    /// No process recorded anything.
    Nothing,
}

/// Makes sure that a run has its archive; the processes have ended, or are about to.
pub fn complete(run: &Path, run_id: &str) -> Result<Outcome> {
    if is_complete(run) && !has_more(run, run_id) {
        return Ok(Outcome::Complete);
    }
    if buffers(run, run_id).is_empty() {
        // An archive whose run.json could not be renewed is one all the same.
        return Ok(match directory::anchor(run).is_file() {
            true => Outcome::Complete,
            false => Outcome::Nothing,
        });
    }
    wait_for_writers(run, run_id);
    if is_complete(run) && !has_more(run, run_id) {
        return Ok(Outcome::Complete); // the launcher ended first
    }
    match recovered(run) {
        Ok(recovered) => Ok(Outcome::Recovered(recovered)),
        Err(error) if still_running(run, run_id).is_some() => Err(error.into()),
        Err(error) => Err(Damaged(error.to_string()).into()),
    }
}

/// Makes the archive of the run's buffers. Who is interrupted finds none, and may begin again: the
/// buffers stay.
fn recovered(run: &Path) -> Result<Recovered, mpiscope_run::Error> {
    let anchor = directory::anchor(run);
    let parts = [
        anchor.clone(),
        anchor.with_extension("def"),
        anchor.with_extension(""),
    ];
    for part in &parts {
        // Whoever cannot be told of signals is ended by them as ever.
        let _ = signals::remove_when_ended(part);
    }
    let recovered = recover_guarded(run, |prepare| signals::hold(prepare));
    parts.iter().for_each(|part| signals::keep(part));
    recovered
}

/// Returns whether the archive and all that is known of it are there.
pub fn is_complete(run: &Path) -> bool {
    let state = RunInfo::read(run).map(|info| info.state);
    let done = state.is_ok_and(|state| state != State::Running);
    done && directory::anchor(run).is_file()
}

/// Lists the buffers of a run: in this host's shared memory, and in the run itself.
pub fn buffers(run: &Path, run_id: &str) -> Vec<PathBuf> {
    let mut buffers = stored::list(&directory::buffers(run));
    if !run_id.is_empty() {
        buffers.extend(stored::list(&shared_memory::folder(run_id)));
    }
    buffers
}

/// Removes a run in which nothing was recorded, unless it has something to tell.
pub fn remove_empty(run: &Path, run_id: &str) -> Result<()> {
    // Made by the agent before it gave up.
    shared_memory::remove(&shared_memory::folder(run_id));
    let entries = fs::read_dir(run).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    let foreign = names.any(|name| !environment::OF_LAUNCH.iter().any(|known| name == *known));
    if foreign || run.join("notices").exists() {
        return Ok(());
    }
    fs::remove_dir_all(run).with_context(|| format!("cannot remove {}", run.display()))
}

/// Says what recovery found.
pub fn tell_recovered(run: &Path, recovered: &Recovered) {
    say::aside(format!(
        "mpiscope: the archive holds what {} had committed: {}",
        show::counted(recovered.ranks.into(), "rank"),
        show::counted(recovered.events, "event")
    ));
    if recovered.lost > 0 {
        let lost = show::counted(recovered.lost, "event");
        say::aside(format!("note: {lost} could not be kept"));
    }
    if !recovered.missing.is_empty() {
        say::aside(format!(
            "note: {}",
            elsewhere::missing(run, &recovered.missing)
        ));
    }
    for note in &recovered.notes {
        say::aside(format!("note: {note}"));
    }
}

/// Names the lines from which MPI was called; the archive is good without, too.
pub fn name_call_sites(run: &Path) {
    if let Err(error) = symbols::resolve(run) {
        say::aside(format!("note: {}", say::chain(&error)));
    }
}

/// Corrects the archive and says in short what was found; returns the exit code that this deserves.
pub fn correct(run: &Path, replace: bool) -> Result<u8> {
    let summary = sync::of_run(run, replace).context("the archive is not corrected")?;
    for line in lines(&summary) {
        say::aside(line);
    }
    Ok(summary.verdict())
}

/// Says how many samples there are, where there were to be any.
pub fn tell_samples(run: &Path) {
    if let Some(samples) = RunInfo::read(run).ok().and_then(|info| info.samples_told()) {
        say::aside(format!("mpiscope: {samples}"));
    }
}

/// Says which counters there are, where any were to be read, and how to look at them.
pub fn tell_counters(run: &Path) {
    let Some(counters) = RunInfo::read(run).ok().and_then(|info| info.counters) else {
        return;
    };
    let look = match counters.names.is_empty() {
        true => String::new(),
        false => format!(" (mpiscope profile --by counter {})", shown(run)),
    };
    say::aside(format!("mpiscope: {}{look}", counters.sentence()));
}

/// Says what of a run was not kept, or may not have been.
pub fn tell_not_kept(run: &Path) -> Result<()> {
    let info = RunInfo::read(run)?;
    for what in info.not_kept() {
        say::aside(format!("warning: {what}"));
    }
    if let Some(polls) = info.polls_told() {
        say::aside(polls);
    }
    Ok(())
}

/// Returns how a run ended in which not all ranks came to MPI_Finalize; nothing if its archive cannot
/// be read, which is told of where it is corrected.
pub fn end(run: &Path) -> Option<EndOfRun> {
    EndOfRun::of(&Input::open(run).ok()?)
}

/// Says of a run that died who ended by what, and where all ranks stood; whether it did. How it
/// [ended](end) may be known already.
pub fn tell_end(run: &Path, known: Option<EndOfRun>) -> bool {
    let recovered = RunInfo::read(run).is_ok_and(|info| info.state == State::Recovered);
    if !recovered && endings::read(run).is_empty() {
        return false;
    }
    let end = known.or_else(|| end(run));
    for sentence in end.iter().flat_map(EndOfRun::sentences) {
        say::aside(format!("mpiscope: {sentence}"));
    }
    end.is_some()
}

/// Says what to type next: of a run that died first what knows why it could not go on.
pub fn tell_next(run: &Path, died: bool) {
    let here = std::env::current_dir().unwrap_or_default();
    let near = run.strip_prefix(here).unwrap_or(run);
    let run = show::word(near);
    let races = match died {
        true => format!("mpiscope races {run}; "),
        false => String::new(),
    };
    say::aside(format!(
        "mpiscope: next: {races}mpiscope info {run}; mpiscope analyze {run}; mpiscope view {run}; \
         mpiscope report {run}"
    ));
}

fn lines(summary: &Summary) -> Vec<String> {
    let mut lines = vec![
        format!("mpiscope: {}", summary.contents()),
        format!(
            "mpiscope: {}",
            summary.violations.sentence(summary.messages.logical)
        ),
    ];
    let errors = summary.damage.iter().cloned().chain(summary.alarm());
    lines.extend(errors.map(|text| format!("error: {text}")));
    lines.extend(
        summary
            .warnings
            .iter()
            .map(|text| format!("warning: {text}")),
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_records_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("a.mpiscope");
        fs::create_dir_all(run.join("agent")).unwrap();
        assert_eq!(complete(&run, "no-such-run").unwrap(), Outcome::Nothing);
        remove_empty(&run, "no-such-run").unwrap();
        assert!(!run.exists());
    }

    #[test]
    fn a_run_with_notices_or_records_stays() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["notices", "spill"] {
            let run = folder.path().join(name);
            fs::create_dir_all(run.join(name)).unwrap();
            remove_empty(&run, "no-such-run").unwrap();
            assert!(run.exists(), "{name}");
        }
    }

    #[test]
    fn a_run_is_complete_with_anchor_and_facts() {
        let run = tempfile::tempdir().unwrap();
        fs::write(directory::anchor(run.path()), "").unwrap();
        let mut info = RunInfo::default();
        for (state, complete) in [
            (State::Running, false),
            (State::Finished, true),
            (State::Recovered, true),
        ] {
            info.state = state;
            info.write(run.path()).unwrap();
            assert_eq!(is_complete(run.path()), complete, "{state:?}");
        }
    }
}
