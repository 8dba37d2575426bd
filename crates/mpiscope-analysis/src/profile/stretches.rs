//! What one location did, stretch by stretch, each with the activity that it is summed under.

use std::ops::Range;

use mpiscope_model::{CallSiteId, Duration, EventRef, LocationIndex, Trace};

use super::sweep::statement;
use super::{Activity, Statement};
use crate::timeline::{spans, Doing, Regions, Span, Timeline};

/// Tells all that a location did, in its order, each with its activity; `first` are the first call
/// sites of lines. Where a thread is idle, what it will be in is not told.
pub(crate) fn all(
    trace: &Trace,
    first: &[CallSiteId],
    regions: &Regions,
    line: &Timeline,
    location: LocationIndex,
    mut tell: impl FnMut(Activity, &Span),
) {
    let events = &trace.locations[location.index()].events;
    let statement = |enter, region, within| {
        let enter = EventRef {
            location,
            index: enter,
        };
        statement(trace, first, enter, region, within)
    };
    let mut last_call = None;
    let mut waiting = Waiting::default();
    spans(events, regions, &line.times, |span| {
        let activity = match span.doing {
            Doing::Mpi(enter, _, region) => {
                let next = statement(enter, region, span.within);
                waiting.name(Activity::Between(last_call, Some(next)), &mut tell);
                last_call = Some(next);
                Activity::Mpi(next)
            }
            Doing::Threads(enter, region) => {
                Activity::Threads(statement(enter, Some(region), span.within))
            }
            Doing::Idle => Activity::Threads(Statement::default()),
            Doing::Unrecorded => {
                waiting.name(Activity::Between(last_call.take(), None), &mut tell);
                Activity::Unrecorded
            }
            Doing::Work => match span.within {
                Some(region) => Activity::Region(region),
                None => return waiting.0.push((span, None)),
            },
        };
        match waiting.0.is_empty() {
            true => tell(activity, &span),
            false => waiting.0.push((span, Some(activity))),
        }
    });
    waiting.name(Activity::Between(last_call, None), &mut tell);
}

/// Work in no region, which is named after the next call, too, and what came after it.
#[derive(Default)]
struct Waiting(Vec<(Span, Option<Activity>)>);

impl Waiting {
    fn name(&mut self, name: Activity, tell: &mut impl FnMut(Activity, &Span)) {
        let all = self.0.drain(..);
        all.for_each(|(span, activity)| tell(activity.unwrap_or(name), &span));
    }
}

/// Tells the computation of a location: its activity, between which of its events it is, and how
/// long it lasts.
pub(crate) fn computation(
    trace: &Trace,
    first: &[CallSiteId],
    line: &Timeline,
    location: LocationIndex,
    mut tell: impl FnMut(Activity, Range<u32>, Duration),
) {
    let regions = Regions::new(trace);
    all(trace, first, &regions, line, location, |activity, span| {
        if span.doing == Doing::Work {
            tell(activity, span.first..span.last, span.end - span.begin);
        }
    });
}
