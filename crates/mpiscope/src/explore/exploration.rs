//! One exploration: what the recorded order leaves, then one alternative after
//! the other, each compared with it and put on file at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{ensure, Result};
use mpiscope_archive::choices::Choices;
use mpiscope_archive::model::{LocationIndex, Matching, Trace};
use mpiscope_run::order::outcome::State as Ended;
use mpiscope_run::order::{self as records, Record};

use super::alter::{altered, force, was_forced};
use super::calls;
use super::candidates::Candidate;
use super::compare::{Baseline, Difference};
use super::force::{Forced, Forcing};
use super::keep::keeps;
use super::state::{At, Events, Finding, State, FOLDER};
use super::verdict::{judge, Verdict};
use crate::cli::Explore;
use crate::input::Damaged;
use crate::say;

/// A forced run may take so many times what the recorded order takes.
const TIMES: f64 = 10.0;

/// Seconds that the replay of a run that hung may take at most, beside what the run took and
/// the patience of its ranks: it may poll for ever.
const HUNG: f64 = 60.0;

/// The run that is explored, and how far it is.
pub struct Exploration<'a> {
    /// What was traced.
    pub trace: &'a Trace,
    /// Its messages.
    pub matching: &'a Matching,
    /// Its choices.
    pub choices: &'a Choices,
    /// Its order.
    pub record: &'a Record,
    /// It did not come to its end: some thread never returned from a call.
    pub hung: bool,
    /// How the command is run.
    pub forcing: Forcing,
    /// What was found.
    pub state: State,
    /// The run's directory.
    pub run: PathBuf,
    /// Runs of the command, this time.
    pub runs: usize,
    /// Since when.
    pub begun: Instant,
}

impl Exploration<'_> {
    /// Forces alternatives until all are done or the budget is spent.
    pub fn explore(&mut self, arguments: &Explore, open: &[&Candidate]) -> Result<()> {
        if self.state.baseline.is_none() {
            self.state.baseline = Some(self.baseline()?);
            self.state.write(&self.run)?;
        }
        for candidate in open {
            if self.is_spent(arguments) {
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

    /// Returns whether no alternative may be forced any more, this time.
    pub fn is_spent(&self, arguments: &Explore) -> bool {
        let late = |most| self.begun.elapsed().as_secs_f64() >= most;
        arguments.time.is_some_and(late) || self.runs >= arguments.budget
    }

    /// Returns how many seconds a run of the command may take whose recorded order hangs.
    fn until_hung(&self) -> f64 {
        HUNG + TIMES * seconds(self.trace) + 2.0 * self.forcing.patience
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.run.join(FOLDER).join(name)
    }

    /// Replays the recorded order twice; once if it hangs, as the recorded run did.
    fn baseline(&mut self) -> Result<Baseline> {
        let hung = self.hung;
        let limit = hung.then(|| Duration::from_secs_f64(self.until_hung()));
        let source = self.folder("altered");
        write(&source, self.record)?;
        let mut replays = Vec::new();
        for _ in 0..2 {
            let replay = self.folder("baseline");
            let forced = self.forcing.run(&source, &replay, limit)?;
            self.runs += 1;
            ensure!(
                forced.record.is_some(),
                "the command could not be replayed; `mpiscope replay` says more"
            );
            let stalled = forced.ranks.iter().any(|it| it.state == Ended::Stalled);
            if hung && (stalled || forced.overdue) {
                fs::remove_dir_all(&replay)?;
                return Ok(Baseline {
                    hangs: true,
                    ..Baseline::default()
                });
            }
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
        let of = (choices, self.record);
        let kept = keeps(self.trace, self.matching, of, &candidate.race, send);
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
        let limit = match baseline.hangs {
            true => self.until_hung(),
            false => baseline.seconds * TIMES + 10.0 + 2.0 * self.forcing.patience,
        };
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
        let world = |location: LocationIndex| trace.locations[location.index()].rank.0;
        let call = |event| calls::call(trace, event).unwrap_or_else(|| "a call".into());
        Finding {
            number,
            key: candidate.key(),
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
            events: Some(Events {
                receive: At::of(trace, candidate.race.receive),
                got: candidate.race.message.map(|send| At::of(trace, send)),
                given: At::of(trace, candidate.send),
            }),
        }
    }
}

/// Returns how long a run lasted until its last event.
fn seconds(trace: &Trace) -> f64 {
    let lasted = trace.locations.iter().filter_map(|location| {
        let times = location.events.times();
        Some((*times.last()? - *times.first()?).0)
    });
    lasted.max().unwrap_or(0) as f64 / 1e9
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
