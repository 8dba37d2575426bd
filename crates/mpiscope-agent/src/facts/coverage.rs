//! What is told of each call of MPI 4.1, as the table of hooks has it: the page `calls.md` of the
//! book, which a test compares with the table and UPDATE_EXPECT=1 writes.
//!
//! A function with a hook must say here where what it means goes, and one without must not; so
//! neither can be forgotten.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use mpi_abi::{id, FunctionId, Role, FUNCTIONS};

use super::hooks::is_observed;
use crate::base::tables::{table, Shared};
use crate::mpi::collective::{collective, Form};
use crate::mpi::files::{access, Form as AccessForm};
use crate::mpi::functions::{COMM_CREATIONS, NONBLOCKING_SENDS, PERSISTENT_SENDS, SENDS};

const NEW_COMM: &str = "a definition of the communicator, which an attribute of the leave names";

/// Where what a call means goes, of the functions that have a row of their own among the hooks.
const GOES: &[Shared<&str>] = &[
    (SENDS, "`MpiSend`"),
    (
        &[id::MPI_RECV],
        "`MpiRecv`; what it asked for as attributes of the enter",
    ),
    (
        &[id::MPI_SENDRECV, id::MPI_SENDRECV_REPLACE],
        "`MpiSend` and `MpiRecv`",
    ),
    (NONBLOCKING_SENDS, "`MpiIsend`, `MpiIsendComplete`"),
    (&[id::MPI_IRECV], "`MpiIrecvRequest`, `MpiIrecv`"),
    (
        &[id::MPI_ISENDRECV, id::MPI_ISENDRECV_REPLACE],
        "`MpiIsend` and `MpiIrecvRequest`; two events where its one request completes",
    ),
    (
        PERSISTENT_SENDS,
        "what each start tells: `MpiIsend`, `MpiIsendComplete`",
    ),
    (
        &[id::MPI_RECV_INIT],
        "what each start tells: `MpiIrecvRequest`, `MpiIrecv`",
    ),
    (
        &[id::MPI_PSEND_INIT],
        "what each start tells: `MpiIsend` of the whole message, with 2^31 added to its tag",
    ),
    (
        &[id::MPI_PRECV_INIT],
        "what each start tells: `MpiIrecvRequest`, `MpiIrecv` of the whole message, as asked for",
    ),
    (
        &[id::MPI_START, id::MPI_STARTALL],
        "the event that begins what is started",
    ),
    (
        &[id::MPI_REQUEST_FREE],
        "none of its own; the message of a freed receive is counted, so that those after it match",
    ),
    (
        &[id::MPI_CANCEL],
        "`MpiRequestCancelled` where the request completes, if it was cancelled",
    ),
    (
        &[
            id::MPI_WAIT,
            id::MPI_WAITALL,
            id::MPI_WAITANY,
            id::MPI_WAITSOME,
        ],
        "the event that ends each request which it completes",
    ),
    (
        &[
            id::MPI_TEST,
            id::MPI_TESTALL,
            id::MPI_TESTANY,
            id::MPI_TESTSOME,
        ],
        "the event that ends each request which it completes; polls that find nothing are counted",
    ),
    (
        &[id::MPI_REQUEST_GET_STATUS],
        "`MpiRequestTest` if it is not complete",
    ),
    (
        &[
            id::MPI_PROBE,
            id::MPI_IPROBE,
            id::MPI_MPROBE,
            id::MPI_IMPROBE,
        ],
        "`MpiProbe`",
    ),
    (
        &[id::MPI_MRECV],
        "`MpiRecv`, with the probe's message as an attribute",
    ),
    (
        &[id::MPI_IMRECV],
        "`MpiIrecvRequest` with the probe's message as an attribute, `MpiIrecv`",
    ),
    (COMM_CREATIONS, NEW_COMM),
    (
        &[
            id::MPI_COMM_CREATE_GROUP,
            id::MPI_COMM_CREATE_FROM_GROUP,
            id::MPI_INTERCOMM_CREATE,
            id::MPI_INTERCOMM_CREATE_FROM_GROUPS,
            id::MPI_COMM_IDUP,
            id::MPI_COMM_IDUP_WITH_INFO,
        ],
        NEW_COMM,
    ),
    (
        &[id::MPI_COMM_ACCEPT, id::MPI_COMM_CONNECT, id::MPI_COMM_JOIN],
        "a definition of the communicator, if all its processes are of this MPI_COMM_WORLD",
    ),
    (
        &[
            id::MPI_WIN_CREATE,
            id::MPI_WIN_CREATE_DYNAMIC,
            id::MPI_WIN_ALLOCATE,
            id::MPI_WIN_ALLOCATE_SHARED,
        ],
        "`RmaCollectiveBegin`, `RmaWinCreate`, `RmaCollectiveEnd`",
    ),
    (
        &[id::MPI_WIN_FREE],
        "`RmaCollectiveBegin`, `RmaCollectiveEnd`, `RmaWinDestroy`",
    ),
    (
        &[id::MPI_WIN_FENCE],
        "`RmaCollectiveBegin`, `RmaCollectiveEnd`; completions",
    ),
    (
        &[
            id::MPI_WIN_START,
            id::MPI_WIN_COMPLETE,
            id::MPI_WIN_POST,
            id::MPI_WIN_WAIT,
            id::MPI_WIN_TEST,
        ],
        "`RmaGroupSync`; completions",
    ),
    (
        &[id::MPI_WIN_LOCK, id::MPI_WIN_LOCK_ALL],
        "`RmaRequestLock`, `RmaAcquireLock`",
    ),
    (
        &[id::MPI_WIN_UNLOCK, id::MPI_WIN_UNLOCK_ALL],
        "`RmaReleaseLock`; completions",
    ),
    (
        &[
            id::MPI_WIN_FLUSH,
            id::MPI_WIN_FLUSH_ALL,
            id::MPI_WIN_FLUSH_LOCAL,
            id::MPI_WIN_FLUSH_LOCAL_ALL,
        ],
        "completions: `RmaOpCompleteBlocking`, `RmaOpCompleteRemote`",
    ),
    (&[id::MPI_WIN_SYNC], "`RmaSync`"),
    (&[id::MPI_PUT, id::MPI_RPUT], "`RmaPut`"),
    (&[id::MPI_GET, id::MPI_RGET], "`RmaGet`"),
    (
        &[
            id::MPI_ACCUMULATE,
            id::MPI_GET_ACCUMULATE,
            id::MPI_FETCH_AND_OP,
            id::MPI_COMPARE_AND_SWAP,
            id::MPI_RACCUMULATE,
            id::MPI_RGET_ACCUMULATE,
        ],
        "`RmaAtomic`",
    ),
    (&[id::MPI_FILE_OPEN], "`IoCreateHandle`"),
    (&[id::MPI_FILE_CLOSE], "`IoDestroyHandle`"),
    (&[id::MPI_FILE_DELETE], "`IoDeleteFile`"),
    (&[id::MPI_FILE_SEEK, id::MPI_FILE_SEEK_SHARED], "`IoSeek`"),
    (
        &[id::MPI_FILE_SYNC],
        "`IoOperationBegin`, `IoOperationComplete` (flush)",
    ),
    (
        &[id::MPI_COMM_SET_NAME, id::MPI_WIN_SET_NAME],
        "the name in the definition",
    ),
    (
        &[
            id::MPI_COMM_FREE,
            id::MPI_COMM_DISCONNECT,
            id::MPI_TYPE_FREE,
        ],
        "none of its own; its handle may come again as another's",
    ),
];

