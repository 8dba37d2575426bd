//! The MPIs of this machine, and the test programs compiled with each.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use super::{missing, process, workspace};

/// An MPI, by the suffix of Debian's names for its commands.
#[derive(Debug, PartialEq)]
pub struct Mpi {
    /// As it calls itself.
    pub name: &'static str,
    /// Of its commands.
    pub suffix: &'static str,
    /// How its library's name begins.
    library: &'static str,
    /// Options of its launcher.
    launcher: &'static [&'static str],
    /// Options of its C compiler.
    compiler: &'static [&'static str],
    /// How many exchanges a rank may make if there are more ranks than cores.
    pub patience: u32,
}

/// Open MPI, whose waiting ranks yield.
pub static OPEN_MPI: Mpi = Mpi {
    name: "Open MPI",
    suffix: "openmpi",
    library: "libmpi.so",
    launcher: &["--oversubscribe"],
    compiler: &[],
    patience: 1000,
};

/// MPICH, whose waiting ranks spin.
pub static MPICH: Mpi = Mpi {
    name: "MPICH",
    suffix: "mpich",
    library: "libmpich.so",
    launcher: &[],
    // gcc misreads MPICH 4.0's MPI_STATUSES_IGNORE.
    compiler: &["-Wno-stringop-overflow"],
    patience: 40,
};

/// Returns the MPIs that are installed; says which are not.
pub fn found() -> &'static [&'static Mpi] {
    static FOUND: OnceLock<Vec<&Mpi>> = OnceLock::new();
    FOUND.get_or_init(|| {
        [&OPEN_MPI, &MPICH]
            .into_iter()
            .filter(|mpi| mpi.is_found())
            .collect()
    })
}

impl Mpi {
    /// Returns a command of this MPI, such as `mpirun.mpich`.
    pub fn command(&self, name: &str) -> String {
        format!("{name}.{}", self.suffix)
    }

    /// Returns whether a program or library is linked with this MPI.
    pub fn is_that_of(&self, file: &Path) -> bool {
        let linked = process::run(Command::new("ldd").arg(file)).out;
        linked.contains(self.library)
    }

    fn is_found(&self) -> bool {
        let absent = ["mpicc", "mpirun"]
            .map(|name| self.command(name))
            .into_iter()
            .find(|name| !is_command(name));
        if let Some(name) = &absent {
            missing(&format!("all of {}: no {name}", self.name));
        }
        absent.is_none()
    }

    /// Returns the words that start a program on so many ranks.
    pub fn launch(&self, ranks: u32) -> Vec<String> {
        let mut words = vec![self.command("mpirun")];
        words.extend(self.launcher.iter().map(ToString::to_string));
        words.extend(["-n".to_owned(), ranks.to_string()]);
        words
    }

    /// Returns a program of `examples/`, `tests/mpi/` or `bench/programs/`,
    /// compiled; nothing, with a word, if its compiler is missing.
    pub fn compile(&self, source: &str) -> Option<PathBuf> {
        static DONE: OnceLock<Mutex<HashMap<PathBuf, Programs>>> = OnceLock::new();
        type Programs = Arc<OnceLock<Option<PathBuf>>>;
        let name = source.replace(['/', '.'], "-");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(self.suffix)
            .join(name);
        let once = {
            let mut done = DONE.get_or_init(Mutex::default).lock().unwrap();
            Arc::clone(done.entry(program.clone()).or_default())
        };
        once.get_or_init(|| self.compile_into(source, &program))
            .clone()
    }

    fn compile_into(&self, source: &str, program: &Path) -> Option<PathBuf> {
        let file = workspace().join(source);
        if changed(program) > changed(&file).max(changed(&file.with_file_name("count.h"))) {
            return Some(program.to_owned());
        }
        let is_c = source.ends_with(".c");
        let compiler = self.command(match source.rsplit('.').next() {
            Some("c") => "mpicc",
            Some("cpp") => "mpicxx",
            _ => "mpif90",
        });
        if !is_command(&compiler) {
            missing(&format!("{source}: no {compiler}"));
            return None;
        }
        let folder = program.parent().unwrap();
        std::fs::create_dir_all(folder).unwrap();
        let new = program.with_extension(std::process::id().to_string());
        let mut command = Command::new(&compiler);
        command.args(["-O2", "-g", "-o"]).arg(&new).arg(&file);
        if is_c {
            command.args(self.compiler).args(libraries(source));
            command.args(["-pthread", "-lm"]);
        }
        // gfortran writes modules where it stands.
        let done = process::run(command.current_dir(folder));
        assert_eq!(done.code, 0, "{compiler} {source}: {}", done.errors);
        std::fs::rename(&new, program).unwrap();
        Some(program.to_owned())
    }
}

/// Returns what a program needs besides MPI, as options of the compiler.
fn libraries(source: &str) -> &'static [&'static str] {
    match source {
        "bench/programs/smg.c" => &["-I/usr/include/hypre", "-lHYPRE"],
        _ => &[],
    }
}

/// Returns when a file was last changed; what is not there, never.
pub fn changed(path: &Path) -> SystemTime {
    let time = std::fs::metadata(path).and_then(|data| data.modified());
    time.unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Returns whether a command is in PATH.
pub fn is_command(name: &str) -> bool {
    find(name).is_some()
}

/// Returns where in PATH a command is.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}
