//! One program under one MPI, traced and untraced, and what the trace holds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::oracle::{self, Facts};
use super::process::Running;
use super::{mpiscope, process, say, Case, Done, Mpi};

/// A program about to run, in a folder of its own.
pub struct Trial {
    folder: TempDir,
    pub mpi: &'static Mpi,
    pub ranks: u32,
    pub program: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
}

impl Trial {
    /// Compiles a program of `examples/`, `tests/mpi/` or `bench/programs/`;
    /// nothing without its compiler.
    #[track_caller]
    pub fn new(case: Case, source: &str) -> Option<Trial> {
        Some(Trial::of(case, case.mpi.compile(source)?))
    }

    /// Takes a program as it is.
    pub fn of(case: Case, program: PathBuf) -> Trial {
        Trial {
            folder: tempfile::tempdir().unwrap(),
            mpi: case.mpi,
            ranks: case.ranks,
            program,
            arguments: Vec::new(),
            variables: vec![("COUNT".into(), "1".into())],
        }
    }

    /// Gives the program arguments.
    pub fn arguments(mut self, arguments: &[impl ToString]) -> Trial {
        self.arguments = arguments.iter().map(ToString::to_string).collect();
        self
    }

    /// Sets a variable of the environment.
    pub fn with(mut self, name: &str, value: &str) -> Trial {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Returns a path in the trial's folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns a command that runs in the trial's folder and environment.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.folder)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            // Open MPI refuses root unless told twice.
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command
    }

    /// Returns the program's command line, with words that go before the program.
    pub fn line(&self, before_program: &[&str]) -> Vec<String> {
        let mut line = self.mpi.launch(self.ranks);
        line.extend(before_program.iter().map(ToString::to_string));
        line.push(self.program.display().to_string());
        line.extend(self.arguments.iter().cloned());
        line
    }

    /// Runs the program as it is.
    #[track_caller]
    pub fn untraced(&self) -> Done {
        let line = self.line(&[]);
        process::run_surely(self.command(&line[0]).args(&line[1..]))
    }

    /// Runs the program traced into `run`.
    #[track_caller]
    pub fn traced(self) -> Run {
        self.traced_with(&[])
    }

    /// The same, with options of `trace`.
    #[track_caller]
    pub fn traced_with(self, options: &[&str]) -> Run {
        let done = self.run_trace(options);
        self.ended(done)
    }

    /// Starts the program under `monitor` into `run`, and waits until `top` tells of a call.
    #[track_caller]
    pub fn monitored_until(&self, call: &str) -> Running {
        let mut line = self.command(mpiscope());
        let words = ["monitor", "-o", "run", "--"];
        let running = process::start(line.args(words).args(self.line(&[])));
        let begin = Instant::now();
        loop {
            let mut top = self.command(mpiscope());
            let output = top.args(["top", "--once", "run"]).output().unwrap();
            if String::from_utf8_lossy(&output.stdout).contains(call) {
                return running;
            }
            assert!(
                begin.elapsed() < Duration::from_secs(120),
                "no {call} is seen"
            );
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Runs the program traced into `run`, which is not there before.
    #[track_caller]
    pub fn run_trace(&self, options: &[&str]) -> Done {
        let run = self.path("run");
        process::run_surely_after(&mut self.trace(options), || {
            drop(std::fs::remove_dir_all(run));
        })
    }

    /// Returns the command that traces the program into `run`.
    pub fn trace(&self, options: &[&str]) -> Command {
        let mut command = self.command(mpiscope());
        command.args(["trace", "-o", "run"]).args(options);
        command.arg("--").args(self.line(&[]));
        command
    }

    /// Returns the run that a trace has left.
    pub fn ended(self, done: Done) -> Run {
        let path = self.path("run");
        Run {
            trial: self,
            path,
            done,
        }
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.folder.disable_cleanup(true);
            let (ranks, name, path) = (self.ranks, self.mpi.name, self.folder.path().display());
            say(&format!(
                "failed under {name} on {ranks} ranks; what it left: {path}"
            ));
        }
    }
}

/// A run directory and how its run ended.
pub struct Run {
    pub trial: Trial,
    pub path: PathBuf,
    pub done: Done,
}

impl Run {
    /// Returns the anchor of the archive as measured.
    pub fn measured(&self) -> PathBuf {
        self.path.join("traces.otf2")
    }

    /// Returns the anchor of the corrected archive.
    pub fn corrected(&self) -> PathBuf {
        self.path.join("corrected/traces.otf2")
    }

    /// Runs `mpiscope COMMAND RUN`.
    #[track_caller]
    pub fn mpiscope(&self, command: &str) -> Done {
        let words = command.split_whitespace();
        process::run(self.trial.command(mpiscope()).args(words).arg(&self.path))
    }

