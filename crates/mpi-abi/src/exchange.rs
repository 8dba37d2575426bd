//! The communication of a tool: bytes, on a communicator of its own.
//!
//! Lengths may exceed an `int`: long messages go in pieces, and a gather or
//! scatter too large for `int` displacements goes by messages instead.

use std::ptr;

use crate::mpi::{check, count, handle, Code, Mpi};

/// The largest piece of a message, well below `i32::MAX`.
const PIECE: usize = 1 << 30;
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

/// What ranks tell each other.
///
/// # Safety
/// For all of these MPI must be initialized and not finalized, the communicator
/// must be valid, and the other ranks must make the matching calls.
#[allow(clippy::missing_safety_doc)]
impl Mpi {
    /// Returns a duplicate of a communicator.
    pub unsafe fn comm_dup(&self, comm: usize) -> Result<usize, Code> {
        // SAFETY: the caller vouches for the handle; a handle is written.
        handle(|new| unsafe { (self.calls.comm_dup)(comm, new) })
    }

    /// Returns the communicator of the ranks with the same colour, ordered by key;
    /// `comm_null` where the colour is `undefined`.
    pub unsafe fn comm_split(&self, comm: usize, color: i32, key: i32) -> Result<usize, Code> {
        // SAFETY: the caller vouches for the handle; a handle is written.
        handle(|new| unsafe { (self.calls.comm_split)(comm, color, key, new) })
    }

    /// Frees a communicator.
    pub unsafe fn comm_free(&self, mut comm: usize) -> Result<(), Code> {
        // SAFETY: the caller vouches for the handle; our copy of it is overwritten.
        check(unsafe { (self.calls.comm_free)(&mut comm) })
    }

    /// Waits for all ranks.
    pub unsafe fn barrier(&self, comm: usize) -> Result<(), Code> {
        // SAFETY: the caller vouches for the handle.
        check(unsafe { (self.calls.barrier)(comm) })
    }

    /// Sends bytes, in pieces of 1 GiB.
    #[inline]
    pub unsafe fn send(&self, comm: usize, to: i32, tag: i32, bytes: &[u8]) -> Result<(), Code> {
        for piece in pieces(bytes.len()) {
            let (piece, n) = (&bytes[piece.clone()], piece.len() as i32);
            // SAFETY: the caller vouches for the handle; `piece` has `n` bytes.
            check(unsafe { (self.calls.send)(data(piece), n, self.abi.byte, to, tag, comm) })?;
        }
        Ok(())
    }

    /// Receives exactly as many bytes as [`send`](Self::send) was given.
    #[inline]
    pub unsafe fn recv(
        &self,
        comm: usize,
        from: i32,
        tag: i32,
        bytes: &mut [u8],
    ) -> Result<(), Code> {
        let (byte, ignore) = (self.abi.byte, self.abi.status_ignore);
        for piece in pieces(bytes.len()) {
            let n = piece.len() as i32;
            let to = room(&mut bytes[piece]);
            // SAFETY: the caller vouches for the handle; `n` bytes may be written.
            check(unsafe { (self.calls.recv)(to, n, byte, from, tag, comm, ignore) })?;
        }
        Ok(())
    }

    /// Tells whether a message is there to be received.
    pub unsafe fn iprobe(&self, comm: usize, from: i32, tag: i32) -> Result<bool, Code> {
        let mut flag = 0;
        let ignore = self.abi.status_ignore;
        // SAFETY: the caller vouches for the handle; an int is written, and no status wanted.
        check(unsafe { (self.calls.iprobe)(from, tag, comm, &mut flag, ignore) })?;
        Ok(flag != 0)
    }

