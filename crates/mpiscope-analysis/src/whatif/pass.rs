//! One pass through all pieces, in an order in which each finds what it needs.

use std::collections::BTreeMap;

use mpiscope_model::{Duration, Timestamp};

use super::balance::Balance;
use super::lanes::Moment;
use super::needs::{From, Need, Size};
use super::{Changes, OfRank, Outcome, Replay};

/// Replays a run.
pub(super) fn run(replay: &Replay, changes: &Changes) -> Outcome {
    let lanes = &replay.lanes;
    let mut pass = Pass {
        replay,
        changes,
        scales: lanes
            .iter()
            .map(|it| changes.scales.get(&it.rank))
            .collect(),
        balance: None,
        times: lanes.iter().map(|it| vec![0; it.begins.len()]).collect(),
        come: vec![0; replay.needs.entries.len()],
        known: vec![0; replay.needs.groups.len()],
        at: vec![(0, 0); lanes.len()],
        waiting: vec![0; lanes.len()],
    };
    if changes.balanced.contains(&true) {
        let balanced = |activity: u32| changes.balanced[activity as usize];
        let length =
            |lane: usize, piece: usize| times(lanes[lane].length(piece), pass.scale(lane, piece));
        pass.balance = Some(Balance::new(replay, balanced, length));
    }
    for stretch in &replay.order {
        pass.stretch(stretch.lane as usize, stretch.until as usize);
    }
    let waiting = std::mem::take(&mut pass.waiting);
    outcome(replay, pass.times, |lane| waiting[lane])
}

/// Says how it went, of the moments at which pieces began and of how long each lane waited.
pub(super) fn outcome(
    replay: &Replay,
    begins: Vec<Vec<i64>>,
    waiting: impl Fn(usize) -> i64,
) -> Outcome {
    let mut ranks: BTreeMap<u32, OfRank> = BTreeMap::new();
    let mut begin = None;
    for (number, lane) in replay.lanes.iter().enumerate() {
        let (Some(&first), Some(&last)) = (begins[number].first(), begins[number].last()) else {
            continue;
        };
        let new = OfRank {
            rank: lane.rank,
            end: Timestamp(last),
            ..OfRank::default()
        };
        let rank = ranks.entry(lane.rank).or_insert(new);
        rank.end = rank.end.max(Timestamp(last));
        rank.time += Timestamp(last) - Timestamp(first);
        rank.waiting += Duration(waiting(number));
        begin = Some(begin.map_or(first, |begin: i64| begin.min(first)));
    }
    Outcome {
        begin: Timestamp(begin.unwrap_or(0)),
        end: ranks.values().map(|it| it.end).max().unwrap_or_default(),
        ranks: ranks.into_values().collect(),
    }
}

/// Returns a time multiplied.
fn times(length: i64, factor: f64) -> i64 {
    match factor {
        1.0 => length,
        _ => (length as f64 * factor).round() as i64,
    }
}

struct Pass<'a> {
    replay: &'a Replay,
    changes: &'a Changes,
    /// By lane, there by activity: what is multiplied on some ranks.
    scales: Vec<Option<&'a Vec<f64>>>,
    balance: Option<Balance>,
    /// By lane: when each piece begins.
    times: Vec<Vec<i64>>,
    /// When each member of a group has come, and all before it; of so many of each group.
    come: Vec<i64>,
    known: Vec<u32>,
    /// The next piece of each lane, and the next of its needs.
    at: Vec<(usize, usize)>,
    waiting: Vec<i64>,
}

