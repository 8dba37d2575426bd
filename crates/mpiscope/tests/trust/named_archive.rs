//! The archive that was named was not the one that was shown.

use std::process::Command;

use crate::common::trial::Json;
use crate::common::{mpiscope, process};

#[test]
fn what_one_names_is_what_one_gets() {
    let folder = tempfile::tempdir().unwrap();
    let done = |line: &str| {
        let mut command = Command::new(mpiscope());
        process::run(command.args(line.split(' ')).current_dir(&folder))
    };
    let json = |line: &str| {
        let done = done(line);
        done.check(0, &[]);
        Json(serde_json::from_str(&done.out).unwrap())
    };
    done("simulate halo -n 8 --hosts 4 --iterations 40 -o run").check(0, &[]);
    done("sync run").check(0, &[]);

    // Which clock, which archive, and how long ranks waited, which differs.
    let analyzed = |arguments: &str| {
        let facts = json(&format!("analyze --json {arguments}"));
        let text = |name: &str| facts.text(name).to_owned();
        let waiting = facts.figure("waiting_ns");
        ((text("clock"), text("archive")), waiting)
    };
    let is = |clock: &str, archive: &str| (clock.to_owned(), archive.to_owned());
    let (measured, waited) = analyzed("run/traces.otf2");
    assert_eq!(measured, is("measured", "run/traces.otf2"));
    assert_eq!(analyzed("--clock measured run"), (measured, waited));
    let (corrected, waited_in_truth) = analyzed("run");
    assert_eq!(corrected, is("corrected", "run/corrected/traces.otf2"));
    assert_ne!(waited, waited_in_truth);
    for other in [
        "run/corrected/traces.otf2",
        "--clock corrected run/traces.otf2",
    ] {
        assert_eq!(
            analyzed(other),
            (corrected.clone(), waited_in_truth),
            "{other}"
        );
    }
    let (interpolated, waited_interpolated) = analyzed("--clock interpolated run");
    assert_eq!(interpolated, is("interpolated", "run/traces.otf2"));
    assert_ne!(waited, waited_interpolated);
    done("analyze --clock measured run/corrected/traces.otf2").check(2, &["are corrected"]);

    // Other commands say of which archive they speak, too.
    let clock = |line: &str| json(line).text("clock").to_owned();
    assert_eq!(clock("info --json run/traces.otf2"), "measured");
    assert_eq!(clock("info --json run/corrected/traces.otf2"), "corrected");
    let races = json("races --json run/corrected/traces.otf2");
    assert_eq!(races.text("archive"), "run/corrected/traces.otf2");
    let again = json("sync --json -o again run/corrected/traces.otf2");
    assert!(
        again.text("warnings.0").contains("corrected already"),
        "{:#}",
        again.0
    );
}
