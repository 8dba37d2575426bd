//! The facts that `info` prints: `--json` shows exactly these.

use std::path::PathBuf;

use mpiscope_analysis::evidence::Evidence;
use mpiscope_archive::model::{
    ClockDomain, Location, LocationIndex, LocationKind, Matching, Trace,
};
use mpiscope_run::control::Switchings;
use mpiscope_run::counters::Counters;
use mpiscope_run::files::FileUse;
use mpiscope_run::plan::LeftOut;
use mpiscope_run::polled::Polled;
use mpiscope_run::process::MpiLibrary;
use mpiscope_run::run_info::{RunInfo, State};
use mpiscope_run::sampling::Samples;
use mpiscope_run::ticks::Source;
use mpiscope_sync::Topology;
use serde::{Deserialize, Serialize};

use super::regions::{regions, Region};
use crate::cli::{Assumed, ClocksOf};
use crate::clocks::Told;
use crate::correction::{Shifted, Summary};
use crate::end_of_run::EndOfRun;
use crate::evidence;
use crate::input::{Input, TimeBase};
use crate::kinds::Kinds;
use crate::report::figures::{Checked, Messages};
use crate::report::latency::Latencies;
use crate::say;
use crate::shifts::{self, Shift};
use crate::uncertainty::Widths;

/// What is known of a run or an archive.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The run or archive.
    pub path: PathBuf,
    /// Anchor of the archive that `path` names: of a run the measured one.
    pub archive: PathBuf,
    /// What its times are, `measured` or `corrected`; not known of other tools' archives.
    pub clock: Option<TimeBase>,
    /// Anchor of the corrected archive, if there is one.
    pub corrected_archive: Option<PathBuf>,
    /// How far the run has come; nothing for an archive by itself, as in all that follows from `run.json`.
    pub state: Option<State>,
    /// The archive was made from the buffers of a run that died.
    pub recovered: bool,
    /// The program.
    pub program: Option<String>,
    /// The command as typed.
    pub command: Option<Vec<String>>,
    /// The MPI library.
    pub mpi: Option<MpiLibrary>,
    /// Hosts.
    pub hosts: Vec<String>,
    /// Processes.
    pub ranks: u64,
    /// World ranks that left no events.
    pub ranks_missing: Vec<u32>,
    /// Streams of events.
    pub locations: u64,
    /// What these are of.
    #[serde(flatten)]
    pub kinds: Kinds,
    /// Events.
    pub events: u64,
    /// Of a run that died: who ended by what, and where all ranks stood.
    pub end: Option<EndOfRun>,
    /// Events that could not be kept.
    pub events_lost: Option<u64>,
    /// Events that the run's archive had, or of an archive by itself its damaged locations as they
    /// are defined, and that could not be read; nothing if not known.
    pub events_unread: Option<u64>,
    /// From the first to the last event in corrected or interpolated time; where there is only
    /// measured time, on the clock that saw most.
    pub duration_ns: i64,
    /// Messages.
    pub messages: Messages,
    /// Collective operations.
    pub collectives: u64,
    /// Calls of collective operations, one for each member.
    pub collective_calls: u64,
    /// What the checker found, before and after.
    pub violations: Checked,
    /// Minimum latencies that `violations` refers to; nothing if they were not looked for.
    pub latency: Option<Latencies>,
    /// What corrected times of different clocks can be wrong by; nothing without correction.
    pub uncertainty: Option<Widths>,
    /// Clocks.
    pub clocks: Vec<Clock>,
    /// Who says which locations read one.
    pub clock_claims: Told,
    /// What was moved by hand in `mpiscope view`; nothing where nothing was.
    #[serde(skip_serializing_if = "Shifts::is_empty", default)]
    pub shifts: Shifts,
    /// Regions, those of most time first.
    pub regions: Vec<Region>,
    /// Regions on accelerators, likewise: kernels, transfers.
    pub accelerator_regions: Vec<Region>,
    /// What of the run was not kept, in sentences.
    pub not_kept: Vec<String>,
    /// What the user had left out, most entries first.
    pub filtered: Vec<LeftOut>,
    /// Functions of MPI that the program called within calls of MPI: they have no events.
    pub within: Vec<LeftOut>,
    /// World ranks that exchange with processes of another MPI_COMM_WORLD, which has no events.
    pub beyond: Vec<u32>,
    /// Polls that found nothing and are told together, most first.
    pub polls: Vec<Polled>,
    /// Samples of where threads computed; nothing if there were to be none.
    pub samples: Option<Samples>,
    /// Counters, if any were to be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// When recording was switched off, not by the program.
    pub switched: Vec<Switchings>,
    /// What was read and written in files.
    pub files: InFiles,
    /// What was noted while the archive was written.
    pub notes: Vec<String>,
    /// Locations of which not all could be read.
    pub truncated: Vec<Truncated>,
    /// All that could not be read, in sentences.
    pub damage: Vec<String>,
}

