//! What a Fortran program's arguments mean.
//!
//! MPI's special addresses (MPI 4.1 §2.5.4) are variables in common blocks there,
//! each library with its own: Open MPI exports the blocks, MPICH keeps pointers to
//! them that its first Fortran call fills. Handles are INTEGER: MPICH's are those
//! of C, Open MPI's are indices into its tables.

use std::ffi::{c_int, c_void, CStr};

use crate::abi::{Abi, Family};
use crate::library::Library;

/// Converts an INTEGER handle (`MPI_Comm_f2c` and its kin).
type F2c = unsafe extern "C" fn(c_int) -> usize;

/// The Fortran side of the MPI library in this process; where it has none, no
/// address is special.
#[derive(Debug)]
pub struct Fortran {
    bottom: Special,
    in_place: Special,
    status_ignore: Special,
    statuses_ignore: Special,
    convert: Option<Convert>,
    /// Files are no INTEGER in C, in any library.
    file: Option<F2c>,
    /// Bytes of a status, an array of `MPI_STATUS_SIZE` INTEGERs.
    status_size: usize,
}

/// Up to three addresses with one meaning: `mpif.h`, its C view, and `mpi_f08`.
#[derive(Copy, Clone, Debug, Default)]
struct Special {
    object: usize,
    object_f08: usize,
    /// A variable that holds the address, once MPI's Fortran layer is initialized.
    pointer: usize,
}

#[derive(Debug)]
struct Convert {
    comm: F2c,
    datatype: F2c,
    group: F2c,
    message: F2c,
    op: F2c,
    request: F2c,
    win: F2c,
    info: F2c,
}

/// Names of the objects that stand for one special address in the two libraries.
struct Names {
    open_mpi: &'static CStr,
    mpich_pointer: &'static CStr,
    mpich_f08: &'static CStr,
}

const BOTTOM: Names = Names {
    open_mpi: c"mpi_fortran_bottom_",
    mpich_pointer: c"MPIR_F_MPI_BOTTOM",
    mpich_f08: c"MPIR_F08_MPI_BOTTOM",
};
const IN_PLACE: Names = Names {
    open_mpi: c"mpi_fortran_in_place_",
    mpich_pointer: c"MPIR_F_MPI_IN_PLACE",
    mpich_f08: c"MPIR_F08_MPI_IN_PLACE",
};
const STATUS_IGNORE: Names = Names {
    open_mpi: c"mpi_fortran_status_ignore_",
    mpich_pointer: c"MPI_F_STATUS_IGNORE",
    mpich_f08: c"MPIR_F08_MPI_STATUS_IGNORE_OBJ",
};
const STATUSES_IGNORE: Names = Names {
    open_mpi: c"mpi_fortran_statuses_ignore_",
    mpich_pointer: c"MPI_F_STATUSES_IGNORE",
    mpich_f08: c"MPIR_F08_MPI_STATUSES_IGNORE_OBJ",
};

impl Fortran {
    /// Looks for the special addresses and the conversions of handles.
    pub fn detect(abi: &Abi, library: &Library) -> Fortran {
        let special = |names: &Names| Special::find(abi.family, library, names);
        Fortran {
            bottom: special(&BOTTOM),
            in_place: special(&IN_PLACE),
            status_ignore: special(&STATUS_IGNORE),
            statuses_ignore: special(&STATUSES_IGNORE),
            convert: match abi.family {
                Family::Mpich => None,
                Family::OpenMpi | Family::StandardAbi => Convert::find(library),
            },
            file: conversion(library, c"PMPI_File_f2c"),
            status_size: abi.status.size,
        }
    }

    /// Returns the C handle of a Fortran file, 0 if the library has no files.
    ///
    /// # Safety
    /// MPI must be initialized and not finalized.
    pub unsafe fn file(&self, handle: i32) -> usize {
        // SAFETY: MPI is up; a number that is no handle gives a null one.
        self.file.map_or(0, |convert| unsafe { convert(handle) })
    }

    /// Tells whether an argument is MPI_BOTTOM.
    #[inline]
    pub fn is_bottom(&self, argument: usize) -> bool {
        self.bottom.is(argument)
    }

    /// Tells whether an argument is MPI_IN_PLACE.
    #[inline]
    pub fn is_in_place(&self, argument: usize) -> bool {
        self.in_place.is(argument)
    }

    /// Tells whether an argument is MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE.
    #[inline]
    pub fn ignores_status(&self, argument: usize) -> bool {
        self.status_ignore.is(argument) || self.statuses_ignore.is(argument)
    }

    /// Returns the bytes of one status in an array; its fields lie as in C, which
    /// both families promise (Open MPI pads the C structure for it).
    #[inline]
    pub fn status_size(&self) -> usize {
        self.status_size
    }
}

/// Conversions to the handles of C, as `normalise` leaves them.
macro_rules! conversions {
    ($($name:ident)*) => {
        impl Fortran {
            $(
                #[doc = concat!("Returns the C handle of a Fortran ", stringify!($name), ".")]
                ///
                /// # Safety
                /// MPI must be initialized and not finalized.
                #[inline]
                pub unsafe fn $name(&self, handle: i32) -> usize {
                    match &self.convert {
                        // SAFETY: MPI is up; a number that is no handle gives a null one.
                        Some(convert) => unsafe { (convert.$name)(handle) },
                        None => handle as u32 as usize,
                    }
                }
            )*
        }
    };
}
conversions! { comm datatype group message op request win info }

impl Special {
    fn find(family: Family, library: &Library, names: &Names) -> Special {
        let object = |name| library.data(name).map_or(0, |p: *const c_void| p as usize);
        match family {
            Family::OpenMpi => Special {
                object: object(names.open_mpi),
                ..Special::default()
            },
            Family::Mpich | Family::StandardAbi => Special {
                object: 0,
                object_f08: object(names.mpich_f08),
                pointer: object(names.mpich_pointer),
            },
        }
    }

    #[inline]
    fn is(self, argument: usize) -> bool {
        argument != 0
            && (argument == self.object
                || argument == self.object_f08
                || argument == self.pointed_to())
    }

    /// Reads the variable each time: MPICH fills it in its first Fortran call.
    #[inline]
    fn pointed_to(self) -> usize {
        if self.pointer == 0 {
            return 0;
        }
        // SAFETY: the address of a pointer variable of a library that stays loaded; the
        // library writes it once.
        unsafe { (self.pointer as *const usize).read_volatile() }
    }
}

/// Finds a conversion whose C handle is a pointer.
fn conversion(library: &Library, name: &CStr) -> Option<F2c> {
    let symbol = library.symbol(name)?;
    // SAFETY: MPI 4.1 §19.3.4 gives these calls this signature, a handle being a pointer here.
    Some(unsafe { std::mem::transmute::<*const c_void, F2c>(symbol) })
}

impl Convert {
    fn find(library: &Library) -> Option<Convert> {
        let function = |name| conversion(library, name);
        Some(Convert {
            comm: function(c"PMPI_Comm_f2c")?,
            datatype: function(c"PMPI_Type_f2c")?,
            group: function(c"PMPI_Group_f2c")?,
            message: function(c"PMPI_Message_f2c")?,
            op: function(c"PMPI_Op_f2c")?,
            request: function(c"PMPI_Request_f2c")?,
            win: function(c"PMPI_Win_f2c")?,
            info: function(c"PMPI_Info_f2c")?,
        })
    }
}
