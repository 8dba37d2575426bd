//! What programs call to tell of themselves (`mpiscope.h`): regions by name, and marks.
//!
//! A program finds these functions at run time, so that it runs without us. Each goes on with its
//! own return address as one more argument: where in the program the region is entered.

use std::ffi::{c_char, CStr};

use crate::facts::regions;

/// Makes a function that goes on to `$to`, with its return address behind its argument.
macro_rules! with_site {
    ($name:ident, $to:path) => {
        /// Called by the program.
        #[no_mangle]
        #[unsafe(naked)]
        unsafe extern "C-unwind" fn $name() {
            #[cfg(target_arch = "x86_64")]
            std::arch::naked_asm!("mov rsi, [rsp]", "jmp {to}", to = sym $to);
            #[cfg(target_arch = "aarch64")]
            std::arch::naked_asm!("mov x1, x30", "b {to}", to = sym $to);
        }
    };
}

with_site!(mpiscope_region_begin, begin);
with_site!(mpiscope_region_end, end);
with_site!(mpiscope_mark, mark);

/// A region begins in a place that the caller tells; null if it does not know.
#[no_mangle]
unsafe extern "C-unwind" fn mpiscope_region_begin_from(name: *const c_char, site: usize) {
    // SAFETY: handed on.
    unsafe { begin(name, site) }
}

/// Something happened in a place that the caller tells.
#[no_mangle]
unsafe extern "C-unwind" fn mpiscope_mark_from(name: *const c_char, site: usize) {
    // SAFETY: handed on.
    unsafe { mark(name, site) }
}

/// Returns a text of the program's; nothing for null.
///
/// # Safety
/// `text` is null or ends with NUL.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: the caller's promise.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
}

unsafe extern "C-unwind" fn begin(name: *const c_char, site: usize) {
    // SAFETY: `mpiscope.h` says what a name is.
    if let Some(name) = unsafe { text(name) } {
        regions::begin_named(name, site);
    }
}

unsafe extern "C-unwind" fn end(name: *const c_char, _: usize) {
    // SAFETY: as above.
    regions::end_named(unsafe { text(name) });
}

unsafe extern "C-unwind" fn mark(name: *const c_char, site: usize) {
    // SAFETY: as above.
    if let Some(name) = unsafe { text(name) } {
        regions::mark(name, site);
    }
}
