//! Whose clock is whose, and how far it is from the master's.
//!
//! Processes that read one counter share one [`TickMap`], bit for bit. Those
//! that in addition have no clock fault of their own form a [`Domain`]: one
//! clock, compared with the master's by one representative. The first domain
//! is the master's, the clock of rank 0.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::process::{Ping, Process};
use crate::ticks::{Source, TickMap, Triple};

/// From a process's ticks to the nanoseconds that its events carry.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LocalClock {
    /// From ticks to the host's time.
    pub map: TickMap,
    /// From the host's time to what this process claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Where the fault begins, in nanoseconds of the host's time.
    #[serde(default)]
    pub epoch: i64,
}

impl Default for LocalClock {
    fn default() -> Self {
        Self::new(TickMap {
            ticks: 0,
            nanoseconds: 0,
            rate: 1.0,
        })
    }
}

impl LocalClock {
    /// Returns a clock without fault.
    pub fn new(map: TickMap) -> Self {
        Self {
            map,
            fault: None,
            epoch: 0,
        }
    }

    /// Returns the time of `ticks`; times before 1970 are held at its beginning.
    #[inline]
    pub fn nanoseconds(&self, ticks: u64) -> u64 {
        self.map(self.map.apply(ticks)).max(0) as u64
    }

    /// Maps the host's time to this clock's.
    pub fn map(&self, host: i64) -> i64 {
        match &self.fault {
            Some(fault) => fault.apply(self.epoch, host),
            None => host,
        }
    }

    /// Maps this clock's time to the host's: the truth behind a fault.
    pub fn host(&self, local: i64) -> i64 {
        match &self.fault {
            Some(fault) => fault.invert(self.epoch, local),
            None => local,
        }
    }
}

/// One comparison with the master's clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Offset {
    /// When, in nanoseconds of the local clock.
    pub time: u64,
    /// Master minus local, nanoseconds.
    pub offset: i64,
    /// The true offset lies within `offset ± half_width`.
    pub half_width: f64,
}

impl Offset {
    /// Converts one ping (Cristian 1989): the master read its clock somewhere
    /// between `sent` and `received`, so the middle is wrong by half of that at most.
    fn from_ping(ping: &Ping, local: &LocalClock, master: &LocalClock) -> Self {
        let sent = local.nanoseconds(ping.sent);
        let trip = local.nanoseconds(ping.received).saturating_sub(sent);
        let time = sent + trip / 2;
        Self {
            time,
            offset: (master.nanoseconds(ping.master) as i64).wrapping_sub(time as i64),
            half_width: trip as f64 / 2.0,
        }
    }
}

/// Returns `time` corrected by linear interpolation between offsets, in the
/// arithmetic of OTF2's own readers; fewer than two offsets correct nothing.
pub fn corrected(offsets: &[Offset], time: u64) -> u64 {
    if offsets.len() < 2 {
        return time;
    }
    let at = offsets[1..offsets.len() - 1].partition_point(|o| o.time < time);
    let (begin, end) = (offsets[at], offsets[at + 1]);
    let width = end.time.wrapping_sub(begin.time) as f64;
    let slope = end.offset.wrapping_sub(begin.offset) as f64 / width;
    let since = time.wrapping_sub(begin.time) as i64;
    let moved = (slope * since as f64).round_ties_even() as i64;
    time.wrapping_add(begin.offset.wrapping_add(moved) as u64)
}

/// A set of processes that read one clock.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Domain {
    /// World rank of the process that measured the offsets.
    pub representative: u32,
    /// The processes, by world rank.
    pub ranks: Vec<u32>,
    /// What the ticks are.
    pub source: Source,
    /// From ticks to time.
    pub clock: LocalClock,
    /// Comparisons with the master's clock, ascending; none for the master.
    pub offsets: Vec<Offset>,
}

/// Sorts processes into clock domains, the master's first, then by lowest rank.
pub(crate) fn domains(processes: &[&Process], notes: &mut Vec<String>) -> Vec<Domain> {
    let maps = counters(processes, notes);
    let mut members: BTreeMap<u32, Vec<&Process>> = BTreeMap::new();
    for process in processes {
        let representative = process.identity.clock_representative;
        members.entry(representative).or_default().push(process);
    }
    let mut domains: Vec<(Domain, &Process)> = members
        .into_iter()
        .filter_map(|(representative, ranks)| domain(representative, &ranks, &maps))
        .collect();
    domains.sort_by_key(|(domain, _)| (domain.representative != 0, domain.ranks[0]));
    let master = domains
        .first()
        .filter(|(domain, _)| domain.representative == 0)
        .map(|(domain, _)| domain.clock);
    for (domain, speaker) in &mut domains {
        if domain.representative != 0 {
            domain.offsets = offsets(domain, speaker, master.as_ref(), notes);
        }
    }
    domains.into_iter().map(|(domain, _)| domain).collect()
}

