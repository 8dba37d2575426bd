//! Fits a copy of the agent to one MPI library: bytes in, bytes out.
//!
//! The agent exports a wrapper for every MPI function there is. A program that
//! asks whether its library has, say, `MPI_Isend_c` must not be told yes by us.
//! So each exported `MPI_*` or `mpi_*_` that the library does not define is
//! hidden: made an undefined weak symbol, which the dynamic loader passes over.

use std::collections::BTreeSet;
use std::ops::Range;

use anyhow::{ensure, Context, Result};
use object::elf::{self, Dyn64, FileHeader64, Rela64};
use object::read::elf::{Dyn, FileHeader, Rela, SectionHeader, Sym};
use object::{Endian, Endianness};

use crate::launch::program::is_mpi_name;

/// Sizes and offsets of `Elf64_Sym` and `Elf64_Rela` (System V gABI).
const SYMBOL: usize = 24;
const SYMBOL_INFO: usize = 4;
const SYMBOL_SECTION: usize = 6;
const SYMBOL_VALUE: usize = 8;
const RELOCATION: usize = 24;
const RELOCATION_INFO: usize = 8;

/// Relocations that take a symbol's address, and the one that takes an address
/// within the library itself, per machine.
const ADDRESSES: &[(elf::Machine, &[elf::RelocationType], elf::RelocationType)] = &[
    (
        elf::EM_X86_64,
        &[
            elf::R_X86_64_64,
            elf::R_X86_64_GLOB_DAT,
            elf::R_X86_64_JUMP_SLOT,
        ],
        elf::R_X86_64_RELATIVE,
    ),
    (
        elf::EM_AARCH64,
        &[
            elf::R_AARCH64_ABS64,
            elf::R_AARCH64_GLOB_DAT,
            elf::R_AARCH64_JUMP_SLOT,
        ],
        elf::R_AARCH64_RELATIVE,
    ),
];

/// Returns a copy of the library `agent` that exports, of MPI's names, only `known` ones.
pub fn trim(agent: &[u8], known: &BTreeSet<String>) -> Result<Vec<u8>> {
    let mut copy = agent.to_vec();
    let hidden = hide(agent, known, &mut copy)?;
    keep_own_uses(agent, &hidden, &mut copy)?;
    Ok(copy)
}

/// A symbol that was hidden: its index and the address it had.
struct Hidden {
    index: u32,
    address: u64,
}

fn hide(agent: &[u8], known: &BTreeSet<String>, copy: &mut [u8]) -> Result<Vec<Hidden>> {
    let (file, endian) = parse(agent)?;
    let sections = file.sections(endian, agent)?;
    let symbols = sections.symbols(endian, agent, elf::SHT_DYNSYM)?;
    let table = sections
        .section(symbols.section())
        .context("no dynamic symbols")?;
    let start = usize::try_from(table.sh_offset(endian))?;
    let mut hidden = Vec::new();
    for (index, symbol) in symbols.enumerate() {
        let name = String::from_utf8_lossy(symbol.name(endian, symbols.strings())?);
        if symbol.is_undefined(endian) || !is_mpi_name(&name) || known.contains(&*name) {
            continue;
        }
        hidden.push(Hidden {
            index: u32::try_from(index.0)?,
            address: symbol.st_value(endian),
        });
        let at = start + index.0 * SYMBOL;
        let weak = elf::SymbolInfo::new(elf::STB_WEAK, symbol.st_type()).0;
        patch(copy, at + SYMBOL_INFO..at + SYMBOL_SECTION - 1, &[weak])?;
        patch(copy, at + SYMBOL_SECTION..at + SYMBOL_VALUE, &[0; 2])?;
        patch(copy, at + SYMBOL_VALUE..at + SYMBOL_VALUE + 8, &[0; 8])?;
    }
    Ok(hidden)
}

/// Makes the library's own uses of hidden symbols independent of their names:
/// left as they are, the loader would resolve them to null.
fn keep_own_uses(agent: &[u8], hidden: &[Hidden], copy: &mut [u8]) -> Result<()> {
    let (file, endian) = parse(agent)?;
    let machine = file.e_machine(endian);
    let Some((_, addresses, relative)) = ADDRESSES.iter().find(|row| row.0 == machine) else {
        return Ok(());
    };
    let sections = file.sections(endian, agent)?;
    // A lazily bound call has to keep its name: the loader accepts nothing else there.
    let bound_at_load = binds_at_load(agent)?;
    for section in sections.iter() {
        let Some((relocations, _)) = section.rela(endian, agent)? else {
            continue;
        };
        let start = usize::try_from(section.sh_offset(endian))?;
        for (number, relocation) in relocations.iter().enumerate() {
            let relocation: &Rela64<Endianness> = relocation;
            let symbol = relocation.r_sym(endian, false);
            let Ok(found) = hidden.binary_search_by_key(&symbol, |hidden| hidden.index) else {
                continue;
            };
            if !addresses.contains(&relocation.r_type(endian, false)) {
                continue;
            }
            ensure!(
                bound_at_load,
                "the agent calls itself by name and must be linked with -z now"
            );
            let added = relocation.r_addend(endian) as u64;
            let target = hidden[found].address.wrapping_add(added);
            let at = start + number * RELOCATION + RELOCATION_INFO;
            patch(copy, at..at + 8, &u64::from(relative.0).to_le_bytes())?;
            patch(copy, at + 8..at + 16, &target.to_le_bytes())?;
        }
    }
    Ok(())
}

