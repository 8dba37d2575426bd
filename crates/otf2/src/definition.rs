//! The table of definitions: what the numbers in events stand for.
//!
//! `id` is the number that events and other definitions use; the remaining
//! fields bear OTF2's names. A number that points to nothing is
//! [`UNDEFINED`](crate::UNDEFINED).

use crate::encoding::*;
use crate::enums::*;
use crate::legacy;
use crate::records::{field, form, records, Form, Kind, Record};
use crate::references::Translate;
use crate::value::Value;
use crate::wire::{length_size, Cursor, Fault, Out};

records! {
    /// A global definition.
    pub enum Definition {
        /// The clock: ticks per second, first tick, length, time of day of the first tick.
        5 ClockProperties length {
            timer_resolution: u64 as C64, global_offset: u64 as C64, trace_length: u64 as C64,
            realtime_timestamp: u64 as C64 = u64::MAX
        },
        /// A programming model that the trace uses.
        6 Paradigm length {
            paradigm: Paradigm as U8, name: u32 as C32, paradigm_class: ParadigmClass as U8
        },
        /// A property of a programming model.
        7 ParadigmProperty length {
            paradigm: Paradigm as U8, property: ParadigmProperty as U8, value: Value as Typed
        },
        /// An I/O interface.
        8 IoParadigm length {
            id: u8 as U8, identification: u32 as C32, name: u32 as C32,
            io_paradigm_class: IoParadigmClass as U8, io_paradigm_flags: IoParadigmFlag as C32,
            properties: Vec<(IoParadigmProperty, Value)> as Counted<U8, (U8, Typed)>
        },
        /// A string, which other definitions refer to.
        10 String length { id: u32 as C32, string: String as Str },
        /// An attribute that events may carry.
        11 Attribute length {
            id: u32 as C32, name: u32 as C32, value_type: Type as U8,
            description: u32 as C32 = UNDEFINED
        },
        /// A node of the machine's tree.
        12 SystemTreeNode length {
            id: u32 as C32, name: u32 as C32, class_name: u32 as C32, parent: u32 as C32
        },
        /// A group of locations, usually a process.
        13 LocationGroup length {
            id: u32 as C32, name: u32 as C32, location_group_type: LocationGroupType as U8,
            system_tree_parent: u32 as C32, creating_location_group: u32 as C32 = UNDEFINED
        },
        /// A stream of events, usually a thread.
        14 Location length {
            id: u64 as C64, name: u32 as C32, location_type: LocationType as U8,
            number_of_events: u64 as C64, location_group: u32 as C32
        },
        /// A region of the program, usually a function.
        15 Region length {
            id: u32 as C32, name: u32 as C32, description: u32 as C32;
            legacy region_type: u8 as U8
                = legacy::region_type(*region_role, *paradigm, *region_flags);
            source_file: u32 as C32, begin_line_number: u32 as C32, end_line_number: u32 as C32,
            canonical_name: u32 as C32 = name,
            region_role: RegionRole as U8 = legacy::region(region_type).0,
            paradigm: Paradigm as U8 = legacy::region(region_type).1,
            region_flags: RegionFlag as C32 = legacy::region(region_type).2
        },
        /// A place of a call (deprecated).
        16 Callsite length {
            id: u32 as C32, source_file: u32 as C32, line_number: u32 as C32,
            entered_region: u32 as C32, left_region: u32 as C32
        },
        /// A path of calls.
        17 Callpath length { id: u32 as C32, parent: u32 as C32, region: u32 as C32 },
        /// A group of locations, regions, metrics or ranks.
        18 Group length {
            id: u32 as C32, name: u32 as C32;
            legacy group_type_pre_1_2: u8 as U8 = legacy::group_type(*group_type, *paradigm);
            members: Vec<u64> as Counted<C32, C64>,
            group_type: GroupType as U8 = legacy::group(group_type_pre_1_2).0,
            paradigm: Paradigm as U8 = legacy::group(group_type_pre_1_2).1,
            group_flags: GroupFlag as C32 = GroupFlag::NONE
        },
        /// One metric.
        19 MetricMember length {
            id: u32 as C32, name: u32 as C32, description: u32 as C32,
            metric_type: MetricType as U8, metric_mode: MetricMode as U8, value_type: Type as U8,
            base: Base as U8, exponent: i64 as Ci64, unit: u32 as C32
        },
        /// Metrics that are recorded together.
        20 MetricClass length {
            id: u32 as C32, metric_members: Vec<u32> as Counted<U8, C32>,
            metric_occurrence: MetricOccurrence as U8,
            recorder_kind: RecorderKind as U8 = RecorderKind::UNKNOWN
        },
        /// A metric class for something other than its recorder.
        21 MetricInstance length {
            id: u32 as C32, metric_class: u32 as C32, recorder: u64 as C64,
            metric_scope: MetricScope as U8, scope: u64 as C64
        },
        /// A communicator.
        22 Comm length {
            id: u32 as C32, name: u32 as C32, group: u32 as C32, parent: u32 as C32,
            flags: CommFlag as C32 = CommFlag::NONE
        },
        /// A parameter of a call path.
        23 Parameter length {
            id: u32 as C32, name: u32 as C32, parameter_type: ParameterType as U8
        },
        /// A remote-memory window.
        24 RmaWin length {
            id: u32 as C32, name: u32 as C32, comm: u32 as C32,
            flags: RmaWinFlag as C32 = RmaWinFlag::CREATE_DESTROY_EVENTS
        },
        /// A location that records a metric class.
        25 MetricClassRecorder length { metric: u32 as C32, recorder: u64 as C64 },
        /// A property of a system tree node.
        26 SystemTreeNodeProperty length {
            system_tree_node: u32 as C32, name: u32 as C32;
            legacy string_value: u32 as C32
                = legacy::string_value(value);
            value: Value as Typed = Value::String(string_value)
        },
        /// The kind of hardware of a system tree node.
        27 SystemTreeNodeDomain length {
            system_tree_node: u32 as C32, system_tree_domain: SystemTreeDomain as U8
        },
        /// A property of a location group.
        28 LocationGroupProperty length {
            location_group: u32 as C32, name: u32 as C32;
            legacy string_value: u32 as C32
                = legacy::string_value(value);
            value: Value as Typed = Value::String(string_value)
        },
        /// A property of a location.
        29 LocationProperty length {
            location: u64 as C64, name: u32 as C32;
            legacy string_value: u32 as C32
                = legacy::string_value(value);
            value: Value as Typed = Value::String(string_value)
        },
        /// A dimension of a Cartesian grid.
        30 CartDimension length {
            id: u32 as C32, name: u32 as C32, size: u32 as C32,
            cart_periodicity: CartPeriodicity as U8
        },
        /// A Cartesian grid.
        31 CartTopology length {
            id: u32 as C32, name: u32 as C32, communicator: u32 as C32,
            cart_dimensions: Vec<u32> as Counted<U8, C32>
        },
        /// The place of a rank in a Cartesian grid.
        32 CartCoordinate length {
            cart_topology: u32 as C32, rank: u32 as C32, coordinates: Vec<u32> as Counted<U8, C32>
        },
        /// A line of the source.
        33 SourceCodeLocation length { id: u32 as C32, file: u32 as C32, line_number: u32 as C32 },
        /// A node of the calling context tree.
        34 CallingContext length {
            id: u32 as C32, region: u32 as C32, source_code_location: u32 as C32,
            parent: u32 as C32
        },
        /// A property of a calling context.
        35 CallingContextProperty length {
            calling_context: u32 as C32, name: u32 as C32, value: Value as Typed
        },
        /// A source of samples.
        36 InterruptGenerator length {
            id: u32 as C32, name: u32 as C32,
            interrupt_generator_mode: InterruptGeneratorMode as U8, base: Base as U8,
            exponent: i64 as Ci64, period: u64 as C64
        },
        /// A property of a file.
        37 IoFileProperty length { io_file: u32 as C32, name: u32 as C32, value: Value as Typed },
        /// A file.
        38 IoRegularFile length { id: u32 as C32, name: u32 as C32, scope: u32 as C32 },
        /// A directory.
        39 IoDirectory length { id: u32 as C32, name: u32 as C32, scope: u32 as C32 },
        /// An open file.
        40 IoHandle length {
            id: u32 as C32, name: u32 as C32, file: u32 as C32, io_paradigm: u8 as U8,
            io_handle_flags: IoHandleFlag as C32, comm: u32 as C32, parent: u32 as C32
        },
        /// The state of a handle that was open from the beginning.
        41 IoPreCreatedHandleState length {
            io_handle: u32 as C32, mode: IoAccessMode as U8, status_flags: IoStatusFlag as C32
        },
        /// A parameter of a call path.
        42 CallpathParameter length {
            callpath: u32 as C32, parameter: u32 as C32, value: Value as Typed
        },
        /// An inter-communicator.
        43 InterComm length {
            id: u32 as C32, name: u32 as C32, group_a: u32 as C32, group_b: u32 as C32,
            common_communicator: u32 as C32, flags: CommFlag as C32
        },
        plain {
        }
    }
}
