//! What the numbers of calls on files mean (MPI 4.1, §14.2.1 and §14.4.3).

use std::ffi::c_int;

use crate::abi::{Abi, Family};
use crate::mpi::{check, Code, Mpi};

/// The modes that a file is opened with, by their names in the standard.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "fields have the names of the standard")]
pub struct FileModes {
    pub create: i32,
    pub rdonly: i32,
    pub wronly: i32,
    pub rdwr: i32,
    pub delete_on_close: i32,
    pub unique_open: i32,
    pub excl: i32,
    pub append: i32,
    pub sequential: i32,
}

/// From where a file pointer is moved.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "fields have the names of the standard")]
pub struct SeekFrom {
    pub set: i32,
    pub cur: i32,
    pub end: i32,
}

/// ROMIO's numbers, which Open MPI took over.
const ROMIO: FileModes = FileModes {
    create: 1,
    rdonly: 2,
    wronly: 4,
    rdwr: 8,
    delete_on_close: 16,
    unique_open: 32,
    excl: 64,
    append: 128,
    sequential: 256,
};

/// MPI 5.0, §20.
const STANDARD: FileModes = FileModes {
    append: 1,
    create: 2,
    delete_on_close: 4,
    excl: 8,
    rdonly: 16,
    rdwr: 32,
    sequential: 64,
    unique_open: 128,
    wronly: 256,
};

impl Abi {
    /// Returns the modes that a file is opened with.
    pub const fn file_modes(&self) -> FileModes {
        match self.family {
            Family::OpenMpi | Family::Mpich => ROMIO,
            Family::StandardAbi => STANDARD,
        }
    }
}

/// `MPI_File_get_position(fh, MPI_Offset *)`; a library without files has none.
pub(crate) type GetPosition = unsafe extern "C" fn(usize, *mut i64) -> c_int;

impl Mpi {
    /// Returns where the file pointer of this process is, in elementary types of its view.
    ///
    /// # Safety
    /// MPI is up, and `file` is an open file.
    pub unsafe fn file_position(&self, file: usize) -> Result<Option<i64>, Code> {
        let Some(get_position) = self.file_get_position else {
            return Ok(None);
        };
        let mut offset = 0;
        // SAFETY: the caller vouches for the handle; an MPI_Offset is written.
        check(unsafe { get_position(file, &mut offset) })?;
        Ok(Some(offset))
    }
}
