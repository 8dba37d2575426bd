//! What locations did, by the path to it; and what is compared with what.

use rustc_hash::FxHashMap;

use crate::paths::CallPaths;

/// Things that are compared together: the excess of all of them is shared by those that exceed
/// their like. A region, or a call, by whatever path it is reached, is a group of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group(pub u32);

impl Group {
    /// Computation in no region: branches that differ by rank call MPI at different lines.
    pub const COMPUTATION: Group = Group(0);
    /// Nobody knows what it was.
    pub const UNRECORDED: Group = Group(1);

    /// Returns the group of an activity, by its number.
    pub fn itself(activity: u32) -> Group {
        Group(activity.saturating_add(2))
    }
}

/// Activities by the path to them, of all locations, numbered as they came.
#[derive(Default)]
pub(crate) struct Reached {
    /// An activity and the number of a path.
    pub all: Vec<(u32, u32)>,
    /// The group of each.
    pub groups: Vec<Group>,
    pub paths: CallPaths,
    numbers: FxHashMap<(u32, u32), u32>,
}

impl Reached {
    /// The activity that stands for all that was not recorded.
    const UNRECORDED: u32 = u32::MAX;

    /// Adds those of a location, with its paths. Returns the numbers here of its own; last comes
    /// what was before its begin, which is not recorded, either.
    pub fn merge(
        &mut self,
        own: &[(u32, u32)],
        paths: &CallPaths,
        group: impl Fn(u32) -> Group,
    ) -> Vec<u32> {
        let paths = self.paths.merge(paths);
        let unrecorded = (Reached::UNRECORDED, Group::UNRECORDED, CallPaths::OUTSIDE);
        let own = own.iter().map(|&(activity, path)| match group(activity) {
            Group::UNRECORDED => unrecorded,
            group => (activity, group, paths[path as usize]),
        });
        let own: Vec<(u32, Group, u32)> = own.chain([unrecorded]).collect();
        own.into_iter().map(|it| self.number(it)).collect()
    }

    fn number(&mut self, (activity, group, path): (u32, Group, u32)) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry((activity, path)).or_insert(next);
        if number == next {
            self.all.push((activity, path));
            self.groups.push(group);
        }
        number
    }
}
