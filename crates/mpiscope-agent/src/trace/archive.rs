//! The ranks write the archive together, in MPI_Finalize.
//!
//! ```text
//! every rank   last offsets; collects its definitions
//! rank 0       gathers them, plans one archive, scatters the orders
//! every rank   writes its locations by its orders
//! rank 0       gathers what was written, writes definitions, anchor, run.json
//! ```
//!
//! If any rank fails, all keep their buffers, and `mpiscope trace` or
//! `mpiscope recover` makes the archive from them afterwards.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Instant;

use mpi_abi::{Code, OwnComm, Parts};
use mpiscope_run::archive::{prepare, write_global};
use mpiscope_run::buffer::{definitions_path, spill_path, State as BufferState};
use mpiscope_run::drain::{write_locations, Written};
use mpiscope_run::kept;
use mpiscope_run::plan::{plan, Orders, Plan};
use mpiscope_run::polled;
use mpiscope_run::process::{Definition, Process as Definitions};
use mpiscope_run::run_info::{Archive, RunInfo, State as RunState};
use mpiscope_run::stored::Stored;
use mpiscope_run::system::without_size_signal;
use mpiscope_run::{directory, placement, shared_memory};
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::json;

use super::{buffers, offsets};
use crate::base::{clock, definitions, notice};
use crate::mpi::process::Process;

/// What `run.json` says of a run that only its beginning knows.
pub struct About {
    /// Names the run.
    pub run_id: String,
    /// The command as typed.
    pub command: Vec<String>,
    /// When the run began, nanoseconds since 1970.
    pub started: u64,
    /// Seconds that MPI_Init took longer because of us.
    pub start_seconds: Option<f64>,
    /// When MPI_Finalize was entered.
    pub finalizing: Instant,
}

/// Writes the archive; all ranks come here. Where they cannot, the buffers stay.
pub fn write(process: &Process, own: OwnComm, about: &About) {
    match without_size_signal(|| write_together(process, own, about)) {
        Ok(true) => remove_buffers(process),
        Ok(false) => {}
        Err(Code(code)) => notice::tell(&format!(
            "MPI returned error {code} while the archive was written; the buffers are kept"
        )),
    }
}

