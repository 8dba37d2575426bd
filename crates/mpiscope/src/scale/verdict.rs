//! What to know first of how a program scales.

use super::facts::{Facts, KindFrom, RowFacts, SizeFacts};
use super::text::{percent, signed, time};
use crate::report::show::{self, counted};

/// So many places are named.
const NAMED: usize = 3;

/// Smaller parts of what all ranks take are not spoken of, in percent.
pub const SMALL: f64 = 1.0;

/// Places with a smaller part of the loss are not named, in percent.
const PLACE: f64 = 5.0;

/// Says what to know first.
pub fn verdict(facts: &Facts) -> Vec<String> {
    let (Some(first), Some(last)) = (facts.first(), facts.sizes.last()) else {
        return Vec::new();
    };
    let from = format!("{} to {}", first.ranks, counted(last.ranks, "rank"));
    let faster = match facts.is_strong() {
        true => "it runs",
        false => "a second does",
    };
    let as_much = if facts.is_strong() { "fast" } else { "much" };
    let scales = format!(
        "{faster} {} times as {as_much}, ideally {} (efficiency {}, {} scaling{})",
        show::three_digits(last.speedup),
        show::three_digits(last.ideal_speedup),
        percent(last.scaling_efficiency),
        facts.scaling,
        match facts.scaling_from {
            KindFrom::Asked | KindFrom::Found => "",
            KindFrom::Assumed => " assumed",
        }
    );
    let lost = last.lost_ns as f64 / last.of.core_ns.max(1) as f64 * 100.0;
    let is_ideal = (1.0 - last.scaling_efficiency) * 100.0 < SMALL;
    let loses = match (lost < SMALL, is_ideal) {
        (true, true) => "the program loses next to nothing".to_owned(),
        // Core time is what was recorded of it.
        (true, false) => {
            "the program loses next to none of the core time that was recorded, and yet is not as \
             fast as ideally"
                .to_owned()
        }
        (false, _) => format!(
            "the program loses {} of core time, {} of all at {}",
            time(last.lost_ns),
            show::percent(lost),
            last.ranks
        ),
    };
    let mut lines = vec![format!("From {from} {loses}: {scales}")];
    lines.extend(assumed(facts));
    if lost < SMALL {
        return lines;
    }
    lines.extend(spread(first, last, facts));
    lines.extend(kinds(facts));
    lines.extend(places(facts, first));
    lines.extend(cause(facts, last));
    lines.extend(fastest(facts, last));
    lines
}

/// Says that nobody knows which kind of scaling it is.
fn assumed(facts: &Facts) -> Option<String> {
    (facts.scaling_from == KindFrom::Assumed).then(|| {
        "  that it is strong scaling, with the same problem in all runs, is assumed: --weak for \
         the other"
            .to_owned()
    })
}

/// Says that runs on equally many ranks differ as much.
pub fn spread(first: &SizeFacts, last: &SizeFacts, facts: &Facts) -> Option<String> {
    let ideal = match facts.is_strong() {
        true => last.ideal_speedup,
        false => 1.0,
    };
    let is_repeated = first.of.paths.len() > 1 || last.of.paths.len() > 1;
    let is_within = last.of.shortest_ns as f64 * ideal <= first.of.longest_ns as f64;
    (is_repeated && is_within)
        .then(|| "  which is within the spread of runs on equally many ranks".to_owned())
}

/// Says what of the loss is computation, communication and waiting.
fn kinds(facts: &Facts) -> Option<String> {
    let lost = &facts.lost;
    let communication = match facts.waiting_is_known {
        true => "communication without waiting",
        false => "communication (waiting in it not told apart)",
    };
    let kinds = [
        ("computation", lost.computation_ns),
        (communication, lost.communication_ns),
        ("waiting", lost.waiting_ns),
        ("the rest", lost.other_ns),
    ];
    let total = lost.total_ns as f64;
    let matters = |it: &&(&str, i64)| it.1.abs() as f64 * 100.0 >= SMALL * total;
    let said = kinds.iter().filter(matters);
    let said: Vec<String> = said
        .map(|(what, ns)| format!("{} {what}", signed(*ns)))
        .collect();
    (!said.is_empty()).then(|| format!("  of it {}", said.join(", ")))
}

/// Names the worst places.
fn places(facts: &Facts, first: &SizeFacts) -> Vec<String> {
    let matters = |row: &&RowFacts| {
        let share = row.share_percent.unwrap_or(0.0);
        share >= PLACE && row.of.within_spread != Some(true)
    };
    let worst = facts.rows.iter().filter(matters);
    let worst = worst.take(NAMED).map(|row| {
        let times = match row.times_ideal {
            Some(times) => format!("{} times its share", show::three_digits(times)),
            None => format!("none of it at {}", counted(first.ranks, "rank")),
        };
        let share = show::percent(row.share_percent.unwrap_or(0.0));
        format!(
            "  {}: {} ({share} of the loss), {times}",
            row.of.named.what,
            signed(row.of.excess_ns)
        )
    });
    worst.collect()
}

/// Names what makes others wait, if waiting is a good part of the loss.
fn cause(facts: &Facts, last: &SizeFacts) -> Option<String> {
    let worst = facts.causes.as_ref()?.first()?;
    let total = facts.lost.total_ns as f64;
    let matters = worst.excess_ns as f64 * 100.0 >= PLACE * total && facts.lost.waiting_ns > 0;
    matters.then(|| {
        format!(
            "  beyond the ideal, ranks wait most for {}: {} at {} ({} in all there, {} of it for \
             rank {})",
            worst.named.what,
            signed(worst.excess_ns),
            counted(last.ranks, "rank"),
            time(*worst.waiting_ns.last().unwrap_or(&0)),
            time(worst.rank_ns),
            worst.rank
        )
    })
}

/// Says that fewer ranks would be faster.
fn fastest(facts: &Facts, last: &SizeFacts) -> Option<String> {
    let fastest = facts.sizes.iter().min_by_key(|it| it.of.time_ns)?;
    (facts.is_strong() && fastest.of.longest_ns < last.of.shortest_ns).then(|| {
        format!(
            "  it is fastest on {}: {}, and {} on {}",
            counted(fastest.ranks, "rank"),
            time(fastest.of.time_ns),
            time(last.of.time_ns),
            last.ranks
        )
    })
}
