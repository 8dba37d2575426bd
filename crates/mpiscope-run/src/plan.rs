//! Definitions unified: from what every process says of itself to one archive.
//!
//! [`plan`] is a pure function. In `MPI_Finalize` rank 0 calls it with the
//! gathered [`Process`] values and scatters the resulting [`Orders`]; after a
//! crash `recover` calls it with what the buffers hold. Each rank, or
//! `recover` in its place, then writes its locations by its orders, and
//! [`Plan::finish`](crate::definitions) turns the plan and what was written
//! into the global definitions.

use std::collections::{BTreeMap, BTreeSet};

use otf2::RegionRole;
use serde::{Deserialize, Serialize};

use crate::call_sites::{self, CodePlace, Site};
use crate::clocks::{self, Domain, LocalClock, Offset};
use crate::communicators::{self, Group, Unified};
use crate::control::{self, Switchings};
use crate::counters::Counters;
use crate::files::{self, Files};
use crate::metrics::{self, PlannedMetric};
pub use crate::process::MAX_WORLD;
use crate::process::{MpiLibrary, Process, PROCEDURE};
use crate::sampling::{OfProcess, Samples};
use crate::scheduled::Scheduled;
use crate::teams::{self, created, Team};
use crate::topologies::{self, Topology};
use crate::windows::{self, Window};

/// One archive for all processes of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// Size of `MPI_COMM_WORLD`.
    pub world_size: u32,
    /// World ranks of which nothing is known.
    pub missing: Vec<u32>,
    /// Hosts, by their first rank.
    pub hosts: Vec<String>,
    /// All processes, by world rank; missing ones too.
    pub processes: Vec<PlannedProcess>,
    /// Regions that occur in events, by name.
    pub regions: Vec<PlannedRegion>,
    /// What the program tells values of, by name.
    pub metrics: Vec<PlannedMetric>,
    /// Groups.
    pub groups: Vec<Group>,
    /// Communicators.
    pub communicators: Vec<Unified>,
    /// Topologies of communicators.
    pub topologies: Vec<Topology>,
    /// Teams of threads; their communicators are behind those of MPI.
    pub teams: Vec<Team>,
    /// Threads created one by one, of each process that has such; behind the teams.
    pub created: Vec<Team>,
    /// Windows.
    pub windows: Vec<Window>,
    /// Files.
    pub files: Files,
    /// Places from which MPI is called.
    pub call_sites: Vec<CodePlace>,
    /// Hashes of type signatures; events have their positions here, from 1 on.
    pub signatures: Vec<u64>,
    /// Clock domains, the master's first.
    pub domains: Vec<Domain>,
    /// What each process has to do, by world rank.
    pub orders: Vec<Orders>,
    /// The MPI library.
    pub mpi: MpiLibrary,
    /// The program.
    pub program: String,
    /// Events that could not be kept.
    pub lost: u64,
    /// Threads that there was no room to record.
    pub threads_lost: u64,
    /// Definitions that could not be kept.
    pub definitions_lost: u64,
    /// Instrumented functions that were left out at last.
    pub left_out: Vec<LeftOut>,
    /// What the user had left out: functions of MPI, regions, instrumented functions.
    pub filtered: Vec<LeftOut>,
    /// Functions of MPI that the program called within calls of MPI.
    pub within: Vec<LeftOut>,
    /// Ranks that have used a communicator with processes of another MPI_COMM_WORLD.
    pub beyond: Vec<u32>,
    /// When recording was switched, not by the program.
    pub switched: Vec<Switchings>,
    /// Samples, if they were to be taken.
    pub samples: Option<Samples>,
    /// Counters, if any were to be read.
    pub counters: Option<Counters>,
    /// What a reader of the archive should know.
    pub notes: Vec<String>,
}

/// An instrumented function whose entries were not recorded any more after many short ones; what
/// the user had left out; or what was called within a call of MPI.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its name, or where it begins until that is known.
    pub function: String,
    /// Whether the name is known.
    pub is_named: bool,
    /// Where it begins.
    pub place: CodePlace,
    /// Entries not recorded, of all processes, at least.
    pub entries: u64,
}

/// A process of the archive: a location group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedProcess {
    /// Position in [`Plan::hosts`]; nothing for a missing process.
    pub host: Option<u32>,
    /// Position in [`Plan::domains`]; nothing for a missing process.
    pub domain: Option<u32>,
    /// Numbers of its threads.
    pub threads: Vec<u32>,
    /// What it got of the processors, if it says so.
    pub scheduled: Option<Scheduled>,
}

/// A region of the archive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlannedRegion {
    /// For example `MPI_Send`.
    pub name: String,
    /// OTF2's RegionRole.
    pub role: u8,
    /// The program's own: it named the region, or a compiler instrumented the function.
    pub user: bool,
    /// Where an instrumented function begins; its name is to be found out after the run.
    pub code: Option<CodePlace>,
}

