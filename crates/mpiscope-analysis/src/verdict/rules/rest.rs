//! What is told where no cause is known, and time that is no waiting.

use std::collections::BTreeMap;

use mpiscope_model::Duration;

use super::patterns::is_small;
use super::progress::told_of;
use super::Left;
use crate::profile::{Activity, Count, Spread, Statement, Sum};
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
    let victims = by(&most.waiting);
    let mut ranks = by(&most.causing);
    // Of several that wait there only the one that waits most may be named: nobody waits for itself.
    if let ([victim], 2..) = (&victims[..], ranks.len()) {
        ranks.retain(|rank| rank != victim);
    }
    found.push(Loss {
        kind: Kind::Waiting,
        lost: most.all.time,
        ranks,
        victims,
        activity: Some(Activity::Mpi(*statement)),
        also: Vec::new(),
        source: None,
        certainty: Certainty::Open,
        evidence: Evidence {
            times: most.all.times,
            ..Evidence::default()
        },
        events: Some([most.longest.cause, most.longest.call]),
    });
}

/// Time in MPI that is no waiting is a twentieth of all at least, but for so much as is told of these
/// calls otherwise, and for small messages.
pub(super) fn transfer(known: &Known, _: &mut Left, found: &mut Vec<Loss>) {
    let told: Vec<&Loss> = found.iter().filter(|it| known.matters(it.lost)).collect();
    let without_small = told.iter().any(|it| it.kind == Kind::SmallMessages);
    let told = |activity: &Activity, place| {
        let losses = told.iter().filter_map(|it| match it.activity {
            own if own == Some(*activity) => Some(it.lost),
            _ => told_of(known, it, place),
        });
        losses.fold(Duration::ZERO, |sum, it| sum + it)
    };
    let mut lost = Duration::ZERO;
    let mut most: Option<(Duration, &Statement, &Sum, &Spread)> = None;
    for ((activity, sum), spread) in known.profile.activities.iter().zip(&known.profile.spreads) {
        let Activity::Mpi(statement) = activity else {
            continue;
        };
        let is_told = without_small && is_small(known, statement, sum, spread);
        if known.is_setup(statement) || is_told {
            continue;
        }
        let rest = (sum.time - told(activity, statement.place)).max(Duration::ZERO);
        lost += rest;
        if most.is_none_or(|it| rest >= it.0) {
            most = Some((rest, statement, sum, spread));
        }
    }
    let Some((rest, statement, sum, spread)) = most else {
        return;
    };
    if share(lost, known.time) < CARRYING {
        return;
    }
    found.push(Loss {
        kind: Kind::Transfer,
        lost,
        ranks: vec![spread.rank],
        victims: Vec::new(),
        activity: Some(Activity::Mpi(*statement)),
        also: Vec::new(),
        source: None,
        certainty: Certainty::Open,
        evidence: Evidence {
            times: sum.times,
            bytes: sum.sent.max(sum.received),
            compared: Some((rest, lost)),
            ..Evidence::default()
        },
        events: known.example(statement, spread),
    });
}
