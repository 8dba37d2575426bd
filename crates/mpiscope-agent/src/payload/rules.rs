//! What a call gives to a process, and what it takes: read off the table of
//! functions, where arguments of one name have one meaning.
//!
//! `recvbuf`, `recvcounts`, `displs` and `recvtype` are what is received, in
//! MPI_Gatherv as in MPI_Ineighbor_allgatherv and MPI_Allgatherv_init. So 400
//! calls need no 400 rows.

mod who;

use std::sync::OnceLock;

use mpi_abi::{Arg, Direction, Function, FunctionId, Kind, Passing, Role, FUNCTIONS};

pub use who::Who;

/// How many elements a buffer has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// As argument says.
    Plain(usize),
    /// So many for each member of the communicator.
    Each(usize),
    /// Of an array of counts, this process's own.
    Own(usize),
    /// Of an array of counts, a block for each member; where they lie, if not one after the other.
    Blocks(usize, Option<usize>),
}

/// A buffer among the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// Its address.
    pub at: usize,
    /// Its elements.
    pub count: Count,
    /// Their type, or an array of types.
    pub datatype: usize,
}

/// Which members of a collective operation a buffer matters to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// All.
    All,
    /// The root, the rank at this argument.
    Root(usize),
    /// All but the root.
    Others(usize),
    /// All but the first.
    NotFirst,
}

/// Which requests a call completes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completes {
    /// The one at argument 0.
    One,
    /// All of argument 0 at argument 1.
    All,
    /// That of the index at argument 2.
    Any,
    /// Those of the indices at argument 3, as many as argument 2 says.
    Some,
}

/// What is to be known of a function.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Who answers.
    pub who: Who,
    /// Data sent.
    pub sends: Option<(Buffer, Whose)>,
    /// Data received.
    pub receives: Option<(Buffer, Whose)>,
    /// The destination, if it is a message.
    pub dest: Option<usize>,
    /// The communicator.
    pub comm: Option<usize>,
    /// The integers that it returns, and how many.
    pub integers: Vec<(usize, Length)>,
    /// The handles that it returns.
    pub handles: Vec<(usize, Kind)>,
    /// Whether it succeeded: what else it returns matters only then.
    pub flag: Option<usize>,
    /// The status or statuses.
    pub status: Option<usize>,
    /// What it completes.
    pub completes: Option<Completes>,
    /// The request that it returns.
    pub posts: Option<usize>,
    /// That request is to be started.
    pub persistent: bool,
    /// Blocks are of neighbours.
    pub neighbors: bool,
    /// It is a collective operation.
    pub collective: bool,
}

/// How many integers an argument is, and of how many bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// One of so many bytes.
    One(usize),
    /// As many as another argument says.
    Said(usize),
    /// As many as an argument that the call has written.
    Returned(usize),
    /// As the topology of the communicator.
    Topology,
}

/// Returns the rule of a function.
pub fn of(function: FunctionId) -> Option<&'static Rule> {
    static ALL: OnceLock<Vec<Rule>> = OnceLock::new();
    let all = ALL.get_or_init(|| FUNCTIONS.iter().map(rule).collect());
    all.get(function.index())
}

fn rule(function: &Function) -> Rule {
    let name = function.name.trim_start_matches("MPI_");
    let root = function.arg("root");
    let collective = matches!(
        function.role,
        Role::CollOne2All | Role::CollAll2One | Role::CollAll2All | Role::CollOther | Role::Barrier
    );
    let is_scatter = name.to_ascii_lowercase().contains("scatter") && root.is_some();
    let persistent = name.contains("_init");
    let given = |k: &usize| is_by_value(&function.args[*k]);
    Rule {
        who: who::of(function),
        sends: sends(function, is_scatter),
        receives: receives(function, is_scatter),
        dest: function.arg("dest"),
        comm: function
            .arg("comm")
            .or(function.arg("comm_old"))
            .filter(given),
        integers: integers(function),
        handles: handles(function),
        flag: returned(function, Kind::Flag),
        status: returned(function, Kind::Status),
        completes: completes(name),
        posts: function
            .arg("request")
            .filter(|&k| function.args[k].direction == Direction::Out),
        persistent,
        neighbors: name.to_ascii_lowercase().contains("neighbor_"),
        collective,
    }
}

fn is_by_value(arg: &Arg) -> bool {
    arg.passing == Passing::Value && arg.direction != Direction::Out
}

/// Returns the first argument of a kind that the call writes.
fn returned(function: &Function, kind: Kind) -> Option<usize> {
    let is = |arg: &Arg| arg.kind == kind && arg.direction != Direction::In;
    function.args.iter().position(is)
}

fn sends(function: &Function, is_scatter: bool) -> Option<(Buffer, Whose)> {
    let arg = |name| function.arg(name);
    let root = arg("root");
    if let (Some(at), Some(root)) = (arg("buffer"), root) {
        let count = Count::Plain(arg("count")?);
        return Some((buffer(at, count, arg("datatype")?), Whose::Root(root)));
    }
    if let (Some(at), Some(_)) = (arg("buf"), arg("dest")) {
        let count = Count::Plain(arg("count")?);
        return Some((buffer(at, count, arg("datatype")?), Whose::All));
    }
    let at = arg("sendbuf")?;
    let datatype = arg("sendtype").or(arg("sendtypes")).or(arg("datatype"))?;
    let places = arg("sdispls").or(arg("displs"));
    let is_alltoall = function.name.to_ascii_lowercase().contains("alltoall");
    let count = match (arg("sendcounts"), arg("sendcount")) {
        (Some(counts), _) => Count::Blocks(counts, places),
        (None, Some(count)) if is_scatter || is_alltoall => Count::Each(count),
        (None, Some(count)) => Count::Plain(count),
        (None, None) => match (arg("recvcounts"), arg("recvcount"), arg("count")) {
            (Some(counts), _, _) => Count::Blocks(counts, None),
            (_, Some(count), _) => Count::Each(count),
            (_, _, Some(count)) => Count::Plain(count),
            _ => return None,
        },
    };
    let whose = match root {
        Some(root) if is_scatter => Whose::Root(root),
        _ => Whose::All,
    };
    Some((buffer(at, count, datatype), whose))
}

