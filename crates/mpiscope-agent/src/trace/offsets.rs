//! Clock offsets by shortest round trip (Cristian 1989).
//!
//! One process speaks for each clock. It asks the master (rank 0) for the time
//! until the shortest round trip is stable; half of that round trip bounds the
//! error. Ticks are kept raw on both sides: they become nanoseconds when all
//! rates are known.
//!
//! Meanwhile all others sleep. Ranks that wait spinning would take the cores
//! from the pair that is measured: with four ranks of MPICH on two cores a
//! round trip was 8 ms long, with the others asleep it is about a microsecond.

use std::time::{Duration, Instant};

use mpi_abi::{Code, OwnComm};
use mpiscope_run::process::{Definition, Ping};

use crate::base::clock::ticks;
use crate::base::definitions;
use crate::mpi::process::Process;

const FEWEST: u32 = 10;
const MOST: u32 = 100;
/// Rounds without a shorter round trip after which the minimum counts as stable.
const STABLE: u32 = 10;
/// A round trip longer than this is the scheduler's, not the network's: on a
/// crowded machine it is worth to go on until both sides run at once.
const SLOW: Duration = Duration::from_micros(100);
/// How long to go on for that at the ends of the run, and in its midst; a slow network stays slow.
pub const PATIENCE: Duration = Duration::from_millis(200);
/// See [`PATIENCE`].
pub const LITTLE_PATIENCE: Duration = Duration::from_millis(5);
/// The same in rounds.
const MOST_IF_SLOW: u32 = 1000;
/// Tag of questions and answers.
const TAG: i32 = 1;
/// Tag of rank 0's word to those asleep: [`YOUR_TURN`] or [`DONE`].
const WAKE: i32 = 2;
const YOUR_TURN: u8 = 1;
const DONE: u8 = 0;
/// How long a sleeping rank sleeps before it looks for rank 0's word.
const NAP: Duration = Duration::from_micros(300);

/// Measures every clock against rank 0's, one after the other; all ranks call
/// this. The rank that speaks for a clock keeps its measurement, and returns it.
pub fn measure(process: &Process, patience: Duration) -> Result<Option<Ping>, Code> {
    let Some(own) = process.own.filter(|_| !process.representatives.is_empty()) else {
        return Ok(None); // one clock, or nobody to ask
    };
    if process.identity.rank == 0 {
        return conduct(process, own).map(|()| None);
    }
    let mut latest = None;
    while sleep_until_woken(own)? == YOUR_TURN {
        let ping = ask(own, patience)?;
        definitions::tell(&Definition::Ping(ping));
        latest = Some(ping);
    }
    Ok(latest)
}

/// Rank 0 wakes each representative and answers it, then wakes all others.
fn conduct(process: &Process, own: OwnComm) -> Result<(), Code> {
    let mut result = Ok(());
    for &peer in &process.representatives {
        let woken = own.send(peer as i32, WAKE, &[YOUR_TURN]);
        result = result.and(woken.and_then(|()| answer(own, peer as i32)));
    }
    for peer in 1..process.identity.world_size {
        // Nobody is left asleep, whatever failed before.
        result = result.and(own.send(peer as i32, WAKE, &[DONE]));
    }
    result
}

fn sleep_until_woken(own: OwnComm) -> Result<u8, Code> {
    let mut word = [DONE];
    while !own.iprobe(0, WAKE)? {
        std::thread::sleep(NAP);
    }
    own.recv(0, WAKE, &mut word)?;
    Ok(word[0])
}

/// The asking side: 1 asks for the time, 0 says good-bye.
fn ask(own: OwnComm, patience: Duration) -> Result<Ping, Code> {
    let began = Instant::now();
    let mut best = exchange(own)?;
    let mut best_round = 1;
    let mut round = 1;
    while !enough(round, best_round)
        || (best.1 > SLOW && round < MOST_IF_SLOW && began.elapsed() < patience)
    {
        round += 1;
        let next = exchange(own)?;
        if next.0.received - next.0.sent < best.0.received - best.0.sent {
            best = next;
            best_round = round;
        }
    }
    own.send(0, TAG, &[0])?;
    Ok(Ping {
        rounds: round,
        ..best.0
    })
}

fn enough(round: u32, best_round: u32) -> bool {
    round >= MOST || (round >= FEWEST && round - best_round >= STABLE)
}

/// One round trip, and how long it took.
fn exchange(own: OwnComm) -> Result<(Ping, Duration), Code> {
    let mut master = [0; 8];
    let began = Instant::now();
    let sent = ticks();
    own.send(0, TAG, &[1])?;
    own.recv(0, TAG, &mut master)?;
    let received = ticks();
    let ping = Ping {
        sent,
        master: u64::from_le_bytes(master),
        received,
        rounds: 1,
    };
    Ok((ping, began.elapsed()))
}

fn answer(own: OwnComm, peer: i32) -> Result<(), Code> {
    loop {
        let mut question = [0];
        own.recv(peer, TAG, &mut question)?;
        if question[0] == 0 {
            return Ok(());
        }
        let now = ticks().to_le_bytes();
        own.send(peer, TAG, &now)?;
    }
}
