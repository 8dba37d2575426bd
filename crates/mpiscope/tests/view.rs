//! `mpiscope view`: what a browser gets, who gets nothing, and what cannot be shown.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::process::{self, Running};
use common::{mpiscope, Done};
use mpiscope_run::buffer::Writer;
use mpiscope_run::directory;
use mpiscope_run::run_info::RunInfo;
use rustix::process::Signal;
use serde_json::Value;

fn command(place: &Path, line: &str) -> Command {
    let mut command = Command::new(mpiscope());
    command.current_dir(place).args(line.split(' '));
    command
}

#[track_caller]
fn done(place: &Path, line: &str) -> Done {
    let done = process::run(&mut command(place, line));
    done.check(0, &[]);
    done
}

/// A command that shows something, and how to ask it.
struct View {
    running: Running,
    port: u16,
    token: String,
}

impl View {
    /// Starts the command and waits until it says where it is.
    #[track_caller]
    fn start(place: &Path, line: &str) -> View {
        let running = process::start(&mut command(place, line));
        let begin = Instant::now();
        let told = loop {
            let told = running.so_far();
            if told.contains("Ctrl-C ends it.") {
                break told;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "{told}");
            std::thread::sleep(Duration::from_millis(20));
        };
        let (_, after) = told.split_once("http://127.0.0.1:").unwrap();
        let (port, rest) = after.split_once("/#token=").unwrap();
        View {
            running,
            port: port.parse().unwrap(),
            token: rest[..32].to_owned(),
        }
    }

    fn get(&self, path: &str, token: &str) -> (u16, Vec<u8>) {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        ask(stream, path, token)
    }

    #[track_caller]
    fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path, &self.token);
        let text = String::from_utf8_lossy(&body);
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_slice(&body).unwrap()
    }

    /// Ends it as Ctrl-C does.
    fn end(self) {
        self.running.signal(Signal::INT);
        self.running.wait().check(0, &[]);
    }
}

/// Asks once, and returns status and body.
fn ask(mut stream: impl Read + Write, path: &str, token: &str) -> (u16, Vec<u8>) {
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer[end + 4..].to_vec())
}

fn simulated() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let made = "simulate mix -n 8 --hosts 4 --iterations 10 -o mix.mpiscope";
    done(place.path(), made);
    done(place.path(), "sync mix.mpiscope");
    place
}

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
