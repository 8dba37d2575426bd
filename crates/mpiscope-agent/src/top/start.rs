//! MPI_Init: the ranks agree on what to do, measure their clocks and begin.
//!
//! Everything here happens after the program's own MPI_Init has returned and
//! before it gets control back, and belongs to the region `MPI_Init` in the
//! trace. Either all ranks begin or none does, but where a session was open before (`sessions`).

use std::sync::OnceLock;
use std::time::Duration;

use mpi_abi::{Code, FunctionId, LibraryVersion, Mpi, OwnComm, Role, FUNCTIONS};
use mpiscope_run::fault::{self, Fault};
use mpiscope_run::process::{Definition, Identity, Members, MpiLibrary, Region, SELF_ID, WORLD_ID};
use mpiscope_run::record::Fact;
use mpiscope_run::ticks::{Source, Triple};
use mpiscope_run::{buffer, directory, launched, shared_memory};

use super::config::{self, Config};
use super::ending::{self, Unhandled};
use super::threads::THREADS;
use super::{control, domains, finalize, placement, sessions, until_slow};
use crate::base::clock::{self, ticks};
use crate::base::definitions;
use crate::base::host::host_name;
use crate::base::own::Own;
use crate::base::path::{self, advance, leave_short_ways, switch, Layer, State};
use crate::base::{helper, lineage, notice, python, scheduled, site, threads, variable};
use crate::facts::around;
use crate::facts::session::{self, Session};
use crate::facts::thread;
use crate::facts::{counters, filter, pthreads, regions, samples, slow};
use crate::mpi::layers::{self, Around};
use crate::mpi::process::{self, Parts, Process};
use crate::trace::buffers;
use crate::trace::keep;
use crate::trace::midrun;
use crate::trace::offsets;
use crate::{count, order, payload, races};

/// What was read before the program's MPI_Init.
pub struct Before {
    source: Source,
    triple: Triple,
    site: usize,
    unhandled: Unhandled,
}

/// Reads the clock before MPI is up.
pub fn before() -> Before {
    python::look_at(site::noted());
    if path::is_by_python() {
        python::turn();
    }
    if std::env::var_os("MPISCOPE_SAMPLE").is_some() {
        samples::note_there();
    }
    let site = site::noted();
    let source = clock::choose();
    Before {
        source,
        site,
        triple: clock::triple(),
        unhandled: ending::unhandled(),
    }
}

/// Begins to observe, if MPI came up.
pub fn after(function: FunctionId, before: Before) {
    let Ok(mpi) = Mpi::load() else { return };
    if !mpi.initialized().unwrap_or(false) {
        return;
    }
    process::initialized();
    begin_with(function, &before, || begin(mpi, &before));
}

/// Begins to record after a call of this function, if a session can be had.
pub fn begin_with(
    function: FunctionId,
    before: &Before,
    begin: impl FnOnce() -> Result<Option<&'static Session>, Code>,
) {
    let began = ticks();
    match begin() {
        Ok(Some(_)) => return record_init(function, before, began),
        Ok(None) => {}
        Err(Code(code)) => notice::tell(&format!(
            "MPI returned error {code} while the agent prepared to record; nothing is recorded"
        )),
    }
    if let Some(session) = session::get() {
        discard(session);
    }
}

static SECONDS: OnceLock<f64> = OnceLock::new();

/// Returns how many seconds MPI_Init took longer because of us.
pub fn seconds() -> Option<f64> {
    SECONDS.get().copied()
}

/// What the helper thread does every second.
fn chores() -> Vec<fn()> {
    vec![
        buffers::look_ahead,
        keep::look_around,
        count::look_around,
        regions::look_around,
        control::look_around,
        samples::look_around,
        until_slow::look_around,
    ]
}

