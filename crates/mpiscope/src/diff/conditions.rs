//! `--fail-on 'time +5%'`: which rows a condition names, and whether it is so.

use anyhow::{bail, ensure, Result};
use mpiscope_analysis::compare::{Call, Compared, Comparison, Evidence, Judgement, Key, Whole};

use super::facts::{Answer, Answered};
use crate::cli::{Condition, Diff};
use crate::report::show;

/// Answers each condition; of runs that died, and so are not whole, none can be answered.
pub fn answers(
    conditions: &[Condition],
    found: &Comparison,
    arguments: &Diff,
    are_whole: bool,
) -> Result<Vec<Answered>> {
    let answer = |it: &Condition| {
        let told = answer(it, found, arguments)?;
        Ok(match are_whole || arguments.anyway {
            true => told,
            false => Answered {
                answer: Answer::Unknown,
                why: told.why + ", and runs that did not end are among them",
                ..told
            },
        })
    };
    conditions.iter().map(answer).collect()
}

fn answer(condition: &Condition, found: &Comparison, arguments: &Diff) -> Result<Answered> {
    let rows = named(condition, found);
    if rows.is_empty() {
        let names: Vec<String> = found.rows.iter().map(|it| it.key.typed()).collect();
        bail!(
            "--fail-on '{}': there is nothing of that name; there are {}",
            condition.typed,
            show::list(&names, 8)
        );
    }
    let least = arguments.least / 100.0;
    ensure!(
        arguments.anyway
            || condition.change >= least
            || rows.iter().all(|it| it.key.whole() != Whole::Own),
        "--fail-on '{}': changes below --least {} % are not looked at",
        condition.typed,
        arguments.least
    );
    let of_row = |row: &&Compared| of_row(row, condition, found, arguments.anyway);
    let mut all: Vec<(Answer, String)> = rows.iter().map(of_row).collect();
    // The worst of several is what is told.
    let weight = |it: &Answer| match it {
        Answer::True => 0,
        Answer::Unknown => 1,
        Answer::False => 2,
    };
    all.sort_by_key(|it| weight(&it.0));
    let (answer, why) = all.swap_remove(0);
    Ok(Answered {
        condition: condition.typed.clone(),
        answer,
        why,
        longer: condition.longer,
        rows: rows.iter().map(|it| it.key.typed()).collect(),
    })
}

/// Returns the rows that a condition names: a total of that name, else all of it.
fn named<'a>(condition: &Condition, found: &'a Comparison) -> Vec<&'a Compared> {
    let of_all = |row: &&Compared| row.key.is_total() && row.key.typed() == condition.name;
    if let Some(total) = found.rows.iter().find(of_all) {
        return vec![total];
    }
    let meant = |row: &&Compared| {
        let keys = [Some(&row.key), row.was.as_ref()];
        let mut keys = keys.into_iter().flatten();
        keys.any(|it| is_named(it, &condition.name))
    };
    found.rows.iter().filter(meant).collect()
}

fn of_row(
    row: &Compared,
    condition: &Condition,
    found: &Comparison,
    anyway: bool,
) -> (Answer, String) {
    let is_so = exceeds(row, condition);
    let what = said(row);
    if anyway {
        let answer = if is_so { Answer::True } else { Answer::False };
        return (answer, what + ", noise or not");
    }
    if row.only.is_some() {
        return (Answer::Unknown, what + ", and one side does not have it");
    }
    // What the iterations of one run tell is nothing of the next.
    let is_known = matches!(found.evidence, Some(Evidence::Runs { .. }));
    let p = row
        .p
        .map_or_else(String::new, |p| format!(", p {}", show_p(p)));
    match row.judgement {
        _ if found.evidence == Some(Evidence::Mixed) => (
            Answer::Unknown,
            what + ", and times of traces, statistics and virtual time are not the same",
        ),
        _ if !is_known => (
            Answer::Unknown,
            what + ", and whether that is noise cannot be told",
        ),
        Judgement::Unknown => (
            Answer::Unknown,
            what + ", and one run is so far off that nothing can be told",
        ),
        _ if !is_so => (Answer::False, what),
        Judgement::Slower | Judgement::Faster => (Answer::True, what + &p),
        Judgement::Noise => (Answer::False, format!("{what}{p}: noise")),
        Judgement::Small => (
            Answer::False,
            what + ", which is too small a part to matter",
        ),
    }
}

fn exceeds(row: &Compared, condition: &Condition) -> bool {
    let limit = condition.change * row.mean_a();
    match condition.longer {
        true => row.change() > limit,
        false => -row.change() > limit,
    }
}

