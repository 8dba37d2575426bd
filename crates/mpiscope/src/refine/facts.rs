//! What is proposed, as JSON has it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mpiscope_analysis::profile::Profile;
use mpiscope_analysis::refine::{Fate, NoWindow, OfName, Refinement};
use mpiscope_run::buffer;
use serde::Serialize;

use super::earlier::Earlier;
use super::next::{self, Next};
use super::notes::{self, About};
use crate::cli::Refine;
use crate::input::{Input, TimeBase};
use crate::packed;
use crate::proposed_filter::{self, LeftOut};
use crate::report::show::counted;
use crate::traced;

/// Nanoseconds that a visit of a region takes to record, and to leave out (BENCHMARKS.md and
/// bench/results/monitor.md, in the median, at the lower speed of a processor).
pub const VISIT: u64 = 66;
/// A visit that is left out: the program tells of it all the same.
pub const PASSED: u64 = 30;
/// Bytes of a record, of which each event is one at least.
const RECORD: u64 = buffer::RECORD as u64;
/// What a process reserves unasked.
const RESERVE: u64 = buffer::RESERVE as u64;
/// A buffer that is proposed is a multiple of this.
const STEP: u64 = 16 << 20;
/// Iterations that stand for all.
const ITERATIONS: u32 = 10;

/// The report.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// What was read.
    pub path: PathBuf,
    /// The archive's anchor.
    pub archive: PathBuf,
    /// What its times are; nothing if nobody knows.
    pub clock: Option<TimeBase>,
    /// Ranks.
    pub ranks: u64,
    /// Regions of the program's own, by name.
    pub own_regions: u64,
    /// What the trace holds.
    pub now: Volume,
    /// What the next one would hold.
    pub next: Volume,
    /// How many times as long the next run is taken to be.
    pub times: f64,
    /// Regions that are visited often and briefly, those of most events first.
    pub regions: Vec<Region>,
    /// Nanoseconds that recording visits of these took, of all threads together: an estimate.
    pub intrusion_ns: u64,
    /// What of it the proposal saves: an estimate.
    pub saved_ns: u64,
    /// The filter, in Score-P's syntax; nothing if nothing is left out.
    pub filter: Option<String>,
    /// Where it goes.
    pub filter_file: PathBuf,
    /// Whether what is proposed was written.
    pub written: bool,
    /// The line in a file: where `--apply` writes it; nothing if nothing is proposed.
    pub script_file: Option<PathBuf>,
    /// Some iterations that stand for all.
    pub window: Option<Window>,
    /// Why there are none.
    pub no_window: Option<String>,
    /// The memory that the next trace needs.
    pub buffer: Buffer,
    /// Options of `trace` that are proposed, the recorded run's own among them.
    pub options: Vec<String>,
    /// The command that was traced; nothing if it is not known.
    pub command: Option<Vec<String>>,
    /// What to type next.
    pub line: String,
    /// What is to be known of it.
    pub line_note: Option<String>,
    /// Why calls of MPI were recorded only in part; nothing if all were.
    pub in_part: Vec<&'static str>,
    /// A longer run has as many events as is said at most.
    pub at_most: bool,
    /// What is to be known of the figures.
    pub notes: Vec<String>,
    /// What could not be read.
    pub damage: Vec<String>,
}

/// How much a trace holds.
#[derive(Debug, Serialize)]
pub struct Volume {
    /// Events.
    pub events: u64,
    /// Bytes on disk; of the next trace in proportion, nothing if they are not known.
    pub bytes: Option<u64>,
    /// The rank that has most events.
    pub largest: Largest,
}

/// What one rank holds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Largest {
    /// World rank.
    pub rank: u32,
    /// Events of all its threads.
    pub events: u64,
    /// Bytes of their records in memory, at least.
    pub memory: u64,
    /// Events a second.
    pub per_second: u64,
}

/// A region that is visited often and briefly.
#[derive(Debug, Serialize)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// Visits, of all threads.
    pub visits: u64,
    /// Their events.
    pub events: u64,
    /// How long a visit took in the mean, what it called included.
    pub mean_ns: i64,
    /// Nanoseconds that recording them took: an estimate.
    pub intrusion_ns: u64,
    /// `left_out`, or why it stays: `encloses`, `cause`, `nameless`.
    pub fate: &'static str,
}

