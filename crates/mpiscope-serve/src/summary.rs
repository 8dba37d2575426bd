//! Answers about a window of time.

use std::collections::BTreeMap;

use mpiscope_tiles::summary::{Amount, Node, OfCalls, Summary};
use mpiscope_tiles::{Done, NONE};
use serde_json::{json, Value};

use crate::answer::{Answer, Asked, Told};

/// Rows of a matrix, at most.
const MOST_ROWS: usize = 256;

/// Answers `summary`.
pub(crate) fn summary(asked: &Asked) -> Told {
    let bad = |what| Answer::error(400, what);
    let from = asked.question.moment("from").map_err(bad)?.unwrap_or(0);
    let to = asked.question.moment("to").map_err(bad)?;
    // The last event is in it, too.
    let to = to.unwrap_or(asked.clock.length().saturating_add(1));
    let rows = asked.question.parameter("rows").unwrap_or_default();
    let rows = numbers(rows, asked.clock.run.rows.len()).map_err(bad)?;
    let found = asked.clock.summary(from..to, &rows);
    let mut cut = found.cut.clone();
    let matrix = matrix(&found, &mut cut);
    Ok(Answer::json(&json!({
        "from": from,
        "to": to,
        "rows": found.rows,
        "classes": found.done.classes(),
        "waiting": found.done.waiting(),
        "regions": found.regions.iter().map(calls).collect::<Vec<_>>(),
        "sites": found.sites.iter().map(calls).collect::<Vec<_>>(),
        "places": places(asked, &found),
        "balance": found.balance.iter().map(row).collect::<Vec<_>>(),
        "matrix": matrix,
        "sizes": sizes(&found.traffic.sizes),
        "tree": tree(&found.tree),
        "complete": cut.is_empty(),
        "note": (!cut.is_empty()).then(|| cut.join("; ")),
    })))
}

/// Reads numbers and ranges of them, `0-3,7`, as far as there are so many.
fn numbers(text: &str, many: usize) -> Result<Vec<u32>, String> {
    let last = (many as u32).saturating_sub(1);
    let mut numbers = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| {
            let wrong = |_| format!("rows={text}: numbers and ranges, such as 0-3,7, are expected");
            text.parse::<u32>().map_err(wrong)
        };
        numbers.extend(number(from)?..=number(to)?.min(last));
        if numbers.len() > 4 * many.max(1) {
            return Err("rows: more are named than there are".to_owned());
        }
    }
    // What names only rows that are not there names no row, and not all.
    if numbers.is_empty() && !text.is_empty() {
        numbers.push(u32::MAX);
    }
    Ok(numbers)
}

fn calls(it: &OfCalls) -> Value {
    json!({
        "region": it.region,
        "site": (it.site != NONE).then_some(it.site),
        "calls": it.calls,
        "inclusive": it.inclusive,
        "exclusive": it.exclusive,
        "waiting": it.waiting,
    })
}

/// Returns how each call site that is told is written, by number.
fn places(asked: &Asked, found: &Summary) -> BTreeMap<u32, String> {
    let sites = &asked.clock.run.trace.definitions.call_sites;
    let place = |site: u32| Some((site, sites.get(site as usize)?.to_string()));
    found.sites.iter().filter_map(|it| place(it.site)).collect()
}

fn row((row, done): &(u32, Done)) -> Value {
    json!({ "row": row, "classes": done.classes(), "waiting": done.waiting() })
}

fn matrix(found: &Summary, cut: &mut Vec<String>) -> Value {
    let pairs = &found.traffic.pairs;
    let mut rows: Vec<u32> = pairs.keys().flat_map(|(from, to)| [*from, *to]).collect();
    rows.sort_unstable();
    rows.dedup();
    if rows.len() > MOST_ROWS {
        rows.truncate(MOST_ROWS);
        cut.push(format!("the matrix has the first {MOST_ROWS} rows"));
    }
    let cells = |of: fn(&Amount) -> u64| -> Vec<Vec<u64>> {
        let cell = |from, to| pairs.get(&(from, to)).map_or(0, of);
        let row = |from: &u32| rows.iter().map(|to| cell(*from, *to)).collect();
        rows.iter().map(row).collect()
    };
    json!({ "rows": rows, "count": cells(|it| it.count), "bytes": cells(|it| it.bytes) })
}

fn sizes(sizes: &[Amount]) -> Vec<Value> {
    let size = |(class, it): (usize, &Amount)| {
        let (from, to) = match class {
            0 => (0, 0),
            class => (1u64 << (class - 1), u64::MAX >> (64 - class)),
        };
        json!({ "from": from, "to": to, "count": it.count, "bytes": it.bytes })
    };
    sizes.iter().enumerate().map(size).collect()
}

fn tree(node: &Node) -> Value {
    json!({
        "region": (node.region != NONE).then_some(node.region),
        "site": (node.site != NONE).then_some(node.site),
        "calls": node.calls,
        "time": node.time,
        "children": node.children.iter().map(tree).collect::<Vec<_>>(),
    })
}

/// Answers `members`.
pub(crate) fn members(asked: &Asked) -> Told {
    let members = asked.clock.members(asked.part(0)?);
    let members = members.ok_or_else(|| Answer::none("collective operation"))?;
    Ok(Answer::json(&json!({
        "rows": members.iter().map(|it| it.0).collect::<Vec<_>>(),
        "enter": members.iter().map(|it| it.1).collect::<Vec<_>>(),
        "leave": members.iter().map(|it| it.2).collect::<Vec<_>>(),
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_numbers_and_ranges() {
        assert_eq!(numbers("", 9), Ok(vec![]));
        assert_eq!(numbers("0-2,7", 9), Ok(vec![0, 1, 2, 7]));
        assert_eq!(numbers("7-99999999", 9), Ok(vec![7, 8]));
        assert_eq!(numbers("77", 9), Ok(vec![u32::MAX]));
        assert!(numbers("a", 9).is_err());
        assert!(numbers("0-3-", 9).is_err());
    }

    #[test]
    fn sizes_are_powers_of_two() {
        let all = vec![Amount::default(); 65];
        let told = sizes(&all);
        assert_eq!(told[1]["to"], 1);
        assert_eq!(
            (&told[11]["from"], &told[11]["to"]),
            (&json!(1024), &json!(2047))
        );
        assert_eq!(told[64]["to"], u64::MAX);
    }
}
