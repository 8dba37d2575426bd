//! What a run was started with: each program's arguments and build, so that a
//! replay of another program, or with other arguments, is told before it
//! begins, and not by ranks that wait for what will never come.
//!
//! Launcher words are left out: hosts, bindings and the like may change, and
//! the number of ranks the agent compares.

use std::ffi::OsString;
use std::path::Path;

use mpiscope_archive::model::hash;
use serde::{Deserialize, Serialize};

use crate::launch::preflight::Plan;
use crate::launch::{elf, program};

/// A program of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Program {
    /// Name of the file, without its folder.
    pub name: String,
    /// The words behind it.
    pub arguments: Vec<String>,
    /// Build id of the program that uses MPI, or a hash of its file; empty if neither is known.
    pub build: String,
}

/// Returns the programs of a command; of a launcher that hides them, none.
pub fn programs(words: &[OsString], plan: &Plan) -> Vec<Program> {
    let ranges = plan.programs.iter().cloned();
    ranges
        .filter_map(|range| Program::of(words.get(range)?))
        .collect()
}

impl Program {
    fn of(words: &[OsString]) -> Option<Self> {
        let (first, arguments) = words.split_first()?;
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        let path = program::observed(words).map(|observed| observed.path);
        Some(Self {
            name: Path::new(first).file_name()?.to_string_lossy().into_owned(),
            arguments: arguments.iter().map(text).collect(),
            build: path.map(|path| build(&path)).unwrap_or_default(),
        })
    }
}

fn build(path: &Path) -> String {
    let id = elf::build_id(path).unwrap_or_default();
    if !id.is_empty() {
        return id;
    }
    let bytes = std::fs::read(path).unwrap_or_default();
    match bytes.is_empty() {
        true => String::new(),
        false => format!("file-{:016x}", hash::of_bytes(&bytes)),
    }
}

/// Says in what a command differs from the recorded one; nothing where one of them is not known.
pub fn differences(recorded: &[Program], given: &[Program]) -> Vec<String> {
    if recorded.is_empty() || given.is_empty() {
        return Vec::new();
    }
    if recorded.len() != given.len() {
        let (recorded, given) = (recorded.len(), given.len());
        return vec![format!(
            "the record is of {recorded} programs side by side, not of {given}"
        )];
    }
    let pairs = recorded.iter().zip(given);
    pairs.filter_map(|(a, b)| difference(a, b)).collect()
}

fn difference(recorded: &Program, given: &Program) -> Option<String> {
    let name = &recorded.name;
    if *name != given.name {
        return Some(format!(
            "the record is of the program {name}, not of {}",
            given.name
        ));
    }
    if recorded.arguments != given.arguments {
        return Some(format!(
            "the record is of {}, not of {}",
            line(recorded),
            line(given)
        ));
    }
    let differs = !recorded.build.is_empty() && recorded.build != given.build;
    differs.then(|| format!("{name} is not the file that was recorded: it was built anew since"))
}

fn line(program: &Program) -> String {
    let words = std::iter::once(&program.name).chain(&program.arguments);
    let words: Vec<&str> = words.map(String::as_str).collect();
    format!("`{}`", words.join(" "))
}

/// Functions that tell a program the time of day or draw random numbers.
const TELLING: &[&str] = &[
    "MPI_Wtime",
    "mpi_wtime_",
    "mpi_wtime_f08_",
    "clock_gettime",
    "gettimeofday",
    "time",
    "getrandom",
    "getentropy",
    "arc4random",
    "_gfortran_system_clock_4",
    "_gfortran_system_clock_8",
    "_gfortran_date_and_time",
    "_gfortran_random_r4",
    "_gfortran_random_r8",
    "_ZNSt6chrono3_V212steady_clock3nowEv",
    "_ZNSt6chrono3_V212system_clock3nowEv",
    "_ZNSt13random_device9_M_getvalEv",
];

/// Returns which functions the programs may ask for the time or for chance: no record has the answers.
pub fn asks_the_system(words: &[OsString], plan: &Plan) -> Vec<String> {
    let ranges = plan.programs.iter().cloned();
    let mut found: Vec<String> = ranges
        .filter_map(|range| program::observed(words.get(range)?).ok())
        .flat_map(|observed| elf::imports(&observed.path).unwrap_or_default())
        .filter(|name| TELLING.contains(&name.as_str()))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(name: &str, arguments: &[&str], build: &str) -> Program {
        Program {
            name: name.into(),
            arguments: arguments.iter().map(ToString::to_string).collect(),
            build: build.into(),
        }
    }

    #[track_caller]
    fn check(given: Program, expected: &[&str]) {
        let recorded = program("heat", &["18", "-v"], "aa");
        assert_eq!(differences(&[recorded], &[given]), expected);
    }

    #[test]
    fn name_arguments_and_build_are_compared_in_this_order() {
        check(program("heat", &["18", "-v"], "aa"), &[]);
        check(
            program("wave", &["19"], "bb"),
            &["the record is of the program heat, not of wave"],
        );
        check(
            program("heat", &["19", "-v"], "bb"),
            &["the record is of `heat 18 -v`, not of `heat 19 -v`"],
        );
        check(
            program("heat", &["18", "-v"], "bb"),
            &["heat is not the file that was recorded: it was built anew since"],
        );
    }

    #[test]
    fn what_is_not_known_is_no_difference() {
        let heat = || program("heat", &[], "aa");
        assert_eq!(differences(&[], &[heat()]), [""; 0]);
        assert_eq!(differences(&[heat()], &[]), [""; 0]);
        let unknown = program("heat", &[], "");
        assert_eq!(differences(&[unknown], &[heat()]), [""; 0]);
    }
}
