//! When a receive had surely been matched, though it completed later.

use rustc_hash::FxHashMap;

use super::{Entry, NONE};

/// Finds the events that show that receives had been matched (MPI 4.1 §3.5):
///
/// - A message goes to the first receive posted that it suits: if a later one
///   has got a message that suits an earlier one too, that had its own already.
/// - A receive gets the first message of a sender that suits it: if it has got
///   a later one, the first had gone, to an earlier receive.
///
/// Who knows that a blocking receive was entered, and did nothing else yet, knows
/// it from a synchronous send that it took (MPI 4.1 §3.4): then it was matched.
/// Among nonblocking receives that is not told apart.
pub(super) fn decide(entries: &mut [Entry]) {
    let nonblocking = |entry: &Entry| entry.takes && entry.post != entry.event;
    if !entries.iter().any(nonblocking) {
        return;
    }
    for entry in entries.iter_mut() {
        entry.decided = entry.event.index;
    }
    let mut later = Later::default();
    for entry in entries.iter_mut().rev() {
        entry.decided = later.least(entry);
        later.add(entry);
    }
}

/// What completed of the receives and probes posted later, least first.
#[derive(Default)]
struct Later {
    /// By what they got: location, communicator, and sender and tag or all.
    got: FxHashMap<(u32, u32, u32, u32), u32>,
    /// Of those that name no tag, by sender: the message that they got.
    messages: FxHashMap<(u32, u32, u32), Vec<(u32, u32)>>,
}

impl Later {
    fn least(&self, entry: &Entry) -> u32 {
        let (location, comm) = (entry.event.location.0, entry.comm.0);
        let source = entry.source.unwrap_or(NONE);
        let asked = (location, comm, source, entry.tag.unwrap_or(NONE));
        let mut least = entry.decided;
        if let Some(&later) = self.got.get(&asked) {
            least = least.min(later);
        }
        if let Some(messages) = self.messages.get(&(location, comm, entry.got.0)) {
            // Messages descend here, as those posted last were added first.
            let after = messages.partition_point(|(message, _)| *message > entry.message);
            if let Some((_, later)) = after.checked_sub(1).map(|last| messages[last]) {
                least = least.min(later);
            }
        }
        least
    }

    fn add(&mut self, entry: &Entry) {
        let (location, comm) = (entry.event.location.0, entry.comm.0);
        let (process, tag) = entry.got;
        let index = entry.event.index;
        for key in [(process, tag), (process, NONE), (NONE, tag), (NONE, NONE)] {
            let got = self.got.entry((location, comm, key.0, key.1));
            let least = got.or_insert(index);
            *least = index.min(*least);
        }
        if entry.tag.is_none() && entry.message != NONE {
            let messages = self.messages.entry((location, comm, process)).or_default();
            let least = messages
                .last()
                .map_or(index, |(_, least)| index.min(*least));
            messages.push((entry.message, least));
        }
    }
}
