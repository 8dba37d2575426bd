//! Where in a Python program a call was made.
//!
//! To the machine, a call made through mpi4py comes from mpi4py's extension module, whatever line
//! of Python asked for it. Which line that is only the interpreter knows: it keeps a frame for
//! each function that runs. mpi4py gives up the interpreter's lock around most calls, so its
//! functions may not be asked; its memory may be read, as a thread that is in a call is the one
//! that would change its own frames ([`frames`]). Where the fields lie differs between versions
//! ([`layout`]), and is believed only when it has been compared with what the interpreter itself
//! says, once, while this thread holds its lock ([`verify`]).
//!
//! A place in Python gets a number at its first call, with file, function and line, as they die
//! with the process ([`places`]). From then on it stands for the call's return address: an address
//! at which no program can lie, defined as a module of its own.
//!
//! Only calls from extension modules take this way ([`path`]); other programs do not pay for it.

mod api;
mod frames;
mod layout;
mod places;
mod text;
mod verify;

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use mpi_abi::objects::{self, Object};

use super::guard::guarded;
use super::{notice, path, site};
use api::Api;
use verify::Interpreter;

pub use places::{define_all, described, range};

/// Extension modules that call MPI: first address and length, 0 of those that are not there.
static EXTENSIONS: [[AtomicUsize; 2]; 4] = [const { [const { AtomicUsize::new(0) }; 2] }; 4];
/// Folders of packages that are no part of the program: mpi4py's.
static PACKAGES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// The interpreter, if its functions are there.
static INTERPRETER: OnceLock<Option<Interpreter>> = OnceLock::new();

/// Why a call that Python made is told without its line.
#[derive(Clone, Copy)]
enum Unknown {
    /// The layout of the interpreter's memory is not known, or not yet compared.
    Layout,
    /// The frame was none that can be read.
    Frame,
    /// There are too many places.
    TooMany,
}

static UNKNOWN: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

/// Has the module around an address be known, if it is an extension of Python's.
#[cold]
pub fn look_at(address: usize) {
    if address == 0 || is_from_extension(address) {
        return;
    }
    let found = objects::find(|object| {
        let there = object.holds(address);
        there.then(|| is_extension(object).then(|| (object.extent(), object.path().to_owned())))
    });
    let Some((extent, file)) = found.flatten() else {
        return;
    };
    let mut packages = PACKAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let Some([begin, length]) =
        (EXTENSIONS.iter()).find(|[_, length]| length.load(Ordering::Relaxed) == 0)
    else {
        return;
    };
    let folder = file.parent().map(Path::to_owned);
    packages.extend(folder.filter(|folder| folder.ends_with("mpi4py")));
    INTERPRETER.get_or_init(|| Api::load().map(Interpreter::new));
    begin.store(extent.start, Ordering::Relaxed);
    length.store(extent.len(), Ordering::Release);
    path::by_python();
}

/// An extension module of this name defines the function that makes the module.
fn is_extension(object: &Object) -> bool {
    let name = object.path().file_name().map(OsStrExt::as_bytes);
    let stem = name.and_then(|name| name.split(|&byte| byte == b'.').next());
    let maker = stem.and_then(|stem| CString::new([b"PyInit_", stem].concat()).ok());
    maker.is_some_and(|maker| object.function(&maker).is_some())
}

fn is_from_extension(address: usize) -> bool {
    EXTENSIONS.iter().any(|[begin, length]| {
        let length = length.load(Ordering::Acquire);
        address.wrapping_sub(begin.load(Ordering::Relaxed)) < length
    })
}

/// Puts the place in Python, if the call comes from there, in the place of the return address
/// that this thread has noted.
#[inline(never)]
pub fn turn() {
    guarded(|| {
        let site = site::noted();
        if !is_from_extension(site) {
            return;
        }
        match place() {
            Ok(Some(place)) => site::set_noted(place),
            Ok(None) => {}
            Err(why) => {
                UNKNOWN[why as usize].fetch_add(1, Ordering::Relaxed);
            }
        }
    });
}

/// Returns the place in Python at which this thread is; nothing if it runs no Python.
fn place() -> Result<Option<usize>, Unknown> {
    let interpreter = INTERPRETER.get().and_then(Option::as_ref);
    interpreter.ok_or(Unknown::Layout)?.place()
}

/// Returns whether a file is no part of the program: one of mpi4py's own or of the interpreter's.
fn is_foreign(file: &str) -> bool {
    let packages = PACKAGES.lock().unwrap_or_else(PoisonError::into_inner);
    file.starts_with("<frozen ")
        || packages
            .iter()
            .any(|folder| Path::new(file).starts_with(folder))
}

/// Says of how many calls the line is not known, and why.
pub fn finish() {
    let version = INTERPRETER.get().and_then(Option::as_ref);
    let version = version.map_or_else(|| "of unknown version".into(), Interpreter::version);
    let reasons = [
        format!("where the interpreter ({version}) keeps what it runs is not known, or could not be compared with what it says"),
        "the interpreter's frames could not be read".into(),
        format!("the program called from more than {} places in Python", places::MOST),
    ];
    for (count, reason) in UNKNOWN.iter().zip(reasons) {
        let count = count.load(Ordering::Relaxed);
        if count > 0 {
            notice::tell(&format!(
                "{count} MPI calls that Python made are told with the function of the extension \
                 module that made them, without Python's file and line: {reason}"
            ));
        }
    }
}
