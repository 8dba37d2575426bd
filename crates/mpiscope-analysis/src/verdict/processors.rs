//! Ranks that were ready to run and had no processor: what they are charged with may be that.

use std::collections::BTreeMap;

use mpiscope_model::{Duration, Process, Trace};

use super::{share, Certainty};
use crate::profile::Profile;

/// The share of time in which ranks had no processor from which on it is told.
pub const WITHOUT_PROCESSOR: f64 = 0.05;
/// What of a loss the time without a processor must be to be told with it, and to leave it open.
const TOLD: f64 = 0.1;
const OPEN: f64 = 0.5;

/// What ranks got of the processors.
pub(super) struct Processors {
    /// By rank.
    of: BTreeMap<u32, Without>,
    /// Ranks of a host and its processors, where these are fewer: the host where they are most so.
    pub crowd: Option<(u32, u32)>,
}

/// How long a rank was ready to run and had no processor. Where MPI waits by asking again and again,
/// that is a part of waiting, too, and was in nobody's way.
struct Without {
    all: Duration,
    /// When it did not wait, at least.
    outside_of_waits: Duration,
}

impl Processors {
    pub fn of(trace: &Trace, profile: &Profile) -> Processors {
        // What was not recorded is not charged either.
        let elsewhere: BTreeMap<u32, [Duration; 2]> = (profile.ranks.iter())
            .map(|it| {
                let elsewhere = it.waiting + it.threads_waiting + it.unrecorded;
                (it.rank, [elsewhere, it.time + it.unrecorded])
            })
            .collect();
        let processes = trace.definitions.processes.iter();
        let told = processes.filter_map(|process| {
            let all = process.scheduled?.delay;
            let [elsewhere, time] = elsewhere.get(&process.rank.0).copied()?;
            // Longer than the rank ran: it was in MPI_Init or MPI_Finalize, where nothing is judged.
            if all > time {
                return None;
            }
            let here = all - elsewhere;
            let without = Without {
                all,
                outside_of_waits: here.max(Duration::ZERO),
            };
            Some((process.rank.0, without))
        });
        Processors {
            of: told.collect(),
            crowd: crowd(&trace.definitions.processes),
        }
    }

    /// Returns how long all ranks were without.
    pub fn all(&self) -> Duration {
        self.sum(self.of.values(), |it| it.all)
    }

    fn sum<'a>(
        &self,
        of: impl Iterator<Item = &'a Without>,
        what: fn(&Without) -> Duration,
    ) -> Duration {
        of.fold(Duration::ZERO, |sum, it| sum + what(it))
    }

    /// Says how sure it can be that these ranks did what cost so much, and how long they were without
    /// a processor, if that is enough to be told.
    pub fn certainty(&self, ranks: &[u32], lost: Duration) -> (Certainty, Duration) {
        let named = || ranks.iter().filter_map(|rank| self.of.get(rank));
        let all = self.sum(named(), |it| it.all);
        if share(all, lost) < TOLD {
            return (Certainty::Sure, Duration::ZERO);
        }
        let certainty = match share(self.sum(named(), |it| it.outside_of_waits), lost) {
            it if it >= OPEN => Certainty::Open,
            _ => Certainty::Likely,
        };
        (certainty, all)
    }
}

/// Returns the ranks of the host that has most for its processors, and these, if they are fewer. Where
/// each rank may run on one alone, the trace does not tell whether that is the same one.
pub fn crowd(processes: &[Process]) -> Option<(u32, u32)> {
    let mut hosts: BTreeMap<Option<u32>, (u32, u32)> = BTreeMap::new();
    for process in processes {
        if let Some(scheduled) = process.scheduled {
            let (ranks, processors) = hosts.entry(process.node).or_default();
            *ranks += 1;
            *processors = scheduled.processors.max(*processors);
        }
    }
    let crowded = hosts
        .into_values()
        .filter(|&(ranks, processors)| processors > 1 && ranks > processors);
    crowded.max_by(|a, b| (u64::from(a.0) * u64::from(b.1)).cmp(&(u64::from(b.0) * u64::from(a.1))))
}
