//! A command that was put somewhere, started from an environment that holds nothing else.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::common::mpi::{Mpi, OPEN_MPI};
use crate::common::{missing, process};
use crate::emulated::Machine;

/// Runs a command that must succeed, however long it takes; returns what it printed.
#[track_caller]
pub fn output(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command:?}: {out}\n{errors}");
    out.into_owned()
}

/// Returns a command with the system's PATH, a home of its own, and no other variables but those
/// with which Open MPI lets root start programs.
pub fn clean(program: impl AsRef<OsStr>, home: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin")
        .env("HOME", home)
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .current_dir(home);
    command
}

/// An installed command, and a folder in which it runs.
pub struct Installed<'a> {
    command: PathBuf,
    machine: Option<&'a Machine>,
    home: TempDir,
}

impl<'a> Installed<'a> {
    /// Takes the command that lies there.
    pub fn at(command: &Path) -> Installed<'a> {
        Installed {
            command: command.to_owned(),
            machine: None,
            home: tempfile::tempdir().unwrap(),
        }
    }

    /// Takes the command that lies there, and is for another machine.
    pub fn on(machine: &'a Machine, command: &Path) -> Installed<'a> {
        let machine = Some(machine);
        Installed {
            machine,
            ..Installed::at(command)
        }
    }

    /// Runs it to its end, with success.
    #[track_caller]
    pub fn run(&self, words: &[&str]) -> String {
        let home = self.home.path();
        let mut command = match self.machine {
            None => clean(&self.command, home),
            Some(machine) => machine.command(&self.command, home),
        };
        let done = process::run_surely(command.args(words));
        done.check(0, &[]);
        done.out
    }

    /// Expects that it finds its agent, traces a real program and says what it did.
    #[track_caller]
    pub fn works(&self) {
        self.finds_its_agent();
        if !crate::common::found().contains(&&OPEN_MPI) {
            return missing("an installed command at work: no Open MPI");
        }
        if let Some(program) = OPEN_MPI.compile("examples/heat.c") {
            self.traces(&OPEN_MPI, &program);
        }
    }

    #[track_caller]
    pub fn finds_its_agent(&self) {
        let version = concat!("mpiscope ", env!("CARGO_PKG_VERSION"), "\n");
        assert_eq!(self.run(&["--version"]), version);
        let doctor: serde_json::Value =
            serde_json::from_str(&self.run(&["doctor", "--json"])).unwrap();
        let agent = &doctor["findings"][0];
        assert_eq!(
            (&agent["what"], &agent["status"]),
            (&"agent".into(), &"good".into())
        );
    }

    /// Runs a command that starts a program; returns what was printed.
    #[track_caller]
    pub fn starts(&self, words: &[&str], mpi: &Mpi, ranks: u32, program: &[&str]) -> String {
        let launch = mpi.launch(ranks);
        let mut all = words.to_vec();
        all.push("--");
        all.extend(launch.iter().map(String::as_str));
        all.extend(program);
        self.run(&all)
    }

    /// Expects that `heat` is traced as it is.
    #[track_caller]
    pub fn traces(&self, mpi: &Mpi, program: &Path) {
        let program = program.display().to_string();
        let words = ["trace", "--force", "-o", "heat.mpiscope"];
        let said = self.starts(&words, mpi, 2, &[&program, "64", "200"]);
        assert!(said.contains("step"), "{said}");
        let info: serde_json::Value =
            serde_json::from_str(&self.run(&["info", "--json", "heat.mpiscope"])).unwrap();
        assert_eq!(info["locations"], 2, "{info}");
        assert_eq!(info["mpi"]["name"], mpi.name, "{info}");
        assert!(self.run(&["analyze", "heat.mpiscope"]).contains("heat.c:"));
    }

    /// Returns where it runs.
    pub fn home(&self) -> &Path {
        self.home.path()
    }
}
