//! The nouns that facts are told in: messages, channels, members of collective
//! operations.

use super::IN_PARTS;

/// A point-to-point message as one side sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Message {
    /// Rank of the other side in `comm` (of its remote group for an intercommunicator).
    pub peer: u32,
    /// Process-local id of the communicator, below 2^24.
    pub comm: u32,
    /// The message's actual tag.
    pub tag: u32,
    /// Payload in bytes, below 2^48.
    pub bytes: u64,
    /// Which wildcards the receive was posted with.
    pub wildcard: Wildcard,
    /// Number of the data's type signature in its process, at most
    /// [`MAX_SIGNATURE`]; 0 if it is not known.
    pub signature: u16,
}

impl Message {
    /// Returns whether it is sent in parts, see [`IN_PARTS`]. What asks for any tag is not, whatever
    /// number stands for that.
    pub fn is_in_parts(&self) -> bool {
        self.tag & IN_PARTS != 0 && !self.wildcard.tag
    }
}

/// The wildcards a receive or probe was posted with (MPI 4.1, §3.2.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wildcard {
    /// Posted with `MPI_ANY_SOURCE`.
    pub source: bool,
    /// Posted with `MPI_ANY_TAG`.
    pub tag: bool,
}

impl Wildcard {
    /// Returns bit 0 for `MPI_ANY_SOURCE` and bit 1 for `MPI_ANY_TAG`, the
    /// value of the archive's wildcard attribute.
    pub fn bits(self) -> u8 {
        u8::from(self.source) | u8::from(self.tag) << 1
    }

    /// The inverse of [`Wildcard::bits`].
    pub fn from_bits(bits: u8) -> Self {
        Self {
            source: bits & 1 != 0,
            tag: bits & 2 != 0,
        }
    }
}

/// Messages that are counted together, as one process sees them: the first
/// sent meets the first received (MPI 4.1, §3.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Channel {
    /// What this process does with them.
    pub side: Side,
    /// Process-local id of the communicator.
    pub comm: u32,
    /// Rank of the other side; 0 for collectives.
    pub peer: u32,
    /// The messages' tag; 0 for collectives.
    pub tag: u32,
}

/// One side of a [`Channel`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Messages sent.
    Sent,
    /// Messages received.
    Received,
    /// Blocking collective operations of the communicator.
    Collective,
    /// Collective operations of a window, whose id is in the communicator's place.
    Window,
}

impl Channel {
    /// Returns the channel of a message.
    pub fn of(side: Side, message: &Message) -> Self {
        Self {
            side,
            comm: message.comm,
            peer: message.peer,
            tag: message.tag,
        }
    }

    /// Returns the channel of a communicator's collective operations.
    pub fn collective(comm: u32) -> Self {
        Self {
            side: Side::Collective,
            comm,
            peer: 0,
            tag: 0,
        }
    }

    /// Returns the channel of a window's collective operations.
    pub fn window(window: u32) -> Self {
        Self {
            side: Side::Window,
            ..Self::collective(window)
        }
    }
}

/// What one member says where it begins a collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begun {
    /// Process-local id of the communicator.
    pub comm: u32,
    /// Root's rank in `comm`, [`NO_ROOT`] for rootless operations.
    pub root: u32,
    /// Number of the data's type signature, 0 if it is not known.
    pub signature: u16,
}

/// What one member of a collective operation contributed and got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collective {
    /// OTF2's CollectiveOp, below 32; [`AMONG_NEIGHBORS`] may be set.
    pub op: u8,
    /// Process-local id of the communicator.
    pub comm: u32,
    /// Root's rank in `comm`, [`NO_ROOT`] for rootless operations.
    pub root: u32,
    /// Bytes this member sent, below 2^48.
    pub sent: u64,
    /// Bytes this member received, below 2^48.
    pub received: u64,
    /// Number of the data's type signature, of a nonblocking one that
    /// completes; the begin of a blocking one has told it.
    pub signature: u16,
    /// Whether it is an alltoallv or alltoallw in which this member sent
    /// something to every other.
    pub dense: bool,
}
