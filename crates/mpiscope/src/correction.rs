//! From a measured archive to a corrected one, and what is to be said about it:
//! the same for `sync`, `recover` and the end of `trace`.

pub mod shared;
mod summary;
mod write;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use mpiscope_analysis::evidence::Evidence;
use mpiscope_archive::model::{
    Duration, EventRef, Location, Matching, Processes, Timestamp, Trace,
};
use mpiscope_archive::progress::Progress;
use mpiscope_run::directory;
use mpiscope_run::run_info::RunInfo;
use mpiscope_sync::statistics::Together;
use mpiscope_sync::{
    correct_together, coverage, earliest, errors, Config, Control, Correction, Error, PresyncMode,
    Stage, Warning,
};

use crate::aside;
use crate::call::{self, SourcePlace};
use crate::cli::{Assumed, SameClock};
use crate::clocks::Told;
use crate::evidence;
use crate::input::{Input, TimeBase};
use crate::job::{self, agree, once};
use crate::packed;
use crate::progress::{self, while_doing, Unit};
use crate::report::figures::{self, sum_up, Checked};
use crate::report::latency::Latencies;
use crate::report::places::Places;
use crate::report::plot::{self, Curves};
use crate::report::statistics::{Found, MOST_PAIRS};
use crate::report::{show, truth};
use crate::say;
use crate::shifts::{self, Shift};
use crate::signals;
use crate::uncertainty::Widths;

use summary::{Called, Pass};
pub use summary::{Shifted, Summary, Truth, TruthErrors, Worst};
pub use write::Target;

/// What is to be done with an archive.
pub struct Job<'a> {
    /// How to correct it.
    pub config: Config,
    /// Which locations read one clock, if the caller knows better than archive and messages.
    pub clocks: Option<SameClock>,
    /// Where the result goes; nowhere, if nothing is to be written.
    pub target: Option<&'a Target>,
    /// Whether to compare with the known truth.
    pub truth: bool,
    /// How many pairs of places are listed.
    pub pairs: usize,
    /// Where a picture of the clocks goes.
    pub plot: Option<&'a Path>,
    /// Shifts that are kept with the archive are left out.
    pub no_shifts: bool,
    /// Those that do it together, each with what is its own; nothing if this process is alone.
    pub processes: Option<&'a dyn Processes>,
}

impl Default for Job<'_> {
    fn default() -> Self {
        Job {
            config: Config::default(),
            clocks: None,
            target: None,
            truth: false,
            pairs: MOST_PAIRS,
            plot: None,
            no_shifts: false,
            processes: None,
        }
    }
}

impl Summary {
    /// Returns what is kept of the run's correction, if that is there.
    pub fn kept(input: &Input) -> Option<Summary> {
        let anchor = directory::anchor(&input.corrected()?);
        let kept = input.run.as_ref()?.correction.clone()?;
        let kept = serde_json::from_value(kept).ok();
        kept.filter(|_| anchor.is_file())
    }
}

/// What rows of a run are moved by, by hand.
pub struct MovedByHand {
    /// As it is kept now; nothing if that cannot be read.
    pub kept: Vec<Shift>,
    /// What the corrected archive was made with; nothing without one.
    pub with: Option<Vec<Shift>>,
    /// What is to be said of both.
    pub note: Option<String>,
}

impl MovedByHand {
    /// Reads what is kept of a run.
    pub fn of(input: &Input) -> MovedByHand {
        let kept = shifts::read(input);
        let with = Summary::kept(input).map(|it| {
            let with = it.shifts.iter().map(Shifted::asked);
            with.collect::<Vec<Shift>>()
        });
        let note = match (&kept, &with) {
            (Err(error), _) => Some(say::chain(error)),
            (Ok(kept), Some(with)) if with != kept => Some(
                "The corrected times were made with other shifts than are kept now; `mpiscope \
                 sync --force` makes them anew."
                    .to_owned(),
            ),
            _ => None,
        };
        MovedByHand {
            kept: kept.unwrap_or_default(),
            with,
            note,
        }
    }
}

/// A correction, and what is to be said about it.
#[derive(Debug)]
pub struct Corrected {
    /// What it did.
    pub summary: Summary,
    /// The trace's messages and operations.
    pub matching: Matching,
    /// From the first to the last event in corrected time.
    pub elapsed: Duration,
    /// It lies in the run whose archive it corrects.
    pub is_of_run: bool,
}