/// What one process needs to write its part of the archive.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Orders {
    /// World rank.
    pub rank: u32,
    /// The clock domain's number.
    pub domain: u32,
    /// From ticks to nanoseconds.
    pub clock: LocalClock,
    /// The clock's comparisons with the master's.
    pub offsets: Vec<Offset>,
    /// Its own region numbers and the archive's.
    pub regions: Vec<(u32, u32)>,
    /// Its own numbers of what it tells values of, and the archive's.
    #[serde(default)]
    pub metrics: Vec<(u32, u32)>,
    /// Its own communicator numbers and the archive's.
    pub communicators: Vec<(u32, u32)>,
    /// The addresses its calls return to, and the archive's numbers of those places.
    #[serde(default)]
    pub sites: Vec<(u64, u32)>,
    /// Where its instrumented functions begin, and the archive's regions for them.
    #[serde(default)]
    pub functions: Vec<(u64, u32)>,
    /// Where samples found it, and the archive's numbers of those places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<(u64, u32)>,
    /// Its own numbers of type signatures and the archive's.
    #[serde(default)]
    pub signatures: Vec<(u16, u64)>,
    /// Its own numbers of windows and the archive's.
    #[serde(default)]
    pub windows: Vec<(u32, u32)>,
    /// Its own numbers of groups and the archive's.
    #[serde(default)]
    pub groups: Vec<(u32, u32)>,
    /// Its own numbers of teams of threads and the archive's of their communicators.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<(u32, u32)>,
    /// The archive's communicator of its threads that were created one by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_threads: Option<u32>,
    /// Its own numbers of files and the archive's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(u32, u32)>,
    /// Its own numbers of their names and the archive's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_names: Vec<(u32, u32)>,
}

impl LeftOut {
    /// Returns whether calls of MPI have no events: by what the user had left out, by what was called
    /// within others, and by what ranks did with processes of another MPI_COMM_WORLD.
    pub(crate) fn lacks_calls(filtered: &[LeftOut], within: &[LeftOut], beyond: &[u32]) -> bool {
        let of_mpi = filtered.iter().any(LeftOut::is_of_mpi);
        of_mpi || !within.is_empty() || !beyond.is_empty()
    }

    /// Returns whether it is a function of MPI.
    pub fn is_of_mpi(&self) -> bool {
        self.is_named && self.function.starts_with("MPI_")
    }
}

impl Orders {
    /// Returns the location of a thread of this process.
    pub fn location(&self, thread: u32) -> u64 {
        location(self.rank, thread)
    }
}

/// Returns the archive's number of a thread's location.
pub fn location(rank: u32, thread: u32) -> u64 {
    u64::from(thread) << 32 | u64::from(rank)
}

/// Unifies the definitions of all processes, in any order.
///
/// # Errors
/// A sentence that says what does not fit together: no process at all, a rank
/// twice, or different sizes of the world.
pub fn plan(processes: &[Process]) -> Result<Plan, String> {
    let mut processes: Vec<&Process> = processes.iter().collect();
    processes.sort_by_key(|p| p.identity.rank);
    let first = *processes.first().ok_or("no process left any definitions")?;
    let world_size = check(&processes)?;
    let mut notes = Vec::new();
    let mut unified = communicators::unify(world_size, &processes, &mut notes);
    let (windows, of_windows) = windows::unify(&processes, &unified);
    let of_groups = windows::groups(&processes, &mut unified);
    let (files, of_files) = files::unify(&processes, &unified);
    let (teams, of_teams) = teams::unify(&processes, unified.communicators.len() as u32);
    let behind = unified.communicators.len() + teams.len();
    let (created, created_of) = created::unify(&processes, behind as u32);
    let domains = clocks::domains(&processes, &mut notes);
    let regions = regions(&processes);
    let (hosts, host_of) = hosts(&processes);
    let (call_sites, sites) = call_sites::unify(&processes);
    let signatures = signatures(&processes);
    let (metrics, of_metrics) = metrics::unify(&processes);

    let mut plan = Plan {
        world_size,
        missing: missing(world_size, &processes),
        hosts,
        processes: vec![PlannedProcess::missing(); world_size as usize],
        groups: unified.groups,
        communicators: unified.communicators,
        topologies: topologies::unify(&processes, &unified.maps),
        teams,
        created,
        windows,
        files,
        call_sites,
        signatures,
        metrics,
        orders: (0..world_size).map(idle).collect(),
        mpi: first.identity.mpi.clone(),
        program: first.identity.program.clone(),
        threads_lost: processes.iter().map(|p| p.threads_lost).sum(),
        definitions_lost: processes.iter().map(|p| p.definitions_lost).sum(),
        left_out: left_out(&processes, |process| &process.left_out),
        filtered: left_out(&processes, |process| &process.filtered),
        within: left_out(&processes, |process| &process.within),
        beyond: (processes.iter().filter(|it| it.beyond))
            .map(|it| it.identity.rank)
            .collect(),
        switched: control::add_up(&processes),
        samples: samples(&processes),
        counters: counters(&processes),
        lost: processes
            .iter()
            .flat_map(|p| &p.threads)
            .map(|t| t.lost)
            .sum(),
        regions,
        domains,
        notes,
    };
    let domain_of = domain_of(&plan.domains);
    let maps = unified.maps.into_iter().zip(sites);
    let maps = maps
        .zip(of_metrics)
        .zip(of_windows.into_iter().zip(of_groups))
        .zip(of_files.into_iter().zip(of_teams));
    for ((process, ((((map, places), metrics), (windows, groups)), (files, teams))), host) in
        processes.iter().zip(maps).zip(host_of)
    {
        let rank = process.identity.rank as usize;
        let domain = domain_of.get(&process.identity.rank).copied();
        plan.processes[rank] = PlannedProcess {
            host: Some(host),
            domain,
            threads: threads(process),
            scheduled: process.scheduled,
        };
        plan.orders[rank] = Orders {
            sites: places.sites,
            samples: places.samples,
            signatures: numbered(&process.signatures, &plan.signatures),
            metrics,
            windows,
            groups,
            teams,
            created_threads: created_of.get(&process.identity.rank).copied(),
            files: files.handles,
            file_names: files.names,
            ..orders(process, map, &plan.regions, &plan.domains, domain)
        };
    }
    plan.note_missing();
    Ok(plan)
}

