//! What one process says of itself: its definitions.
//!
//! Records hold ids of their process; the definitions explain them. They are
//! written as they arise, one JSON object a line, into an append-only stream
//! beside the records, so that a buffer found after a crash can be read
//! without anybody's memory. [`Process`] is the stream read back, plus what
//! the buffer headers hold: it is what ranks send to rank 0 in `MPI_Finalize`
//! and what `recover` collects from files.

use mpiscope_hash::stable;
use serde::{Deserialize, Serialize};

use crate::control::Switched;
use crate::counters::Counted;
use crate::fault::Fault;
use crate::sampling::Sampled;
use crate::scheduled::Scheduled;
use crate::teams::seen::Seen;
use crate::ticks::{Source, Triple};

/// More processes than any machine has: a size above it is damage.
pub const MAX_WORLD: u32 = 1 << 22;

/// One line of the definition stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Definition {
    /// Who the process is; first line.
    Identity(Identity),
    /// A region: every MPI function is one.
    Region(Region),
    /// A communicator came into being.
    Communicator(Communicator),
    /// The program named a communicator (`MPI_Comm_set_name`).
    CommName {
        /// Process-local id.
        id: u32,
        /// The name given.
        name: String,
    },
    /// A measured offset to the master's clock; only the process that speaks for its clock has any.
    Ping(Ping),
    /// The clock read once more.
    Triple(Triple),
    /// Code from which MPI is called.
    Module(Module),
    /// A communicator just defined has a topology.
    Place(TopologyPlace),
    /// What the program tells values of.
    Metric(Metric),
    /// Entries of an instrumented function that were not recorded, as there are many and each is
    /// short.
    LeftOut {
        /// Where it begins; or the number of its region, and [`PROCEDURE`] added.
        function: u64,
        /// How many until now, at least.
        entries: u64,
    },
    /// Entries of what the user had left out.
    Filtered {
        /// Where a function begins; or the number of a region, MPI's functions among them, and
        /// [`PROCEDURE`] added; 0 for all functions beyond the most that are counted.
        what: u64,
        /// How many until now, at least.
        entries: u64,
    },
    /// Calls of MPI that the program made within another, in its callbacks: they have no events.
    Within {
        /// The function: the number of its region.
        function: u32,
        /// How many until now, at least.
        calls: u64,
    },
    /// A type signature that records name by a number.
    Signature {
        /// Its number in the records.
        id: u16,
        /// Its hash, the same in all processes.
        hash: u64,
    },
    /// A window was made.
    Window(Window),
    /// The program named a window (`MPI_Win_set_name`).
    WindowName {
        /// Process-local id.
        id: u32,
        /// The name given.
        name: String,
    },
    /// A file was opened.
    File(File),
    /// A file's name, absolute as the process saw it.
    FileName {
        /// Process-local id.
        id: u32,
        /// The name.
        name: String,
    },
    /// Recording was switched off or on, not by the program.
    Switched(Switched),
    /// Samples are taken; what is counted of those that are not.
    Sampled(Sampled),
    /// Counters are read; which, and which are not.
    Counted(Counted),
    /// What it got of the processors.
    Scheduled(Scheduled),
    /// A group opened an epoch on a window.
    Group {
        /// Process-local id.
        id: u32,
        /// World ranks.
        members: Members,
    },
    /// A communicator with processes of another MPI_COMM_WORLD is used: what is exchanged there is not
    /// recorded.
    Beyond,
    /// The process, which began by itself, has ended its recording as it should.
    Ended,
}

/// Who a process is and whose clock it reads.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Identity {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Size of `MPI_COMM_WORLD`.
    pub world_size: u32,
    /// Operating-system process id.
    pub pid: u32,
    /// Host name.
    pub host: String,
    /// Identity of the running kernel; ranks with the same one share a clock, if
    /// their time namespaces do.
    pub boot_id: String,
    /// What the ticks are.
    pub source: Source,
    /// Nanoseconds that the process's time namespace adds to the kernel's clock
    /// (time_namespaces(7)).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub time_offset: i64,
    /// World rank of the process that measures offsets for this process's clock.
    pub clock_representative: u32,
    /// It began at MPI_Session_init, not in MPI_Init, and agreed on nothing with the others.
    #[serde(default, skip_serializing_if = "is_no")]
    pub by_itself: bool,
    /// This process's clock fault, if `MPISCOPE_CLOCK_FAULT` names it.
    #[serde(default)]
    pub fault: Option<Fault>,
    /// Ticks at which drift, wander and step of the fault begin.
    #[serde(default)]
    pub fault_epoch: u64,
    /// The MPI library.
    pub mpi: MpiLibrary,
    /// Whether the MPI says that `MPI_Wtime` is global (MPI 4.1, §9.1.2).
    #[serde(default)]
    pub wtime_is_global: Option<bool>,
    /// The program, as the process was started.
    pub program: String,
}

