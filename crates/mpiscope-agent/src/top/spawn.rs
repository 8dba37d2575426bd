//! MPI_Comm_spawn: what is spawned is started by `mpiscope exec`, as the program was, since not every
//! launcher hands the program's environment on to it (Open MPI's does not).
//!
//! Only where nothing can go otherwise than before: the command is a file that can be executed from
//! here, and MPI is asked for no other place than this one.

mod fortran;

use std::ffi::{c_char, CStr, CString, OsStr};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::null;

use mpi_abi::{id, FunctionId, Mpi};

use super::config;
use crate::base::variable;
use crate::mpi::call::Lang;

/// The keys of an info object that say nothing of where the program is found or runs, but for the
/// folder that it begins in.
const HARMLESS: [&str; 2] = ["wdir", "soft"];

/// The words of a command, as MPI takes them.
struct Words {
    /// Referred to by `array`.
    _strings: Vec<CString>,
    array: Vec<*const c_char>,
}

/// What is put before a command.
struct Prefix {
    program: CString,
    options: Vec<CString>,
}

/// Passes MPI_Comm_spawn or MPI_Comm_spawn_multiple through, with commands that lead to the agent. Those
/// of Fortran's MPI_Comm_spawn_multiple stay as they are.
pub fn observe<const N: usize>(
    function: FunctionId,
    lang: Lang,
    args: [usize; N],
    pass: impl FnOnce([usize; N]) -> usize,
) -> usize {
    let Some(prefix) = prefix() else {
        return pass(args);
    };
    match (lang, function) {
        (Lang::C, id::MPI_COMM_SPAWN) => spawn(&args, &prefix, pass),
        (Lang::C, _) => spawn_several(&args, &prefix, pass),
        (Lang::Fortran, id::MPI_COMM_SPAWN) => fortran::spawn(&args, &prefix, pass),
        (Lang::Fortran, _) => pass(args),
    }
}

fn spawn<const N: usize>(
    args: &[usize; N],
    prefix: &Prefix,
    pass: impl FnOnce([usize; N]) -> usize,
) -> usize {
    let mut with_prefix = *args;
    // SAFETY: the arguments are those of the call, and its caller's until it returns.
    let words = unsafe { one(args, prefix) };
    if let Some(words) = &words {
        with_prefix[0] = prefix.program.as_ptr() as usize;
        with_prefix[1] = words.array.as_ptr() as usize;
    }
    pass(with_prefix)
}

fn spawn_several<const N: usize>(
    args: &[usize; N],
    prefix: &Prefix,
    pass: impl FnOnce([usize; N]) -> usize,
) -> usize {
    let mut with_prefix = *args;
    // SAFETY: the arguments are those of the call, and its caller's until it returns.
    let several = unsafe { several(args, prefix) };
    let program = prefix.program.as_ptr();
    let all = several.as_deref().unwrap_or_default();
    let programs: Vec<_> = all.iter().map(|_| program).collect();
    let arrays: Vec<_> = all.iter().map(|words| words.array.as_ptr()).collect();
    if several.is_some() {
        with_prefix[1] = programs.as_ptr() as usize;
        with_prefix[2] = arrays.as_ptr() as usize;
    }
    pass(with_prefix)
}

/// Nothing where what is spawned is not to be observed.
fn prefix() -> Option<Prefix> {
    let config = config::get()?;
    if !config.writes() || config.order.mode.leads() {
        return None;
    }
    let run = variable::run("MPISCOPE_RUN").ok()??;
    let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).ok();
    Some(Prefix {
        program: text(&variable::path("MPISCOPE_EXEC")?)?,
        options: vec![c"exec".into(), c"--run".into(), text(&run)?, c"--".into()],
    })
}

/// `MPI_Comm_spawn(command, argv, maxprocs, info, root, comm, …)`.
///
/// # Safety
/// The arguments are those of the call.
unsafe fn one<const N: usize>(args: &[usize; N], prefix: &Prefix) -> Option<Words> {
    let [command, argv, _, info, root, comm, ..] = args[..] else {
        return None;
    };
    // SAFETY: the caller vouches for the arguments, which mean something at the root.
    unsafe { is_root(root, comm).then(|| put_before(command, argv, info, prefix))? }
}

/// `MPI_Comm_spawn_multiple(count, commands, argvs, maxprocs, infos, root, comm, …)`: all of them or none.
///
/// # Safety
/// The arguments are those of the call.
unsafe fn several<const N: usize>(args: &[usize; N], prefix: &Prefix) -> Option<Vec<Words>> {
    let [count, commands, argvs, _, infos, root, comm, ..] = args[..] else {
        return None;
    };
    // SAFETY: the caller vouches for the arguments; at the root these are arrays of so many. Handles
    // are as long as the MPI has them.
    unsafe {
        if !is_root(root, comm) || commands == 0 || infos == 0 {
            return None;
        }
        let mpi = Mpi::load().ok()?;
        let length = usize::try_from(count as i32).ok()?;
        let nth = |array: usize, at: usize| *(array as *const usize).add(at);
        let of_each = |at| {
            let argv = if argvs == 0 { 0 } else { nth(argvs, at) };
            let info = mpi.abi.handle_at(infos as *const u8, at);
            put_before(nth(commands, at), argv, info, prefix)
        };
        (0..length).map(of_each).collect()
    }
}