/// What was read and written in files by MPI.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InFiles {
    /// Bytes read, of all files and processes.
    pub bytes_read: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// The files, that of most bytes first.
    pub each: Vec<FileUse>,
}

impl InFiles {
    fn of(files: &[FileUse]) -> InFiles {
        let sum = |of: fn(&FileUse) -> u64| files.iter().map(of).fold(0, u64::saturating_add);
        InFiles {
            bytes_read: sum(|it| it.bytes_read),
            bytes_written: sum(|it| it.bytes_written),
            each: files.to_vec(),
        }
    }
}

/// Rows that the user has moved by hand.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shifts {
    /// As they are kept now.
    pub kept: Vec<Shift>,
    /// Those that the corrected archive was made with; nothing without one.
    pub in_corrected: Option<Vec<Shift>>,
    /// The corrected archive was made with others than are kept now, or without.
    pub corrected_is_stale: bool,
}

impl Shifts {
    fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.in_corrected.as_ref().is_none_or(Vec::is_empty)
    }

    /// Says which there are, and whether the corrected archive was made with them.
    pub fn sentence(&self) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let kept = match &self.kept[..] {
            [] => "none are kept any more".to_owned(),
            kept => format!("{} by hand", shifts::sentence(kept)),
        };
        let corrected = match &self.in_corrected {
            None => "mpiscope sync takes them".to_owned(),
            Some(_) if !self.corrected_is_stale => {
                "the corrected archive was made with them".to_owned()
            }
            Some(with) => {
                let with = match &with[..] {
                    [] => "without them".to_owned(),
                    with => format!("with others ({})", shifts::sentence(with)),
                };
                format!(
                    "the corrected archive was made {with}, and is out of date: mpiscope sync \
                     --force makes it anew"
                )
            }
        };
        Some(format!("{kept}; {corrected}"))
    }

    /// Takes over what the corrected archive was made with.
    pub fn of_correction(&mut self, summary: &Summary) {
        let with: Vec<Shift> = summary.shifts.iter().map(Shifted::asked).collect();
        self.corrected_is_stale = with != self.kept;
        self.in_corrected = Some(with);
    }
}

/// A clock, and how it stood to the master's.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// The processes that read it.
    pub ranks: Vec<u32>,
    /// What it is, if `run.json` says.
    pub source: Option<Source>,
    /// It was made wrong on purpose (`MPISCOPE_CLOCK_FAULT`).
    pub fault: bool,
    /// How much faster it ran than the master's, in parts per million; known from two measurements on.
    pub drift_ppm: Option<f64>,
    /// Comparisons with the master's clock.
    pub measurements: Vec<Measurement>,
}

/// One comparison with the master's clock.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// When, on this clock.
    pub time_ns: i64,
    /// The master's time less this clock's.
    pub offset_ns: i64,
    /// The true offset lies within this of it; nothing where the archive does not say.
    pub uncertainty_ns: Option<i64>,
}

/// A location of which not all could be read.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Truncated {
    /// Its number in the archive.
    pub location: u64,
    /// World rank of its process.
    pub rank: u32,
    /// How many events could be read.
    pub events: u64,
    /// What is wrong, and where.
    pub what: String,
}

