//! MPI that a tool starts for itself, in a process that is no program of its user's.

use std::ptr;

use crate::exchange::OwnComm;
use crate::mpi::{check, int, Error, Mpi};

impl Mpi {
    /// Calls `MPI_Init_thread`, for threads that take turns; returns a communicator of all
    /// processes.
    ///
    /// # Errors
    /// Whatever MPI says; it ends the process itself if it cannot be started.
    pub fn start(&'static self) -> Result<OwnComm<'static>, Error> {
        let failed = |name| move |code: crate::Code| Error::Call { name, code: code.0 };
        let level = self.abi.thread.serialized;
        // SAFETY: arguments may be null since MPI 2; an int is written.
        int(|got| unsafe {
            (self.calls.init_thread)(ptr::null_mut(), ptr::null_mut(), level, got)
        })
        .map_err(failed("MPI_Init_thread"))?;
        // SAFETY: MPI is up, and whoever started it calls this in all processes. As nobody else
        // uses MPI here, what the type asks for is asked of its user alone, and holds as far as
        // memory is concerned whatever is called: lengths are told before buffers are made.
        unsafe { OwnComm::duplicate_of(self, self.abi.comm_world) }.map_err(failed("MPI_Comm_dup"))
    }

    /// Ends all processes with an exit code, and this one if MPI does not.
    pub fn abort(&self, code: i32) -> ! {
        if self.initialized() == Ok(true) && self.finalized() == Ok(false) {
            // SAFETY: MPI is up; the handle is predefined.
            let _ = check(unsafe { (self.calls.abort)(self.abi.comm_world, code) });
        }
        std::process::exit(code)
    }
}

impl OwnComm<'static> {
    /// Calls `MPI_Finalize`, as all ranks do: what [`Mpi::start`] began.
    ///
    /// # Errors
    /// Whatever MPI says.
    pub fn finish(self) -> Result<(), crate::Code> {
        let mpi = self.mpi();
        // A copy that is used later gets an error of MPI's, or ends the process.
        self.free()?;
        // SAFETY: MPI is up, and nobody else in this process uses it.
        check(unsafe { (mpi.calls.finalize)() })
    }
}
