//! The calls that a tool makes itself, typed, through function pointers that are
//! looked up once.
//!
//! Handles are `usize`. Where a call writes one, the four bytes of an MPICH
//! handle land in the low half of a zero (the systems supported are little-endian).

use std::ffi::{c_char, c_int, CStr};
use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::abi::{library_version, Abi, BytesAt};
use crate::files::GetPosition;
use crate::fortran::Fortran;
use crate::library::Library;
use crate::session::Sessions;

/// Why the MPI library of this process cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(
    missing_docs,
    reason = "a variant is its own explanation: see its error message"
)]
pub enum Error {
    #[error("no MPI library is loaded in this process (no PMPI_Init)")]
    NoLibrary,
    #[error("{} has no {}", path.display(), name.to_string_lossy())]
    MissingSymbol { name: &'static CStr, path: PathBuf },
    #[error("the MPI library looks like Open MPI but has no {}", .0.to_string_lossy())]
    MissingObject(&'static CStr),
    #[error("{} is an MPI library of an unknown kind: {version:?}", path.display())]
    UnknownLibrary { path: PathBuf, version: String },
    #[error("{name} returned error code {code}")]
    Call { name: &'static str, code: i32 },
    #[error("cannot open {}: {why}", path.display())]
    Open { path: PathBuf, why: String },
}

impl Error {
    pub(crate) fn missing(name: &'static CStr, library: &Library) -> Error {
        let path = library.path().to_owned();
        Error::MissingSymbol { name, path }
    }
}

/// An error code that an MPI call returned.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code(pub i32);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MPI error code {}", self.0)
    }
}

impl std::error::Error for Code {}

impl Code {
    /// `MPI_ERR_COUNT`, which is 2 in all interfaces: more bytes than an `int` can say.
    pub(crate) const COUNT: Code = Code(2);
}

/// `MPI_SUCCESS` is 0 by the standard.
#[inline]
pub(crate) fn check(code: c_int) -> Result<(), Code> {
    match code {
        0 => Ok(()),
        code => Err(Code(code)),
    }
}

/// Looks up a function and gives it its type.
macro_rules! load {
    ($library:expr, $name:literal, $function:ty) => {
        $library.symbol($name).map(|symbol| {
            // SAFETY: the standard declares the call so, with a handle for each `usize`,
            // and both kinds of handle are passed as one register of the INTEGER class.
            unsafe { std::mem::transmute::<*const std::ffi::c_void, $function>(symbol) }
        })
    };
}
pub(crate) use load;

/// Declares the table of functions and its loader, a row per call.
macro_rules! calls {
    ($($field:ident: $name:literal($($arg:ty),*);)*) => {
        pub(crate) struct Calls {
            $(pub(crate) $field: unsafe extern "C" fn($($arg),*) -> c_int,)*
        }

        impl Calls {
            fn load(library: &Library) -> Result<Calls, Error> {
                Ok(Calls {
                    $($field: load!(library, $name, unsafe extern "C" fn($($arg),*) -> c_int)
                        .ok_or_else(|| Error::missing($name, library))?,)*
                })
            }
        }
    };
}

/// A handle, by value.
type Handle = usize;
/// Where a handle is written.
type NewHandle = *mut usize;
type Int = *mut c_int;
type Data = *const u8;
type DataMut = *mut u8;

calls! {
    init_thread: c"PMPI_Init_thread"(Int, *mut *mut *mut c_char, c_int, Int);
    initialized: c"PMPI_Initialized"(Int);
    finalize: c"PMPI_Finalize"();
    abort: c"PMPI_Abort"(Handle, c_int);
    finalized: c"PMPI_Finalized"(Int);
    query_thread: c"PMPI_Query_thread"(Int);
    get_version: c"PMPI_Get_version"(Int, Int);
    error_class: c"PMPI_Error_class"(c_int, Int);
    get_processor_name: c"PMPI_Get_processor_name"(*mut c_char, Int);
    info_get_nkeys: c"PMPI_Info_get_nkeys"(Handle, Int);
    info_get_nthkey: c"PMPI_Info_get_nthkey"(Handle, c_int, *mut c_char);
    comm_rank: c"PMPI_Comm_rank"(Handle, Int);
    comm_size: c"PMPI_Comm_size"(Handle, Int);
    comm_remote_size: c"PMPI_Comm_remote_size"(Handle, Int);
    comm_test_inter: c"PMPI_Comm_test_inter"(Handle, Int);
    comm_group: c"PMPI_Comm_group"(Handle, NewHandle);
    comm_remote_group: c"PMPI_Comm_remote_group"(Handle, NewHandle);
    comm_dup: c"PMPI_Comm_dup"(Handle, NewHandle);
    comm_split: c"PMPI_Comm_split"(Handle, c_int, c_int, NewHandle);
    comm_free: c"PMPI_Comm_free"(NewHandle);
    comm_get_parent: c"PMPI_Comm_get_parent"(NewHandle);
    comm_set_errhandler: c"PMPI_Comm_set_errhandler"(Handle, Handle);
    comm_get_name: c"PMPI_Comm_get_name"(Handle, *mut c_char, Int);
    comm_get_attr: c"PMPI_Comm_get_attr"(Handle, c_int, *mut *const c_int, Int);
    group_size: c"PMPI_Group_size"(Handle, Int);
    group_translate_ranks:
        c"PMPI_Group_translate_ranks"(Handle, c_int, *const c_int, Handle, Int);
    group_free: c"PMPI_Group_free"(NewHandle);
    type_size: c"PMPI_Type_size"(Handle, Int);
    type_get_name: c"PMPI_Type_get_name"(Handle, *mut c_char, Int);
    type_get_envelope: c"PMPI_Type_get_envelope"(Handle, Int, Int, Int, Int);
    type_get_contents: c"PMPI_Type_get_contents"(
        Handle, c_int, c_int, c_int, Int, *mut isize, DataMut
    );
    type_free: c"PMPI_Type_free"(NewHandle);
    cartdim_get: c"PMPI_Cartdim_get"(Handle, Int);
    cart_get: c"PMPI_Cart_get"(Handle, c_int, Int, Int, Int);
    graph_neighbors_count: c"PMPI_Graph_neighbors_count"(Handle, c_int, Int);
    graph_neighbors: c"PMPI_Graph_neighbors"(Handle, c_int, c_int, Int);
    dist_graph_neighbors_count: c"PMPI_Dist_graph_neighbors_count"(Handle, Int, Int, Int);
    dist_graph_neighbors: c"PMPI_Dist_graph_neighbors"(Handle, c_int, Int, Int, c_int, Int, Int);
    get_count: c"PMPI_Get_count"(Data, Handle, Int);
    test_cancelled: c"PMPI_Test_cancelled"(Data, Int);
    send: c"PMPI_Send"(Data, c_int, Handle, c_int, c_int, Handle);
    iprobe: c"PMPI_Iprobe"(c_int, c_int, Handle, Int, usize);
    recv: c"PMPI_Recv"(DataMut, c_int, Handle, c_int, c_int, Handle, usize);
    sendrecv: c"PMPI_Sendrecv"(
        Data, c_int, Handle, c_int, c_int, DataMut, c_int, Handle, c_int, c_int, Handle, usize
    );
    barrier: c"PMPI_Barrier"(Handle);
    bcast: c"PMPI_Bcast"(DataMut, c_int, Handle, c_int, Handle);
    gather: c"PMPI_Gather"(Data, c_int, Handle, DataMut, c_int, Handle, c_int, Handle);
    gatherv: c"PMPI_Gatherv"(
        Data, c_int, Handle, DataMut, *const c_int, *const c_int, Handle, c_int, Handle
    );
    scatter: c"PMPI_Scatter"(Data, c_int, Handle, DataMut, c_int, Handle, c_int, Handle);
    scatterv: c"PMPI_Scatterv"(
        Data, *const c_int, *const c_int, Handle, DataMut, c_int, Handle, c_int, Handle
    );
    allgather: c"PMPI_Allgather"(Data, c_int, Handle, DataMut, c_int, Handle, Handle);
    alltoall: c"PMPI_Alltoall"(Data, c_int, Handle, DataMut, c_int, Handle, Handle);
    alltoallv: c"PMPI_Alltoallv"(
        Data, *const c_int, *const c_int, Handle,
        DataMut, *const c_int, *const c_int, Handle, Handle
    );
    allreduce: c"PMPI_Allreduce"(*const i64, *mut i64, c_int, Handle, Handle, Handle);
}

/// `MPI_Get_elements_x(status, datatype, MPI_Count *)`, new in MPI 3.0.
type GetElementsX = unsafe extern "C" fn(Data, Handle, *mut i64) -> c_int;
/// `MPI_Type_size_x(datatype, MPI_Count *)`, new in MPI 3.0.
type TypeSizeX = unsafe extern "C" fn(Handle, *mut i64) -> c_int;

/// `MPI_Type_get_envelope_c(datatype, MPI_Count * 4, int *)`, new in MPI 4.0.
type EnvelopeC = unsafe extern "C" fn(Handle, *mut i64, *mut i64, *mut i64, *mut i64, Int) -> c_int;

/// The MPI library of this process, ready to be called.
pub struct Mpi {
    /// What its numbers mean.
    pub abi: Abi,
    /// The same for its Fortran layer.
    pub fortran: Fortran,
    pub(crate) calls: Calls,
    library: &'static Library,
    library_version: String,
    get_elements_x: Option<GetElementsX>,
    type_size_x: Option<TypeSizeX>,
    pub(crate) envelope_c: Option<EnvelopeC>,
    pub(crate) file_get_position: Option<GetPosition>,
    pub(crate) sessions: Option<Sessions>,
}

impl Mpi {
    /// Finds the library and all the calls below. The first success is kept.
    pub fn load() -> Result<&'static Mpi, Error> {
        static MPI: OnceLock<Mpi> = OnceLock::new();
        if let Some(mpi) = MPI.get() {
            return Ok(mpi);
        }
        let library = Library::find().ok_or(Error::NoLibrary)?;
        let abi = Abi::detect(library)?;
        let mpi = Mpi {
            abi,
            fortran: Fortran::detect(&abi, library),
            calls: Calls::load(library)?,
            library,
            library_version: library_version(library)?,
            get_elements_x: load!(library, c"PMPI_Get_elements_x", GetElementsX),
            type_size_x: load!(library, c"PMPI_Type_size_x", TypeSizeX),
            envelope_c: load!(library, c"PMPI_Type_get_envelope_c", EnvelopeC),
            file_get_position: load!(library, c"PMPI_File_get_position", GetPosition),
            sessions: Sessions::load(library, &abi),
        };
        Ok(MPI.get_or_init(|| mpi))
    }

