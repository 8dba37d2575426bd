//! How stamps travel: as messages on a communicator of ours beside each of
//! the program's, so that counts, probes and buffers of the program's messages
//! stay as they are.
//!
//! A stamp is sent before its message, without blocking; where the message is
//! there, its stamp has been sent.

use std::collections::VecDeque;

use mpi_abi::{id, pmpi, Code, FunctionId, Mpi};

use super::channel::Channel;
use super::clock::{longest, Clock, Stamp, Told};

/// The only tag of stamps.
const TAG: i32 = 0;

/// A communicator beside one of the program's.
pub struct Shadow {
    comm: usize,
    /// This process's rank in it.
    pub rank: u32,
    /// Its processes.
    pub size: usize,
    /// What each rank was told.
    told: Vec<Told>,
    channels: Vec<Channel>,
}

/// Makes a call of up to seven words.
fn pass<const N: usize>(function: FunctionId, args: [usize; N]) -> i32 {
    let Some(found) = pmpi(function) else {
        return -1;
    };
    type Any = unsafe extern "C-unwind" fn(usize, usize, usize, usize, usize, usize, usize) -> i32;
    let mut all = [0; 7];
    for (to, from) in all.iter_mut().zip(args) {
        *to = from;
    }
    let [a, b, c, d, e, f, g] = all;
    // SAFETY: the address is that of PMPI's function; its arguments are all of the INTEGER class,
    // live in the callers below, and words that it does not expect lie beyond them.
    unsafe { std::mem::transmute::<*const (), Any>(found)(a, b, c, d, e, f, g) }
}

impl Shadow {
    /// Makes one beside a communicator; attributes are not copied, as the
    /// program's functions would be called for that.
    ///
    /// # Safety
    /// MPI is up, and all processes of the intracommunicator call this.
    pub unsafe fn new(mpi: &Mpi, of: usize) -> Result<Self, Code> {
        // SAFETY: said by the caller.
        unsafe {
            let rank = mpi.comm_rank(of)?;
            let comm = mpi.comm_split(of, 0, rank)?;
            mpi.comm_set_errors_return(comm)?;
            let size = mpi.comm_size(comm)? as usize;
            Ok(Self {
                comm,
                rank: rank as u32,
                size,
                told: vec![Told::default(); size],
                channels: (0..size).map(|_| Channel::default()).collect(),
            })
        }
    }

    /// Sends the stamp of a message that is about to be sent.
    #[inline]
    pub fn send(
        &mut self,
        mpi: &Mpi,
        pool: &mut Pool,
        clock: &mut Clock,
        to: i32,
        tag: i32,
    ) -> bool {
        let Some(told) = self.told.get_mut(to as usize) else {
            return true; // MPI_PROC_NULL, or an error of the program's
        };
        clock.tick();
        let slot = pool.slot(mpi);
        let length = clock.stamp(told, tag, &mut slot.bytes);
        let code = pass(
            id::MPI_ISEND,
            [
                slot.bytes.as_ptr() as usize,
                length,
                mpi.abi.byte,
                to as usize,
                TAG as usize,
                self.comm,
                &raw mut slot.request as usize,
            ],
        );
        code == mpi.abi.success
    }

    /// Returns how many sends of this process the sender of a message knew of,
    /// and learns what it knew. The message has been received (`takes`), or
    /// looked at.
    #[inline]
    pub fn stamp_of(
        &mut self,
        mpi: &Mpi,
        at: &mut Reader,
        from: u32,
        tag: i32,
        takes: bool,
    ) -> Option<u64> {
        let Reader { clock, bytes, own } = at;
        let channel = self.channels.get_mut(from as usize)?;
        let known = match takes {
            true => channel.take(tag, clock),
            false => channel.look(tag, clock),
        };
        if known.is_some() {
            return known;
        }
        loop {
            // SAFETY: the sender sent the stamp before the message, and no stamp is longer.
            unsafe { mpi.recv(self.comm, from as i32, TAG, bytes).ok()? };
            let stamp = Stamp::read(bytes);
            if takes {
                if let Some(knew) = channel.read(stamp, Some(tag), *own, clock) {
                    return Some(knew);
                }
            } else {
                channel.read(stamp, None, *own, clock);
                if let Some(knew) = channel.look(tag, clock) {
                    return Some(knew);
                }
            }
        }
    }

