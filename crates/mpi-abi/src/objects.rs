//! The symbol tables of the objects of this process, read where the loader put them.
//!
//! The loader itself cannot be asked while it is binding: then an object may be
//! mapped and not be there for dlsym yet. Its tables are, and they are plain
//! memory (System V gABI; the hash table as glibc and all others read it).
//! Nothing is allocated here, as the loader may call us from anywhere.

use std::ffi::{c_char, c_int, c_void, CStr, OsStr};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

/// A symbol as ELF has it (`Elf64_Sym`).
pub type Symbol = libc::Elf64_Sym;

const DT_NULL: i64 = 0;
const DT_HASH: i64 = 4;
const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_GNU_HASH: i64 = 0x6fff_fef5;
const DT_RELA: i64 = 7;
const DT_RELASZ: i64 = 8;
const DT_PLTRELSZ: i64 = 2;
const DT_JMPREL: i64 = 23;

/// A loaded object, valid while the closure runs that was given it, and in copies as long as it
/// stays loaded.
#[derive(Clone)]
pub struct Object {
    name: *const c_char,
    base: usize,
    headers: *const libc::Elf64_Phdr,
    header_count: usize,
    symbols: *const Symbol,
    strings: *const c_char,
    gnu_hash: *const u32,
    hash: *const u32,
    relocations: [Range<usize>; 2],
}

/// One entry of the dynamic section (`Elf64_Dyn`).
#[repr(C)]
struct Entry {
    tag: i64,
    value: u64,
}

/// A place that the loader fills with a symbol's address (`Elf64_Rela`).
#[repr(C)]
struct Relocation {
    offset: u64,
    info: u64,
    addend: i64,
}

/// Gives every object to `look`, in the loader's order, until it returns something.
pub fn find<T>(mut look: impl FnMut(&Object) -> Option<T>) -> Option<T> {
    struct State<'a, T> {
        look: &'a mut dyn FnMut(&Object) -> Option<T>,
        found: Option<T>,
    }
    unsafe extern "C" fn next<T>(
        info: *mut libc::dl_phdr_info,
        _: usize,
        state: *mut c_void,
    ) -> c_int {
        // SAFETY: `state` is the one below, borrowed by nobody else, and the loader's
        // record is valid during the call.
        let (state, info) = unsafe { (&mut *state.cast::<State<T>>(), &*info) };
        state.found = Object::of(info).and_then(|object| (state.look)(&object));
        c_int::from(state.found.is_some())
    }
    let mut state = State {
        look: &mut look,
        found: None,
    };
    // SAFETY: `next` has the signature asked for, and `state` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(next::<T>), ptr::from_mut(&mut state).cast()) };
    state.found
}

impl Object {
    fn of(info: &libc::dl_phdr_info) -> Option<Object> {
        let mut object = Object {
            name: info.dlpi_name,
            base: info.dlpi_addr as usize,
            headers: info.dlpi_phdr,
            header_count: usize::from(info.dlpi_phnum),
            symbols: ptr::null(),
            strings: ptr::null(),
            gnu_hash: ptr::null(),
            hash: ptr::null(),
            relocations: [0..0, 0..0],
        };
        let dynamic = object.header(|header| header.p_type == libc::PT_DYNAMIC)?;
        let mut entry = (object.base + dynamic.p_vaddr as usize) as *const Entry;
        let (mut sizes, mut starts) = ([0; 2], [0; 2]);
        loop {
            // SAFETY: the dynamic section is mapped with its object and ends with DT_NULL.
            let Entry { tag, value } = unsafe { entry.read() };
            let address = object.address(value);
            match tag {
                DT_NULL => break,
                DT_SYMTAB => object.symbols = address as *const Symbol,
                DT_STRTAB => object.strings = address as *const c_char,
                DT_GNU_HASH => object.gnu_hash = address as *const u32,
                DT_HASH => object.hash = address as *const u32,
                DT_RELA => starts[0] = address,
                DT_RELASZ => sizes[0] = value as usize,
                DT_JMPREL => starts[1] = address,
                DT_PLTRELSZ => sizes[1] = value as usize,
                _ => {}
            }
            entry = entry.wrapping_add(1);
        }
        object.relocations = [0, 1].map(|i| starts[i]..starts[i] + sizes[i]);
        let whole = !object.symbols.is_null() && !object.strings.is_null();
        whole.then_some(object)
    }

    /// Returns an address of the dynamic section: the loader has added the base to most.
    fn address(&self, value: u64) -> usize {
        match (value as usize) < self.base {
            true => self.base + value as usize,
            false => value as usize,
        }
    }

