//! What is said first of a job: who waits for ever, or for whom all wait.

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_analysis::waiting_for::of_trace;

use super::facts::{
    Facts, Job, RankFacts, FINALIZED, IN_CALL, NOT_RECORDED, NOT_SEEN, NO_CALL, OUTSIDE,
};
use super::since::{moment, now};
use crate::end_of_run::EndOfRun;
use crate::races::WaitsFor;
use crate::report::show;

/// Sentences of one kind; the table has every rank.
const MOST: usize = 6;

/// Returns the verdict, in sentences.
pub fn verdict(facts: &Facts, end: Option<&EndOfRun>) -> Vec<String> {
    let mut said = vec![];
    let ended = end.map(EndOfRun::sentences).unwrap_or_default();
    match facts.job {
        Job::Finished => said.push(finished(facts)),
        Job::Died => said.push("The job has ended, and not all ranks came to MPI_Finalize.".into()),
        Job::Lives | Job::Unknown => {}
    }
    said.extend(ended.iter().map(|text| sentence(text)));
    let errors = facts.errors.iter().take(MOST);
    said.extend(errors.map(|error| format!("Error: {error}.")));
    let waiting = stuck(facts);
    let is_stuck = !waiting.is_empty();
    said.extend(waiting);
    match facts.job {
        Job::Lives | Job::Unknown if !is_stuck => said.extend(waited_for(facts)),
        _ => {}
    }
    if said.is_empty() {
        said.push("Nothing can be told of this job from here.".into());
    }
    said
}

fn finished(facts: &Facts) -> String {
    let when = facts.finished.map(|at| {
        let ago = now().saturating_sub(at);
        format!(" {} ago, on {}", show::duration(ago as f64), moment(at))
    });
    let code = facts
        .exit_code
        .map(|code| format!(", with exit code {code}"));
    format!(
        "The job has ended{}{}: all ranks came to MPI_Finalize.",
        when.unwrap_or_default(),
        code.unwrap_or_default()
    )
}

/// Says who waits for ever: certainly, then presumably.
fn stuck(facts: &Facts) -> Vec<String> {
    let mut said = chains(facts, &facts.stuck, &facts.circles);
    if !facts.stuck.is_empty() && facts.job != Job::Died {
        let stuck: BTreeSet<u32> = facts.stuck.iter().copied().collect();
        let mut rows = facts.ranks.iter();
        let all = rows.all(|row| row.is_over() || stuck.contains(&row.rank));
        said.push(match all {
            true => "This job cannot go on by itself.".into(),
            false => format!(
                "{} cannot go on; what the others do changes nothing in that.",
                subject(&facts.stuck)
            ),
        });
    }
    let certain: BTreeSet<u32> = facts.stuck.iter().copied().collect();
    let presumed: Vec<u32> = (facts.presumably_stuck.iter().copied())
        .filter(|rank| !certain.contains(rank))
        .collect();
    if presumed.is_empty() {
        return said;
    }
    let circles: Vec<Vec<u32>> = (facts.presumed_circles.iter())
        .filter(|circle| circle.iter().any(|rank| !certain.contains(rank)))
        .cloned()
        .collect();
    said.extend(chains(facts, &presumed, &circles));
    let rows = rows(facts, &presumed);
    let mut why: BTreeSet<String> = rows.filter_map(|row| uncertain(facts, row)).collect();
    why.extend(facts.threads.then(|| {
        "the program called MPI_Init_thread, and a thread that has not called MPI yet may do what is \
         waited for"
            .to_owned()
    }));
    let why: Vec<String> = why.into_iter().collect();
    let why = match why.is_empty() {
        true => "not all that counts is known".to_owned(),
        false => why.join("; "),
    };
    if facts.job != Job::Died {
        said.push(format!(
            "Whether that lasts for ever is not certain: {why}."
        ));
    }
    said
}

/// Says who waits for each other, and who waits behind these or for one that has ended.
fn chains(facts: &Facts, stuck: &[u32], circles: &[Vec<u32>]) -> Vec<String> {
    let wait = match facts.job {
        Job::Died => ["waited", "waited"],
        _ => ["wait", "waits"],
    };
    let circular: BTreeSet<u32> = circles.iter().flatten().copied().collect();
    let each = circles.iter().take(MOST).map(|circle| {
        let what = match circle.len() {
            1 => format!("{} for itself", wait[1]),
            _ => format!("{} for each other", wait[0]),
        };
        format!("{} {what}: {}.", subject(circle), clauses(facts, circle))
    });
    let behind: Vec<u32> = (stuck.iter().copied())
        .filter(|rank| !circular.contains(rank))
        .collect();
    let behind = (!behind.is_empty()).then(|| {
        let verb = wait[usize::from(behind.len() == 1)];
        format!(
            "{} {verb} for what never comes: {}.",
            subject(&behind),
            clauses(facts, &behind)
        )
    });
    each.chain(behind).collect()
}

