//! Global definitions: their numbers, their order, and what they refer to.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use otf2::{Definition, GroupFlag, GroupType, Paradigm};

use super::circles::circles;
use super::findings::{Findings, Place};
use super::ids::{look as look_at, own, Space, Use};
use super::rules::Rule;
use crate::ranks;

/// Looks at all of them.
pub(super) fn look(file: &str, definitions: &[Definition], findings: &mut Findings) {
    let mut pass = Pass {
        file,
        definitions,
        findings,
    };
    pass.unknown();
    pass.twice();
    pass.gaps();
    pass.order();
    pass.references();
    pass.clock();
    pass.regions();
    pass.processes();
    pass.miscounted();
}

struct Pass<'a> {
    file: &'a str,
    definitions: &'a [Definition],
    findings: &'a mut Findings,
}

/// Returns the function of MPI that a name means: some writers call it `MPI_Send()`.
pub(crate) fn function_of_mpi(name: &str) -> Option<&str> {
    let name = name.strip_suffix("()").unwrap_or(name);
    name.starts_with("MPI_").then_some(name)
}

/// Whether a definition is the group of a paradigm's processes.
fn are_processes(definition: &Definition, of: Paradigm) -> bool {
    matches!(
        definition,
        Definition::Group { group_type: GroupType::COMM_LOCATIONS, paradigm, .. } if *paradigm == of
    )
}

