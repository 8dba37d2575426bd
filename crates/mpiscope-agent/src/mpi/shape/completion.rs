//! Where waits and tests have their arguments (MPI 4.1, §3.7.3 to §3.7.6), read off the
//! declarations; for constants alone, as of a function of another kind these panic.

use mpi_abi::{id, FunctionId};

use super::{either, place};

/// An array of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requests {
    /// How many there are.
    pub count: usize,
    /// Their handles.
    pub handles: usize,
}

/// A wait or test for all of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitAll {
    /// The requests.
    pub requests: Requests,
    /// What they tell, in an array.
    pub statuses: usize,
}

/// A wait or test for one of an array, whichever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitAny {
    /// The requests.
    pub requests: Requests,
    /// Which it was.
    pub index: usize,
    /// What it tells.
    pub status: usize,
}

/// A wait or test for as many of an array as are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitSome {
    /// The requests.
    pub requests: Requests,
    /// How many they were.
    pub outcount: usize,
    /// Which they were.
    pub indices: usize,
    /// What they tell, in an array.
    pub statuses: usize,
}

/// The request of every wait or test for one.
pub const ONE: usize = request(id::MPI_WAIT);
/// The requests of every wait or test for several.
pub const SEVERAL: Requests = requests(id::MPI_WAITALL);
/// Where `MPI_Waitany` has its arguments; `MPI_Testany` has all but the status at the same places.
pub const ANY: WaitAny = any(id::MPI_WAITANY);
/// Where `MPI_Waitsome` and `MPI_Testsome` have them.
pub const SOME: WaitSome = some(id::MPI_WAITSOME);

/// Returns where a wait or test for one has its request.
pub const fn request(function: FunctionId) -> usize {
    named(function, "request")
}

/// Returns where a wait, test or probe for one has its status.
pub const fn status(function: FunctionId) -> usize {
    named(function, "status")
}

/// Returns where a test or probe says whether something was there.
pub const fn flag(function: FunctionId) -> usize {
    named(function, "flag")
}

/// Returns where a function has the argument of that name.
pub const fn named(function: FunctionId, name: &str) -> usize {
    at(place(function, name))
}

/// Returns where `MPI_Waitall` and its kin have their arguments.
pub const fn all(function: FunctionId) -> WaitAll {
    WaitAll {
        requests: requests(function),
        statuses: named(function, "array_of_statuses"),
    }
}

/// Returns where `MPI_Waitany` and its kin have them.
pub const fn any(function: FunctionId) -> WaitAny {
    WaitAny {
        requests: requests(function),
        index: named(function, "index"),
        status: status(function),
    }
}

/// Returns where `MPI_Waitsome` and its kin have them.
pub const fn some(function: FunctionId) -> WaitSome {
    WaitSome {
        requests: requests(function),
        outcount: named(function, "outcount"),
        indices: named(function, "array_of_indices"),
        statuses: named(function, "array_of_statuses"),
    }
}

/// Returns where an array of requests lies.
pub const fn requests(function: FunctionId) -> Requests {
    Requests {
        count: at(either(function, "incount", "count")),
        handles: named(function, "array_of_requests"),
    }
}

const fn at(place: Option<u8>) -> usize {
    match place {
        Some(at) => at as usize,
        None => panic!("this function has no such argument"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the standard prints them; the same places in waits and tests of one kind, on which
    /// those rely who replay one by the other.
    #[test]
    fn arguments_lie_where_the_standard_has_them() {
        let [wait, test] = [id::MPI_WAIT, id::MPI_TEST].map(|it| [request(it), status(it)]);
        assert_eq!((wait, test, flag(id::MPI_TEST)), ([0, 1], [0, 2], 1));
        let first = Requests {
            count: 0,
            handles: 1,
        };
        assert_eq!((ONE, SEVERAL), (0, first));
        let [wait, test] = [id::MPI_WAITALL, id::MPI_TESTALL].map(all);
        assert_eq!((wait.requests, wait.statuses), (first, 2));
        assert_eq!((test.requests, test.statuses), (first, 3));
        let [wait, test] = [id::MPI_WAITANY, id::MPI_TESTANY].map(any);
        assert_eq!((wait.requests, wait.index, wait.status), (first, 2, 3));
        assert_eq!((test.requests, test.index, test.status), (first, 2, 4));
        let [wait, test] = [id::MPI_WAITSOME, id::MPI_TESTSOME].map(some);
        assert_eq!(wait, test);
        assert_eq!((wait.requests, wait.outcount), (first, 2));
        assert_eq!((wait.indices, wait.statuses), (3, 4));
    }
}
