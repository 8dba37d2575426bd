//! Variables of the environment.
//!
//! What is not UTF-8 is not passed over as if it were not set: a path is taken as it is, and of
//! text whoever reads it says what is wrong.

use std::ffi::CStr;
use std::path::PathBuf;

use mpiscope_run::directory;

/// Returns a variable's text, if it has any.
pub fn text(name: &str) -> Option<String> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().into_owned())
}

/// Returns the path that a variable holds, if it does.
pub fn path(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.into())
}

/// Returns the path of a run that a variable holds, if it does.
///
/// # Errors
/// When no run can lie there: why.
pub fn run(name: &str) -> Result<Option<PathBuf>, String> {
    let path = path(name);
    let refused = path.as_deref().map(directory::refuse_unnamable).transpose();
    refused.map_err(|why| format!("{name}: {why}"))?;
    Ok(path)
}

/// Returns whether a variable has a value, where nothing may be allocated.
pub fn variable_is(name: &CStr, value: &CStr) -> bool {
    // SAFETY: the name ends with NUL; nobody but the program itself changes the environment.
    let set = unsafe { libc::getenv(name.as_ptr()) };
    // SAFETY: what getenv returns is null or ends with NUL.
    !set.is_null() && unsafe { CStr::from_ptr(set) } == value
}
