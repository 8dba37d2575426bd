//! What is told of root causes: whose excess time others waited for, directly and through waits.

use serde::{Deserialize, Serialize};

use super::facts::{Activity, Facts, Longest};
use super::text::{done, more, part, time};
use crate::report::show;

/// Call paths that are told of a delay, at most.
const PATHS: usize = 3;

/// What caused the waiting: costs of delays and what is not explained are together as long as it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RootCauses {
    /// All waiting, among ranks and among threads.
    pub waiting_ns: i64,
    /// What of it was caused by excess of those that were waited for.
    pub direct_ns: i64,
    /// What of it was caused through waits of those.
    pub indirect_ns: i64,
    /// How long those waits are that caused others.
    pub propagating_ns: i64,
    /// How long those are that caused none.
    pub terminal_ns: i64,
    /// Delays, those of the highest costs first.
    pub delays: Vec<Delay>,
    /// What is charged to no delay.
    pub unexplained: Unexplained,
}

/// What a rank did longer than those that waited for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Delay {
    /// World rank.
    pub rank: u32,
    /// What it did.
    #[serde(flatten)]
    pub activity: Activity,
    /// Waiting that it caused directly.
    pub short_term_ns: i64,
    /// Waiting that it caused through waits of others.
    pub long_term_ns: i64,
    /// The wait state of which most is charged to it.
    pub longest: Longest,
    /// What of it was reached by which call path, the highest costs first; none where no region of
    /// the program was recorded around it.
    #[serde(default)]
    pub paths: Vec<OfPath>,
}

/// What of a delay was reached by one call path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfPath {
    /// Regions of the program around it, outermost first; last itself, if it is one.
    pub path: Vec<String>,
    /// Waiting that it caused directly.
    pub short_term_ns: i64,
    /// Waiting that it caused through waits of others.
    pub long_term_ns: i64,
}

impl Delay {
    /// Returns the paths that tell more than what was done: several, or one with regions around
    /// that; the costliest.
    fn told_paths(&self) -> &[OfPath] {
        let own = usize::from(matches!(self.activity, Activity::Region { .. }));
        let is_told = match &self.paths[..] {
            [] => false,
            [only] => only.path.len() > own,
            [..] => true,
        };
        match is_told {
            true => &self.paths[..self.paths.len().min(PATHS)],
            false => &[],
        }
    }
}

/// Waiting whose cause the trace does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unexplained {
    /// In place of an excess recording was off, or had not begun yet.
    pub unrecorded_ns: i64,
    /// By the clocks, calls ended before what they waited for had come.
    pub contradicting_ns: i64,
    /// Whom was waited for did nothing longer.
    pub without_excess_ns: i64,
}

impl Unexplained {
    /// Returns each with its reason, most first, of those that are any.
    fn reasons(&self) -> Vec<(i64, &'static str)> {
        let mut all = vec![
            (self.unrecorded_ns, "recording was off or had not begun"),
            (self.contradicting_ns, "the clocks contradict each other"),
            (
                self.without_excess_ns,
                "nothing took longer on whom was waited for",
            ),
        ];
        all.retain(|(ns, _)| *ns > 0);
        all.sort_by_key(|(ns, _)| -ns);
        all
    }
}

/// How the table of delays begins.
pub const HEADER: [&str; 5] = [
    "took longer than on those that waited",
    "rank",
    "short-term",
    "long-term",
    "of all waiting",
];

/// Writes them, with at most so many delays.
pub fn text(facts: &Facts, top: usize) -> String {
    let title = lines(facts).join("\n");
    let all = count(facts);
    if all == 0 {
        return title;
    }
    let table = show::table(HEADER, rows(facts, top));
    format!("{title}\n{table}{}", more(all, top))
}

/// Returns what there is to be told of, if it was looked for.
fn told(facts: &Facts) -> Option<&RootCauses> {
    let is_told = |it: &&RootCauses| facts.no_root_causes.is_none() && it.waiting_ns > 0;
    facts.root_causes.as_ref().filter(is_told)
}

/// Returns how many delays there are.
pub fn count(facts: &Facts) -> usize {
    told(facts).map_or(0, |it| it.delays.len())
}

/// Says how much they caused together, and what is not explained, a line each; or why nobody looked.
pub fn lines(facts: &Facts) -> Vec<String> {
    if let Some(why) = &facts.no_root_causes {
        return vec![format!("root causes: {why}")];
    }
    let Some(causes) = told(facts) else {
        return Vec::new();
    };
    let all = causes.waiting_ns;
    let sum = |of: fn(&Delay) -> i64| {
        let all_of = causes.delays.iter().map(of);
        part(all_of.fold(0, i64::saturating_add), all)
    };
    let title = format!(
        "root causes: {} of all waiting was caused directly, {} through waits of others",
        sum(|delay| delay.short_term_ns),
        sum(|delay| delay.long_term_ns),
    );
    let reasons = causes.unexplained.reasons().into_iter();
    let reasons =
        reasons.map(|(ns, why)| format!("not explained: {} ({}): {why}", time(ns), part(ns, all)));
    [title].into_iter().chain(reasons).collect()
}

/// Returns the rows of at most so many delays, those of the highest costs first, each with the paths
/// that tell more.
pub fn rows(facts: &Facts, top: usize) -> Vec<[String; 5]> {
    let Some(causes) = told(facts) else {
        return Vec::new();
    };
    let row = |done: String, rank: String, short: i64, long: i64| {
        let some = |ns| if ns == 0 { String::new() } else { time(ns) };
        let costs = part(short.saturating_add(long), causes.waiting_ns);
        [done, rank, some(short), some(long), costs]
    };
    let of_delay = |delay: &Delay| {
        let (short, long) = (delay.short_term_ns, delay.long_term_ns);
        let whole = row(done(&delay.activity), delay.rank.to_string(), short, long);
        let paths = delay.told_paths().iter().map(|it| {
            let path = format!("  by {}", it.path.join(" / "));
            row(path, String::new(), it.short_term_ns, it.long_term_ns)
        });
        [whole].into_iter().chain(paths).collect::<Vec<_>>()
    };
    causes.delays.iter().take(top).flat_map(of_delay).collect()
}
