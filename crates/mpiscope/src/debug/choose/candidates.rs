//! What a receive from anybody could have taken, by the trace of the recorded run.

use std::collections::BTreeSet;
use std::fmt;

use mpiscope_analysis::races::{CallPlace, Races};
use mpiscope_archive::choices::Choices;
use mpiscope_archive::model::{EventRef, Trace};
use mpiscope_run::order::Taken;

use crate::debug::{moment, stop};
use crate::explore::candidates::{message, of_race};

/// A trace, and what was found in it.
pub struct Candidates {
    trace: Trace,
    choices: Choices,
    races: Races,
}

/// A receive or blocking probe from anybody, of the first thread of a rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receive {
    /// The call that posts it, counted from 1.
    pub call: u64,
    /// The call: `MPI_Recv at heat.c:42`.
    pub what: String,
    /// The messages that it may take; first the one that it took.
    pub messages: Vec<Message>,
}

/// A message that a receive may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// As a record says it.
    pub taken: Taken,
    /// World rank of the sender.
    pub sender: u32,
    /// Whether the receive took it when it was recorded.
    pub recorded: bool,
    place: String,
    tag: u32,
    bytes: u64,
    hazard: bool,
}

impl Candidates {
    /// Looks for races in a trace.
    pub fn of(trace: Trace) -> Candidates {
        let races = Races::find(&trace, &trace.matching());
        Candidates {
            choices: Choices::of(&trace),
            races,
            trace,
        }
    }

    /// Returns the nth receive from anybody of a rank's first thread, from 0; nothing if the
    /// recorded run did not come to it.
    ///
    /// # Errors
    /// Why the trace cannot tell which call it is.
    pub fn receive(&self, rank: u32, ordinal: u64) -> Result<Option<Receive>, String> {
        let thread = self.choices.0.get(&(rank, 0));
        let Some((thread, receive)) =
            thread.and_then(|thread| Some((thread, thread.receives.get(ordinal as usize)?)))
        else {
            return Ok(None);
        };
        let location = &self.trace.locations[thread.location.index()];
        let counted = moment::counted(&self.trace, location, receive.post.index as usize);
        let (call, _, name) = counted.map_err(|error| error.to_string())?;
        let mut races = self.races.list().into_iter();
        let race = races.find(|race| race.post == receive.post);
        let mut messages = Vec::new();
        if let Some((taken, done)) = receive.taken.zip(receive.done) {
            let sent = race.as_ref().and_then(|race| race.message);
            messages.extend(self.recorded(taken, done, sent));
        }
        let others = race.map_or(Vec::new(), |race| {
            of_race(&self.trace, &self.choices, &race)
        });
        messages.extend(others.iter().filter_map(|other| {
            let taken = other.flip.taken;
            self.message(other.send, taken, other.sender, other.hazard)
        }));
        let mut known = BTreeSet::new();
        messages.retain(|it| known.insert((it.taken.source, it.taken.tag)));
        Ok(Some(Receive {
            call,
            what: format!("{name}{}", self.site(receive.post)),
            messages,
        }))
    }

    fn recorded(&self, taken: Taken, done: EventRef, sent: Option<EventRef>) -> Option<Message> {
        let received = message(&self.trace, done)?;
        let receiver = self.trace.locations.get(done.location.index())?.rank;
        let comm = self
            .trace
            .definitions
            .communicators
            .get(received.comm.index())?;
        let sender = comm.group_facing(receiver).get(taken.source as usize)?.0;
        Some(Message {
            taken,
            sender,
            recorded: true,
            place: sent.map_or(String::new(), |sent| self.site(sent)),
            tag: received.tag,
            bytes: received.bytes,
            hazard: false,
        })
    }

    fn message(&self, send: EventRef, taken: Taken, sender: u32, hazard: bool) -> Option<Message> {
        let sent = message(&self.trace, send)?;
        Some(Message {
            taken,
            sender,
            recorded: false,
            place: self.site(send),
            tag: sent.tag,
            bytes: sent.bytes,
            hazard,
        })
    }

    /// Returns ` at heat.c:42`, if it is known.
    fn site(&self, event: EventRef) -> String {
        let site = CallPlace::of(&self.trace, event).site;
        let site = site.and_then(|site| self.trace.definitions.call_sites.get(site.index()));
        site.map_or(String::new(), |site| {
            format!(" at {}", stop::base(&site.to_string()))
        })
    }
}

impl Receive {
    /// Writes its messages as a numbered list.
    pub fn list(&self) -> String {
        let mut lines = vec![format!("{} may take, by `choose N`,", self.what)];
        let numbered = (1..).zip(&self.messages);
        lines.extend(numbered.map(|(number, message)| format!("  {number}  {message}")));
        if self.messages.is_empty() {
            lines[0] = format!("{} took nothing when it was recorded", self.what);
        } else if self.messages.len() == 1 {
            lines.push("no other message could have come".to_owned());
        }
        lines.join("\n")
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let judged = match (self.recorded, self.hazard) {
            (true, _) => "as recorded",
            (false, true) => "match hazard",
            (false, false) => "order race",
        };
        let bytes = crate::report::show::counted(self.bytes, "byte");
        let (sender, place, tag) = (self.sender, &self.place, self.tag);
        write!(f, "of rank {sender}{place}, tag {tag}, {bytes}: {judged}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    fn check(picture: &str, ordinal: u64, expected: Expect) {
        let candidates = Candidates::of(Trace::parse(picture).unwrap());
        let receive = candidates.receive(0, ordinal);
        expected.assert_eq(&match receive {
            Ok(Some(receive)) => format!("call {}: {}", receive.call, receive.list()),
            Ok(None) => "none".to_owned(),
            Err(error) => error,
        });
    }

    const RUN: &str = "0: 1 enter(MPI_Barrier) 2 leave(MPI_Barrier) 3 enter(MPI_Recv) !at(a.c:1) 5 recv<1(any) 6 leave(MPI_Recv) 7 enter(MPI_Recv) !at(a.c:1) 8 recv<2(any) 9 leave(MPI_Recv)
         1: 1 enter(MPI_Send) !at(a.c:7) 2 send>0 3 leave(MPI_Send)
         2: 1 enter(MPI_Send) !at(a.c:9) 2 send>0 3 leave(MPI_Send)";

    #[test]
    fn what_was_taken_comes_first_and_then_what_races_with_it() {
        check(
            RUN,
            0,
            expect![[r#"
            call 2: MPI_Recv at a.c:1 may take, by `choose N`,
              1  of rank 1 at a.c:7, tag 0, 0 bytes: as recorded
              2  of rank 2 at a.c:9, tag 0, 0 bytes: order race"#]],
        );
    }

    #[test]
    fn a_receive_that_nothing_races_with_has_one_message() {
        check(
            RUN,
            1,
            expect![[r#"
            call 3: MPI_Recv at a.c:1 may take, by `choose N`,
              1  of rank 2, tag 0, 0 bytes: as recorded
            no other message could have come"#]],
        );
    }

    #[test]
    fn what_was_not_recorded_has_no_candidates() {
        check(RUN, 2, expect!["none"]);
    }

    #[test]
    fn after_a_pause_nobody_knows_which_call_it_is() {
        let paused = RUN.replace("3 enter", "2 off 3 on 3 enter");
        check(&paused, 0, expect!["recording was switched off and on before it, and nobody knows how many calls were made meanwhile"]);
    }
}
