//! Messages and requests of one location: whom they can be with, and what has been posted.

use otf2::Event;

use super::ahead::is_outside;
use super::location::{Kept, Mended, Walk};

impl Walk<'_> {
    /// Returns what becomes of an event of messages, and of nonblocking operations.
    pub(super) fn message(&mut self, event: &Event) -> Mended {
        match *event {
            Event::MpiSend {
                communicator,
                receiver: peer,
                ..
            }
            | Event::MpiRecv {
                communicator,
                sender: peer,
                ..
            }
            | Event::MpiProbe {
                communicator,
                sender: peer,
                ..
            } if self.is_outside(communicator, peer) => Kept::Not.into(),
            Event::MpiIsend {
                communicator,
                receiver,
                request_id,
                ..
            } => match self.is_outside(communicator, receiver) {
                true => Kept::Not.into(),
                false => self.post(event, request_id),
            },
            Event::MpiIrecv {
                communicator,
                sender,
                request_id,
                ..
            } => match self.is_outside(communicator, sender) {
                true => {
                    self.requests.remove(&request_id);
                    Kept::Not.into()
                }
                false => self.complete(event, Some(Event::MpiIrecvRequest { request_id })),
            },
            Event::MpiIrecvRequest { request_id }
            | Event::MpiImrecvRequest { request_id, .. }
            | Event::NonBlockingCollectiveRequest { request_id } => self.post(event, request_id),
            Event::NonBlockingCollectiveComplete { request_id, .. } => {
                let rooted = self.root(event);
                let post = Event::NonBlockingCollectiveRequest { request_id };
                let mended = self.complete(rooted.as_ref().unwrap_or(event), Some(post));
                match (rooted, mended.kept) {
                    (Some(rooted), Kept::AsItIs) => Mended {
                        kept: Kept::As(rooted),
                        ..mended
                    },
                    (_, kept) => Mended { kept, ..mended },
                }
            }
            Event::MpiIsendComplete { .. }
            | Event::MpiImrecv { .. }
            | Event::MpiRequestCancelled { .. }
            | Event::MpiRequestTest { .. } => self.complete(event, None),
            _ => Mended::default(),
        }
    }

    fn is_outside(&self, communicator: u32, peer: u32) -> bool {
        is_outside(self.rules.known, self.at, communicator, peer)
    }

    /// Gives a request another number where its own is that of an active one.
    fn post(&mut self, event: &Event, request: u64) -> Mended {
        let is_reused = self.requests.contains_key(&request) && !self.at.shared;
        let fresh = self.last_request.checked_add(1).filter(|_| is_reused);
        self.requests.insert(request, fresh.unwrap_or(request));
        match fresh {
            Some(fresh) => {
                self.last_request = fresh;
                Kept::As(with_request(event, fresh)).into()
            }
            None => Mended::default(),
        }
    }

    /// Ends a request, and does not where it is only tested; `post` is what is added if nobody
    /// has posted it, else the event is left out.
    fn complete(&mut self, event: &Event, post: Option<Event>) -> Mended {
        let Some(request) = request(event) else {
            return Mended::default();
        };
        let active = match event {
            Event::MpiRequestTest { .. } => self.requests.get(&request).copied(),
            _ => self.requests.remove(&request),
        };
        match active {
            Some(number) if number == request => Mended::default(),
            Some(number) => Kept::As(with_request(event, number)).into(),
            None if self.is_posted_elsewhere(request) => Mended::default(),
            None => match post {
                Some(post) => vec![post].into(),
                None => Kept::Not.into(),
            },
        }
    }

    /// Whether another thread of the process has posted a request.
    fn is_posted_elsewhere(&self, request: u64) -> bool {
        let posted = self.rules.posted.get(&self.at.rank);
        self.at.shared && posted.is_none_or(|posted| posted.contains(&request))
    }
}

fn request(event: &Event) -> Option<u64> {
    let mut event = event.clone();
    number_of_request(&mut event).copied()
}

fn with_request(event: &Event, number: u64) -> Event {
    let mut event = event.clone();
    if let Some(request) = number_of_request(&mut event) {
        *request = number;
    }
    event
}

fn number_of_request(event: &mut Event) -> Option<&mut u64> {
    match event {
        Event::MpiIsend { request_id, .. }
        | Event::MpiIsendComplete { request_id }
        | Event::MpiIrecvRequest { request_id }
        | Event::MpiIrecv { request_id, .. }
        | Event::MpiRequestTest { request_id }
        | Event::MpiRequestCancelled { request_id }
        | Event::MpiImrecvRequest { request_id, .. }
        | Event::MpiImrecv { request_id, .. }
        | Event::NonBlockingCollectiveRequest { request_id }
        | Event::NonBlockingCollectiveComplete { request_id, .. } => Some(request_id),
        _ => None,
    }
}