    /// Sends to one rank and receives from another at the same time.
    pub unsafe fn sendrecv(
        &self,
        comm: usize,
        to: i32,
        bytes: &[u8],
        from: i32,
        received: &mut [u8],
        tag: i32,
    ) -> Result<(), Code> {
        let (out, in_) = (count(bytes.len())?, count(received.len())?);
        let (byte, ignore) = (self.abi.byte, self.abi.status_ignore);
        let (data, room) = (self::data(bytes), self::room(received));
        // SAFETY: the caller vouches for the handle; the buffers are as long as said.
        check(unsafe {
            (self.calls.sendrecv)(
                data, out, byte, to, tag, room, in_, byte, from, tag, comm, ignore,
            )
        })
    }

    /// Copies the root's bytes to all ranks; all give the same length.
    pub unsafe fn bcast(&self, comm: usize, root: i32, bytes: &mut [u8]) -> Result<(), Code> {
        for piece in pieces(bytes.len()) {
            let n = piece.len() as i32;
            let data = room(&mut bytes[piece]);
            // SAFETY: the caller vouches for the handle; `n` bytes may be read or written.
            check(unsafe { (self.calls.bcast)(data, n, self.abi.byte, root, comm) })?;
        }
        Ok(())
    }

    /// Collects equally long contributions at the root: there, all of them in the
    /// order of ranks, elsewhere nothing.
    pub unsafe fn gather(&self, comm: usize, root: i32, mine: &[u8]) -> Result<Vec<u8>, Code> {
        // SAFETY: said by the caller.
        let (rank, size) = unsafe { (self.comm_rank(comm)?, self.comm_size(comm)?) };
        let n = count(mine.len())?;
        let mut all = vec![
            0;
            if rank == root {
                mine.len() * size as usize
            } else {
                0
            }
        ];
        let (byte, data, room) = (self.abi.byte, self::data(mine), self::room(&mut all));
        // SAFETY: the caller vouches for the handle; the root has room for `n` bytes of each.
        check(unsafe { (self.calls.gather)(data, n, byte, room, n, byte, root, comm) })?;
        Ok(all)
    }

    /// Collects equally long contributions everywhere, in the order of ranks.
    pub unsafe fn allgather(&self, comm: usize, mine: &[u8]) -> Result<Vec<u8>, Code> {
        // SAFETY: said by the caller.
        let size = unsafe { self.comm_size(comm)? };
        let n = count(mine.len())?;
        let mut all = vec![0; mine.len() * size as usize];
        let (byte, data, room) = (self.abi.byte, self::data(mine), self::room(&mut all));
        // SAFETY: the caller vouches for the handle; there is room for `n` bytes of each rank.
        check(unsafe { (self.calls.allgather)(data, n, byte, room, n, byte, comm) })?;
        Ok(all)
    }

    /// Collects contributions of any length: at the root one part from each rank,
    /// elsewhere nothing.
    pub unsafe fn gatherv(
        &self,
        comm: usize,
        root: i32,
        mine: &[u8],
    ) -> Result<Option<Parts>, Code> {
        // SAFETY: said by the caller, for both.
        let (at_root, lengths) = unsafe {
            let lengths = self.allgather(comm, &(mine.len() as u64).to_ne_bytes())?;
            (self.comm_rank(comm)? == root, self::lengths(&lengths))
        };
        let total = if at_root { lengths.iter().sum() } else { 0 };
        let mut all = Parts {
            bytes: vec![0; total],
            lengths,
        };
        match layout(&all.lengths) {
            Some((counts, offsets)) => {
                let (n, byte) = (count(mine.len())?, self.abi.byte);
                let (counts, offsets) = (counts.as_ptr(), offsets.as_ptr());
                let (data, room) = (self::data(mine), self::room(&mut all.bytes));
                // SAFETY: the root has room for what each rank said it sends.
                check(unsafe {
                    (self.calls.gatherv)(data, n, byte, room, counts, offsets, byte, root, comm)
                })?;
            }
            None if at_root => {
                for (from, part) in (0..).zip(all.iter_mut()) {
                    match from == root {
                        true => part.copy_from_slice(mine),
                        // SAFETY: said by the caller; every other rank sends its part.
                        false => unsafe { self.recv(comm, from, TAG, part)? },
                    }
                }
            }
            // SAFETY: said by the caller; the root receives it.
            None => unsafe { self.send(comm, root, TAG, mine)? },
        }
        Ok(at_root.then_some(all))
    }

