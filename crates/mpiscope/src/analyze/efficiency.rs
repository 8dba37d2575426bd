//! Efficiencies of a run as the POP project defines them, where they have a meaning.

use mpiscope_analysis::efficiency::{NoEfficiency, NoIdeal, Within};
use mpiscope_archive::model::Trace;
use serde::{Deserialize, Serialize};

use super::facts::Facts;
use crate::report::show;

/// Factors, 0 to 1: `parallel` is `load_balance` times `communication`, and this is
/// `serialization` times `transfer`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// Which part of the time of all ranks was work.
    pub parallel: f64,
    /// How evenly work is spread: its mean by its most.
    pub load_balance: f64,
    /// Which part of the time between MPI_Init and MPI_Finalize the rank with most work has worked.
    pub communication: f64,
    /// What waiting of ranks for each other takes of that: most work by the length on a network that
    /// takes no time; nothing if that is not known.
    pub serialization: Option<f64>,
    /// What carrying messages takes of that; nothing where `serialization` is.
    pub transfer: Option<f64>,
    /// Why both are not known, in words.
    #[serde(default)]
    pub no_split: Option<String>,
}

/// Events of a trace that is replayed on an ideal network unasked, at most.
const FEW: usize = super::gains::FEW;

/// What is known of a trace, so that its efficiencies can be told.
#[derive(Clone, Copy)]
pub struct Known {
    /// How long all calls waited.
    pub waiting: bool,
    /// How many events it has.
    pub events: usize,
    /// Which share of the waits contradicts the clocks, if that is much.
    pub contradicting: Option<f64>,
    /// Whether all calls of MPI are in it: the others would count as work.
    pub calls: bool,
}

impl Known {
    /// Returns the efficiencies of a part of the time, as `scale` has them; none where ranks have
    /// several threads, whose work this model does not tell apart, or where recording was off.
    pub fn efficiency(self, within: &Within) -> Option<Efficiency> {
        let found = within
            .efficiency()
            .filter(|_| self.contradicting.is_none() && self.calls)?;
        let split = found.split.map_err(|why| self.no_split(why));
        let split = match self.waiting {
            true => split,
            false => Err("cannot tell, as waiting is not known of all calls".to_owned()),
        };
        Some(Efficiency {
            parallel: found.parallel,
            load_balance: found.load_balance,
            communication: found.communication,
            serialization: split.as_ref().ok().map(|it| it.serialization),
            transfer: split.as_ref().ok().map(|it| it.transfer),
            no_split: split.err(),
        })
    }

    /// Says why there are none, if there are none.
    pub fn why_none(self, within: &Within) -> Option<String> {
        match (&within.ranks, self.contradicting) {
            (Err(why), _) => Some(why.to_string()),
            (Ok(_), Some(share)) => Some(format!(
                "{} of the waits contradict the clocks",
                show::percent(share * 100.0)
            )),
            (Ok(_), None) if !self.calls => Some(NoEfficiency::CallsMissing.to_string()),
            (Ok(_), None) => None,
        }
    }

    fn no_split(self, why: NoIdeal) -> String {
        match why {
            NoIdeal::NotReplayed => format!(
                "not looked for in {} events, which are more than {}: --ideal does",
                show::count(self.events as u64),
                show::count(FEW as u64)
            ),
            why => format!("cannot tell, as {why}"),
        }
    }
}

/// Returns whether a trace is replayed on an ideal network.
pub fn is_replayed(trace: &Trace, asked: bool) -> bool {
    asked || trace.event_count() <= FEW
}

/// Says those of the run in a line, or why there are none; nothing of statistics.
pub fn text(facts: &Facts) -> Option<String> {
    let of_run = match (&facts.efficiency, &facts.no_efficiency) {
        (Some(found), _) => {
            let why = found.no_split.as_ref();
            let why = why.map(|why| format!(" (serialization and transfer: {why})"));
            factors(found) + &why.unwrap_or_default()
        }
        (None, Some(why)) => format!("cannot tell, as {why}"),
        (None, None) => return None,
    };
    Some(format!("parallel efficiency: {of_run}"))
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

#[cfg(test)]
mod tests {
    use mpiscope_analysis::profile::Asked;
    use mpiscope_analysis::scaling::Run;
    use mpiscope_analysis::whatif::Replay;

    use super::*;

    /// Rank 1 is started late; to start and to end takes longer than the program.
    #[test]
    fn what_a_job_takes_to_start_and_to_end_is_no_part_of_efficiencies() {
        let trace = Trace::parse(
            "0: 0 enter(MPI_Init) 1000 leave(MPI_Init) 1050 barrier{ 1090 } 1100 enter(MPI_Finalize) 1900 leave(MPI_Finalize)
             1: 800 enter(MPI_Init) 1000 leave(MPI_Init) 1090 barrier{ 1090 } 1100 enter(MPI_Finalize) 1900 leave(MPI_Finalize)",
        )
        .unwrap();
        let matching = trace.matching();
        let asked = Asked {
            replay: Some(&Replay::of(&trace, &matching)),
            ..Asked::without_causes()
        };
        let (scaled, profile) = Run::with_profile(&trace, &matching, &asked);
        let known = Known {
            waiting: true,
            events: trace.event_count(),
            contradicting: None,
            calls: true,
        };
        let expected = Efficiency {
            parallel: 0.8,
            load_balance: 0.8,
            communication: 1.0,
            serialization: Some(1.0),
            transfer: Some(1.0),
            no_split: None,
        };
        assert_eq!(known.efficiency(&profile.within), Some(expected));
        assert_eq!(scaled.efficiency(), profile.within.efficiency());
    }

    #[test]
    fn what_is_not_replayed_is_said_to_be_left_out() {
        let trace = Trace::parse("0: 0 50 barrier{ 60 } 70\n1: 0 50 barrier{ 60 } 70").unwrap();
        let profile = Run::with_profile(&trace, &trace.matching(), &Asked::without_causes()).1;
        let told = |waiting| {
            let events = 2_000_000;
            let found = Known {
                waiting,
                events,
                contradicting: None,
                calls: true,
            }
            .efficiency(&profile.within)
            .unwrap();
            assert_eq!((found.serialization, found.transfer), (None, None));
            found.no_split.unwrap()
        };
        assert_eq!(
            told(true),
            "not looked for in 2,000,000 events, which are more than 1,000,000: --ideal does"
        );
        assert_eq!(
            told(false),
            "cannot tell, as waiting is not known of all calls"
        );
    }
}
