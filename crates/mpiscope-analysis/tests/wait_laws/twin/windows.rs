//! Windows (MPI 4.1 §12): their creation, fences, epochs and notifications.

use mpiscope_analysis::wait_states::Kind;
use mpiscope_model::definitions::WinId;
use mpiscope_model::events::WinCollective;
use mpiscope_model::{CollectiveOp, CommId, Event, OneSidedEvent};

use super::collectives::Part;
use super::{At, Twin, Unless};

/// A synchronization with a group.
#[derive(Clone)]
struct GroupSync {
    at: At,
    /// World ranks.
    group: Vec<u32>,
    /// Its function.
    name: String,
}

/// From start to complete, or from post to wait.
struct Epoch {
    opens: GroupSync,
    closes: Option<GroupSync>,
}

impl Twin<'_> {
    pub(super) fn windows(&mut self) {
        for win in 0..self.trace.definitions.windows.len() {
            let win = WinId(win as u32);
            let comm = self.trace.definitions.windows[win.index()].comm;
            let locations = 0..self.trace.locations.len();
            let operations = locations.clone().map(|it| self.of_window(it, win, comm));
            let operations = operations.collect();
            self.meet(comm, operations);
            let creations = locations.map(|it| self.created(it, win, comm)).collect();
            self.meet(comm, creations);
            self.epochs(win);
            self.notifications(win, comm);
        }
    }

    fn one_sided(&self, location: usize) -> Vec<(At, OneSidedEvent)> {
        let events = self.events_of(location).into_iter();
        let of_windows = events.filter_map(|(at, event)| match event {
            Event::OneSided(event) => Some((at, event)),
            _ => None,
        });
        of_windows.collect()
    }

    /// Returns the collective operations of a location on a window; of one that does not synchronize
    /// nothing, though it counts.
    fn of_window(&self, location: usize, win: WinId, comm: CommId) -> Vec<Option<Part>> {
        let (mut begins, mut found) = (None, Vec::new());
        for (at, event) in self.one_sided(location) {
            match event {
                OneSidedEvent::CollectiveBegin => begins = Some(at),
                OneSidedEvent::CollectiveEnd(told) if told.win == win => {
                    let begins = begins.expect("operations begin");
                    found.push(self.window_part(begins, at, told, comm));
                }
                _ => {}
            }
        }
        found
    }

    fn window_part(&self, begins: At, ends: At, told: WinCollective, comm: CommId) -> Option<Part> {
        let op = match (told.synchronizes, told.op) {
            (true, _) => CollectiveOp::Fence,
            (false, CollectiveOp::Barrier) => return None,
            (false, op) => op,
        };
        Some(Part {
            begins,
            ends,
            ..self.whole_call(ends, comm, op)?
        })
    }

    /// Returns the calls that create a window without being an operation of their own.
    fn created(&self, location: usize, win: WinId, comm: CommId) -> Vec<Option<Part>> {
        let (mut is_inside, mut found) = (false, Vec::new());
        for (at, event) in self.one_sided(location) {
            match event {
                OneSidedEvent::CollectiveBegin => is_inside = true,
                OneSidedEvent::CollectiveEnd(_) => is_inside = false,
                OneSidedEvent::WinCreate(it) if it == win && !is_inside => {
                    found.push(self.whole_call(at, comm, CollectiveOp::CreateHandle));
                }
                _ => {}
            }
        }
        found
    }

    /// An origin's k-th epoch that names a target meets the target's k-th that names the origin: its
    /// complete needs the target's post, as does its start if that is still going on, and the target's
    /// wait its complete.
    fn epochs(&mut self, win: WinId) {
        for origin in 0..self.trace.locations.len() {
            for target in 0..self.trace.locations.len() {
                let access = self.epochs_of(origin, win, "MPI_Win_start", &["MPI_Win_complete"]);
                let exposure = self.epochs_of(
                    target,
                    win,
                    "MPI_Win_post",
                    &["MPI_Win_wait", "MPI_Win_test"],
                );
                let (me, other) = (self.rank(origin), self.rank(target));
                let access = access.iter().filter(|it| it.opens.group.contains(&other));
                let exposure = exposure.iter().filter(|it| it.opens.group.contains(&me));
                access
                    .zip(exposure)
                    .for_each(|(access, exposure)| self.epoch(access, exposure));
            }
        }
    }

    fn epoch(&mut self, access: &Epoch, exposure: &Epoch) {
        let post = exposure.opens.at;
        self.need(access.opens.at, post, Kind::LatePost, Unless::Ending);
        if let Some(complete) = &access.closes {
            self.need(complete.at, post, Kind::LatePost, Unless::Never);
            if let Some(wait) = &exposure.closes {
                self.need(wait.at, complete.at, Kind::EarlyWait, Unless::Never);
            }
        }
    }

    fn epochs_of(&self, location: usize, win: WinId, opens: &str, closes: &[&str]) -> Vec<Epoch> {
        let all = self.group_syncs(location, win);
        let opening = all.iter().filter(|it| it.name == opens);
        let epochs = opening.map(|opens| {
            let mut after = all.iter().filter(|it| it.at > opens.at);
            Epoch {
                opens: opens.clone(),
                closes: after.find(|it| closes.contains(&&*it.name)).cloned(),
            }
        });
        epochs.collect()
    }

    fn group_syncs(&self, location: usize, win: WinId) -> Vec<GroupSync> {
        let events = self.one_sided(location).into_iter();
        let syncs = events.filter_map(|(at, event)| match event {
            OneSidedEvent::GroupSync(it, group) if it == win => {
                let group = &self.trace.definitions.groups[group.index()];
                Some(GroupSync {
                    at,
                    group: group.iter().map(|rank| rank.0).collect(),
                    name: self.name(at),
                })
            }
            _ => None,
        });
        syncs.collect()
    }

    /// The k-th notification that comes in from a rank needs the k-th that went out there.
    fn notifications(&mut self, win: WinId, comm: CommId) {
        for from in 0..self.trace.locations.len() {
            for to in 0..self.trace.locations.len() {
                let members = [from, to].map(|it| self.member(comm, it));
                let [Some((me, _)), Some((other, _))] = members else {
                    continue;
                };
                let out = self.of_kind(from, OneSidedEvent::NotifyOut(win, other));
                let into = self.of_kind(to, OneSidedEvent::NotifyIn(win, me));
                for (out, into) in out.into_iter().zip(into) {
                    self.need(into, out, Kind::OneSided, Unless::Never);
                }
            }
        }
    }

    fn of_kind(&self, location: usize, wanted: OneSidedEvent) -> Vec<At> {
        let events = self.one_sided(location).into_iter();
        let wanted = events.filter(|(_, event)| *event == wanted);
        wanted.map(|(at, _)| at).collect()
    }
}
