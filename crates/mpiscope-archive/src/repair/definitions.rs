//! Global definitions as the format asks for them: all defined that is referred to, each once and
//! behind those that it refers to, numbered as they stand.

use std::collections::{BTreeMap, HashMap};

use otf2::{Definition, GroupType, Paradigm, Type};

use super::groups;
use super::numbers::{Fresh, Numbers};
use super::undefined::{location, placeholder, process};
use crate::check::circles::{closing, needs};
use crate::check::definitions::function_of_mpi;
use crate::check::ids::{look, own, renumber, Space, Use};
use crate::ranks::strings;

/// What is referred to and may not be defined; of an attribute the type of its values.
pub(super) type Undefined = BTreeMap<(Space, u64), Type>;

/// Definitions that are mended.
#[derive(Debug)]
pub(super) struct Mended {
    pub definitions: Vec<Definition>,
    /// What became of the numbers that events hold.
    pub numbers: Numbers,
    /// The clock's properties are new, and say nothing yet.
    pub new_clock: bool,
}

/// Mends them; `undefined` is what events and others refer to.
pub(super) fn mend(definitions: Vec<Definition>, mut undefined: Undefined) -> Mended {
    let mut fresh = Fresh::new(&definitions);
    for (space, id) in undefined.keys() {
        fresh.is_used(*space, *id);
    }
    let mut all = once(definitions, &mut fresh);
    let new_clock = clock(&mut all);
    let same = groups::mend(&mut all, &mut fresh);
    redirect(&mut all, &same);
    functions_of_mpi(&mut all, &mut fresh);
    break_circles(&mut all);
    undefined.retain(|(space, id), _| *space != Space::Group || !same.contains_key(id));
    look_for(&all, &mut undefined);
    for ((space, id), kind) in undefined {
        define(&mut all, space, id, kind, &mut fresh);
    }
    let mut all = ordered(all);
    let mut numbers = Numbers::new(&all);
    for definition in &mut all {
        renumber(definition, &mut |_, space, id| numbers.get(space, id));
    }
    for (old, to) in same {
        numbers.redirect(Space::Group, old, to);
    }
    Mended {
        definitions: all,
        numbers,
        new_clock,
    }
}

/// What a definition is known by. A group of processes is known by its paradigm, whatever its
/// number: some writers number it like another group, which is the one that is referred to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Number(Space, u64),
    Processes(u8, u64),
}

fn key(definition: &Definition) -> Option<Key> {
    match definition {
        Definition::Group {
            id,
            group_type: GroupType::COMM_LOCATIONS,
            paradigm,
            ..
        } => Some(Key::Processes(paradigm.0, (*id).into())),
        _ => own(definition).map(|(space, id)| Key::Number(space, id)),
    }
}

/// Leaves each number defined once: the last definition holds, in the place of the first.
fn once(definitions: Vec<Definition>, fresh: &mut Fresh) -> Vec<Definition> {
    let mut at: HashMap<Key, usize> = HashMap::new();
    let mut all: Vec<Definition> = Vec::new();
    for definition in definitions {
        match key(&definition).and_then(|key| at.get(&key).copied()) {
            Some(earlier) => all[earlier] = definition,
            None => {
                at.extend(key(&definition).map(|key| (key, all.len())));
                all.push(definition);
            }
        }
    }
    let mut taken = std::collections::HashSet::new();
    for definition in &all {
        if let Some(Key::Number(Space::Group, id)) = key(definition) {
            taken.insert(id);
        }
    }
    for definition in &mut all {
        if let Definition::Group {
            id,
            group_type: GroupType::COMM_LOCATIONS,
            ..
        } = definition
        {
            if !taken.insert((*id).into()) {
                *id = fresh.number(Space::Group) as u32;
            }
        }
    }
    all
}

/// Ticks per second, where nobody says how many there are.
const NANOSECONDS: u64 = 1_000_000_000;

/// Leaves one definition of the clock; tells whether it is new.
fn clock(all: &mut Vec<Definition>) -> bool {
    let is_clock = |it: &Definition| matches!(it, Definition::ClockProperties { .. });
    let first = all.iter().position(is_clock);
    let last = all.iter().rposition(is_clock).map(|last| all[last].clone());
    all.retain(|it| !is_clock(it));
    let is_new = last.is_none();
    let mut clock = last.unwrap_or(Definition::ClockProperties {
        timer_resolution: NANOSECONDS,
        global_offset: 0,
        trace_length: 0,
        realtime_timestamp: u64::MAX,
    });
    if let Definition::ClockProperties {
        timer_resolution: resolution @ 0,
        ..
    } = &mut clock
    {
        *resolution = NANOSECONDS;
    }
    all.insert(first.unwrap_or(0), clock);
    is_new
}

