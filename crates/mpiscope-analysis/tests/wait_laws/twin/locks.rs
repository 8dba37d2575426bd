//! Locks of windows (MPI 4.1 §12.5.3): who asks for one waits for the last who had one before that
//! excludes it, until that one enters its unlock.
//!
//! Who had it before is who was done with it before. The call that asks for it, or the one in which it
//! is had, waited if it was going on then. If the trace tells the order of a lock, the unlock needs
//! those before in any case.

use mpiscope_analysis::wait_states::Kind;
use mpiscope_model::{OneSidedEvent, WinLock};

use super::{At, Twin, Unless};

/// One holding of a lock.
#[derive(Clone, Copy)]
struct Holding {
    lock: WinLock,
    asks: At,
    has: At,
    gives_back: At,
    /// When the call that gives back ended.
    end: i64,
    /// Which one it was, if that is told.
    turn: Option<u64>,
}

/// All parts of a window.
const ALL: u32 = u32::MAX;

impl Holding {
    fn excludes(&self, other: &Holding) -> bool {
        let (one, other) = (self.lock, other.lock);
        let same = one.remote == other.remote || one.remote == ALL || other.remote == ALL;
        one.win == other.win && same && !(one.shared && other.shared)
    }

    /// Returns whether it was before another one of the same lock, if that is told.
    fn is_told_before(&self, other: &Holding) -> bool {
        let told = self.turn.zip(other.turn);
        let same = self.lock.win == other.lock.win && self.lock.remote == other.lock.remote;
        same && told.is_some_and(|(one, other)| one < other)
    }
}

impl Twin<'_> {
    pub(super) fn locks(&mut self) {
        let all = self.holdings();
        for one in &all {
            let others = all.iter().filter(|it| it.excludes(one)).copied();
            let others: Vec<Holding> = others.collect();
            self.last_before(one, &others);
            self.told_before(one, &others);
        }
    }

    /// The last to give back before needs not be waited for, but is if a call was going on then.
    fn last_before(&mut self, one: &Holding, others: &[Holding]) {
        let before = others.iter();
        let before = before.filter(|it| (it.end, it.gives_back) < (one.end, one.gives_back));
        let came: Vec<(i64, At)> = before
            .map(|it| (self.came(it.gives_back), it.gives_back))
            .collect();
        let last = came.iter().map(|(came, _)| *came).max();
        for (_, other) in came.iter().filter(|(came, _)| Some(*came) == last) {
            self.need(one.asks, *other, Kind::WindowLock, Unless::Ending);
            self.need(one.has, *other, Kind::WindowLock, Unless::Ending);
        }
    }

    /// Of those that are told to have been before, what is between both, and excludes both, waited
    /// for one in place of this one.
    fn told_before(&mut self, one: &Holding, others: &[Holding]) {
        for other in others.iter().filter(|it| it.is_told_before(one)) {
            let is_between = |it: &&Holding| other.is_told_before(it) && it.is_told_before(one);
            let mut between = others.iter().filter(is_between);
            if !between.any(|it| it.excludes(other)) {
                let back = one.gives_back;
                self.need(back, other.gives_back, Kind::WindowLock, Unless::Never);
            }
        }
    }

    fn holdings(&self) -> Vec<Holding> {
        let locations = 0..self.trace.locations.len();
        locations.flat_map(|it| self.holdings_of(it)).collect()
    }

    /// Returns the holdings of a location: it has one lock after the other.
    fn holdings_of(&self, location: usize) -> Vec<Holding> {
        let events = &self.trace.locations[location].events;
        let (mut asks, mut has, mut found) = (None, None, Vec::new());
        for &(index, event) in events.one_sided() {
            let at = (location, index as usize);
            match event {
                OneSidedEvent::RequestLock(_) => asks = Some(at),
                OneSidedEvent::AcquireLock(lock) => has = Some((at, lock)),
                OneSidedEvent::ReleaseLock(_) => {
                    let (has, lock) = has.expect("locks are acquired");
                    found.push(Holding {
                        lock,
                        asks: asks.expect("locks are asked for"),
                        has,
                        gives_back: at,
                        end: self.call(at).map_or(0, |call| call.end),
                        turn: events.sequence(has.1),
                    });
                }
                _ => {}
            }
        }
        found
    }
}
