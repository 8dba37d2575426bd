//! Statistics in place of events: what each statement did, counted as it runs.
//!
//! The hooks tell what a call means as [`Fact`]s, whoever takes them; here they
//! are counted (`calls`) in the entry of the statement and the peer (`store`),
//! which anybody may read while the program goes on (`mpiscope_run::statistics`).
//! Sources that were instrumented tell of their procedures and loops too
//! (`probes`). What observation itself costs is measured at the start (`costs`)
//! and counted beside what it is part of.
//!
//! [`Fact`]: mpiscope_run::record::Fact

mod calls;
mod costs;
pub mod fast_path;
mod finish;
mod functions;
mod groups;
mod hosts;
mod probes;
mod stack;
mod store;
mod thread;
mod virtual_clock;
mod virtual_time_of_thread;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use mpi_abi::FUNCTIONS;
use mpiscope_run::process::{line_of, Communicator, Definition, Members};
use mpiscope_run::statistics::{snapshot, structures, Costs, Kind, Note, Notes, INLINED};
use mpiscope_run::system::without_size_signal;
use mpiscope_run::ticks::Triple;
use serde::{Deserialize, Serialize};

pub use finish::finish;
pub use hosts::find_near;
pub use thread::attach;

use groups::Groups;
use virtual_clock::Lines;

use crate::peers::common_clock::Common;
use crate::peers::page;
use crate::peers::remote_clocks::Abroad;

use crate::base::{clock, definitions, notice};
use crate::facts::thread::Thread;
use crate::mpi::process::{self, Process};
use crate::peers::virtual_time;
use virtual_time_of_thread::OfThread;

/// Seconds between two snapshots for other hosts.
const SNAPSHOTS: u64 = 5;

/// How much is kept; the same on all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Peers of a statement that have an entry of their own; the rest share one.
    pub peers: u32,
    /// Entries of a thread.
    pub entries: usize,
    /// Nanoseconds of delay put into every probe, to see whether they are compensated.
    pub delay: u64,
    /// Seconds between two snapshots for other hosts; 0 for 5, if there are several.
    pub snapshots: u32,
    /// The rank whose probes have it; all, if none is named.
    #[serde(default)]
    pub delayed: Option<u32>,
    /// Whether the time that partners lost to observation is taken into account.
    pub virtual_clock: bool,
    /// Whether messages between hosts are told of, by messages of our own.
    pub stamps: bool,
    /// So many hosts are pretended, to which the ranks are dealt in turn; 0 for none.
    pub hosts: u32,
}

impl Settings {
    /// Reads what rank 0's environment asks for; nothing if no statistics are wanted.
    ///
    /// # Errors
    /// Words about a variable that is no number.
    pub fn from_environment() -> Result<Option<Self>, String> {
        if !wanted() {
            return Ok(None);
        }
        let variable = |name| std::env::var(name).unwrap_or_default();
        let virtual_clock = variable("MPISCOPE_VIRTUAL_CLOCK");
        Ok(Some(Self {
            peers: number("MPISCOPE_MONITOR_PEERS", 64)?,
            entries: number("MPISCOPE_MONITOR_ENTRIES", 16384)?,
            delay: number("MPISCOPE_PROBE_DELAY", 0)?,
            snapshots: number("MPISCOPE_SNAPSHOTS", 0)?,
            delayed: match number("MPISCOPE_PROBE_DELAY_RANK", u32::MAX)? {
                u32::MAX => None,
                rank => Some(rank),
            },
            virtual_clock: matches!(virtual_clock.as_str(), "observe" | "enforce"),
            // Choices between messages need to know when each was sent.
            stamps: virtual_clock == "enforce" || variable("MPISCOPE_STAMPS") == "far",
            hosts: number("MPISCOPE_HOSTS", 0)?,
        }))
    }
}

/// Whether the environment asks for statistics: known before MPI is up.
pub fn wanted() -> bool {
    std::env::var("MPISCOPE_MONITOR").is_ok_and(|value| value == "on")
}

fn number<T: std::str::FromStr>(variable: &str, default: T) -> Result<T, String> {
    match std::env::var(variable) {
        Ok(text) if !text.is_empty() => text
            .parse()
            .map_err(|_| format!("{variable}={text}: a number is expected")),
        _ => Ok(default),
    }
}

