//! What programs call to tell of themselves (`mpiscope.h`): regions by name, marks, and values.
//!
//! A program finds these functions at run time, so that it runs without us.

use std::ffi::{c_char, CStr};

use crate::base::site::with_return_address;
use crate::facts::regions;

with_return_address!(
    /// The program begins a region.
    #[no_mangle]
    mpiscope_region_begin(*const c_char), one, begin
);
with_return_address!(
    /// Something happened in the program.
    #[no_mangle]
    mpiscope_mark(*const c_char), one, mark
);

/// The program ends a region, the innermost if the name is null.
#[no_mangle]
unsafe extern "C-unwind" fn mpiscope_region_end(name: *const c_char) {
    // SAFETY: `mpiscope.h` says what a name is.
    regions::end_named(unsafe { text(name) });
}

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

/// The program tells a value.
#[no_mangle]
unsafe extern "C-unwind" fn mpiscope_metric(name: *const c_char, value: f64) {
    // SAFETY: `mpiscope.h` says what a name is.
    if let Some(name) = unsafe { text(name) } {
        regions::value(name, true, value.to_bits());
    }
}

/// The program tells an integer.
#[no_mangle]
unsafe extern "C-unwind" fn mpiscope_metric_int(name: *const c_char, value: i64) {
    // SAFETY: as above.
    if let Some(name) = unsafe { text(name) } {
        regions::value(name, false, value as u64);
    }
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

unsafe extern "C-unwind" fn mark(name: *const c_char, site: usize) {
    // SAFETY: as above.
    if let Some(name) = unsafe { text(name) } {
        regions::mark(name, site);
    }
}