    /// Returns the library that was found.
    pub fn library(&self) -> &'static Library {
        self.library
    }

    /// Returns what the library says about itself; see [`LibraryVersion`](crate::LibraryVersion).
    pub fn library_version(&self) -> &str {
        &self.library_version
    }

    /// Returns the class of an error code: what the standard calls it.
    pub fn error_class(&self, code: i32) -> Result<i32, Code> {
        let mut class = 0;
        // SAFETY: an int is written; any number may be asked about, at any time.
        check(unsafe { (self.calls.error_class)(code, &mut class) })?;
        Ok(class)
    }

    /// Returns the keys of an info object.
    ///
    /// # Safety
    /// MPI must be initialized and not finalized; the handle is one of the program's.
    pub unsafe fn info_keys(&self, info: Handle) -> Result<Vec<String>, Code> {
        /// No key is longer, MPI 4.1 §10: MPI_MAX_INFO_KEY is at most 255.
        const LONGEST: usize = 256;
        // SAFETY: an int is written.
        let count = int(|count| unsafe { (self.calls.info_get_nkeys)(info, count) })?;
        let key = |nth| {
            let mut key = [0u8; LONGEST + 1];
            // SAFETY: there is room for the longest key and its end.
            check(unsafe { (self.calls.info_get_nthkey)(info, nth, key.as_mut_ptr().cast()) })?;
            let text = CStr::from_bytes_until_nul(&key).unwrap_or_default();
            Ok(text.to_string_lossy().into_owned())
        };
        (0..count).map(key).collect()
    }

    /// Returns the version of the standard that the library follows, (4, 0).
    pub fn standard_version(&self) -> Result<(i32, i32), Code> {
        let (mut version, mut subversion) = (0, 0);
        // SAFETY: two ints are written; allowed at any time.
        check(unsafe { (self.calls.get_version)(&mut version, &mut subversion) })?;
        Ok((version, subversion))
    }

    /// Tells whether `MPI_Init` has returned.
    pub fn initialized(&self) -> Result<bool, Code> {
        // SAFETY: an int is written; allowed at any time.
        int(|flag| unsafe { (self.calls.initialized)(flag) }).map(|flag| flag != 0)
    }

    /// Tells whether `MPI_Finalize` has returned.
    pub fn finalized(&self) -> Result<bool, Code> {
        // SAFETY: an int is written; allowed at any time.
        int(|flag| unsafe { (self.calls.finalized)(flag) }).map(|flag| flag != 0)
    }

    /// Returns how threads may call MPI, one of `abi.thread`.
    ///
    /// # Safety
    /// MPI must be initialized and not finalized.
    pub unsafe fn query_thread(&self) -> Result<i32, Code> {
        // SAFETY: an int is written, and MPI is up.
        int(|level| unsafe { (self.calls.query_thread)(level) })
    }

    /// Returns the name of this host as MPI sees it.
    ///
    /// # Safety
    /// MPI must be initialized and not finalized.
    pub unsafe fn processor_name(&self) -> Result<String, Code> {
        // SAFETY: the buffer is longer than MPI_MAX_PROCESSOR_NAME of every interface.
        text(|name, length| unsafe { (self.calls.get_processor_name)(name, length) })
    }
}