fn said(row: &Compared) -> String {
    let (a, b) = (row.mean_a(), row.mean_b());
    let of_a = match a > 0.0 {
        true => format!(" ({})", percent((b - a) / a * 100.0)),
        false => String::new(),
    };
    format!(
        "{}: {} after {}{of_a}",
        row.key,
        show::duration(b),
        show::duration(a)
    )
}

/// Writes by how many hundredths something changed.
pub fn percent(change: f64) -> String {
    let sign = if change < 0.0 { '−' } else { '+' };
    format!("{sign}{:.1} %", change.abs())
}

/// Writes a probability.
pub fn show_p(p: f64) -> String {
    match p {
        p if p < 0.0001 => "<0.0001".to_owned(),
        p if p < 0.1 => format!("{p:.4}").trim_end_matches('0').to_owned(),
        p => format!("{p:.2}"),
    }
}

/// Returns whether a row is what was typed: `MPI_Recv`, `MPI_Recv@heat.c`, `MPI_Recv at heat.c:42`,
/// `waiting in MPI_Recv@heat.c:42`, `MPI_Send..MPI_Recv`, a region, or with the path to it.
fn is_named(key: &Key, name: &str) -> bool {
    let name = &name.replace(" at ", "@");
    match key {
        _ if key.typed() == *name => true,
        Key::Call(call) => is_call(call, name),
        Key::WaitingIn(call) => {
            let call_name = name.strip_prefix("waiting in ");
            call_name.is_some_and(|it| is_call(call, it.trim()))
        }
        Key::Between(from, to) => {
            let is_end = |call: &Option<Call>, name: &str| match call {
                None => name.is_empty(),
                Some(call) => is_call(call, name),
            };
            let ends = name.split_once("..");
            ends.is_some_and(|(first, second)| {
                is_end(from, first.trim()) && is_end(to, second.trim())
            })
        }
        Key::Path(around, inner) => is_path(around, inner, name),
        _ => false,
    }
}

/// Returns whether a call path is what was typed: `main/solve/MPI_Recv`.
fn is_path(around: &[String], inner: &Key, name: &str) -> bool {
    let (waiting, name) = match name.strip_prefix("waiting in ") {
        Some(rest) => ("waiting in ", rest.trim()),
        None => ("", name),
    };
    let before = around.join("/") + "/";
    let rest = name.strip_prefix(&before);
    rest.is_some_and(|rest| is_named(inner, &format!("{waiting}{rest}")))
}

fn is_call(call: &Call, name: &str) -> bool {
    let in_file = format!("{}@{}", call.name, call.file);
    [&call.name, &in_file, &call.typed()]
        .iter()
        .any(|it| *it == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_named_as_far_as_one_likes() {
        let call = Call {
            name: "MPI_Recv".into(),
            file: "a.c".into(),
            at: 4,
            is_line: true,
            ..Call::default()
        };
        let key = Key::Call(call.clone());
        for name in [
            "MPI_Recv",
            "MPI_Recv@a.c",
            "MPI_Recv@a.c:4",
            "MPI_Recv at a.c:4",
        ] {
            assert!(is_named(&key, name), "{name}");
            let waiting = Key::WaitingIn(call.clone());
            assert!(is_named(&waiting, &format!("waiting in {name}")), "{name}");
            assert!(!is_named(&waiting, name), "{name}");
            let between = Key::Between(Some(call.clone()), None);
            assert!(is_named(&between, &format!("{name}..")), "{name}");
            let path = |it: &Key| Key::Path(vec!["main".into(), "x".into()], Box::new(it.clone()));
            let reached = format!("main/x/{name}");
            assert!(is_named(&path(&key), &reached), "{name}");
            assert!(!is_named(&path(&key), name), "{name}");
            let waiting_there = format!("waiting in {reached}");
            assert!(is_named(&path(&waiting), &waiting_there), "{name}");
            assert!(!is_named(&path(&waiting), &reached), "{name}");
        }
        assert!(!is_named(&key, "MPI_Recv@a.c:5"));
        assert!(is_named(&Key::Time, "time") && !is_named(&key, "time"));
    }

    #[test]
    fn probabilities_are_short() {
        let shown: Vec<String> = [2.0 / 252.0, 0.00001, 0.05, 0.5, 1.0].map(show_p).into();
        assert_eq!(shown, ["0.0079", "<0.0001", "0.05", "0.50", "1.00"]);
    }
}
