//! Where the `PMPI_` symbols come from.
//!
//! Usually libmpi is among the libraries of the process, behind the preloaded
//! one, and `dlsym(RTLD_NEXT)` sees it. Where it was opened RTLD_LOCAL, as Python
//! and Julia do, the list of loaded objects leads to it.

use std::ffi::{c_char, c_int, c_void, CStr, CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use std::sync::OnceLock;

use crate::function::FunctionId;
use crate::mpi::Error;
use crate::objects::{self, Object};
use crate::table::FUNCTIONS;

/// The MPI library of this process.
#[derive(Debug)]
pub struct Library {
    handle: *mut c_void,
    path: PathBuf,
}

// SAFETY: the handle is only passed to dlsym, which any thread may call, and is never closed.
unsafe impl Send for Library {}
// SAFETY: dlsym may be called by several threads at once.
unsafe impl Sync for Library {}

static LIBRARY: OnceLock<Library> = OnceLock::new();

impl Library {
    /// Returns the library that defines `PMPI_Init`, if one is loaded by now.
    pub fn find() -> Option<&'static Library> {
        if let Some(library) = LIBRARY.get() {
            return Some(library);
        }
        let has_mpi = |handle: &*mut c_void| {
            dlsym(*handle, c"PMPI_Init").is_some_and(|found| !is_own(found.as_ptr() as usize))
        };
        let handle = Some(libc::RTLD_NEXT)
            .filter(has_mpi)
            .or_else(|| opened_locally().into_iter().find(has_mpi))?;
        let path = path_of(dlsym(handle, c"PMPI_Init")?);
        Some(LIBRARY.get_or_init(|| Library { handle, path }))
    }

    /// Loads an MPI library into a process that was linked without one, as one linked with it
    /// would have it: its symbols are there for whatever it loads itself. It stays.
    ///
    /// # Errors
    /// What the loader says.
    pub fn open(path: &Path) -> Result<(), Error> {
        let failed = |why: String| Error::Open {
            path: path.to_owned(),
            why,
        };
        let name = CString::new(path.as_os_str().as_bytes());
        let name = name.map_err(|error| failed(error.to_string()))?;
        // SAFETY: the path ends with NUL. What the library does when it is loaded it would do in
        // a process that is linked with it, too.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        match handle.is_null() {
            false => Ok(()),
            true => Err(failed(loader_error())),
        }
    }

    /// Returns the address of a function, as the implementation has it.
    pub fn symbol(&self, name: &CStr) -> Option<*const c_void> {
        dlsym(self.handle, name).map(|p| p.as_ptr().cast_const())
    }

    /// Returns the address of an object, as the program has it: an executable
    /// that is not position-independent holds a copy of its own, and passes that
    /// one's address (R_X86_64_COPY).
    pub fn data(&self, name: &CStr) -> Option<*const c_void> {
        dlsym(libc::RTLD_DEFAULT, name)
            .map(|p| p.as_ptr().cast_const())
            .or_else(|| self.symbol(name))
    }

    /// Returns the path of the file that was loaded.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns whether an address lies in the library that this code was linked into: it may
/// define MPI's names itself, and be called like an MPI library.
fn is_own(address: usize) -> bool {
    let own = |object: &Object| object.holds(is_own as *const () as usize);
    objects::find(|object| object.holds(address).then(|| own(object))) == Some(true)
}

/// Looks in all objects but our own: a Fortran layer that was opened RTLD_LOCAL, as Python
/// does, is behind nobody.
fn anywhere(name: &CStr) -> Option<NonNull<c_void>> {
    let of_other = |object: &Object| {
        let other = !object.holds(is_own as *const () as usize);
        other.then(|| object.function(name)).flatten()
    };
    NonNull::new(objects::find(of_other)? as *mut c_void)
}