fn domain<'a>(
    representative: u32,
    members: &[&'a Process],
    maps: &BTreeMap<Counter, TickMap>,
) -> Option<(Domain, &'a Process)> {
    let speaker = members
        .iter()
        .find(|p| p.identity.rank == representative)
        .or(members.first())?;
    let identity = &speaker.identity;
    let mut clock = LocalClock::new(*maps.get(&counter(speaker))?);
    clock.fault = identity.fault;
    clock.epoch = clock.map.apply(identity.fault_epoch);
    let domain = Domain {
        representative,
        ranks: members.iter().map(|p| p.identity.rank).collect(),
        source: identity.source,
        clock,
        offsets: Vec::new(),
    };
    Some((domain, speaker))
}

fn offsets(
    domain: &Domain,
    speaker: &Process,
    master: Option<&LocalClock>,
    notes: &mut Vec<String>,
) -> Vec<Offset> {
    let rank = domain.representative;
    let (Some(master), false) = (master, speaker.pings.is_empty()) else {
        notes.push(format!(
            "the clock of rank {rank} was never compared with rank 0's: its times stay as they are"
        ));
        return Vec::new();
    };
    let mut offsets: Vec<Offset> = speaker
        .pings
        .iter()
        .map(|ping| Offset::from_ping(ping, &domain.clock, master))
        .collect();
    offsets.sort_by_key(|offset| offset.time);
    offsets.dedup_by_key(|offset| offset.time);
    leave_out_vague(&mut offsets);
    if let [only] = offsets[..] {
        // One offset alone would have no effect (OTF2 3.0.2): the same again, later.
        let last = speaker.triples.iter().map(|t| t.ticks).max();
        let last = last.map_or(0, |ticks| domain.clock.nanoseconds(ticks));
        let time = last.max(only.time.saturating_add(1));
        offsets.push(Offset { time, ..only });
    }
    offsets
}

/// A measurement in the midst of a busy run may be vague. If it is twice as
/// vague as what those around it say by interpolation, and that lies within
/// its bounds, it tells nothing, and interpolation through it would only add
/// its noise. The ends stay, and the most certain ones come first.
fn leave_out_vague(offsets: &mut Vec<Offset>) {
    let [first, inner @ .., last] = &mut offsets[..] else {
        return;
    };
    inner.sort_by(|a, b| a.half_width.total_cmp(&b.half_width));
    let mut kept = vec![*first, *last];
    for offset in inner {
        let at = kept.partition_point(|o| o.time < offset.time);
        let around = [kept[at - 1], kept[at]];
        let share =
            (offset.time - around[0].time) as f64 / (around[1].time - around[0].time) as f64;
        let [left, right] = around.map(|near| near.half_width);
        let vague = offset.half_width > 2.0 * (left + (right - left) * share);
        let by_interpolation = corrected(&around, offset.time).wrapping_sub(offset.time) as i64;
        let apart = by_interpolation
            .saturating_sub(offset.offset)
            .unsigned_abs();
        if apart as f64 > offset.half_width || !vague {
            kept.insert(at, *offset);
        }
    }
    *offsets = kept;
}

/// What makes two processes read one counter: the same running kernel, source and
/// time namespace, or, where the kernel is not known, the same representative.
type Counter = (String, bool, i64, u32);

fn counter(process: &Process) -> Counter {
    let identity = &process.identity;
    let alone = match identity.boot_id.is_empty() {
        true => identity.clock_representative,
        false => 0,
    };
    let tsc = identity.source == Source::Tsc;
    (identity.boot_id.clone(), tsc, identity.time_offset, alone)
}

fn counters(processes: &[&Process], notes: &mut Vec<String>) -> BTreeMap<Counter, TickMap> {
    let mut members: BTreeMap<Counter, Vec<&Process>> = BTreeMap::new();
    for process in processes {
        members.entry(counter(process)).or_default().push(process);
    }
    members
        .into_iter()
        .map(|(counter, members)| {
            let map = fit(&members).unwrap_or_else(|| unfitted(&members, notes));
            (counter, map)
        })
        .collect()
}

