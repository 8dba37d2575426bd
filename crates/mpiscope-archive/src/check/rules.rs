//! The rules that archives are held against, one row each: what it is called, what it says, who
//! asks for it, of whom nobody can tell, and what [`repair`](crate::repair) does about it.

use std::fmt;

/// Who reads archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The format's documentation.
    Format,
    /// The C library, and what is built on it.
    Libotf2,
    /// The trace analyzer of Scalasca.
    Scalasca,
    /// The viewer; nobody here has one to try.
    Vampir,
    /// Python's package.
    Pypi,
}

impl Reader {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Reader::Format => "OTF2 format",
            Reader::Libotf2 => "libotf2",
            Reader::Scalasca => "Scalasca",
            Reader::Vampir => "Vampir",
            Reader::Pypi => "PyPI's otf2",
        }
    }
}

use Reader::{Format, Libotf2, Pypi, Scalasca, Vampir};

/// What a repair does where a rule is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mend {
    /// It mends it: how.
    By(&'static str),
    /// It leaves it: why nobody can mend it without inventing what happened.
    Not(&'static str),
}

use Mend::{By, Not};

/// A rule's row.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its name, which stays.
    pub id: &'static str,
    /// What it says of a file that keeps it.
    pub says: &'static str,
    /// Who asks for it.
    pub asked_by: &'static [Reader],
    /// Who may ask for it: nobody here could try.
    pub not_known_of: &'static [Reader],
    /// What a repair does about it.
    pub mend: Mend,
}

macro_rules! rules {
    ($( $Rule:ident $id:literal $says:literal $asked:expr, $unknown:expr, $mend:expr; )*) => {
        /// A rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $( #[doc = $says] $Rule, )*
        }

        impl Rule {
            /// All of them, in the order of reports.
            pub const ALL: &'static [Rule] = &[ $( Rule::$Rule, )* ];

            /// Returns the rule's row.
            pub fn row(self) -> Row {
                match self {
                    $( Rule::$Rule => Row {
                        id: $id,
                        says: $says,
                        asked_by: &$asked,
                        not_known_of: &$unknown,
                        mend: $mend,
                    }, )*
                }
            }
        }
    };
}

