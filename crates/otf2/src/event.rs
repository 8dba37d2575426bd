//! The table of events: what happens at a location.
//!
//! Fields bear OTF2's names. References are plain numbers: `region: 7` is the
//! region whose definition has id 7. Ranks (`receiver`, `sender`, `root`) count
//! within the communicator's group.

use crate::encoding::*;
use crate::enums::*;
use crate::records::{field, form, records, Form, Kind, Record};
use crate::references::Translate;
use crate::value::MetricValue;
use crate::wire::{length_size, Cursor, Fault, Out};

records! {
    /// What happened, without time and attributes.
    pub enum Event {
        /// The measurement wrote its buffer to disk until `stop_time`.
        10 BufferFlush length { stop_time: u64 as Fixed64 },
        /// Measurement was switched on or off.
        11 MeasurementOnOff length { measurement_mode: MeasurementMode as U8 },
        /// A region was entered.
        12 Enter single { region: u32 as RegionId },
        /// A region was left.
        13 Leave single { region: u32 as RegionId },
        /// A blocking send; `receiver` is a rank of the communicator.
        14 MpiSend length {
            receiver: u32 as C32, communicator: u32 as CommId, msg_tag: u32 as C32,
            msg_length: u64 as C64
        },
        /// A nonblocking send was posted.
        15 MpiIsend length {
            receiver: u32 as C32, communicator: u32 as CommId, msg_tag: u32 as C32,
            msg_length: u64 as C64, request_id: u64 as C64
        },
        /// A nonblocking send completed.
        16 MpiIsendComplete single { request_id: u64 as C64 },
        /// A nonblocking receive was posted.
        17 MpiIrecvRequest single { request_id: u64 as C64 },
        /// A message was received; `sender` is a rank of the communicator.
        18 MpiRecv length {
            sender: u32 as C32, communicator: u32 as CommId, msg_tag: u32 as C32,
            msg_length: u64 as C64
        },
        /// A nonblocking receive completed.
        19 MpiIrecv length {
            sender: u32 as C32, communicator: u32 as CommId, msg_tag: u32 as C32,
            msg_length: u64 as C64, request_id: u64 as C64
        },
        /// A request was tested and had not completed.
        20 MpiRequestTest single { request_id: u64 as C64 },
        /// A request was cancelled.
        21 MpiRequestCancelled single { request_id: u64 as C64 },
        /// A collective operation ended.
        23 MpiCollectiveEnd length {
            collective_op: CollectiveOp as U8, communicator: u32 as CommId, root: u32 as C32,
            size_sent: u64 as C64, size_received: u64 as C64
        },
        /// OpenMP forked a team (deprecated: `ThreadFork`).
        24 OmpFork single { number_of_requested_threads: u32 as C32 },
        /// OpenMP acquired a lock (deprecated).
        26 OmpAcquireLock length { lock_id: u32 as C32, acquisition_order: u32 as C32 },
        /// OpenMP released a lock (deprecated).
        27 OmpReleaseLock length { lock_id: u32 as C32, acquisition_order: u32 as C32 },
        /// OpenMP created a task (deprecated).
        28 OmpTaskCreate single { task_id: u64 as C64 },
        /// OpenMP switched tasks (deprecated).
        29 OmpTaskSwitch single { task_id: u64 as C64 },
        /// OpenMP completed a task (deprecated).
        30 OmpTaskComplete single { task_id: u64 as C64 },
        /// Values of a metric class or instance.
        31 Metric length {
            metric: u32 as MetricId, values: Vec<MetricValue> as Counted<U8, Metric>
        },
        /// A parameter with the value of a string.
        32 ParameterString length { parameter: u32 as ParameterId, string: u32 as StringId },
        /// A parameter with a signed value.
        33 ParameterInt length { parameter: u32 as ParameterId, value: i64 as Ci64 },
        /// A parameter with an unsigned value.
        34 ParameterUnsignedInt length { parameter: u32 as ParameterId, value: u64 as C64 },
        /// A remote-memory window was created.
        35 RmaWinCreate length { win: u32 as RmaWinId },
        /// A remote-memory window was destroyed.
        36 RmaWinDestroy length { win: u32 as RmaWinId },
        /// A collective remote-memory operation ended.
        38 RmaCollectiveEnd length {
            collective_op: CollectiveOp as U8, sync_level: RmaSyncLevel as C32,
            win: u32 as RmaWinId, root: u32 as C32, bytes_sent: u64 as C64,
            bytes_received: u64 as C64
        },
        /// A group synchronized a window.
        39 RmaGroupSync length {
            sync_level: RmaSyncLevel as C32, win: u32 as RmaWinId, group: u32 as GroupId
        },
        /// A lock of a window was asked for.
        40 RmaRequestLock length {
            win: u32 as RmaWinId, remote: u32 as C32, lock_id: u64 as C64,
            lock_type: LockType as U8
        },
        /// A lock of a window was acquired.
        41 RmaAcquireLock length {
            win: u32 as RmaWinId, remote: u32 as C32, lock_id: u64 as C64,
            lock_type: LockType as U8
        },
        /// A lock of a window was tried for.
        42 RmaTryLock length {
            win: u32 as RmaWinId, remote: u32 as C32, lock_id: u64 as C64,
            lock_type: LockType as U8
        },
        /// A lock of a window was released.
        43 RmaReleaseLock length { win: u32 as RmaWinId, remote: u32 as C32, lock_id: u64 as C64 },
        /// A window was synchronized.
        44 RmaSync length {
            win: u32 as RmaWinId, remote: u32 as C32, sync_type: RmaSyncType as U8
        },
        /// A process waited for a change in a window.
        45 RmaWaitChange length { win: u32 as RmaWinId },
        /// Data were put into a remote window.
        46 RmaPut length {
            win: u32 as RmaWinId, remote: u32 as C32, bytes: u64 as C64, matching_id: u64 as C64
        },
        /// Data were got from a remote window.
        47 RmaGet length {
            win: u32 as RmaWinId, remote: u32 as C32, bytes: u64 as C64, matching_id: u64 as C64
        },
        /// An atomic operation on a remote window.
        48 RmaAtomic length {
            win: u32 as RmaWinId, remote: u32 as C32, atomic_type: RmaAtomicType as U8,
            bytes_sent: u64 as C64, bytes_received: u64 as C64, matching_id: u64 as C64
        },
        /// A blocking remote operation completed.
        49 RmaOpCompleteBlocking length { win: u32 as RmaWinId, matching_id: u64 as C64 },
        /// A nonblocking remote operation completed locally.
        50 RmaOpCompleteNonBlocking length { win: u32 as RmaWinId, matching_id: u64 as C64 },
        /// A remote operation was tested.
        51 RmaOpTest length { win: u32 as RmaWinId, matching_id: u64 as C64 },
        /// A remote operation completed at the target.
        52 RmaOpCompleteRemote length { win: u32 as RmaWinId, matching_id: u64 as C64 },
        /// Threads were forked.
        53 ThreadFork length { model: Paradigm as U8, number_of_requested_threads: u32 as C32 },
        /// Threads were joined.
        54 ThreadJoin length { model: Paradigm as U8 },
        /// A thread entered a team.
        55 ThreadTeamBegin length { thread_team: u32 as CommId },
        /// A thread left a team.
        56 ThreadTeamEnd length { thread_team: u32 as CommId },
        /// A thread acquired a lock.
        57 ThreadAcquireLock length {
            model: Paradigm as U8, lock_id: u32 as C32, acquisition_order: u32 as C32
        },
        /// A thread released a lock.
        58 ThreadReleaseLock length {
            model: Paradigm as U8, lock_id: u32 as C32, acquisition_order: u32 as C32
        },
        /// A task was created.
        59 ThreadTaskCreate length {
            thread_team: u32 as CommId, creating_thread: u32 as C32, generation_number: u32 as C32
        },
        /// A thread switched to a task.
        60 ThreadTaskSwitch length {
            thread_team: u32 as CommId, creating_thread: u32 as C32, generation_number: u32 as C32
        },
        /// A task completed.
        61 ThreadTaskComplete length {
            thread_team: u32 as CommId, creating_thread: u32 as C32, generation_number: u32 as C32
        },
        /// A thread was created.
        62 ThreadCreate length { thread_contingent: u32 as CommId, sequence_count: u64 as C64 },
        /// A thread began.
        63 ThreadBegin length { thread_contingent: u32 as CommId, sequence_count: u64 as C64 },
        /// A thread was waited for.
        64 ThreadWait length { thread_contingent: u32 as CommId, sequence_count: u64 as C64 },
        /// A thread ended.
        65 ThreadEnd length { thread_contingent: u32 as CommId, sequence_count: u64 as C64 },
        /// A calling context was entered.
        66 CallingContextEnter length {
            calling_context: u32 as CallingContextId, unwind_distance: u32 as C32
        },
        /// A calling context was left.
        67 CallingContextLeave length { calling_context: u32 as CallingContextId },
        /// A sample of the call stack.
        68 CallingContextSample length {
            calling_context: u32 as CallingContextId, unwind_distance: u32 as C32,
            interrupt_generator: u32 as InterruptGeneratorId
        },
        /// A file was opened.
        69 IoCreateHandle length {
            handle: u32 as IoHandleId, mode: IoAccessMode as U8,
            creation_flags: IoCreationFlag as C32, status_flags: IoStatusFlag as C32
        },
        /// A file was closed.
        70 IoDestroyHandle length { handle: u32 as IoHandleId },
        /// A handle was duplicated.
        71 IoDuplicateHandle length {
            old_handle: u32 as IoHandleId, new_handle: u32 as IoHandleId,
            status_flags: IoStatusFlag as C32
        },
        /// The position in a file changed.
        72 IoSeek length {
            handle: u32 as IoHandleId, offset_request: i64 as Ci64, whence: IoSeekOption as U8,
            offset_result: u64 as C64
        },
        /// The flags of a handle changed.
        73 IoChangeStatusFlags length {
            handle: u32 as IoHandleId, status_flags: IoStatusFlag as C32
        },
        /// A file was deleted.
        74 IoDeleteFile length { io_paradigm: u8 as U8, file: u32 as IoFileId },
        /// An I/O operation began.
        75 IoOperationBegin length {
            handle: u32 as IoHandleId, mode: IoOperationMode as U8,
            operation_flags: IoOperationFlag as C32, bytes_request: u64 as C64,
            matching_id: u64 as C64
        },
        /// An I/O operation was tested and had not completed.
        76 IoOperationTest length { handle: u32 as IoHandleId, matching_id: u64 as C64 },
        /// An I/O operation was issued.
        77 IoOperationIssued length { handle: u32 as IoHandleId, matching_id: u64 as C64 },
        /// An I/O operation completed.
        78 IoOperationComplete length {
            handle: u32 as IoHandleId, bytes_result: u64 as C64, matching_id: u64 as C64
        },
        /// An I/O operation was cancelled.
        79 IoOperationCancelled length { handle: u32 as IoHandleId, matching_id: u64 as C64 },
        /// A lock on a file was acquired.
        80 IoAcquireLock length { handle: u32 as IoHandleId, lock_type: LockType as U8 },
        /// A lock on a file was released.
        81 IoReleaseLock length { handle: u32 as IoHandleId, lock_type: LockType as U8 },
        /// A lock on a file was tried for.
        82 IoTryLock length { handle: u32 as IoHandleId, lock_type: LockType as U8 },
        /// The program began.
        83 ProgramBegin length {
            program_name: u32 as StringId, program_arguments: Vec<u32> as Counted<C32, StringId>
        },
        /// The program ended.
        84 ProgramEnd length { exit_status: i64 as Ci64 },
        /// A nonblocking collective operation was posted (OTF2 3.0).
        85 NonBlockingCollectiveRequest length { request_id: u64 as C64 },
        /// A nonblocking collective operation completed (OTF2 3.0).
        86 NonBlockingCollectiveComplete length {
            collective_op: CollectiveOp as U8, communicator: u32 as CommId, root: u32 as C32,
            size_sent: u64 as C64, size_received: u64 as C64, request_id: u64 as C64
        },
        /// A communicator was created (OTF2 3.0).
        87 CommCreate length { communicator: u32 as CommId },
        /// A communicator was destroyed (OTF2 3.0).
        88 CommDestroy length { communicator: u32 as CommId },
        /// A probe matched a message (OTF2 3.2).
        89 MpiProbe length {
            sender: u32 as C32, communicator: u32 as CommId, tag: u32 as C32,
            message_id: u64 as C64
        },
        /// A matched message was received (OTF2 3.2).
        90 MpiMrecv length { message_id: u64 as C64, msg_length: u64 as C64 },
        /// The receive of a matched message was posted (OTF2 3.2).
        91 MpiImrecvRequest length { message_id: u64 as C64, request_id: u64 as C64 },
        /// The receive of a matched message completed (OTF2 3.2).
        92 MpiImrecv length { request_id: u64 as C64, msg_length: u64 as C64 },
        plain {
            /// A collective operation began.
            22 MpiCollectiveBegin,
            /// OpenMP joined a team (deprecated: `ThreadJoin`).
            25 OmpJoin,
            /// A collective remote-memory operation began.
            37 RmaCollectiveBegin,
        }
    }
}

impl Event {
    /// Has the ids of definitions that it refers to replaced: `ids` is given each with its kind.
    /// Ranks are none.
    pub fn translate(&mut self, ids: &mut Translate<'_>) {
        self.map(ids);
    }
}
