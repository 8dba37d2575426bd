//! A run and its clocks as parts.

use mpiscope_model::definitions::CollectiveOp;
use mpiscope_model::{
    CollectiveInstance, CollectiveMember, CommId, EventRef, LocationIndex, Matching, Timestamp,
    Trace,
};
use rayon::prelude::*;

use super::{In, Keep, Out};
use crate::blocks::{Blocks, Source};
use crate::class::Regions;
use crate::collectives::{Collectives, Moments};
use crate::groups::Group;
use crate::messages::{Kept, Messages};
use crate::partners::{OfLocation as Ends, Partners};
use crate::paths::{Called, Table};
use crate::rows::Rows;
use crate::run::{Run, View};
use crate::sites::Sites;
use crate::times::Times;
use crate::varint::{unzigzag, zigzag};

/// Locations of a part.
const TOGETHER: usize = 32;

impl Run {
    /// Writes down what is known of the run beside what its definitions say.
    pub fn parts(&self) -> Vec<Vec<u8>> {
        let mut whole = Out::default();
        self.write(&mut whole);
        let locations: Vec<usize> = (0..self.trace.locations.len()).collect();
        let of_some = |locations: &[usize]| {
            let mut out = Out::default();
            for location in locations {
                self.partners.locations[*location].write(&mut out);
                self.views
                    .iter()
                    .for_each(|view| view.write(*location, &mut out));
            }
            out.0
        };
        let parts = locations.par_chunks(TOGETHER).map(of_some);
        let mut all = vec![whole.0];
        all.extend(parts.collect::<Vec<_>>());
        all
    }

    /// Takes a run from its parts, so many, each of which is asked for once: a trace whose
    /// locations are empty, and where their events are. Nothing if the parts are not those of such
    /// a run.
    pub fn of_parts(
        trace: Trace,
        count: usize,
        part: impl Fn(usize) -> Option<Vec<u8>> + Sync,
        source: Box<dyn Source>,
    ) -> Option<Run> {
        let whole = part(0)?;
        let mut from = In(&whole);
        let calls = from.column()?;
        let messages = from.number()?;
        let matching = read_collectives(&mut from)?;
        let names = from.length()?;
        let mut views = (0..names)
            .map(|number| View::read(number as u32, &mut from))
            .collect::<Option<Vec<View>>>()?;
        drop(whole);
        let read = |number: usize| {
            let part = part(number)?;
            let mut from = In(&part);
            let mut locations = Vec::new();
            while !from.0.is_empty() {
                let ends = Ends::read(&mut from)?;
                let of_views = views.iter().map(|_| OfView::read(&mut from));
                locations.push((ends, of_views.collect::<Option<Vec<_>>>()?));
            }
            Some(locations)
        };
        let rest = (1..count).into_par_iter().map(read);
        let read = rest.collect::<Option<Vec<_>>>()?;
        let mut partners = Partners {
            locations: Vec::new(),
            messages,
        };
        for (ends, of_views) in read.into_iter().flatten() {
            partners.locations.push(ends);
            for (view, of_view) in views.iter_mut().zip(of_views) {
                view.sums.push(of_view.0);
                view.waits.push(of_view.1);
                view.chunks.push(of_view.2);
                view.messages.hulls.push(of_view.3);
                view.messages.traffic.push(of_view.4);
            }
        }
        let rows = Rows::of(&trace);
        let is_sound = partners.locations.len() == trace.locations.len()
            && views.iter().all(|view| view.groups.len() == rows.len())
            && calls.len() == trace.definitions.regions.len();
        is_sound.then(|| Run {
            regions: Regions::of(&trace),
            sites: Sites::of(&trace),
            blocks: Some(Blocks::new(source)),
            trace,
            matching,
            rows,
            calls,
            partners,
            views,
        })
    }

    fn write(&self, out: &mut Out) {
        out.column(self.calls.iter().copied());
        out.number(self.partners.messages);
        write_collectives(&self.matching, out);
        out.length(self.views.len());
        for view in &self.views {
            out.bytes(view.name.as_bytes());
            out.number(zigzag(view.times.start.0));
            out.number(view.times.length);
            view.groups.write(out);
            out.column32(view.paths.nodes.iter().map(|it| &it.0));
            out.column32(view.paths.nodes.iter().map(|it| &it.1.region));
            out.column32(view.paths.nodes.iter().map(|it| &it.1.site));
            out.number(view.messages.reversed);
            let mut kept: Vec<_> = view.messages.kept.iter().collect();
            kept.sort_unstable_by_key(|it| it.0);
            out.length(kept.len());
            for ((shift, begin), kept) in kept {
                out.number((*shift).into());
                out.number(*begin);
                kept.write(out);
            }
            view.collectives.moments.write(out);
            out.column32(view.collectives.regions.iter());
        }
    }
}

