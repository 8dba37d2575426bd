//! Strong or weak: what runs themselves tell of it.
//!
//! That all ranks together compute as much on many as on few is strong scaling. That they compute
//! more may be weak scaling, or a program that repeats its computation on every rank, which is the
//! very thing that somebody wants to find: only if the program was given other arguments, too, it is
//! taken for weak scaling.

use super::{Kind, Run};

/// What was found of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Runs tell so.
    Told(Kind),
    /// Computation grows with the ranks, and arguments do not tell why.
    Either,
    /// Computation does neither.
    Neither,
}

/// Computation that grows by a smaller power of the ranks stays the same.
const SAME: f64 = 0.25;

/// Computation that grows by a power so far from 1 at most grows with the ranks.
const WITH: f64 = 0.25;

/// Looks at computation and arguments of the runs on fewest and on most ranks.
pub fn found_kind(runs: &[Run]) -> Found {
    let by_ranks = |run: &&Run| run.measures.ranks;
    let ends = runs
        .iter()
        .min_by_key(by_ranks)
        .zip(runs.iter().max_by_key(by_ranks));
    let Some((few, many)) = ends else {
        return Found::Neither;
    };
    let part = |of: fn(&Run) -> f64| (of(many) / of(few)).ln();
    let power = part(|it| it.computation_ns() as f64) / part(|it| it.measures.ranks as f64);
    let is_other = few.arguments.is_some() && many.arguments.is_some();
    let is_other = is_other && few.arguments != many.arguments;
    match power {
        power if power.abs() <= SAME => Found::Told(Kind::Strong),
        power if (power - 1.0).abs() <= WITH && is_other => Found::Told(Kind::Weak),
        power if (power - 1.0).abs() <= WITH => Found::Either,
        _ => Found::Neither,
    }
}
