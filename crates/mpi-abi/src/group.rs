//! Groups of MPI's functions, by what they are for: the names are Score-P's
//! (`SCOREP_MPI_ENABLE_GROUPS`).
//!
//! ```
//! use mpi_abi::{id, Group};
//!
//! assert_eq!(Group::of(id::MPI_IRECV.function()), Group::P2p);
//! assert_eq!(Group::named("coll"), Some(Group::Coll));
//! ```

use crate::function::{Function, Role};

/// What a function is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Communicators, groups, and what is attached to them.
    Cg,
    /// Collective operations.
    Coll,
    /// The environment: begin and end, sessions, memory, names.
    Env,
    /// Errors and their handlers.
    Err,
    /// External interfaces: generalized requests, threads, what statuses say.
    Ext,
    /// Files.
    Io,
    /// What is nowhere else: info objects, operations.
    Misc,
    /// Messages between two ranks, probes, requests and waiting for them.
    P2p,
    /// `MPI_Pcontrol`.
    Perf,
    /// One-sided communication.
    Rma,
    /// Processes that come later: spawned, connected.
    Spawn,
    /// Topologies of processes.
    Topo,
    /// Datatypes, and data packed by them.
    Type,
}

/// All groups with their names, in the order of these.
pub const GROUPS: [(&str, Group); 13] = [
    ("cg", Group::Cg),
    ("coll", Group::Coll),
    ("env", Group::Env),
    ("err", Group::Err),
    ("ext", Group::Ext),
    ("io", Group::Io),
    ("misc", Group::Misc),
    ("p2p", Group::P2p),
    ("perf", Group::Perf),
    ("rma", Group::Rma),
    ("spawn", Group::Spawn),
    ("topo", Group::Topo),
    ("type", Group::Type),
];

/// Words in names, without `MPI_`, that decide, the first that fits: how a name ends (`$`), what it
/// has within (`*`), else how it begins.
const WORDS: &[(&str, Group)] = &[
    ("*errhandler", Group::Err),
    ("*error_", Group::Err),
    ("Error", Group::Err),
    ("*_buffer", Group::P2p),
    ("Buffer_", Group::P2p),
    ("Pcontrol", Group::Perf),
    ("Comm_spawn", Group::Spawn),
    ("Comm_accept", Group::Spawn),
    ("Comm_connect", Group::Spawn),
    ("Comm_disconnect", Group::Spawn),
    ("Comm_join", Group::Spawn),
    ("Comm_get_parent", Group::Spawn),
    ("$_name", Group::Cg), // but for those of ports, below
    ("*port", Group::Spawn),
    ("Cart", Group::Topo),
    ("Graph", Group::Topo),
    ("Dist_graph", Group::Topo),
    ("Topo_", Group::Topo),
    ("Dims_", Group::Topo),
    ("Type_", Group::Type),
    ("Pack", Group::Type),
    ("Unpack", Group::Type),
    ("Address", Group::Type),
    ("Get_address", Group::Type),
    ("Get_count", Group::Type),
    ("Get_elements", Group::Type),
    ("Win_", Group::Rma),
    ("File_", Group::Io),
    ("Register_datarep", Group::Io),
    ("Comm_", Group::Cg),
    ("Group_", Group::Cg),
    ("Intercomm_", Group::Cg),
    ("Attr_", Group::Cg),
    ("Keyval_", Group::Cg),
    ("Reduce_local", Group::Coll),
    ("Grequest_", Group::Ext),
    ("Status_", Group::Ext),
    ("Query_thread", Group::Ext),
    ("Is_thread_main", Group::Ext),
    ("Test_cancelled", Group::P2p),
    ("Info_", Group::Misc),
    ("Op_", Group::Misc),
];

/// Names that end as others do, and are of another group.
const NAMES: &[(&str, Group)] = &[
    ("MPI_Lookup_name", Group::Spawn),
    ("MPI_Publish_name", Group::Spawn),
    ("MPI_Unpublish_name", Group::Spawn),
    ("MPI_Get_processor_name", Group::Env),
    ("MPI_Win_set_name", Group::Rma),
    ("MPI_Win_get_name", Group::Rma),
    ("MPI_Type_set_name", Group::Type),
    ("MPI_Type_get_name", Group::Type),
];

impl Group {
    /// Returns the group with a name.
    pub fn named(name: &str) -> Option<Group> {
        let found = GROUPS.iter().find(|(it, _)| *it == name);
        found.map(|(_, group)| *group)
    }

    /// Returns the group of a function.
    pub fn of(function: &Function) -> Group {
        match function.role {
            Role::Point2Point => Group::P2p,
            Role::Rma => Group::Rma,
            Role::FileIo => Group::Io,
            Role::Function => Self::by_name(function.name),
            _ => Group::Coll,
        }
    }

    fn by_name(name: &str) -> Group {
        if let Some((_, group)) = NAMES.iter().find(|(it, _)| *it == name) {
            return *group;
        }
        let plain = name.strip_prefix("MPI_").unwrap_or(name);
        let fits = |word: &str| match word.split_at(1) {
            ("*", word) => plain.contains(word),
            ("$", word) => plain.ends_with(word),
            _ => plain.starts_with(word),
        };
        let found = WORDS.iter().find(|(word, _)| fits(word));
        found.map_or(Group::Env, |(_, group)| *group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FunctionId;

    #[track_caller]
    fn check(group: Group, names: &[&str]) {
        for name in names {
            let function = FunctionId::find(&format!("MPI_{name}")).expect(name);
            assert_eq!(Group::of(function.function()), group, "{name}");
        }
    }

    #[test]
    fn functions_have_the_groups_that_users_expect() {
        check(
            Group::P2p,
            &[
                "Send",
                "Irecv",
                "Waitall",
                "Iprobe",
                "Buffer_attach",
                "Start",
                "Cancel",
            ],
        );
        check(Group::Coll, &["Barrier", "Iallreduce", "Neighbor_alltoall"]);
        check(
            Group::Cg,
            &["Comm_rank", "Comm_split", "Group_incl", "Comm_set_name"],
        );
        check(
            Group::Env,
            &[
                "Init",
                "Finalize",
                "Alloc_mem",
                "Session_init",
                "Get_processor_name",
            ],
        );
        check(
            Group::Err,
            &["Comm_set_errhandler", "Error_string", "Add_error_code"],
        );
        check(
            Group::Ext,
            &["Grequest_start", "Query_thread", "Status_set_elements"],
        );
        check(
            Group::Io,
            &["File_open", "File_write_at_all", "Register_datarep"],
        );
        check(Group::Misc, &["Info_set", "Op_create"]);
        check(Group::Perf, &["Pcontrol"]);
        check(
            Group::Rma,
            &[
                "Put",
                "Win_fence",
                "Win_create",
                "Win_get_attr",
                "Win_set_name",
            ],
        );
        check(
            Group::Spawn,
            &["Comm_spawn", "Open_port", "Lookup_name", "Comm_disconnect"],
        );
        check(Group::Topo, &["Cart_create", "Dims_create", "Graph_get"]);
        check(
            Group::Type,
            &["Type_commit", "Pack", "Get_count", "Type_set_name"],
        );
    }

    #[test]
    fn every_group_has_a_name_and_a_function() {
        for (name, group) in GROUPS {
            assert_eq!(Group::named(name), Some(group));
            let mut functions = crate::FUNCTIONS.iter();
            assert!(functions.any(|it| Group::of(it) == group), "{name}");
        }
        assert_eq!(Group::named("all"), None);
    }
}
