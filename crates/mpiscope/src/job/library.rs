//! Which MPI library belongs to a launcher.
//!
//! A program has it from its own linking; the command, which has none, looks where launchers have
//! theirs: what the user says, what the loader is told to look at first, beside the launcher that
//! started this process or is on the path, and where systems keep libraries.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use mpi_abi::Family;
use mpiscope_run::launched::{Launcher, Started};

use crate::launch::launcher;
use crate::launch::program::{self, family_name};

/// The variable by which a user says which library it is.
pub const VARIABLE: &str = "MPISCOPE_LIBMPI";

/// What a user can do.
pub const REMEDY: &str =
    "start it with the launcher of the MPI whose library this is, or name the \
                          library of the launcher's MPI: MPISCOPE_LIBMPI=/…/libmpi.so";

/// Returns the binary interfaces that libraries of a launcher's MPI have, the likely first.
pub fn families(launcher: Launcher) -> &'static [Family] {
    match launcher {
        Launcher::OpenMpi => &[Family::OpenMpi, Family::StandardAbi],
        Launcher::Pmi => &[Family::Mpich, Family::StandardAbi],
        Launcher::AnyPmi => &[Family::Mpich, Family::OpenMpi, Family::StandardAbi],
        Launcher::Slurm => &[Family::OpenMpi, Family::Mpich, Family::StandardAbi],
    }
}

/// Names under which libraries of a family are installed.
fn names(family: Family) -> &'static [&'static str] {
    match family {
        Family::OpenMpi => &["libmpi.so.40", "libmpi.so"],
        Family::Mpich => &["libmpi.so.12", "libmpich.so.12", "libmpi.so", "libmpich.so"],
        Family::StandardAbi => &["libmpi_abi.so.0", "libmpi_abi.so"],
    }
}

/// Returns the library of the MPI whose launcher started this process.
pub fn of(started: &Started) -> Result<PathBuf> {
    if let Some(path) = env::var_os(VARIABLE).map(PathBuf::from) {
        return named(path, started.launcher);
    }
    let families = families(started.launcher);
    let found = find(families, &places());
    found.with_context(|| {
        let wanted: Vec<&str> = families.iter().map(|it| family_name(*it)).collect();
        format!(
            "no library of its MPI ({}) was found in LD_LIBRARY_PATH, beside the launcher, or \
             where the system has libraries; name it: {VARIABLE}=/…/libmpi.so",
            wanted.join(" or ")
        )
    })
}

/// Looks whether a library that the user named can be the launcher's.
fn named(path: PathBuf, launcher: Launcher) -> Result<PathBuf> {
    let shown = path.display();
    ensure!(path.is_file(), "{VARIABLE} names {shown}, which is no file");
    let family = family(&path).with_context(|| format!("{VARIABLE} names {shown}"))?;
    match family {
        Some(family) if !families(launcher).contains(&family) => bail!(
            "{VARIABLE} names {shown}, a library of {}, and the launcher is not; {REMEDY}",
            family_name(family)
        ),
        _ => Ok(path),
    }
}

/// Returns the interface of a library, where known for sure; an error if it is none of MPI.
fn family(path: &Path) -> Result<Option<Family>> {
    // Links often leave out the number that tells it.
    let file = path.canonicalize()?;
    let library = program::library(&[file])?;
    Ok(library
        .context("no MPI library: it has no PMPI_Init")?
        .family)
}

/// Returns the first library of the first family that is there: of a family in the first place.
fn find(families: &[Family], places: &[PathBuf]) -> Option<PathBuf> {
    let of_family = |wanted: &Family| {
        let is = |path: &PathBuf| path.is_file() && family(path).ok().flatten() == Some(*wanted);
        let each = places.iter().flat_map(|place| {
            let names = names(*wanted).iter();
            names.map(move |name| place.join(name))
        });
        each.into_iter().find(is)
    };
    families.iter().find_map(of_family)
}

/// Returns the directories that may hold the launcher's library, the likely first.
fn places() -> Vec<PathBuf> {
    let told = env::split_paths(&env::var_os("LD_LIBRARY_PATH").unwrap_or_default()).collect();
    let path: Vec<PathBuf> = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
    let on_path = |name: &str| {
        let mut files = path.iter().map(|place| place.join(name));
        files.find(|file| file.is_file())?.canonicalize().ok()
    };
    let launchers = ancestors()
        .into_iter()
        .chain(launcher::names().filter_map(on_path));
    let beside = launchers.flat_map(|program| beside(&program));
    let system = ["/usr/local", "/usr", "/"]
        .into_iter()
        .flat_map(|prefix| under(Path::new(prefix)));
    let told: Vec<PathBuf> = told;
    told.into_iter().chain(beside).chain(system).collect()
}

/// Returns the programs that started this process, the nearest first: the launcher's daemon is one
/// of them, unless it is another user's.
fn ancestors() -> Vec<PathBuf> {
    let mut programs = Vec::new();
    let mut id = std::os::unix::process::parent_id();
    while id > 1 && programs.len() < 8 {
        let process = PathBuf::from(format!("/proc/{id}"));
        programs.extend(fs::read_link(process.join("exe")));
        let status = fs::read_to_string(process.join("status")).unwrap_or_default();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        id = parent.and_then(|id| id.trim().parse().ok()).unwrap_or(0);
    }
    programs
}

/// Returns where the libraries of a program's installation lie.
fn beside(program: &Path) -> Vec<PathBuf> {
    let prefix = program.parent().and_then(Path::parent);
    prefix.map_or_else(Vec::new, under)
}

/// Returns where libraries lie under a prefix.
fn under(prefix: &Path) -> Vec<PathBuf> {
    let multiarch = format!("lib/{}-linux-gnu", env::consts::ARCH);
    let folders = ["lib64", "lib", &multiarch, "lib/release"].map(OsString::from);
    folders.iter().map(|folder| prefix.join(folder)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::compile;

    /// A directory with a library of each family.
    fn installed() -> Option<tempfile::TempDir> {
        let folder = tempfile::tempdir().unwrap();
        let open = "int PMPI_Init(){return 0;} int ompi_mpi_comm_world;";
        let other = "int PMPI_Init(){return 0;}";
        for (name, source) in [("libmpi.so.40", open), ("libmpich.so.12", other)] {
            let library = compile("gcc", source, &["-shared", "-fPIC"])?;
            fs::copy(library.path(), folder.path().join(name)).unwrap();
        }
        Some(folder)
    }

    #[test]
    fn each_launcher_gets_its_own() {
        let Some(folder) = installed() else {
            return;
        };
        let places = [PathBuf::from("/no/such"), folder.path().to_owned()];
        let name = |launcher| {
            let found = find(families(launcher), &places).unwrap();
            found.file_name().unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(name(Launcher::OpenMpi), "libmpi.so.40");
        assert_eq!(name(Launcher::Pmi), "libmpich.so.12");
        assert!(find(families(Launcher::OpenMpi), &places[..1]).is_none());
    }

    #[test]
    fn a_library_that_is_named_must_fit_the_launcher() {
        let Some(folder) = installed() else {
            return;
        };
        let named = |name: &str, launcher| named(folder.path().join(name), launcher);
        assert!(named("libmpich.so.12", Launcher::Pmi).is_ok());
        assert!(named("libmpich.so.12", Launcher::Slurm).is_ok());
        let error = named("libmpich.so.12", Launcher::OpenMpi).unwrap_err();
        assert!(error.to_string().contains("a library of MPICH"), "{error}");
        let error = named("libmpi.so.7", Launcher::OpenMpi).unwrap_err();
        assert!(error.to_string().contains("no file"), "{error}");
    }
}
