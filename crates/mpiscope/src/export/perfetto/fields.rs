//! Numbers of fields in Perfetto's `trace_packet.proto` and what it holds.

/// Of a TracePacket.
pub mod packet {
    pub const TIMESTAMP: u32 = 8;
    pub const SEQUENCE: u32 = 10;
    pub const EVENT: u32 = 11;
    pub const INTERNED: u32 = 12;
    pub const FLAGS: u32 = 13;
    pub const DEFAULTS: u32 = 59;
    pub const DESCRIPTOR: u32 = 60;
}

/// A sequence begins here: nothing is interned yet (`SEQ_INCREMENTAL_STATE_CLEARED`).
pub const STATE_CLEARED: u64 = 1;
/// The packet needs what was interned before (`SEQ_NEEDS_INCREMENTAL_STATE`).
pub const NEEDS_STATE: u64 = 2;

/// Of a TracePacketDefaults.
pub mod defaults {
    pub const EVENTS: u32 = 11;
}

/// Of a TrackDescriptor.
pub mod track {
    pub const UUID: u32 = 1;
    pub const NAME: u32 = 2;
    pub const PROCESS: u32 = 3;
    pub const THREAD: u32 = 4;
    pub const PARENT: u32 = 5;
    pub const COUNTER: u32 = 8;
}

/// Of a CounterDescriptor.
pub mod counter {
    pub const UNIT_NAME: u32 = 6;
}

/// Of a ProcessDescriptor.
pub mod process {
    pub const PID: u32 = 1;
    pub const NAME: u32 = 6;
}

/// Of a ThreadDescriptor.
pub mod thread {
    pub const PID: u32 = 1;
    pub const TID: u32 = 2;
    pub const NAME: u32 = 5;
}

/// Of a TrackEvent; the track also of TrackEventDefaults.
pub mod event {
    pub const ANNOTATION: u32 = 4;
    pub const TYPE: u32 = 9;
    pub const NAME: u32 = 10;
    pub const TRACK: u32 = 11;
    pub const INTEGER: u32 = 30;
    pub const SITE: u32 = 34;
    pub const REAL: u32 = 44;
    pub const FLOW: u32 = 47;
}

/// Types of a TrackEvent.
pub mod kind {
    pub const BEGIN: u64 = 1;
    pub const END: u64 = 2;
    pub const INSTANT: u64 = 3;
    pub const COUNTER: u64 = 4;
}

/// Of a DebugAnnotation.
pub mod annotation {
    pub const NAME: u32 = 1;
    pub const UINT: u32 = 3;
    pub const STRING: u32 = 6;
}

/// Of InternedData, and of what it holds.
pub mod interned {
    pub const NAMES: u32 = 2;
    pub const ANNOTATIONS: u32 = 3;
    pub const SITES: u32 = 4;
    pub const ID: u32 = 1;
    pub const NAME: u32 = 2;
    pub const FILE: u32 = 2;
    pub const FUNCTION: u32 = 3;
    pub const LINE: u32 = 4;
}
