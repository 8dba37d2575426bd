//! Who has which locations.

use std::collections::BTreeMap;

use mpiscope_model::{Matching, Rank, Trace};

/// The locations of each part: contiguous in the order of clocks, of about as
/// much weight. Cut between clocks where that costs little: who shares a clock
/// has most to tell each other.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    /// Part of each location.
    part_of: Vec<u32>,
    /// Number of each location within its part.
    place: Vec<u32>,
    /// Locations of each part, in ascending order.
    locations: Vec<Vec<u32>>,
}

/// A cut moves by up to this share of a part to come between two clocks.
const SLACK: usize = 16;

impl Division {
    /// Divides locations with these clocks and weights into so many parts.
    pub fn new(parts: usize, clock_of: &[u32], weight: impl Fn(usize) -> usize) -> Division {
        let count = clock_of.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&location| clock_of[location as usize]);
        let mut sums = vec![0];
        for &location in &order {
            sums.push(sums[sums.len() - 1] + weight(location as usize) + 1);
        }
        let total = sums[count];
        let slack = total / parts / SLACK;
        let between = |cut: usize| {
            let clock = |place: usize| order.get(place).map(|&at| clock_of[at as usize]);
            cut == 0 || cut == count || clock(cut - 1) != clock(cut)
        };
        let mut locations = vec![Vec::new(); parts];
        let mut begin = 0;
        for (part, locations) in locations.iter_mut().enumerate() {
            let goal = (total as u128 * (part as u128 + 1) / parts as u128) as usize;
            let nearest = sums.partition_point(|&sum| sum < goal).min(count);
            let near = |cut: &usize| between(*cut) && sums[*cut].abs_diff(goal) <= slack;
            let cuts = sums.partition_point(|&sum| sum + slack < goal)..count + 1;
            let close = cuts.take_while(|&cut| sums[cut] <= goal + slack);
            let cut = close
                .filter(near)
                .min_by_key(|&cut| sums[cut].abs_diff(goal));
            let end = if part + 1 == parts {
                count
            } else {
                cut.unwrap_or(nearest)
            };
            let end = end.max(begin);
            *locations = order[begin..end].to_vec();
            begin = end;
        }
        Division::of(count, locations)
    }

    /// Has each location belong to that of so many parts.
    pub fn of_parts(part_of: &[u32], parts: usize) -> Division {
        let mut locations = vec![Vec::new(); parts];
        for (location, &part) in (0..).zip(part_of) {
            locations[part as usize].push(location);
        }
        Division::of(part_of.len(), locations)
    }

    /// Has each part have these of so many locations.
    fn of(count: usize, locations: Vec<Vec<u32>>) -> Division {
        let mut division = Division {
            part_of: vec![0; count],
            place: vec![0; count],
            locations,
        };
        for (part, locations) in (0..).zip(&mut division.locations) {
            locations.sort_unstable();
            for (place, &location) in (0..).zip(locations.iter()) {
                division.part_of[location as usize] = part;
                division.place[location as usize] = place;
            }
        }
        division
    }

    /// Divides a trace among those who share its events: one part, if all are here.
    pub fn of_shared(parts: usize, trace: &Trace) -> Division {
        match trace.parts.is_empty() {
            true => Division::of_parts(&vec![0; trace.locations.len()], 1),
            false => Division::of_parts(&trace.parts, parts),
        }
    }

    /// Divides a trace into so many parts, none of which has a part of a process: those
    /// that processes share already, if they do.
    pub fn by_process(parts: usize, trace: &Trace) -> Division {
        if !trace.parts.is_empty() {
            return Division::of_parts(&trace.parts, parts);
        }
        let mut processes: BTreeMap<Rank, Vec<u32>> = BTreeMap::new();
        for (number, location) in (0..).zip(&trace.locations) {
            processes.entry(location.rank).or_default().push(number);
        }
        let processes: Vec<Vec<u32>> = processes.into_values().collect();
        let clocks = trace.clock_of_locations();
        let clock = |locations: &Vec<u32>| clocks[locations[0] as usize];
        let clocks: Vec<u32> = processes.iter().map(clock).collect();
        let events = |process: usize| {
            let locations = processes[process].iter();
            let events = locations.map(|&at| trace.locations[at as usize].count());
            events.sum()
        };
        let whole = Division::new(parts, &clocks, events);
        let all = &processes;
        let of_part = |part: usize| {
            let processes = whole.locations(part).iter();
            processes
                .flat_map(|&it| all[it as usize].iter().copied())
                .collect()
        };
        Division::of(trace.locations.len(), (0..parts).map(of_part).collect())
    }

    /// Returns how many parts there are.
    pub fn parts(&self) -> usize {
        self.locations.len()
    }

    /// Returns the part that a location belongs to.
    #[inline(always)]
    pub fn part_of(&self, location: u32) -> usize {
        self.part_of[location as usize] as usize
    }

    /// Returns whether a location belongs to a part.
    #[inline(always)]
    pub fn has(&self, part: usize, location: u32) -> bool {
        self.parts() == 1 || self.part_of(location) == part
    }

    /// Returns the part that looks at a collective operation, if it has members:
    /// that of one of them, who take turns; or the one that alone knows all of them.
    pub fn home(&self, matching: &Matching, number: usize) -> Option<usize> {
        if let Some(home) = matching.homes.get(number) {
            return Some(home.process as usize);
        }
        let members = matching.members_of(&matching.collectives[number]);
        let member = members.get(number.checked_rem(members.len())?)?;
        Some(self.part_of(member.enter.location.0))
    }

    /// Returns the number of a location within its part.
    #[inline(always)]
    pub fn place(&self, location: u32) -> usize {
        self.place[location as usize] as usize
    }

    /// Returns the locations of a part.
    pub fn locations(&self, part: usize) -> &[u32] {
        &self.locations[part]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parts: usize, clocks: &[u32], weights: &[usize]) -> Vec<Vec<u32>> {
        let division = Division::new(parts, clocks, |location| weights[location]);
        for part in 0..parts {
            for (place, &location) in division.locations(part).iter().enumerate() {
                assert_eq!(division.part_of(location), part);
                assert_eq!(division.place(location), place);
            }
        }
        let all: usize = division.locations.iter().map(Vec::len).sum();
        assert_eq!(all, clocks.len());
        division.locations
    }

    #[test]
    fn clocks_stay_whole_where_that_costs_little() {
        let weights = [999, 999, 999, 999, 99, 999];
        assert_eq!(
            check(2, &[0, 1, 0, 1, 1, 0], &weights),
            [vec![0, 2, 5], vec![1, 3, 4]]
        );
    }

    #[test]
    fn a_clock_that_all_share_is_divided() {
        assert_eq!(check(2, &[0; 4], &[9; 4]), [vec![0, 1], vec![2, 3]]);
    }

    #[test]
    fn parts_may_outnumber_locations() {
        assert_eq!(check(3, &[0], &[5]).concat(), [0]);
        assert_eq!(check(4, &[], &[]), vec![Vec::<u32>::new(); 4]);
        assert!(check(3, &[0, 1, 2], &[5; 3])
            .iter()
            .all(|part| part.len() == 1));
    }
}
