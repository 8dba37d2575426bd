//! The report as people read it.

use std::collections::BTreeSet;

use comfy_table::{presets, CellAlignment, Table};

use super::cannot_tell::{CannotTell, MISSING, RACES};
use super::facts::{Error, Example, Facts, Race, SourcePlace, ORDER_RACE};
use super::stood::{self, Stood};
use crate::report::show::{self, counted};
use crate::terminal::wrapped;

/// Writes the report.
pub fn text(facts: &Facts, verbose: bool) -> String {
    let mut parts = vec![summary(facts)];
    // Of a run that did not come to its end that comes first which tells why.
    let hung = !facts.stood.is_empty();
    if hung {
        parts.push(stood::table(&facts.stood));
        parts.extend(some_errors(facts));
    }
    if !facts.races.is_empty() {
        parts.push(races(&facts.races));
        parts.extend(facts.races.iter().map(|race| details(race, verbose)));
        let order = facts.races.iter().any(|race| race.why == ORDER_RACE);
        parts.extend(order.then(|| wrapped(&format!("order race: {ORDER_RACE}"), 2)));
    }
    if !hung {
        parts.extend(some_errors(facts));
    }
    parts.join("\n\n")
}

fn some_errors(facts: &Facts) -> Option<String> {
    (!facts.errors.is_empty()).then(|| errors(&facts.errors))
}

fn summary(facts: &Facts) -> String {
    let mut lines = vec![facts.path.display().to_string()];
    lines.extend(end(&facts.stood));
    lines.push(racing(facts));
    lines.push(wrong(facts));
    lines.extend(
        facts
            .cannot_tell
            .iter()
            .filter(|it| it.what != RACES)
            .map(untold),
    );
    if facts.contradictions > 0 {
        lines.push(format!(
            "{} of the trace contradict each other and were passed over",
            counted(facts.contradictions as u64, "wait")
        ));
    }
    let lines: Vec<String> = lines.iter().map(|line| wrapped(line, 2)).collect();
    lines.join("\n")
}

/// Says how many ranks did not come to the end.
fn end(stood: &[Stood]) -> Option<String> {
    let ranks = |at_end: bool| -> BTreeSet<u32> {
        let those = stood.iter().filter(|it| it.is_finalized() == at_end);
        those.map(|it| it.rank).collect()
    };
    let (missing, all) = (
        ranks(false),
        stood.iter().map(|it| it.rank).collect::<BTreeSet<_>>(),
    );
    (!missing.is_empty()).then(|| {
        format!(
            "the run did not come to its end: {} of {} had not called MPI_Finalize",
            show::count(missing.len() as u64),
            counted(all.len() as u64, "rank")
        )
    })
}

fn racing(facts: &Facts) -> String {
    let meaning = match facts.hazards {
        None => "whether one is a match hazard cannot be told".to_owned(),
        Some(0) => "order races all".to_owned(),
        Some(hazards) => counted(hazards, "match hazard"),
    };
    let places = counted(facts.races.len() as u64, "place");
    match facts.racing {
        None => format!(
            "whether a receive or probe could have got another message cannot be told: {}",
            facts.why(RACES)
        ),
        Some(0) => "no receive or probe could have got another message".to_owned(),
        Some(1) => format!("1 receive or probe could have got another message: {meaning}"),
        Some(racing) => format!(
            "{} receives or probes at {places} could have got another message: {meaning}",
            show::count(racing)
        ),
    }
}

/// Says how much is wrong; that nothing is, only where it was looked for.
fn wrong(facts: &Facts) -> String {
    let count = facts.errors.iter().map(|error| error.times).sum();
    let hung = facts.stood.iter().any(|it| !it.is_finalized());
    match count {
        0 if hung => {
            "no call is certain to be wrong; why the run did not go on cannot be told".into()
        }
        0 if !facts.why(MISSING).is_empty() => "nothing that is there is wrong".into(),
        0 => "nothing that MPI forbids was seen".into(),
        count => counted(count, "error"),
    }
}

fn untold(it: &CannotTell) -> String {
    format!("{} cannot be told: {}", it.what, it.why)
}

