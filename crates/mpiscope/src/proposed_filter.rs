//! Filter files that are proposed, from statistics or from a trace.

use mpiscope_analysis::refine::{BRIEF, OFTEN};
use mpiscope_run::filter::{fits, literal};

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
/// before still is, and patterns that are no names fit nothing of what is to stay.
pub fn text(head: &str, earlier: Option<&str>, left_out: &[LeftOut], stays: &[&str]) -> String {
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
    let others = left_out.iter().flat_map(|it| symbols(it.name, stays));
    let others: Vec<String> = others.map(|it| format!("  EXCLUDE {it}")).collect();
    if !others.is_empty() {
        lines.push("  # The same as compilers name them, and copies that they make:".to_owned());
    }
    lines.extend(others);
    lines.push("SCOREP_REGION_NAMES_END".to_owned());
    lines.join("\n")
}

/// Returns patterns of what a compiler may call a function besides: gfortran a procedure of a
/// module, GCC copies of functions for certain arguments (`.constprop.0`, `.isra.0`), and C++ a
/// function of which debug information has the last part of its name alone, as of one that no other
/// file sees.
fn symbols(name: &str, stays: &[&str]) -> Vec<String> {
    if name.contains('(') && name != "operator()" {
        return vec![format!("{}\\ \\[clone*", literal(name))];
    }
    let is_identifier = |it: &str| {
        let mut letters = it.chars();
        !it.is_empty() && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let within = format!("*::{}(*", literal(name));
    let fits_none = !stays.iter().any(|it| fits(&within, it));
    match name.split_once("::") {
        Some((module, procedure)) if is_identifier(module) && is_identifier(procedure) => {
            let symbol = format!("__{module}_MOD_{procedure}");
            vec![format!("MANGLED {symbol} {symbol}.*")]
        }
        Some(_) => Vec::new(),
        None => {
            let copies = is_identifier(name).then(|| format!("MANGLED {name}.*"));
            copies
                .into_iter()
                .chain(fits_none.then_some(within))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use mpiscope_run::filter::{parse, Names};

    use super::*;

    /// Expects of a filter that leaves out some names what it does to functions, each as the agent
    /// knows it: its names and its symbol.
    #[track_caller]
    fn check(names: &[&str], stays: &[&str], left_out: &[[&str; 3]], traced: &[[&str; 3]]) {
        let rules: Vec<LeftOut> = (names.iter())
            .map(|name| LeftOut {
                name,
                visits: 10_000,
                mean_ns: 40,
            })
            .collect();
        let text = text("for a test", None, &rules, stays);
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
            &[],
            &[
                same("tiny"),
                same("tiny.constprop.0"),
                same("__heat_MOD_step"),
                same("__heat_MOD_step.isra.0"),
                [
                    "ns::(anonymous namespace)::tiny(int)",
                    "ns::(anonymous namespace)::tiny",
                    "_ZN2ns",
                ],
            ],
            &[same("tiny2"), same("__heat_MOD_step2"), same("step")],
        );
        check(
            &["ns::f(int)", "operator()"],
            &[],
            &[
                ["ns::f(int)", "ns::f", "_ZN2ns1fEi"],
                ["ns::f(int) [clone .isra.0]", "ns::f", "_ZN2ns1fEi.isra.0"],
                [
                    "g()::{lambda()#1}::operator()() const",
                    "g()::{lambda()#1}::operator()",
                    "_ZZ1g",
                ],
            ],
            &[
                ["ns::f(int) const", "ns::f", "_ZNK2ns1fEi"],
                ["ns::f(long)", "ns::f", "_ZN2ns1fEl"],
            ],
        );
    }

    #[test]
    fn what_is_to_stay_is_not_left_out_with_its_like() {
        let other = ["ns::tiny(long)", "ns::tiny", "_ZN2ns4tinyEl"];
        check(&["tiny"], &[], &[other], &[]);
        check(&["tiny"], &["ns::tiny(long)"], &[["tiny"; 3]], &[other]);
    }

    #[test]
    fn what_was_left_out_before_still_is() {
        let earlier = "SCOREP_REGION_NAMES_BEGIN EXCLUDE old SCOREP_REGION_NAMES_END\n";
        let text = text("x", Some(earlier), &[], &[]);
        let filter = parse(&text).unwrap();
        assert_eq!(filter.regions.len(), 1);
        assert!(text.starts_with(BEGIN));
    }
}
