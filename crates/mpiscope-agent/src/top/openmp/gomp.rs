//! GCC's OpenMP: functions of libgomp that compiled code calls, with ours in front of them.
//!
//! The function that the compiler made of a parallel region's body is replaced by one of ours
//! ([`member`]), so that each thread of the team says when it begins and when it is done. All that
//! these functions take are integers and addresses, which pass through as words.
//!
//! Where no object of the program has these functions at the start, none of them is offered
//! ([`fit`](crate::base::fit)): a runtime that is loaded later, perhaps several of them, is bound to
//! by whom it came with. LLVM's runtime has the same functions, for code of GCC's; what comes to it
//! that way it tells by its callbacks (`ompt`).

use std::cell::Cell;
use std::ffi::CStr;
use std::mem::transmute;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use mpi_abi::objects;
use mpiscope_run::record::Member;

use crate::base::site;
use crate::facts::openmp::{self, Construct};

use super::tasks::InTeam;
use crate::top::real::{offered, real, Real};

/// Functions that make a team, have it call a function with data, and return when all are done.
macro_rules! parallel {
    ($($name:ident($($a:ident),*);)*) => {$(
        offered!($name(function, data, threads $(, $a)*) {
            let work = Work::new(function, data, threads, 0);
            if work.team == 0 {
                return real!($name(function, data, threads $(, $a)*));
            }
            let (own, of) = (member as *const () as usize, &raw const work as usize);
            let result = real!($name(own, of, threads $(, $a)*));
            openmp::joined(work.has_joined.load(Ordering::Relaxed));
            result
        });
    )*};
}

/// What they were before GCC 4.9: they return while the team works, and the caller takes part.
macro_rules! parallel_start {
    ($($name:ident($($a:ident),*);)*) => {$(
        offered!($name(function, data, threads $(, $a)*) {
            let work = Work::new(function, data, threads, 0);
            if work.team == 0 {
                Started::push(work);
                return real!($name(function, data, threads $(, $a)*));
            }
            let of = Started::push(work);
            let result = real!($name(member as *const () as usize, of as usize, threads $(, $a)*));
            // SAFETY: ours until the region ends.
            unsafe { (*of).begin_here() };
            result
        });
    )*};
}

/// Functions that return when all threads of the team have come to them.
macro_rules! barrier {
    ($($name:ident($($a:ident)?), $construct:ident;)*) => {$(
        offered!($name($($a)?) {
            let is_told = is_gcc() && openmp::enter(Construct::$construct, site::noted());
            let result = real!($name($($a)?));
            if is_told {
                openmp::leave(Construct::$construct);
            }
            result
        });
    )*};
}

parallel! {
    GOMP_parallel(flags);
    GOMP_parallel_loop_static(start, end, step, chunk, flags);
    GOMP_parallel_loop_dynamic(start, end, step, chunk, flags);
    GOMP_parallel_loop_guided(start, end, step, chunk, flags);
    GOMP_parallel_loop_runtime(start, end, step, flags);
    GOMP_parallel_loop_nonmonotonic_dynamic(start, end, step, chunk, flags);
    GOMP_parallel_loop_nonmonotonic_guided(start, end, step, chunk, flags);
    GOMP_parallel_loop_nonmonotonic_runtime(start, end, step, flags);
    GOMP_parallel_loop_maybe_nonmonotonic_runtime(start, end, step, flags);
    GOMP_parallel_sections(count, flags);
}

parallel_start! {
    GOMP_parallel_start();
    GOMP_parallel_loop_static_start(start, end, step, chunk);
    GOMP_parallel_loop_dynamic_start(start, end, step, chunk);
    GOMP_parallel_loop_guided_start(start, end, step, chunk);
    GOMP_parallel_loop_runtime_start(start, end, step);
    GOMP_parallel_sections_start(count);
}

barrier! {
    GOMP_barrier(), Barrier;
    GOMP_barrier_cancel(), Barrier;
    GOMP_loop_end(), ImplicitBarrier;
    GOMP_loop_end_cancel(), ImplicitBarrier;
    GOMP_sections_end(), ImplicitBarrier;
    GOMP_sections_end_cancel(), ImplicitBarrier;
    GOMP_single_copy_end(data), ImplicitBarrier;
}

offered!(GOMP_single_copy_start() {
    let (site, began) = (site::noted(), openmp::now());
    let result = real!(GOMP_single_copy_start());
    // Who is to do the work comes back at once; the others have waited for it.
    if result != 0 && is_gcc() {
        openmp::passed(Construct::ImplicitBarrier, site, began);
    }
    result
});

offered!(GOMP_parallel_reductions(function, data, threads, flags) {
    // The runtime looks at the first word of the data, which leads to the variables.
    let first = match data {
        0 => 0,
        // SAFETY: so the compiler lays out what it hands to this function.
        data => unsafe { *(data as *const usize) },
    };
    let work = Work::new(function, data, threads, first);
    if work.team == 0 {
        return real!(GOMP_parallel_reductions(function, data, threads, flags));
    }
    let (own, of) = (member as *const () as usize, &raw const work as usize);
    let result = real!(GOMP_parallel_reductions(own, of, threads, flags));
    openmp::joined(work.has_joined.load(Ordering::Relaxed));
    result
});