fn check(processes: &[&Process]) -> Result<u32, String> {
    let world_size = processes[0].identity.world_size;
    if world_size == 0 || world_size > MAX_WORLD {
        return Err(format!("a world of {world_size} processes"));
    }
    for process in processes {
        let (rank, size) = (process.identity.rank, process.identity.world_size);
        if size != world_size {
            let first = processes[0].identity.rank;
            return Err(format!(
                "rank {first} sees {world_size} processes, rank {rank} sees {size}: they are not of one run"
            ));
        }
        if rank >= world_size {
            return Err(format!("rank {rank} in a world of {world_size} processes"));
        }
    }
    match processes
        .windows(2)
        .find(|pair| pair[0].identity.rank == pair[1].identity.rank)
    {
        Some(pair) => Err(format!(
            "processes {} and {} both say they are rank {}",
            pair[0].identity.pid, pair[1].identity.pid, pair[0].identity.rank
        )),
        None => Ok(world_size),
    }
}

fn missing(world_size: u32, processes: &[&Process]) -> Vec<u32> {
    let present: BTreeSet<u32> = processes.iter().map(|p| p.identity.rank).collect();
    (0..world_size)
        .filter(|rank| !present.contains(rank))
        .collect()
}

fn idle(rank: u32) -> Orders {
    Orders {
        rank,
        ..Orders::default()
    }
}

/// Returns the hosts and, for each process, the position of its own.
fn hosts(processes: &[&Process]) -> (Vec<String>, Vec<u32>) {
    let mut names = Vec::new();
    let mut known = BTreeMap::new();
    let host_of = processes
        .iter()
        .map(|process| {
            let identity = &process.identity;
            *known
                .entry((&identity.host, &identity.boot_id))
                .or_insert_with(|| {
                    names.push(identity.host.clone());
                    names.len() as u32 - 1
                })
        })
        .collect();
    (names, host_of)
}

/// Returns the regions that occur in any process's events, by name.
fn regions(processes: &[&Process]) -> Vec<PlannedRegion> {
    let mut regions = BTreeSet::new();
    for process in processes {
        let used: BTreeSet<u32> = process
            .threads
            .iter()
            .flat_map(|thread| thread.regions.iter().copied())
            .collect();
        let named = process.regions.iter().filter(|r| used.contains(&r.id));
        regions.extend(named.map(planned_region));
        regions.extend(functions(process).map(|(_, region)| region));
    }
    regions.into_iter().collect()
}

/// Returns the hashes of all type signatures, ascending. A hash in each event would take nine
/// bytes; its position here takes two.
fn signatures(processes: &[&Process]) -> Vec<u64> {
    let all = processes.iter().flat_map(|process| &process.signatures);
    let known: BTreeSet<u64> = all
        .map(|&(_, hash)| hash)
        .filter(|&hash| hash != 0)
        .collect();
    known.into_iter().collect()
}

/// Puts the archive's numbers in the place of a process's hashes.
fn numbered(own: &[(u16, u64)], all: &[u64]) -> Vec<(u16, u64)> {
    let number = |&(id, hash): &(u16, u64)| {
        let at = all.binary_search(&hash).ok()?;
        Some((id, at as u64 + 1))
    };
    own.iter().filter_map(number).collect()
}

