//! The name and number in what `MPI_Get_library_version` says.

use std::fmt;

/// Which MPI library, and which release of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryVersion {
    /// "Open MPI", "MPICH", "Intel MPI", …; "unknown" where nothing known is named.
    pub name: String,
    /// "4.1.4"; empty where no number is found.
    pub version: String,
}

/// What a library calls itself, and what we call it. MVAPICH and Cray mention
/// MPICH too and must come first.
const NAMES: [(&str, &str); 6] = [
    ("Open MPI", "Open MPI"),
    ("Intel(R) MPI", "Intel MPI"),
    ("MVAPICH", "MVAPICH"),
    ("CRAY MPICH", "Cray MPICH"),
    ("MPICH", "MPICH"),
    ("Microsoft MPI", "Microsoft MPI"),
];

impl LibraryVersion {
    /// Reads the library's own string. The first number that follows the name is the version.
    pub fn parse(text: &str) -> LibraryVersion {
        let found = NAMES
            .iter()
            .find_map(|(word, name)| text.find(word).map(|at| (*name, &text[at + word.len()..])));
        let (name, rest) = found.unwrap_or(("unknown", text));
        // A digit that clings to the name belongs to it: MVAPICH2.
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        LibraryVersion {
            name: name.to_owned(),
            version: first_number(rest.lines().next().unwrap_or_default()).to_owned(),
        }
    }
}

impl fmt::Display for LibraryVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

/// Returns the first word that starts with a digit, or with `v` and a digit,
/// up to a comma: `4.1.4`, `4.0b1`.
fn first_number(text: &str) -> &str {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ':'))
        .map(|word| word.strip_prefix('v').unwrap_or(word))
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(LibraryVersion::parse(text).to_string(), expected);
    }

    #[test]
    fn libraries_are_told_by_their_own_words() {
        check(
            "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4",
            "Open MPI 4.1.4",
        );
        check(
            "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr 7",
            "MPICH 4.0.2",
        );
        check("MPICH Version:      5.0.2", "MPICH 5.0.2");
        check(
            "Intel(R) MPI Library 2021.18.1 for Linux* OS",
            "Intel MPI 2021.18.1",
        );
        check(
            "MVAPICH2 Version      :\t2.3.7\nMPICH 3.2.1",
            "MVAPICH 2.3.7",
        );
        check(
            "MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)",
            "Cray MPICH 8.1.25.17",
        );
    }

    #[test]
    fn an_unknown_library_is_called_so() {
        check("", "unknown ");
        check("MPICH", "MPICH ");
        check("Fast MPI 3.1", "unknown 3.1");
    }
}