/// Collects the facts of an archive; what cannot be read becomes damage. What only a fit of
/// all clocks tells is looked for if it is asked for, the clocks being told apart as `asked`,
/// or as when the archive was corrected.
pub fn facts(input: &mut Input, asked: Option<ClocksOf>) -> Facts {
    let mut matching = input.trace.matching();
    let mut clocks = asked.and_then(ClocksOf::same);
    if let Some(kept) = Summary::kept(input) {
        matching.assumptions = Assumed::all(&kept.assume);
        clocks = clocks.or(kept.clock_claims.asked());
    }
    let told = Told::of(&mut input.trace, &matching, clocks, None);
    let mut facts = Facts::of(input, &matching, told);
    match asked {
        Some(_) => facts.fit_clocks(input, &matching),
        None => facts.look_at_times(input, &matching),
    }
    facts
}

impl Facts {
    /// Collects what does not depend on how clocks stood to each other.
    pub fn of(input: &Input, matching: &Matching, clock_claims: Told) -> Facts {
        let trace = &input.trace;
        let (collectives, collective_calls) = collectives(matching);
        let (regions, accelerator_regions) = rayon::join(
            || regions(trace, LocationKind::Thread),
            || regions(trace, LocationKind::Accelerator),
        );
        let mut facts = Facts {
            path: input.path.clone(),
            archive: input.anchor.clone(),
            clock: input.clock,
            ranks: input.ranks(),
            locations: trace.locations.len() as u64,
            events: trace.event_count() as u64,
            collectives,
            collective_calls,
            clock_claims,
            hosts: hosts(trace),
            clocks: trace
                .clocks
                .iter()
                .map(|clock| describe(trace, clock))
                .collect(),
            kinds: Kinds::of(trace),
            regions,
            accelerator_regions,
            truncated: trace.locations.iter().filter_map(truncated).collect(),
            damage: input.damage.clone(),
            end: EndOfRun::of(input),
            notes: evidence::sentences(trace, &Evidence::of(trace, matching)),
            ..Facts::default()
        };
        if let Some(run) = &input.run {
            facts.take_over(run);
        }
        match shifts::read(input) {
            Ok(kept) => facts.shifts.kept = kept,
            Err(error) => facts.notes.push(say::chain(&error)),
        }
        if input.clock == Some(TimeBase::Corrected) {
            facts.notes.push(
                "the times of this archive are corrected already: what is said of measured ones \
                 is said of these"
                    .to_owned(),
            );
        }
        facts
    }

    /// Adds what `run.json` knows.
    fn take_over(&mut self, run: &RunInfo) {
        self.state = Some(run.state);
        self.recovered = run.state == State::Recovered;
        self.program = Some(run.program.clone());
        self.command = Some(run.command.clone());
        self.mpi = Some(run.mpi.clone());
        self.hosts.clone_from(&run.hosts);
        self.ranks_missing.clone_from(&run.missing);
        self.events_lost = Some(run.events_lost);
        // Fewer than there are: it tells of another archive, or of none yet.
        self.events_unread = run.events.checked_sub(self.events);
        self.not_kept = run.not_kept();
        self.polls.clone_from(&run.polls);
        self.switched.clone_from(&run.switched);
        self.filtered.clone_from(&run.filtered);
        self.within.clone_from(&run.within);
        self.beyond.clone_from(&run.beyond);
        self.files = InFiles::of(&run.files);
        self.notes.extend(run.polls_told());
        self.notes.extend(run.samples_told());
        self.notes.extend(run.counters_told());
        self.counters.clone_from(&run.counters);
        self.samples.clone_from(&run.samples);
        self.notes.extend_from_slice(&run.notes);
        for clock in &mut self.clocks {
            let of_run = |domain: &&mpiscope_run::clocks::Domain| {
                clock
                    .ranks
                    .first()
                    .is_some_and(|rank| domain.ranks.contains(rank))
            };
            let domain = run.clocks.iter().find(of_run);
            clock.source = domain.map(|domain| domain.source);
            clock.fault = domain.is_some_and(|domain| domain.clock.fault.is_some());
        }
    }
}

fn truncated(location: &Location) -> Option<Truncated> {
    Some(Truncated {
        location: location.id,
        rank: location.rank.0,
        events: location.events.len() as u64,
        what: location.truncated.clone()?,
    })
}

