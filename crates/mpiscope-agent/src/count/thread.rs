//! What one thread counts with.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use mpiscope_run::statistics::{Costs, Now, Table, ENDING};

use super::calls::Frame;
use super::fast_path::{Chosen, Hot, Outstanding};
use super::monitor::Monitor;
use super::stack::Stack;
use super::store::Store;
use super::virtual_clock::VirtualClock;
use crate::base::clock::{self, ticks};
use crate::base::host::host_name;
use crate::base::own::Own;
use crate::base::path::{self, is_at_work, Layer};
use crate::base::threads::{self, ROOM};
use crate::base::{notice, site};
use crate::facts::session;
use crate::mpi::process::{self, Process};
use crate::peers::page;
use crate::peers::published_time::PublishedTime;

/// Entries that a thread may have before anybody has said how many.
const AT_FIRST: usize = 4096;

/// The state of one thread, from its first probe or MPI call on; then another's, never freed.
pub struct Statistics {
    pub(super) store: Store,
    pub(super) frame: Frame,
    pub(super) stack: Stack,
    /// Whether a function's hook is at work on it, which a signal handler may interrupt.
    pub(super) busy: bool,
    pub(super) now: &'static Now,
    pub(super) costs: Costs,
    /// What was begun on the shortest way, and not yet waited for.
    pub(super) outstanding: Outstanding,
    /// What a wait of the shortest way is for.
    pub(super) chosen: Chosen,
    /// Whether calls may take the shortest way, and what they are compared with.
    pub(super) hot: Option<Hot>,
    /// Of a delay that is put into every probe, to see whether it is compensated; in ticks.
    pub(super) delay: u64,
    calls: u64,
    intrusion: u64,
    /// Takes into account what partners lost to observation, if that is wanted.
    pub(super) virtual_clock: Option<Box<VirtualClock>>,
    /// Where other processes see its virtual time, if its choices depend on theirs.
    shown: Option<&'static PublishedTime>,
    /// Whether others see what is counted.
    shared: bool,
    /// Whether the process's notes lie in its table.
    is_first: bool,
    /// The communicator last looked up, and its group.
    group: (u32, u32),
}

impl Statistics {
    /// Makes the state of a thread whose entries nobody sees yet.
    pub fn private() -> Self {
        Self {
            store: Store::new(AT_FIRST, u32::MAX),
            frame: Frame::default(),
            stack: Stack::default(),
            busy: false,
            now: Box::leak(Box::default()),
            costs: Costs::default(),
            outstanding: Outstanding::default(),
            chosen: Chosen::default(),
            hot: None,
            delay: 0,
            calls: 0,
            intrusion: 0,
            virtual_clock: None,
            shown: None,
            shared: false,
            is_first: false,
            group: (u32::MAX, 0),
        }
    }

    /// Has what is counted lie in a table that others see.
    fn share(&mut self, monitor: &Monitor, table: Table) {
        let now = &table.header().now;
        now.statement.store(
            self.now.statement.load(Ordering::Relaxed),
            Ordering::Relaxed,
        );
        self.now = now;
        let settings = monitor.settings;
        self.store.share(table, settings.entries, settings.peers);
        self.stack.follow(&mut self.store);
        self.shared = true;
        self.learn(monitor);
    }

    /// Prepares what depends on the thread.
    fn follow(&mut self, monitor: &'static Monitor, process: &Process, number: u32) {
        if monitor.settings.virtual_clock {
            let clock = VirtualClock::new(monitor.channels(process));
            self.virtual_clock = Some(Box::new(clock));
            // What one thread tells, another would overwrite.
            self.shown = (number == 0).then(page::published).flatten();
        }
        let alone = !is_at_work(Layer::Trace) && !is_at_work(Layer::Order) && !process.by_several;
        self.hot = alone.then(|| Hot::new(process));
    }

