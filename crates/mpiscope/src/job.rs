//! A command that a launcher of MPI programs started several times: its processes do one thing
//! together, or refuse to do it each for itself.
//!
//! The command is linked with no MPI. It opens that of the launcher ([`library`]), and is a program
//! of that MPI from then on, with a communicator of its own ([`ranks`]). All processes come to the
//! same calls in the same order; the first alone speaks, and one that fails ends them all. What is not
//! divided among them the first does for all ([`first`]). What has a batch system start them is a
//! [`script`].

mod first;
mod library;
mod processors;
mod ranks;
pub mod script;

use std::ffi::OsStr;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{anyhow, bail, Result};
use mpiscope_analysis::races::CallPlace;
use mpiscope_archive::model::{CallSiteId, EventRef, Message, Processes, RegionId, Trace};
use mpiscope_run::launched::{self, Started};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::cli::{Analyze, Command, Races};
use crate::exit::CANNOT;
use crate::packed::is_packed;
use crate::{exit, say};
use ranks::Ranks;

static RANKS: OnceLock<Ranks> = OnceLock::new();

/// Returns the way to the other processes, if there are any.
pub fn processes() -> Option<&'static dyn Processes> {
    RANKS.get().map(|ranks| ranks as &dyn Processes)
}

/// Returns what processes have told each other so far, if there are several: all come here. Those
/// of `messages` that are received here and were sent elsewhere are counted, too.
pub fn exchanged(messages: &[Message], part_of: &[u32]) -> Option<Exchanged> {
    let ranks = RANKS.get()?;
    let part = |event: EventRef| part_of[event.location.index()] as usize;
    let came = |it: &&Message| part(it.receive) == ranks.me() && part(it.send) != ranks.me();
    let came = messages.iter().filter(came).count() as u64;
    let (exchanges, told) = ranks.exchanged();
    Some(Exchanged {
        exchanges,
        bytes: sum(told, Some(ranks)),
        messages: sum(came, Some(ranks)),
        processes: ranks.count() as u64,
    })
}

/// What processes told each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchanged {
    /// How many processes there are.
    pub processes: u64,
    /// How often all did, one exchange after the other.
    pub exchanges: u64,
    /// How many bytes in all, without what was told to oneself.
    pub bytes: u64,
    /// Messages of the trace that one process has the send of, and another the receive.
    pub messages: u64,
}

/// Returns how many threads this process may use, if others share its processors.
pub fn threads() -> Option<usize> {
    RANKS.get().map(Ranks::threads)
}

/// How the processes of a job do a command together.
enum Sharing {
    /// Each does a part.
    Divided,
    /// The first does it, and the others wait.
    FirstForAll,
}

impl Sharing {
    /// Returns how; nothing if each would do it for itself.
    fn of(command: &Command) -> Option<Sharing> {
        match command {
            Command::Sync(_) => Some(Sharing::Divided),
            // A packed run is unpacked by one, for itself.
            Command::Analyze(Analyze { input, .. }) | Command::Races(Races { input, .. }) => {
                Some(match is_packed(input) {
                    true => Sharing::FirstForAll,
                    false => Sharing::Divided,
                })
            }
            Command::Info(_) => Some(Sharing::FirstForAll),
            Command::View(view) if view.build => Some(Sharing::FirstForAll),
            _ => None,
        }
    }
}

/// Joins the other processes that a launcher started, if the command can be done together;
/// refuses to do each for itself what is done once.
pub fn join(command: &Command) -> Result<()> {
    let Some(((name, starts), started)) = command.once().zip(launched::together()) else {
        return Ok(());
    };
    // What all say alike one says.
    say::be_silent(started.rank > 0);
    let Some(sharing) = Sharing::of(command) else {
        return refuse(name, starts, &started);
    };
    // A library may be missing on one host alone.
    say::be_silent(started.rank_on_host > 0);
    let ranks = match Ranks::start(&started) {
        // What only shows something each shows for itself then.
        Err(_) if matches!(command, Command::Info(_)) => {
            say::be_silent(false);
            return Ok(());
        }
        ranks => ranks?,
    };
    say::be_silent(ranks.me() > 0);
    match sharing {
        Sharing::Divided => drop(RANKS.set(ranks)),
        Sharing::FirstForAll => first::leads(ranks, name),
    }
    Ok(())
}

