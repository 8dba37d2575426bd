//! What a run has to say for itself, in a few sentences, the most telling first.
//!
//! Shares are of the time within each process's life, by the clock that is shown first.

use mpiscope_analysis::finding::{sentence, Finding, Kind, Unit};
use mpiscope_analysis::verdict::{self, Said, Words};
use mpiscope_tiles::{Class, Done, Run};

use crate::findings::Listed;

/// What a sentence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Something that is wrong for certain.
    Certain,
    /// How much was lost in all, as `analyze` says it.
    Headline,
    /// What time was lost to, as `analyze` says it.
    Loss,
    /// What the verdict cannot tell, as `analyze` says it.
    CannotTell,
    /// What else is to be known.
    Fact,
}

impl Role {
    /// Returns its name, for the page.
    pub fn name(self) -> &'static str {
        match self {
            Role::Certain => "certain",
            Role::Headline => "headline",
            Role::Loss => "loss",
            Role::CannotTell => "cannot_tell",
            Role::Fact => "fact",
        }
    }
}

/// A sentence, and the finding that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub role: Role,
    pub text: String,
    pub finding: Option<u32>,
    /// Of a loss: how sure that is.
    pub why: Option<String>,
    /// Of a loss: what to look at, or do, next.
    pub next: Option<String>,
}

impl Sentence {
    fn new(role: Role, text: impl AsRef<str>, finding: Option<u32>) -> Sentence {
        Sentence {
            role,
            text: sentence(text.as_ref()),
            finding,
            why: None,
            next: None,
        }
    }
}

/// Sums a run up, with what `analyze` says of it, if anybody judged it.
pub(crate) fn verdict(run: &Run, found: &Listed, judged: Option<&Words>) -> Vec<Sentence> {
    let Some(clock) = run.clocks().next() else {
        return Vec::new();
    };
    let mut done = Done::default();
    for (location, row) in run.trace.locations.iter().zip(&run.rows.of_location) {
        if location.is_thread() {
            done += clock.total(*row);
        }
    }
    let mut sentences: Vec<Sentence> = certain(found).collect();
    if done.lived() == 0 {
        let text = match run.event_count() {
            0 => "There are no events: nothing can be told",
            _ => "All events are at one moment: nothing can be told of time",
        };
        sentences.push(Sentence::new(Role::Fact, text, None));
        return sentences;
    }
    sentences.extend(judged.into_iter().flat_map(|it| as_judged(it, found)));
    sentences.push(shares(&done));
    sentences.extend(waits(&done, found));
    sentences.extend(counts(found));
    sentences.extend(reversed(run, found));
    sentences
}

/// Says that ranks ended early: what is told of the rest is of what they left.
pub(crate) fn ended(ended: &[(u32, String)]) -> Option<Sentence> {
    let (rank, why) = ended.first()?;
    let text = match ended.len() {
        1 => format!("Rank {rank} {why}: the trace holds what was recorded until then"),
        count => format!(
            "{count} ranks ended early (rank {rank} {why}): the trace holds what was \
             recorded until then"
        ),
    };
    Some(Sentence::new(Role::Certain, text, None))
}

/// Says where the time went.
fn shares(done: &Done) -> Sentence {
    let all = done.lived();
    let mpi: u128 = done.classes()[Class::PointToPoint.index()..=Class::Management.index()]
        .iter()
        .map(|ns| u128::from(*ns))
        .sum();
    // Short runs are mostly this, and nothing of it is the program's doing.
    let others = u128::from(done.of(Class::Management));
    let setup = match 2 * others > mpi {
        true => format!(" ({} MPI_Init and the like)", percent(others, all)),
        false => String::new(),
    };
    let text = format!(
        "From first to last event, {} of the time is computation and {} MPI{setup}; ranks wait for \
         others {} of the time",
        percent(done.of(Class::Computation).into(), all),
        percent(mpi, all),
        percent(done.waiting().into(), all),
    );
    Sentence::new(Role::Fact, text, None)
}

/// Says how much time was lost and what to, as the terminal does.
fn as_judged<'a>(words: &'a Words, found: &'a Listed) -> impl Iterator<Item = Sentence> + 'a {
    let headline = Sentence::new(Role::Headline, &words.headline, None);
    let losses = words.losses.iter().map(|said| loss(said, found));
    let doubts = words.doubts.iter();
    let doubts = doubts.map(|it| Sentence::new(Role::CannotTell, cannot_tell(it), None));
    [headline].into_iter().chain(losses).chain(doubts)
}

fn cannot_tell(what: &str) -> String {
    format!("cannot tell: {what}")
}

fn loss(said: &Said, found: &Listed) -> Sentence {
    let told = said.paragraph();
    let is_it = |it: &Finding| it.kind == verdict::KIND && it.text == told;
    let finding = found.list.iter().position(is_it);
    Sentence {
        why: Some(sentence(&said.why)),
        next: Some(sentence(&format!("next: {}", said.next))),
        ..Sentence::new(Role::Loss, &said.text, finding.map(|it| it as u32))
    }
}

/// Says what most time was waited for.
fn waits(done: &Done, found: &Listed) -> Option<Sentence> {
    let is_wait = |name: &str| {
        let first = found.list.iter().find(|it| it.kind == name);
        first.is_some_and(|it| it.places.first().is_some_and(|place| place.role == "waits"))
    };
    let waits = found.kinds.iter().filter(|kind| is_wait(&kind.name));
    let most = waits.max_by_key(|kind| kind.weight)?;
    let first = found.first_of(&most.name)?;
    let longest = &found.list[first as usize];
    let text = format!(
        "Most of the waiting is {}: {} of the time. The longest: {}",
        most.label.to_lowercase(),
        percent(most.weight.into(), done.lived()),
        longest.text,
    );
    Some(Sentence::new(Role::Fact, text, Some(first)))
}

