//! What is reported, with the places it is about.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use mpiscope_analysis::errors::{self, ErrorKind, Standing};
use mpiscope_analysis::evidence::Evidence;
use mpiscope_analysis::meaning::Meaning;
use mpiscope_analysis::races::{self, Alternative, Group, Races};
use mpiscope_archive::model::{EventRef, Matching, Trace};
use mpiscope_run::run_info::{RunInfo, State};
use serde::{Deserialize, Serialize};

use super::cannot_tell::{self, CannotTell};
use super::stood::{self, Stood};
pub use crate::call::SourcePlace;
use crate::input::Input;
use crate::report::show;

/// What is kept of the races of an archive, for all commands that ask for them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// What `races` reports.
    pub facts: Facts,
    /// Some thread never returned from a call: the run did not come to its end.
    pub hung: bool,
}

/// Everything that `races` reports.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Facts {
    /// The run or archive.
    pub path: PathBuf,
    /// Anchor of the archive that was read: of a run the measured one.
    pub archive: PathBuf,
    /// Where each rank stood at the end; empty if all came to MPI_Finalize.
    pub stood: Vec<Stood>,
    /// Receives and probes that could have got another message; nothing if
    /// that cannot be told.
    pub racing: Option<u64>,
    /// Those of them that have an alternative which is a match hazard.
    pub hazards: Option<u64>,
    /// Messages that they could have got, the blocks of a sender as one.
    pub alternatives: Option<u64>,
    /// By place.
    pub races: Vec<Race>,
    /// By place and kind.
    pub errors: Vec<Error>,
    /// Waits of the trace that contradict others, and were passed over.
    pub contradictions: usize,
    /// What the input cannot tell.
    pub cannot_tell: Vec<CannotTell>,
    /// What of the run was not kept, in sentences: nothing is known of it.
    pub not_kept: Vec<String>,
    /// What could not be read, in sentences.
    pub damage: Vec<String>,
}

/// An event.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct At {
    /// World rank.
    pub rank: u32,
    /// Number of the location in the archive.
    pub location: u64,
    /// Number of the event in the location, from 0.
    pub event: u32,
}

/// The races of one place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Race {
    /// Where it receives or probes.
    pub receive: SourcePlace,
    /// It is a probe.
    pub probe: bool,
    /// `order` or `hazard`.
    pub verdict: Cow<'static, str>,
    /// In this very run its order has made a receive wait for ever.
    pub struck: bool,
    /// Of a hazard: `unmatched`, `truncation` or `type`.
    pub kind: Option<Cow<'static, str>>,
    /// The verdict in a sentence.
    pub why: String,
    /// How many receives raced here.
    pub times: u64,
    /// How many of them had a hazard among their alternatives.
    pub hazards: u64,
    /// How many alternatives they had together.
    pub alternatives: u64,
    /// World ranks that received.
    pub ranks: Vec<u32>,
    /// Where the alternatives came from.
    pub senders: Vec<Sender>,
    /// Some of the races.
    pub examples: Vec<Example>,
}

/// Where alternatives were sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sender {
    /// The place.
    pub place: SourcePlace,
    /// How many.
    pub alternatives: u64,
}

/// One race.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    /// The receive's completion.
    pub receive: At,
    /// The send of what it got.
    pub message: Option<At>,
    /// Some of what it could have got.
    pub alternatives: Vec<Other>,
    /// How many alternatives there are.
    pub count: usize,
}

/// A message that could have been received.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Other {
    /// Its send.
    pub send: At,
    /// How many later messages of its sender race as well.
    pub block: u32,
    /// `order` or `hazard`.
    pub verdict: Cow<'static, str>,
}

/// Errors of one kind at one place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Error {
    /// What is wrong: `unmatched send`, `deadlock`, …
    pub kind: Cow<'static, str>,
    /// Where.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// In a sentence.
    pub why: String,
    /// How often.
    pub times: u64,
    /// World ranks, ascending.
    pub ranks: Vec<u32>,
    /// The first of them.
    pub example: At,
}

