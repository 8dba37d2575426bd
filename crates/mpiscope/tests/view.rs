//! `mpiscope view`: what a browser gets, who gets nothing, and what cannot be shown.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;

use common::process;
use common::view::{ask, command, done, simulated, View};
use mpiscope_run::buffer::Writer;
use mpiscope_run::directory;
use mpiscope_run::run_info::RunInfo;

#[test]
fn a_run_is_shown_by_all_its_clocks() {
    let place = simulated();
    let view = View::start(place.path(), "view mix.mpiscope mix.mpiscope/traces.otf2");
    let meta = view.json("/api/meta");
    let run = &meta["runs"][0];
    assert_eq!(meta["runs"].as_array().unwrap().len(), 2);
    assert_eq!(run["clock"], "corrected");
    let clocks = ["measured", "interpolated", "corrected", "true"];
    assert_eq!(run["clocks"], serde_json::json!(clocks));
    assert_eq!(run["reversed"]["corrected"], 0);
    assert!(run["reversed"]["measured"].as_u64() > Some(0));
    let rows = run["rows"].as_array().unwrap();
    let of_kind = |kind: &str| rows.iter().filter(|row| row["kind"] == kind).count();
    assert_eq!(
        (of_kind("host"), of_kind("process"), rows.len()),
        (4, 8, 12)
    );
    // What the first sentence says is what `analyze` says.
    let analyzed = done(place.path(), "analyze --json mix.mpiscope");
    let analyzed: Value = serde_json::from_str(&analyzed.out).unwrap();
    let share =
        100.0 * analyzed["waiting_ns"].as_f64().unwrap() / analyzed["time_ns"].as_f64().unwrap();
    let said = run["verdict"][0]["text"].as_str().unwrap();
    assert!(
        said.ends_with(&format!("{share:.0} % waits for others")),
        "{said}, {share}"
    );
    let last = run["levels"].as_array().unwrap().len() - 1;
    for clock in clocks {
        for tile in ["shares", "spans"] {
            let (status, tile) = view.get(
                &format!("/api/run/0/{clock}/{tile}/{last}/0/0"),
                &view.token,
            );
            assert_eq!((status, tile.len() > 16), (200, true));
        }
    }
    let findings = view.json("/api/run/0/findings?limit=1&kind=late_sender");
    let waits = &findings["findings"][0]["places"][0];
    let event = view.json(&format!(
        "/api/run/0/corrected/event/{}/{}",
        waits["row"], waits["event"]
    ));
    assert!(event["findings"]
        .as_array()
        .unwrap()
        .contains(&findings["findings"][0]["id"]));
    assert_eq!(view.get("/api/meta", "0").0, 401);
    assert_eq!(view.get("/", "").0, 200);
    // Whoever removes the run is told of it where it is asked for again.
    fs::rename(
        place.path().join("mix.mpiscope/traces.otf2"),
        place.path().join("gone"),
    )
    .unwrap();
    assert_eq!(view.get("/api/meta", &view.token).0, 410);
    view.end();
}

#[test]
fn a_socket_is_its_owners_alone_and_goes_at_the_end() {
    let place = simulated();
    let view = View::start(place.path(), "view --socket here.sock mix.mpiscope");
    let socket = place.path().join("here.sock");
    let mode = fs::metadata(&socket).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let stream = UnixStream::connect(&socket).unwrap();
    assert_eq!(ask(stream, "/api/meta", &view.token).0, 200);
    view.end();
    assert!(!socket.exists());
    let left = fs::read_dir(place.path()).unwrap().count();
    assert_eq!(left, 1, "the run alone");
}

#[test]
fn no_events_are_shown_as_none() {
    let place = tempfile::tempdir().unwrap();
    let trace = mpiscope_archive::model::Trace::default();
    let empty = place.path().join("empty");
    mpiscope_archive::write::write_trace(&trace, &empty, &[]).unwrap();
    let anchor = fs::read_dir(&empty).unwrap().flatten();
    let anchor = anchor
        .map(|it| it.path())
        .find(|it| it.extension().is_some_and(|it| it == "otf2"));
    let view = View::start(place.path(), &format!("view {}", anchor.unwrap().display()));
    let meta = view.json("/api/meta");
    let run = &meta["runs"][0];
    assert_eq!(
        (&run["events"], &run["rows"]),
        (&0.into(), &serde_json::json!([]))
    );
    let said = run["verdict"][0]["text"].as_str().unwrap();
    assert!(said.starts_with("There are no events"), "{said}");
    let clock = run["clock"].as_str().unwrap();
    view.json(&format!("/api/run/0/{clock}/summary"));
    assert_eq!(
        view.get(&format!("/api/run/0/{clock}/messages/0/0"), &view.token)
            .0,
        200
    );
    view.end();
}

#[test]
fn what_cannot_be_shown_is_said() {
    let place = tempfile::tempdir().unwrap();
    let refused = |line: &str, words: &[&str]| {
        process::run(&mut command(place.path(), line)).check(2, words);
    };
    refused("view", &["RUN|ARCHIVE"]);
    refused(
        "view nothing.mpiscope",
        &["nothing.mpiscope", "no such run"],
    );
    done(
        place.path(),
        "simulate pairs -n 2 --iterations 2 -o pairs.mpiscope",
    );
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    refused(
        &format!("view --port {port} pairs.mpiscope"),
        &["port", "is taken"],
    );
    fs::write(place.path().join("file"), "").unwrap();
    refused(
        "view --socket file pairs.mpiscope",
        &["file is there already"],
    );
    // A program that records: this one.
    let run = place.path().join("live.mpiscope");
    fs::create_dir_all(directory::buffers(&run)).unwrap();
    RunInfo::default().write(&run).unwrap();
    let name = format!("node1-{}-1000-0.buffer", std::process::id());
    let _writer = Writer::create(&directory::buffers(&run), &name, &run, 1 << 16, None).unwrap();
    refused(
        "view live.mpiscope",
        &["live.mpiscope is still being written"],
    );
}
