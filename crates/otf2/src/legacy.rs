//! What OTF2 before 1.2 said in other words: one region type for role,
//! paradigm and flags, one group type for type and paradigm, properties that
//! are always strings.
//!
//! libotf2 still writes the old words beside the new ones; we do so too, and
//! fall back on them when a record of an old trace ends early.

use crate::enums::{GroupType, Paradigm, RegionFlag, RegionRole};
use crate::value::Value;
use crate::UNDEFINED;

type Meaning = (RegionRole, Paradigm, RegionFlag);

/// OpenMP's and MPI's roles, whose old numbers stand for nothing else.
const ROLES: &[(u8, RegionRole, Paradigm)] = &[
    (5, RegionRole::PARALLEL, Paradigm::OPENMP),
    (6, RegionRole::LOOP, Paradigm::OPENMP),
    (7, RegionRole::SECTIONS, Paradigm::OPENMP),
    (8, RegionRole::SECTION, Paradigm::OPENMP),
    (9, RegionRole::WORKSHARE, Paradigm::OPENMP),
    (10, RegionRole::SINGLE, Paradigm::OPENMP),
    (11, RegionRole::MASTER, Paradigm::OPENMP),
    (12, RegionRole::CRITICAL, Paradigm::OPENMP),
    (13, RegionRole::ATOMIC, Paradigm::OPENMP),
    (14, RegionRole::BARRIER, Paradigm::OPENMP),
    (15, RegionRole::IMPLICIT_BARRIER, Paradigm::OPENMP),
    (16, RegionRole::FLUSH, Paradigm::OPENMP),
    (17, RegionRole::CRITICAL_SBLOCK, Paradigm::OPENMP),
    (18, RegionRole::SINGLE_SBLOCK, Paradigm::OPENMP),
    (19, RegionRole::WRAPPER, Paradigm::OPENMP),
    (20, RegionRole::TASK, Paradigm::OPENMP),
    (21, RegionRole::TASK_WAIT, Paradigm::OPENMP),
    (33, RegionRole::TASK_CREATE, Paradigm::OPENMP),
    (34, RegionRole::ORDERED, Paradigm::OPENMP),
    (35, RegionRole::ORDERED_SBLOCK, Paradigm::OPENMP),
    (22, RegionRole::BARRIER, Paradigm::MPI),
    (23, RegionRole::COLL_ONE2ALL, Paradigm::MPI),
    (24, RegionRole::COLL_ALL2ONE, Paradigm::MPI),
    (25, RegionRole::COLL_ALL2ALL, Paradigm::MPI),
    (26, RegionRole::COLL_OTHER, Paradigm::MPI),
];

/// Returns the old region type.
pub(crate) fn region_type(role: RegionRole, paradigm: Paradigm, flags: RegionFlag) -> u8 {
    let dynamic = flags.contains(RegionFlag::DYNAMIC);
    let phase = flags.contains(RegionFlag::PHASE);
    match (paradigm, role) {
        (Paradigm::COMPILER | Paradigm::UNKNOWN, RegionRole::FUNCTION) => 1,
        (Paradigm::USER, RegionRole::FUNCTION) if dynamic => 31,
        (Paradigm::USER, RegionRole::FUNCTION) => 3,
        (Paradigm::USER, RegionRole::FILE_IO) => 4,
        (Paradigm::USER, RegionRole::LOOP) => match (dynamic, phase) {
            (false, false) => 2,
            (true, false) => 30,
            (true, true) => 32,
            (false, true) => 0,
        },
        (Paradigm::USER, RegionRole::CODE) => match (dynamic, phase) {
            (false, false) => 1,
            (false, true) => 27,
            (true, false) => 28,
            (true, true) => 29,
        },
        (paradigm, role) => ROLES
            .iter()
            .find(|row| (row.1, row.2) == (role, paradigm))
            .map_or(0, |row| row.0),
    }
}

/// Returns what an old region type means.
pub(crate) fn region(old: u8) -> Meaning {
    let none = RegionFlag::NONE;
    let dynamic = RegionFlag::DYNAMIC;
    let both = RegionFlag::DYNAMIC | RegionFlag::PHASE;
    match old {
        1 | 3 => (RegionRole::FUNCTION, Paradigm::UNKNOWN, none),
        2 => (RegionRole::LOOP, Paradigm::USER, none),
        4 => (RegionRole::FILE_IO, Paradigm::USER, none),
        27 => (RegionRole::CODE, Paradigm::USER, none),
        28 => (RegionRole::CODE, Paradigm::USER, dynamic),
        29 => (RegionRole::CODE, Paradigm::USER, both),
        30 => (RegionRole::LOOP, Paradigm::USER, dynamic),
        31 => (RegionRole::FUNCTION, Paradigm::USER, dynamic),
        32 => (RegionRole::LOOP, Paradigm::USER, both),
        old => ROLES
            .iter()
            .find(|row| row.0 == old)
            .map_or((RegionRole::UNKNOWN, Paradigm::UNKNOWN, none), |row| {
                (row.1, row.2, none)
            }),
    }
}

/// Old group types; MPI's have one number for type and paradigm.
const GROUPS: &[(u8, GroupType, Option<Paradigm>)] = &[
    (1, GroupType::LOCATIONS, None),
    (2, GroupType::REGIONS, None),
    (3, GroupType::METRIC, None),
    (4, GroupType::COMM_GROUP, Some(Paradigm::MPI)),
    (5, GroupType::COMM_SELF, Some(Paradigm::MPI)),
    (6, GroupType::COMM_LOCATIONS, Some(Paradigm::MPI)),
];

/// Returns the old group type.
pub(crate) fn group_type(kind: GroupType, paradigm: Paradigm) -> u8 {
    GROUPS
        .iter()
        .find(|row| row.1 == kind && row.2.is_none_or(|only| only == paradigm))
        .map_or(0, |row| row.0)
}

/// Returns what an old group type means.
pub(crate) fn group(old: u8) -> (GroupType, Paradigm) {
    GROUPS
        .iter()
        .find(|row| row.0 == old)
        .map_or((GroupType::UNKNOWN, Paradigm::UNKNOWN), |row| {
            (row.1, row.2.unwrap_or(Paradigm::UNKNOWN))
        })
}

/// Returns the string of a property that is one.
pub(crate) fn string_value(value: &Value) -> u32 {
    match value {
        Value::String(string) => *string,
        _ => UNDEFINED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openmp_and_mpi_roles_survive_the_old_words() {
        for &(old, role, paradigm) in ROLES {
            assert_eq!(region_type(role, paradigm, RegionFlag::NONE), old);
            assert_eq!(region(old), (role, paradigm, RegionFlag::NONE));
        }
    }

    #[test]
    fn groups_survive_the_old_words() {
        for &(old, kind, paradigm) in GROUPS {
            let paradigm = paradigm.unwrap_or(Paradigm::UNKNOWN);
            assert_eq!(group_type(kind, paradigm), old);
            assert_eq!(group(old), (kind, paradigm));
        }
    }
}
