//! What makes others wait at each size: core time of what waits for it, where its own may stay the
//! same.

use std::collections::BTreeSet;

use super::run::Caused;
use super::{Kind, Run, Size};
use crate::compare::Key;

/// Something that makes others wait.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// What it is.
    pub key: Key,
    /// How long others wait for it at each size.
    pub waiting_ns: Vec<i64>,
    /// By how much that exceeds the ideal at the largest size.
    pub excess_ns: i64,
    /// The rank whose doing causes most there.
    pub rank: u32,
    /// How long others wait for it there on that rank.
    pub rank_ns: i64,
}

/// Returns all causes, those of most excess first; nothing if they were not looked for in a run.
pub(super) fn causes(
    runs: &[Run],
    sizes: &[Size],
    reference: usize,
    kind: Kind,
) -> Option<Vec<Cause>> {
    let of_sizes = sizes.iter().map(|size| runs[size.run].causing.as_ref());
    let of_sizes = of_sizes.collect::<Option<Vec<_>>>()?;
    let last = sizes.len() - 1;
    let factor = kind.ideal(sizes[reference].ranks, sizes[last].ranks);
    let keys: BTreeSet<&Key> = of_sizes.iter().flat_map(|it| it.keys()).collect();
    let cause = |key: &Key| {
        let caused = of_sizes.iter().map(|it| it.get(key).copied());
        let caused: Vec<Caused> = caused.map(Option::unwrap_or_default).collect();
        let ideal = factor * caused[reference].ns as f64;
        Cause {
            key: key.clone(),
            waiting_ns: caused.iter().map(|it| it.ns).collect(),
            excess_ns: caused[last].ns.saturating_sub(ideal.round() as i64),
            rank: caused[last].rank,
            rank_ns: caused[last].rank_ns,
        }
    };
    let mut causes: Vec<Cause> = keys.into_iter().map(cause).collect();
    causes.sort_by(|a, b| (b.excess_ns, &a.key).cmp(&(a.excess_ns, &b.key)));
    Some(causes)
}
