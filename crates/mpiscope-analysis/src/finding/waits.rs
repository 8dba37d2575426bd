//! Wait states, each kind by itself.

use mpiscope_model::Trace;

use super::{call, rounded, sentence, who, Findings, Place, Unit};
use crate::clock_errors::ClockErrors;
use crate::wait_states::{Kind, WaitState};

/// Adds wait states, whom each waited for, and what clocks leave open of it.
pub fn of_waits(
    trace: &Trace,
    states: &[WaitState],
    errors: &ClockErrors,
    findings: &mut Findings,
) {
    for kind in Kind::ALL {
        let of_kind = states.iter().filter(|state| state.kind == kind);
        let weighed = of_kind.map(|state| (state.duration().0.max(0) as u64, state));
        findings.add(
            kind.name().replace(' ', "_"),
            sentence(kind.name()),
            Unit::Nanoseconds,
            weighed.collect(),
            |state| describe(trace, errors, state),
        );
    }
}

fn describe(trace: &Trace, errors: &ClockErrors, state: &WaitState) -> (Vec<Place>, String) {
    let places = vec![
        Place::new(trace, "waits", state.call),
        Place::new(trace, "causes", state.cause),
    ];
    let text = format!(
        "{} waits {}{} for {} in {}",
        sentence(&who(trace, state.call)),
        rounded(state.duration().0.max(0) as u64),
        open(errors, state),
        who(trace, state.cause),
        call(trace, state.call),
    );
    (places, text)
}

/// Says by how much its clocks can be wrong; nothing if they are one, or if it is not known.
fn open(errors: &ClockErrors, state: &WaitState) -> String {
    match errors.of_wait(state).filter(|it| it.0 > 0) {
        None => String::new(),
        Some(half_width) if half_width >= state.duration() => {
            " (below clock resolution)".to_owned()
        }
        Some(half_width) => format!(" (± {})", rounded(half_width.0 as u64)),
    }
}
