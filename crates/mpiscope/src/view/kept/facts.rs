//! What is known of a run and was found in it, in JSON.

use std::collections::HashMap;
use std::ops::Range;

use mpiscope_analysis::finding::Findings;
use mpiscope_analysis::iterations::{Iterations, Lengths, OfRank, Parts};
use mpiscope_analysis::races::CallPlace;
use mpiscope_analysis::verdict::{Said, Words};
use mpiscope_archive::model::{CallSiteId, LocationIndex, RegionId, Timestamp};
use mpiscope_serve::{About, Part, Shown};
use serde::{Deserialize, Serialize};

use super::columns::Columns;
use crate::input::Input;

#[derive(Debug, Serialize, Deserialize)]
pub struct Facts {
    facts: Vec<(String, String)>,
    notes: Vec<String>,
    ended: Vec<(u32, String)>,
    verdict: Option<Judged>,
    analysis: Vec<Part>,
    /// Names of clocks, and what their times are.
    pub clocks: Vec<(String, Way)>,
    found: Columns,
    iterations: Result<Repeats, String>,
}

/// What time was lost to, in words: in all, each loss with how sure it is and what to do next, and
/// what cannot be told.
#[derive(Debug, Serialize, Deserialize)]
struct Judged(String, Vec<(String, String, String)>, Vec<String>);

impl Judged {
    fn of(words: &Words) -> Judged {
        let loss = |it: &Said| (it.text.clone(), it.why.clone(), it.next.clone());
        let losses = words.losses.iter().map(loss).collect();
        Judged(words.headline.clone(), losses, words.doubts.clone())
    }

    fn again(&self) -> Words {
        let loss = |(text, why, next): &(String, String, String)| Said {
            text: text.clone(),
            why: why.clone(),
            next: next.clone(),
        };
        Words {
            headline: self.0.clone(),
            losses: self.1.iter().map(loss).collect(),
            doubts: self.2.clone(),
        }
    }
}

/// Where the program repeats itself.
#[derive(Debug, Serialize, Deserialize)]
struct Repeats {
    /// Number of the call site and of the region.
    anchor: (Option<u32>, Option<u32>),
    is_collective: bool,
    /// World rank, location, and the last event of each call of the anchor.
    ranks: Vec<(u32, u32, Vec<u32>)>,
    share: f64,
    alike: f64,
    moments: Vec<i64>,
    /// World ranks, and what each did in all iterations, one column each of computation,
    /// communication, waiting, and what was not recorded.
    lengths: Vec<(u32, [Vec<i64>; 4])>,
}

impl Repeats {
    fn of(found: &Iterations, lengths: &Lengths) -> Repeats {
        let rank = |it: &OfRank| (it.rank, it.location.0, it.bounds.clone());
        let column = |of: &[Parts], part: fn(&Parts) -> i64| of.iter().map(part).collect();
        let of_rank = |of: &Vec<Parts>| {
            [
                column(of, |it| it.computation),
                column(of, |it| it.communication),
                column(of, |it| it.waiting),
                column(of, |it| it.unrecorded),
            ]
        };
        let ranks = lengths.ranks.iter().copied();
        Repeats {
            anchor: (
                found.anchor.site.map(|it| it.0),
                found.anchor.region.map(|it| it.0),
            ),
            is_collective: found.is_collective,
            ranks: found.ranks.iter().map(rank).collect(),
            share: found.share,
            alike: found.alike,
            moments: lengths.moments.iter().map(|it| it.0).collect(),
            lengths: ranks.zip(lengths.parts.iter().map(of_rank)).collect(),
        }
    }

    fn again(self) -> (Iterations, Lengths) {
        let rank = |(rank, location, bounds)| OfRank {
            rank,
            location: LocationIndex(location),
            bounds,
        };
        let found = Iterations {
            anchor: CallPlace {
                site: self.anchor.0.map(CallSiteId),
                region: self.anchor.1.map(RegionId),
            },
            is_collective: self.is_collective,
            ranks: self.ranks.into_iter().map(rank).collect(),
            share: self.share,
            alike: self.alike,
        };
        let parts = |(((computation, communication), waiting), unrecorded)| Parts {
            computation,
            communication,
            waiting,
            unrecorded,
        };
        let (ranks, all): (Vec<u32>, Vec<_>) = self.lengths.into_iter().unzip();
        let all = all
            .into_iter()
            .map(|[computation, communication, waiting, unrecorded]| {
                let columns = (computation.into_iter().zip(communication)).zip(waiting);
                columns.zip(unrecorded).map(parts).collect()
            });
        let moments = self.moments.into_iter().map(Timestamp).collect();
        (found, Lengths::new(moments, ranks, all.collect()))
    }
}

/// Where the times of a clock are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// They are the archive's own.
    Own,
    /// In the corrected archive.
    Corrected,
    /// In that of true times.
    Truth,
    /// Written as how far they are from the archive's own.
    Coded,
}

impl Facts {
    /// Takes what is shown, with the clocks' names, without notes that are made each time.
    pub fn of(shown: &Shown, clocks: Vec<(String, Way)>, passing: &[String]) -> Facts {
        let found = &shown.found;
        Facts {
            facts: shown.about.facts.clone(),
            notes: {
                let notes = shown.about.notes.iter();
                notes.filter(|it| !passing.contains(it)).cloned().collect()
            },
            ended: shown.about.ended.clone(),
            verdict: shown.about.verdict.as_ref().map(Judged::of),
            analysis: shown.about.analysis.clone(),
            clocks,
            iterations: match shown.iterations() {
                Ok((found, lengths)) => Ok(Repeats::of(found, lengths)),
                Err(reason) => Err(reason.to_owned()),
            },
            found: Columns::of(&found.kinds, &found.list, found.when()),
        }
    }

    /// Returns how many parts hold where events and times lie.
    pub fn places(&self) -> usize {
        self.clocks.len()
    }

    /// Returns what is known of the run.
    pub fn about(&self, input: &Input, name: &str, sources: HashMap<String, Vec<String>>) -> About {
        let mut facts = self.facts.clone();
        for (word, value) in &mut facts {
            if word == "Archive" {
                *value = crate::packed::given(&input.anchor).display().to_string();
            }
        }
        About {
            name: name.to_owned(),
            facts,
            notes: self.notes.clone(),
            is_timeless: false,
            ended: self.ended.clone(),
            verdict: self.verdict.as_ref().map(Judged::again),
            analysis: self.analysis.clone(),
            sources,
        }
    }

    /// Takes where the program repeats itself, or why it does not.
    pub fn iterations(&mut self) -> Result<(Iterations, Lengths), String> {
        let taken = std::mem::replace(&mut self.iterations, Err(String::new()));
        taken.map(Repeats::again)
    }

    /// Returns what was found, and when each is; nothing if that makes no sense.
    pub fn findings(self) -> Option<(Findings, Vec<Range<u64>>)> {
        self.found.findings()
    }
}