impl Identity {
    /// Returns what names the clock that the process reads: same kernel, same counter and time namespace,
    /// no fault of its own.
    pub fn clock(&self) -> u64 {
        let fault = self.fault.map(|_| self.rank);
        // Without the kernel's identity at least the host's name.
        let kernel = match self.boot_id.as_str() {
            "" => &self.host,
            boot_id => boot_id,
        };
        stable(&(kernel, self.source as u8, self.time_offset, fault))
    }
}

fn is_no(yes: &bool) -> bool {
    !yes
}

fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// Which MPI library a run used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MpiLibrary {
    /// `Open MPI`, `MPICH`, …
    pub name: String,
    /// For example `4.1.4`.
    pub version: String,
    /// Version of the standard it implements, for example `3.1`.
    pub standard: String,
    /// Path of the shared library.
    pub path: String,
}

/// Added to the number of a region that is a procedure with probes.
pub const PROCEDURE: u64 = 1 << 63;

/// What the program tells values of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metric {
    /// Process-local id.
    pub id: u32,
    /// The name that the program gave.
    pub name: String,
    /// Whether values are doubles; else they are signed integers.
    pub real: bool,
    /// Whether it is a counter of the processor or the system, which only grows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counter: bool,
}

/// A region of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Process-local id.
    pub id: u32,
    /// For example `MPI_Send`.
    pub name: String,
    /// OTF2's RegionRole.
    pub role: u8,
    /// The program named it itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub user: bool,
}

/// A part of an executable or library, in the memory of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// First address.
    pub start: u64,
    /// First address behind it.
    pub end: u64,
    /// What is to be subtracted from an address for one within the file.
    pub bias: u64,
    /// The file.
    pub path: String,
    /// Its build id in hexadecimal digits; empty if it has none.
    pub build_id: String,
    /// Of a place in a program that is interpreted: the module is its source, and its one address,
    /// which no code has, stands for the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpreted: Option<Interpreted>,
}

/// What an interpreter knows of a place in the program that it runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Interpreted {
    /// The function, as the language names it in full.
    pub function: String,
    /// The line in the file.
    pub line: u32,
}

/// Process-local id of MPI_COMM_WORLD.
pub const WORLD_ID: u32 = 0;
/// Process-local id of MPI_COMM_SELF.
pub const SELF_ID: u32 = 1;

/// The identity of a communicator that a process alone cannot tell from others.
pub const UNCERTAIN: u64 = 0;

/// A communicator as one of its members sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Communicator {
    /// Process-local id; [`WORLD_ID`] and [`SELF_ID`] are the predefined ones.
    pub id: u32,
    /// Process-local id of the communicator it was made from.
    pub parent: Option<u32>,
    /// Name; empty if it has none.
    pub name: String,
    /// The same on every member, and different for different communicators
    /// of the same members; [`UNCERTAIN`] if only all definitions together tell.
    pub identity: u64,
    /// World ranks of the (local) group.
    pub members: Members,
    /// World ranks of the remote group of an intercommunicator.
    #[serde(default)]
    pub remote: Option<Members>,
    /// Tells it from others that were made from the same one; 0 in runs of
    /// old, where the identity does.
    #[serde(default)]
    pub mark: u64,
    /// Which side of an `MPI_Intercomm_create` this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Nobody saw it being made, nor another of the same members: which is
    /// which is guessed from the order of their first use.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
}

/// A window as one of its members sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Window {
    /// Process-local id.
    pub id: u32,
    /// Process-local id of the communicator that it was made on.
    pub comm: u32,
    /// The so-many-th that was made there, from 0 on.
    pub number: u32,
    /// Name; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// A file as one of those sees it that opened it together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct File {
    /// Process-local id.
    pub id: u32,
    /// Process-local id of the communicator that it was opened on.
    pub comm: u32,
    /// The so-many-th that was to be opened there, from 0 on.
    pub number: u32,
    /// Process-local id of its name.
    pub name: u32,
}

