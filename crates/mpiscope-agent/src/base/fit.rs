//! Fits the names that we offer to the MPI library of this process, in memory.
//!
//! `mpiscope exec` does that in the file (its `trim`), where it can tell the
//! program's libmpi. Python opens its MPI long after the start, and RTLD_LOCAL;
//! a script starts a program that nobody looked at. Such processes get an agent
//! that offers everything, and what is bound must be decided here:
//!
//! * With libmpi there at the start, what it lacks is hidden, and weak references
//!   that the loader has bound to us are made null again, as they are without us.
//! * Else such references are made null where no other object has the function, and
//!   each name becomes an indirect function (STT_GNU_IFUNC). Whenever the
//!   loader binds one it asks us for the address ([`asked`]), and at that time all
//!   objects that it is about to bind are mapped. If none defines the function,
//!   nor do we; the first answer that finds a libmpi hides what it lacks.
//!
//! A name that is hidden has its address in the field for its size, which no loader reads.

use std::ffi::CStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use mpi_abi::objects::{self, Object, Symbol};

use crate::base::site::ASKED;
use crate::base::variable::variable_is;

/// Types and bindings of a symbol (System V gABI, and the GNU extension).
const FUNCTION: u8 = 2;
const INDIRECT: u8 = 10;
const WEAK: u8 = 2;

/// Where the libmpi lies to which our names are fitted; 0 if to none.
static FITTED: AtomicUsize = AtomicUsize::new(0);

#[used]
#[link_section = ".init_array"]
static AT_START: extern "C" fn() = at_start;

/// Runs before the program, in every process that inherits us: it allocates nothing and calls nobody.
extern "C" fn at_start() {
    with_own(|own| {
        fit_openmp(own);
        let before = names(own).filter(|name| name.is_hidden()).count();
        match library(own) {
            // The file was fitted already.
            Some(_) if before > 0 => {}
            Some(library) => {
                fit(own, library);
                undo(own, |name| own.function(name).is_none());
            }
            None => {
                change(own, |name| name.set_indirect(true));
                undo(own, |name| elsewhere(own, name).is_none());
            }
        }
    });
}

/// Answers the loader, which is about to bind a reference to the function of ours at
/// `entry`: that address, or null if no other object has the function.
pub extern "C" fn asked(entry: usize) -> usize {
    with_own(|own| {
        let library = library(own);
        if library.is_some_and(|library| library == FITTED.load(Ordering::Acquire)) {
            return entry; // what it lacks is hidden, and not asked for
        }
        let value = (entry + ASKED - own.base()) as u64;
        let name = names(own).find(|name| name.symbol.st_value == value);
        let elsewhere = name.and_then(|name| elsewhere(own, name.text()));
        match (library, elsewhere) {
            (Some(library), elsewhere) => {
                fit(own, library);
                elsewhere.map_or(0, |_| entry)
            }
            // MPI without its profiling interface, or by another name: not ours to observe.
            (None, elsewhere) => elsewhere.unwrap_or(0),
        }
    })
    .unwrap_or(entry)
}

/// Returns the address of our function of this name, if we offer it.
pub fn entry(own: &Object, name: &CStr) -> Option<usize> {
    let name = names(own).find(|own| own.text() == name && !own.is_hidden())?;
    let value = own.base() + name.symbol.st_value as usize;
    match name.symbol.st_info & 15 {
        INDIRECT => Some(asked(value - ASKED)).filter(|entry| *entry != 0),
        _ => Some(value),
    }
}

/// Gives this library's own object to `work`, which holds no lock of the loader's: it may ask the
/// loader, which others may be doing who then want that lock. We are never unloaded.
pub fn with_own<T>(work: impl FnOnce(&Object) -> T) -> Option<T> {
    let own = objects::find(|object| {
        let own = object.holds(asked as *const () as usize);
        own.then(|| object.clone())
    })?;
    Some(work(&own))
}