/// Returns whether the library was linked with `-z now`, as Rust's are.
fn binds_at_load(agent: &[u8]) -> Result<bool> {
    let (file, endian) = parse(agent)?;
    let sections = file.sections(endian, agent)?;
    let Some((entries, _)) = sections.dynamic(endian, agent)? else {
        return Ok(false);
    };
    let bit = |entry: &Dyn64<Endianness>, tag: elf::DynamicTag, bit: u64| {
        entry.d_tag(endian) == tag && entry.d_val(endian) & bit != 0
    };
    Ok(entries.iter().any(|entry| {
        bit(entry, elf::DT_FLAGS, elf::DF_BIND_NOW.0)
            || bit(entry, elf::DT_FLAGS_1, elf::DF_1_NOW.0)
    }))
}

fn parse(agent: &[u8]) -> Result<(&FileHeader64<Endianness>, Endianness)> {
    let file = FileHeader64::<Endianness>::parse(agent)?;
    let endian = file.endian()?;
    ensure!(endian.is_little_endian(), "a big-endian library");
    Ok((file, endian))
}

fn patch(copy: &mut [u8], at: Range<usize>, bytes: &[u8]) -> Result<()> {
    let place = copy
        .get_mut(at)
        .context("a table reaches beyond the file")?;
    place.copy_from_slice(bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::elf::exports;
    use crate::testing::{compile, Compiled};
    use std::process::Command;

    /// Counts calls of its wrappers through a table of addresses, as an agent may.
    const AGENT: &str = r#"
        int MPI_Send(void) { return 1; }
        int MPI_Isend_c(void) { return 2; }
        int mpi_send_(void) { return 4; }
        int mpiscope_sum(void);
        int (*mpiscope_table[])(void) = { MPI_Send, MPI_Isend_c, mpi_send_ };
        int mpiscope_sum(void) {
            return mpiscope_table[0]() + mpiscope_table[1]() + mpiscope_table[2]() + MPI_Isend_c();
        }"#;

    const FLAGS: [&str; 4] = ["-shared", "-fPIC", "-O0", "-Wl,-z,now"];

    fn trimmed(known: &[&str]) -> Option<Compiled> {
        let library = compile("gcc", AGENT, &FLAGS)?;
        let known = known.iter().map(|name| name.to_string()).collect();
        let bytes = std::fs::read(library.path()).unwrap();
        std::fs::write(library.path(), trim(&bytes, &known).unwrap()).unwrap();
        Some(library)
    }

    #[test]
    fn only_known_names_of_mpi_stay_visible() {
        let Some(library) = trimmed(&["MPI_Send", "MPI_Recv"]) else {
            return;
        };
        let names = exports(library.path()).unwrap().names;
        let is_ours = |name: &&String| name.to_lowercase().starts_with("mpi");
        let shown: Vec<&String> = names.iter().filter(is_ours).collect();
        assert_eq!(shown, ["MPI_Send", "mpiscope_sum", "mpiscope_table"]);
    }

    #[test]
    fn a_trimmed_library_still_works_when_preloaded() {
        let (Some(library), Some(program)) = (
            trimmed(&["MPI_Send"]),
            compile(
                "gcc",
                r#"
                #define _GNU_SOURCE
                #include <dlfcn.h>
                int main(void) {
                    int (*sum)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "mpiscope_sum");
                    if (!sum || sum() != 1 + 2 + 4 + 2) return 3;
                    if (!dlsym(RTLD_DEFAULT, "MPI_Send")) return 4;
                    if (dlsym(RTLD_DEFAULT, "MPI_Isend_c")) return 5;
                    return 0;
                }"#,
                &[],
            ),
        ) else {
            return;
        };
        let status = Command::new(program.path())
            .env("LD_PRELOAD", library.path())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(0));
    }

    #[test]
    fn a_library_that_binds_lazily_is_refused_if_it_calls_itself() {
        let flags = ["-shared", "-fPIC", "-O0", "-Wl,-z,lazy"];
        let Some(library) = compile("gcc", AGENT, &flags) else {
            return;
        };
        let error = trim(&std::fs::read(library.path()).unwrap(), &BTreeSet::new());
        assert!(error.unwrap_err().to_string().contains("-z now"));
    }

    #[test]
    fn a_library_cut_short_is_an_error_or_a_copy_but_no_panic() {
        let Some(library) = compile("gcc", AGENT, &FLAGS) else {
            return;
        };
        let bytes = std::fs::read(library.path()).unwrap();
        for length in (0..bytes.len()).step_by(61) {
            let _ = trim(&bytes[..length], &BTreeSet::new());
        }
        assert!(trim(b"no library", &BTreeSet::new()).is_err());
    }
}
