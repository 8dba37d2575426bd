//! First in, first out per communicator, sender, receiver and tag, in posting
//! order of both sides: the general case; the common one is in `plain`.
//!
//! Each process counts its sends per channel, then its receives; the n-th on
//! one side is the partner of the n-th on the other. Nothing is looked up per
//! message but its channel, in a table that holds one process's channels only.
//! Processes are read in parallel; what they find does not depend on how many
//! at a time.

use rayon::prelude::*;

use super::channels::NONE;
use super::found::Found;
use super::incoming;
use super::outgoing::Outgoing;
use super::shares::shares;
use crate::definitions::{LocationIndex, Rank};
use crate::messages::Matching;
use crate::trace::Trace;

/// Finds out what all processes received.
pub(super) fn collect(
    trace: &Trace,
    processes: &[(Rank, Vec<LocationIndex>)],
    senders: &[Outgoing],
    matching: &mut Matching,
) {
    let inboxes = Inboxes::new(senders, matching);
    let found: Vec<Found> = (shares(trace, processes, rayon::current_num_threads()))
        .into_par_iter()
        .map(|share| {
            let mut reader = incoming::Reader::default();
            let mut found = Found::default();
            let rows = |process| inboxes.of(process).len();
            found.messages.reserve_exact(share.clone().map(rows).sum());
            for process in share {
                reader.read(trace, &processes[process].1);
                reader.meet(senders, inboxes.of(process), &mut found);
            }
            found
        })
        .collect();
    Found::gather(found, matching);
}

/// Which stretches of sends go to which process (a counting sort).
struct Inboxes {
    /// Sender and row among its outlets, by receiver, sender and row.
    all: Vec<(u32, u32)>,
    /// Where each receiver's begin; one more entry than processes.
    begins: Vec<usize>,
}

impl Inboxes {
    fn new(senders: &[Outgoing], matching: &mut Matching) -> Inboxes {
        let mut begins = vec![0; senders.len() + 2];
        for receiver in senders.iter().flat_map(|sender| &sender.receivers) {
            if *receiver != NONE {
                begins[*receiver as usize + 2] += 1;
            }
        }
        for process in 2..begins.len() {
            begins[process] += begins[process - 1];
        }
        let mut all = vec![(0, 0); begins[senders.len() + 1]];
        for (number, sender) in senders.iter().enumerate() {
            for (row, &receiver) in sender.receivers.iter().enumerate() {
                if receiver == NONE {
                    let lost = sender.sends(&sender.outlets[row]);
                    matching.unmatched_sends.extend(lost);
                    continue;
                }
                // What was the begin of the next moves to its own.
                let place = &mut begins[receiver as usize + 1];
                all[*place] = (number as u32, row as u32);
                *place += 1;
            }
        }
        Inboxes { all, begins }
    }

    fn of(&self, process: usize) -> &[(u32, u32)] {
        &self.all[self.begins[process]..self.begins[process + 1]]
    }
}
