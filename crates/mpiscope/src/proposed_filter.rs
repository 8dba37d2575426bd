//! Filter files that are proposed, from statistics or from a trace.

use mpiscope_analysis::refine::{BRIEF, OFTEN};
use mpiscope_run::filter::literal;

use crate::report::show;

/// How a proposed filter begins, by which an earlier one is known.
pub const BEGIN: &str = "# Proposed ";

/// A procedure or region that is left out.
pub struct LeftOut<'a> {
    /// Its name.
    pub name: &'a str,
    /// How often it was entered.
    pub visits: u64,
    /// How long that took in the mean.
    pub mean_ns: u64,
}

/// Returns a filter file in Score-P's syntax; `head` says what proposes it. What was left out
/// before still is.
pub fn text(head: &str, earlier: Option<&str>, left_out: &[LeftOut]) -> String {
    // Where a name breaks the line, the comment would end.
    let head = head.replace(char::is_control, " ");
    let (often, brief) = (show::count(OFTEN), show::duration(BRIEF.0 as f64));
    let mut lines = vec![
        format!("{BEGIN}{head}"),
        format!("# Entered at least {often} times, and taking less than {brief} each"),
    ];
    lines.extend(earlier.map(|text| text.trim_end().to_owned()));
    lines.push("SCOREP_REGION_NAMES_BEGIN".to_owned());
    lines.extend(left_out.iter().map(|it| {
        let (visits, mean) = (show::count(it.visits), show::duration(it.mean_ns as f64));
        let name = literal(it.name);
        format!("  EXCLUDE {name} # {visits} entries, {mean} each")
    }));
    let others = left_out.iter().flat_map(|it| symbols(it.name));
    let others: Vec<String> = others.map(|it| format!("  EXCLUDE {it}")).collect();
    if !others.is_empty() {
        lines.push("  # The same as compilers name them, and copies that they make:".to_owned());
    }
    lines.extend(others);
    lines.push("SCOREP_REGION_NAMES_END".to_owned());
    lines.join("\n")
}

/// Returns a pattern of what a compiler may call a function besides: gfortran a procedure of a
/// module, and GCC copies of functions for certain arguments (`.constprop.0`, `.isra.0`). Nothing
/// fits what has the same name elsewhere.
fn symbols(name: &str) -> Option<String> {
    if name.contains('(') {
        return Some(format!("{}\\ \\[clone*", literal(name)));
    }
    let is_identifier = |it: &str| {
        let mut letters = it.chars();
        !it.is_empty() && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    match name.split_once("::") {
        Some((module, procedure)) if is_identifier(module) && is_identifier(procedure) => {
            let symbol = format!("__{module}_MOD_{procedure}");
            Some(format!("MANGLED {symbol} {symbol}.*"))
        }
        None if is_identifier(name) => Some(format!("MANGLED {name}.*")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mpiscope_run::filter::{parse, Names};

    use super::*;

    /// Expects of a filter that leaves out some names what it does to functions, each as the agent
    /// knows it: its names and its symbol.
    #[track_caller]
    fn check(names: &[&str], left_out: &[[&str; 3]], traced: &[[&str; 3]]) {
        let rules: Vec<LeftOut> = (names.iter())
            .map(|name| LeftOut {
                name,
                visits: 10_000,
                mean_ns: 40,
            })
            .collect();
        let text = text("for a test", None, &rules);
        let filter = parse(&text).unwrap();
        let is_left_out = |[full, short, symbol]: &[&str; 3]| {
            filter.leaves_out(Names {
                plain: &[full, short],
                mangled: Some(symbol),
                file: None,
            })
        };
        assert!(left_out.iter().all(is_left_out), "{text}");
        assert!(!traced.iter().any(is_left_out), "{text}");
    }

    #[test]
    fn functions_are_left_out_as_compilers_name_them() {
        let same = |name: &'static str| [name; 3];
        check(
            &["tiny", "heat::step"],
            &[
                same("tiny"),
                same("tiny.constprop.0"),
                same("__heat_MOD_step"),
                same("__heat_MOD_step.isra.0"),
            ],
            &[same("tiny2"), same("__heat_MOD_step2"), same("step")],
        );
        check(
            &["ns::f(int)"],
            &[
                ["ns::f(int)", "ns::f", "_ZN2ns1fEi"],
                ["ns::f(int) [clone .isra.0]", "ns::f", "_ZN2ns1fEi.isra.0"],
            ],
            &[
                ["ns::f(int) const", "ns::f", "_ZNK2ns1fEi"],
                ["ns::f(long)", "ns::f", "_ZN2ns1fEl"],
            ],
        );
    }

    #[test]
    fn functions_of_that_name_in_other_classes_stay() {
        check(
            &["tiny", "size"],
            &[["tiny"; 3]],
            &[
                ["ns::tiny(long)", "ns::tiny", "_ZN2ns4tinyEl"],
                [
                    "ns::(anonymous namespace)::tiny(int)",
                    "ns::(anonymous namespace)::tiny",
                    "_ZN2ns12_GLOBAL__N_14tinyEi",
                ],
                ["Halo::size()", "Halo::size", "_ZN4Halo4sizeEv"],
            ],
        );
    }

    #[test]
    fn a_name_that_breaks_the_line_does_not_end_the_comment() {
        let text = text("from the trace a\nb", None, &[]);
        assert!(parse(&text).unwrap().is_empty());
    }

    #[test]
    fn what_was_left_out_before_still_is() {
        let earlier = "SCOREP_REGION_NAMES_BEGIN EXCLUDE old SCOREP_REGION_NAMES_END\n";
        let text = text("x", Some(earlier), &[]);
        let filter = parse(&text).unwrap();
        assert_eq!(filter.regions.len(), 1);
        assert!(text.starts_with(BEGIN));
    }
}
