//! Tables of a process, running or gone, as numbers of one moment.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use super::entry::{BINS, HISTOGRAM_ENTRIES};
use super::{Choices, Costs, Entry, Group, Kind, Mapped, Note, Row, Span, ENDING, NO_GROUP};
use crate::process::{Identity, Module};
use crate::ticks::TickMap;
use crate::Error;

/// What one process has counted, and what its numbers mean.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Process {
    /// Who it is.
    pub identity: Identity,
    /// The code from which it calls MPI.
    pub modules: Vec<Module>,
    /// Names of the MPI functions that its entries name by number.
    pub regions: Vec<(u16, String)>,
    /// The members of its communicators.
    pub groups: Vec<Group>,
    /// Numbers of the first statements of its instrumented sources, and their structures' hashes.
    pub units: Vec<(u32, String)>,
    /// What observation costs.
    pub costs: Costs,
    /// How choices were made, if those of the unobserved program were to be kept.
    pub choices: Option<Choices>,
    /// Notes that there was no room for, or that could not be read.
    pub notes_lost: u64,
    /// Threads that there was no room to count.
    #[serde(default)]
    pub threads_refused: u32,
    /// Its threads, by number; those that came when others had ended count on in theirs.
    pub threads: Vec<Thread>,
}

/// What one thread has counted; times in ticks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Thread {
    /// Numbered by first call; 0 is the one that initialised MPI.
    pub number: u32,
    /// Operating-system thread id.
    pub tid: u32,
    /// How many threads these are, one after the other.
    #[serde(default = "one")]
    pub threads: u32,
    /// Whether it had said that it counts no more.
    pub finished: bool,
    /// Two readings of its clock.
    pub span: Span,
    /// Statements that there was no room for.
    pub refused: u64,
    /// What it was doing.
    pub now: Activity,
    /// When what it was still executing began, the earliest: `main` comes before MPI_Init.
    #[serde(skip)]
    pub began: Option<u64>,
    /// What it has counted; a file keeps this apart.
    #[serde(skip)]
    pub rows: Vec<Row>,
}

/// What a thread was doing when it was looked at; times in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Activity {
    /// The MPI function it is in.
    pub region: Option<u16>,
    /// Where that was called.
    pub site: u64,
    /// When it was entered, or the last one left.
    pub since: u64,
    /// With whom: a rank of the group, or one of the constants.
    pub peer: u32,
    /// The group.
    pub group: u32,
    /// MPI calls so far.
    pub calls: u64,
    /// Time in them, the present one left out.
    pub time: u64,
    /// Time that observation has taken.
    pub intrusion: u64,
    /// The procedure or loop it is in: number of the statement.
    pub statement: Option<u32>,
}

/// A file that does not say tells of each thread by itself.
fn one() -> u32 {
    1
}

impl Process {
    /// Returns the map from the ticks of this process to time; nothing if its
    /// clock was read only once.
    pub fn ticks(&self) -> Option<TickMap> {
        let triples: Vec<_> = self.threads.iter().flat_map(|t| t.span).collect();
        TickMap::fit(self.identity.source, &triples)
    }

    /// Returns nanoseconds per tick; 1 if nobody knows.
    pub fn nanoseconds_per_tick(&self) -> f64 {
        self.ticks().map_or(1.0, |map| map.rate)
    }

    /// Returns the name of an MPI function.
    pub fn region(&self, id: u16) -> &str {
        let named = self.regions.iter().find(|(known, _)| *known == id);
        named.map_or("?", |(_, name)| name)
    }

    /// Returns a group by its number.
    pub fn group(&self, id: u32) -> Option<&Group> {
        self.groups.iter().find(|group| group.id == id)
    }

    /// Returns the world rank of a peer in a group; nothing for one of the constants.
    pub fn world_rank(&self, peer: u32, group: u32) -> Option<u32> {
        (group != NO_GROUP).then(|| self.group(group)?.world_rank(peer))?
    }

