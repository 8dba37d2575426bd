//! A thread's frames, read from the interpreter's memory.
//!
//! Whoever reads without the interpreter's lock stands on this: a frame, and what it refers to, is
//! changed and freed by its own thread alone, and that is here, in a call. A frame that runs holds
//! its code object, and that its texts and its table, which never change. A thread's state lives
//! as long as its thread runs Python. It is different where the interpreter ends: it frees the
//! states of threads that it does not wait for (daemons). So nobody reads once it has begun to end
//! ([`Interpreter::place`](super::verify::Interpreter::place)); that a daemon begins to read just
//! before, and is then kept from running until the whole end is done, cannot be excluded, only
//! that it takes longer than some tens of nanoseconds in between.

use super::layout::{Instruction, Layout, INTERPRETERS};

/// How memory is read.
pub trait Memory {
    /// Returns the word at an address.
    fn word(&self, address: usize) -> Option<usize>;
}

/// Memory that is known to be there.
pub struct Known(());

impl Known {
    /// Memory as a layout says it is.
    ///
    /// # Safety
    /// The layout is the interpreter's, and the frames that are read those of this thread.
    pub unsafe fn new() -> Self {
        Self(())
    }
}

impl Memory for Known {
    #[inline(always)]
    fn word(&self, address: usize) -> Option<usize> {
        // SAFETY: a field of the interpreter's, as `new` was promised; fields of 4 and of 1 bytes
        // lie within objects that do not end before the word does.
        Some(unsafe { (address as *const usize).read_unaligned() })
    }
}

/// Memory of which nothing is known: the kernel is asked for it.
pub struct Asked;

impl Memory for Asked {
    fn word(&self, address: usize) -> Option<usize> {
        let mut word = 0_usize;
        let part = |base, iov_len| libc::iovec {
            iov_base: base,
            iov_len,
        };
        let to = part((&raw mut word).cast(), size_of::<usize>());
        let from = part(address as *mut libc::c_void, size_of::<usize>());
        // SAFETY: it writes into `word` alone; at a wrong address it fails.
        let got = unsafe { libc::process_vm_readv(libc::getpid(), &to, 1, &from, 1, 0) };
        (got == size_of::<usize>() as isize).then_some(word)
    }
}

/// A frame that runs Python.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its code object.
    pub code: usize,
    /// How many bytes into the code it is.
    pub offset: i32,
    address: usize,
}

/// More frames than are walked through: those of mpi4py are few.
pub const DEPTH: usize = 256;

/// Returns the innermost frame of a thread; nothing if there is none, or it cannot be read.
#[inline(always)]
pub fn innermost(
    layout: &Layout,
    code: usize,
    memory: &impl Memory,
    state: usize,
) -> Option<Frame> {
    let mut at = memory.word(state + layout.frame)?;
    if let Some(offset) = layout.indirect {
        if at == 0 {
            return None;
        }
        at = memory.word(at + offset)?;
    }
    first_from(layout, code, memory, at)
}

/// Returns the frame that called one.
pub fn caller(layout: &Layout, code: usize, memory: &impl Memory, frame: Frame) -> Option<Frame> {
    let at = memory.word(frame.address + layout.previous)?;
    first_from(layout, code, memory, at)
}

/// Returns the first frame from one on that runs Python: the interpreter has frames of its own
/// where C called it. `code` is the type of code objects.
#[inline(always)]
fn first_from(layout: &Layout, code: usize, memory: &impl Memory, mut at: usize) -> Option<Frame> {
    for _ in 0..DEPTH {
        if at == 0 {
            return None;
        }
        if !is_interpreters(layout, memory, at)? {
            return frame(layout, code, memory, at);
        }
        at = memory.word(at + layout.previous)?;
    }
    None
}

#[inline(always)]
fn is_interpreters(layout: &Layout, memory: &impl Memory, frame: usize) -> Option<bool> {
    match layout.owner {
        Some(owner) => Some(memory.word(frame + owner)? as u8 == INTERPRETERS),
        None => Some(false),
    }
}

#[inline(always)]
fn frame(layout: &Layout, type_of_code: usize, memory: &impl Memory, at: usize) -> Option<Frame> {
    let code = memory.word(at + layout.code)? & !3;
    if code == 0 || memory.word(code + layout.type_of)? != type_of_code {
        return None;
    }
    let offset = match layout.instruction {
        Instruction::Number(field, bytes) => {
            (memory.word(at + field)? as i32).wrapping_mul(bytes as i32)
        }
        Instruction::Pointer(field, begin) => {
            let distance = memory.word(at + field)?.wrapping_sub(code + begin);
            i32::try_from(distance as isize).ok()?
        }
    };
    (offset >= 0).then_some(Frame {
        code,
        offset,
        address: at,
    })
}
