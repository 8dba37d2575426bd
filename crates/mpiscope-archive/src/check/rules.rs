//! The rules that archives are held against, one row each: what it is called, what it says, who
//! asks for it, and of whom nobody can tell.

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
}

macro_rules! rules {
    ($( $Rule:ident $id:literal $says:literal $asked:expr, $unknown:expr; )*) => {
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
                    }, )*
                }
            }
        }
    };
}

rules! {
    FileMissing "file-missing"
        "every file that the archive announces is there"
        [Format, Libotf2, Pypi], [Scalasca, Vampir];
    FileCut "file-cut"
        "a file ends with its end mark"
        [Format, Libotf2, Pypi], [Scalasca, Vampir];
    FileDamaged "file-damaged"
        "all bytes of a file are records"
        [Format, Libotf2, Pypi], [Scalasca, Vampir];
    LocalDefinitionsMissing "local-definitions-missing"
        "every location has a file of definitions, if an empty one"
        [Libotf2], [Scalasca, Vampir];
    FileOfNoLocation "file-of-no-location"
        "every file of events belongs to a location that is defined"
        [Format], [Scalasca, Vampir];
    PropertyName "property-name"
        "names of the anchor's properties are two or more parts of A-Z, 0-9 and _, joined by ::"
        [Format, Libotf2, Pypi], [];
    PropertyValue "property-value"
        "properties of the anchor have a value"
        [Libotf2, Pypi], [];
    AnchorCounts "anchor-counts"
        "the anchor tells how many locations, definitions, snapshots and thumbnails there are"
        [Format], [Scalasca, Vampir];
    DefinedTwice "defined-twice"
        "a number is defined once"
        [Format, Libotf2, Pypi], [Scalasca, Vampir];
    UndefinedReference "undefined-reference"
        "what is referred to is defined"
        [Format, Pypi], [Scalasca, Vampir];
    DefinedLater "defined-later"
        "definitions refer to earlier ones"
        [Pypi], [Scalasca, Vampir];
    Circle "circle"
        "no definition is its own parent, or a parent of its parents"
        [Format, Libotf2, Pypi], [Scalasca, Vampir];
    NumbersWithGaps "numbers-with-gaps"
        "definitions of each kind but locations are numbered from 0 without gaps"
        [Libotf2, Scalasca], [Vampir];
    ClockMissing "clock-missing"
        "clock properties are defined once, with a resolution"
        [Format, Pypi], [Scalasca, Vampir];
    TimesBeyondClock "times-beyond-clock"
        "all times lie in the span that the clock properties tell"
        [Format], [Scalasca, Vampir];
    ProcessesMissing "processes-missing"
        "each paradigm's processes (COMM_LOCATIONS) are one group, before the groups that count in it"
        [Format, Libotf2, Scalasca, Pypi], [Vampir];
    MemberOutside "member-outside"
        "members of communicators' groups are places in the group of processes"
        [Format, Libotf2, Pypi], [Scalasca, Vampir];
    SelfGroup "self-group"
        "there is one group COMM_SELF at most, and it has no members"
        [Format, Pypi], [Scalasca, Vampir];
    EventCount "event-count"
        "a location's definition tells how many events it has"
        [Format], [Scalasca, Vampir];
    ChunkCount "chunk-count"
        "a chunk of events tells the numbers of its first and last one"
        [Format], [Scalasca, Vampir];
    TwoMappings "two-mappings"
        "a location translates each kind of number by one table"
        [Format, Libotf2, Pypi], [Scalasca, Vampir];
    OffsetOrder "offset-order"
        "times of a location's clock offsets increase"
        [Format, Libotf2, Pypi], [Scalasca, Vampir];
    TimeDecreases "time-decreases"
        "times of a location never decrease"
        [Format], [Scalasca, Vampir];
    LeaveWithoutEnter "leave-without-enter"
        "only what was entered is left"
        [Format, Scalasca], [Vampir];
    EnterWithoutLeave "enter-without-leave"
        "what is entered is left, the last first"
        [Format, Scalasca], [Vampir];
    PeerOutside "peer-outside"
        "peers of messages are ranks of their communicator"
        [Format], [Scalasca, Vampir];
    RootOutside "root-outside"
        "roots of collective operations are ranks of their communicator, or none"
        [Format], [Scalasca, Vampir];
    OutsideOfMpi "outside-of-mpi"
        "messages and collective operations stand between enter and leave of a region of MPI"
        [Scalasca], [Vampir];
    BeginWithoutEnd "begin-without-end"
        "a collective operation that begins ends"
        [Format, Scalasca], [Vampir];
    EndWithoutBegin "end-without-begin"
        "a collective operation that ends has begun"
        [Format, Scalasca], [Vampir];
    RequestNotActive "request-not-active"
        "requests that complete, are tested or are cancelled have been posted"
        [Format], [Scalasca, Vampir];
    RequestReused "request-reused"
        "a request's number stands for one operation at a time"
        [Format], [Scalasca, Vampir];
    OperationUnknown "operation-unknown"
        "collective operations are those up to REDUCE_SCATTER_BLOCK"
        [Scalasca], [Vampir];
    CollectiveOrder "collective-order"
        "members of a communicator take part in the same collective operations in the same order"
        [Format, Scalasca], [Vampir];
    Unmatched "unmatched"
        "every send has its receive, and every receive its send"
        [], [Scalasca, Vampir];
    InitMissing "init-missing"
        "every process that calls MPI enters MPI_Init"
        [Scalasca], [Vampir];
    FinalizeMissing "finalize-missing"
        "every process that calls MPI enters MPI_Finalize"
        [Scalasca], [Vampir];
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
        }
    }
}
