//! The receives from anybody that a message yet to come could have been taken by.
//!
//! A receive races with a message from another process that suits it, comes
//! later, and whose sender did not know, when it sent, what the receive had
//! got (Netzer and Miller 1992). Whether it knew shows in the message's stamp:
//! its element of the receiving process, which counts that process's sends, is
//! then larger than at the time of the receive. (Clémençon et al. 1995 compare
//! the element of the earlier message's sender. That passes over races that
//! MPI leaves open: of two messages the one sent first, by another process,
//! need not arrive first, even if the second's sender knew of the first.)
//!
//! Receives are kept per tag, until a message that suits them has come from
//! every other process of the communicator since: what comes later from there
//! has larger stamps. Receives of one sender in a row are one run, so that a
//! block race is found as one.

use std::collections::VecDeque;

use crate::Recency;

/// A receive from anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receive {
    /// Number of the thread that posted it.
    pub thread: u32,
    /// The how manyth of that thread.
    pub ordinal: u64,
    /// Tag of its message, if it was posted for any.
    pub tag: Option<u32>,
    /// How many messages its process had sent when it was decided.
    pub decided: u64,
}

#[derive(Debug)]
struct Run {
    source: u32,
    receives: VecDeque<(u64, Receive)>,
}

/// Those with one tag, or with any, of one communicator.
#[derive(Debug)]
pub struct Window {
    own: u32,
    runs: VecDeque<Run>,
    /// When each process was last heard of: the number of its message.
    heard: Vec<u64>,
    latest: Recency,
    messages: u64,
    kept: usize,
}

impl Window {
    /// Begins with none, at rank `own` of so many processes.
    pub fn new(own: u32, processes: usize) -> Self {
        Self {
            own,
            runs: VecDeque::new(),
            heard: vec![0; processes],
            latest: Recency::new(processes),
            messages: 0,
            kept: 0,
        }
    }

    /// Returns how many receives are kept.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// A message was received that suits, whose sender `knew` of so many sends
    /// of this process. Reports the receives that it races with, each with the
    /// rank that its own message came from; they are kept no longer.
    #[inline]
    pub fn arrived(&mut self, source: u32, knew: u64, mut race: impl FnMut(u32, Receive)) {
        self.messages += 1;
        let mut own_run: Option<Run> = None;
        while let Some(run) = self.runs.back_mut() {
            if run.source != source {
                while let Some((_, receive)) = run.receives.back() {
                    if receive.decided < knew {
                        break;
                    }
                    race(run.source, *receive);
                    run.receives.pop_back();
                    self.kept -= 1;
                }
                if !run.receives.is_empty() {
                    break;
                }
                self.runs.pop_back();
            } else if let Some(mut run) = self.runs.pop_back() {
                if let Some(newer) = own_run.take() {
                    run.receives.extend(newer.receives);
                }
                own_run = Some(run);
                // Another run of the same sender cannot be next to it.
                if self.runs.back().is_none() {
                    break;
                }
            }
        }
        self.runs.extend(own_run);
        if let Some(heard) = self.heard.get_mut(source as usize) {
            *heard = self.messages;
            self.latest.touch(source as usize);
        }
    }

    /// Keeps the receive that took the message which arrived last.
    #[inline]
    pub fn keep(&mut self, source: u32, receive: Receive) {
        let lowered = |(_, kept): &mut (u64, Receive)| {
            let later = kept.decided > receive.decided;
            kept.decided = kept.decided.min(receive.decided);
            later
        };
        // Completed later, though posted earlier: decided by now at the latest.
        let mut all = self
            .runs
            .iter_mut()
            .rev()
            .flat_map(|run| run.receives.iter_mut().rev());
        while all.next().is_some_and(lowered) {}
        let entry = (self.messages, receive);
        match self.runs.back_mut() {
            Some(run) if run.source == source => run.receives.push_back(entry),
            _ => self.runs.push_back(Run {
                source,
                receives: VecDeque::from([entry]),
            }),
        }
        self.kept += 1;
    }

    /// Forgets receives since which everybody else was heard of; to be called
    /// once the message that arrived last is done with.
    #[inline]
    pub fn forget(&mut self) {
        while let Some(run) = self.runs.front_mut() {
            let source = run.source;
            let others = |&k: &usize| k as u32 != self.own && k as u32 != source;
            let silent = self.latest.oldest().find(others);
            let since = silent.map_or(u64::MAX, |k| self.heard[k]);
            while run.receives.front().is_some_and(|(at, _)| *at < since) {
                run.receives.pop_front();
                self.kept -= 1;
            }
            if !run.receives.is_empty() {
                return;
            }
            self.runs.pop_front();
        }
    }
}
