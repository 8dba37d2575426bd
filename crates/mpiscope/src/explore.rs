//! `mpiscope explore RUN -- COMMAND`: races made to end otherwise, one at a time.
//!
//! ```text
//! trace -> races -> candidates ...... which alternatives, in which order
//! record + candidate -> alter ....... a record in which one receive takes another message
//! force -> verdict (compare) ........ what the program then does
//! state, report, text ............... what was found
//! ```

pub mod alter;
pub mod calls;
mod candidates;
pub mod choices;
mod compare;
mod files;
mod force;
mod report;
mod state;
mod text;
mod verdict;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{ensure, Context, Result};
use mpiscope_analysis::races::Races;
use mpiscope_run::model::{Matching, Trace};
use mpiscope_run::order::outcome::State as Ended;
use mpiscope_run::order::{self as records, Record};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::cli::explore::Found;
use crate::cli::Explore;
use crate::input::{Damaged, Input};
use crate::{agent, preflight, say, show, FINDINGS};
use alter::{altered, force, keeps, was_forced, Which};
use candidates::{candidates, Candidate};
use choices::Choices;
use compare::{Baseline, Difference};
use files::Files;
use force::{Forced, Forcing};
use report::Report;
use state::{Finding, State, FOLDER};
use verdict::{judge, Verdict};

/// A forced run may take so many times what the recorded order takes.
const TIMES: f64 = 10.0;

/// Forces races of a run; returns the exit code.
pub fn run(arguments: &Explore) -> Result<u8> {
    let input = Input::open(&arguments.run)?;
    input
        .damage
        .iter()
        .for_each(|damage| say::aside(format!("error: {damage}")));
    let run = std::path::absolute(&input.path)?;
    ensure!(
        input.run.is_some(),
        "{} is no run of mpiscope, so nothing can be replayed; `mpiscope trace` makes one",
        arguments.run.display()
    );
    let choices = Choices::of(&input.trace);
    let record = record(&input, &run, &choices)?;
    let matching = input.trace.matching();
    let races = Races::find(&input.trace, &matching);
    let all = candidates(&input.trace, &choices, &races);
    let mut exploration = Exploration {
        trace: &input.trace,
        matching: &matching,
        choices: &choices,
        record: &record,
        forcing: forcing(arguments)?,
        state: begin(arguments, &run)?,
        run,
        runs: 0,
        begun: Instant::now(),
    };
    let done = exploration.state.keys();
    let open: Vec<&Candidate> = all.iter().filter(|it| !done.contains(&key(it))).collect();
    if !open.is_empty() {
        exploration.explore(arguments, &open)?;
    }
    exploration.report(arguments, races.count(), all.len())
}

/// Returns the order of the run: as recorded, else as its trace shows it.
fn record(input: &Input, run: &Path, choices: &Choices) -> Result<Record> {
    if records::exists(run) {
        return Ok(records::read(run).map_err(|error| Damaged(error.to_string()))?);
    }
    let mut record = choices.record(&input.trace);
    let program = input.run.as_ref().map(|info| info.program.clone());
    for rank in &mut record.ranks {
        rank.program
            .clone_from(&program.clone().unwrap_or_default());
    }
    say::aside("note: the run has no order record; waits and polls run free, its trace tells only what receives took");
    Ok(record)
}

fn forcing(arguments: &Explore) -> Result<Forcing> {
    let plan = preflight::plan(&arguments.command)?;
    plan.notes
        .iter()
        .for_each(|note| say::aside(format!("note: {note}")));
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))
            .context("cannot watch signals")?;
    }
    Ok(Forcing {
        words: arguments.command.clone(),
        plan,
        agent: agent::find()?,
        patience: arguments.patience,
        files: Files::new(&arguments.output_file),
        interrupted,
    })
}

/// Takes up what was found before, if it is of the same command.
fn begin(arguments: &Explore, run: &Path) -> Result<State> {
    let folder = run.join(FOLDER);
    if arguments.anew && folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let words = arguments.command.iter();
    let command: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let state = match State::read(run)? {
        None => return Ok(State::new(command, arguments.output_file.clone())),
        Some(state) => state,
    };
    ensure!(
        state.command == command && state.output_files == arguments.output_file,
        "{} was explored with another command or other output files ({}); --anew forgets what was found",
        arguments.run.display(),
        state.command.join(" ")
    );
    Ok(state)
}