/// Where what any other call means goes, by what its name says that it does.
fn goes(function: FunctionId) -> Option<&'static str> {
    const OWN: [Option<&str>; FUNCTIONS.len()] = table(GOES);
    if let Some(own) = OWN[function.index()] {
        return Some(own);
    }
    if let Some(it) = collective(function) {
        return Some(match it.form {
            Form::Blocking => "`MpiCollectiveBegin`, `MpiCollectiveEnd` with bytes and root",
            Form::Nonblocking => {
                "`NonBlockingCollectiveRequest`, `NonBlockingCollectiveComplete` with bytes and root"
            }
            Form::Persistent => {
                "what each start tells: `NonBlockingCollectiveRequest`, \
                 `NonBlockingCollectiveComplete` with bytes and root"
            }
        });
    }
    access(function).map(|it| match it.form {
        AccessForm::Blocking => "`IoOperationBegin`, `IoOperationComplete` with bytes",
        AccessForm::Nonblocking => {
            "`IoOperationBegin`, `IoOperationIssued`, `IoOperationComplete` with bytes"
        }
        AccessForm::Begin => "`IoOperationBegin`, `IoOperationIssued`",
        AccessForm::End => "`IoOperationComplete` with bytes",
    })
}

/// Functions that are entered and left although they do more than what one process does alone, and
/// what of it is missing.
const MISSING: &[Shared<&str>] = &[
    (
        &[id::MPI_PREADY, id::MPI_PREADY_RANGE, id::MPI_PREADY_LIST, id::MPI_PARRIVED],
        "which parts are ready or have come; the message is told as a whole",
    ),
    (
        &[id::MPI_GREQUEST_START, id::MPI_GREQUEST_COMPLETE],
        "what the request stands for, which the program alone knows",
    ),
    (
        &[id::MPI_COMM_SPAWN, id::MPI_COMM_SPAWN_MULTIPLE, id::MPI_COMM_GET_PARENT],
        "the communicator, and the messages on it: its other processes are of another MPI_COMM_WORLD, \
         which is a run of its own",
    ),
    (
        &[
            id::MPI_REQUEST_GET_STATUS_ALL,
            id::MPI_REQUEST_GET_STATUS_ANY,
            id::MPI_REQUEST_GET_STATUS_SOME,
        ],
        "which requests were found complete; where they complete is told",
    ),
    (
        &[
            id::MPI_BUFFER_DETACH,
            id::MPI_BUFFER_FLUSH,
            id::MPI_BUFFER_IFLUSH,
            id::MPI_COMM_DETACH_BUFFER,
            id::MPI_COMM_FLUSH_BUFFER,
            id::MPI_COMM_IFLUSH_BUFFER,
            id::MPI_SESSION_DETACH_BUFFER,
            id::MPI_SESSION_FLUSH_BUFFER,
            id::MPI_SESSION_IFLUSH_BUFFER,
        ],
        "for which messages it waits",
    ),
    (
        &[id::MPI_WIN_ATTACH, id::MPI_WIN_DETACH],
        "where memory lies",
    ),
    (
        &[
            id::MPI_FILE_SET_VIEW,
            id::MPI_FILE_SET_SIZE,
            id::MPI_FILE_PREALLOCATE,
            id::MPI_FILE_SET_ATOMICITY,
        ],
        "that all who opened the file take part; views and sizes",
    ),
];

