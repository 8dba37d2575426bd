//! `scripts/tests`, which `make test` runs: what is green and what is red, with a `cargo` of ours
//! in its place whose tests fail as they are told.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Runs the script. Among others fails what `failures` say; alone what `alone` says, shell too.
fn tests(failures: &str, alone: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let cargo = folder.path().join("cargo");
    let failed = format!(
        "#!/bin/sh\nif [ \"$2\" = --workspace ]; then cat <<'END'\n{failures}\nEND\nexit 101\nfi\n\
         echo \"alone: $*\"\n{alone}\n"
    );
    fs::write(&cargo, failed).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/tests");
    let path = format!("{}:{}", folder.path().display(), env!("PATH"));
    let output = Command::new(script).env("PATH", path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text)
}

const TWO: &str = "\
test a ... ok
failures:

---- slow stdout ----

thread 'slow' panicked at view.rs:1:
    (a word)

failures:
    slow
    inside::late

test result: FAILED. 9 passed; 2 failed; 0 ignored

error: test failed, to rerun pass `-p one --test view`
error: 1 target failed:
    `-p one --test view`";
const PASSES: &str = "echo 'test result: ok. 1 passed; 0 failed; 0 ignored'";

#[test]
fn what_passes_alone_is_named_and_green() {
    let (code, text) = tests(TWO, PASSES);
    assert_eq!(code, 0, "{text}");
    for name in ["slow", "inside::late"] {
        let alone = format!("alone: test -p one --test view -- --exact {name}\n");
        assert!(text.contains(&alone), "{text}");
        let named = format!("\ntests:   -p one --test view: {name}\n");
        assert!(text.contains(&named), "{text}");
    }
}

#[test]
fn what_fails_alone_too_is_red() {
    let once = format!("{PASSES}; case \"$*\" in *late) exit 101;; esac");
    let nothing = "echo 'test result: ok. 0 passed; 0 failed; 0 ignored'";
    for alone in [once.as_str(), nothing, "exit 1"] {
        let (code, text) = tests(TWO, alone);
        assert_eq!(code, 1, "{text}");
        assert!(!text.contains("only alone"), "{text}");
    }
}

/// More than a few, what crashed without a name, and what could not be built.
#[test]
fn what_is_no_accident_is_red_at_once() {
    let many = TWO.replace("    slow\n", "    slow\n    slower\n    slowest\n");
    let crashed = format!("{TWO}\nerror: test failed, to rerun pass `-p one --test crashed`");
    let error = "error: could not compile `one` (lib) due to 1 previous error";
    for failures in [many.as_str(), crashed.as_str(), error] {
        let (code, text) = tests(failures, PASSES);
        assert_eq!(code, 101, "{text}");
        assert!(!text.contains("alone:"), "{text}");
    }
}