/// What an order race means in a run that came to its end.
pub const ORDER_RACE: &str = "every order completes; what depends on the order of arrival may \
                              differ from run to run";

/// Alternatives of an example that are listed.
const OTHERS: usize = 8;

/// Looks for races and errors.
pub fn look(input: &Input, matching: &Matching) -> (Findings, Races) {
    let trace = &input.trace;
    let cannot_tell = cannot_tell::all(input, &Evidence::of(trace, matching));
    let cannot = |what: &str| cannot_tell.iter().any(|it| it.what == what);
    let races = match cannot(cannot_tell::MISSING) {
        true => Races::find_in_part(trace, matching),
        false => Races::find(trace, matching),
    };
    let groups = races.groups(trace);
    let mut found = errors_of(trace, matching, &cannot_tell);
    let returned = |stand: &errors::Stand| stand.standing == Standing::Finalized;
    let hung = !found.stands.iter().all(returned);
    if !is_cut_short(input, &found.stands) {
        found.stands.clear();
    }
    let names = Names {
        trace,
        ended: found.stands.is_empty(),
    };
    let told = |count: u64| (count > 0 || !cannot(cannot_tell::RACES)).then_some(count);
    let facts = Facts {
        path: input.path.clone(),
        archive: input.anchor.clone(),
        stood: stood::stood(trace, &found.stands),
        racing: told(groups.iter().map(|group| group.races).sum()),
        hazards: told(groups.iter().map(|group| group.hazards).sum()),
        alternatives: told(races.alternatives()),
        races: groups.iter().map(|group| names.race(group)).collect(),
        errors: names.errors(&found.errors),
        contradictions: races.contradictions,
        cannot_tell,
        not_kept: input.not_kept(),
        damage: input.damage.clone(),
    };
    (Findings { facts, hung }, races)
}

/// Looks for what MPI forbids, and tells no more than the input can tell.
fn errors_of(trace: &Trace, matching: &Matching, cannot_tell: &[CannotTell]) -> errors::Findings {
    let mut found = errors::look(trace, matching);
    if cannot_tell.iter().any(|it| it.what == cannot_tell::MISSING) {
        found.errors.retain(|error| error.kind.is_there());
    }
    found
}

/// Looks for what MPI forbids.
pub fn errors(input: &Input, matching: &Matching, evidence: &Evidence) -> Vec<errors::Error> {
    let cannot_tell = cannot_tell::all(input, evidence);
    errors_of(&input.trace, matching, &cannot_tell).errors
}

/// Returns whether a run did not come to its end, as far as the trace tells:
/// other archives may leave out MPI_Finalize.
fn is_cut_short(input: &Input, stands: &[errors::Stand]) -> bool {
    let told = |stand: &errors::Stand| stand.standing != Standing::Outside;
    let died = |run: &RunInfo| run.state != State::Finished;
    stands.iter().any(told) || input.run.as_ref().is_some_and(died)
}

impl Facts {
    /// Returns why something cannot be told; empty if it can.
    pub fn why(&self, what: &str) -> String {
        let reasons = self.cannot_tell.iter().filter(|it| it.what == what);
        let reasons: Vec<&str> = reasons.map(|it| it.why.as_str()).collect();
        reasons.join("; ")
    }
}

struct Names<'a> {
    trace: &'a Trace,
    /// All ranks came to MPI_Finalize.
    ended: bool,
}

