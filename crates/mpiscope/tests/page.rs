//! The page in a real browser, and that the built one is made of its sources.
#![forbid(unsafe_code)]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::view::{done, odd, simulated, View};
use common::{digest, is_command, matrix, missing, mpiscope, say, workspace, Trial};

/// Returns the folder of the page's sources, if what they are built and tried with is there.
fn viewer() -> Option<PathBuf> {
    let viewer = workspace().join("viewer");
    let there = is_command("node") && viewer.join("node_modules/.package-lock.json").is_file();
    if !there {
        missing("Node.js with what viewer/package-lock.json names");
    }
    there.then_some(viewer)
}

/// Returns the viewer's folder if there is a browser, too.
fn viewer_and_browser() -> Option<PathBuf> {
    viewer().filter(|_| has_browser())
}

/// Returns whether there is a browser.
fn has_browser() -> bool {
    let there = is_command("chromium") || std::env::var_os("CHROMIUM").is_some();
    if !there {
        missing("Chromium");
    }
    there
}

#[track_caller]
fn node(viewer: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new("node")
        .current_dir(viewer)
        .args(arguments)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned();
    assert!(status.success(), "node {arguments:?}: {told}");
    told
}

#[test]
fn the_page_in_the_tree_is_that_of_its_sources() {
    let Some(viewer) = viewer() else { return };
    node(
        &viewer,
        &["node_modules/typescript/bin/tsc", "--noEmit"],
        &[],
    );
    let built = tempfile::tempdir().unwrap();
    let place = built.path().to_str().unwrap();
    let build = ["node_modules/vite/bin/vite.js", "build", "--outDir", place];
    node(&viewer, &build, &[]);
    let named = |folder: &Path| {
        let mut files = digest(folder);
        let relative = |path: PathBuf| path.strip_prefix(folder).unwrap().to_owned();
        files.sort();
        let named = files.into_iter().map(|(path, hash)| (relative(path), hash));
        named.collect::<Vec<_>>()
    };
    let kept = workspace().join("crates/mpiscope-serve/page");
    assert_eq!(
        named(built.path()),
        named(&kept),
        "`npm run build` in viewer/ makes another page than the one in the tree"
    );
}

#[test]
fn the_parts_of_the_page_do_what_they_say() {
    let Some(viewer) = viewer() else { return };
    node(&viewer, &["node_modules/vitest/vitest.mjs", "run"], &[]);
}

#[test]
fn a_run_can_be_looked_at_in_a_browser() {
    let Some(viewer) = viewer_and_browser() else {
        return;
    };
    let place = simulated();
    let view = View::start(place.path(), "view mix.mpiscope");
    let address = view.address();
    let variables = [("MPISCOPE_VIEW_ADDRESS", address.as_str())];
    // Frame times are for whoever reads them: how busy the machine is decides them.
    say(&node(&viewer, &["test/browser.mjs"], &variables));
    view.end();
}

#[test]
fn a_report_opens_from_its_file() {
    let Some(viewer) = viewer_and_browser() else {
        return;
    };
    let place = simulated();
    done(place.path(), "report mix.mpiscope");
    let report = place.path().join("mix.html");
    let variables = [("MPISCOPE_REPORT", report.to_str().unwrap())];
    say(&node(&viewer, &["test/report.mjs"], &variables));
}

#[test]
fn odd_runs_break_no_page() {
    let Some(viewer) = viewer_and_browser() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    for (anchor, rows) in odd(place.path()) {
        let line = format!("report --force -o odd.html {}", anchor.display());
        done(place.path(), &line);
        let view = View::start(place.path(), &format!("view {}", anchor.display()));
        let report = format!("file://{}", place.path().join("odd.html").display());
        for address in [view.address(), report] {
            let rows = rows.to_string();
            let variables = [
                ("MPISCOPE_VIEW_ADDRESS", address.as_str()),
                ("MPISCOPE_ROWS", &rows),
            ];
            say(&node(&viewer, &["test/odd.mjs"], &variables));
        }
        view.end();
    }
}

