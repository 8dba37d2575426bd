//! `choose` at the prompt: which message a receive from anybody takes.
//!
//! The agent keeps how far the first thread of its rank has come, and takes a choice for the next
//! receive from anybody, in plain numbers that gdb reads and sets. Which messages may come the
//! trace of the recorded run tells, which is read when somebody stops at such a receive. If another
//! one is taken than recorded, all that follows may be otherwise, so the record leads nobody any
//! further.

mod candidates;
mod numbers;

use std::path::PathBuf;

use mpiscope_archive::model::Trace;
use mpiscope_run::directory;
use mpiscope_run::order::{Record, Taken};

use super::debuggee::State;
use super::ranks::Ranks;
use super::session::Session;
use crate::input::Input;
use crate::say;

use candidates::{Candidates, Receive};
use numbers::{standings, Standing, FREE, SOURCE, TAG};

/// A run in whose order a program is replayed.
pub struct Recorded {
    /// Its directory.
    pub run: PathBuf,
    /// What was recorded.
    pub record: Record,
}

/// Lists what receives may take, and has them take it.
pub struct Chooser {
    recorded: Recorded,
    /// The trace, once it was read; or why it does not help.
    candidates: Option<Result<Candidates, String>>,
    /// Where somebody has chosen otherwise than recorded for the last time.
    departed: Option<(u32, Standing)>,
}

/// What a rank may choose now.
enum Offer {
    /// It stands before this receive.
    Receive(Receive),
    /// Nobody knows what may come: why, and what was recorded for the next receive.
    Unknown(String, Option<Taken>),
    /// Nothing: why.
    Nothing(String),
}

/// A message that is to be taken.
struct Choice {
    taken: Taken,
    recorded: bool,
    what: String,
}

/// Why nothing can be chosen where no record leads.
pub const NO_RECORD: &str = "`choose` is for replays of all ranks in a recorded order";

/// Messages that are listed where nobody has asked.
const SHOWN: usize = 20;

impl Chooser {
    /// Begins with a run whose trace was not read yet.
    pub fn new(recorded: Recorded) -> Chooser {
        Chooser {
            recorded,
            candidates: None,
            departed: None,
        }
    }

    /// Returns what each of these ranks may choose that stand before a receive to which several
    /// messages may come.
    pub fn offers(&mut self, session: &mut Session, ranks: &Ranks) -> Vec<(u32, String)> {
        if self.departed.is_some() || ranks.is_empty() {
            return Vec::new();
        }
        let mut offers = Vec::new();
        for (rank, standing) in standings(session, ranks) {
            let offer = standing.map(|standing| self.offer(rank, standing));
            if let Ok(Offer::Receive(receive)) = offer {
                if receive.messages.len() > 1 {
                    offers.push((rank, shortened(&receive)));
                }
            }
        }
        offers
    }

    /// Does what `choose TEXT` says for some ranks; returns what there is to say.
    pub fn obey(&mut self, session: &mut Session, ranks: &Ranks, text: &str) -> Vec<(u32, String)> {
        let stopped = session.those(ranks, |state| matches!(state, State::Stopped(_)));
        let standings = standings(session, &stopped);
        let offers: Vec<(u32, Standing, Offer)> = standings
            .into_iter()
            .map(|(rank, standing)| match standing {
                Ok(standing) => (rank, standing, self.offer(rank, standing)),
                Err(why) => (rank, Standing::NOWHERE, Offer::Nothing(why)),
            })
            .collect();
        let may_choose = |offer: &&(u32, Standing, Offer)| !matches!(offer.2, Offer::Nothing(_));
        let mut able = offers.iter().filter(may_choose);
        match (text, able.next(), able.next()) {
            (text, Some((rank, standing, offer)), None) if !text.is_empty() => {
                let said = match chosen(offer, text, session.size()) {
                    Ok(choice) => self.take(session, *rank, *standing, &choice),
                    Err(why) => format!("{why}\n{}", offer.say()),
                };
                vec![(*rank, said)]
            }
            (text, Some(_), Some(_)) if !text.is_empty() => {
                let why = "several ranks may choose: say `focus RANK` first";
                let able = offers.iter().filter(may_choose);
                able.map(|offer| (offer.0, why.to_owned())).collect()
            }
            _ if offers.is_empty() => {
                let why = |rank| (rank, "does not stand anywhere".to_owned());
                ranks.iter().map(why).collect()
            }
            _ => {
                let said = offers.iter().map(|(rank, _, offer)| (*rank, offer.say()));
                said.collect()
            }
        }
    }