impl Names<'_> {
    fn place(&self, place: races::CallPlace) -> SourcePlace {
        SourcePlace::new(self.trace, place)
    }

    fn place_of(&self, event: EventRef) -> SourcePlace {
        SourcePlace::of(self.trace, event)
    }

    fn at(&self, event: EventRef) -> At {
        let location = &self.trace.locations[event.location.index()];
        At {
            rank: location.rank.0,
            location: location.id,
            event: event.index,
        }
    }

    fn race(&self, group: &Group) -> Race {
        let examples = group.examples.iter().flat_map(|race| &race.alternatives);
        let hazards = examples.map(|it| it.meaning).filter(|it| it.is_hazard());
        let hazard = hazards.min();
        let meaning = hazard.unwrap_or(Meaning::OrderRace);
        let example = |race: &races::Race| Example {
            receive: self.at(race.receive),
            message: race.message.map(|send| self.at(send)),
            alternatives: self.others(&race.alternatives),
            count: race.alternatives.len(),
        };
        let sender = |senders: &races::Senders| Sender {
            place: self.place(senders.place),
            alternatives: senders.alternatives,
        };
        Race {
            receive: self.place(group.place),
            probe: group.probe,
            verdict: verdict(meaning).into(),
            struck: matches!(meaning, Meaning::Struck(_)),
            kind: kind(meaning).map(Cow::from),
            why: self.why(meaning),
            times: group.races,
            hazards: group.hazards,
            alternatives: group.alternatives,
            ranks: group.ranks.clone(),
            senders: group.senders.iter().map(sender).collect(),
            examples: group.examples.iter().map(example).collect(),
        }
    }

    fn others(&self, alternatives: &[Alternative]) -> Vec<Other> {
        let mut sorted: Vec<&Alternative> = alternatives.iter().collect();
        sorted.sort_by_key(|alternative| !alternative.meaning.is_hazard());
        let other = |alternative: &&Alternative| Other {
            send: self.at(alternative.send),
            block: alternative.block,
            verdict: verdict(alternative.meaning).into(),
        };
        sorted.iter().take(OTHERS).map(other).collect()
    }

    fn why(&self, meaning: Meaning) -> String {
        match meaning {
            Meaning::OrderRace if self.ended => ORDER_RACE.into(),
            Meaning::OrderRace => "as far as the run came, all receives get messages in either \
                                   order; what depends on the order of arrival may differ"
                .into(),
            Meaning::Struck(receive) => {
                let rank = self.at(receive).rank;
                let place = self.place_of(receive).shown();
                format!(
                    "this run hangs because of it: what came first here is what {place} on rank \
                     {rank} waits for; with the other message first, that would be there"
                )
            }
            Meaning::Starves(receive) => {
                let rank = self.at(receive).rank;
                let place = self.place_of(receive).shown();
                format!(
                    "with the other message, {place} on rank {rank} would wait forever: the rank \
                     that it names sends it no other in time (unless the program chooses that \
                     rank by what it received)"
                )
            }
            Meaning::Truncates { bytes, capacity } => {
                format!("the other message has {bytes} bytes, the buffer holds {capacity}")
            }
            Meaning::OtherType => "the other message is of another type".into(),
        }
    }

    fn errors(&self, errors: &[mpiscope_analysis::errors::Error]) -> Vec<Error> {
        let mut places: BTreeMap<(&'static str, SourcePlace), (Error, Vec<String>)> =
            BTreeMap::new();
        for error in errors {
            let place = self.place_of(error.event);
            let kind = error.kind.name();
            let rank = self.at(error.event).rank;
            let new = || Error {
                kind: kind.into(),
                place: place.clone(),
                why: self.error(error),
                times: 0,
                ranks: Vec::new(),
                example: self.at(error.event),
            };
            let entry = places.entry((kind, place.clone()));
            let (sum, reasons) = entry.or_insert_with(|| (new(), Vec::new()));
            sum.times += 1;
            if !sum.ranks.contains(&rank) {
                sum.ranks.push(rank);
                reasons.push(self.error(error));
            }
        }
        places.into_values().map(one_row).collect()
    }

    fn error(&self, error: &mpiscope_analysis::errors::Error) -> String {
        let others: Vec<String> = (error.others.iter())
            .map(|&other| {
                format!(
                    "rank {} in {}",
                    self.at(other).rank,
                    self.place_of(other).shown()
                )
            })
            .collect();
        let others = match others.is_empty() {
            true => "ranks that have ended".to_owned(),
            false => show::list(&others, 4),
        };
        match error.kind {
            ErrorKind::UnmatchedSend => "its receiver ended without receiving it".into(),
            ErrorKind::UnmatchedReceive => {
                "the ranks that could send what it waits for have ended".into()
            }
            ErrorKind::Truncation { bytes, capacity } => {
                format!(
                    "a message of {bytes} bytes, sent by {others}, for {capacity} bytes of room"
                )
            }
            ErrorKind::Type => format!("sent as another type by {others}"),
            ErrorKind::LostRequest => "neither completed nor freed before MPI_Finalize".into(),
            ErrorKind::CollectiveOrder => format!("does not meet {others}"),
            ErrorKind::CollectiveRoot => format!("another root than {others}"),
            ErrorKind::CollectiveCount => format!("another amount of data than {others}"),
            ErrorKind::CollectiveType => format!("another type than {others}"),
            ErrorKind::Deadlock => format!("waits for {others}"),
        }
    }
}

