//! The communication of a tool: bytes, on a communicator of its own.
//!
//! Lengths may exceed an `int`: long messages go in pieces, and a gather or
//! scatter too large for `int` displacements goes by messages instead.

use std::ptr;

use crate::mpi::{check, count, handle, Code, Mpi};

/// The largest piece of a message, well below `i32::MAX`.
const PIECE: usize = 1 << 30;
/// As many bytes a rank sends all others in a turn.
const TURN: usize = 1 << 28;
/// The tag of gathers and scatters that go by messages.
const TAG: i32 = 0;

/// Bytes of several ranks, one part after the other in the order of ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    bytes: Vec<u8>,
    lengths: Vec<usize>,
}

impl Parts {
    /// Adds the part of the next rank.
    pub fn push(&mut self, part: &[u8]) {
        self.bytes.extend_from_slice(part);
        self.lengths.push(part.len());
    }

    /// Returns the number of ranks.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Tells whether there is not one part.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Returns the parts in the order of ranks.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = &self.bytes[..];
        self.lengths.iter().map(move |&length| {
            let (part, after) = rest.split_at(length);
            rest = after;
            part
        })
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let mut rest = &mut self.bytes[..];
        self.lengths.iter().map(move |&length| {
            let (part, after) = std::mem::take(&mut rest).split_at_mut(length);
            rest = after;
            part
        })
    }
}

/// A communicator of a tool's own, on which its processes talk to each other and nobody else does.
///
/// Whoever makes one vouches for all that is done with it, so its methods are safe: until it is
/// freed or MPI finalized, by threads that may call MPI, whatever one process calls all others
/// call as well, in the same order, with lengths that agree. Errors are returned.
#[derive(Clone, Copy)]
pub struct OwnComm<'a> {
    mpi: &'a Mpi,
    handle: usize,
    rank: i32,
    size: i32,
}

impl<'a> OwnComm<'a> {
    /// Duplicates a communicator for a tool.
    ///
    /// # Errors
    /// Whatever MPI says.
    ///
    /// # Safety
    /// MPI is initialized, `comm` is valid, all its processes call this, and what the type asks
    /// for holds.
    pub unsafe fn duplicate_of(mpi: &'a Mpi, comm: usize) -> Result<Self, Code> {
        // SAFETY: the caller vouches for the handle, and for what is done with the new one.
        unsafe { Self::of(mpi, mpi.comm_dup(comm)?) }
    }

    /// # Safety
    /// The handle is new, and what the type asks for holds.
    unsafe fn of(mpi: &'a Mpi, handle: usize) -> Result<Self, Code> {
        // SAFETY: the communicator was made just now.
        unsafe {
            mpi.comm_set_errors_return(handle)?;
            Ok(Self {
                mpi,
                handle,
                rank: mpi.comm_rank(handle)?,
                size: mpi.comm_size(handle)?,
            })
        }
    }

    /// Returns one more for another purpose.
    pub fn duplicate(&self) -> Result<Self, Code> {
        // SAFETY: all processes come here, and hold to the same with the new one.
        unsafe { Self::duplicate_of(self.mpi, self.handle) }
    }

    /// Returns the communicator of the ranks with the same colour, ordered by key; nothing where
    /// the colour is `undefined`.
    pub fn split(&self, color: i32, key: i32) -> Result<Option<Self>, Code> {
        let (calls, old) = (&self.mpi.calls, self.handle);
        // SAFETY: the communicator is ours, and a handle is written.
        let new = handle(|new| unsafe { (calls.comm_split)(old, color, key, new) })?;
        if new == self.mpi.abi.comm_null {
            return Ok(None);
        }
        // SAFETY: as all processes come here, those of one colour do, and hold to the same.
        unsafe { Self::of(self.mpi, new) }.map(Some)
    }

    /// Frees it.
    pub fn free(self) -> Result<(), Code> {
        let mut handle = self.handle;
        // SAFETY: the communicator is ours; our copy of the handle is overwritten.
        check(unsafe { (self.mpi.calls.comm_free)(&mut handle) })
    }

