//! What attributes say of calls: where they stand in the program, what
//! receives asked for, and of what types the data are.

use mpiscope_model::{Events, PostedCall};
use otf2::read::Record;
use otf2::Value;

use super::names::Names;
use mpiscope_run::definitions as own;

/// Numbers of these attributes, where the archive has them.
#[derive(Default)]
pub(super) struct CallAttributes {
    site: Option<u32>,
    comm: Option<u32>,
    source: Option<u32>,
    tag: Option<u32>,
    capacity: Option<u32>,
    signature: Option<u32>,
}

impl CallAttributes {
    /// Notes the number of an attribute if it is one of these.
    pub fn define(&mut self, name: &str, id: u32) -> bool {
        let number = match name {
            own::CALL_SITE_NAME => &mut self.site,
            own::POSTED_COMM_NAME => &mut self.comm,
            own::POSTED_SOURCE_NAME => &mut self.source,
            own::POSTED_TAG_NAME => &mut self.tag,
            own::CAPACITY_NAME => &mut self.capacity,
            own::SIGNATURE_NAME => &mut self.signature,
            _ => return false,
        };
        *number = Some(id);
        true
    }

    /// Returns whether what was asked for is told.
    pub fn tell_posted(&self) -> bool {
        self.comm.is_some()
    }

    /// Returns whether types of data are told.
    pub fn tell_types(&self) -> bool {
        self.signature.is_some()
    }

    /// Keeps what the attributes say of event `index`.
    pub fn note(&self, events: &mut Events, index: usize, record: &Record<'_>, names: &mut Names) {
        let find = |id: Option<u32>| record.attributes.find(id?);
        if let Some(Value::CallingContext(id)) = find(self.site) {
            if let Some(site) = names.call_site(id) {
                events.set_call_site(index, site);
            }
        }
        let signature = match find(self.signature) {
            Some(Value::Uint64(hash)) => Some(hash),
            _ => None,
        };
        if let Some(Value::Comm(comm)) = find(self.comm) {
            let number = |id| match find(id) {
                Some(Value::Uint32(number)) => Some(number),
                _ => None,
            };
            let posted = PostedCall {
                comm: names.communicator(comm),
                source: number(self.source),
                tag: number(self.tag),
                capacity: match find(self.capacity) {
                    Some(Value::Uint64(bytes)) => Some(bytes),
                    _ => None,
                },
                signature,
            };
            events.set_posted(index, posted);
        } else if let Some(signature) = signature {
            events.set_signature(index, signature);
        }
    }
}
