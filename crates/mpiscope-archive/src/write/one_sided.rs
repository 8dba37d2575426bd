//! Windows, from the model's events to OTF2's records.

use mpiscope_model::{OneSidedEvent as O, WinCollective};
use otf2::{CollectiveOp, Event as E, LockType, RmaSyncLevel, RmaSyncType, ROOT_NONE};

use super::definitions::Numbers;

pub(super) fn record(event: O, numbers: &Numbers) -> E {
    match event {
        O::WinCreate(win) => E::RmaWinCreate { win: win.0 },
        O::WinDestroy(win) => E::RmaWinDestroy { win: win.0 },
        O::CollectiveBegin => E::RmaCollectiveBegin,
        O::CollectiveEnd(end) => collective(end),
        O::GroupSync(win, group) => E::RmaGroupSync {
            sync_level: RmaSyncLevel::PROCESS,
            win: win.0,
            group: numbers.group(group),
        },
        O::RequestLock(lock) => E::RmaRequestLock {
            win: lock.win.0,
            remote: lock.remote,
            lock_id: lock.id,
            lock_type: lock_type(lock.shared),
        },
        O::AcquireLock(lock) => E::RmaAcquireLock {
            win: lock.win.0,
            remote: lock.remote,
            lock_id: lock.id,
            lock_type: lock_type(lock.shared),
        },
        O::TryLock(lock) => E::RmaTryLock {
            win: lock.win.0,
            remote: lock.remote,
            lock_id: lock.id,
            lock_type: lock_type(lock.shared),
        },
        O::ReleaseLock(lock) => E::RmaReleaseLock {
            win: lock.win.0,
            remote: lock.remote,
            lock_id: lock.id,
        },
        O::NotifyIn(win, remote) => E::RmaSync {
            win: win.0,
            remote,
            sync_type: RmaSyncType::NOTIFY_IN,
        },
        O::NotifyOut(win, remote) => E::RmaSync {
            win: win.0,
            remote,
            sync_type: RmaSyncType::NOTIFY_OUT,
        },
    }
}

fn collective(end: WinCollective) -> E {
    E::RmaCollectiveEnd {
        collective_op: CollectiveOp(end.op.number()),
        sync_level: match end.synchronizes {
            true => RmaSyncLevel::PROCESS,
            false => RmaSyncLevel::NONE,
        },
        win: end.win.0,
        root: end.root.unwrap_or(ROOT_NONE),
        bytes_sent: end.sent,
        bytes_received: end.received,
    }
}

fn lock_type(shared: bool) -> LockType {
    match shared {
        true => LockType::SHARED,
        false => LockType::EXCLUSIVE,
    }
}