fn receives(function: &Function, is_scatter: bool) -> Option<(Buffer, Whose)> {
    let arg = |name| function.arg(name);
    let root = arg("root");
    if let (Some(at), Some(root)) = (arg("buffer"), root) {
        let count = Count::Plain(arg("count")?);
        return Some((buffer(at, count, arg("datatype")?), Whose::Others(root)));
    }
    if let (Some(at), true) = (arg("buf"), arg("source").or(arg("message")).is_some()) {
        let count = Count::Plain(arg("count")?);
        return Some((buffer(at, count, arg("datatype")?), Whose::All));
    }
    let at = arg("recvbuf")?;
    let datatype = arg("recvtype").or(arg("recvtypes")).or(arg("datatype"))?;
    let reduces = arg("op").is_some();
    let alone = is_scatter || reduces || arg("source").is_some();
    let count = match (arg("recvcounts"), arg("recvcount"), arg("count")) {
        (Some(counts), _, _) if reduces => Count::Own(counts),
        (Some(counts), _, _) => Count::Blocks(counts, arg("rdispls").or(arg("displs"))),
        (_, Some(count), _) if alone => Count::Plain(count),
        (_, Some(count), _) => Count::Each(count),
        (_, _, Some(count)) => Count::Plain(count),
        _ => return None,
    };
    let whose = match root {
        Some(root) if !is_scatter => Whose::Root(root),
        _ if function.name.to_ascii_lowercase().contains("exscan") => Whose::NotFirst,
        _ => Whose::All,
    };
    Some((buffer(at, count, datatype), whose))
}

fn buffer(at: usize, count: Count, datatype: usize) -> Buffer {
    Buffer {
        at,
        count,
        datatype,
    }
}

/// How long the arrays of integers are that calls return.
const ARRAYS: &[(&str, &str, Length)] = &[
    ("MPI_Cart_coords", "coords", Length::Said(2)),
    ("MPI_Cart_get", "dims", Length::Said(1)),
    ("MPI_Cart_get", "periods", Length::Said(1)),
    ("MPI_Cart_get", "coords", Length::Said(1)),
    ("MPI_Graph_get", "index", Length::Said(1)),
    ("MPI_Graph_get", "edges", Length::Said(2)),
    ("MPI_Graph_neighbors", "neighbors", Length::Said(2)),
    ("MPI_Group_translate_ranks", "ranks2", Length::Said(1)),
    ("MPI_Waitsome", "array_of_indices", Length::Returned(2)),
    ("MPI_Testsome", "array_of_indices", Length::Returned(2)),
    ("MPI_Dist_graph_neighbors", "sources", Length::Said(1)),
    ("MPI_Dist_graph_neighbors", "destinations", Length::Said(4)),
    (
        "MPI_Dist_graph_neighbors",
        "sourceweights",
        Length::Topology,
    ),
    ("MPI_Dist_graph_neighbors", "destweights", Length::Topology),
];

fn integers(function: &Function) -> Vec<(usize, Length)> {
    let length = |arg: &Arg| match (arg.direction, arg.passing, arg.kind) {
        (Direction::In, ..) | (_, Passing::Value, _) => None,
        (_, Passing::Reference, Kind::LargeCount | Kind::Address | Kind::Offset) => {
            Some(Length::One(8))
        }
        (_, passing, Kind::Int | Kind::Flag | Kind::Rank | Kind::Tag | Kind::Count) => {
            match passing {
                Passing::Reference => Some(Length::One(4)),
                _ => {
                    let mut arrays = ARRAYS.iter();
                    let row = arrays.find(|row| row.0 == function.name && row.1 == arg.name);
                    row.map(|row| row.2)
                }
            }
        }
        _ => None,
    };
    let args = function.args.iter().enumerate();
    args.filter_map(|(k, arg)| Some((k, length(arg)?)))
        .collect()
}

fn handles(function: &Function) -> Vec<(usize, Kind)> {
    let is_handle = |arg: &Arg| {
        arg.direction != Direction::In
            && arg.passing == Passing::Reference
            && matches!(arg.kind, Kind::Comm | Kind::Group | Kind::Message)
    };
    let args = function.args.iter().enumerate();
    args.filter(|(_, arg)| is_handle(arg))
        .map(|(k, arg)| (k, arg.kind))
        .collect()
}

fn completes(name: &str) -> Option<Completes> {
    match name {
        "Wait" | "Test" | "Request_free" => Some(Completes::One),
        "Waitall" | "Testall" => Some(Completes::All),
        "Waitany" | "Testany" => Some(Completes::Any),
        "Waitsome" | "Testsome" => Some(Completes::Some),
        _ => None,
    }
}
