//! Whether ranks received the data that they had received, where hashes of it are on record
//! (`mpiscope record --payload-hashes`).

use std::path::Path;

use mpiscope_run::order::outcome::{OtherData, RankOutcome, What};
use mpiscope_run::payload::{self, Depth};

/// Returns whether a run has hashes of what was received.
pub fn is_recorded(run: &Path) -> bool {
    let first = payload::ranks(run).first().copied();
    let header = first.and_then(|rank| payload::open(run, rank).ok());
    header.is_some_and(|(header, _)| header.depth == Depth::Hashes)
}

/// Notes of each rank where it received other data first; returns what cannot be compared.
pub fn compare(source: &Path, run: &Path, run_id: &str, ranks: &mut [RankOutcome]) -> Vec<String> {
    if !is_recorded(source) {
        return Vec::new();
    }
    // What is not there is told of below.
    let _ = payload::collect(run, run_id);
    let mut not_compared = Vec::new();
    for outcome in ranks {
        let found = payload::first_difference(source, run, outcome.rank);
        match found {
            Ok(None) => {}
            Ok(Some(first)) => note(outcome, first),
            Err(error) => not_compared.push(format!(
                "what rank {} received is not compared: {error}",
                outcome.rank
            )),
        }
    }
    not_compared
}

/// What came first counts.
fn note(outcome: &mut RankOutcome, first: payload::Receiving) {
    let known = outcome.other_data.as_ref();
    if known.is_some_and(|known| known.thread == 0 && known.call <= first.call) {
        return;
    }
    outcome.other_data = Some(OtherData {
        thread: 0,
        call: first.call,
        from: first.call,
        what: What::Payload,
        sites: vec![first.site],
    });
}
