//! MPI_Finalize: recording ends, and the ranks write the archive together.
//!
//! ```text
//! every rank   enter, barrier, leave; last offsets; collect its definitions
//! rank 0       gathers them, plans one archive, scatters the orders
//! every rank   writes its locations by its orders
//! rank 0       gathers what was written, writes definitions, anchor, run.json
//! ```
//!
//! If any rank fails, all keep their buffers, and `mpiscope trace` or
//! `mpiscope recover` makes the archive from them afterwards.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Instant;

use mpi_abi::{id, Code, Parts};
use mpiscope_run::archive::{prepare, write_global};
use mpiscope_run::buffer::{definitions_path, spill_path, State as BufferState};
use mpiscope_run::drain::{write_locations, Written};
use mpiscope_run::plan::{plan, Orders, Plan};
use mpiscope_run::process::{Definition, Process};
use mpiscope_run::record::Fact;
use mpiscope_run::run_info::{Archive, RunInfo, State as RunState};
use mpiscope_run::stored::Stored;
use mpiscope_run::system::without_size_signal;
use mpiscope_run::{directory, shared_memory};
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::json;

use crate::clock::{self, ticks};
use crate::observe::{observing, set_state, State};
use crate::session::{self, Session};
use crate::{helper, monitor, notice, offsets, site, thread};

/// Notes that the program entered MPI_Finalize, before anything of ours takes
/// time there. That is recorded even where recording was switched off, because
/// analyzers expect it.
pub fn enter() {
    if session::get().is_none() || !observing() {
        return;
    }
    // SAFETY: a thread's state lives as long as the process, and this is its thread.
    if let Some(thread) = unsafe { thread::current().as_mut() } {
        thread.site = site::noted();
        thread.enter(ticks(), u32::from(id::MPI_FINALIZE.0));
        thread.nested = true; // calls that the library makes of itself are its own affair
    }
}

/// Runs before the program's own MPI_Finalize, once.
pub fn run() {
    let Some(session) = session::get() else {
        return;
    };
    if !session.finish() {
        return;
    }
    let began = Instant::now();
    record_finalize(session);
    set_state(State::Off);
    helper::stop();
    if let Some(monitor) = monitor::get() {
        // SAFETY: MPI is up until the program's own MPI_Finalize, where every rank comes.
        unsafe { monitor.leave_hosts() };
    }
    monitor::finish(session);
    if !session.config.trace {
        return;
    }
    match without_size_signal(|| write_archive(session, began)) {
        Ok(true) => remove_buffers(session),
        Ok(false) => {}
        Err(Code(code)) => notice::tell(&format!(
            "MPI returned error {code} while the archive was written; the buffers are kept"
        )),
    }
}

/// Barrier, leave: so every leave of Finalize follows every enter.
fn record_finalize(session: &'static Session) {
    let region = u32::from(id::MPI_FINALIZE.0);
    let thread = thread::current();
    // SAFETY: MPI is up until the program's own MPI_Finalize, and every rank comes here.
    let _ = unsafe { session.mpi.barrier(session.comm) };
    // SAFETY: a thread's state lives as long as the process, and this is its thread.
    if let Some(thread) = unsafe { thread.as_mut() }.filter(|_| observing()) {
        thread.push(ticks(), Fact::Leave { region });
    }
}

/// Writes the archive with the other ranks; false if the buffers are needed still.
fn write_archive(session: &'static Session, began: Instant) -> Result<bool, Code> {
    let (mpi, comm, rank) = (session.mpi, session.comm, session.identity.rank);
    for buffer in session.buffers_shared() {
        let state = BufferState::Draining as u32;
        buffer
            .header()
            .state
            .store(state, std::sync::atomic::Ordering::Release);
    }
    // With those at the start these give each clock's drift.
    offsets::measure(session, offsets::PATIENCE)?;
    check_clock(session);
    session.define(&Definition::Triple(clock::triple()));

    let writing = Instant::now();
    let mine = local(|| collect(session));
    let (process, buffers) = mine.unwrap_or_default();
    let processes: Option<Vec<Process>> = gather(session, &process)?;
    let plan = processes.and_then(|processes| local(|| make_plan(session, &processes)));
    let orders = plan.as_ref().map(|plan| plan.orders.as_slice());
    let orders: Option<Orders> = scatter(session, orders)?;

    let written_by_us =
        orders.and_then(|orders| local(|| write_ours(session, &process, &buffers, &orders)));
    let complete = written_by_us.is_some();
    let written: Option<Vec<Vec<Written>>> = gather(session, &written_by_us.unwrap_or_default())?;
    // SAFETY: MPI is up, and every rank comes here.
    let all = unsafe { mpi.all_true(comm, complete)? };
    let mut done = all;
    if let (true, Some(plan), Some(written)) = (all, &plan, written) {
        let rest = local(|| write_rest(session, plan, &written.concat(), [began, writing]));
        done = rest.is_some();
    }
    // SAFETY: as above.
    let success = unsafe { mpi.all_true(comm, done)? };
    if rank == 0 && !success {
        notice::tell("the ranks could not write the archive; it is made from their buffers");
    }
    Ok(success)
}

/// Runs what this rank does for itself. Should it panic, the rank still takes
/// part in what the ranks do together: the others would wait for it.
fn local<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        notice::tell("the agent failed while the archive was written; the buffers are kept");
        None
    })
}

