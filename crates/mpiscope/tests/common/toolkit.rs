//! Every MPI that is here with every language it has: how programs are compiled and started.
//!
//! Debian's two, and those that PyPI has, in the environments of `make setup`
//! (`target/mpi4py`). A row of [`TOOLKITS`] is an MPI; what it has not says why.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::mpi::changed;
use super::{is_command, missing, mpiscope, process, workspace, Done};

/// An MPI and its languages.
#[derive(Debug)]
pub struct Toolkit {
    /// As the book's table calls it.
    pub name: &'static str,
    /// What the library says of itself: its name, and how its version begins.
    pub library: (&'static str, &'static str),
    /// Its folder in `target/mpi4py`, if it is not the system's. `{}` in words and variables.
    environment: Option<&'static str>,
    /// Its launcher, with options.
    launcher: &'static str,
    /// What its programs need in their environment.
    variables: &'static [(&'static str, &'static str)],
    /// How it is come by in each of [`LANGUAGES`].
    ways: [Way; LANGUAGES.len()],
    /// Whether waiting ranks spin, so that few exchanges may be made on few cores.
    pub spins: bool,
}

/// A language of MPI programs.
#[derive(Debug)]
pub struct Language {
    /// As the book's table calls it.
    pub name: &'static str,
    /// The program in it, in `tests/mpi/languages`.
    pub source: &'static str,
}

/// All of them.
pub static LANGUAGES: [Language; 7] = [
    language("C", "c.c"),
    language("C++", "cxx.cc"),
    language("`mpif.h`", "mpif.f"),
    language("`use mpi`", "usempi.f90"),
    language("`use mpi_f08`", "f08.f90"),
    language("Python", "python.py"),
    language("Rust", "rust/src/main.rs"),
];

/// Of Python's program among them.
const PYTHON: usize = 5;

const fn language(name: &'static str, source: &'static str) -> Language {
    Language { name, source }
}

