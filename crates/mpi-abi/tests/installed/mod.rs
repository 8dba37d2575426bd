//! The MPIs installed on this machine; tests go through all of them, and say so
//! when there is none.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use mpi_abi::Family;

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

/// A C compiler with an `mpi.h`: Debian's, and those of PyPI's wheels in `target/mpi4py`.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// The compiler with its options; `{}` is the folder.
    words: &'static str,
    /// Its folder in `target/mpi4py`.
    pub environment: &'static str,
    pub family: Family,
}

const HEADERS: [Header; 7] = [
    header("mpicc.openmpi", "", Family::OpenMpi),
    header("mpicc.mpich", "", Family::Mpich),
    header("{}/bin/mpicc", "openmpi", Family::OpenMpi),
    header("{}/bin/mpicc", "mpich", Family::Mpich),
    header("{}/bin/mpicc_abi", "mpich", Family::StandardAbi),
    header("{}/bin/mpicc", "intel", Family::Mpich),
    header("{}/bin/mpicc -mpi-abi", "intel", Family::StandardAbi),
];

const fn header(words: &'static str, environment: &'static str, family: Family) -> Header {
    Header {
        words,
        environment,
        family,
    }
}

/// Calls `check` for each `mpi.h` that is here; says which are not.
pub fn for_each_header(check: impl Fn(Header)) {
    for header in HEADERS {
        let found = header.compiler().arg("--version").output();
        match found {
            Ok(output) if output.status.success() => check(header),
            _ => missing::missing(&format!("no {} {}", header.words, header.environment)),
        }
    }
}

impl Header {
    fn compiler(&self) -> Command {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/mpi4py");
        let folder = root.join(self.environment);
        let folder = folder.canonicalize().unwrap_or(folder);
        let mut words = self.words.split_whitespace();
        let compiler = words.next().unwrap_or_default();
        let mut command = Command::new(compiler.replace("{}", &folder.to_string_lossy()));
        // Intel's compilers look for their folder there.
        command.args(words).env("I_MPI_ROOT", folder);
        command
    }

    /// Compiles and runs a program of one process and returns what it prints.
    pub fn run(&self, source: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        let (text, program) = (dir.path().join("text.c"), dir.path().join("program"));
        fs::write(&text, source).unwrap();
        succeed(self.compiler().arg("-w").arg("-o").arg(&program).arg(&text));
        String::from_utf8(succeed(&mut Command::new(program)).stdout).unwrap()
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