    /// Reads what nobody received; `found` gets sender, tag, and how many
    /// sends of this process that sender knew of.
    pub fn drain(&mut self, mpi: &Mpi, at: &mut Reader, mut found: impl FnMut(u32, i32, u64)) {
        for from in 0..self.size {
            // SAFETY: the communicator is ours, and lives; no stamp is longer.
            while unsafe { mpi.iprobe(self.comm, from as i32, TAG) }.unwrap_or(false) {
                // SAFETY: as above; the message is there.
                if unsafe { mpi.recv(self.comm, from as i32, TAG, &mut at.bytes) }.is_err() {
                    break;
                }
                let stamp = Stamp::read(&at.bytes);
                self.channels[from].read(stamp, None, at.own, &mut at.clock);
            }
            for (tag, knew) in self.channels[from].left() {
                found(from as u32, tag, knew);
            }
        }
    }

    /// Waits for all processes.
    pub fn barrier(&self, mpi: &Mpi) {
        // SAFETY: the communicator is ours, and all processes come here in MPI_Finalize.
        let _ = unsafe { mpi.barrier(self.comm) };
    }

    /// Joins the clocks of those who wait for each other in a collective
    /// operation, which counts as a send.
    pub fn join(&self, mpi: &Mpi, clock: &mut Clock, flow: Flow, root: i32) {
        clock.tick();
        let mine = clock.whole();
        let mut all = mine.clone();
        let (from, to, n) = (
            mine.as_ptr() as usize,
            all.as_mut_ptr() as usize,
            mine.len(),
        );
        let (int64, max, comm) = (mpi.abi.int64, mpi.abi.max, self.comm);
        let root = root as usize;
        match flow {
            Flow::Everybody => pass(id::MPI_ALLREDUCE, [from, to, n, int64, max, comm]),
            Flow::FromRoot => pass(id::MPI_BCAST, [to, n, int64, root, comm]),
            Flow::ToRoot => pass(id::MPI_REDUCE, [from, to, n, int64, max, root, comm]),
            Flow::Prefix => pass(id::MPI_SCAN, [from, to, n, int64, max, comm]),
        };
        clock.join(&all);
    }

    /// Gives the communicator back, with that of the program's.
    pub fn free(self, mpi: &Mpi) {
        // SAFETY: the communicator is ours, and all its processes free theirs.
        let _ = unsafe { mpi.comm_free(self.comm) };
    }
}

/// Whose clock goes to whom in a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Everybody's to all.
    Everybody,
    /// The root's to all.
    FromRoot,
    /// Everybody's to the root.
    ToRoot,
    /// Those of lower ranks to the higher.
    Prefix,
}

/// Who reads stamps.
pub struct Reader {
    /// This process's clock.
    pub clock: Clock,
    /// This process's element.
    own: usize,
    bytes: Vec<u8>,
}

impl Reader {
    /// Makes the clock of process `own` of so many.
    pub fn new(own: usize, processes: usize) -> Self {
        Self {
            clock: Clock::new(own, processes),
            own,
            bytes: vec![0; longest(processes)],
        }
    }
}

/// Memory of stamps on their way; used again when MPI is done with it.
pub struct Pool {
    length: usize,
    idle: Vec<Slot>,
    busy: VecDeque<Slot>,
}

struct Slot {
    bytes: Vec<u8>,
    request: usize,
}

impl Pool {
    /// Begins with none, for a world of so many processes.
    pub fn new(processes: usize) -> Self {
        Self {
            length: longest(processes),
            idle: Vec::new(),
            busy: VecDeque::new(),
        }
    }

    /// Returns a slot that is free, now counted among the busy.
    #[inline]
    fn slot(&mut self, mpi: &Mpi) -> &mut Slot {
        for _ in 0..2 {
            if !self.busy.front_mut().is_some_and(|slot| slot.is_done(mpi)) {
                break;
            }
            self.idle.extend(self.busy.pop_front());
        }
        let new = || Slot {
            bytes: vec![0; self.length],
            request: mpi.abi.request_null,
        };
        let slot = self.idle.pop().unwrap_or_else(new);
        let at = self.busy.len();
        self.busy.push_back(slot);
        &mut self.busy[at]
    }

    /// Ends what is still on its way, as far as it ends.
    pub fn finish(&mut self, mpi: &Mpi) {
        for mut slot in self.busy.drain(..) {
            if !slot.is_done(mpi) {
                std::mem::forget(slot); // MPI may still read it
            }
        }
    }
}

impl Slot {
    #[inline]
    fn is_done(&mut self, mpi: &Mpi) -> bool {
        if self.request == mpi.abi.request_null {
            return true;
        }
        let mut flag = 0i32;
        let request = &raw mut self.request as usize;
        pass(
            id::MPI_TEST,
            [request, &raw mut flag as usize, mpi.abi.status_ignore],
        );
        flag != 0
    }
}
