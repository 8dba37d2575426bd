//! Tasks of GCC's runtime.
//!
//! As of a parallel region, the function that the compiler made of a task's body is replaced by one
//! of ours. The runtime copies the task's data when the task is created: ours copies, before them,
//! what the task is ([`Header`]), and has the program's own copied behind that.

use std::cell::Cell;
use std::mem::transmute;

use mpiscope_run::record::Task;

use crate::base::site;
use crate::facts::openmp::{self, Construct};
use crate::facts::openmp_tasks;

use super::gomp::{is_gcc, thread_number};
use crate::top::real::{offered, real};

const NONE: Task = Task {
    team: 0,
    creator: 0,
    generation: 0,
};

thread_local! {
    /// What the thread works on; without a team if that is not told.
    static CURRENT: Cell<Task> = const { Cell::new(NONE) };
}

/// What the thread of this number in a team does itself.
fn own(team: u64, creator: u32) -> Task {
    Task {
        team,
        creator,
        generation: 0,
    }
}

/// While it lives, the thread works in a team.
pub struct InTeam {
    outer: Task,
}

impl InTeam {
    /// The thread of this number in a team begins.
    pub fn begin(team: u64, creator: u32) -> Self {
        Self {
            outer: CURRENT.replace(own(team, creator)),
        }
    }
}

impl Drop for InTeam {
    fn drop(&mut self) {
        CURRENT.set(self.outer);
    }
}

/// What stands before a task's data.
struct Header {
    function: usize,
    /// How far behind this the data are.
    distance: usize,
    task: Task,
    site: usize,
}

/// What the copy is made from.
struct Made {
    header: Header,
    data: usize,
    copy: usize,
    size: usize,
}

/// The runtime writes into the data of such a task, which may be completed by an event.
const DETACH: u32 = 1 << 13;

offered!(GOMP_task(function, data, copy, size, align, condition, flags, depend, priority, detach) {
    let site = site::noted();
    let team = CURRENT.get().team;
    let is_seen = team != 0 && flags as u32 & DETACH == 0 && is_gcc();
    let task = is_seen.then(|| openmp_tasks::created(team, thread_number())).flatten();
    let Some(task) = task else {
        return real!(GOMP_task(function, data, copy, size, align, condition, flags, depend, priority, detach));
    };
    let align = align.max(align_of::<Header>());
    let distance = size_of::<Header>().next_multiple_of(align);
    let header = Header { function, distance, task, site };
    let made = Made { header, data, copy, size };
    let (own, of) = (run as *const () as usize, &raw const made as usize);
    let copy = copy_made as *const () as usize;
    let size = distance + size;
    real!(GOMP_task(own, of, copy, size, align, condition, flags, depend, priority, detach))
});

offered!(GOMP_taskwait() {
    let is_told = is_gcc() && openmp::enter(Construct::TaskWait, site::noted());
    let result = real!(GOMP_taskwait());
    if is_told {
        openmp::leave(Construct::TaskWait);
    }
    result
});

/// Copies a task's data for the runtime, in `GOMP_task`.
unsafe extern "C-unwind" fn copy_made(to: *mut Header, made: *const Made) {
    // SAFETY: what `GOMP_task` handed over, which has not returned.
    let Made {
        header,
        data,
        copy,
        size,
    } = unsafe { made.read() };
    let behind = to as usize + header.distance;
    // SAFETY: the runtime made room for the header, aligned, and for the data behind it.
    unsafe { to.write(header) };
    match copy {
        // SAFETY: so many bytes of the program's, and as many of the room.
        0 => unsafe {
            std::ptr::copy_nonoverlapping(data as *const u8, behind as *mut u8, size);
        },
        // SAFETY: the compiler's function to copy these data.
        copy => unsafe {
            transmute::<usize, unsafe extern "C-unwind" fn(usize, usize)>(copy)(behind, data);
        },
    }
}

/// What a thread calls in place of a task's function.
unsafe extern "C-unwind" fn run(header: *const Header) {
    // SAFETY: written by `copy_made`; the runtime keeps it while the task runs.
    let Header {
        function,
        distance,
        task,
        site,
    } = unsafe { header.read() };
    let before = CURRENT.replace(task);
    let is_told = openmp_tasks::begins(task, site);
    // SAFETY: the function that the compiler made for these data.
    unsafe {
        let data = header as usize + distance;
        transmute::<usize, unsafe extern "C-unwind" fn(usize)>(function)(data);
    }
    CURRENT.set(before);
    if is_told {
        // Where a parallel region ends, the thread has left its team already.
        let next = match before.team == task.team {
            true => before,
            false => own(task.team, thread_number()),
        };
        openmp_tasks::completed(task, Some(next));
    }
}
