//! The symbols that the observed program binds to in place of MPI's.
//!
//! One function per row of the table and per language, all of the same shape:
//! every argument of an MPI function is of the INTEGER class of the System V
//! calling convention, so registers and stack slots pass through as `usize`
//! whatever their C types are. Functions that the program's MPI does not have
//! are hidden from this library's symbol table before it is loaded.

use mpi_abi::{pmpi, pmpi_fortran, FunctionId};

use crate::call::Lang;
use crate::observe::observe;

/// What a wrapper returns if its MPI lacks the function: not `MPI_SUCCESS`,
/// in no implementation. Launched properly, no program gets here.
const MISSING: usize = 16;

macro_rules! word {
    ($name:ident) => {
        usize
    };
}

macro_rules! wrappers {
    ($(($index:literal, $c:ident, [$($a:ident)*], [$($f:ident)*], $params:tt))*) => {
        $(
            #[no_mangle]
            #[allow(non_snake_case, clippy::too_many_arguments)]
            unsafe extern "C-unwind" fn $c($($a: usize),*) -> usize {
                let Some(real) = pmpi(FunctionId($index)) else { return MISSING };
                // SAFETY: the address is that of PMPI's function of the same name, which takes these arguments.
                let real: unsafe extern "C-unwind" fn($(word!($a)),*) -> usize = unsafe { std::mem::transmute(real) };
                // SAFETY: the arguments are the caller's own, passed on unchanged or replaced by equivalents.
                observe::<$index, _>(Lang::C, [$($a),*], |[$($a),*]| unsafe { real($($a),*) })
            }
            fortran!($index, $params, $($f)*);
        )*
    };
}

macro_rules! fortran {
    ($index:literal, $params:tt,) => {};
    ($index:literal, $params:tt, $single:ident $double:ident) => {
        fortran!(@one $index, $params, $single);
        fortran!(@one $index, $params, $double);
    };
    (@one $index:literal, [$($a:ident)*], $name:ident) => {
        #[no_mangle]
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C-unwind" fn $name($($a: usize),*) -> usize {
            let Some(real) = pmpi_fortran(FunctionId($index)) else { return MISSING };
            // SAFETY: the address is that of the library's own entry of this name, which takes these arguments.
            let real: unsafe extern "C-unwind" fn($(word!($a)),*) -> usize = unsafe { std::mem::transmute(real) };
            // SAFETY: the arguments are the caller's own, passed on unchanged or replaced by equivalents.
            observe::<$index, _>(Lang::Fortran, [$($a),*], |[$($a),*]| unsafe { real($($a),*) })
        }
    };
}

mpi_abi::for_each_function!(wrappers);
