//! Which row of one build is which of another, also where lines moved.
//!
//! Calls of one name in one function of one file are the same calls in their order, if all runs of a
//! build have the same of them, and both builds equally many; else those of equal lines are taken for
//! the same, and of the others nobody can say. What single runs do not call says nothing of a build.

use std::collections::{BTreeMap, BTreeSet};

use super::{Call, Key};

/// Calls that are alike but for their lines.
type Alike<'a> = (&'a str, &'a str, &'a str, bool);

/// Pairs rows of the runs of two builds: those of both, then those of one alone.
pub fn pair(a: &[BTreeSet<&Key>], b: &[BTreeSet<&Key>]) -> Vec<(Option<Key>, Option<Key>)> {
    let was = moved(a, b);
    let all = |runs: &[BTreeSet<&Key>]| -> BTreeSet<Key> {
        runs.iter().flatten().map(|key| (*key).clone()).collect()
    };
    let (a, b) = (all(a), all(b));
    let before = |call: &Call| was.get(call).cloned().unwrap_or_else(|| call.clone());
    let mut left = a.clone();
    let of_b = b.iter().map(|key| {
        let of_a = left.take(&key.map(&before));
        (of_a, Some(key.clone()))
    });
    let mut pairs: Vec<(Option<Key>, Option<Key>)> = of_b.collect();
    pairs.extend(left.into_iter().map(|key| (Some(key), None)));
    pairs
}

/// Returns what each call of B that moved was in A.
pub(super) fn moved(a: &[BTreeSet<&Key>], b: &[BTreeSet<&Key>]) -> BTreeMap<Call, Call> {
    let (a, b) = (in_all(a), in_all(b));
    let mut was = BTreeMap::new();
    for (which, of_b) in &b {
        let Some(of_a) = a.get(which).filter(|of_a| of_a.len() == of_b.len()) else {
            continue;
        };
        let pairs = of_b.iter().zip(of_a).filter(|(b, a)| b != a);
        was.extend(pairs.map(|(b, a)| ((*b).clone(), (*a).clone())));
    }
    was
}

/// Returns the calls that all runs have, by what they share, where no run has others.
fn in_all<'a>(runs: &[BTreeSet<&'a Key>]) -> BTreeMap<Alike<'a>, BTreeSet<&'a Call>> {
    let mut of_runs = runs.iter().map(alike);
    let mut all = of_runs.next().unwrap_or_default();
    for other in of_runs {
        all.retain(|which, calls| other.get(which) == Some(calls));
    }
    all
}

/// Returns all calls of a run, in the order of their lines, by what they share.
fn alike<'a>(keys: &BTreeSet<&'a Key>) -> BTreeMap<Alike<'a>, BTreeSet<&'a Call>> {
    let mut all: BTreeMap<Alike, BTreeSet<&Call>> = BTreeMap::new();
    for call in keys.iter().flat_map(|key| key.calls()) {
        let which = (
            call.name.as_str(),
            call.file.as_str(),
            call.function.as_str(),
            call.is_line,
        );
        all.entry(which).or_default().insert(call);
    }
    all
}
