//! Windows: fences, epochs, locks, notifications.

use std::collections::HashMap;

use mpiscope_model::{
    Collective, CollectiveOp, CommId, Event, OneSidedEvent, Rank, Timestamp, WinCollective, WinId,
};

use super::calls::Calls as Around;
use super::members::Member;
use super::operations::{Calls, Over, Row};
use super::seen::{communicator, peer_in, place, sequence, Process};
use super::signals::{OfWindow, Signals};
use super::view::{At, View};
use super::window_locks::Locks;

/// What a process did to a window, and how often recording had been switched
/// before.
struct Act {
    at: At,
    event: OneSidedEvent,
    switched: usize,
}

/// Tells what a process did to windows: returns its fences.
pub(super) fn see(
    view: &View,
    process: &Process,
    signals: &mut Signals,
    locks: &mut Locks,
) -> Calls {
    if !process.any(view.trace, |events| !events.one_sided().is_empty()) {
        return Calls::default();
    }
    let acts = acts(view, process);
    let calls = Around::of(view, process, |_| true);
    epochs(view, process, &acts, &calls, signals);
    notifications(view, process, &acts, signals);
    locks.see(view, process, &calls);
    fences(view, process, &acts)
}

/// What a process did to windows, in its order.
fn acts(view: &View, process: &Process) -> Vec<Act> {
    let mut acts: Vec<(Timestamp, Act)> = Vec::new();
    for &location in process.locations {
        let mut switched = 0;
        let events = &view.trace.locations[location as usize].events;
        for (index, (time, event)) in events.iter().enumerate() {
            let at = view.at(location, index);
            match event {
                Event::MeasurementOnOff(_) => switched += 1,
                Event::OneSided(event) => acts.push((
                    time,
                    Act {
                        at,
                        event,
                        switched,
                    },
                )),
                _ => {}
            }
        }
    }
    let threads = acts
        .iter()
        .any(|it| it.1.at.location != acts[0].1.at.location);
    if threads {
        acts.sort_by_key(|it| (it.0, it.1.at));
    }
    acts.into_iter().map(|it| it.1).collect()
}

/// Collective operations on windows, by their number on the window.
fn fences(view: &View, process: &Process, acts: &[Act]) -> Calls {
    let mut begun: HashMap<u32, Vec<At>> = HashMap::new();
    let mut next: HashMap<WinId, (usize, Option<u64>)> = HashMap::new();
    let mut calls = Calls::default();
    for &Act {
        at,
        event,
        switched,
    } in acts
    {
        let ended = match event {
            OneSidedEvent::CollectiveBegin => {
                begun.entry(at.location).or_default().push(at);
                continue;
            }
            OneSidedEvent::CollectiveEnd(ended) => ended,
            _ => continue,
        };
        let enter = begun.entry(at.location).or_default().pop();
        let Some(window) = view.trace.definitions.windows.get(ended.win.index()) else {
            continue;
        };
        let (before, number) = next.entry(ended.win).or_insert((0, Some(0)));
        if *before != switched {
            *number = None;
        }
        let number = sequence(view.trace, at).or(*number);
        let following = number.and_then(|number| number.checked_add(1));
        next.insert(ended.win, (switched, following));
        let comm = communicator(view.trace, window.comm);
        let rank = comm.and_then(|comm| place(comm, process.rank));
        let (Some((rank, _)), Some(number), Some(enter)) = (rank, number, enter) else {
            continue;
        };
        let only_orders = !ended.synchronizes && ended.op == CollectiveOp::Barrier;
        if !only_orders {
            let particulars = particulars(&ended, window.comm);
            let member = Member::new(&particulars, Some(enter), at, rank as u32);
            let row = calls.row(Row::new(Over::Window, ended.win.0));
            calls.add(row, number, member);
        }
    }
    calls
}

/// An operation on a window as if it were one on its communicator.
fn particulars(ended: &WinCollective, comm: CommId) -> Collective {
    Collective {
        op: match ended.synchronizes {
            true => CollectiveOp::Fence,
            false => ended.op,
        },
        comm,
        root: ended.root,
        sent: ended.sent,
        received: ended.received,
    }
}

/// An epoch: the others, and enter and leave of the calls that open and close it.
struct Epoch {
    win: WinId,
    others: Vec<Rank>,
    open: (At, Option<At>),
    close: Option<(At, Option<At>)>,
}

/// Epochs of a process: of its accesses to others, and of others' to it.
#[derive(Default)]
struct Epochs {
    accesses: Vec<Epoch>,
    exposures: Vec<Epoch>,
    accessed: Turns,
    exposed: Turns,
}

