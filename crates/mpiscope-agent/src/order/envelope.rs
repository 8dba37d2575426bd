//! What a receive asks for: which wildcards, and where a call has it.

use mpi_abi::FunctionId;

use crate::mpi::shape::Shape;

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

/// Returns where a receive or probe has them; for constants alone.
///
/// # Panics
/// Of a function that receives nothing.
pub const fn at(function: FunctionId) -> At {
    let shape = Shape::of(function);
    let last = match shape.status() {
        None => shape.request(),
        status => status,
    };
    match (shape.asked, shape.comm(), last) {
        (Some(asked), Some(comm), Some(last)) => At {
            source: asked.peer(),
            tag: asked.tag(),
            comm,
            last,
        },
        _ => panic!("this function receives nothing"),
    }
}
