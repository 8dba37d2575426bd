//! Where nonblocking messages were posted, and where they completed. Requests
//! that one thread posts and another completes are left out.

use mpiscope_model::{EventKind, EventRef, LocationIndex, RequestId, Trace};
use rustc_hash::FxHashMap;

/// The nonblocking messages of one location.
pub(super) struct Requests {
    location: LocationIndex,
    /// Posts of sends with their completions, ascending.
    sends: Vec<(u32, u32)>,
    /// Completions of receives with their posts, ascending.
    receives: Vec<(u32, u32)>,
}

impl Requests {
    pub fn new(trace: &Trace, location: LocationIndex) -> Requests {
        let events = &trace.locations[location.index()].events;
        let mut requests = Requests {
            location,
            sends: Vec::new(),
            receives: Vec::new(),
        };
        let mut active: FxHashMap<u64, u32> = FxHashMap::default();
        for (index, &kind) in (0u32..).zip(events.kinds()) {
            let row = || events.args()[index as usize] as usize;
            match kind {
                EventKind::MpiIsend => {
                    if let Some(RequestId(request)) = events.messages()[row()].request {
                        active.insert(request, index);
                    }
                }
                EventKind::MpiIrecvRequest => {
                    active.insert(events.requests()[row()].0, index);
                }
                EventKind::MpiIsendComplete => {
                    let post = active.remove(&events.requests()[row()].0);
                    requests.sends.extend(post.map(|post| (post, index)));
                }
                EventKind::MpiIrecv => {
                    let request = events.messages()[row()].request;
                    let post = request.and_then(|request| active.remove(&request.0));
                    requests.receives.extend(post.map(|post| (index, post)));
                }
                _ => {}
            }
        }
        requests.sends.sort_unstable();
        requests
    }

    /// Returns where a send completed.
    pub fn completion(&self, post: EventRef) -> Option<EventRef> {
        self.event(find(&self.sends, post.index))
    }

    /// Returns where a receive was posted.
    pub fn post(&self, completion: EventRef) -> Option<EventRef> {
        self.event(find(&self.receives, completion.index))
    }

    fn event(&self, index: Option<u32>) -> Option<EventRef> {
        let location = self.location;
        index.map(|index| EventRef { location, index })
    }
}

fn find(pairs: &[(u32, u32)], key: u32) -> Option<u32> {
    let at = pairs.binary_search_by_key(&key, |pair| pair.0).ok()?;
    Some(pairs[at].1)
}
