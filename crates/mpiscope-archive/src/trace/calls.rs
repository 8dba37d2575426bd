//! What attributes say of calls: where they stand in the program, what
//! receives asked for, and of what types the data are.

use mpiscope_model::{Events, PostedCall};
use otf2::Value;

use super::names::Names;

/// What the attributes of one event say of its call.
#[derive(Default)]
pub(super) struct Call {
    site: Option<u32>,
    comm: Option<u32>,
    source: Option<u32>,
    tag: Option<u32>,
    capacity: Option<u64>,
    signature: Option<u64>,
}

/// Which fact of a call an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallFact {
    Site,
    Comm,
    Source,
    Tag,
    Capacity,
    Signature,
}

impl Call {
    /// Takes a value, unless it is of another type than ours.
    #[inline]
    pub fn take(&mut self, fact: CallFact, value: Value) {
        match (fact, value) {
            (CallFact::Site, Value::CallingContext(id)) => self.site = Some(id),
            (CallFact::Comm, Value::Comm(id)) => self.comm = Some(id),
            (CallFact::Source, Value::Uint32(rank)) => self.source = Some(rank),
            (CallFact::Tag, Value::Uint32(tag)) => self.tag = Some(tag),
            (CallFact::Capacity, Value::Uint64(bytes)) => self.capacity = Some(bytes),
            (CallFact::Signature, Value::Uint64(hash)) => self.signature = Some(hash),
            _ => {}
        }
    }

    /// Keeps this as said of event `index`.
    pub fn note(&self, events: &mut Events, index: usize, names: &mut Names) {
        if let Some(site) = self.site.and_then(|id| names.call_site(id)) {
            events.set_call_site(index, site);
        }
        if let Some(comm) = self.comm {
            let posted = PostedCall {
                comm: names.communicator(comm),
                source: self.source,
                tag: self.tag,
                capacity: self.capacity,
                signature: self.signature,
            };
            events.set_posted(index, posted);
        } else if let Some(signature) = self.signature {
            events.set_signature(index, signature);
        }
    }
}
