//! Words to processes of other hosts: messages on a communicator of ours.
//!
//! They are sent without blocking, before the message that they belong to, and
//! looked for without blocking: if they come later, they were not said.

use std::collections::VecDeque;

use mpi_abi::{id, Code, Mpi, OwnComm};

use crate::base::raw_call::pmpi_c;

/// The only tag.
const TAG: i32 = 0;

/// Words on their way from and to other hosts.
pub struct MpiTransport {
    comm: OwnComm<'static>,
    bytes: Vec<u8>,
    idle: Vec<Slot>,
    busy: VecDeque<Slot>,
    /// Messages to each process, and from each.
    sent: Vec<i64>,
    received: Vec<i64>,
}

/// Memory of a message; used again when MPI is done with it.
struct Slot {
    bytes: Vec<u8>,
    request: usize,
}

/// Tells each process a number, and returns what each told this one.
fn exchange(comm: OwnComm, numbers: &[i64]) -> Option<Vec<i64>> {
    let mut told = vec![0; numbers.len()];
    let (from, to) = (numbers.as_ptr() as usize, told.as_mut_ptr() as usize);
    let abi = &comm.mpi().abi;
    let args = [from, 1, abi.int64, to, 1, abi.int64, comm.handle()];
    let code = pmpi_c(id::MPI_ALLTOALL, args);
    (code == Some(abi.success)).then_some(told)
}

impl MpiTransport {
    /// Begins, for words of a length up to `longest`; returns as well who
    /// sends to this process this way, as this process does to those in `to`. All processes
    /// call this.
    pub fn new(
        own: OwnComm<'static>,
        longest: usize,
        to: &[bool],
    ) -> Result<(Self, Vec<bool>), Code> {
        let comm = own.duplicate()?;
        let flags: Vec<i64> = to.iter().map(|&to| to.into()).collect();
        let from = exchange(comm, &flags).unwrap_or_default();
        let far = Self {
            comm,
            bytes: vec![0; 8 * (longest + 1)],
            idle: Vec::new(),
            busy: VecDeque::new(),
            sent: vec![0; to.len()],
            received: vec![0; to.len()],
        };
        Ok((far, from.iter().map(|&flag| flag != 0).collect()))
    }

    /// Sends words; returns whether that could be done.
    pub fn send(&mut self, to: usize, words: &[u64]) -> bool {
        let length = 8 * (words.len() + 1);
        let mut slot = self.slot();
        if length > slot.bytes.len() {
            self.idle.push(slot);
            return false;
        }
        let all = std::iter::once(words.len() as u64).chain(words.iter().copied());
        for (place, word) in slot.bytes.chunks_exact_mut(8).zip(all) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let bytes = slot.bytes.as_ptr() as usize;
        self.busy.push_back(slot);
        let Some(slot) = self.busy.back_mut() else {
            return false;
        };
        let request = &raw mut slot.request as usize;
        let abi = &self.comm.mpi().abi;
        let (byte, tag, comm) = (abi.byte, TAG as usize, self.comm.handle());
        let args = [bytes, length, byte, to, tag, comm, request];
        let done = pmpi_c(id::MPI_ISEND, args) == Some(abi.success);
        self.sent[to] += i64::from(done);
        done
    }

    /// Returns memory that is free.
    fn slot(&mut self) -> Slot {
        let mpi = self.comm.mpi();
        for _ in 0..2 {
            if !self.busy.front_mut().is_some_and(|slot| slot.is_done(mpi)) {
                break;
            }
            self.idle.extend(self.busy.pop_front());
        }
        let new = || Slot {
            bytes: vec![0; self.bytes.len()],
            request: mpi.abi.request_null,
        };
        self.idle.pop().unwrap_or_else(new)
    }

    /// Takes the next words from a process, if they are there.
    pub fn take(&mut self, from: usize, words: &mut Vec<u64>) -> bool {
        words.clear();
        let is_there = self.comm.iprobe(from as i32, TAG);
        is_there.unwrap_or(false) && self.receive(from, words)
    }

    fn receive(&mut self, from: usize, words: &mut Vec<u64>) -> bool {
        // No message is longer.
        let received = self.comm.recv(from as i32, TAG, &mut self.bytes);
        if received.is_err() {
            return false;
        }
        self.received[from] += 1;
        let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
        let mut all = self.bytes.chunks_exact(8).map(word);
        let length = all.next().unwrap_or(0) as usize;
        words.clear();
        words.extend(all.take(length));
        true
    }

    /// Takes all that is still on its way; `take` gets who sent it. All processes come here, and
    /// send nothing more.
    pub fn finish(&mut self, words: &mut Vec<u64>, mut take: impl FnMut(usize, &[u64])) {
        let all = exchange(self.comm, &self.sent).unwrap_or_default();
        for (from, &sent) in all.iter().enumerate() {
            while self.received[from] < sent && self.receive(from, words) {
                take(from, words);
            }
        }
        for mut slot in self.busy.drain(..) {
            if !slot.is_done(self.comm.mpi()) {
                std::mem::forget(slot); // MPI may still read it
            }
        }
    }
}

impl Slot {
    fn is_done(&mut self, mpi: &Mpi) -> bool {
        if self.request == mpi.abi.request_null {
            return true;
        }
        let mut flag = 0i32;
        let request = &raw mut self.request as usize;
        let (flag_at, ignore) = (&raw mut flag as usize, mpi.abi.status_ignore);
        let code = pmpi_c(id::MPI_TEST, [request, flag_at, ignore]);
        code == Some(mpi.abi.success) && flag != 0
    }
}
