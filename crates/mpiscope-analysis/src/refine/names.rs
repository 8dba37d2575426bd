//! Names that a filter can stand on: it has to fit the region, and nothing that is to stay.
//!
//! The agent knows functions by their symbols, which debug information does not always have: of a
//! function of C++ that no other file sees it tells the last part of its name alone (`tiny`,
//! `operator()`, `apply<main(int, char**)::<lambda(int)> >`). A pattern that fits these in every
//! class would fit functions that this trace never saw. So they stay.

use std::path::Path;

use mpiscope_model::Region;

/// Endings of files in C++, in small letters.
const CPP: [&str; 16] = [
    "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "tcc", "inl", "cu", "cuh",
    "hip", "ixx",
];
/// Endings of files in languages whose functions have no more than a name.
const PLAIN: [&str; 9] = ["c", "f", "for", "ftn", "f77", "f90", "f95", "f03", "f08"];
/// Brackets that neither begin what a function takes nor belong to a template.
const NO_BRACKETS: [&str; 16] = [
    "operator()",
    "operator<=>",
    "operator<<=",
    "operator<<",
    "operator<=",
    "operator<",
    "operator>>=",
    "operator>>",
    "operator>=",
    "operator->*",
    "operator->",
    "operator>",
    "(anonymous namespace)",
    "(anonymous class)",
    "->",
    "=>",
];

/// Returns whether a filter can name a region of this name: one without a name of its own is called
/// by its place or by words of ours.
pub fn can_be_named(name: &str) -> bool {
    let place = name.rsplit_once("+0x").map(|(_, offset)| offset);
    let is_place = place.is_some_and(|it| u64::from_str_radix(it, 16).is_ok());
    let is_ours = ["user: MPI_", "user: mpiscope: ", "(no name)"]
        .iter()
        .any(|begin| name.starts_with(begin));
    let is_part = name.contains('(') && !is_full(name);
    !(name.is_empty() || is_place || is_ours || is_part || name.chars().any(char::is_control))
}

/// Returns whether a name tells what the function takes: it has a `(` outside of `<…>`.
pub fn is_full(name: &str) -> bool {
    let (mut rest, mut open) = (name, 0_u32);
    while let Some(letter) = rest.chars().next() {
        if let Some(after) = NO_BRACKETS.iter().find_map(|it| rest.strip_prefix(it)) {
            rest = after;
            continue;
        }
        match letter {
            '<' | '{' => open += 1,
            '>' | '}' => open = open.saturating_sub(1),
            '(' if open == 0 => return true,
            _ => {}
        }
        rest = &rest[letter.len_utf8()..];
    }
    false
}

/// Tells of the regions of a trace which debug information names only in part.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    /// Some of the program is in C++, and so may be what stands in a header.
    has_cpp: bool,
}

impl Parts {
    /// Looks at the program's own regions.
    pub fn of<'a>(mut own: impl Iterator<Item = &'a Region>) -> Parts {
        let is_cpp = |it: &Region| {
            let file = &it.source_file;
            !file.is_empty() && (is_full(&it.name) || kind(file) == Kind::Cpp)
        };
        Parts {
            has_cpp: own.any(is_cpp),
        }
    }

    /// Returns whether a region may have more of a name than is known. One without a file is called
    /// as its program or its symbol calls it.
    pub fn may_be_part(self, region: &Region) -> bool {
        !is_full(&region.name)
            && match kind(&region.source_file) {
                Kind::Plain => false,
                Kind::Cpp => true,
                Kind::Either => self.has_cpp,
            }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Cpp,
    Either,
}

/// Returns what a file's name tells of its language.
fn kind(file: &str) -> Kind {
    let ending = Path::new(file).extension().unwrap_or_default();
    let ending = ending.to_string_lossy();
    let small = ending.to_lowercase();
    match &*ending {
        _ if file.is_empty() => Kind::Plain,
        "C" | "H" => Kind::Cpp,
        _ if CPP.contains(&&*small) => Kind::Cpp,
        _ if PLAIN.contains(&&*small) => Kind::Plain,
        _ => Kind::Either,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_name_of_its_own_cannot_be_filtered() {
        for (name, named) in [
            ("tiny", true),
            ("heat::Grid::step(int) const", true),
            ("a+0x", true),
            ("int apply<main::{lambda(int)#1}>(int)", true),
            ("loop <1>", true),
            ("solver+0x11a9", false),
            ("user: MPI_Mine", false),
            ("(no name)", false),
            ("two\nlines", false),
            ("", false),
            ("operator()", false),
            ("apply<main(int, char**)::<lambda(int)> >", false),
            ("ns::(anonymous namespace)::tiny", false),
        ] {
            assert_eq!(can_be_named(name), named, "{name:?}");
        }
    }

    #[test]
    fn a_name_is_full_if_it_tells_what_the_function_takes() {
        for (name, full) in [
            ("f(int)", true),
            ("void f<(Kind)1>(A<int (*)()>)", true),
            ("ns::(anonymous namespace)::tiny(int)", true),
            ("g()::{lambda()#1}::operator()() const", true),
            ("A::operator<(A const&) const", true),
            ("A::operator>>(int)", true),
            ("A::operator->() const", true),
            ("decltype(a->b) f<A<(x->y)> >(int)", true),
            ("f", false),
            ("operator<", false),
            ("operator()", false),
            ("f<int (char)>", false),
            ("{lambda(int)#1}", false),
        ] {
            assert_eq!(is_full(name), full, "{name:?}");
        }
    }

    #[test]
    fn functions_of_cpp_that_are_named_in_part_are_told_by_their_files() {
        let region = |name: &str, file: &str| Region {
            name: name.to_owned(),
            source_file: file.to_owned(),
            ..Region::default()
        };
        let c = [region("main", "a.c"), region("tiny", "/x/a.h")];
        let parts = Parts::of(c.iter());
        assert!(!c.iter().any(|it| parts.may_be_part(it)));
        assert!(parts.may_be_part(&region("tiny", "a.cpp")));
        assert!(parts.may_be_part(&region("tiny", "a.C")));
        assert!(!parts.may_be_part(&region("tiny", "")));
        assert!(!parts.may_be_part(&region("heat::step", "heat.F90")));
        let cpp = [region("f(int)", "a.cc"), region("tiny", "/x/a.h")];
        let parts = Parts::of(cpp.iter());
        assert!(!parts.may_be_part(&cpp[0]));
        assert!(parts.may_be_part(&cpp[1]));
        assert!(!parts.may_be_part(&region("tiny", "a.c")));
    }
}
