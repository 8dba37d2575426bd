//! The verdict of a trace: what is to be known first. Its words are the analysis' own, as the page
//! and the report have them.

use std::collections::BTreeSet;

use mpiscope_analysis::evidence::Evidence;
use mpiscope_analysis::profile::{self, Profile};
use mpiscope_analysis::verdict::{self, Said, Source};
use mpiscope_archive::model::{Matching, Trace};
use serde::{Deserialize, Serialize};

use super::facts::{Activity, SourcePlace};
use super::gains::{self, Gain};
use super::resolution::Resolution;
use crate::terminal;

/// What is to be known first of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Verdict {
    /// Time of all threads between MPI_Init and MPI_Finalize, while recording was on.
    pub time_ns: i64,
    /// What of it was waiting.
    pub waiting_ns: i64,
    /// What clocks leave open of that.
    #[serde(default)]
    pub resolution: Resolution,
    /// What of it was in MPI otherwise.
    pub transfer_ns: i64,
    /// That in words.
    pub text: String,
    /// What time was lost to, most first.
    pub losses: Vec<Loss>,
    /// What cannot be told, in words.
    pub cannot_tell: Vec<String>,
}

/// Time that was lost to one thing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Loss {
    /// What to: `uneven_computation` and so on.
    pub kind: String,
    /// How much, of all ranks together.
    pub lost_ns: i64,
    /// Which share of the time that is, 0 to 1.
    pub share: f64,
    /// Ranks that caused it, most first.
    pub ranks: Vec<u32>,
    /// Ranks that lost it, as far as they are named.
    pub victims: Vec<u32>,
    /// What is done there; nothing if it is everywhere.
    pub at: Option<Activity>,
    /// The line of the program's own code, as far as regions or samples tell it.
    pub source: Option<SourcePlace>,
    /// `sure`, `likely` or `open`.
    pub certainty: String,
    /// What, who and where in words.
    pub text: String,
    /// How sure it is, and why.
    pub why: String,
    /// What to look at, or do, next.
    pub next: String,
    /// What mending it would gain.
    #[serde(flatten)]
    pub gain: Gain,
}

impl Verdict {
    /// Completes what follows from the other figures.
    pub fn complete(&mut self) {
        let all = self.time_ns.max(1) as f64;
        for loss in &mut self.losses {
            loss.share = loss.lost_ns.max(0) as f64 / all;
        }
    }
}

/// Judges a trace, by corrected times or others.
pub fn find(
    trace: &Trace,
    matching: &Matching,
    profile: &Profile,
    evidence: &Evidence,
    is_corrected: bool,
) -> verdict::Verdict {
    let found = verdict::Verdict::of(trace, matching, profile);
    let found = found.with_silent(!evidence.silent.is_empty());
    found.with_corrected(is_corrected)
}

/// Says what was found, with what mending each loss would gain; `activity` names what is done.
pub fn told(
    trace: &Trace,
    found: &verdict::Verdict,
    gains: Vec<Gain>,
    activity: impl Fn(&profile::Activity) -> Activity,
) -> Verdict {
    let words = found.words(trace);
    let losses = found.losses.iter().zip(words.losses).zip(gains);
    let loss = |((loss, said), gain): ((&verdict::Loss, Said), Gain)| Loss {
        kind: loss.kind.name().into(),
        lost_ns: loss.lost.0,
        share: 0.0, // follows
        ranks: loss.ranks.clone(),
        victims: loss.victims.clone(),
        at: loss.activity.as_ref().map(&activity),
        source: loss.source.map(|it| source(trace, it)),
        certainty: loss.certainty.name().into(),
        text: said.text,
        why: said.why,
        next: said.next,
        gain,
    };
    Verdict {
        time_ns: found.time.0,
        waiting_ns: found.waiting.0,
        resolution: found.resolution.into(),
        transfer_ns: found.transfer.0,
        text: words.headline,
        losses: losses.map(loss).collect(),
        cannot_tell: words.doubts,
    }
}

fn source(trace: &Trace, source: Source) -> SourcePlace {
    match source {
        Source::Region(region) => {
            let of = trace.definitions.regions.get(region.index());
            let file = of.map(|it| it.source_file.clone());
            SourcePlace {
                function: of.map(|it| it.name.clone()),
                file: file.filter(|file| !file.is_empty()),
                line: of.map(|it| it.begin_line).filter(|line| *line > 0),
                ..SourcePlace::default()
            }
        }
        Source::Samples(site, ..) => {
            let of = trace.definitions.call_sites.get(site.index());
            SourcePlace {
                function: of.and_then(|it| it.function.clone()),
                file: of.and_then(|it| it.file.clone()),
                line: of.and_then(|it| it.line),
                module: of.map(|it| it.module.clone()).filter(|it| !it.is_empty()),
                ..SourcePlace::default()
            }
        }
    }
}

/// Writes it, in lines as wide as the terminal.
pub fn text(found: &Verdict) -> Vec<String> {
    let mut lines = vec![terminal::wrapped(&format!("verdict: {}", found.text), 2)];
    let mut reasons = BTreeSet::new();
    for (number, loss) in (1..).zip(&found.losses) {
        // Of several for which it is not told for one reason that is said once.
        let reason = loss.gain.no_mending.as_ref();
        let gain = reason.is_none_or(|it| reasons.insert(it));
        let parts = [
            Some(format!("  {number}. {}", loss.text)),
            Some(format!("     {}", loss.why)),
            gain.then(|| format!("     {}", gains::text(&loss.gain))),
            Some(format!("     next: {}", loss.next)),
        ];
        let parts = parts.iter().flatten();
        lines.extend(parts.map(|part| terminal::wrapped(part, 7)));
    }
    let doubts = found.cannot_tell.iter();
    lines.extend(doubts.map(|it| terminal::wrapped(&format!("  cannot tell: {it}"), 7)));
    lines
}
