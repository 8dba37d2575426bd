//! The pass of one part through its processes.

use super::found::Found;
use super::members::{agree, Party};
use super::seen::processes;
use super::signals::Signals;
use super::view::View;
use super::waits::Waits;
use super::window_locks::Locks;
use super::{collectives, messages, operations, party, regions, threads, windows};
use crate::exchange::Exchange;

/// Checks as one part, which looks at its own events alone; whoever goes on gets
/// the sums of all.
pub(super) fn part<E: Exchange>(exchange: &E, view: &View) -> Option<Found> {
    let mut found = Found {
        backward_steps: view.backward_steps(),
        ..Found::default()
    };
    let processes = processes(view);
    let mut waits = Waits::new(view);
    messages::look(exchange, view, &processes, &mut found, &mut waits);
    let mut calls = Vec::new();
    let mut signals = Signals::new(exchange.parts());
    let mut locks = Locks::new(exchange.parts());
    for process in &processes {
        calls.push(collectives::calls(view, process));
        calls.push(windows::see(view, process, &mut signals, &mut locks));
        calls.push(regions::creations(view, process));
        calls.push(regions::ends(view, process));
        signals.see(view, process);
    }
    operations::look(exchange, view, calls, &mut found, &mut waits);
    for members in threads::see(view, &mut waits) {
        let party = Party {
            members: &members,
            across: false,
        };
        if agree(&party) {
            party::look(view, &party, &mut found);
        }
    }
    signals.wait(exchange, &mut waits);
    locks.wait(exchange, &mut waits);
    waits.look(exchange, &mut found);
    let all = exchange.gather(vec![found]).concat();
    all.into_iter().reduce(Found::and)
}
