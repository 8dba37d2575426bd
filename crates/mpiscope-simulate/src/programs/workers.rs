//! A master gives out work to whoever asks first.

use mpiscope_model::PointToPoint;

use crate::machine::{Envelope, Machine};
use crate::programs::Iteration;
use crate::world::Team;

/// Tags: a worker asks, the master answers.
const ASK: u32 = 1;
const TASK: u32 = 2;

/// Every worker finishes a task, asks for the next and gets it.
pub(crate) fn iterate(machine: &mut Machine<'_>, team: &Team, iteration: Iteration) {
    let [master, workers @ ..] = &team.all.ranks[..] else {
        return;
    };
    let message = |peer: u32, tag| PointToPoint::new(peer, team.all.comm, tag, 512);
    let mut asked: Vec<(i64, u32)> = Vec::new();
    for (place, &worker) in (1..).zip(workers) {
        // Tasks differ in size, from none to twice the mean.
        let share = machine.share(worker, iteration.left) as f64;
        let length = 2.0 * share * machine.random.uniform();
        machine.work(worker, 1, length as i64);
        let envelope = Envelope {
            from: worker,
            to: *master,
            message: message(0, ASK),
        };
        asked.push((machine.send(&envelope), place));
    }
    asked.sort_unstable();
    let mut given = vec![0; workers.len() + 1];
    for (arrives, place) in asked {
        answer(machine, team, *master, (arrives, place), &message);
        let worker = team.all.ranks[place as usize];
        let envelope = Envelope {
            from: *master,
            to: worker,
            message: message(place, TASK),
        };
        given[place as usize] = machine.send(&envelope);
    }
    for (place, &worker) in (1..).zip(workers) {
        machine.receive(worker, &message(0, TASK), given[place]);
    }
}

/// Takes what came first; looks before it takes, every now and then.
fn answer(
    machine: &mut Machine<'_>,
    team: &Team,
    master: u32,
    (arrives, from): (i64, u32),
    message: &dyn Fn(u32, u32) -> PointToPoint,
) {
    let wild = PointToPoint {
        any_source: true,
        ..message(from, ASK)
    };
    debug_assert!(team.all.ranks[0] == master);
    if machine.random.happens(0.25) {
        machine.probe(master, &wild, arrives);
        machine.receive(master, &message(from, ASK), arrives);
    } else {
        machine.receive(master, &wild, arrives);
    }
    machine.work(master, 1, 200);
}
