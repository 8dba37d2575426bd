//! The logical messages of a trace, pair by pair, as the correction has them.

use std::collections::BTreeSet;

use mpiscope_model::{EventRef, Matching, Trace};
use mpiscope_sync::logical::{CollectiveSync, From};

/// Sender's and receiver's event.
pub type Pair = (EventRef, EventRef);

pub fn logical_pairs(trace: &Trace, matching: &Matching) -> BTreeSet<Pair> {
    let messages = matching.messages.iter().map(|m| (m.send, m.receive));
    let bounds = matching.bounds.iter().map(|b| (b.send, b.receive));
    let mut pairs: BTreeSet<Pair> = messages.chain(bounds).collect();
    for instance in &matching.collectives {
        let Some(collective) = CollectiveSync::new(trace, matching, instance) else {
            continue;
        };
        for sender in collective.members.iter().filter(|m| collective.sends(m)) {
            for receiver in collective.members.iter().filter(|m| collective.receives(m)) {
                let heard = collective.heard_in(sender) == collective.heard_by(receiver);
                let lower = collective.rule.from == From::Others || sender.rank < receiver.rank;
                if heard && lower {
                    pairs.insert((sender.enter, receiver.exit));
                }
            }
        }
    }
    pairs.retain(|(send, receive)| send.location != receive.location);
    pairs
}