    /// Another thread counts on where one has ended.
    fn begin_again(&mut self, monitor: &'static Monitor, process: &Process, tid: u32) {
        if let Some(header) = self.store.header() {
            header.threads.fetch_add(1, Ordering::Relaxed);
            header.tid.store(tid, Ordering::Relaxed);
        }
        self.follow(monitor, process, u32::MAX);
    }

    /// The thread ends: nothing of what it was doing goes on.
    fn end(&mut self) {
        if let Some(session) = session::get() {
            let clock = self.virtual_clock.as_deref();
            self.outstanding.hand_over(session, clock);
        }
        self.close_all();
        self.frame = Frame::default();
        self.virtual_clock = None;
        self.shown = None;
        self.busy = false;
        self.now.region.store(0, Ordering::Relaxed);
    }

    /// Takes over what was measured at the start.
    pub fn learn(&mut self, monitor: &Monitor) {
        self.costs = monitor.costs();
        self.delay = monitor.delay_in_ticks();
    }

    /// Returns the group of a communicator.
    #[inline(always)]
    pub(super) fn group(&mut self, comm: u32) -> u32 {
        if self.group.0 != comm {
            self.look_up_group(comm);
        }
        self.group.1
    }

    #[cold]
    fn look_up_group(&mut self, comm: u32) {
        let group = super::monitor::get().map_or(0, |monitor| monitor.group_of(comm));
        self.group = (comm, group);
    }

    /// Returns how many calls there were, this one among them.
    #[inline(always)]
    pub(super) fn count_call(&mut self) -> u64 {
        self.calls += 1;
        self.calls
    }

    /// Returns how much time observation has taken so far.
    #[inline(always)]
    pub(super) fn intrusion(&self) -> u64 {
        self.intrusion
    }

    /// Corrects that: this much it has been.
    #[inline(always)]
    pub(super) fn set_intrusion(&mut self, ticks: u64) {
        self.intrusion = ticks;
        self.now.intrusion.store(ticks, Ordering::Relaxed);
    }

    /// Adds to that.
    #[inline(always)]
    pub(super) fn intrude(&mut self, ticks: u64) {
        self.intrusion += ticks;
        self.now.intrusion.store(self.intrusion, Ordering::Relaxed);
        if let Some(shown) = self.shown {
            shown.intrude(self.intrusion);
        }
    }

    /// Wastes the time that an experiment asks for.
    #[inline(always)]
    pub(super) fn waste(&mut self) {
        if self.delay > 0 {
            self.wait();
        }
    }

    /// The same; returns when that ended.
    #[cold]
    pub(super) fn waste_before(&mut self) -> u64 {
        self.waste();
        ticks()
    }

    #[cold]
    fn wait(&mut self) {
        let began = ticks();
        self.stand(began);
        while ticks().wrapping_sub(began) < self.delay {
            std::hint::spin_loop();
        }
        self.intrude(ticks().wrapping_sub(began));
        self.run();
    }

    /// Virtual time stands, as others see it.
    #[inline(always)]
    pub(super) fn stand(&self, time: u64) {
        if let Some(shown) = self.shown {
            shown.stand(time.saturating_sub(self.intrusion));
        }
    }

    /// It goes on.
    #[inline(always)]
    pub(super) fn run(&self) {
        if let Some(shown) = self.shown {
            shown.run(self.intrusion);
        }
    }
}

/// Nothing is counted in this process any more, nor begun.
static FORGOTTEN: AtomicBool = AtomicBool::new(false);

/// Has this process, a forked child, count nothing: its parent's tables are not mapped here.
pub fn forget() {
    FORGOTTEN.store(true, Ordering::Relaxed);
    site::set_statistics(std::ptr::null_mut());
}

/// Returns the calling thread's state, if it has one.
#[inline(always)]
pub fn current() -> Option<Own<Statistics>> {
    // SAFETY: what hangs there was made here, and is never freed.
    unsafe { Own::hanging(site::statistics().cast()) }
}

