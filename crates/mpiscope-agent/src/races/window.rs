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

use crate::peers::recency::Recency;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays messages at rank 1 of four, as `source knew` (`source!` for a
    /// receive that names its source; `send` for a send of rank 1's own);
    /// returns the receives that race, by their order.
    #[track_caller]
    fn check(processes: usize, messages: &str, expected: &[u64], kept: usize) {
        let mut window = Window::new(1, processes);
        let (mut time, mut ordinal, mut racing) = (0, 0, Vec::new());
        for word in messages.split_whitespace() {
            if word == "send" {
                time += 1;
                continue;
            }
            let (source, knew) = word.split_once(':').unwrap();
            let named = source.ends_with('!');
            let source = source.trim_end_matches('!').parse().unwrap();
            window.arrived(source, knew.parse().unwrap(), |_, receive| {
                racing.push(receive.ordinal);
            });
            if !named {
                let receive = Receive {
                    thread: 0,
                    ordinal,
                    tag: None,
                    decided: time,
                };
                window.keep(source, receive);
            }
            window.forget();
            ordinal += 1;
        }
        racing.sort_unstable();
        assert_eq!(racing, expected, "{messages}");
        assert_eq!(window.kept(), kept, "{messages}");
    }

    /// Clémençon et al. 1995, Figure 2: of three messages the first two receives are critical.
    #[test]
    fn three_messages_race_for_one_receive() {
        check(4, "0:0 3:0 2:0", &[0, 1], 1);
    }

    /// The same, Figure 4 (b): one message races with a block of two.
    #[test]
    fn a_block_race_is_found_whole() {
        check(4, "0:0 0:0 2:0", &[0, 1], 1);
        check(4, "0:0 0:0 send 0:1 2:0 2:0 0!:1", &[0, 1, 2, 3, 4], 0);
    }

    #[test]
    fn a_sender_that_knew_of_the_receive_does_not_race() {
        check(4, "0:0 send 2:1", &[], 2);
        check(4, "0:0 send 2:0", &[0], 1);
        check(4, "0:0 send 0:1 2:1", &[1], 2);
    }

    #[test]
    fn messages_of_one_sender_do_not_race() {
        check(4, "0:0 0:0 0:0", &[], 3);
    }

    /// A receive that names its source has no choice, yet its message could have gone elsewhere.
    #[test]
    fn a_named_receives_message_races_with_a_wildcard_before_it() {
        check(4, "0:0 2!:0", &[0], 0);
        check(4, "2!:0 0:0", &[], 1);
    }

    #[test]
    fn receives_are_forgotten_once_everybody_else_was_heard_of() {
        check(2, "0:0 0:0", &[], 0);
        check(3, "0:0 send 2:1", &[], 1);
        check(4, "0:0 send 2:1 3:1", &[1], 1);
        check(4, "0:0 send 2:1 send 3:2", &[], 2);
        check(4, "0:0 send 2:1 send 3:2 send 0:3", &[], 2);
    }

    /// A receive completes after one that was posted later: both were decided by then.
    #[test]
    fn decisions_are_no_later_than_those_of_later_receives() {
        let mut window = Window::new(0, 3);
        let receive = |ordinal, decided| Receive {
            thread: 0,
            ordinal,
            tag: None,
            decided,
        };
        window.arrived(1, 0, |_, _| panic!());
        window.keep(1, receive(0, 5));
        window.arrived(1, 0, |_, _| panic!());
        window.keep(1, receive(1, 2));
        window.arrived(2, 3, |_, _| panic!("its sender knew"));
    }

    /// By comparing with every earlier receive, whatever comes.
    #[test]
    fn windows_find_what_comparing_all_finds() {
        let mut seed = 5u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..300 {
            let processes = 2 + random(5) as usize;
            let mut window = Window::new(0, processes);
            let mut knew = vec![0; processes];
            let (mut time, mut all, mut found) = (0, Vec::new(), Vec::new());
            let mut expected = Vec::new();
            for ordinal in 0..60 {
                time += random(2);
                let source = 1 + random(processes as u64 - 1) as usize;
                // A sender forgets nothing, and cannot know more than there is.
                knew[source] = knew[source] + random(1 + time - knew[source]);
                for &(at, from, decided) in &all {
                    if from != source && decided >= knew[source] {
                        expected.push(at);
                    }
                }
                window.arrived(source as u32, knew[source], |_, r| found.push(r.ordinal));
                if random(4) > 0 {
                    let receive = Receive {
                        thread: 0,
                        ordinal,
                        tag: None,
                        decided: time,
                    };
                    window.keep(source as u32, receive);
                    all.push((ordinal, source, time));
                }
                window.forget();
            }
            expected.sort_unstable();
            expected.dedup();
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