    /// Returns the MPI that it is one of.
    #[inline]
    pub fn mpi(&self) -> &'a Mpi {
        self.mpi
    }

    /// Returns MPI's handle of it.
    #[inline]
    pub fn handle(&self) -> usize {
        self.handle
    }

    /// Returns how threads may call MPI, one of `abi.thread`.
    pub fn thread_level(&self) -> Result<i32, Code> {
        // SAFETY: MPI is up, as long as this is used.
        unsafe { self.mpi.query_thread() }
    }

    /// Returns the rank of this process.
    #[inline]
    pub fn rank(&self) -> i32 {
        self.rank
    }

    /// Returns how many processes there are.
    #[inline]
    pub fn size(&self) -> i32 {
        self.size
    }

    /// Waits for all ranks.
    pub fn barrier(&self) -> Result<(), Code> {
        // SAFETY: the communicator is ours.
        check(unsafe { (self.mpi.calls.barrier)(self.handle) })
    }

    /// Sends bytes, in pieces of 1 GiB.
    #[inline]
    pub fn send(&self, to: i32, tag: i32, bytes: &[u8]) -> Result<(), Code> {
        for piece in pieces(bytes.len()) {
            let (piece, n) = (&bytes[piece.clone()], piece.len() as i32);
            // SAFETY: the communicator is ours; `piece` has `n` bytes.
            check(unsafe {
                (self.mpi.calls.send)(data(piece), n, self.mpi.abi.byte, to, tag, self.handle)
            })?;
        }
        Ok(())
    }

    /// Receives exactly as many bytes as [`send`](Self::send) was given.
    #[inline]
    pub fn recv(&self, from: i32, tag: i32, bytes: &mut [u8]) -> Result<(), Code> {
        let (byte, ignore) = (self.mpi.abi.byte, self.mpi.abi.status_ignore);
        for piece in pieces(bytes.len()) {
            let n = piece.len() as i32;
            let to = room(&mut bytes[piece]);
            // SAFETY: the communicator is ours; `n` bytes may be written.
            check(unsafe { (self.mpi.calls.recv)(to, n, byte, from, tag, self.handle, ignore) })?;
        }
        Ok(())
    }

    /// Tells whether a message is there to be received.
    pub fn iprobe(&self, from: i32, tag: i32) -> Result<bool, Code> {
        let mut flag = 0;
        let ignore = self.mpi.abi.status_ignore;
        // SAFETY: the communicator is ours; an int is written, and no status wanted.
        check(unsafe { (self.mpi.calls.iprobe)(from, tag, self.handle, &mut flag, ignore) })?;
        Ok(flag != 0)
    }

    /// Sends to one rank and receives from another at the same time.
    pub fn sendrecv(
        &self,
        to: i32,
        bytes: &[u8],
        from: i32,
        received: &mut [u8],
        tag: i32,
    ) -> Result<(), Code> {
        let (out, in_) = (count(bytes.len())?, count(received.len())?);
        let (byte, ignore) = (self.mpi.abi.byte, self.mpi.abi.status_ignore);
        let (data, room) = (self::data(bytes), self::room(received));
        // SAFETY: the communicator is ours; the buffers are as long as said.
        check(unsafe {
            (self.mpi.calls.sendrecv)(
                data,
                out,
                byte,
                to,
                tag,
                room,
                in_,
                byte,
                from,
                tag,
                self.handle,
                ignore,
            )
        })
    }

    /// Copies the root's bytes to all ranks; all give the same length.
    pub fn bcast(&self, root: i32, bytes: &mut [u8]) -> Result<(), Code> {
        for piece in pieces(bytes.len()) {
            let n = piece.len() as i32;
            let data = room(&mut bytes[piece]);
            // SAFETY: the communicator is ours; `n` bytes may be read or written.
            check(unsafe {
                (self.mpi.calls.bcast)(data, n, self.mpi.abi.byte, root, self.handle)
            })?;
        }
        Ok(())
    }

    /// Collects equally long contributions at the root: there, all of them in the
    /// order of ranks, elsewhere nothing.
    pub fn gather(&self, root: i32, mine: &[u8]) -> Result<Vec<u8>, Code> {
        let n = count(mine.len())?;
        let contributions = match self.rank == root {
            true => self.size as usize,
            false => 0,
        };
        let mut all = vec![0; mine.len() * contributions];
        let (byte, data, room) = (self.mpi.abi.byte, self::data(mine), self::room(&mut all));
        // SAFETY: the communicator is ours; the root has room for `n` bytes of each.
        check(unsafe { (self.mpi.calls.gather)(data, n, byte, room, n, byte, root, self.handle) })?;
        Ok(all)
    }

    /// Collects equally long contributions everywhere, in the order of ranks.
    pub fn allgather(&self, mine: &[u8]) -> Result<Vec<u8>, Code> {
        let n = count(mine.len())?;
        let mut all = vec![0; mine.len() * self.size as usize];
        let (byte, data, room) = (self.mpi.abi.byte, self::data(mine), self::room(&mut all));
        // SAFETY: the communicator is ours; there is room for `n` bytes of each rank.
        check(unsafe { (self.mpi.calls.allgather)(data, n, byte, room, n, byte, self.handle) })?;
        Ok(all)
    }

    /// Collects contributions of any length: at the root one part from each rank,
    /// elsewhere nothing.
    pub fn gatherv(&self, root: i32, mine: &[u8]) -> Result<Option<Parts>, Code> {
        let lengths = self::lengths(&self.allgather(&(mine.len() as u64).to_ne_bytes())?);
        let at_root = self.rank == root;
        let total = if at_root { lengths.iter().sum() } else { 0 };
        let mut all = Parts {
            bytes: vec![0; total],
            lengths,
        };
        match layout(&all.lengths) {
            Some((counts, offsets)) => {
                let (n, byte) = (count(mine.len())?, self.mpi.abi.byte);
                let (counts, offsets) = (counts.as_ptr(), offsets.as_ptr());
                let (data, room) = (self::data(mine), self::room(&mut all.bytes));
                // SAFETY: the root has room for what each rank said it sends.
                check(unsafe {
                    (self.mpi.calls.gatherv)(
                        data,
                        n,
                        byte,
                        room,
                        counts,
                        offsets,
                        byte,
                        root,
                        self.handle,
                    )
                })?;
            }
            None if at_root => {
                for (from, part) in (0..).zip(all.iter_mut()) {
                    match from == root {
                        true => part.copy_from_slice(mine),
                        false => self.recv(from, TAG, part)?,
                    }
                }
            }
            None => self.send(root, TAG, mine)?,
        }
        Ok(at_root.then_some(all))
    }

    /// Sends bytes to each rank, and returns those that were sent to this one, both in the order
    /// of ranks.
    pub fn all_to_all(&self, outgoing: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, Code> {
        self.all_to_all_in_turns(outgoing, TURN / self.size as usize)
    }

    /// Does so in turns, in each of which a rank sends another so many bytes at most: then counts
    /// and offsets fit into an `int`, and no more than that is held twice.
    fn all_to_all_in_turns(&self, outgoing: &[Vec<u8>], most: usize) -> Result<Vec<Vec<u8>>, Code> {
        let (size, most) = (self.size as usize, most.max(1));
        if outgoing.len() != size {
            return Err(Code::COUNT);
        }
        let longest = outgoing.iter().map(Vec::len).max().unwrap_or(0);
        let turns = self.allreduce_max(longest.div_ceil(most) as i64)? as usize;
        let lengths = self.lengths_to_all(outgoing)?;
        let room = lengths.iter().copied().map(Vec::with_capacity);
        let mut incoming: Vec<Vec<u8>> = room.collect();
        for turn in 0..turns {
            let piece = |length: usize| (turn * most).min(length)..((turn + 1) * most).min(length);
            let pieces = outgoing.iter().map(|bytes| &bytes[piece(bytes.len())]);
            let mut sent = Parts::default();
            pieces.for_each(|piece| sent.push(piece));
            let expected = lengths.iter().map(|&length| piece(length).len());
            let received = self.turn(&sent, expected.collect())?;
            for (bytes, piece) in incoming.iter_mut().zip(received.iter()) {
                bytes.extend_from_slice(piece);
            }
        }
        Ok(incoming)
    }

    /// Tells each rank how many bytes it is sent; returns what the others tell.
    fn lengths_to_all(&self, outgoing: &[Vec<u8>]) -> Result<Vec<usize>, Code> {
        let out = outgoing.iter().map(|bytes| bytes.len() as u64);
        let out: Vec<u8> = out.flat_map(u64::to_ne_bytes).collect();
        let mut heard = vec![0; out.len()];
        let (byte, data, room) = (self.mpi.abi.byte, self::data(&out), self::room(&mut heard));
        // SAFETY: the communicator is ours; both have 8 bytes for each rank.
        check(unsafe { (self.mpi.calls.alltoall)(data, 8, byte, room, 8, byte, self.handle) })?;
        Ok(lengths(&heard))
    }

    /// Sends each rank its part; returns what was received, which has these lengths.
    fn turn(&self, sent: &Parts, lengths: Vec<usize>) -> Result<Parts, Code> {
        let (out, out_at) = layout(&sent.lengths).ok_or(Code::COUNT)?;
        let (in_, in_at) = layout(&lengths).ok_or(Code::COUNT)?;
        let mut received = Parts {
            bytes: vec![0; lengths.iter().sum()],
            lengths,
        };
        let (data, room) = (self::data(&sent.bytes), self::room(&mut received.bytes));
        let byte = self.mpi.abi.byte;
        // SAFETY: the communicator is ours; the plans cover what is sent, and the room for what
        // each rank said it sends.
        check(unsafe {
            (self.mpi.calls.alltoallv)(
                data,
                out.as_ptr(),
                out_at.as_ptr(),
                byte,
                room,
                in_.as_ptr(),
                in_at.as_ptr(),
                byte,
                self.handle,
            )
        })?;
        Ok(received)
    }

    /// Hands each rank its part; the root gives one for each rank, others nothing.
    pub fn scatterv(&self, root: i32, parts: Option<&Parts>) -> Result<Vec<u8>, Code> {
        let (rank, size) = (self.rank, self.size as usize);
        let parts = parts.filter(|parts| rank == root && parts.lengths.len() == size);
        let plan = parts.and_then(|parts| layout(&parts.lengths));
        // Each rank must know its length and the way; a root without parts says so to all.
        let notes: Vec<u8> = match parts {
            Some(parts) => {
                let notes = parts
                    .lengths
                    .iter()
                    .map(|&n| [n as u64, plan.is_some() as u64]);
                notes.flatten().flat_map(u64::to_ne_bytes).collect()
            }
            None => [u64::MAX; 2]
                .repeat(size)
                .into_iter()
                .flat_map(u64::to_ne_bytes)
                .collect(),
        };
        let [length, by_scatter] = self.scatter_words(root, &notes)?;
        if length == u64::MAX {
            return Err(Code::COUNT);
        }
        let mut mine = vec![0; length as usize];
        if by_scatter != 0 {
            let (n, byte) = (count(mine.len())?, self.mpi.abi.byte);
            let data = data(parts.map_or(&[], |parts| &parts.bytes));
            let (counts, offsets) = plan.as_ref().map_or((ptr::null(), ptr::null()), |(c, o)| {
                (c.as_ptr(), o.as_ptr())
            });
            let room = room(&mut mine);
            // SAFETY: the plan covers the parts, and each rank has room for its own.
            check(unsafe {
                (self.mpi.calls.scatterv)(
                    data,
                    counts,
                    offsets,
                    byte,
                    room,
                    n,
                    byte,
                    root,
                    self.handle,
                )
            })?;
        } else if let Some(parts) = parts {
            for (to, part) in (0..).zip(parts.iter()) {
                match to == root {
                    true => mine.copy_from_slice(part),
                    false => self.send(to, TAG, part)?,
                }
            }
        } else {
            self.recv(root, TAG, &mut mine)?;
        }
        Ok(mine)
    }

    /// Hands each rank two words of the root's, which has 16 bytes for each.
    fn scatter_words(&self, root: i32, all: &[u8]) -> Result<[u64; 2], Code> {
        let mut mine = [0u64; 2];
        let (n, byte) = (16, self.mpi.abi.byte);
        let (data, room) = (self::data(all), mine.as_mut_ptr().cast());
        // SAFETY: the communicator is ours; the root has as many bytes, and 16 may be written.
        check(unsafe {
            (self.mpi.calls.scatter)(data, n, byte, room, n, byte, root, self.handle)
        })?;
        Ok(mine)
    }

    /// Returns the smallest of all ranks' numbers.
    pub fn allreduce_min(&self, mine: i64) -> Result<i64, Code> {
        self.allreduce(mine, self.mpi.abi.min)
    }

    /// Returns the greatest of all ranks' numbers.
    pub fn allreduce_max(&self, mine: i64) -> Result<i64, Code> {
        self.allreduce(mine, self.mpi.abi.max)
    }

    /// Returns the sum of all ranks' numbers.
    pub fn allreduce_sum(&self, mine: i64) -> Result<i64, Code> {
        self.allreduce(mine, self.mpi.abi.sum)
    }

    /// Tells whether all ranks say yes.
    pub fn all_true(&self, mine: bool) -> Result<bool, Code> {
        self.allreduce_min(mine.into()).map(|all| all != 0)
    }

    fn allreduce(&self, mine: i64, op: usize) -> Result<i64, Code> {
        let mut all = 0;
        // SAFETY: the communicator is ours; one MPI_INT64_T is read and written.
        check(unsafe {
            (self.mpi.calls.allreduce)(&mine, &mut all, 1, self.mpi.abi.int64, op, self.handle)
        })?;
        Ok(all)
    }
}