/// Tells of the begin and end of epochs: what a start waits for is seen at the
/// complete, as the start need not wait.
fn epochs(view: &View, process: &Process, acts: &[Act], calls: &[Around], signals: &mut Signals) {
    let mut epochs = Epochs::default();
    for act in acts {
        epochs.see(view, act, &calls[process.thread(act.at)]);
    }
    for epoch in &epochs.exposures {
        epoch.exposes(process.rank, &mut epochs.exposed, signals);
    }
    for epoch in &epochs.accesses {
        epoch.accesses(process.rank, &mut epochs.accessed, signals);
    }
}

/// How often a window was used with each process.
#[derive(Default)]
struct Turns(HashMap<(WinId, Rank), usize>);

impl Turns {
    /// Returns the number of the next time.
    fn next(&mut self, win: WinId, other: Rank) -> usize {
        let turn = self.0.entry((win, other)).or_default();
        *turn += 1;
        *turn
    }
}

impl Epochs {
    fn see(&mut self, view: &View, act: &Act, calls: &Around) {
        let OneSidedEvent::GroupSync(win, group) = act.event else {
            return;
        };
        let (location, index) = (act.at.location, act.at.index());
        let (Some(enter), 0) = (calls.enter(index), act.switched) else {
            return;
        };
        let leave = calls.leave(index).map(|leave| view.at(location, leave));
        let call = (view.at(location, enter), leave);
        let (epochs, opens) = match calls.name(index) {
            "MPI_Win_start" => (&mut self.accesses, true),
            "MPI_Win_complete" => (&mut self.accesses, false),
            "MPI_Win_post" => (&mut self.exposures, true),
            "MPI_Win_wait" | "MPI_Win_test" => (&mut self.exposures, false),
            _ => return,
        };
        if opens {
            let others = view.trace.definitions.groups.get(group.index());
            epochs.push(Epoch {
                win,
                others: others.cloned().unwrap_or_default(),
                open: call,
                close: None,
            });
            return;
        }
        let open = epochs.iter_mut().rev();
        let mut open = open.take_while(|epoch| epoch.close.is_none());
        if let Some(epoch) = open.find(|epoch| epoch.win == win) {
            epoch.close = Some(call);
        }
    }
}

impl Epoch {
    /// Tells each origin that it may begin; awaits the end of its accesses.
    fn exposes(&self, me: Rank, turns: &mut Turns, signals: &mut Signals) {
        let mut origins = self.others.clone();
        origins.sort_unstable();
        origins.dedup();
        for origin in origins {
            let turn = turns.next(self.win, origin);
            let posted = OfWindow::Posted.topic(self.win, me, origin, turn);
            signals.signal(posted, self.open.0);
            if let Some((_, Some(waited))) = self.close {
                let completed = OfWindow::Completed.topic(self.win, origin, me, turn);
                signals.await_all(completed, waited);
            }
        }
    }

    /// Tells each target that accesses have ended; that cannot be before they
    /// were let begin.
    fn accesses(&self, me: Rank, turns: &mut Turns, signals: &mut Signals) {
        for &target in &self.others {
            let turn = turns.next(self.win, target);
            let Some((complete, completed)) = self.close else {
                continue;
            };
            signals.signal(
                OfWindow::Completed.topic(self.win, me, target, turn),
                complete,
            );
            if let Some(completed) = completed {
                let posted = OfWindow::Posted.topic(self.win, target, me, turn);
                signals.await_all(posted, completed);
            }
        }
    }
}

/// Tells of notifications, in and out.
fn notifications(view: &View, process: &Process, acts: &[Act], signals: &mut Signals) {
    let me = process.rank;
    let (mut out, mut into) = (Turns::default(), Turns::default());
    for act in acts.iter().filter(|act| act.switched == 0) {
        let (win, peer) = match act.event {
            OneSidedEvent::NotifyOut(win, peer) | OneSidedEvent::NotifyIn(win, peer) => (win, peer),
            _ => continue,
        };
        let window = view.trace.definitions.windows.get(win.index());
        let peer = window.and_then(|window| peer_in(view.trace, me, window.comm, peer));
        let Some(peer) = peer else {
            continue;
        };
        match act.event {
            OneSidedEvent::NotifyOut(..) => {
                let turn = out.next(win, peer);
                signals.signal(OfWindow::Notified.topic(win, me, peer, turn), act.at);
            }
            _ => {
                let turn = into.next(win, peer);
                signals.await_all(OfWindow::Notified.topic(win, peer, me, turn), act.at);
            }
        }
    }
}
