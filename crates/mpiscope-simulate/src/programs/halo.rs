//! Neighbours on a torus exchange borders, everybody exchanges with somebody
//! at random, and a collective operation follows.
//!
//! 56 events per rank, 12 of which tell of other ranks: 7 functions (14), 4
//! receives posted (12) and 4 sends (12, of which 4), all of them awaited (10,
//! of which 4), a Sendrecv (4, of which 2) and a collective (4, of which 2).

use mpiscope_model::{CollectiveOp as Op, CommId, Event, PointToPoint, RequestId};

use crate::collective::{perform, Call};
use crate::machine::{Envelope, Machine};
use crate::programs::Iteration;
use crate::world::{Group, Team};

/// Events per rank.
pub(crate) const EVENTS: usize = 56;
/// Bytes of a border.
const BORDER: u64 = 4096;
/// Tag of the exchange at random; those of borders are their sides, 0 to 3.
const RANDOM_TAG: u32 = 9;
/// Functions per iteration.
const FUNCTIONS: i64 = 7;

pub(crate) fn iterate(machine: &mut Machine<'_>, team: &Team, iteration: Iteration) {
    let lengths: Vec<i64> = (team.all.ranks.iter())
        .map(|&rank| machine.share(rank, iteration.left) / FUNCTIONS)
        .collect();
    exchange_borders(machine, team, &lengths);
    exchange_at_random(machine, team, &lengths);
    for (&rank, &length) in team.all.ranks.iter().zip(&lengths) {
        machine.work(rank, 1, length);
    }
    finish_together(machine, team, iteration.number);
}

/// Sides are numbered so that the opposite one differs in the last bit.
fn neighbour(place: usize, side: usize, width: usize, height: usize) -> usize {
    let (x, y) = (place % width, place / width);
    match side {
        0 => (x + 1) % width + y * width,
        1 => (x + width - 1) % width + y * width,
        2 => x + (y + 1) % height * width,
        _ => x + (y + height - 1) % height * width,
    }
}

fn exchange_borders(machine: &mut Machine<'_>, team: &Team, lengths: &[i64]) {
    let ranks = &team.all.ranks;
    let width = team.rows.first().map_or(1, |row| row.ranks.len());
    let height = ranks.len() / width;
    let mut arrivals = vec![[0; 4]; ranks.len()];
    let mut requests = Vec::with_capacity(ranks.len());
    for (place, &rank) in ranks.iter().enumerate() {
        machine.work(rank, 3, lengths[place]);
        let receives = [0; 4].map(|_| machine.irecv(rank));
        let sends = [0, 1, 2, 3].map(|side| {
            let to = neighbour(place, side, width, height);
            let request = machine.request(rank);
            let message = border(to, team.all.comm, side, request);
            let envelope = Envelope {
                from: rank,
                to: ranks[to],
                message,
            };
            arrivals[to][side ^ 1] = machine.isend(&envelope);
            request
        });
        machine.work(rank, 2, lengths[place]);
        machine.begin_waitall(rank);
        requests.push((receives, sends));
    }
    for (place, (&rank, (receives, sends))) in ranks.iter().zip(requests).enumerate() {
        let received = [0, 1, 2, 3].map(|side| {
            let from = neighbour(place, side, width, height);
            // What comes from the right was sent to the left.
            border(from, team.all.comm, side ^ 1, receives[side])
        });
        let [a, b, c, d] = &received;
        let [e, f, g, h] = sends.map(Event::MpiIsendComplete);
        let completed = [
            Event::MpiIrecv(a),
            Event::MpiIrecv(b),
            Event::MpiIrecv(c),
            Event::MpiIrecv(d),
            e,
            f,
            g,
            h,
        ];
        let last = arrivals[place].into_iter().fold(i64::MIN, i64::max);
        machine.end_waitall(rank, last, &completed);
    }
}

fn border(peer: usize, comm: CommId, side: usize, request: RequestId) -> PointToPoint {
    PointToPoint::new(peer as u32, comm, side as u32, BORDER).with_request(request)
}

fn exchange_at_random(machine: &mut Machine<'_>, team: &Team, lengths: &[i64]) {
    let ranks = &team.all.ranks;
    let mut to: Vec<u32> = (0..ranks.len() as u32).collect();
    machine.random.cycle(&mut to);
    let mut arrivals = vec![(0, 0); ranks.len()];
    let message = |peer: u32| PointToPoint::new(peer, team.all.comm, RANDOM_TAG, BORDER);
    for (place, &rank) in ranks.iter().enumerate() {
        machine.work(rank, 1, lengths[place]);
        let peer = to[place];
        let envelope = Envelope {
            from: rank,
            to: ranks[peer as usize],
            message: message(peer),
        };
        let arrives = machine.begin_sendrecv(&envelope);
        arrivals[peer as usize] = (place as u32, arrives);
    }
    for (&rank, (from, arrives)) in ranks.iter().zip(arrivals) {
        machine.end_sendrecv(rank, &message(from), arrives);
    }
}

/// All, then one row after the other.
fn finish_together(machine: &mut Machine<'_>, team: &Team, number: u32) {
    let everybody = std::slice::from_ref(&team.all);
    let (op, groups): (Op, &[Group]) = match number % 4 {
        0 => (Op::Allreduce, everybody),
        1 => (Op::Bcast, &team.rows),
        2 => (Op::Reduce, &team.rows),
        _ => (Op::Allreduce, &team.rows),
    };
    for group in groups {
        let root = number / 4 % group.ranks.len() as u32;
        let root = (op != Op::Allreduce).then_some(root);
        let call = Call {
            op,
            groups: &[group],
            root,
        };
        perform(machine, &call, |_, place| {
            let is_root = root == Some(place as u32);
            match op {
                Op::Bcast => (if is_root { 8 } else { 0 }, 8),
                Op::Reduce => (8, if is_root { 8 } else { 0 }),
                _ => (8, 8),
            }
        });
    }
}
