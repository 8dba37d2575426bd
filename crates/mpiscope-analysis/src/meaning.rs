//! What would follow if a receive had got another message.
//!
//! The trace shows what each process posted and sent, in which order. If
//! a receive takes an alternative, the receive that got that message before
//! must be served by another, and so on, until one can take the message that
//! was left over. Where this ends well, only the order differs: an *order
//! race*, which is no error. Where some receive finds no message in any way,
//! because the rank that it names sends it no other in time, the program hangs
//! there: a *match hazard*. So is a message that does not fit into the buffer,
//! or of another type.
//!
//! What the trace cannot show is a program that chooses by what it received
//! whom it names next. Most of these end well here too: a master that names
//! the worker whose request it has got names one that has sent more. The
//! exception is one that receives from anybody and then, once, from *the
//! other*: only running it tells.
//!
//! Of a run that hung, the other message may be the one that would have saved
//! it: where a receive waits for ever for what an earlier one has taken, that
//! race has *struck*.

use std::cell::Cell;
use std::collections::BTreeMap;

use mpiscope_model::{CommId, EventRef};

use crate::inbox::{Class, Entry, Inbox, Incoming, Span, NONE};

/// What an alternative means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// All receives still get messages; what is summed or printed in the order
    /// of arrival may differ.
    OrderRace,
    /// The order of this very run starves a receive, and this one would not:
    /// where it was entered, or posted.
    Struck(EventRef),
    /// A later receive would wait forever: its event, where it ended in this run.
    Starves(EventRef),
    /// The message would not fit.
    Truncates {
        /// Its length.
        bytes: u64,
        /// How many the buffer holds.
        capacity: u64,
    },
    /// The message is of another type than the receive expects.
    OtherType,
}

impl Meaning {
    /// Returns whether it is a match hazard: an error in the program, unless it
    /// chooses whom it names later by what it received.
    pub fn is_hazard(self) -> bool {
        self != Meaning::OrderRace
    }
}

/// Steps spent on the alternatives of one class of receives that cannot be
/// judged at once. What is not decided then counts as order race.
const BUDGET: u64 = 20_000_000;

/// Knows the meaning of the alternatives of a class.
#[derive(Debug)]
pub(crate) struct Judge {
    /// For each message of the class: the entry that starves if it is taken
    /// earlier, or [`NONE`]. Nothing if that depends on who takes it.
    starving: Option<Vec<u32>>,
    /// Some message may not fit, or be of another type.
    kinds_differ: bool,
    /// Receives of the process that wait for ever.
    stuck: Vec<Stuck>,
    budget: Cell<u64>,
}

/// A receive that waits for ever.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stuck {
    /// Where it was entered, or posted.
    pub event: EventRef,
    pub comm: CommId,
    /// The process it names, if it names one.
    pub source: Option<u32>,
    pub tag: Option<u32>,
}

impl Stuck {
    fn suits(&self, message: &Incoming) -> bool {
        self.comm == message.comm
            && self.source.is_none_or(|source| source == message.process)
            && self.tag.is_none_or(|tag| tag == message.tag)
    }
}

/// Communicators on which receives name tags differently, some all, some one,
/// though messages have different ones too.
pub(crate) struct Tags(BTreeMap<CommId, Mixed>);

#[derive(Clone, Copy, Default)]
struct Mixed {
    any: bool,
    one: bool,
    /// The tag of the messages, and whether there are others.
    first: Option<u32>,
    several: bool,
}

impl Tags {
    pub fn new(inbox: &Inbox) -> Tags {
        let mut tags: BTreeMap<CommId, Mixed> = BTreeMap::new();
        for entry in inbox.entries.iter().filter(|entry| entry.takes) {
            let mixed = tags.entry(entry.comm).or_default();
            mixed.any |= entry.tag.is_none();
            mixed.one |= entry.tag.is_some();
        }
        for message in &inbox.incoming {
            let mixed = tags.entry(message.comm).or_default();
            mixed.several |= *mixed.first.get_or_insert(message.tag) != message.tag;
        }
        Tags(tags)
    }

    /// Returns whether receives of a class see the same messages as all others
    /// that suit them.
    fn are_alike(&self, class: &Class) -> bool {
        let mixed = self.0.get(&class.comm).copied().unwrap_or_default();
        let by_name = match class.tag {
            None => !mixed.one,
            Some(_) => !mixed.any,
        };
        !mixed.several || by_name
    }
}

impl Judge {
    /// Looks at the messages of a class, of a process some receives of which
    /// may wait for ever.
    pub fn new(inbox: &Inbox, class: &Class, tags: &Tags, stuck: &[Stuck]) -> Judge {
        let alike = tags.are_alike(class) && !has_threads(inbox, class);
        Judge {
            starving: alike.then(|| starving(inbox, class)),
            kinds_differ: kinds_differ(inbox, class),
            stuck: stuck.to_vec(),
            budget: Cell::new(BUDGET),
        }
    }