fn planned_region(region: &crate::process::Region) -> PlannedRegion {
    PlannedRegion {
        name: region.name.clone(),
        role: region.role,
        user: region.user,
        code: None,
    }
}

/// Adds up the samples of processes that were to take any.
fn samples(processes: &[&Process]) -> Option<Samples> {
    let sampled = processes.iter().filter_map(|process| {
        Some(OfProcess {
            rank: process.identity.rank,
            kept: process.samples_kept,
            sampled: process.sampled?,
        })
    });
    Samples::of(sampled)
}

/// Puts together what processes say of their counters, if they were to read any.
fn counters(processes: &[&Process]) -> Option<Counters> {
    let counted = processes.iter();
    Counters::of(
        counted.filter_map(|process| Some((process.identity.rank, process.counted.as_ref()?))),
    )
}

/// All functions together beyond the most that are counted by themselves.
const OTHERS: &str = "other functions";

/// Adds up what processes left out, most first.
fn left_out(processes: &[&Process], of: fn(&Process) -> &[(u64, u64)]) -> Vec<LeftOut> {
    let mut entries: BTreeMap<(CodePlace, Option<&str>), u64> = BTreeMap::new();
    for process in processes {
        for &(function, times) in of(process) {
            let region =
                |region: &&crate::process::Region| function == PROCEDURE | u64::from(region.id);
            let name = process.regions.iter().find(region);
            let name = name.map(|region| region.name.as_str());
            let name = name.or_else(|| (function == 0).then_some(OTHERS));
            let place = match name {
                Some(_) => CodePlace::default(),
                None => call_sites::place(&process.modules, function),
            };
            let sum = entries.entry((place, name)).or_default();
            *sum = sum.saturating_add(times);
        }
    }
    let mut all: Vec<LeftOut> = (entries.into_iter())
        .map(|((place, name), entries)| LeftOut {
            function: name.map_or_else(|| call_sites::nameless(&Site::from(&place)), str::to_owned),
            is_named: name.is_some(),
            place,
            entries,
        })
        .collect();
    all.sort_by_key(|function| std::cmp::Reverse(function.entries));
    all
}

/// Returns where the instrumented functions of a process begin, and their regions.
fn functions(process: &Process) -> impl Iterator<Item = (u64, PlannedRegion)> + '_ {
    let region = |&address: &u64| {
        let code = call_sites::place(&process.modules, address);
        let region = PlannedRegion {
            name: call_sites::nameless(&Site::from(&code)),
            role: RegionRole::FUNCTION.0,
            user: true,
            code: Some(code),
        };
        (address, region)
    };
    process.functions.iter().map(region)
}

fn threads(process: &Process) -> Vec<u32> {
    let mut threads: BTreeSet<u32> = process.threads.iter().map(|t| t.number).collect();
    threads.insert(0);
    threads.into_iter().collect()
}

fn domain_of(domains: &[Domain]) -> BTreeMap<u32, u32> {
    (0u32..)
        .zip(domains)
        .flat_map(|(number, domain)| domain.ranks.iter().map(move |&rank| (rank, number)))
        .collect()
}

fn orders(
    process: &Process,
    communicators: Vec<(u32, u32)>,
    regions: &[PlannedRegion],
    domains: &[Domain],
    domain: Option<u32>,
) -> Orders {
    let clock = domain.and_then(|number| domains.get(number as usize));
    Orders {
        rank: process.identity.rank,
        domain: domain.unwrap_or(0),
        clock: clock.map(|d| d.clock).unwrap_or_default(),
        offsets: clock.map(|d| d.offsets.clone()).unwrap_or_default(),
        regions: process
            .regions
            .iter()
            .filter_map(|region| {
                let at = regions.binary_search(&planned_region(region)).ok()?;
                Some((region.id, at as u32))
            })
            .collect(),
        functions: functions(process)
            .filter_map(|(address, region)| {
                let at = regions.binary_search(&region).ok()?;
                Some((address, at as u32))
            })
            .collect(),
        communicators,
        ..Orders::default()
    }
}

impl PlannedProcess {
    /// A process of which nothing is known has one location, without events.
    fn missing() -> Self {
        Self {
            host: None,
            domain: None,
            threads: vec![0],
            scheduled: None,
        }
    }
}

impl Plan {
    /// Returns whether calls of MPI were left out.
    pub fn leaves_out_calls(&self) -> bool {
        LeftOut::lacks_calls(&self.filtered, &self.within, &self.beyond)
    }

    fn note_missing(&mut self) {
        if let [first, ..] = self.missing[..] {
            self.notes.push(format!(
                "{} of {} ranks left no events (the first is rank {first})",
                self.missing.len(),
                self.world_size
            ));
        }
    }
}
