//! Names as patterns.

/// Words that mean something where a name may stand.
const WORDS: [&str; 7] = [
    "EXCLUDE",
    "INCLUDE",
    "MANGLED",
    "SCOREP_REGION_NAMES_BEGIN",
    "SCOREP_REGION_NAMES_END",
    "SCOREP_FILE_NAMES_BEGIN",
    "SCOREP_FILE_NAMES_END",
];

/// Returns a name as a pattern of a filter file that fits it alone.
pub fn literal(name: &str) -> String {
    let is_special = |letter: char| letter.is_whitespace() || "*?[\\#".contains(letter);
    let mut pattern = String::new();
    pattern.extend(WORDS.contains(&name).then_some('\\'));
    for letter in name.chars() {
        pattern.extend(is_special(letter).then_some('\\'));
        pattern.push(letter);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::super::{parse, Names};
    use super::*;

    /// Expects that the pattern of a name fits it, and no other.
    #[track_caller]
    fn check(name: &str, others: &[&str]) {
        let pattern = literal(name);
        let text = format!("SCOREP_REGION_NAMES_BEGIN EXCLUDE {pattern} SCOREP_REGION_NAMES_END");
        let filter = parse(&text).unwrap();
        let is_left_out = |name: &str| {
            filter.leaves_out(Names {
                plain: &[name],
                ..Names::default()
            })
        };
        assert!(is_left_out(name), "{pattern}");
        assert!(!others.iter().any(|it| is_left_out(it)), "{pattern}");
    }

    #[test]
    fn a_name_is_found_again_and_no_other() {
        check("tiny", &["tin", "tiny2", "Tiny"]);
        check("C::operator[](int*) const", &["C::operator[](int) const"]);
        check("a # b", &["a", "a b"]);
        check("operator*", &["operatorx"]);
        check("f?\\", &["fx\\", "f?"]);
        check("EXCLUDE", &["INCLUDE"]);
        check("SCOREP_REGION_NAMES_END", &["SCOREP_REGION_NAMES_BEGIN"]);
    }
}