/// One side of an intercommunicator, as its members know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Process-local id of the communicator of this side.
    pub local: u32,
    /// What only its leader knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridge: Option<Bridge>,
}

/// What the leaders of both sides have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bridge {
    /// Process-local id of the communicator that both belong to.
    pub peer: u32,
    /// Tells this one from others between them.
    pub mark: u64,
}

/// The place of a process in the topology of a communicator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopologyPlace {
    /// Process-local id of the communicator.
    pub comm: u32,
    /// Our rank in it.
    pub rank: u32,
    /// Who is beside us.
    pub neighbors: Neighbors,
}

/// How a process knows its neighbours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Neighbors {
    /// By its place in a Cartesian grid.
    Grid(Vec<Axis>),
    /// By the ranks that it sends to in a graph.
    Graph(Vec<u32>),
}

/// A dimension of a Cartesian grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// How many processes lie along it.
    pub size: u32,
    /// Whether the last is beside the first.
    pub periodic: bool,
    /// Where this process lies.
    pub place: u32,
}

impl Neighbors {
    /// Returns the dimensions of a grid.
    pub fn axes(&self) -> Option<&[Axis]> {
        match self {
            Neighbors::Grid(axes) => Some(axes),
            Neighbors::Graph(_) => None,
        }
    }
}

/// A list of world ranks, kept as runs `(first, count, stride)` so that the
/// world costs three numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u32, u32, i64)>")]
pub struct Members(Vec<(u32, u32, i64)>);

impl TryFrom<Vec<(u32, u32, i64)>> for Members {
    type Error = &'static str;

    /// Takes runs as they were read: a few bytes can claim any number of ranks.
    fn try_from(runs: Vec<(u32, u32, i64)>) -> Result<Self, Self::Error> {
        let ranks = runs.iter().map(|run| u64::from(run.1));
        match ranks.fold(0, u64::saturating_add) <= MAX_WORLD.into() {
            true => Ok(Self(runs)),
            false => Err("it lists more ranks than any machine has processes"),
        }
    }
}

impl Members {
    /// Compresses a list of ranks.
    pub fn new(ranks: &[u32]) -> Self {
        let mut runs: Vec<(u32, u32, i64)> = Vec::new();
        for &rank in ranks {
            let extended = runs.last_mut().is_some_and(|(first, count, stride)| {
                let step = i64::from(rank) - i64::from(*first);
                if *count == 1 {
                    *stride = step;
                }
                let fits = step == *stride * i64::from(*count);
                *count += u32::from(fits);
                fits
            });
            if !extended {
                runs.push((rank, 1, 0));
            }
        }
        Self(runs)
    }

    /// Returns the ranks in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let ranks = |&run: &(u32, u32, i64)| (0..run.1).map(move |k| nth(run, k));
        self.0.iter().flat_map(ranks)
    }

    /// Returns the rank at a place of the list. Runs may claim to be longer than any program:
    /// nothing is walked through.
    pub fn get(&self, mut at: u32) -> Option<u32> {
        for &run in &self.0 {
            match at.checked_sub(run.1) {
                Some(behind) => at = behind,
                None => return Some(nth(run, at)),
            }
        }
        None
    }

    /// Returns how many ranks there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|run| run.1 as usize).sum()
    }

    /// Returns whether all ranks are below `size` and there are no more of them.
    pub fn fit_in(&self, size: u32) -> bool {
        self.len() <= size as usize
            && self.0.iter().all(|&(first, count, stride)| {
                let last = i128::from(first) + i128::from(stride) * (i128::from(count) - 1);
                first < size && (0..i128::from(size)).contains(&last)
            })
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn nth((first, _, stride): (u32, u32, i64), at: u32) -> u32 {
    i64::from(first).wrapping_add(i64::from(at).wrapping_mul(stride)) as u32
}

/// One offset measurement against the master's clock (Cristian 1989): the
/// exchange with the shortest round trip, in raw ticks of either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ping {
    /// Local ticks when the request was sent.
    pub sent: u64,
    /// The master's ticks when it answered.
    pub master: u64,
    /// Local ticks when the answer was there.
    pub received: u64,
    /// How many exchanges the shortest was chosen from.
    pub rounds: u32,
}

