//! Ranks meet in random pairs; one sends, and sometimes the other answers.

use mpiscope_model::PointToPoint;

use crate::machine::{Envelope, Machine};
use crate::programs::Iteration;
use crate::world::Team;

/// Tags of question and answer.
const TAGS: [u32; 2] = [3, 4];

pub(crate) fn iterate(machine: &mut Machine<'_>, team: &Team, iteration: Iteration) {
    for &rank in &team.all.ranks {
        let share = machine.share(rank, iteration.left);
        machine.work(rank, 2, share / 2);
    }
    let mut order: Vec<u32> = (0..team.all.ranks.len() as u32).collect();
    machine.random.cycle(&mut order);
    for pair in order.chunks_exact(2) {
        let (one, other) = (pair[0], pair[1]);
        pass(machine, team, one, other, TAGS[0]);
        if machine.random.happens(0.5) {
            pass(machine, team, other, one, TAGS[1]);
        }
    }
}

/// Sends one message and receives it, with wildcards now and then.
fn pass(machine: &mut Machine<'_>, team: &Team, from: u32, to: u32, tag: u32) {
    let world = |place: u32| team.all.ranks[place as usize];
    let bytes = 8 * machine.random.below(1000);
    let message = |peer: u32| PointToPoint::new(peer, team.all.comm, tag, bytes);
    let envelope = Envelope {
        from: world(from),
        to: world(to),
        message: message(to),
    };
    let arrives = machine.send(&envelope);
    let received = PointToPoint {
        any_source: machine.random.happens(0.25),
        any_tag: machine.random.happens(0.25),
        ..message(from)
    };
    machine.receive(world(to), &received, arrives);
}
