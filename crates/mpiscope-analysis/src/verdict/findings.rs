//! The verdict as findings, in the words of the terminal. They are made here, and not beside those
//! of other analyses: the verdict names places as findings do.

use mpiscope_model::Trace;

use super::{Loss, Said, Verdict};
use crate::finding::{Findings, Place, Unit};

/// Kind of the findings that say what time was lost to.
pub const KIND: &str = "verdict";

impl Verdict {
    /// Adds what time was lost to; each weighs as much as was lost.
    pub fn add_to(&self, trace: &Trace, findings: &mut Findings) {
        let said = self.words(trace).losses;
        let losses = self.losses.iter().zip(said);
        let weighed = losses.map(|it| (it.0.lost.0.max(0) as u64, it));
        findings.add(
            KIND,
            "Verdict".to_owned(),
            Unit::Nanoseconds,
            weighed.collect(),
            |(loss, said)| describe(trace, loss, said),
        );
    }
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
    (places, said.paragraph())
}