impl Pass<'_> {
    fn add(&mut self, rule: Rule, index: Option<usize>, what: impl FnOnce() -> String) {
        self.findings.add(rule, || Place {
            file: self.file.to_owned(),
            record: index.map(|index| index as u64 + 1),
            what: what(),
            ..Place::default()
        });
    }

    fn unknown(&mut self) {
        for (index, definition) in self.definitions.iter().enumerate() {
            if let Definition::Unknown { id, .. } = definition {
                self.add(Rule::RecordUnknown, Some(index), || {
                    format!("definition of kind {id}")
                });
            }
        }
    }

    fn twice(&mut self) {
        let mut seen = HashSet::new();
        for (index, definition) in self.definitions.iter().enumerate() {
            let Some((space, id)) = own(definition) else {
                continue;
            };
            if !seen.insert((space, id)) {
                self.add(Rule::DefinedTwice, Some(index), || {
                    format!("{} {id}", space.name())
                });
            }
        }
    }

    fn gaps(&mut self) {
        let mut ids: BTreeMap<Space, BTreeSet<u64>> = BTreeMap::new();
        for (space, id) in self.definitions.iter().filter_map(own) {
            ids.entry(space).or_default().insert(id);
        }
        for (space, ids) in ids {
            let last = ids.last().copied().unwrap_or(0);
            let count = ids.len() as u64;
            if space.is_dense() && last >= count {
                self.add(Rule::NumbersWithGaps, None, || {
                    format!(
                        "{}s: {count}, the last of them numbered {last}",
                        space.name()
                    )
                });
            }
        }
    }

    /// Of each kind the first that stands behind one of a larger number.
    fn order(&mut self) {
        let mut last: BTreeMap<Space, u64> = BTreeMap::new();
        let mut told = HashSet::new();
        let mut seen = HashSet::new();
        for (index, definition) in self.definitions.iter().enumerate() {
            let Some((space, id)) = own(definition) else {
                continue;
            };
            if !space.is_dense() || !seen.insert((space, id)) {
                continue;
            }
            let before = last.insert(space, id);
            if let Some(before) = before.filter(|before| *before > id) {
                if told.insert(space) {
                    self.add(Rule::NumbersOutOfOrder, Some(index), || {
                        format!("{} {id} stands behind {before}", space.name())
                    });
                }
            }
        }
    }

    /// Undefined and later ones.
    fn references(&mut self) {
        let mut at: HashMap<(Space, u64), usize> = HashMap::new();
        for (index, definition) in self.definitions.iter().enumerate() {
            if let Some(it) = own(definition) {
                at.entry(it).or_insert(index);
            }
        }
        let circles = circles(self.definitions);
        for (index, definition) in self.definitions.iter().enumerate() {
            let mut missing = Vec::new();
            let mut later = Vec::new();
            look_at(
                definition,
                &mut |how, space, id| match (how, at.get(&(space, id))) {
                    (Use::Own, _) => {}
                    (_, None) => missing.push((space, id)),
                    (Use::Refers, Some(defined)) if *defined > index => later.push((space, id)),
                    _ => {}
                },
            );
            for (space, id) in missing {
                self.add(Rule::UndefinedReference, Some(index), || {
                    format!("{} {id} is not defined", space.name())
                });
            }
            if circles.contains(&index) {
                self.add(Rule::Circle, Some(index), || {
                    own(definition).map_or(String::new(), |(space, id)| {
                        format!("{} {id}", space.name())
                    })
                });
                continue;
            }
            for (space, id) in later {
                self.add(Rule::DefinedLater, Some(index), || {
                    format!("{} {id} is defined behind it", space.name())
                });
            }
        }
    }

    fn clock(&mut self) {
        let clocks = self.definitions.iter().enumerate();
        let clocks: Vec<(usize, u64)> = clocks
            .filter_map(|(index, it)| match it {
                Definition::ClockProperties {
                    timer_resolution, ..
                } => Some((index, *timer_resolution)),
                _ => None,
            })
            .collect();
        if clocks.is_empty() {
            self.add(Rule::ClockMissing, None, || "there are none".into());
        }
        for (index, _) in clocks.iter().skip(1) {
            self.add(Rule::ClockMissing, Some(*index), || {
                "they are defined again".into()
            });
        }
        if let Some((index, 0)) = clocks.last().copied() {
            self.add(Rule::ClockMissing, Some(index), || {
                "a second has no ticks".into()
            });
        }
    }

    /// Regions that mean functions of MPI and do not say so.
    fn regions(&mut self) {
        let names = ranks::strings(self.definitions);
        for (index, definition) in self.definitions.iter().enumerate() {
            let Definition::Region { name, paradigm, .. } = definition else {
                continue;
            };
            let name = names.get(name).map_or("", String::as_str);
            let Some(function) = function_of_mpi(name) else {
                continue;
            };
            let is_other = function != name || *paradigm != Paradigm::MPI;
            self.add_if(is_other, Rule::RegionOfMpi, index, || {
                format!("{name}, of {paradigm}")
            });
        }
    }

    /// Groups that communicators are made of.
    fn processes(&mut self) {
        let mut sizes: HashMap<Paradigm, usize> = HashMap::new();
        let mut own_groups = HashSet::new();
        for (index, definition) in self.definitions.iter().enumerate() {
            let Definition::Group {
                id,
                members,
                group_type,
                paradigm,
                ..
            } = definition
            else {
                continue;
            };
            let second = || format!("group {id} is a second one of {paradigm}");
            match *group_type {
                GroupType::COMM_LOCATIONS => {
                    let before = sizes.insert(*paradigm, members.len());
                    self.add_if(before.is_some(), Rule::ProcessesMissing, index, second);
                }
                GroupType::COMM_GROUP => self.group(index, sizes.get(paradigm).copied()),
                GroupType::COMM_SELF => {
                    let has_members = || format!("group {id} has members");
                    self.add_if(!members.is_empty(), Rule::SelfGroup, index, has_members);
                    let is_second = !own_groups.insert(*paradigm);
                    self.add_if(is_second, Rule::SelfGroup, index, second);
                }
                _ => {}
            }
        }
    }

    /// A group of MPI's processes that names others.
    fn miscounted(&mut self) {
        if !ranks::is_miscounted(self.definitions) {
            return;
        }
        let all = self.definitions;
        let group = all.iter().rposition(|it| are_processes(it, Paradigm::MPI));
        self.add(Rule::ProcessesMissing, group, || {
            "the group names others than the processes there are".into()
        });
    }

    fn add_if(&mut self, is: bool, rule: Rule, index: usize, what: impl FnOnce() -> String) {
        if is {
            self.add(rule, Some(index), what);
        }
    }

    /// A group whose members are places among so many processes, as far as they are known.
    fn group(&mut self, index: usize, processes: Option<usize>) {
        let Definition::Group {
            id,
            members,
            paradigm,
            group_flags,
            ..
        } = &self.definitions[index]
        else {
            return;
        };
        let Some(size) = processes else {
            let all = self.definitions;
            self.add(Rule::ProcessesMissing, Some(index), || {
                let mut later = all[index..].iter();
                match later.any(|it| are_processes(it, *paradigm)) {
                    true => format!("group {id} of {paradigm} stands before them"),
                    false => format!("group {id} of {paradigm} counts in none"),
                }
            });
            return;
        };
        if group_flags.contains(GroupFlag::GLOBAL_MEMBERS) {
            return;
        }
        if let Some(member) = members.iter().find(|member| **member >= size as u64) {
            self.add(Rule::MemberOutside, Some(index), || {
                format!("group {id} has member {member}, there are {size} processes")
            });
        }
    }
}
