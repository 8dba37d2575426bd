//! Which file the code at an address was loaded from.
//!
//! A module is defined in the records when the first call comes from it, so
//! that its sites can be named after a crash too, and so that libraries which
//! the program loads later are known. On the common path a call only sees
//! that it comes from the same module as the one before.

use std::ffi::{c_int, c_void, CStr};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use mpiscope_run::process::{Definition, Module};

use super::process::Process;
use crate::base::{definitions, python};

/// A range of addresses: first and length.
#[derive(Clone, Copy, Default)]
struct Range(usize, usize);

impl Range {
    #[inline(always)]
    fn holds(self, address: usize) -> bool {
        address.wrapping_sub(self.0) < self.1
    }
}

/// The code from which a thread has called MPI, the latest module apart.
#[derive(Default)]
pub struct Callers {
    latest: Range,
    others: Vec<Range>,
}

impl Callers {
    /// Makes sure that the module of `site` is defined.
    #[inline(always)]
    pub fn note(&mut self, process: &Process, site: usize) {
        if !self.latest.holds(site) {
            self.turn_to(process, site);
        }
    }

    /// Returns whether the latest module holds a site.
    #[inline(always)]
    pub fn hold(&self, site: usize) -> bool {
        self.latest.holds(site)
    }

    #[cold]
    fn turn_to(&mut self, process: &Process, site: usize) {
        let known = self.others.iter().copied().find(|range| range.holds(site));
        let found = known.or_else(|| {
            let range = process.modules.define(site)?;
            self.others.push(range);
            Some(range)
        });
        self.latest = found.unwrap_or(self.latest);
    }
}

/// How the names begin of files that are MPI's own: its libraries, and Open MPI's components.
const OF_MPI: [&str; 3] = ["libmpi", "libpmpi", "mca_"];

/// The modules defined.
#[derive(Default)]
pub struct Modules(Mutex<Known>);

#[derive(Default)]
struct Known {
    ranges: Vec<Range>,
    /// How many modules had ever been loaded when one was last looked for in vain.
    loaded: u64,
    /// How many when all were defined.
    all_of: u64,
    /// Code that calls MPI within MPI's calls, and whether it is MPI's own.
    inner: Vec<(Range, bool)>,
}

impl Modules {
    /// Makes sure that the code around an address is defined, if it is a module's.
    pub fn note(&self, address: usize) {
        let _ = self.define(address);
    }

    /// Makes sure that all code that is loaded now is defined.
    pub fn note_all(&self) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = All {
            defined: known.all_of,
            loaded: 0,
            found: Vec::new(),
        };
        // SAFETY: `gather` has the signature asked for, and `all` outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(gather), (&raw mut all).cast()) };
        known.all_of = all.loaded;
        for (module, range) in all.found {
            let at = range.0;
            if !known.ranges.iter().any(|known| known.holds(at)) {
                known.ranges.push(range);
                definitions::tell(&Definition::Module(located(module)));
            }
        }
    }

    /// Returns whether the code around an address is MPI's own, as its file's name says: a library
    /// of it, or one of Open MPI's components. Code of no module is made by the program.
    pub fn is_of_mpi(&self, site: usize) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, is_of_mpi)) = known.inner.iter().find(|(range, _)| range.holds(site)) {
            return *is_of_mpi;
        }
        let Some((module, range)) = found_around(site) else {
            return false;
        };
        let name = Path::new(&module.path).file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let is_of_mpi = OF_MPI.iter().any(|begin| name.starts_with(begin));
        known.inner.push((range, is_of_mpi));
        is_of_mpi
    }

    /// Returns the code around `site`, defined now unless it was; nothing if
    /// no module holds it, as code made at run time.
    fn define(&self, site: usize) -> Option<Range> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(range) = known.ranges.iter().find(|range| range.holds(site)) {
            return Some(*range);
        }
        let (begin, length) = python::range();
        let interpreted = Range(begin, length); // defined by themselves
        if interpreted.holds(site) {
            known.ranges.push(interpreted);
            return Some(interpreted);
        }
        let mut search = Search {
            site,
            in_vain: known.loaded,
            loaded: 0,
            found: None,
        };
        // SAFETY: `look_at` has the signature asked for, and `search` outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(look_at), (&raw mut search).cast()) };
        let Some((module, range)) = search.found else {
            known.loaded = search.loaded;
            return None;
        };
        known.ranges.push(range);
        definitions::tell(&Definition::Module(located(module)));
        python::look_at(site);
        Some(range)
    }
}

/// Returns where the code around an address lies, of whichever module: first address and length,
/// nothing if it is none's.
pub fn code_around(address: usize) -> (usize, usize) {
    let Range(begin, length) = found_around(address).map_or(Range(0, 0), |found| found.1);
    (begin, length)
}

