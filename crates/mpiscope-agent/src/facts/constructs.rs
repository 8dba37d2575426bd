//! The regions in which threads work together or wait for each other, most of them constructs of
//! OpenMP; defined where a program comes to the first of them.

pub mod tell;

use std::sync::atomic::{AtomicBool, Ordering};

use mpi_abi::FUNCTIONS;
use mpiscope_run::definitions::PTHREADS;
use mpiscope_run::process::{Definition, Region};

use crate::base::definitions;

/// Such regions.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Construct {
    /// A parallel region.
    Parallel,
    /// The first thread of a team waits for the others at the end.
    Join,
    /// A barrier that the program asks for; with GCC any that is not known to be implied.
    Barrier,
    /// The barrier at the end of a construct that shares work.
    ImplicitBarrier,
    /// A critical section is asked for, until it is entered.
    Critical,
    /// A lock is asked for, until it is held.
    SetLock,
    /// A task is worked on.
    Task,
    /// A task waits for those that it created.
    TaskWait,
    /// A thread is created.
    PthreadCreate,
    /// The end of a thread is waited for.
    PthreadJoin,
}

/// Names and OTF2's roles, in the order of the variants.
const CONSTRUCTS: [(&str, u8); 10] = [
    ("omp parallel", 5),
    ("omp join", 33),
    ("omp barrier", 15),
    ("omp implicit barrier", 16),
    ("omp critical", 12),
    ("omp set lock", 4),
    ("omp task", 20),
    ("omp taskwait", 22),
    (PTHREADS[0], 32),
    (PTHREADS[1], 33),
];

/// The number of the first of these regions: behind those of MPI and the two of ours.
const FIRST: u32 = FUNCTIONS.len() as u32 + 2;
/// The number behind the last of them.
pub const END: u32 = FIRST + CONSTRUCTS.len() as u32;

impl Construct {
    /// Returns the number of its region.
    #[inline]
    pub fn region(self) -> u32 {
        FIRST + self as u32
    }

    /// Returns whether a thread waits there, unless it works on a task meanwhile.
    #[inline]
    pub fn is_waiting(self) -> bool {
        use Construct::*;
        matches!(
            self,
            Join | Barrier | ImplicitBarrier | Critical | SetLock | TaskWait
        )
    }
}

/// Whether the regions are defined.
static DEFINED: AtomicBool = AtomicBool::new(false);

/// Makes sure that they are defined.
#[inline]
pub fn define() {
    if !DEFINED.load(Ordering::Relaxed) {
        define_all();
    }
}

#[cold]
fn define_all() {
    if DEFINED.swap(true, Ordering::AcqRel) {
        return;
    }
    for (id, (name, role)) in (FIRST..).zip(CONSTRUCTS) {
        definitions::tell(&Definition::Region(Region {
            id,
            name: name.to_owned(),
            role,
            user: false,
        }));
    }
}
