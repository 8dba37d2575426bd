//! PyPI's mpi4py, under the MPIs of the system and those that PyPI has (`make setup`).

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{is_command, missing, mpiscope, workspace};

/// An MPI that mpi4py loads when it is imported.
#[derive(Debug)]
pub struct Python {
    /// As people call it.
    pub name: &'static str,
    /// Its environment in `target/mpi4py`.
    environment: &'static str,
    /// Its launcher, in PATH or in the environment.
    launcher: &'static [&'static str],
    /// The library to load, where mpi4py would not find it under the name it wants.
    library: Option<&'static str>,
    /// Waiting ranks spin: few exchanges where there are fewer cores than ranks.
    pub spins: bool,
}

const ALL: [Python; 5] = [
    Python {
        name: "Open MPI 4",
        environment: "system",
        launcher: &["mpirun.openmpi", "--oversubscribe"],
        library: None,
        spins: false,
    },
    Python {
        name: "Open MPI 5",
        environment: "openmpi",
        launcher: &["bin/mpirun", "--oversubscribe"],
        library: None,
        spins: false,
    },
    Python {
        name: "MPICH 4",
        environment: "system",
        launcher: &["mpirun.mpich"],
        library: Some("libmpich.so.12"),
        spins: true,
    },
    Python {
        name: "MPICH 5",
        environment: "mpich",
        launcher: &["bin/mpirun"],
        library: None,
        spins: true,
    },
    Python {
        name: "Intel MPI",
        environment: "intel",
        launcher: &["bin/mpirun"],
        library: None,
        spins: true,
    },
];

/// Returns the MPIs under which Python programs can be run here; says which are missing.
pub fn pythons() -> Vec<Python> {
    ALL.into_iter().filter(Python::is_found).collect()
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
    fn folder(&self) -> PathBuf {
        workspace().join("target/mpi4py").join(self.environment)
    }

    fn launcher(&self) -> PathBuf {
        match self.launcher[0] {
            name if name.contains('/') => self.folder().join(name),
            name => name.into(),
        }
    }

    fn is_found(&self) -> bool {
        let launcher = self.launcher();
        let has_launcher = launcher.is_file() || is_command(self.launcher[0]);
        let found = has_launcher && self.folder().join("bin/python").is_file();
        if !found {
            missing(&format!("mpi4py under {}", self.name));
        }
        found
    }

    /// Returns a command that runs a Python program in `folder`, as it is or under `mpiscope MODE`.
    pub fn command(&self, folder: &Path, mode: &[&str], ranks: u32, words: &[&str]) -> Command {
        let mut line: Vec<PathBuf> = Vec::new();
        if !mode.is_empty() {
            line.push(mpiscope());
            line.extend(
                mode.iter()
                    .chain(&["--force", "-o", "run", "--"])
                    .map(PathBuf::from),
            );
        }
        line.push(self.launcher());
        line.extend(self.launcher[1..].iter().map(PathBuf::from));
        line.extend(["-n".into(), ranks.to_string().into()]);
        line.push(self.folder().join("bin/python"));
        line.extend(words.iter().map(PathBuf::from));
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]).current_dir(folder);
        // Open MPI refuses root unless told twice, and its launcher has had two names.
        for prefix in ["OMPI", "PRTE"] {
            command.env(format!("{prefix}_ALLOW_RUN_AS_ROOT"), "1");
            command.env(format!("{prefix}_ALLOW_RUN_AS_ROOT_CONFIRM"), "1");
        }
        // Intel's libfabric is for networks that are not here.
        command.env("I_MPI_FABRICS", "shm");
        if let Some(library) = self.library {
            // The wheel asks for MPICH by the name that MPICH itself gives it.
            let link = folder.join("libmpi.so.12");
            let target = Path::new("/usr/lib/x86_64-linux-gnu").join(library);
            let _ = std::os::unix::fs::symlink(target, &link);
            command
                .env("MPI4PY_LIBMPI", link)
                .env("LD_LIBRARY_PATH", folder);
        }
        command
    }
}
