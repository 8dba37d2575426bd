//! A script that has a batch system do a command by several processes (`--emit-sbatch`).
//!
//! How large the job is follows from what the archive's definitions say of its events, and from
//! measurements that BENCHMARKS.md has; the script says so beside each figure. What is particular to
//! a system is a row of a table: how its scripts ask, and what starts processes there.

use std::any::TypeId;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};
use mpiscope_archive::trace::outline;
use mpiscope_run::{directory, launched, run_info};

use crate::analyze::is_divided;
use crate::cli::{Batch, Cli, Command};
use crate::report::show;
use crate::{cc, input, packed, say, size};

/// How scripts of a system look. Words in braces stand for figures of the job.
struct System {
    batch: Batch,
    /// What the job asks for.
    asks: &'static [&'static str],
    /// What starts the processes.
    starts: &'static str,
    submits: &'static str,
    /// What the system needs to be told, or does not know.
    hints: &'static [&'static str],
}

/// From sbatch(1) and srun(1) of Slurm 23, qsub(1B) and pbs_resources(7B) of OpenPBS, flux-batch(1)
/// and flux-run(1) with RFC 36. Flux takes `# flux:` for a directive, in a comment, too.
const SYSTEMS: [System; 3] = [
    System {
        batch: Batch::Slurm,
        asks: &[
            "#SBATCH --job-name=mpiscope-{command}",
            "#SBATCH --ntasks={tasks}",
            "#SBATCH --cpus-per-task={processors}",
            "#SBATCH --mem-per-cpu={memory of a processor}M",
            "#SBATCH --time={time}",
        ],
        starts: "srun --kill-on-bad-exit=1 --ntasks={tasks} --cpus-per-task={processors}",
        submits: "sbatch",
        hints: &[
            "The memory of a task is asked for by processor, as Slurm has it. Where Slurm was not told how much its nodes have, it finds none with that much (Requested node configuration is not available): leave the line out.",
            "If `srun --mpi=list` has another default than your MPI needs: srun --mpi=pmix for Open MPI, --mpi=pmi2 for MPICH.",
        ],
    },
    System {
        batch: Batch::Pbs,
        asks: &[
            "#PBS -N mpiscope-{command}",
            "#PBS -l select={tasks}:ncpus={processors}:mpiprocs=1:mem={memory}mb",
            "#PBS -l walltime={time}",
        ],
        starts: "mpiexec -n {tasks}",
        submits: "qsub",
        hints: &[
            "A task is a chunk. PBS may begin without your modules: load that of your MPI before mpiexec.",
            "Open MPI's mpiexec gives a process one processor, unless --bind-to none is behind it.",
        ],
    },
    System {
        batch: Batch::Flux,
        asks: &[
            "#flux: --job-name=mpiscope-{command}",
            "#flux: --nslots={tasks}",
            "#flux: --cores-per-slot={processors}",
            "#flux: --time-limit={minutes}m",
        ],
        starts: "flux run -o exit-on-error --ntasks={tasks} --cores-per-task={processors}",
        submits: "flux batch",
        hints: &[
            "Flux is not asked for memory: where the tasks of a node need more than it has, ask for more nodes by --nodes, above and behind `flux run`.",
        ],
    },
];

/// What a command takes.
#[derive(Debug)]
struct Price {
    /// Bytes of memory an event.
    bytes: u64,
    /// Events a second of one process with one thread.
    rate: f64,
}

const SYNC: Price = Price {
    bytes: 55,
    rate: 3.7e6,
};
const ANALYZE: Price = Price {
    bytes: 35,
    rate: 6.3e6,
};
/// In whole MiB the process itself, and what is added to be safe.
// With the library of an MPI 30 and 36 MiB were measured (two ranks, a trace of four).
const PROCESS: u64 = 64;
const MARGIN: &str = "half as much again";
/// How much longer `--memory` takes.
const BUDGETED: f64 = 4.0;
/// Bytes a second of a shared file system: a guess.
const FILES: f64 = 100e6;
/// Events that are worth a task of their own, and the most tasks that are proposed.
const EVENTS: u64 = 8_000_000;
const MOST_TASKS: u64 = 16;
/// Threads of a process, the most that were measured.
const THREADS: usize = 2;

