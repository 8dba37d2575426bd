//! What programs do in one iteration.

mod collectives;
mod halo;
mod pairs;
mod workers;

use crate::machine::Machine;
use crate::parameters::{Parameters, Program};
use crate::world::{Team, World};

/// One iteration, of so many.
#[derive(Clone, Copy)]
pub(crate) struct Iteration {
    pub number: u32,
    /// How many are left, with this one.
    pub left: u32,
}

/// Runs a program from begin to end.
pub(crate) fn run(machine: &mut Machine<'_>, world: &World, parameters: &Parameters) {
    machine.init();
    for number in 0..parameters.iterations {
        let iteration = Iteration {
            number,
            left: parameters.iterations - number,
        };
        let pause = parameters.pause.filter(|pause| pause.from < pause.to);
        if pause.is_some_and(|pause| pause.from == number) {
            machine.switch(false);
        }
        if pause.is_some_and(|pause| pause.to == number) {
            machine.switch(true);
        }
        for team in &world.teams {
            step(machine, team, parameters.program, iteration);
        }
        for &rank in &world.silent {
            let share = machine.share(rank, iteration.left);
            machine.work(rank, 3, share / 3);
        }
    }
    machine.finalize();
}

fn step(machine: &mut Machine<'_>, team: &Team, program: Program, iteration: Iteration) {
    match program {
        Program::Halo => halo::iterate(machine, team, iteration),
        Program::Pairs => pairs::iterate(machine, team, iteration),
        Program::Workers => workers::iterate(machine, team, iteration),
        Program::Collectives => collectives::iterate(machine, team, iteration),
        Program::Mix => {
            let turn = [
                Program::Halo,
                Program::Pairs,
                Program::Collectives,
                Program::Workers,
            ];
            let program = turn[iteration.number as usize % turn.len()];
            let number = iteration.number / turn.len() as u32;
            let iteration = Iteration {
                number,
                ..iteration
            };
            step(machine, team, program, iteration);
        }
    }
}

/// Returns how many events a rank will have at most, where that is known.
pub(crate) fn events_per_rank(parameters: &Parameters) -> usize {
    let iteration = match parameters.program {
        Program::Halo => halo::EVENTS,
        _ => 0,
    };
    parameters.iterations as usize * iteration + 4
}
