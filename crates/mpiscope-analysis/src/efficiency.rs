//! How much of a run was work, and what took the rest: the efficiencies of the POP project.
//!
//! They are factors ("POP Standard Metrics for Parallel Performance Analysis", Performance
//! Optimisation and Productivity, pop-coe.eu): parallel efficiency is load balance times
//! communication efficiency, and this is serialization times transfer. With the work of rank r, its
//! time outside of MPI and of waiting among threads, u(r), and the time T of the run:
//!
//! - load balance: mean of u(r) / most u(r),
//! - communication efficiency: most u(r) / T,
//! - transfer: I / T, where I is how long the run takes on an ideal network, whose messages take no
//!   time,
//! - serialization: most u(r) / I.
//!
//! Of a run T is the time from where the last rank leaves MPI_Init to where the last one enters
//! MPI_Finalize, or what there is where these are not recorded ([`Within`]); of a phase it is that
//! phase ([`Phase`]). I is found by a replay ([`IdealNetwork`]), where there
//! is one.
//!
//! ```
//! use mpiscope_analysis::profile::{Asked, Profile};
//! use mpiscope_analysis::whatif::Replay;
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 0 enter(MPI_Recv) 90 recv<1 100 leave(MPI_Recv)
//!     1: 0 80 enter(MPI_Send) 80 send>0 90 leave(MPI_Send) 100
//! ")?;
//! let matching = trace.matching();
//! let replay = Replay::of(&trace, &matching);
//! let asked = Asked { replay: Some(&replay), ..Asked::default() };
//! let profile = Profile::asked(&trace, &matching, &asked);
//! let found = profile.within.efficiency().unwrap();
//! // One rank works for 90 of 100 ns, the other not at all.
//! assert_eq!((found.parallel, found.load_balance, found.communication), (0.45, 0.5, 0.9));
//! // Without the way of the message it would take 90 ns.
//! let split = found.split.unwrap();
//! assert_eq!((split.serialization, split.transfer), (1.0, 0.9));
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod ideal;
mod within;

use mpiscope_model::Duration;

use crate::profile::RankSum;

pub use ideal::{IdealNetwork, NoIdeal};
pub(crate) use within::Seen;
pub use within::{NoEfficiency, Phase, Within};

/// Efficiencies of a run whose ranks have one thread each, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Efficiency {
    /// Which part of all ranks' time was work.
    pub parallel: f64,
    /// How evenly work is spread.
    pub load_balance: f64,
    /// Which part of the run the rank with most work has worked.
    pub communication: f64,
    /// What took the rest of that; or why it is not known.
    pub split: Result<Split, NoIdeal>,
}

/// The factors of communication efficiency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// What waiting of ranks for each other takes.
    pub serialization: f64,
    /// What carrying messages takes.
    pub transfer: f64,
}

impl Efficiency {
    /// Finds those of a run of so much time, which would take so much on an ideal network, if that is
    /// known; `None` if nobody worked, or no time went by.
    pub fn of(
        ranks: &[RankSum],
        length: Duration,
        ideal: Result<Duration, NoIdeal>,
    ) -> Option<Efficiency> {
        let work = |rank: &RankSum| rank.time - rank.mpi - rank.threads - rank.unrecorded;
        let most = ranks.iter().map(work).max()?.0 as f64;
        let length = length.0 as f64;
        if most <= 0.0 || length <= 0.0 {
            return None;
        }
        let all: f64 = ranks.iter().map(|rank| work(rank).0 as f64).sum();
        let mean = all / ranks.len() as f64;
        let split = |ideal: Duration| Split {
            serialization: most / ideal.0 as f64,
            transfer: ideal.0 as f64 / length,
        };
        Some(Efficiency {
            parallel: mean / length,
            load_balance: mean / most,
            communication: most / length,
            split: ideal.map(split),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(time: i64, mpi: i64) -> RankSum {
        RankSum {
            time: Duration(time),
            mpi: Duration(mpi),
            ..RankSum::default()
        }
    }

    #[test]
    fn factors_multiply() {
        let ranks = [rank(100, 20), rank(100, 60), rank(90, 30)];
        let found = Efficiency::of(&ranks, Duration(100), Ok(Duration(90))).unwrap();
        assert_eq!(found.parallel, 0.6);
        assert_eq!(found.load_balance, 0.75);
        assert_eq!(found.communication, 0.8);
        let split = found.split.unwrap();
        assert_eq!(split.transfer, 0.9);
        assert_eq!(split.serialization, 80.0 / 90.0);
    }

    #[test]
    fn a_run_of_mpi_alone_has_none() {
        let ideal = Ok(Duration(100));
        assert_eq!(
            Efficiency::of(&[rank(100, 100)], Duration(100), ideal),
            None
        );
        assert_eq!(Efficiency::of(&[], Duration(100), ideal), None);
        assert_eq!(Efficiency::of(&[rank(0, 0)], Duration(0), ideal), None);
    }
}