fn record_init(function: FunctionId, before: &Before, began: u64) {
    let Some(thread) = thread::current().map(Own::get) else {
        return;
    };
    let region = u32::from(function.0);
    thread.site = before.site;
    thread.enter(before.triple.ticks, region);
    samples::note_born();
    helper::start(chores());
    if let Some(config) = config::get().filter(|config| config.trace) {
        samples::begin(config.sample);
        if counters::begin(&config.counters) {
            leave_short_ways();
            thread.tell_counters(ticks());
        }
        if config.slow.clone().is_some_and(slow::begin) {
            leave_short_ways();
        }
    }
    if config::get().is_some_and(|config| config.trace) {
        scheduled::begin();
    }
    let end = clock::triple();
    definitions::tell(&Definition::Triple(end));
    let rate = (end.monotonic - before.triple.monotonic) as f64
        / (end.ticks - before.triple.ticks).max(1) as f64;
    let _ = SECONDS.set((end.ticks - began) as f64 * rate * 1e-9);
    off_in_children();
    thread.push(ticks(), Fact::Leave { region });
    advance(State::Starting, State::Recording);
    if let Some(wanted) = config::get().and_then(|config| config.keep.filter(|_| config.trace)) {
        keep::begin(wanted);
    }
    control::begin();
    if let Some(monitor) = count::get() {
        count::begin(monitor, thread);
    }
}

/// Sets everything up; nothing if the ranks decided not to record.
fn begin(mpi: &'static Mpi, before: &Before) -> Result<Option<&'static Session>, Code> {
    // SAFETY: MPI is initialized.
    let size = unsafe { mpi.comm_size(mpi.abi.comm_world)? };
    if size == 1 && alone_by_mistake(mpi) {
        return Ok(None);
    }
    // SAFETY: MPI is initialized, and all ranks of MPI_COMM_WORLD come here; what the agent does
    // with the communicator it does in MPI_Init, in MPI_Finalize, and in calls in which all ranks
    // meet, in one order in all of them.
    let own = unsafe { OwnComm::duplicate_of(mpi, mpi.abi.comm_world)? };
    if !own.all_true(willing())? {
        return Ok(None);
    }
    // A process that had a session before its MPI_Init has begun by itself, and answers no more.
    if !own.all_true(true)? {
        process::keep_all_ranks(own);
        return sessions::by_itself(mpi, (own.rank(), own.size()), before);
    }
    let Some(config) = config::agree(own, mpi)? else {
        return Ok(None);
    };
    let config = prepare(config);
    // A process that is executed alone is the rank that it was.
    let rank = config.payload.alone.unwrap_or(own.rank() as u32);
    if config.writes() {
        ending::watch(&config.run, rank, &before.unhandled);
    }
    let ordered = begin_order(own, rank, config)?;
    if !config.trace && config.monitor.is_none() {
        if ordered {
            off_in_children();
        }
        return Ok(None);
    }
    let mut identity = identify(mpi, rank, own.size() as u32, config, before);
    let representatives = domains::find_representatives(own, &mut identity)?;
    placement::tell(own, &identity, config)?;

    let parts = Parts {
        mpi,
        own: Some(own),
        identity,
        representatives,
        run: config.run.clone(),
        buffers: shared_memory::folder(&config.run_id),
    };
    let near = match config.monitor {
        Some(settings) => count::find_near(own, settings, &parts.identity)?,
        None => Members::default(),
    };
    let session = open_session(parts, config, before, near);
    if !own.all_true(session.is_some())? {
        return Ok(None);
    }
    if let Some(session) = session {
        measure_clocks(session, own, config, before)?;
    }
    Ok(session)
}

/// Sets everything up in a process that agrees on nothing with the others of its job: it is one of
/// so many.
pub fn begin_by_itself(
    mpi: &'static Mpi,
    [rank, size]: [u32; 2],
    config: Config,
    before: &Before,
) -> Result<Option<&'static Session>, Code> {
    let config = prepare(config);
    if config.writes() {
        ending::watch(&config.run, rank, &before.unhandled);
    }
    let plan = plan_of_order(config);
    let ordered = order::start_by_itself(mpi, [rank, size], &plan)?;
    if let Some(session) = ordered {
        order::begin(session);
    }
    if !config.trace && config.monitor.is_none() {
        if ordered.is_some() {
            off_in_children();
        }
        return Ok(None);
    }
    let mut identity = identify(mpi, rank, size, config, before);
    identity.by_itself = true;
    let parts = Parts {
        mpi,
        own: None,
        identity,
        representatives: Vec::new(),
        run: config.run.clone(),
        buffers: shared_memory::folder(&config.run_id),
    };
    Ok(open_session(parts, config, before, Members::default()))
}

/// Keeps what is to be done, and has calls take their way.
fn prepare(config: Config) -> &'static Config {
    notice::keep_in(&config.run);
    let config = config::keep(config);
    threads::ROOM.set_most(config.buffer);
    layers::freeze(layers_of(config));
    config
}

