//! By which path a region of the program was reached, as a number.

use mpiscope_model::RegionId;
use rustc_hash::FxHashMap;

/// Call paths, numbered as they came: the regions of the program around, outermost first. A region
/// that calls itself, through others or not, is there once, so that no recursion makes many.
#[derive(Clone, Debug, Default)]
pub struct CallPaths {
    /// Of each number from 1 on.
    all: Vec<CallPath>,
    numbers: FxHashMap<(u32, RegionId), u32>,
    /// What the path without regions was followed by last.
    next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CallPath {
    /// The number of the path to it.
    around: u32,
    region: RegionId,
    /// The path that it was followed by last: programs repeat themselves.
    next: u32,
}

impl CallPaths {
    /// The path without regions.
    pub const OUTSIDE: u32 = 0;

    /// Returns the number of the path by which a region is reached from another path.
    #[inline]
    pub(crate) fn enter(&mut self, around: u32, region: RegionId) -> u32 {
        let next = self.next_of(around);
        let is_next = |it: &CallPath| it.around == around && it.region == region;
        match next.checked_sub(1).map(|at| &self.all[at as usize]) {
            Some(path) if is_next(path) => next,
            _ => self.look_up(around, region),
        }
    }

    fn look_up(&mut self, around: u32, region: RegionId) -> u32 {
        let known = self.numbers.get(&(around, region)).copied();
        let number = known.unwrap_or_else(|| self.add(around, region));
        match around.checked_sub(1) {
            Some(at) => self.all[at as usize].next = number,
            None => self.next = number,
        }
        number
    }

    fn add(&mut self, around: u32, region: RegionId) -> u32 {
        let recursive = self.upwards(around).find(|(_, it)| *it == region);
        let number = recursive.map_or(self.all.len() as u32 + 1, |it| it.0);
        if recursive.is_none() {
            self.all.push(CallPath {
                around,
                region,
                next: CallPaths::OUTSIDE,
            });
        }
        self.numbers.insert((around, region), number);
        number
    }

    fn next_of(&self, around: u32) -> u32 {
        let path = around
            .checked_sub(1)
            .and_then(|at| self.all.get(at as usize));
        path.map_or(self.next, |it| it.next)
    }

    /// Tells the numbers and regions of a path, innermost first.
    fn upwards(&self, path: u32) -> impl Iterator<Item = (u32, RegionId)> + '_ {
        let mut path = path;
        std::iter::from_fn(move || {
            let number = path;
            let of = self.all.get(number.checked_sub(1)? as usize)?;
            path = of.around;
            Some((number, of.region))
        })
    }

    /// Returns the regions of a path, outermost first.
    pub fn regions(&self, path: u32) -> Vec<RegionId> {
        let mut regions: Vec<RegionId> = self.upwards(path).map(|it| it.1).collect();
        regions.reverse();
        regions
    }

    /// Adds the paths of another location; returns the number here of each of its numbers.
    pub(crate) fn merge(&mut self, other: &CallPaths) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(other.all.len() + 1);
        numbers.push(CallPaths::OUTSIDE);
        for path in &other.all {
            let around = numbers[path.around as usize];
            numbers.push(self.enter(around, path.region));
        }
        numbers
    }
}

/// Paths are the same if their numbers and regions are.
impl PartialEq for CallPaths {
    fn eq(&self, other: &CallPaths) -> bool {
        let of = |it: &CallPath| (it.around, it.region);
        self.all.iter().map(of).eq(other.all.iter().map(of))
    }
}

impl Eq for CallPaths {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows letters from the outside, and writes the regions of the path reached.
    fn reached(paths: &mut CallPaths, letters: &str) -> (u32, String) {
        let enter = |around, letter: u8| paths.enter(around, RegionId(letter.into()));
        let number = letters.bytes().fold(CallPaths::OUTSIDE, enter);
        let regions = paths.regions(number);
        let name = regions.iter().map(|it| char::from(it.0 as u8)).collect();
        (number, name)
    }

    #[test]
    fn a_region_has_a_number_for_each_path_to_it() {
        let mut paths = CallPaths::default();
        let first = reached(&mut paths, "mab");
        assert_eq!(first.1, "mab");
        assert_eq!(reached(&mut paths, "mb").1, "mb");
        assert_eq!(reached(&mut paths, "mab"), first);
        assert_eq!(reached(&mut paths, ""), (0, String::new()));
    }

    #[test]
    fn a_region_that_calls_itself_is_there_once() {
        let mut paths = CallPaths::default();
        let (number, name) = reached(&mut paths, "mabababab");
        assert_eq!((number, name.as_str()), (3, "mab"));
        assert_eq!(reached(&mut paths, "maaaaaa"), (2, "ma".to_owned()));
        assert_eq!(paths.all.len(), 3);
    }

    #[test]
    fn paths_of_several_locations_are_those_of_all() {
        let mut all = CallPaths::default();
        reached(&mut all, "mx");
        let mut other = CallPaths::default();
        let (number, _) = reached(&mut other, "mab");
        let numbers = all.merge(&other);
        assert_eq!(
            all.regions(numbers[number as usize]),
            [109, 97, 98].map(RegionId)
        );
        assert_eq!(reached(&mut all, "mab").0, numbers[number as usize]);
        assert_eq!(numbers[0], CallPaths::OUTSIDE);
    }
}
