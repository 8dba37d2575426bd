//! What a forced run did otherwise than the recorded order does.
//!
//! The recorded order, replayed twice, tells what differs by itself: lines with
//! times of day, files with dates. These are left out. Numbers are what differs
//! in such a line, so all lines that are like it but for numbers are left out.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// What a run left.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Left {
    /// Exit code, as a shell would say it.
    pub code: u8,
    /// Standard output.
    pub out: String,
    /// Hash of each file that was asked for; of one that it did not write, nothing.
    pub files: BTreeMap<String, Option<u64>>,
    /// What its ranks received.
    #[serde(default)]
    pub received: Vec<Received>,
}

/// A place at which a rank receives.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ReceivePlace {
    /// World rank.
    pub rank: u32,
    /// Name of the MPI function.
    pub function: String,
    /// File and line, else module and offset; empty if not known.
    pub at: String,
}

impl ReceivePlace {
    /// Names it.
    pub fn shown(&self) -> String {
        format!("rank {} in {}", self.rank, self.call())
    }

    fn call(&self) -> String {
        match self.at.is_empty() {
            true => self.function.clone(),
            false => format!("{} at {}", self.function, self.at),
        }
    }
}

/// What was received there, in whatever order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// Where.
    pub place: ReceivePlace,
    /// The first call there, counted among those of the rank that received something.
    pub first: u64,
    /// The sum of the hashes.
    pub data: u64,
}

/// What to compare with, and what not to compare.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// A replay of the recorded order.
    pub left: Left,
    /// Lines that are not compared, `#` in place of numbers.
    pub unstable: BTreeSet<String>,
    /// Files that are not compared.
    pub unstable_files: BTreeSet<String>,
    /// Places at which what is received is not compared.
    #[serde(default)]
    pub unstable_places: BTreeSet<ReceivePlace>,
    /// Whether lines came in the same order both times.
    pub in_order: bool,
    /// Seconds that the longer one took.
    pub seconds: f64,
    /// The recorded order does not come to an end, nor did the recorded run:
    /// what counts is whether another one does.
    #[serde(default)]
    pub hangs: bool,
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Another exit code.
    Exit(u8, u8),
    /// The first line that the one has and the other has not, of each.
    Output(Option<String>, Option<String>),
    /// The same lines in another order: the first two that differ.
    Order(String, String),
    /// Files with another content.
    Files(Vec<String>),
    /// Other data received by a rank: where first.
    Received(ReceivePlace),
}

impl Baseline {
    /// Finds out what two replays of the same order have in common.
    pub fn of(first: Left, second: &Left, seconds: f64) -> Baseline {
        let (only_first, only_second) = only(&lines(&first.out), &lines(&second.out));
        let unstable = only_first.iter().chain(&only_second);
        let unstable: BTreeSet<String> = unstable.map(|line| pattern(line)).collect();
        let differ = |name: &&String| first.files.get(*name) != second.files.get(*name);
        let names = first.files.keys().chain(second.files.keys());
        let mut baseline = Baseline {
            unstable,
            unstable_files: names.filter(differ).cloned().collect(),
            unstable_places: otherwise(&first.received, &second.received)
                .map(|(place, _)| place.clone())
                .collect(),
            seconds,
            ..Baseline::default()
        };
        baseline.in_order = baseline.stable(&first.out) == baseline.stable(&second.out);
        baseline.left = first;
        baseline
    }

