//! Neighbours in Cartesian grids, the one topology that OTF2 can tell.

use std::collections::HashMap;

use mpiscope_model::Communicator;
use otf2::{CartPeriodicity, Definition};

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