/// Cuts a length into pieces; nothing is one empty piece, so that a message is sent.
fn pieces(length: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let n = length.div_ceil(PIECE).max(1);
    (0..n).map(move |i| i * PIECE..length.min((i + 1) * PIECE))
}

fn lengths(words: &[u8]) -> Vec<usize> {
    let words = words
        .chunks_exact(8)
        .map(|w| w.try_into().unwrap_or_default());
    words.map(|w| u64::from_ne_bytes(w) as usize).collect()
}

/// Returns counts and displacements as MPI wants them, unless they exceed an `int`.
fn layout(lengths: &[usize]) -> Option<(Vec<i32>, Vec<i32>)> {
    let mut end = 0i32;
    let mut layout = (Vec::new(), Vec::new());
    for &length in lengths {
        let length = i32::try_from(length).ok()?;
        layout.0.push(length);
        layout.1.push(end);
        end = end.checked_add(length)?;
    }
    Some(layout)
}

/// Returns where bytes are. An empty slice must not say: its address may be 1,
/// which is MPI_IN_PLACE in two of the interfaces.
#[inline]
fn data(bytes: &[u8]) -> *const u8 {
    static NOTHING: u8 = 0;
    if bytes.is_empty() {
        &NOTHING
    } else {
        bytes.as_ptr()
    }
}