/// What one process asks about its own objects.
///
/// # Safety
/// For all of these MPI must be initialized and not finalized, and each handle
/// must be valid and of the right kind.
#[allow(clippy::missing_safety_doc)]
impl Mpi {
    /// Returns this process's rank in a communicator.
    #[inline]
    pub unsafe fn comm_rank(&self, comm: usize) -> Result<i32, Code> {
        // SAFETY: the caller vouches for the handle; an int is written.
        int(|rank| unsafe { (self.calls.comm_rank)(comm, rank) })
    }

    /// Returns the size of a communicator's (local) group.
    #[inline]
    pub unsafe fn comm_size(&self, comm: usize) -> Result<i32, Code> {
        // SAFETY: the caller vouches for the handle; an int is written.
        int(|size| unsafe { (self.calls.comm_size)(comm, size) })
    }

    /// Tells whether processes of another MPI_COMM_WORLD spawned this one's.
    pub unsafe fn is_spawned(&self) -> Result<bool, Code> {
        // SAFETY: a handle is written.
        let parent = handle(|new| unsafe { (self.calls.comm_get_parent)(new) })?;
        Ok(parent != self.abi.comm_null)
    }

    /// Returns the size of an intercommunicator's remote group.
    #[inline]
    pub unsafe fn comm_remote_size(&self, comm: usize) -> Result<i32, Code> {
        // SAFETY: the caller vouches for the handle; an int is written.
        int(|size| unsafe { (self.calls.comm_remote_size)(comm, size) })
    }

