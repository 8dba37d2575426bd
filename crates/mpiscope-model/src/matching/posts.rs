//! What receives that never completed have taken.

use crate::events::{EventKind, Events, PointToPoint};

/// Returns the message that a receive posted by event `post` took, though it
/// never completed: those posted after it can only have what came later. One
/// from or with anything may have taken any.
pub(super) fn taken(events: &Events, post: u32) -> Option<PointToPoint> {
    let asked = events.posted(post as usize)?;
    let nonblocking = events.kinds()[post as usize] == EventKind::MpiIrecvRequest;
    let message = PointToPoint::new(asked.source?, asked.comm, asked.tag?, 0);
    nonblocking.then_some(message)
}