/// Corrects an archive; writes the result, if it is told where to.
pub fn run(input: &mut Input, job: &Job) -> Result<Corrected> {
    let began = Instant::now();
    let shifts = agree(shifts_for(input, job))?;
    let shifts = job::as_first_found(shifts, job.processes)?;
    let mut matching = shared::matched(input, job, shifts.is_empty())?;
    matching.assumptions = job.config.assumptions;
    let told = Told::of(&mut input.trace, &matching, job.clocks, job.processes);
    let input = &*input;
    let config = Config {
        shifts: (shifts::by_location(&input.trace, &shifts).into_iter())
            .map(Duration)
            .collect(),
        ..job.config.clone()
    };
    let correction = correct(input, &matching, &config, job.processes)
        .with_context(|| format!("cannot correct {}", input.anchor.display()));
    let mut correction = agree(correction)?;
    let mut summary = while_doing("checking corrected times", || {
        summarize(input, job, &matching, &correction)
    });
    let again = (input.clock == Some(TimeBase::Corrected)).then(|| {
        "the times of this archive are corrected already: name its run, or the archive it came \
         from, to correct the measured ones"
            .to_owned()
    });
    let left_out = (job.no_shifts && shifts::place(input).exists())
        .then(|| "shifts are kept with the archive, and left out (--no-shifts)".to_owned());
    let said = again
        .into_iter()
        .chain(left_out)
        .chain(told.sentences().map(str::to_owned));
    summary.warnings.splice(0..0, said);
    summary.clock_claims = told;
    if job.truth || job.plot.is_some() || !shifts.is_empty() {
        // What is said of all columns at once.
        make_whole(&mut correction, job.processes);
    }
    summary.shifts = summary::remained(&shifts, &input.trace, &correction);
    if job.truth {
        summary.truth = Some(agree(truth(input, &correction))?);
    }
    if let Some(file) = job.plot {
        let title = format!("Clocks of {}", packed::given(&input.path).display());
        let curves = Curves::new(title, &input.trace, &correction);
        once(|| {
            aside::write(file, plot::svg(&curves))
                .with_context(|| format!("cannot write {}", file.display()))
        })?;
    }
    if let Some(target) = job.target {
        let (output, written) = target.write(input, &correction, &summary, job.processes)?;
        (summary.output, summary.written) = (Some(output), Some(written));
    }
    summary.exchanged = job::exchanged(&matching.messages, &correction.part_of);
    summary.seconds = began.elapsed().as_secs_f64();
    summary.peak_memory_bytes =
        job::greatest(mpiscope_archive::memory::peak().unwrap_or(0), job.processes);
    let is_of_run = job.target.is_some_and(|target| is_of_run(input, target));
    let is_of_run = job::as_first_found(is_of_run, job.processes)?;
    if is_of_run {
        once(|| note_in_run(input, &summary))?;
    }
    let together = Together::new(&correction, job.processes);
    Ok(Corrected {
        elapsed: together.elapsed(&correction.corrected),
        summary,
        matching,
        is_of_run,
    })
}

/// Returns what a user has moved, once it is clear that the result may be written.
fn shifts_for(input: &Input, job: &Job) -> Result<Vec<Shift>> {
    if let Some(target) = job.target {
        target.check(input)?;
    }
    match job.no_shifts {
        true => Ok(Vec::new()),
        false => {
            shifts::read(input).context("the shifts cannot be taken; --no-shifts leaves them out")
        }
    }
}

/// Has each process have the columns of all locations.
fn make_whole(correction: &mut Correction, processes: Option<&dyn Processes>) {
    let mut before = std::mem::take(&mut correction.interpolated);
    let mut after = std::mem::take(&mut correction.corrected);
    let together = Together::new(correction, processes);
    together.gather(&mut before);
    together.gather(&mut after);
    (correction.interpolated, correction.corrected) = (before, after);
}

/// Corrects times, and tells which stage that has come to.
fn correct(
    input: &Input,
    matching: &Matching,
    config: &Config,
    processes: Option<&dyn Processes>,
) -> Result<Correction, Error> {
    let progress = Progress::default();
    progress.expect(STAGES);
    // Stages that are done again do not go back.
    let mut watch = |stage: Stage| {
        let come = (stage as u64 + 1).saturating_sub(progress.done());
        progress.advance(come);
    };
    progress::during("correcting times", Unit::Stages, &progress, || {
        correct_together(&input.trace, matching, config, processes, &mut watch)
    })
}

/// All of [`Stage`].
const STAGES: u64 = Stage::Expand as u64 + 1;

