//! What is counted while messages are looked at, in one or several columns of
//! times.

use mpiscope_model::{Duration, LocationIndex};

use super::known::Known;
use super::moves::{Moved, Moves, Receiver};
use super::pairs::Pairs;
use super::{Changes, Displacement, Distortion, Errors, Figures, Messages};
use crate::exchange::{plain, Plain};
use crate::latency::Class;

/// Messages while they are counted.
pub(super) struct Counted<const N: usize> {
    pub point_to_point: Pair<N>,
    pub classes: [Pair<N>; Class::ALL.len()],
    pub pairs: Pairs<Pair<N>>,
}

/// Messages that went from one place to another.
#[derive(Clone, Copy)]
pub(super) struct Pair<const N: usize> {
    /// In each column.
    pub figures: [Figures; N],
    /// What became of their receives in the last.
    pub moved: Moved,
}

impl<const N: usize> Default for Pair<N> {
    fn default() -> Pair<N> {
        Pair {
            figures: [Figures::default(); N],
            moved: Moved::default(),
        }
    }
}

impl<const N: usize> Pair<N> {
    pub fn merge(&mut self, other: &Pair<N>) {
        for (own, other) in self.figures.iter_mut().zip(&other.figures) {
            own.merge(other);
        }
        self.moved.merge(&other.moved);
    }
}

impl<const N: usize> Counted<N> {
    pub fn new(known: &Known) -> Counted<N> {
        Counted {
            point_to_point: Pair::default(),
            classes: Default::default(),
            pairs: Pairs::new(known.groups.len()),
        }
    }

    /// Returns all that was counted, in rows that may be added elsewhere.
    pub fn rows(self) -> Vec<Row<N>> {
        let single = (Of::PointToPoint, self.point_to_point);
        let classes = (0..).zip(self.classes);
        let classes = classes.map(|(class, seen)| (Of::Class(class), seen));
        let pairs = self.pairs.all().iter();
        let pairs = pairs.map(|&((from, to), seen)| (Of::Groups(from, to), seen));
        let rows = [single].into_iter().chain(classes).chain(pairs);
        rows.map(|(of, seen)| Row { of, seen }).collect()
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, row: Row<N>) {
        let own = match row.of {
            Of::PointToPoint => &mut self.point_to_point,
            Of::Class(class) => &mut self.classes[class as usize],
            Of::Groups(from, to) => self.pairs.of(from, to),
        };
        own.merge(&row.seen);
    }

    /// Takes what was found of all messages from one location to another.
    pub fn take(&mut self, known: &Known, sender: &Sender<N>, to: LocationIndex, matched: bool) {
        self.classes[sender.class as usize].merge(&sender.seen);
        if matched {
            self.point_to_point.merge(&sender.seen);
        }
        let (from, to) = (known.group(sender.from), known.group(to));
        self.pairs.of(from, to).merge(&sender.seen);
    }

    /// The figures of each column.
    pub fn messages(&self, known: &Known) -> [Messages; N] {
        std::array::from_fn(|column| Messages {
            point_to_point: self.point_to_point.figures[column],
            classes: self.classes.map(|class| class.figures[column]),
            pairs: self.pairs.named(&known.groups, |pair| {
                let figures = pair.figures[column];
                (figures.messages > 0).then_some(figures)
            }),
        })
    }

    /// The moves of receives.
    pub fn moves(&self, known: &Known) -> Moves {
        Moves {
            classes: self.classes.map(|class| class.moved),
            pairs: self.pairs.named(&known.groups, |pair| {
                (pair.moved.displacement.events > 0).then_some(pair.moved)
            }),
        }
    }
}

/// A part of what was counted.
#[derive(Clone, Copy)]
pub(super) struct Row<const N: usize> {
    of: Of,
    seen: Pair<N>,
}

/// Which part.
#[derive(Clone, Copy)]
enum Of {
    PointToPoint,
    Class(u32),
    Groups(u32, u32),
}

impl Plain for Of {
    fn put(self, bytes: &mut Vec<u8>) {
        match self {
            Of::PointToPoint => (0u32, 0u32, 0u32),
            Of::Class(class) => (1, class, 0),
            Of::Groups(from, to) => (2, from, to),
        }
        .put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(match Plain::take(bytes)? {
            (0u32, _, _) => Of::PointToPoint,
            (1, class, _) => Of::Class(class),
            (_, from, to) => Of::Groups(from, to),
        })
    }
}

impl<const N: usize> Plain for Row<N> {
    fn put(self, bytes: &mut Vec<u8>) {
        (self.of, self.seen.figures, self.seen.moved).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let (of, figures, moved) = Plain::take(bytes)?;
        let seen = Pair { figures, moved };
        Some(Row { of, seen })
    }
}

plain! {
    Moved { found, displacement, distortion }
    Displacement { events, moved, sum, worst }
    Distortion { intervals, length, grown, shrunk }
    Changes { count, sum, worst, worst_share }
    Figures { messages, reversed, too_early }
    Errors { count, sum, worst }
}

/// The senders of the messages that one location receives, each looked up
/// once.
pub(super) struct Senders<const N: usize> {
    /// By location, one more than the place in `all`; 0 of those not seen.
    places: Vec<u32>,
    pub all: Vec<Sender<N>>,
}

/// One of them, with what was found of its messages.
pub(super) struct Sender<const N: usize> {
    pub from: LocationIndex,
    pub class: Class,
    pub latency: Duration,
    pub seen: Pair<N>,
}

impl<const N: usize> Senders<N> {
    pub fn new(locations: usize) -> Senders<N> {
        Senders {
            places: vec![0; locations],
            all: Vec::new(),
        }
    }

    /// A sender of messages to a location.
    #[inline]
    pub fn of(&mut self, known: &Known, from: LocationIndex, to: LocationIndex) -> &mut Sender<N> {
        let place = &mut self.places[from.index()];
        if *place == 0 {
            self.all.push(Sender {
                from,
                class: known.places.class(from, to),
                latency: known.latencies.between(from, to),
                seen: Pair::default(),
            });
            *place = self.all.len() as u32;
        }
        &mut self.all[*place as usize - 1]
    }

    /// Hands over what was found, and forgets it.
    pub fn finish(
        &mut self,
        known: &Known,
        to: LocationIndex,
        matched: bool,
        counted: &mut Counted<N>,
    ) {
        for sender in self.all.drain(..) {
            self.places[sender.from.index()] = 0;
            counted.take(known, &sender, to, matched);
        }
    }
}

impl<const N: usize> Sender<N> {
    /// Counts a message with its times in each column.
    #[inline]
    pub fn add(&mut self, times: [(i64, i64); N], receiver: Option<(Receiver, u32)>) {
        for (figures, (sent, received)) in self.seen.figures.iter_mut().zip(times) {
            figures.add(sent, received, self.latency);
        }
        if let (Some((receiver, index)), Some((sent, _))) = (receiver, times.last()) {
            let arrival = sent.saturating_add(self.latency.0);
            self.seen.moved.add(receiver.at(index), arrival);
        }
    }
}
