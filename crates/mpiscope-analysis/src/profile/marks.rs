//! What else is to be known of each moment of a location: whether it waits,
//! whether the critical path is there, and how many wait for it.

use mpiscope_model::{Duration, Timestamp};

/// One thing of which it is known when it begins and ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// The location waits.
    Waits,
    /// The critical path is here.
    Path,
    /// Somebody waits for this location.
    Holds,
}

/// Begins and ends, at one location.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    marks: Vec<(Timestamp, What, i64)>,
}

impl Marks {
    pub fn add(&mut self, what: What, begin: Timestamp, end: Timestamp) {
        self.marks.push((begin, what, 1));
        self.marks.push((end, what, -1));
    }

    /// Puts them in order, to be read.
    pub fn read(mut self) -> Moments {
        self.marks.sort_unstable_by_key(|mark| mark.0);
        Moments {
            marks: self.marks,
            next: 0,
            count: [0; 3],
        }
    }
}

/// How long of a stretch of time what held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub waiting: Duration,
    /// The rest.
    pub time: Duration,
    pub path: Duration,
    /// Of the rest, by how many waited.
    pub held: Duration,
}

impl Parts {
    pub fn add(&mut self, other: &Parts) {
        self.waiting += other.waiting;
        self.time += other.time;
        self.path += other.path;
        self.held += other.held;
    }
}

/// Marks in the order of time.
pub(super) struct Moments {
    marks: Vec<(Timestamp, What, i64)>,
    next: usize,
    count: [i64; 3],
}

impl Moments {
    /// Returns what held in a stretch of time; each begins no earlier than the
    /// one before ended.
    pub fn within(&mut self, begin: Timestamp, end: Timestamp) -> Parts {
        // Mostly nothing begins or ends there.
        if self.marks.get(self.next).is_none_or(|mark| mark.0 >= end) {
            return self.of(end - begin);
        }
        let mut parts = Parts::default();
        let mut now = begin;
        while now < end {
            while let Some(&(_, what, step)) = self.marks.get(self.next).filter(|it| it.0 <= now) {
                self.count[what as usize] += step;
                self.next += 1;
            }
            let next = self
                .marks
                .get(self.next)
                .map_or(end, |mark| mark.0.min(end));
            parts.add(&self.of(next - now));
            now = next;
        }
        parts
    }

    fn of(&self, length: Duration) -> Parts {
        let [waits, path, holds] = self.count;
        let if_so = |so: bool| if so { length } else { Duration::ZERO };
        Parts {
            waiting: if_so(waits > 0),
            time: if_so(waits <= 0),
            path: if_so(path > 0),
            held: Duration(if_so(waits <= 0).0.saturating_mul(holds)),
        }
    }
}