/// Writes `rank 0 in MPI_Recv at a.c:3 for rank 1; …`.
fn clauses(facts: &Facts, ranks: &[u32]) -> String {
    let mut said: Vec<(String, Vec<u32>)> = Vec::new();
    for row in rows(facts, ranks) {
        let text = format!("in {} for {}", row.shown_call(), row.shown_wait(facts));
        match said.iter_mut().find(|(known, _)| *known == text) {
            Some((_, ranks)) => ranks.push(row.rank),
            None => said.push((text, vec![row.rank])),
        }
    }
    let said: Vec<String> = (said.into_iter())
        .map(|(text, mut ranks)| {
            ranks.dedup();
            format!("{} {text}", named(&ranks))
        })
        .collect();
    let more = said.len().saturating_sub(MOST);
    let shown = said[..said.len().min(MOST)].join("; ");
    match more {
        0 => shown,
        _ => format!("{shown}; and {more} more"),
    }
}

fn rows<'a>(facts: &'a Facts, ranks: &'a [u32]) -> impl Iterator<Item = &'a RankFacts> {
    facts.ranks.iter().filter(|row| ranks.contains(&row.rank))
}

/// Says why a call may return though what it waits for never comes.
fn uncertain(facts: &Facts, row: &RankFacts) -> Option<String> {
    let call = row.call.as_ref()?.call.as_deref()?;
    let name = call.to_lowercase();
    Some(match name.strip_prefix("mpi_").unwrap_or(&name) {
        "send" => format!("{call} may return before its message is received"),
        "wait" | "waitall" | "waitany" | "waitsome" => {
            format!("which of its requests {call} waits for is not recorded")
        }
        "recv" | "probe" | "mprobe" | "sendrecv" | "sendrecv_replace" | "ssend" => return None,
        _ if !facts.errors.is_empty() => {
            "what MPI does where members of a communicator do not agree is not defined".to_owned()
        }
        name if of_trace::OF_ALL.contains(&name) => return None,
        _ => format!("{call} may return before all have come"),
    })
}

/// Says for whom the others wait, of a job that may go on.
fn waited_for(facts: &Facts) -> Vec<String> {
    let waiters = waiters(facts);
    let mut roots: Vec<(String, Vec<u32>, Vec<u32>)> = Vec::new();
    for row in facts
        .ranks
        .iter()
        .filter(|row| row.waits_for.is_empty() && !row.is_over())
    {
        let behind = behind(&waiters, row.rank);
        let what = row.shown();
        if behind.is_empty() {
            continue;
        }
        match roots
            .iter_mut()
            .find(|(known, _, them)| *known == what && *them == behind)
        {
            Some((_, ranks, _)) => ranks.push(row.rank),
            None => roots.push((what, vec![row.rank], behind)),
        }
    }
    if roots.is_empty() {
        return together(facts);
    }
    roots.sort_by_key(|(_, _, behind)| std::cmp::Reverse(behind.len()));
    let size = facts.world_size as usize;
    let said = roots
        .into_iter()
        .take(MOST)
        .map(|(what, mut ranks, behind)| {
            ranks.dedup();
            let since = since(facts, &ranks);
            let them = if ranks.len() == 1 { "it" } else { "them" };
            let be = if ranks.len() == 1 { "is" } else { "are" };
            let others = match (behind.len(), behind.len() + ranks.len() == size) {
                (1, true) => "the other one waits".to_owned(),
                (count, true) => format!("the {count} others wait"),
                (1, false) => format!("{} waits", named(&behind)),
                (_, false) => format!("{} wait", named(&behind)),
            };
            let calls: BTreeSet<String> = rows(facts, &behind).map(RankFacts::shown_call).collect();
            let calls: Vec<String> = calls.into_iter().collect();
            format!(
                "{} {be} {what}{since}; {others} for {them} in {}.",
                subject(&ranks),
                show::list(&calls, 3)
            )
        });
    said.collect()
}

/// Says where all are if nobody is waited for.
fn together(facts: &Facts) -> Vec<String> {
    let mut places: Vec<(String, Vec<u32>)> = Vec::new();
    for row in facts.ranks.iter().filter(|row| row.doing != NOT_SEEN) {
        let what = row.shown();
        match places.iter_mut().find(|(known, _)| *known == what) {
            Some((_, ranks)) => ranks.push(row.rank),
            None => places.push((what, vec![row.rank])),
        }
    }
    places.iter_mut().for_each(|(_, ranks)| ranks.dedup());
    if let [(what, ranks)] = &places[..] {
        let size = facts.world_size as usize;
        if ranks.len() == size && size > 1 {
            let since = since(facts, ranks);
            let all = match size {
                2 => "Both ranks".to_owned(),
                _ => format!("All {size} ranks"),
            };
            return vec![format!("{all} are {what}{since}.")];
        }
    }
    if places.is_empty() {
        return Vec::new();
    }
    let shown: Vec<String> = (places.iter())
        .map(|(what, ranks)| format!("{} {what}{}", named(ranks), since(facts, ranks)))
        .collect();
    let more = shown.len().saturating_sub(MOST);
    let more = if more > 0 {
        format!("; and {more} more")
    } else {
        String::new()
    };
    let shown = shown[..shown.len().min(MOST)].join("; ");
    vec![format!(
        "Nobody is known to wait for another rank: {shown}{more}."
    )]
}

