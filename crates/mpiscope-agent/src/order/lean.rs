//! The shortest way through: sends and blocking receives on MPI_COMM_WORLD, in
//! C, while the order is recorded or led and nothing else is done.
//!
//! These are the calls whose own cost is some tens of nanoseconds. They are
//! counted in the wrapper itself, with their arguments still in registers;
//! all others, and these in any other case, take the way through `observed`.

use mpi_abi::{id, FunctionId};
use mpiscope_run::order::Taken;

use super::call::Call;
use super::hash;
use super::thread::Thread;
use crate::call::Lang;
use crate::site;

/// What the shortest way may be taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lean {
    /// Nothing.
    No,
    /// The order is recorded.
    Record,
    /// The order is led, and not recorded again.
    Replay,
}

/// What the shortest way asks of a thread, together on one line of the cache.
#[repr(C, align(64))]
pub struct Hot {
    /// Whether a call is being made.
    pub nested: bool,
    /// Whether the shortest way may be taken, and what for.
    pub lean: Lean,
    any_source: i32,
    any_tag: i32,
    source_offset: u32,
    /// Of the world.
    size: u32,
    world: usize,
    /// The bits of a register that hold a handle.
    mask: usize,
    /// Of the thread's calls.
    pub hash: hash::Hash,
}

impl Hot {
    /// Takes over what a call is compared with.
    pub fn new(abi: &mpi_abi::Abi, lean: Lean, size: u32) -> Self {
        Self {
            nested: false,
            lean,
            any_source: abi.any_source,
            any_tag: abi.any_tag,
            source_offset: abi.status.source as u32,
            size,
            world: abi.comm_world,
            mask: match abi.handle_size {
                4 => u32::MAX as usize,
                _ => usize::MAX,
            },
            hash: hash::Hash::default(),
        }
    }
}

/// Which way a call takes.
pub enum Way {
    /// Through `observed`.
    Long,
    /// It is counted: nothing more is to be done but to make it.
    Named(*mut Thread),
    /// A receive from anybody: counted, and its status tells the rest.
    Anybody(*mut Thread),
    /// A receive from anybody that is to take a message of this rank.
    Led(*mut Thread, u32),
}

const fn is_send(function: FunctionId) -> bool {
    matches!(
        function,
        id::MPI_SEND
            | id::MPI_BSEND
            | id::MPI_SSEND
            | id::MPI_RSEND
            | id::MPI_ISEND
            | id::MPI_IBSEND
            | id::MPI_ISSEND
            | id::MPI_IRSEND
    )
}

const fn is_receive(function: FunctionId) -> bool {
    matches!(function, id::MPI_RECV)
}

/// Finds out which way a call takes, and counts it if that is a short one.
#[inline(always)]
pub fn way<const INDEX: u16>(lang: Lang, args: &[usize]) -> Way {
    let function = FunctionId(INDEX);
    let &[_, count, _, peer, tag, comm, ref rest @ ..] = args else {
        return Way::Long;
    };
    let receives = is_receive(function);
    if lang != Lang::C || !(receives || is_send(function)) {
        return Way::Long;
    }
    let thread = site::order().cast::<Thread>();
    // SAFETY: a thread's state lives as long as the process, and only its thread touches it.
    let Some(state) = (unsafe { thread.as_mut() }) else {
        return Way::Long;
    };
    let hot = &mut state.hot;
    if hot.nested || hot.lean == Lean::No || comm & hot.mask != hot.world {
        return Way::Long;
    }
    let anybody = receives && peer as i32 == hot.any_source;
    if receives && tag as i32 == hot.any_tag {
        return Way::Long;
    }
    if hot.lean == Lean::Replay {
        return led(state, function, args, anybody);
    }
    // 0 and 1 ignore the status.
    if anybody && rest.first().is_none_or(|&status| status <= 1) {
        return Way::Long;
    }
    hot.nested = true;
    if hot.hash.count_named(function, [count, peer, tag]) {
        checkpoint(state);
    }
    match anybody {
        false => Way::Named(thread),
        true => Way::Anybody(thread),
    }
}

/// The same in replay.
#[inline(always)]
fn led(state: &mut Thread, function: FunctionId, args: &[usize], anybody: bool) -> Way {
    let &[_, count, _, peer, tag, ..] = args else {
        return Way::Long;
    };
    let Some(guide) = &state.guide else {
        return Way::Long;
    };
    let mut source = peer as u32;
    if anybody {
        match guide.receive(state.posts) {
            Some(taken) if taken.tag.is_none() && taken.source < state.hot.size => {
                source = taken.source;
            }
            _ => return Way::Long,
        }
        state.posts += 1;
    }
    state.hot.nested = true;
    let told = [count as u32, source, tag as u32];
    state.begin_watched(function, told, site::noted());
    if state.hot.hash.count_named(function, [count, peer, tag]) {
        verify(state, function, args);
    }
    match anybody {
        false => Way::Named(state),
        true => Way::Led(state, source),
    }
}

/// Compares the hash with the record's.
#[cold]
fn verify(thread: &mut Thread, function: FunctionId, args: &[usize]) {
    let mut args = args.to_vec();
    hash::mark(&mut Call {
        function,
        lang: Lang::C,
        mpi: thread.session.mpi,
        args: &mut args,
        real: &|_| 0,
        thread,
    });
}

#[cold]
fn checkpoint(thread: &mut Thread) {
    let hash = thread.hot.hash.short();
    thread
        .out
        .put(|encoder, writer| encoder.checkpoint(writer, hash));
}

/// Writes what a receive from anybody took, as its status says.
#[inline(never)]
pub fn took(thread: *mut Thread, result: usize, status: usize) {
    // SAFETY: as in `way`, which returned this pointer.
    let Some(thread) = (unsafe { thread.as_mut() }) else {
        return;
    };
    let ordinal = thread.posts;
    thread.posts += 1;
    if result as i32 != 0 {
        return; // MPI_SUCCESS is 0
    }
    let at = (status + thread.hot.source_offset as usize) as *const i32;
    // SAFETY: MPI has just filled this status, whose source lies there.
    let source = unsafe { at.read_unaligned() };
    if let Ok(source) = u32::try_from(source) {
        let taken = Taken { source, tag: None };
        thread
            .out
            .put(|encoder, writer| encoder.receive(writer, ordinal, taken));
    }
}
