//! What facts of one-sided communication are told in: operations on another
//! process's part of a window, and what synchronizes windows (MPI 4.1, §12).

/// The peer of what concerns all parts of a window, as OTF2 spells it.
pub const ALL_PARTS: u32 = u32::MAX;

/// An operation on another process's part of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoteAccess {
    /// Process-local id of the window, below 2^24.
    pub window: u32,
    /// Rank of the other process in the window's communicator.
    pub target: u32,
    /// What is done there.
    pub operation: RemoteOperation,
    /// Bytes that go there, below 2^48; of a get those that come.
    pub bytes: u64,
    /// Whether data of the same size go there, and come from there. Of a put and a get it is
    /// known, of an atomic operation both may be.
    pub sends: bool,
    /// See `sends`.
    pub receives: bool,
    /// Whether it has a request of its own, which completes here.
    pub has_request: bool,
}

/// What an operation does; as numbers they are those of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum RemoteOperation {
    /// MPI_Put.
    Put,
    /// MPI_Get.
    Get,
    /// MPI_Accumulate.
    Accumulate,
    /// MPI_Get_accumulate, MPI_Fetch_and_op.
    FetchAndAccumulate,
    /// MPI_Compare_and_swap, which sends two values and receives one.
    CompareAndSwap,
}

impl RemoteOperation {
    const ALL: [Self; 5] = [
        Self::Put,
        Self::Get,
        Self::Accumulate,
        Self::FetchAndAccumulate,
        Self::CompareAndSwap,
    ];
}

/// The parts of an access that records keep in a few bits.
impl RemoteAccess {
    pub(super) fn bits(&self) -> u32 {
        self.operation as u32
            | u32::from(self.sends) << 8
            | u32::from(self.receives) << 9
            | u32::from(self.has_request) << 10
    }

    pub(super) fn from_bits(bits: u32, window: u32, target: u32, bytes: u64) -> Option<Self> {
        let operation = RemoteOperation::ALL.get((bits & 0xff) as usize);
        Some(Self {
            window,
            target,
            operation: *operation?,
            bytes,
            sends: bits >> 8 & 1 != 0,
            receives: bits >> 9 & 1 != 0,
            has_request: bits >> 10 & 1 != 0,
        })
    }
}

/// What synchronizes a window, or those who share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowSync {
    /// Operations on this rank's part, or all ([`ALL_PARTS`]), are complete here.
    Local(u32),
    /// They are complete there, too.
    Remote(u32),
    /// A group opened or closed an epoch; its process-local id. The call says which.
    Group(u32),
    /// The lock of a rank's part, or of all, is asked for; whether others may hold it, too.
    Request(u32, bool),
    /// It is held, as the call proves that ends here.
    Acquire(u32, bool),
    /// It was given back.
    Release(u32),
    /// The two copies of this rank's part were made the same.
    Memory(u32),
}

impl WindowSync {
    pub(super) fn words(self) -> (u64, u32) {
        match self {
            Self::Local(rank) => (0, rank),
            Self::Remote(rank) => (1, rank),
            Self::Group(group) => (2, group),
            Self::Request(rank, shared) => (3 | u64::from(shared) << 8, rank),
            Self::Acquire(rank, shared) => (4 | u64::from(shared) << 8, rank),
            Self::Release(rank) => (5, rank),
            Self::Memory(rank) => (6, rank),
        }
    }

    pub(super) fn from_words(a: u64, word: u32) -> Option<Self> {
        let shared = a >> 8 & 1 != 0;
        Some(match a & 0xff {
            0 => Self::Local(word),
            1 => Self::Remote(word),
            2 => Self::Group(word),
            3 => Self::Request(word, shared),
            4 => Self::Acquire(word, shared),
            5 => Self::Release(word),
            6 => Self::Memory(word),
            _ => return None,
        })
    }
}

/// A collective operation on a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowCollective {
    /// Process-local id of the window, below 2^24.
    pub window: u32,
    /// OTF2's CollectiveOp.
    pub op: u8,
    /// Nobody leaves it before all have come.
    pub synchronizes: bool,
}