/// States whose threads have ended.
static SPARE: Mutex<Vec<Spare>> = Mutex::new(Vec::new());

struct Spare(Own<Statistics>);

// SAFETY: nobody else has the state, which refers to nothing of its former thread.
unsafe impl Send for Spare {}

/// Gives the calling thread a state whose thread has ended, if there is one. Nobody is waited
/// for: a signal handler may ask.
fn take_over() -> Option<Own<Statistics>> {
    let spare = SPARE.try_lock().ok().and_then(|mut spare| spare.pop())?;
    Some(hang(spare.0))
}

/// Makes it the calling thread's state.
fn hang(statistics: Own<Statistics>) -> Own<Statistics> {
    site::set_statistics(statistics.pointer().cast());
    threads::watch_end(end);
    statistics
}

/// The calling thread ends; the first one's table stays its own.
pub fn end() {
    let Some(statistics) = current().filter(|statistics| !statistics.get().is_first) else {
        return;
    };
    site::set_statistics(std::ptr::null_mut());
    statistics.get().end();
    let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
    spare.push(Spare(statistics));
}

/// Returns the calling thread's state, made now if it has none.
pub(super) fn made() -> Own<Statistics> {
    current().or_else(take_over).unwrap_or_else(new)
}

fn new() -> Own<Statistics> {
    hang(Own::new(Statistics::private()))
}

/// Gives the calling thread a table that others see; nothing if that fails.
pub fn attach(process: &Process, number: u32, tid: u32) -> Option<Own<Statistics>> {
    let monitor = super::monitor::get()?;
    let shared = |statistics: &Own<Statistics>| statistics.get().shared;
    let known = current();
    if known.as_ref().is_some_and(shared) {
        return known; // its probes came first
    }
    // Asked for once: one that another thread gives back meanwhile has a table of its own.
    let spare = match known {
        None => take_over(),
        Some(_) => None,
    };
    if let Some(statistics) = spare.filter(shared) {
        statistics.get().begin_again(monitor, process, tid);
        return Some(statistics);
    }
    let Some(table) = new_table(monitor, process, number, tid) else {
        monitor.refuse();
        return None;
    };
    let own = known.or(spare).unwrap_or_else(new);
    let statistics = own.get();
    statistics.share(monitor, table);
    statistics.is_first = number == 0;
    statistics.follow(monitor, process, number);
    Some(own)
}

fn new_table(monitor: &Monitor, process: &Process, number: u32, tid: u32) -> Option<Table> {
    let (host, pid) = (host_name(), std::process::id());
    let name = format!("{host}-{pid}-{tid}-{number}.{ENDING}");
    let (entries, start) = (monitor.settings.entries, clock::triple());
    let room = (number != 0).then_some(&ROOM);
    let table = Table::create(&monitor.folder, &name, &process.run, entries, start, room);
    let table = table.inspect_err(|error| {
        notice::tell(&format!(
            "of a thread no statistics are kept, no table could be made in {}: {error}",
            monitor.folder.display()
        ));
    });
    let table = table.ok()?;
    let header = table.header();
    header.tid.store(tid, Ordering::Relaxed);
    header.thread.store(number, Ordering::Relaxed);
    header.rank.store(process.identity.rank, Ordering::Relaxed);
    (monitor.tables()).push((table.path().to_owned(), table.notes()));
    Some(table)
}

/// Makes the state of a thread that comes to a probe before it calls MPI; with a
/// table, if MPI is up and the process is observed.
pub(super) fn for_probes() -> Option<Own<Statistics>> {
    if FORGOTTEN.load(Ordering::Relaxed) {
        return None;
    }
    match process::get() {
        Some(process) if super::monitor::get().is_some() && path::observing() => {
            let (number, tid) = process.number_thread();
            attach(process, number, tid)
        }
        _ => Some(made()),
    }
}