/// Measures this process's clock against the others', as all ranks do, and prepares to do so again.
fn measure_clocks(
    session: &'static Session,
    own: OwnComm<'static>,
    config: &Config,
    before: &Before,
) -> Result<(), Code> {
    let ping = offsets::measure(session, offsets::PATIENCE)?;
    if let Some(monitor) = count::get() {
        monitor.join_hosts(session, own, before.triple, ping)?;
    }
    if config.trace && !session.representatives.is_empty() {
        let interval = config.offset_interval.map(Duration::from_secs_f64);
        midrun::prepare(own, interval)?;
    }
    Ok(())
}

/// What calls go through, outermost first; a layer that is not at work passes them on.
fn layers_of(config: &Config) -> Vec<Around> {
    let mut layers: Vec<Around> = Vec::new();
    if config.trace {
        layers.push(midrun::layer);
    }
    if config.trace || config.monitor.is_some() {
        layers.push(around::layer);
    }
    layers.push(order::layer);
    layers
}

/// Prepares to record the order, or to lead, with what goes around that; true if it has begun.
fn begin_order(own: OwnComm<'static>, rank: u32, config: &Config) -> Result<bool, Code> {
    let plan = plan_of_order(config);
    let Some(session) = order::start(own, rank, &plan)? else {
        return Ok(false);
    };
    if config.payload.is_wanted() {
        if let Err(message) = payload::start(session, &config.payload, plan.origin(session)) {
            notice::tell(&message);
            if config.payload.alone.is_some() {
                plan.refuse();
            }
        }
    } else if plan.looks_for_races() {
        races::start(own, &session.folder)?;
    }
    order::begin(session);
    Ok(true)
}

fn plan_of_order(config: &Config) -> order::Plan<'_> {
    order::Plan {
        settings: &config.order,
        run: &config.run,
        run_id: &config.run_id,
        hosts: config.monitor.map_or(0, |settings| settings.hosts),
        every_call: config.payload.is_wanted(),
    }
}

/// Whether this process may be observed: `mpiscope exec` says so where it could
/// not prepare it. It takes part in the decision all the same, because the
/// other ranks would wait for it.
pub fn willing() -> bool {
    let reason = variable::text("MPISCOPE_REFUSE");
    if let Some(reason) = &reason {
        notice::tell(&format!(
            "nothing is recorded, a process cannot be observed: {reason}"
        ));
    }
    reason.is_none()
}

/// Tells whether a launcher started several processes that are now worlds of
/// one: it belongs to another MPI than the library does.
fn alone_by_mistake(mpi: &Mpi) -> bool {
    let Some(launched::Started {
        variable,
        processes: size,
        ..
    }) = launched::together()
    else {
        return false;
    };
    let library = LibraryVersion::parse(mpi.library_version());
    notice::tell(&format!(
        "the launcher started {size} processes ({variable}={size}), but to {library} ({}) each of them \
         is a world of its own: launcher and library belong to different MPIs. Nothing is recorded; \
         start the program with the launcher of {library}",
        mpi.library().path().display()
    ));
    true
}

fn identify(mpi: &Mpi, rank: u32, world_size: u32, config: &Config, before: &Before) -> Identity {
    let mut identity = found(mpi, rank, world_size, before);
    pretend_host(&mut identity, config);
    read_fault(&mut identity, config, before);
    identity
}

fn found(mpi: &Mpi, rank: u32, world_size: u32, before: &Before) -> Identity {
    let library = LibraryVersion::parse(mpi.library_version());
    let standard = mpi.standard_version().unwrap_or_default();
    let boot_id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Identity {
        rank,
        world_size,
        pid: std::process::id(),
        host: host_name(),
        boot_id: boot_id.trim().to_owned(),
        source: before.source,
        time_offset: clock::namespace_offset(),
        clock_representative: rank,
        by_itself: false,
        fault: None,
        fault_epoch: 0,
        mpi: MpiLibrary {
            name: library.name,
            version: library.version,
            standard: format!("{}.{}", standard.0, standard.1),
            path: mpi.library().path().to_string_lossy().into_owned(),
        },
        wtime_is_global: wtime_is_global(mpi),
        program: std::env::current_exe()
            .map(|path| path.to_string_lossy().into_owned())
            .unwrap_or_default(),
    }
}

