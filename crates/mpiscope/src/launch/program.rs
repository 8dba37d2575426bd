//! From a program's name to its file, and to the MPI library it will load.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use mpi_abi::Family;

use crate::launch::elf::{self, Kind};

/// Why a program cannot be started; `exec` returns what a shell would.
#[derive(Debug, thiserror::Error)]
pub enum Missing {
    /// No such file.
    #[error("{}: program not found", .0.display())]
    NotFound(PathBuf),
    /// There is a file, but it cannot be executed.
    #[error("{}: not executable", .0.display())]
    NotExecutable(PathBuf),
}

impl Missing {
    /// Returns a shell's exit code for it (POSIX.1-2017, XCU §2.8.2).
    pub fn exit_code(&self) -> u8 {
        match self {
            Missing::NotFound(_) => 127,
            Missing::NotExecutable(_) => 126,
        }
    }
}

/// Finds a program as `execvp` does: a name without `/` along PATH.
pub fn find(name: &OsStr) -> Result<PathBuf, Missing> {
    if name.as_encoded_bytes().contains(&b'/') {
        return check(PathBuf::from(name));
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    let mut refused = None;
    for folder in std::env::split_paths(&path) {
        match check(folder.join(name)) {
            Err(Missing::NotFound(_)) => {}
            Err(error) => refused = Some(error),
            found => return found,
        }
    }
    Err(refused.unwrap_or_else(|| Missing::NotFound(PathBuf::from(name))))
}

fn check(path: PathBuf) -> Result<PathBuf, Missing> {
    match path.metadata() {
        Ok(data) if data.is_file() && data.permissions().mode() & 0o111 != 0 => Ok(path),
        Ok(_) => Err(Missing::NotExecutable(path)),
        Err(_) => Err(Missing::NotFound(path)),
    }
}

/// How a program comes by its MPI.
#[derive(Debug)]
pub enum Linkage {
    /// It will load this shared library.
    Shared(Library),
    /// Its MPI, or the whole program, is statically linked: nothing can be preloaded.
    Static,
    /// It names none; it may load one while it runs, as Python does. Holds a word for the file.
    None(&'static str),
}

/// The MPI library that a program will load.
#[derive(Debug, Default)]
pub struct Library {
    /// The file that defines `PMPI_Init`.
    pub path: PathBuf,
    /// Its binary interface, where known for sure.
    pub family: Option<Family>,
    /// What it and its Fortran libraries export under MPI's names.
    pub names: BTreeSet<String>,
    /// Their build ids.
    pub build_ids: Vec<String>,
}

/// Returns whether a name is one of those by which programs call MPI.
pub fn is_mpi_name(name: &str) -> bool {
    let starts = ["MPI_", "mpi_", "PMPI_", "pmpi_"];
    starts.iter().any(|start| name.starts_with(start))
}

/// Finds the MPI library of the program in a file.
pub fn linkage(program: &Path) -> Result<Linkage> {
    let elf = match elf::kind(program)? {
        Kind::Script => return Ok(Linkage::None("a script")),
        Kind::Foreign(what) => return Ok(Linkage::None(what)),
        Kind::Elf(elf) => elf,
    };
    let Some(loader) = elf.interpreter.filter(|_| !elf.holds_mpi) else {
        return Ok(Linkage::Static);
    };
    let library = library(&elf::libraries(&loader, program)?)?;
    Ok(library.map_or(Linkage::None("not linked with MPI"), Linkage::Shared))
}

/// Picks the MPI library, with its Fortran companions, from all those that a program loads.
///
/// A name that another library defines before is that one's: a tool's, which goes on to
/// PMPI, or a function of the program's own that happens to be named so.
pub fn library(paths: &[PathBuf]) -> Result<Option<Library>> {
    let mut found = Library::default();
    let mut taken = BTreeSet::new();
    for path in paths {
        let exports = elf::exports(path)?;
        let is_mpi = |name: &String| name.starts_with("PMPI_") || name.starts_with("pmpi_");
        if !exports.names.iter().any(is_mpi) {
            taken.extend(exports.names.into_iter().filter(|name| is_mpi_name(name)));
            continue;
        }
        if exports.names.contains("PMPI_Init") && found.path.as_os_str().is_empty() {
            found.path = path.clone();
            found.family = family(path, &exports.names);
        }
        let is_free = |name: &String| is_mpi_name(name) && !taken.contains(name);
        found
            .names
            .extend(exports.names.into_iter().filter(is_free));
        found.build_ids.push(exports.build_id);
    }
    Ok((!found.path.as_os_str().is_empty()).then_some(found))
}

/// Names of libraries that tell their binary interface.
const FAMILY_BY_FILE: &[(&str, Family)] = &[
    ("libmpi_abi.so", Family::StandardAbi),
    ("libmpich.so", Family::Mpich),
    ("libmpi.so.12", Family::Mpich),
];

fn family(path: &Path, names: &BTreeSet<String>) -> Option<Family> {
    if names.contains("ompi_mpi_comm_world") {
        return Some(Family::OpenMpi);
    }
    let file = path.file_name()?.to_str()?;
    let row = FAMILY_BY_FILE.iter().find(|row| file.starts_with(row.0));
    row.map(|row| row.1)
}

/// Returns what people call a family.
pub fn family_name(family: Family) -> &'static str {
    match family {
        Family::OpenMpi => "Open MPI",
        Family::Mpich => "MPICH",
        Family::StandardAbi => "the standard ABI",
    }
}

/// The program that really uses MPI among the words of a command.
///
/// In `numactl -N 0 ./heat` the first word is not linked with MPI, a later one
/// is. If none is, the first word stands with its own linkage.
pub fn observed(words: &[OsString]) -> Result<Observed, Failure> {
    let path = find(&words[0])?;
    let first = linkage(&path)?;
    if !matches!(first, Linkage::None(_)) {
        return Ok(Observed {
            path,
            linkage: first,
        });
    }
    let others = words[1..].iter().filter_map(|word| find(word).ok());
    for other in others.filter(|other| matches!(elf::kind(other), Ok(Kind::Elf(_)))) {
        if let Ok(linkage @ Linkage::Shared(_)) = linkage(&other) {
            return Ok(Observed {
                path: other,
                linkage,
            });
        }
    }
    Ok(Observed {
        path,
        linkage: first,
    })
}

/// A program and where its MPI comes from.
#[derive(Debug)]
pub struct Observed {
    /// Its file.
    pub path: PathBuf,
    /// Its MPI.
    pub linkage: Linkage,
}

/// Why a command's program could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It cannot be started.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// It can, but reading it failed.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::compile;

    const MPI: &str = "#include <mpi.h>\nint main(){MPI_Init(0,0);return MPI_Finalize();}";

    #[track_caller]
    fn check_family(compiler: &str, expected: Family) {
        let Some(program) = compile(compiler, MPI, &[]) else {
            return;
        };
        let Linkage::Shared(library) = linkage(program.path()).unwrap() else {
            panic!("no shared MPI");
        };
        assert_eq!(library.family, Some(expected));
        assert!(library.names.contains("MPI_Send"), "{:?}", library.path);
        assert!(library.names.contains("PMPI_Send"), "{:?}", library.path);
        assert!(library.build_ids.iter().all(|id| id.len() >= 16));
    }

    #[test]
    fn the_library_of_an_mpi_program_is_found() {
        check_family("mpicc.openmpi", Family::OpenMpi);
        check_family("mpicc.mpich", Family::Mpich);
    }

    #[test]
    fn an_archive_of_mpi_linked_in_is_static() {
        let source = "int PMPI_Init(){return 0;} int main(){return PMPI_Init();}";
        for flags in [&[][..], &["-static"]] {
            if let Some(program) = compile("gcc", source, flags) {
                assert!(matches!(linkage(program.path()).unwrap(), Linkage::Static));
            }
        }
    }

    #[test]
    fn a_wrapper_stands_for_the_program_it_starts() {
        let Some(program) = compile("mpicc.mpich", MPI, &[]) else {
            return;
        };
        let words = [
            "env".into(),
            "A=b".into(),
            program.path().into(),
            "5".into(),
        ];
        let observed = observed(&words).unwrap();
        assert_eq!(observed.path, program.path());
        assert!(matches!(observed.linkage, Linkage::Shared(_)));
    }

    #[test]
    fn programs_are_found_as_a_shell_finds_them() {
        assert!(find(OsStr::new("sh")).unwrap().ends_with("sh"));
        assert_eq!(
            find(OsStr::new("no-such-program")).unwrap_err().exit_code(),
            127
        );
        assert_eq!(find(OsStr::new("./no/such")).unwrap_err().exit_code(), 127);
        assert_eq!(
            find(OsStr::new("/etc/passwd")).unwrap_err().exit_code(),
            126
        );
        assert_eq!(find(OsStr::new("/etc/")).unwrap_err().exit_code(), 126);
    }
}
