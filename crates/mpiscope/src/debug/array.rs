//! A distributed array, shown whole: `array x[0..99]`, `array u count n from 1`.
//!
//! Every rank holds a part, in the order of ranks: equal blocks, or as many
//! elements as an expression says there. Pure: text in, what to ask each rank
//! and how to write its answer out.

use std::ops::Range;

/// An array, as it was asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct ArrayRequest {
    /// The part of a rank: an array or a pointer, in the program's language.
    pub name: String,
    /// First and last index to show; all if nothing is said.
    pub window: Option<(i64, i64)>,
    /// How many elements a rank holds; equal blocks of the window if nothing is said.
    pub count: Option<String>,
    /// Index of a rank's first own element in its part, an expression.
    pub from: String,
    /// The brackets of the program's language.
    brackets: [char; 2],
}

/// How `array` is used.
pub const USAGE: &str = "array NAME[LO..HI] [count EXPR] [from EXPR]";

/// Reads what stands after `array`.
pub fn parse(text: &str) -> Result<ArrayRequest, String> {
    let wrong = |what: &str| format!("{what}: {USAGE} is expected");
    let (text, from) = clause(text.trim(), " from ");
    let (text, count) = clause(text, " count ");
    let (name, window, brackets) = match windowed(text) {
        Some((name, window, brackets)) => {
            let (first, last) = window.split_once("..").unwrap_or((window, window));
            let number = |text: &str| text.trim().parse().map_err(|_| wrong(window));
            let window = (number(first)?, number(last)?);
            if window.0 > window.1 {
                return Err(wrong("the window is empty"));
            }
            (name, Some(window), brackets)
        }
        None => (text, None, ['[', ']']),
    };
    if name.is_empty() {
        return Err(wrong("no array named"));
    }
    if window.is_none() && count.is_none() {
        return Err(wrong("neither indices nor a count"));
    }
    let first = if brackets[0] == '(' { "1" } else { "0" };
    Ok(ArrayRequest {
        name: name.to_owned(),
        window,
        count: count.map(str::to_owned),
        from: from.unwrap_or(first).to_owned(),
        brackets,
    })
}

fn clause<'a>(text: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    match text.split_once(word) {
        Some((before, after)) => (before.trim(), Some(after.trim())),
        None => (text, None),
    }
}

/// Finds `[lo..hi]`, or `(lo..hi)` as Fortran writes it, at the end.
fn windowed(text: &str) -> Option<(&str, &str, [char; 2])> {
    let of = |open: char, close: char| {
        let (name, window) = text.strip_suffix(close)?.rsplit_once(open)?;
        let found = window
            .contains("..")
            .then_some((name.trim(), window, [open, close]));
        found
    };
    of('[', ']').or_else(|| of('(', ')'))
}

impl ArrayRequest {
    /// Returns which indices of the whole each of some ranks holds, if they are equal blocks.
    ///
    /// The first ranks hold one more where the blocks do not come out even.
    pub fn blocks(&self, ranks: usize) -> Vec<Range<i64>> {
        let (first, last) = self.window.unwrap_or((0, -1));
        let total = (last - first + 1).max(0) as u64;
        let ranks = ranks.max(1) as u64;
        let size = |rank: u64| (total / ranks + u64::from(rank < total % ranks)) as i64;
        self.in_order((0..ranks).map(size), first)
    }

    /// Returns the same where each rank has said how many elements it holds.
    pub fn counted(&self, counts: impl IntoIterator<Item = i64>) -> Vec<Range<i64>> {
        // A first index other than 0 is only known from Fortran's way to count.
        let first = i64::from(self.brackets[0] == '(');
        self.in_order(counts, first)
    }

    fn in_order(&self, counts: impl IntoIterator<Item = i64>, first: i64) -> Vec<Range<i64>> {
        let mut at = first;
        let mut place = |count: i64| {
            let begin = at;
            at = at.saturating_add(count.max(0));
            begin..at
        };
        counts.into_iter().map(&mut place).collect()
    }

    /// Returns which of the indices that a rank holds are to be shown.
    pub fn shown(&self, held: &Range<i64>) -> Range<i64> {
        match self.window {
            Some((first, last)) => held.start.max(first)..held.end.min(last.saturating_add(1)),
            None => held.clone(),
        }
    }

