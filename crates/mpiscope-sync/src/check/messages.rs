//! Messages and probes, channel by channel: whoever has the receiver is told of
//! the sends, in the order of their numbers, a round at a time.

use rustc_hash::FxHashMap;

use super::found::Found;
use super::seen::Process;
use super::synchronous;
use super::traffic::{Channel, Line, Traffic};
use super::view::{At, View};
use super::waits::Waits;
use crate::exchange::{Exchange, ROUND};

/// Looks at the messages and probes that end in this part, and at the messages
/// back of synchronous sends.
pub(super) fn look<E: Exchange>(
    exchange: &E,
    view: &View,
    processes: &[Process],
    found: &mut Found,
    waits: &mut Waits,
) {
    let ends = synchronous::ends(view, processes);
    let posts = match exchange.sum(ends.len() as u64) {
        0 => FxHashMap::default(),
        _ => synchronous::posts(view, processes),
    };
    let (mut sent, mut asked) = (Sent::new(ends), AskedFor::default());
    for process in processes {
        walk(view, process, &mut sent, &mut asked);
    }
    let mut looked_at = |it: Met| {
        found.point_to_point += u64::from(!it.probe);
        view.pair(it.sent, it.received, !it.probe, found);
        if let Some(end) = it.end.filter(|_| !it.probe) {
            waits.extend(posts.get(&it.received).map(|&post| (post, end)));
        }
    };
    for _ in 0..exchange.greatest(sent.rounds()) {
        for told in sent.round(exchange) {
            asked.meet(told, &mut looked_at);
        }
    }
}

/// What was received or seen by a probe, with the send and, if that is
/// synchronous, its end.
struct Met {
    sent: At,
    received: At,
    probe: bool,
    end: Option<At>,
}

/// What a part tells another of its sends.
#[derive(Default)]
struct Batch {
    /// Channels, with how many sends of each follow.
    channels: Vec<(Channel, u64)>,
    sends: Line,
    /// Those of them that are synchronous, with their ends.
    ends: Vec<(At, At)>,
}

/// All sends of a part.
struct Sent {
    /// Channels, with the parts that receive on them.
    lines: Vec<(Channel, usize, Line)>,
    ends: FxHashMap<At, At>,
    /// The next send to tell of: its channel's number, and its own there.
    next: (usize, usize),
}

impl Sent {
    fn new(ends: FxHashMap<At, At>) -> Sent {
        Sent {
            lines: Vec::new(),
            ends,
            next: (0, 0),
        }
    }

    /// Returns in how many rounds all of them are told.
    fn rounds(&self) -> i64 {
        let sends: usize = self.lines.iter().map(|line| line.2.len()).sum();
        sends.div_ceil(ROUND) as i64
    }

    /// Tells the others of the next sends; returns what each has told.
    fn round<E: Exchange>(&mut self, exchange: &E) -> impl Iterator<Item = Batch> {
        let mut to: Vec<Batch> = (0..exchange.parts()).map(|_| Batch::default()).collect();
        let mut left = ROUND;
        while let Some((channel, part, line)) = self.lines.get(self.next.0).filter(|_| left > 0) {
            let first = self.next.1;
            let end = line.len().min(first + left);
            to[*part].add(*channel, &line[first..end], &self.ends);
            left -= end - first;
            self.next = match end == line.len() {
                true => (self.next.0 + 1, 0),
                false => (self.next.0, end),
            };
        }
        Batch::exchanged(exchange, to)
    }
}

impl Batch {
    /// Gives each part its batch; returns what each part gave.
    fn exchanged<E: Exchange>(exchange: &E, to: Vec<Batch>) -> impl Iterator<Item = Batch> {
        let fields = to.into_iter().map(|it| (it.channels, (it.sends, it.ends)));
        let (channels, (sends, ends)): (Vec<_>, (Vec<_>, Vec<_>)) = fields.unzip();
        let channels = exchange.all_to_all(channels);
        let sends = exchange.all_to_all(sends);
        let ends = exchange.all_to_all(ends);
        let told = channels.into_iter().zip(sends).zip(ends);
        told.map(|((channels, sends), ends)| Batch {
            channels,
            sends,
            ends,
        })
    }

    fn add(&mut self, channel: Channel, sends: &[(u64, At)], ends: &FxHashMap<At, At>) {
        self.channels.push((channel, sends.len() as u64));
        self.sends.extend_from_slice(sends);
        if !ends.is_empty() {
            let synchronous = sends.iter().map(|send| send.1);
            self.ends
                .extend(synchronous.filter_map(|at| Some((at, *ends.get(&at)?))));
        }
    }
}

/// All that the processes of a part asked for.
#[derive(Default)]
struct AskedFor(FxHashMap<Channel, Asked>);

/// What a process asked for on a channel.
struct Asked {
    receives: Cursor,
    probes: Cursor,
}

impl AskedFor {
    /// Has sends meet what was asked for under their numbers: all probes, and
    /// one receive.
    fn meet(&mut self, told: Batch, met: &mut impl FnMut(Met)) {
        let mut ends = told.ends.into_iter().peekable();
        let mut sends = &told.sends[..];
        for (channel, count) in told.channels {
            let (of_channel, rest) = sends.split_at(count as usize);
            sends = rest;
            let mut asked = self.0.get_mut(&channel);
            for &(number, sent) in of_channel {
                let end = ends.next_if(|it| it.0 == sent).map(|it| it.1);
                let Some(asked) = &mut asked else { continue };
                let mut meet = |received, probe| {
                    met(Met {
                        sent,
                        received,
                        probe,
                        end,
                    });
                };
                while let Some(at) = asked.probes.next_of(number) {
                    meet(at, true);
                }
                if let Some(at) = asked.receives.next_of(number) {
                    meet(at, false);
                }
            }
        }
    }
}

/// A line, and how far it has been looked at.
#[derive(Default)]
struct Cursor {
    line: Line,
    next: usize,
}

impl Cursor {
    /// Returns the next under a number, past all under lower ones.
    fn next_of(&mut self, number: u64) -> Option<At> {
        while let Some(&(known, at)) = self.line.get(self.next) {
            if known > number {
                break;
            }
            self.next += 1;
            if known == number {
                return Some(at);
            }
        }
        None
    }
}

/// Gathers what a process sent and asked for.
fn walk(view: &View, process: &Process, sent: &mut Sent, asked: &mut AskedFor) {
    let traffic = Traffic::new(view, process);
    for (channel, mut line) in traffic.outgoing.into_iter().zip(traffic.sends) {
        // Nobody asks for what goes to processes that are not there.
        if let Some(part) = view.known.part_of_rank(channel.2) {
            sort(&mut line);
            // Of several under one number the first.
            line.dedup_by_key(|it| it.0);
            sent.lines.push((channel, part, line));
        }
    }
    let incoming = traffic.incoming.into_iter().zip(traffic.asked);
    asked
        .0
        .extend(incoming.map(|(channel, [mut receives, mut probes])| {
            sort(&mut receives);
            receives.dedup_by_key(|it| it.0);
            sort(&mut probes);
            let [receives, probes] = [receives, probes].map(|line| Cursor { line, next: 0 });
            (channel, Asked { receives, probes })
        }));
}

/// Sorts by numbers, equal ones as they come: mostly all are in their places.
fn sort(line: &mut Line) {
    line.sort_by_key(|it| it.0);
}
