//! A place in the program as a file and an offset, as `addr2line` takes it.

use crate::base::python;

/// A program that lies where it was linked to: its addresses are those of its file.
const ET_EXEC: u16 = 2;

/// Returns the module of an address and the offset in it, as `addr2line` takes it; file and line of
/// a place in Python.
pub fn code_place(address: usize) -> String {
    if let Some(place) = python::described(address) {
        return place;
    }
    // SAFETY: zeroed, it is what `dladdr` fills.
    let mut found: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: any address may be asked about.
    let known = unsafe { libc::dladdr(address as *const libc::c_void, &mut found) };
    if address == 0 || known == 0 || found.dli_fname.is_null() {
        return String::new();
    }
    // SAFETY: `dladdr` gives a string that lives as long as the module is loaded.
    let name = unsafe { std::ffi::CStr::from_ptr(found.dli_fname) };
    let name = name.to_string_lossy().into_owned();
    let path = std::fs::canonicalize(&name).map_or(name, |path| path.display().to_string());
    // SAFETY: a module begins with its ELF header, whose 17th byte tells its type.
    let fixed = unsafe { found.dli_fbase.cast::<u16>().add(8).read() } == ET_EXEC;
    let base = if fixed { 0 } else { found.dli_fbase as usize };
    format!("{path}+{:#x}", address.wrapping_sub(base))
}
