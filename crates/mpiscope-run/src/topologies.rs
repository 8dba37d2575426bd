//! Topologies: who is beside whom in a communicator (MPI 4.1, chapter 8).
//!
//! Every process says what it knows of its own place. Grids become OTF2's
//! Cartesian topologies. For graphs OTF2 has no definition: each process of
//! one gets a property of its location group, whose name ends with the
//! communicator's number and whose value lists the ranks that it sends to.

use std::collections::BTreeMap;

use otf2::{CartPeriodicity, Definition, Value};

use crate::list::List;
use crate::process::{Axis, Neighbors, Process};

/// Property of a location group: before the communicator's number, `MPISCOPE::DESTINATIONS 3`.
pub const DESTINATIONS: &str = "MPISCOPE::DESTINATIONS";

/// The topology of a communicator.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Topology {
    /// The archive's number of the communicator.
    pub communicator: u32,
    /// What each member says, by its rank in the communicator; and its world rank.
    pub members: BTreeMap<u32, (u32, Neighbors)>,
}

/// Gathers what the processes say; `maps` are their communicators' numbers,
/// their own and the archive's.
pub(crate) fn unify(processes: &[&Process], maps: &[Vec<(u32, u32)>]) -> Vec<Topology> {
    let mut all: BTreeMap<u32, Topology> = BTreeMap::new();
    for (process, map) in processes.iter().zip(maps) {
        let world = process.identity.rank;
        for place in &process.places {
            let known = map.iter().find(|(own, _)| *own == place.comm);
            if let Some(&(_, communicator)) = known {
                let topology = all.entry(communicator).or_default();
                topology.communicator = communicator;
                let said = (world, place.neighbors.clone());
                topology.members.insert(place.rank, said);
            }
        }
    }
    all.into_values().collect()
}

/// Defines all topologies.
pub(crate) fn define(list: &mut List, topologies: &[Topology]) {
    let (mut grids, mut dimensions) = (0, 0);
    for topology in topologies {
        if let Some(axes) = topology.axes() {
            grid(list, grids, topology, axes, dimensions);
            grids += 1;
            dimensions += axes.len() as u32;
        }
        for (world, neighbors) in topology.members.values() {
            if let Neighbors::Graph(destinations) = neighbors {
                graph(list, topology.communicator, *world, destinations);
            }
        }
    }
}

impl Topology {
    /// Returns the dimensions of a grid, on which all members agree.
    fn axes(&self) -> Option<&[Axis]> {
        let mut all = self.members.values().map(|(_, neighbors)| neighbors.axes());
        let first = all.next()??;
        let alike = |axes: Option<&[Axis]>| {
            axes.is_some_and(|axes| {
                let shape = |axes: &[Axis]| -> Vec<_> {
                    axes.iter().map(|axis| (axis.size, axis.periodic)).collect()
                };
                shape(axes) == shape(first)
            })
        };
        let few = first.len() <= usize::from(u8::MAX);
        (few && all.all(alike)).then_some(first)
    }
}

fn grid(list: &mut List, id: u32, topology: &Topology, axes: &[Axis], next: u32) {
    let name = list.string("MPI Cartesian grid");
    for (number, axis) in (0u32..).zip(axes) {
        let name = list.string(&format!("dimension {number}"));
        list.definitions.push(Definition::CartDimension {
            id: next + number,
            name,
            size: axis.size,
            cart_periodicity: match axis.periodic {
                true => CartPeriodicity::TRUE,
                false => CartPeriodicity::FALSE,
            },
        });
    }
    list.definitions.push(Definition::CartTopology {
        id,
        name,
        communicator: topology.communicator,
        cart_dimensions: (next..).take(axes.len()).collect(),
    });
    for (&rank, (_, neighbors)) in &topology.members {
        let axes = neighbors.axes().unwrap_or_default();
        list.definitions.push(Definition::CartCoordinate {
            cart_topology: id,
            rank,
            coordinates: axes.iter().map(|axis| axis.place).collect(),
        });
    }
}

/// Says to whom a process of a graph sends.
pub fn graph(list: &mut List, communicator: u32, world: u32, destinations: &[u32]) {
    let name = list.string(&format!("{DESTINATIONS} {communicator}"));
    let ranks: Vec<String> = destinations.iter().map(u32::to_string).collect();
    let value = Value::String(list.string(&ranks.join(" ")));
    list.definitions.push(Definition::LocationGroupProperty {
        location_group: world,
        name,
        value,
    });
}

/// Reads what [`graph`] says: the communicator's number and the ranks.
pub fn read_graph(name: &str, value: &str) -> Option<(u32, Vec<u32>)> {
    let number = name.strip_prefix(DESTINATIONS)?.strip_prefix(' ')?;
    let ranks = value.split(' ').filter(|word| !word.is_empty());
    let ranks: Result<_, _> = ranks.map(str::parse).collect();
    Some((number.parse().ok()?, ranks.ok()?))
}