/// A script was asked for.
pub struct Asked<'a> {
    batch: Batch,
    command: &'static str,
    price: Price,
    input: &'a Path,
    /// Why several processes would be of no use, if so.
    undivided: Option<&'static str>,
    /// What `--memory` and `--threads` say.
    memory: Option<u64>,
    threads: Option<usize>,
    /// Where the job would find what it may not replace.
    target: Option<PathBuf>,
}

impl Asked<'_> {
    /// Returns what a command that can be done together asks for, if it does.
    pub fn by(command: &Command) -> Option<Asked<'_>> {
        match command {
            Command::Sync(sync) => Some(Asked {
                batch: sync.emit_sbatch?,
                command: "sync",
                price: SYNC,
                input: &sync.input,
                undivided: None,
                memory: sync.memory,
                threads: sync.threads,
                target: (!sync.force && !sync.truth && sync.output.is_none())
                    .then(|| directory::corrected(&input::run_of(&sync.input))),
            }),
            Command::Analyze(analyze) => Some(Asked {
                batch: analyze.emit_sbatch?,
                command: "analyze",
                price: ANALYZE,
                input: &analyze.input,
                undivided: (!is_divided(analyze)).then_some(UNDIVIDED),
                memory: analyze.memory,
                threads: None,
                target: None,
            }),
            _ => None,
        }
    }

    /// Prints the script; returns the exit code.
    pub fn print(&self) -> Result<u8> {
        if let Some(started) = launched::together() {
            say::be_silent(started.rank > 0);
            bail!(
                "{} processes were started, and each would print a script: --emit-sbatch wants one, \
                 without a launcher",
                started.processes
            );
        }
        let trace = Size::of(self.input)?;
        if let Some(why) = self.undivided {
            bail!("{}: {why}", self.input.display());
        }
        let typed = Cli::command().get_matches_from(cc::command_line());
        let program = std::env::current_exe().context("cannot find this executable")?;
        let program = plain(program.as_os_str())?;
        let words = words(&typed)?;
        say::report(self.text(&trace, &program, &words).trim_end())?;
        if let Some(target) = self.target.as_ref().filter(|it| it.exists()) {
            let target = target.display();
            say::aside(format!(
                "note: {target} is there already; the job replaces it only with --force"
            ));
        }
        Ok(0)
    }

    fn text(&self, trace: &Size, program: &str, words: &[String]) -> String {
        let systems = SYSTEMS.iter();
        let system = systems.clone().find(|it| it.batch == self.batch);
        let system = system.unwrap_or(&SYSTEMS[0]);
        let job = self.job(trace);
        let mut lines = vec!["#!/bin/bash".to_owned()];
        lines.extend(system.asks.iter().map(|line| self.filled(line, &job)));
        let comments = job.why.iter().cloned();
        let comments = comments.chain([CHANGE.to_owned()]);
        let comments = comments.chain(system.hints.iter().map(|&hint| hint.to_owned()));
        let comments = comments.chain([format!("{SUBMIT} {} FILE", system.submits)]);
        lines.extend(comments.flat_map(|comment| wrapped(&comment)));
        let starts = self.filled(system.starts, &job);
        let command = [program.to_owned()]
            .into_iter()
            .chain(words.iter().cloned());
        let command: Vec<String> = command.map(|word| show::word(Path::new(&word))).collect();
        lines.push(format!("\nexec {starts} \\\n    {}\n", command.join(" ")));
        lines.join("\n")
    }

    fn filled(&self, line: &str, job: &Job) -> String {
        let figures = [
            ("{command}", self.command.to_owned()),
            ("{tasks}", job.tasks.to_string()),
            ("{processors}", job.processors.to_string()),
            ("{memory}", job.memory.to_string()),
            (
                "{memory of a processor}",
                job.memory.div_ceil(job.processors as u64).to_string(),
            ),
            ("{minutes}", job.minutes.to_string()),
            (
                "{time}",
                format!("{:02}:{:02}:00", job.minutes / 60, job.minutes % 60),
            ),
        ];
        let fill = |line: String, (name, value): &(&str, String)| line.replace(name, value);
        figures.iter().fold(line.to_owned(), fill)
    }

    /// Returns how large the job is, and why.
    fn job(&self, trace: &Size) -> Job {
        let tasks = trace.events.div_ceil(EVENTS);
        let tasks = tasks.min(trace.ranks).clamp(1, MOST_TASKS);
        let processors = self.threads.unwrap_or(THREADS);
        let events = trace.events as f64;
        let (memory, of_memory) = match self.memory {
            Some(budget) => (
                mebibytes(budget.saturating_mul(2)),
                "twice --memory, as measured".to_owned(),
            ),
            None => (
                // What an archive claims may be any number.
                mebibytes(trace.events.saturating_mul(self.price.bytes * 3) / 2),
                format!("{} bytes an event as measured, {MARGIN}", self.price.bytes),
            ),
        };
        let memory = (memory + PROCESS).next_multiple_of(PROCESS);
        let slower = self.memory.map_or(1.0, |_| BUDGETED);
        let budgeted = match self.memory {
            Some(_) => format!(", {BUDGETED} times as long with --memory"),
            None => String::new(),
        };
        let files = (tasks + 1) as f64 * trace.bytes as f64 / FILES;
        let seconds = 4.0 * slower * events / self.price.rate + files;
        let minutes = 5 + (seconds / 60.0).ceil() as u64;
        let counted = show::counted;
        let written = match self.command {
            "sync" => " and it is written once",
            _ => "",
        };
        Job {
            tasks,
            processors,
            memory,
            minutes,
            why: vec![
                format!(
                    "The trace has {}, {}, {} and {} on disk. What was measured is in \
                     mpiscope's BENCHMARKS.md.",
                    counted(trace.ranks, "rank"),
                    counted(trace.locations, "location"),
                    counted(trace.events, "event"),
                    size::show(trace.bytes)
                ),
                format!(
                    "Tasks, {tasks}: one for every {} events, at most one for each rank and \
                     {MOST_TASKS} in all. That is a guess: how much faster more of them are was \
                     not measured on a cluster.",
                    show::count(EVENTS)
                ),
                format!(
                    "Processors of a task, {processors}: {}.",
                    match self.threads {
                        Some(_) => "as --threads says",
                        None if self.command == "analyze" => "more were not measured",
                        None => "more were not measured; --threads N asks for another number",
                    }
                ),
                format!(
                    "Memory of a task, {memory} MiB: {of_memory}, and {PROCESS} MiB for the \
                     process, where it has to read the whole trace, as where several threads of a \
                     rank call MPI; else it needs less. --memory SIZE bounds it, at some {BUDGETED} times the time."
                ),
                format!(
                    "Time, {minutes} minutes: {:.1} million events a second by one process with \
                     one thread as measured{budgeted}, four times that to be safe; all tasks read \
                     the trace{written}, at {:.0} MB/s together, which is a guess; \
                     and five minutes.",
                    self.price.rate / 1e6,
                    FILES / 1e6
                ),
            ],
        }
    }
}

