//! Wildcards as the shell's (POSIX, fnmatch without flags): `*`, `?`, `[a-z]`,
//! `[!a-z]`, and a backslash before what is meant as it is.

/// Returns whether a pattern fits a whole name. Slashes are letters like others.
pub fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    // Where to go on if it does not fit: behind the latest star, one letter further.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            p += 1;
            star = Some((p, n));
            continue;
        }
        match one(&pattern[p..], name[n]) {
            Some(length) => (p, n) = (p + length, n + 1),
            None => match &mut star {
                Some((behind, from)) => {
                    *from += 1;
                    (p, n) = (*behind, *from);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&letter| letter == '*')
}

/// Returns how much of a pattern stands for one letter, if it does for this one.
fn one(pattern: &[char], letter: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['\\', meant, ..] => (*meant == letter).then_some(2),
        ['[', rest @ ..] => match set(rest, letter) {
            Some((length, is_in)) => is_in.then_some(1 + length),
            None => (letter == '[').then_some(1), // not closed: no set
        },
        [same, ..] => (*same == letter).then_some(1),
        [] => None,
    }
}

/// Reads a set behind its bracket; returns its length and whether a letter is in it.
fn set(pattern: &[char], letter: char) -> Option<(usize, bool)> {
    let negated = matches!(pattern.first(), Some('!' | '^'));
    let begin = usize::from(negated);
    let mut at = begin;
    let mut is_in = false;
    loop {
        let first = match *pattern.get(at)? {
            ']' if at > begin => return Some((at + 1, is_in != negated)),
            '\\' => {
                at += 1;
                *pattern.get(at)?
            }
            first => first,
        };
        at += 1;
        let mut last = first;
        if let ['-', end, ..] = pattern.get(at..)? {
            if *end != ']' {
                last = *end;
                at += 2;
            }
        }
        is_in |= (first..=last).contains(&letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, fit: &[&str], others: &[&str]) {
        for name in fit {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for name in others {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn wildcards_are_the_shells() {
        check("", &[""], &["a"]);
        check("*", &["", "a", "a/b"], &[]);
        check(
            "foo*bar",
            &["foobar", "foo bar", "foobarbar"],
            &["foobarx", "fobar"],
        );
        check("*/a.c", &["/a.c", "/x/y/a.c"], &["a.c", "/a.cc"]);
        check("a?c", &["abc"], &["ac", "abbc"]);
        check("[a-c]x[!0-9]", &["axa", "cx]"], &["dxa", "ax5"]);
        check("[]a]", &["]", "a"], &["b"]);
        check("operator[[]]", &["operator[]"], &["operator["]);
        check(r"operator\*", &["operator*"], &["operatorx"]);
        check("f(int, [^d]*)", &["f(int, int)"], &["f(int, double)"]);
        check("a[b", &["a[b"], &["ab"]);
        check("*a*b*c*", &["xaxbxcx", "abc"], &["acb"]);
    }

    /// All names of up to four letters against all patterns of up to four, by trying all ways.
    #[test]
    fn it_fits_what_trying_all_ways_says() {
        fn words(letters: &[char], longest: usize) -> Vec<String> {
            let mut all = vec![String::new()];
            let mut latest = all.clone();
            for _ in 0..longest {
                let longer = latest
                    .iter()
                    .flat_map(|word| letters.iter().map(move |letter| format!("{word}{letter}")));
                latest = longer.collect();
                all.extend(latest.iter().cloned());
            }
            all
        }
        fn any_way(pattern: &[char], name: &[char]) -> bool {
            match (pattern, name) {
                ([], []) => true,
                (['*', rest @ ..], _) => {
                    any_way(rest, name) || (!name.is_empty() && any_way(pattern, &name[1..]))
                }
                (['?', rest @ ..], [_, name @ ..]) => any_way(rest, name),
                ([p, rest @ ..], [n, name @ ..]) if p == n => any_way(rest, name),
                _ => false,
            }
        }
        let names = words(&['a', 'b'], 4);
        for pattern in words(&['a', '*', '?', 'b'], 4) {
            let letters: Vec<char> = pattern.chars().collect();
            for name in &names {
                let expected = any_way(&letters, &name.chars().collect::<Vec<_>>());
                assert_eq!(fits(&pattern, name), expected, "{pattern} {name}");
            }
        }
    }
}
