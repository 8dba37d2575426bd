//! Late progress: calls that complete a message until the other rank, which had begun its part before
//! and has not completed it, comes to MPI again.

use std::collections::BTreeMap;

use mpiscope_analysis::wait_states::WaitState;

use super::calls::Call;
use super::messages::Side;
use super::{At, Twin};

impl Twin<'_> {
    /// Returns how many calls are longer by it, and by how much together.
    pub fn late_progress(&self, waits: &[WaitState]) -> (u64, i64) {
        // By call: the last moment at which somebody came, and since when the call lasted before.
        let mut all: BTreeMap<At, (i64, i64)> = BTreeMap::new();
        for (send, receive) in self.pairs() {
            for (own, other) in [(&receive, &send), (&send, &receive)] {
                let Some((call, [begin, end])) = self.until_it_came(own, other) else {
                    continue;
                };
                let last = all
                    .entry((call.location, call.enter))
                    .or_insert((end, begin));
                if end > last.0 || end == last.0 && begin < last.1 {
                    *last = (end, begin);
                }
            }
        }
        let rest = all.into_iter().map(|(call, (end, begin))| {
            let is_its =
                |it: &&WaitState| (it.call.location.index(), it.call.index as usize) == call;
            let waited = waits.iter().find(is_its).map(|it| it.end.0);
            end - waited.map_or(begin, |waited| begin.max(waited))
        });
        let times: Vec<i64> = rest.filter(|it| *it > 0).collect();
        (times.len() as u64, times.iter().sum())
    }

    fn until_it_came(&self, own: &Side, other: &Side) -> Option<(&Call, [i64; 2])> {
        let call = self.call(own.completes?)?;
        let begun = self.call(other.begins)?;
        let completes = other.completes?;
        if call.location == begun.location || completes.1 <= begun.leave {
            return None;
        }
        let begin = call.begin.max(begun.end);
        let later = self.calls.iter();
        let mut later = later.filter(|it| it.location == begun.location && it.enter > begun.leave);
        let next = later.find(|it| it.end > begin)?;
        let was_outside = next.begin > begin && next.enter <= completes.1;
        (was_outside && next.begin <= call.end).then_some((call, [begin, next.begin]))
    }
}
