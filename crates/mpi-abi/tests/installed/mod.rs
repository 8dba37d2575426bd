//! The MPIs installed on this machine; tests go through all of them, and say so
//! when there is none.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "../../../../tests/missing.rs"]
mod missing;

/// An MPI with Debian's names for its compilers (`mpicc.openmpi`).
#[derive(Clone, Copy, Debug)]
pub struct Installed {
    pub name: &'static str,
}

const NAMES: [&str; 2] = ["openmpi", "mpich"];

/// Calls `check` for each MPI whose compiler (`mpicc`, `mpicxx`, `mpifort`) works.
pub fn for_each_mpi(compiler: &str, check: impl Fn(Installed)) {
    for name in NAMES {
        let found = Command::new(format!("{compiler}.{name}"))
            .arg("--version")
            .output();
        match found {
            Ok(output) if output.status.success() => check(Installed { name }),
            _ => missing::missing(&format!("no {compiler}.{name}")),
        }
    }
}

impl Installed {
    /// Compiles a source text and returns the file made.
    pub fn compile(&self, compiler: &str, source: &str, options: &[&str], dir: &Path) -> PathBuf {
        let extension = match compiler {
            "mpicc" => "c",
            "mpicxx" => "cc",
            _ => "f90",
        };
        let (text, out) = (dir.join(format!("text.{extension}")), dir.join("out.so"));
        fs::write(&text, source).unwrap();
        let mut command = Command::new(format!("{compiler}.{}", self.name));
        succeed(
            command
                .args(options)
                .arg("-w")
                .arg("-o")
                .arg(&out)
                .arg(&text),
        );
        out
    }

    /// Compiles and runs a program and returns what it prints.
    pub fn run(&self, compiler: &str, source: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        let program = self.compile(compiler, source, &[], dir.path());
        String::from_utf8(succeed(&mut Command::new(program)).stdout).unwrap()
    }

    /// Returns the MPI libraries that a program of this language is linked with.
    pub fn libraries(&self, compiler: &str) -> Vec<PathBuf> {
        let dir = tempfile::tempdir().unwrap();
        let source = match compiler {
            "mpifort" => "subroutine nothing\nend subroutine\n",
            _ => "int nothing;\n",
        };
        let options = ["-shared", "-fPIC", "-Wl,--no-as-needed"];
        let object = self.compile(compiler, source, &options, dir.path());
        let listed = succeed(Command::new("ldd").arg(object)).stdout;
        let listed = String::from_utf8(listed).unwrap();
        let paths = listed
            .lines()
            .filter_map(|line| line.split_whitespace().nth(2));
        paths
            .filter(|path| path.contains("/libmpi"))
            .map(PathBuf::from)
            .collect()
    }
}

/// Runs a command that must succeed.
#[track_caller]
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed:\n{said}");
    output
}

/// Returns the functions that a library defines for others.
pub fn exported_functions(library: &Path) -> Vec<String> {
    let listed = succeed(
        Command::new("nm")
            .args(["-D", "--defined-only"])
            .arg(library),
    )
    .stdout;
    let listed = String::from_utf8(listed).unwrap();
    let words = listed
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    words
        .filter(|words| matches!(words[..], [_, "T" | "W", _]))
        .map(|words| words[2].split('@').next().unwrap().to_owned())
        .collect()
}