/// Iterations that stand for all, numbered from 1.
#[derive(Debug, Serialize)]
pub struct Window {
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
    /// How many there are in all.
    pub of: u64,
    /// When the first rank begins them, since MPI_Init.
    pub from_ns: i64,
    /// When the last rank ends them.
    pub until_ns: i64,
    /// Events in this time that are not left out.
    pub events: u64,
    /// As `trace` takes it.
    pub option: String,
}

/// The memory that the next trace needs.
#[derive(Debug, Serialize)]
pub struct Buffer {
    /// The rank that needs most.
    pub rank: u32,
    /// Bytes of records that it writes, at most.
    pub needed: u64,
    /// What is to be reserved; nothing where the reserve that every process has will do.
    pub proposed: Option<u64>,
}

impl Facts {
    /// Gathers what is known and what is proposed.
    pub fn of(
        arguments: &Refine,
        input: &Input,
        profile: &Profile,
        found: &Refinement,
        earlier: &Earlier,
        place: &Path,
    ) -> Facts {
        let times = arguments.times;
        let now = Volume::now(input, found);
        let after = Volume::next(&now, found, times);
        let regions: Vec<Region> = found.regions.iter().filter_map(Region::of).collect();
        let sum = |it: &dyn Fn(&Region) -> u64| regions.iter().map(it).sum::<u64>();
        let intrusion_ns = sum(&|it| it.intrusion_ns);
        let is_left_out = |it: &Region| it.fate == "left_out";
        let saved_ns = sum(&|it| {
            if is_left_out(it) {
                it.visits * (VISIT - PASSED)
            } else {
                0
            }
        });
        let (window, no_window) = match window(arguments, input, profile, found) {
            Ok(window) => (Some(window), None),
            Err(why) => (None, Some(why)),
        };
        let buffer = Buffer::of(found, times);
        let filter = text_of(input, found, earlier, times);
        let in_part = notes::in_part(input, earlier);
        let next = Next::of(input);
        let asked = window.as_ref().filter(|_| arguments.iterations.is_some());
        let proposal = next::Proposal {
            filter: filter.is_some().then_some(place),
            window: asked.map(|it| it.option.as_str()),
            buffer: buffer.proposed,
        };
        let options = next.options(&proposal);
        let line = next.line(&options, &proposal);
        let line_note = next.note(&proposal);
        let about = About {
            in_part: &in_part,
            is_damped: notes::is_damped(input, found, times),
            has_filter: filter.is_some(),
            has_window: asked.is_some(),
        };
        Facts {
            path: input.path.clone(),
            archive: input.anchor.clone(),
            clock: input.clock,
            ranks: input.ranks(),
            own_regions: found.regions.len() as u64,
            now,
            next: after,
            times,
            regions,
            intrusion_ns,
            saved_ns,
            filter,
            filter_file: place.to_owned(),
            written: false,
            script_file: None,
            window,
            no_window,
            buffer,
            line,
            line_note,
            options,
            command: next.command,
            notes: notes::of(input, found, &about),
            at_most: about.is_damped,
            in_part,
            damage: traced::damage(input),
        }
    }
}

impl Facts {
    /// Returns whether the line has a window.
    pub fn has_window(&self) -> bool {
        let window = self.window.as_ref();
        window.is_some_and(|it| self.options.contains(&it.option))
    }
}

impl Volume {
    fn now(input: &Input, found: &Refinement) -> Volume {
        Volume {
            events: found.events(),
            bytes: bytes(input),
            largest: Largest::of(found, |_| 0, 1.0),
        }
    }

    fn next(now: &Volume, found: &Refinement, times: f64) -> Volume {
        let left = now.events - found.saved();
        let share = left as f64 / now.events.max(1) as f64 * times;
        Volume {
            events: scaled(left, times),
            bytes: now.bytes.map(|bytes| scaled(bytes, share)),
            largest: Largest::of(found, |it| it.left_out, times),
        }
    }
}

fn scaled(number: u64, times: f64) -> u64 {
    (number as f64 * times).round() as u64
}