#[test]
fn two_runs_are_compared_in_a_browser() {
    let Some(viewer) = viewer_and_browser() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    for (name, iterations) in [("short", 10), ("long", 25)] {
        let made = format!("simulate halo -n 8 --iterations {iterations} -o {name}.mpiscope");
        done(place.path(), &made);
    }
    let view = View::start(place.path(), "view short.mpiscope long.mpiscope");
    let address = view.address();
    let variables = [("MPISCOPE_VIEW_ADDRESS", address.as_str())];
    say(&node(&viewer, &["test/compare.mjs"], &variables));
    view.end();
}

#[test]
fn a_run_that_is_corrected_anew_is_shown_as_it_is_then() {
    let Some(viewer) = viewer_and_browser() else {
        return;
    };
    let place = simulated();
    let view = View::start(place.path(), "view mix.mpiscope");
    let address = view.address();
    let run = place.path().join("mix.mpiscope");
    let line = format!(
        "'{}' sync --force '{}'",
        mpiscope().display(),
        run.display()
    );
    let variables = [
        ("MPISCOPE_VIEW_ADDRESS", address.as_str()),
        ("MPISCOPE_SYNC", &line),
    ];
    say(&node(&viewer, &["test/again.mjs"], &variables));
    let meta = view.json("/api/meta");
    assert_eq!(meta["edition"], 1);
    let shifts = view.json("/api/run/0/shifts");
    assert_eq!(shifts["contained"]["corrected"], shifts["shifts"]);
    assert_ne!(shifts["shifts"], serde_json::json!({}));
    view.end();
}

#[test]
fn a_job_is_looked_at_in_a_browser_while_it_runs() {
    const PROGRAM: &str = "tests/mpi/monitor/until_told.c";
    let Some(viewer) = viewer_and_browser() else {
        return;
    };
    // One MPI is enough: the page does not know which it is.
    let trials = matrix::cases(&[PROGRAM], PROGRAM, &[3]).into_iter();
    let Some(trial) = trials.filter_map(|case| Trial::new(case, PROGRAM)).next() else {
        return;
    };
    let running = trial.monitored_until("MPI_Allreduce");
    let view = View::start_beside(&trial.path(""), "view run", &running);
    let (address, stop) = (view.address(), trial.path("stop"));
    let variables = [
        ("MPISCOPE_VIEW_ADDRESS", address.as_str()),
        ("MPISCOPE_STOP", stop.to_str().unwrap()),
    ];
    say(&node(&viewer, &["test/live.mjs"], &variables));
    running.wait().check(0, &[]);
    view.end();
}

/// 65,536 processes where all matrices run, as making their archive takes a minute; else 4096.
#[test]
fn very_many_processes_are_looked_at_in_a_browser() {
    let Some(viewer) = viewer_and_browser() else {
        return;
    };
    let ranks = if matrix::is_full() { 65_536 } else { 4096 };
    let hosts = ranks / 64;
    let place = tempfile::tempdir().unwrap();
    let made = format!("simulate pairs -n {ranks} --hosts {hosts} --iterations 2 -o wide.mpiscope");
    done(place.path(), &made);
    let view = View::start(place.path(), "view wide.mpiscope");
    let (address, ranks) = (view.address(), ranks.to_string());
    let variables = [
        ("MPISCOPE_VIEW_ADDRESS", address.as_str()),
        ("MPISCOPE_RANKS", &ranks),
    ];
    say(&node(&viewer, &["test/wide.mjs"], &variables));
    view.end();
}

#[test]
fn with_a_million_states_on_screen_nothing_is_dropped() {
    let Some(viewer) = viewer_and_browser() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let made = "simulate halo -n 64 --hosts 4 --iterations 1000 -o many.mpiscope";
    done(place.path(), made);
    let view = View::start(place.path(), "view many.mpiscope");
    let address = view.address();
    let variables = [("MPISCOPE_VIEW_ADDRESS", address.as_str())];
    say(&node(&viewer, &["test/many.mjs"], &variables));
    view.end();
}
