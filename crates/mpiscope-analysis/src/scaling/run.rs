//! What is known of one run: its rows, and what each rank did from MPI_Init to MPI_Finalize.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use mpiscope_model::{Duration, Matching, Trace};

use super::counted::Useful;
use super::outside;
use crate::compare::{Key, Measures};
use crate::efficiency::{Efficiency, NoEfficiency, NoIdeal};
use crate::profile::{Asked, Profile, RankSum};
use crate::wait_states::timelines;
use crate::whatif::Replay;

/// A run on so many ranks.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its rows.
    pub measures: Measures,
    /// Of each rank the work, as `time`, and the waiting from MPI_Init to MPI_Finalize.
    pub ranks: Result<Vec<RankSum>, NoEfficiency>,
    /// How long that takes on an ideal network; or why that is not known.
    pub ideal: Result<Duration, NoIdeal>,
    /// Whether all its calls of MPI are in the trace: others look like work.
    pub has_calls: bool,
    /// Calls that ended, by the clocks, before the other side had come.
    pub contradictions: u64,
    /// Its clocks were corrected: what they contradict each other in still is no more than that.
    pub is_corrected: bool,
    /// What made others wait, if it was looked for.
    pub causing: Option<BTreeMap<Key, Caused>>,
    /// What its counters tell of computation, if it has any.
    pub useful: Option<Useful>,
    /// The words after the program, if they are known.
    pub arguments: Option<Vec<String>>,
}

/// Waiting that something caused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caused {
    /// How long, of all who waited.
    pub ns: i64,
    /// The rank whose doing it caused most.
    pub rank: u32,
    /// How long by that rank.
    pub rank_ns: i64,
}

impl Run {
    /// Reads a run.
    pub fn of(trace: &Trace, matching: &Matching) -> Run {
        let asked = Asked {
            replay: Some(&Replay::of(trace, matching)),
            ..Asked::default()
        };
        Run::with_profile(trace, matching, &asked).0
    }

    /// Reads of a run what is asked for; returns its profile, too.
    pub fn with_profile(trace: &Trace, matching: &Matching, asked: &Asked) -> (Run, Profile) {
        let mut lines = timelines(trace);
        let (profile, _) = Profile::among(trace, matching, &mut lines, asked, None);
        let within = &profile.within;
        let mut measures = Measures::with(trace, &profile, within.length.0);
        outside::take_off(trace, &lines, &mut measures);
        let run = Run {
            ranks: within.ranks.clone(),
            ideal: within.ideal,
            measures,
            has_calls: trace.definitions.told.calls,
            contradictions: profile.contradictions + profile.path.contradictions as u64,
            is_corrected: false,
            causing: causing(trace, &profile),
            useful: Useful::of(trace),
            arguments: None,
        };
        (run, profile)
    }

    /// Returns its efficiencies; nothing if they have no meaning.
    pub fn efficiency(&self) -> Option<Efficiency> {
        let ranks = self.trusted().ok()?;
        Efficiency::of(ranks, Duration(self.measures.time_ns), self.ideal)
    }

    /// Returns what ranks did, if efficiencies follow from it.
    ///
    /// # Errors
    /// Why none do.
    pub fn trusted(&self) -> Result<&[RankSum], NoEfficiency> {
        let ranks = self.ranks.as_ref().map_err(|why| *why)?;
        match self.contradictions > 0 && !self.is_corrected {
            true => Err(NoEfficiency::Clocks),
            false if !self.has_calls => Err(NoEfficiency::CallsMissing),
            false => Ok(ranks),
        }
    }

    /// Returns the core time of computation.
    pub fn computation_ns(&self) -> i64 {
        match &self.ranks {
            Ok(ranks) => {
                (ranks.iter())
                    .fold(Duration::ZERO, |sum, rank| sum + rank.time)
                    .0
            }
            Err(_) => self.of_key(&Key::Computation),
        }
    }

    /// Returns the core time of all: ranks times time, or the sum of all rows.
    pub(super) fn core_ns(&self, is_whole: bool) -> i64 {
        let measures = &self.measures;
        match is_whole {
            true => measures.time_ns.saturating_mul(measures.ranks as i64),
            false => measures.total_ns,
        }
    }

    /// Returns the value of a row.
    pub(super) fn of_key(&self, key: &Key) -> i64 {
        self.measures.rows.get(key).map_or(0, |row| row.ns)
    }
}

/// Adds up what made others wait, by what rows are named by.
fn causing(trace: &Trace, profile: &Profile) -> Option<BTreeMap<Key, Caused>> {
    let mut all: BTreeMap<Key, BTreeMap<u32, i64>> = BTreeMap::new();
    for delay in &profile.causes.as_ref()?.delays {
        let (activity, _) = &profile.activities[delay.activity as usize];
        let Some(key) = Key::of(trace, activity) else {
            continue;
        };
        let of_rank = all.entry(key).or_default().entry(delay.rank).or_default();
        *of_rank = of_rank.saturating_add(delay.costs().0);
    }
    let sum = |(key, ranks)| (key, Caused::of(&ranks));
    Some(all.into_iter().map(sum).collect())
}

impl Caused {
    /// Adds up what ranks caused; of two that caused most the first is named.
    fn of(ranks: &BTreeMap<u32, i64>) -> Caused {
        let most = ranks
            .iter()
            .max_by_key(|(rank, ns)| (**ns, Reverse(**rank)));
        let (rank, rank_ns) = most.map_or((0, 0), |(rank, ns)| (*rank, *ns));
        Caused {
            ns: ranks.values().fold(0, |sum, ns| sum.saturating_add(*ns)),
            rank,
            rank_ns,
        }
    }
}