offered!(GOMP_parallel_end() {
    let work = Started::pop();
    let is_told = work.as_ref().is_some_and(|work| work.is_told.load(Ordering::Relaxed));
    if let Some(work) = work.as_ref().filter(|_| is_told) {
        openmp::team_ends(work.team, Some(work.site));
    }
    let result = real!(GOMP_parallel_end());
    if work.is_some_and(|work| work.team != 0) {
        openmp::joined(is_told);
    }
    result
});

/// What a team is to do, and who forked it.
#[repr(C)]
struct Work {
    /// What the runtime may look for in the program's data.
    first: usize,
    function: usize,
    data: usize,
    team: u64,
    site: usize,
    /// Whether the begin of the first thread is told, where that is not in `member`.
    is_told: AtomicBool,
    /// Whether it has begun to wait for the others.
    has_joined: AtomicBool,
    /// The work that this one lies in, where its end is another call.
    outer: *mut Work,
    /// The thread works in the team until this is dropped, where its end is another call.
    in_team: Cell<Option<InTeam>>,
}

impl Work {
    /// Forks a team; its number is 0 if that is not told.
    fn new(function: usize, data: usize, threads: usize, first: usize) -> Work {
        let site = site::noted();
        let team = match is_gcc() {
            true => openmp::fork(match threads as u32 {
                0 => ask(&MAX_THREADS, c"omp_get_max_threads"),
                threads => threads,
            }),
            false => 0,
        };
        Work {
            first,
            function,
            data,
            team,
            site,
            is_told: AtomicBool::new(false),
            has_joined: AtomicBool::new(false),
            outer: null_mut(),
            in_team: Cell::new(None),
        }
    }

    /// The calling thread begins to work; returns whether that is told.
    fn begin(&self) -> bool {
        let member = Member {
            team: self.team,
            number: thread_number(),
            size: ask(&THREADS, c"omp_get_num_threads"),
        };
        let is_told = openmp::team_begins(member, self.site);
        if member.number == 0 {
            self.is_told.store(is_told, Ordering::Relaxed);
        }
        is_told
    }

    /// The first thread begins, whose end is another call.
    fn begin_here(&self) {
        let team = if self.begin() { self.team } else { 0 };
        self.in_team.set(Some(InTeam::begin(team, 0)));
    }
}

/// What a thread of a team calls in place of the program's function.
unsafe extern "C-unwind" fn member(work: *const Work) {
    // SAFETY: whoever forked the team keeps it until all threads are back; after this function has
    // returned, nothing of it is asked for.
    let work = unsafe { &*work };
    let (team, is_told) = (work.team, work.begin());
    let number = thread_number();
    let joins_at = (number == 0).then_some(work.site);
    let _in_team = InTeam::begin(if is_told { team } else { 0 }, number);
    // SAFETY: the function that the compiler made for this team.
    let function: unsafe extern "C-unwind" fn(usize) = unsafe { transmute(work.function) };
    // SAFETY: with the data that it made for it.
    unsafe { function(work.data) };
    if is_told {
        if joins_at.is_some() {
            work.has_joined.store(true, Ordering::Relaxed);
        }
        openmp::team_ends(team, joins_at);
    }
}

/// The work of this thread that another call is to end: a list, the innermost first.
struct Started;

thread_local! {
    static STARTED: Cell<*mut Work> = const { Cell::new(null_mut()) };
}

impl Started {
    fn push(mut work: Work) -> *mut Work {
        work.outer = STARTED.get();
        let work = Box::into_raw(Box::new(work));
        STARTED.set(work);
        work
    }

    fn pop() -> Option<Box<Work>> {
        let work = STARTED.get();
        if work.is_null() {
            return None;
        }
        // SAFETY: made by `push` in this thread, and taken out of the list here.
        let work = unsafe { Box::from_raw(work) };
        STARTED.set(work.outer);
        Some(work)
    }
}

static THREAD: Real = Real::new();
static THREADS: Real = Real::new();
static MAX_THREADS: Real = Real::new();

/// Returns the number of the calling thread in its team.
pub(super) fn thread_number() -> u32 {
    ask(&THREAD, c"omp_get_thread_num")
}

/// Asks the runtime for a number.
fn ask(real: &Real, name: &CStr) -> u32 {
    let Some(real) = real.find(name) else {
        return 0;
    };
    // SAFETY: a function of OpenMP without arguments that returns an `int`.
    let real: unsafe extern "C" fn() -> i32 = unsafe { transmute(real) };
    // SAFETY: as above.
    unsafe { real() }.max(0) as u32
}

/// Returns whether the runtime behind these functions is GCC's.
pub(super) fn is_gcc() -> bool {
    static KNOWN: AtomicU8 = AtomicU8::new(0);
    if KNOWN.load(Ordering::Relaxed) == 0 {
        static PARALLEL: Real = Real::new();
        let real = PARALLEL.find(c"GOMP_parallel");
        let is_llvm = objects::find(|object| {
            let is_there = real.is_some_and(|real| object.holds(real));
            is_there.then(|| object.function(c"__kmpc_fork_call").is_some())
        });
        KNOWN.store(
            if is_llvm == Some(false) { 2 } else { 1 },
            Ordering::Relaxed,
        );
    }
    KNOWN.load(Ordering::Relaxed) == 2
}
