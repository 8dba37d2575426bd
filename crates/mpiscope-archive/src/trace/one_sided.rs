//! Windows, from OTF2's records to the model's.

use mpiscope_model::definitions::CollectiveOp;
use mpiscope_model::{OneSidedEvent, WinCollective, WinLock};
use otf2::{LockType, RmaSyncLevel, RmaSyncType, ROOT_NONE};

use super::names::Names;

/// Returns what was done to a window, if the event is of that kind and orders
/// anything.
pub(super) fn one_sided_event(event: &otf2::Event, names: &mut Names) -> Option<OneSidedEvent> {
    use otf2::Event as E;
    let mut lock = |win: u32, remote: u32, id: u64, kind: LockType| WinLock {
        win: names.window(win),
        remote,
        id,
        shared: kind == LockType::SHARED,
    };
    Some(match *event {
        E::RmaRequestLock {
            win,
            remote,
            lock_id,
            lock_type,
        } => OneSidedEvent::RequestLock(lock(win, remote, lock_id, lock_type)),
        E::RmaAcquireLock {
            win,
            remote,
            lock_id,
            lock_type,
        } => OneSidedEvent::AcquireLock(lock(win, remote, lock_id, lock_type)),
        E::RmaTryLock {
            win,
            remote,
            lock_id,
            lock_type,
        } => OneSidedEvent::TryLock(lock(win, remote, lock_id, lock_type)),
        E::RmaReleaseLock {
            win,
            remote,
            lock_id,
        } => OneSidedEvent::ReleaseLock(lock(win, remote, lock_id, LockType::EXCLUSIVE)),
        E::RmaWinCreate { win } => OneSidedEvent::WinCreate(names.window(win)),
        E::RmaWinDestroy { win } => OneSidedEvent::WinDestroy(names.window(win)),
        E::RmaCollectiveBegin => OneSidedEvent::CollectiveBegin,
        E::RmaCollectiveEnd {
            collective_op,
            sync_level,
            win,
            root,
            bytes_sent,
            bytes_received,
        } => OneSidedEvent::CollectiveEnd(WinCollective {
            op: CollectiveOp::from_number(collective_op.0),
            win: names.window(win),
            root: Some(root).filter(|&root| root != ROOT_NONE),
            synchronizes: sync_level.contains(RmaSyncLevel::PROCESS),
            sent: bytes_sent,
            received: bytes_received,
        }),
        E::RmaGroupSync { win, group, .. } => {
            OneSidedEvent::GroupSync(names.window(win), names.group(group)?)
        }
        E::RmaSync {
            win,
            remote,
            sync_type,
        } => match sync_type {
            RmaSyncType::NOTIFY_IN => OneSidedEvent::NotifyIn(names.window(win), remote),
            RmaSyncType::NOTIFY_OUT => OneSidedEvent::NotifyOut(names.window(win), remote),
            _ => return None,
        },
        _ => return None,
    })
}
