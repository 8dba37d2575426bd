//! MPI_Init: what is to be done with the order, as all ranks agree.

use std::path::Path;
use std::time::Duration;

use mpi_abi::{Code, LibraryVersion, Mpi, OwnComm};
use mpiscope_run::order::buffer::Reached;
use mpiscope_run::order::collect::Note;
use mpiscope_run::order::outcome::{self, State};
use mpiscope_run::order::{self, Origin, RankOrder};
use mpiscope_run::process::MpiLibrary;
use mpiscope_run::shared_memory;

use super::debugged;
use super::deterministic::memory::Rule;
use super::outcome::write_outcome;
use super::settings::{Mode, Settings};
use super::state::{Parts, Session};
use super::thread;
use super::watch;
use crate::base::notice;
use crate::base::own::Own;
use crate::base::path::{switch, Layer};
use crate::peers::page;
use crate::peers::page::Page;

/// What the order of a run needs to know.
pub struct Plan<'a> {
    /// What to do.
    pub settings: &'a Settings,
    /// The run directory.
    pub run: &'a Path,
    /// Names the run's buffers.
    pub run_id: &'a str,
    /// So many hosts are pretended; 0 for none.
    pub hosts: u32,
    /// Whether somebody looks at every call, so that none may take a shorter way.
    pub every_call: bool,
}

impl Plan<'_> {
    /// Returns what names the record of a session.
    pub fn origin(&self, session: &Session) -> Origin {
        origin(session.mpi, session.size, self.run_id)
    }

    /// Returns whether races are looked for, and only receives that race recorded.
    pub fn looks_for_races(&self) -> bool {
        self.settings.mode == Mode::Record && self.settings.online
    }

    /// Ends a run that was to be led and cannot be: it is none that the user wants.
    pub fn refuse(&self) -> ! {
        // Nobody records: another program may.
        mpiscope_run::directory::end_recording(self.run);
        // SAFETY: may be called at any time; nothing of the program has run yet.
        unsafe { libc::_exit(2) }
    }
}

/// Prepares to record or to lead; returns the session if that can begin on all
/// ranks, which all call this. `rank` is the one that is recorded or led.
pub fn start(
    own: OwnComm<'static>,
    rank: u32,
    plan: &Plan,
) -> Result<Option<&'static Session>, Code> {
    let mode = plan.settings.mode;
    if mode == Mode::Off {
        return Ok(None);
    }
    let mpi = own.mpi();
    let (never, level) = (own.duplicate()?, own.thread_level()?);
    let multiple = level >= mpi.abi.thread.multiple;
    let page = match mode {
        Mode::Deterministic | Mode::Enforce => page(own, plan, multiple)?,
        _ => Ok(None),
    };
    let session = page.and_then(|page| {
        let size = own.size() as u32;
        prepare(mpi, rank, size, plan, (never.handle(), level), page)
    });
    let told = session.as_ref().err().cloned();
    if let Some(message) = told {
        notice::tell(&message);
    }
    let session = session.ok();
    if !own.all_true(session.is_some())? {
        if mode.leads() {
            plan.refuse();
        }
        return Ok(None);
    }
    Ok(session)
}

/// The same in a process that agrees on nothing with the others, one of so many.
pub fn start_by_itself(
    mpi: &'static Mpi,
    [rank, size]: [u32; 2],
    plan: &Plan,
) -> Result<Option<&'static Session>, Code> {
    let mode = plan.settings.mode;
    let session = match mode {
        Mode::Off => return Ok(None),
        Mode::Deterministic | Mode::Enforce => Err(format!(
            "{} cannot begin: the processes have sessions and did not call MPI_Init, so they cannot \
             agree on a rule",
            mode.option()
        )),
        _ => {
            let never = match mode.leads() {
                // SAFETY: the program has a session.
                true => unsafe { mpi.comm_of_itself()? },
                false => mpi.abi.comm_null,
            };
            let level = mpi.abi.thread.multiple;
            prepare(mpi, rank, size, plan, (never, level), None)
        }
    };
    if let Err(message) = &session {
        notice::tell(message);
        if mode.leads() {
            plan.refuse();
        }
    }
    if plan.looks_for_races() {
        notice::tell(
            "races are not looked for: the processes have sessions and did not begin together in MPI_Init",
        );
    }
    Ok(session.ok())
}

/// Begins to record or to lead, on all ranks.
pub fn begin(session: &'static Session) {
    switch(Layer::Order, true);
    if session.mode.is_watched() {
        // Whoever dies from here on was led until then.
        let _ = write_outcome(session, State::Silent, Vec::new());
        if let Some(patience) = session.patience {
            watch::start(session, patience);
        }
    }
}

