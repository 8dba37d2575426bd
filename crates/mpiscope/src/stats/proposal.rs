//! A filter for the next trace: procedures that are entered often and are soon over cost more in
//! a trace than they tell.

use std::collections::BTreeMap;
use std::path::Path;

use mpiscope_analysis::refine::{can_be_named, BRIEF, OFTEN};
use mpiscope_archive::model::statistics::{Figures, Statistics};
use mpiscope_archive::model::structure::Kind;

use crate::proposed_filter::{text, LeftOut};

/// Returns what is to be left out, by name: entries, and nanoseconds in the mean.
fn proposed(statistics: &Statistics) -> Vec<(&str, u64, u64)> {
    let mut procedures: BTreeMap<&str, Figures> = BTreeMap::new();
    for record in &statistics.records {
        let Some(statement) = statistics.statements.get(record.statement) else {
            continue;
        };
        if statement.kind == Kind::Procedure && statement.timed && can_be_named(&statement.name) {
            let sum = procedures.entry(&statement.name).or_default();
            sum.add(&record.figures);
        }
    }
    let all = procedures.into_iter();
    let mean = |sum: &Figures| sum.time / sum.calls.max(1);
    let mut all: Vec<_> = all
        .filter(|(_, sum)| sum.calls >= OFTEN && (mean(sum) as i64) < BRIEF.0)
        .map(|(name, sum)| (name, sum.calls, mean(&sum)))
        .collect();
    all.sort_by_key(|&(name, calls, _)| (std::cmp::Reverse(calls), name));
    all
}

/// Returns a filter file in Score-P's syntax, and how many procedures it leaves out.
pub fn filter(run: &Path, statistics: &Statistics) -> (String, usize) {
    let rules: Vec<LeftOut> = (proposed(statistics).into_iter())
        .map(|(name, visits, mean_ns)| LeftOut {
            name,
            visits,
            mean_ns,
        })
        .collect();
    let head = format!("from the statistics of {}", run.display());
    (text(&head, None, &rules), rules.len())
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
            ("operator()", 30_000, 3_000_000),
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
            [true, false, false, true, false]
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