    /// Tells whether a communicator is an intercommunicator.
    #[inline]
    pub unsafe fn comm_test_inter(&self, comm: usize) -> Result<bool, Code> {
        // SAFETY: the caller vouches for the handle; an int is written.
        int(|flag| unsafe { (self.calls.comm_test_inter)(comm, flag) }).map(|flag| flag != 0)
    }

    /// Returns a duplicate of a communicator; all its processes call this.
    pub unsafe fn comm_dup(&self, comm: usize) -> Result<usize, Code> {
        // SAFETY: the caller vouches for the handle; a handle is written.
        handle(|new| unsafe { (self.calls.comm_dup)(comm, new) })
    }

    /// Returns a communicator's (local) group, to be freed.
    pub unsafe fn comm_group(&self, comm: usize) -> Result<usize, Code> {
        // SAFETY: the caller vouches for the handle; a handle is written.
        handle(|group| unsafe { (self.calls.comm_group)(comm, group) })
    }

    /// Returns an intercommunicator's remote group, to be freed.
    pub unsafe fn comm_remote_group(&self, comm: usize) -> Result<usize, Code> {
        // SAFETY: the caller vouches for the handle; a handle is written.
        handle(|group| unsafe { (self.calls.comm_remote_group)(comm, group) })
    }

    /// Returns the size of a group.
    pub unsafe fn group_size(&self, group: usize) -> Result<i32, Code> {
        // SAFETY: the caller vouches for the handle; an int is written.
        int(|size| unsafe { (self.calls.group_size)(group, size) })
    }

