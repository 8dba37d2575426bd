//! The buffers of the process: one for each thread that records, handed on when it ends.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mpiscope_run::buffer::{Shared, Writer};
use mpiscope_run::process::{line, Definition};

use crate::base::clock::{ticks, triple};
use crate::base::host::host_name;
use crate::base::notice;
use crate::base::threads::ROOM;
use crate::mpi::process::Process;

/// All buffers, the first thread's first.
static ALL: Mutex<Vec<(PathBuf, Shared)>> = Mutex::new(Vec::new());
/// Those whose threads have ended.
static SPARE: Mutex<Vec<Writer>> = Mutex::new(Vec::new());

/// Returns the buffer of a thread that has ended, or a new one, whose window has this many bytes
/// if it is the first thread's; what cannot be made is counted.
pub fn for_thread(process: &Process, number: u32, tid: u32, bytes: usize) -> Option<Writer> {
    let writer = spare(number, tid).or_else(|| create(process, number, tid, bytes));
    if let (None, Some((_, first))) = (&writer, all().first()) {
        first.header().refused.fetch_add(1, Ordering::Relaxed);
    }
    writer
}

fn spare(number: u32, tid: u32) -> Option<Writer> {
    if number == 0 {
        return None;
    }
    let mut writer = lock(&SPARE).pop()?;
    if !writer.hand_over(ticks(), number, tid) {
        // What it holds is read from its file; it stays mapped, as others may look at it.
        std::mem::forget(writer);
        return None;
    }
    Some(writer)
}

fn create(process: &Process, number: u32, tid: u32, bytes: usize) -> Option<Writer> {
    let (host, pid) = (host_name(), std::process::id());
    let name = format!("{host}-{pid}-{tid}-{number}.buffer");
    let (capacity, room) = match number {
        0 => (bytes, None),
        // No thread ever gets more.
        _ => (ROOM.most() / 2, Some(&ROOM)),
    };
    let made = Writer::create(&process.buffers, &name, &process.run, capacity, room);
    let writer = made
        .inspect_err(|error| {
            let folder = process.buffers.display();
            notice::tell(&format!(
                "a thread is not recorded, no buffer could be made in {folder}: {error}"
            ));
        })
        .ok()?;
    let header = writer.header();
    header.tid.store(tid, Ordering::Relaxed);
    header.thread.store(number, Ordering::Relaxed);
    header.rank.store(process.identity.rank, Ordering::Relaxed);
    all().push((writer.path().to_owned(), writer.shared()));
    Some(writer)
}

/// Takes the buffer of a thread that ends, for another.
pub fn take_back(writer: Writer) {
    lock(&SPARE).push(writer);
}

/// Appends to the process's definitions, which lie in the first thread's buffer.
pub fn define(definition: &Definition) {
    if let Some(shared) = first() {
        shared.define(&line(definition));
    }
}

/// Keeps space reserved ahead of the writers, and the reading of the clock in the first header fresh.
pub fn look_ahead() {
    let buffers = shared();
    for buffer in &buffers {
        buffer.grow_ahead();
    }
    if let Some(first) = buffers.first() {
        first.renew_triple(triple());
    }
}

/// Returns the paths of the process's buffers.
pub fn paths() -> Vec<PathBuf> {
    all().iter().map(|(path, _)| path.clone()).collect()
}

/// Returns where the process's buffers lie, with handles to them, the first thread's first.
pub fn all_shared() -> Vec<(PathBuf, Shared)> {
    all().clone()
}

/// Returns handles to the process's buffers, the first thread's first.
pub fn shared() -> Vec<Shared> {
    all().iter().map(|(_, shared)| shared.clone()).collect()
}

/// Returns a handle to the first thread's buffer.
pub fn first() -> Option<Shared> {
    all().first().map(|(_, shared)| shared.clone())
}

fn all() -> MutexGuard<'static, Vec<(PathBuf, Shared)>> {
    lock(&ALL)
}

fn lock<T>(of: &'static Mutex<T>) -> MutexGuard<'static, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
