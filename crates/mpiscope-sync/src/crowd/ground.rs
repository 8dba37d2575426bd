//! Locations in an order in which those that latencies take alike stand
//! together: racks, within these hosts, named hosts, clocks and processes.

use mpiscope_model::LocationIndex;
use rustc_hash::FxHashMap;

use crate::table::{Hop, LatencyTable, Seat};

/// Places from one to before another, in that order.
pub(super) type Span = (u32, u32);

/// The order of locations, and what is to be found where in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    /// By location.
    seats: Vec<Seat>,
    place: Vec<u32>,
    process: Vec<Span>,
    host: Vec<Span>,
    rack: Vec<Span>,
    /// Hosts that have latencies of their own with others.
    named: FxHashMap<u32, Named>,
    /// Of each clock what lies on one named host, these ascending: all in one
    /// place unless several hosts read that clock.
    sites: FxHashMap<u32, Vec<(u32, Span)>>,
}

/// A host that has latencies of its own with others.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub name: u32,
    pub span: Span,
    /// Around it.
    pub host: u32,
    pub rack: u32,
    /// Those others.
    pub partners: Vec<(u32, Hop)>,
}

impl Ground {
    pub fn new(table: &LatencyTable) -> Ground {
        let seats: Vec<Seat> = table.seats().collect();
        let mut order: Vec<u32> = (0..seats.len() as u32).collect();
        let key = |&location: &u32| {
            let seat = &seats[location as usize];
            let [process, clock, host, rack] = [seat.process, seat.clock, seat.host, seat.rack];
            [rack, host, seat.named, clock, process, location]
        };
        order.sort_unstable_by_key(key);
        let keys: Vec<[u32; 6]> = order.iter().map(key).collect();
        let mut place = vec![0; seats.len()];
        for (at, &location) in (0..).zip(&order) {
            place[location as usize] = at;
        }
        let spread = |depth: usize| {
            let mut spans = vec![(0, 0); seats.len()];
            for span in runs(&keys, depth) {
                for &location in &order[span.0 as usize..span.1 as usize] {
                    spans[location as usize] = span;
                }
            }
            spans
        };
        let mut ground = Ground {
            process: spread(5),
            host: spread(2),
            rack: spread(1),
            place,
            ..Ground::default()
        };
        for span in runs(&keys, 4) {
            let [_, _, named, clock, ..] = keys[span.0 as usize];
            ground.sites.entry(clock).or_default().push((named, span));
        }
        for span in runs(&keys, 3) {
            let [rack, host, named, ..] = keys[span.0 as usize];
            if named != Seat::NO_HOST {
                let partners = table.partners(named).collect();
                let of = Named {
                    name: named,
                    span,
                    host,
                    rack,
                    partners,
                };
                ground.named.insert(named, of);
            }
        }
        ground.seats = seats;
        ground
    }

    pub(super) fn seat(&self, location: LocationIndex) -> Seat {
        self.seats[location.index()]
    }

    pub(super) fn place(&self, location: LocationIndex) -> u32 {
        self.place[location.index()]
    }

    /// Where the process, host and rack of a location stand.
    pub(super) fn around(&self, location: LocationIndex) -> [Span; 3] {
        [&self.process, &self.host, &self.rack].map(|spans| spans[location.index()])
    }

    /// Where those stand that read a clock, by named host.
    pub(super) fn sites(&self, clock: u32) -> &[(u32, Span)] {
        self.sites.get(&clock).map_or(&[], |sites| sites)
    }

    /// Where those stand that read a clock on a named host.
    pub(super) fn site(&self, clock: u32, named: u32) -> Option<Span> {
        let sites = self.sites(clock);
        let at = sites.binary_search_by_key(&named, |site| site.0).ok()?;
        Some(sites[at].1)
    }

    /// What is known of a host that has latencies of its own.
    pub(super) fn named(&self, host: u32) -> Option<&Named> {
        self.named.get(&host)
    }
}

/// Returns where keys begin with the same numbers.
fn runs(keys: &[[u32; 6]], depth: usize) -> Vec<Span> {
    let mut runs = Vec::new();
    let mut begin = 0;
    for run in keys.chunk_by(|a, b| a[..depth] == b[..depth]) {
        runs.push((begin, begin + run.len() as u32));
        begin += run.len() as u32;
    }
    runs
}