/// Functions that have no hook as the process itself starts, ends or pauses with them (`top`).
const BY_THE_PROCESS: &[Shared<&str>] = &[
    (
        &[id::MPI_INIT, id::MPI_INIT_THREAD],
        "the begin of the trace, for which all wait; who shares a clock",
    ),
    (
        &[id::MPI_FINALIZE],
        "the end of the trace, for which all wait",
    ),
    (
        &[id::MPI_SESSION_INIT, id::MPI_SESSION_FINALIZE],
        "the begin of a process's trace where it has not called MPI_Init, for which nobody waits; it ends as the process does",
    ),
    (&[id::MPI_PCONTROL], "`MeasurementOnOff`"),
];

/// What the standard has and no wrapper: why.
const NONE: &[(&str, &str)] = &[
    ("Wtime, Wtick", "they read a clock, and return it"),
    ("Aint_add, Aint_diff", "arithmetic"),
    (
        "T_…",
        "the tools' own interface: it is about MPI, not about messages",
    ),
    (
        "…_c2f, …_f2c, …_f2f08, Sizeof",
        "handles in another form, and sizes that compilers know",
    ),
];

/// Chapters of MPI 4.1 by their numbers, and how the names of their functions begin, without
/// `MPI_`: the first row that has one takes it.
const CHAPTERS: &[(u32, &[&str])] = &[
    // Before those whose names begin alike.
    (
        3,
        &[
            "Comm_attach_b",
            "Comm_detach_b",
            "Comm_flush_b",
            "Comm_iflush_b",
            "Request_",
            "Status_get",
        ],
    ),
    (
        3,
        &[
            "Session_attach_b",
            "Session_detach_b",
            "Session_flush_b",
            "Session_iflush_b",
        ],
    ),
    (
        10,
        &[
            "Comm_create_errh",
            "Comm_set_errh",
            "Comm_get_errh",
            "Comm_call_errh",
        ],
    ),
    (
        11,
        &[
            "Comm_spawn",
            "Comm_get_parent",
            "Comm_accept",
            "Comm_connect",
            "Comm_disconnect",
            "Comm_join",
        ],
    ),
    (4, &["Psend_", "Precv_", "Pready", "Parrived"]),
    (
        5,
        &[
            "Type_",
            "Pack",
            "Unpack",
            "Get_address",
            "Address",
            "Get_elements",
            "Get_count",
        ],
    ),
    (6, &["Op_", "Reduce_local"]),
    (7, &["Group_", "Comm_", "Intercomm_", "Attr_", "Keyval_"]),
    (
        8,
        &["Cart", "Graph", "Dist_graph", "Dims_create", "Topo_test"],
    ),
    (9, &["Info_"]),
    (
        10,
        &[
            "Err",
            "Add_error",
            "Remove_error",
            "Alloc_mem",
            "Free_mem",
            "Get_processor",
            "Get_hw",
        ],
    ),
    (
        11,
        &[
            "Init",
            "Finalize",
            "Abort",
            "Session_",
            "Query_thread",
            "Is_thread_main",
        ],
    ),
    (
        11,
        &[
            "Open_port",
            "Close_port",
            "Publish_name",
            "Unpublish_name",
            "Lookup_name",
        ],
    ),
    (12, &["Win_"]),
    (13, &["Grequest_", "Status_set"]),
    (14, &["File_", "Register_datarep"]),
    (15, &["Pcontrol"]),
    (3, &[""]),
];

