//! Figures as people read them.

use std::fmt::Display;
use std::path::Path;

use comfy_table::{presets, CellAlignment, Table};

/// Writes a count with commas between thousands.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a count with what is counted, in the plural by `s` where there is not one.
pub fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", count(number))
}

/// Writes a duration in nanoseconds with three digits and the unit that suits it.
pub fn duration(ns: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
    // What rounds to 1000 of a unit is one of the next.
    let unit = UNITS.iter().find(|unit| ns.abs() >= 0.9995 * unit.0);
    let (size, name) = unit.copied().unwrap_or((1.0, "ns"));
    format!("{} {name}", three_digits(ns / size))
}

/// Writes what part of the whole a number is.
pub fn share(part: u64, whole: u64) -> String {
    percent(part as f64 / whole.max(1) as f64 * 100.0)
}

/// Writes a percentage; what is not nothing does not look like it.
pub fn percent(percent: f64) -> String {
    match percent {
        0.0 => "0 %".to_owned(),
        percent if percent < 0.01 => "<0.01 %".to_owned(),
        percent => format!("{} %", three_digits(percent)),
    }
}

/// Rounds to three digits; nothing below a thousandth.
pub fn three_digits(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        size if size >= 0.9995 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    let short = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    if short == "-0" { "0" } else { short }.to_owned()
}

/// Joins the first of many with commas, and says how many more there are.
pub fn list<T: Display>(items: &[T], most: usize) -> String {
    let shown: Vec<String> = items.iter().take(most).map(ToString::to_string).collect();
    let rest = items.len().saturating_sub(most);
    match rest {
        0 => shown.join(", "),
        _ => format!("{} and {rest} more", shown.join(", ")),
    }
}

/// Writes ascending numbers with runs in short: `0-2, 5`.
pub fn ranges(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let texts: Vec<String> = runs
        .iter()
        .map(|&(first, last)| match last - first {
            0 => first.to_string(),
            _ => format!("{first}-{last}"),
        })
        .collect();
    list(&texts, 12)
}

/// Names ranks, ascending: `rank 1`, `ranks 0-2, 5`.
pub fn ranks(numbers: &[u32]) -> String {
    let word = if numbers.len() == 1 { "rank" } else { "ranks" };
    format!("{word} {}", ranges(numbers))
}

/// Writes a path as a shell takes it for one word.
pub fn word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// Lays out rows under a header: the first column to the left, figures to the right.
pub fn table<const N: usize>(header: [&str; N], rows: Vec<[String; N]>) -> String {
    let header = header.map(str::to_owned).into();
    grid(header, rows.into_iter().map(Vec::from).collect())
}

/// The same for any number of columns.
pub fn grid(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines: Vec<String> = table.lines().map(|line| format!(" {line}")).collect();
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn counts_have_commas() {
        let shown = [0, 999, 1000, 63211, 1_000_000].map(count).join(" ");
        expect!["0 999 1,000 63,211 1,000,000"].assert_eq(&shown);
        assert_eq!(counted(1, "rank") + &counted(2, "rank"), "1 rank2 ranks");
    }

    #[test]
    fn durations_have_three_digits_and_a_unit() {
        let shown = [
            0.0, 0.4, 7.0, 999.4, 999.6, 1234.0, -350_000.0, 1e7, 61.5e9, 1e13,
        ];
        expect!["0 ns, 0.4 ns, 7 ns, 999 ns, 1 µs, 1.23 µs, -350 µs, 10 ms, 61.5 s, 10000 s"]
            .assert_eq(&shown.map(duration).join(", "));
    }

    #[test]
    fn a_small_share_is_not_none() {
        let shown = [(0, 5), (1, 3), (5, 5), (1, 1_000_000), (0, 0)];
        let shown = shown.map(|(part, whole)| share(part, whole));
        expect!["0 %, 33.3 %, 100 %, <0.01 %, 0 %"].assert_eq(&shown.join(", "));
    }

    #[test]
    fn a_path_with_a_space_is_quoted() {
        let shown = ["a/b.c", "a b", "it's"].map(|path| word(Path::new(path)));
        assert_eq!(shown.join(" "), r"a/b.c 'a b' 'it'\''s'");
    }

    #[test]
    fn many_ranks_are_told_in_short() {
        assert_eq!(ranges(&[0, 1, 2, 5, u32::MAX]), "0-2, 5, 4294967295");
        assert_eq!(ranges(&[]), "");
        assert_eq!(list(&[1, 2, 3], 2), "1, 2 and 1 more");
    }
}
