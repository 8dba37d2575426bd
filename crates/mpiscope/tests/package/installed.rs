//! A command that was put somewhere, started from an environment that holds nothing else.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::common::mpi::OPEN_MPI;
use crate::common::{missing, process};

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
pub struct Installed {
    command: PathBuf,
    home: TempDir,
}

impl Installed {
    /// Takes the command that lies there.
    pub fn at(command: &Path) -> Installed {
        Installed {
            command: command.to_owned(),
            home: tempfile::tempdir().unwrap(),
        }
    }

    /// Runs it to its end, with success.
    #[track_caller]
    fn run(&self, words: &[&str]) -> String {
        let done = process::run_surely(clean(&self.command, self.home.path()).args(words));
        done.check(0, &[]);
        done.out
    }

    /// Expects that it finds its agent, traces a real program and says what it did.
    #[track_caller]
    pub fn works(&self) {
        let doctor: serde_json::Value =
            serde_json::from_str(&self.run(&["doctor", "--json"])).unwrap();
        let agent = &doctor["findings"][0];
        assert_eq!(
            (&agent["what"], &agent["status"]),
            (&"agent".into(), &"good".into())
        );
        if !crate::common::found().contains(&&OPEN_MPI) {
            return missing("an installed command at work: no Open MPI");
        }
        let Some(program) = OPEN_MPI.compile("examples/heat.c") else {
            return;
        };
        let launch = OPEN_MPI.launch(2);
        let program = program.display().to_string();
        let mut words = vec!["trace", "--force", "-o", "heat.mpiscope", "--"];
        words.extend(launch.iter().map(String::as_str));
        words.extend([program.as_str(), "64", "200"]);
        let said = self.run(&words);
        assert!(said.contains("step"), "{said}");
        let info: serde_json::Value =
            serde_json::from_str(&self.run(&["info", "--json", "heat.mpiscope"])).unwrap();
        assert_eq!(info["locations"], 2, "{info}");
        assert!(self.run(&["analyze", "heat.mpiscope"]).contains("heat.c:"));
    }
}
