//! What a test leaves out, in one place: software that is not on this machine.
//!
//! People are told, and the rest is tested. Where `CI=true` it is an error that names
//! what is missing, so that green never means absent. A new kind of need (a browser, say)
//! calls `missing` too, and `scripts/setup` installs it.

use std::io::Write;

/// Says that a test is left out as something is not installed; under `CI=true` the test fails.
#[track_caller]
pub fn missing(what: &str) {
    let strict = is_strict(std::env::var("CI").ok().as_deref());
    assert!(
        !strict,
        "missing: {what}; with CI=true no test is left out (make setup)"
    );
    say(&format!("skipped: {what} (make setup)"));
}

/// Says that a test does not apply, whatever is installed. These are all there are:
///
/// * an MPI was built without `MPI_THREAD_MULTIPLE`, which a program asks for;
/// * MPICH ends all processes when one dies, so that none is left to wait;
/// * clang rejects some sources of the corpus, which are in gcc's own dialect;
/// * a package of the system is built for one MPI only;
/// * a system lets a counter not be read: it has none, or does not allow it;
/// * an MPI itself crashes on the smallest stacks that threads may have, without us;
/// * an MPI lacks a function of a chapter's program, or fails at it without us (`UNABLE`);
/// * a kernel before 6.7 runs programs of another machine only if all of this one may see it.
#[allow(dead_code)] // each test binary uses its part of this
pub fn inapplicable(why: &str) {
    say(&format!("not applicable: {why}"));
}

fn is_strict(ci: Option<&str>) -> bool {
    ci == Some("true")
}

/// Seen even if the test passes: the print macros would be captured.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[test]
fn only_ci_is_strict() {
    assert!(is_strict(Some("true")));
    assert!(!is_strict(Some("")) && !is_strict(Some("1")) && !is_strict(None));
}
