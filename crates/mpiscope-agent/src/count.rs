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
mod monitor;
mod probes;
mod settings;
mod stack;
mod store;
mod thread;
mod traced_probes;
mod virtual_clock;
mod virtual_time_of_thread;

use std::path::PathBuf;

use mpiscope_run::process::{Definition, Members};
use mpiscope_run::statistics::Note;

use crate::base::{clock, definitions};
use crate::facts::thread::Thread;
use crate::mpi::process;
use crate::peers::virtual_time;
use monitor::Monitor;
use virtual_time_of_thread::OfThread;

pub use finish::finish;
pub use hosts::find_near;
pub use monitor::get;
pub use settings::{wanted, Settings};
pub use thread::attach;

/// Begins to keep statistics.
pub fn start(settings: Settings, folder: PathBuf, run: PathBuf, near: Members) {
    monitor::install(settings, folder, run, near);
    definitions::listen(define);
    virtual_time::answer(&OfThread);
}

/// Measures what observation costs, once the first thread observes, and
/// says what the process is made of.
pub fn begin(monitor: &Monitor, thread: &mut Thread) {
    let costs = costs::measure(thread);
    let _ = monitor.costs.set(costs);
    monitor.note(&Note::Costs(costs));
    probes::tell_all(monitor);
    monitor.define_modules();
    if let Some(statistics) = thread::current() {
        statistics.get().learn(monitor);
    }
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