impl Largest {
    /// Finds the rank that has most events beside those that are left out.
    fn of(
        found: &Refinement,
        left_out: fn(&mpiscope_analysis::refine::OfLocation) -> u64,
        times: f64,
    ) -> Largest {
        let mut ranks: BTreeMap<u32, (u64, i64)> = BTreeMap::new();
        for location in &found.locations {
            let (events, time) = ranks.entry(location.rank).or_default();
            *events += location.events - left_out(location);
            *time = (*time).max(location.time.0);
        }
        let most = ranks
            .into_iter()
            .max_by_key(|(rank, (events, _))| (*events, std::cmp::Reverse(*rank)));
        let Some((rank, (events, time))) = most else {
            return Largest::default();
        };
        let seconds = time.max(1) as f64 / 1e9;
        Largest {
            rank,
            events: scaled(events, times),
            memory: scaled(events.saturating_mul(RECORD), times),
            per_second: (events as f64 / seconds) as u64,
        }
    }
}

impl Region {
    fn of(region: &OfName) -> Option<Region> {
        let fate = match region.fate {
            Fate::LeftOut => "left_out",
            Fate::Encloses => "encloses",
            Fate::Cause => "cause",
            Fate::Nameless => "nameless",
            Fate::Worthwhile => return None,
        };
        Some(Region {
            name: region.name.clone(),
            visits: region.visits,
            events: region.events,
            mean_ns: region.mean().0,
            intrusion_ns: region.visits.saturating_mul(VISIT),
            fate,
        })
    }
}

impl Buffer {
    fn of(found: &Refinement, times: f64) -> Buffer {
        let buffer = found.buffer(times);
        // A quarter more, as no run is like the other.
        let ample = buffer.bytes.saturating_add(buffer.bytes / 4);
        Buffer {
            rank: buffer.rank,
            needed: buffer.bytes,
            proposed: (ample > RESERVE).then(|| ample.div_ceil(STEP).saturating_mul(STEP)),
        }
    }
}

fn window(
    arguments: &Refine,
    input: &Input,
    profile: &Profile,
    found: &Refinement,
) -> Result<Window, String> {
    let wanted = arguments.iterations.unwrap_or(ITERATIONS);
    let (iterations, lengths) = match &profile.iterations {
        Some(Ok(found)) => found,
        Some(Err(why)) => return Err(format!("no iterations were found: {why}")),
        None => return Err("iterations were not looked for".to_owned()),
    };
    let window = found.window(&input.trace, iterations, lengths, wanted as usize);
    let window = window.map_err(|why| match why {
        NoWindow::Few(all) => format!(
            "of {} no part of {wanted} is proposed: there are not twice as many",
            counted(all as u64, "iteration")
        ),
        NoWindow::NoInit => {
            "a rank does not tell when it left MPI_Init, from where windows count".to_owned()
        }
    })?;
    Ok(Window {
        first: window.iterations.start as u64 + 1,
        last: window.iterations.end as u64,
        of: iterations.count() as u64,
        from_ns: window.from.0,
        until_ns: window.until.0,
        events: window.events,
        option: next::window(window.from.0, window.until.0),
    })
}

/// Returns the filter: what the run was traced with, then what is left out besides.
fn text_of(input: &Input, found: &Refinement, earlier: &Earlier, times: f64) -> Option<String> {
    let left_out: Vec<LeftOut> = (found.with(Fate::LeftOut))
        .map(|it| LeftOut {
            name: &it.name,
            visits: it.visits,
            mean_ns: it.mean().0.max(0) as u64,
        })
        .collect();
    if left_out.is_empty() {
        return None;
    }
    let longer = match times {
        1.0 => String::new(),
        times => format!(", for a run {times} times as long"),
    };
    let head = format!(
        "from the trace {}{longer}",
        packed::given(&input.path).display()
    );
    Some(proposed_filter::text(&head, earlier.text.as_deref(), &left_out) + "\n")
}

/// Returns the bytes of an archive, if they are known.
fn bytes(input: &Input) -> Option<u64> {
    if let Some(archive) = input.run.as_ref().and_then(|run| run.archive) {
        return Some(archive.bytes);
    }
    let length = |path: &Path| fs::metadata(path).map(|it| it.len()).ok();
    let files = fs::read_dir(input.anchor.with_extension("")).ok()?;
    let events = files.flatten().filter_map(|it| length(&it.path()));
    let definitions = length(&input.anchor.with_extension("def"));
    Some(events.chain(definitions).sum())
}