/// What is known of a location by a clock: sums, waits, call paths, when its messages are, and
/// what they amount to.
type Hulls = Vec<(crate::messages::Hull, crate::messages::Hull)>;
struct OfView(
    crate::sums::Sums,
    crate::waits::Waits,
    crate::paths::Chunks,
    Hulls,
    crate::traffic::OfLocation,
);

impl OfView {
    fn read(from: &mut In) -> Option<OfView> {
        Some(OfView(
            Keep::read(from)?,
            Keep::read(from)?,
            Keep::read(from)?,
            Keep::read(from)?,
            Keep::read(from)?,
        ))
    }
}

impl View {
    fn write(&self, location: usize, out: &mut Out) {
        self.sums[location].write(out);
        self.waits[location].write(out);
        self.chunks[location].write(out);
        Keep::write(&self.messages.hulls[location], out);
        self.messages.traffic[location].write(out);
    }

    /// Reads what is no location's.
    fn read(number: u32, from: &mut In) -> Option<View> {
        let name = String::from_utf8(from.bytes()?).ok()?;
        let start = Timestamp(unzigzag(from.number()?));
        let times = Times::elsewhere(start, from.number()?);
        let groups: Vec<Option<Group>> = Keep::read(from)?;
        let (around, regions) = (from.column32()?, from.column32()?);
        let called = regions.into_iter().zip(from.column32()?);
        let called = called.map(|(region, site)| Called { region, site });
        let paths = Table::of(around.into_iter().zip(called).collect())?;
        let reversed = from.number()?;
        let length = from.length()?;
        let kept = (0..length).map(|_| {
            let place = (from.number32()?, from.number()?);
            Some((place, Kept::read(from)?))
        });
        let kept = kept.collect::<Option<_>>()?;
        let moments: Vec<Moments> = Keep::read(from)?;
        let regions = from.column32()?;
        (regions.len() == moments.len()).then_some(())?;
        Some(View {
            name,
            number,
            times,
            sums: Vec::new(),
            waits: Vec::new(),
            groups,
            chunks: Vec::new(),
            paths,
            messages: Messages {
                kept,
                reversed,
                ..Messages::default()
            },
            collectives: Collectives::of(moments, regions),
        })
    }
}

fn write_collectives(matching: &Matching, out: &mut Out) {
    out.length(matching.collectives.len());
    for instance in &matching.collectives {
        out.number(instance.op.number().into());
        out.number(instance.comm.0.into());
        out.number(instance.root.map_or(0, |it| u64::from(it) + 1));
        out.number(u64::from(instance.complete) * 2 + u64::from(instance.consistent));
        let members = matching.members_of(instance);
        out.column(members.iter().map(|it| it.enter.location.0.into()));
        out.column(members.iter().map(|it| it.enter.index.into()));
        let exit = |it: &CollectiveMember| it.exit.index.wrapping_sub(it.enter.index);
        out.column(members.iter().map(|it| exit(it).into()));
        out.column(members.iter().map(|it| it.rank.into()));
        out.column(members.iter().map(|it| it.remote.into()));
        out.column(members.iter().map(|it| it.sent));
        out.column(members.iter().map(|it| it.received));
    }
}

/// Reads collective operations, all that is needed of a matching.
fn read_collectives(from: &mut In) -> Option<Matching> {
    let mut matching = Matching::default();
    for _ in 0..from.length()? {
        let op = CollectiveOp::from_number(from.number()? as u8);
        let comm = CommId(from.number32()?);
        let root = from.number32()?.checked_sub(1);
        let flags = from.number()?;
        let first = matching.members.len();
        let mut columns = (0..7).map(|_| from.column());
        let mut column = || columns.next().flatten();
        let (locations, enters, exits) = (column()?, column()?, column()?);
        let (ranks, remotes, sent, received) = (column()?, column()?, column()?, column()?);
        for (at, location) in locations.iter().enumerate() {
            let location = LocationIndex(u32::try_from(*location).ok()?);
            let enter = u32::try_from(*enters.get(at)?).ok()?;
            let event = |index| EventRef { location, index };
            matching.members.push(CollectiveMember {
                enter: event(enter),
                exit: event(enter.wrapping_add(*exits.get(at)? as u32)),
                rank: *ranks.get(at)? as u32,
                remote: *remotes.get(at)? != 0,
                sent: *sent.get(at)?,
                received: *received.get(at)?,
            });
        }
        matching.collectives.push(CollectiveInstance {
            op,
            comm,
            root,
            members: first..matching.members.len(),
            complete: flags & 2 != 0,
            consistent: flags & 1 != 0,
        });
    }
    matching.members.shrink_to_fit();
    Some(matching)
}