fn races(races: &[Race]) -> String {
    let rows = races.iter().map(|race| {
        let verdict = match race.kind.as_deref() {
            Some(kind) if race.struck => format!("match hazard: {kind}, in this run"),
            Some(kind) => format!("match hazard: {kind}"),
            None => "order race".to_owned(),
        };
        [
            race.receive.shown(),
            verdict,
            show::count(race.times),
            show::count(race.alternatives),
            ranks(&race.ranks),
        ]
    });
    let header = ["receive", "verdict", "times", "alternatives", "ranks"];
    table(header, rows.collect(), &[2, 3])
}

fn details(race: &Race, verbose: bool) -> String {
    let place = race.receive.shown();
    let mut lines = match race.why == ORDER_RACE {
        true => vec![format!("{place}:")],
        false => vec![wrapped(&format!("{place}: {}", race.why), 2)],
    };
    let senders = race.senders.iter();
    let senders: Vec<String> = senders
        .map(|sender| {
            format!(
                "{} ({})",
                sender.place.shown(),
                show::count(sender.alternatives)
            )
        })
        .collect();
    let senders = show::list(&senders, 6);
    lines.push(wrapped(
        &format!("  could have got what came from {senders}"),
        4,
    ));
    let shown_examples = if verbose { usize::MAX } else { 1 };
    let examples = race.examples.iter().take(shown_examples);
    lines.extend(examples.map(|example| wrapped(&format!("  {}", shown(example)), 4)));
    lines.join("\n")
}

fn shown(example: &Example) -> String {
    let got = example
        .message
        .as_ref()
        .map_or("a message".to_owned(), |send| send.shown());
    let alternatives = example.alternatives.iter().map(|other| {
        let block = match other.block {
            0 => String::new(),
            block => format!(" and {} after it", block),
        };
        let hazard = if other.verdict == "hazard" {
            " (hazard)"
        } else {
            ""
        };
        format!("{}{block}{hazard}", other.send.shown())
    });
    let alternatives: Vec<String> = alternatives.collect();
    let more = match example.count - alternatives.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let receive = example.receive.shown();
    format!("{receive}: got {got}; or {}{more}", alternatives.join("; "))
}

fn errors(errors: &[Error]) -> String {
    let row = |error: &Error| {
        [
            error.kind.to_string(),
            place(&error.place),
            show::count(error.times),
            ranks(&error.ranks),
            error.why.clone(),
        ]
    };
    let header = ["error", "call", "times", "ranks", "why"];
    table(header, errors.iter().map(row).collect(), &[2])
}

fn place(place: &SourcePlace) -> String {
    place.shown()
}

fn ranks(ranks: &[u32]) -> String {
    show::ranges(ranks)
}

pub fn table<const N: usize>(
    header: [&str; N],
    rows: Vec<[String; N]>,
    figures: &[usize],
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for &column in figures {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| format!(" {line}")).collect();
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use expect_test::expect;
    use mpiscope_archive::model::Trace;

    use crate::input::Input;
    use crate::races::facts::look;

    #[test]
    fn races_are_told_by_place_with_what_would_follow() {
        let picture = "
            0: 1 enter(MPI_Recv) !at(src/a.c:7) 10 recv<1(any) 11 leave(MPI_Recv) 12 enter(MPI_Recv) !at(src/a.c:8) 13 recv<2 14 leave(MPI_Recv)
            1: 1 enter(MPI_Send) !at(src/b.c:3) 2 send>0 3 leave(MPI_Send)
            2: 1 enter(MPI_Send) 2 send>0 3 leave(MPI_Send)";
        let input = Input {
            path: Path::new("run").to_owned(),
            trace: Trace::parse(picture).unwrap(),
            ..Input::default()
        };
        let text = super::text(&look(&input, &input.trace.matching()).0.facts, false);
        expect![[r#"
            run
            1 receive or probe could have got another message: 1 match hazard
            nothing that MPI forbids was seen

              receive            verdict                  times  alternatives  ranks
              MPI_Recv at a.c:7  match hazard: unmatched      1             1  0

            MPI_Recv at a.c:7: with the other message, MPI_Recv at a.c:8 on rank 0 would wait forever: the rank that it names sends it no other in time (unless the program chooses that rank by what it received)
              could have got what came from MPI_Send (1)
              rank 0, event 1: got rank 1, event 1; or rank 2, event 1 (hazard)"#]].assert_eq(&text);
    }
}
