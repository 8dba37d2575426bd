//! Snapshots: the state of a location at one moment, so that a reader may
//! begin in the middle of its events.
//!
//! A snapshot is a [`SnapshotStart`](Snapshot::SnapshotStart), records of what
//! is still under way (regions entered, messages in flight, values that hold),
//! and a [`SnapshotEnd`](Snapshot::SnapshotEnd), which names the event to go on
//! with. All of them bear the time of the snapshot; when the thing itself
//! happened is a field.

use crate::encoding::*;
use crate::enums::{CollectiveOp, MeasurementMode};
use crate::records::{field, form, records, Form, Kind, Record};
use crate::references::Translate;
use crate::value::MetricValue;
use crate::wire::{length_size, Cursor, Fault, Out};

records! {
    /// A record of a file of snapshots, without time and attributes.
    pub enum Snapshot {
        /// A snapshot begins.
        10 SnapshotStart length { number_of_records: u64 as C64 },
        /// It ends; reading goes on with the event of this number.
        11 SnapshotEnd length { cont_read_pos: u64 as C64 },
        /// Measurement is on or off.
        12 MeasurementOnOff length {
            orig_event_time: u64 as Fixed64, measurement_mode: MeasurementMode as U8
        },
        /// A region has been entered and not left.
        13 Enter length { orig_event_time: u64 as Fixed64, region: u32 as RegionId },
        /// A message was sent and has not been received.
        14 MpiSend length {
            orig_event_time: u64 as Fixed64, receiver: u32 as C32, communicator: u32 as CommId,
            msg_tag: u32 as C32, msg_length: u64 as C64
        },
        /// A nonblocking send was posted; its message has not been received.
        15 MpiIsend length {
            orig_event_time: u64 as Fixed64, receiver: u32 as C32, communicator: u32 as CommId,
            msg_tag: u32 as C32, msg_length: u64 as C64, request_id: u64 as C64
        },
        /// Such a send has completed.
        16 MpiIsendComplete length {
            orig_event_time: u64 as Fixed64, request_id: u64 as C64
        },
        /// A message was received.
        17 MpiRecv length {
            orig_event_time: u64 as Fixed64, sender: u32 as C32, communicator: u32 as CommId,
            msg_tag: u32 as C32, msg_length: u64 as C64
        },
        /// A nonblocking receive was posted and has not completed.
        18 MpiIrecvRequest length {
            orig_event_time: u64 as Fixed64, request_id: u64 as C64
        },
        /// A nonblocking receive has completed.
        19 MpiIrecv length {
            orig_event_time: u64 as Fixed64, sender: u32 as C32, communicator: u32 as CommId,
            msg_tag: u32 as C32, msg_length: u64 as C64, request_id: u64 as C64
        },
        /// A collective operation has begun and not ended.
        20 MpiCollectiveBegin length { orig_event_time: u64 as Fixed64 },
        /// A collective operation has ended here, but not everywhere.
        21 MpiCollectiveEnd length {
            orig_event_time: u64 as Fixed64, collective_op: CollectiveOp as U8,
            communicator: u32 as CommId, root: u32 as C32, size_sent: u64 as C64,
            size_received: u64 as C64
        },
        /// OpenMP has forked a team that is not joined.
        22 OmpFork length {
            orig_event_time: u64 as Fixed64, number_of_requested_threads: u32 as C32
        },
        /// OpenMP holds a lock.
        23 OmpAcquireLock length {
            orig_event_time: u64 as Fixed64, lock_id: u32 as C32, acquisition_order: u32 as C32
        },
        /// OpenMP has created a task that is not complete.
        24 OmpTaskCreate length { orig_event_time: u64 as Fixed64, task_id: u64 as C64 },
        /// OpenMP runs a task.
        25 OmpTaskSwitch length { orig_event_time: u64 as Fixed64, task_id: u64 as C64 },
        /// Values that a metric class or instance had last.
        26 Metric length {
            orig_event_time: u64 as Fixed64, metric: u32 as MetricId,
            values: Vec<MetricValue> as Counted<U8, Metric>
        },
        /// The string that a parameter had last.
        27 ParameterString length {
            orig_event_time: u64 as Fixed64, parameter: u32 as ParameterId,
            string: u32 as StringId
        },
        /// The signed value that a parameter had last.
        28 ParameterInt length {
            orig_event_time: u64 as Fixed64, parameter: u32 as ParameterId, value: i64 as Ci64
        },
        /// The unsigned value that a parameter had last.
        29 ParameterUnsignedInt length {
            orig_event_time: u64 as Fixed64, parameter: u32 as ParameterId, value: u64 as C64
        },
        plain {}
    }
}

impl Snapshot {
    /// Has the ids of definitions that it refers to replaced: `ids` is given each with its kind.
    pub fn translate(&mut self, ids: &mut Translate<'_>) {
        self.map(ids);
    }

    /// The time of the event that the record repeats, for all kinds but start,
    /// end and unknown ones.
    pub fn orig_event_time_mut(&mut self) -> Option<&mut u64> {
        match self {
            Self::SnapshotStart { .. } | Self::SnapshotEnd { .. } | Self::Unknown { .. } => None,
            Self::MeasurementOnOff {
                orig_event_time, ..
            }
            | Self::Enter {
                orig_event_time, ..
            }
            | Self::MpiSend {
                orig_event_time, ..
            }
            | Self::MpiIsend {
                orig_event_time, ..
            }
            | Self::MpiIsendComplete {
                orig_event_time, ..
            }
            | Self::MpiRecv {
                orig_event_time, ..
            }
            | Self::MpiIrecvRequest {
                orig_event_time, ..
            }
            | Self::MpiIrecv {
                orig_event_time, ..
            }
            | Self::MpiCollectiveBegin { orig_event_time }
            | Self::MpiCollectiveEnd {
                orig_event_time, ..
            }
            | Self::OmpFork {
                orig_event_time, ..
            }
            | Self::OmpAcquireLock {
                orig_event_time, ..
            }
            | Self::OmpTaskCreate {
                orig_event_time, ..
            }
            | Self::OmpTaskSwitch {
                orig_event_time, ..
            }
            | Self::Metric {
                orig_event_time, ..
            }
            | Self::ParameterString {
                orig_event_time, ..
            }
            | Self::ParameterInt {
                orig_event_time, ..
            }
            | Self::ParameterUnsignedInt {
                orig_event_time, ..
            } => Some(orig_event_time),
        }
    }
}
