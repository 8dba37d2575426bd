//! Races found while the program runs (Clémençon et al. 1995).
//!
//! What a process knows of others is in its vector clock (`clock`). Messages
//! are numbered by channel (`channels`); where a message brings news, its sender
//! says so beside it, in a stamp with the message's number (`stamps`, `transport`).
//! The receiver looks whether there is one, counts receives in the order of
//! their posts (`posts`), and compares with those from anybody that it
//! received before (`window`). The order record then holds only receives that
//! race: in replay these are held, all others run free.
//!
//! Nobody waits for a stamp, whatever the program does, and every way to lose
//! one makes a process know less than it could. Who knows less finds more
//! races: then more is recorded than need be, and that is said.
//!
//! Beside the messages, what a process knows travels along collective
//! operations that make others wait (`collective`): else messages before and
//! after a barrier would race.

mod channels;
mod collective;
mod comms;
mod completion;
mod finish;
mod forms;
mod made;
mod nested;
mod online;
mod receive;
mod requests;
mod rows;
mod send;

use std::path::Path;

use mpi_abi::{Code, OwnComm};
use mpiscope_rules::posts::Posts;
use mpiscope_rules::vector_clock::Clock;
use mpiscope_run::naming::Origin;
use mpiscope_run::order::online::RankRaces;
use mpiscope_run::process::{SELF_ID, WORLD_ID};

use crate::base::{notice, variable};
use crate::order::around::{go_around, Around};
use crate::peers::stamp_transport::StampTransport;
use crate::peers::stamps::Stamps;
use comms::Comms;
use online::{Online, ProcessTold};
use requests::Requests;

static AROUND: Around = Around {
    outermost: nested::outermost,
    nested: nested::nested,
    finish: finish::finish,
    writes_receives: true,
};

/// Begins on all ranks, or says why not.
pub fn start(own: OwnComm<'static>, folder: &Path) -> Result<(), Code> {
    let (mpi, rank) = (own.mpi(), own.rank() as u32);
    let alone = own.thread_level()? < mpi.abi.thread.multiple;
    if !own.all_true(alone)? {
        if rank == 0 {
            notice::tell(
                "races are not looked for while the program runs: it wants MPI_THREAD_MULTIPLE; \
                 all choices are recorded",
            );
        }
        return Ok(());
    }
    let processes = own.size() as usize;
    let mut online = Online {
        mpi,
        clock: Clock::new(rank as usize, processes.max(width())),
        own: rank as usize,
        comm: own,
        transport: StampTransport::new(own, folder)?,
        stamps: (0..processes).map(|_| Stamps::default()).collect(),
        told: vec![ProcessTold::default(); processes],
        words: Vec::new(),
        comms: Comms::default(),
        requests: Requests::default(),
        posts: Posts::default(),
        found: Vec::new(),
        counted: Vec::new(),
        handles: Vec::new(),
        done: Vec::new(),
        cancels: false,
        kept: 0,
        races: RankRaces {
            rank,
            ..RankRaces::default()
        },
    };
    for (handle, id) in [(mpi.abi.comm_world, WORLD_ID), (mpi.abi.comm_self, SELF_ID)] {
        online.comms.follow(mpi, handle, Origin::Predefined(id));
    }
    // SAFETY: nobody calls MPI meanwhile: we are within MPI_Init.
    unsafe { online::install(online) };
    go_around(&AROUND);
    Ok(())
}

/// Returns how wide clocks are at least: for measurements on a machine that
/// has no room for so many processes.
fn width() -> usize {
    let width = variable::text("MPISCOPE_RACES_WIDTH");
    width
        .and_then(|width| width.parse().ok())
        .unwrap_or(0)
        .min(1 << 20)
}