/// One recording thread of a process.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Thread {
    /// Numbered by first call; 0 is the one that initialised MPI.
    pub number: u32,
    /// Operating-system thread id.
    pub tid: u32,
    /// Regions that occur in its records.
    pub regions: Vec<u32>,
    /// Records committed.
    pub records: u64,
    /// Records that could not be kept.
    pub lost: u64,
    /// Whether recording was switched off meanwhile, so that messages must be numbered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gaps: bool,
}

/// Everything a process says of itself.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Process {
    /// Threads that there was no room to record.
    #[serde(default)]
    pub threads_lost: u64,
    /// Definitions that could not be kept.
    #[serde(default)]
    pub definitions_lost: u64,
    /// Who it is.
    pub identity: Identity,
    /// The regions it defined.
    pub regions: Vec<Region>,
    /// What it tells values of.
    pub metrics: Vec<Metric>,
    /// The communicators it saw, parents first.
    pub communicators: Vec<Communicator>,
    /// Its places in their topologies.
    #[serde(default)]
    pub places: Vec<TopologyPlace>,
    /// Its offset measurements, in order.
    pub pings: Vec<Ping>,
    /// Its clock readings.
    pub triples: Vec<Triple>,
    /// Its threads, by number.
    pub threads: Vec<Thread>,
    /// The code from which it calls MPI.
    #[serde(default)]
    pub modules: Vec<Module>,
    /// The addresses at which its calls return to the program, ascending.
    #[serde(default)]
    pub sites: Vec<u64>,
    /// Where the instrumented functions in its records begin, ascending.
    #[serde(default)]
    pub functions: Vec<u64>,
    /// Instrumented functions that were left out at last, and how many entries of each.
    #[serde(default)]
    pub left_out: Vec<(u64, u64)>,
    /// The same of what the user had left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filtered: Vec<(u64, u64)>,
    /// Functions of MPI that the program called within calls of MPI, and how often each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<(u64, u64)>,
    /// Whether it has used a communicator with processes of another MPI_COMM_WORLD.
    #[serde(default, skip_serializing_if = "is_no")]
    pub beyond: bool,
    /// Whether it ended its recording itself, where that is no matter of all.
    #[serde(default, skip_serializing_if = "is_no")]
    pub ended: bool,
    /// Numbers and hashes of the type signatures in its records.
    #[serde(default)]
    pub signatures: Vec<(u16, u64)>,
    /// The windows that it made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<Window>,
    /// The files that it opened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<File>,
    /// Numbers and names of files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_names: Vec<(u32, String)>,
    /// When recording was switched, not by the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switched: Vec<Switched>,
    /// What it says of its samples, if it takes any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<Sampled>,
    /// What it says of its counters, if it reads any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Counted>,
    /// What it got of the processors, if it came to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduled: Option<Scheduled>,
    /// How many samples are in its records, and how many periods these stand for.
    #[serde(default)]
    pub samples_kept: [u64; 2],
    /// Where they found it, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<u64>,
    /// The teams of threads that worked together, each set of threads once: their numbers, in
    /// their order there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Vec<u32>>,
    /// The numbers of the threads that were created one by one, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub created_threads: Vec<u32>,
    /// Which of them each team was, and the locks: what only its own records ask for.
    #[serde(skip)]
    pub seen: Seen,
    /// Numbers and members of the groups that opened epochs on windows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<(u32, Members)>,
}

impl Process {
    /// Collects a definition stream; lines that do not parse are returned beside it.
    pub fn from_stream(stream: &[u8]) -> (Self, Vec<String>) {
        let mut process = Self::default();
        let mut damaged = Vec::new();
        for line in stream.split(|&b| b == b'\n').filter(|l| !l.is_empty()) {
            match serde_json::from_slice(line) {
                Ok(definition) => process.add(definition),
                Err(error) => damaged.push(format!(
                    "definition `{}`: {error}",
                    String::from_utf8_lossy(line)
                )),
            }
        }
        (process, damaged)
    }

