//! Wait states, each kind by itself.

use mpiscope_model::Trace;

use super::{call, rounded, sentence, who, Findings, Place, Unit};
use crate::wait_states::{Kind, WaitState};

/// Adds wait states, and whom each waited for.
pub fn of_waits(trace: &Trace, states: &[WaitState], findings: &mut Findings) {
    for kind in Kind::ALL {
        let of_kind = states.iter().filter(|state| state.kind == kind);
        let weighed = of_kind.map(|state| (state.duration().0.max(0) as u64, state));
        findings.add(
            kind.name().replace(' ', "_"),
            sentence(kind.name()),
            Unit::Nanoseconds,
            weighed.collect(),
            |state| describe(trace, state),
        );
    }
}

fn describe(trace: &Trace, state: &WaitState) -> (Vec<Place>, String) {
    let places = vec![
        Place::new(trace, "waits", state.call),
        Place::new(trace, "causes", state.cause),
    ];
    let text = format!(
        "{} waits {} for {} in {}",
        sentence(&who(trace, state.call)),
        rounded(state.duration().0.max(0) as u64),
        who(trace, state.cause),
        call(trace, state.call),
    );
    (places, text)
}
