//! PyPI's mpi4py, under the MPIs of the system and those that PyPI has (`make setup`).

use std::path::{Path, PathBuf};
use std::process::Command;

use super::toolkit::{Toolkit, TOOLKITS};
use super::{missing, mpiscope, workspace};

/// An MPI that mpi4py loads when it is imported.
#[derive(Debug)]
pub struct Python(pub &'static Toolkit);

/// Returns the MPIs under which Python programs can be run here, each library's own interface;
/// says which are missing.
pub fn pythons() -> Vec<Python> {
    let own = TOOLKITS
        .iter()
        .filter(|toolkit| !toolkit.name.ends_with("standard ABI"));
    let found = own.filter(|toolkit| toolkit.python(&[""]).is_some());
    found.map(Python).collect()
}

/// Returns the folder of mpi4py's own tests.
pub fn suite() -> Option<PathBuf> {
    let folders = std::fs::read_dir(workspace().join("target/mpi4py/suite")).ok();
    let mut tests = folders
        .into_iter()
        .flatten()
        .map(|folder| folder.unwrap().path().join("test"))
        .filter(|tests| tests.join("main.py").is_file());
    let found = tests.next();
    if found.is_none() {
        missing("the tests of mpi4py");
    }
    found
}

impl Python {
    /// Returns a command that runs a Python program in `folder`, as it is or under `mpiscope MODE`.
    pub fn command(&self, folder: &Path, mode: &[&str], ranks: u32, words: &[&str]) -> Command {
        let mut before: Vec<PathBuf> = Vec::new();
        if !mode.is_empty() {
            before.push(mpiscope());
            let options = ["--force", "-o", "run", "--"];
            before.extend(mode.iter().chain(&options).map(PathBuf::from));
        }
        let program = self.0.python(words).expect("it was found");
        program.command(folder, &before, ranks)
    }
}
