//! `replay --stop-at`: one thread stands before one of its calls until a debugger goes on.
//!
//! The program is to be looked at here, so this is the one place where the
//! agent waits on purpose. A debugger that is there already is given a trap;
//! else whoever started the replay is told which process to attach to.

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::base::host::host_name;
use crate::base::variable;

/// `RANK:THREAD:CALL:SOCKET`; calls are counted from 1.
const VARIABLE: &str = "MPISCOPE_STOP_AT";

/// Returns before which call a thread is to stand, and the socket to tell it at.
fn wish(rank: u32, thread: u32) -> Option<(u64, String)> {
    let text = variable::text(VARIABLE)?;
    let mut parts = text.splitn(4, ':');
    let mut number = || parts.next()?.parse::<u64>().ok();
    let (at_rank, at_thread, call) = (number()?, number()?, number()?);
    let chosen = at_rank == u64::from(rank) && at_thread == u64::from(thread);
    chosen.then(|| (call, parts.next().unwrap_or_default().to_owned()))
}

/// Returns before which call a thread is to stand, if any.
pub fn call(rank: u32, thread: u32) -> Option<u64> {
    wish(rank, thread).map(|wish| wish.0)
}

/// Stands here.
#[cold]
#[inline(never)]
pub fn here(rank: u32, thread: u32) {
    if !traced() {
        // A debugger that is no ancestor of ours may attach where Yama is (prctl(2)).
        // SAFETY: a plain system call; it fails where there is no Yama, and nothing is lost.
        unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0) };
        tell(rank, thread);
        while !traced() {
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    // SAFETY: a debugger is there, and gets the signal in our place.
    unsafe { libc::raise(libc::SIGTRAP) };
}

/// Returns whether a debugger is attached (proc(5)).
fn traced() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let tracer = lines.find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|id| id.trim() != "0")
}

fn tell(rank: u32, thread: u32) {
    let id = std::process::id();
    let socket = wish(rank, thread).map(|wish| wish.1).unwrap_or_default();
    let line = format!("{{\"Stands\":{{\"rank\":{rank},\"pid\":{id}}}}}\n");
    let told = UnixStream::connect(socket).and_then(|mut socket| socket.write_all(line.as_bytes()));
    if told.is_err() {
        // The replay was started on another host.
        let host = host_name();
        let _ = writeln!(
            std::io::stderr(),
            "mpiscope: rank {rank} stands where it was to stop, process {id} on {host}; there type\n    gdb -p {id}"
        );
    }
}
