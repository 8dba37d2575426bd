//! Between the prompt and the processes of the job: a socket of this host.
//!
//! `mpiscope exec --debug SOCKET` stands before every program. It says who it
//! is, is told what to do, and does it: becomes the program, or a debugger on
//! it. On another host there is no such socket, and the program runs without.

use std::fs::{DirBuilder, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use rustix::fs::{open, Mode, OFlags};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::launch::environment;

/// Who a process is.
#[derive(Debug, Serialize, Deserialize)]
pub struct Hello {
    /// Rank in MPI_COMM_WORLD.
    pub rank: u32,
    /// Ranks there are, where the launcher says it.
    pub size: Option<u32>,
    /// Process id; debugger and program keep it if they are executed by us.
    pub pid: u32,
    /// The program's file.
    pub program: PathBuf,
}

/// What comes to the socket.
#[derive(Debug, Serialize, Deserialize)]
pub enum Arrival {
    /// A process that asks what to be.
    Hello(Hello),
    /// A process that stands where it was to stop, without debugger.
    Stands {
        /// Rank in MPI_COMM_WORLD.
        rank: u32,
        /// Process id.
        pid: u32,
    },
}

/// What a process is told.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Be the program.
    Run,
    /// Be gdb on the program, its machine interface on this socket.
    Interface,
    /// Be gdb on the program, talking to the person at this terminal.
    Terminal(PathBuf),
    /// Be gdbserver on the program, and say at which [`Port`].
    Server,
}

/// Where gdbserver listens, on 127.0.0.1.
#[derive(Debug, Serialize, Deserialize)]
pub struct Port(pub u16);

/// Variables by which launchers tell a process its rank and the number of ranks:
/// those of the MPI first, as Slurm's may be of a step around it.
/// A process that is executed alone is told its own.
const RANK: [&str; 5] = [
    environment::ALONE,
    "OMPI_COMM_WORLD_RANK",
    "PMIX_RANK",
    "PMI_RANK",
    "SLURM_PROCID",
];
const SIZE: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"];

impl Hello {
    /// Describes this process. Without a launcher it is a world of one.
    pub fn of_this_process(program: &Path) -> Hello {
        let number = |names: &[&str]| {
            let mut values = names.iter().filter_map(|name| std::env::var(name).ok());
            values.find_map(|value| value.parse().ok())
        };
        let rank = number(&RANK);
        Hello {
            rank: rank.unwrap_or(0),
            size: number(&SIZE).or(rank.is_none().then_some(1)),
            pid: std::process::id(),
            program: program.to_owned(),
        }
    }
}

/// The socket, and the folder that nobody else can open.
pub struct Rendezvous {
    /// Where processes come to.
    pub listener: UnixListener,
    folder: PathBuf,
}

impl Rendezvous {
    /// Opens a socket. Not in the run: its path may be too long for one (unix(7)).
    pub fn open() -> Result<Rendezvous> {
        let name = format!("mpiscope-gdb-{}", environment::unique_id());
        let folder = std::env::temp_dir().join(name);
        let made = DirBuilder::new().mode(0o700).create(&folder);
        made.with_context(|| format!("cannot create {}", folder.display()))?;
        let path = folder.join(SOCKET);
        let listener = UnixListener::bind(&path)
            .with_context(|| format!("cannot listen at {}", path.display()))?;
        Ok(Rendezvous { listener, folder })
    }

    /// Returns the socket's path.
    pub fn path(&self) -> PathBuf {
        self.folder.join(SOCKET)
    }

    /// Returns where what [`Rendezvous::leave_script`] leaves is.
    pub fn script(&self) -> PathBuf {
        script_beside(&self.path())
    }

    /// Leaves a script for gdb that goes from where the agent stops to the program's own call.
    pub fn leave_script(&self) -> Result<()> {
        let path = self.script();
        let written = std::fs::write(&path, include_str!("at_call.py"));
        written.with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Returns where the script for gdb is, beside the socket; it is there if the job is to stop.
pub fn script_beside(socket: &Path) -> PathBuf {
    socket.with_file_name("at_call.py")
}

const SOCKET: &str = "socket";

impl Drop for Rendezvous {
    fn drop(&mut self) {
        // Nothing depends on it being gone.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Says something across the socket, in one line.
pub fn say(mut stream: &UnixStream, message: &impl Serialize) -> Result<()> {
    let line = serde_json::to_string(message)? + "\n";
    Ok(stream.write_all(line.as_bytes())?)
}

/// Hears what [`say`] said, and not a byte more: what follows is gdb's.
pub fn hear<T: DeserializeOwned>(stream: &UnixStream) -> Result<T> {
    const LONGEST: u64 = 64 << 10;
    let mut line = Vec::new();
    // A buffer of one byte, since the reader must not read ahead.
    BufReader::with_capacity(1, stream.take(LONGEST)).read_until(b'\n', &mut line)?;
    ensure!(line.ends_with(b"\n"), "the other side has gone");
    Ok(serde_json::from_slice(&line)?)
}

/// Opens a terminal for a debugger, which stays that of its window: launchers make ranks leaders of
/// sessions, and one without a terminal would take a new window's for its own, so that the window
/// could not have it and closed.
pub fn open_terminal(path: &Path) -> Result<File> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = open(path, flags, Mode::empty());
    let opened = opened.with_context(|| format!("cannot open {}", path.display()))?;
    Ok(opened.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_says_who_it_is_and_is_told_what_to_do() {
        let rendezvous = Rendezvous::open().unwrap();
        let ours = UnixStream::connect(rendezvous.path()).unwrap();
        let (theirs, _) = rendezvous.listener.accept().unwrap();
        let order = Order::Terminal("/dev/pts/7".into());
        say(&ours, &order).unwrap();
        (&ours).write_all(b"1-gdb-version\n").unwrap();
        assert_eq!(hear::<Order>(&theirs).unwrap(), order);
        let mut rest = [0; 14];
        (&theirs).read_exact(&mut rest).unwrap();
        assert_eq!(&rest, b"1-gdb-version\n");
        drop(ours);
        assert!(hear::<Order>(&theirs).is_err());
    }

    #[test]
    fn the_socket_goes_with_its_folder() {
        let path = Rendezvous::open().unwrap().path();
        assert!(!path.parent().unwrap().exists());
    }
}