fn refuse(name: &str, starts: bool, started: &Started) -> Result<()> {
    let Started {
        variable,
        processes,
        ..
    } = started;
    let remedy = match starts {
        true => format!(
            "put the launcher behind it, as in `mpiscope {name} … -- mpirun -n {processes} ./program`"
        ),
        false => "start it without the launcher; it uses all cores by itself (what can be started \
                  so are `mpiscope sync`, `analyze`, `races`, `info` and `view --build`)"
            .to_owned(),
    };
    bail!(
        "a launcher started {processes} processes ({variable}={processes}), and each of them would \
         do all that `mpiscope {name}` does, perhaps in the same files; {remedy}. If it is meant \
         so, as where one of them alone starts it: `env -u {variable} mpiscope {name} …`"
    )
}

/// Another process told why nothing comes of it.
#[derive(Debug, thiserror::Error)]
#[error("process {by} of the job failed")]
struct Elsewhere {
    by: usize,
}

/// The exit code of an error that all processes know of; 0 if there is none.
static AGREED: AtomicU8 = AtomicU8::new(0);

/// Has all processes fail where one does. All come here, whatever happened to them.
pub fn agree<T>(mine: Result<T>) -> Result<T> {
    let Some(processes) = processes() else {
        return mine;
    };
    let code = mine.as_ref().err().map_or(0, exit::of);
    let codes = processes.share(vec![code]);
    let code = |codes: &Vec<u8>| codes.first().copied().unwrap_or(CANNOT);
    let failed = codes.iter().map(code).enumerate().find(|it| it.1 != 0);
    let Some((by, code)) = failed else {
        return mine;
    };
    AGREED.store(code, Ordering::SeqCst);
    match mine {
        Err(error) if by == processes.me() => Err(error),
        _ => Err(Elsewhere { by }.into()),
    }
}

/// Goes on after an error that all know of: what was done together is done otherwise.
pub fn forgive<T>(agreed: Result<T>) -> Option<T> {
    agreed
        .inspect_err(|_| AGREED.store(0, Ordering::SeqCst))
        .ok()
}

/// Does something once for all processes, which go on when it is done.
pub fn once<T: Default>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    agree(match is_first() {
        true => work(),
        false => Ok(T::default()),
    })
}

/// Has the first process do what is not divided, on the processors of all of its host, while the
/// others sleep; returns the exit code in all.
pub fn first_does(name: &str, work: impl FnOnce() -> Result<u8> + Send) -> Result<u8> {
    let Some(processes) = processes() else {
        return work();
    };
    first::say_so(processes.count(), name);
    let mut work = is_first().then_some(work);
    let mut done = Ok(0);
    if work.is_some() {
        processes.on_host(&mut || {
            if let Some(work) = work.take() {
                done = work();
            }
        });
    }
    processes.tell(Vec::new());
    let code = agree(done)?;
    Ok(processes.tell_list(vec![code])[0])
}

/// Does work with as many threads as this process may use beside the others of its host.
pub fn with_own_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    with_threads(threads(), work)
}

/// Does work with so many threads, or as many as there are processors.
pub fn with_threads<T: Send>(threads: Option<usize>, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    match pool.build() {
        Ok(pool) => pool.install(work),
        // A system that gives no threads has one at least: this.
        Err(_) => work(),
    }
}

/// Returns the greatest of what processes have.
pub fn greatest(mine: u64, processes: Option<&dyn Processes>) -> u64 {
    let all = processes.map(|processes| processes.share_all(vec![mine]).concat());
    all.into_iter().flatten().fold(mine, u64::max)
}

/// Returns the sum of what processes have.
pub fn sum(mine: u64, processes: Option<&dyn Processes>) -> u64 {
    let all = processes.map(|processes| processes.share_all(vec![mine]).concat());
    all.map_or(mine, |all| all.into_iter().sum())
}

