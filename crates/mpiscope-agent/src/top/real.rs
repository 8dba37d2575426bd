//! Functions of a runtime that ours stand in front of: all that they take are integers and addresses,
//! which pass through as words.

use std::ffi::CStr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The runtime's function of a name, once it was looked for.
pub struct Real(AtomicUsize);

impl Real {
    /// Not looked for yet.
    pub const fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Returns where it lies, if the program has it.
    #[inline(always)]
    pub fn find(&self, name: &CStr) -> Option<usize> {
        match self.0.load(Ordering::Relaxed) {
            0 => self.look_for(name),
            known => Some(known),
        }
    }

    #[cold]
    fn look_for(&self, name: &CStr) -> Option<usize> {
        // SAFETY: the name ends with NUL.
        let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) } as usize;
        self.0.store(found, Ordering::Relaxed);
        (found != 0).then_some(found)
    }
}

/// Calls the runtime's function of a name with these words.
macro_rules! real {
    ($name:ident($($a:expr),*)) => {{
        static REAL: $crate::top::real::Real = $crate::top::real::Real::new();
        let name = match std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
            Ok(name) => name,
            Err(_) => c"",
        };
        let Some(real) = REAL.find(name) else {
            $crate::top::exports::missing(stringify!($name))
        };
        // SAFETY: the function of this name takes so many words, the caller's own or such that
        // mean the same.
        unsafe { std::mem::transmute::<usize, unsafe extern "C-unwind" fn($($crate::top::real::word!($a)),*) -> usize>(real)($($a),*) }
    }};
}

macro_rules! word {
    ($a:expr) => {
        usize
    };
}

/// The symbol, which notes who calls and jumps to the wrapper beside it.
macro_rules! offered {
    ($name:ident($($a:ident),*) $body:block) => {
        #[unsafe(naked)]
        #[no_mangle]
        #[allow(non_snake_case)]
        unsafe extern "C-unwind" fn $name() -> usize {
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C-unwind" fn wrapper($($a: usize),*) -> usize $body
            $crate::base::site::note_site_and_jump!(wrapper)
        }
    };
}

pub(super) use {offered, real, word};