/// Has the clock's properties span all times.
pub(super) fn span(definitions: &mut [Definition], times: Option<(u64, u64)>, is_new: bool) {
    let Some((first, last)) = times else { return };
    for definition in definitions {
        let Definition::ClockProperties {
            timer_resolution,
            global_offset,
            trace_length,
            realtime_timestamp,
        } = definition
        else {
            continue;
        };
        let end = global_offset.saturating_add(*trace_length);
        let (begin, end) = match is_new {
            true => (first, last),
            false => ((*global_offset).min(first), end.max(last)),
        };
        if *realtime_timestamp != u64::MAX {
            // It is that of the begin.
            let earlier = u128::from(*global_offset - begin) * 1_000_000_000;
            let earlier = earlier / u128::from((*timer_resolution).max(1));
            let earlier = u64::try_from(earlier).unwrap_or(u64::MAX);
            *realtime_timestamp = realtime_timestamp.saturating_sub(earlier);
        }
        *global_offset = begin;
        *trace_length = end - begin;
    }
}

/// Has regions that mean functions of MPI say so.
fn functions_of_mpi(all: &mut Vec<Definition>, fresh: &mut Fresh) {
    let names = strings(all);
    let mut called: HashMap<&str, u32> = HashMap::new();
    let mut new = Vec::new();
    for definition in all.iter_mut() {
        let Definition::Region {
            name,
            canonical_name,
            paradigm,
            ..
        } = definition
        else {
            continue;
        };
        let Some(function) = names.get(name).and_then(|name| function_of_mpi(name)) else {
            continue;
        };
        *paradigm = Paradigm::MPI;
        for id in [name, canonical_name] {
            let Some(other) = names.get(id).filter(|name| name.as_str() != function) else {
                continue;
            };
            if function_of_mpi(other) == Some(function) {
                *id = *called.entry(function).or_insert_with(|| {
                    let id = fresh.number(Space::String) as u32;
                    let string = function.to_owned();
                    new.push(Definition::String { id, string });
                    id
                });
            }
        }
    }
    all.extend(new);
}

/// Has groups that are left out be others of the same members.
fn redirect(all: &mut [Definition], same: &HashMap<u64, u64>) {
    if same.is_empty() {
        return;
    }
    for definition in all {
        renumber(definition, &mut |how, space, id| match (how, space) {
            (Use::Own, _) => id,
            (_, Space::Group) => same.get(&id).copied().unwrap_or(id),
            _ => id,
        });
    }
}

/// Leaves out references that lead back to where they come from.
fn break_circles(all: &mut [Definition]) {
    for (from, to) in closing(all) {
        let target = own(&all[to]);
        renumber(
            &mut all[from],
            &mut |how, space, id| match how == Use::Refers && target == Some((space, id)) {
                true => space.undefined(),
                false => id,
            },
        );
    }
}

/// Leaves what is not defined, and adds what definitions refer to of that kind.
pub(super) fn look_for(definitions: &[Definition], undefined: &mut Undefined) {
    let mut defined: std::collections::HashSet<(Space, u64)> =
        definitions.iter().filter_map(own).collect();
    // Placeholders must not be asked for twice.
    undefined.retain(|it, _| !defined.contains(it));
    for definition in definitions {
        look(definition, &mut |how, space, id| {
            if how != Use::Own && defined.insert((space, id)) {
                undefined.entry((space, id)).or_insert(Type::NONE);
            }
        });
    }
}

/// Defines something by a name that says that it was not defined.
fn define(all: &mut Vec<Definition>, space: Space, id: u64, kind: Type, fresh: &mut Fresh) {
    let name = format!("undefined {} {id}", space.name());
    if space == Space::String {
        all.push(Definition::String {
            id: id as u32,
            string: name,
        });
        return;
    }
    let name = string(all, name, fresh);
    let definition = match space {
        // Each is a process of its own, so that none takes another's rank.
        Space::Location => {
            let group = fresh.number(Space::LocationGroup) as u32;
            all.push(process(group, name));
            location(id, name, group)
        }
        _ => placeholder(space, id as u32, name, kind),
    };
    all.push(definition);
}

/// Defines a string; returns its number.
pub(super) fn string(all: &mut Vec<Definition>, string: String, fresh: &mut Fresh) -> u32 {
    let id = fresh.number(Space::String) as u32;
    all.push(Definition::String { id, string });
    id
}

/// Puts each definition behind those that it refers to, and else leaves their order.
fn ordered(all: Vec<Definition>) -> Vec<Definition> {
    let mut needs = needs(&all);
    groups::need_processes(&all, &mut needs);
    let mut order = Vec::with_capacity(all.len());
    let mut begun = vec![false; all.len()];
    // By hand: a chain of parents may be longer than the stack.
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for first in 0..all.len() {
        if !std::mem::replace(&mut begun[first], true) {
            stack.push((first, 0));
        }
        while let Some((index, next)) = stack.last_mut() {
            match needs[*index].get(*next).copied() {
                Some(needed) => {
                    *next += 1;
                    if !std::mem::replace(&mut begun[needed], true) {
                        stack.push((needed, 0));
                    }
                }
                None => {
                    order.push(*index);
                    stack.pop();
                }
            }
        }
    }
    let mut all: Vec<Option<Definition>> = all.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|index| all[index].take())
        .collect()
}
