//! The proposal as people read it.

use super::facts::{Facts, Region, Volume, PASSED, VISIT};
use super::{place, script};
use crate::cli::Refine;
use crate::packed;
use crate::report::show::{self, count, counted};
use crate::size;

/// Writes the report.
pub fn text(facts: &Facts, arguments: &Refine) -> String {
    let parts = [
        head(facts),
        table(facts, arguments.top as usize),
        rest(facts),
        notes(facts),
        next(facts, arguments),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

fn time(ns: u64) -> String {
    show::duration(ns as f64)
}

fn on_disk(volume: &Volume) -> String {
    volume
        .bytes
        .map_or(String::new(), |it| format!(", {} on disk", size::show(it)))
}

fn head(facts: &Facts) -> String {
    let largest = facts.now.largest;
    let mut lines = vec![format!(
        "{}: {}, {}{}; rank {} has most: {}, {} a second, {} of memory at least",
        facts.path.display(),
        counted(facts.ranks, "rank"),
        counted(facts.now.events, "event"),
        on_disk(&facts.now),
        largest.rank,
        counted(largest.events, "event"),
        count(largest.per_second),
        size::show(largest.memory),
    )];
    lines.extend(frequent(facts));
    lines.extend(proposed(facts));
    lines.join("\n")
}

/// Says what of the trace is visited often and briefly.
fn frequent(facts: &Facts) -> Vec<String> {
    if facts.own_regions == 0 {
        return vec![
            "nothing to filter: the trace has calls of MPI and no regions of the program; a part of \
             the run (--window, --limit, --keep), some functions of MPI (--only-mpi) or statistics \
             (`mpiscope monitor`) are smaller"
                .to_owned(),
        ];
    }
    if facts.regions.is_empty() {
        let what = match facts.own_regions {
            1 => "the one region of the program is not".to_owned(),
            all => format!("none of {} of the program is", counted(all, "region")),
        };
        return vec![format!(
            "nothing to leave out: {what} visited often and briefly"
        )];
    }
    let sum = |of: fn(&Region) -> u64| facts.regions.iter().map(of).sum::<u64>();
    vec![format!(
        "visited often and briefly: {}, {} of all events; to record {} took some {} (an \
         estimate: {VISIT} ns each)",
        counted(facts.regions.len() as u64, "region"),
        show::share(sum(|it| it.events), facts.now.events),
        counted(sum(|it| it.visits), "visit"),
        time(facts.intrusion_ns),
    )]
}

/// Says what the proposal saves, and what is lost by it.
fn proposed(facts: &Facts) -> Vec<String> {
    let names: Vec<String> = left_out(facts).map(|it| short(&it.name)).collect();
    let after = &facts.next;
    let longer = match facts.times {
        1.0 => String::new(),
        times => format!(", in a run {} times as long", show::three_digits(times)),
    };
    let largest = after.largest;
    let memory = if facts.at_most {
        "of memory for these"
    } else {
        "of memory at least"
    };
    let volume = format!(
        "{}{}{}; rank {} has most: {}, {} {memory}{longer}{}",
        if facts.at_most { "at most " } else { "" },
        counted(after.events, "event"),
        on_disk(after),
        largest.rank,
        counted(largest.events, "event"),
        size::show(largest.memory),
        if facts.has_window() {
            ", of the whole run"
        } else {
            ""
        },
    );
    if names.is_empty() {
        return match longer.is_empty() {
            true => Vec::new(),
            false => vec![format!("expected: {volume}")],
        };
    }
    let fewer = left_out(facts).map(|it| it.events).sum();
    let fewer = show::share(fewer, facts.now.events);
    vec![
        format!("proposed: leave out {}: {fewer} fewer events", show::list(&names, 4)),
        format!("then: {volume}"),
        format!(
            "saved: some {} (what is left out still takes {PASSED} ns: not compiling it \
             instrumented saves that, too)",
            time(facts.saved_ns)
        ),
        format!(
            "lost: {} no longer seen, and the time is that of the regions around; calls of MPI, what \
             leads to them and what made others wait stay{}",
            if names.len() == 1 { "it is" } else { "they are" },
            match facts.in_part.is_empty() {
                true => "",
                false => ", of what was recorded",
            }
        ),
    ]
}

fn left_out(facts: &Facts) -> impl Iterator<Item = &Region> {
    facts.regions.iter().filter(|it| it.fate == "left_out")
}

fn table(facts: &Facts, top: usize) -> String {
    if facts.regions.is_empty() {
        return String::new();
    }
    let (shown, others) = facts.regions.split_at(top.min(facts.regions.len()));
    let row = |it: &Region| {
        [
            short(&it.name),
            count(it.visits),
            show::duration(it.mean_ns as f64),
            count(it.events),
            show::share(it.events, facts.now.events),
            fate(it.fate).to_owned(),
        ]
    };
    let mut rows: Vec<[String; 6]> = shown.iter().map(row).collect();
    if !others.is_empty() {
        let events = others.iter().map(|it| it.events).sum();
        let mut row = [const { String::new() }; 6];
        row[0] = format!("and {}", counted(others.len() as u64, "other region"));
        row[3] = count(events);
        row[4] = show::share(events, facts.now.events);
        rows.push(row);
    }
    show::table(
        ["region", "visits", "each", "events", "share", "proposed"],
        rows,
    )
}

fn fate(fate: &str) -> &'static str {
    match fate {
        "left_out" => "leave out",
        "encloses" => "keep: MPI or threads in it",
        "cause" => "keep: makes others wait",
        _ => "keep: no filter can name it",
    }
}

/// Names of templates may be longer than a line; JSON and the filter have them in full.
fn short(name: &str) -> String {
    const MOST: usize = 60;
    match name.chars().count() > MOST {
        true => name.chars().take(MOST - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

/// Says what window and buffer are proposed.
fn rest(facts: &Facts) -> String {
    let window = match (&facts.window, &facts.no_window) {
        (Some(it), _) => {
            let option = format!("--window {}", it.option);
            let length = it.last - it.first + 1;
            let how = match facts.has_window() {
                true => String::new(),
                false => format!(" (--iterations {length} puts it into the line)"),
            };
            format!(
                "window: iterations {} to {} of {} have {}: {option} traces these alone, if the next \
                 run takes as long{how}",
                it.first,
                it.last,
                count(it.of),
                counted(it.events, "event"),
            )
        }
        (None, Some(why)) => format!("window: none: {why}"),
        (None, None) => String::new(),
    };
    let needed = size::show(facts.buffer.needed);
    let buffer = format!(
        "buffer: rank {} writes {needed} of records at most{}",
        facts.buffer.rank,
        if facts.has_window() {
            " in the whole run"
        } else {
            ""
        }
    );
    let buffer = match facts.buffer.proposed {
        None => format!("{buffer}: the reserve that every process has holds them"),
        Some(proposed) => format!(
            "{buffer}: with --buffer {}M nothing is written to disk meanwhile; all ranks of a host \
             share its /dev/shm",
            proposed >> 20
        ),
    };
    [window, buffer].join("\n")
}

fn notes(facts: &Facts) -> String {
    let notes: Vec<String> = facts.notes.iter().map(|it| format!("note: {it}")).collect();
    notes.join("\n")
}

/// Says what to type.
fn next(facts: &Facts, arguments: &Refine) -> String {
    let filter = facts.filter.is_some().then_some(&facts.filter_file);
    let places = filter.into_iter().chain(&facts.script_file);
    let places: Vec<String> = places.map(|it| show::word(it)).collect();
    let mut lines = Vec::new();
    match facts.written {
        _ if places.is_empty() => {}
        true => lines.extend(places.iter().map(|it| format!("{it}: written"))),
        false => lines.push(format!(
            "next: {} writes {}; then",
            apply(facts, arguments),
            places.join(" and ")
        )),
    }
    if facts.line.is_empty() {
        return lines.join("\n");
    }
    if lines.is_empty() || facts.written {
        lines.push("next:".to_owned());
    }
    lines.push(format!("  {}", facts.line));
    lines.extend(facts.line_note.iter().map(|it| format!("({it})")));
    lines.join("\n")
}

/// Returns the line that writes the filter, as one types it.
fn apply(facts: &Facts, arguments: &Refine) -> String {
    let run = packed::given(&facts.path);
    let place = &facts.filter_file;
    let times = (arguments.times != 1.0).then(|| format!("--times {}", arguments.times));
    let output = (*place != place::of_run(&run)).then(|| format!("-o {}", show::word(place)));
    let script = facts.script_file.as_deref();
    let has_earlier = place::is_earlier(place) || script.is_some_and(script::is_earlier);
    let force = has_earlier.then(|| "--force".to_owned());
    let iterations = arguments.iterations.map(|it| format!("--iterations {it}"));
    let options = [times, iterations, output, force].into_iter().flatten();
    let words: Vec<String> = ["mpiscope refine --apply".to_owned()]
        .into_iter()
        .chain(options)
        .chain([show::word(&run)])
        .collect();
    words.join(" ")
}