    /// Returns the meaning of an alternative of an entry in the class's list.
    pub fn meaning(&self, inbox: &Inbox, class: &Class, at: usize, span: Span) -> Meaning {
        let place = class.list[at];
        let entry = &inbox.entries[place as usize];
        let message = class.messages[span.row as usize];
        if !entry.takes {
            return Meaning::OrderRace;
        }
        if self.kinds_differ {
            if let Some(wrong) = of_another_kind(inbox, entry, message) {
                return wrong;
            }
        }
        if let Some(saved) = self.saved(inbox, place, message) {
            return Meaning::Struck(saved);
        }
        let starves = match &self.starving {
            Some(starving) => starving[span.row as usize],
            None => self.search(inbox, place, message),
        };
        match inbox.entries.get(starves as usize) {
            Some(entry) => Meaning::Starves(entry.event),
            None => Meaning::OrderRace,
        }
    }

    /// Returns the messages of which all alternatives are hazards, if that
    /// does not depend on who takes them: by row, whether.
    pub fn at_once(&self) -> Option<&[u32]> {
        let at_once = !self.kinds_differ && self.stuck.is_empty();
        self.starving.as_deref().filter(|_| at_once)
    }

    /// Returns a receive that waits for ever, and would not if the one at
    /// `place` had taken `message`: its own, or what then is left over, is
    /// what the other asks for.
    fn saved(&self, inbox: &Inbox, place: u32, message: u32) -> Option<EventRef> {
        let own = inbox.entries[place as usize].message;
        if own == NONE || self.stuck.is_empty() || !self.can_spare(inbox, place, message) {
            return None;
        }
        let end = inbox.entries.len() as u32;
        let budget = self.budget.get().checked_sub(end.into())?;
        self.budget.set(budget);
        let left = left_over(inbox, place, own, end);
        let gets = |stuck: &&Stuck| {
            let mut left = left.iter().map(|&left| &inbox.incoming[left as usize]);
            left.any(|message| stuck.suits(message))
        };
        self.stuck.iter().find(gets).map(|stuck| stuck.event)
    }

    /// Returns whether all who took a message keep one if `message` goes to
    /// the entry at `place`: somebody takes one that nobody had.
    fn can_spare(&self, inbox: &Inbox, place: u32, message: u32) -> bool {
        let mut seen = Vec::new();
        let mut open = vec![message];
        while let Some(message) = open.pop() {
            let taken = inbox.incoming[message as usize].taken;
            if taken == NONE {
                return true;
            }
            if taken <= place || seen.contains(&taken) {
                continue;
            }
            seen.push(taken);
            let steps = inbox.incoming.len() as u64;
            let Some(left) = self.budget.get().checked_sub(steps) else {
                return false;
            };
            self.budget.set(left);
            open.extend(candidates(inbox, &inbox.entries[taken as usize], taken));
        }
        false
    }

    /// Looks for a way to serve all receives if the one at `place` takes
    /// `message`; returns the receive that starves if there is none.
    fn search(&self, inbox: &Inbox, place: u32, message: u32) -> u32 {
        let first = inbox.incoming[message as usize].taken;
        let own = inbox.entries[place as usize].message;
        if first == NONE || own == NONE {
            return NONE;
        }
        let taker = &inbox.entries[first as usize];
        let left = &inbox.incoming[forced(inbox, place, own, first) as usize];
        if left.comm == taker.comm && taker.suits(left.process, left.tag) {
            return NONE;
        }
        let mut seen = vec![first];
        let mut holes = vec![first];
        while let Some(hole) = holes.pop() {
            let steps = u64::from(hole - place) + inbox.incoming.len() as u64;
            let Some(left) = self.budget.get().checked_sub(steps) else {
                return NONE;
            };
            self.budget.set(left);
            let entry = &inbox.entries[hole as usize];
            let suits = |message: u32| {
                let message = &inbox.incoming[message as usize];
                entry.suits(message.process, message.tag) && entry.comm == message.comm
            };
            if left_over(inbox, place, own, hole).into_iter().any(suits) {
                return NONE;
            }
            for next in candidates(inbox, entry, hole) {
                match inbox.incoming[next as usize].taken {
                    NONE => return NONE,
                    taken if !seen.contains(&taken) => {
                        seen.push(taken);
                        holes.push(taken);
                    }
                    _ => {}
                }
            }
        }
        first
    }
}

/// Returns whether several threads of a process sent messages of a class.
fn has_threads(inbox: &Inbox, class: &Class) -> bool {
    let incoming = class.messages.iter();
    let mut senders: Vec<_> = incoming
        .map(|&message| &inbox.incoming[message as usize])
        .map(|incoming| (incoming.process, incoming.send.location))
        .collect();
    senders.sort_unstable();
    senders.dedup();
    senders.windows(2).any(|pair| pair[0].0 == pair[1].0)
}