fn found_around(address: usize) -> Option<(Module, Range)> {
    let mut search = Search {
        site: address,
        in_vain: 0,
        loaded: 0,
        found: None,
    };
    // SAFETY: `look_at` has the signature asked for, and `search` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(look_at), (&raw mut search).cast()) };
    search.found
}

/// Returns the files of all code that is loaded now, and how far their addresses were moved.
pub fn loaded() -> Vec<(PathBuf, u64)> {
    let mut all = All {
        defined: u64::MAX,
        loaded: 0,
        found: Vec::new(),
    };
    // SAFETY: `gather` has the signature asked for, and `all` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(gather), (&raw mut all).cast()) };
    let found = all.found.into_iter();
    let located = found.map(|(module, _)| located(module));
    located
        .map(|module| (PathBuf::from(module.path), module.bias))
        .collect()
}

/// The loader knows the executable under no name, and others as they were asked for.
fn located(mut module: Module) -> Module {
    let path = match module.path.as_str() {
        "" => std::fs::read_link("/proc/self/exe").ok(),
        relative if !Path::new(relative).is_absolute() => std::fs::canonicalize(relative).ok(),
        _ => None,
    };
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    module.path = path.map_or(module.path, text);
    module
}

/// A question to the loader's list.
struct Search {
    site: usize,
    /// How many modules had ever been loaded when the last search found none.
    in_vain: u64,
    /// How many by now.
    loaded: u64,
    found: Option<(Module, Range)>,
}

unsafe extern "C" fn look_at(
    info: *mut libc::dl_phdr_info,
    _: usize,
    search: *mut c_void,
) -> c_int {
    // SAFETY: the loader's record is valid during the call, and `search` is the
    // one above, borrowed by nobody else.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    search.loaded = info.dlpi_adds;
    if search.in_vain == info.dlpi_adds {
        return 1; // nothing came since
    }
    search.found = code_of(info, |range| range.holds(search.site));
    search.found.is_some().into()
}

/// All that is loaded, asked of the loader's list.
struct All {
    /// How many modules had ever been loaded when all were defined.
    defined: u64,
    /// How many by now.
    loaded: u64,
    found: Vec<(Module, Range)>,
}

unsafe extern "C" fn gather(info: *mut libc::dl_phdr_info, _: usize, all: *mut c_void) -> c_int {
    // SAFETY: the loader's record is valid during the call, and `all` is the one of `note_all`,
    // borrowed by nobody else.
    let (info, all) = unsafe { (&*info, &mut *all.cast::<All>()) };
    all.loaded = info.dlpi_adds;
    if all.defined == info.dlpi_adds {
        return 1; // nothing came since
    }
    all.found.extend(code_of(info, |_| true));
    0
}

/// Returns an object as it is defined, with the first of its ranges of code that is wanted.
fn code_of(info: &libc::dl_phdr_info, wanted: impl Fn(&Range) -> bool) -> Option<(Module, Range)> {
    // SAFETY: what the loader hands to its visitor; the headers stay where they are while their object is loaded.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let bias = info.dlpi_addr as usize;
    let range = |header: &libc::Elf64_Phdr| {
        Range(
            bias.wrapping_add(header.p_vaddr as usize),
            header.p_memsz as usize,
        )
    };
    let code = (headers.iter())
        .filter(|header| header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0);
    let code = code.map(range).find(wanted)?;
    let name = match info.dlpi_name.is_null() {
        true => String::new(),
        // SAFETY: the loader's names end with NUL.
        false => unsafe { CStr::from_ptr(info.dlpi_name) }
            .to_string_lossy()
            .into_owned(),
    };
    let notes = headers.iter().filter(|h| h.p_type == libc::PT_NOTE);
    let module = Module {
        start: code.0 as u64,
        end: code.0.saturating_add(code.1) as u64,
        bias: bias as u64,
        path: name,
        build_id: notes
            .filter_map(|h| build_id(range(h), h.p_align as usize))
            .next()
            .unwrap_or_default(),
        interpreted: None,
    };
    Some((module, code))
}

/// Looks for the build id among the notes in memory (`NT_GNU_BUILD_ID`).
fn build_id(notes: Range, align: usize) -> Option<String> {
    const BUILD_ID: u32 = 3;
    let Range(start, length) = notes;
    // SAFETY: notes of a loaded object are mapped with it.
    let bytes = unsafe { std::slice::from_raw_parts(start as *const u8, length) };
    let align = if align == 8 { 8 } else { 4 };
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let mut at = 0usize;
    loop {
        let (name, data) = (word(at)? as usize, word(at + 4)? as usize);
        let begin = (at + 12).checked_add(name)?.next_multiple_of(align);
        let end = begin.checked_add(data)?;
        if word(at + 8)? == BUILD_ID && bytes.get(at + 12..at + 16)? == b"GNU\0" {
            return Some(hex(bytes.get(begin..end)?));
        }
        at = end.next_multiple_of(align);
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