impl At {
    /// Writes `rank 3, event 4711`, with the location if the rank has several.
    pub fn shown(&self) -> String {
        match self.location == u64::from(self.rank) {
            true => format!("rank {}, event {}", self.rank, self.event),
            false => format!(
                "rank {}, location {}, event {}",
                self.rank, self.location, self.event
            ),
        }
    }
}

/// Ends the row of one call; `reasons` are those of its ranks, as they came.
fn one_row((mut error, reasons): (Error, Vec<String>)) -> Error {
    if reasons.iter().any(|reason| *reason != reasons[0]) {
        let of_ranks = error.ranks.iter().zip(&reasons);
        let of_ranks: Vec<_> = of_ranks
            .map(|(rank, reason)| format!("rank {rank} {reason}"))
            .collect();
        error.why = show::list(&of_ranks, 4);
    }
    error.ranks.sort_unstable();
    error
}

fn verdict(meaning: Meaning) -> &'static str {
    match meaning.is_hazard() {
        true => "hazard",
        false => "order",
    }
}

fn kind(meaning: Meaning) -> Option<&'static str> {
    match meaning {
        Meaning::OrderRace => None,
        Meaning::Struck(_) | Meaning::Starves(_) => Some("unmatched"),
        Meaning::Truncates { .. } => Some("truncation"),
        Meaning::OtherType => Some("type"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::races::text::text;

    fn facts(picture: &str, run: RunInfo) -> Facts {
        let mut trace = Trace::parse(picture).unwrap();
        trace.definitions.told.wildcards = true;
        trace.definitions.told.posted = true;
        let matching = trace.matching();
        let input = Input {
            trace,
            run: Some(RunInfo {
                state: State::Finished,
                ..run
            }),
            ..Input::default()
        };
        look(&input, &matching).0.facts
    }

    fn a_thread_lost() -> RunInfo {
        RunInfo {
            threads_lost: 1,
            ..RunInfo::default()
        }
    }

    const LEFT_OVER: &str = "\
0: 1 send>1 5 enter(MPI_Finalize) 9 leave(MPI_Finalize)
1: 1 enter(MPI_Finalize) 9 leave(MPI_Finalize)";

    #[test]
    fn what_a_thread_that_is_lost_may_have_received_is_no_error() {
        assert_eq!(facts(LEFT_OVER, RunInfo::default()).errors.len(), 1);
        let facts = facts(LEFT_OVER, a_thread_lost());
        assert!(facts.errors.is_empty(), "{:?}", facts.errors);
        assert_eq!(facts.racing, None);
        assert!(text(&facts, false).contains("1 thread had no room and is not recorded"));
    }

    #[test]
    fn races_of_which_a_part_is_lost_are_not_said_to_be_harmless() {
        let picture = "\
0: 1 send>2 2 send>2 9 enter(MPI_Finalize) 9 leave(MPI_Finalize)
1: 1 send>2 9 enter(MPI_Finalize) 9 leave(MPI_Finalize)
2: 3 recv<0(any) 4 recv<1(any) 5 recv<0(any) 9 enter(MPI_Finalize) 9 leave(MPI_Finalize)";
        let all = facts(picture, RunInfo::default());
        assert!(text(&all, false).contains("order races all"));
        let part = facts(picture, a_thread_lost());
        assert!(part.racing > Some(0));
        assert_eq!(part.hazards, None);
        assert!(text(&part, false).contains("whether one is a match hazard cannot be told"));
    }
}