    fn stable<'a>(&self, out: &'a str) -> Vec<&'a str> {
        let is_stable =
            |line: &&str| self.unstable.is_empty() || !self.unstable.contains(&pattern(line));
        lines(out).into_iter().filter(is_stable).collect()
    }

    /// Returns what a run did otherwise.
    pub fn differences(&self, left: &Left) -> Vec<Difference> {
        let mut found = Vec::new();
        if left.code != self.left.code {
            found.push(Difference::Exit(self.left.code, left.code));
        }
        let (was, is) = (self.stable(&self.left.out), self.stable(&left.out));
        let (only_was, only_is) = only(&was, &is);
        let first = |lines: &[&str]| lines.first().map(|line| (*line).to_owned());
        if !only_was.is_empty() || !only_is.is_empty() {
            found.push(Difference::Output(first(&only_was), first(&only_is)));
        } else if self.in_order && was != is {
            let pair = was.iter().zip(&is).find(|(a, b)| a != b);
            found.extend(pair.map(|(a, b)| Difference::Order((*a).into(), (*b).into())));
        }
        let files = self.files(left);
        if !files.is_empty() {
            found.push(Difference::Files(files));
        }
        found.extend(self.received(left).into_iter().map(Difference::Received));
        found
    }

    /// Returns where each rank first received something else.
    fn received(&self, left: &Left) -> Vec<ReceivePlace> {
        // A run that nobody looked at in this way, or that left no word, is not compared.
        if self.left.received.is_empty() || left.received.is_empty() {
            return Vec::new();
        }
        let mut first: BTreeMap<u32, (u64, &ReceivePlace)> = BTreeMap::new();
        for (place, at) in otherwise(&self.left.received, &left.received) {
            if self.unstable_places.contains(place) {
                continue;
            }
            let known = first.entry(place.rank).or_insert((at, place));
            *known = (*known).min((at, place));
        }
        first
            .into_values()
            .map(|(_, place)| place.clone())
            .collect()
    }

    fn files(&self, left: &Left) -> Vec<String> {
        let names: BTreeSet<&String> = self.left.files.keys().chain(left.files.keys()).collect();
        let content = |files: &BTreeMap<String, Option<u64>>, name: &String| {
            files.get(name).copied().flatten()
        };
        let differs = |name: &&&String| {
            !self.unstable_files.contains(**name)
                && content(&self.left.files, name) != content(&left.files, name)
        };
        names
            .iter()
            .filter(differs)
            .map(|name| (*name).clone())
            .collect()
    }
}

impl Difference {
    /// Says it in a sentence.
    pub fn sentence(&self) -> String {
        let shown = |line: &Option<String>| match line {
            Some(line) => format!("`{}`", shortened(line)),
            None => "nothing".to_owned(),
        };
        match self {
            Difference::Exit(was, is) => format!("exit code {is}, not {was}"),
            Difference::Output(was, is) => format!("prints {}, not {}", shown(is), shown(was)),
            Difference::Order(was, is) => {
                format!("prints `{}` before `{}`", shortened(is), shortened(was))
            }
            Difference::Files(files) => format!("writes otherwise: {}", files.join(", ")),
            Difference::Received(place) => {
                let ReceivePlace { rank, .. } = place;
                let call = place.call();
                format!("rank {rank} receives other data, first in {call}")
            }
        }
    }
}

/// Returns the places at which two runs received other data, and how early.
fn otherwise<'a>(
    a: &'a [Received],
    b: &'a [Received],
) -> impl Iterator<Item = (&'a ReceivePlace, u64)> {
    let index = |all: &'a [Received]| {
        let all = all.iter().map(|it| (&it.place, (it.first, it.data)));
        all.collect::<BTreeMap<_, _>>()
    };
    let (a, b) = (index(a), index(b));
    let places: BTreeSet<&ReceivePlace> = a.keys().chain(b.keys()).copied().collect();
    places
        .into_iter()
        .filter_map(move |place| match (a.get(place), b.get(place)) {
            (Some(a), Some(b)) if a.1 == b.1 => None,
            (a, b) => {
                let first = a.into_iter().chain(b).map(|it| it.0).min();
                Some((place, first?))
            }
        })
}

fn shortened(line: &str) -> String {
    const MOST: usize = 100;
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn lines(out: &str) -> Vec<&str> {
    out.lines().map(str::trim_end).collect()
}

/// Returns the lines that only the one has and those that only the other has,
/// in their order; a line that stands there twice counts twice.
fn only<'a>(a: &[&'a str], b: &[&'a str]) -> (Vec<&'a str>, Vec<&'a str>) {
    let without = |from: &[&'a str], these: &[&'a str]| {
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for line in these {
            *count.entry(line).or_default() += 1;
        }
        let is_more = |line: &&&str| match count.get_mut(**line) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        };
        from.iter().filter(is_more).copied().collect()
    };
    (without(a, b), without(b, a))
}

