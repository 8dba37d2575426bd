//! Where in the program calls stand: call sites of one line are one, whichever instruction of it
//! calls.

use mpiscope_model::{CallSite, CallSiteId, Trace};
use rustc_hash::FxHashMap;

use crate::encode::NONE;

/// The call sites of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sites {
    /// Of each the number of the first that is written alike; [`NONE`] of one of which nothing is
    /// known.
    alike: Vec<u32>,
}

impl Sites {
    /// Looks at all call sites of a trace.
    pub fn of(trace: &Trace) -> Sites {
        let mut first: FxHashMap<String, u32> = FxHashMap::default();
        let sites = trace.definitions.call_sites.iter().zip(0..);
        let alike = sites.map(|(site, number)| match is_known(site) {
            true => *first.entry(site.to_string()).or_insert(number),
            false => NONE,
        });
        Sites {
            alike: alike.collect(),
        }
    }

    /// Returns the number that stands for a call site and all that are written alike, or [`NONE`].
    pub fn alike(&self, site: Option<CallSiteId>) -> u32 {
        let alike = site.and_then(|site| self.alike.get(site.index()));
        alike.copied().unwrap_or(NONE)
    }

    /// Returns whether no call tells where it stands.
    pub fn is_empty(&self) -> bool {
        self.alike.is_empty()
    }
}

/// Returns whether anything is known of a call site: of one whose names were taken out, nothing is.
fn is_known(site: &CallSite) -> bool {
    site.file.is_some() || !site.module.is_empty()
}
