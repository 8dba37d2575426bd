//! OTF2's enumerations and flags, with the values of OTF2 3.2.
//!
//! Each is a number with named constants rather than a Rust `enum`: a newer
//! writer may use values that this crate does not know, and they survive.
//!
//! ```
//! use otf2::CollectiveOp;
//! assert_eq!(CollectiveOp::ALLREDUCE.name(), Some("ALLREDUCE"));
//! assert_eq!(format!("{:?}", CollectiveOp(99)), "CollectiveOp(99)");
//! ```

use crate::encoding::Bits;
use std::fmt;

macro_rules! numbers {
    ($( $(#[$doc:meta])* $Name:ident: $raw:ty { $($value:ident = $number:expr),* $(,)? } )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Name(pub $raw);

        impl $Name {
            $(
                #[doc = concat!("`", stringify!($value), "` = ", stringify!($number), ".")]
                pub const $value: Self = Self($number);
            )*

            /// OTF2's name of this value, if it has one.
            pub fn name(self) -> Option<&'static str> {
                $( if self == Self::$value { return Some(stringify!($value)); } )*
                None
            }
        }

        impl From<$raw> for $Name {
            fn from(number: $raw) -> Self {
                Self(number)
            }
        }

        impl From<$Name> for $raw {
            fn from(value: $Name) -> $raw {
                value.0
            }
        }

        impl Bits for $Name {
            fn bits(self) -> u64 {
                u64::from(self.0)
            }
            fn from_bits(bits: u64) -> Self {
                Self(bits as $raw)
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, f)
            }
        }
    )*};
}

