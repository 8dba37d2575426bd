//! Which locations read one clock: as the archive has it, as its messages do
//! where they refute that, or as the caller says.

use mpiscope_archive::model::{Matching, Processes, Trace};
use mpiscope_sync::{regroup, test_claims_among, Grouping, RefutedClaim, Verdict};
use serde::{Deserialize, Serialize};

use crate::cli::SameClock;
use crate::report::show;

/// How the clocks of an archive were told apart.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Told {
    /// By whom.
    pub by: By,
    /// What the archive claims and its messages contradict.
    pub contradicted: Vec<Contradicted>,
}

/// Who says which locations read one clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The archive.
    #[default]
    Archive,
    /// Its messages, which refute the archive.
    Messages,
    /// The caller: one clock a host.
    Host,
    /// The caller: one clock a process.
    Process,
    /// The caller: one clock a thread.
    Thread,
}

/// A claim of the archive that its messages contradict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contradicted {
    /// World ranks that should read one clock.
    pub ranks: Vec<u32>,
    /// How long before its send a message between them was received, at most.
    pub by_ns: i64,
    /// Each process was given a clock of its own.
    pub split: bool,
    /// In a sentence.
    pub what: String,
}

impl Told {
    /// Tells the clocks of a trace apart.
    pub fn of(
        trace: &mut Trace,
        matching: &Matching,
        asked: Option<SameClock>,
        processes: Option<&dyn Processes>,
    ) -> Told {
        if let Some(asked) = asked {
            regroup(trace, asked.grouping());
            return Told {
                by: asked.by(),
                contradicted: Vec::new(),
            };
        }
        let contradicted: Vec<Contradicted> = test_claims_among(trace, matching, processes)
            .iter()
            .map(Contradicted::of)
            .collect();
        let split = contradicted.iter().any(|claim| claim.split);
        Told {
            by: if split { By::Messages } else { By::Archive },
            contradicted,
        }
    }

    /// Returns what the caller asked for, to ask for it again.
    pub fn asked(&self) -> Option<SameClock> {
        match self.by {
            By::Archive | By::Messages => None,
            By::Host => Some(SameClock::Host),
            By::Process => Some(SameClock::Process),
            By::Thread => Some(SameClock::Thread),
        }
    }

    /// Says what is contradicted.
    pub fn sentences(&self) -> impl Iterator<Item = &str> {
        self.contradicted.iter().map(|claim| claim.what.as_str())
    }
}

impl SameClock {
    fn grouping(self) -> Grouping {
        match self {
            SameClock::Host => Grouping::Host,
            SameClock::Process => Grouping::Process,
            SameClock::Thread => Grouping::Thread,
        }
    }

    fn by(self) -> By {
        match self {
            SameClock::Host => By::Host,
            SameClock::Process => By::Process,
            SameClock::Thread => By::Thread,
        }
    }
}

impl Contradicted {
    fn of(claim: &RefutedClaim) -> Contradicted {
        let ranks: Vec<u32> = claim.ranks.iter().map(|rank| rank.0).collect();
        let claimed = format!(
            "the archive puts ranks {} on one clock, by which messages between them are received \
             up to {} before they are sent",
            show::ranges(&ranks),
            show::duration(claim.by.0 as f64)
        );
        let verdict = match claim.verdict {
            Verdict::Split => {
                "so each process is taken to have a clock of its own (--clocks host takes the archive's word)"
            }
            Verdict::Jitter => {
                "which may be how stamps are made: the clock stays one (--clocks process splits it)"
            }
            Verdict::Unexplained => {
                "which no clocks explain, for they are in both directions, or rare: stamps are not \
                 where messages are sent and received, or messages are paired wrongly; the clock \
                 stays one (--clocks process splits it)"
            }
        };
        Contradicted {
            by_ns: claim.by.0,
            split: claim.verdict == Verdict::Split,
            what: format!("{claimed}, {verdict}"),
            ranks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caller_is_believed_before_the_messages_and_these_before_the_archive() {
        let told = |asked| {
            let picture = "clock 0 1:\n0: 50000 send>1 53000 recv<1\n1: 1000 recv<0 2000 send>0";
            let mut trace = Trace::parse(picture).unwrap();
            let matching = trace.matching();
            let told = Told::of(&mut trace, &matching, asked, None);
            (trace.clocks.len(), told)
        };
        let (clocks, by_messages) = told(None);
        assert_eq!((clocks, by_messages.by), (2, By::Messages));
        let said: Vec<&str> = by_messages.sentences().collect();
        assert!(
            said[0].starts_with("the archive puts ranks 0-1 on one clock"),
            "{said:?}"
        );
        assert!(said[0].contains("up to 49 µs before"), "{said:?}");
        let (clocks, by_caller) = told(Some(SameClock::Thread));
        assert_eq!((clocks, by_caller.asked()), (2, Some(SameClock::Thread)));
        let json = serde_json::to_value(&by_caller).unwrap();
        assert_eq!(json["by"], "thread");
    }
}
