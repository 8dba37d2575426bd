//! Joining what was read in pieces.
//!
//! A long location is read by several threads, each a stretch of it. Numbers
//! of events and rows in a stretch count from its own begin; where it is
//! joined to what came before they go on from there, and ends of collective
//! operations find begins that lie in an earlier stretch.

use super::calls::{Rows, NO_SITE};
use super::{EventKind, Events, NO_BEGIN};

impl Events {
    /// Appends the events that follow these, and leaves `next` without any; its memory stays, to
    /// be used again.
    ///
    /// ```
    /// use mpiscope_model::{Events, Timestamp};
    ///
    /// let (mut first, mut second) = (Events::default(), Events::default());
    /// first.push_other(Timestamp(1), 0);
    /// second.push_other(Timestamp(2), 0);
    /// first.append(&mut second);
    /// assert_eq!(first.times(), [Timestamp(1), Timestamp(2)]);
    /// assert!(second.is_empty());
    /// ```
    pub fn append(&mut self, next: &mut Events) {
        let before = self.len() as u32;
        next.number_on(self, before);
        self.join_open(next);
        if !next.call_sites.is_empty() {
            self.call_sites.resize(before as usize, NO_SITE);
        }
        self.times.append(&mut next.times);
        self.kinds.append(&mut next.kinds);
        self.args.append(&mut next.args);
        self.messages.append(&mut next.messages);
        self.collectives.append(&mut next.collectives);
        self.begins.append(&mut next.begins);
        self.requests.append(&mut next.requests);
        self.call_sites.append(&mut next.call_sites);
        self.completions.append(&mut next.completions);
        self.switches.append(&mut next.switches);
        self.open.append(&mut next.open);
        self.threads.append(&mut next.threads);
        self.one_sided.append(&mut next.one_sided);
        self.samples.append(&mut next.samples);
        self.metrics.append(&mut next.metrics);
        self.comm_creates.append(&mut next.comm_creates);
        self.sequences.append(&mut next.sequences);
        self.notes.append(&mut next.notes);
        self.posted.append(&mut next.posted);
        self.signatures.append(&mut next.signatures);
    }

    /// Counts on from the events and rows of `before`.
    fn number_on(&mut self, earlier: &Events, before: u32) {
        self.number_rows(earlier);
        let values = earlier.metrics.values.len() as u32;
        let begins = self.metrics.begins.iter_mut();
        begins.for_each(|(_, begin)| *begin += values);
        let begins = self.begins.iter_mut().filter(|begin| **begin != NO_BEGIN);
        begins.for_each(|begin| *begin += before);
        let numbers = (self.switches.iter_mut())
            .chain(&mut self.open)
            .chain(first(&mut self.threads))
            .chain(first(&mut self.one_sided))
            .chain(first(&mut self.samples))
            .chain(first(&mut self.metrics.begins))
            .chain(first(&mut self.comm_creates))
            .chain(first(&mut self.sequences))
            .chain(first(&mut self.notes))
            .chain(&mut self.posted.events)
            .chain(&mut self.signatures.events);
        numbers.for_each(|number| *number += before);
    }

    /// Makes arguments of those that are rows lead behind the rows of `earlier`.
    fn number_rows(&mut self, earlier: &Events) {
        let rows = EventKind::ALL.map(|kind| earlier.rows_of(kind) as u32);
        if rows.iter().all(|&rows| rows == 0) {
            return;
        }
        let args = self.args.iter_mut();
        for (kind, arg) in self.kinds.iter().zip(args) {
            // A begin without an end stays one.
            *arg = arg.saturating_add(rows[*kind as usize]);
        }
    }

    /// Returns how many rows there are where arguments of a kind lead.
    fn rows_of(&self, kind: EventKind) -> usize {
        use EventKind as Kind;
        match kind {
            Kind::MpiSend | Kind::MpiIsend | Kind::MpiRecv | Kind::MpiIrecv | Kind::MpiProbe => {
                self.messages.len()
            }
            Kind::MpiIsendComplete
            | Kind::MpiIrecvRequest
            | Kind::MpiRequestCancelled
            | Kind::MpiRequestTest
            | Kind::NonBlockingCollectiveRequest => self.requests.len(),
            Kind::MpiCollectiveBegin | Kind::MpiCollectiveEnd => self.collectives.len(),
            Kind::NonBlockingCollectiveComplete => self.completions.len(),
            Kind::Thread => self.threads.len(),
            Kind::OneSided => self.one_sided.len(),
            Kind::Sample => self.samples.len(),
            Kind::Metric => self.metrics.begins.len(),
            Kind::Enter | Kind::Leave | Kind::CommCreate | Kind::MeasurementOnOff | Kind::Other => {
                0
            }
        }
    }

    /// Gives ends in `next` whose begins are here these begins. `next` counts on already.
    fn join_open(&mut self, next: &mut Events) {
        let first = self.collectives.len();
        for (row, begin) in next.begins.iter_mut().enumerate() {
            if *begin != NO_BEGIN {
                continue;
            }
            let Some(open) = self.open.pop() else { return };
            *begin = open;
            self.args[open as usize] = (first + row) as u32;
        }
    }
}

/// Returns the numbers of events that rows begin with.
fn first<T>(rows: &mut [(u32, T)]) -> impl Iterator<Item = &mut u32> {
    rows.iter_mut().map(|row| &mut row.0)
}

impl<T> Rows<T> {
    fn append(&mut self, next: &mut Rows<T>) {
        self.events.append(&mut next.events);
        self.values.append(&mut next.values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::MetricId;
    use crate::events::{MetricValue, Number};
    use crate::Timestamp;

    #[test]
    fn values_lead_behind_those_before() {
        let of = |metric| MetricValue {
            metric: MetricId(metric),
            value: Number::Int(metric.into()),
        };
        let (mut first, mut second) = (Events::default(), Events::default());
        first.push_metric(Timestamp(1), &[of(1), of(2)]);
        second.push_other(Timestamp(2), 0);
        second.push_metric(Timestamp(3), &[of(3)]);
        second.push_metric(Timestamp(4), &[]);
        first.append(&mut second);
        let all: Vec<_> = first.metrics().collect();
        let expected: [(u32, &[MetricValue]); 3] = [(0, &[of(1), of(2)]), (2, &[of(3)]), (3, &[])];
        assert_eq!(all, expected);
    }
}