/// What the threads of the process share.
pub struct Monitor {
    /// How much is kept.
    pub settings: Settings,
    /// Where the tables lie.
    folder: PathBuf,
    run: PathBuf,
    groups: Mutex<Groups>,
    /// The communicators, where a virtual clock needs them.
    communicators: Mutex<HashMap<u32, Communicator>>,
    /// Seconds since the last snapshot, about.
    passed: AtomicU64,
    /// World ranks of this host.
    near: Members,
    /// Which functions have a note.
    regions: Vec<AtomicBool>,
    /// The tables, the first thread's first.
    tables: Mutex<Vec<(PathBuf, Notes)>>,
    costs: OnceLock<Costs>,
    /// How many entries of each table were looked at for modules.
    seen: Mutex<Vec<usize>>,
    /// This clock in the common time of several hosts, and the ways to them.
    common: OnceLock<Common>,
    abroad: OnceLock<Mutex<Abroad>>,
    /// What virtual clocks know.
    lines: OnceLock<Mutex<Lines>>,
}

static MONITOR: OnceLock<Monitor> = OnceLock::new();

/// Returns what the threads share, if statistics are kept.
pub fn get() -> Option<&'static Monitor> {
    MONITOR.get()
}

/// Begins to keep statistics.
pub fn start(settings: Settings, folder: PathBuf, run: PathBuf, near: Members) {
    let _ = MONITOR.set(Monitor {
        settings,
        folder,
        run,
        groups: Mutex::default(),
        communicators: Mutex::default(),
        passed: AtomicU64::new(0),
        near,
        regions: FUNCTIONS.iter().map(|_| AtomicBool::new(false)).collect(),
        tables: Mutex::default(),
        costs: OnceLock::new(),
        seen: Mutex::default(),
        common: OnceLock::new(),
        abroad: OnceLock::new(),
        lines: OnceLock::new(),
    });
    definitions::listen(define);
    virtual_time::answer(&OfThread);
}

/// What is to be done every second: modules defined, clocks renewed, other hosts told.
pub fn look_around() {
    let (Some(monitor), Some(process)) = (get(), process::get()) else {
        return;
    };
    monitor.define_modules();
    monitor.renew_triple(clock::triple());
    monitor.tell_other_hosts(process);
}

/// Takes over what is defined of the process.
fn define(definition: &Definition) {
    if let Some(monitor) = get() {
        monitor.define(definition);
    }
}

/// Ends counting in a forked child: the tables are its parent's.
pub fn off_in_child() {
    thread::forget();
}

