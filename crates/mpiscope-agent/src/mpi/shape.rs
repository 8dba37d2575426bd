//! Where the arguments of MPI's functions lie, by what they are for: read off the declarations,
//! so that no layer counts them.

pub mod completion;

use mpi_abi::{Arg, Direction, FunctionId, Kind, FUNCTIONS};

/// What a function's arguments are for. Functions of one kind have them at different places, and
/// those of one name may have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The message that is sent.
    pub sent: Option<Envelope>,
    /// The message that is asked for: by a receive or a probe.
    pub asked: Option<Envelope>,
    comm: Option<u8>,
    root: Option<u8>,
    message: Option<u8>,
    status: Option<u8>,
    request: Option<u8>,
    flag: Option<u8>,
    /// Count and datatype of what an operation among all brings.
    brought: Option<[u8; 2]>,
    window: Option<u8>,
    file: Option<u8>,
    group: Option<u8>,
    /// What is done to another process's part of a window.
    pub access: Option<Access>,
}

/// Where the parts of an operation on another process's part of a window lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    target: u8,
    /// Count and datatype of what this process has, where one element is not all.
    origin: Option<[u8; 2]>,
    /// The same of what it gets back.
    result: Option<[u8; 2]>,
    /// The datatype of the one element.
    datatype: Option<u8>,
}

/// Where the parts of a message lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    peer: u8,
    tag: u8,
    /// Count and datatype, but for a probe.
    data: Option<[u8; 2]>,
}

static SHAPES: [Shape; FUNCTIONS.len()] = {
    let mut shapes = [Shape::NONE; FUNCTIONS.len()];
    let mut index = 0;
    while index < shapes.len() {
        shapes[index] = Shape::of(FunctionId(index as u16));
        index += 1;
    }
    shapes
};

/// Returns the shape of a function.
#[inline]
pub fn shape(function: FunctionId) -> &'static Shape {
    &SHAPES[function.index()]
}

impl Envelope {
    /// The rank, or the wildcard.
    pub const fn peer(&self) -> usize {
        self.peer as usize
    }

    /// The tag.
    pub const fn tag(&self) -> usize {
        self.tag as usize
    }

    /// Count and datatype, but for a probe.
    pub const fn data(&self) -> Option<[usize; 2]> {
        both(self.data)
    }
}

impl Access {
    /// The rank of the other process.
    pub const fn target(&self) -> usize {
        self.target as usize
    }

    /// Count and datatype of what this process has, where one element is not all.
    pub const fn origin(&self) -> Option<[usize; 2]> {
        both(self.origin)
    }

    /// Count and datatype of what it gets back.
    pub const fn result(&self) -> Option<[usize; 2]> {
        both(self.result)
    }

    /// The datatype of the one element.
    pub const fn datatype(&self) -> Option<usize> {
        at(self.datatype)
    }
}

impl Shape {
    const NONE: Shape = Shape {
        sent: None,
        asked: None,
        comm: None,
        root: None,
        message: None,
        status: None,
        request: None,
        flag: None,
        brought: None,
        window: None,
        file: None,
        group: None,
        access: None,
    };

    /// Reads the shape of a function off its declaration.
    pub const fn of(function: FunctionId) -> Shape {
        let sent = ["dest", "sendtag", "sendcount", "sendtype"];
        let asked = ["source", "recvtag", "recvcount", "recvtype"];
        Shape {
            sent: envelope(function, sent),
            asked: envelope(function, asked),
            comm: comm(function),
            root: place(function, "root"),
            message: first(function, Kind::Message),
            status: first(function, Kind::Status),
            request: first(function, Kind::Request),
            flag: place(function, "flag"),
            brought: data(function, "recvcount", "recvtype"),
            window: first(function, Kind::Win),
            file: first(function, Kind::File),
            group: first(function, Kind::Group),
            access: access(function),
        }
    }

    /// The window, whether the call is given it, makes it or frees it.
    pub const fn window(&self) -> Option<usize> {
        at(self.window)
    }

    /// The file, whether the call is given it, opens it or closes it.
    pub const fn file(&self) -> Option<usize> {
        at(self.file)
    }

