//! What the agent knows of datatypes: their size, and the signature of their data.
//!
//! A signature (MPI 4.1, §5.1) is computed when a datatype is first used, and
//! forgotten when its handle is freed. Records hold a small number for it;
//! the definitions say which hash that is. Data of one basic type have that
//! type's class for a hash, whatever their number; others a hash of the
//! shortest sequence of which theirs is a repetition, whose low byte is the
//! first basic type's class. 0 is not known, and matches any.
//!
//! The size of a datatype that the program made is asked for each time: its
//! handle may be freed and given again where we do not see it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mpi_abi::{Made, Mpi};
use mpiscope_hash::of_bytes;
use mpiscope_run::process::Definition;
use mpiscope_run::record::MAX_SIGNATURE;

use super::process::Process;
use crate::base::definitions;

mod basic;

/// What is known of a datatype.
#[derive(Clone, Copy, Default)]
pub struct Known {
    /// In bytes.
    pub size: u64,
    /// The number of its signature; 0 if it is not known.
    pub signature: u16,
    /// The same of its first basic type: all that a message and its receive
    /// must agree in, as a receive may be ready for more (MPI 4.1, §3.3.1).
    pub first: u16,
    predefined: bool,
}

/// The datatypes that a thread used last, by their handles.
#[derive(Default)]
pub struct Latest([(usize, u32, Known); PLACES]);

const PLACES: usize = 4;

#[inline(always)]
fn place(handle: usize) -> usize {
    (handle >> 4 ^ handle >> 8 ^ handle) % PLACES
}

impl Latest {
    /// Returns what is known of a datatype.
    #[inline]
    pub fn of(&mut self, process: &Process, handle: usize) -> Known {
        let generation = process.types.generation.load(Ordering::Acquire);
        let place = place(handle);
        let (there, then, known) = self.0[place];
        if there != handle || then != generation || known.size == 0 {
            return self.look_up(process, handle, place, generation);
        }
        if !known.predefined {
            let size = size(process.mpi, handle);
            if size != known.size {
                process.types.forget(handle);
                return self.look_up(process, handle, place, generation);
            }
        }
        known
    }

    /// Returns what is known of a predefined datatype if it was looked up of late.
    #[inline(always)]
    pub fn latest(&self, process: &Process, handle: usize) -> Option<Known> {
        let generation = process.types.generation.load(Ordering::Acquire);
        let (there, then, known) = self.0[place(handle)];
        let is_sure = there == handle && then == generation && known.predefined;
        is_sure.then_some(known)
    }

    #[cold]
    fn look_up(&mut self, process: &Process, handle: usize, place: usize, now: u32) -> Known {
        let known = process.types.look_up(process, handle);
        self.0[place] = (handle, now, known);
        known
    }
}

/// All datatypes used.
#[derive(Default)]
pub struct Types {
    all: Mutex<All>,
    /// Advanced when a handle is forgotten, so that threads drop what they remember.
    generation: AtomicU32,
}

#[derive(Default)]
struct All {
    by_handle: HashMap<usize, Known>,
    /// Numbers of signatures.
    numbers: HashMap<u64, u16>,
}

impl Types {
    /// Forgets a handle that is about to be freed.
    pub fn forget(&self, handle: usize) {
        if self.lock().by_handle.remove(&handle).is_some() {
            self.generation.fetch_add(1, Ordering::AcqRel);
        }
    }

    fn look_up(&self, process: &Process, handle: usize) -> Known {
        let size = size(process.mpi, handle);
        if let Some(known) = self.lock().by_handle.get(&handle) {
            if known.size == size {
                return *known;
            }
        }
        // SAFETY: the program passes this datatype to MPI in the same call. No lock is held.
        let (data, predefined) = unsafe { data(process.mpi, handle, 0) };
        let known = Known {
            size,
            signature: self.number(data.hash()),
            first: self.number(data.hash() & 0xff),
            predefined,
        };
        self.lock().by_handle.insert(handle, known);
        known
    }

