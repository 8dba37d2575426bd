//! The C library's jumps, which may lead out of a call: an error handler that never returns.
//!
//! What C++ throws and what ends a thread goes through our frames, which see it
//! (`facts/outermost`, `order/within`); a jump goes past them.

use std::ffi::{c_void, CStr};

use super::exports::missing;
use super::real::Real;
use crate::base::guard::guarded;
use crate::base::jump::Landing;
use crate::base::site;
use crate::facts::outermost;
use crate::order;

const NAMES: [&CStr; 4] = [c"longjmp", c"_longjmp", c"siglongjmp", c"__longjmp_chk"];
static REAL: [Real; NAMES.len()] = [const { Real::new() }; NAMES.len()];

#[used]
#[link_section = ".init_array"]
static AT_START: extern "C" fn() = find;

/// Looks for all of them before the program runs: a signal's handler, which may jump, must not.
extern "C" fn find() {
    for (real, name) in REAL.iter().zip(NAMES) {
        let _ = real.find(name);
    }
}

/// Ends what the program leaves by this jump, innermost first.
fn jumps(buffer: usize) {
    if !super::observe::within() {
        return;
    }
    // SAFETY: the program passes what `setjmp` has filled, or the jump would lead nowhere.
    let landing = unsafe { Landing::of(buffer as *const usize) };
    let Some(landing) = landing else { return };
    guarded(|| {
        order::jumps(landing);
        outermost::jumps(landing);
        if !super::observe::within() {
            site::leave_binding();
        }
    });
}

/// A jump of the C library's, in all of which the first argument is where to.
macro_rules! jump {
    ($($name:ident $at:literal)*) => {$(
        #[no_mangle]
        unsafe extern "C-unwind" fn $name(buffer: *mut c_void, value: usize) -> usize {
            jumps(buffer as usize);
            let Some(real) = REAL[$at].find(NAMES[$at]) else {
                missing(stringify!($name))
            };
            // SAFETY: the library's function takes the caller's arguments.
            unsafe {
                std::mem::transmute::<usize, unsafe extern "C-unwind" fn(usize, usize) -> usize>(real)(
                    buffer as usize,
                    value,
                )
            }
        }
    )*};
}

jump!(longjmp 0 _longjmp 1 siglongjmp 2 __longjmp_chk 3);
