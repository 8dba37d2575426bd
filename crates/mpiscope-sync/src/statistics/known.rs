//! What a part of a trace knows before it counts.

use mpiscope_model::{EventRef, LocationIndex, Matching, Message, Processes, Trace};

use super::Places;
use crate::crowd::Ground;
use crate::exchange::{rounds_of_operations, Crew, Division, Rounds};
use crate::latency::Class;
use crate::table::LatencyTable;

/// All but the times.
pub(super) struct Known<'a> {
    pub trace: &'a Trace,
    pub matching: &'a Matching,
    /// The waits that are neither messages nor collective, as if they were.
    pub bounds: Vec<Message>,
    pub latencies: &'a LatencyTable,
    pub places: &'a Places,
    /// If pairs of hosts have latencies of their own.
    pub ground: Option<Ground>,
    /// Names of groups, and the group of each location.
    pub groups: Vec<u32>,
    group_of: Vec<u32>,
    /// The classes that a pair of locations may be of.
    pub classes: Vec<Class>,
    /// Which part has which locations.
    pub division: Division,
    /// What is told and counted at a time: of messages, of the other waits, and
    /// of collective operations by their numbers.
    pub messages_by_round: Rounds,
    pub bounds_by_round: Rounds,
    pub operations_by_round: Vec<Vec<u32>>,
}

/// With fewer messages to look at a part costs more than it saves.
const MESSAGES_PER_PART: usize = 4_000;

/// Who counts: several processes, or as many threads as there are, fewer where there
/// is little to count.
pub(super) fn crew<'p>(matching: &Matching, processes: Option<&'p dyn Processes>) -> Crew<'p> {
    let messages = matching.messages.len() + matching.bounds.len() + matching.members.len();
    let parts = rayon::current_num_threads().min(messages / MESSAGES_PER_PART);
    Crew::new(processes, parts)
}

impl<'a> Known<'a> {
    pub fn new(
        trace: &'a Trace,
        matching: &'a Matching,
        latencies: &'a LatencyTable,
        places: &'a Places,
        crew: Crew,
    ) -> Known<'a> {
        let all = (0..trace.locations.len() as u32).map(LocationIndex);
        let named: Vec<u32> = all.map(|location| places.group(location)).collect();
        let mut groups = named.clone();
        groups.sort_unstable();
        groups.dedup();
        let number = |name: &u32| groups.partition_point(|group| group < name) as u32;
        let events = |location: usize| trace.locations[location].count();
        let division = crew.divide(trace, &trace.clock_of_locations(), events);
        let rounds = |messages: &[Message]| {
            let part_of = |event: EventRef| division.part_of(event.location.0);
            let both = messages
                .iter()
                .map(|it| (part_of(it.send), part_of(it.receive)));
            let own = matching.of_all.is_some();
            Rounds::among(&crew.outside(), own, crew.parts(), both)
        };
        let bounds: Vec<Message> = (matching.bounds.iter())
            .map(|&bound| Message {
                send: bound.send,
                receive: bound.receive,
            })
            .collect();
        Known {
            trace,
            matching,
            latencies,
            places,
            ground: latencies.has_pairs().then(|| Ground::new(latencies)),
            group_of: named.iter().map(number).collect(),
            groups,
            classes: places.classes(),
            messages_by_round: rounds(&matching.messages),
            bounds_by_round: rounds(&bounds),
            operations_by_round: rounds_of_operations(&crew.outside(), matching, &division),
            bounds,
            division,
        }
    }

    /// The group of a location.
    pub fn group(&self, location: LocationIndex) -> u32 {
        self.group_of[location.index()]
    }

    /// Returns the part that counts a collective operation, if it has members.
    pub fn home(&self, number: usize) -> Option<usize> {
        self.division.home(self.matching, number)
    }
}