fn summarize<'a>(
    input: &'a Input,
    job: &Job,
    matching: &Matching,
    correction: &Correction,
) -> Summary {
    let trace = &input.trace;
    let report = &correction.report;
    let clocks = trace.clock_of_locations().into_iter().max();
    let column = |location: &'a Location| location.events.times();
    let measured: Vec<&[Timestamp]> = trace.locations.iter().map(column).collect();
    let places = Places::of(trace);
    let check = || {
        let assumptions = &matching.assumptions;
        let (times, table) = (&correction.corrected, &correction.latencies);
        figures::violations(assumptions, trace, times, table, job.processes)
    };
    let together = Together::new(correction, job.processes);
    let count = || {
        Found::new(
            trace,
            matching,
            &measured,
            correction,
            &places,
            job.processes,
        )
    };
    let (checked, found) = match job.processes {
        // Each has stages that one thread does; the other takes the rest meanwhile.
        None => rayon::join(check, count),
        Some(_) => (check(), count()),
    };
    let logical = found.measured.all().messages;
    let held = trace
        .locations
        .iter()
        .map(|it| it.events.len() as u64)
        .sum();
    Summary {
        input: input.path.clone(),
        presync: name(correction.presync).to_owned(),
        control: control(job.config.control).to_owned(),
        gamma: 1.0 - report.passes.last().map_or(0.0, |pass| pass.kappa),
        passes: report.passes.iter().map(pass).collect(),
        delta_ns: job.config.delta.map(|delta| delta.0),
        interval: job.config.interval,
        uncertainty: Widths::of(&correction.uncertainty),
        ranks: input.ranks(),
        clocks: clocks.map_or(0, |last| u64::from(last) + 1),
        events: report.events,
        events_moved: report.events_moved,
        max_displacement_ns: report.max_displacement.0,
        mean_displacement_ns: report.mean_displacement,
        messages: figures::messages(trace, matching, logical, job.processes),
        held_events: job::greatest(held, job.processes),
        collectives: report.collectives,
        violations: Checked {
            measured: sum_up(&found.measured, together.backward_steps(&measured)),
            interpolated: Some(sum_up(
                &found.interpolated,
                together.backward_steps(&correction.interpolated),
            )),
            corrected: Some(checked),
        },
        statistics: found.statistics(&measured, correction, together, &places, job.pairs),
        assume: Assumed::of(&matching.assumptions),
        latency: Latencies::of(trace, &report.latencies),
        worst: worst(trace, matching, job.processes),
        warnings: [
            input.not_kept(),
            warnings(trace, matching, report, job.processes),
        ]
        .concat(),
        damage: input.damage.clone(),
        ..Summary::default()
    }
}

fn control(control: Control) -> &'static str {
    match control {
        Control::Fixed { .. } => "fixed",
        Control::Paper { .. } => "paper",
        Control::Adaptive => "adaptive",
    }
}

fn pass(pass: &mpiscope_sync::Pass) -> Pass {
    Pass {
        gamma: 1.0 - pass.kappa,
        error: pass.error,
    }
}

fn name(presync: PresyncMode) -> &'static str {
    match presync {
        PresyncMode::None => "none",
        PresyncMode::Align => "align",
        PresyncMode::Linear => "linear",
        PresyncMode::Hull => "hull",
        PresyncMode::MinMax => "min-max",
        PresyncMode::Fit => "fit",
    }
}

/// Finds the message that seemed to be received longest before it was sent.
fn worst(trace: &Trace, matching: &Matching, processes: Option<&dyn Processes>) -> Option<Worst> {
    let (by, message) = earliest(trace, matching, processes)?;
    let call = |event: EventRef| Called {
        rank: trace.locations[event.location.index()].rank.0,
        place: SourcePlace::new(trace, job::place_of(trace, event, processes)),
    };
    Some(Worst {
        by_ns: by.0,
        send: call(message.send),
        receive: call(message.receive),
    })
}

/// What is to be known of a correction, in sentences.
pub fn warnings(
    trace: &Trace,
    matching: &Matching,
    report: &mpiscope_sync::Report,
    processes: Option<&dyn Processes>,
) -> Vec<String> {
    let sharers = processes.filter(|_| matching.of_all.is_some());
    let first = |events: &[EventRef]| {
        let mine = events.iter().min().copied();
        let all = sharers.map(|all| all.share_all(mine.into_iter().collect()).concat());
        all.map_or(mine, |all| all.into_iter().min())
    };
    let counts = [
        (
            report.unmatched_sends,
            "sends without receive in the trace",
            first(&matching.unmatched_sends),
        ),
        (
            report.unmatched_receives,
            "receives without send in the trace",
            first(&matching.unmatched_receives),
        ),
        (
            report.ambiguous_messages,
            "messages that only a local clock orders on their channel (several threads)",
            None,
        ),
        (
            report.incomplete_collectives,
            "collective operations that lack a member",
            None,
        ),
        (
            report.unused_collectives,
            "collective operations of which the trace does not tell who waits for whom",
            None,
        ),
        (
            report.backward_steps,
            "recorded times that lay before the event before, and were held",
            None,
        ),
    ];
    let counted = counts.iter().filter(|(count, ..)| *count > 0);
    let counted = counted.map(|(count, what, first)| {
        let first = first_of(trace, first.as_ref(), processes);
        format!("{what}: {}{first}", show::count(*count))
    });
    let said = report.warnings.iter().map(|warning| match warning {
        Warning::Cycle { .. } => {
            let first = first_of(trace, report.dropped_edges.iter().min(), processes);
            format!("{warning}{first}")
        }
        _ => warning.to_string(),
    });
    let evidence = Evidence::among(trace, matching, processes);
    let lacks = [
        evidence::missing(&evidence),
        evidence::impossible(&evidence),
    ];
    said.chain(counted)
        .chain(lacks.into_iter().flatten())
        .collect()
}