    /// Counts what observation took of the calls: each costs the same.
    pub(super) fn count_intrusion(&mut self) {
        let rows = self.threads.iter_mut().flat_map(|thread| &mut thread.rows);
        for row in rows.filter(|row| row.kind == Kind::Call) {
            let taken = row.calls.saturating_mul(self.costs.call_within);
            let taken = i64::try_from(taken).unwrap_or(i64::MAX);
            row.intrusion = row.intrusion.saturating_add(taken);
        }
    }

    fn take_notes(&mut self, lines: &[u8]) {
        for line in lines.split(|&byte| byte == b'\n').filter(|l| !l.is_empty()) {
            match serde_json::from_slice(line) {
                Ok(Note::Identity(identity)) => self.identity = *identity,
                Ok(Note::Module(module)) => self.modules.push(module),
                Ok(Note::Region { id, name }) => self.regions.push((id, name)),
                Ok(Note::Group(group)) => self.groups.push(group),
                Ok(Note::Unit { base, structure }) => self.units.push((base, structure)),
                Ok(Note::Costs(costs)) => self.costs = costs,
                Ok(Note::Choices(choices)) => self.choices = Some(choices),
                Err(_) => self.notes_lost = self.notes_lost.saturating_add(1),
            }
        }
    }
}

impl Thread {
    fn read(table: &Mapped) -> Self {
        let header = table.header();
        let mut thread = Self {
            number: header.thread.load(Ordering::Relaxed),
            tid: header.tid.load(Ordering::Relaxed),
            threads: header.threads.load(Ordering::Relaxed),
            finished: header.finished.load(Ordering::Acquire) != 0,
            span: header.span(),
            refused: header.refused.load(Ordering::Relaxed),
            now: Activity::read(table),
            began: None,
            rows: rows(&table.entries().collect::<Vec<_>>()),
        };
        thread.close_open();
        thread
    }

    /// Counts what had not ended up to the latest reading of the clock: procedures, loops and
    /// the call of MPI that the thread is in.
    pub(super) fn close_open(&mut self) {
        let [_, latest] = self.span;
        let open = self.rows.iter().filter_map(|row| row.open);
        self.began = open.map(|(since, _)| since).min();
        for row in &mut self.rows {
            row.close_at(latest.ticks, self.now.intrusion);
        }
        if let (Some(region), false) = (self.now.region, self.finished) {
            let spent = latest.ticks.saturating_sub(self.now.since);
            self.row_of_present_call(region).add_unfinished(spent);
        }
    }

