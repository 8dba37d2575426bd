//! The rolling hash of a thread's calls: what it is checked by in replay.
//!
//! Of each call goes in: the function, the integers that it was given (counts,
//! ranks, tags), and the thread's own number of the communicator. Nothing that
//! is an address, as two runs of one program lie at different ones.

use std::ptr::NonNull;

use mpi_abi::{Abi, Direction, FunctionId, Kind, Passing, FUNCTIONS};
use mpiscope_run::order::buffer::Progress;
use mpiscope_run::order::CALLS_PER_CHECKPOINT;

/// The hash so far. It lies in the thread's buffer, if there is one, so that it is known
/// where a process died.
pub struct Hash(NonNull<Progress>);

impl Hash {
    /// Begins in memory that outlives the thread's state.
    pub fn new(at: NonNull<Progress>) -> Self {
        Self(at)
    }

    /// Returns what is kept of it.
    #[inline]
    pub fn short(&self) -> u32 {
        (self.get().hash >> 32) as u32
    }

    /// Returns how many calls there were.
    #[inline(always)]
    pub fn calls(&self) -> u64 {
        self.get().calls
    }

    /// Returns how many messages statuses told of.
    #[inline(always)]
    pub fn messages(&self) -> u64 {
        self.get().messages
    }

    /// Returns what is kept of what they told.
    pub fn told_so_far(&self) -> u16 {
        (self.get().told >> 48) as u16
    }

    #[inline(always)]
    fn get(&self) -> &Progress {
        // SAFETY: the memory lives as long as the thread's state, and only its thread writes it.
        unsafe { self.0.as_ref() }
    }

    #[inline(always)]
    fn get_mut(&mut self) -> &mut Progress {
        // SAFETY: the memory is the thread's own as long as this, of which there is one.
        unsafe { self.0.as_mut() }
    }
}

/// In place of an argument.
pub(super) const NONE: u8 = u8::MAX;
/// Most integers of one call that are looked at.
pub const INTEGERS: usize = 4;

/// Which arguments of a function are looked at.
#[derive(Clone, Copy)]
pub(super) struct Looked {
    pub(super) integers: [u8; INTEGERS],
    pub(super) comm: u8,
    /// Which of the integers is the source of a receive or probe.
    source: u8,
}

const NOTHING: Looked = Looked {
    integers: [NONE; INTEGERS],
    comm: NONE,
    source: NONE,
};

pub(super) static LOOKED: [Looked; FUNCTIONS.len()] = table();

const fn table() -> [Looked; FUNCTIONS.len()] {
    let mut all = [NOTHING; FUNCTIONS.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = looked(index, NOTHING);
        index += 1;
    }
    all
}

const fn looked(index: usize, mut looked: Looked) -> Looked {
    let args = FUNCTIONS[index].args;
    let (mut i, mut found) = (0, 0);
    while i < args.len() {
        let arg = args[i];
        let given =
            matches!(arg.passing, Passing::Value) && !matches!(arg.direction, Direction::Out);
        let is_integer = matches!(
            arg.kind,
            Kind::Count | Kind::LargeCount | Kind::Int | Kind::Rank | Kind::Tag
        );
        // MPI may number one error otherwise each time that it comes up.
        let is_error = matches!(arg.name.as_bytes(), b"errorcode");
        if given && is_integer && !is_error && found < INTEGERS {
            if matches!(arg.name.as_bytes(), b"source") {
                looked.source = found as u8;
            }
            looked.integers[found] = i as u8;
            found += 1;
        }
        if given && matches!(arg.kind, Kind::Comm) {
            looked.comm = i as u8;
        }
        i += 1;
    }
    looked
}

const ODD: [u64; INTEGERS] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
    0xd6e8_feb8_6659_fd93,
];

impl Hash {
    /// Counts a call with what was mixed of it.
    #[inline(always)]
    pub(super) fn add(&mut self, mixed: u64) {
        let so_far = self.get_mut();
        so_far.hash = (so_far.hash.rotate_left(23) ^ mixed).wrapping_mul(ODD[0]);
        so_far.calls += 1;
    }

