//! What processes that share a trace tell each other of its profile, as bytes.

use mpiscope_model::plain;
use mpiscope_model::plain::{put_list, take_list, Plain};

use super::all::pairs_of;
use super::waits::{Count, Waits};
use super::{Activity, RankSum, Sent, Spread, Statement, Sum};
use crate::clock_errors::{Nets, Resolution};
use crate::races::CallPlace;
use crate::wait_states::{Kind, Times, WaitState};

plain! {
    CallPlace { region, site }
    Statement { place, within }
    Sum { times, time, waiting, path, held, sent, received }
    Spread { locations, most, rank, first_call }
    Resolution { half_width, below_times, below, unknown_times, unknown }
    Count { times, time, resolution }
    RankSum {
        rank, time, mpi, waiting, resolution, threads, threads_waiting, unrecorded, causing, path
    }
    WaitState { kind, call, begin, end, cause, contradicts }
    Sent { from, to, messages, bytes }
    Times { times, time }
}

/// Its place among all.
impl Plain for Kind {
    fn put(self, bytes: &mut Vec<u8>) {
        (self as u8).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Kind> {
        Kind::ALL.get(usize::from(u8::take(bytes)?)).copied()
    }
}

impl Plain for Activity {
    fn put(self, bytes: &mut Vec<u8>) {
        match self {
            Activity::Mpi(statement) => (0u8, statement).put(bytes),
            Activity::Threads(statement) => (1u8, statement).put(bytes),
            Activity::Region(region) => (2u8, region).put(bytes),
            Activity::Between(after, before) => (3u8, after, before).put(bytes),
            Activity::Unrecorded => 4u8.put(bytes),
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Activity> {
        Some(match u8::take(bytes)? {
            0 => Activity::Mpi(Plain::take(bytes)?),
            1 => Activity::Threads(Plain::take(bytes)?),
            2 => Activity::Region(Plain::take(bytes)?),
            3 => Activity::Between(Plain::take(bytes)?, Plain::take(bytes)?),
            _ => Activity::Unrecorded,
        })
    }
}

impl Waits {
    pub(super) fn put(&self, bytes: &mut Vec<u8>) {
        self.all.put(bytes);
        self.longest.put(bytes);
        put_list(&pairs_of(&self.waiting), bytes);
        put_list(&pairs_of(&self.causing), bytes);
        self.nets.put(bytes);
    }

    pub(super) fn take(bytes: &mut &[u8]) -> Option<Waits> {
        Some(Waits {
            all: Count::take(bytes)?,
            longest: WaitState::take(bytes)?,
            waiting: take_list(bytes)?.into_iter().collect(),
            causing: take_list(bytes)?.into_iter().collect(),
            nets: Nets::take(bytes)?,
        })
    }
}
