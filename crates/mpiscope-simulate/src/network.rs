//! How long messages are on their way.

use crate::parameters::{Link, Network};
use crate::random::{Purpose, Random};

/// Draws the delays of messages.
pub(crate) struct Delays {
    parameters: Network,
    seed: u64,
    random: Random,
}

/// No message is late by more than ten seconds, however heavy the tail.
const LATEST: f64 = 1e10;

impl Delays {
    pub fn new(seed: u64, parameters: &Network) -> Delays {
        Delays {
            parameters: parameters.clone(),
            seed,
            random: Random::new(seed, Purpose::Network, 0),
        }
    }

    /// Returns how long a message takes from one host to another, in ns.
    pub fn flight(&mut self, from: u32, to: u32) -> i64 {
        let same = from == to;
        let minimum = self.link(same).minimum_ns;
        let detour = if same { 0 } else { self.detour(from, to) };
        minimum + detour + self.jitter(same)
    }

    /// Returns the least time between two places.
    pub fn minimum(&self, same_host: bool) -> i64 {
        self.link(same_host).minimum_ns
    }

    /// Returns a random delay.
    pub fn jitter(&mut self, same_host: bool) -> i64 {
        let mean = self.link(same_host).jitter_ns;
        self.delay(mean)
    }

    /// Returns how much later ranks of a host leave collective operations.
    pub fn exit_bias(&self, host: u32) -> i64 {
        self.parameters.exit_bias_ns * i64::from(host.count_ones())
    }

    fn link(&self, same_host: bool) -> &Link {
        match same_host {
            true => &self.parameters.same_host,
            false => &self.parameters.between_hosts,
        }
    }

    fn delay(&mut self, mean: f64) -> i64 {
        if mean == 0.0 {
            return 0;
        }
        let delay = match self.parameters.tail {
            None => self.random.exponential(mean),
            Some(shape) => self.random.lomax(mean, shape),
        };
        delay.min(LATEST) as i64
    }

    /// What this direction of this pair of hosts adds, always or by chance.
    fn detour(&mut self, from: u32, to: u32) -> i64 {
        let Network {
            asymmetry_ns,
            congested_links,
            congestion_ns,
            ..
        } = self.parameters;
        if asymmetry_ns == 0 && congested_links == 0.0 {
            return 0;
        }
        // Of the pair of hosts itself: no table of all pairs is needed.
        let number = (u64::from(from) << 32) | u64::from(to);
        let mut link = Random::new(self.seed, Purpose::Links, number);
        let always = link.below(asymmetry_ns as u64 + 1) as i64;
        match link.happens(congested_links) {
            true => always + self.delay(congestion_ns),
            false => always,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delays(change: impl FnOnce(&mut Network)) -> Delays {
        let mut parameters = Network::default();
        change(&mut parameters);
        Delays::new(1, &parameters)
    }

    fn least_and_mean(delays: &mut Delays, from: u32, to: u32) -> (i64, i64) {
        let all: Vec<i64> = (0..20_000).map(|_| delays.flight(from, to)).collect();
        let mean = all.iter().sum::<i64>() / all.len() as i64;
        (all.into_iter().min().unwrap_or(0), mean)
    }

    #[test]
    fn no_message_beats_the_minimum_and_some_come_near_it() {
        let mut delays = delays(|_| {});
        let (least, mean) = least_and_mean(&mut delays, 3, 3);
        assert!((500..510).contains(&least) && (690..710).contains(&mean));
        let (least, mean) = least_and_mean(&mut delays, 3, 4);
        assert!((1500..1510).contains(&least) && (2450..2550).contains(&mean));
    }

    #[test]
    fn asymmetry_belongs_to_a_direction() {
        let mut delays = delays(|n| n.asymmetry_ns = 1_000_000);
        let there = least_and_mean(&mut delays, 3, 4).0;
        let back = least_and_mean(&mut delays, 4, 3).0;
        assert!((there - least_and_mean(&mut delays, 3, 4).0).abs() < 10);
        assert!((there - back).abs() > 1000, "{there} {back}");
    }

    #[test]
    fn as_many_links_are_congested_as_was_asked() {
        let mut delays = delays(|n| (n.congested_links, n.congestion_ns) = (0.25, 1e6));
        let links = (0..1000).map(|to| (0..20).map(|_| delays.flight(2000, to)).sum::<i64>());
        let slow = links.filter(|sum| *sum > 1_000_000).count();
        assert!((200..300).contains(&slow), "{slow}");
    }

    #[test]
    fn a_heavy_tail_is_heavy() {
        let mut delays = delays(|n| n.tail = Some(1.5));
        let far = (0..20_000).filter(|_| delays.flight(0, 1) > 20_000).count();
        assert!(far > 20, "{far}");
    }
}