    /// The group.
    pub const fn group(&self) -> Option<usize> {
        at(self.group)
    }

    /// The communicator that the call is given, the first if it is given two.
    pub const fn comm(&self) -> Option<usize> {
        at(self.comm)
    }

    /// The root of a collective operation.
    pub const fn root(&self) -> Option<usize> {
        at(self.root)
    }

    /// The handle of a matched message.
    pub const fn message(&self) -> Option<usize> {
        at(self.message)
    }

    /// The status, or the array of them.
    pub const fn status(&self) -> Option<usize> {
        at(self.status)
    }

    /// The request, or the array of them.
    pub const fn request(&self) -> Option<usize> {
        at(self.request)
    }

    /// Count and datatype of what an operation among all brings each member, or of what is moved
    /// between memory and a file.
    pub const fn brought(&self) -> Option<[usize; 2]> {
        both(self.brought)
    }

    /// Whether something is complete, or was found.
    pub const fn flag(&self) -> Option<usize> {
        at(self.flag)
    }
}

/// Returns the place of the first communicator, whether the call is given it or frees it.
pub const fn any_comm(function: FunctionId) -> Option<u8> {
    first(function, Kind::Comm)
}

/// Where the two sides of a call are told apart their arguments have the longer names.
const fn envelope(function: FunctionId, names: [&str; 4]) -> Option<Envelope> {
    let (Some(peer), Some(tag)) = (place(function, names[0]), either(function, names[1], "tag"))
    else {
        return None;
    };
    let data = data(function, names[2], names[3]);
    Some(Envelope { peer, tag, data })
}

const fn access(function: FunctionId) -> Option<Access> {
    let Some(target) = place(function, "target_rank") else {
        return None;
    };
    Some(Access {
        target,
        origin: data(function, "origin_count", "origin_datatype"),
        result: data(function, "result_count", "result_datatype"),
        datatype: place(function, "datatype"),
    })
}

const fn data(function: FunctionId, count: &str, datatype: &str) -> Option<[u8; 2]> {
    match (
        either(function, count, "count"),
        either(function, datatype, "datatype"),
    ) {
        (Some(count), Some(datatype)) => Some([count, datatype]),
        _ => None,
    }
}

/// Given, not made or freed by the call.
const fn comm(function: FunctionId) -> Option<u8> {
    match first(function, Kind::Comm) {
        Some(at) if matches!(argument(function, at).direction, Direction::In) => Some(at),
        _ => None,
    }
}

/// Returns the first argument of a kind.
const fn first(function: FunctionId, kind: Kind) -> Option<u8> {
    let mut at = 0;
    while (at as usize) < FUNCTIONS[function.0 as usize].args.len() {
        if argument(function, at).kind as u8 == kind as u8 {
            return Some(at);
        }
        at += 1;
    }
    None
}

const fn argument(function: FunctionId, at: u8) -> &'static Arg {
    &FUNCTIONS[function.0 as usize].args[at as usize]
}

const fn either(function: FunctionId, name: &str, other: &str) -> Option<u8> {
    match place(function, name) {
        None => place(function, other),
        found => found,
    }
}

const fn place(function: FunctionId, name: &str) -> Option<u8> {
    match FUNCTIONS[function.0 as usize].arg(name) {
        Some(at) => Some(at as u8),
        None => None,
    }
}

const fn both(places: Option<[u8; 2]>) -> Option<[usize; 2]> {
    match places {
        Some([first, second]) => Some([first as usize, second as usize]),
        None => None,
    }
}

