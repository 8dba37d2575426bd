//! Comments that are directives (OpenMP, OpenACC, compilers' own).

/// What a directive is to the statements after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// It belongs to the loop or statement that follows; nothing may stand between.
    Bound {
        /// What follows runs on a device.
        offloads: bool,
        /// It speaks of several nested loops.
        counts_loops: bool,
    },
    /// It begins a part that runs on a device.
    Begin,
    /// It ends a construct.
    End,
    /// It stands for itself.
    Other,
    /// The procedure is also compiled for devices, or in vectors.
    Procedure,
}

/// Reads a comment; `None` if it is only that.
pub(super) fn read(comment: &str) -> Option<Directive> {
    let comment = comment.to_lowercase();
    let body = comment.strip_prefix('!')?;
    let sentinels = ["$omp", "$acc", "dir$", "dec$", "gcc$", "pgi$", "ibm*"];
    let sentinel = sentinels
        .iter()
        .find(|sentinel| body.starts_with(**sentinel))?;
    let words: Vec<&str> = body[sentinel.len()..]
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let first = words.first().copied().unwrap_or_default();
    let offloads = *sentinel == "$acc" || has(&["target"]);
    // These belong to the declarations.
    if ["threadprivate", "requires", "allocate"].contains(&first) {
        return None;
    }
    Some(if first.starts_with("end") {
        Directive::End
    } else if first == "routine" || (first == "declare" && has(&["target", "simd"])) {
        Directive::Procedure
    } else if !sentinel.starts_with('$') || has(&BOUND) {
        let counts_loops = has(&["collapse", "ordered", "tile", "sizes"]);
        Directive::Bound {
            offloads,
            counts_loops,
        }
    } else if offloads && !has(&STANDALONE) {
        Directive::Begin
    } else {
        Directive::Other
    })
}

const BOUND: [&str; 9] = [
    "do",
    "simd",
    "loop",
    "taskloop",
    "distribute",
    "atomic",
    "sections",
    "section",
    "workshare",
];

const STANDALONE: [&str; 11] = [
    "data",
    "enter",
    "exit",
    "update",
    "declare",
    "wait",
    "init",
    "shutdown",
    "set",
    "cache",
    "host_data",
];
