//! Classes of the basic datatypes, by their names.
//!
//! Types of C and Fortran that a program may take for the same are of one
//! class (MPI_INT, MPI_INTEGER, MPI_INT32_T): kind and size make it.

use super::Data;

/// Names of a kind, without `MPI_`; those of sizes (`INTEGER4`) without the size.
const KINDS: [(u8, &[&str]); 7] = [
    (
        1,
        &[
            "SHORT",
            "INT",
            "LONG",
            "LONG_LONG",
            "LONG_LONG_INT",
            "SIGNED_CHAR",
            "AINT",
            "OFFSET",
            "COUNT",
            "INTEGER",
            "INT8_T",
            "INT16_T",
            "INT32_T",
            "INT64_T",
        ],
    ),
    (
        2,
        &[
            "UNSIGNED",
            "UNSIGNED_SHORT",
            "UNSIGNED_INT",
            "UNSIGNED_LONG",
            "UNSIGNED_LONG_LONG",
            "UNSIGNED_CHAR",
            "UINT8_T",
            "UINT16_T",
            "UINT32_T",
            "UINT64_T",
        ],
    ),
    (
        3,
        &["FLOAT", "DOUBLE", "LONG_DOUBLE", "REAL", "DOUBLE_PRECISION"],
    ),
    (
        4,
        &[
            "COMPLEX",
            "DOUBLE_COMPLEX",
            "C_COMPLEX",
            "C_FLOAT_COMPLEX",
            "C_DOUBLE_COMPLEX",
            "C_LONG_DOUBLE_COMPLEX",
            "CXX_FLOAT_COMPLEX",
            "CXX_DOUBLE_COMPLEX",
            "CXX_LONG_DOUBLE_COMPLEX",
        ],
    ),
    (5, &["LOGICAL", "C_BOOL", "CXX_BOOL"]),
    (6, &["CHAR", "CHARACTER"]),
    (7, &["WCHAR"]),
];

/// Returns what a predefined datatype holds. MPI_BYTE and MPI_PACKED match
/// any; pairs of value and index, and what has no name, are not told apart.
pub fn class(name: &str, size: u64) -> Data {
    let name = name.strip_prefix("MPI_").unwrap_or(name);
    let sized = ["INTEGER", "REAL", "COMPLEX", "LOGICAL"];
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let name = if sized.contains(&bare) { bare } else { name };
    let kind = KINDS.iter().find(|(_, names)| names.contains(&name));
    match (kind, size) {
        (Some((kind, _)), 1..=32) => Data::Same(kind << 5 | (size - 1) as u8, 1),
        _ => Data::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalents_of_both_languages_are_one_class() {
        for same in [
            [("MPI_INT", 4), ("MPI_INTEGER", 4), ("MPI_INTEGER4", 4)],
            [
                ("MPI_DOUBLE", 8),
                ("MPI_DOUBLE_PRECISION", 8),
                ("MPI_REAL8", 8),
            ],
            [("MPI_LONG", 8), ("MPI_INT64_T", 8), ("MPI_AINT", 8)],
        ] {
            let classes = same.map(|(name, size)| class(name, size));
            assert!(classes[0] != Data::Unknown, "{same:?}");
            assert!(classes.iter().all(|class| *class == classes[0]), "{same:?}");
        }
    }

    #[test]
    fn different_types_are_different_classes() {
        let names = [
            ("MPI_INT", 4),
            ("MPI_UNSIGNED", 4),
            ("MPI_FLOAT", 4),
            ("MPI_LONG", 8),
        ];
        let classes = names.map(|(name, size)| class(name, size));
        for (k, one) in classes.iter().enumerate() {
            assert!(
                classes[..k].iter().all(|other| other != one),
                "{:?}",
                names[k]
            );
        }
    }

    #[test]
    fn bytes_match_any() {
        for (name, size) in [("MPI_BYTE", 1), ("MPI_PACKED", 1), ("", 8), ("MPI_2INT", 8)] {
            assert_eq!(class(name, size), Data::Unknown, "{name}");
        }
    }
}
