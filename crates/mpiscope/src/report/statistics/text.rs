//! Tables and sentences of statistics.

use mpiscope_sync::Class;

use super::{Change, Extreme, Fates, Pair, Part, Stage, Statistics, Wrong};
use crate::report::show;

impl Statistics {
    /// Returns the tables of classes and pairs, and what else there is to say.
    pub fn text(&self) -> String {
        let parts = [
            self.classes(),
            self.pairs(),
            self.received(),
            self.places(),
            self.sentences(),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }

    fn classes(&self) -> String {
        let row = |class: &Class| {
            let of = |stage: &Stage| *stage.classes.of(*class);
            let [measured, interpolated] = [of(&self.measured), of(&self.interpolated)];
            (measured.messages > 0).then(|| row(class.to_string(), measured, interpolated))
        };
        let rows: Vec<_> = Class::ALL.iter().filter_map(row).collect();
        match rows.len() {
            0 | 1 => String::new(),
            _ => format!("{}\n{LEFT}", show::table(header("between"), rows)),
        }
    }

    fn pairs(&self) -> String {
        let rows = self.pairs.iter().filter(|it| it.measured.messages > 0);
        let rows: Vec<_> = rows
            .map(|it| {
                row(
                    format!("{} -> {}", it.from, it.to),
                    it.measured,
                    it.interpolated,
                )
            })
            .collect();
        if rows.is_empty() {
            return String::new();
        }
        let more = match self.pairs_in_all.saturating_sub(self.pairs.len() as u64) {
            0 => String::new(),
            more => format!(
                "\n  and {} (--pairs all lists all)",
                show::counted(more, "pair")
            ),
        };
        format!(
            "Point-to-point messages, and of collectives those that were waited for\n{}{more}",
            show::table(header(&format!("{}s", self.place)), rows)
        )
    }

    /// What the logical clock did, by class and pair; nothing where it did nothing.
    fn received(&self) -> String {
        let of_class = |class: &Class| (class.to_string(), *self.received.classes.of(*class));
        let of_pair = |it: &Pair| (format!("{} -> {}", it.from, it.to), it.received);
        let rows = Class::ALL
            .iter()
            .map(of_class)
            .chain(self.pairs.iter().map(of_pair));
        let rows: Vec<_> = rows
            .filter(|(_, it)| it.found.count + it.moved.count > 0)
            .map(|(name, it)| {
                let share = |part: Part| show::share(part.count, part.of);
                [
                    name,
                    show::count(it.moved.of),
                    share(it.found),
                    share(it.moved),
                    show::duration(it.mean_ns),
                    show::duration(it.worst_ns as f64),
                    show::duration(it.intervals.grown.worst_ns as f64),
                    show::duration(it.intervals.shrunk.worst_ns as f64),
                ]
            })
            .collect();
        let header = [
            "between", "receives", "found", "moved", "mean", "farthest", "longer", "shorter",
        ];
        match rows.is_empty() {
            true => String::new(),
            false => format!(
                "What the logical clock did to receives, and to the intervals that end there\n{}\n{FOUND}",
                show::table(header, rows)
            ),
        }
    }

    fn places(&self) -> String {
        let rows: Vec<_> = self
            .places
            .iter()
            .filter(|it| it.moved > 0)
            .map(|it| {
                [
                    it.name.clone(),
                    show::count(it.events),
                    show::share(it.moved, it.events),
                    show::duration(it.mean_ns),
                    show::duration(it.worst_ns as f64),
                ]
            })
            .collect();
        match rows.is_empty() {
            true => String::new(),
            false => show::table([&self.place, "events", "moved", "mean", "farthest"], rows),
        }
    }

    fn sentences(&self) -> String {
        let found = match self.found.count {
            0 => "the logical clock found no receive that violates the clock condition".to_owned(),
            count => format!(
                "the logical clock found violations of the clock condition at {} of {} receives ({}), some because of its own moves",
                show::count(count),
                show::count(self.found.of),
                show::share(count, self.found.of)
            ),
        };
        let steps = [
            ("by interpolation", self.intervals.interpolation),
            ("by logical clock", self.intervals.logical_clock),
        ];
        let steps = steps.map(|(name, change)| format!("  {name}  {}", change.sentence()));
        format!("{found}\nlocal intervals changed\n{}", steps.join("\n"))
    }
}

impl Change {
    fn sentence(&self) -> String {
        let extreme = |extreme: &Extreme| {
            let share = match extreme.worst_share {
                0.0 => String::new(),
                share => format!(" ({} of one)", show::percent(share * 100.0)),
            };
            format!("{}{share}", show::duration(extreme.worst_ns as f64))
        };
        match self.grown.count + self.shrunk.count {
            0 => "by nothing".to_owned(),
            _ => format!(
                "by {} in the mean, {:.1e} of all time; longer by {} at most, shorter by {}",
                show::duration(self.mean_ns),
                self.mean_share,
                extreme(&self.grown),
                extreme(&self.shrunk)
            ),
        }
    }
}

/// Explains the last columns.
const LEFT: &str = "  left: after clocks were mapped to the first one's, before the logical clock";

/// Explains the columns of what was done to receives.
const FOUND: &str = "  found: violations, also because of its own earlier moves; longer, shorter: by how much at most";

fn header(first: &str) -> [&str; 8] {
    [
        first,
        "messages",
        "reversed",
        "mean",
        "worst",
        "violations",
        "left reversed",
        "left violating",
    ]
}

fn row(name: String, measured: Fates, interpolated: Fates) -> [String; 8] {
    let off = |wrong: Wrong| match wrong.count {
        0 => ["", ""].map(str::to_owned),
        _ => [wrong.mean_ns, wrong.worst_ns as f64].map(show::duration),
    };
    let [mean, worst] = off(measured.reversed);
    let share = |wrong: Wrong, of: u64| show::share(wrong.count, of);
    [
        name,
        show::count(measured.messages),
        share(measured.reversed, measured.messages),
        mean,
        worst,
        share(measured.too_early, measured.messages),
        share(interpolated.reversed, interpolated.messages),
        share(interpolated.too_early, interpolated.messages),
    ]
}