/// How a program comes to be.
#[derive(Debug)]
enum Way {
    /// A compiler with the options that go behind the source.
    Compiler(&'static str),
    /// PyPI's mpi4py in this environment, with these variables more.
    Mpi4py(&'static str, &'static [(&'static str, &'static str)]),
    /// rsmpi, built by this C compiler, with the folder of libraries.
    Rsmpi(&'static str, &'static str),
    /// Why it cannot.
    Absent(&'static str),
}

use Way::{Absent, Compiler, Mpi4py, Rsmpi};

const NO_FORTRAN: Way = Absent("PyPI's wheel has no Fortran");
const NO_FINT: Way = Absent("rsmpi 0.8 needs `MPI_Fint`, which this `mpi.h` has not");
/// The same module for all libraries of the standard ABI: built of mpi4py's sources, as PyPI's
/// wheels of it are for the two others.
const STANDARD_PYTHON: &str = "standard-abi";

const AS_ROOT: &[(&str, &str)] = &[
    // Open MPI refuses root unless told twice, and its launcher has had two names.
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("PRTE_ALLOW_RUN_AS_ROOT", "1"),
    ("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
];
/// Its `mpirun` is a script that starts the first `mpiexec.hydra` in PATH, which may be MPICH's:
/// ranks take themselves for those of several hosts then.
const INTEL_LAUNCHER: &str = "{}/bin/mpiexec";
/// The wheel's compilers look for `I_MPI_ROOT`; its libfabric is for networks that are not here.
const INTEL: &[(&str, &str)] = &[("I_MPI_ROOT", "{}"), ("I_MPI_FABRICS", "shm")];

/// A row per MPI.
pub static TOOLKITS: [Toolkit; 7] = [
    Toolkit {
        name: "Open MPI 4.1",
        library: ("Open MPI", "4.1."),
        environment: None,
        launcher: "mpirun.openmpi --oversubscribe",
        variables: AS_ROOT,
        ways: [
            Compiler("mpicc.openmpi"),
            Compiler("mpicxx.openmpi"),
            Compiler("mpif90.openmpi"),
            Compiler("mpif90.openmpi"),
            Compiler("mpif90.openmpi"),
            Mpi4py("system", &[]),
            Rsmpi("mpicc.openmpi", ""),
        ],
        spins: false,
    },
    Toolkit {
        name: "Open MPI 5.0",
        library: ("Open MPI", "5.0."),
        environment: Some("openmpi"),
        launcher: "{}/bin/mpirun --oversubscribe",
        variables: AS_ROOT,
        ways: [
            Compiler("{}/bin/mpicc"),
            Compiler("{}/bin/mpicxx"),
            NO_FORTRAN,
            NO_FORTRAN,
            NO_FORTRAN,
            Mpi4py("openmpi", &[]),
            Rsmpi("{}/bin/mpicc", "{}/lib"),
        ],
        spins: false,
    },
    Toolkit {
        name: "MPICH 4.0",
        library: ("MPICH", "4.0."),
        environment: None,
        launcher: "mpirun.mpich",
        variables: &[],
        ways: [
            Compiler("mpicc.mpich"),
            Compiler("mpicxx.mpich"),
            Compiler("mpif90.mpich"),
            Compiler("mpif90.mpich"),
            Compiler("mpif90.mpich"),
            // PyPI's module asks for MPICH by the name that MPICH itself gives it.
            Mpi4py(
                "system",
                &[
                    ("MPI4PY_LIBMPI", "{links}/libmpi.so.12"),
                    ("LD_LIBRARY_PATH", "{links}"),
                ],
            ),
            Rsmpi("mpicc.mpich", ""),
        ],
        spins: true,
    },
    Toolkit {
        name: "MPICH 5.0",
        library: ("MPICH", "5.0."),
        environment: Some("mpich"),
        launcher: "{}/bin/mpirun",
        variables: &[],
        ways: [
            Compiler("{}/bin/mpicc"),
            Compiler("{}/bin/mpicxx"),
            NO_FORTRAN,
            NO_FORTRAN,
            NO_FORTRAN,
            Mpi4py("mpich", &[]),
            Rsmpi("{}/bin/mpicc", "{}/lib"),
        ],
        spins: true,
    },
    Toolkit {
        name: "MPICH 5.0, standard ABI",
        library: ("MPICH", "5.0."),
        environment: Some("mpich"),
        launcher: "{}/bin/mpirun",
        variables: &[],
        ways: [
            Compiler("{}/bin/mpicc_abi"),
            Compiler("{}/bin/mpicxx_abi"),
            NO_FORTRAN,
            NO_FORTRAN,
            NO_FORTRAN,
            Mpi4py(STANDARD_PYTHON, &[("LD_LIBRARY_PATH", "{}/lib")]),
            NO_FINT,
        ],
        spins: true,
    },
    Toolkit {
        name: "Intel MPI 2021.18",
        library: ("Intel MPI", "2021.18."),
        environment: Some("intel"),
        launcher: INTEL_LAUNCHER,
        variables: INTEL,
        ways: [
            Compiler("{}/bin/mpicc"),
            Compiler("{}/bin/mpicxx"),
            // Its own mpif90 looks for gfortran's modules where the wheel has none.
            Compiler(GFORTRAN_INTEL),
            Compiler(GFORTRAN_INTEL),
            Absent("the wheel's modules are for Intel's compiler alone"),
            Mpi4py("intel", &[]),
            Rsmpi("{}/bin/mpicc", "{}/lib"),
        ],
        spins: true,
    },
    Toolkit {
        name: "Intel MPI 2021.18, standard ABI",
        library: ("Intel MPI", "2021.18."),
        environment: Some("intel"),
        launcher: INTEL_LAUNCHER,
        variables: INTEL,
        ways: [
            Compiler("{}/bin/mpicc -mpi-abi"),
            Compiler("{}/bin/mpicxx -mpi-abi"),
            Absent("its `mpif.h` has no values of the standard ABI"),
            Absent("the wheel's modules are for Intel's compiler alone"),
            Absent("the wheel's modules are for Intel's compiler alone"),
            Mpi4py(STANDARD_PYTHON, &[("LD_LIBRARY_PATH", "{}/lib")]),
            NO_FINT,
        ],
        spins: true,
    },
];

const GFORTRAN_INTEL: &str = "gfortran -fallow-argument-mismatch \
    -I{}/include/mpi/gfortran/12.4.0 -I{}/include -L{}/lib -Wl,-rpath,{}/lib \
    -Wl,--no-as-needed -lmpifort -lmpi";

/// A program in one language for one MPI.
#[derive(Debug)]
pub struct Program {
    pub toolkit: &'static Toolkit,
    pub language: &'static Language,
    /// The words that start it.
    words: Vec<PathBuf>,
    variables: &'static [(&'static str, &'static str)],
}

impl Toolkit {
    fn folder(&self) -> PathBuf {
        let environment = self.environment.unwrap_or("system");
        workspace()
            .join("target/mpi4py")
            .join(environment)
            .canonicalize()
            .unwrap_or_default()
    }

    /// Returns words with the environment's folder in its place.
    fn words(&self, words: &str) -> Vec<String> {
        let folder = self.folder();
        let word = |word: &str| word.replace("{}", &folder.to_string_lossy());
        words.split_whitespace().map(word).collect()
    }

    /// Returns why there is no program in a language, if there can be none.
    pub fn absence(&self, language: usize) -> Option<&'static str> {
        match self.ways[language] {
            Absent(why) => Some(why),
            _ => None,
        }
    }

    /// Returns the program of `tests/mpi/languages` in a language, built; nothing, with a word, if
    /// something is not installed.
    #[track_caller]
    pub fn program(&'static self, language: usize) -> Option<Program> {
        if !has(&self.words(self.launcher)[0]) {
            missing(&format!(
                "{}: no {}",
                self.name,
                self.words(self.launcher)[0]
            ));
            return None;
        }
        let source = workspace()
            .join("tests/mpi/languages")
            .join(LANGUAGES[language].source);
        match self.ways[language] {
            Compiler(words) => {
                let name = LANGUAGES[language].source.replace(['/', '.'], "-");
                self.compiled(language, &name, &source, &self.words(words))
            }
            Rsmpi(mpicc, libraries) => self.built(language, &source, mpicc, libraries),
            Mpi4py(..) => self.python(&[source.canonicalize().unwrap()]),
            Absent(_) => None,
        }
    }

    /// Whether a run ended as PyPI's Intel MPI was seen to do at times on virtual machines, bare
    /// too: by a division by zero within libmpi.
    pub fn divides_by_zero(&self, done: &Done) -> bool {
        let said = [&done.out, &done.errors];
        let died = said.map(|it| it.contains("Floating point exception (signal 8)"));
        died.contains(&true) && self.library.0 == "Intel MPI"
    }

    /// Returns a Python program of these words; nothing, with a word, without mpi4py.
    #[track_caller]
    pub fn python(&'static self, words: &[impl AsRef<Path>]) -> Option<Program> {
        let Mpi4py(environment, variables) = self.ways[PYTHON] else {
            return None;
        };
        let folder = workspace().join("target/mpi4py").join(environment);
        // No canonical path of it: an environment is known by the name of its Python.
        let python = folder.join("bin/python");
        if !python.is_file() || !has(&self.words(self.launcher)[0]) {
            missing(&format!("mpi4py under {}", self.name));
            return None;
        }
        let words = words.iter().map(|word| word.as_ref().to_owned());
        Some(Program {
            toolkit: self,
            language: &LANGUAGES[PYTHON],
            words: std::iter::once(python).chain(words).collect(),
            variables,
        })
    }

    /// Returns another program than those of `tests/mpi/languages`, in a language that this MPI
    /// has a compiler for, built under a name; nothing, with a word, if something is not installed.
    #[track_caller]
    pub fn other_program(
        &'static self,
        language: usize,
        name: &str,
        source: &Path,
    ) -> Option<Program> {
        let launcher = &self.words(self.launcher)[0];
        if !has(launcher) {
            missing(&format!("{}: no {launcher}", self.name));
            return None;
        }
        match self.ways[language] {
            Compiler(words) => self.compiled(language, name, source, &self.words(words)),
            _ => None,
        }
    }

    /// Returns `mpi.h` as the C compiler reads it, with the macros that it defines; nothing, with
    /// a word, without that compiler.
    #[track_caller]
    pub fn header(&self) -> Option<String> {
        let Compiler(words) = self.ways[0] else {
            return None;
        };
        let words = self.words(words);
        if !has(&words[0]) {
            missing(&format!("{}: no {}", self.name, words[0]));
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("header.c");
        std::fs::write(&source, "#include <mpi.h>\n").unwrap();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).args(["-E", "-dD"]).arg(source);
        self.set(&mut command, self.variables);
        let done = process::run(&mut command);
        assert_eq!(done.code, 0, "{words:?}: {}", done.errors);
        Some(done.out)
    }

    fn compiled(
        &'static self,
        language: usize,
        name: &str,
        source: &Path,
        words: &[String],
    ) -> Option<Program> {
        if !has(&words[0]) {
            missing(&format!("{}: no {}", self.name, words[0]));
            return None;
        }
        let build = |program: &Path| {
            let mut command = Command::new(&words[0]);
            command
                .args(["-O2", "-g", "-w", "-o"])
                .arg(program)
                .arg(source);
            self.set(&mut command, self.variables);
            // gfortran writes modules where it stands.
            let folder = program.parent().unwrap();
            let done = process::run(command.args(&words[1..]).current_dir(folder));
            assert_eq!(done.code, 0, "{words:?} {source:?}: {}", done.errors);
        };
        self.made(language, name, source, build)
    }

    fn built(
        &'static self,
        language: usize,
        source: &Path,
        mpicc: &str,
        libraries: &str,
    ) -> Option<Program> {
        let mpicc = &self.words(mpicc)[0];
        if !has(mpicc) {
            missing(&format!("{}: no {mpicc}", self.name));
            return None;
        }
        if !is_command("clang") {
            missing("clang, by whose library rsmpi reads mpi.h");
            return None;
        }
        let build = |program: &Path| {
            let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust");
            let cargo = |words: &[&str]| {
                let mut command = Command::new(env!("CARGO"));
                command.args(words).arg("--target-dir").arg(&target);
                command.current_dir(workspace().join("tests/mpi/languages/rust"));
                self.set(&mut command, self.variables);
                command.env("MPICC", mpicc);
                if !libraries.is_empty() {
                    command.env("MPI_LIBRARIES", &self.words(libraries)[0]);
                }
                // It takes longer than any program that tests run.
                let output = command.output().unwrap();
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "cargo {words:?}: {said}");
            };
            let _lock = process::lock();
            // Its build does not notice that the MPI is another one.
            cargo(&["clean", "--quiet", "--package", "mpi-sys"]);
            cargo(&["build", "--quiet", "--locked"]);
            std::fs::copy(target.join("debug/language"), program).unwrap();
        };
        let name = LANGUAGES[language].source.replace(['/', '.'], "-");
        self.made(language, &name, source, build)
    }

    /// Has a program built, unless it was since its source, a header that it may include or the
    /// environment changed.
    fn made(
        &'static self,
        language: usize,
        file: &str,
        source: &Path,
        build: impl FnOnce(&Path),
    ) -> Option<Program> {
        let name = self.name.replace([' ', ','], "-");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("languages")
            .join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join(file);
        let environment = changed(&self.folder().join("pyvenv.cfg"));
        let header = changed(&source.with_file_name("").join("../chapter.h"));
        if changed(&program) <= changed(source).max(environment).max(header) {
            let new = program.with_extension(std::process::id().to_string());
            build(&new);
            std::fs::rename(&new, &program).unwrap();
        }
        Some(Program {
            toolkit: self,
            language: &LANGUAGES[language],
            words: vec![program],
            variables: &[],
        })
    }

    fn set(&self, command: &mut Command, variables: &[(&str, &str)]) {
        let folder = self.folder();
        for (name, value) in variables {
            command.env(name, value.replace("{}", &folder.to_string_lossy()));
        }
    }
}

impl Program {
    /// Returns a command that runs two ranks of it in a folder by a command of mpiscope's; as it
    /// is without any.
    pub fn observed(&self, folder: &Path, words: &[&str]) -> Command {
        let command = mpiscope();
        let mut before: Vec<&OsStr> = Vec::new();
        if !words.is_empty() {
            before.push(command.as_os_str());
            before.extend(words.iter().chain(&["--"]).map(OsStr::new));
        }
        self.command(folder, &before, 2)
    }

    /// Returns a command that runs it on so many ranks in a folder, behind these words.
    pub fn command(&self, folder: &Path, before: &[impl AsRef<OsStr>], ranks: u32) -> Command {
        let launcher = self.toolkit.words(self.toolkit.launcher);
        let mut line: Vec<_> = before.iter().map(|word| word.as_ref().to_owned()).collect();
        line.extend(launcher.iter().map(Into::into));
        line.extend(["-n".into(), ranks.to_string().into()]);
        line.extend(self.words.iter().map(Into::into));
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]).current_dir(folder);
        self.toolkit.set(&mut command, self.toolkit.variables);
        for (name, value) in self.variables {
            let value = value.replace("{}", &self.toolkit.folder().to_string_lossy());
            if value.contains("{links}") {
                let target = "/usr/lib/x86_64-linux-gnu/libmpich.so.12";
                let _ = std::os::unix::fs::symlink(target, folder.join("libmpi.so.12"));
            }
            command.env(name, value.replace("{links}", &folder.to_string_lossy()));
        }
        command
    }
}

/// Returns whether a command is there: a file, or in PATH.
fn has(command: &str) -> bool {
    match command.contains('/') {
        true => Path::new(command).is_file(),
        false => is_command(command),
    }
}