const UNDIVIDED: &str =
    "only `mpiscope analyze` of more than 10 million events, and without --causes, --gains, --ideal, \
     --clock and --clocks, is divided among processes; start this without a script, it uses all cores";
const CHANGE: &str =
    "To change a figure, change it above, and the number of tasks also where they \
    are started. Queue, account and what else your site asks for are lines more above. Where the \
    library of the launcher's MPI is not found, MPISCOPE_LIBMPI=/.../libmpi.so names it.";
const SUBMIT: &str = "All paths are absolute. To submit it:";

/// How large a job is to be.
struct Job {
    tasks: u64,
    /// Of each task.
    processors: usize,
    /// Of each task, in MiB.
    memory: u64,
    minutes: u64,
    /// What each figure follows from, in sentences.
    why: Vec<String>,
}

/// How large a trace is.
#[derive(Debug)]
struct Size {
    ranks: u64,
    locations: u64,
    events: u64,
    /// Of the archive on disk.
    bytes: u64,
}

impl Size {
    /// Reads what the definitions of an archive tell, which takes no time.
    fn of(path: &Path) -> Result<Size> {
        let shown = path.display();
        ensure!(path.exists(), "{shown}: there is no such run or archive");
        ensure!(
            !packed::is_packed(path),
            "{shown} is a packed run, and each process would unpack it for itself; unpack it \
             first: mpiscope unpack {}",
            show::word(path)
        );
        let path = input::run_of(path);
        let outline = outline(&path)?;
        let events = outline.all_events().filter(|events| *events > 0);
        let events = events.with_context(|| {
            let what = match path.join(run_info::FILE).is_file() {
                true => "run",
                false => "archive",
            };
            format!("{shown}: this {what} has no events, as far as its definitions say; there is nothing to size a job by")
        })?;
        let anchor = mpiscope_archive::trace::anchor_of(&path)?;
        Ok(Size {
            ranks: outline.trace.ranks().len() as u64,
            locations: outline.trace.locations.len() as u64,
            events,
            bytes: bytes_of(&anchor),
        })
    }
}

