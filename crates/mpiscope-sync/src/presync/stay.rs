//! Exchanges within a collective operation that nobody leaves before all have
//! entered: between clocks a and b it is (exit b − enter a) + (exit a −
//! enter b), the sum of the spans from latest enter to first exit on each.

use crate::estimate::{keep_least, Exchanges};
use crate::latency::Class;
use crate::latest::{Latest, Standing};

/// Looks for the least sum of two clocks of each class.
pub(super) struct Stays {
    /// Host and rack of each clock.
    clocks: Vec<(u32, u32)>,
    /// All clocks are on hosts and in racks of their own.
    all_far: bool,
    shortest: Latest,
}

impl Stays {
    pub fn new(clocks: Vec<(u32, u32)>) -> Stays {
        let mut racks: Vec<u32> = clocks.iter().map(|place| place.1).collect();
        racks.sort_unstable();
        racks.dedup();
        Stays {
            all_far: racks.len() == clocks.len(),
            clocks,
            shortest: Latest::default(),
        }
    }

    /// Looks at the spans of one operation, by clock.
    pub fn look(&mut self, spans: impl Iterator<Item = (u32, i64)> + Clone, least: &mut Exchanges) {
        if self.all_far {
            let mut two = [i64::MAX; 2];
            for (_, span) in spans {
                if span < two[0] {
                    two = [span, two[0]];
                } else {
                    two[1] = two[1].min(span);
                }
            }
            let sum = two[0].saturating_add(two[1]);
            if two[1] < i64::MAX {
                keep_least(&mut least[Class::Far as usize], (sum, None));
            }
            return;
        }
        // The latest of negated spans is the shortest.
        self.shortest.clear();
        for (clock, span) in spans.clone() {
            self.shortest.add(span.saturating_neg(), self.place(clock));
        }
        for (clock, span) in spans {
            let at = self.place(clock);
            let others = [
                (Class::SameHost, self.shortest.on_host(at)),
                (Class::SameRack, self.shortest.in_rack(at)),
                (Class::Far, self.shortest.beyond(at)),
            ];
            for (class, other) in others {
                if let Some(other) = other {
                    let sum = span.saturating_sub(other);
                    keep_least(&mut least[class as usize], (sum, None));
                }
            }
        }
    }

    fn place(&self, clock: u32) -> Standing {
        let (host, rack) = self.clocks[clock as usize];
        Standing {
            location: clock,
            process: None,
            clock,
            host: Some(host),
            rack: Some(rack),
            site: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::class_of_clocks;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn exchanges_are_those_of_all_pairs(
            hosts in prop::collection::vec((0..4u32, 0..50i64), 0..8),
            alone: bool,
        ) {
            // Two hosts to a rack.
            let place = |(clock, host): (u32, u32)| match alone {
                true => (clock, clock),
                false => (host, host / 2),
            };
            let clocks: Vec<_> = (0..).zip(&hosts).map(|(clock, it)| place((clock, it.0))).collect();
            let spans: Vec<_> = (0..).zip(&hosts).map(|(clock, it)| (clock, it.1)).collect();
            let mut all = Exchanges::default();
            for &(a, one) in &spans {
                for &(b, other) in spans.iter().filter(|it| it.0 != a) {
                    let class = class_of_clocks(&clocks, a, b);
                    keep_least(&mut all[class as usize], (one + other, None));
                }
            }
            let mut found = Exchanges::default();
            Stays::new(clocks).look(spans.iter().copied(), &mut found);
            prop_assert_eq!(found, all);
        }
    }
}