/// Whether this process is the one whose arguments count.
///
/// # Safety
/// The communicator is one that the program passes to MPI.
unsafe fn is_root(root: usize, comm: usize) -> bool {
    let Ok(mpi) = Mpi::load() else { return false };
    let comm = mpi.abi.normalise(comm);
    // SAFETY: MPI is up, and the caller vouches for the handle.
    comm != mpi.abi.comm_null && unsafe { mpi.comm_rank(comm) } == Ok(root as i32)
}

/// # Safety
/// `command` is null or a string, `argv` null or an array of strings that ends with null.
unsafe fn put_before(command: usize, argv: usize, info: usize, prefix: &Prefix) -> Option<Words> {
    let mpi = Mpi::load().ok()?;
    if command == 0 {
        return None;
    }
    // SAFETY: the caller vouches for the strings.
    let (command, words) = unsafe { (CStr::from_ptr(command as *const c_char), all(argv)) };
    if !is_found(mpi, command, mpi.abi.normalise(info)) {
        return None;
    }
    let mut strings = prefix.options.clone();
    strings.push(command.to_owned());
    strings.extend(words);
    let array = strings.iter().map(|it| it.as_ptr()).chain([null()]);
    Some(Words {
        array: array.collect(),
        _strings: strings,
    })
}

/// Whether MPI would start this file with this info object, and it can be observed.
fn is_found(mpi: &Mpi, command: &CStr, info: usize) -> bool {
    let keys = match info == mpi.abi.info_null {
        true => Ok(Vec::new()),
        // SAFETY: MPI is up, and the program passes the object to MPI.
        false => unsafe { mpi.info_keys(info) },
    };
    let is_harmless = |key: &String| HARMLESS.contains(&key.as_str());
    let Some(keys) = keys.ok().filter(|keys| keys.iter().all(is_harmless)) else {
        return false;
    };
    // From another folder a relative path may lead to another file.
    let moves = keys.iter().any(|key| key == "wdir");
    let bytes = command.to_bytes();
    if moves && bytes.contains(&b'/') && !bytes.starts_with(b"/") {
        return false;
    }
    find(command).is_some_and(|file| can_be_observed(&file))
}

/// # Safety
/// As [`put_before`].
unsafe fn all(argv: usize) -> Vec<CString> {
    let mut words = Vec::new();
    let mut at = argv as *const *const c_char;
    // SAFETY: the array ends with null, and the caller vouches for it.
    unsafe {
        while !at.is_null() && !(*at).is_null() {
            words.push(CStr::from_ptr(*at).to_owned());
            at = at.add(1);
        }
    }
    words
}

/// Finds the file of a command, as a shell would.
fn find(command: &CStr) -> Option<PathBuf> {
    let command = Path::new(OsStr::from_bytes(command.to_bytes()));
    if command.components().count() > 1 || command.is_absolute() {
        return is_executable(command).then(|| command.to_owned());
    }
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(command));
    places.find(|place| is_executable(place))
}

/// Whether `exec` starts it: a program that is linked statically it refuses, as ranks beside one that is
/// not observed would wait. What is not ELF a shell or the like runs.
fn can_be_observed(file: &Path) -> bool {
    let mut begin = Vec::new();
    let read = File::open(file).and_then(|file| file.take(4096).read_to_end(&mut begin));
    read.is_ok() && (!begin.starts_with(b"\x7fELF") || has_loader(&begin).unwrap_or(false))
}

/// Whether the begin of an ELF file of 64 bits names a loader (`PT_INTERP`, elf(5)).
fn has_loader(begin: &[u8]) -> Option<bool> {
    let number = |at: usize, bytes: usize| {
        let digits = begin.get(at..at + bytes)?.iter().rev();
        Some(digits.fold(0, |number, &byte| number << 8 | usize::from(byte)))
    };
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let mut kinds = (0..count).map_while(|at| number(table.checked_add(at * size)?, 4));
    Some(kinds.any(|kind| kind == 3))
}

fn is_executable(path: &Path) -> bool {
    let Ok(text) = CString::new(path.as_os_str().as_bytes()) else {
        return false;
    };
    // SAFETY: the path ends with NUL.
    path.is_file() && unsafe { libc::access(text.as_ptr(), libc::X_OK) } == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_loader_loads_can_be_observed() {
        assert!(can_be_observed(&std::env::current_exe().unwrap()));
        let folder = std::env::temp_dir().join(format!("mpiscope-spawn-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let check = |name: &str, bytes: &[u8], expected: bool| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(can_be_observed(&path), expected, "{name}");
        };
        let mut elf = [0; 176];
        elf[..4].copy_from_slice(b"\x7fELF");
        (elf[32], elf[54], elf[56], elf[64]) = (64, 56, 2, 1);
        check("static", &elf, false);
        elf[120] = 3;
        check("dynamic", &elf, true);
        check("cut", &elf[..40], false);
        check("script", b"#!/bin/sh\n", true);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
