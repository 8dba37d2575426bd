//! LLVM's OpenMP (libomp, and Intel's): the runtime asks for a tool and calls it back, by OMPT
//! (OpenMP 5.0, §4).
//!
//! It has a word for each parallel region and each task that is the tool's: [`Region`] and
//! [`Implicit`] are what ours say.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::mem::transmute;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use mpiscope_run::record::{Member, Task};

use crate::facts::openmp::{self, Construct};
use crate::facts::openmp_tasks;

use super::gomp::thread_number;

type Callback = *const c_void;
type Lookup = unsafe extern "C" fn(*const c_char) -> *const c_void;
type SetCallback = unsafe extern "C" fn(c_int, Callback) -> c_int;
type Start = unsafe extern "C" fn(c_uint, *const c_char) -> *mut Tool;

/// `ompt_start_tool_result_t`.
#[repr(C)]
struct Tool {
    initialize: unsafe extern "C" fn(Lookup, c_int, *mut u64) -> c_int,
    finalize: unsafe extern "C" fn(*mut u64),
    data: u64,
}

/// The callbacks by their numbers in `ompt_callbacks_t`.
const CALLBACKS: [(c_int, Callback); 6] = [
    (3, parallel_begin as *const () as Callback),
    (4, parallel_end as *const () as Callback),
    (5, task_create as *const () as Callback),
    (6, task_schedule as *const () as Callback),
    (7, implicit_task as *const () as Callback),
    (23, sync_region as *const () as Callback),
];

/// What the runtime asks for when it begins: whoever it would have found without us, or ours.
///
/// # Safety
/// As OpenMP says.
#[no_mangle]
unsafe extern "C" fn ompt_start_tool(version: c_uint, runtime: *const c_char) -> *mut Tool {
    // SAFETY: the name ends with NUL.
    let next = unsafe { libc::dlsym(libc::RTLD_NEXT, c"ompt_start_tool".as_ptr()) };
    if !next.is_null() {
        // SAFETY: the function of this name, and the runtime's own arguments.
        let other = unsafe { transmute::<*mut c_void, Start>(next)(version, runtime) };
        if !other.is_null() {
            return other;
        }
    }
    static mut TOOL: Tool = Tool {
        initialize,
        finalize,
        data: 0,
    };
    match openmp::is_wanted() {
        true => &raw mut TOOL,
        false => null_mut(),
    }
}

unsafe extern "C" fn initialize(lookup: Lookup, _: c_int, _: *mut u64) -> c_int {
    // SAFETY: the name ends with NUL.
    let set = unsafe { lookup(c"ompt_set_callback".as_ptr()) };
    if set.is_null() {
        return 0;
    }
    // SAFETY: the function of this name.
    let set: SetCallback = unsafe { transmute(set) };
    for (event, callback) in CALLBACKS {
        // SAFETY: the callback has the signature of its event.
        unsafe { set(event, callback) };
    }
    1
}

unsafe extern "C" fn finalize(_: *mut u64) {}

/// Places in the program at which teams are forked: a number of 12 bits stands for each.
static SITES: [AtomicUsize; 1 << 12] = [const { AtomicUsize::new(0) }; 1 << 12];

