//! The verdict: what a scientist should know first of a run. How much was lost, to what, on which
//! rank and by which line, how sure that is, and what to look at next.
//!
//! Facts in, statements out: [`rules`] is the table of what is looked for, [`words`] says each in
//! sentences, the same for terminal, page and report. The book's page on the verdict has the rules
//! with their figures.
//!
//! ```
//! use mpiscope_analysis::profile::Profile;
//! use mpiscope_analysis::verdict::{Kind, Verdict};
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 0 enter(MPI_Recv) 52 recv<1 60 leave(MPI_Recv)
//!     1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send)
//! ")?;
//! let matching = trace.matching();
//! let verdict = Verdict::of(&trace, &matching, &Profile::of(&trace, &matching));
//! assert_eq!(verdict.losses[0].kind, Kind::UnevenComputation);
//! assert_eq!(verdict.losses[0].ranks, [1]);
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod findings;
mod known;
mod processors;
mod rules;
mod source;
#[cfg(test)]
mod tests;
mod words;

use std::cmp::Reverse;

use mpiscope_model::{Duration, EventRef, Matching, Trace};

use crate::clock_errors::Resolution;
use crate::profile::{Activity, Profile};

pub use findings::KIND;
pub use processors::{crowd, WITHOUT_PROCESSOR};
pub use source::Source;
pub use words::{place, Said, Words};

/// Losses that are told, at most.
const MOST: usize = 3;
/// A share of the ranks' time that is less than this does not matter.
pub const MATTERS: f64 = 0.02;

/// What time was lost to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Iterations take longer and longer.
    GrowingIterations,
    /// Many messages of few bytes.
    SmallMessages,
    /// Receives wait while a message that was sent before is there.
    WrongOrder,
    /// Ranks wait for one that answers all of them in turn.
    Contention,
    /// All ranks wait at a barrier, each for another one each time.
    Barrier,
    /// One rank reads or writes files while others wait.
    FileAccess,
    /// A rank takes longer than others in all it computes.
    SlowRank,
    /// Ranks compute the same one after the other.
    Serialization,
    /// A rank computes longer, and those that wait for it make others wait.
    LateSenderChain,
    /// A rank computes longer than those that wait for it.
    UnevenComputation,
    /// A thread computes longer than those of its process that wait for it.
    UnevenThreads,
    /// A call of MPI takes longer on a rank than on those that wait for it.
    SlowCall,
    /// The completion of nonblocking collective operations does.
    SlowCompletion,
    /// A rank computes longer while its messages are under way, and others are in MPI until it comes
    /// to MPI again.
    LateProgress,
    /// Ranks wait, and for what reason is not known.
    Waiting,
    /// Data is carried: time in MPI that is no waiting.
    Transfer,
    /// A rank leaves MPI_Init later than those that wait for it.
    StartUp,
}

impl Kind {
    /// Returns its name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Kind::GrowingIterations => "growing_iterations",
            Kind::SmallMessages => "small_messages",
            Kind::WrongOrder => "wrong_order",
            Kind::Contention => "contention",
            Kind::Barrier => "barrier",
            Kind::FileAccess => "file_access",
            Kind::SlowRank => "slow_rank",
            Kind::Serialization => "serialization",
            Kind::LateSenderChain => "late_sender_chain",
            Kind::UnevenComputation => "uneven_computation",
            Kind::UnevenThreads => "uneven_threads",
            Kind::SlowCall => "slow_call",
            Kind::SlowCompletion => "slow_completion",
            Kind::LateProgress => "late_progress",
            Kind::Waiting => "waiting",
            Kind::Transfer => "transfer",
            Kind::StartUp => "start_up",
        }
    }
}

/// How sure a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// It follows from the times.
    Sure,
    /// It fits, and the trace does not tell all that it rests on.
    Likely,
    /// It is a place to look at, no more.
    Open,
}

impl Certainty {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Certainty::Sure => "sure",
            Certainty::Likely => "likely",
            Certainty::Open => "open",
        }
    }
}

/// Time that was lost to one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// What to.
    pub kind: Kind,
    /// How much, of all ranks together; losses of different kinds may be the same time.
    pub lost: Duration,
    /// World ranks that caused it, most first.
    pub ranks: Vec<u32>,
    /// Those that lost it, most first.
    pub victims: Vec<u32>,
    /// What is done there; nothing if it is everywhere.
    pub activity: Option<Activity>,
    /// What else is changed where it is mended, most time first: the other calls of small messages.
    pub also: Vec<Activity>,
    /// Where the program's own lines are, as far as regions or samples tell.
    pub source: Option<Source>,
    /// How sure it is.
    pub certainty: Certainty,
    /// What it rests on.
    pub evidence: Evidence,
    /// An event where it is caused, and one that shows its effect.
    pub events: Option<[EventRef; 2]>,
}