/// Names the first call of several, if the trace tells what was called.
fn first_of(trace: &Trace, event: Option<&EventRef>, processes: Option<&dyn Processes>) -> String {
    event.map_or(String::new(), |event| {
        let place = SourcePlace::new(trace, job::place_of(trace, *event, processes));
        match place.call {
            Some(_) => format!(
                " (the first: {})",
                call::named(trace, event.location, &place)
            ),
            None => String::new(),
        }
    })
}

fn truth(input: &Input, correction: &Correction) -> Result<Truth> {
    let trace = &input.trace;
    let real = truth::columns(input)?;
    let compare = |times: &[Vec<_>]| {
        let errors = errors(trace, times, &real);
        TruthErrors {
            message_duration: errors.message_duration.into(),
            global_time: errors.global_time.into(),
        }
    };
    Ok(Truth {
        measured: compare(&trace.times()),
        interpolated: compare(&correction.interpolated),
        corrected: compare(&correction.corrected),
        half_widths: coverage(
            trace,
            &correction.uncertainty,
            &correction.interpolated,
            &real,
        )
        .into(),
    })
}

/// Returns whether the archive becomes the run's own.
fn is_of_run(input: &Input, target: &Target) -> bool {
    input.run.is_some() && input.corrected().as_ref() == Some(&target.directory)
}

/// Leaves the facts in `run.json`.
fn note_in_run(input: &Input, summary: &Summary) -> Result<()> {
    // Read anew: what else is known of the run stays.
    let mut info = RunInfo::read(&input.path)?;
    let mut facts = serde_json::to_value(summary)?;
    if let Some(fields) = facts.as_object_mut() {
        // A run may move, and the truth is no part of the correction.
        fields.retain(|name, _| !["input", "output", "truth"].contains(&name.as_str()));
    }
    info.correction = Some(facts);
    Ok(signals::hold(|| info.write(&input.path))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use mpiscope_archive::model::LocationIndex;

    fn input(picture: &str) -> Input {
        Input {
            trace: Trace::parse(picture).unwrap(),
            path: "heat.mpiscope".into(),
            ..Input::default()
        }
    }

    #[test]
    fn a_correction_is_summed_up() {
        let mut input = input("0: 1000 send>1 2000 send>1\n1: 900 recv<0 1900");
        let summary = run(&mut input, &Job::default()).unwrap().summary;
        expect!["2 ranks, 2 clocks, 4 events, 1 message, 0 collective operations"]
            .assert_eq(&summary.contents());
        expect!["2 of 4 events (50 %) moved beyond interpolation, by 101 ns at most (50.5 ns in the mean over all events)"]
            .assert_eq(&summary.moved());
        expect!["unknown (1 ns used) between hosts"].assert_eq(&summary.latency.sentence());
        expect![[r#"
            2 clocks were never compared with each other
            a location ends ahead of its clock by 1.01e-1 of its length: clocks far apart, or minimum latencies too long
            sends without receive in the trace: 1"#]]
        .assert_eq(&summary.warnings.join("\n"));
        assert!(summary.alarm().is_none());
    }

    #[test]
    fn what_is_wrong_is_named_by_its_lines() {
        let mut input = input(
            "0: 1000 enter(MPI_Send) !at(a.c:3) 1001 send>1 2000 leave(MPI_Send) 2001 send>1
             1: 800 enter(MPI_Recv) !at(a.c:7) 900 recv<0 901 leave(MPI_Recv)",
        );
        let summary = run(&mut input, &Job::default()).unwrap().summary;
        let worst = summary.worst.unwrap().sentence();
        expect!["worst message: MPI_Recv at a.c:7 on rank 1 seemed to return 101 ns before MPI_Send at a.c:3 on rank 0"]
            .assert_eq(&worst);
        assert!(!first_of(
            &input.trace,
            Some(&EventRef::new(LocationIndex(0), 1)),
            None
        )
        .is_empty());
    }

    #[test]
    fn truth_is_asked_for_in_vain_without_a_run() {
        let mut input = input("0: 1 send>1\n1: 2 recv<0");
        let job = Job {
            truth: true,
            ..Job::default()
        };
        let error = run(&mut input, &job).unwrap_err();
        assert!(error.to_string().contains("no known truth"), "{error}");
    }
}