    /// Returns the expression of what is to be shown of what a rank holds.
    pub fn expression(&self, held: &Range<i64>) -> String {
        let shown = self.shown(held);
        let [open, close] = self.brackets;
        let skipped = shown.start - held.start;
        let index = match skipped {
            0 => self.from.clone(),
            _ => format!("{}+{skipped}", self.from),
        };
        format!(
            "{}{open}{index}{close}@{}",
            self.name,
            shown.end - shown.start
        )
    }

    /// Writes a rank's part: `  1: x[4..7] = 5, 6, 7, 8`.
    pub fn line(&self, rank: u32, shown: &Range<i64>, answer: &str) -> String {
        let [open, close] = self.brackets;
        let values = answer
            .strip_prefix(['{', '('])
            .and_then(|rest| rest.strip_suffix(['}', ')']));
        let window = match shown.end - shown.start {
            1 => shown.start.to_string(),
            _ => format!("{}..{}", shown.start, shown.end - 1),
        };
        let values = values.unwrap_or(answer);
        format!("{rank:>4}: {}{open}{window}{close} = {values}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    /// Shows what is asked of each rank, given the counts that they tell.
    fn check(text: &str, ranks: usize, counts: &[i64], expected: Expect) {
        let shown = match parse(text) {
            Err(error) => error,
            Ok(request) => {
                let held = match request.count {
                    Some(_) => request.counted(counts.iter().copied()),
                    None => request.blocks(ranks),
                };
                let line = |held: &Range<i64>| {
                    let shown = request.shown(held);
                    match shown.is_empty() {
                        true => "nothing".to_owned(),
                        false => format!("{shown:?} {}", request.expression(held)),
                    }
                };
                held.iter().map(line).collect::<Vec<_>>().join("\n")
            }
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn blocks_are_equal_but_for_the_remainder() {
        check(
            "x[0..9]",
            4,
            &[],
            expect![[r#"
            0..3 x[0]@3
            3..6 x[0]@3
            6..8 x[0]@2
            8..10 x[0]@2"#]],
        );
        check(
            "x[0..1]",
            3,
            &[],
            expect![[r#"
            0..1 x[0]@1
            1..2 x[0]@1
            nothing"#]],
        );
    }

    #[test]
    fn counts_are_told_by_the_ranks() {
        check(
            "u count n from 1",
            3,
            &[2, 0, 3],
            expect![[r#"
            0..2 u[1]@2
            nothing
            2..5 u[1]@3"#]],
        );
    }

    #[test]
    fn a_window_cuts_into_parts() {
        check(
            "p->u[3..5] count p->n",
            3,
            &[4, 1, 4],
            expect![[r#"
            3..4 p->u[0+3]@1
            4..5 p->u[0]@1
            5..6 p->u[0]@1"#]],
        );
    }

    #[test]
    fn fortran_counts_from_one() {
        check(
            "x(1..4)",
            2,
            &[],
            expect![[r#"
            1..3 x(1)@2
            3..5 x(1)@2"#]],
        );
        check(
            "x(2..3) count n",
            2,
            &[2, 2],
            expect![[r#"
            2..3 x(1+1)@1
            3..4 x(1)@1"#]],
        );
    }

    #[test]
    fn what_is_missing_is_said() {
        check(
            "",
            1,
            &[],
            expect!["no array named: array NAME[LO..HI] [count EXPR] [from EXPR] is expected"],
        );
        check("x", 1, &[], expect!["neither indices nor a count: array NAME[LO..HI] [count EXPR] [from EXPR] is expected"]);
        check(
            "x[4..3]",
            1,
            &[],
            expect!["the window is empty: array NAME[LO..HI] [count EXPR] [from EXPR] is expected"],
        );
        check(
            "x[a..b]",
            1,
            &[],
            expect!["a..b: array NAME[LO..HI] [count EXPR] [from EXPR] is expected"],
        );
    }

    #[test]
    fn a_part_bears_the_mark_of_its_rank() {
        let request = parse("x[0..7]").unwrap();
        assert_eq!(
            request.line(1, &(4..8), "{5, 6, 7, 8}"),
            "   1: x[4..7] = 5, 6, 7, 8"
        );
        assert_eq!(request.line(12, &(7..8), "8"), "  12: x[7] = 8");
    }
}