/// Returns where the MPI library lies, if one is loaded.
fn library(own: &Object) -> Option<usize> {
    objects::find(|object| {
        let has_mpi = object.base() != own.base() && object.function(c"PMPI_Init").is_some();
        has_mpi.then(|| object.base())
    })
}

/// Returns the address that another object has for a name.
pub fn elsewhere(own: &Object, name: &CStr) -> Option<usize> {
    objects::find(|object| {
        let other = object.base() != own.base();
        other.then(|| object.function(name)).flatten()
    })
}

/// Hides every name that no other object has, and shows the others.
fn fit(own: &Object, library: usize) {
    let mut offered = [0_u64; 128];
    objects::find(|object| {
        // Most objects have nothing of MPI's.
        let is_mpi = object.base() != own.base()
            && ENTRIES.iter().any(|name| object.function(name).is_some());
        for name in names(own).filter(|_| is_mpi) {
            if object.function(name.text()).is_some() {
                if let Some(word) = offered.get_mut(name.index / 64) {
                    *word |= 1 << (name.index % 64);
                }
            }
        }
        None::<()>
    });
    let is_offered = |name: &Name| {
        let word = offered.get(name.index / 64);
        word.is_none_or(|word| word >> (name.index % 64) & 1 == 1)
    };
    change(own, |name| name.set_hidden(!is_offered(name)));
    FITTED.store(library, Ordering::Release);
}

/// A library of MPI has one of these, whatever language it is for.
const ENTRIES: &[&CStr] = &[
    c"PMPI_Init",
    c"MPI_Init",
    c"mpi_init_",
    c"mpi_init__",
    c"mpi_init_f08_",
];

/// Hides the names of OpenMP's runtimes that a program begins without, and all where nobody wants
/// them. What it loads later
/// binds to the runtime that it brings along, of which there may be several.
fn fit_openmp(own: &Object) {
    let is_off = [c"MPISCOPE_OPENMP", c"MPISCOPE_TRACE"]
        .iter()
        .any(|name| variable_is(name, c"off"));
    let is_there = |name: &&CStr| elsewhere(own, name).is_some();
    let has_any = !is_off && [c"GOMP_parallel", c"__kmpc_fork_call"].iter().any(is_there);
    let is_lacking = |name: &CStr| !has_any || elsewhere(own, name).is_none();
    change_of(own, is_openmp_name, |name| {
        name.set_hidden(is_lacking(name.text()))
    });
    undo_of(own, is_openmp_name, |name| elsewhere(own, name).is_none());
}

/// Changes our table of symbols, which is in read-only memory, where it has MPI's.
fn change(own: &Object, change: impl FnMut(&mut Name)) {
    change_of(own, is_mpi_name, change);
}

fn change_of(own: &Object, of: fn(&CStr) -> bool, mut change: impl FnMut(&mut Name)) {
    let (symbols, count) = own.symbols();
    let (from, length) = (symbols as usize, count * size_of::<Symbol>());
    unprotected(own, from, length, || {
        names_of(own, of).for_each(|mut name| change(&mut name))
    });
}

/// Makes memory of an object writable while `work` runs; if that is refused, it does not run.
fn unprotected(object: &Object, from: usize, length: usize, work: impl FnOnce()) {
    let Some(protection) = object.protection(from) else {
        return;
    };
    // SAFETY: asks a number of the system.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let start = from / page * page;
    let length = from + length - start;
    let protect = |protection| {
        // SAFETY: the pages are mapped, private to this process, and lose no right that code
        // in them needs: what was executable stays so.
        unsafe { libc::mprotect(start as *mut _, length, protection) == 0 }
    };
    if protection & libc::PROT_WRITE != 0 {
        return work();
    }
    if protect(protection | libc::PROT_WRITE) {
        work();
        protect(protection);
    }
}

/// Makes weak references to MPI null that were bound to what this process lacks.
fn undo(own: &Object, is_lacking: impl Fn(&CStr) -> bool) {
    undo_of(own, is_mpi_name, is_lacking);
}

