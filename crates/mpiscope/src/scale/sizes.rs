//! The size of the problem of each run: as somebody says, else the one argument of the program that
//! differs and is a number.

use anyhow::{bail, ensure, Result};
use mpiscope_analysis::scaling::Kind;
use serde::Serialize;

use super::load::Loaded;
use crate::cli::Scale;

/// Sizes by ranks that differ by a smaller part are the same: a size is a whole number, and may not be
/// divisible by the ranks.
const SAME: f64 = 0.01;

/// What runs differ in.
pub enum Compared {
    /// The ranks; the sizes, if they were told, tell which kind of scaling it is.
    Ranks(Option<Kind>),
    /// The size of the problem.
    Sizes(Sizes),
}

/// The size of the problem of each run.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// In the order of the runs.
    pub of_runs: Vec<f64>,
    pub from: SizesFrom,
    /// Which word behind the program it is, from 1, if arguments tell it, and what is before the number
    /// in that word.
    pub argument: Option<(usize, String)>,
}

/// How sizes are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SizesFrom {
    /// Somebody said them.
    Asked,
    /// They are arguments of the program.
    Arguments,
}

/// Returns what runs are compared by.
///
/// # Errors
/// When sizes do not fit the runs, or what else was asked for does not fit them.
pub fn compared(arguments: &Scale, loaded: &[Loaded]) -> Result<Compared> {
    let count = loaded.len();
    if !arguments.sizes.is_empty() {
        ensure!(
            arguments.sizes.len() == count,
            "--sizes names {} for {count} runs: one for each, in the order of the runs",
            arguments.sizes.len(),
        );
    }
    let ranks: Vec<u64> = loaded.iter().map(|it| it.run.measures.ranks).collect();
    match ranks.windows(2).all(|pair| pair[0] == pair[1]) {
        true => on_equal_ranks(arguments, loaded),
        false => by_rank(arguments, &ranks),
    }
}

fn on_equal_ranks(arguments: &Scale, loaded: &[Loaded]) -> Result<Compared> {
    let sizes = match arguments.sizes.is_empty() {
        false => Some(Sizes {
            of_runs: arguments.sizes.clone(),
            from: SizesFrom::Asked,
            argument: None,
        }),
        true => of_arguments(loaded),
    };
    let Some(sizes) = sizes else {
        return Ok(Compared::Ranks(None));
    };
    ensure!(
        arguments.kind().is_none() && arguments.reference.is_none(),
        "all runs are on the same number of ranks, and of different sizes: --strong, --weak and \
         --reference are for runs on different numbers of ranks"
    );
    Ok(Compared::Sizes(sizes))
}

/// Of runs on different numbers of ranks: sizes that are the same make it strong scaling, those that
/// grow with the ranks weak scaling; of others losses are the sizes' as well as the ranks'.
fn by_rank(arguments: &Scale, ranks: &[u64]) -> Result<Compared> {
    let sizes = &arguments.sizes;
    if sizes.is_empty() {
        return Ok(Compared::Ranks(None));
    }
    let of_each = sizes.iter().zip(ranks);
    let of_each = of_each.map(|(size, ranks)| size / *ranks as f64);
    let kind = match (are_same(sizes.iter().copied()), are_same(of_each)) {
        (true, _) => Kind::Strong,
        (_, true) => Kind::Weak,
        _ => bail!(
            "the runs are on different numbers of ranks, and of sizes that are neither the same nor \
             the same on each rank: what comes of ranks and what of sizes cannot be told apart. \
             Compare runs of one size, or on one number of ranks; or, if the work is the same on each \
             rank in spite of these numbers, --weak without --sizes"
        ),
    };
    if let Some(asked) = arguments.kind().filter(|asked| *asked != kind) {
        bail!(
            "--{} is asked for, and --sizes tell {} scaling: leave one of them out",
            asked.name(),
            kind.name()
        );
    }
    Ok(Compared::Ranks(Some(kind)))
}

fn are_same(values: impl Iterator<Item = f64> + Clone) -> bool {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.fold(0.0, f64::max);
    most <= least * (1.0 + SAME)
}

/// Returns the sizes that arguments tell: the only word in which they differ, if it is a number above 0
/// in all of them, also behind the same words, as in `--size=100`.
fn of_arguments(loaded: &[Loaded]) -> Option<Sizes> {
    let all = loaded.iter().map(|it| it.run.arguments.as_deref());
    let all = all.collect::<Option<Vec<&[String]>>>()?;
    let first = *all.first()?;
    if all.iter().any(|it| it.len() != first.len()) {
        return None;
    }
    let differs = |at: &usize| all.iter().any(|it| it[*at] != first[*at]);
    let mut differing = (0..first.len()).filter(differs);
    let (at, None) = (differing.next()?, differing.next()) else {
        return None;
    };
    let (before, _) = option(&first[at]);
    let number = |words: &&[String]| {
        let (of, number) = option(&words[at]);
        let number = (of == before).then(|| number.parse::<f64>().ok())?;
        number.filter(|it| it.is_finite() && *it > 0.0)
    };
    Some(Sizes {
        of_runs: all.iter().map(number).collect::<Option<_>>()?,
        from: SizesFrom::Arguments,
        argument: Some((at + 1, before.to_owned())),
    })
}

/// Divides `--size=100` into `--size=` and `100`; of other words the first part is empty.
fn option(word: &str) -> (&str, &str) {
    word.split_at(word.rfind('=').map_or(0, |at| at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::tests::loaded;

    fn told(runs: &[&str]) -> Option<(Vec<f64>, usize, String)> {
        let run = |words: &&str| {
            let mut run = loaded("a", "0: 0 enter(a) 9 leave(a)");
            run.run.arguments = Some(words.split_whitespace().map(str::to_owned).collect());
            run
        };
        let sizes = of_arguments(&runs.iter().map(run).collect::<Vec<_>>())?;
        let (word, before) = sizes.argument.unwrap();
        Some((sizes.of_runs, word, before))
    }

    #[test]
    fn the_only_number_in_which_arguments_differ_is_the_size() {
        let expected = Some((vec![100.0, 250.0, 100.0], 2, String::new()));
        assert_eq!(told(&["-n 100", "-n 250", "-n 100"]), expected);
        let named = Some((vec![1.5, 20.0], 1, "--size=".to_owned()));
        assert_eq!(told(&["--size=1.5 x", "--size=2e1 x"]), named);
    }

    #[test]
    fn arguments_that_differ_otherwise_tell_no_size() {
        for runs in [
            ["100", "100"],
            ["100 1", "200 2"],
            ["100", "200 2"],
            ["small", "large"],
            ["100", "inf"],
            ["100", "0"],
            ["--x=100", "--y=200"],
            ["", ""],
        ] {
            assert_eq!(told(&runs), None, "{runs:?}");
        }
    }

    #[test]
    fn a_size_on_each_rank_may_be_rounded() {
        assert!(are_same([1000.0 / 3.0, 333.0].into_iter()));
        assert!(!are_same([100.0, 103.0].into_iter()));
    }
}