    fn add(&mut self, definition: Definition) {
        match definition {
            Definition::Identity(identity) => self.identity = identity,
            Definition::Region(region) => self.regions.push(region),
            Definition::Metric(metric) => self.metrics.push(metric),
            Definition::LeftOut { function, entries } => {
                leave_out(&mut self.left_out, function, entries);
            }
            Definition::Filtered { what, entries } => leave_out(&mut self.filtered, what, entries),
            Definition::Within { function, calls } => {
                leave_out(&mut self.within, PROCEDURE | u64::from(function), calls);
            }
            Definition::Communicator(communicator) => self.communicators.push(communicator),
            Definition::CommName { id, name } => {
                if let Some(comm) = self.communicators.iter_mut().rev().find(|c| c.id == id) {
                    comm.name = name;
                }
            }
            Definition::Ping(ping) => self.pings.push(ping),
            Definition::Triple(triple) => self.triples.push(triple),
            Definition::Place(place) => self.places.push(place),
            Definition::Module(module) => self.modules.push(module),
            Definition::Signature { id, hash } => self.signatures.push((id, hash)),
            Definition::Window(window) => self.windows.push(window),
            Definition::WindowName { id, name } => {
                if let Some(window) = self.windows.iter_mut().find(|window| window.id == id) {
                    window.name = name;
                }
            }
            Definition::File(file) => self.files.push(file),
            Definition::FileName { id, name } => self.file_names.push((id, name)),
            Definition::Switched(switched) => self.switched.push(switched),
            Definition::Sampled(sampled) => self.sampled = Some(sampled),
            Definition::Counted(counted) => self.counted = Some(counted),
            Definition::Scheduled(scheduled) => self.scheduled = Some(scheduled),
            Definition::Group { id, members } => self.groups.push((id, members)),
            Definition::Beyond => self.beyond = true,
            Definition::Ended => self.ended = true,
        }
    }
}

/// Takes what is told of a function again and again, as its entries become more.
fn leave_out(list: &mut Vec<(u64, u64)>, function: u64, entries: u64) {
    match list.iter_mut().find(|(it, _)| *it == function) {
        Some((_, most)) => *most = entries.max(*most),
        None => list.push((function, entries)),
    }
}

/// Returns the line of a definition, with its newline.
pub fn line(definition: &Definition) -> Vec<u8> {
    line_of(definition)
}

/// Returns anything as one line of JSON, with its newline.
pub fn line_of<T: Serialize>(what: &T) -> Vec<u8> {
    let mut line = serde_json::to_vec(what).unwrap_or_default();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few bytes of a damaged file may not become memory without bound.
    #[test]
    fn lists_of_more_ranks_than_there_can_be_are_refused() {
        let read = serde_json::from_str::<Members>;
        assert!(read("[[0,4194304,1]]").is_ok());
        for text in ["[[0,4294967295,1]]", "[[0,4000000,1],[0,4000000,1]]"] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains("more ranks"), "{error}");
        }
    }

    #[test]
    fn members_are_compressed_and_come_back_in_order() {
        for (ranks, runs) in [
            (vec![], 0),
            (vec![3], 1),
            ((0..1000).collect(), 1),
            (vec![1, 3, 5, 7], 1),
            (vec![5, 4, 3, 9, 9], 2),
            (vec![0, 1, 2, 10, 12, 14, 1], 3),
        ] as [(Vec<u32>, usize); 6]
        {
            let members = Members::new(&ranks);
            assert_eq!(members.iter().collect::<Vec<_>>(), ranks);
            let got = (0..ranks.len() as u32).map_while(|at| members.get(at));
            assert_eq!(got.collect::<Vec<_>>(), ranks);
            assert_eq!(members.get(ranks.len() as u32), None);
            let text = serde_json::to_string(&members).unwrap();
            assert_eq!(serde_json::from_str::<Members>(&text).unwrap(), members);
            assert_eq!(members.len(), ranks.len());
            assert_eq!(members.0.len(), runs, "{ranks:?}");
            let size = ranks.iter().max().map_or(0, |max| max + 1);
            let fits = ranks.len() <= size as usize;
            assert_eq!(members.fit_in(size), fits, "{ranks:?}");
            assert!(ranks.is_empty() || !members.fit_in(size - 1), "{ranks:?}");
        }
    }

    #[test]
    fn a_stream_cut_short_keeps_its_whole_lines() {
        let region = Definition::Region(Region {
            id: 1,
            name: "MPI_Send".into(),
            role: 28,
            user: false,
        });
        let mut stream = line(&region);
        stream.extend_from_slice(b"{\"region\":{\"id\":2,");
        let (process, damaged) = Process::from_stream(&stream);
        assert_eq!(process.regions.len(), 1);
        assert_eq!(damaged.len(), 1);
    }
}
