//! The processes of a job where `MPI_Init` was not called (MPI 4.1, §11.3).

use std::ffi::{c_char, c_int, CStr};

use crate::abi::Abi;
use crate::library::Library;
use crate::mpi::{check, handle, int, load, Code, Mpi};

/// The process set that has the processes of `MPI_COMM_WORLD` in their order (MPI 4.1, §11.3.2).
const WORLD: &CStr = c"mpi://WORLD";
/// The one that has the process itself.
const SELF: &CStr = c"mpi://SELF";

type Init = unsafe extern "C" fn(usize, usize, *mut usize) -> c_int;
type Finalize = unsafe extern "C" fn(*mut usize) -> c_int;
type GroupFromPset = unsafe extern "C" fn(usize, *const c_char, *mut usize) -> c_int;
type GroupRank = unsafe extern "C" fn(usize, *mut c_int) -> c_int;
type CommFromGroup = unsafe extern "C" fn(usize, *const c_char, usize, usize, *mut usize) -> c_int;

/// The calls, new in MPI 4.0.
pub(crate) struct Sessions {
    init: Init,
    finalize: Finalize,
    group_from_pset: GroupFromPset,
    group_rank: GroupRank,
    comm_from_group: CommFromGroup,
    /// `MPI_INFO_NULL`, `MPI_ERRORS_RETURN`.
    null: [usize; 2],
}

impl Sessions {
    /// Nothing if the library has none.
    pub(crate) fn load(library: &Library, abi: &Abi) -> Option<Self> {
        Some(Self {
            init: load!(library, c"PMPI_Session_init", Init)?,
            finalize: load!(library, c"PMPI_Session_finalize", Finalize)?,
            group_from_pset: load!(library, c"PMPI_Group_from_session_pset", GroupFromPset)?,
            group_rank: load!(library, c"PMPI_Group_rank", GroupRank)?,
            comm_from_group: load!(library, c"PMPI_Comm_create_from_group", CommFromGroup)?,
            null: [abi.info_null, abi.errors_return],
        })
    }

    /// Does something with the group of a process set, in a session of its own.
    ///
    /// # Safety
    /// The process has another session, so that no more than this one begins and ends.
    unsafe fn with<T>(
        &self,
        mpi: &Mpi,
        set: &CStr,
        work: impl FnOnce(usize) -> Result<T, Code>,
    ) -> Result<T, Code> {
        let [info, errors] = self.null;
        // SAFETY: all handles are predefined or made here and ended here; the name ends with NUL.
        unsafe {
            let mut session = handle(|new| (self.init)(info, errors, new))?;
            let group = handle(|new| (self.group_from_pset)(session, set.as_ptr(), new));
            let result = group.and_then(|group| {
                let result = work(group);
                mpi.group_free(group).and(result)
            });
            check((self.finalize)(&mut session)).and(result)
        }
    }
}

/// What a process asks about the others of its job while it has a session, and MPI is not
/// initialized.
///
/// # Safety
/// For all of these a session of the process must be open, and stay so.
#[allow(clippy::missing_safety_doc)]
impl Mpi {
    /// Returns this process's rank among those of the job, and how many they are: what they would
    /// be in `MPI_COMM_WORLD`.
    ///
    /// # Errors
    /// What MPI says; as it may if it has no sessions.
    pub unsafe fn session_rank(&self) -> Result<(i32, i32), Code> {
        let sessions = self.sessions()?;
        // SAFETY: the caller has a session; the group is valid, and an int is written.
        unsafe {
            sessions.with(self, WORLD, |group| {
                let rank = int(|rank| (sessions.group_rank)(group, rank))?;
                Ok((rank, self.group_size(group)?))
            })
        }
    }

    /// Translates ranks of a group into those of the job, as
    /// [`group_translate_ranks`](Mpi::group_translate_ranks) does.
    pub unsafe fn session_ranks(&self, group: usize, ranks: &[i32]) -> Result<Vec<i32>, Code> {
        let sessions = self.sessions()?;
        // SAFETY: the caller has a session, and vouches for the group.
        unsafe {
            sessions.with(self, WORLD, |world| {
                self.group_translate_ranks(group, ranks, world)
            })
        }
    }

    /// Makes a communicator of this process alone; it stays, although the session ends that its group
    /// came from. Nothing is ever received on it; programs replayed with it ended as without it under
    /// MPICH 4.0 and 5.0, Open MPI 5.0 and Intel MPI 2021.18.
    pub unsafe fn comm_of_itself(&self) -> Result<usize, Code> {
        let sessions = self.sessions()?;
        let [info, errors] = sessions.null;
        let name = c"org.mpiscope.self".as_ptr();
        // SAFETY: the caller has a session; the group is valid, and a handle is written.
        unsafe {
            sessions.with(self, SELF, |group| {
                handle(|new| (sessions.comm_from_group)(group, name, info, errors, new))
            })
        }
    }

    fn sessions(&self) -> Result<&Sessions, Code> {
        // Any code but that of success.
        self.sessions.as_ref().ok_or(Code(1))
    }
}
