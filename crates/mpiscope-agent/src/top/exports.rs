//! The symbols that the observed program binds to in place of MPI's.
//!
//! One function per row of the table and per way into the library: C's `MPI_Send`,
//! `mpif.h`'s `mpi_send_` in whatever spelling, `mpi_f08`'s. All are of one shape:
//! every argument of an MPI function is of the INTEGER class of the System V
//! calling convention, so registers and stack slots pass through as `usize`
//! whatever their C types are. Functions that the program's MPI does not have
//! are hidden from this library's symbol table before it is loaded.
//! The symbol itself only notes who called (`site`), and jumps to the wrapper.
//!
//! `PMPI_Send` is ours as well: a binding that calls it past `MPI_Send`, another
//! tool between the program and MPI, or the program itself is observed there.

use std::io::Write;

use mpi_abi::{id, Family, FunctionId, Mpi};

use crate::base::site::note_site_and_jump;

/// Ends a process that calls a function which its MPI lacks, as the loader ends it where
/// it binds such a call without us. What the program asks for before it calls, it is told
/// truly ([`fit`](crate::base::fit)), so none gets here that would not have ended.
#[cold]
pub fn missing(name: &str) -> ! {
    let program = std::env::args_os().next().unwrap_or_default();
    let program = program.to_string_lossy();
    let _ = writeln!(
        std::io::stderr(),
        "{program}: symbol lookup error: undefined symbol: {name} \
         (mpiscope: no MPI library of this process has it)"
    );
    // SAFETY: ends the process at once, as the loader does.
    unsafe { libc::_exit(127) }
}

/// What wrappers are made of.
mod parts {
    pub use std::sync::atomic::AtomicPtr;

    pub use mpi_abi::{pmpi, pmpi_fortran, pmpi_named, FunctionId};

    pub use crate::base::site::Binding;
    pub use crate::mpi::call::Lang;
    pub use crate::top::exports::{is_observed_in_c, missing, with_error};
    pub use crate::top::observe::{observe, within};
}

macro_rules! word {
    ($name:ident) => {
        usize
    };
}

macro_rules! wrappers {
    ($((
        $index:literal, $c:ident, $p:ident, [$($a:ident)*],
        [$($f:ident)*], $params:tt,
        [$($f08:ident)*], [$($binding:ident)*], $f08_params:tt
    ))*) => {
        $(
            c!($index, [$($a)*], $c $p);
            fortran!($index, $params, [$($f)*]);
            f08!($index, $f08_params, [$($f08)*], [$($f)*]);
            $(binding!($index, $f08_params, $binding);)*
        )*
    };
}

/// The symbol, which jumps to the wrapper.
macro_rules! symbol {
    ($name:ident, $wrapper:path) => {
        #[unsafe(naked)]
        #[no_mangle]
        #[allow(non_snake_case)]
        unsafe extern "C-unwind" fn $name() -> usize {
            note_site_and_jump!($wrapper)
        }
    };
}

/// The wrapper of a function, in a module named as the symbol: it looks for the real
/// function, and goes on with that and the arguments.
macro_rules! wrapper {
    ($name:ident, [$($a:ident)*], $found:expr, |$args:ident, $real:ident| $on:expr $(, $more:item)?) => {
        #[allow(non_snake_case)]
        mod $name {
            // Not all of `super`: two thousand modules that know each other's names take six
            // gigabytes of the compiler's memory.
            use super::parts::*;

            #[allow(clippy::too_many_arguments)]
            pub unsafe extern "C-unwind" fn wrapper($($a: usize),*) -> usize {
                let Some($real) = $found else { missing(stringify!($name)) };
                let $args: [usize; <[&str]>::len(&[$(stringify!($a)),*])] = [$($a),*];
                $on
            }

            $($more)?
        }
    };
}

/// Calls the real function.
macro_rules! go {
    ([$($a:ident)*], $real:expr, $args:expr) => {{
        // SAFETY: the address is that of the library's own function of this name, which takes these arguments.
        let real: unsafe extern "C-unwind" fn($(word!($a)),*) -> usize = unsafe { std::mem::transmute($real) };
        let [$($a),*] = $args;
        // SAFETY: the arguments are the caller's own, passed on unchanged or replaced by equivalents.
        unsafe { real($($a),*) }
    }};
}