    /// Returns the ranks in group `to` of processes given by their ranks in `from`;
    /// `undefined` for those that are not in it.
    pub unsafe fn group_translate_ranks(
        &self,
        from: usize,
        ranks: &[i32],
        to: usize,
    ) -> Result<Vec<i32>, Code> {
        let count = count(ranks.len())?;
        let mut found = vec![self.abi.undefined; ranks.len()];
        let (ranks, out) = (ranks.as_ptr(), found.as_mut_ptr());
        // SAFETY: the caller vouches for the handles; both arrays have `count` elements.
        check(unsafe { (self.calls.group_translate_ranks)(from, count, ranks, to, out) })?;
        Ok(found)
    }

    /// Frees a group.
    pub unsafe fn group_free(&self, mut group: usize) -> Result<(), Code> {
        // SAFETY: the caller vouches for the handle; our copy of it is overwritten.
        check(unsafe { (self.calls.group_free)(&mut group) })
    }

    /// Makes errors on a communicator return codes instead of ending the program.
    pub unsafe fn comm_set_errors_return(&self, comm: usize) -> Result<(), Code> {
        // SAFETY: the caller vouches for the handle; the other is predefined.
        check(unsafe { (self.calls.comm_set_errhandler)(comm, self.abi.errors_return) })
    }

    /// Returns a communicator's name, empty if it has none.
    pub unsafe fn comm_get_name(&self, comm: usize) -> Result<String, Code> {
        // SAFETY: the buffer is longer than MPI_MAX_OBJECT_NAME of every interface.
        text(|name, length| unsafe { (self.calls.comm_get_name)(comm, name, length) })
    }

    /// Returns a predefined integer attribute, such as `abi.tag_ub`, of the world.
    pub unsafe fn comm_get_attr(&self, comm: usize, keyval: i32) -> Result<Option<i32>, Code> {
        let (mut value, mut flag) = (std::ptr::null(), 0);
        // SAFETY: the caller vouches for the handle; a pointer and an int are written.
        check(unsafe { (self.calls.comm_get_attr)(comm, keyval, &mut value, &mut flag) })?;
        // SAFETY: a predefined attribute that is set is a pointer to an int (MPI 4.1 §9.1.2).
        Ok((flag != 0 && !value.is_null()).then(|| unsafe { *value }))
    }

    /// Returns the number of bytes of data in one element of a datatype.
    #[inline]
    pub unsafe fn type_size(&self, datatype: usize) -> Result<u64, Code> {
        let Some(type_size_x) = self.type_size_x else {
            // SAFETY: the caller vouches for the handle; an int is written.
            let size = int(|size| unsafe { (self.calls.type_size)(datatype, size) })?;
            return Ok(u64::try_from(size).unwrap_or(0));
        };
        let mut size = 0;
        // SAFETY: the caller vouches for the handle; an MPI_Count is written.
        check(unsafe { type_size_x(datatype, &mut size) })?;
        Ok(u64::try_from(size).unwrap_or(0))
    }

