//! Collective operations as gates: who enters brings what it knows, who leaves
//! takes along what those brought whom it waits for.

use std::collections::BTreeMap;

use mpiscope_model::{Matching, Trace};

use crate::clock::Clock;
use crate::collectives::{parts, Part};

/// All operations that make anybody wait.
pub(super) struct CollectiveGates {
    /// By member.
    roles: Vec<Role>,
    gates: Vec<Gate>,
}

/// What a member does.
#[derive(Clone, Copy, Default)]
struct Role {
    part: Part,
    /// Its gate; two of them belong together, if there are two groups.
    gate: u32,
    /// Its turn among those who enter.
    turn: u32,
    /// How many must have entered before it can leave.
    needs: u32,
}

/// Those who send to one group.
#[derive(Default)]
struct Gate {
    /// What they bring, by turn.
    brought: Vec<Option<Clock>>,
    /// How many came: all counted, or without a gap from the first.
    came: u32,
    in_order: bool,
    /// What so many brought together.
    together: BTreeMap<u32, Clock>,
    /// Who waits for so many.
    waiting: BTreeMap<u32, Vec<u32>>,
    /// How many have still to leave.
    leaving: u32,
}

/// What becomes of one who wants to leave.
pub(super) enum Exit {
    /// It waits.
    Waits,
    /// It learns nothing.
    Nothing,
    /// It learns this; its own part is in there or not.
    Joins(Clock, bool),
}

impl CollectiveGates {
    /// Lists the operations of a trace.
    pub fn new(trace: &Trace, matching: &Matching) -> CollectiveGates {
        let mut collectives = CollectiveGates {
            roles: vec![Role::default(); matching.members.len()],
            gates: Vec::new(),
        };
        for instance in &matching.collectives {
            let Some(parts) = parts(trace, matching, instance) else {
                continue;
            };
            let members = matching.members_of(instance);
            // Turns of a prefix are those of the ranks.
            let mut order: Vec<usize> = (0..members.len()).collect();
            if parts.lower {
                order.sort_by_key(|&member| members[member].rank);
            }
            let gate = collectives.gates.len() as u32;
            let mut gates = [Gate::default(), Gate::default()];
            for member in order {
                let part = parts.parts[member];
                let role = &mut collectives.roles[instance.members.start + member];
                *role = Role {
                    part,
                    gate,
                    turn: gates[part.to].brought.len() as u32,
                    needs: gates[part.from].brought.len() as u32,
                };
                if part.sends {
                    gates[part.to].brought.push(None);
                }
                if part.receives {
                    gates[part.from].leaving += 1;
                }
            }
            for role in &mut collectives.roles[instance.members.clone()] {
                if !parts.lower {
                    role.needs = gates[role.part.from].brought.len() as u32;
                }
            }
            gates
                .iter_mut()
                .for_each(|gate| gate.in_order = parts.lower);
            collectives.gates.extend(gates);
        }
        collectives
    }

    /// Returns whether anybody waits for a member.
    pub fn sends(&self, member: u32) -> bool {
        self.roles[member as usize].part.sends
    }

    /// Returns whether a member waits for anybody.
    pub fn receives(&self, member: u32) -> bool {
        self.roles[member as usize].part.receives
    }

    /// Enters with what is known; returns the locations that can go on.
    pub fn enter(&mut self, member: u32, clock: Clock) -> Vec<u32> {
        let role = self.roles[member as usize];
        let gate = &mut self.gates[role.gate as usize + role.part.to];
        gate.brought[role.turn as usize] = Some(clock);
        gate.came += u32::from(!gate.in_order);
        if gate.in_order {
            gate.count_in_order();
        }
        let mut woken = Vec::new();
        while let Some(first) = gate.waiting.first_entry() {
            if *first.key() > gate.came {
                break;
            }
            woken.extend(first.remove());
        }
        woken
    }

    /// Tries to leave.
    pub fn exit(&mut self, member: u32, location: u32) -> Exit {
        let role = self.roles[member as usize];
        let gate = &mut self.gates[role.gate as usize + role.part.from];
        if gate.came < role.needs {
            gate.waiting.entry(role.needs).or_default().push(location);
            return Exit::Waits;
        }
        gate.leaving = gate.leaving.saturating_sub(1);
        if role.needs == 0 {
            return Exit::Nothing;
        }
        if !gate.in_order && gate.together.is_empty() {
            let brought = std::mem::take(&mut gate.brought);
            let all = Clock::joined(brought.into_iter().flatten().collect());
            gate.together.extend(all.map(|clock| (role.needs, clock)));
        }
        let with_own = role.part.sends && role.part.to == role.part.from && role.turn < role.needs;
        let known = gate.together.get(&role.needs).cloned();
        if gate.leaving == 0 {
            gate.together.clear();
        }
        known.map_or(Exit::Nothing, |clock| Exit::Joins(clock, with_own))
    }
}

impl Gate {
    /// Counts those who came without a gap, and joins what they brought.
    fn count_in_order(&mut self) {
        while let Some(Some(clock)) = self.brought.get_mut(self.came as usize).map(Option::take) {
            let mut known = clock;
            if let Some(before) = self.together.get(&self.came) {
                known.join(before);
            }
            self.came += 1;
            self.together.insert(self.came, known);
        }
    }
}
