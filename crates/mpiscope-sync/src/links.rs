//! From events to the logical messages that they send and receive.
//!
//! An event of MPI has a row in a side table of its location, and mostly one
//! role there; so most links are found by that row. What has no such row, or
//! shares its event with another role (a probe that found a message, a fork
//! with several children), is kept in a list beside, in the order of events.

use mpiscope_model::{EventKind, EventRef, Events, Matching, Trace};

use crate::logical::Meeting;
use crate::records::Role;

/// Returns the sender's and receiver's event of a logical message: those that
/// are matched come first, then the bounds.
pub(crate) fn ends(matching: &Matching, link: u32) -> (EventRef, EventRef) {
    let link = link as usize;
    match matching.messages.get(link) {
        Some(message) => (message.send, message.receive),
        None => {
            let bound = &matching.bounds[link - matching.messages.len()];
            (bound.send, bound.receive)
        }
    }
}

/// No link.
const NONE: u32 = u32::MAX;

/// Roles of one location's events.
#[derive(Default)]
pub(crate) struct Links {
    messages: Vec<u32>,
    enters: Vec<u32>,
    exits: Vec<u32>,
    extras: Vec<Extra>,
}

/// A role that no table has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Extra {
    pub event: u32,
    pub role: Role,
    pub link: u32,
}

impl Links {
    fn new(events: &Events) -> Links {
        Links {
            messages: vec![NONE; events.messages().len()],
            enters: vec![NONE; events.collectives().len()],
            exits: vec![NONE; events.collectives().len()],
            extras: Vec::new(),
        }
    }

    /// Returns the role that an event's row in a table tells.
    pub fn by_row(&self, kind: EventKind, row: u32) -> Option<(Role, u32)> {
        let row = row as usize;
        use EventKind::*;
        let (role, link) = match kind {
            MpiSend | MpiIsend => (Role::Send, self.messages.get(row)?),
            MpiRecv | MpiIrecv => (Role::Receive, self.messages.get(row)?),
            MpiCollectiveBegin => (Role::Enter, self.enters.get(row)?),
            MpiCollectiveEnd => (Role::Exit, self.exits.get(row)?),
            _ => return None,
        };
        (*link != NONE).then_some((role, *link))
    }

    /// Returns all other roles, by event.
    pub fn extras(&self) -> &[Extra] {
        &self.extras
    }

    fn add(&mut self, events: &Events, event: u32, role: Role, link: u32) {
        let row = events.args()[event as usize] as usize;
        use EventKind::*;
        let place = match (events.kinds()[event as usize], role) {
            (MpiSend | MpiIsend, Role::Send) => self.messages.get_mut(row),
            (MpiRecv | MpiIrecv, Role::Receive) => self.messages.get_mut(row),
            (MpiCollectiveBegin, Role::Enter) => self.enters.get_mut(row),
            (MpiCollectiveEnd, Role::Exit) => self.exits.get_mut(row),
            _ => None,
        };
        match place {
            Some(place) if *place == NONE => *place = link,
            _ => self.extras.push(Extra { event, role, link }),
        }
    }
}

/// Links the events of each location.
pub(crate) fn links(
    trace: &Trace,
    matching: &Matching,
    meetings: &[Option<Meeting>],
) -> Vec<Links> {
    let locations = trace.locations.iter();
    let mut links: Vec<Links> = locations.map(|l| Links::new(&l.events)).collect();
    let mut add = |event: EventRef, role: Role, link: usize| {
        let location = event.location.index();
        let events = &trace.locations[location].events;
        links[location].add(events, event.index, role, link as u32);
    };
    for link in 0..matching.messages.len() + matching.bounds.len() {
        let (send, receive) = ends(matching, link as u32);
        // Program order says all there is about a message to oneself.
        if send.location != receive.location {
            add(send, Role::Send, link);
            add(receive, Role::Receive, link);
        }
    }
    for (instance, meeting) in matching.collectives.iter().zip(meetings) {
        let Some(meeting) = meeting else { continue };
        for number in instance.members.clone() {
            let member = &matching.members[number];
            if meeting.sends(member) {
                add(member.enter, Role::Enter, number);
            }
            if meeting.receives(member) {
                add(member.exit, Role::Exit, number);
            }
        }
    }
    for links in &mut links {
        links.extras.sort_unstable();
    }
    links
}
