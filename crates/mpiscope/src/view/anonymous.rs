//! What says where, by whom and of what program a run is, left out.

use mpiscope_serve::About;

/// Whether names of hosts, paths, programs and sources are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// They are.
    Kept,
    /// They are not.
    LeftOut,
}

/// Facts that say nothing of where and what.
const PLAIN: [&str; 3] = ["MPI", "Processes", "Events"];

/// Returns the facts that say where and what.
pub fn telling(about: &About) -> impl Iterator<Item = &(String, String)> {
    let facts = about.facts.iter();
    facts.filter(|(word, _)| !PLAIN.contains(&word.as_str()))
}

/// Takes names out of what is known of a run; what may hold some is counted instead.
pub fn about(about: &mut About) {
    about.name = "run".to_owned();
    about
        .facts
        .retain(|(word, _)| PLAIN.contains(&word.as_str()));
    about.sources.clear();
    about.is_timeless = true;
    about
        .ended
        .iter_mut()
        .for_each(|(_, why)| *why = "ended early".to_owned());
    let count = std::mem::take(&mut about.notes).len();
    if count > 0 {
        about.notes = vec![format!(
            "{count} notes on the run are left out, as they may name files"
        )];
    }
}
