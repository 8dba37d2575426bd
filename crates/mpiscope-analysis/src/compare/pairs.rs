//! Which row of one build is which of another, also where lines moved.
//!
//! Calls of one name in one function of one file are the same calls in their order, if both builds
//! have equally many of them; else those of equal lines are, and of the others nobody can say.

use std::collections::{BTreeMap, BTreeSet};

use super::{Call, Key};

/// Calls that are alike but for their lines.
type Alike<'a> = (&'a str, &'a str, &'a str, bool);

/// Pairs rows: those of both builds, then those of one alone.
pub fn pair(a: &BTreeSet<Key>, b: &BTreeSet<Key>) -> Vec<(Option<Key>, Option<Key>)> {
    let was = moved(a, b);
    let before = |call: &Call| was.get(call).cloned().unwrap_or_else(|| call.clone());
    let mut left = a.clone();
    let of_b = b.iter().map(|key| {
        let of_a = left.take(&key.map(before));
        (of_a, Some(key.clone()))
    });
    let mut pairs: Vec<(Option<Key>, Option<Key>)> = of_b.collect();
    pairs.extend(left.into_iter().map(|key| (Some(key), None)));
    pairs
}

/// Returns what each call of B that moved was in A.
fn moved(a: &BTreeSet<Key>, b: &BTreeSet<Key>) -> BTreeMap<Call, Call> {
    let (a, b) = (alike(a), alike(b));
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

/// Returns all calls, in the order of their lines, by what they share.
fn alike(keys: &BTreeSet<Key>) -> BTreeMap<Alike<'_>, BTreeSet<&Call>> {
    let mut all: BTreeMap<Alike, BTreeSet<&Call>> = BTreeMap::new();
    for call in keys.iter().flat_map(Key::calls) {
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