/// Names an alternative.
fn key(candidate: &Candidate) -> String {
    let flip = candidate.flip;
    let (what, at) = match flip.which {
        Which::Receive(at) => ("receive", at),
        Which::Outcome(at) => ("poll", at),
    };
    let tag = flip
        .taken
        .tag
        .map_or(String::new(), |tag| format!(" tag {tag}"));
    let (rank, thread, source) = (flip.rank, flip.thread, flip.taken.source);
    format!("rank {rank} thread {thread} {what} {at} from {source}{tag}")
}

struct Exploration<'a> {
    trace: &'a Trace,
    matching: &'a Matching,
    choices: &'a Choices,
    record: &'a Record,
    forcing: Forcing,
    state: State,
    run: PathBuf,
    runs: usize,
    begun: Instant,
}

impl Exploration<'_> {
    fn explore(&mut self, arguments: &Explore, open: &[&Candidate]) -> Result<()> {
        if self.state.baseline.is_none() {
            self.state.baseline = Some(self.baseline()?);
            self.state.write(&self.run)?;
        }
        for candidate in open {
            let late = arguments
                .time
                .is_some_and(|most| self.begun.elapsed().as_secs_f64() >= most);
            if late || self.runs >= arguments.budget {
                break;
            }
            let finding = self.force(candidate)?;
            say::aside(format!(
                "mpiscope: {} {}: rank {}, {}, given the message of rank {}",
                finding.number,
                finding.verdict.shown(),
                finding.rank,
                finding.receive,
                finding.given
            ));
            self.state.findings.push(finding);
            self.state.write(&self.run)?;
        }
        let _ = fs::remove_dir_all(self.folder("altered"));
        Ok(())
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.run.join(FOLDER).join(name)
    }

    /// Replays the recorded order twice.
    fn baseline(&mut self) -> Result<Baseline> {
        let source = self.folder("altered");
        write(&source, self.record)?;
        let mut replays = Vec::new();
        for _ in 0..2 {
            let replay = self.folder("baseline");
            let forced = self.forcing.run(&source, &replay, None)?;
            self.runs += 1;
            ensure!(
                forced.record.is_some(),
                "the command could not be replayed; `mpiscope replay` says more"
            );
            let stalled = forced.ranks.iter().any(|it| it.state == Ended::Stalled);
            ensure!(
                !stalled,
                "the recorded order itself does not come to its end any more: nothing can be compared (--patience {})",
                self.forcing.patience
            );
            if let Some(rank) = forced.ranks.iter().find(|it| it.divergence.is_some()) {
                say::aside(format!(
                    "warning: rank {} does not do what it did when the run was recorded: what follows is of doubtful worth",
                    rank.rank
                ));
            }
            fs::remove_dir_all(&replay)?;
            replays.push(forced);
        }
        let seconds = replays.iter().map(|it| it.seconds).fold(0.0, f64::max);
        let second = replays.pop().map(|it| it.left).unwrap_or_default();
        let first = replays.pop().map(|it| it.left).unwrap_or_default();
        Ok(Baseline::of(first, &second, seconds))
    }

    /// Forces one alternative.
    fn force(&mut self, candidate: &Candidate) -> Result<Finding> {
        let number = self.state.findings.len() + 1;
        let baseline = self.state.baseline.clone().unwrap_or_default();
        let finding =
            |verdict, how, seconds| self.finding(number, candidate, verdict, how, seconds);
        let (choices, send) = (self.choices, candidate.send);
        let kept = keeps(self.trace, self.matching, choices, &candidate.race, send);
        let record = match altered(self.record, choices, &kept, &candidate.flip) {
            Ok(record) => record,
            Err(why) => return Ok(finding(Verdict::NotReached, vec![why], 0.0)),
        };
        let name = format!("{number}.mpiscope");
        let (source, run) = (self.folder("altered"), self.folder(&name));
        write(&source, &record)?;
        let forced = self.once(&source, &run, &baseline)?;
        let (mut verdict, mut how) = judge(self.trace, &baseline, candidate, &forced);
        let mut seconds = forced.seconds;
        if verdict == Verdict::ChangesTheResult && only_in_order(&baseline, &forced) {
            // Lines of several ranks mix as they like: does it happen again?
            let replay = self.folder("again");
            let again = self.once(&run, &replay, &baseline)?;
            fs::remove_dir_all(&replay)?;
            seconds += again.seconds;
            if again.left.out != forced.left.out {
                verdict = Verdict::HarmlessSoFar;
                how = vec!["the same lines in another order, and not always the same".into()];
            }
        }
        let mut finding = self.finding(number, candidate, verdict, how, seconds);
        if let Some(record) = forced.record.as_ref().filter(|_| verdict.is_finding()) {
            // A receive that ended the program did not come to put itself on record.
            if !was_forced(record, &candidate.flip) {
                let mut record = record.clone();
                force(&mut record, &candidate.flip).map_err(Damaged)?;
                write(&run, &record)?;
            }
        }
        match verdict.is_finding() {
            true => finding.record = Some(Path::new(FOLDER).join(name)),
            false => fs::remove_dir_all(&run)?,
        }
        Ok(finding)
    }

    fn once(&mut self, source: &Path, run: &Path, baseline: &Baseline) -> Result<Forced> {
        let limit = baseline.seconds * TIMES + 2.0 * self.forcing.patience + 10.0;
        let forced = self
            .forcing
            .run(source, run, Some(Duration::from_secs_f64(limit)))?;
        let _ = fs::remove_dir_all(run.join("outcomes"));
        self.runs += 1;
        Ok(forced)
    }

    fn finding(
        &self,
        number: usize,
        candidate: &Candidate,
        verdict: Verdict,
        how: Vec<String>,
        seconds: f64,
    ) -> Finding {
        let trace = self.trace;
        let world =
            |location: mpiscope_run::model::LocationIndex| trace.locations[location.index()].rank.0;
        let call = |event| calls::call(trace, event).unwrap_or_else(|| "a call".into());
        Finding {
            number,
            key: key(candidate),
            verdict,
            how,
            rank: candidate.flip.rank,
            receive: call(candidate.race.post),
            got: candidate.race.message.map(|send| world(send.location)),
            given: candidate.sender,
            sent: call(candidate.send),
            hazard: candidate.hazard,
            alike: candidate.alike,
            record: None,
            seconds,
        }
    }

    fn report(self, arguments: &Explore, races: usize, alternatives: usize) -> Result<u8> {
        let report = Report {
            path: self.run,
            command: self.state.command,
            races,
            alternatives,
            left: alternatives.saturating_sub(self.state.findings.len()),
            runs: self.runs,
            notes: self.state.baseline.as_ref().map(notes).unwrap_or_default(),
            findings: self.state.findings,
        };
        match arguments.json {
            true => say::report(serde_json::to_string_pretty(&report)?)?,
            false => say::report(text::text(&report))?,
        }
        let is = |wanted: &Found| {
            report.findings.iter().any(|it| match wanted {
                Found::Change => it.verdict == Verdict::ChangesTheResult,
                Found::Deadlock => {
                    matches!(it.verdict, Verdict::Deadlocks | Verdict::DoesNotEnd)
                }
            })
        };
        Ok(match arguments.fail_on.iter().any(is) {
            true => FINDINGS,
            false => 0,
        })
    }
}