/// Writes the archive with the other ranks; false if the buffers are needed still.
fn write_together(process: &Process, own: OwnComm, about: &About) -> Result<bool, Code> {
    for buffer in buffers::shared() {
        let state = BufferState::Draining as u32;
        buffer
            .header()
            .state
            .store(state, std::sync::atomic::Ordering::Release);
    }
    // With those at the start these give each clock's drift.
    offsets::measure(process, offsets::PATIENCE)?;
    check_clock(process);
    definitions::tell(&Definition::Triple(clock::triple()));

    let writing = Instant::now();
    let mine = local(|| collect(process));
    let (told, stored) = mine.unwrap_or_default();
    let processes: Option<Vec<Definitions>> = gather(own, &told)?;
    let plan = processes.and_then(|processes| local(|| make_plan(process, &processes)));
    let orders = plan.as_ref().map(|plan| plan.orders.as_slice());
    let orders: Option<Orders> = scatter(own, orders)?;

    let written_by_us =
        orders.and_then(|orders| local(|| write_ours(process, &told, &stored, &orders)));
    let complete = written_by_us.is_some();
    let written: Option<Vec<Vec<Written>>> = gather(own, &written_by_us.unwrap_or_default())?;
    let all = own.all_true(complete)?;
    let mut done = all;
    if let (true, Some(plan), Some(written)) = (all, &plan, written) {
        let rest = local(|| write_rest(process, plan, &written.concat(), about, writing));
        done = rest.is_some();
    }
    let success = own.all_true(done)?;
    if own.rank() == 0 && !success {
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
fn collect(process: &Process) -> Option<(Definitions, Vec<Stored>)> {
    let mut stored = Vec::new();
    for path in buffers::paths() {
        match Stored::open(&path, &process.run) {
            Ok(buffer) => stored.extend(buffer.threads()),
            Err(error) => {
                notice::tell(&error.to_string());
                return None;
            }
        }
    }
    let (told, notes) = Definitions::collect(&stored);
    notes.iter().for_each(|note| notice::tell(note));
    Some((told, stored))
}

/// Rank 0: one archive for all, and a place for it.
fn make_plan(process: &Process, processes: &[Definitions]) -> Option<Plan> {
    let plan = plan(processes).and_then(|plan| {
        prepare(&process.run).map_err(|error| error.to_string())?;
        Ok(plan)
    });
    if let Err(error) = &plan {
        notice::tell(&format!("the archive cannot be written: {error}"));
    }
    plan.ok()
}

/// The kernel may have found the counter unstable in the meantime.
fn check_clock(process: &Process) {
    use mpiscope_run::ticks::Source;
    if process.identity.source == Source::Tsc && clock::kernel_uses_tsc() == Some(false) {
        notice::tell(
            "the kernel stopped trusting the time-stamp counter during the run; \
             times of this run are doubtful, repeat it with MPISCOPE_CLOCK=monotonic",
        );
    }
}

fn write_ours(
    process: &Process,
    told: &Definitions,
    stored: &[Stored],
    orders: &Orders,
) -> Option<Vec<Written>> {
    let written = match write_locations(&process.run, told, stored, orders) {
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

/// Rank 0's last step: definitions, anchor, run.json.
fn write_rest(
    process: &Process,
    plan: &Plan,
    written: &[Written],
    about: &About,
    writing: Instant,
) -> Option<()> {
    let mut info = RunInfo::read(&process.run).unwrap_or_default();
    info.describe(plan);
    info.state = RunState::Finished;
    info.run_id.clone_from(&about.run_id);
    info.agent_version = env!("CARGO_PKG_VERSION").into();
    info.command.clone_from(&about.command);
    info.started = Some(about.started);
    info.finished = Some(clock::triple().realtime);
    info.events = written.iter().map(|w| w.events).sum();
    info.events_lost += written.iter().map(|w| w.skipped).sum::<u64>();
    info.polls = polled::add_up(plan, written);
    info.files = plan.files.used(written);
    let result = write_global(&process.run, plan, written, &info).and_then(|_| {
        info.archive = Some(Archive {
            bytes: written.iter().map(|w| w.bytes).sum(),
            events: info.events,
            seconds: writing.elapsed().as_secs_f64(),
        });
        info.agent = Some(json!({
            "start_seconds": about.start_seconds,
            "finalize_seconds": about.finalizing.elapsed().as_secs_f64(),
        }));
        info.write(&process.run)
    });
    directory::end_recording(&process.run);
    match &result {
        Ok(_) => placement::remove(&process.run),
        Err(error) => notice::tell(&format!(
            "the archive's definitions could not be written: {error}"
        )),
    }
    result.ok()
}

fn remove_buffers(process: &Process) {
    for path in buffers::paths() {
        let _ = std::fs::remove_file(spill_path(&process.run, &path));
        let _ = std::fs::remove_file(definitions_path(&process.run, &path));
        kept::remove(&process.run, &path);
        let _ = std::fs::remove_file(path);
    }
    // Succeeds for the last rank of the host, and for the last rank that spilled.
    shared_memory::remove(&process.buffers);
    let _ = std::fs::remove_dir(process.run.join("spill"));
    let _ = std::fs::remove_dir(directory::buffers(&process.run));
}

/// Gathers a value from every rank at rank 0.
fn gather<T: Serialize + DeserializeOwned>(own: OwnComm, mine: &T) -> Result<Option<Vec<T>>, Code> {
    let bytes = serde_json::to_vec(mine).unwrap_or_default();
    let parts = own.gatherv(0, &bytes)?;
    Ok(parts.and_then(|parts| {
        parts
            .iter()
            .map(|part| serde_json::from_slice(part).ok())
            .collect()
    }))
}

/// Scatters rank 0's values; nothing if it has none.
fn scatter<T: Serialize + DeserializeOwned>(
    own: OwnComm,
    all: Option<&[T]>,
) -> Result<Option<T>, Code> {
    let mut parts = Parts::default();
    for rank in 0..own.size() as usize {
        let value = all.and_then(|all| all.get(rank));
        parts.push(&value.map_or_else(Vec::new, |v| serde_json::to_vec(v).unwrap_or_default()));
    }
    let mine = own.scatterv(0, Some(&parts))?;
    Ok(serde_json::from_slice(&mine).ok())
}