impl Pass<'_> {
    fn stretch(&mut self, lane: usize, until: usize) {
        let own = &self.replay.lanes[lane];
        if until == 0 {
            self.times[lane][0] = match own.origin {
                None => own.begins[0],
                Some(origin) => {
                    let since = own.begins[0].saturating_sub(measured(self.replay, origin));
                    self.time(origin).saturating_add(since)
                }
            };
        }
        let needs = &self.replay.needs.of[lane];
        while self.at[lane].0 < until {
            let (piece, first) = self.at[lane];
            let rest = &needs[first..];
            let own = rest.iter().take_while(|need| need.piece as usize == piece);
            let count = own.count();
            let end = match count {
                0 => self.plain(lane, piece),
                _ => self.call(lane, piece, &rest[..count]),
            };
            self.times[lane][piece + 1] = end;
            self.at[lane] = (piece + 1, first + count);
        }
    }

    /// Returns by what a piece is multiplied, whether it is balanced or not.
    fn scale(&self, lane: usize, piece: usize) -> f64 {
        let activity = self.replay.lanes[lane].activities[piece] as usize;
        let everywhere = self.changes.everywhere.get(activity).unwrap_or(&1.0);
        self.scales[lane].map_or(1.0, |scales| scales[activity]) * everywhere
    }

    fn factor(&self, lane: usize, piece: usize) -> f64 {
        let scale = self.scale(lane, piece);
        let activity = self.replay.lanes[lane].activities[piece] as usize;
        match &self.balance {
            Some(balance) if self.changes.balanced[activity] => scale * balance.factor(lane, piece),
            _ => scale,
        }
    }

    /// Returns when a piece ends that needs nobody.
    fn plain(&self, lane: usize, piece: usize) -> i64 {
        let length = times(
            self.replay.lanes[lane].length(piece),
            self.factor(lane, piece),
        );
        self.times[lane][piece].saturating_add(length)
    }

    fn time(&self, moment: Moment) -> i64 {
        let (lane, piece) = (moment.lane as usize, moment.piece as usize);
        let begin = self.times[lane][piece];
        match moment.offset {
            0 => begin,
            offset => begin.saturating_add(times(offset, self.factor(lane, piece))),
        }
    }

    /// Returns when so many of a group have come.
    fn group(&mut self, group: usize, count: usize) -> i64 {
        let rows = self.replay.needs.groups[group].clone();
        for row in rows.start + self.known[group] as usize..rows.start + count {
            let own = self.time(self.replay.needs.entries[row]);
            let before = (row > rows.start).then(|| self.come[row - 1]);
            self.come[row] = own.max(before.unwrap_or(own));
        }
        self.known[group] = self.known[group].max(count as u32);
        self.come[rows.start + count - 1]
    }

    fn came(&mut self, need: &Need) -> Option<i64> {
        match need.from {
            From::Nothing => None,
            From::Moment(moment) => Some(self.time(moment)),
            From::Group { group, count } => Some(self.group(group as usize, count as usize)),
        }
    }

    /// Returns when a call ends that needs others.
    fn call(&mut self, lane: usize, piece: usize, needs: &[Need]) -> i64 {
        let begin = self.times[lane][piece];
        let activity = self.replay.lanes[lane].activities[piece] as usize;
        let is_deaf = self.changes.no_wait.get(activity) == Some(&true);
        let heard = if is_deaf { &[] } else { needs };
        let came = heard.iter().filter_map(|need| self.came(need));
        let came = came.fold(begin, i64::max);
        let run = InRun::of(self.replay, lane, piece, needs);
        let took = run.took_after(came.saturating_sub(begin), self.replay.own[activity]);
        let took = times(took, self.scale(lane, piece));
        let network = Network {
            latency: self.changes.latency.map(|it| it.0),
            bandwidth: self.changes.bandwidth,
            before: self.replay.latency.unwrap_or(0),
        };
        let transfer = |need: &Need| network.transfer(need.size, took);
        let arrived = heard.iter().filter_map(|need| {
            let came = self.came(need)?;
            Some(came.saturating_add(transfer(need)))
        });
        let arrived = arrived.fold(i64::MIN, i64::max);
        // What had come already was not on its way any more.
        let longest = needs.iter().map(transfer).max();
        let own = took.min(longest.unwrap_or(took));
        let end = arrived.max(begin.saturating_add(own)).max(begin);
        let waited = came.min(end).saturating_sub(begin);
        self.waiting[lane] = self.waiting[lane].saturating_add(waited);
        end
    }
}

/// A call that needs others, as it was in the run.
pub(super) struct InRun {
    pub waited: i64,
    /// How long it took beside waiting; by wrong clocks that is negative.
    pub took: i64,
}

impl InRun {
    pub fn of(replay: &Replay, lane: usize, piece: usize, needs: &[Need]) -> InRun {
        let begins = &replay.lanes[lane].begins;
        let (begin, end) = (begins[piece], begins[piece + 1]);
        let came = had_come(replay, needs).unwrap_or(begin).max(begin);
        InRun {
            waited: came.min(end).saturating_sub(begin),
            took: end.saturating_sub(came),
        }
    }

    /// Returns how long it takes beside waiting if it waits so long, where such calls take `own`
    /// that do not wait: who waits less is woken up sooner.
    fn took_after(&self, waiting: i64, own: Option<i64>) -> i64 {
        match own.filter(|own| *own < self.took && waiting < self.waited) {
            Some(own) => {
                let part = waiting as f64 / self.waited as f64;
                own.saturating_add(times(self.took.saturating_sub(own), part))
            }
            None => self.took,
        }
    }
}

