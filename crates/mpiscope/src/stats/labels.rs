//! How statements, peers and figures are called.

use mpiscope_analysis::statistics::{Body, Node, Of, Spread};
use mpiscope_archive::model::statistics::{Figures, Kind, Peer, Statement, Statistics};

use crate::report::show;

/// Names a statement, with its place: `MPI_Send heat.c:42`.
pub fn statement(statement: &Statement) -> String {
    let place = statement.place();
    match place.is_empty() {
        true => statement.name.clone(),
        false => format!("{} {place}", statement.name),
    }
}

/// Names a statement by its number.
pub fn numbered(statistics: &Statistics, number: usize) -> String {
    (statistics.statements.get(number)).map_or_else(|| "?".into(), statement)
}

/// Names a node of the tree.
pub fn node(statistics: &Statistics, node: &Node) -> String {
    let Some(number) = node.statement else {
        return "program".into();
    };
    let mut text = numbered(statistics, number);
    if let Some(caller) = node
        .caller
        .and_then(|caller| statistics.statements.get(caller))
    {
        text += &format!(", called at {}", caller.place());
    }
    let is_loop = statistics.statements[number].kind == Kind::Loop;
    if is_loop && node.figures.messages > 0 {
        text += &format!(", {}", show::counted(node.figures.messages, "iteration"));
    }
    text + match node.body {
        Body::Here => "",
        Body::Shared => " (below: for all its callers)",
        Body::Elsewhere => " (its body: see there)",
        Body::Around => " (calls itself: counted above)",
    }
}

/// Names what records have in common.
pub fn of(statistics: &Statistics, of: Of) -> String {
    match of {
        Of::Statement(number) => numbered(statistics, number),
        Of::Procedure(number, caller) => {
            let name = numbered(statistics, number);
            match caller.and_then(|caller| statistics.statements.get(caller)) {
                Some(caller) => format!("{name}, called at {}", caller.place()),
                None => name,
            }
        }
        Of::Peer(with) => peer(with),
        Of::Rank(rank) => format!("rank {rank}"),
    }
}

/// Names a peer.
pub fn peer(peer: Peer) -> String {
    match peer {
        Peer::Rank(rank) => format!("rank {rank}"),
        Peer::All(0) => "a whole communicator".into(),
        Peer::All(size) => format!("all of {}", show::counted(size.into(), "rank")),
        Peer::Any => "whoever comes".into(),
        Peer::Others => "all others".into(),
        Peer::None => "nobody, or several".into(),
    }
}

/// Writes how uneven the ranks are, and which takes longest.
pub fn imbalance(spread: &Spread) -> String {
    let percent = spread.imbalance() * 100.0;
    match percent >= 1.0 {
        true => format!("{} % rank {}", show::three_digits(percent), spread.max_rank),
        false => String::new(),
    }
}

/// Writes how long partners were waited for; `-` where that is not known.
pub fn waiting(figures: &Figures) -> String {
    match figures.separated {
        0 => "-".into(),
        separated if separated < figures.calls => {
            format!("≥{}", show::duration(figures.delay as f64))
        }
        _ => show::duration(figures.delay as f64),
    }
}

/// Writes a number of bytes with three digits and the unit that suits it.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{} {}", show::three_digits(value), UNITS[unit])
}

/// Writes a count; nothing where there is none.
pub fn some(count: u64) -> String {
    match count {
        0 => String::new(),
        count => show::count(count),
    }
}

/// Writes a number of bytes; nothing where there is none.
pub fn some_bytes(count: u64) -> String {
    match count {
        0 => String::new(),
        count => bytes(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_three_digits_and_a_unit() {
        let shown = [0, 999, 1000, 1 << 20, 5_000_000_000, u64::MAX].map(bytes);
        assert_eq!(
            shown.join(", "),
            "0 B, 999 B, 0.977 KiB, 1 MiB, 4.66 GiB, 16384 PiB"
        );
    }

    #[test]
    fn waiting_that_was_told_apart_in_some_calls_is_a_lower_bound() {
        let figures = |separated| Figures {
            calls: 3,
            delay: 20,
            separated,
            ..Figures::default()
        };
        let shown = [0, 1, 3].map(|separated| waiting(&figures(separated)));
        assert_eq!(shown.join(" "), "- ≥20 ns 20 ns");
    }
}
