//! The comparison as people read it.

use std::path::PathBuf;

use super::conditions::{percent, show_p};
use super::facts::{Answer, Facts, RowFacts, SetFacts};
use crate::report::show::{self, counted};

/// So many places are named in the first lines.
const NAMED: usize = 3;

/// Writes the report.
pub fn text(facts: &Facts, top: usize) -> String {
    let answers = facts.conditions.iter().map(|it| {
        let answer = match it.answer {
            Answer::True => "it is so",
            Answer::False => "not so",
            Answer::Unknown => "cannot tell",
        };
        format!("--fail-on '{}': {answer}: {}", it.condition, it.why)
    });
    let left_out = facts.not_compared.iter();
    let left_out = left_out.map(|it| format!("not compared: {}: {}", it.what, it.why));
    let notes = facts.notes.iter().map(|it| format!("note: {it}"));
    let head = [side("A", &facts.a), side("B", &facts.b)];
    let parts = [
        facts.verdict.join("\n"),
        head.join("\n"),
        table(facts, top),
        answers
            .chain(left_out)
            .chain(notes)
            .collect::<Vec<_>>()
            .join("\n"),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    parts.join("\n\n")
}

fn side(name: &str, set: &SetFacts) -> String {
    let word = |it: &PathBuf| show::word(it);
    let paths: Vec<String> = set.paths.iter().map(word).collect();
    let kinds = match &set.kinds[..] {
        ["traces"] => String::new(),
        kinds => format!(" ({})", kinds.join(" and ")),
    };
    format!(
        "{name}: {} of {}{kinds}: {}",
        counted(set.runs as u64, "run"),
        counted(set.ranks, "rank"),
        show::list(&paths, 6)
    )
}

/// Says what to know first.
pub fn verdict(facts: &Facts) -> Vec<String> {
    let Some(time) = facts.row("time") else {
        return Vec::new();
    };
    let runs = format!("{} and {} runs", facts.a.runs, facts.b.runs);
    let change = relative(time);
    let evidence = &facts.evidence;
    if facts.without_end() > 0 {
        return vec![format!(
            "cannot tell whether B is slower or faster: {} did not end, so that what they took is not \
             what the program takes. As far as they went B {change}.",
            without_end(facts)
        )];
    }
    match evidence.kind {
        "runs" => by_runs(facts, time, &runs),
        "too few runs" => vec![format!(
            "cannot tell: {runs} can be shared out in {}, so that p is at least {}; {} runs on each \
             side would do for {}. On average B {change}.",
            counted(evidence.permutations.unwrap_or(0), "way"),
            show_p(evidence.least_p.unwrap_or(1.0)),
            evidence.runs_wanted.unwrap_or(5),
            facts.level
        )],
        "iterations" => by_iterations(facts, &change),
        "mixed" => vec![format!(
            "cannot tell whether B is slower or faster: times of traces, of statistics and of virtual \
             time are not the same. On average B {change}."
        )],
        _ if facts.a.kinds != ["traces"] => vec![format!(
            "cannot tell whether it is more than noise: there is one run on each side, and statistics \
             keep no iterations. B {change}."
        )],
        _ => vec![format!(
            "cannot tell whether it is more than noise: there is one run on each side, without \
             iterations in both (8 at least). B {change}."
        )],
    }
}

/// Writes `1 of 5 runs of A and all 5 runs of B`.
fn without_end(facts: &Facts) -> String {
    let of_side = |(name, set): (&str, &SetFacts)| match (set.without_end, set.runs) {
        (0, _) => None,
        (1, 1) => Some(format!("the run of {name}")),
        (some, all) if some == all => Some(format!("all {all} runs of {name}")),
        (some, all) => Some(format!("{some} of {all} runs of {name}")),
    };
    let sides = [("A", &facts.a), ("B", &facts.b)].into_iter();
    sides.filter_map(of_side).collect::<Vec<_>>().join(" and ")
}

/// Writes `takes 4.8 % longer than A: 1.05 s after 1 s`.
fn relative(row: &RowFacts) -> String {
    let (a, b) = (show::duration(row.a_ns), show::duration(row.b_ns));
    let Some(percent) = row.change_percent else {
        return format!("takes {b} after {a}");
    };
    let size = show::percent(percent.abs());
    match percent {
        0.0 => format!("takes as long as A: {b}"),
        it if it > 0.0 => format!("takes {size} longer than A: {b} after {a}"),
        _ => format!("takes {size} less time than A: {b} after {a}"),
    }
}

fn by_runs(facts: &Facts, time: &RowFacts, runs: &str) -> Vec<String> {
    let p = show_p(time.p.unwrap_or(1.0));
    let size = show::percent(time.change_percent.unwrap_or(0.0).abs());
    let (a, b) = (show::duration(time.a_ns), show::duration(time.b_ns));
    let first = match time.is_judged() {
        true => format!(
            "B is {size} {} than A: {b} after {a} from MPI_Init to MPI_Finalize (p {p}, {runs})",
            time.judgement
        ),
        false if time.judgement == "small" => {
            format!("B takes about as long as A: {b} after {a}, a difference too small to matter")
        }
        false if time.p.is_none() => format!(
            "cannot tell whether B takes longer than A: {b} after {a}, and one run is far off ({runs})"
        ),
        false => format!(
            "B takes as long as A as far as can be told: {b} after {a}, which may be noise (p {p}, \
             {runs})"
        ),
    };
    let mut lines = vec![first];
    // Where the whole is not judged, what of it is stands here: iterations, computation, waiting.
    let sums = facts
        .rows
        .iter()
        .filter(|it| it.is_total && it.is_judged() && !time.is_judged());
    lines.extend(sums.map(|row| format!("  {}", place(row))));
    let places = facts
        .rows
        .iter()
        .filter(|it| !it.is_total && it.is_judged());
    let places: Vec<&RowFacts> = places.collect();
    for row in places.iter().take(NAMED) {
        lines.push(format!("  {}", place(row)));
    }
    if places.len() > NAMED {
        let more = places.len() - NAMED;
        lines.push(format!("  and {more} more"));
    }
    if time.is_judged() && places.is_empty() {
        lines.push(spread(facts, time));
    }
    lines
}

/// Says where it is if no place has enough of it by itself.
fn spread(facts: &Facts, time: &RowFacts) -> String {
    let is_one = |it: &&RowFacts| {
        let is_sure = it.p.is_some_and(|p| p <= facts.level);
        !it.is_total
            && it.path.is_none()
            && is_sure
            && (it.change_ns > 0.0) == (time.change_ns > 0.0)
    };
    match facts.rows.iter().filter(is_one).count() {
        0 => "  in no single place by more than noise".to_owned(),
        count => format!(
            "  spread over {}: none has {} % of all by itself (--least)",
            counted(count as u64, "place"),
            facts.least_percent
        ),
    }
}

/// Writes `slower: relax at heat.c:88: +52 ms over all ranks (+5.1 %), 51 % of the change of all, p 0.0079`.
pub fn place(row: &RowFacts) -> String {
    let of_itself = match row.only {
        Some("a") => " (B does not have it)".to_owned(),
        Some(_) => " (A does not have it)".to_owned(),
        None => row
            .change_percent
            .map_or_else(String::new, |it| format!(" ({})", percent(it))),
    };
    let share = row.share_percent.filter(|it| *it > 0.0);
    let share = share.map_or_else(String::new, |it| {
        format!(", {} of the change of all", show::percent(it))
    });
    let p = row
        .p
        .map_or_else(String::new, |p| format!(", p {}", show_p(p)));
    let was = row
        .was
        .as_ref()
        .map_or_else(String::new, |it| format!(", which was {it}"));
    let whose = match row.is_length {
        true => "",
        false => " over all ranks",
    };
    format!(
        "{}: {}{was}: {}{whose}{of_itself}{share}{p}",
        row.judgement,
        row.shown(),
        signed(row.change_ns)
    )
}

fn by_iterations(facts: &Facts, change: &str) -> Vec<String> {
    let Some(row) = facts.row("iteration") else {
        return Vec::new();
    };
    let p = show_p(row.p.unwrap_or(1.0));
    let (a, b) = (show::duration(row.a_ns), show::duration(row.b_ns));
    let first = match row.is_judged() {
        _ if row.p.is_none() => format!(
            "cannot tell whether the iterations of B are longer: {b} after {a} in the median, and most \
             of them the other way"
        ),
        true => format!(
            "the iterations of B are {}: {b} after {a} (medians, p {p})",
            row.judgement
        ),
        false => format!(
            "the iterations of B differ by no more than noise, or by too little to matter: {b} after {a} \
             (medians, p {p})"
        ),
    };
    vec![
        first,
        "one run on each side: that iterations differ is told, not that the build is the cause; how \
         much runs of one build differ is not known"
            .to_owned(),
        format!("B {change}"),
    ]
}

fn signed(ns: f64) -> String {
    match ns {
        0.0 => "±0".to_owned(),
        ns if ns > 0.0 => format!("+{}", show::duration(ns)),
        ns => format!("−{}", show::duration(-ns)),
    }
}

fn table(facts: &Facts, top: usize) -> String {
    let (totals, places): (Vec<&RowFacts>, Vec<&RowFacts>) =
        facts.rows.iter().partition(|it| it.is_total);
    let shown = totals.into_iter().chain(places.iter().take(top).copied());
    let rows = shown.map(cells).collect();
    let header = ["", "A", "B", "change", "of it", "of all", "p", ""];
    let more = match places.len().saturating_sub(top) {
        0 => String::new(),
        rest => format!("\n  … and {rest} more: --top {}", places.len()),
    };
    show::table(header, rows) + &more
}

fn cells(row: &RowFacts) -> [String; 8] {
    let in_percent = |it: Option<f64>| it.map_or_else(String::new, percent);
    let judgement = match row.only {
        Some("a") => format!("gone, {}", row.judgement),
        Some(_) => format!("new, {}", row.judgement),
        None => row.judgement.to_owned(),
    };
    let was = row
        .was
        .as_ref()
        .map_or_else(String::new, |it| format!(" (was {it})"));
    [
        row.shown() + &was,
        show::duration(row.a_ns),
        show::duration(row.b_ns),
        signed(row.change_ns),
        in_percent(row.change_percent),
        in_percent(row.share_percent),
        row.p.map_or_else(String::new, show_p),
        judgement,
    ]
}