/// Nothing where it cannot be asked: MPI_COMM_WORLD comes with MPI_Init.
fn wtime_is_global(mpi: &Mpi) -> Option<bool> {
    if !process::is_initialized() {
        return None;
    }
    // SAFETY: MPI is initialized.
    let found = unsafe { mpi.comm_get_attr(mpi.abi.comm_world, mpi.abi.wtime_is_global) };
    found.ok().flatten().map(|global| global != 0)
}

/// Says that this process is on another host than its neighbours, where an experiment wants that.
fn pretend_host(identity: &mut Identity, config: &Config) {
    let hosts = config.monitor.map_or(0, |settings| settings.hosts);
    if let Some(host) = identity.rank.checked_rem(hosts) {
        identity.host = format!("{}-{host}", identity.host);
        identity.boot_id = format!("{}-{host}", identity.boot_id);
    }
}

fn read_fault(identity: &mut Identity, config: &Config, before: &Before) {
    let faults = fault::parse(&config.faults).unwrap_or_default();
    identity.fault = faults
        .get(&identity.rank)
        .copied()
        .filter(|f| *f != Fault::default());
    identity.fault_epoch = before.triple.ticks;
}

/// Makes the session, the first buffer and the definitions in it.
fn open_session(
    parts: Parts,
    config: &Config,
    before: &Before,
    near: Members,
) -> Option<&'static Session> {
    // Without it, buffers lie in the run directory.
    let _ = shared_memory::make(&config.run, &config.run_id);
    let abi = parts.mpi.abi;
    switch(Layer::Trace, config.trace);
    switch(Layer::Count, config.monitor.is_some());
    if let Some(settings) = config.monitor {
        let (folder, run) = (parts.buffers.clone(), config.run.clone());
        count::start(settings, folder, run, near);
    }
    if std::env::var("MPISCOPE_SHORT_WAYS").is_ok_and(|value| value == "off") {
        leave_short_ways();
    }
    definitions::listen(buffers::define);
    let session = Session::install(Process::install(parts)?, THREADS)?;
    thread::install(session.new_thread()?);
    if let Some(first) = buffers::shared().first() {
        first.grow(buffer::AHEAD); // some 8 ms of the kernel's work, here rather than between calls
    }
    definitions::tell(&Definition::Identity(session.identity.clone()));
    definitions::tell(&Definition::Triple(before.triple));
    if config.trace && filter::begin(&config.filter) {
        leave_short_ways();
    }
    if config.trace {
        for region in functions().chain([midrun::region()]) {
            definitions::tell(&Definition::Region(region));
        }
        regions::define_all();
        lineage::listen(&pthreads::LISTENER);
    }
    python::define_all();
    let (rank, size) = (session.identity.rank, session.identity.world_size);
    let world: Vec<u32> = (0..size).collect();
    let comms = &session.comms;
    comms.add_predefined(session, abi.comm_world, WORLD_ID, rank, &world);
    comms.add_predefined(session, abi.comm_self, SELF_ID, 0, &[rank]);
    Some(session)
}

/// Every function of the table is a region; its index is its id.
fn functions() -> impl Iterator<Item = Region> {
    (0..).zip(FUNCTIONS).map(|(id, function)| Region {
        id,
        name: function.name.to_owned(),
        role: region_role(function.role),
        user: false,
    })
}

/// OTF2's number of a region role.
fn region_role(role: Role) -> u8 {
    match role {
        Role::Function => 1,
        Role::Barrier => 15,
        Role::CollOne2All => 23,
        Role::CollAll2One => 24,
        Role::CollAll2All => 25,
        Role::CollOther => 26,
        Role::FileIo => 27,
        Role::Point2Point => 28,
        Role::Rma => 29,
    }
}

/// Ends a session that did not begin: one rank could not, so none does, unless each is by itself.
fn discard(session: &Session) {
    finalize::first();
    count::discard();
    for path in buffers::paths() {
        let _ = std::fs::remove_file(path);
    }
    shared_memory::remove(&session.buffers);
    if session.own.is_none() {
        directory::end_recording_of(&session.run, session.identity.rank);
    } else if session.identity.rank == 0 {
        let _ = std::fs::remove_file(directory::recording(&session.run));
        mpiscope_run::placement::remove(&session.run);
    }
}

/// A forked child has no buffers: it records nothing.
fn off_in_children() {
    extern "C" fn child() {
        crate::base::path::set_state(State::Off);
        switch(Layer::Order, false);
        count::off_in_child();
        threads::forget();
    }
    // SAFETY: the handler only stores to atomics.
    unsafe { libc::pthread_atfork(None, None, Some(child)) };
}
