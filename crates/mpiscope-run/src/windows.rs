//! Windows unified, and the groups that open and close epochs on them.
//!
//! A window has no name that its members share, but all of them make their windows on a
//! communicator in the same order (MPI 4.1, §12.2): communicator and number there tell which it is.

use std::collections::BTreeMap;

use crate::communicators::Communicators;
use crate::process::Process;

/// A window of the archive; its number is its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Its name; may be empty.
    pub name: String,
    /// The archive's number of its communicator.
    pub comm: u32,
}

/// What processes call by their own numbers, and the archive's numbers.
type Map = Vec<(u32, u32)>;

/// Unifies the windows of all processes: they are numbered as they are met, rank by rank. One whose
/// communicator is not in the archive is left out.
pub(crate) fn unify(
    processes: &[&Process],
    communicators: &Communicators,
) -> (Vec<Window>, Vec<Map>) {
    let mut windows = Vec::new();
    let mut known = BTreeMap::new();
    let mut maps = Vec::new();
    for (process, comms) in processes.iter().zip(&communicators.maps) {
        let mut map = Map::new();
        for window in &process.windows {
            let comm = comms.iter().find(|(own, _)| *own == window.comm);
            let Some(&(_, comm)) = comm else { continue };
            let number = *known.entry((comm, window.number)).or_insert_with(|| {
                let name = String::new();
                windows.push(Window { name, comm });
                windows.len() as u32 - 1
            });
            let unified = &mut windows[number as usize];
            if unified.name.is_empty() {
                unified.name.clone_from(&window.name);
            }
            map.push((window.id, number));
        }
        maps.push(map);
    }
    (windows, maps)
}

/// Finds the groups of all processes among those of the communicators, or adds them.
pub(crate) fn groups(processes: &[&Process], communicators: &mut Communicators) -> Vec<Map> {
    let mut maps = Vec::new();
    for process in processes {
        let mut map = Map::new();
        for (id, members) in &process.groups {
            let number = communicators.group_of_epoch(members);
            map.extend(number.map(|number| (*id, number)));
        }
        maps.push(map);
    }
    maps
}