/// Returns the ranks that wait for each one.
fn waiters(facts: &Facts) -> BTreeMap<u32, Vec<u32>> {
    let unfinished = facts.ranks.iter().filter(|row| row.doing != FINALIZED);
    let unfinished: Vec<u32> = unfinished.map(|row| row.rank).collect();
    let mut waiters: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for row in &facts.ranks {
        let of = row.waits_for.iter().flat_map(|waits| &waits.ranks);
        let of: Vec<u32> = match row.doing {
            // Members of MPI_Finalize wait for each other.
            FINALIZED if row.lives != Some(false) => unfinished.clone(),
            _ => of.copied().collect(),
        };
        of.into_iter()
            .for_each(|one| waiters.entry(one).or_default().push(row.rank));
    }
    waiters
}

/// Returns the ranks that wait for one, directly or not.
fn behind(waiters: &BTreeMap<u32, Vec<u32>>, rank: u32) -> Vec<u32> {
    let mut found = BTreeSet::new();
    let mut next = vec![rank];
    while let Some(one) = next.pop() {
        let waiting = waiters.get(&one).into_iter().flatten().copied();
        next.extend(waiting.filter(|rank| found.insert(*rank)));
    }
    found.remove(&rank);
    found.into_iter().collect()
}

/// Writes `, for 41 s`, or from when to when, or how long at least.
fn since(facts: &Facts, ranks: &[u32]) -> String {
    let times = rows(facts, ranks).filter_map(|row| row.since_ns);
    let times: Vec<i64> = times.collect();
    let have_ended = rows(facts, ranks).any(|row| row.lives == Some(false));
    match shown_since(&times, have_ended) {
        Some(text) => format!(", for {text}"),
        None => String::new(),
    }
}

/// Writes `41 s`, or the shortest and the longest of several. Of processes that have ended it is known
/// when they were seen alive last, so it was as long at least, if anything is known.
pub fn shown_since(times: &[i64], have_ended: bool) -> Option<String> {
    let shown = |time: &i64| show::duration(*time as f64);
    if have_ended {
        let least = times.iter().min().filter(|least| **least > 0)?;
        return Some(format!("at least {}", shown(least)));
    }
    let (least, most) = (shown(times.iter().min()?), shown(times.iter().max()?));
    Some(match least == most {
        true => least,
        false => format!("{least} to {most}"),
    })
}

impl RankFacts {
    /// Returns whether it does nothing any more.
    fn is_over(&self) -> bool {
        self.doing == FINALIZED || self.lives == Some(false)
    }

    /// Writes `MPI_Recv at heat.c:42`.
    fn shown_call(&self) -> String {
        match (&self.call, self.doing) {
            (Some(call), _) => call.shown(),
            (None, FINALIZED) => "MPI_Finalize".to_owned(),
            (None, _) => "a call".to_owned(),
        }
    }

    /// Says where it is: what follows "is".
    pub fn shown(&self) -> String {
        let last = |what| match &self.call {
            Some(call) => format!(" ({what} {})", call.shown()),
            None => String::new(),
        };
        match self.doing {
            IN_CALL | OUTSIDE if self.polls.is_some() => {
                format!("polling in {}", self.shown_call())
            }
            IN_CALL => format!("in {}", self.shown_call()),
            OUTSIDE => format!("outside of MPI{}", last("last call")),
            NOT_RECORDED => format!("not recorded now{}", last("last recorded call")),
            FINALIZED => "in MPI_Finalize".to_owned(),
            NO_CALL => "before its first call of MPI".to_owned(),
            _ => "not seen from here".to_owned(),
        }
    }

    /// Says for whom it waits, and which of these have ended.
    fn shown_wait(&self, facts: &Facts) -> String {
        let over = |waits: &WaitsFor| {
            let of = |rank: &u32| {
                facts
                    .ranks
                    .iter()
                    .any(|row| row.rank == *rank && row.is_over())
            };
            let all = facts.job != Job::Died && waits.ranks.iter().all(of);
            match (all, waits.ranks.len()) {
                (false, _) => "",
                (true, 1) => ", which sends nothing any more",
                (true, _) => ", which send nothing any more",
            }
        };
        let shown = |waits: &WaitsFor| format!("{}{}", waits.shown(), over(waits));
        let mut shown: Vec<String> = self.waits_for.iter().map(shown).collect();
        shown.dedup();
        let and = if self.all { " and for " } else { " or for " };
        shown.join(and)
    }
}

/// Begins a sentence: `Ranks 0, 1 and 2`.
fn subject(ranks: &[u32]) -> String {
    sentence_begin(&named(ranks))
}

/// Writes `rank 0`, `ranks 0 and 1`, `ranks 0-62`.
fn named(ranks: &[u32]) -> String {
    match ranks {
        [one] => format!("rank {one}"),
        [a, b] => format!("ranks {a} and {b}"),
        [a, b, c] => format!("ranks {a}, {b} and {c}"),
        _ => format!("ranks {}", show::ranges(ranks)),
    }
}

fn sentence(text: &str) -> String {
    format!("{}.", sentence_begin(text))
}

fn sentence_begin(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