    fn offer(&mut self, rank: u32, standing: Standing) -> Offer {
        let recorded = self.recorded_choice(rank, standing.receives);
        if self.departed.is_some_and(|at| at != (rank, standing)) {
            let why = "the record leads no further, and nobody knows what may come".to_owned();
            return Offer::Unknown(why, None);
        }
        let candidates = match self.candidates() {
            Ok(candidates) => candidates,
            Err(why) => return Offer::Unknown(why.clone(), recorded),
        };
        match candidates.receive(rank, standing.receives) {
            Err(why) => Offer::Unknown(why, recorded),
            Ok(None) => Offer::Nothing("receives no more from anybody in the record".to_owned()),
            Ok(Some(receive)) if receive.call == standing.next_call() => Offer::Receive(receive),
            Ok(Some(receive)) => Offer::Nothing(format!(
                "does not stand before a receive from anybody; its next is {}, its call {}",
                receive.what, receive.call
            )),
        }
    }

    fn recorded_choice(&self, rank: u32, ordinal: u64) -> Option<Taken> {
        let order = self.recorded.record.rank(rank)?;
        let first = order.threads.iter().find(|thread| thread.number == 0)?;
        *first.receives.get(ordinal as usize)?
    }

    /// Returns what the trace tells, which is read now if it was not yet.
    fn candidates(&mut self) -> Result<&Candidates, &String> {
        let run = &self.recorded.run;
        let read = || {
            if !directory::anchor(run).is_file() {
                return Err("the run has no trace, which would tell what may come".to_owned());
            }
            let input = Input::open(run).map_err(|error| say::chain(&error))?;
            traced(input.trace)
        };
        self.candidates.get_or_insert_with(read).as_ref()
    }

    /// Has a rank take a message; returns what there is to say.
    fn take(
        &mut self,
        session: &mut Session,
        rank: u32,
        standing: Standing,
        choice: &Choice,
    ) -> String {
        let Choice {
            taken,
            recorded,
            what,
        } = choice;
        if *recorded && self.departed.is_none() {
            return format!("takes {what}, as recorded");
        }
        let own = Ranks::from_iter([rank]);
        let tag = taken.tag.map_or(-1, i64::from);
        let set = numbers::set(
            session,
            &own,
            &[(TAG, tag), (SOURCE, i64::from(taken.source))],
        );
        if let Err(why) = set {
            return format!("cannot choose: {why}");
        }
        if self.departed.replace((rank, standing)).is_some() {
            return format!("takes {what}");
        }
        let all = session.all();
        let running = session.pause(&all);
        let able = session.those(&all, |state| matches!(state, State::Stopped(_)));
        let freed = numbers::set(session, &able, &[(FREE, 1)]);
        session.unpause(&running);
        let unreached = match (freed, session.size()) {
            (Err(why), _) => format!(", but for who cannot be told: {why}"),
            (Ok(()), Some(size)) if (size as usize) > all.len() => {
                ", but for ranks without a debugger".to_owned()
            }
            (Ok(()), _) => String::new(),
        };
        format!("takes {what}; from here on the record leads nobody{unreached}")
    }
}

fn traced(trace: Trace) -> Result<Candidates, String> {
    match trace.definitions.told.calls {
        true => Ok(Candidates::of(trace)),
        false => {
            Err("calls of MPI are not in the trace, which cannot tell what may come".to_owned())
        }
    }
}

