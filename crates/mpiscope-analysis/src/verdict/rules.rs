//! What is looked for, rule by rule. A rule takes the delays that it explains, so that those after
//! it tell of the rest.

mod delays;
mod patterns;
mod progress;
mod rest;

use mpiscope_model::Duration;

use super::known::Known;
use super::Loss;
use crate::root_causes::Delay;

/// Delays that no rule has taken.
struct Left<'a>(Vec<&'a Delay>);

impl<'a> Left<'a> {
    /// Takes those that a rule explains, and returns them.
    fn take(&mut self, is_it: impl Fn(&Delay) -> bool) -> Vec<&'a Delay> {
        let (taken, rest) = self.0.drain(..).partition(|delay| is_it(delay));
        self.0 = rest;
        taken
    }

    /// Returns what those cost that a rule would explain.
    fn costs(&self, is_it: impl Fn(&Delay) -> bool) -> Duration {
        let all = self.0.iter().filter(|delay| is_it(delay));
        all.fold(Duration::ZERO, |sum, it| sum + it.costs())
    }
}

type Rule = fn(&Known, &mut Left, &mut Vec<Loss>);

/// All rules, in the order in which they take delays: the specific before the general.
const RULES: &[Rule] = &[
    delays::start_up,
    patterns::growing,
    patterns::small_messages,
    patterns::wrong_order,
    patterns::contention,
    patterns::barriers,
    progress::late_progress,
    delays::file_access,
    delays::slow_rank,
    delays::serialization,
    delays::uneven,
    delays::slow_calls,
    rest::waiting,
    rest::transfer,
];

/// Applies all rules.
pub(super) fn losses(known: &Known) -> Vec<Loss> {
    let delays = known.profile.causes.iter().flat_map(|it| &it.delays);
    let mut left = Left(delays.collect());
    let mut found = Vec::new();
    RULES
        .iter()
        .for_each(|rule| rule(known, &mut left, &mut found));
    found
}
