//! Efficiencies of a run as the POP project defines them, where they have a meaning.

use mpiscope_analysis::efficiency;
use mpiscope_analysis::profile::{Profile, RankSum};
use mpiscope_archive::model::{Duration, Trace};
use serde::{Deserialize, Serialize};

use crate::report::show;

/// Factors, 0 to 1: `parallel` is `load_balance` times `communication`, and this is
/// `serialization` times `transfer`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// Which part of the time of all ranks was work.
    pub parallel: f64,
    /// How evenly work is spread: its mean by its most.
    pub load_balance: f64,
    /// Which part of the run the rank with most work has worked.
    pub communication: f64,
    /// What waiting of ranks for each other takes of that; nothing if it is not known of all calls.
    pub serialization: Option<f64>,
    /// What carrying messages takes of that; nothing where `serialization` is.
    pub transfer: Option<f64>,
}

/// Finds those of a trace; none where ranks have several threads, whose work this model does not
/// tell apart, or where recording was off.
pub fn of(trace: &Trace, profile: &Profile, waiting_is_known: bool) -> Option<Efficiency> {
    let is_recorded = |rank: &RankSum| rank.unrecorded == Duration::ZERO;
    let used = trace.locations.iter().filter(|it| !it.events.is_empty());
    if used.count() != profile.ranks.len() || !profile.ranks.iter().all(is_recorded) {
        return None;
    }
    let found = efficiency::Efficiency::of(&profile.ranks, profile.length())?;
    Some(Efficiency::known(found, waiting_is_known))
}

impl Efficiency {
    /// Takes what was found; where not all waiting is known, two factors are not.
    pub fn known(found: efficiency::Efficiency, waiting_is_known: bool) -> Efficiency {
        Efficiency {
            parallel: found.parallel,
            load_balance: found.load_balance,
            communication: found.communication,
            serialization: waiting_is_known.then_some(found.serialization),
            transfer: waiting_is_known.then_some(found.transfer),
        }
    }
}

/// Says them in a line.
pub fn text(found: &Efficiency) -> String {
    format!("parallel efficiency: {}", factors(found))
}

/// Says what they are the product of.
pub fn factors(found: &Efficiency) -> String {
    let percent = |share: f64| show::percent(share * 100.0);
    let of_what = match (found.serialization, found.transfer) {
        (Some(serialization), Some(transfer)) => format!(
            " (serialization {} × transfer {})",
            percent(serialization),
            percent(transfer)
        ),
        _ => String::new(),
    };
    format!(
        "{} = load balance {} × communication {}{of_what}",
        percent(found.parallel),
        percent(found.load_balance),
        percent(found.communication)
    )
}
