//! Which of the program is not traced, in the syntax of Score-P's filter files.
//!
//! ```text
//! SCOREP_REGION_NAMES_BEGIN
//!   EXCLUDE *               # all of the program's own regions and functions …
//!   INCLUDE main solve_*    # … but for these
//!   EXCLUDE MPI_Iprobe
//! SCOREP_REGION_NAMES_END
//! ```
//!
//! The last rule that fits decides; what none fits is traced. A pattern is for
//! MPI's functions if it begins with `MPI_`: so a file that was written for
//! Score-P, where filters are for others alone, means the same here.

mod literal;
mod parse;
mod pattern;

use serde::{Deserialize, Serialize};

pub use literal::literal;
pub use parse::{parse, Damaged};
pub use pattern::fits;

/// Its name in the run directory.
pub const FILE: &str = "filter";

/// What the names of MPI's functions begin with.
const MPI: &str = "MPI_";

/// What is left out, and what is not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Filter {
    /// By the name of a region or function.
    pub regions: Vec<Rule>,
    /// By the source file that it lies in.
    pub files: Vec<Rule>,
}

/// What is to be done with what has a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Whether it is left out.
    pub exclude: bool,
    /// Whether the name is that of the symbol, as the compiler mangles it.
    pub mangled: bool,
    /// The name, with wildcards as the shell's.
    pub pattern: String,
}

impl Rule {
    fn is_of_mpi(&self) -> bool {
        self.pattern.starts_with(MPI)
    }
}

/// How a region or function is called.
#[derive(Debug, Clone, Copy, Default)]
pub struct Names<'a> {
    /// As people do; each of these is as good as the others.
    pub plain: &'a [&'a str],
    /// As the compiler does, if it is known.
    pub mangled: Option<&'a str>,
    /// Its source file, if it is known.
    pub file: Option<&'a str>,
}

impl Filter {
    /// Returns whether it is nobody's business.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty() && self.files.is_empty()
    }

    /// Returns whether it may leave out any of the program's own functions and regions.
    pub fn is_of_program(&self) -> bool {
        !self.files.is_empty() || self.regions.iter().any(|rule| !rule.is_of_mpi())
    }

    /// Returns whether rules ask for source files.
    pub fn asks_for_files(&self) -> bool {
        self.files.iter().any(|rule| rule.exclude)
    }

    /// Returns whether a region or function of the program's own is left out.
    pub fn leaves_out(&self, names: Names) -> bool {
        let by_file = |file: &str| last(&self.files, |rule| fits(&rule.pattern, file));
        let by_name = || {
            last(&self.regions, |rule| match rule.mangled {
                true => names.mangled.is_some_and(|name| fits(&rule.pattern, name)),
                false => names.plain.iter().any(|name| fits(&rule.pattern, name)),
            })
        };
        names.file.and_then(by_file) == Some(true) || by_name() == Some(true)
    }

    /// Returns whether a function of MPI's is left out, if any rule says something of it.
    pub fn leaves_out_call(&self, name: &str) -> Option<bool> {
        last(&self.regions, |rule| {
            rule.is_of_mpi() && fits(&rule.pattern, name)
        })
    }
}

/// Returns what the last rule that fits says: whether to exclude.
fn last(rules: &[Rule], fits: impl Fn(&Rule) -> bool) -> Option<bool> {
    let found = rules.iter().rev().find(|rule| fits(rule));
    found.map(|rule| rule.exclude)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(rules: &str) -> Filter {
        let text = format!("SCOREP_REGION_NAMES_BEGIN\n{rules}\nSCOREP_REGION_NAMES_END");
        parse(&text).unwrap()
    }

    fn named(name: &str) -> Names<'_> {
        Names {
            mangled: Some(name),
            ..Names::default()
        }
    }

    #[track_caller]
    fn check(rules: &str, left_out: &[&str], traced: &[&str]) {
        let filter = filter(rules);
        let is_left_out = |name: &&str| {
            filter.leaves_out(Names {
                plain: &[name],
                ..named(name)
            })
        };
        assert!(left_out.iter().all(is_left_out), "{rules}");
        assert!(!traced.iter().any(is_left_out), "{rules}");
    }

    #[test]
    fn the_last_rule_that_fits_decides() {
        check(
            "EXCLUDE *\nINCLUDE main solve_*",
            &["helper", "solve"],
            &["main", "solve_x"],
        );
        check("INCLUDE main\nEXCLUDE *", &["main"], &[]);
        check("EXCLUDE a b\n  c\nINCLUDE b", &["a", "c"], &["b", "d"]);
    }

    #[test]
    fn a_file_for_score_p_says_nothing_of_mpi() {
        let filter = filter("EXCLUDE *");
        assert_eq!(filter.leaves_out_call("MPI_Send"), None);
        assert!(filter.is_of_program());
    }

    #[test]
    fn functions_of_mpi_are_named_from_their_begin_on() {
        let filter = filter("EXCLUDE MPI_*\nINCLUDE MPI_*send MPI_Wait*");
        let left_out = |name| filter.leaves_out_call(name);
        assert_eq!(left_out("MPI_Isend"), Some(false));
        assert_eq!(left_out("MPI_Waitall"), Some(false));
        assert_eq!(left_out("MPI_Recv"), Some(true));
        assert!(!filter.is_of_program());
    }

    #[test]
    fn mangled_names_are_those_of_symbols() {
        let filter = filter("EXCLUDE MANGLED _Z3foo* bar\nEXCLUDE plain");
        let of = |plain: &[&str], mangled| {
            filter.leaves_out(Names {
                plain,
                mangled: Some(mangled),
                file: None,
            })
        };
        assert!(of(&["foo(int)", "foo"], "_Z3fooi"));
        assert!(!of(&["bar"], "_Z3barv"));
        assert!(of(&["plain"], "_Z5plainv"));
        assert!(!filter.leaves_out(Names {
            plain: &["bar"],
            ..Names::default()
        }));
    }

    #[test]
    fn what_lies_in_a_file_that_is_left_out_is_left_out() {
        let text =
            "SCOREP_FILE_NAMES_BEGIN EXCLUDE */lib/* INCLUDE */lib/keep.c SCOREP_FILE_NAMES_END\n\
                    SCOREP_REGION_NAMES_BEGIN INCLUDE f SCOREP_REGION_NAMES_END";
        let filter = parse(text).unwrap();
        let of = |file| {
            filter.leaves_out(Names {
                plain: &["f"],
                mangled: None,
                file,
            })
        };
        assert!(of(Some("/src/lib/a.c")));
        assert!(!of(Some("/src/lib/keep.c")));
        assert!(!of(Some("/src/a.c")));
        assert!(!of(None));
        assert!(filter.asks_for_files());
    }
}