/// Finds for each message which receive starves if it is taken earlier: the
/// one that took it needs the sender's next, and so on, until a receive names
/// no sender and takes what was left over.
fn starving(inbox: &Inbox, class: &Class) -> Vec<u32> {
    let incoming = |row: usize| &inbox.incoming[class.messages[row] as usize];
    let mut starving = vec![NONE; class.messages.len()];
    for row in (0..class.messages.len()).rev() {
        let taken = incoming(row).taken;
        let Some(entry) = inbox.entries.get(taken as usize) else {
            continue;
        };
        if entry.source.is_none() {
            continue;
        }
        let next = row + 1;
        let sender = incoming(row).send.location;
        let has_next = next < starving.len() && incoming(next).send.location == sender;
        starving[row] = match has_next && in_time(inbox, entry, class.messages[next]) {
            true => starving[next],
            false => taken,
        };
    }
    starving
}

/// Returns whether a message can be there for an entry that got another one.
fn in_time(inbox: &Inbox, entry: &Entry, message: u32) -> bool {
    inbox.needs(message, entry.event.location) <= entry.decided
}

/// Returns the message that is left over at `hole` if the entry at `place` gave
/// its own away and nobody changes their mind: receives of its sender in between
/// take the first that suits them, and leave theirs.
fn forced(inbox: &Inbox, place: u32, own: u32, hole: u32) -> u32 {
    let mut left = own;
    for next in own as usize + 1..inbox.incoming.len() {
        let message = &inbox.incoming[next];
        let token = &inbox.incoming[left as usize];
        if message.send.location != token.send.location {
            break;
        }
        if message.comm != token.comm || message.taken <= place {
            continue;
        }
        if message.taken < hole {
            let entry = &inbox.entries[message.taken as usize];
            if entry.suits(token.process, token.tag) {
                left = next as u32;
            }
        } else if message.tag == token.tag {
            // Who took one sent later suits no message of this tag.
            break;
        }
    }
    left
}

/// Returns which message may be left over at `hole`, if the entry at `place`
/// gave its own away. A receive of the same sender in between takes the one
/// left over, as it comes first, and leaves its own; one that names no sender
/// may do so.
fn left_over(inbox: &Inbox, place: u32, own: u32, hole: u32) -> Vec<u32> {
    let mut left = vec![own];
    for entry in &inbox.entries[place as usize + 1..hole as usize] {
        let taken = match inbox.incoming.get(entry.message as usize) {
            Some(taken) if entry.takes => taken,
            _ => continue,
        };
        let suits = |left: &u32| {
            let left = &inbox.incoming[*left as usize];
            left.comm == entry.comm && entry.suits(left.process, left.tag)
        };
        let first = |left: &u32| {
            let left = &inbox.incoming[*left as usize];
            taken.send.location == left.send.location && left.send < taken.send
        };
        let swaps = left.iter().any(suits);
        left.retain(|left| !(suits(left) && first(left)));
        if swaps && !left.contains(&entry.message) {
            left.push(entry.message);
        }
    }
    left
}

/// Returns the messages that an entry could take when it lost its own: the
/// first of each sender that is not taken before.
fn candidates(inbox: &Inbox, entry: &Entry, place: u32) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    for (number, incoming) in inbox.incoming.iter().enumerate() {
        let suits = incoming.comm == entry.comm && entry.suits(incoming.process, incoming.tag);
        let there = incoming.taken > place;
        let sender = |number: &u32| inbox.incoming[*number as usize].send.location;
        let first = found.last().map(sender) != Some(incoming.send.location);
        if suits && there && first {
            found.push(number as u32);
        }
    }
    found.retain(|&message| in_time(inbox, entry, message));
    found
}

/// Returns whether any message may not suit the buffer of a receive.
fn kinds_differ(inbox: &Inbox, class: &Class) -> bool {
    let entries = || class.list.iter().map(|&at| &inbox.entries[at as usize]);
    let messages = || {
        class
            .messages
            .iter()
            .map(|&at| &inbox.incoming[at as usize])
    };
    let least = entries().filter_map(|entry| entry.capacity).min();
    let most = messages().map(|message| message.bytes).max();
    let received = entries().filter_map(|entry| entry.signature);
    let sent = messages().filter_map(|message| message.signature);
    let mut signatures = received.chain(sent);
    let first = signatures.next();
    least.zip(most).is_some_and(|(least, most)| most > least)
        || signatures.any(|signature| Some(signature) != first)
}

fn of_another_kind(inbox: &Inbox, entry: &Entry, message: u32) -> Option<Meaning> {
    if entry.matched_probe {
        return None;
    }
    let message = &inbox.incoming[message as usize];
    let bytes = message.bytes;
    match (entry.capacity, entry.signature.zip(message.signature)) {
        (Some(capacity), _) if bytes > capacity => Some(Meaning::Truncates { bytes, capacity }),
        (_, Some((expected, sent))) if expected != sent => Some(Meaning::OtherType),
        _ => None,
    }
}