    fn headers(&self) -> &[libc::Elf64_Phdr] {
        // SAFETY: the loader gave table and length, which stay while the object does.
        unsafe { std::slice::from_raw_parts(self.headers, self.header_count) }
    }

    fn header(&self, is_it: impl Fn(&libc::Elf64_Phdr) -> bool) -> Option<&libc::Elf64_Phdr> {
        self.headers().iter().find(|header| is_it(header))
    }

    /// Returns the path by which the object was loaded; empty for the program itself.
    pub fn path(&self) -> &Path {
        if self.name.is_null() {
            return Path::new("");
        }
        // SAFETY: the loader's name for the object ends with NUL, and stays while it does.
        let name = unsafe { CStr::from_ptr(self.name) };
        Path::new(OsStr::from_bytes(name.to_bytes()))
    }

    /// Returns where the object lies.
    pub fn base(&self) -> usize {
        self.base
    }

    /// Returns all addresses of the object, from its first to its last.
    pub fn extent(&self) -> Range<usize> {
        let loaded = self.headers().iter();
        let loaded = loaded.filter(|header| header.p_type == libc::PT_LOAD);
        let ends = loaded.map(|header| {
            let begin = self.base + header.p_vaddr as usize;
            begin..begin + header.p_memsz as usize
        });
        ends.reduce(|all, one| all.start.min(one.start)..all.end.max(one.end))
            .unwrap_or_default()
    }

    /// Returns the protection of the memory at an address, if the object lies there.
    pub fn protection(&self, address: usize) -> Option<c_int> {
        let in_it = |header: &&libc::Elf64_Phdr| {
            let start = self.base + header.p_vaddr as usize;
            (start..start + header.p_memsz as usize).contains(&address)
        };
        let of_type = |wanted: u32| {
            let headers = self.headers().iter();
            headers
                .filter(move |header| header.p_type == wanted)
                .find(in_it)
        };
        let loaded = of_type(libc::PT_LOAD)?;
        let flag = |bit, protection| {
            if loaded.p_flags & bit != 0 {
                protection
            } else {
                0
            }
        };
        let writable = match of_type(libc::PT_GNU_RELRO) {
            Some(_) => 0, // read-only once it is relocated
            None => flag(libc::PF_W, libc::PROT_WRITE),
        };
        Some(flag(libc::PF_R, libc::PROT_READ) | flag(libc::PF_X, libc::PROT_EXEC) | writable)
    }

    /// Returns whether the object lies at an address.
    pub fn holds(&self, address: usize) -> bool {
        self.protection(address).is_some()
    }

    /// Returns the symbols that the object may define, the first of them and their number.
    pub fn symbols(&self) -> (*const Symbol, usize) {
        let count = match self.gnu_hash.is_null() {
            false => self.gnu_count(),
            true if self.hash.is_null() => 0,
            // SAFETY: the second word of DT_HASH is the number of symbols.
            true => unsafe { self.hash.add(1).read() as usize },
        };
        (self.symbols, count)
    }

    /// Returns a symbol's name.
    ///
    /// # Safety
    /// The symbol is one of this object's table.
    pub unsafe fn name(&self, symbol: &Symbol) -> &CStr {
        // SAFETY: names are offsets into the table of strings, which end with NUL.
        unsafe { CStr::from_ptr(self.strings.add(symbol.st_name as usize)) }
    }

    /// Returns the address of a function that the object defines under this name.
    pub fn function(&self, name: &CStr) -> Option<usize> {
        let symbol = match self.gnu_hash.is_null() {
            false => self.gnu_lookup(name),
            true => self.plain_lookup(name),
        }?;
        let is_function = matches!(symbol.st_info & 15, 0 | 2 | 10); // NOTYPE, FUNC, GNU_IFUNC
        let defined = symbol.st_shndx != 0 && symbol.st_value != 0 && symbol.st_info >> 4 != 0;
        (is_function && defined).then(|| self.base + symbol.st_value as usize)
    }

    /// Returns the parts of the GNU hash table: buckets, chains, and the first symbol in it.
    fn gnu_parts(&self) -> (&[u32], *const u32, u32, &[u64], u32) {
        // SAFETY: the layout of DT_GNU_HASH: number of buckets, first symbol, words of
        // the Bloom filter, its shift; then filter, buckets, and a chain entry a symbol.
        unsafe {
            let head = self.gnu_hash;
            let [buckets, first, words, shift] = [0, 1, 2, 3].map(|i| head.add(i).read());
            let filter = head.add(4).cast::<u64>();
            let start = filter.add(words as usize).cast::<u32>();
            let chains = start.add(buckets as usize);
            (
                std::slice::from_raw_parts(start, buckets as usize),
                chains,
                first,
                std::slice::from_raw_parts(filter, words as usize),
                shift,
            )
        }
    }

