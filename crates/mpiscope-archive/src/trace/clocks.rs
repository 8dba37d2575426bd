//! Which locations of an archive read one clock.
//!
//! Our archives say it. In others the locations of a process share a clock,
//! and processes of one node do if their offsets are the same to the bit.

use std::collections::HashMap;

use mpiscope_model::clock::OffsetMeasurement;
use mpiscope_model::definitions::LocationIndex;
use mpiscope_model::{ClockDomain, Duration};

use crate::source::{Clock, Source};

/// Offsets of a location as its definitions hold them: time, offset, deviation.
type Offsets = Vec<(u64, i64, f64)>;

/// What locations of one clock have in common.
#[derive(PartialEq, Eq, Hash)]
enum Sign {
    Stated(u32),
    Node(u32, Vec<(u64, i64)>),
}

pub(super) fn domains(source: &Source, offsets: &[Offsets]) -> Vec<ClockDomain> {
    let of_process = offsets_of_processes(source, offsets);
    let mut number: HashMap<Sign, usize> = HashMap::new();
    let mut domains: Vec<ClockDomain> = Vec::new();
    for (index, stream) in (0..).zip(&source.streams) {
        let own: &[(u64, i64, f64)] = of_process.get(&stream.rank).map_or(&[], |o| o);
        let sign = match stream.domain {
            Some(domain) => Sign::Stated(domain),
            None => Sign::Node(stream.node, own.iter().map(|o| (o.0, o.1)).collect()),
        };
        let at = *number.entry(sign).or_insert(domains.len());
        if at == domains.len() {
            domains.push(ClockDomain {
                locations: Vec::new(),
                measurements: measurements(own, &source.clock),
            });
        }
        domains[at].locations.push(LocationIndex(index));
    }
    domains
}

/// Of a process's locations, the first that has offsets speaks for all.
fn offsets_of_processes<'a>(source: &Source, offsets: &'a [Offsets]) -> HashMap<u32, &'a Offsets> {
    let mut of_process = HashMap::new();
    for (stream, own) in source.streams.iter().zip(offsets) {
        if !own.is_empty() {
            of_process.entry(stream.rank).or_insert(own);
        }
    }
    of_process
}

/// Converts offsets from ticks; those not ascending in time are left out.
fn measurements(offsets: &[(u64, i64, f64)], clock: &Clock) -> Vec<OffsetMeasurement> {
    let mut measurements: Vec<OffsetMeasurement> = Vec::new();
    for &(time, offset, deviation) in offsets {
        let time = clock.timestamp(time);
        if measurements.last().is_some_and(|last| last.time >= time) {
            continue;
        }
        measurements.push(OffsetMeasurement {
            time,
            offset: Duration(clock.nanoseconds(offset.into())),
            half_width: Duration(clock.nanoseconds(deviation.abs().ceil().min(1e18) as i128)),
        });
    }
    measurements
}