macro_rules! enums {
    ($( $(#[$doc:meta])* $Name:ident { $($value:ident = $number:expr),* $(,)? } )*) => {
        numbers! { $( $(#[$doc])* $Name: u8 { $($value = $number),* } )* }
        $(
            impl fmt::Debug for $Name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    match self.name() {
                        Some(name) => f.write_str(name),
                        None => write!(f, "{}({})", stringify!($Name), self.0),
                    }
                }
            }
        )*
    };
}

macro_rules! flags {
    ($( $(#[$doc:meta])* $Name:ident { $($value:ident = $number:expr),* $(,)? } )*) => {
        numbers! { $( $(#[$doc])* $Name: u32 { NONE = 0, $($value = $number),* } )* }
        $(
            impl $Name {
                /// Whether all bits of `other` are set.
                pub fn contains(self, other: Self) -> bool {
                    self.0 & other.0 == other.0
                }
            }

            impl std::ops::BitOr for $Name {
                type Output = Self;
                fn bitor(self, other: Self) -> Self {
                    Self(self.0 | other.0)
                }
            }

            impl fmt::Debug for $Name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write_flags(f, self.0, &[$((stringify!($value), $number)),*])
                }
            }
        )*
    };
}

fn write_flags(f: &mut fmt::Formatter<'_>, bits: u32, names: &[(&str, u32)]) -> fmt::Result {
    let mut rest = bits;
    let mut parts = Vec::new();
    for (name, bit) in names {
        if rest & bit != 0 {
            parts.push((*name).to_owned());
            rest &= !bit;
        }
    }
    if rest != 0 {
        parts.push(format!("{rest:#x}"));
    }
    match parts.is_empty() {
        true => f.write_str("NONE"),
        false => f.write_str(&parts.join(" | ")),
    }
}

enums! {
    /// How the event files are compressed; only `NONE` is readable since OTF2 3.0.
    Compression { UNDEFINED = 0, NONE = 1 }
    /// The files behind an archive.
    FileSubstrate { UNDEFINED = 0, POSIX = 1, SION = 2, NONE = 3 }
    /// What a mapping table translates.
    MappingType {
        STRING = 0, ATTRIBUTE = 1, LOCATION = 2, REGION = 3, GROUP = 4, METRIC = 5, COMM = 6,
        PARAMETER = 7, RMA_WIN = 8, SOURCE_CODE_LOCATION = 9, CALLING_CONTEXT = 10,
        INTERRUPT_GENERATOR = 11, IO_FILE = 12, IO_HANDLE = 13, LOCATION_GROUP = 14,
    }
    /// The type of a [`Value`](crate::Value) or a metric.
    Type {
        NONE = 0, UINT8 = 1, UINT16 = 2, UINT32 = 3, UINT64 = 4, INT8 = 5, INT16 = 6, INT32 = 7,
        INT64 = 8, FLOAT = 9, DOUBLE = 10, STRING = 11, ATTRIBUTE = 12, LOCATION = 13,
        REGION = 14, GROUP = 15, METRIC = 16, COMM = 17, PARAMETER = 18, RMA_WIN = 19,
        SOURCE_CODE_LOCATION = 20, CALLING_CONTEXT = 21, INTERRUPT_GENERATOR = 22,
        IO_FILE = 23, IO_HANDLE = 24, LOCATION_GROUP = 25,
    }
    /// The programming model that a record belongs to.
    Paradigm {
        UNKNOWN = 0, USER = 1, COMPILER = 2, OPENMP = 3, MPI = 4, CUDA = 5,
        MEASUREMENT_SYSTEM = 6, PTHREAD = 7, HMPP = 8, OMPSS = 9, HARDWARE = 10, GASPI = 11,
        UPC = 12, SHMEM = 13, WINTHREAD = 14, QTTHREAD = 15, ACETHREAD = 16, TBBTHREAD = 17,
        OPENACC = 18, OPENCL = 19, MTAPI = 20, SAMPLING = 21, NONE = 22, HIP = 23, KOKKOS = 24,
        OPENMP_TARGET = 25,
    }
    /// The kind of parallelism of a paradigm.
    ParadigmClass { PROCESS = 0, THREAD_FORK_JOIN = 1, THREAD_CREATE_WAIT = 2, ACCELERATOR = 3 }
    /// What a paradigm's property describes.
    ParadigmProperty { COMM_NAME_TEMPLATE = 0, RMA_WIN_NAME_TEMPLATE = 1, RMA_ONLY = 2 }
    /// What a thumbnail shows.
    ThumbnailType { REGION = 0, METRIC = 1, ATTRIBUTES = 2, COMM = 3, RMA_WIN = 4, IO_HANDLE = 5 }
    /// The hardware that a system tree node stands for.
    SystemTreeDomain {
        MACHINE = 0, SHARED_MEMORY = 1, NUMA = 2, SOCKET = 3, CACHE = 4, CORE = 5, PU = 6,
        ACCELERATOR_DEVICE = 7, NETWORKING_DEVICE = 8,
    }
    /// What a location group is.
    LocationGroupType { UNKNOWN = 0, PROCESS = 1, ACCELERATOR = 2 }
    /// What a location is.
    LocationType { UNKNOWN = 0, CPU_THREAD = 1, ACCELERATOR_STREAM = 2, METRIC = 3 }
    /// What a region does.
    RegionRole {
        UNKNOWN = 0, FUNCTION = 1, WRAPPER = 2, LOOP = 3, CODE = 4, PARALLEL = 5, SECTIONS = 6,
        SECTION = 7, WORKSHARE = 8, SINGLE = 9, SINGLE_SBLOCK = 10, MASTER = 11, CRITICAL = 12,
        CRITICAL_SBLOCK = 13, ATOMIC = 14, BARRIER = 15, IMPLICIT_BARRIER = 16, FLUSH = 17,
        ORDERED = 18, ORDERED_SBLOCK = 19, TASK = 20, TASK_CREATE = 21, TASK_WAIT = 22,
        COLL_ONE2ALL = 23, COLL_ALL2ONE = 24, COLL_ALL2ALL = 25, COLL_OTHER = 26, FILE_IO = 27,
        POINT2POINT = 28, RMA = 29, DATA_TRANSFER = 30, ARTIFICIAL = 31, THREAD_CREATE = 32,
        THREAD_WAIT = 33, TASK_UNTIED = 34, ALLOCATE = 35, DEALLOCATE = 36, REALLOCATE = 37,
        FILE_IO_METADATA = 38, CANCEL = 39, KERNEL = 40,
    }
    /// What the members of a group are.
    GroupType {
        UNKNOWN = 0, LOCATIONS = 1, REGIONS = 2, METRIC = 3, COMM_LOCATIONS = 4, COMM_GROUP = 5,
        COMM_SELF = 6, COMM_LOCATION_GROUPS = 7,
    }
    /// The base of a metric's exponent.
    Base { BINARY = 0, DECIMAL = 1 }
    /// When a metric is recorded.
    MetricOccurrence { SYNCHRONOUS_STRICT = 0, SYNCHRONOUS = 1, ASYNCHRONOUS = 2 }
    /// Where a metric comes from.
    MetricType { OTHER = 0, PAPI = 1, RUSAGE = 2, USER = 3 }
    /// What a metric's value means (low four bits) and when it holds (high four bits).
    MetricMode {
        ACCUMULATED_START = 0, ACCUMULATED_POINT = 16, ACCUMULATED_LAST = 32,
        ACCUMULATED_NEXT = 48, ABSOLUTE_POINT = 17, ABSOLUTE_LAST = 33, ABSOLUTE_NEXT = 49,
        RELATIVE_POINT = 18, RELATIVE_LAST = 34, RELATIVE_NEXT = 50,
    }
    /// What a metric instance describes.
    MetricScope { LOCATION = 0, LOCATION_GROUP = 1, SYSTEM_TREE_NODE = 2, GROUP = 3 }
    /// The kind of location that records a metric.
    RecorderKind { UNKNOWN = 0, ABSTRACT = 1, CPU = 2, GPU = 3 }
    /// The type of a parameter.
    ParameterType { STRING = 0, INT64 = 1, UINT64 = 2 }
    /// Whether a Cartesian dimension wraps around.
    CartPeriodicity { FALSE = 0, TRUE = 1 }
    /// What an interrupt generator counts.
    InterruptGeneratorMode { TIME = 0, COUNT = 1 }
    /// Whether an I/O paradigm knows of parallelism.
    IoParadigmClass { SERIAL = 0, PARALLEL = 1 }
    /// What an I/O paradigm's property describes.
    IoParadigmProperty { VERSION = 0 }
    /// How a file was opened.
    IoAccessMode {
        READ_ONLY = 0, WRITE_ONLY = 1, READ_WRITE = 2, EXECUTE_ONLY = 3, SEARCH_ONLY = 4,
    }
    /// Whether measurement goes on.
    MeasurementMode { ON = 1, OFF = 2 }
    /// A collective operation.
    CollectiveOp {
        BARRIER = 0, BCAST = 1, GATHER = 2, GATHERV = 3, SCATTER = 4, SCATTERV = 5,
        ALLGATHER = 6, ALLGATHERV = 7, ALLTOALL = 8, ALLTOALLV = 9, ALLTOALLW = 10,
        ALLREDUCE = 11, REDUCE = 12, REDUCE_SCATTER = 13, SCAN = 14, EXSCAN = 15,
        REDUCE_SCATTER_BLOCK = 16, CREATE_HANDLE = 17, DESTROY_HANDLE = 18, ALLOCATE = 19,
        DEALLOCATE = 20, CREATE_HANDLE_AND_ALLOCATE = 21, DESTROY_HANDLE_AND_DEALLOCATE = 22,
    }
    /// What a remote-memory synchronization does.
    RmaSyncType { MEMORY = 0, NOTIFY_IN = 1, NOTIFY_OUT = 2 }
    /// How a lock is held.
    LockType { EXCLUSIVE = 0, SHARED = 1 }
    /// A remote atomic operation.
    RmaAtomicType {
        ACCUMULATE = 0, INCREMENT = 1, TEST_AND_SET = 2, COMPARE_AND_SWAP = 3, SWAP = 4,
        FETCH_AND_ADD = 5, FETCH_AND_INCREMENT = 6, FETCH_AND_ACCUMULATE = 7,
    }
    /// Where a seek counts from.
    IoSeekOption { FROM_START = 0, FROM_CURRENT = 1, FROM_END = 2, DATA = 3, HOLE = 4 }
    /// What an I/O operation does.
    IoOperationMode { READ = 0, WRITE = 1, FLUSH = 2 }
    /// How grave a marker is.
    MarkerSeverity { NONE = 0, LOW = 1, MEDIUM = 2, HIGH = 3 }
    /// What a marker is attached to.
    MarkerScope {
        GLOBAL = 0, LOCATION = 1, LOCATION_GROUP = 2, SYSTEM_TREE_NODE = 3, GROUP = 4, COMM = 5,
    }
}

flags! {
    /// Properties of a region.
    RegionFlag { DYNAMIC = 1, PHASE = 2 }
    /// Properties of a group.
    GroupFlag { GLOBAL_MEMBERS = 1 }
    /// Properties of an I/O paradigm.
    IoParadigmFlag { OS = 1 }
    /// Properties of an I/O handle.
    IoHandleFlag { PRE_CREATED = 1, ALL_PROXY = 2 }
    /// State of an I/O handle.
    IoStatusFlag {
        CLOSE_ON_EXEC = 1, APPEND = 2, NON_BLOCKING = 4, ASYNC = 8, SYNC = 16, DATA_SYNC = 32,
        AVOID_CACHING = 64, NO_ACCESS_TIME = 128, DELETE_ON_CLOSE = 256,
    }
    /// Properties of a communicator.
    CommFlag { CREATE_DESTROY_EVENTS = 1 }
    /// Properties of a remote-memory window.
    RmaWinFlag { CREATE_DESTROY_EVENTS = 1 }
    /// How far a remote-memory synchronization reaches.
    RmaSyncLevel { PROCESS = 1, MEMORY = 2 }
    /// How a file was created.
    IoCreationFlag {
        CREATE = 1, TRUNCATE = 2, DIRECTORY = 4, EXCLUSIVE = 8, NO_CONTROLLING_TERMINAL = 16,
        NO_FOLLOW = 32, PATH = 64, TEMPORARY_FILE = 128, LARGEFILE = 256, NO_SEEK = 512,
        UNIQUE = 1024,
    }
    /// How an I/O operation runs.
    IoOperationFlag { NON_BLOCKING = 1, COLLECTIVE = 2 }
}

/// The root of a collective operation without one (`root` of `MpiCollectiveEnd`).
pub const ROOT_NONE: u32 = u32::MAX;
/// The root of an operation on an inter-communicator: this rank itself.
pub const ROOT_SELF: u32 = u32::MAX - 1;
/// The root of an operation on an inter-communicator: a member of this group.
pub const ROOT_THIS_GROUP: u32 = u32::MAX - 2;
/// A reference that points to nothing.
pub const UNDEFINED: u32 = u32::MAX;
/// The generation number of an implicit task.
pub const TASK_GENERATION_NUMBER_IMPLICIT: u32 = 0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_printed_by_name() {
        let flags = IoStatusFlag::APPEND | IoStatusFlag::SYNC | IoStatusFlag(1 << 20);
        assert_eq!(format!("{flags:?}"), "APPEND | SYNC | 0x100000");
        assert_eq!(format!("{:?}", CommFlag::NONE), "NONE");
    }
}