impl Offer {
    fn say(&self) -> String {
        match self {
            Offer::Receive(receive) => receive.list(),
            Offer::Nothing(why) => why.clone(),
            Offer::Unknown(why, recorded) => {
                let tag = match recorded.map(|taken| taken.tag.is_some()) {
                    Some(true) => " TAG",
                    Some(false) => "",
                    None => " [TAG]",
                };
                let took = match recorded {
                    Some(taken) => format!(", which took a message of {}", named(*taken)),
                    None => String::new(),
                };
                format!(
                    "{why}; `choose RANK{tag}`, by ranks in the communicator, is for the next \
                     receive from anybody{took}"
                )
            }
        }
    }
}

fn named(taken: Taken) -> String {
    let tag = taken
        .tag
        .map_or(String::new(), |tag| format!(", tag {tag}"));
    format!("rank {}{tag}", taken.source)
}

/// Reads what somebody has chosen of an offer.
fn chosen(offer: &Offer, text: &str, size: Option<u32>) -> Result<Choice, String> {
    let numbers: Option<Vec<u32>> = text
        .split_whitespace()
        .map(|word| word.parse().ok())
        .collect();
    match (offer, numbers.as_deref()) {
        (Offer::Receive(receive), Some([number])) => {
            let at = (*number as usize).checked_sub(1);
            let message = at.and_then(|at| receive.messages.get(at));
            let message = message.ok_or_else(|| format!("`{text}`: no number of the list"))?;
            Ok(Choice {
                taken: message.taken,
                recorded: message.recorded,
                what: format!("the message of rank {}", message.sender),
            })
        }
        (Offer::Receive(_), _) => Err(format!("`{text}`: a number of the list is expected")),
        (Offer::Unknown(_, recorded), Some([source, tag @ ..])) if tag.len() < 2 => {
            if let Some(size) = size.filter(|size| source >= size) {
                return Err(format!("`{text}`: there are {size} ranks"));
            }
            let any_tag = recorded.map(|taken| taken.tag.is_some());
            let taken = Taken {
                source: *source,
                tag: tag.first().copied(),
            };
            match (any_tag, taken.tag) {
                (Some(true), None) => Err("the receive takes any tag: say which".to_owned()),
                (Some(false), Some(_)) => Err("the receive names its tag".to_owned()),
                _ => Ok(Choice {
                    taken,
                    recorded: *recorded == Some(taken),
                    what: format!("a message of {}", named(taken)),
                }),
            }
        }
        (Offer::Unknown(..), _) => Err(format!("`{text}`: a rank is expected, and perhaps a tag")),
        (Offer::Nothing(why), _) => Err(why.clone()),
    }
}

fn shortened(receive: &Receive) -> String {
    let list = receive.list();
    let lines: Vec<&str> = list.lines().collect();
    if lines.len() <= SHOWN + 2 {
        return list;
    }
    let left = lines.len() - 1 - SHOWN;
    format!(
        "{}\n  … {left} more, which `choose` lists",
        lines[..=SHOWN].join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(tag: Option<u32>) -> Offer {
        Offer::Unknown("no trace".to_owned(), Some(Taken { source: 2, tag }))
    }

    #[test]
    fn a_rank_is_chosen_where_nobody_knows_what_may_come() {
        let read = |tag, text| chosen(&unknown(tag), text, Some(4));
        assert!(read(None, "2").is_ok_and(|it| it.recorded));
        assert!(read(None, "1").is_ok_and(|it| !it.recorded));
        assert!(read(Some(7), "2 7").is_ok_and(|it| it.recorded));
        assert!(read(Some(7), "2 8").is_ok_and(|it| !it.recorded));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |tag, text| chosen(&unknown(tag), text, Some(4)).err();
        let says = |tag, text, what| refused(tag, text).is_some_and(|it| it.contains(what));
        assert!(says(None, "4", "there are 4 ranks"));
        assert!(says(None, "x", "a rank is expected"));
        assert!(says(None, "1 2", "names its tag"));
        assert!(says(Some(7), "1", "say which"));
    }
}
