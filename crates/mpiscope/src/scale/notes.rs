//! What is to be known of runs that are compared, besides figures: where they are not told, or not
//! alike.

use mpiscope_analysis::efficiency::NoIdeal;

use super::load::Loaded;
use crate::report::show;

/// Says what is not alike in runs, or not told of them.
pub fn of_runs(loaded: &[Loaded], is_whole: bool) -> Vec<String> {
    let mut notes: Vec<String> = loaded.iter().flat_map(|it| it.notes.clone()).collect();
    let untold = loaded.iter().flat_map(|it| &it.untold);
    notes.extend(untold.map(|what| format!("waiting is not told of {what}")));
    notes.extend(clocks(loaded));
    notes.extend(builds(loaded));
    for run in loaded {
        if let Err(why) = run.run.trusted() {
            let path = show::word(&run.path);
            notes.push(format!("{path} has no efficiencies: {why}"));
        }
        notes.extend(no_split(run));
    }
    notes.extend((!is_whole).then(|| parts_of_core_time(loaded)));
    notes
}

/// Says why communication efficiency has no factors, where that is not said otherwise.
fn no_split(run: &Loaded) -> Option<String> {
    let why = run.run.efficiency()?.split.err()?;
    let path = show::word(&run.path);
    run.untold.is_empty().then(|| match why {
        NoIdeal::NotReplayed => format!(
            "{path} has no serialization and transfer efficiencies: it has too many events to be \
             replayed unasked; `mpiscope analyze --ideal {path}` tells them"
        ),
        why => format!("{path} has no serialization and transfer efficiencies: {why}"),
    })
}

fn clocks(loaded: &[Loaded]) -> Option<String> {
    let mut clocks: Vec<&str> = loaded.iter().map(|it| it.clock).collect();
    clocks.sort_unstable();
    clocks.dedup();
    (clocks.len() > 1).then(|| {
        format!(
            "the runs are in different times ({}): waits and what is between them may differ by that",
            clocks.join(", ")
        )
    })
}

fn builds(loaded: &[Loaded]) -> Option<String> {
    let (first, others) = loaded.split_first()?;
    let differ = others.iter().any(|it| first.is_other_build(it));
    differ.then(|| {
        "the runs are of different builds of the program: what of a difference is the build's \
         cannot be told"
            .to_owned()
    })
}

/// Says that core time is no more than what was recorded, of all runs as of those where it cannot be
/// more.
fn parts_of_core_time(loaded: &[Loaded]) -> String {
    let parts = loaded.iter().filter(|it| it.run.ranks.is_err());
    let parts: Vec<String> = parts.map(|it| show::word(&it.path)).collect();
    format!(
        "core time is the sum of all rows, in all runs, and not ranks times time: of {} it is not \
         known otherwise; what threads and ranks took beside it is in no figure of it",
        show::list(&parts, 3)
    )
}
