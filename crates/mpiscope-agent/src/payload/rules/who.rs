//! Who answers which function in a process that is executed alone.

use mpi_abi::Function;

/// Who answers a call in a process that is executed alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// MPI itself: the call asks for nothing that others know.
    Mpi,
    /// The record.
    Record,
    /// Nobody: the reason.
    Nobody(&'static str),
}

/// Groups of functions that MPI answers in a process alone, by how their names begin.
const OF_MPI: &[&str] = &[
    "Abort",
    "Add_error",
    "Address",
    "Alloc_mem",
    "Attr_",
    "Buffer_",
    "Comm_attach_buffer",
    "Comm_call_errhandler",
    "Comm_create_errhandler",
    "Comm_create_keyval",
    "Comm_delete_attr",
    "Comm_detach_buffer",
    "Comm_disconnect",
    "Comm_flush_buffer",
    "Comm_free",
    "Comm_get_attr",
    "Comm_get_errhandler",
    "Comm_get_info",
    "Comm_get_name",
    "Comm_set_",
    "Dims_create",
    "Errhandler_",
    "Error_",
    "Finalize",
    "Free_mem",
    "Get_address",
    "Get_count",
    "Get_elements",
    "Get_hw",
    "Get_processor_name",
    "Group_free",
    "Info_",
    "Init",
    "Is_thread_main",
    "Keyval_",
    "Op_",
    "Pack",
    "Pcontrol",
    "Query_thread",
    "Reduce_local",
    "Remove_error",
    "Status_",
    "Test_cancelled",
    "Type_",
    "Unpack",
];

const ONE_SIDED: &str = "memory that others write to has no record";
const FILES: &str = "files that several ranks share have no record";
const PROCESSES: &str = "processes started or met at run time have no record";
const SESSIONS: &str = "sessions are not recorded";
const OTHER: &str = "generalized and partitioned requests are not recorded";

/// Those that nobody can answer.
const OF_NOBODY: &[(&str, &str)] = &[
    ("Win_", ONE_SIDED),
    ("Put", ONE_SIDED),
    ("Get", ONE_SIDED),
    ("Rput", ONE_SIDED),
    ("Rget", ONE_SIDED),
    ("Accumulate", ONE_SIDED),
    ("Raccumulate", ONE_SIDED),
    ("Fetch_and_op", ONE_SIDED),
    ("Compare_and_swap", ONE_SIDED),
    ("File_", FILES),
    ("Register_datarep", FILES),
    ("Comm_spawn", PROCESSES),
    ("Comm_accept", PROCESSES),
    ("Comm_connect", PROCESSES),
    ("Comm_join", PROCESSES),
    ("Open_port", PROCESSES),
    ("Close_port", PROCESSES),
    ("Lookup_name", PROCESSES),
    ("Publish_name", PROCESSES),
    ("Unpublish_name", PROCESSES),
    ("Session_", SESSIONS),
    ("Comm_create_from_group", SESSIONS),
    ("Intercomm_create_from_groups", SESSIONS),
    ("Group_from_session_pset", SESSIONS),
    ("Grequest", OTHER),
    ("Psend_init", OTHER),
    ("Precv_init", OTHER),
    ("Pready", OTHER),
    ("Parrived", OTHER),
    ("Request_get_status_", OTHER),
    ("Comm_iflush_buffer", OTHER),
];

/// Says who answers a function.
pub fn of(function: &Function) -> Who {
    let name = function.name.trim_start_matches("MPI_");
    let begins = |prefix: &str| name.starts_with(prefix);
    if OF_MPI.iter().any(|prefix| begins(prefix)) {
        return Who::Mpi;
    }
    let mut nobody = OF_NOBODY.iter();
    match nobody.find(|(prefix, _)| begins(prefix)) {
        Some((_, why)) => Who::Nobody(why),
        None => Who::Record,
    }
}
