//! Sets of ranks, as one types and reads them: `0-2,5`.

use std::collections::BTreeSet;
use std::fmt;

/// A set of ranks of MPI_COMM_WORLD.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Ranks(BTreeSet<u32>);

impl Ranks {
    /// Reads `all`, or numbers and ranges such as `0,2-3`, out of the ranks there are.
    pub fn parse(text: &str, all: &Ranks) -> Result<Ranks, String> {
        if text.trim() == "all" {
            return Ok(all.clone());
        }
        let mut ranks = BTreeSet::new();
        for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<u32>();
            let (Ok(first), Ok(last)) = (number(first), number(last)) else {
                return Err(format!(
                    "`{part}`: ranks such as 0,2-3 or `all` are expected"
                ));
            };
            let found: Vec<u32> = all.0.range(first..=last.max(first)).copied().collect();
            if first > last || found.len() as u64 != u64::from(last - first) + 1 {
                return Err(format!("`{part}`: there are ranks {all}"));
            }
            ranks.extend(found);
        }
        match ranks.is_empty() {
            true => Err(format!("no ranks named: there are {all}")),
            false => Ok(Ranks(ranks)),
        }
    }

    /// Returns the ranks in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }

    /// Returns whether a rank is among them.
    pub fn contains(&self, rank: u32) -> bool {
        self.0.contains(&rank)
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<u32> for Ranks {
    fn from_iter<I: IntoIterator<Item = u32>>(ranks: I) -> Ranks {
        Ranks(ranks.into_iter().collect())
    }
}

impl fmt::Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for rank in self.iter() {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == rank => *last = rank,
                _ => ranges.push((rank, rank)),
            }
        }
        let texts: Vec<String> = ranges.iter().map(range).collect();
        f.write_str(&texts.join(","))
    }
}

fn range(&(first, last): &(u32, u32)) -> String {
    match last - first {
        0 => first.to_string(),
        1 => format!("{first},{last}"),
        _ => format!("{first}-{last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let all = [0, 1, 2, 3, 5].into_iter().collect();
        let found = Ranks::parse(text, &all);
        assert_eq!(
            found.map_or_else(|error| error, |ranks| ranks.to_string()),
            expected
        );
    }

    #[test]
    fn sets_are_read_and_written() {
        check("all", "0-3,5");
        check("0,2-3", "0,2,3");
        check("1-3 5", "1-3,5");
        check(" 2 ", "2");
    }

    #[test]
    fn ranks_that_are_not_there_are_named() {
        check("3-5", "`3-5`: there are ranks 0-3,5");
        check("7", "`7`: there are ranks 0-3,5");
        check("2-1", "`2-1`: there are ranks 0-3,5");
        check("0-4294967295", "`0-4294967295`: there are ranks 0-3,5");
        check("x", "`x`: ranks such as 0,2-3 or `all` are expected");
        check(",", "no ranks named: there are 0-3,5");
    }
}
