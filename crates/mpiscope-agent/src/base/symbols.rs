//! Functions of an object and where they begin, as its file tells: `.symtab`, or what is left of it
//! (System V gABI, 64 bits, little-endian).

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

const SYMTAB: u32 = 2;
const DYNSYM: u32 = 11;
/// Bytes of a section's header and of a symbol.
const HEADER: usize = 64;
const SYMBOL: usize = 24;
/// The type of a symbol that is a function.
const FUNC: u8 = 2;
/// More than any table has, so that a damaged file takes no more memory.
const MOST: u64 = 1 << 31;

/// A section: its type, where it lies, its size, the section it is linked with.
struct Section {
    kind: u32,
    at: u64,
    size: u64,
    link: u32,
}

/// Returns the functions that an object defines, by name and value, if it calls another of this
/// name; nothing if it does not.
///
/// # Errors
/// When the file cannot be read or is no such object.
pub fn functions_calling(path: &Path, name: &str) -> io::Result<Option<Vec<(String, u64)>>> {
    let file = File::open(path)?;
    let sections = sections(&file)?;
    let table = |kind| sections.iter().find(|section| section.kind == kind);
    let Some(dynamic) = table(DYNSYM) else {
        return Ok(None);
    };
    let (symbols, names) = read(&file, &sections, dynamic)?;
    let calls = |it: Symbol| it.section == 0 && it.name == name.as_bytes();
    if !each(&symbols, &names).any(calls) {
        return Ok(None);
    }
    let (symbols, names) = match table(SYMTAB) {
        Some(all) => read(&file, &sections, all)?,
        None => (symbols, names),
    };
    let defined = each(&symbols, &names)
        .filter(|symbol| symbol.kind & 15 == FUNC && symbol.section != 0 && symbol.value != 0);
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    Ok(Some(
        defined
            .map(|symbol| (text(symbol.name), symbol.value))
            .collect(),
    ))
}

struct Symbol<'a> {
    name: &'a [u8],
    kind: u8,
    section: u16,
    value: u64,
}

/// Goes through a table of symbols.
fn each<'a>(symbols: &'a [u8], names: &'a [u8]) -> impl Iterator<Item = Symbol<'a>> {
    symbols.chunks_exact(SYMBOL).filter_map(|symbol| {
        let name = names.get(word(symbol, 0)? as usize..)?;
        let end = name.iter().position(|&letter| letter == 0)?;
        Some(Symbol {
            name: &name[..end],
            kind: symbol[4],
            section: u16::from_le_bytes([symbol[6], symbol[7]]),
            value: long(symbol, 8)?,
        })
    })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn damaged() -> io::Error {
    io::Error::from(io::ErrorKind::InvalidData)
}

fn sections(file: &File) -> io::Result<Vec<Section>> {
    let mut head = [0; HEADER];
    file.read_exact_at(&mut head, 0)?;
    if head[..6] != *b"\x7fELF\x02\x01" {
        return Err(damaged());
    }
    let at = long(&head, 0x28).ok_or_else(damaged)?;
    let count = u16::from_le_bytes([head[0x3c], head[0x3d]]);
    let mut table = vec![0; usize::from(count) * HEADER];
    file.read_exact_at(&mut table, at)?;
    let section = |header: &[u8]| {
        Some(Section {
            kind: word(header, 4)?,
            at: long(header, 24)?,
            size: long(header, 32)?,
            link: word(header, 40)?,
        })
    };
    Ok(table.chunks_exact(HEADER).filter_map(section).collect())
}

/// Reads a table of symbols, and its names.
fn read(file: &File, sections: &[Section], table: &Section) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let names = sections.get(table.link as usize).ok_or_else(damaged)?;
    Ok((content(file, table)?, content(file, names)?))
}

fn content(file: &File, section: &Section) -> io::Result<Vec<u8>> {
    let there = file.metadata()?.len();
    if section.size > MOST
        || section
            .at
            .checked_add(section.size)
            .is_none_or(|end| end > there)
    {
        return Err(damaged());
    }
    let mut bytes = vec![0; section.size as usize];
    file.read_exact_at(&mut bytes, section.at)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_of_this_program_are_found() {
        let own = std::env::current_exe().unwrap();
        let found = functions_calling(&own, "malloc").unwrap().unwrap();
        assert!(found
            .iter()
            .any(|(name, value)| name == "main" && *value > 0));
        assert!(functions_calling(&own, "no such function")
            .unwrap()
            .is_none());
    }

    #[test]
    fn what_is_no_object_is_refused() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert!(functions_calling(&source, "malloc").is_err());
        assert!(functions_calling(Path::new("/nowhere"), "malloc").is_err());
    }
}
