//! The C library's jumps, which may lead out of a call: an error handler that never returns.
//!
//! What C++ throws and what ends a thread goes through our frames, which see it
//! (`facts/outermost`, `order/within`); a jump goes past them.

use std::ffi::c_void;

use super::real::real;
use crate::base::guard::guarded;
use crate::base::jump::Landing;
use crate::base::site;
use crate::facts::outermost;
use crate::order;

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
    ($($name:ident)*) => {$(
        #[no_mangle]
        unsafe extern "C-unwind" fn $name(buffer: *mut c_void, value: usize) -> usize {
            jumps(buffer as usize);
            real!($name(buffer as usize, value))
        }
    )*};
}

jump!(longjmp _longjmp siglongjmp __longjmp_chk);