/// Returns what the first process has found, where each looks for itself and may see something else.
pub fn as_first_found<T: Serialize + DeserializeOwned>(
    mine: T,
    processes: Option<&dyn Processes>,
) -> Result<T> {
    let Some(processes) = processes else {
        return Ok(mine);
    };
    let told = match processes.me() {
        0 => serde_json::to_vec(&mine)?,
        _ => Vec::new(),
    };
    let all = processes.share(told);
    Ok(serde_json::from_slice(
        all.first().map_or(&[], Vec::as_slice),
    )?)
}

/// Returns which call an event belongs to, as who has its events tells: of processes that share a
/// trace one, else this. All ask for the same, and each has names for it by itself.
pub fn place_of(trace: &Trace, event: EventRef, processes: Option<&dyn Processes>) -> CallPlace {
    let owner = trace.parts.get(event.location.index());
    let (Some(processes), Some(&owner)) = (processes, owner) else {
        return CallPlace::of(trace, event);
    };
    let mine = (processes.me() == owner as usize).then(|| {
        let place = CallPlace::of(trace, event);
        (place.region.map(|it| it.0), place.site.map(|it| it.0))
    });
    let told = processes.share_all(mine.into_iter().collect()).concat();
    let (region, site) = told.first().copied().unwrap_or_default();
    CallPlace {
        region: region.map(RegionId),
        site: site.map(CallSiteId),
    }
}

/// Returns whether this process is the one that does what is done once.
pub fn is_first() -> bool {
    processes().is_none_or(|processes| processes.me() == 0)
}

/// Does the work of a command, ends the job with this process should it panic, and otherwise
/// leaves it with the exit code that it gives; an error that the others do not know of ends them.
pub fn leave_after(work: impl FnOnce() -> Result<u8>) -> Result<u8> {
    if let Some(ranks) = first::ranks() {
        return first::does(ranks, work);
    }
    let Some(ranks) = RANKS.get() else {
        return work();
    };
    let done = catch_unwind(AssertUnwindSafe(|| same_words(ranks).and_then(|()| work())));
    match done {
        Ok(Ok(code)) => {
            ranks.leave();
            Ok(code)
        }
        Ok(Err(error)) => match AGREED.load(Ordering::SeqCst) {
            0 => ranks.end_all(exit::of(&error), &say::chain(&error)),
            code => {
                if !error.is::<Elsewhere>() {
                    say::alarm(format!("error: {}", say::chain(&error)));
                }
                ranks.leave();
                Ok(code)
            }
        },
        Err(_) => ranks.end_all(PANICKED, "it panicked"),
    }
}

/// Refuses processes that were asked for different things: they would wait for each other. All come
/// to know of it.
fn same_words(processes: &dyn Processes) -> Result<()> {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let words = words.join(OsStr::new("\0")).into_encoded_bytes();
    let all = processes.share(words);
    let Some(other) = all.iter().position(|words| *words != all[0]) else {
        return Ok(());
    };
    let error =
        anyhow!("process {other} of the job was started with other arguments than the first");
    AGREED.store(exit::of(&error), Ordering::SeqCst);
    match processes.me() {
        0 => Err(error),
        _ => Err(Elsewhere { by: 0 }.into()),
    }
}

/// The exit code of a process that panicked, as Rust has it.
const PANICKED: u8 = 101;

impl Ranks {
    /// Ends all processes, and says why.
    fn end_all(&self, code: u8, why: &str) -> ! {
        // Where several fail for the same reason the first ends the others before they say so.
        sleep(Duration::from_millis(match self.me() {
            0 => 0,
            rank => 300 + 20 * rank.min(60) as u64,
        }));
        let (me, count) = (self.me(), self.count());
        say::alarm(format!(
            "error: {why} (process {me} of {count}); the job ends, and what it wrote is no archive"
        ));
        // MPICH's launcher drops what it has not read when a job is aborted.
        sleep(Duration::from_millis(200));
        self.abort(code)
    }
}

/// Says what is wrong with a job that was started by a launcher.
fn unfit(started: &Started, why: String) -> anyhow::Error {
    let Started {
        variable,
        processes,
        ..
    } = started;
    anyhow!(
        "a launcher started {processes} processes ({variable}={processes}), which cannot work \
         together: {why}. Where one of them alone is to do it all: `env -u {variable} mpiscope …`"
    )
}
