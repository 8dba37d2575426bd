//! What the members of a collective operation must agree in, as one of them
//! says it: the type signature of its data, and how many bytes they are.
//!
//! Of a rooted operation the root says what it exchanges with the others (in
//! an intercommunicator too, MPI 4.1, §6.2.3), of one among all everybody what
//! it sends. Where blocks have counts or datatypes of their own, a signature
//! is told if all blocks with data have the same.

use super::{Part, View, AMONG_NEIGHBORS};
use crate::facts::call::ObservedCall;

/// Blocks of data among the arguments: positions of counts and datatypes.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    counts: usize,
    datatypes: usize,
    form: Form,
}

#[derive(Clone, Copy)]
enum Form {
    /// One count and one datatype.
    One,
    /// An array of so many counts, and one datatype.
    Counts(u32),
    /// Arrays of so many counts and datatypes.
    Both(u32),
}

/// All that must be of one signature; nothing where members need not agree.
pub(super) type Data = [Option<Blocks>; 2];

/// Nothing that members must agree in.
pub(super) const NOTHING: Data = [None, None];

const fn one(counts: usize, datatypes: usize) -> Data {
    let form = Form::One;
    let blocks = Blocks {
        counts,
        datatypes,
        form,
    };
    [Some(blocks), None]
}

const fn blocks(counts: usize, datatypes: usize, form: Form) -> Option<Blocks> {
    Some(Blocks {
        counts,
        datatypes,
        form,
    })
}

pub(super) fn nothing(_: &View) -> Data {
    NOTHING
}

pub(super) fn bcast(_: &View) -> Data {
    one(1, 2)
}

pub(super) fn reduced(_: &View) -> Data {
    one(2, 3)
}

pub(super) fn reduce_scatter(v: &View) -> Data {
    [blocks(2, 3, Form::Counts(v.comm.local_size)), None]
}

pub(super) fn gather(v: &View) -> Data {
    match v.part {
        Part::Root => one(4, 5),
        _ => one(1, 2),
    }
}

pub(super) fn gatherv(v: &View) -> Data {
    match v.part {
        Part::Root => [blocks(4, 6, Form::Counts(v.comm.size)), None],
        _ => one(1, 2),
    }
}

pub(super) fn scatter(v: &View) -> Data {
    match v.part {
        Part::Root => one(1, 2),
        _ => one(4, 5),
    }
}

pub(super) fn scatterv(v: &View) -> Data {
    match v.part {
        Part::Root => [blocks(1, 3, Form::Counts(v.comm.size)), None],
        _ => one(5, 6),
    }
}

/// Between two groups each may send data of its own type.
pub(super) fn among_all(v: &View) -> Data {
    match v.call.in_place(0) {
        _ if v.comm.inter => NOTHING,
        true => one(4, 5),
        false => one(1, 2),
    }
}

pub(super) fn allgatherv(v: &View) -> Data {
    match v.call.in_place(0) || v.call.count(1) == 0 {
        _ if v.comm.inter => NOTHING,
        true => [blocks(4, 6, Form::Counts(v.comm.size)), None],
        false => one(1, 2),
    }
}

pub(super) fn alltoallv(v: &View) -> Data {
    pairs(v, Form::Counts(v.comm.size))
}

pub(super) fn alltoallw(v: &View) -> Data {
    pairs(v, Form::Both(v.comm.size))
}

fn pairs(v: &View, form: Form) -> Data {
    let received = blocks(5, 7, form);
    match v.call.in_place(0) {
        _ if v.comm.inter => NOTHING,
        true => [received, None],
        false => [blocks(1, 3, form), received],
    }
}

/// Among neighbours only those who meet need agree.
pub(super) fn sent(_: &View) -> Data {
    one(1, 2)
}

/// What has been seen of the blocks.
#[derive(Clone, Copy)]
enum Seen {
    Nothing,
    Same(u16),
    /// Of several signatures, or of one that is not known.
    Mixed,
}

impl Seen {
    fn and(self, signature: u16) -> Seen {
        match self {
            _ if signature == 0 => Seen::Mixed,
            Seen::Nothing => Seen::Same(signature),
            Seen::Same(other) if other == signature => self,
            _ => Seen::Mixed,
        }
    }
}

/// Returns the number of the data's signature, 0 if there is none, and the
/// bytes of a single block.
pub(super) fn signature(call: &mut ObservedCall, data: Data) -> (u16, Option<u64>) {
    let (mut seen, mut bytes) = (Seen::Nothing, None);
    for blocks in data.into_iter().flatten() {
        let Blocks {
            counts, datatypes, ..
        } = blocks;
        match blocks.form {
            Form::One => {
                let (block, known) = call.data(counts, datatypes);
                bytes = Some(block);
                if block > 0 {
                    seen = seen.and(known.signature);
                }
            }
            Form::Counts(number) => {
                let some = |k| call.count_at(counts, k) > 0;
                if (0..number as usize).any(some) {
                    seen = seen.and(call.signature_of(call.datatype(datatypes)));
                }
            }
            Form::Both(number) => {
                for k in 0..number as usize {
                    if call.count_at(counts, k) > 0 {
                        seen = seen.and(call.signature_of(call.datatype_at(datatypes, k)));
                    }
                }
            }
        }
    }
    match seen {
        Seen::Same(signature) => (signature, bytes),
        Seen::Nothing | Seen::Mixed => (0, bytes),
    }
}

impl View<'_, '_> {
    /// Returns how many blocks are what all members of OTF2's operation `op`
    /// must agree in, of the bytes told when it ends.
    pub(super) fn agreed_blocks(&self, op: u8) -> Option<u64> {
        let others = self.members().saturating_sub(1);
        let own = u64::from(!self.call.in_place(0));
        match op {
            _ if self.comm.inter || op & AMONG_NEIGHBORS != 0 => None,
            // Bcast, gather, scatter, reduce.
            1 | 2 | 4 | 12 => Some(1),
            // Allgather, alltoall, allreduce.
            6 | 8 | 11 => Some(others + own),
            // Scan and exscan: what is sent and received together.
            14 => Some(others + 2 * own),
            15 => Some(others),
            _ => None,
        }
    }
}