/// Fits one map to the readings of one process: the first whose readings lie
/// at least half as far apart as the farthest; else to all readings together.
fn fit(members: &[&Process]) -> Option<TickMap> {
    let source = members.first()?.identity.source;
    let longest = members.iter().map(|p| span(&p.triples)).max()?;
    members
        .iter()
        .filter(|p| span(&p.triples) >= longest / 2)
        .find_map(|p| TickMap::fit(source, &p.triples))
        .or_else(|| {
            let all: Vec<Triple> = members.iter().flat_map(|p| p.triples.clone()).collect();
            TickMap::fit(source, &all)
        })
}

fn span(triples: &[Triple]) -> u64 {
    let ticks = || triples.iter().map(|t| t.ticks);
    ticks().max().unwrap_or(0) - ticks().min().unwrap_or(0)
}

/// With one reading or none, the rate of a counter is anybody's guess; say so.
fn unfitted(members: &[&Process], notes: &mut Vec<String>) -> TickMap {
    let first = members.iter().flat_map(|p| &p.triples).next();
    let rank = members.first().map_or(0, |p| p.identity.rank);
    notes.push(format!(
        "the clock of rank {rank} was read too rarely to know its rate: its times are raw ticks"
    ));
    TickMap {
        ticks: first.map_or(0, |t| t.ticks),
        nanoseconds: first.map_or(0, |t| i64::try_from(t.realtime).unwrap_or(0)),
        rate: 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offset(time: u64, offset: i64) -> Offset {
        Offset {
            time,
            offset,
            half_width: 0.0,
        }
    }

    #[test]
    fn between_offsets_the_correction_is_linear_and_beyond_them_it_goes_on() {
        let offsets = [offset(100, 10), offset(200, 20), offset(300, 0)];
        for (time, expected) in [
            (0, 0),
            (100, 110),
            (150, 165),
            (200, 220),
            (250, 260),
            (400, 380),
        ] {
            assert_eq!(corrected(&offsets, time), expected, "{time}");
        }
        assert_eq!(corrected(&offsets[..1], 7), 7);
        assert_eq!(corrected(&[], 7), 7);
    }

    #[test]
    fn a_vague_measurement_that_says_nothing_new_is_left_out() {
        let at = |(time, offset, half_width)| Offset {
            time,
            offset,
            half_width,
        };
        let kept = |inner: &[(u64, i64, f64)]| -> Vec<u64> {
            let ends = [(0, 0, 5.0), (1000, 100, 4.0)];
            let mut all = vec![at(ends[0])];
            all.extend(inner.iter().copied().map(at));
            all.push(at(ends[1]));
            leave_out_vague(&mut all);
            all.iter().map(|o| o.time).collect()
        };
        // Between the ends 50 is expected: it is within, refuted, or as good as they are.
        assert_eq!(kept(&[(500, 250, 200.0)]), [0, 1000]);
        assert_eq!(kept(&[(500, 250, 199.0)]), [0, 500, 1000]);
        assert_eq!(kept(&[(500, 55, 9.0)]), [0, 500, 1000]);
        let vague_together = [(300, 200, 250.0), (400, -100, 260.0), (500, 55, 6.0)];
        assert_eq!(kept(&vague_together), [0, 500, 1000]);
    }

    #[test]
    fn a_ping_is_halved() {
        let local = LocalClock::default();
        let master = LocalClock::default();
        let ping = Ping {
            sent: 1_000,
            master: 5_000,
            received: 1_300,
            rounds: 10,
        };
        assert_eq!(
            Offset::from_ping(&ping, &local, &master),
            Offset {
                time: 1_150,
                offset: 3_850,
                half_width: 150.0,
            }
        );
    }

    #[test]
    fn a_rate_survives_json_bit_for_bit() {
        // The default parser of serde_json is off by one unit in the last place here and there.
        for k in 1..2_000_u64 {
            let clock = LocalClock::new(TickMap {
                ticks: k,
                nanoseconds: 1,
                rate: 1.0 / (k as f64 + 0.1),
            });
            let text = serde_json::to_string(&clock).unwrap();
            assert_eq!(serde_json::from_str::<LocalClock>(&text).unwrap(), clock);
        }
    }
}