/// Removes the tables of a process that is not observed after all.
pub fn discard() {
    if let Some(monitor) = get() {
        for (path, _) in &*monitor.tables() {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Monitor {
    /// Takes over what is defined of the process as far as statistics need it.
    pub fn define(&self, definition: &Definition) {
        match definition {
            Definition::Identity(identity) => {
                self.note(&Note::Identity(Box::new(identity.clone())));
            }
            Definition::Module(module) => self.note(&Note::Module(module.clone())),
            Definition::Communicator(comm) => {
                let group = self.groups().add(comm);
                if let Some(group) = group {
                    self.note(&Note::Group(group));
                }
                if self.settings.virtual_clock {
                    self.communicators().insert(comm.id, comm.clone());
                }
            }
            _ => {}
        }
    }

    /// Measures what observation costs, once the first thread observes, and
    /// says what the process is made of.
    pub fn begin(&self, thread: &mut Thread) {
        let costs = costs::measure(thread);
        let _ = self.costs.set(costs);
        self.note(&Note::Costs(costs));
        probes::tell_all(self);
        self.define_modules();
        // SAFETY: the state is this thread's, and never freed.
        if let Some(statistics) = unsafe { thread::current().as_mut() } {
            statistics.learn(self);
        }
    }

    /// Defines the modules of functions that were entered since this was last called:
    /// their hooks cannot, as signal handlers may call them.
    pub fn define_modules(&self) {
        let Some(process) = process::get() else {
            return;
        };
        let tables: Vec<Notes> = self
            .tables()
            .iter()
            .map(|(_, notes)| notes.clone())
            .collect();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.resize(tables.len(), 0);
        for (notes, seen) in tables.iter().zip(&mut *seen) {
            for entry in notes.entries_from(*seen) {
                *seen += 1;
                let functions = entry.read().filter(|row| row.kind == Kind::Function);
                for address in functions
                    .iter()
                    .flat_map(|row| [row.place, row.other & !INLINED])
                {
                    process.modules.note(address as usize);
                }
            }
        }
    }

    /// Returns what was measured; nothing costs anything before.
    fn costs(&self) -> Costs {
        self.costs.get().copied().unwrap_or_default()
    }

    /// Returns the delay that every probe is to have, as soon as costs are known.
    fn delay_in_ticks(&self) -> u64 {
        let rank = process::get().map(|process| process.identity.rank);
        if self
            .settings
            .delayed
            .is_some_and(|delayed| rank != Some(delayed))
        {
            return 0;
        }
        let [start, _] = match self.tables().first() {
            Some((_, notes)) => notes.header().span(),
            None => return 0,
        };
        let now = clock::triple();
        let ticks = now.ticks.saturating_sub(start.ticks) as f64;
        let nanoseconds = now.monotonic.saturating_sub(start.monotonic).max(1) as f64;
        (self.settings.delay as f64 * ticks / nanoseconds) as u64
    }

    /// Writes the structure of a source into the run, unless it is there.
    fn keep_structure(&self, hash: &str, text: &[u8]) {
        let folder = structures(&self.run);
        let path = folder.join(format!("{hash}.json"));
        if path.exists() {
            return;
        }
        let new = folder.join(format!(".{hash}.{}", std::process::id()));
        let written = without_size_signal(|| {
            std::fs::create_dir_all(&folder)?;
            std::fs::write(&new, text)?;
            std::fs::rename(&new, &path)
        });
        if let Err(error) = written {
            let _ = std::fs::remove_file(&new);
            notice::tell(&format!(
                "the structure of a source could not be written into {}: {error}",
                folder.display()
            ));
        }
    }

    /// Returns what was defined of a communicator.
    fn communicator(&self, id: u32) -> Option<Communicator> {
        self.communicators().get(&id).cloned()
    }

    fn communicators(&self) -> MutexGuard<'_, HashMap<u32, Communicator>> {
        (self.communicators.lock()).unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what virtual clocks know, which all threads share.
    fn lines(&self, process: &Process) -> &Mutex<Lines> {
        self.lines.get_or_init(|| {
            // While one thread asks another host, the rest would wait for it.
            let asks_abroad = self.one_at_a_time(process);
            let (rank, near) = (process.identity.rank, self.near.clone());
            Mutex::new(Lines::new(&self.folder, rank, near, asks_abroad))
        })
    }

    /// Whether only one thread calls MPI at a time.
    fn one_at_a_time(&self, process: &Process) -> bool {
        // SAFETY: threads come by while MPI is up.
        let level = unsafe { process.mpi.query_thread() };
        level.is_ok_and(|level| level < process.mpi.abi.thread.multiple)
    }

    fn group_of(&self, comm: u32) -> u32 {
        self.groups().of(comm)
    }

    /// Renews the readings of the clock in the tables.
    pub fn renew_triple(&self, triple: Triple) {
        if let Some(common) = self.common.get() {
            common.renew(triple);
            page::show_line(common.line());
        }
        for (_, notes) in &*self.tables() {
            notes.header().renew_triple(triple);
        }
    }

    /// The first rank of a host leaves what its ranks have counted where other
    /// hosts see it, every few seconds.
    pub fn tell_other_hosts(&self, process: &Process) {
        let identity = &process.identity;
        let first = identity.clock_representative == identity.rank;
        let alone = process.representatives.is_empty() && self.settings.snapshots == 0;
        if !first || alone {
            return;
        }
        let every = match self.settings.snapshots {
            0 => SNAPSHOTS,
            seconds => u64::from(seconds),
        };
        let passed = self.passed.fetch_add(1, Ordering::Relaxed) + 1;
        if passed.is_multiple_of(every) {
            let _ = snapshot::write(&self.run, &self.folder, &identity.host);
        }
    }

    /// Counts a thread that is not counted.
    fn refuse(&self) {
        if let Some((_, first)) = self.tables().first() {
            let refused = &first.header().threads_refused;
            refused.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn note(&self, note: &Note) {
        if let Some((_, notes)) = self.tables().first() {
            notes.note(&line_of(note));
        }
    }

    /// Makes the number of a function known to readers.
    fn note_region(&self, region: u16) {
        let noted = self.regions.get(usize::from(region));
        let (Some(noted), Some(function)) = (noted, FUNCTIONS.get(usize::from(region))) else {
            return;
        };
        if !noted.swap(true, Ordering::Relaxed) {
            self.note(&Note::Region {
                id: region,
                name: function.name.to_owned(),
            });
        }
    }

    fn groups(&self) -> MutexGuard<'_, Groups> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tables(&self) -> MutexGuard<'_, Vec<(PathBuf, Notes)>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
