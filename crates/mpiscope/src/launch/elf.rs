//! What an executable file or shared library says of itself, without running it.
//!
//! Enough to decide whether, and for which MPI, an agent can be preloaded:
//! script or ELF, its dynamic loader, the functions it defines, its build id.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{bail, Context, Result};
use object::read::elf::{ElfFile64, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol, ReadCache};

/// What a file is.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    /// Begins with `#!`.
    Script,
    /// A 64-bit ELF file.
    Elf(Elf),
    /// Anything else; holds a word for it.
    Foreign(&'static str),
}

/// An ELF file, as far as it concerns us.
#[derive(Debug, PartialEq, Eq)]
pub struct Elf {
    /// The dynamic loader it asks for; none if it is statically linked, or a library.
    pub interpreter: Option<PathBuf>,
    /// It defines `PMPI_Init` itself: a libmpi was linked into it.
    pub holds_mpi: bool,
}

/// What a shared library offers.
#[derive(Debug, Default)]
pub struct Exports {
    /// Names of its defined dynamic symbols.
    pub names: BTreeSet<String>,
    /// `NT_GNU_BUILD_ID` in hexadecimal digits; empty if it has none.
    pub build_id: String,
}

/// Reads what kind of file this is.
pub fn kind(path: &Path) -> Result<Kind> {
    let mut start = [0; 5];
    let length = open(path)?
        .read(&mut start)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(match &start[..length] {
        [b'#', b'!', ..] => Kind::Script,
        [0x7f, b'E', b'L', b'F', 2] => Kind::Elf(elf(path)?),
        [0x7f, b'E', b'L', b'F', ..] => Kind::Foreign("a 32-bit program"),
        _ => Kind::Foreign("neither an ELF program nor a script"),
    })
}

fn elf(path: &Path) -> Result<Elf> {
    let cache = ReadCache::new(open(path)?);
    let file = ElfFile64::<Endianness, _>::parse(&cache).with_context(|| damaged(path))?;
    let endian = file.endian();
    let mut interpreter = None;
    for header in file.elf_program_headers() {
        if let Some(name) = header
            .interpreter(endian, &cache)
            .with_context(|| damaged(path))?
        {
            interpreter = Some(PathBuf::from(String::from_utf8_lossy(name).into_owned()));
        }
    }
    let holds_mpi = file
        .symbols()
        .chain(file.dynamic_symbols())
        .any(|symbol| symbol.is_definition() && symbol.name() == Ok("PMPI_Init"));
    Ok(Elf {
        interpreter,
        holds_mpi,
    })
}

/// Reads what a shared library exports.
pub fn exports(path: &Path) -> Result<Exports> {
    let cache = ReadCache::new(open(path)?);
    let file = ElfFile64::<Endianness, _>::parse(&cache).with_context(|| damaged(path))?;
    let names = file
        .dynamic_symbols()
        .filter(|symbol| !symbol.is_undefined())
        .filter_map(|symbol| symbol.name().ok().map(str::to_owned))
        .collect();
    let build_id = file.build_id().with_context(|| damaged(path))?;
    Ok(Exports {
        names,
        build_id: build_id.map(digits).unwrap_or_default(),
    })
}

/// Reads the names that a program or library takes from others.
pub fn imports(path: &Path) -> Result<BTreeSet<String>> {
    let cache = ReadCache::new(open(path)?);
    let file = ElfFile64::<Endianness, _>::parse(&cache).with_context(|| damaged(path))?;
    let taken = file.dynamic_symbols().filter(ObjectSymbol::is_undefined);
    Ok(taken
        .filter_map(|symbol| symbol.name().ok().map(str::to_owned))
        .collect())
}

