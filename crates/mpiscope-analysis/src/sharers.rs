//! Processes that share the events of a trace: what each tells the one that has an event, or all.
//!
//! Each has the events of its own locations alone ([`Trace::parts`]), and a [`Matching`] of what
//! concerns these. Of the messages between two of them both know the same in the same order, and so
//! do the home of a collective operation and another one of that one's members: what is told of such
//! needs no names.

use mpiscope_model::plain::Plain;
use mpiscope_model::{
    CollectiveInstance, CollectiveMember, EventRef, Home, LocationIndex, Matching, Message,
    Processes, Trace,
};

/// This process, and the others that have the rest of a trace's events.
#[derive(Clone, Copy)]
pub(crate) struct Sharers<'a> {
    trace: &'a Trace,
    job: &'a dyn Processes,
}

impl<'a> Sharers<'a> {
    /// Returns those that share a trace; nothing if all of its events are here.
    pub fn of(trace: &'a Trace, job: Option<&'a dyn Processes>) -> Option<Sharers<'a>> {
        let job = job.filter(|_| !trace.parts.is_empty())?;
        Some(Sharers { trace, job })
    }

    pub fn job(&self) -> &'a dyn Processes {
        self.job
    }

    /// Returns whether this is the process that knows in the end what all have found.
    pub fn is_first(&self) -> bool {
        self.job.me() == 0
    }

    /// Returns which process has the events of a location.
    pub fn part_of(&self, location: LocationIndex) -> usize {
        self.trace.parts[location.index()] as usize
    }

    /// Returns whether the events of a location are here.
    pub fn has(&self, location: LocationIndex) -> bool {
        self.part_of(location) == self.job.me()
    }

    /// Returns whether an event is here.
    pub fn is_here(&self, event: EventRef) -> bool {
        self.has(event.location)
    }

    /// Returns whether an operation is at home here.
    pub fn is_home(&self, home: &Home) -> bool {
        home.process as usize == self.job.me()
    }

    /// Tells things to whom they concern, by location; returns what was told here, by process.
    pub fn tell<T: Plain>(&self, told: impl Iterator<Item = (LocationIndex, T)>) -> Vec<Vec<T>> {
        self.tell_processes(told.map(|(location, it)| (self.part_of(location), it)))
    }

    /// Tells things to processes, each by its number; returns what was told here, by process.
    pub fn tell_processes<T: Plain>(&self, told: impl Iterator<Item = (usize, T)>) -> Vec<Vec<T>> {
        let mut outgoing = vec![Vec::new(); self.job.count()];
        told.for_each(|(part, it)| outgoing[part].push(it));
        self.job.exchange(outgoing)
    }

    /// Has of things that two processes each know of, in the same order, the one that it comes `from`
    /// say something of it to the other; returns what was said here, of which.
    pub fn say<K: Copy, T: Plain>(
        &self,
        all: impl Iterator<Item = K> + Clone,
        from: impl Fn(&K) -> usize,
        to: impl Fn(&K) -> usize,
        word: impl Fn(&K) -> T,
    ) -> Vec<(K, T)> {
        let me = self.job.me();
        let said = all.clone().filter(|it| from(it) == me && to(it) != me);
        let said = self.tell_processes(said.map(|it| (to(&it), word(&it))));
        let mut said: Vec<_> = said.into_iter().map(Vec::into_iter).collect();
        let heard = all.filter(|it| from(it) != me && to(it) == me);
        let heard = heard.filter_map(|it| Some((it, said[from(&it)].next()?)));
        heard.collect()
    }

    /// Has who sent messages that others receive say something of each to these.
    pub fn of_sends<T: Plain>(
        &self,
        matching: &Matching,
        word: impl Fn(&Message) -> T,
    ) -> Vec<(Message, T)> {
        let messages = matching.messages.iter().copied();
        let [sender, receiver] = self.sides();
        self.say(messages, sender, receiver, word)
    }

    /// Has who receives messages that others sent say something of each to these.
    pub fn of_receives<T: Plain>(
        &self,
        matching: &Matching,
        word: impl Fn(&Message) -> T,
    ) -> Vec<(Message, T)> {
        let messages = matching.messages.iter().copied();
        let [sender, receiver] = self.sides();
        self.say(messages, receiver, sender, word)
    }

    /// Returns what tells the process that has the send of a message, and the one that has the receive.
    fn sides(self) -> [impl Fn(&Message) -> usize + use<'a>; 2] {
        let side =
            |end: fn(&Message) -> EventRef| move |it: &Message| self.part_of(end(it).location);
        [side(|it| it.send), side(|it| it.receive)]
    }

    /// Has who has members of operations that are at home elsewhere say something of each to the home;
    /// of some operations alone.
    pub fn of_members<T: Plain>(
        &self,
        matching: &Matching,
        some: impl Fn(&CollectiveInstance) -> bool + Clone,
        word: impl Fn(&CollectiveInstance, &CollectiveMember) -> T,
    ) -> Vec<(CollectiveMember, T)> {
        let operations = matching.collectives.iter().zip(&matching.homes);
        let members = operations
            .filter(move |(instance, _)| some(instance))
            .flat_map(|(instance, home)| {
                let members = matching.members_of(instance).iter();
                members.map(move |member| (instance, *member, home.process as usize))
            });
        let part = |it: &(_, CollectiveMember, _)| self.part_of(it.1.enter.location);
        let told = self.say(members, part, |it| it.2, |it| word(it.0, &it.1));
        told.into_iter()
            .map(|((_, member, _), told)| (member, told))
            .collect()
    }

    /// Has the first ask whoever has an event something about it, if it wants to; the others get no
    /// answer.
    pub fn ask<T: Plain>(
        &self,
        asked: Option<EventRef>,
        answer: impl Fn(EventRef) -> Option<T>,
    ) -> Option<T> {
        let asked = self.as_first(asked.into_iter().collect());
        let here = asked.into_iter().filter(|event| self.is_here(*event));
        let told = self.gather(here.filter_map(answer).collect());
        told.into_iter().next()
    }

    /// Has the first know what all have, in the order of processes; the others get nothing.
    pub fn gather<T: Plain>(&self, mine: Vec<T>) -> Vec<T> {
        self.tell_processes(mine.into_iter().map(|it| (0, it)))
            .concat()
    }

    /// Has all know what all have, in the order of processes.
    pub fn share<T: Plain>(&self, mine: Vec<T>) -> Vec<T> {
        self.job.share_all(mine).concat()
    }

    /// Has all know what the first has.
    pub fn as_first<T: Plain>(&self, of_first: Vec<T>) -> Vec<T> {
        self.job.tell_list(of_first)
    }
}
