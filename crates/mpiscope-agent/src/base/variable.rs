//! Variables of the environment, asked where nothing may be allocated.

use std::ffi::CStr;

/// Returns whether a variable has a value.
pub fn variable_is(name: &CStr, value: &CStr) -> bool {
    // SAFETY: the name ends with NUL; nobody but the program itself changes the environment.
    let set = unsafe { libc::getenv(name.as_ptr()) };
    // SAFETY: what getenv returns is null or ends with NUL.
    !set.is_null() && unsafe { CStr::from_ptr(set) } == value
}
