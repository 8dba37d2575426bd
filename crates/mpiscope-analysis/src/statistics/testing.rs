//! Statistics as text, for tests.
//!
//! ```text
//! procedure main 1-9         a statement in the lines 1 to 9 of a.c
//!   loop for 2-8             deeper: inside of the one above
//!     call work 3            a call; of MPI_Send a communication statement
//! @1 0<2 5x 300 wait 40      rank 1 executed statement 0, called by 2, 5 times in 300 ns
//! @1 2>0 5x 300 80B          … with rank 0
//! ```

use mpiscope_model::statistics::{
    Figures, Kind, Peer, Process, Record, Side, Statement, Statistics,
};

/// Reads statistics; every rank ran for 1000 ns.
pub fn parse(text: &str) -> Statistics {
    let mut all = Statistics::default();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let margin = text.lines().skip(1).map(indent).min().unwrap_or(0);
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty())
    {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(rank) = words[0].strip_prefix('@') {
            let record = record(rank.parse().unwrap(), &words[1..]);
            if !all.ranks.iter().any(|process| process.rank == record.rank) {
                all.ranks.push(process(record.rank));
            }
            all.records.push(record);
            continue;
        }
        let depth = if number == 0 {
            0
        } else {
            indent(line) - margin
        };
        open.retain(|(other, _)| *other < depth);
        let parent = open.last().map(|(_, statement)| *statement);
        open.push((depth, all.statements.len()));
        all.statements.push(statement(&words, parent));
    }
    all.ranks.sort_by_key(|process| process.rank);
    all
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn process(rank: u32) -> Process {
    Process {
        rank,
        duration: 1000,
        thread_time: 1000,
        ..Process::default()
    }
}

fn statement(words: &[&str], parent: Option<usize>) -> Statement {
    let (line, end) = words[2].split_once('-').unwrap_or((words[2], words[2]));
    Statement {
        kind: match words[0] {
            "procedure" | "function" => Kind::Procedure,
            "loop" => Kind::Loop,
            _ if words[1].starts_with("MPI_") => Kind::Communication,
            _ => Kind::Call,
        },
        name: words[1].into(),
        file: "a.c".into(),
        line: line.parse().unwrap(),
        end: end.parse().unwrap(),
        parent,
        timed: words[0] != "function",
        ..Statement::default()
    }
}

fn record(rank: u32, words: &[&str]) -> Record {
    let number = |text: &str| text.parse::<u64>().unwrap();
    let mut record = Record {
        rank,
        ..Record::default()
    };
    let (statement, rest) = words[0].split_at(words[0].find(['<', '>']).unwrap_or(words[0].len()));
    record.statement = number(statement) as usize;
    if let Some(caller) = rest.strip_prefix('<') {
        record.caller = Some(number(caller) as usize);
    } else if let Some(peer) = rest.strip_prefix('>') {
        record.peer = peer.parse().map_or(Peer::Others, Peer::Rank);
        record.side = Side::Sent;
    }
    let figures: &mut Figures = &mut record.figures;
    figures.calls = number(words[1].trim_end_matches('x'));
    figures.messages = figures.calls;
    figures.time = number(words[2]);
    for pair in words[3..].windows(2).filter(|pair| pair[0] == "wait") {
        figures.delay = number(pair[1]);
        figures.separated = figures.calls;
    }
    if let Some(bytes) = words.iter().find_map(|word| word.strip_suffix('B')) {
        figures.bytes = number(bytes);
    }
    record
}