    /// Hands each rank its part; the root gives one for each rank, others nothing.
    pub unsafe fn scatterv(
        &self,
        comm: usize,
        root: i32,
        parts: Option<&Parts>,
    ) -> Result<Vec<u8>, Code> {
        // SAFETY: said by the caller.
        let (rank, size) = unsafe { (self.comm_rank(comm)?, self.comm_size(comm)? as usize) };
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
        // SAFETY: said by the caller; there are 16 bytes for each rank.
        let [length, by_scatter] = unsafe { self.scatter_words(comm, root, &notes)? };
        if length == u64::MAX {
            return Err(Code::COUNT);
        }
        let mut mine = vec![0; length as usize];
        if by_scatter != 0 {
            let (n, byte) = (count(mine.len())?, self.abi.byte);
            let data = data(parts.map_or(&[], |parts| &parts.bytes));
            let (counts, offsets) = plan.as_ref().map_or((ptr::null(), ptr::null()), |(c, o)| {
                (c.as_ptr(), o.as_ptr())
            });
            let room = room(&mut mine);
            // SAFETY: the plan covers the parts, and each rank has room for its own.
            check(unsafe {
                (self.calls.scatterv)(data, counts, offsets, byte, room, n, byte, root, comm)
            })?;
        } else if let Some(parts) = parts {
            for (to, part) in (0..).zip(parts.iter()) {
                match to == root {
                    true => mine.copy_from_slice(part),
                    // SAFETY: said by the caller; every other rank receives its part.
                    false => unsafe { self.send(comm, to, TAG, part)? },
                }
            }
        } else {
            // SAFETY: said by the caller; the root sends it.
            unsafe { self.recv(comm, root, TAG, &mut mine)? };
        }
        Ok(mine)
    }

    /// Hands each rank two words of the root's.
    ///
    /// # Safety
    /// As above, and `all` must have 16 bytes for each rank at the root.
    unsafe fn scatter_words(&self, comm: usize, root: i32, all: &[u8]) -> Result<[u64; 2], Code> {
        let mut mine = [0u64; 2];
        let (n, byte) = (16, self.abi.byte);
        let (data, room) = (self::data(all), mine.as_mut_ptr().cast());
        // SAFETY: said by the caller; 16 bytes may be written.
        check(unsafe { (self.calls.scatter)(data, n, byte, room, n, byte, root, comm) })?;
        Ok(mine)
    }

    /// Returns the smallest of all ranks' numbers.
    pub unsafe fn allreduce_min(&self, comm: usize, mine: i64) -> Result<i64, Code> {
        // SAFETY: said by the caller.
        unsafe { self.allreduce(comm, mine, self.abi.min) }
    }

    /// Returns the greatest of all ranks' numbers.
    pub unsafe fn allreduce_max(&self, comm: usize, mine: i64) -> Result<i64, Code> {
        // SAFETY: said by the caller.
        unsafe { self.allreduce(comm, mine, self.abi.max) }
    }

    /// Returns the sum of all ranks' numbers.
    pub unsafe fn allreduce_sum(&self, comm: usize, mine: i64) -> Result<i64, Code> {
        // SAFETY: said by the caller.
        unsafe { self.allreduce(comm, mine, self.abi.sum) }
    }

    /// Tells whether all ranks say yes.
    pub unsafe fn all_true(&self, comm: usize, mine: bool) -> Result<bool, Code> {
        // SAFETY: said by the caller.
        unsafe { self.allreduce_min(comm, mine.into()) }.map(|all| all != 0)
    }

    unsafe fn allreduce(&self, comm: usize, mine: i64, op: usize) -> Result<i64, Code> {
        let mut all = 0;
        // SAFETY: the caller vouches for the communicator; one MPI_INT64_T is read and written.
        check(unsafe { (self.calls.allreduce)(&mine, &mut all, 1, self.abi.int64, op, comm) })?;
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
