//! Tables: records added up, sizes of messages, who sent to whom.

use mpiscope_analysis::statistics::{self as queries, groups, By, Cell, Matrix};
use mpiscope_archive::model::statistics::{Figures, Record, Statistics};
use mpiscope_run::statistics::bin_start;

use super::labels;
use crate::cli::ByWhat;
use crate::report::show;

/// Records added up by what was asked for.
pub fn by(statistics: &Statistics, what: ByWhat) -> String {
    let (by, name) = match what {
        ByWhat::Statement => (By::Statement, "communication statement"),
        ByWhat::Peer => (By::Peer, "with"),
        ByWhat::Procedure => (By::Procedure, "procedure, and who calls it"),
        ByWhat::Loop => (By::Loop, "loop"),
        ByWhat::Rank => (By::Rank, "communication of"),
    };
    let groups = groups(statistics, by);
    if groups.is_empty() {
        return "nothing of that kind was counted".into();
    }
    let whole: u64 = statistics.ranks.iter().map(|rank| rank.thread_time).sum();
    let rows = groups.iter().map(|group| {
        let spread = match by {
            By::Rank => String::new(),
            _ => labels::imbalance(&group.spread),
        };
        row(
            labels::of(statistics, group.of),
            &group.figures,
            whole,
            spread,
        )
    });
    let counted = match by {
        By::Loop => "iterations",
        By::Procedure => "",
        _ => "messages",
    };
    let header = [
        name,
        "time",
        "share",
        "imbalance",
        "waiting",
        "longest",
        "calls",
        counted,
        "bytes",
    ];
    show::table(header, rows.collect())
}

fn row(name: String, figures: &Figures, whole: u64, spread: String) -> [String; 9] {
    [
        name,
        show::duration(figures.time as f64),
        show::share(figures.time, whole),
        spread,
        match figures.separated {
            0 => String::new(),
            _ => labels::waiting(figures),
        },
        show::duration(figures.longest as f64),
        show::count(figures.calls),
        labels::some(figures.messages),
        labels::some_bytes(figures.bytes),
    ]
}

/// How large the messages of each chosen statement were.
pub fn messages(statistics: &Statistics, chosen: impl Fn(&Record) -> bool) -> String {
    let mut texts = Vec::new();
    for group in groups(statistics, By::Statement) {
        let queries::Of::Statement(number) = group.of else {
            continue;
        };
        let own = |record: &&Record| record.statement == number && chosen(record);
        let sum: Figures = statistics
            .records
            .iter()
            .filter(own)
            .map(|r| &r.figures)
            .collect();
        if !sum.histogram.is_empty() {
            let title = labels::numbered(statistics, number);
            texts.push(format!("{title}\n{}", histogram(&sum)));
        }
    }
    match texts.is_empty() {
        true => "no messages were counted".into(),
        false => texts.join("\n"),
    }
}

fn histogram(figures: &Figures) -> String {
    const WIDTH: u64 = 40;
    let most = figures
        .histogram
        .iter()
        .map(|(_, count)| *count)
        .max()
        .unwrap_or(1);
    let whole: u64 = figures.histogram.iter().map(|(_, count)| *count).sum();
    let rows = figures.histogram.iter().map(|&(bin, count)| {
        let length = (u128::from(count) * u128::from(WIDTH)).div_ceil(most.max(1).into());
        [
            sizes(bin),
            show::count(count),
            show::share(count, whole),
            "#".repeat(length as usize),
        ]
    });
    let lines = show::table(["  bytes", "messages", "share", ""], rows.collect());
    lines
        .lines()
        .map(|line| format!(" {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Names the sizes of a bin: `0`, `1`, `1 KiB - 2 KiB`.
fn sizes(bin: u8) -> String {
    match (bin_start(bin), bin) {
        (first, 0 | 1) => format!("  {first}"),
        (first, 63..) => format!("  at least {}", labels::bytes(first)),
        (first, bin) if first < 1024 => format!("  {first} to {}", bin_start(bin + 1) - 1),
        (first, bin) => format!(
            "  {} to {}",
            labels::bytes(first),
            labels::bytes(bin_start(bin + 1))
        ),
    }
}

/// Who sent how much to whom.
pub fn matrix(statistics: &Statistics, most: u32) -> String {
    let matrix = queries::matrix(statistics, most);
    let all = || matrix.cells.iter().flatten().chain(&matrix.others);
    if all().all(|cell| cell.messages == 0) {
        return "no messages between two ranks were counted".into();
    }
    let mut texts = Vec::new();
    if matrix.block > 1 {
        texts.push(format!("{} ranks in each row and column", matrix.block));
    }
    texts.push(drawn(
        &matrix,
        "bytes sent, from rank (rows) to rank",
        |cell| labels::bytes(cell.bytes),
    ));
    texts.push(drawn(&matrix, "messages sent", |cell| {
        show::count(cell.messages)
    }));
    texts.join("\n")
}

fn drawn(matrix: &Matrix, title: &str, write: impl Fn(&Cell) -> String) -> String {
    let others = matrix.others.iter().any(|cell| cell.messages > 0);
    let name = |number: usize| {
        let first = number as u32 * matrix.block;
        let last = first.saturating_add(matrix.block).min(matrix.ranks) - 1;
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    };
    let shown = |cell: &Cell| {
        if cell.messages == 0 {
            ".".into()
        } else {
            write(cell)
        }
    };
    let mut header = vec![String::new()];
    header.extend((0..matrix.cells.len()).map(name));
    header.extend(others.then(|| "others".to_owned()));
    let rows = matrix.cells.iter().enumerate().map(|(number, cells)| {
        let mut row = vec![name(number)];
        row.extend(cells.iter().map(shown));
        row.extend(others.then(|| shown(&matrix.others[number])));
        row
    });
    let rows = rows.collect();
    format!("{title}\n{}", show::grid(header, rows))
}
