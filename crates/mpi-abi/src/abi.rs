//! What the numbers of a binary interface mean.
//!
//! There are three: Open MPI's, that of the MPICH family (Intel MPI and others
//! share it), and the standard one of MPI 5.0 (§20). An [`Abi`] is chosen from
//! the library that is loaded.

use std::ffi::{c_char, c_int, CStr};

use crate::files::SeekFrom;
use crate::library::Library;
use crate::mpi::Error;
use crate::version::LibraryVersion;

/// A binary interface.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Open MPI 4 and 5: handles are addresses of objects.
    OpenMpi,
    /// MPICH and those that follow its ABI initiative: handles are `int`.
    Mpich,
    /// MPI 5.0 §20 (`libmpi_abi`): handles are small integers in pointers.
    StandardAbi,
}

/// Where the public fields of `MPI_Status` lie, in bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StatusLayout {
    /// Size of the structure: the stride of an array.
    pub size: usize,
    /// Offset of `MPI_SOURCE`.
    pub source: usize,
    /// Offset of `MPI_TAG`.
    pub tag: usize,
    /// Offset of `MPI_ERROR`.
    pub error: usize,
    /// Where the size of the message lies.
    pub bytes: BytesAt,
}

/// Where a status keeps the size of its message, in bytes. No standard says it, but each of these
/// interfaces has had it there since programs are bound to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BytesAt {
    /// Eight bytes at this offset (Open MPI's `_ucount`).
    Word(usize),
    /// Four bytes at the first offset, and above them the four at the second, whose lowest bit
    /// says whether the operation was cancelled (MPICH's `count_lo` and `count_hi_and_cancelled`).
    Halves(usize, usize),
    /// Nobody says.
    Unknown,
}

/// The four levels of thread support, which only grow.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "fields have the names of the standard")]
pub struct ThreadLevels {
    pub single: i32,
    pub funneled: i32,
    pub serialized: i32,
    pub multiple: i32,
}

/// The interface of the MPI library in this process. A field has the name of
/// its constant in the standard, in lower case.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "fields have the names of the standard")]
pub struct Abi {
    pub family: Family,
    /// Width of a handle, 4 or 8: the stride of handle arrays (files are always 8).
    pub handle_size: usize,
    pub status: StatusLayout,

    pub any_source: i32,
    pub any_tag: i32,
    pub proc_null: i32,
    pub root: i32,
    pub undefined: i32,
    pub success: i32,
    pub err_in_status: i32,
    pub err_pending: i32,
    pub err_truncate: i32,
    pub ident: i32,
    pub congruent: i32,
    pub comm_type_shared: i32,
    pub lock_shared: i32,
    pub mode_noprecede: i32,
    pub keyval_invalid: i32,
    pub tag_ub: i32,
    pub wtime_is_global: i32,
    pub seek: SeekFrom,
    pub thread: ThreadLevels,
    pub max_object_name: usize,
    pub max_processor_name: usize,

    pub bottom: usize,
    pub in_place: usize,
    pub status_ignore: usize,
    pub statuses_ignore: usize,

    pub comm_world: usize,
    pub comm_self: usize,
    pub comm_null: usize,
    pub group_null: usize,
    pub group_empty: usize,
    pub request_null: usize,
    pub message_null: usize,
    pub message_no_proc: usize,
    pub datatype_null: usize,
    pub op_null: usize,
    pub win_null: usize,
    pub file_null: usize,
    pub info_null: usize,
    pub errors_are_fatal: usize,
    pub errors_return: usize,
    pub byte: usize,
    pub char: usize,
    pub int: usize,
    pub int64: usize,
    pub uint64: usize,
    pub double: usize,
    pub max: usize,
    pub min: usize,
    pub sum: usize,
    pub land: usize,
}

impl Abi {
    /// Finds out which interface a library has, and its values.
    pub fn detect(library: &Library) -> Result<Abi, Error> {
        match family(library)? {
            Family::OpenMpi => Abi::open_mpi(|name| library.data(name).map(|p| p as usize)),
            Family::Mpich => Ok(Abi::mpich()),
            Family::StandardAbi => Ok(Abi::standard().as_in(&library_version(library)?)),
        }
    }

    /// Returns the interface as a library has it that says this of itself: Intel MPI 2021.18
    /// has MPI_ERRORS_RETURN and MPI_ERRORS_ABORT of the standard interface the other way round
    /// than MPI 5.0 (§20) and MPICH, and other numbers for what a file pointer is moved from.
    pub fn as_in(self, library_version: &str) -> Abi {
        let is_intel = LibraryVersion::parse(library_version).name == "Intel MPI";
        match (self.family, is_intel) {
            (Family::StandardAbi, true) => Abi {
                errors_return: 0x142,
                seek: SeekFrom {
                    set: 401,
                    cur: 402,
                    end: 403,
                },
                ..self
            },
            _ => self,
        }
    }

