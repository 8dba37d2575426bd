//! What few analyses ask of a call: where it stands in the program, what a
//! receive asked for before it was answered, and the types of the data.
//!
//! A trace that knows none of this pays nothing for it.

use super::Events;
use crate::definitions::{CallSiteId, CommId};

/// Call site of an event that has none.
pub(super) const NO_SITE: u32 = u32::MAX;

/// What a receive or a probe asked for: its envelope, and its buffer; of the
/// begin of a collective operation the communicator, root and type signature.
///
/// A nonblocking receive says so where it is posted, a blocking one or a probe
/// where its call is entered, so that one which never returned is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PostedCall {
    /// The communicator.
    pub comm: CommId,
    /// Rank of the sender in `comm`, or of the root; none of MPI_ANY_SOURCE.
    pub source: Option<u32>,
    /// The tag; none of MPI_ANY_TAG.
    pub tag: Option<u32>,
    /// How many bytes the buffer holds, or all members of the collective
    /// operation must agree in, if that is known.
    pub capacity: Option<u64>,
    /// Type signature: see [`Events::signature`].
    pub signature: Option<u64>,
}

/// One row of each column per event that says something, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows<T> {
    pub(super) events: Vec<u32>,
    pub(super) values: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Rows<T> {
        Rows {
            events: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl<T> Rows<T> {
    fn set(&mut self, event: u32, value: T) {
        let at = self.events.partition_point(|&other| other < event);
        match self.events.get(at) {
            Some(&there) if there == event => self.values[at] = value,
            _ => {
                self.events.insert(at, event);
                self.values.insert(at, value);
            }
        }
    }

    fn get(&self, event: usize) -> Option<&T> {
        let number = |&event: &u32| event as usize;
        let at = self.events.binary_search_by_key(&event, number).ok()?;
        Some(&self.values[at])
    }
}

/// Calls.
impl Events {
    /// Notes where in the program event `index` was called.
    ///
    /// # Panics
    /// If there is no such event.
    pub fn set_call_site(&mut self, index: usize, site: CallSiteId) {
        assert!(index < self.len(), "no event {index} of {}", self.len());
        if self.call_sites.len() <= index {
            self.call_sites.resize(index + 1, NO_SITE);
        }
        self.call_sites[index] = site.0;
    }

    /// Returns where in the program event `index` was called, if the event
    /// itself says so: the enter of an MPI call. See
    /// [`Trace::call_site`](crate::Trace::call_site) for the others.
    pub fn call_site(&self, index: usize) -> Option<CallSiteId> {
        let site = self.call_sites.get(index).copied();
        site.filter(|&site| site != NO_SITE).map(CallSiteId)
    }

    /// Returns whether any event says where it was called.
    pub fn has_call_sites(&self) -> bool {
        !self.call_sites.is_empty()
    }

    /// Forgets where in the program events were called; of samples, which are nothing without a
    /// place, all are where the first is.
    pub fn forget_call_sites(&mut self) {
        self.call_sites = Vec::new();
        for (_, sample) in &mut self.samples {
            sample.site = CallSiteId(0);
        }
    }

    /// Notes what the receive, probe or collective operation at event `index`
    /// asked for.
    pub fn set_posted(&mut self, index: usize, posted: PostedCall) {
        self.posted.set(index as u32, posted);
    }

    /// Returns what the receive, probe or collective operation at event
    /// `index` asked for: of a nonblocking receive at its MpiIrecvRequest, of
    /// a blocking one and of a probe at the enter of the call, of a collective
    /// operation at its begin.
    pub fn posted(&self, index: usize) -> Option<&PostedCall> {
        self.posted.get(index)
    }

    /// Returns all that was asked for, with the numbers of the events.
    pub fn all_posted(&self) -> impl ExactSizeIterator<Item = (u32, &PostedCall)> {
        self.posted.events.iter().copied().zip(&self.posted.values)
    }

    /// Returns what was asked for in a row of [`all_posted`](Self::all_posted).
    pub fn posted_in(&self, row: usize) -> Option<&PostedCall> {
        self.posted.values.get(row)
    }

    /// Notes the type signature of the data that event `index` sent or received.
    pub fn set_signature(&mut self, index: usize, signature: u64) {
        self.signatures.set(index as u32, signature);
    }

    /// Returns the type signature (MPI 4.1 §5.1) of the data that event
    /// `index` sent or received, as a hash. Data of one basic type have its
    /// hash whatever their number. None is not known, and matches any.
    pub fn signature(&self, index: usize) -> Option<u64> {
        self.signatures.get(index).copied()
    }

    /// Returns all events that know a [`signature`](Self::signature), with it.
    pub fn signatures(&self) -> impl ExactSizeIterator<Item = (u32, u64)> + '_ {
        let Rows { events, values } = &self.signatures;
        events.iter().copied().zip(values.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    #[test]
    fn what_is_not_said_is_not_there() {
        let mut events = Events::default();
        (0..4).for_each(|time| events.push_other(Timestamp(time), 0));
        assert!(!events.has_call_sites());
        events.set_call_site(2, CallSiteId(7));
        events.set_signature(3, 12);
        events.set_signature(1, 11);
        events.set_signature(3, 13);
        let sites: Vec<_> = (0..5).map(|index| events.call_site(index)).collect();
        assert_eq!(sites, [None, None, Some(CallSiteId(7)), None, None]);
        assert_eq!(events.signatures().collect::<Vec<_>>(), [(1, 11), (3, 13)]);
        assert_eq!((events.signature(2), events.posted(2)), (None, None));
    }
}
