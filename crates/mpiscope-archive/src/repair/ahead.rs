//! What must be known of a location's events before they are written: what they refer to and is
//! not defined, and which of them are left out for the sake of later ones.

use std::collections::{HashMap, HashSet};

use otf2::read::EventFile;
use otf2::{Event, Type};

use super::definitions::Undefined;
use crate::check::findings::Findings;
use crate::check::known::Known;
use crate::check::location::{missing, Defined};
use crate::check::reading::Timed;
use crate::check::rules::Rule;
use crate::progress::Progress;

/// What was seen of a location.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    pub undefined: Undefined,
    /// Events to leave out, counted from 1 as they are read.
    pub left_out: HashSet<u64>,
    /// Requests that were posted, if another thread may complete them.
    pub posted: HashSet<u64>,
    /// The largest number of a request.
    pub last_request: u64,
}

/// Whether anything of it is asked for, where this was found.
pub(super) fn is_needed(findings: &Findings) -> bool {
    const ASK: [Rule; 5] = [
        Rule::UndefinedReference,
        Rule::BeginWithoutEnd,
        Rule::PeerOutside,
        Rule::RequestNotActive,
        Rule::RequestReused,
    ];
    findings.iter().any(|(rule, _)| ASK.contains(&rule))
}

/// Reads a location's events.
pub(super) fn look(file: &EventFile, known: &Known, at: Defined, progress: &Progress) -> Ahead {
    let mut walk = Walk {
        known,
        at,
        ahead: Ahead::default(),
        number: 0,
        begun: None,
        posts: HashMap::new(),
    };
    let mut turns = 0;
    Event::read(file, &mut |_, record| {
        walk.number += 1;
        let undefined = &mut walk.ahead.undefined;
        missing(known, &record, &mut |space, id, kind| {
            let known = undefined.entry((space, id)).or_insert(Type::NONE);
            *known = kind.unwrap_or(*known);
        });
        walk.event(&record.event);
        progress.turn(&mut turns);
    });
    progress.advance(turns);
    walk.ahead.left_out.extend(walk.begun);
    walk.ahead
}

struct Walk<'a> {
    known: &'a Known,
    at: Defined,
    ahead: Ahead,
    /// The event that is looked at.
    number: u64,
    /// The begin of a collective operation that has not ended.
    begun: Option<u64>,
    /// Where receives were posted that have not completed.
    posts: HashMap<u64, u64>,
}

impl Walk<'_> {
    fn event(&mut self, event: &Event) {
        match *event {
            Event::MpiCollectiveBegin => {
                let before = self.begun.replace(self.number);
                self.ahead.left_out.extend(before);
            }
            Event::MpiCollectiveEnd { .. } => self.begun = None,
            Event::MpiIsend {
                receiver,
                communicator,
                request_id,
                ..
            } if !is_outside(self.known, self.at, communicator, receiver) => {
                self.post(request_id);
            }
            Event::MpiIrecvRequest { request_id } => {
                self.post(request_id);
                self.posts.insert(request_id, self.number);
            }
            Event::NonBlockingCollectiveRequest { request_id }
            | Event::MpiImrecvRequest { request_id, .. } => self.post(request_id),
            Event::MpiIrecv {
                sender,
                communicator,
                request_id,
                ..
            } => {
                let post = self.posts.remove(&request_id);
                self.seen(request_id);
                if is_outside(self.known, self.at, communicator, sender) {
                    self.ahead.left_out.extend(post);
                }
            }
            Event::MpiRequestCancelled { request_id } => drop(self.posts.remove(&request_id)),
            Event::MpiIsendComplete { request_id }
            | Event::MpiRequestTest { request_id }
            | Event::NonBlockingCollectiveComplete { request_id, .. }
            | Event::MpiImrecv { request_id, .. } => self.seen(request_id),
            _ => {}
        }
    }

    fn post(&mut self, request: u64) {
        self.seen(request);
        if self.at.shared {
            self.ahead.posted.insert(request);
        }
    }

    fn seen(&mut self, request: u64) {
        self.ahead.last_request = self.ahead.last_request.max(request);
    }
}

/// Whether a peer is none of its communicator.
pub(super) fn is_outside(known: &Known, at: Defined, communicator: u32, peer: u32) -> bool {
    let members = known.members(communicator);
    members.is_some_and(|members| members.peer(at.rank, peer).is_none())
}
