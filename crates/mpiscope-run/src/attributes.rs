//! Attributes that our events carry beside what OTF2 has a place for: names, numbers and meaning.

use otf2::Type;

/// An attribute that our events may carry; its number is its position.
pub(crate) struct Attribute {
    pub name: &'static str,
    pub kind: Type,
    pub description: &'static str,
}

/// Name of the attribute with the message of a matched probe, on its receive.
pub const MESSAGE_ID_NAME: &str = "MPISCOPE::MESSAGE_ID";
/// Name of the attribute that tells of wildcards; readers look for it.
pub const WILDCARD_NAME: &str = "MPISCOPE::WILDCARD";
/// Name of the attribute that tells how many messages or collective operations
/// went before an event on its channel, recorded or not; readers look for it.
pub const SEQUENCE_NAME: &str = "MPISCOPE::SEQUENCE";
/// Name of the attribute that marks a send as synchronous whose call does not say so.
pub const SYNCHRONOUS_NAME: &str = "MPISCOPE::SYNCHRONOUS";
/// Name of the attribute that marks the end of an alltoallv or alltoallw that
/// sent something to every other member.
pub const DENSE_NAME: &str = "MPISCOPE::DENSE";
/// Name of the attribute that marks the end of a collective operation among the
/// neighbours of a topology, for which OTF2 has no number.
pub const NEIGHBORS_NAME: &str = "MPISCOPE::NEIGHBORS";
/// Name of the attribute that tells which persistent collective operation is
/// started: the so many-th initialized on its communicator.
pub const PERSISTENT_NAME: &str = "MPISCOPE::PERSISTENT";
/// Name of an attribute that no event has: an archive that defines it lacks calls of MPI that
/// were left out by a filter; readers look for it.
pub const LEFT_OUT_NAME: &str = "MPISCOPE::LEFT_OUT";
/// Name of the attribute of what comes before all that await its value.
pub const SIGNAL_NAME: &str = "MPISCOPE::SIGNAL";
/// Name of the attribute of what comes after all that signal its value.
pub const AWAIT_NAME: &str = "MPISCOPE::AWAIT";
/// Name of the attribute of the call that created a communicator.
pub const COMM_CREATED_NAME: &str = "MPISCOPE::COMM_CREATED";
/// Name of the attribute of a leave that never was: the process ended within the region.
pub const CUT_SHORT_NAME: &str = "MPISCOPE::CUT_SHORT";
/// Name of the attribute of a call that stands for several that found nothing.
pub const POLLS_NAME: &str = "MPISCOPE::POLLS";
/// Name of the attribute of a sample that stands for several periods of its timer.
pub const PERIODS_NAME: &str = "MPISCOPE::PERIODS";
/// Name of the attribute of a call that returned an error: the error's class.
pub const FAILED_NAME: &str = "MPISCOPE::FAILED";
/// Name of the attribute that tells where in the program a call was made.
pub const CALL_SITE_NAME: &str = "MPISCOPE::CALL_SITE";
/// Name of the attribute of what a receive or probe asked for, or of the begin
/// of a collective operation: its communicator. The others tell more.
pub const POSTED_COMM_NAME: &str = "MPISCOPE::POSTED_COMM";
/// Name of the attribute: the source that a receive asked for, or the root;
/// absent for MPI_ANY_SOURCE.
pub const POSTED_SOURCE_NAME: &str = "MPISCOPE::POSTED_SOURCE";
/// Name of the attribute: the tag that a receive asked for; absent for MPI_ANY_TAG.
pub const POSTED_TAG_NAME: &str = "MPISCOPE::POSTED_TAG";
/// Name of the attribute: how many bytes the buffer of a receive holds; at the
/// begin of a collective operation those that all members must agree in.
pub const CAPACITY_NAME: &str = "MPISCOPE::CAPACITY";
/// Name of the attribute: the type signature of the data, a number that is the same for all
/// processes of a run; hashes, in archives of before.
pub const SIGNATURE_NAME: &str = "MPISCOPE::SIGNATURE";
/// Number of the attribute: where in the program a call was made. Number 0 takes no byte, and
/// each enter of a call has this one.
pub const CALL_SITE: u32 = 0;
/// Number of the attribute: the communicator that a call created.
pub const COMM_CREATED: u32 = 1;
/// Number of the attribute: the message of a matched probe.
pub const MESSAGE_ID: u32 = 2;
/// Number of the attribute: how many messages came before on this channel.
pub const SEQUENCE: u32 = 3;
/// Number of the attribute: something was sent to every other member.
pub const DENSE: u32 = 4;
/// Number of the attribute: which wildcards a receive was posted with.
pub const WILDCARD: u32 = 5;
/// Number of the attribute: the communicator that a receive asked for.
pub const POSTED_COMM: u32 = 6;
/// Number of the attribute: the source that a receive asked for.
pub const POSTED_SOURCE: u32 = 7;
/// Number of the attribute: the tag that a receive asked for.
pub const POSTED_TAG: u32 = 8;
/// Number of the attribute: the size of a receive's buffer.
pub const CAPACITY: u32 = 9;
/// Number of the attribute: a type signature.
pub const SIGNATURE: u32 = 10;
/// Number of the attribute: which persistent collective operation is started.
pub const PERSISTENT: u32 = 11;
/// Number of the attribute: the operation is among neighbours.
pub const NEIGHBORS: u32 = 12;
/// Number of the attribute: the process ended within the region.
pub const CUT_SHORT: u32 = 13;
/// Number of the attribute: this call stands for so many that found nothing.
pub const POLLS: u32 = 14;
/// Number of the attribute: this sample stands for so many periods.
pub const PERIODS: u32 = 15;
/// Number of the attribute: the class of the error that a call returned.
pub const FAILED: u32 = 16;