/// Names the hosts of an archive: the system tree's nodes that processes are on.
pub fn hosts(trace: &Trace) -> Vec<String> {
    let topology = Topology::new(trace);
    let mut hosts: Vec<String> = Vec::new();
    for (index, location) in (0..).map(LocationIndex).zip(&trace.locations) {
        match topology.host_name(index).filter(|_| location.is_thread()) {
            Some(name) if !hosts.iter().any(|host| host == name) => hosts.push(name.to_owned()),
            _ => {}
        }
    }
    hosts
}

/// Counts collective operations and their calls, but for what is assumed to be
/// none.
fn collectives(matching: &Matching) -> (u64, u64) {
    let held = |op| matching.assumptions.hold(op);
    let operations = matching
        .collectives
        .iter()
        .filter(|instance| held(instance.op));
    let members = operations
        .clone()
        .map(|instance| instance.members.len() as u64);
    (operations.count() as u64, members.sum())
}

fn describe(trace: &Trace, clock: &ClockDomain) -> Clock {
    let locations = clock.locations.iter();
    let of_trace = locations.filter_map(|index| trace.locations.get(index.index()));
    let of_trace = of_trace.filter(|location| location.is_thread());
    let mut ranks: Vec<u32> = of_trace.map(|location| location.rank.0).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let measurements = clock.measurements.iter().map(|m| Measurement {
        time_ns: m.time.0,
        offset_ns: m.offset.0,
        // Score-P says 0 of all of them; of the master's own it is true.
        uncertainty_ns: Some(m.half_width.0).filter(|width| *width > 0 || m.offset.0 == 0),
    });
    Clock {
        ranks,
        drift_ppm: drift(clock),
        measurements: measurements.collect(),
        ..Clock::default()
    }
}

fn drift(clock: &ClockDomain) -> Option<f64> {
    let (first, last) = (clock.measurements.first()?, clock.measurements.last()?);
    let elapsed = (last.time - first.time).as_seconds();
    let lost = (first.offset - last.offset).as_seconds();
    (elapsed > 0.0).then(|| lost / elapsed * 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(picture: &str) -> Facts {
        let mut input = Input {
            trace: Trace::parse(picture).unwrap(),
            path: "heat".into(),
            anchor: "heat/traces.otf2".into(),
            ..Input::default()
        };
        facts(&mut input, None)
    }

    #[test]
    fn an_archive_by_itself_has_no_mpi_and_no_corrected_times() {
        let json = serde_json::to_value(of("0: 1000 send>1(bytes=8)\n1: 900 recv<0(bytes=8)"));
        let json = json.unwrap();
        assert!(json["mpi"].is_null() && json["violations"]["corrected"].is_null());
        assert_eq!(json["locations"], 2);
        assert_eq!(json["messages"]["point_to_point"], 1);
        assert_eq!(json["messages"]["bytes"], 8);
        assert_eq!(json["violations"]["measured"]["reversed"], 1);
        assert_eq!(json["violations"]["measured"]["worst_ns"], 100);
    }

    #[test]
    fn collective_operations_and_calls_are_told_apart() {
        let facts = of("0: 1 barrier{ 5 }\n1: 2 barrier{ 6 }");
        assert_eq!((facts.collectives, facts.collective_calls), (1, 2));
        assert_eq!((facts.messages.logical, facts.duration_ns), (2, 5));
    }

    #[test]
    fn events_that_the_run_had_and_the_archive_lacks_are_counted() {
        let unread = |had: u64| {
            let run = RunInfo {
                events: had,
                ..RunInfo::default()
            };
            let mut facts = of("0: 1 2 3");
            facts.take_over(&run);
            facts.events_unread
        };
        assert_eq!([3, 10, 0].map(unread), [Some(0), Some(7), None]);
    }

    #[test]
    fn a_fast_clock_has_positive_drift() {
        let facts = of("clock 1: 0 -100 ±1, 1000000 -110 ±1\n0: 1 5\n1: 1 5");
        assert_eq!(facts.clocks[0].ranks, [1]);
        assert!((facts.clocks[0].drift_ppm.unwrap() - 10.0).abs() < 1e-9);
    }
}