/// `MPI_X`, and `PMPI_X` where it is not called by a function that is observed.
macro_rules! c {
    ($index:literal, [$($a:ident)*], $c:ident $p:ident) => {
        symbol!($c, $c::wrapper);
        wrapper!($c, [$($a)*], pmpi(FunctionId($index)), |args, real| {
            observe::<$index, _>(Lang::C, args, |args| go!([$($a)*], real, args))
        });
        symbol!($p, $p::wrapper);
        wrapper!($p, [$($a)*], pmpi(FunctionId($index)), |args, real| {
            match within() {
                true => go!([$($a)*], real, args),
                // SAFETY: the arguments are the caller's own.
                false => unsafe { super::$c::wrapper($($a),*) },
            }
        });
    };
}

/// `mpi_x_` and its other spellings.
macro_rules! fortran {
    ($index:literal, $params:tt, []) => {};
    ($index:literal, $params:tt, [$first:ident $($other:ident)*]) => {
        symbol!($first, $first::wrapper);
        $(symbol!($other, $first::wrapper);)*
        wrapper!(
            $first, $params, pmpi_fortran(FunctionId($index)),
            |args, real| observed(real, args),
            observed! { $index, $params }
        );
    };
}

/// What Fortran's ways into one function have in common.
macro_rules! observed {
    ($index:literal, [$($a:ident)*]) => {
        pub fn observed(real: *const (), args: [usize; <[&str]>::len(&[$(stringify!($a)),*])]) -> usize {
            observe::<$index, _>(Lang::Fortran, args, |args| go!([$($a)*], real, args))
        }
    };
}

/// `mpi_x_f08_`: the same arguments, but `ierror` may be absent.
macro_rules! f08 {
    ($index:literal, $params:tt, [], $mpif:tt) => {};
    ($index:literal, $params:tt, [$name:ident], [$first:ident $($other:ident)*]) => {
        symbol!($name, $name::wrapper);
        wrapper!($name, $params, found!($name), |args, real| {
            if is_observed_in_c(FunctionId($index)) {
                let _binding = Binding::enter($index);
                return go!($params, real, args);
            }
            super::$first::observed(real, with_error::<$index, _>(args, &mut 0))
        });
    };
    ($index:literal, $params:tt, [$name:ident], []) => {
        symbol!($name, $name::wrapper);
        wrapper!(
            $name,
            $params,
            found!($name),
            |args, real| observed(real, with_error::<$index, _>(args, &mut 0)),
            observed! { $index, $params }
        );
    };
}

/// A function of mpi_f08 that calls the C one, which is observed as if called from here.
macro_rules! binding {
    ($index:literal, $params:tt, $name:ident) => {
        symbol!($name, $name::wrapper);
        wrapper!($name, $params, found!($name), |args, real| {
            let _binding = Binding::enter($index);
            go!($params, real, args)
        });
    };
}

/// The library's own function of this name.
macro_rules! found {
    ($name:ident) => {{
        static SLOT: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
        pmpi_named(&SLOT, stringify!($name))
    }};
}

/// Returns whether a function of mpi_f08 is observed where its binding calls C: those that
/// return indices, in MPICH. They count from 1 in Fortran (MPI 4.1, §3.7.5), but from 0 in
/// MPICH 4.0's mpi_f08; what C returns is certain.
pub fn is_observed_in_c(function: FunctionId) -> bool {
    const INDICES: [FunctionId; 4] = [
        id::MPI_WAITANY,
        id::MPI_WAITSOME,
        id::MPI_TESTANY,
        id::MPI_TESTSOME,
    ];
    let is_mpich = || Mpi::load().is_ok_and(|mpi| mpi.abi.family == Family::Mpich);
    INDICES.contains(&function) && is_mpich()
}

/// Puts a place for the error code where the caller wants none (MPI 4.1, §19.1.2:
/// `ierror` is optional in mpi_f08): only so is it known whether the call succeeded.
pub fn with_error<const INDEX: u16, const N: usize>(
    mut args: [usize; N],
    error: &mut i32,
) -> [usize; N] {
    let at = FunctionId(INDEX).function().args.len();
    if let Some(absent) = args.get_mut(at).filter(|place| **place == 0) {
        *absent = std::ptr::from_mut(error) as usize;
    }
    args
}

mpi_abi::for_each_function!(wrappers);