    /// Returns the number of bytes that a completed receive or a probe found.
    ///
    /// `status` points to a status of this interface, filled by MPI.
    #[inline]
    pub unsafe fn status_bytes(&self, status: *const u8) -> Result<u64, Code> {
        // SAFETY: the caller vouches for the status, in which these offsets lie.
        unsafe {
            match self.abi.status.bytes {
                BytesAt::Word(at) => Ok(status.add(at).cast::<u64>().read_unaligned()),
                BytesAt::Halves(low, high) => {
                    let [low, high] = [low, high].map(|at| field(status, at) as u32);
                    Ok(u64::from(low) | u64::from(high >> 1) << 32)
                }
                BytesAt::Unknown => self.status_bytes_asked(status),
            }
        }
    }

    /// Returns the same, as MPI says it.
    pub unsafe fn status_bytes_asked(&self, status: *const u8) -> Result<u64, Code> {
        let Some(get_elements_x) = self.get_elements_x else {
            // SAFETY: the caller vouches for the status; an int is written.
            let n = int(|n| unsafe { (self.calls.get_count)(status, self.abi.byte, n) })?;
            return Ok(u64::try_from(n).unwrap_or(0));
        };
        let mut bytes = 0;
        // SAFETY: the caller vouches for the status; an MPI_Count is written.
        check(unsafe { get_elements_x(status, self.abi.byte, &mut bytes) })?;
        Ok(u64::try_from(bytes).unwrap_or(0))
    }

    /// Tells whether the operation of a completed request was cancelled.
    #[inline]
    pub unsafe fn test_cancelled(&self, status: *const u8) -> Result<bool, Code> {
        // SAFETY: the caller vouches for the status; an int is written.
        int(|flag| unsafe { (self.calls.test_cancelled)(status, flag) }).map(|flag| flag != 0)
    }

    /// Returns `MPI_SOURCE` of a status.
    #[inline]
    pub unsafe fn status_source(&self, status: *const u8) -> i32 {
        // SAFETY: the caller vouches for the status.
        unsafe { field(status, self.abi.status.source) }
    }

    /// Returns `MPI_TAG` of a status.
    #[inline]
    pub unsafe fn status_tag(&self, status: *const u8) -> i32 {
        // SAFETY: the caller vouches for the status.
        unsafe { field(status, self.abi.status.tag) }
    }

    /// Returns `MPI_ERROR` of a status.
    #[inline]
    pub unsafe fn status_error(&self, status: *const u8) -> i32 {
        // SAFETY: the caller vouches for the status.
        unsafe { field(status, self.abi.status.error) }
    }
}

/// Reads an int of a status.
///
/// # Safety
/// `status` must point to a status that has a field at `offset`.
#[inline]
unsafe fn field(status: *const u8, offset: usize) -> i32 {
    // SAFETY: the field lies in the status.
    unsafe { status.add(offset).cast::<i32>().read_unaligned() }
}

/// Makes a call that writes an int.
#[inline]
pub(crate) fn int(call: impl FnOnce(*mut c_int) -> c_int) -> Result<i32, Code> {
    let mut value = 0;
    check(call(&mut value))?;
    Ok(value)
}

/// Makes a call that writes a handle.
#[inline]
pub(crate) fn handle(call: impl FnOnce(*mut usize) -> c_int) -> Result<usize, Code> {
    let mut value = 0;
    check(call(&mut value))?;
    Ok(value)
}

/// Makes a call that writes a string and its length.
fn text(call: impl FnOnce(*mut c_char, *mut c_int) -> c_int) -> Result<String, Code> {
    let mut bytes = [0u8; 1024];
    let length = int(|length| call(bytes.as_mut_ptr().cast(), length))?;
    let length = usize::try_from(length).unwrap_or(0).min(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..length]).into_owned())
}

/// Returns a length as MPI's `int` count.
pub(crate) fn count(length: usize) -> Result<c_int, Code> {
    c_int::try_from(length).map_err(|_| Code::COUNT)
}
