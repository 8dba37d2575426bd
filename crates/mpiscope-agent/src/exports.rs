//! The symbols that the observed program binds to in place of MPI's.
//!
//! One function per row of the table and per language, all of the same shape:
//! every argument of an MPI function is of the INTEGER class of the System V
//! calling convention, so registers and stack slots pass through as `usize`
//! whatever their C types are. Functions that the program's MPI does not have
//! are hidden from this library's symbol table before it is loaded.
//! The symbol itself only notes who called (`site`), and jumps to the wrapper.

use mpi_abi::{pmpi, pmpi_fortran, FunctionId};

use crate::call::Lang;
use crate::note_site_and_jump;
use crate::observe::observe;

/// What a wrapper returns if its MPI lacks the function: not `MPI_SUCCESS`,
/// in no implementation. Launched properly, no program gets here.
pub const MISSING: usize = 16;

macro_rules! word {
    ($name:ident) => {
        usize
    };
}

macro_rules! wrappers {
    ($(($index:literal, $c:ident, [$($a:ident)*], [$($f:ident)*], $params:tt))*) => {
        $(
            exported!(pmpi, Lang::C, $index, [$($a)*], $c);
            fortran!($index, $params, $($f)*);
        )*
    };
}

/// The symbol, and the wrapper to which it jumps.
macro_rules! exported {
    ($real:ident, $lang:expr, $index:literal, [$($a:ident)*], $name:ident) => {
        #[unsafe(naked)]
        #[no_mangle]
        #[allow(non_snake_case)]
        unsafe extern "C-unwind" fn $name() -> usize {
            note_site_and_jump!($name::wrapper)
        }

        #[allow(non_snake_case)]
        mod $name {
            use super::*;

            #[allow(clippy::too_many_arguments)]
            pub unsafe extern "C-unwind" fn wrapper($($a: usize),*) -> usize {
                let Some(real) = $real(FunctionId($index)) else { return MISSING };
                // SAFETY: the address is that of the library's own function of this name, which takes these arguments.
                let real: unsafe extern "C-unwind" fn($(word!($a)),*) -> usize = unsafe { std::mem::transmute(real) };
                // SAFETY: the arguments are the caller's own, passed on unchanged or replaced by equivalents.
                observe::<$index, _>($lang, [$($a),*], |[$($a),*]| unsafe { real($($a),*) })
            }
        }
    };
}

macro_rules! fortran {
    ($index:literal, $params:tt,) => {};
    ($index:literal, $params:tt, $single:ident $double:ident) => {
        fortran!(@one $index, $params, $single);
        fortran!(@one $index, $params, $double);
    };
    (@one $index:literal, $params:tt, $name:ident) => {
        exported!(pmpi_fortran, Lang::Fortran, $index, $params, $name);
    };
}

mpi_abi::for_each_function!(wrappers);