    /// Returns the number of a signature, defined now unless it was; of more
    /// than records can tell apart none.
    fn number(&self, hash: u64) -> u16 {
        if hash == 0 {
            return 0;
        }
        let mut all = self.lock();
        if let Some(&number) = all.numbers.get(&hash) {
            return number;
        }
        let number = all.numbers.len() + 1;
        if number > usize::from(MAX_SIGNATURE) {
            return 0;
        }
        let number = number as u16;
        all.numbers.insert(hash, number);
        drop(all);
        definitions::tell(&Definition::Signature { id: number, hash });
        number
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(mpi: &Mpi, datatype: usize) -> u64 {
    // SAFETY: the program passes this datatype to MPI in the same call.
    unsafe { mpi.type_size(datatype) }.unwrap_or(0)
}

/// The basic types of one element, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Data {
    /// Not known, or bytes, which match any.
    Unknown,
    /// So many of one class.
    Same(u8, u64),
    /// Of several classes.
    Mixed(Vec<u8>),
}

/// Longer sequences of different types are not compared.
const LONGEST: u64 = 1 << 16;
/// Datatypes made of datatypes made of datatypes, and so on.
const DEEPEST: u32 = 64;

/// Returns what a datatype holds, and whether it is predefined.
///
/// # Safety
/// MPI is up, and this is a datatype.
unsafe fn data(mpi: &Mpi, datatype: usize, depth: u32) -> (Data, bool) {
    // SAFETY: MPI is up, and this is a datatype.
    let made = unsafe { mpi.made(datatype) }.unwrap_or(Made::Other);
    let size = |handle| size(mpi, handle);
    // SAFETY: the handles are those that `made` returned, used before they are released.
    let part = |handle| unsafe {
        let data = match depth {
            DEEPEST.. => Data::Unknown,
            _ => data(mpi, handle, depth + 1).0,
        };
        let size = size(handle);
        let _ = mpi.release(handle);
        (data, size)
    };
    match made {
        Made::Predefined(name) => (basic::class(&name, size(datatype)), true),
        Made::Of(other) => {
            let (data, each) = part(other);
            let times = size(datatype).checked_div(each).unwrap_or(0);
            (data.repeated(times), false)
        }
        Made::Blocks(blocks) => {
            let parts = blocks.into_iter().map(|(length, other)| {
                let (data, each) = part(other);
                data.repeated(if each == 0 { 0 } else { length })
            });
            (parts.fold(Data::Same(0, 0), Data::then), false)
        }
        Made::Other => (Data::Unknown, false),
    }
}

impl Data {
    fn repeated(self, times: u64) -> Data {
        match self {
            _ if times == 0 => Data::Same(0, 0),
            Data::Unknown => Data::Unknown,
            Data::Same(class, count) => Data::Same(class, count.saturating_mul(times)),
            Data::Mixed(all) if (all.len() as u64).saturating_mul(times) > LONGEST => Data::Unknown,
            Data::Mixed(all) => Data::Mixed(all.repeat(times as usize)),
        }
    }

    fn then(self, next: Data) -> Data {
        match (self, next) {
            (Data::Same(_, 0), other) | (other, Data::Same(_, 0)) => other,
            (Data::Unknown, _) | (_, Data::Unknown) => Data::Unknown,
            (Data::Same(a, m), Data::Same(b, n)) if a == b => Data::Same(a, m.saturating_add(n)),
            (first, second) if first.len().saturating_add(second.len()) > LONGEST => Data::Unknown,
            (first, second) => Data::Mixed([first.list(), second.list()].concat()),
        }
    }

    fn len(&self) -> u64 {
        match self {
            Data::Unknown => 0,
            Data::Same(_, count) => *count,
            Data::Mixed(all) => all.len() as u64,
        }
    }

    fn list(self) -> Vec<u8> {
        match self {
            Data::Unknown => Vec::new(),
            Data::Same(class, count) => vec![class; count as usize],
            Data::Mixed(all) => all,
        }
    }

    /// Returns the hash of the signature; 0 if it is not known.
    fn hash(&self) -> u64 {
        match self {
            Data::Unknown => 0,
            Data::Same(class, _) => u64::from(*class),
            Data::Mixed(all) => {
                let once = &all[..period(all)];
                of_bytes(once) << 8 | u64::from(once[0])
            }
        }
    }
}

/// Returns the length of the shortest sequence of which `all` is a repetition
/// (the failure function of Knuth, Morris and Pratt 1977).
fn period(all: &[u8]) -> usize {
    let mut borders = vec![0; all.len()];
    for at in 1..all.len() {
        let mut border: usize = borders[at - 1];
        while border > 0 && all[at] != all[border] {
            border = borders[border - 1];
        }
        borders[at] = border + usize::from(all[at] == all[border]);
    }
    let period = all.len() - borders.last().copied().unwrap_or(0);
    match all.len() % period {
        0 => period,
        _ => all.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Data = Data::Same(5, 1);
    const DOUBLE: Data = Data::Same(7, 1);

    fn pair() -> Data {
        INT.then(DOUBLE)
    }

    #[test]
    fn repetitions_do_not_count() {
        assert_eq!(INT.repeated(3).hash(), INT.hash());
        assert_eq!(pair().repeated(3).hash(), pair().hash());
        let twice = pair().then(pair()).then(pair().repeated(0));
        assert_eq!(twice.hash(), pair().hash());
    }

    #[test]
    fn different_data_have_different_hashes() {
        let all = [
            INT,
            DOUBLE,
            pair(),
            DOUBLE.then(INT),
            pair().then(INT),
            INT.then(pair()),
        ];
        for (k, a) in all.iter().enumerate() {
            assert!(all[..k].iter().all(|b| a.hash() != b.hash()), "{a:?}");
            assert_eq!(a.hash() & 0xff, u64::from(a.clone().list()[0]));
        }
    }

    #[test]
    fn what_is_not_known_makes_all_unknown() {
        assert_eq!(INT.then(Data::Unknown).then(INT).hash(), 0);
        assert_eq!(Data::Unknown.repeated(0).then(INT).hash(), INT.hash());
        assert_eq!(pair().repeated(1 << 40).hash(), 0);
    }
}