/// Returns how long the files of an archive are: the definitions, and those in the folder of its name.
fn bytes_of(anchor: &Path) -> u64 {
    let length = |path: &Path| fs::metadata(path).map_or(0, |it| it.len());
    let folder = fs::read_dir(anchor.with_extension(""));
    let files = folder.into_iter().flatten().flatten();
    let files: u64 = files.map(|it| length(&it.path())).sum();
    files + length(&anchor.with_extension("def")) + length(anchor)
}

fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// Returns the command that was typed, without what asks for a script, and with absolute paths.
fn words(typed: &ArgMatches) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut places = Vec::new();
    let Some((name, typed)) = typed.subcommand() else {
        return Ok(words);
    };
    let cli = Cli::command();
    let command = cli.find_subcommand(name).context("no such command")?;
    words.push(name.to_owned());
    let is_given = |id: &str| typed.value_source(id) == Some(ValueSource::CommandLine);
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        if id == "emit_sbatch" || !is_given(id) {
            continue;
        }
        let option = argument.get_long().map(|long| format!("--{long}"));
        if !argument.get_action().takes_values() {
            words.extend(option);
            continue;
        }
        let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        for value in typed.get_raw(id).into_iter().flatten() {
            let value = match is_path {
                true => plain(std::path::absolute(value)?.as_os_str())?,
                false => plain(value)?,
            };
            match &option {
                Some(option) => words.push(format!("{option}={value}")),
                None => places.push(value),
            }
        }
    }
    words.extend(places);
    Ok(words)
}

/// Returns a word as it can stand in a script.
fn plain(word: &OsStr) -> Result<String> {
    let text = word.to_str().filter(|it| !it.contains(char::is_control));
    let text = text.with_context(|| {
        format!(
            "{}: a job script cannot have this name, as it is no UTF-8 or has control characters",
            word.display()
        )
    })?;
    Ok(text.to_owned())
}

/// Breaks a comment into lines.
fn wrapped(comment: &str) -> Vec<String> {
    let mut lines = vec!["#".to_owned()];
    let mut line = "#".to_owned();
    for word in comment.split(' ') {
        if line.len() + word.len() >= 100 {
            lines.push(std::mem::replace(&mut line, "#".to_owned()));
        }
        line = format!("{line} {word}");
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests;
