//! What one location did, stretch by stretch, each with the activity that it is summed under.

use std::ops::Range;

use mpiscope_model::{CallSiteId, Duration, EventRef, LocationIndex, Trace};

use super::sweep::statement;
use super::Activity;
use crate::timeline::{spans, Doing, Regions, Timeline};

/// Tells the computation of a location: its activity, between which of its events it is, and how
/// long it lasts; `first` are the first call sites of lines.
pub(crate) fn computation(
    trace: &Trace,
    first: &[CallSiteId],
    line: &Timeline,
    location: LocationIndex,
    mut tell: impl FnMut(Activity, Range<u32>, Duration),
) {
    let mut last_call = None;
    // What is in no region is named after the next call, too.
    let mut unnamed: Vec<(Range<u32>, Duration)> = Vec::new();
    let name =
        |unnamed: &mut Vec<_>, activity, tell: &mut dyn FnMut(Activity, Range<u32>, Duration)| {
            unnamed
                .drain(..)
                .for_each(|(events, length)| tell(activity, events, length));
        };
    let events = &trace.locations[location.index()].events;
    spans(events, &Regions::new(trace), &line.times, |span| {
        let (events, length) = (span.first..span.last, span.end - span.begin);
        match (span.doing, span.within) {
            (Doing::Mpi(enter, _, region), within) => {
                let enter = EventRef {
                    location,
                    index: enter,
                };
                let next = Some(statement(trace, first, enter, region, within));
                name(&mut unnamed, Activity::Between(last_call, next), &mut tell);
                last_call = next;
            }
            (Doing::Work, Some(region)) => tell(Activity::Region(region), events, length),
            (Doing::Work, None) => unnamed.push((events, length)),
            (Doing::Unrecorded, _) => {
                name(&mut unnamed, Activity::Between(last_call, None), &mut tell);
                last_call = None;
            }
            (Doing::Threads(..) | Doing::Idle, _) => {}
        }
    });
    name(&mut unnamed, Activity::Between(last_call, None), &mut tell);
}
