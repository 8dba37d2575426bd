//! The report as people read it.

use comfy_table::{presets, CellAlignment, Table};

use super::facts::{Error, Example, Facts, Place, Race};
use crate::show::{self, counted};

/// Writes the report.
pub fn text(facts: &Facts) -> String {
    let mut parts = vec![summary(facts)];
    if !facts.races.is_empty() {
        parts.push(races(&facts.races));
        parts.extend(facts.races.iter().map(details));
    }
    if !facts.errors.is_empty() {
        parts.push(errors(&facts.errors));
    }
    parts.join("\n\n")
}

fn summary(facts: &Facts) -> String {
    let meaning = match facts.hazards {
        0 => "order races all".to_owned(),
        hazards => counted(hazards, "match hazard"),
    };
    let places = counted(facts.races.len() as u64, "place");
    let races = match facts.racing {
        0 => "no receive or probe could have got another message".to_owned(),
        1 => format!("1 receive or probe could have got another message: {meaning}"),
        racing => format!(
            "{} receives or probes at {places} could have got another message: {meaning}",
            show::count(racing)
        ),
    };
    let errors = match facts.errors.iter().map(|error| error.times).sum() {
        0 => "nothing that MPI forbids was seen".to_owned(),
        count => counted(count, "error"),
    };
    let contradictions = match facts.contradictions {
        0 => String::new(),
        count => format!(
            "\n{} of the trace contradict each other and were passed over",
            counted(count as u64, "wait")
        ),
    };
    format!(
        "{}\n{races}\n{errors}{contradictions}",
        facts.path.display()
    )
}

fn races(races: &[Race]) -> String {
    let rows = races.iter().map(|race| {
        let verdict = match race.kind {
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

fn details(race: &Race) -> String {
    let mut lines = vec![format!("{}: {}", race.receive.shown(), race.why)];
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
    lines.push(format!(
        "  could have got what came from {}",
        show::list(&senders, 6)
    ));
    lines.extend(
        race.examples
            .iter()
            .map(|example| format!("  {}", shown(example))),
    );
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
            error.kind.to_owned(),
            place(&error.place),
            show::count(error.times),
            ranks(&error.ranks),
            error.why.clone(),
        ]
    };
    let header = ["error", "call", "times", "ranks", "why"];
    table(header, errors.iter().map(row).collect(), &[2])
}

fn place(place: &Place) -> String {
    place.shown()
}

fn ranks(ranks: &[u32]) -> String {
    show::ranges(ranks)
}

fn table<const N: usize>(header: [&str; N], rows: Vec<[String; N]>, figures: &[usize]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(header);
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
    use mpiscope_run::model::Trace;

    use crate::input::Input;
    use crate::races::facts::facts;

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
        let text = super::text(&facts(&input));
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