fn undo_of(own: &Object, of: fn(&CStr) -> bool, is_lacking: impl Fn(&CStr) -> bool) {
    objects::find(|object| {
        object.uses(|symbol, place| {
            let weak = symbol.st_shndx == 0 && symbol.st_info >> 4 == WEAK;
            // SAFETY: the loader has written the symbol's address there, and the symbol
            // is of this object's table.
            let (target, name) = unsafe { (place.read_unaligned(), object.name(symbol)) };
            if weak && own.holds(target) && of(name) && is_lacking(name) {
                unprotected(object, place as usize, size_of::<usize>(), || {
                    // SAFETY: the place is writable now.
                    unsafe { place.write_unaligned(0) }
                });
            }
        });
        None::<()>
    });
}

/// Returns whether a name is one by which programs call MPI.
pub fn is_mpi_name(name: &CStr) -> bool {
    let name = name.to_bytes();
    let starts: [&[u8]; 4] = [b"MPI_", b"mpi_", b"PMPI_", b"pmpi_"];
    starts.iter().any(|start| name.starts_with(start))
}

/// Returns whether a name is one by which programs call a runtime of OpenMP.
fn is_openmp_name(name: &CStr) -> bool {
    let name = name.to_bytes();
    let starts: [&[u8]; 3] = [b"GOMP_", b"omp_", b"__kmpc_"];
    starts.iter().any(|start| name.starts_with(start))
}

/// One of these names in our table of symbols.
struct Name<'a> {
    own: &'a Object,
    index: usize,
    symbol: Symbol,
}

/// Goes over the names of MPI in our table.
fn names(own: &Object) -> impl Iterator<Item = Name<'_>> {
    names_of(own, is_mpi_name)
}

fn names_of(own: &Object, of: fn(&CStr) -> bool) -> impl Iterator<Item = Name<'_>> {
    let (symbols, count) = own.symbols();
    (1..count).filter_map(move |index| {
        // SAFETY: the index is less than the number of symbols.
        let symbol = unsafe { symbols.add(index).read() };
        let name = Name { own, index, symbol };
        of(name.text()).then_some(name)
    })
}

impl Name<'_> {
    fn text(&self) -> &CStr {
        // SAFETY: the symbol is of our own table.
        unsafe { self.own.name(&self.symbol) }
    }

    fn is_hidden(&self) -> bool {
        self.symbol.st_shndx == 0
    }

    /// Makes it a function of the loader's to ask, or a plain one. What the file hides stays so.
    fn set_indirect(&mut self, indirect: bool) {
        let is_indirect = self.symbol.st_info & 15 == INDIRECT;
        if self.is_hidden() || is_indirect == indirect {
            return;
        }
        let (kind, distance) = match indirect {
            true => (INDIRECT, ASKED as u64),
            false => (FUNCTION, (ASKED as u64).wrapping_neg()),
        };
        self.symbol.st_info = self.symbol.st_info & !15 | kind;
        self.symbol.st_value = self.symbol.st_value.wrapping_add(distance);
        self.write();
    }

    fn set_hidden(&mut self, hidden: bool) {
        if self.is_hidden() == hidden {
            return;
        }
        match hidden {
            true => {
                self.symbol.st_size = self.symbol.st_value;
                (self.symbol.st_value, self.symbol.st_shndx) = (0, 0);
            }
            // Hidden in the file, which makes it weak and keeps no address.
            false if self.symbol.st_info >> 4 == WEAK => return,
            false => {
                (self.symbol.st_value, self.symbol.st_shndx) = (self.symbol.st_size, ABSENT);
            }
        }
        self.write();
    }

    fn write(&self) {
        let (symbols, _) = self.own.symbols();
        // SAFETY: the table is writable while names are changed, and only the loader reads it.
        unsafe { symbols.cast_mut().add(self.index).write(self.symbol) };
    }
}

/// A section's number that says no more than that the symbol is defined.
const ABSENT: u16 = 1;
