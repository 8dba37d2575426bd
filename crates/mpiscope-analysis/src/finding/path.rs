//! The critical path, segment by segment.

use mpiscope_model::{EventRef, Timestamp, Trace};

use super::{rounded, sentence, who, Findings, Place, Unit};
use crate::critical_path::{Path, Step};

/// Adds the segments of the critical path; `times` are those of the events by which it was found.
pub fn of_path(trace: &Trace, path: &Path, times: &[&[Timestamp]], findings: &mut Findings) {
    let weighed = path.steps.iter().map(|step| {
        let length = (step.end - step.begin).0.max(0) as u64;
        (length, step)
    });
    findings.add(
        "critical_path",
        "Critical path".to_owned(),
        Unit::Nanoseconds,
        weighed.collect(),
        |step| describe(trace, step, times[step.location.index()]),
    );
}

fn describe(trace: &Trace, step: &Step, times: &[Timestamp]) -> (Vec<Place>, String) {
    let last = times.len().saturating_sub(1);
    let first = times.partition_point(|time| *time < step.begin).min(last);
    let until = times
        .partition_point(|time| *time <= step.end)
        .max(first + 1)
        - 1;
    let at = |index| EventRef::new(step.location, index);
    let places = vec![
        Place::new(trace, "step", at(first)),
        Place::new(trace, "step_end", at(until.min(last))),
    ];
    let text = format!(
        "{} is on the critical path for {}",
        sentence(&who(trace, at(first))),
        rounded((step.end - step.begin).0.max(0) as u64),
    );
    (places, text)
}
