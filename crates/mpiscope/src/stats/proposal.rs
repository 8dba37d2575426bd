//! A filter for the next trace: procedures that are entered often and are soon over cost more in
//! a trace than they tell.

use std::collections::BTreeMap;
use std::path::Path;

use mpiscope_archive::model::statistics::{Figures, Statistics};
use mpiscope_archive::model::structure::Kind;

use crate::report::show;

/// Entries, of all processes, from which on a procedure is often entered.
const OFTEN: u64 = 10_000;
/// Nanoseconds in the mean, what it calls included, below which it is soon over: enter and leave
/// take some forty in a trace.
const SHORT: u64 = 5_000;

/// Returns what is to be left out, by name: entries, and nanoseconds in the mean.
fn proposed(statistics: &Statistics) -> Vec<(&str, u64, u64)> {
    let mut procedures: BTreeMap<&str, Figures> = BTreeMap::new();
    for record in &statistics.records {
        let Some(statement) = statistics.statements.get(record.statement) else {
            continue;
        };
        if statement.kind == Kind::Procedure && statement.timed && !statement.name.is_empty() {
            let sum = procedures.entry(&statement.name).or_default();
            sum.add(&record.figures);
        }
    }
    let all = procedures.into_iter();
    let mean = |sum: &Figures| sum.time / sum.calls.max(1);
    let mut all: Vec<_> = all
        .filter(|(_, sum)| sum.calls >= OFTEN && mean(sum) < SHORT)
        .map(|(name, sum)| (name, sum.calls, mean(&sum)))
        .collect();
    all.sort_by_key(|&(name, calls, _)| (std::cmp::Reverse(calls), name));
    all
}

/// Returns a filter file in Score-P's syntax, and how many procedures it leaves out.
pub fn filter(run: &Path, statistics: &Statistics) -> (String, usize) {
    let rules = proposed(statistics);
    let (often, short) = (show::count(OFTEN), show::duration(SHORT as f64));
    let mut lines = vec![
        format!("# Proposed from the statistics of {}", run.display()),
        format!(
            "# Procedures that were entered at least {often} times and took less than {short} each"
        ),
        "SCOREP_REGION_NAMES_BEGIN".to_owned(),
    ];
    lines.extend(rules.iter().map(|&(name, calls, mean)| {
        let (calls, mean) = (show::count(calls), show::duration(mean as f64));
        format!("  EXCLUDE {} # {calls} entries, {mean} each", escaped(name))
    }));
    lines.push("SCOREP_REGION_NAMES_END".to_owned());
    (lines.join("\n"), rules.len())
}

/// Returns a name as a pattern that fits it alone.
fn escaped(name: &str) -> String {
    let is_special = |letter: char| letter.is_whitespace() || "*?[\\#".contains(letter);
    let mut pattern = String::new();
    for letter in name.chars() {
        pattern.extend(is_special(letter).then_some('\\'));
        pattern.push(letter);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use mpiscope_archive::model::statistics::{Record, Statement};
    use mpiscope_run::filter::{parse, Names};

    use super::*;

    fn statistics(procedures: &[(&str, u64, u64)]) -> Statistics {
        let statement = |&(name, ..): &(&str, u64, u64)| Statement {
            kind: Kind::Procedure,
            name: name.to_owned(),
            timed: true,
            ..Statement::default()
        };
        let record = |(statement, &(_, calls, time)): (usize, &(&str, u64, u64))| Record {
            statement,
            figures: Figures {
                calls,
                time,
                ..Figures::default()
            },
            ..Record::default()
        };
        Statistics {
            statements: procedures.iter().map(statement).collect(),
            records: procedures.iter().enumerate().map(record).collect(),
            ranks: Vec::new(),
        }
    }

    #[test]
    fn what_is_often_entered_and_soon_over_is_proposed() {
        let names = [
            ("often and short", 20_000, 20_000_000),
            ("often and long", 20_000, 200_000_000),
            ("seldom", 9_999, 9_999),
            ("C::operator[](int*) const", 30_000, 3_000_000),
        ];
        let (text, rules) = filter(Path::new("run"), &statistics(&names));
        assert_eq!(rules, 2, "{text}");
        let filter = parse(&text).unwrap();
        let is_left_out = |name| {
            filter.leaves_out(Names {
                plain: &[name],
                ..Names::default()
            })
        };
        assert_eq!(
            names.map(|(name, ..)| is_left_out(name)),
            [true, false, false, true]
        );
    }

    #[test]
    fn calls_of_one_procedure_from_many_places_are_one() {
        let (text, rules) = filter(
            Path::new("run"),
            &statistics(&[("f", 6_000, 0), ("f", 6_000, 0)]),
        );
        assert_eq!(rules, 1);
        assert!(
            text.contains("  EXCLUDE f # 12,000 entries, 0 ns each"),
            "{text}"
        );
    }
}
