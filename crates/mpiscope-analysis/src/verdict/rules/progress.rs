//! Computation that goes on while messages are under way, and whom it keeps in MPI.

use mpiscope_model::Duration;

use super::Left;
use crate::profile::Activity;
use crate::races::CallPlace;
use crate::verdict::known::{ranked, those_named, Known};
use crate::verdict::{share, Certainty, Evidence, Kind, Loss};

/// What of the time until a rank came it must have computed longer than those who were in MPI: else it
/// was late itself, and others are the cause.
const OWN: f64 = 0.5;

/// Calls at one place last until ranks come to MPI again that have computed longer. What others waited
/// for those who were in these calls is lost by it, too.
pub(super) fn late_progress(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let all = known.profile.late_progress.iter();
    let Some((&place, most)) = all.max_by_key(|(_, it)| it.time) else {
        return;
    };
    let longer = most.until.values().map(|[_, longer]| longer);
    let longer = longer.fold(Duration::ZERO, |sum, it| sum + *it);
    if !known.matters(most.time) || share(longer, most.time) < OWN {
        return;
    }
    let is_there = |activity| matches!(activity, Activity::Mpi(it) if it.place == place);
    let passed_on = left.take(|it| is_there(known.activity(it)));
    let passed_on = passed_on.iter().map(|it| it.costs());
    let passed_on = passed_on.fold(Duration::ZERO, |sum, it| sum + it);
    let until = most
        .until
        .iter()
        .map(|(rank, [_, longer])| (*rank, longer.0));
    let of = most.of.iter().map(|(rank, time)| (*rank, time.0));
    let (ranks, victims) = (ranked(until), ranked(of));
    let [call, came] = most.longest;
    found.push(Loss {
        kind: Kind::LateProgress,
        lost: most.time + passed_on,
        ranks: those_named(&ranks),
        victims: victims.first().map(|it| it.0).into_iter().collect(),
        activity: most.before,
        also: Vec::new(),
        source: None,
        certainty: match most.after <= most.time {
            true => Certainty::Likely,
            false => Certainty::Open,
        },
        evidence: Evidence {
            direct: most.time,
            indirect: passed_on,
            times: most.times,
            compared: Some((most.time, most.after)),
            ..Evidence::default()
        },
        events: Some([came, call]),
    });
}

/// Returns what is told of a statement's time in MPI.
pub(super) fn told_of(known: &Known, loss: &Loss, place: CallPlace) -> Option<Duration> {
    let is_there = || {
        loss.events
            .is_some_and(|[_, call]| known.is_at(call, place))
    };
    (loss.kind == Kind::LateProgress && is_there()).then_some(loss.evidence.direct)
}
