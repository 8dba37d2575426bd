//! Which ranks record, as one types it: `0-3,7`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A choice of ranks of MPI_COMM_WORLD, whose size nobody has to know: first and last of each part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankChoice(Vec<(u32, u32)>);

impl RankChoice {
    /// Returns whether a rank is among them.
    pub fn contains(&self, rank: u32) -> bool {
        let mut parts = self.0.iter();
        parts.any(|&(first, last)| (first..=last).contains(&rank))
    }

    /// Returns those that a world of so many ranks does not have, as parts of what was typed.
    pub fn beyond(&self, world: u32) -> Option<RankChoice> {
        let parts = self.0.iter().filter(|(_, last)| *last >= world);
        let beyond: Vec<_> = parts
            .map(|&(first, last)| (first.max(world), last))
            .collect();
        (!beyond.is_empty()).then_some(RankChoice(beyond))
    }
}

impl FromStr for RankChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<u32>();
            match (number(first), number(last)) {
                (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
                _ => Err(format!("`{part}`: ranks such as 0-3,7 are expected")),
            }
        };
        text.split(',')
            .map(part)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl fmt::Display for RankChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |&(first, last): &(u32, u32)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        let parts: Vec<String> = self.0.iter().map(part).collect();
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_are_typed() {
        let choice: RankChoice = "0-3,7".parse().unwrap();
        let chosen: Vec<u32> = (0..10).filter(|&rank| choice.contains(rank)).collect();
        assert_eq!(chosen, [0, 1, 2, 3, 7]);
        assert_eq!(choice.to_string(), "0-3,7");
        assert_eq!(choice.beyond(8), None);
        assert_eq!(choice.beyond(2).unwrap().to_string(), "2-3,7");
    }

    #[test]
    fn what_is_no_choice_is_said() {
        for text in ["", "3-1", "x", "1,", "-1", "0-99999999999"] {
            let error = text.parse::<RankChoice>().unwrap_err();
            assert!(
                error.contains("ranks such as 0-3,7 are expected"),
                "{error}"
            );
        }
    }
}