const TITLES: [(u32, &str); 13] = [
    (3, "Point-to-point communication"),
    (4, "Partitioned communication"),
    (5, "Datatypes"),
    (6, "Collective communication"),
    (7, "Groups, contexts, communicators, caching"),
    (8, "Topologies"),
    (9, "The info object"),
    (10, "Environmental management"),
    (11, "Process initialization, creation, management"),
    (12, "One-sided communication"),
    (13, "External interfaces"),
    (14, "I/O"),
    (15, "Tool support"),
];

fn chapter(function: FunctionId) -> u32 {
    let row = function.function();
    match collective(function) {
        Some(it) if it.is_among_neighbors => return 8,
        Some(_) => return 6,
        None if row.role == Role::Rma => return 12,
        None => {}
    }
    let name = row.name.trim_start_matches("MPI_");
    let takes = |(_, begins): &&(u32, &[&str])| begins.iter().any(|it| name.starts_with(it));
    CHAPTERS
        .iter()
        .find(takes)
        .map_or(3, |(chapter, _)| *chapter)
}

/// What is told of calls, in this order on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Full,
    Part,
    Local,
}

/// Returns what is told of a call, and where, or what is missing.
fn told(function: FunctionId) -> (Told, &'static str) {
    const LACKS: [Option<&str>; FUNCTIONS.len()] = table(MISSING);
    const PROCESS: [Option<&str>; FUNCTIONS.len()] = table(BY_THE_PROCESS);
    match (
        goes(function).or(PROCESS[function.index()]),
        LACKS[function.index()],
    ) {
        (Some(goes), _) => (Told::Full, goes),
        (None, Some(lacks)) => (Told::Part, lacks),
        (None, None) => (Told::Local, ""),
    }
}