/// Kinds that are told, at most, of what is wrong for certain.
const TOLD: usize = 4;

/// Says what is wrong for certain, kind by kind: the first of each.
fn certain(found: &Listed) -> impl Iterator<Item = Sentence> + '_ {
    let kinds = found.kinds.iter().filter(|it| it.unit == Unit::Certain);
    kinds
        .take(TOLD)
        .map(|kind| example(Role::Certain, found, kind))
}

/// Says what was found that is no time: races, alternatives that came to nothing.
fn counts(found: &Listed) -> impl Iterator<Item = Sentence> + '_ {
    let counted = found.kinds.iter().filter(|kind| kind.unit == Unit::Count);
    counted.map(|kind| example(Role::Fact, found, kind))
}

/// Tells one of a kind, and how many there are.
fn example(role: Role, found: &Listed, kind: &Kind) -> Sentence {
    let first = found.first_of(&kind.name);
    let text = first.map_or("", |it| &found.list[it as usize].text);
    let text = match kind.count {
        1 => format!("{}: {text}", kind.label),
        many => format!("{}, {many} times. {text}", kind.label),
    };
    Sentence::new(role, text, first)
}

/// Says of each clock what it puts into the wrong order.
fn reversed<'a>(run: &'a Run, found: &'a Listed) -> impl Iterator<Item = Sentence> + 'a {
    let wrong = run.clocks().filter(|clock| clock.reversed() > 0);
    wrong.map(|clock| {
        let text = format!(
            "By {} time {} of {} messages are received before they are sent",
            clock.view.name,
            clock.reversed(),
            run.message_count(),
        );
        let finding = found.first_of(&format!("reversed_{}", clock.view.name));
        Sentence::new(Role::Fact, text, finding)
    })
}

/// Writes a share.
fn percent(part: u128, all: u128) -> String {
    let percent = 100.0 * part as f64 / all.max(1) as f64;
    match percent {
        0.0 => "0 %".to_owned(),
        small if small < 0.1 => "less than 0.1 %".to_owned(),
        small if small < 10.0 => format!("{small:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_analysis::errors::errors;
    use mpiscope_analysis::finding::{self, Findings};
    use mpiscope_analysis::profile::Profile;
    use mpiscope_analysis::races::Races;
    use mpiscope_model::Trace;

    fn said(picture: &str) -> Vec<Sentence> {
        let trace = Trace::parse(picture).unwrap();
        let matching = trace.matching();
        let mut findings = Findings::default();
        let races = Races::find(&trace, &matching);
        finding::of_races(&trace, &races, &mut findings);
        finding::of_errors(&trace, &errors(&trace, &matching), &mut findings);
        let mut run = Run::matched(trace, matching);
        run.add_clock("measured", None);
        let found = Listed::new(&run, findings, None);
        verdict(&run, &found, None)
    }

    #[test]
    fn what_is_wrong_for_certain_is_told_first() {
        let said = said(
            "0: 1 5 enter(MPI_Recv) !posted(1)
             1: 2 6 enter(MPI_Recv) !posted(0)",
        );
        let text =
            "Error: deadlock, 2 times. Rank 0 waits for ever in MPI_Recv, for rank 1 in MPI_Recv";
        assert_eq!(said[0].text, text);
        assert_eq!(said[0].finding, Some(0));
        assert!(said[1].text.contains("computation"), "{said:?}");
    }

    #[test]
    fn of_races_one_is_told_and_how_many_there_are() {
        let said = said("0: 10 recv<1(any) 11 recv<2(any)\n1: 1 send>0\n2: 1 send>0");
        let last = &said.last().unwrap().text;
        assert_eq!(
            last,
            "Order race: Rank 0 could have got another message in a call"
        );
    }

    #[test]
    fn what_analyze_says_is_told_in_its_words_and_leads_to_its_findings() {
        let picture = "0: 0 enter(MPI_Recv) 52 recv<1 60 leave(MPI_Recv)
             1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send)";
        let trace = Trace::parse(picture).unwrap();
        let matching = trace.matching();
        let judged = verdict::Verdict::of(&trace, &matching, &Profile::of(&trace, &matching));
        let judged = judged.with_silent(true);
        let mut findings = Findings::default();
        judged.add_to(&trace, &mut findings);
        let words = judged.words(&trace);
        let mut run = Run::matched(trace, matching);
        run.add_clock("measured", None);
        let found = Listed::new(&run, findings, None);
        let said = verdict(&run, &found, Some(&words));
        let roles: Vec<&str> = said.iter().map(|it| it.role.name()).collect();
        let expected = ["headline", "loss", "loss", "cannot_tell"];
        assert_eq!(roles[..4], expected, "{said:?}");
        assert_eq!(said[0].text, sentence(&words.headline));
        let loss = &found.list[said[1].finding.unwrap() as usize];
        let parts = [
            &said[1].text,
            said[1].why.as_ref().unwrap(),
            said[1].next.as_ref().unwrap(),
        ];
        assert_eq!(loss.text, parts.map(String::as_str).join(". "));
    }
}
