//! Completion: how long the members of an operation stayed in it after the first of them had left,
//! all of them together, where each begins and ends it in one call.

use mpiscope_analysis::wait_states::Kind;

use super::calls::Call;
use super::collectives::Part;
use super::Twin;

impl Twin<'_> {
    /// Returns how often members stayed in an operation of a kind, and how long.
    pub fn completion(&self, kind: Kind) -> (u64, i64) {
        let of_kind = self.met.iter().filter(|(it, _)| *it == kind);
        let stays = of_kind.filter_map(|(_, parts)| self.stay(parts));
        let stays: Vec<i64> = stays.filter(|it| *it > 0).collect();
        (stays.len() as u64, stays.iter().sum())
    }

    fn stay(&self, parts: &[Part]) -> Option<i64> {
        let calls: Option<Vec<&Call>> = parts.iter().map(|it| self.only_call(it)).collect();
        let calls = calls?;
        let first_left = calls.iter().map(|call| call.end).min()?;
        let stay = |call: &&Call| call.end - first_left.max(call.begin);
        Some(calls.iter().map(stay).map(|it| it.max(0)).sum())
    }

    fn only_call(&self, part: &Part) -> Option<&Call> {
        let mut calls = self.calls.iter();
        calls.find(|call| call.has(part.begins) && call.has(part.ends))
    }
}