/// A network, where it is another one than in the run.
struct Network {
    latency: Option<i64>,
    bandwidth: Option<f64>,
    /// The latency in the run.
    before: i64,
}

impl Network {
    /// Returns how long a transfer takes that took so long in the run.
    fn transfer(&self, size: Option<Size>, took: i64) -> i64 {
        let (Some(size), true) = (size, self.latency.is_some() || self.bandwidth.is_some()) else {
            return took;
        };
        let stages = i64::from(size.stages);
        let before = self.before.saturating_mul(stages);
        let latency = self.latency.map_or(before, |it| it.saturating_mul(stages));
        let times = if size.in_each { size.stages } else { 1 };
        let bytes = match self.bandwidth {
            Some(bandwidth) if !size.is_setup() => {
                let seconds = size.bytes as f64 * f64::from(times) / bandwidth;
                (seconds * 1e9).round() as i64
            }
            _ => took.saturating_sub(before).max(0),
        };
        latency.saturating_add(bytes)
    }
}

/// Returns when a moment was in the run.
fn measured(replay: &Replay, moment: Moment) -> i64 {
    let lane = &replay.lanes[moment.lane as usize];
    lane.begins[moment.piece as usize].saturating_add(moment.offset)
}

/// Returns when all had come in the run that a call needs; nothing if it needs nobody.
fn had_come(replay: &Replay, needs: &[Need]) -> Option<i64> {
    let came = needs.iter().filter_map(|need| match need.from {
        From::Nothing => None,
        From::Moment(moment) => Some(measured(replay, moment)),
        From::Group { group, count } => {
            let rows = &replay.needs.groups[group as usize];
            Some(replay.come[rows.start + count as usize - 1])
        }
    });
    came.max()
}

/// Returns the calls of a lane that need others, each with its needs.
pub(super) fn calls(replay: &Replay, lane: usize) -> impl Iterator<Item = (usize, &[Need])> {
    let needs = replay.needs.of[lane].chunk_by(|a, b| a.piece == b.piece);
    needs.map(|needs| (needs[0].piece as usize, needs))
}

/// Returns how long each call of a lane that needs others waited in the run.
pub(super) fn measured_waits(
    replay: &Replay,
    lane: usize,
) -> impl Iterator<Item = (usize, i64)> + '_ {
    calls(replay, lane).map(move |(piece, needs)| {
        let call = InRun::of(replay, lane, piece, needs);
        (piece, call.waited)
    })
}

/// Returns how long a lane waited in the run.
pub(super) fn measured_waiting(replay: &Replay, lane: usize) -> i64 {
    let waits = measured_waits(replay, lane).map(|(_, waited)| waited);
    waits.fold(0, i64::saturating_add)
}

/// What calls that need others took in the run beside waiting.
pub(super) struct Transfers {
    /// The latency, if any call waited for a message.
    pub latency: Option<i64>,
    /// Calls that ended before what they need had come.
    pub contradictions: u64,
    /// By activity: how long those took that did not wait, the median.
    pub own: Vec<Option<i64>>,
}

impl Transfers {
    pub fn of(replay: &Replay) -> Transfers {
        let mut contradictions = 0;
        let mut of_messages = Vec::new();
        let mut own = vec![Vec::new(); replay.activities.len()];
        for (number, lane) in replay.lanes.iter().enumerate() {
            for (piece, needs) in calls(replay, number) {
                let call = InRun::of(replay, number, piece, needs);
                let is_message = |need: &Need| matches!(need.from, From::Moment(_));
                if call.took < 0 {
                    contradictions += 1;
                } else if call.waited == 0 {
                    own[lane.activities[piece] as usize].push(call.took);
                } else if needs.iter().all(is_message) {
                    of_messages.push(call.took);
                }
            }
        }
        let median = |mut all: Vec<i64>| nth(&mut all, 2);
        Transfers {
            latency: nth(&mut of_messages, 10),
            contradictions,
            own: own.into_iter().map(median).collect(),
        }
    }
}

/// Returns the first after such a part of all, by size.
pub(super) fn nth(all: &mut [i64], part: usize) -> Option<i64> {
    let at = all.len() / part;
    (!all.is_empty()).then(|| *all.select_nth_unstable(at).1)
}
