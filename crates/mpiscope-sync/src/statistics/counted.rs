//! What is counted while messages are looked at, in one or several columns of
//! times.

use mpiscope_model::{Duration, LocationIndex};

use super::moves::{Moved, Moves, Receiver};
use super::pairs::Pairs;
use super::view::View;
use super::{Figures, Messages};
use crate::latency::Class;

/// Messages while they are counted.
pub(super) struct Counted<const N: usize> {
    pub point_to_point: [Figures; N],
    pub classes: [[Figures; Class::ALL.len()]; N],
    /// The moves of receives by class.
    pub moved: [Moved; Class::ALL.len()],
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
    pub fn new(view: &View<N>) -> Counted<N> {
        Counted {
            point_to_point: [Figures::default(); N],
            classes: [[Figures::default(); Class::ALL.len()]; N],
            moved: Default::default(),
            pairs: Pairs::new(view.groups.len()),
        }
    }

    pub fn merge(mut self, other: Counted<N>) -> Counted<N> {
        for column in 0..N {
            self.point_to_point[column].merge(&other.point_to_point[column]);
            let classes = self.classes[column].iter_mut();
            for (own, other) in classes.zip(&other.classes[column]) {
                own.merge(other);
            }
        }
        for (own, other) in self.moved.iter_mut().zip(&other.moved) {
            own.merge(other);
        }
        for ((from, to), other) in other.pairs.all() {
            self.pairs.of(*from, *to).merge(other);
        }
        self
    }

    /// Takes what was found of all messages from one location to another.
    pub fn take(&mut self, view: &View<N>, sender: &Sender<N>, to: LocationIndex, matched: bool) {
        let class = sender.class as usize;
        for (column, figures) in sender.seen.figures.iter().enumerate() {
            self.classes[column][class].merge(figures);
            if matched {
                self.point_to_point[column].merge(figures);
            }
        }
        self.moved[class].merge(&sender.seen.moved);
        let (from, to) = (view.group(sender.from), view.group(to));
        self.pairs.of(from, to).merge(&sender.seen);
    }

    /// The figures of each column.
    pub fn messages(&self, view: &View<N>) -> [Messages; N] {
        std::array::from_fn(|column| Messages {
            point_to_point: self.point_to_point[column],
            classes: self.classes[column],
            pairs: self.pairs.named(&view.groups, |pair| {
                let figures = pair.figures[column];
                (figures.messages > 0).then_some(figures)
            }),
        })
    }

    /// The moves of receives.
    pub fn moves(&self, view: &View<N>) -> Moves {
        Moves {
            classes: self.moved,
            pairs: self.pairs.named(&view.groups, |pair| {
                (pair.moved.displacement.events > 0).then_some(pair.moved)
            }),
        }
    }
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
    pub fn of(&mut self, view: &View<N>, from: LocationIndex, to: LocationIndex) -> &mut Sender<N> {
        let place = &mut self.places[from.index()];
        if *place == 0 {
            self.all.push(Sender {
                from,
                class: view.places.class(from, to),
                latency: view.latencies.between(from, to),
                seen: Pair::default(),
            });
            *place = self.all.len() as u32;
        }
        &mut self.all[*place as usize - 1]
    }

    /// Hands over what was found, and forgets it.
    pub fn finish(
        &mut self,
        view: &View<N>,
        to: LocationIndex,
        matched: bool,
        counted: &mut Counted<N>,
    ) {
        for sender in self.all.drain(..) {
            self.places[sender.from.index()] = 0;
            counted.take(view, &sender, to, matched);
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
            self.seen.moved.add(&receiver, index, arrival);
        }
    }
}