/// Figures that a statement rests on; those that a kind does not use are 0 or nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Which part of all waiting is charged to what caused it, 0 to 1.
    pub explained: f64,
    /// Waiting that was caused directly.
    pub direct: Duration,
    /// Waiting that was caused through waits of others.
    pub indirect: Duration,
    /// What would be saved at most.
    pub saved: Duration,
    /// How often: messages, calls, iterations.
    pub times: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// A time and another one to compare it with: the first and last third's iterations, a rank's
    /// computation and that of the others in the mean, the longest path and all time.
    pub compared: Option<(Duration, Duration)>,
    /// Other ranks that belong to it: whose message was there, say.
    pub other: Option<u32>,
    /// How long those that are named were ready to run and had no processor, at most, if that is
    /// enough to be it.
    pub without_processor: Duration,
}

/// What the trace cannot tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// Functions of MPI were left out of the trace.
    LeftOut,
    /// Ranks were ready to run and had no processor.
    WithoutProcessor {
        /// For this share of the time.
        share: f64,
        /// Ranks of a host and its processors, where these are fewer.
        crowd: Option<(u32, u32)>,
    },
    /// Recording was off for this share of the time.
    Unrecorded(f64),
    /// Of this share of the messages the other side is missing.
    Unmatched(f64),
    /// Of this share of the collective operations members are missing.
    MissingMembers(f64),
    /// This share of the time passed between polls.
    Polling(f64),
    /// This share of the waiting contradicts the clocks.
    Clocks(f64),
    /// This share of the waiting is no longer than what clocks can be wrong by.
    BelowResolution(f64),
    /// Causes were not looked for.
    NoCauses,
    /// This share of the waiting is charged to nothing.
    Unexplained(f64),
    /// Functions of MPI of which nothing but their calls is told.
    Silent,
}

/// What is to be known first of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The time of all threads between MPI_Init and MPI_Finalize, while recording was on.
    pub time: Duration,
    /// What of it ranks, or threads, waited for each other.
    pub waiting: Duration,
    /// What clocks leave open of that.
    pub resolution: Resolution,
    /// What of it was in MPI otherwise.
    pub transfer: Duration,
    /// What was lost to what, most first.
    pub losses: Vec<Loss>,
    /// What cannot be told.
    pub doubts: Vec<Doubt>,
    /// Times are corrected ones: `mpiscope sync` would not change them.
    pub is_corrected: bool,
}

impl Verdict {
    /// Judges a run by what is known of it.
    pub fn of(trace: &Trace, matching: &Matching, profile: &Profile) -> Verdict {
        let known = known::Known::new(trace, matching, profile);
        let mut verdict = Verdict {
            time: known.time,
            waiting: known.waiting,
            resolution: profile.resolution_since_init,
            transfer: known.transfer,
            losses: Vec::new(),
            doubts: known.doubts(),
            is_corrected: false,
        };
        let mut losses = rules::losses(&known);
        losses.retain(|it| verdict.share(it.lost) >= MATTERS);
        // What a longer run would not lose again comes last.
        losses.sort_by_key(|it| (it.kind == Kind::StartUp, Reverse(it.lost), it.kind));
        losses.truncate(MOST);
        for loss in &mut losses {
            let rank = loss.ranks.first().copied();
            loss.source = loss
                .activity
                .and_then(|activity| source::of(trace, activity, rank));
        }
        verdict.losses = losses;
        verdict
    }

    /// Says that functions of MPI are silent in this trace: what they waited for is not known.
    pub fn with_silent(mut self, are_any: bool) -> Verdict {
        self.doubts.extend(are_any.then_some(Doubt::Silent));
        self
    }

    /// Says that times are corrected ones.
    pub fn with_corrected(mut self, is_corrected: bool) -> Verdict {
        self.is_corrected = is_corrected;
        self
    }

    /// Returns whether members of so many collective operations are not in the trace that nothing
    /// that rests on who came last is sure.
    pub fn lacks_members(&self) -> bool {
        let lacks =
            |it: &Doubt| matches!(it, Doubt::MissingMembers(share) if *share >= known::UNEXPLAINED);
        self.doubts.iter().any(lacks)
    }

    /// Returns which share of the time some time is.
    pub fn share(&self, of: Duration) -> f64 {
        share(of, self.time)
    }
}

fn share(part: Duration, all: Duration) -> f64 {
    match all.0 {
        ..=0 => 0.0,
        all => part.0.max(0) as f64 / all as f64,
    }
}
