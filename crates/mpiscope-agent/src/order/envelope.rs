//! What a receive asks for: which wildcards, and where a call has it.

/// Which wildcards a receive was posted with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wild {
    /// `MPI_ANY_SOURCE`.
    pub source: bool,
    /// `MPI_ANY_TAG`.
    pub tag: bool,
}

impl Wild {
    /// Returns whether there is any choice.
    #[inline]
    pub fn any(self) -> bool {
        self.source || self.tag
    }
}

/// Where a call has the arguments of its receive.
#[derive(Clone, Copy)]
pub struct At {
    /// The source.
    pub source: usize,
    /// The tag.
    pub tag: usize,
    /// The communicator.
    pub comm: usize,
    /// The status, or the request.
    pub last: usize,
}

/// Makes the places of source, tag, communicator, and status or request.
pub const fn at(source: usize, tag: usize, comm: usize, last: usize) -> At {
    At {
        source,
        tag,
        comm,
        last,
    }
}