/// Puts `#` in place of every number.
fn pattern(line: &str) -> String {
    let mut pattern = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        if !c.is_ascii_digit() {
            pattern.push(c);
            continue;
        }
        pattern.push('#');
        while characters
            .next_if(|c| c.is_ascii_digit() || *c == '.')
            .is_some()
        {}
        let mut rest = characters.clone();
        if rest.next_if(|c| matches!(c, 'e' | 'E')).is_some() {
            rest.next_if(|c| matches!(c, '+' | '-'));
            if rest.peek().is_some_and(char::is_ascii_digit) {
                while rest.next_if(char::is_ascii_digit).is_some() {}
                characters = rest;
            }
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(out: &str) -> Left {
        Left {
            out: out.into(),
            ..Left::default()
        }
    }

    #[track_caller]
    fn check(replays: [&str; 2], run: &str, expected: &[&str]) {
        let baseline = Baseline::of(left(replays[0]), &left(replays[1]), 1.0);
        let differences = baseline.differences(&left(run));
        let sentences: Vec<String> = differences.iter().map(Difference::sentence).collect();
        assert_eq!(sentences, expected);
    }

    #[test]
    fn a_line_that_differs_is_shown_with_what_it_was() {
        check(
            ["a\nsum 3\n"; 2],
            "a\nsum 4\n",
            &["prints `sum 4`, not `sum 3`"],
        );
        check(["a\nb\n"; 2], "a\n", &["prints nothing, not `b`"]);
        check(["a\n"; 2], "a\n", &[]);
    }

    #[test]
    fn lines_that_differ_by_themselves_are_not_compared() {
        check(
            ["took 0.31 s\nsum 3", "took 2e-05 s\nsum 3"],
            "took 7 s\nsum 3",
            &[],
        );
        check(
            ["took 0.31 s\nsum 3", "took 0.32 s\nsum 3"],
            "took 7 s\nsum 4",
            &["prints `sum 4`, not `sum 3`"],
        );
    }

    #[test]
    fn the_order_of_lines_counts_where_it_was_the_same_twice() {
        check(["a\nb"; 2], "b\na", &["prints `b` before `a`"]);
        check(["a\nb", "b\na"], "b\na", &[]);
    }

    fn receiving(data: [u64; 3]) -> Left {
        let places = [(0, "a"), (0, "b"), (1, "a")];
        let received = places.iter().zip(data).zip([7, 3, 1]);
        let received = received.map(|((&(rank, function), data), first)| Received {
            place: ReceivePlace {
                rank,
                function: function.into(),
                at: String::new(),
            },
            first,
            data,
        });
        Left {
            received: received.collect(),
            ..Left::default()
        }
    }

    #[test]
    fn each_rank_that_receives_other_data_is_told_where_first() {
        let [first, second] = [[1, 2, 3], [1, 2, 4]].map(receiving);
        let baseline = Baseline::of(first, &second, 1.0);
        let places = |data| {
            let found = baseline.differences(&receiving(data)).into_iter();
            let sentences = found.map(|it| it.sentence());
            sentences.collect::<Vec<_>>()
        };
        assert_eq!(
            places([5, 6, 7]),
            ["rank 0 receives other data, first in b"]
        );
        assert_eq!(
            places([5, 2, 7]),
            ["rank 0 receives other data, first in a"]
        );
        assert!(places([1, 2, 7]).is_empty(), "rank 1 differs by itself");
        assert!(baseline.differences(&Left::default()).is_empty());
    }

    #[test]
    fn exit_codes_and_files_count() {
        let files = |hash| {
            BTreeMap::from([
                ("x".to_owned(), Some(hash)),
                ("log".to_owned(), Some(hash * 7)),
            ])
        };
        let run = |code, hash| Left {
            code,
            files: files(hash),
            ..Left::default()
        };
        let mut second = run(0, 1);
        second.files.insert("log".into(), Some(99));
        let baseline = Baseline::of(run(0, 1), &second, 1.0);
        let differences = baseline.differences(&run(3, 2));
        let expected = [Difference::Exit(0, 3), Difference::Files(vec!["x".into()])];
        assert_eq!(differences, expected);
    }
}
