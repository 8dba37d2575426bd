//! What processes do to each other's windows, as far as it orders them.

use crate::definitions::{CollectiveOp, GroupId, WinId};

/// An event of one-sided communication, under OTF2's names without `Rma`.
/// Puts, gets and flushes are missing: nobody waits for them elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneSidedEvent {
    /// A window was created.
    WinCreate(WinId),
    /// A window is destroyed.
    WinDestroy(WinId),
    /// A collective operation on a window began.
    CollectiveBegin,
    /// A collective operation on a window ended.
    CollectiveEnd(WinCollective),
    /// A group synchronized: post, start, complete or wait, as the region says.
    GroupSync(WinId, GroupId),
    /// A lock is asked for.
    RequestLock(WinLock),
    /// A lock was acquired.
    AcquireLock(WinLock),
    /// A lock was tried for.
    TryLock(WinLock),
    /// A lock is released.
    ReleaseLock(WinLock),
    /// A notification of the rank was received.
    NotifyIn(WinId, u32),
    /// The rank was notified.
    NotifyOut(WinId, u32),
}

/// A collective operation on a window, as its end tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinCollective {
    /// Which operation.
    pub op: CollectiveOp,
    /// The window.
    pub win: WinId,
    /// Rank of the root, of operations that have one.
    pub root: Option<u32>,
    /// All processes have entered before one leaves, whatever the operation.
    pub synchronizes: bool,
    /// Bytes this member sent.
    pub sent: u64,
    /// Bytes this member received.
    pub received: u64,
}

/// A lock of one rank's part of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WinLock {
    /// The window.
    pub win: WinId,
    /// Rank whose part it is.
    pub remote: u32,
    /// Tells several locks of that part apart.
    pub id: u64,
    /// Others may hold it too (a release does not say).
    pub shared: bool,
}
