//! What the table says about a call: its role, and each argument's meaning.
//!
//! ```
//! use mpi_abi::{id, Kind};
//!
//! let send = id::MPI_SEND.function();
//! assert_eq!(send.name, "MPI_Send");
//! assert_eq!(send.args[send.arg("comm").unwrap()].kind, Kind::Comm);
//! ```

use crate::table::FUNCTIONS;

/// A call of the MPI standard: an index into [`FUNCTIONS`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u16);

impl FunctionId {
    /// Returns the identity of a call by its C name, or nothing if the table lacks it.
    pub fn find(name: &str) -> Option<FunctionId> {
        let index = FUNCTIONS.binary_search_by(|f| f.name.cmp(name)).ok()?;
        Some(FunctionId(index as u16))
    }

    /// Returns the row of the table. Identities come from `id` or [`find`](Self::find);
    /// another number gets the last row rather than a panic inside the program observed.
    #[inline]
    pub fn function(self) -> &'static Function {
        &FUNCTIONS[self.index()]
    }

    /// Returns the index, in range for tables with a slot per function.
    #[inline]
    pub fn index(self) -> usize {
        const LAST: usize = FUNCTIONS.len() - 1;
        (self.0 as usize).min(LAST)
    }

    /// Returns the large-count (`_c`) form of the same call, which the table has behind it: after
    /// others whose names begin with this one's (`MPI_Get_accumulate` lies between `MPI_Get` and
    /// `MPI_Get_c`).
    pub const fn large_count(self) -> Option<FunctionId> {
        let name = FUNCTIONS[self.0 as usize].name.as_bytes();
        let mut next = self.0 as usize + 1;
        while next < FUNCTIONS.len() && begins(FUNCTIONS[next].name.as_bytes(), name) {
            match FUNCTIONS[next].name.as_bytes() {
                [of @ .., b'_', b'c'] if same_bytes(of, name) => {
                    return Some(FunctionId(next as u16))
                }
                _ => next += 1,
            }
        }
        None
    }
}

/// One call.
#[derive(Debug)]
pub struct Function {
    /// Its C name, `MPI_Send`; a large-count form ends in `_c`.
    pub name: &'static str,
    /// What it does, in the words of OTF2's region roles.
    pub role: Role,
    /// Whether `mpif.h` has it.
    pub fortran: bool,
    /// The arguments of the C form. The Fortran form has the same in the same
    /// order, but for `argc` and `argv` of the three calls that have them.
    pub args: &'static [Arg],
}

impl Function {
    /// Returns the index of an argument by its name in the standard.
    pub const fn arg(&self, name: &str) -> Option<usize> {
        let mut index = 0;
        while index < self.args.len() {
            if same(self.args[index].name, name) {
                return Some(index);
            }
            index += 1;
        }
        None
    }

    /// Tells whether this is the large-count (`_c`) form of another call.
    pub const fn is_large_count(&self) -> bool {
        matches!(self.name.as_bytes(), [.., b'_', b'c'])
    }
}

/// Compares two strings where `==` is not yet const.
const fn same(a: &str, b: &str) -> bool {
    same_bytes(a.as_bytes(), b.as_bytes())
}

/// Whether a name begins with another.
const fn begins(name: &[u8], with: &[u8]) -> bool {
    match name.split_at_checked(with.len()) {
        Some((begin, _)) => same_bytes(begin, with),
        None => false,
    }
}

const fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// One argument of the C form.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Its name in the standard.
    pub name: &'static str,
    /// What it means.
    pub kind: Kind,
    /// Whether the call reads or writes it.
    pub direction: Direction,
    /// How C passes it; Fortran passes everything by reference.
    pub passing: Passing,
}

/// What an argument means, which also says how wide it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A choice buffer.
    Buffer,
    /// A number of elements, `int`.
    Count,
    /// A number of elements, `MPI_Count`.
    LargeCount,
    /// An address, displacement or size, `MPI_Aint`.
    Address,
    /// A file offset, `MPI_Offset`.
    Offset,
    /// Any other `int`.
    Int,
    /// A logical value: `int` in C, LOGICAL in Fortran.
    Flag,
    /// A rank, the root among them.
    Rank,
    /// A message tag.
    Tag,
    /// The key of an attribute, `int`.
    Keyval,
    /// A communicator.
    Comm,
    /// A datatype.
    Datatype,
    /// An error handler.
    Errhandler,
    /// A file.
    File,
    /// A group.
    Group,
    /// An info object.
    Info,
    /// A matched message.
    Message,
    /// A reduction operation.
    Op,
    /// A request.
    Request,
    /// A session.
    Session,
    /// A window.
    Win,
    /// A status.
    Status,
    /// A string.
    String,
    /// A function of the program's.
    Callback,
    /// Anything else: attribute values, extra state, `argv`, `...`.
    Other,
}

/// Whether a call reads or writes an argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Read.
    In,
    /// Written.
    Out,
    /// Read, then written.
    InOut,
}

/// How C passes an argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// The value itself; for a buffer its address.
    Value,
    /// A pointer to one value.
    Reference,
    /// A pointer to the first of several.
    Array,
}

/// What a call does, in the words of OTF2's `OTF2_RegionRole`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Messages between two ranks, and waiting for them.
    Point2Point,
    /// Broadcast and scatter.
    CollOne2All,
    /// Reduce and gather.
    CollAll2One,
    /// Allreduce, allgather, alltoall, reduce-scatter.
    CollAll2All,
    /// Scans and neighbourhood collectives.
    CollOther,
    /// Barriers.
    Barrier,
    /// One-sided communication and its synchronization.
    Rma,
    /// File input and output.
    FileIo,
    /// Everything else.
    Function,
}

/// An argument read, passed by value.
pub(crate) const fn val(name: &'static str, kind: Kind) -> Arg {
    Arg {
        name,
        kind,
        direction: Direction::In,
        passing: Passing::Value,
    }
}

/// An argument behind a pointer.
pub(crate) const fn ptr(name: &'static str, kind: Kind, direction: Direction) -> Arg {
    Arg {
        name,
        kind,
        direction,
        passing: Passing::Reference,
    }
}

/// An array.
pub(crate) const fn arr(name: &'static str, kind: Kind, direction: Direction) -> Arg {
    Arg {
        name,
        kind,
        direction,
        passing: Passing::Array,
    }
}
