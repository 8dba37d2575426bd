//! Happened-before as its definition says: reachability, by search.

use mpiscope_model::{
    CollectiveMember, CollectiveOp, EventRef, LocationIndex, Matching, Note, Trace,
};

/// All pairs of events.
pub struct Closure {
    begins: Vec<usize>,
    /// By event: which events came before.
    before: Vec<Vec<bool>>,
}

impl Closure {
    pub fn new(trace: &Trace, matching: &Matching) -> Closure {
        let mut begins = vec![0];
        for location in &trace.locations {
            begins.push(begins.last().unwrap() + location.events.len());
        }
        let count = *begins.last().unwrap();
        let number = |event: EventRef| begins[event.location.index()] + event.index as usize;
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); count];
        for begin in begins.windows(2) {
            (begin[0] + 1..begin[1]).for_each(|event| edges[event].push(event - 1));
        }
        for message in &matching.messages {
            edges[number(message.receive)].push(number(message.send));
        }
        for bound in &matching.bounds {
            edges[number(bound.receive)].push(number(bound.send));
        }
        for (sender, receiver) in collective(trace, matching) {
            edges[number(receiver)].push(number(sender));
        }
        let before = (0..count).map(|event| reachable(event, &edges)).collect();
        Closure { begins, before }
    }

    pub fn precedes(&self, a: EventRef, b: EventRef) -> bool {
        let number = |event: EventRef| self.begins[event.location.index()] + event.index as usize;
        self.before[number(b)][number(a)]
    }
}

fn reachable(event: usize, edges: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut stack = edges[event].clone();
    while let Some(next) = stack.pop() {
        if !std::mem::replace(&mut seen[next], true) {
            stack.extend(&edges[next]);
        }
    }
    seen
}

/// Enters that exits wait for.
fn collective(trace: &Trace, matching: &Matching) -> Vec<(EventRef, EventRef)> {
    let mut pairs = Vec::new();
    for instance in &matching.collectives {
        let members = matching.members_of(instance);
        let across = trace.definitions.communicators[instance.comm.index()]
            .remote
            .is_some();
        let dense = |member: &CollectiveMember| {
            let LocationIndex(location) = member.exit.location;
            let events = &trace.locations[location as usize].events;
            events
                .notes_of(member.exit.index as usize)
                .any(|note| note == Note::Dense)
        };
        let is_root = |member: &CollectiveMember| match across {
            // In the tests rank 0 of the first group.
            true => member.rank == 0 && !member.remote,
            false => instance.root == Some(member.rank),
        };
        for from in members {
            for to in members {
                let data = from.sent > 0 && to.received > 0;
                use CollectiveOp::*;
                let waits = match instance.op {
                    Bcast => is_root(from) && data,
                    Reduce => is_root(to) && data,
                    Scan | Exscan => from.rank < to.rank && data,
                    Barrier => true,
                    Alltoallv => dense(from) && to.received > 0,
                    Allreduce => data,
                    op => panic!("{op:?}"),
                };
                if waits && (!across || from.remote != to.remote) && instance.consistent {
                    pairs.push((from.enter, to.exit));
                }
            }
        }
    }
    pairs
}
