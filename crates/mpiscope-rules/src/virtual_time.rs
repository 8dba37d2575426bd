//! Time as it would have gone without observation: what a call's end is in virtual time.
//!
//! A process's virtual time V is its clock T less the time I that observation has taken. Where
//! it waited for others, that is not all: a partner that came late because it was observed made
//! it wait longer, and one that was itself held up had a part of its waiting for nothing. So
//! partners tell when they came and what observation had taken by then, and
//!
//! ```text
//! T_last = max(T_ready, T of the partners)      when all were there, in fact
//! copy   = T_end − T_last                       what came then
//! V_end  = max(V_ready, V of the partners) + copy
//! ```
//!
//! and from there on I = T − V. The part of V_end − V_ready in which it waited for a partner is
//! the synchronization delay; the rest is the transmission.

/// A moment of a process, in ticks of a clock that those who are compared share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Its clock.
    pub time: u64,
    /// What observation has taken by then.
    pub intrusion: u64,
}

impl Moment {
    /// Returns its virtual time.
    pub fn virtual_time(self) -> u64 {
        self.time.saturating_sub(self.intrusion)
    }
}

/// What partners have told of a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Partners {
    /// The latest time of one of them, and the latest virtual time.
    latest: Option<(u64, u64)>,
    is_unknown: bool,
    /// Ticks of the call that the unobserved program would not have waited.
    held: u64,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// When, in virtual time.
    pub virtual_time: u64,
    /// How long it waited for a partner before, if that is known.
    pub delay: Option<u64>,
}

impl Partners {
    /// One of them has told when it came; or nothing is known of it.
    pub fn add(&mut self, told: Option<Moment>) {
        let Some(told) = told else {
            self.is_unknown = true;
            return;
        };
        let (time, virtual_time) = self.latest.unwrap_or_default();
        let latest = (time.max(told.time), virtual_time.max(told.virtual_time()));
        self.latest = Some(latest);
    }

    /// The call took so many ticks that the unobserved program would not have waited.
    pub fn hold(&mut self, ticks: u64) {
        self.held += ticks;
    }

    /// Whether it did.
    pub fn is_held(&self) -> bool {
        self.held > 0
    }

    /// Returns how a call ended that was ready and returned then; nothing if that is as the clock
    /// says.
    pub fn end(&self, ready: Moment, end: u64) -> Option<Ended> {
        let known = self.latest.filter(|_| !self.is_unknown);
        let Some((time, virtual_time)) = known else {
            let elapsed = end.saturating_sub(ready.time).saturating_sub(self.held);
            return (self.held > 0).then_some(Ended {
                virtual_time: ready.virtual_time() + elapsed,
                delay: None,
            });
        };
        let last = ready.time.max(time);
        let copy = end.saturating_sub(last).saturating_sub(self.held);
        let delay = virtual_time.saturating_sub(ready.virtual_time());
        Some(Ended {
            virtual_time: ready.virtual_time() + delay + copy,
            delay: Some(delay),
        })
    }
}