    /// Reads one handle of an array. One of four bytes is extended by zeros.
    ///
    /// # Safety
    /// `array` must point to more than `index` handles of this interface.
    #[inline]
    pub unsafe fn handle_at(&self, array: *const u8, index: usize) -> usize {
        // SAFETY: the caller says that the element is there; unaligned reads need nothing more.
        unsafe {
            let element = array.add(index * self.handle_size);
            match self.handle_size {
                4 => element.cast::<u32>().read_unaligned() as usize,
                _ => element.cast::<usize>().read_unaligned(),
            }
        }
    }

    /// Writes one handle of an array.
    ///
    /// # Safety
    /// `array` must point to more than `index` writable handles of this interface.
    #[inline]
    pub unsafe fn set_handle_at(&self, array: *mut u8, index: usize, handle: usize) {
        // SAFETY: the caller says that the element is there; unaligned writes need nothing more.
        unsafe {
            let element = array.add(index * self.handle_size);
            match self.handle_size {
                4 => element.cast::<u32>().write_unaligned(handle as u32),
                _ => element.cast::<usize>().write_unaligned(handle),
            }
        }
    }

    /// Returns what to compare of a handle that came in a register: the upper
    /// half of the register that carries an `int` is undefined.
    #[inline]
    pub fn normalise(&self, handle: usize) -> usize {
        match self.handle_size {
            4 => handle as u32 as usize,
            _ => handle,
        }
    }

    /// Tells whether a C argument stands for "no status wanted", one or many.
    #[inline]
    pub fn ignores_status(&self, argument: usize) -> bool {
        argument == self.status_ignore || argument == self.statuses_ignore
    }
}

/// Tells the families apart by the library's file name, by the objects that only
/// Open MPI exports, by MPI 5.0's own question, and at last by its version string.
fn family(library: &Library) -> Result<Family, Error> {
    let file = library.path().file_name().unwrap_or_default();
    if file.to_string_lossy().starts_with("libmpi_abi") {
        return Ok(Family::StandardAbi);
    }
    if library.data(c"ompi_mpi_comm_world").is_some() {
        return Ok(Family::OpenMpi);
    }
    if speaks_standard_abi(library) {
        return Ok(Family::StandardAbi);
    }
    let version = library_version(library)?;
    let known = ["MPICH", "Intel MPI", "MVAPICH", "Cray MPICH"];
    if known.contains(&LibraryVersion::parse(&version).name.as_str()) {
        return Ok(Family::Mpich);
    }
    Err(Error::UnknownLibrary {
        path: library.path().to_owned(),
        version,
    })
}

/// Asks `MPI_Abi_get_version` (MPI 5.0 §20), which answers -1 in a library with
/// an interface of its own.
fn speaks_standard_abi(library: &Library) -> bool {
    type AbiGetVersion = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
    let Some(symbol) = library.symbol(c"PMPI_Abi_get_version") else {
        return false;
    };
    let (mut major, mut minor) = (-1, -1);
    // SAFETY: the standard gives this call this signature, and allows it before MPI_Init.
    let code = unsafe {
        let call: AbiGetVersion = std::mem::transmute(symbol);
        call(&mut major, &mut minor)
    };
    code == 0 && major >= 1
}

/// Asks the library for its version; the standard allows that at any time.
pub(crate) fn library_version(library: &Library) -> Result<String, Error> {
    type GetLibraryVersion = unsafe extern "C" fn(*mut c_char, *mut c_int) -> c_int;
    const NAME: &CStr = c"PMPI_Get_library_version";
    let symbol = library
        .symbol(NAME)
        .ok_or_else(|| Error::missing(NAME, library))?;
    // MPI_MAX_LIBRARY_VERSION_STRING is 8192 at most in the interfaces known.
    let mut text = vec![0u8; 16384];
    let mut length = 0;
    // SAFETY: the standard gives this call this signature; the buffer is longer than any asks for.
    let code = unsafe {
        let call: GetLibraryVersion = std::mem::transmute(symbol);
        call(text.as_mut_ptr().cast(), &mut length)
    };
    if code != 0 {
        return Err(Error::Call {
            name: "MPI_Get_library_version",
            code,
        });
    }
    let end = text.iter().position(|&b| b == 0).unwrap_or(text.len());
    Ok(String::from_utf8_lossy(&text[..end]).trim().to_owned())
}
