//! Efficiencies of a run as the POP project defines them, where they have a meaning.

use mpiscope_analysis::efficiency;
use mpiscope_analysis::profile::Profile;
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
    /// Which part of the time between MPI_Init and MPI_Finalize the rank with most work has worked.
    pub communication: f64,
    /// What waiting of ranks for each other takes of that; nothing if it is not known of all calls.
    pub serialization: Option<f64>,
    /// What carrying messages takes of that; nothing where `serialization` is.
    pub transfer: Option<f64>,
}

/// Returns those of a trace, as `scale` has them; none where ranks have several threads, whose work
/// this model does not tell apart, or where recording was off.
pub fn of(profile: &Profile, waiting_is_known: bool) -> Option<Efficiency> {
    let found = profile.within.efficiency()?;
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

#[cfg(test)]
mod tests {
    use mpiscope_analysis::scaling::Run;
    use mpiscope_archive::model::Trace;

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
        let (scaled, profile) = Run::with_profile(&trace, &matching, false);
        let found = of(&profile, true).unwrap();
        let expected = Efficiency {
            parallel: 0.8,
            load_balance: 0.8,
            communication: 1.0,
            serialization: Some(1.0),
            transfer: Some(1.0),
        };
        assert_eq!(found, expected);
        let scaled = scaled.efficiency().unwrap();
        assert_eq!(Efficiency::known(scaled, true), expected);
    }
}
