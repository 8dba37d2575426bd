//! Neighbours in Cartesian grids, the one topology that OTF2 can tell, and in
//! graphs, as our archives tell them.

use std::collections::HashMap;

use mpiscope_model::{Communicator, Rank};
use otf2::{CartPeriodicity, Definition, Value};

use mpiscope_run::topologies::read_graph;

/// A grid as defined.
struct Grid<'a> {
    communicator: u32,
    /// Numbers of its dimensions.
    dimensions: &'a [u32],
    /// Place of each rank.
    places: Vec<(u32, &'a [u32])>,
}

/// Adds to the communicators who their neighbours are; `find` knows them by
/// the archive's numbers.
pub(super) fn add(
    definitions: &[Definition],
    communicators: &mut [Communicator],
    find: impl Fn(u32) -> Option<u32>,
) {
    let mut sizes: HashMap<u32, (u32, bool)> = HashMap::new();
    let mut grids: HashMap<u32, Grid> = HashMap::new();
    for definition in definitions {
        match definition {
            Definition::CartDimension {
                id,
                size,
                cart_periodicity,
                ..
            } => {
                let periodic = *cart_periodicity == CartPeriodicity::TRUE;
                sizes.insert(*id, (*size, periodic));
            }
            Definition::CartTopology {
                id,
                communicator,
                cart_dimensions,
                ..
            } => {
                let grid = Grid {
                    communicator: *communicator,
                    dimensions: cart_dimensions,
                    places: Vec::new(),
                };
                grids.insert(*id, grid);
            }
            _ => {}
        }
    }
    for definition in definitions {
        if let Definition::CartCoordinate {
            cart_topology,
            rank,
            coordinates,
        } = definition
        {
            if let Some(grid) = grids.get_mut(cart_topology) {
                grid.places.push((*rank, coordinates));
            }
        }
    }
    for grid in grids.values() {
        let found = find(grid.communicator).and_then(|at| communicators.get_mut(at as usize));
        if let Some(communicator) = found {
            let ranks = communicator.members.len();
            communicator.destinations = Some(grid.destinations(&sizes, ranks));
        }
    }
}

/// Adds to the communicators who their neighbours in graphs are; `rank_of`
/// tells the world rank of a location group.
pub(super) fn add_graphs(
    definitions: &[Definition],
    communicators: &mut [Communicator],
    find: impl Fn(u32) -> Option<u32>,
    text: &dyn Fn(&u32) -> String,
    rank_of: impl Fn(u32) -> u32,
) {
    for definition in definitions {
        let Definition::LocationGroupProperty {
            location_group,
            name,
            value: Value::String(value),
        } = definition
        else {
            continue;
        };
        let Some((number, mut ranks)) = read_graph(&text(name), &text(value)) else {
            continue;
        };
        let found = find(number).and_then(|at| communicators.get_mut(at as usize));
        let Some(communicator) = found else { continue };
        let size = communicator.members.len();
        let own = communicator.rank_of(Rank(rank_of(*location_group)));
        let all = (communicator.destinations).get_or_insert_with(|| vec![Vec::new(); size]);
        if let Some(destinations) = own.and_then(|own| all.get_mut(own as usize)) {
            ranks.retain(|rank| (*rank as usize) < size);
            *destinations = ranks;
        }
    }
}

impl Grid<'_> {
    /// Returns for each rank those one step away in each dimension.
    fn destinations(&self, sizes: &HashMap<u32, (u32, bool)>, ranks: usize) -> Vec<Vec<u32>> {
        let rank_at: HashMap<&[u32], u32> = self
            .places
            .iter()
            .map(|&(rank, place)| (place, rank))
            .collect();
        let mut destinations = vec![Vec::new(); ranks];
        for &(rank, place) in &self.places {
            let Some(own) = destinations.get_mut(rank as usize) else {
                continue;
            };
            for (axis, dimension) in self.dimensions.iter().enumerate().take(place.len()) {
                let Some(&(size, periodic)) = sizes.get(dimension) else {
                    continue;
                };
                for there in steps(place[axis], size, periodic).into_iter().flatten() {
                    let mut beside = place.to_vec();
                    beside[axis] = there;
                    own.extend(rank_at.get(&beside[..]));
                }
            }
        }
        destinations
    }
}

/// Returns the coordinates before and after one, around the end if periodic.
fn steps(from: u32, size: u32, periodic: bool) -> [Option<u32>; 2] {
    let around = |there: u32| (periodic && size > 0).then_some(there);
    let before = from.checked_sub(1).or_else(|| around(size.wrapping_sub(1)));
    let after = match from.checked_add(1) {
        Some(after) if after < size => Some(after),
        _ => around(0),
    };
    [before, after]
}
