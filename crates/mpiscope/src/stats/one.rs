//! What stands in one line: by caller, by peer, and what lies in it.

use anyhow::{ensure, Result};
use mpiscope_analysis::statistics::{groups, tree, By, Node, Of};
use mpiscope_archive::model::statistics::{Kind, Statement, Statistics};

use super::{labels, listing, text};
use crate::cli::{ByWhat, SourceLine};

/// Everything that is known of a line.
pub fn text(statistics: &Statistics, place: &SourceLine) -> Result<String> {
    let found: Vec<usize> = (0..statistics.statements.len())
        .filter(|&number| stands_at(&statistics.statements[number], place))
        .collect();
    ensure!(
        !found.is_empty(),
        "nothing was counted at {}:{}: `mpiscope stats` lists what was",
        place.file,
        place.line
    );
    let root = tree(statistics);
    let parts = found
        .into_iter()
        .map(|number| describe(statistics, &root, number));
    Ok(parts.collect::<Vec<_>>().join("\n\n"))
}

/// A statement stands where it begins; a call of several lines in any of them.
fn stands_at(statement: &Statement, place: &SourceLine) -> bool {
    let wanted = place.file.trim_start_matches("./");
    let same = statement.file == wanted || statement.file.ends_with(&format!("/{wanted}"));
    let lines = match statement.kind {
        Kind::Procedure | Kind::Loop => statement.line..=statement.line,
        Kind::Call | Kind::Communication => statement.line..=statement.end.max(statement.line),
    };
    same && lines.contains(&place.line)
}

fn describe(statistics: &Statistics, root: &Node, number: usize) -> String {
    let kind = statistics.statements[number].kind;
    let own = |record: &&mpiscope_archive::model::statistics::Record| match kind {
        Kind::Call => record.caller == Some(number),
        _ => record.statement == number,
    };
    let alone = Statistics {
        statements: statistics.statements.clone(),
        records: statistics.records.iter().filter(own).cloned().collect(),
        ranks: statistics.ranks.clone(),
    };
    let title = labels::numbered(statistics, number);
    if alone.records.is_empty() {
        return format!("{title}: never executed, or not timed");
    }
    let mut parts = vec![title];
    match kind {
        Kind::Communication => {
            parts.extend([ByWhat::Peer, ByWhat::Rank].map(|by| listing::by(&alone, by)));
            parts.push(listing::messages(&alone, |_| true));
        }
        Kind::Procedure | Kind::Call => parts.push(listing::by(&alone, ByWhat::Procedure)),
        Kind::Loop => parts.push(listing::by(&alone, ByWhat::Loop)),
    }
    let whole = groups(&alone, By::Procedure);
    let called: Vec<usize> = whole
        .iter()
        .map(|group| match group.of {
            Of::Procedure(procedure, _) => procedure,
            _ => number,
        })
        .collect();
    let wanted = |node: &Node| {
        let here = node
            .statement
            .is_some_and(|s| s == number || called.contains(&s));
        here && !node.children.is_empty()
    };
    if let Some(node) = find(root, &wanted) {
        parts.push(text::tree(statistics, node));
    }
    parts.join("\n")
}

fn find<'a>(node: &'a Node, wanted: &impl Fn(&Node) -> bool) -> Option<&'a Node> {
    if wanted(node) {
        return Some(node);
    }
    node.children.iter().find_map(|child| find(child, wanted))
}