rules! {
    FileMissing "file-missing"
        "every file that the archive announces is there"
        [Format, Libotf2, Pypi], [Scalasca, Vampir],
        By("an empty file stands for it");
    FileCut "file-cut"
        "a file ends with its end mark"
        [Format, Libotf2, Pypi], [Scalasca, Vampir],
        By("what can be read is written, and ended");
    FileDamaged "file-damaged"
        "all bytes of a file are records"
        [Format, Libotf2, Pypi], [Scalasca, Vampir],
        By("the rest of the damaged chunk is left out, or of a file of definitions all that follows");
    RecordUnknown "record-unknown"
        "records are of kinds that OTF2 3.2 has"
        [Format], [Scalasca, Vampir],
        Not("readers pass over what they do not know: it is kept, byte by byte");
    LocalDefinitionsMissing "local-definitions-missing"
        "every location has a file of definitions, if an empty one"
        [Libotf2], [Scalasca, Vampir],
        By("an empty one is written");
    FileOfNoLocation "file-of-no-location"
        "every file of events belongs to a location that is defined"
        [Format], [Scalasca, Vampir],
        By("the file is left out: whether it belongs to this run nobody can tell");
    PropertyName "property-name"
        "names of the anchor's properties are two or more parts of A-Z, 0-9 and _, joined by ::"
        [Format, Libotf2, Pypi], [],
        By("other letters become capitals or _, and a name of one part stands behind OTHER::");
    PropertyValue "property-value"
        "properties of the anchor have a value"
        [Libotf2, Pypi], [],
        By("a property without a value is left out");
    AnchorCounts "anchor-counts"
        "the anchor tells how many locations, definitions, snapshots and thumbnails there are"
        [Format], [Scalasca, Vampir],
        By("they are counted");
    DefinedTwice "defined-twice"
        "a number is defined once"
        [Format, Libotf2, Pypi], [Scalasca, Vampir],
        By("the last one holds, as for readers; a group of processes gets a number of its own");
    UndefinedReference "undefined-reference"
        "what is referred to is defined"
        [Format, Pypi], [Scalasca, Vampir],
        By("it is defined, by the name \"undefined\" and its number");
    DefinedLater "defined-later"
        "definitions refer to earlier ones"
        [Pypi], [Scalasca, Vampir],
        By("definitions are put into order");
    Circle "circle"
        "no definition is its own parent, or a parent of its parents"
        [Format, Libotf2, Pypi], [Scalasca, Vampir],
        By("the reference that closes the circle becomes undefined");
    NumbersWithGaps "numbers-with-gaps"
        "definitions of each kind but locations are numbered from 0 without gaps"
        [Libotf2, Scalasca], [Vampir],
        By("they are numbered anew, in the order in which they stand");
    NumbersOutOfOrder "numbers-out-of-order"
        "definitions of each kind but locations stand in the order of their numbers"
        [Libotf2], [Scalasca, Vampir],
        By("they are numbered anew, in the order in which they stand");
    ClockMissing "clock-missing"
        "clock properties are defined once, with a resolution"
        [Format, Pypi], [Scalasca, Vampir],
        By("the last ones hold; where there are none, or no resolution, ticks are taken for nanoseconds, as readers do");
    TimesBeyondClock "times-beyond-clock"
        "all times lie in the span that the clock properties tell"
        [Format], [Scalasca, Vampir],
        By("the span is made as large as the times ask for");
    ProcessesMissing "processes-missing"
        "each paradigm's processes (COMM_LOCATIONS) are one group, before the groups that count in it"
        [Format, Libotf2, Scalasca, Pypi], [Vampir],
        By("of several the last one holds, and others become plain groups; where MPI's is missing or miscounted it is made of the processes in their order");
    MemberOutside "member-outside"
        "members of communicators' groups are places in the group of processes"
        [Format, Libotf2, Pypi], [Scalasca, Vampir],
        By("an empty process, named as undefined, stands for it");
    SelfGroup "self-group"
        "there is one group COMM_SELF at most, and it has no members"
        [Format, Pypi], [Scalasca, Vampir],
        By("its members are left out, and the first one stands for others");
    RegionOfMpi "region-of-mpi"
        "regions that mean functions of MPI are called as these, without (), and are of MPI"
        [Scalasca], [Vampir],
        By("they are called as the functions are, and of MPI");
    EventCount "event-count"
        "a location's definition tells how many events it has"
        [Format], [Scalasca, Vampir],
        By("they are counted");
    ChunkCount "chunk-count"
        "a chunk of events tells the numbers of its first and last one"
        [Format], [Scalasca, Vampir],
        By("chunks are written anew");
    TwoMappings "two-mappings"
        "a location translates each kind of number by one table"
        [Format, Libotf2, Pypi], [Scalasca, Vampir],
        By("the first one holds, and is applied");
    OffsetOrder "offset-order"
        "times of a location's clock offsets increase"
        [Format, Libotf2, Pypi], [Scalasca, Vampir],
        By("offsets are put into the order of their times; of several at one time the first holds");
    OffsetAlone "offset-alone"
        "a location has no clock offsets or several: one alone corrects nothing"
        [Format], [Scalasca, Vampir],
        Not("whether the clock kept that offset all along is not recorded");
    TimeDecreases "time-decreases"
        "times of a location never decrease"
        [Format], [Scalasca, Vampir],
        By("times that decrease are held at the latest one before");
    LeaveWithoutEnter "leave-without-enter"
        "only what was entered is left"
        [Format, Scalasca], [Vampir],
        By("the leave is left out");
    EnterWithoutLeave "enter-without-leave"
        "what is entered is left, the last first"
        [Format, Scalasca], [Vampir],
        By("a leave, marked as added, follows where the region around it is left, or at the end unless a task has its turn there");
    PeerOutside "peer-outside"
        "peers of messages are ranks of their communicator"
        [Format], [Scalasca, Vampir],
        By("the message is left out, with its request");
    RootOutside "root-outside"
        "roots of collective operations are ranks of their communicator, or none"
        [Format], [Scalasca, Vampir],
        By("the root becomes undefined");
    OutsideOfMpi "outside-of-mpi"
        "messages and collective operations stand between enter and leave of a region of MPI"
        [Scalasca], [Vampir],
        Not("which call it was, and when that began and ended, is not recorded");
    BeginWithoutEnd "begin-without-end"
        "a collective operation that begins ends"
        [Format, Scalasca], [Vampir],
        By("the begin is left out");
    EndWithoutBegin "end-without-begin"
        "a collective operation that ends has begun"
        [Format, Scalasca], [Vampir],
        By("a begin, marked as added, stands right before the end");
    RequestNotActive "request-not-active"
        "requests that complete, are tested or are cancelled have been posted"
        [Format], [Scalasca, Vampir],
        By("a post, marked as added, stands right before a receive or a collective operation that completes; else the event is left out");
    RequestReused "request-reused"
        "a request's number stands for one operation at a time"
        [Format], [Scalasca, Vampir],
        By("the later operation gets another number");
    OperationUnknown "operation-unknown"
        "collective operations are those up to REDUCE_SCATTER_BLOCK"
        [Scalasca], [Vampir],
        Not("the format has such operations: without them it would be lost that they took place");
    CollectiveOrder "collective-order"
        "members of a communicator take part in the same collective operations in the same order"
        [Format, Scalasca], [Vampir],
        Not("which operation is missing, and when it was, is not recorded");
    Unmatched "unmatched"
        "every send has its receive, and every receive its send"
        [], [Scalasca, Vampir],
        Not("when and where the other side was is not recorded");
    InitMissing "init-missing"
        "every process that calls MPI enters MPI_Init"
        [Scalasca], [Vampir],
        Not("when it was is not recorded");
    FinalizeMissing "finalize-missing"
        "every process that calls MPI enters MPI_Finalize"
        [Scalasca], [Vampir],
        Not("when it was, if it was, is not recorded");
}

impl Rule {
    /// Whether what is against the rule could not be read.
    pub fn is_damage(self) -> bool {
        matches!(self, Rule::FileCut | Rule::FileDamaged)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_and_of_no_reader_two_things_are_said() {
        let mut names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.row().id).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Rule::ALL.len());
        for rule in Rule::ALL {
            let row = rule.row();
            let both = row.not_known_of.iter().any(|it| row.asked_by.contains(it));
            assert!(!both, "{rule}");
            let (By(text) | Not(text)) = row.mend;
            assert!(!text.is_empty() && !text.ends_with('.'), "{rule}");
        }
    }
}