/// Writes a record into a directory of its own.
fn write(folder: &Path, record: &Record) -> Result<()> {
    Ok(records::write(folder, record)?)
}

/// Whether nothing differs but the order of lines.
fn only_in_order(baseline: &Baseline, forced: &Forced) -> bool {
    let differences = baseline.differences(&forced.left);
    let is_order = |difference: &Difference| {
        matches!(difference, Difference::Order(..) | Difference::Received(_))
    };
    differences.iter().all(is_order)
}

/// What is not compared.
fn notes(baseline: &Baseline) -> Vec<String> {
    let mut notes = vec![
        "exit code, standard output, chosen files and the data that ranks receive are compared"
            .to_owned(),
    ];
    if !baseline.unstable.is_empty() {
        let lines: Vec<String> = baseline
            .unstable
            .iter()
            .map(|line| format!("`{line}`"))
            .collect();
        notes.push(format!(
            "not compared, as they differ without any forcing: lines like {}",
            show::list(&lines, 3)
        ));
    }
    if !baseline.unstable_files.is_empty() {
        let files: Vec<&String> = baseline.unstable_files.iter().collect();
        notes.push(format!(
            "not compared, as they differ without any forcing: {}",
            show::list(&files, 3)
        ));
    }
    if !baseline.unstable_places.is_empty() {
        let places = baseline.unstable_places.iter();
        let places: Vec<String> = places.map(compare::Place::shown).collect();
        notes.push(format!(
            "not compared, as it differs without any forcing: what is received by {}",
            show::list(&places, 3)
        ));
    }
    if !baseline.in_order {
        notes.push("the order of lines differs without any forcing: not compared".to_owned());
    }
    notes
}