pub(crate) const ATTRIBUTES: [Attribute; 17] = [
    Attribute {
        name: CALL_SITE_NAME,
        kind: Type::CALLING_CONTEXT,
        description: "The place in the program at which this region was entered",
    },
    Attribute {
        name: COMM_CREATED_NAME,
        kind: Type::COMM,
        description: "The communicator that this call created",
    },
    Attribute {
        name: MESSAGE_ID_NAME,
        kind: Type::UINT64,
        description: "The message that a matched probe found, as its MpiProbe event names it",
    },
    Attribute {
        name: SEQUENCE_NAME,
        kind: Type::UINT64,
        description: "How many messages of this communicator, peer and tag (or collective operations of \
                      this communicator) this process had before, recorded or not; 2^61 and more: not known",
    },
    Attribute {
        name: DENSE_NAME,
        kind: Type::UINT8,
        description: "In this alltoallv or alltoallw something was sent to every other member (1)",
    },
    Attribute {
        name: WILDCARD_NAME,
        kind: Type::UINT8,
        description: "The receive was posted with MPI_ANY_SOURCE (bit 0) or MPI_ANY_TAG (bit 1)",
    },
    Attribute {
        name: POSTED_COMM_NAME,
        kind: Type::COMM,
        description: "The communicator of what this receive, probe or collective operation asks for",
    },
    Attribute {
        name: POSTED_SOURCE_NAME,
        kind: Type::UINT32,
        description: "The sender that is asked for, or the root; absent for MPI_ANY_SOURCE",
    },
    Attribute {
        name: POSTED_TAG_NAME,
        kind: Type::UINT32,
        description: "The tag that is asked for; absent for MPI_ANY_TAG",
    },
    Attribute {
        name: CAPACITY_NAME,
        kind: Type::UINT64,
        description: "How many bytes the buffer of this receive holds, or all members of this operation must agree in",
    },
    Attribute {
        name: SIGNATURE_NAME,
        kind: Type::UINT64,
        description: "The type signature of the data without repetitions, as a number from 1 on: its hash \
                      is the so many-th of the archive's MPISCOPE::SIGNATURES",
    },
    Attribute {
        name: PERSISTENT_NAME,
        kind: Type::UINT64,
        description: "The so many-th persistent operation of its communicator is started",
    },
    Attribute {
        name: NEIGHBORS_NAME,
        kind: Type::UINT8,
        description: "The operation is among the neighbours of a topology (1)",
    },
    Attribute {
        name: CUT_SHORT_NAME,
        kind: Type::UINT8,
        description: "The process ended within this region (1): it was never left, and the time is that of \
                      the event before",
    },
    Attribute {
        name: POLLS_NAME,
        kind: Type::UINT64,
        description: "This call stands for so many of this function from this place that found nothing, \
                      with nothing but such calls in between: it lasts as long as they did together, \
                      and ends where the last of them did",
    },
    Attribute {
        name: PERIODS_NAME,
        kind: Type::UINT32,
        description: "This sample stands for so many periods of the timer, which ended before the thread could \
                      be looked at",
    },
    Attribute {
        name: FAILED_NAME,
        kind: Type::UINT32,
        description: "This call failed: what it returned is of the class that has this number in the MPI of the run",
    },
];

/// Defined behind the others where calls of MPI were left out.
pub(crate) const LEFT_OUT: Attribute = Attribute {
    name: LEFT_OUT_NAME,
    kind: Type::UINT8,
    description:
        "On no event: that the archive has it says that calls of MPI were left out by a filter",
};