    /// Returns what a command says in JSON.
    #[track_caller]
    pub fn json(&self, command: &str) -> Json {
        let done = self.mpiscope(command);
        done.check(0, &[]);
        let value = serde_json::from_str(&done.out);
        Json(value.unwrap_or_else(|error| panic!("{command}: {error}: {}", done.out)))
    }

    /// Returns what is known of the run besides its events.
    #[track_caller]
    pub fn facts(&self) -> Json {
        let text = std::fs::read_to_string(self.path.join("run.json"));
        let text = text.unwrap_or_else(|error| panic!("run.json: {error}; {:#?}", self.done));
        Json(serde_json::from_str(&text).unwrap())
    }

    /// Expects both archives to be clean and to hold the same but for times.
    #[track_caller]
    pub fn check_archives(&self) -> Option<Facts> {
        let [measured, corrected] =
            [self.measured(), self.corrected()].map(|anchor| check_archive(&anchor));
        let (measured, corrected) = (measured?, corrected?);
        assert_eq!(measured.digests, corrected.digests);
        Some(measured)
    }

    /// Expects that nothing of the run is left in shared memory.
    #[track_caller]
    pub fn check_shared_memory(&self) {
        let id = self.facts().text("run_id").to_owned();
        let left: Vec<_> = std::fs::read_dir("/dev/shm")
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with("mpiscope-") && name.ends_with(&id))
            .collect();
        assert_eq!(left, Vec::<String>::new(), "{:#?}", self.done);
    }

    /// Expects that `info` says of the archives themselves what was kept with the run.
    #[track_caller]
    pub fn check_kept(&self, kept: &Json) {
        std::fs::remove_file(self.path.join("info.json")).expect("facts are kept");
        let found = self.json("info --json");
        assert_eq!(kept.0, found.0, "kept and found");
        assert_eq!(self.json("info --json").0, found.0, "found and kept");
    }

    /// Expects what holds for every run without clock faults that ended well.
    #[track_caller]
    pub fn check_info(&self) -> Json {
        let info = self.json("info --json");
        self.check_kept(&info);
        let figures = [
            "events_lost",
            "violations.measured.reversed",
            "violations.corrected.reversed",
            "violations.corrected.clock_condition",
        ];
        for name in figures {
            assert_eq!(info.figure(name), 0, "{name} in {:#}", info.0);
        }
        assert_eq!(info.text("mpi.name"), self.trial.mpi.name);
        assert!(info.text("mpi.version").contains('.'), "{:#}", info.0);
        assert!(info.figure("messages.logical") > 0, "{:#}", info.0);
        info
    }
}

/// Reads an archive with both readers that are not ours.
#[track_caller]
pub fn check_archive(anchor: &Path) -> Option<Facts> {
    let unknown = oracle::print(anchor);
    let facts = oracle::read(anchor)?;
    let probes = facts.kinds.get("MpiProbe").copied().unwrap_or(0);
    assert!(
        unknown.is_none_or(|unknown| unknown == probes),
        "{unknown:?} unknown, {probes} probes"
    );
    Some(facts)
}

/// Returns the figures of a program's `counted` lines.
#[track_caller]
pub fn counted(out: &str) -> BTreeMap<String, u64> {
    let lines = out
        .lines()
        .filter_map(|line| line.trim().strip_prefix("counted "));
    let pair = |word: &str| {
        let (name, value) = word.split_once('=').unwrap();
        (name.to_owned(), value.parse().unwrap())
    };
    let counted: BTreeMap<_, _> = lines.flat_map(str::split_whitespace).map(pair).collect();
    assert!(!counted.is_empty(), "the program counted nothing: {out}");
    counted
}

/// A JSON document whose members are named by paths: `violations.measured.reversed`.
#[derive(Debug)]
pub struct Json(pub Value);

impl Json {
    /// Returns a member.
    #[track_caller]
    pub fn get(&self, path: &str) -> &Value {
        let pointer = format!("/{}", path.replace('.', "/"));
        let found = self.0.pointer(&pointer);
        found.unwrap_or_else(|| panic!("no {path} in {:#}", self.0))
    }

    /// Returns a count.
    #[track_caller]
    pub fn figure(&self, path: &str) -> u64 {
        let value = self.get(path);
        value
            .as_u64()
            .unwrap_or_else(|| panic!("{path} is {value}, no count"))
    }

    /// Returns a measure.
    #[track_caller]
    pub fn measure(&self, path: &str) -> f64 {
        let value = self.get(path);
        value
            .as_f64()
            .unwrap_or_else(|| panic!("{path} is {value}, no number"))
    }

    /// Returns a text.
    #[track_caller]
    pub fn text(&self, path: &str) -> &str {
        self.get(path).as_str().unwrap_or_default()
    }
}
