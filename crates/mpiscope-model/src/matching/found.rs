//! What is found of messages, process by process, before it is put together.

use crate::messages::{Bound, Matching, Message};
use crate::trace::EventRef;

/// What was found among the receives of some processes.
#[derive(Default)]
pub(super) struct Found {
    pub messages: Vec<Message>,
    pub bounds: Vec<Bound>,
    pub unmatched_sends: Vec<EventRef>,
    pub unmatched_receives: Vec<EventRef>,
    pub ambiguous: usize,
}

impl Found {
    /// Adds what was found to the matching, in order.
    pub fn gather(all: Vec<Found>, matching: &mut Matching) {
        let total = all.iter().map(|found| found.messages.len()).sum();
        for found in all {
            found.append_to(matching, total);
        }
        matching.unmatched_sends.sort_unstable();
        matching.unmatched_receives.sort_unstable();
    }

    fn append_to(self, matching: &mut Matching, total: usize) {
        if matching.messages.is_empty() {
            matching.messages = self.messages;
            let missing = total - matching.messages.len();
            matching.messages.reserve_exact(missing);
        } else {
            matching.messages.extend(self.messages);
        }
        matching.bounds.extend(self.bounds);
        matching.unmatched_sends.extend(self.unmatched_sends);
        matching.unmatched_receives.extend(self.unmatched_receives);
        matching.ambiguous += self.ambiguous;
    }
}
