//! The verdict's statements, in the words of the terminal.

use mpiscope_model::Trace;

use super::{Findings, Place, Unit};
use crate::verdict::{Loss, Said, Verdict};

/// Adds what time was lost to; each weighs as much as was lost.
pub fn of_verdict(trace: &Trace, verdict: &Verdict, findings: &mut Findings) {
    let said = verdict.words(trace).losses;
    let losses = verdict.losses.iter().zip(said);
    findings.add(
        "verdict",
        "Verdict".to_owned(),
        Unit::Nanoseconds,
        losses.map(|it| (it.0.lost.0.max(0) as u64, it)).collect(),
        |(loss, said)| describe(trace, loss, said),
    );
}

fn describe(trace: &Trace, loss: &Loss, said: &Said) -> (Vec<Place>, String) {
    let roles = ["causes", "effect"];
    let events = loss.events.into_iter().flatten();
    let mut places: Vec<Place> = roles
        .into_iter()
        .zip(events)
        .map(|(role, event)| Place::new(trace, role, event))
        .collect();
    places.dedup_by_key(|it| it.event);
    let text = format!(
        "{}. {}. Next: {}",
        super::sentence(&said.text),
        super::sentence(&said.why),
        said.next
    );
    (places, text)
}