const fn at(place: Option<u8>) -> Option<usize> {
    match place {
        Some(at) => Some(at as usize),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use mpi_abi::id;

    use super::*;

    #[track_caller]
    fn check(function: FunctionId, sent: &[usize], asked: &[usize], [comm, last]: [usize; 2]) {
        let flat = |it: Option<Envelope>| {
            let rest = |it: Envelope| it.data().unwrap_or_default();
            it.map_or(vec![], |it| {
                [vec![it.peer(), it.tag()], rest(it).to_vec()].concat()
            })
        };
        let shape = shape(function);
        assert_eq!(
            (flat(shape.sent), flat(shape.asked)),
            (sent.to_vec(), asked.to_vec())
        );
        assert_eq!(shape.comm(), Some(comm));
        assert_eq!(shape.status().or(shape.request()), Some(last));
    }

    /// As the standard prints them (MPI 4.1, §3.2 to §3.10).
    #[test]
    fn arguments_lie_where_the_standard_has_them() {
        check(id::MPI_ISEND, &[3, 4, 1, 2], &[], [5, 6]);
        check(id::MPI_RECV_C, &[], &[3, 4, 1, 2], [5, 6]);
        check(id::MPI_SENDRECV, &[3, 4, 1, 2], &[8, 9, 6, 7], [10, 11]);
        check(
            id::MPI_ISENDRECV_REPLACE,
            &[3, 4, 1, 2],
            &[5, 6, 1, 2],
            [7, 8],
        );
        check(id::MPI_IPROBE, &[], &[0, 1, 0, 0], [2, 4]);
        assert_eq!(shape(id::MPI_IPROBE).flag(), Some(3));
        assert_eq!(shape(id::MPI_IMPROBE).message(), Some(4));
        assert_eq!(shape(id::MPI_IGATHERV).root(), Some(7));
        assert_eq!(shape(id::MPI_WAITALL).request(), Some(1));
    }

    /// As the standard prints them (MPI 4.1, §12.3 and §12.5).
    #[test]
    fn what_is_done_to_windows_lies_where_the_standard_has_it() {
        let check = |function, target, origin: Option<_>, result: Option<_>, window| {
            let shape = shape(function);
            let it = shape.access.unwrap();
            assert_eq!(
                (it.target(), it.origin(), it.result(), shape.window()),
                (target, origin, result, Some(window))
            );
        };
        check(id::MPI_RPUT_C, 3, Some([1, 2]), None, 7);
        check(id::MPI_GET, 3, Some([1, 2]), None, 7);
        check(id::MPI_ACCUMULATE, 3, Some([1, 2]), None, 8);
        check(id::MPI_GET_ACCUMULATE, 6, Some([1, 2]), Some([4, 5]), 11);
        check(id::MPI_FETCH_AND_OP, 3, None, None, 6);
        check(id::MPI_COMPARE_AND_SWAP, 4, None, None, 6);
        let of_cas = shape(id::MPI_COMPARE_AND_SWAP).access.unwrap();
        assert_eq!(of_cas.datatype(), Some(3));
        assert_eq!(shape(id::MPI_WIN_START).group(), Some(0));
        assert_eq!(shape(id::MPI_WIN_FREE).window(), Some(0));
        assert_eq!(shape(id::MPI_SEND).access, None);
    }

    /// What is found by its kind has the name that the standard gives it, and what is found by
    /// its name is of that kind, in every function.
    #[test]
    fn kinds_agree_with_names() {
        for (index, function) in (0..).zip(FUNCTIONS) {
            let shape = shape(FunctionId(index));
            let has = |at: Option<usize>, names: &[&str], kind: Kind| {
                let mut named = names.iter().filter_map(|name| function.arg(name));
                let named = named.find(|&named| function.args[named].kind == kind);
                assert!(
                    named.is_none() || at == named,
                    "{}: {names:?}",
                    function.name
                );
            };
            has(shape.message(), &["message"], Kind::Message);
            has(
                shape.status(),
                &["status", "array_of_statuses"],
                Kind::Status,
            );
            has(
                shape.request(),
                &["request", "array_of_requests"],
                Kind::Request,
            );
            let kind = |at: usize| function.args[at].kind;
            assert!(
                shape.root().is_none_or(|at| kind(at) == Kind::Rank),
                "{}",
                function.name
            );
            for envelope in [shape.sent, shape.asked].into_iter().flatten() {
                assert_eq!(kind(envelope.peer()), Kind::Rank, "{}", function.name);
                assert_eq!(kind(envelope.tag()), Kind::Tag, "{}", function.name);
                if let Some([_, datatype]) = envelope.data() {
                    assert_eq!(kind(datatype), Kind::Datatype, "{}", function.name);
                }
            }
        }
    }
}
