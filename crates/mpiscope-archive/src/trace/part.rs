//! A part of what events say, where nobody needs the rest.

use mpiscope_model::{Collective, CollectiveOp, CommId, Events, Timestamp};
use otf2::read::{EventFile, Message, Moment, Visitor};
use otf2::{Event, MeasurementMode};

use super::events::Times;
use super::names::Names;

/// Reads the times of the next events, at most so many; nothing if the records make no sense.
pub(super) fn read_times(
    records: &mut otf2::read::Events<'_>,
    most: usize,
    times: Times<'_>,
) -> Option<Vec<Timestamp>> {
    let found = Vec::with_capacity(most);
    let mut reader = Reader {
        times,
        part: OnlyTimes(found),
    };
    records.visit_some(most as u64, &mut reader).ok()?;
    Some(reader.part.0)
}

/// Reads the times of all events before the first that makes no sense.
pub(super) fn read_all_times(file: &EventFile, times: Times<'_>) -> Vec<Timestamp> {
    let found = Vec::with_capacity(file.most_events() as usize);
    let mut reader = Reader {
        times,
        part: OnlyTimes(found),
    };
    // Where it ends early is seen from how many there are.
    let _ = file.iter().visit(&mut reader);
    reader.part.0
}

/// Reads what the next events, at most so many, begin and end: regions, collective operations and
/// recording; all others say nothing but when they were. Nothing if the records make no sense.
pub(super) fn read_outline(
    records: &mut otf2::read::Events<'_>,
    most: usize,
    times: Times<'_>,
    names: &mut Names<'_>,
) -> Option<Events> {
    let mut reader = Reader {
        times,
        part: Outline {
            names,
            events: Events::with_capacity(most),
        },
    };
    records.visit_some(most as u64, &mut reader).ok()?;
    Some(reader.part.events)
}

/// What is kept of an event.
enum Told {
    Enter(u32),
    Leave(u32),
    EnterContext(u32),
    LeaveContext(u32),
    Begin,
    End,
    Switch(bool),
    Nothing,
}

/// Who keeps a part.
trait Part {
    fn add(&mut self, time: Timestamp, told: Told);
}

struct OnlyTimes(Vec<Timestamp>);

impl Part for OnlyTimes {
    #[inline]
    fn add(&mut self, time: Timestamp, _: Told) {
        self.0.push(time);
    }
}

struct Outline<'a, 'b> {
    names: &'a mut Names<'b>,
    events: Events,
}

impl Part for Outline<'_, '_> {
    #[inline]
    fn add(&mut self, time: Timestamp, told: Told) {
        match told {
            Told::Enter(region) => {
                let region = self.names.region(region);
                self.events.push_enter(time, region);
            }
            Told::Leave(region) => {
                let region = self.names.region(region);
                self.events.push_leave(time, region);
            }
            Told::EnterContext(context) => match self.names.region_of_context(context) {
                Some(region) => self.events.push_enter(time, region),
                None => self.events.push_other(time, 0),
            },
            Told::LeaveContext(context) => match self.names.region_of_context(context) {
                Some(region) => self.events.push_leave(time, region),
                None => self.events.push_other(time, 0),
            },
            Told::Begin => self.events.push_collective_begin(time),
            Told::End => self.events.push_collective_end(time, SOME),
            Told::Switch(on) => self.events.push_on_off(time, on),
            Told::Nothing => self.events.push_other(time, 0),
        }
    }
}

/// An operation of which nobody asks which it is.
const SOME: Collective = Collective {
    op: CollectiveOp::Barrier,
    comm: CommId(0),
    root: None,
    sent: 0,
    received: 0,
};

struct Reader<'a, P> {
    times: Times<'a>,
    part: P,
}

impl<P: Part> Reader<'_, P> {
    #[inline]
    fn add(&mut self, moment: &Moment<'_>, told: Told) {
        let time = self.times.at(moment.time);
        self.part.add(time, told);
    }
}

/// Who is told of an event in a method of its own: what is kept of it.
macro_rules! told {
    ($($method:ident($($name:ident: $kind:ty),*) $told:expr;)*) => {$(
        #[inline]
        fn $method(&mut self, moment: &Moment<'_>, $($name: $kind),*) {
            self.add(moment, $told);
        }
    )*};
}

impl<P: Part> Visitor<'_> for Reader<'_, P> {
    fn event(&mut self, moment: &Moment<'_>, event: Event) {
        let told = match event {
            Event::MeasurementOnOff { measurement_mode } => {
                Told::Switch(measurement_mode == MeasurementMode::ON)
            }
            Event::CallingContextEnter {
                calling_context, ..
            } => Told::EnterContext(calling_context),
            Event::CallingContextLeave { calling_context } => Told::LeaveContext(calling_context),
            _ => Told::Nothing,
        };
        self.add(moment, told);
    }

    told! {
        enter(region: u32) Told::Enter(region);
        leave(region: u32) Told::Leave(region);
        mpi_send(_message: Message) Told::Nothing;
        mpi_isend(_message: Message, _request: u64) Told::Nothing;
        mpi_isend_complete(_request: u64) Told::Nothing;
        mpi_irecv_request(_request: u64) Told::Nothing;
        mpi_recv(_message: Message) Told::Nothing;
        mpi_irecv(_message: Message, _request: u64) Told::Nothing;
        mpi_request_test(_request: u64) Told::Nothing;
        mpi_collective_begin() Told::Begin;
        mpi_collective_end(_ended: otf2::read::Collective) Told::End;
    }
}
