//! The processes of a job, by MPI.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::thread::{available_parallelism, sleep, spawn};
use std::time::Duration;

use anyhow::Result;
use mpi_abi::{Code, Family, Library, LibraryVersion, Mpi, OwnComm};
use mpiscope_archive::model::Processes;
use mpiscope_run::launched::Started;

use super::{library, processors, unfit};
use crate::launch::program::family_name;
use crate::say;

/// The tag of what the first tells the others at its end.
const END: i32 = 1;

/// This process among the others.
pub struct Ranks {
    mpi: &'static Mpi,
    comm: OwnComm<'static>,
    threads: usize,
    /// How often they told each other something, and how many bytes this one told others.
    exchanges: AtomicU64,
    told: AtomicU64,
}

impl Ranks {
    /// Opens the MPI of the launcher and starts it.
    pub fn start(started: &Started) -> Result<Ranks> {
        let library = library::of(started).map_err(|error| unfit(started, error.to_string()))?;
        let mpi = Library::open(&library).and_then(|()| Mpi::load());
        let mpi = mpi.map_err(|error| unfit(started, format!("{error}; {}", library::REMEDY)))?;
        fits(started, mpi.abi.family, mpi)?;
        if let Some((name, value)) = transport(|name| std::env::var(name).ok()) {
            std::env::set_var(name, value);
        }
        let comm = saying_if_long(started, || mpi.start())
            .map_err(|error| unfit(started, error.to_string()))?;
        if comm.size() as u32 != started.processes {
            let _ = comm.finish();
            let why = format!(
                "{} ({}) sees {} of them. The launcher belongs to another MPI; {}",
                mpi.library().path().display(),
                LibraryVersion::parse(mpi.library_version()),
                comm.size(),
                library::REMEDY
            );
            return Err(unfit(started, why));
        }
        let mut ranks = Ranks {
            mpi,
            comm,
            threads: 1,
            exchanges: AtomicU64::new(0),
            told: AtomicU64::new(0),
        };
        ranks.threads = ranks.own_threads();
        Ok(ranks)
    }

    /// Returns how many threads this process may use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Finds that: processors are shared by those that may run on the same ones.
    fn own_threads(&self) -> usize {
        let all = self.share(processors::own().into_bytes());
        let sharing = all.iter().filter(|it| **it == all[self.me()]).count();
        let here = available_parallelism().map_or(1, NonZeroUsize::get);
        (here / sharing.max(1)).max(1)
    }

    /// Returns how often processes told each other something so far, and how many bytes this one
    /// told others.
    pub fn exchanged(&self) -> (u64, u64) {
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        (count(&self.exchanges), count(&self.told))
    }

    /// Tells all others with which exit code the first has ended.
    pub fn tell_end(&self, code: u8) {
        for other in 1..self.comm.size() {
            self.surely(self.comm.send(other, END, &[code]));
        }
    }

    /// Sleeps until the first tells with which exit code it has ended.
    pub fn hear_of_end(&self) -> u8 {
        /// How much later than at once is late enough.
        const NAP: Duration = Duration::from_millis(2);
        while !self.surely(self.comm.iprobe(0, END)) {
            sleep(NAP);
        }
        let mut code = [0];
        self.surely(self.comm.recv(0, END, &mut code));
        code[0]
    }

    /// Leaves the job, as all processes do.
    pub fn leave(&self) {
        let _ = self.comm.finish();
    }

    /// Ends all processes.
    pub fn abort(&self, code: u8) -> ! {
        self.mpi.abort(code.into())
    }

    fn surely<T>(&self, result: Result<T, Code>) -> T {
        result.unwrap_or_else(|code| {
            self.end_all(
                crate::exit::CANNOT,
                &format!("the others cannot be reached: {code}"),
            )
        })
    }
}

impl Processes for Ranks {
    fn count(&self) -> usize {
        self.comm.size() as usize
    }

    fn me(&self) -> usize {
        self.comm.rank() as usize
    }

    fn all_to_all(&self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let lengths = outgoing.iter().map(|bytes| bytes.len() as u64);
        let to_me = outgoing
            .get(self.me())
            .map_or(0, |bytes| bytes.len() as u64);
        self.exchanges.fetch_add(1, Ordering::Relaxed);
        self.told
            .fetch_add(lengths.sum::<u64>() - to_me, Ordering::Relaxed);
        self.surely(self.comm.all_to_all(&outgoing))
    }
}

/// Returns what to tell Open MPI about how to carry messages, if nobody has: within one host it is
/// shared memory in any case, and looking for networks takes most of the time that it starts in.
fn transport(text: impl Fn(&str) -> Option<String>) -> Option<(&'static str, &'static str)> {
    const CARRIER: &str = "OMPI_MCA_pml";
    let all = text("OMPI_COMM_WORLD_SIZE")?;
    let here = text("OMPI_COMM_WORLD_LOCAL_SIZE")?;
    (all == here && text(CARRIER).is_none()).then_some((CARRIER, "ob1"))
}

/// Starts MPI, which waits for all processes, and says so where that takes long.
fn saying_if_long<T>(started: &Started, start: impl FnOnce() -> T) -> T {
    /// Launchers of many hosts take their time.
    const LONG: Duration = Duration::from_secs(20);
    let Started {
        variable,
        processes,
        ..
    } = *started;
    let (done, waits) = channel::<()>();
    spawn(move || {
        if waits.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
            say::aside(format!(
                "waiting for the other processes of the {processes} that a launcher started \
                 ({variable}={processes}). Where this one alone is to do it all: `env -u {variable} \
                 mpiscope …`"
            ));
        }
    });
    let started = start();
    drop(done);
    started
}

/// Refuses the library of one MPI under the launcher of another before it is started: each process
/// would take itself for the only one, or wait for a launcher that does not answer.
fn fits(started: &Started, family: Family, mpi: &Mpi) -> Result<()> {
    if library::families(started.launcher).contains(&family) {
        return Ok(());
    }
    let why = format!(
        "{} is a library of {}, and the launcher is not; {}",
        mpi.library().path().display(),
        family_name(family),
        library::REMEDY
    );
    Err(unfit(started, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_looked_for_unless_all_are_on_one_host() {
        let check = |pairs: &[(&str, &str)]| {
            let text = |name: &str| Some(pairs.iter().find(|it| it.0 == name)?.1.to_owned());
            transport(text).is_some()
        };
        let all = ("OMPI_COMM_WORLD_SIZE", "4");
        let on_host = |count| ("OMPI_COMM_WORLD_LOCAL_SIZE", count);
        assert!(check(&[all, on_host("4")]));
        assert!(!check(&[all, on_host("2")]));
        assert!(!check(&[all, on_host("4"), ("OMPI_MCA_pml", "ucx")]));
        assert!(!check(&[("SLURM_STEP_NUM_TASKS", "4")]));
    }
}
