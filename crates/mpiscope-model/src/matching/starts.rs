//! What one process began: its sends and its collective operations, read in
//! one pass over its events.

use std::collections::HashSet;

use super::collectives::Calls;
use super::groups::Groups;
use super::outgoing::{self, cancelled, Outgoing};
use super::scan::{visit, Occurrence, Switch, Visitor};
use crate::definitions::LocationIndex;
use crate::events::{EventKind, Events};
use crate::trace::{EventRef, Trace};

/// Reads one process after the other.
#[derive(Default)]
pub(super) struct Reader {
    switch: Switch,
    sends: outgoing::Reader,
    calls: Calls,
    cancels: bool,
}

impl Reader {
    /// Reads what the threads of a process began.
    pub fn read(
        &mut self,
        trace: &Trace,
        locations: &[LocationIndex],
        groups: &Groups,
        process: usize,
    ) -> (Outgoing, Calls) {
        self.pass(trace, locations, HashSet::new());
        if self.cancels {
            // Hardly any program cancels, so what was cancelled is found out
            // only where one does.
            self.pass(trace, locations, cancelled(trace, locations));
        }
        let calls = std::mem::take(&mut self.calls);
        (self.sends.finish(groups, process), calls)
    }

    fn pass(&mut self, trace: &Trace, locations: &[LocationIndex], cancelled: HashSet<EventRef>) {
        self.switch = Switch::default();
        self.sends.reset(locations.len(), cancelled);
        self.calls = Calls::default();
        self.cancels = false;
        visit(trace, locations, is_wanted, self);
    }
}

fn is_wanted(kind: EventKind) -> bool {
    use EventKind::*;
    matches!(
        kind,
        MpiSend
            | MpiIsend
            | MpiRequestCancelled
            | MpiCollectiveBegin
            | MpiCollectiveEnd
            | NonBlockingCollectiveRequest
            | NonBlockingCollectiveComplete
            | MeasurementOnOff
    )
}

impl Visitor for Reader {
    #[inline(always)]
    fn visit(&mut self, location: LocationIndex, events: &Events, at: Occurrence) {
        use EventKind::*;
        let event = EventRef::new(location, at.index);
        let moment = self.switch.moment(location, events, at.index);
        match at.kind {
            MpiCollectiveBegin => self.calls.begin(event),
            MpiCollectiveEnd => self.calls.end(events, at.rows.collectives, event, moment),
            NonBlockingCollectiveRequest => {
                self.calls
                    .initiate(events, events.requests()[at.rows.requests], event);
            }
            NonBlockingCollectiveComplete => {
                self.calls
                    .complete(events, at.rows.completions, event, moment)
            }
            MpiRequestCancelled => self.cancels = true,
            MeasurementOnOff => self.switch.set(events, at.index),
            _ => self
                .sends
                .send(&events.messages()[at.rows.messages], event, moment),
        }
    }
}
