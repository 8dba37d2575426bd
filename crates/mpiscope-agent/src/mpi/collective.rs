//! What a collective operation is, read off its name (MPI 4.1, §6.2.1): each has a blocking, a
//! nonblocking and a persistent form with the same arguments at the same places, some also among
//! neighbours of a topology.

use mpi_abi::{FunctionId, FUNCTIONS};

/// A collective operation as one function makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// Which it is.
    pub operation: Operation,
    /// When it is made.
    pub form: Form,
    /// Whether it is among neighbours of a topology.
    pub is_among_neighbors: bool,
}

/// Which operation it is; as numbers they are OTF2's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Operation {
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    Allreduce,
    Reduce,
    ReduceScatter,
    Scan,
    Exscan,
    ReduceScatterBlock,
}

/// When an operation is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Within the call.
    Blocking,
    /// From the call to the completion of the request that it returns.
    Nonblocking,
    /// From each start of the request that the call returns.
    Persistent,
}

const OPERATIONS: [(&str, Operation); 17] = [
    ("barrier", Operation::Barrier),
    ("bcast", Operation::Bcast),
    ("gather", Operation::Gather),
    ("gatherv", Operation::Gatherv),
    ("scatter", Operation::Scatter),
    ("scatterv", Operation::Scatterv),
    ("allgather", Operation::Allgather),
    ("allgatherv", Operation::Allgatherv),
    ("alltoall", Operation::Alltoall),
    ("alltoallv", Operation::Alltoallv),
    ("alltoallw", Operation::Alltoallw),
    ("allreduce", Operation::Allreduce),
    ("reduce", Operation::Reduce),
    ("reduce_scatter", Operation::ReduceScatter),
    ("scan", Operation::Scan),
    ("exscan", Operation::Exscan),
    ("reduce_scatter_block", Operation::ReduceScatterBlock),
];

/// Names are read when we are compiled: a call asks often, and comparing names takes longer than
/// counting it.
const COLLECTIVES: &[Option<Collective>; FUNCTIONS.len()] = &{
    let mut all = [None; FUNCTIONS.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = Collective::read(FUNCTIONS[index].name);
        index += 1;
    }
    all
};

/// Returns the collective operation that a function makes.
#[inline]
pub const fn collective(function: FunctionId) -> Option<Collective> {
    COLLECTIVES[function.0 as usize]
}

impl Collective {
    /// Reads the operation that a function makes off its name.
    const fn read(name: &str) -> Option<Collective> {
        let [b'M', b'P', b'I', b'_', name @ ..] = name.as_bytes() else {
            return None;
        };
        let name = match name {
            [name @ .., b'_', b'c'] => name,
            _ => name,
        };
        let (name, form) = match name {
            [b'I', name @ ..] => (name, Form::Nonblocking),
            [name @ .., b'_', b'i', b'n', b'i', b't'] => (name, Form::Persistent),
            _ => (name, Form::Blocking),
        };
        let (name, is_among_neighbors) = match name {
            [b'N' | b'n', b'e', b'i', b'g', b'h', b'b', b'o', b'r', b'_', name @ ..] => {
                (name, true)
            }
            _ => (name, false),
        };
        match operation(name) {
            Some(operation) => Some(Collective {
                operation,
                form,
                is_among_neighbors,
            }),
            None => None,
        }
    }

    /// Whether each member has its result, and so leaves a blocking form, only after all have
    /// come, however little data there are.
    pub const fn is_joint(self) -> bool {
        use Operation::{Allgather, Allreduce, Alltoall, Barrier};
        matches!(self.operation, Barrier | Allgather | Alltoall | Allreduce)
            && !self.is_among_neighbors
    }

    /// Whether results depend on the order in which MPI combines what members bring.
    pub const fn is_reduction(self) -> bool {
        use Operation::{Allreduce, Exscan, Reduce, ReduceScatter, ReduceScatterBlock, Scan};
        matches!(
            self.operation,
            Allreduce | Reduce | ReduceScatter | Scan | Exscan | ReduceScatterBlock
        )
    }
}

const fn operation(name: &[u8]) -> Option<Operation> {
    let mut at = 0;
    while at < OPERATIONS.len() {
        let (of, operation) = OPERATIONS[at];
        if is_name(name, of.as_bytes()) {
            return Some(operation);
        }
        at += 1;
    }
    None
}

/// Whether it is this name, which may begin with a capital.
const fn is_name(name: &[u8], lower: &[u8]) -> bool {
    if name.len() != lower.len() {
        return false;
    }
    let mut at = 0;
    while at < name.len() {
        if name[at].to_ascii_lowercase() != lower[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use mpi_abi::id;

    use super::*;

    #[test]
    fn numbers_are_those_of_otf2() {
        for (number, (name, operation)) in (0..).zip(OPERATIONS) {
            assert_eq!(operation as u8, number, "{name}");
        }
        assert_eq!(Operation::Allreduce as u8, 11);
    }

    #[test]
    fn forms_are_told_by_names() {
        let of = |function| collective(function).map(|it| (it.operation, it.form));
        let (scan, gather) = (Operation::Scan, Operation::Allgatherv);
        assert_eq!(of(id::MPI_SCAN_C), Some((scan, Form::Blocking)));
        assert_eq!(of(id::MPI_ISCAN), Some((scan, Form::Nonblocking)));
        assert_eq!(of(id::MPI_SCAN_INIT_C), Some((scan, Form::Persistent)));
        let near = collective(id::MPI_INEIGHBOR_ALLGATHERV_C).unwrap();
        assert_eq!((near.operation, near.form), (gather, Form::Nonblocking));
        assert!(near.is_among_neighbors);
        for other in [id::MPI_INIT, id::MPI_SEND_INIT, id::MPI_REDUCE_LOCAL] {
            assert_eq!(of(other), None);
        }
    }

    /// Each has all its forms, and where counts can be large, twice.
    #[test]
    fn every_function_is_found() {
        let found = COLLECTIVES.iter().flatten();
        let (near, all): (Vec<&Collective>, Vec<_>) = found.partition(|it| it.is_among_neighbors);
        assert_eq!((all.len(), near.len()), (3 + 16 * 6, 5 * 6));
    }
}
