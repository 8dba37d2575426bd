//! What the program calls within a call of MPI: in callbacks of attributes, in error handlers, in
//! operations of its own.
//!
//! Such a call has no events. What it sends and receives is counted by channel, as of calls that a
//! filter leaves out, so that messages of other calls keep their numbers; that there were such
//! calls is defined, so that no reader takes what they did for missing. What MPI calls to do its
//! own work is no matter of the program's and passes through.

pub mod counted;

use mpi_abi::FunctionId;

use super::around::observed;
use super::hooks::HOOKS;
use super::thread::{self, Scratch, Thread};
use crate::base::guard::guarded;
use crate::base::nesting::Nesting;
use crate::base::own::Own;
use crate::base::path::{paused, recording};
use crate::base::site;
use crate::mpi::call::Lang;

/// A call within another, and the state of the one around it.
struct Within {
    function: FunctionId,
    lang: Lang,
    thread: Own<Thread>,
    outer: Outer,
}

/// What the call around needs again.
struct Outer {
    nesting: Nesting,
    seen: bool,
    scratch: Scratch,
}

/// Makes a call that is not the outermost one, or is not observed: counted, if it is one that the
/// program makes within another.
#[inline(always)]
pub fn passes<A: AsMut<[usize]> + ?Sized>(
    function: FunctionId,
    lang: Lang,
    args: &mut A,
    make: impl FnOnce(&mut A) -> usize,
) -> usize {
    let within = begins(function, lang, args.as_mut());
    let result = make(args);
    if let Some(within) = within {
        within.ends(args.as_mut(), result);
    }
    result
}

/// Such a call begins; returns what is to be ended, if it is counted.
#[cold]
#[inline(never)]
fn begins(function: FunctionId, lang: Lang, args: &mut [usize]) -> Option<Box<Within>> {
    let own = thread::known()?;
    let thread = own.get();
    thread.nesting.place()?;
    thread.hears(function, lang, args);
    let hook = &HOOKS[function.index()];
    let is_told = hook.before.is_some() || hook.after.is_some();
    if !is_told || !(recording() || paused()) {
        return None;
    }
    let mut begun = None;
    guarded(|| {
        if thread.session.modules.is_of_mpi(site::noted()) {
            return;
        }
        let outer = Outer::put_aside(thread);
        if let Some(before) = hook.before {
            before(&mut observed((function, lang), args, thread, 0));
        }
        // What it calls in turn, and who leaves it by a jump, sees the call around it.
        (thread.nesting, thread.seen) = (outer.nesting, outer.seen);
        begun = Some(Box::new(Within {
            function,
            lang,
            thread: own,
            outer,
        }));
    });
    begun
}

impl Within {
    /// The call has returned.
    #[cold]
    #[inline(never)]
    fn ends(self: Box<Self>, args: &mut [usize], result: usize) {
        let of = (self.function, self.lang);
        let thread = self.thread.get();
        (thread.nesting, thread.seen) = (Nesting::WORK, false);
        guarded(|| {
            let mut call = observed(of, args, thread, 0);
            let succeeded = call.succeeded(result);
            if let Some(after) = HOOKS[of.0.index()].after {
                after(&mut call, succeeded);
            }
            if thread.scratch.untold {
                counted::note(of.0);
            }
        });
    }
}

impl Drop for Within {
    /// It has returned, or an exception goes through it.
    fn drop(&mut self) {
        let (thread, outer) = (self.thread.get(), &mut self.outer);
        thread.scratch = std::mem::take(&mut outer.scratch);
        (thread.nesting, thread.seen) = (outer.nesting, outer.seen);
    }
}

impl Outer {
    fn put_aside(thread: &mut Thread) -> Self {
        let outer = Self {
            nesting: thread.nesting,
            seen: thread.seen,
            scratch: std::mem::take(&mut thread.scratch),
        };
        thread.scratch.is_within = true;
        (thread.nesting, thread.seen) = (Nesting::WORK, false);
        outer
    }
}
