//! What the threads of a process share that count.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use mpi_abi::FUNCTIONS;
use mpiscope_run::process::{line_of, Communicator, Definition, Members};
use mpiscope_run::statistics::{snapshot, structures, Costs, Kind, Note, Notes, INLINED};
use mpiscope_run::system::without_size_signal;
use mpiscope_run::ticks::Triple;

use super::groups::Groups;
use super::settings::Settings;
use super::virtual_clock::{Channels, Remote};

use crate::peers::common_clock::CommonClock;
use crate::peers::page;
use crate::peers::remote_clocks::RemoteClocks;

use crate::base::{clock, notice};
use crate::mpi::process::{self, Process};

/// Seconds between two snapshots for other hosts.
const SNAPSHOTS: u64 = 5;

/// What the threads of the process share.
pub struct Monitor {
    /// How much is kept.
    pub settings: Settings,
    /// Where the tables lie.
    pub(super) folder: PathBuf,
    pub(super) run: PathBuf,
    pub(super) groups: Mutex<Groups>,
    /// The communicators, where a virtual clock needs them.
    pub(super) communicators: Mutex<HashMap<u32, Communicator>>,
    /// Seconds since the last snapshot, about.
    pub(super) passed: AtomicU64,
    /// World ranks of this host.
    pub(super) near: Members,
    /// Which functions have a note.
    pub(super) regions: Vec<AtomicBool>,
    /// The tables, the first thread's first.
    pub(super) tables: Mutex<Vec<(PathBuf, Notes)>>,
    pub(super) costs: OnceLock<Costs>,
    /// How many entries of each table were looked at for modules.
    pub(super) seen: Mutex<Vec<usize>>,
    /// This clock in the common time of several hosts, and the ways to them.
    pub(super) common: OnceLock<CommonClock>,
    pub(super) remote_clocks: OnceLock<Mutex<RemoteClocks>>,
    /// What virtual clocks know.
    pub(super) channels: OnceLock<Mutex<Channels>>,
}

static MONITOR: OnceLock<Monitor> = OnceLock::new();

/// Returns what the threads share, if statistics are kept.
pub fn get() -> Option<&'static Monitor> {
    MONITOR.get()
}

/// Makes what the threads share.
pub fn install(settings: Settings, folder: PathBuf, run: PathBuf, near: Members) {
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
        remote_clocks: OnceLock::new(),
        channels: OnceLock::new(),
    });
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
    pub(super) fn costs(&self) -> Costs {
        self.costs.get().copied().unwrap_or_default()
    }

    /// Returns the delay that every probe is to have, as soon as costs are known.
    pub(super) fn delay_in_ticks(&self) -> u64 {
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
    pub(super) fn keep_structure(&self, hash: &str, text: &[u8]) {
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
    pub(super) fn communicator(&self, id: u32) -> Option<Communicator> {
        self.communicators().get(&id).cloned()
    }

    pub(super) fn communicators(&self) -> MutexGuard<'_, HashMap<u32, Communicator>> {
        (self.communicators.lock()).unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what virtual clocks know, which all threads share.
    pub(super) fn channels(&self, process: &Process) -> &Mutex<Channels> {
        self.channels.get_or_init(|| {
            // Of which hosts are told of what all agree in later.
            let (rank, near) = (process.identity.rank, self.near.clone());
            let nothing_yet = Remote::Nothing;
            Mutex::new(Channels::new(&self.folder, rank, near, nothing_yet))
        })
    }

    pub(super) fn group_of(&self, comm: u32) -> u32 {
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
    pub(super) fn refuse(&self) {
        if let Some((_, first)) = self.tables().first() {
            let refused = &first.header().threads_refused;
            refused.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn note(&self, note: &Note) {
        if let Some((_, notes)) = self.tables().first() {
            notes.note(&line_of(note));
        }
    }

    /// Makes the number of a function known to readers.
    pub(super) fn note_region(&self, region: u16) {
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

    pub(super) fn groups(&self) -> MutexGuard<'_, Groups> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tables(&self) -> MutexGuard<'_, Vec<(PathBuf, Notes)>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
