//! Computation that a call divides which only one side has: a new barrier in the middle of it, say.
//! Both parts together are compared with what the other side does there.
//!
//! Where such a call follows several others, as in the first iteration and in all others, what is
//! computed after it is shared out by how often it followed each; and the other way round.

use std::collections::BTreeSet;

use super::{pairs, Call, Key, Measures};

/// The calls around some computation.
type Around = (Option<Call>, Option<Call>);

/// Joins what only one side divides.
pub(super) fn join(a: &mut [Measures], b: &mut [Measures]) {
    let was = {
        let [of_a, of_b] = [&*a, &*b].map(|runs| -> Vec<BTreeSet<&Key>> {
            runs.iter().map(|it| it.rows.keys().collect()).collect()
        });
        pairs::moved(&of_a, &of_b)
    };
    let before = |call: &Call| was.get(call).unwrap_or(call).clone();
    let as_in_a = |(from, to): &Around| (from.as_ref().map(before), to.as_ref().map(before));
    let of_a = computation(a);
    let of_b: BTreeSet<Around> = computation(b).iter().map(as_in_a).collect();
    let calls_of_a = calls(a);
    let calls_of_b: BTreeSet<Call> = calls(b).iter().map(before).collect();
    side(
        b,
        |it| !calls_of_a.contains(&before(it)),
        |it| of_a.contains(&as_in_a(it)),
    );
    side(a, |it| !calls_of_b.contains(it), |it| of_b.contains(it));
}

/// Returns the computation of some runs.
fn computation(runs: &[Measures]) -> BTreeSet<Around> {
    let keys = runs.iter().flat_map(|it| it.rows.keys());
    let around = keys.filter_map(|key| match key {
        Key::Between(from, to) => Some((from.clone(), to.clone())),
        _ => None,
    });
    around.collect()
}

fn calls(runs: &[Measures]) -> BTreeSet<Call> {
    let keys = runs.iter().flat_map(|it| it.rows.keys());
    keys.flat_map(Key::calls).cloned().collect()
}

/// Joins computation of one side around calls that the other one has not, where that has the whole.
fn side(
    runs: &mut [Measures],
    is_alone: impl Fn(&Call) -> bool,
    has_other: impl Fn(&Around) -> bool,
) {
    for call in calls(runs).into_iter().filter(is_alone) {
        let all = computation(runs);
        let call = Some(call);
        let into: Vec<&Around> = all.iter().filter(|it| it.1 == call).collect();
        let out: Vec<&Around> = all.iter().filter(|it| it.0 == call).collect();
        let whole = |into: &Around, out: &Around| (into.0.clone(), out.1.clone());
        let mut wholes = into
            .iter()
            .flat_map(|into| out.iter().map(|out| whole(into, out)));
        let follows_itself = all.contains(&(call.clone(), call.clone()));
        let is_told = into.len().min(out.len()) == 1 && !follows_itself;
        if is_told && wholes.all(|it| has_other(&it)) {
            runs.iter_mut().for_each(|run| one(run, &into, &out));
        }
    }
}

/// Joins the parts before and after a call in a run; one of both sides has a single row.
fn one(run: &mut Measures, into: &[&Around], out: &[&Around]) {
    let mut take = |it: &Around| run.rows.remove(&Key::Between(it.0.clone(), it.1.clone()));
    let mut rows =
        |all: &[&Around]| -> Vec<_> { all.iter().map(|it| take(it).unwrap_or_default()).collect() };
    let (before, after) = (rows(into), rows(out));
    let (several, single) = match into.len() {
        1 => (&after, before[0]),
        _ => (&before, after[0]),
    };
    let visits = several.iter().map(|row| row.visits);
    let visits = visits.fold(0, u64::saturating_add);
    let last = several.len() - 1;
    let mut left = single.ns;
    for (number, row) in several.iter().enumerate() {
        let part = match number == last {
            true => left,
            false => {
                let share = row.visits as f64 / visits.max(1) as f64;
                (single.ns as f64 * share) as i64
            }
        };
        left = left.saturating_sub(part);
        let (from, to) = match into.len() {
            1 => (&into[0].0, &out[number].1),
            _ => (&into[number].0, &out[0].1),
        };
        let ns = row.ns.saturating_add(part);
        if ns != 0 || row.visits != 0 {
            run.add(Key::Between(from.clone(), to.clone()), ns, row.visits);
        }
    }
}
