//! One collective operation after the other: all kinds, on all communicators.

use mpiscope_model::CollectiveOp;

use crate::collective::{has_root, is_uneven, perform, works_between_groups, Call, Contributions};
use crate::machine::Machine;
use crate::programs::Iteration;
use crate::world::{Group, Team, OPS};

pub(crate) fn iterate(machine: &mut Machine<'_>, team: &Team, iteration: Iteration) {
    for &rank in &team.all.ranks {
        let share = machine.share(rank, iteration.left);
        machine.work(rank, 2, share / 2);
    }
    let number = iteration.number as usize;
    let op = CollectiveOp::NAMED[number % OPS];
    match (number / OPS % 3, &team.halves) {
        (1, _) => team.rows.iter().for_each(|row| call(machine, op, &[row])),
        (2, Some([left, right])) if works_between_groups(op) => call(machine, op, &[left, right]),
        _ => call(machine, op, &[&team.all]),
    }
}

fn call(machine: &mut Machine<'_>, op: CollectiveOp, groups: &[&Group]) {
    let root = has_root(op).then(|| machine.random.below(groups[0].ranks.len() as u64) as u32);
    let sides: Vec<Contributions> = groups
        .iter()
        .map(|group| contributions(machine, op, root, group.ranks.len()))
        .collect();
    let call = Call { op, groups, root };
    perform(machine, &call, |side, place| sides[side].bytes(place));
}

/// A quarter of the members has nothing to contribute, where MPI allows it.
fn contributions(
    machine: &mut Machine<'_>,
    op: CollectiveOp,
    root: Option<u32>,
    size: usize,
) -> Contributions {
    let random = &mut machine.random;
    let common = 8 * (1 + random.below(100));
    let each: Vec<u64> = (0..size)
        .map(|_| match is_uneven(op) {
            true if random.happens(0.25) => 0,
            true => 8 * (1 + random.below(100)),
            false => common,
        })
        .collect();
    let sum = each.iter().sum();
    Contributions {
        op,
        root,
        each,
        sum,
    }
}
