//! Equal answers of many ranks, said once: `0-2: 5   3: 7`.

use super::ranks::Ranks;

/// A line should not be longer than this if it can be two.
const WIDTH: usize = 80;

/// Gathers ranks that gave the same answer; those of the lowest rank come first.
pub fn equal(answers: impl IntoIterator<Item = (u32, String)>) -> Vec<(Ranks, String)> {
    let mut groups: Vec<(Vec<u32>, String)> = Vec::new();
    for (rank, answer) in answers {
        match groups.iter_mut().find(|group| group.1 == answer) {
            Some(group) => group.0.push(rank),
            None => groups.push((vec![rank], answer)),
        }
    }
    groups
        .into_iter()
        .map(|(ranks, answer)| (ranks.into_iter().collect(), answer))
        .collect()
}

/// Writes answers side by side if they are short, else below each other.
pub fn show(answers: impl IntoIterator<Item = (u32, String)>) -> String {
    let groups = equal(answers);
    let texts: Vec<String> = groups.iter().map(one).collect();
    let side_by_side = texts.join("   ");
    match side_by_side.contains('\n') || side_by_side.chars().count() > WIDTH {
        true => texts.join("\n"),
        false => side_by_side,
    }
}

fn one((ranks, answer): &(Ranks, String)) -> String {
    match answer.contains('\n') {
        false => format!("{ranks}: {answer}"),
        true => {
            let lines: Vec<String> = answer.lines().map(|line| format!("  {line}")).collect();
            format!("{ranks}:\n{}", lines.join("\n"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    fn check(answers: &[&str], expected: Expect) {
        let answers = answers.iter().map(|answer| answer.to_string());
        expected.assert_eq(&show((0..).zip(answers)));
    }

    #[test]
    fn equal_answers_are_said_once() {
        check(&["5", "5", "5", "7"], expect!["0-2: 5   3: 7"]);
        check(&["5", "7", "5"], expect!["0,2: 5   1: 7"]);
        check(&["5"], expect!["0: 5"]);
        check(&[], expect![""]);
    }

    #[test]
    fn long_answers_stand_below_each_other() {
        let long = "x".repeat(80);
        check(
            &[&long, "y", &long],
            expect![[r#"
            0,2: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
            1: y"#]],
        );
    }

    #[test]
    fn answers_of_several_lines_are_indented() {
        check(
            &["#0 main\n#1 start", "#0 main\n#1 start", "running"],
            expect![[r#"
            0,1:
              #0 main
              #1 start
            2: running"#]],
        );
    }
}
