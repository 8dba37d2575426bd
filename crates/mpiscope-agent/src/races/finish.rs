//! MPI_Finalize: what nobody received could have been received, and the record
//! is completed.

use super::channels::COLLECTIVE;
use super::online::{end, with, Got, Online};
use crate::base::notice;
use crate::base::own::Own;
use crate::order::state::Session;
use crate::order::thread::{self, Thread};
use crate::peers::stamp_ring::Sent;
use crate::peers::stamps::{self, Channel, Stamp};

/// All ranks that began come here.
pub fn finish(session: &'static Session) {
    if !end() {
        return;
    }
    let Some(thread) = thread::current().map(Own::get) else {
        return;
    };
    with(|online| {
        online.say_totals();
        online.compare_rest(thread);
        online.races.late = online.posts.late();
        online.close(session);
    });
}

impl Online {
    /// Tells each process how many messages of each channel were sent to it. Rings
    /// may be too small for all of it, so they are emptied in turn. All processes come here.
    fn say_totals(&mut self) {
        let mut totals = self.totals();
        loop {
            while let Some((process, words)) = totals.last() {
                if self.transport.send(*process, words) == Sent::Full {
                    break;
                }
                totals.pop();
            }
            if self.comm.barrier().is_err() {
                return;
            }
            for from in 0..self.stamps.len() {
                let (stamps, own) = (&mut self.stamps[from], self.own);
                self.transport.take(from, |words| {
                    if let Some(stamp) = Stamp::read(words) {
                        stamps.come(stamp, own);
                    }
                });
            }
            let done = self.comm.all_true(totals.is_empty());
            if done != Ok(false) {
                break;
            }
        }
        let (stamps, own) = (&mut self.stamps, self.own);
        let take = |from: usize, words: &[u64]| {
            if let (Some(stamps), Some(stamp)) = (stamps.get_mut(from), Stamp::read(words)) {
                stamps.come(stamp, own);
            }
        };
        self.transport.finish(take);
    }

    fn totals(&self) -> Vec<(usize, Vec<u64>)> {
        let mut totals = Vec::new();
        for comm in self.comms.iter() {
            for (to, tag, channel) in comm.sent.iter().filter(|(_, tag, _)| *tag != COLLECTIVE) {
                let named = Channel {
                    comm: comm.identity,
                    tag,
                };
                let mut words = Vec::new();
                stamps::end(&mut words, named, channel.messages);
                totals.extend(comm.peers.get(to as usize).map(|&to| (to as usize, words)));
            }
        }
        totals
    }

    /// Compares receives that waited for their turn, and messages that nobody received.
    fn compare_rest(&mut self, thread: &mut Thread) {
        let mut counted = Vec::new();
        self.posts.finish(|got| counted.push(got));
        for process in 0..self.stamps.len() {
            for (channel, messages) in self.stamps[process].ended() {
                self.list_rest(process, channel, messages, &mut counted);
            }
        }
        for got in counted {
            self.count(got, thread);
        }
    }

    fn list_rest(&mut self, process: usize, channel: Channel, messages: u64, rest: &mut Vec<Got>) {
        let at = self.comms.find(channel.comm);
        let Some((at, comm)) = at.and_then(|at| Some((at, self.comms.get_mut(at)?))) else {
            return;
        };
        let is_sender = |&peer: &u32| peer as usize == process;
        let Some(source) = comm.peers.iter().position(is_sender) else {
            return;
        };
        let source = source as u32;
        let Some(&mut heard) = comm.heard.get(source, channel.tag) else {
            return;
        };
        let knew = self.stamps[process].left(channel, heard, messages);
        rest.extend(knew.into_iter().map(|knew| Got {
            comm: at,
            source,
            tag: channel.tag,
            knew,
            receive: None,
        }));
    }

    /// Writes the last receive of each thread, and how it went.
    fn close(&mut self, session: &'static Session) {
        for shared in session.threads() {
            // SAFETY: in MPI_Finalize no other thread calls MPI (MPI 4.1, §11.2.2).
            let Some(thread) = (unsafe { shared.thread.get().as_mut() }) else {
                continue;
            };
            if let Some((ordinal, taken)) = thread.latest.take() {
                self.races.last.push((thread.number, ordinal));
                thread
                    .out
                    .put(|encoder, writer| encoder.receive(writer, ordinal, taken));
            }
        }
        if let Err(error) = self.races.write(&session.run) {
            notice::tell(&format!("how many receives race is not known: {error}"));
        }
    }
}
