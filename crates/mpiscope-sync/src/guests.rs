//! Members of collective operations that are at home in another part: what the two parts call them.
//! Both have these in one order, whether they know all members or each its own alone.

use mpiscope_model::{CollectiveMember, EventRef, Matching};

use crate::exchange::Division;

/// Guests of all parts, as far as one part knows them.
#[derive(Default)]
pub(crate) struct Guests {
    /// By member: what its home and its part call it.
    names: Vec<u32>,
    /// By part: its members in operations that are at home here, in the order of names.
    here: Vec<Vec<u32>>,
    /// By part: members of this part in operations that are at home there.
    there: Vec<Vec<u32>>,
}

impl Guests {
    /// Those that take part, as `event` says with which event, if they do.
    pub fn new(
        matching: &Matching,
        division: &Division,
        me: usize,
        event: impl Fn(usize, &CollectiveMember) -> Option<EventRef>,
    ) -> Guests {
        let parts = division.parts();
        let mut guests = Guests {
            names: vec![u32::MAX; matching.members.len()],
            here: vec![Vec::new(); parts],
            there: vec![Vec::new(); parts],
        };
        for (number, instance) in matching.collectives.iter().enumerate() {
            let Some(home) = division.home(matching, number) else {
                continue;
            };
            for row in instance.members.clone() {
                let Some(event) = event(number, &matching.members[row]) else {
                    continue;
                };
                let part = division.part_of(event.location.0);
                let list = match (home == me, part == me) {
                    (true, false) => &mut guests.here[part],
                    (false, true) => &mut guests.there[home],
                    _ => continue,
                };
                guests.names[row] = list.len() as u32;
                list.push(row as u32);
            }
        }
        guests
    }

    /// Returns what a guest is called, be it here or from here.
    pub fn name(&self, member: u32) -> Option<u32> {
        let name = self.names.get(member as usize).copied();
        name.filter(|name| *name != u32::MAX)
    }

    /// Returns the guests of this part, by the part that they are of.
    pub fn here(&self) -> &[Vec<u32>] {
        &self.here
    }

    /// Returns the members of this part that are guests, by their home.
    pub fn there(&self) -> &[Vec<u32>] {
        &self.there
    }
}