    /// Counts a message: source and tag, and its size.
    #[inline(always)]
    pub fn tell(&mut self, envelope: u64, bytes: u32) {
        let so_far = self.get_mut();
        let mixed = envelope ^ u64::from(bytes).wrapping_mul(ODD[1]);
        so_far.told = (so_far.told.rotate_left(23) ^ mixed).wrapping_mul(ODD[0]);
        so_far.messages += 1;
    }

    /// Returns whether the next call makes a checkpoint.
    #[inline(always)]
    pub fn is_due(&self) -> bool {
        (self.calls() + 1).is_multiple_of(CALLS_PER_CHECKPOINT)
    }

    /// Counts a call from C on the thread's communicator of this number.
    #[inline(always)]
    pub fn count<const INDEX: u16, const N: usize>(&mut self, args: &[usize; N], comm: u32) {
        let mut mixed = u64::from(INDEX) + 1;
        each_integer::<INDEX, N>(args, |k, integer| mixed ^= mix(integer, k));
        self.add(mixed.wrapping_add(u64::from(comm) << 40));
    }
}

/// Tells the integers of a call from C that are looked at.
#[inline(always)]
pub fn each_integer<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    mut tell: impl FnMut(usize, u32),
) {
    let looked = const { looked(INDEX as usize, NOTHING) };
    for (k, &at) in looked.integers.iter().enumerate() {
        if let Some(&integer) = args.get(usize::from(at)) {
            tell(k, integer as u32);
        }
    }
}

/// Makes an integer look random; the same one at another place looks otherwise.
#[inline(always)]
pub(super) fn mix(value: u32, place: usize) -> u64 {
    let odd = ODD[place % INTEGERS];
    u64::from(value).wrapping_add(odd).wrapping_mul(odd)
}

/// Returns which argument is the communicator that is looked at.
pub const fn comm_of(function: FunctionId) -> Option<usize> {
    match looked(function.0 as usize, NOTHING).comm {
        NONE => None,
        at => Some(at as usize),
    }
}

/// Returns which of a call's integers is the rank that it receives from.
pub const fn source_of(function: FunctionId) -> Option<usize> {
    match looked(function.0 as usize, NOTHING).source {
        NONE => None,
        k => Some(k as usize),
    }
}

/// Names a call with its integers, `MPI_Recv(count=1, source=2, tag=0)`;
/// `integer` returns the one at an argument.
pub fn described(function: FunctionId, abi: &Abi, integer: impl Fn(usize) -> i32) -> String {
    let looked = &LOOKED[function.index()];
    described_by(function, abi, |k| integer(usize::from(looked.integers[k])))
}

fn is_rank(name: &str) -> bool {
    name.ends_with("source") || name.ends_with("dest")
}

/// The same; `integer` returns the `k`th.
pub fn described_by(function: FunctionId, abi: &Abi, integer: impl Fn(usize) -> i32) -> String {
    let looked = &LOOKED[function.index()];
    let args = function.function().args;
    let integers = looked.integers.iter().take_while(|&&at| at != NONE);
    let words = integers.enumerate().map(|(k, &at)| {
        let name = args.get(usize::from(at)).map_or("", |arg| arg.name);
        let value = integer(k);
        match name {
            _ if name.ends_with("source") && value == abi.any_source => format!("{name}=any"),
            _ if is_rank(name) && value == abi.proc_null => format!("{name}=MPI_PROC_NULL"),
            _ if name.ends_with("tag") && value == abi.any_tag => format!("{name}=any"),
            _ => format!("{name}={value}"),
        }
    });
    let words: Vec<String> = words.collect();
    format!("{}({})", function.function().name, words.join(", "))
}

/// Returns whether a function chooses by a wildcard or among requests: which argument would be
/// the source of a receive or probe, if only that makes it choose.
pub fn chooses(function: FunctionId) -> Option<Option<usize>> {
    let name = function.function().name;
    let source = source_of(function).is_some();
    match name.trim_end_matches("_c") {
        "MPI_Waitany"
        | "MPI_Waitsome"
        | "MPI_Test"
        | "MPI_Testall"
        | "MPI_Testany"
        | "MPI_Testsome"
        | "MPI_Iprobe"
        | "MPI_Improbe"
        | "MPI_Win_test"
        | "MPI_Parrived"
        | "MPI_Request_get_status" => Some(None),
        _ if source => {
            let args = function.function().args;
            Some(args.iter().position(|arg| arg.name == "source"))
        }
        _ => None,
    }
}