    fn gnu_count(&self) -> usize {
        let (buckets, chains, first, ..) = self.gnu_parts();
        let last = buckets.iter().copied().max().unwrap_or(0);
        if last < first {
            return first as usize;
        }
        let mut at = last;
        // SAFETY: a chain ends with an odd entry, the last chain with that of the last symbol.
        while unsafe { chains.add((at - first) as usize).read() } & 1 == 0 {
            at += 1;
        }
        at as usize + 1
    }

    fn gnu_lookup(&self, name: &CStr) -> Option<&Symbol> {
        let hash = name.to_bytes().iter().fold(5381_u32, |hash, &byte| {
            hash.wrapping_mul(33).wrapping_add(u32::from(byte))
        });
        let (buckets, chains, first, filter, shift) = self.gnu_parts();
        let word = filter.get(hash as usize / 64 % filter.len().max(1))?;
        let bits = 1 << (hash % 64) | 1 << (hash.wrapping_shr(shift) % 64);
        if word & bits != bits {
            return None;
        }
        let mut at = *buckets.get(hash as usize % buckets.len().max(1))?;
        while at >= first {
            // SAFETY: a chain holds symbols of the table up to its odd entry.
            let (entry, symbol) = unsafe {
                let entry = chains.add((at - first) as usize).read();
                (entry, &*self.symbols.add(at as usize))
            };
            // SAFETY: the symbol is of this table.
            if entry | 1 == hash | 1 && unsafe { self.name(symbol) } == name {
                return Some(symbol);
            }
            if entry & 1 == 1 {
                break;
            }
            at += 1;
        }
        None
    }

    /// The same in an object without a GNU hash table.
    fn plain_lookup(&self, name: &CStr) -> Option<&Symbol> {
        let (symbols, count) = self.symbols();
        (0..count).find_map(|at| {
            // SAFETY: `at` is less than the number of symbols.
            let symbol = unsafe { &*symbols.add(at) };
            // SAFETY: the symbol is of this table.
            (unsafe { self.name(symbol) } == name).then_some(symbol)
        })
    }

    /// Gives every place that takes a symbol's address to `visit`: symbol and place.
    pub fn uses(&self, mut visit: impl FnMut(&Symbol, *mut usize)) {
        for range in self.relocations.iter().cloned() {
            for at in range.step_by(size_of::<Relocation>()) {
                // SAFETY: the loader has read this table to its end, and the symbols it names.
                unsafe {
                    let relocation = &*(at as *const Relocation);
                    let symbol = &*self.symbols.add((relocation.info >> 32) as usize);
                    if relocation.info >> 32 != 0 {
                        let place = self.base + relocation.offset as usize;
                        visit(symbol, place as *mut usize);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own_libc(object: &Object) -> bool {
        object.holds(libc::getpid as *const () as usize)
    }

    #[test]
    fn functions_are_found_in_the_object_that_defines_them() {
        let found = find(|object| object.function(c"getpid"));
        assert!(found.is_some());
        let in_libc = find(|object| own_libc(object).then(|| object.function(c"getpid")));
        assert_eq!(found, in_libc.flatten());
        assert!(find(|object| object.function(c"no_such_function")).is_none());
    }

    #[test]
    fn every_function_of_an_object_is_among_its_symbols() {
        let listed = find(|object| {
            own_libc(object).then(|| {
                let (symbols, count) = object.symbols();
                (0..count).any(|at| {
                    // SAFETY: `at` is less than the number of symbols.
                    unsafe { object.name(&*symbols.add(at)) == c"getpid" }
                })
            })
        });
        assert_eq!(listed, Some(true));
    }

    #[test]
    fn code_is_not_writable_and_data_is() {
        static DATA: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(0);
        let protection = |address: usize| find(|object| object.protection(address));
        let code = protection(own_libc as *const () as usize).unwrap();
        assert_eq!(code & libc::PROT_WRITE, 0);
        assert_ne!(code & libc::PROT_EXEC, 0);
        let data = protection(ptr::from_ref(&DATA) as usize).unwrap();
        assert_ne!(data & libc::PROT_WRITE, 0);
    }
}