/// Returns where bytes are to be written; see [`data`].
#[inline]
fn room(bytes: &mut [u8]) -> *mut u8 {
    match bytes.is_empty() {
        true => data(bytes).cast_mut(),
        false => bytes.as_mut_ptr(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_go_in_pieces_and_empty_ones_still_go() {
        let cut = |length| pieces(length).map(|p| p.len()).collect::<Vec<_>>();
        assert_eq!(cut(0), [0]);
        assert_eq!(cut(PIECE), [PIECE]);
        assert_eq!(cut(2 * PIECE + 5), [PIECE, PIECE, 5]);
    }

    #[test]
    fn parts_come_back_as_they_were_put_in() {
        let mut parts = Parts::default();
        let given: [&[u8]; 3] = [b"one", b"", b"three"];
        given.iter().for_each(|part| parts.push(part));
        assert_eq!(parts.iter().collect::<Vec<_>>(), given);
        assert_eq!(
            parts.iter_mut().map(|p| p.len()).collect::<Vec<_>>(),
            [3, 0, 5]
        );
    }

    #[test]
    fn a_gather_beyond_int_has_no_layout() {
        assert_eq!(layout(&[3, 0, 2]), Some((vec![3, 0, 2], vec![0, 3, 3])));
        assert_eq!(layout(&[1 << 30, 1 << 30, 1]), None);
        assert_eq!(layout(&[1 << 31]), None);
    }
}
