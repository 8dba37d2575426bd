//! The shortest way through: calls from C whose own cost is some tens of
//! nanoseconds, while the order is recorded or led and nothing is odd.
//!
//! The call is counted in the wrapper itself, with its arguments still in
//! registers, and made there; what it chose is written as on the long way,
//! byte for byte. Whether it may be so is decided before anything is counted:
//! everything that is rare (other threads, Fortran, a rule that leads, a
//! cancelled receive, the end of the record) is left to `observed`.

mod complete;
mod hot;
mod post;
mod probe;

use mpi_abi::{id, FunctionId};

use super::thread::{self, Thread};
use super::within;
use crate::base::nesting::{stack_pointer, Nesting};
use crate::base::own::Own;
use crate::base::site;
use crate::mpi::call::Lang;
use crate::mpi::functions::is_send;

pub use hot::{Comm, FastPath, Hot};

/// Makes a call by the shortest way; nothing if that cannot be taken.
#[inline(always)]
pub fn short<const INDEX: u16, const N: usize>(
    lang: Lang,
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    if lang != Lang::C {
        return None;
    }
    if const { is_send(FunctionId(INDEX)) } {
        return post::send::<INDEX, N>(args, real);
    }
    match FunctionId(INDEX) {
        id::MPI_RECV => post::recv::<INDEX, N>(args, real),
        id::MPI_IRECV => post::irecv::<INDEX, N>(args, real),
        id::MPI_SENDRECV => post::sendrecv::<INDEX, N>(args, real),
        id::MPI_IPROBE => probe::iprobe::<INDEX, N>(args, real),
        id::MPI_WAIT => complete::wait::<INDEX, N>(args, real),
        id::MPI_TEST => complete::test::<INDEX, N>(args, real),
        id::MPI_WAITALL => complete::waitall::<INDEX, N>(args, real),
        id::MPI_WAITANY => complete::waitany::<INDEX, N>(args, real),
        id::MPI_COMM_RANK | id::MPI_COMM_SIZE | id::MPI_BARRIER | id::MPI_BCAST => {
            post::on_comm::<INDEX, N>(args, real)
        }
        id::MPI_REDUCE | id::MPI_ALLREDUCE => post::reduction::<INDEX, N>(args, real),
        _ => None,
    }
}

/// Returns this thread's state, if a call may go the shortest way now. What happens once
/// in a thousand calls is left to the long way too.
#[inline(always)]
fn ready() -> Option<&'static mut Thread> {
    let thread = thread::known()?.get();
    let stands = || thread.shared.place.is_to_stand_next();
    match thread.hot.fast_path {
        _ if thread.hot.nesting.is_nested() || thread.hot.hash.is_due() => None,
        FastPath::No => None,
        FastPath::Replay if stands() || thread.hot.hash.calls() >= thread.hot.end => None,
        FastPath::Record | FastPath::Replay => Some(thread),
    }
}

/// Within a call; `LED` in replay.
struct Within<const LED: bool>(Own<Thread>);

impl<const LED: bool> Within<LED> {
    /// Counts a call on the communicator with this number; in replay it may receive from a
    /// rank that the program did not name.
    #[inline(always)]
    fn begin<const INDEX: u16, const N: usize>(
        thread: &mut Thread,
        args: &[usize; N],
        comm: u32,
        source: Option<u32>,
    ) -> Self {
        thread.hot.nesting = Nesting::at(stack_pointer());
        if LED {
            thread.begin_watched::<INDEX, N>(args, source, site::noted());
        }
        thread.hot.hash.count::<INDEX, N>(args, comm);
        Self(Own::of(thread))
    }
}

impl<const LED: bool> Within<LED> {
    /// The call has returned.
    #[inline(always)]
    fn close(self) {
        let thread = self.0.get();
        match LED {
            true => thread.leave(),
            false => thread.hot.nesting = Nesting::NOT,
        }
        std::mem::forget(self);
    }
}

impl<const LED: bool> Drop for Within<LED> {
    /// An exception goes through the call.
    #[cold]
    fn drop(&mut self) {
        within::left(self.0);
    }
}

/// Makes a call that chooses nothing.
#[inline(always)]
fn plain<const INDEX: u16, const N: usize>(
    thread: &mut Thread,
    args: &[usize; N],
    comm: u32,
    real: &impl Fn([usize; N]) -> usize,
) -> usize {
    if thread.hot.fast_path == FastPath::Replay {
        let within = Within::<true>::begin::<INDEX, N>(thread, args, comm, None);
        let result = real(*args);
        within.close();
        return result;
    }
    let within = Within::<false>::begin::<INDEX, N>(thread, args, comm, None);
    let result = real(*args);
    within.close();
    result
}
