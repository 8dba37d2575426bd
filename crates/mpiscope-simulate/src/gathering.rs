//! When those who wait for many may go on: the latest entries into a collective
//! operation, without looking at all pairs.

/// The latest entries, by host.
#[derive(Default)]
pub(crate) struct Gathering {
    /// Of each host the two latest: rank and time.
    hosts: Vec<[Option<(u32, i64)>; 2]>,
    /// Hosts that anybody entered on.
    used: Vec<u32>,
    /// The hosts of the two latest entries, and these.
    top: [Option<(u32, i64)>; 2],
}

impl Gathering {
    /// Forgets all entries.
    pub fn clear(&mut self) {
        for host in self.used.drain(..) {
            self.hosts[host as usize] = [None; 2];
        }
        self.top = [None; 2];
    }

    /// Notes that a rank has entered.
    pub fn enter(&mut self, host: u32, rank: u32, time: i64) {
        let index = host as usize;
        if index >= self.hosts.len() {
            self.hosts.resize(index + 1, [None; 2]);
        }
        if self.hosts[index][0].is_none() {
            self.used.push(host);
        }
        raise(&mut self.hosts[index], rank, time);
        raise(&mut self.top, host, time);
    }

    /// Returns the latest entry of somebody else on the same host, and the
    /// latest on another.
    pub fn latest(&self, host: u32, rank: u32) -> [Option<i64>; 2] {
        let here = self.hosts.get(host as usize).unwrap_or(&[None; 2]);
        [latest_but(here, rank), latest_but(&self.top, host)]
    }
}

/// Keeps the two latest times of different names.
fn raise(best: &mut [Option<(u32, i64)>; 2], name: u32, time: i64) {
    let later = |than: Option<(u32, i64)>| than.is_none_or(|(_, t)| time > t);
    let own = |at: Option<(u32, i64)>| at.is_some_and(|(n, _)| n == name);
    if own(best[0]) {
        best[0] = Some((name, time.max(best[0].map_or(time, |(_, t)| t))));
    } else if later(best[0]) {
        *best = [Some((name, time)), best[0]];
    } else if later(best[1]) {
        best[1] = Some((name, time));
    }
}

fn latest_but(best: &[Option<(u32, i64)>; 2], name: u32) -> Option<i64> {
    let others = best.iter().flatten().filter(|(other, _)| *other != name);
    others.map(|(_, time)| *time).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_latest_of_others_is_found(entries in prop::collection::vec((0u32..4, 0i64..50), 0..20)) {
            let mut gathering = Gathering::default();
            for round in 0..2 {
                gathering.clear();
                for (rank, &(host, time)) in (0..).zip(&entries) {
                    gathering.enter(host, rank, time + round);
                }
            }
            for me in 0..21u32 {
                let my_host = entries.get(me as usize).map_or(2, |entry| entry.0);
                let others = || (0..).zip(&entries).filter(|(rank, _)| *rank != me);
                let latest = |here: bool| {
                    let on = others().filter(|(_, (host, _))| (*host == my_host) == here);
                    on.map(|(_, (_, time))| time + 1).max()
                };
                prop_assert_eq!(gathering.latest(my_host, me), [latest(true), latest(false)]);
            }
        }
    }
}
