//! The call that a thread is in, and how that ends.
//!
//! Most calls return. Out of some the program throws, or jumps, in an error handler: then the
//! call is told as one that failed, when that happens, with the code that the handler was seen
//! to ask MPI about. What it was called with lies where the call was made, as long as it is not
//! left.

use std::sync::atomic::{compiler_fence, Ordering};

use mpi_abi::{id, FunctionId};

use super::thread::{self, close, Thread};
use crate::base::jump::Landing;
use crate::base::nesting::Nesting;
use crate::base::own::Own;
use crate::mpi::call::Lang;

/// Ends a call that the program has left.
pub type Left = fn(&Open, Own<Thread>);

/// A call that is being made; on the stack of who makes it.
pub struct Open {
    /// Which function.
    pub function: FunctionId,
    /// By whose rules it was called.
    pub lang: Lang,
    args: *mut usize,
    count: usize,
    left: Left,
}

impl Open {
    /// Notes what a call is made with, and how it ends if it never returns.
    #[inline(always)]
    pub fn new(function: FunctionId, lang: Lang, args: &mut [usize], left: Left) -> Self {
        Self {
            function,
            lang,
            args: args.as_mut_ptr(),
            count: args.len(),
            left,
        }
    }

    /// Returns what the call was made with.
    #[inline(always)]
    #[allow(
        clippy::mut_from_ref,
        reason = "they lie beside it, and who ends the call has them"
    )]
    pub fn args(&self) -> &mut [usize] {
        // SAFETY: they lie in the frame of who makes the call, as this does; while it is made
        // nobody else touches them.
        unsafe { std::slice::from_raw_parts_mut(self.args, self.count) }
    }
}

/// The outermost call of a thread, while it is made: ended by [`close`](Self::close), or by an
/// exception that goes through it.
pub struct Outermost(Own<Thread>);

impl Outermost {
    /// A thread begins to make a call, which stays where it is until that has ended.
    #[inline(always)]
    pub fn of(thread: Own<Thread>, open: &Open) -> Self {
        thread.get().nesting = Nesting::at(std::ptr::from_ref(open).expose_provenance());
        compiler_fence(Ordering::SeqCst);
        Self(thread)
    }

    /// Returns the thread.
    #[inline(always)]
    pub fn thread(&self) -> Own<Thread> {
        self.0
    }

    /// The call has returned, and was told.
    #[inline(always)]
    pub fn close(self) {
        close(self.0);
        std::mem::forget(self);
    }
}

impl Drop for Outermost {
    #[cold]
    fn drop(&mut self) {
        leave(self.0);
    }
}

/// Ends the call that a thread is in, as the program leaves it.
#[cold]
fn leave(thread: Own<Thread>) {
    if let Some(place) = thread.get().nesting.place() {
        // SAFETY: where a call stands `of` has noted, and it is not left before this returns.
        let open = unsafe { &*std::ptr::with_exposed_provenance::<Open>(place) };
        // What is still to be told is work of ours.
        thread.get().nesting = Nesting::WORK;
        (open.left)(open, thread);
    }
    thread.get().heard = None;
    close(thread);
}

/// The program jumps: ends the call that it leaves, if it leaves one.
pub fn jumps(landing: Landing) {
    let is_left = |thread: &Own<Thread>| {
        let place = thread.get().nesting.place();
        place.is_some_and(|place| landing.leaves(place))
    };
    if let Some(thread) = thread::known().filter(is_left) {
        leave(thread);
    }
}

impl Thread {
    /// Hears what a call within another asks: an error handler has MPI tell what a code means,
    /// and may never let the outer call return it.
    #[cold]
    pub(super) fn hears(&mut self, function: FunctionId, lang: Lang, args: &[usize]) {
        if !matches!(function, id::MPI_ERROR_CLASS | id::MPI_ERROR_STRING) {
            return;
        }
        self.heard = args.first().map(|&code| match lang {
            Lang::C => code as i32,
            // SAFETY: Fortran passes the address of an INTEGER.
            Lang::Fortran => unsafe { (code as *const i32).read_unaligned() },
        });
    }
}