fn dlsym(handle: *mut c_void, name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: the handle is one of dlopen's or a pseudo-handle, the name ends with NUL.
    NonNull::new(unsafe { libc::dlsym(handle, name.as_ptr()) })
}

/// Returns what the loader says of this thread's last failure.
fn loader_error() -> String {
    // SAFETY: the text is the loader's, and stays until this thread asks it for something else.
    let text = unsafe {
        let text = libc::dlerror();
        (!text.is_null()).then(|| CStr::from_ptr(text))
    };
    text.map_or_else(String::new, |text| text.to_string_lossy().into_owned())
}

/// Returns handles of the loaded objects that may be an MPI library.
fn opened_locally() -> Vec<*mut c_void> {
    let objects = loaded_objects();
    let candidates = objects.iter().filter(|path| may_be_mpi(path));
    candidates.filter_map(|path| reopen(path)).collect()
}

fn may_be_mpi(path: &CStr) -> bool {
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("libmpi") || name.starts_with("libpmpi")
}

/// Returns a handle of an object that is loaded already. It is never closed.
fn reopen(path: &CStr) -> Option<*mut c_void> {
    // SAFETY: the path ends with NUL; NOLOAD runs no code of the object's.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    (!handle.is_null()).then_some(handle)
}

/// Returns the paths of all loaded objects. They are collected first, because
/// the loader's lock is held while it lists them.
fn loaded_objects() -> Vec<CString> {
    unsafe extern "C" fn add(info: *mut libc::dl_phdr_info, _: usize, paths: *mut c_void) -> c_int {
        // SAFETY: `paths` is the vector below, borrowed by nobody else, and the loader's
        // record is valid during the call.
        unsafe {
            let name: *const c_char = (*info).dlpi_name;
            if !name.is_null() {
                (*paths.cast::<Vec<CString>>()).push(CStr::from_ptr(name).to_owned());
            }
        }
        0
    }
    let mut paths: Vec<CString> = Vec::new();
    // SAFETY: `add` has the signature asked for, and `paths` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(add), ptr::from_mut(&mut paths).cast()) };
    paths
}

/// Returns the file that an address was loaded from.
fn path_of(address: NonNull<c_void>) -> PathBuf {
    // SAFETY: all zeros is a valid Dl_info; dladdr fills it and accepts any address.
    let file = unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(address.as_ptr(), &mut info) == 0 || info.dli_fname.is_null() {
            return PathBuf::new();
        }
        CStr::from_ptr(info.dli_fname)
    };
    PathBuf::from(OsStr::from_bytes(file.to_bytes()))
}

const N: usize = FUNCTIONS.len();
static C_ENTRIES: [AtomicPtr<()>; N] = [const { AtomicPtr::new(ptr::null_mut()) }; N];
static FORTRAN_ENTRIES: [AtomicPtr<()>; N] = [const { AtomicPtr::new(ptr::null_mut()) }; N];

/// Returns the implementation behind a wrapper of the C call, or nothing if no
/// loaded MPI library has it. The first question looks it up, later ones load a slot.
#[inline]
pub fn pmpi(id: FunctionId) -> Option<*const ()> {
    slot(&C_ENTRIES[id.index()], || resolve_c(id))
}

/// Returns the implementation behind a wrapper of the `mpif.h` call, whichever
/// way the library spells it.
#[inline]
pub fn pmpi_fortran(id: FunctionId) -> Option<*const ()> {
    slot(&FORTRAN_ENTRIES[id.index()], || resolve_fortran(id))
}

/// Returns the implementation behind a wrapper by its symbol, as those of `mpi_f08`:
/// `mpi_send_f08_`. The caller keeps what was found in a slot of its own.
#[inline]
pub fn pmpi_named(known: &AtomicPtr<()>, symbol: &str) -> Option<*const ()> {
    slot(known, || resolve_named(symbol))
}