    /// Returns the row of the call that the thread is in, with the same partner if it has one.
    fn row_of_present_call(&mut self, region: u16) -> &mut Row {
        let Activity {
            site, peer, group, ..
        } = self.now;
        let other = u64::from(group) << 32 | u64::from(peer);
        let same = |row: &Row| row.kind == Kind::Call && (row.region, row.place) == (region, site);
        let partner = |row: &Row| same(row) && row.other == other;
        let known = (self.rows.iter().position(partner)).or(self.rows.iter().position(same));
        let at = known.unwrap_or_else(|| {
            self.rows.push(Row::new_call(region, site, other));
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }
}

impl Activity {
    /// Reads what belongs together: a call that ends meanwhile is read again.
    fn read(table: &Mapped) -> Self {
        let now = &table.header().now;
        let mut activity = Self::default();
        for _ in 0..100 {
            let since = now.since.load(Ordering::Acquire);
            let other = now.other.load(Ordering::Relaxed);
            activity = Self {
                region: (now.region.load(Ordering::Relaxed).checked_sub(1)).map(|r| r as u16),
                site: now.site.load(Ordering::Relaxed),
                since,
                peer: other as u32,
                group: (other >> 32) as u32,
                calls: now.calls.load(Ordering::Relaxed),
                time: now.time.load(Ordering::Relaxed),
                intrusion: now.intrusion.load(Ordering::Relaxed),
                statement: probed(now.statement.load(Ordering::Relaxed)),
            };
            if now.since.load(Ordering::Acquire) == since {
                break;
            }
        }
        activity
    }
}

/// Returns the statement that a probe told; a compiler's hooks tell no number.
fn probed(statement: u64) -> Option<u32> {
    const FUNCTION: u64 = 1 << 31;
    let number = statement.checked_sub(1)?;
    (number < FUNCTION).then_some(number as u32)
}

/// Reads entries, each with its whole histogram, which lies in entries behind it that are no rows
/// of their own.
pub(super) fn rows(entries: &[&Entry]) -> Vec<Row> {
    let mut bins = BTreeSet::new();
    let mut rows = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if bins.remove(&at) {
            continue;
        }
        let Some(mut row) = entry.read() else {
            continue;
        };
        let first = (row.more_bins as usize).checked_sub(1);
        let first = first.filter(|first| *first > at);
        let more = first.and_then(|first| entries.get(first..)?.get(..HISTOGRAM_ENTRIES));
        if let (Some(first), Some(more)) = (first, more) {
            let counts: Vec<u64> = more.iter().flat_map(|entry| entry.words()).collect();
            row.add_bins(&counts[..BINS]);
            bins.extend(first..first + HISTOGRAM_ENTRIES);
        }
        rows.push(row);
    }
    rows
}

/// Returns the tables in a directory, by name.
pub(super) fn list(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = (entries.map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
        .collect();
    paths.sort();
    paths
}

/// Reads the tables of one process, its first thread's among them.
///
/// # Errors
/// When one is no table.
pub fn live(tables: &[PathBuf]) -> Result<Process, Error> {
    let mut process = Process::default();
    for path in tables {
        let mapped = Mapped::open(path).map_err(|what| Error::damaged(path, what))?;
        let refused = mapped.header().threads_refused.load(Ordering::Relaxed);
        process.notes_lost = process.notes_lost.saturating_add(mapped.notes_lost());
        process.threads_refused = process.threads_refused.saturating_add(refused);
        process.take_notes(mapped.notes());
        process.threads.push(Thread::read(&mapped));
    }
    process.count_intrusion();
    process.threads.sort_by_key(|thread| thread.number);
    Ok(process)
}

/// Returns the tables in a directory, and the processes that made them.
pub fn writers(directory: &Path) -> Vec<(PathBuf, u32)> {
    let pid = |table: Mapped| table.header().pid.load(Ordering::Relaxed);
    let of_table = |path: PathBuf| Some((path.clone(), pid(Mapped::open(&path).ok()?)));
    list(directory).into_iter().filter_map(of_table).collect()
}

/// Returns the tables in directories, process by process, and what is none.
pub(super) fn tables_of_processes(directories: &[PathBuf]) -> (Vec<Vec<PathBuf>>, Vec<Error>) {
    let mut of_process: Vec<(u32, Vec<PathBuf>)> = Vec::new();
    let mut errors = Vec::new();
    for path in directories.iter().flat_map(|directory| list(directory)) {
        match Mapped::open(&path) {
            Ok(table) => {
                let pid = table.header().pid.load(Ordering::Relaxed);
                match of_process.iter_mut().find(|(known, _)| *known == pid) {
                    Some((_, paths)) => paths.push(path),
                    None => of_process.push((pid, vec![path])),
                }
            }
            Err(what) => errors.push(Error::damaged(&path, what)),
        }
    }
    let of_process = of_process.into_iter().map(|(_, paths)| paths);
    (of_process.collect(), errors)
}

/// Reads all processes whose tables lie in directories, by rank, and says which could not be read.
pub fn live_processes(directories: &[PathBuf]) -> (Vec<Process>, Vec<Error>) {
    let (tables, mut errors) = tables_of_processes(directories);
    let mut processes = Vec::new();
    for paths in tables {
        match live(&paths) {
            Ok(process) => processes.push(process),
            Err(error) => errors.push(error),
        }
    }
    processes.sort_by_key(|process| process.identity.rank);
    (processes, errors)
}