fn digits(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the build id in hexadecimal digits; empty if there is none.
pub fn build_id(path: &Path) -> Result<String> {
    let cache = ReadCache::new(open(path)?);
    let file = ElfFile64::<Endianness, _>::parse(&cache).with_context(|| damaged(path))?;
    let id = file.build_id().with_context(|| damaged(path))?;
    Ok(id.map(digits).unwrap_or_default())
}

/// Reads the name of the file that holds the debug information, if one is named.
pub fn debug_link(path: &Path) -> Result<Option<String>> {
    let cache = ReadCache::new(open(path)?);
    let file = ElfFile64::<Endianness, _>::parse(&cache).with_context(|| damaged(path))?;
    let link = file.gnu_debuglink().with_context(|| damaged(path))?;
    Ok(link.map(|(name, _)| String::from_utf8_lossy(name).into_owned()))
}

/// Returns the shared libraries that a program would load, in order.
///
/// Asks the program's own loader, which looks them up as it would to run the
/// program (run paths, `LD_LIBRARY_PATH`), prints them, and does not run it.
/// Libraries that it does not find are left out.
pub fn libraries(interpreter: &Path, program: &Path) -> Result<Vec<PathBuf>> {
    let output = Command::new(interpreter)
        .arg("--list")
        .arg(program)
        // A preloaded library (our own agent among them) is none of the program's.
        .env_remove("LD_PRELOAD")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", interpreter.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if text.is_empty() && !output.status.success() {
        bail!(
            "{} --list {}: {}",
            interpreter.display(),
            program.display(),
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(text.lines().filter_map(listed).collect())
}

/// Reads one line of `--list`: `libm.so.6 => /lib/libm.so.6 (0x7f…)`, or without the arrow.
fn listed(line: &str) -> Option<PathBuf> {
    let (path, _address) = line.trim().rsplit_once(" (")?;
    let path = path.rsplit_once(" => ").map_or(path, |pair| pair.1);
    path.starts_with('/').then(|| PathBuf::from(path))
}

fn open(path: &Path) -> Result<File> {
    File::open(path).with_context(|| format!("cannot open {}", path.display()))
}

fn damaged(path: &Path) -> String {
    format!("{} is no intact ELF file", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::compile;

    #[test]
    fn a_dynamic_program_names_its_loader_and_libraries() {
        let Some(program) = compile("gcc", "int main(){return 0;}", &[]) else {
            return;
        };
        let Kind::Elf(elf) = kind(program.path()).unwrap() else {
            panic!("no ELF");
        };
        assert!(!elf.holds_mpi);
        let libraries = libraries(&elf.interpreter.unwrap(), program.path()).unwrap();
        assert!(libraries.iter().any(|path| path.ends_with("libc.so.6")));
    }

    #[test]
    fn a_static_program_names_no_loader() {
        let Some(program) = compile("gcc", "int main(){return 0;}", &["-static"]) else {
            return;
        };
        let expected = Elf {
            interpreter: None,
            holds_mpi: false,
        };
        assert_eq!(kind(program.path()).unwrap(), Kind::Elf(expected));
    }

    #[test]
    fn a_program_that_holds_its_mpi_is_found_out() {
        let source = "int PMPI_Init(){return 0;} int main(){return PMPI_Init();}";
        let Some(program) = compile("gcc", source, &[]) else {
            return;
        };
        let found = kind(program.path()).unwrap();
        assert!(matches!(
            found,
            Kind::Elf(Elf {
                holds_mpi: true,
                ..
            })
        ));
    }

    #[test]
    fn scripts_and_other_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let check = |bytes: &[u8], expected: Kind| {
            let path = folder.path().join("file");
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(kind(&path).unwrap(), expected);
        };
        check(b"#!/bin/sh\n", Kind::Script);
        check(b"", Kind::Foreign("neither an ELF program nor a script"));
        check(b"\x7fELF\x01\x01", Kind::Foreign("a 32-bit program"));
    }

    #[test]
    fn an_elf_file_cut_short_is_an_error() {
        let Some(program) = compile("gcc", "int main(){return 0;}", &[]) else {
            return;
        };
        let bytes = std::fs::read(program.path()).unwrap();
        for length in [5, 20, 63, 64, 100, 700] {
            let path = program.path().with_extension("cut");
            std::fs::write(&path, &bytes[..length]).unwrap();
            let error = format!("{:#}", kind(&path).unwrap_err());
            assert!(error.contains("is no intact ELF file"), "{error}");
        }
    }

    #[test]
    fn the_loaders_list_is_read_with_and_without_arrow() {
        let check = |line: &str, expected: Option<&str>| {
            assert_eq!(listed(line), expected.map(PathBuf::from), "{line}");
        };
        check(
            "\tlibm.so.6 => /lib/libm.so.6 (0x00007f)",
            Some("/lib/libm.so.6"),
        );
        check(
            "\t/lib64/ld-linux-x86-64.so.2 (0x00007f)",
            Some("/lib64/ld-linux-x86-64.so.2"),
        );
        check("\tlibmpi.so.40 => not found", None);
        check("\tlinux-vdso.so.1 (0x00007f)", None);
        check("\tstatically linked", None);
    }
}