#[inline]
fn slot(slot: &AtomicPtr<()>, resolve: impl FnOnce() -> Option<*mut ()>) -> Option<*const ()> {
    // Relaxed: the slot publishes code, which is there before any thread asks.
    let known = slot.load(Relaxed);
    if !known.is_null() {
        return Some(known);
    }
    let found = resolve()?;
    slot.store(found, Relaxed);
    Some(found)
}

/// Looks for `PMPI_X`, then, in a library built without the profiling interface, for `MPI_X`
/// behind us: serial stubs of MPI have no `PMPI_Init`, and are no library for [`Library::find`].
#[cold]
fn resolve_c(id: FunctionId) -> Option<*mut ()> {
    let handle = Library::find().map_or(libc::RTLD_NEXT, |library| library.handle);
    let name = id.function().name;
    ["P", ""]
        .iter()
        .find_map(|prefix| dlsym(handle, Symbol::new(prefix, name, "").as_c_str()))
        .map(|p| p.as_ptr().cast())
}

/// Looks for `pmpi_x_`, `pmpi_x__`, then for the same without `p` behind us.
#[cold]
fn resolve_fortran(id: FunctionId) -> Option<*mut ()> {
    let name = id.function().name;
    let handle = Library::find().map_or(libc::RTLD_NEXT, |library| library.handle);
    [("p", "_"), ("p", "__"), ("", "_"), ("", "__")]
        .iter()
        .find_map(|(prefix, suffix)| {
            let symbol = Symbol::new(prefix, name, suffix).lower();
            // The Fortran layer is another library: not a dependency of the C one.
            let symbol = symbol.as_c_str();
            dlsym(libc::RTLD_NEXT, symbol)
                .or_else(|| dlsym(handle, symbol))
                .or_else(|| anywhere(symbol))
        })
        .map(|p| p.as_ptr().cast())
}

/// Looks for `pmpi_x_f08_`, then for the same without `p` behind us.
#[cold]
fn resolve_named(symbol: &str) -> Option<*mut ()> {
    ["p", ""]
        .iter()
        .find_map(|prefix| {
            let symbol = Symbol::new(prefix, symbol, "");
            let symbol = symbol.as_c_str();
            dlsym(libc::RTLD_NEXT, symbol).or_else(|| anywhere(symbol))
        })
        .map(|p| p.as_ptr().cast())
}

/// A symbol's name put together without allocating: a wrapper may run where the
/// program is inside its own allocator.
struct Symbol([u8; 64]);

impl Symbol {
    fn new(prefix: &str, name: &str, suffix: &str) -> Symbol {
        let mut bytes = [0; 64];
        let text = prefix.bytes().chain(name.bytes()).chain(suffix.bytes());
        for (to, from) in bytes[..63].iter_mut().zip(text) {
            *to = from;
        }
        Symbol(bytes)
    }

    fn lower(mut self) -> Symbol {
        self.0.make_ascii_lowercase();
        self
    }

    fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_spelt_as_the_linker_wants() {
        let spell = |p, n, s| Symbol::new(p, n, s);
        assert_eq!(spell("P", "MPI_Send", "").as_c_str(), c"PMPI_Send");
        assert_eq!(
            spell("p", "MPI_Send", "__").lower().as_c_str(),
            c"pmpi_send__"
        );
    }

    #[test]
    fn every_name_fits() {
        let longest = FUNCTIONS.iter().map(|f| f.name.len()).max();
        assert!(longest.unwrap() + "p__".len() < 63, "{longest:?}");
    }

    #[test]
    fn a_library_that_cannot_be_opened_is_named() {
        let error = Library::open(Path::new("/no/such/libmpi.so")).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("cannot open /no/such/libmpi.so: "), "{text}");
    }

    #[test]
    fn without_mpi_nothing_is_found() {
        assert!(Library::find().is_none());
        assert!(pmpi(crate::id::MPI_SEND).is_none());
        assert!(pmpi_fortran(crate::id::MPI_SEND).is_none());
    }
}
