//! Iterations that take much longer than the others.

use mpiscope_model::{EventRef, Trace};

use super::{rounded, Findings, Place, Unit};
use crate::iterations::{Iterations, Lengths, Slow};

/// Adds slow iterations; each weighs by how much longer it is than the median.
pub fn of_iterations(
    trace: &Trace,
    iterations: &Iterations,
    lengths: &Lengths,
    findings: &mut Findings,
) {
    let slow = lengths.slow.iter();
    findings.add(
        "slow_iteration",
        "Slow iteration".to_owned(),
        Unit::Nanoseconds,
        slow.map(|slow| (slow.excess.0.max(0) as u64, slow))
            .collect(),
        |slow| describe(trace, iterations, lengths, slow),
    );
}

fn describe(
    trace: &Trace,
    iterations: &Iterations,
    lengths: &Lengths,
    slow: &Slow,
) -> (Vec<Place>, String) {
    let of = &iterations.ranks[slow.of];
    let place = |role, bound: usize| {
        let event = EventRef {
            location: of.location,
            index: of.bounds[bound],
        };
        Place::new(trace, role, event)
    };
    let places = vec![place("begins", slow.number), place("ends", slow.number + 1)];
    let ns = |it: mpiscope_model::Duration| rounded(it.0.max(0) as u64);
    let why = lengths.why(slow);
    let text = format!(
        "Iteration {} takes {} in place of {}{}",
        slow.number + 1,
        ns(slow.length),
        ns(lengths.median),
        why.map_or_else(String::new, |why| format!(": {why}")),
    );
    (places, text)
}