/// Returns the number of a place; 0 if there are too many.
fn number_of(site: usize) -> u64 {
    // Multiplicative hashing (Knuth 6.4).
    let first = (site as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    for at in (first..first + 16).map(|at| at % SITES.len() as u64) {
        let place = &SITES[at as usize];
        let there = match place.load(Ordering::Relaxed) {
            0 => place
                .compare_exchange(0, site, Ordering::Relaxed, Ordering::Relaxed)
                .err()
                .unwrap_or(site),
            there => there,
        };
        if there == site && at != 0 {
            return at;
        }
    }
    0
}

/// The word of a parallel region: its team's number, 0 if its fork is not told; where that was; and
/// whether its first thread has waited for the others.
#[derive(Clone, Copy)]
struct Region(u64);

impl Region {
    const HAS_WAITED: u64 = 1 << 63;
    const NONE: Region = Region(0);

    fn new(team: u64, site: usize) -> Region {
        match team {
            0 => Region::NONE,
            team => Region(team << 12 | number_of(site)),
        }
    }

    /// Reads the word, which other threads may be reading, too.
    unsafe fn read(at: *const AtomicU64) -> Region {
        // SAFETY: the runtime's word lives as long as the region, and is touched here alone.
        unsafe { at.as_ref() }.map_or(Region::NONE, |word| Region(word.load(Ordering::Relaxed)))
    }

    fn team(self) -> u64 {
        (self.0 & !Region::HAS_WAITED) >> 12
    }

    fn site(self) -> usize {
        SITES[self.0 as usize % SITES.len()].load(Ordering::Relaxed)
    }
}

/// The word of an implicit task: the team's number, the thread's there, and what it has told that is
/// to end; 0 if nothing is told.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Implicit(u64);

impl Implicit {
    /// It works in the team.
    const WORKS: u64 = 1;
    /// It is in a barrier.
    const IN_BARRIER: u64 = 2;
    /// In one that is implied.
    const IN_IMPLICIT: u64 = 4;
    /// It waits for tasks.
    const IN_WAIT: u64 = 8;
    /// In the word of another task: it is explicit, and the rest leads to an [`Explicit`].
    const IS_EXPLICIT: u64 = 1 << 63;

    fn new(team: u64, number: u32) -> Implicit {
        let number = u64::from(number).min(0xffff);
        Implicit(team << 20 | number << 4 | Implicit::WORKS)
    }

    fn has(self, bit: u64) -> bool {
        self.0 & bit != 0
    }

    fn team(self) -> u64 {
        self.0 >> 20
    }

    fn number(self) -> u32 {
        (self.0 >> 4) as u32 & 0xffff
    }

    /// Returns what the thread itself does, as a task.
    fn task(self) -> Task {
        Task {
            team: self.team(),
            creator: self.number(),
            generation: 0,
        }
    }
}

/// An explicit task that is told.
struct Explicit {
    task: Task,
    site: usize,
    /// A thread has begun to work on it.
    is_begun: bool,
    /// Its begin is told.
    is_told: bool,
    /// It waits for others.
    in_wait: bool,
}

/// Returns the explicit task that a word leads to.
fn explicit<'a>(word: u64) -> Option<&'a mut Explicit> {
    if word & Implicit::IS_EXPLICIT == 0 {
        return None;
    }
    // SAFETY: made by `task_create`, and freed when the task is complete; one thread at a time works
    // on a task.
    unsafe { ((word & !Implicit::IS_EXPLICIT) as *mut Explicit).as_mut() }
}

/// Returns the task that a word stands for, if it is told.
fn task_of(word: u64) -> Option<Task> {
    match explicit(word) {
        Some(it) => Some(it.task),
        None => Some(Implicit(word).task()).filter(|task| task.team != 0),
    }
}

/// `ompt_parallel_team`: threads of a team, not teams of a league.
const TEAM: u32 = 0x8000_0000;
/// `ompt_task_initial`.
const INITIAL: u32 = 1;
/// `ompt_scope_begin`.
const BEGIN: u32 = 1;

unsafe extern "C" fn parallel_begin(
    _: *mut u64,
    _: *const c_void,
    region: *mut AtomicU64,
    threads: u32,
    flags: u32,
    site: usize,
) {
    let team = match flags & TEAM {
        0 => 0,
        _ => openmp::fork(threads),
    };
    // SAFETY: the region's word, of which no other thread knows yet.
    if let Some(word) = unsafe { region.as_ref() } {
        word.store(Region::new(team, site).0, Ordering::Relaxed);
    }
}

unsafe extern "C" fn parallel_end(region: *mut AtomicU64, _: *mut u64, _: u32, _: usize) {
    // SAFETY: the region's word.
    let region = unsafe { Region::read(region) };
    if region.team() != 0 {
        openmp::joined(region.0 & Region::HAS_WAITED != 0);
    }
}

unsafe extern "C" fn implicit_task(
    endpoint: u32,
    region: *mut AtomicU64,
    task: *mut Implicit,
    size: u32,
    number: u32,
    flags: u32,
) {
    // SAFETY: the task's word, which belongs to this thread.
    let Some(task) = (unsafe { task.as_mut() }) else {
        return;
    };
    if flags & INITIAL != 0 {
        return;
    }
    if endpoint != BEGIN {
        return end_work(task, region);
    }
    // SAFETY: the region's word.
    let region = unsafe { Region::read(region) };
    let member = Member {
        team: region.team(),
        number,
        size,
    };
    *task = match openmp::team_begins(member, region.site()) {
        true => Implicit::new(member.team, number),
        false => Implicit(0),
    };
}

/// A thread has done its work in a team, if that was not told before.
fn end_work(task: &mut Implicit, region: *const AtomicU64) {
    if !task.has(Implicit::WORKS) {
        return;
    }
    task.0 &= !Implicit::WORKS;
    // SAFETY: the region's word, if there is a region still.
    let word = unsafe { region.as_ref() }.filter(|_| task.number() == 0);
    let joins_at = word.map(|word| {
        let before = word.fetch_or(Region::HAS_WAITED, Ordering::Relaxed);
        Region(before).site()
    });
    openmp::team_ends(task.team(), joins_at);
}

unsafe extern "C" fn sync_region(
    kind: u32,
    endpoint: u32,
    region: *mut AtomicU64,
    task: *mut Implicit,
    site: usize,
) {
    // `ompt_sync_region_t`.
    const BARRIER: u32 = 1;
    const IMPLICIT: u32 = 2;
    const EXPLICIT: u32 = 3;
    const TASK_WAIT: u32 = 5;
    const IMPLICIT_WORKSHARE: u32 = 8;
    const IMPLICIT_PARALLEL: u32 = 9;
    // SAFETY: the task's word, which belongs to this thread.
    let Some(task) = (unsafe { task.as_mut() }) else {
        return;
    };
    if kind == TASK_WAIT {
        return wait_for_tasks(&mut task.0, endpoint, site);
    }
    if task.has(Implicit::IS_EXPLICIT) {
        return;
    }
    let is_implicit = match kind {
        IMPLICIT | IMPLICIT_WORKSHARE | IMPLICIT_PARALLEL => true,
        BARRIER | EXPLICIT => false,
        _ => return,
    };
    if endpoint != BEGIN {
        return end_barrier(task);
    }
    // SAFETY: the region's word, if there is one.
    let of = unsafe { Region::read(region) };
    // Before LLVM 16 the barrier at the end of a parallel region has no number of its own, nor a
    // place; its first thread's is that of the region.
    let is_unplaced = is_implicit && kind == IMPLICIT && (site == 0 || site == of.site());
    if kind == IMPLICIT_PARALLEL || is_unplaced {
        return end_work(task, region);
    }
    let (construct, is_in) = match is_implicit {
        true => (
            Construct::ImplicitBarrier,
            Implicit::IN_BARRIER | Implicit::IN_IMPLICIT,
        ),
        false => (Construct::Barrier, Implicit::IN_BARRIER),
    };
    if openmp::enter(construct, site) {
        task.0 |= is_in;
    }
}

fn end_barrier(task: &mut Implicit) {
    if task.has(Implicit::IN_BARRIER) {
        openmp::leave(match task.has(Implicit::IN_IMPLICIT) {
            true => Construct::ImplicitBarrier,
            false => Construct::Barrier,
        });
        task.0 &= !(Implicit::IN_BARRIER | Implicit::IN_IMPLICIT);
    }
}

fn wait_for_tasks(word: &mut u64, endpoint: u32, site: usize) {
    let is_waiting = match explicit(*word) {
        Some(task) => task.in_wait,
        None => Implicit(*word).has(Implicit::IN_WAIT),
    };
    let waits = endpoint == BEGIN && openmp::enter(Construct::TaskWait, site);
    if endpoint != BEGIN && is_waiting {
        openmp::leave(Construct::TaskWait);
    }
    match explicit(*word) {
        Some(task) => task.in_wait = waits,
        None if waits => *word |= Implicit::IN_WAIT,
        None => *word &= !Implicit::IN_WAIT,
    }
}

/// `ompt_task_explicit`, and one that may go on in another thread.
const EXPLICIT: u32 = 4;
const UNTIED: u32 = 0x1000_0000;

unsafe extern "C" fn task_create(
    creator: *const u64,
    _: *const c_void,
    new: *mut u64,
    flags: u32,
    _: c_int,
    site: usize,
) {
    // SAFETY: the words of the task that creates and of the new one.
    let (Some(creator), Some(new)) = (unsafe { creator.as_ref() }, unsafe { new.as_mut() }) else {
        return;
    };
    if flags & EXPLICIT == 0 || flags & UNTIED != 0 {
        return;
    }
    let team = task_of(*creator).map(|task| task.team);
    let task = team.and_then(|team| openmp_tasks::created(team, thread_number()));
    if let Some(task) = task {
        let explicit = Box::new(Explicit {
            task,
            site,
            is_begun: false,
            is_told: false,
            in_wait: false,
        });
        *new = Box::into_raw(explicit) as u64 | Implicit::IS_EXPLICIT;
    }
}

unsafe extern "C" fn task_schedule(prior: *mut u64, status: u32, next: *mut u64) {
    const COMPLETE: u32 = 1;
    const CANCEL: u32 = 3;
    // SAFETY: the words of both tasks, if they are told of.
    let (prior, next) = unsafe { (prior.as_mut(), next.as_mut()) };
    let next = next.map_or(0, |word| *word);
    let is_over = [COMPLETE, CANCEL].contains(&status);
    if let Some((word, task)) = prior.and_then(|word| explicit(*word).map(|task| (word, task))) {
        if is_over {
            if task.is_told {
                let is_next_begun = explicit(next).is_none_or(|next| next.is_begun);
                let next = task_of(next).filter(|it| it.team == task.task.team && is_next_begun);
                openmp_tasks::completed(task.task, next);
            }
            // SAFETY: made by `task_create`; the task is over, and its word leads nowhere now.
            drop(unsafe { Box::from_raw(task) });
            *word = 0;
        }
    }
    match explicit(next) {
        Some(task) if !task.is_begun => {
            task.is_begun = true;
            task.is_told = openmp_tasks::begins(task.task, task.site);
        }
        Some(task) if !is_over => openmp_tasks::goes_on(task.task),
        _ => {}
    }
}