/// All functions of a chapter that are told of alike, in the order of their names.
type Alike = BTreeMap<(Told, &'static str), Vec<FunctionId>>;

fn alike(of: u32) -> Alike {
    let mut rows = Alike::new();
    let all = (0..FUNCTIONS.len() as u16).map(FunctionId);
    for function in all.filter(|&function| chapter(function) == of) {
        rows.entry(told(function)).or_default().push(function);
    }
    rows
}

/// Names of functions, those of large-count forms by an ending of the others.
fn names(functions: &[FunctionId]) -> String {
    let mut names = Vec::new();
    for function in functions
        .iter()
        .filter(|it| !it.function().is_large_count())
    {
        let large = function.large_count().filter(|it| functions.contains(it));
        let ending = if large.is_some() { "(_c)" } else { "" };
        names.push(format!(
            "{}{ending}",
            function.function().name.trim_start_matches("MPI_")
        ));
    }
    names.join(", ")
}

fn page() -> String {
    let mut sums = [[0; 3]; TITLES.len()];
    let mut tables = String::new();
    for ((number, title), sums) in TITLES.iter().zip(&mut sums) {
        write!(tables, "\n## {number} {title}\n\n| calls | told | where it goes, or what is missing |\n|---|---|---|\n").unwrap();
        for ((told, what), functions) in alike(*number) {
            sums[told as usize] += functions.len();
            let word = ["full", "entered", "entered: local"][told as usize];
            writeln!(tables, "| {} | {word} | {what} |", names(&functions)).unwrap();
        }
    }
    let mut page = String::from(HEAD);
    page.push_str("| chapter | full | entered | entered: local |\n|---|---|---|---|\n");
    for ((number, title), [full, part, local]) in TITLES.iter().zip(&sums) {
        writeln!(page, "| {number} {title} | {full} | {part} | {local} |").unwrap();
    }
    let sum = |k: usize| sums.iter().map(|sums| sums[k]).sum::<usize>();
    writeln!(
        page,
        "| all {} | **{}** | **{}** | **{}** |",
        FUNCTIONS.len(),
        sum(0),
        sum(1),
        sum(2)
    )
    .unwrap();
    page.push_str("\n## No event at all\n\n| calls | why |\n|---|---|\n");
    for (calls, why) in NONE {
        writeln!(page, "| {calls} | {why} |").unwrap();
    }
    page + &tables
}

const HEAD: &str = "# What is told of each call

Each call of MPI 4.1 is one of these in a trace. A test makes this page of the agent's own table and compares it with the committed one, so it says what the agent does.

| | |
|---|---|
| full | entered and left, with line and source; what it means is in the archive: as OTF2's own events, which other tools read, and where OTF2 has none as definitions and attributes |
| entered | entered and left, with line and source; the last column says what is missing |
| entered: local | the same, and there is no more to tell: the call asks or sets something in its own process, or its effect shows in other calls |
| none | no event |

Names have no `MPI_`; `(_c)` stands for the large-count form beside the other. Of each call that returned an error the leave has the error's class (`MPISCOPE::FAILED`); what MPI rejected of it has no event, and a receive whose message was too long has taken it.

";

#[test]
fn the_page_says_what_hooks_do() {
    for function in (0..FUNCTIONS.len() as u16).map(FunctionId) {
        let name = function.function().name;
        assert_eq!(is_observed(function), goes(function).is_some(), "{name}");
        let lacks = told(function).0 == Told::Part;
        assert!(!(lacks && is_observed(function)), "{name}");
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../book/src/calls.md");
    let expected = page();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == expected,
        "{}; UPDATE_EXPECT=1 writes it",
        path.display()
    );
}
