//! What the analysis finds in a run, one sentence a line.

use mpiscope_analysis::critical_path::Step;
use mpiscope_analysis::iterations::Lengths;
use mpiscope_analysis::profile::{Activity, Asked, Profile, Sum};
use mpiscope_analysis::verdict::{self, Verdict};
use mpiscope_analysis::wait_states::wrong_order::WrongOrder;
use mpiscope_analysis::wait_states::{wait_states, Times, WaitState};
use mpiscope_analysis::whatif::Replay;
use mpiscope_model::{Duration, EventRef, LocationIndex, Trace};

use crate::common::matching;

/// What the analysis finds in a run.
pub struct Facts {
    trace: Trace,
    waits: Vec<WaitState>,
    profile: Profile,
    verdict: Verdict,
}

impl Facts {
    pub fn of(fixture: &str) -> Facts {
        let trace = Trace::parse(fixture).unwrap();
        let matching = matching(&trace);
        let asked = Asked {
            replay: Some(&Replay::of(&trace, &matching)),
            ..Asked::default()
        };
        let profile = Profile::asked(&trace, &matching, &asked);
        Facts {
            waits: wait_states(&trace, &matching),
            verdict: Verdict::of(&trace, &matching, &profile),
            profile,
            trace,
        }
    }

    /// Says of a location which it is: `rank 1`, of several threads `thread 1.0`.
    fn name(&self, location: LocationIndex) -> String {
        let it = &self.trace.locations[location.index()];
        let several = self.trace.locations.iter().any(|it| it.thread > 0);
        match several {
            true => format!("thread {}.{}", it.rank.0, it.thread),
            false => format!("rank {}", it.rank.0),
        }
    }

    fn who(&self, event: EventRef) -> String {
        self.name(event.location)
    }

    /// Says who waits how long for whom.
    pub fn waits(&self) -> Vec<String> {
        let sentence = |wait: &WaitState| {
            let (who, whom) = (self.who(wait.call), self.who(wait.cause));
            let (kind, long) = (wait.kind.name(), wait.duration());
            format!("{kind}: {who} waits {long} for {whom}")
        };
        self.waits.iter().map(sentence).collect()
    }

    /// Says who waits in wrong order, too.
    pub fn wrong_order(&self) -> Vec<String> {
        let sentence = |it: &WrongOrder| {
            let (kind, other) = match it.is_of_receive() {
                true => ("the message", it.other.send),
                false => ("the receive", it.other.receive),
            };
            let (who, other) = (self.who(it.wait.call), self.who(other));
            let (long, saved) = (it.wait.duration(), it.saved);
            format!("wrong order: {who} waits {long} while {kind} of {other} is there, which may save {saved}")
        };
        let found = self.profile.wrong_order.iter().map(sentence);
        self.waits().into_iter().chain(found).collect()
    }

    /// Says what of early waits is due to late completes.
    pub fn late_complete(&self) -> Vec<String> {
        let late = times("late complete", self.profile.late_complete);
        self.waits().into_iter().chain(late).collect()
    }

    /// Says how long ranks stayed in operations.
    pub fn completion(&self) -> Vec<String> {
        let found = self.profile.completion;
        let barrier = times("barrier completion", found.barrier);
        let n_x_n = times("n x n completion", found.n_x_n);
        barrier.into_iter().chain(n_x_n).collect()
    }

    /// Says what lies on the critical path.
    pub fn critical_path(&self) -> Vec<String> {
        let begin = self.profile.begin;
        let step = |step: &Step| {
            let (from, to) = (step.begin - begin, step.end - begin);
            format!(
                "critical path: {} from {from} to {to}",
                self.name(step.location)
            )
        };
        self.profile.path.steps.iter().map(step).collect()
    }

    /// Says of the program's regions on the path what balance would save, and who waited for them.
    pub fn imbalance(&self) -> Vec<String> {
        let profile = &self.profile;
        let on_path = profile.activities.iter().filter(|it| it.1.path.0 > 0);
        let sentence = |(activity, sum): &(Activity, Sum)| {
            let Activity::Region(region) = activity else {
                return None;
            };
            let name = &self.trace.definitions.regions[region.index()].name;
            let (imbalance, held) = (profile.imbalance(sum), sum.held);
            Some(format!(
                "{name}: imbalance {imbalance}, caused waiting {held}"
            ))
        };
        on_path.filter_map(sentence).collect()
    }

    /// Says what the efficiencies are.
    pub fn efficiency(&self) -> Vec<String> {
        let found = self.profile.within.efficiency().unwrap();
        let split = found.split.unwrap();
        let rows = [
            ("parallel efficiency", found.parallel),
            ("load balance", found.load_balance),
            ("communication", found.communication),
            ("serialization", split.serialization),
            ("transfer", split.transfer),
        ];
        let row =
            |(name, share): (&str, f64)| format!("{name}: {} %", (1_000.0 * share).round() / 10.0);
        rows.map(row).to_vec()
    }

    fn lengths(&self) -> &Lengths {
        let found = self.profile.iterations.as_ref().unwrap();
        &found.as_ref().unwrap().1
    }

    /// Says how long iterations take, and which are slow.
    pub fn iterations(&self) -> Vec<String> {
        let it = self.lengths();
        let all = format!("iterations: {}, in the median of {}", it.count(), it.median);
        let slow = it.slow.iter().map(|slow| {
            let why = it.why(slow).unwrap();
            format!(
                "slow: iteration {} of {}: {why}",
                slow.number + 1,
                slow.length
            )
        });
        [all].into_iter().chain(slow).collect()
    }

    /// Says whether iterations grow.
    pub fn growth(&self) -> Vec<String> {
        let it = self.lengths();
        let drift = it.drift.unwrap();
        vec![format!(
            "iterations: {}, each {} ns longer than the one before, {} in all",
            it.count(),
            drift.per_iteration,
            drift.in_all
        )]
    }
}

impl Facts {
    /// Says what time was lost to that is of a kind.
    pub fn losses(&self, kind: verdict::Kind) -> Vec<String> {
        let words = self.verdict.clone().words(&self.trace);
        let losses = words.losses.into_iter().zip(&self.verdict.losses);
        let these = losses.filter(|(_, loss)| loss.kind == kind);
        these.map(|(said, _)| said.text).collect()
    }
}

impl Facts {
    /// Returns the costs of all delays, to three digits.
    pub fn costs(&self) -> Vec<String> {
        let causes = self.profile.causes.as_ref().unwrap();
        let costs = causes.delays.iter();
        let costs = costs.flat_map(|it| [it.short_term, it.long_term]);
        let some = costs.filter(|it| it.0 > 0);
        some.map(|it| to_three_digits(it).to_string()).collect()
    }
}

fn to_three_digits(time: Duration) -> Duration {
    let unit = 10i64.pow(time.0.ilog10().saturating_sub(2));
    Duration((time.0 + unit / 2) / unit * unit)
}

fn times(name: &str, it: Times) -> Option<String> {
    (it.times > 0).then(|| format!("{name}: {} in all", it.time))
}