/// Opens the page that ranks share where choices are made by a rule.
fn page(
    own: OwnComm<'static>,
    plan: &Plan,
    multiple: bool,
) -> Result<Result<Option<&'static Page>, String>, Code> {
    let folder = shared_memory::folder(plan.run_id);
    let rank = own.rank() as u32;
    // Ranks of pretended hosts do not share a page.
    let path = match rank.checked_rem(plan.hosts) {
        None => folder.join("deterministic"),
        Some(host) => folder.join(format!("deterministic-{host}")),
    };
    let made = shared_memory::make(plan.run, plan.run_id);
    let opened = made.and_then(|_| Page::open(&path, own.size() as usize));
    if let Ok(page) = &opened {
        page.come(rank as usize);
    }
    let all = own.all_true(opened.is_ok() && !multiple)?;
    let _ = std::fs::remove_file(&path);
    let option = plan.settings.mode.option();
    let page: &'static Page = match opened {
        _ if multiple => return Ok(Err(format!("{option} cannot order the threads of a program that calls MPI from several at once (MPI_THREAD_MULTIPLE)"))),
        Err(error) => return Ok(Err(format!("{option} cannot begin, {}: {error}", path.display()))),
        Ok(page) => Box::leak(Box::new(page)),
    };
    if !all {
        return Ok(Ok(Some(page))); // another rank says why
    }
    let here = own.all_true(page.is_complete())?;
    Ok(match plan.settings.mode {
        _ if here => Ok(Some(page)),
        Mode::Enforce => match page.join(own) {
            Ok(()) => Ok(Some(page)),
            Err(Code(code)) => Err(format!("{option} cannot begin: the ranks are on several hosts, and MPI gave error {code} when they were to see each other by one-sided communication")),
        },
        _ => Err(format!("{option} cannot begin: the ranks are on several hosts, and it works on one (they tell each other through shared memory what they wait for)")),
    })
}

fn prepare(
    mpi: &'static Mpi,
    rank: u32,
    size: u32,
    plan: &Plan,
    (never, level): (usize, i32),
    page: Option<&'static Page>,
) -> Result<&'static Session, String> {
    let settings = plan.settings;
    let recorded = match settings.mode {
        Mode::Replay => read(plan, rank, size)?,
        _ => None,
    };
    let calls = match settings.mode {
        Mode::Replay => order::calls::read(plan.run, rank).map_err(|e| e.to_string())?,
        _ => None,
    };
    let folder = shared_memory::folder(plan.run_id);
    // Without it, buffers lie in the run directory.
    let _ = shared_memory::make(plan.run, plan.run_id);
    let turns = recorded
        .as_ref()
        .map_or_else(Vec::new, |order| order.turns.clone());
    let debugged = debugged::is_wanted(settings.mode);
    let parts = Parts {
        mpi,
        rank,
        size,
        never,
        mode: settings.mode,
        writes: settings.writes,
        long: settings.online || plan.every_call || debugged,
        run: plan.run.to_owned(),
        folder,
        multiple: level >= mpi.abi.thread.multiple,
        serialized: level == mpi.abi.thread.serialized,
        turns,
        recorded,
        calls,
        page,
        earliest: (settings.mode == Mode::Enforce).then_some(Rule {
            waiting_cannot_send: settings.waiting_cannot_send,
        }),
        patience: (settings.patience > 0.0).then(|| Duration::from_secs_f64(settings.patience)),
        stop: settings.stop,
        debugged,
        reached: match settings.mode {
            // Without it, it is not known how far a rank came that died; that is said.
            Mode::Replay if !settings.writes => {
                Reached::create(&outcome::progress_path(plan.run, rank)).ok()
            }
            _ => None,
        },
    };
    let session = Session::install(parts).ok_or("the order is recorded already")?;
    let thread = thread::current().map(Own::get);
    let made = thread.is_some_and(|thread| !settings.writes || thread.out.writer.is_some());
    if !made {
        return Err("the order is not recorded, as no buffer could be made".into());
    }
    if let Some(page) = page {
        page::be_on(page, rank, session.earliest.is_some());
    }
    session.note(&identity(mpi, rank, size, plan.run_id));
    Ok(session)
}

fn identity(mpi: &Mpi, rank: u32, size: u32, run_id: &str) -> Note {
    Note::Identity {
        origin: origin(mpi, size, run_id),
        rank,
        program: program(),
    }
}

fn origin(mpi: &Mpi, size: u32, run_id: &str) -> Origin {
    let library = LibraryVersion::parse(mpi.library_version());
    let standard = mpi.standard_version().unwrap_or_default();
    Origin {
        run_id: run_id.to_owned(),
        world_size: size,
        mpi: MpiLibrary {
            name: library.name,
            version: library.version,
            standard: format!("{}.{}", standard.0, standard.1),
            path: mpi.library().path().to_string_lossy().into_owned(),
        },
        agent_version: mpiscope_run::VERSION.into(),
    }
}

fn program() -> String {
    std::env::current_exe()
        .map(|path| path.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// Reads this rank's part of the record; nothing if the rank left none.
fn read(plan: &Plan, rank: u32, size: u32) -> Result<Option<RankOrder>, String> {
    let (origin, order) = match order::read_rank(&plan.settings.record, rank) {
        Ok(read) => read,
        // The command has said of which ranks nothing was recorded.
        Err(mpiscope_run::Error::Io { source, .. })
            if source.kind() == std::io::ErrorKind::NotFound =>
        {
            return Ok(None)
        }
        Err(error) => return Err(format!("replay cannot begin: {error}")),
    };
    if origin.world_size != size {
        return Err(format!(
            "replay cannot begin: the record is of {0} ranks, the program was started with {size}: start it with {0}, or record it anew",
            origin.world_size
        ));
    }
    if let Some(why) = is_of_another(&order.program) {
        return Err(format!(
            "replay cannot begin: {why}: a changed program needs the name of the recorded one, another one a record of its own"
        ));
    }
    Ok(Some(order))
}

/// Says whether a recorded program is another than this one: a changed one has its name still.
pub fn is_of_another(recorded: &str) -> Option<String> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let (recorded, running) = (name(recorded), name(&program()));
    (recorded != running)
        .then(|| format!("the record is of the program {recorded}, not of {running}"))
}