/// What this process has to tell, and its buffers; nothing if one cannot be read.
fn collect(session: &Session) -> Option<(Process, Vec<Stored>)> {
    let mut buffers = Vec::new();
    for path in session.buffer_paths() {
        match Stored::open(&path, &session.run) {
            Ok(buffer) => buffers.extend(buffer.threads()),
            Err(error) => {
                notice::tell(&error.to_string());
                return None;
            }
        }
    }
    let (process, notes) = Process::collect(&buffers);
    notes.iter().for_each(|note| notice::tell(note));
    Some((process, buffers))
}

/// Rank 0: one archive for all, and a place for it.
fn make_plan(session: &Session, processes: &[Process]) -> Option<Plan> {
    let plan = plan(processes).and_then(|plan| {
        prepare(&session.run).map_err(|error| error.to_string())?;
        Ok(plan)
    });
    if let Err(error) = &plan {
        notice::tell(&format!("the archive cannot be written: {error}"));
    }
    plan.ok()
}

/// The kernel may have found the counter unstable in the meantime.
fn check_clock(session: &Session) {
    use mpiscope_run::ticks::Source;
    if session.identity.source == Source::Tsc && clock::kernel_uses_tsc() == Some(false) {
        notice::tell(
            "the kernel stopped trusting the time-stamp counter during the run; \
             times of this run are doubtful, repeat it with MPISCOPE_CLOCK=monotonic",
        );
    }
}

fn write_ours(
    session: &Session,
    process: &Process,
    buffers: &[Stored],
    orders: &Orders,
) -> Option<Vec<Written>> {
    let written = match write_locations(&session.run, process, buffers, orders) {
        Ok(written) => written,
        Err(error) => {
            notice::tell(&format!("a location could not be written: {error}"));
            return None;
        }
    };
    let damage = written.iter().find_map(|location| location.damage.as_ref());
    damage.inspect(|what| notice::tell(what));
    damage.is_none().then_some(written)
}

/// Rank 0's last step: definitions, anchor, run.json. `since` tells when
/// Finalize and when writing began.
fn write_rest(
    session: &Session,
    plan: &Plan,
    written: &[Written],
    since: [Instant; 2],
) -> Option<()> {
    let mut info = RunInfo::read(&session.run).unwrap_or_default();
    info.describe(plan);
    info.state = RunState::Finished;
    info.run_id.clone_from(&session.config.run_id);
    info.agent_version = env!("CARGO_PKG_VERSION").into();
    info.command.clone_from(&session.config.command);
    info.started = Some(session.config.started);
    info.finished = Some(clock::triple().realtime);
    info.events = written.iter().map(|w| w.events).sum();
    info.events_lost += written.iter().map(|w| w.skipped).sum::<u64>();
    let result = write_global(&session.run, plan, written, &info).and_then(|_| {
        let [finalize, seconds] = since.map(|instant| instant.elapsed().as_secs_f64());
        info.archive = Some(Archive {
            bytes: written.iter().map(|w| w.bytes).sum(),
            events: info.events,
            seconds,
        });
        info.agent = Some(json!({
            "start_seconds": session.start_seconds.get(),
            "finalize_seconds": finalize,
        }));
        info.write(&session.run)
    });
    let _ = std::fs::remove_file(directory::recording(&session.run));
    if let Err(error) = &result {
        notice::tell(&format!(
            "the archive's definitions could not be written: {error}"
        ));
    }
    result.ok()
}

fn remove_buffers(session: &Session) {
    for path in session.buffer_paths() {
        let _ = std::fs::remove_file(spill_path(&session.run, &path));
        let _ = std::fs::remove_file(definitions_path(&session.run, &path));
        let _ = std::fs::remove_file(path);
    }
    // Succeeds for the last rank of the host, and for the last rank that spilled.
    shared_memory::remove(&session.buffers);
    let _ = std::fs::remove_dir(session.run.join("spill"));
    let _ = std::fs::remove_dir(directory::buffers(&session.run));
}

/// Gathers a value from every rank at rank 0.
fn gather<T: Serialize + DeserializeOwned>(
    session: &Session,
    mine: &T,
) -> Result<Option<Vec<T>>, Code> {
    let bytes = serde_json::to_vec(mine).unwrap_or_default();
    // SAFETY: MPI is up, and every rank comes here.
    let parts = unsafe { session.mpi.gatherv(session.comm, 0, &bytes)? };
    Ok(parts.and_then(|parts| {
        parts
            .iter()
            .map(|part| serde_json::from_slice(part).ok())
            .collect()
    }))
}

/// Scatters rank 0's values; nothing if it has none.
fn scatter<T: Serialize + DeserializeOwned>(
    session: &Session,
    all: Option<&[T]>,
) -> Result<Option<T>, Code> {
    // SAFETY: MPI is up.
    let size = unsafe { session.mpi.comm_size(session.comm)? } as usize;
    let mut parts = Parts::default();
    for rank in 0..size {
        let value = all.and_then(|all| all.get(rank));
        parts.push(&value.map_or_else(Vec::new, |v| serde_json::to_vec(v).unwrap_or_default()));
    }
    // SAFETY: MPI is up, and every rank comes here.
    let mine = unsafe { session.mpi.scatterv(session.comm, 0, Some(&parts))? };
    Ok(serde_json::from_slice(&mine).ok())
}
