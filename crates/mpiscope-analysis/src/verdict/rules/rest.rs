//! What is told where no cause is known, and time that is no waiting.

use std::collections::BTreeMap;

use mpiscope_model::Duration;

use super::patterns::is_small;
use super::Left;
use crate::profile::{Activity, Count};
use crate::verdict::known::{ranked, those_named, Known, LIKELY};
use crate::verdict::{share, Certainty, Evidence, Kind, Loss};
use crate::wait_states::Kind as Wait;

/// Transfer below this share of the time is usual.
const CARRYING: f64 = 0.05;

/// The statement of most waiting, where causes were not looked for or explain less than half.
pub(super) fn waiting(known: &Known, _: &mut Left, found: &mut Vec<Loss>) {
    if known.profile.causes.is_some() && known.explained >= LIKELY {
        return;
    }
    let waits = known.profile.waits.iter();
    let waits = waits.filter(|((_, kind), _)| *kind != Wait::Initialization);
    let Some(((statement, _), most)) = waits.max_by_key(|(_, it)| it.all.time) else {
        return;
    };
    let by = |of: &BTreeMap<u32, Count>| {
        those_named(&ranked(of.iter().map(|(rank, it)| (*rank, it.time.0))))
    };
    found.push(Loss {
        kind: Kind::Waiting,
        lost: most.all.time,
        ranks: by(&most.causing),
        victims: by(&most.waiting),
        activity: Some(Activity::Mpi(*statement)),
        source: None,
        certainty: Certainty::Open,
        evidence: Evidence {
            times: most.all.times,
            ..Evidence::default()
        },
        events: Some([most.longest.cause, most.longest.call]),
    });
}

/// Time in MPI that is no waiting is a twentieth of all at least, but for what was told of small
/// messages.
pub(super) fn transfer(known: &Known, _: &mut Left, found: &mut Vec<Loss>) {
    let told: Vec<Activity> = found.iter().filter_map(|it| it.activity).collect();
    let without_small = found.iter().any(|it| it.kind == Kind::SmallMessages);
    let all = known.profile.activities.iter().zip(&known.profile.spreads);
    let calls = all.filter(|((activity, sum), spread)| match activity {
        Activity::Mpi(it) => {
            let is_told =
                told.contains(activity) || without_small && is_small(known, it, sum, spread);
            !known.is_setup(it) && !is_told
        }
        _ => false,
    });
    let add = |all: Duration, it: Duration| all + it;
    let lost = calls.clone().map(|((_, sum), _)| sum.time);
    let lost = lost.fold(Duration::ZERO, add);
    let Some(((activity, sum), spread)) = calls.max_by_key(|((_, sum), _)| sum.time) else {
        return;
    };
    let Activity::Mpi(statement) = activity else {
        return;
    };
    if share(lost, known.time) < CARRYING {
        return;
    }
    let event = known.first_call(spread.rank, statement.place);
    found.push(Loss {
        kind: Kind::Transfer,
        lost,
        ranks: vec![spread.rank],
        victims: Vec::new(),
        activity: Some(*activity),
        source: None,
        certainty: Certainty::Open,
        evidence: Evidence {
            times: sum.times,
            bytes: sum.sent.max(sum.received),
            compared: Some((sum.time, lost)),
            ..Evidence::default()
        },
        events: event.map(|it| [it, it]),
    });
}
