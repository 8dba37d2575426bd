//! Rows that were moved by hand: what `view` keeps of them with a run, who may have it kept, and
//! what `sync` and `info` make of it.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use common::digest;
use common::process;
use common::view::{command, done, exchange, simulated, View};
use mpiscope_run::directory;
use serde_json::{json, Value};

/// Asks with a method and a body; returns status and answer.
fn asked(view: &View, head: &str, token: &str, more: &str, body: &str) -> (u16, Value) {
    let request = format!(
        "{head} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         {more}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let stream = TcpStream::connect(("127.0.0.1", view.port())).unwrap();
    let (status, body) = exchange(stream, &request);
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

fn put(view: &View, body: &str) -> (u16, Value) {
    asked(view, "PUT /api/run/0/shifts", &view.token, "", body)
}

/// Returns what a corrected archive is: its files, but for the anchor, which has a number of its own
/// each time, and whether that tells of shifts.
fn corrected(run: &Path) -> (Vec<(PathBuf, u64)>, bool) {
    let folder = run.join("corrected");
    let anchor = directory::anchor(&folder);
    let mut files = digest(&folder);
    files.retain(|(path, _)| *path != anchor);
    let name = b"MPISCOPE::SHIFTS";
    let told = fs::read(anchor)
        .unwrap()
        .windows(name.len())
        .any(|it| it == name);
    (files, told)
}

/// Runs a command of mpiscope that says something in its report.
#[track_caller]
fn said(place: &Path, line: &str, what: &str) {
    let done = done(place, line);
    assert!(done.out.contains(what), "no `{what}` in {done:#?}");
}

/// Expects that nothing is said of shifts whose file is of a newer form, but that it is.
#[track_caller]
fn unreadable(place: &Path) {
    let file = place.join("mix.mpiscope/shifts.json");
    let text = fs::read(&file).unwrap();
    let newer = String::from_utf8_lossy(&text).replace("\"version\": 1", "\"version\": 2");
    fs::write(&file, newer).unwrap();
    let analyzed = done(place, "analyze mix.mpiscope").out;
    assert!(
        analyzed.contains("version 2; this mpiscope reads 1"),
        "{analyzed}"
    );
    assert!(!analyzed.contains("other shifts"), "{analyzed}");
    fs::write(&file, text).unwrap();
}

fn info(place: &Path) -> Value {
    serde_json::from_str(&done(place, "info --json mix.mpiscope").out).unwrap()
}

/// Returns the row of a rank, and the number of its location in the archive.
fn row_of(view: &View, rank: u64) -> String {
    let meta = view.json("/api/meta");
    let rows = meta["runs"][0]["rows"].as_array().unwrap();
    let of_rank = |row: &Value| row["kind"] == "process" && row["rank"] == rank;
    rows.iter().position(of_rank).unwrap().to_string()
}

#[test]
fn shifts_are_kept_with_the_run_and_taken_into_its_corrected_times() {
    let place = simulated();
    let place = place.path();
    let run = place.join("mix.mpiscope");
    let file = run.join("shifts.json");
    let before = corrected(&run);
    assert!(!before.1);
    assert!(info(place).get("shifts").is_none());

    let view = View::start(place, "view mix.mpiscope");
    assert_eq!(view.json("/api/run/0/shifts")["shifts"], json!({}));
    let row = row_of(&view, 3);
    let (status, answer) = put(
        &view,
        &json!({ "shifts": { &row: -50_000_000 } }).to_string(),
    );
    assert_eq!(
        (status, &answer["shifts"][&row]),
        (200, &json!(-50_000_000))
    );
    view.end();
    let kept: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(kept["version"], 1);
    assert_eq!(
        (&kept["shifts"][0]["rank"], &kept["shifts"][0]["ns"]),
        (&json!(3), &json!(-50_000_000))
    );

    // The corrected archive was made without, as all say who go by its times; of another form of
    // the file nothing can be said.
    let stale = "made with other shifts than are kept now";
    for line in [
        "mix.mpiscope",
        "mix.mpiscope",
        "--clock corrected mix.mpiscope",
    ] {
        said(place, &format!("analyze {line}"), stale);
    }
    unreadable(place);
    let told = info(place);
    assert_eq!(told["shifts"]["corrected_is_stale"], true, "{told}");
    let view = View::start(place, "view mix.mpiscope");
    let again = view.json("/api/run/0/shifts");
    assert_eq!(
        (&again["shifts"][&row], &again["contained"]),
        (&json!(-50_000_000), &json!({}))
    );
    let notes = view.json("/api/meta")["runs"][0]["notes"].to_string();
    assert!(notes.contains("made with other shifts"), "{notes}");
    view.end();

    // The clock condition holds all the same; what messages contradict does not remain.
    let done_again = done(place, "sync --force --json mix.mpiscope");
    let summary: Value = serde_json::from_str(&done_again.out).unwrap();
    assert_eq!(summary["violations"]["corrected"]["reversed"], 0);
    assert_eq!(summary["violations"]["corrected"]["clock_condition"], 0);
    let shift = &summary["shifts"][0];
    assert_eq!(
        (&shift["rank"], &shift["ns"]),
        (&json!(3), &json!(-50_000_000))
    );
    let remained = shift["remained_ns"].as_i64().unwrap();
    assert!((-50_000_000..0).contains(&remained), "{remained}");
    let with = corrected(&run);
    assert!(with.1 && with.0 != before.0);
    let analyzed = done(place, "analyze mix.mpiscope");
    assert!(!analyzed.out.contains("shifts"), "{}", analyzed.out);
    unreadable(place);
    let told = info(place);
    assert_eq!(told["shifts"]["corrected_is_stale"], false, "{told}");
    said(
        place,
        "info mix.mpiscope",
        "rank 3 by -50 ms by hand; the corrected archive was made with them",
    );
    let view = View::start(place, "view mix.mpiscope");
    let contained = &view.json("/api/run/0/shifts")["contained"]["corrected"];
    assert_eq!(contained[&row], -50_000_000);
    view.end();

    // Left out, or gone, all is as it was.
    said(
        place,
        "sync --force --no-shifts mix.mpiscope",
        "left out (--no-shifts)",
    );
    assert_eq!(corrected(&run), before);
    said(
        place,
        "sync --force mix.mpiscope",
        "rank 3 by -50 ms by hand, ",
    );
    let view = View::start(place, "view mix.mpiscope");
    let (status, answer) = asked(&view, "DELETE /api/run/0/shifts", &view.token, "", "");
    assert_eq!((status, &answer["shifts"]), (200, &json!({})));
    view.end();
    assert!(!file.exists());
    said(place, "info mix.mpiscope", "none are kept any more");
    done(place, "sync --force mix.mpiscope");
    assert_eq!(corrected(&run), before);
}

#[test]
fn only_a_page_of_the_server_with_the_token_has_shifts_kept() {
    let place = simulated();
    let view = View::start(place.path(), "view mix.mpiscope");
    let before = digest(place.path());
    let row = row_of(&view, 0);
    let good = json!({ "shifts": { &row: 5 } }).to_string();
    let path = "/api/run/0/shifts";
    let token = view.token.as_str();
    let evil = "Origin: http://evil.example\r\n";
    let large = format!("{{\"shifts\":{{{}}}}}", " ".repeat(2 << 20));
    for (expected, head, token, more, body) in [
        (401, format!("PUT {path}"), "0", "", good.as_str()),
        (401, format!("DELETE {path}"), "0", "", ""),
        (403, format!("PUT {path}"), token, evil, &good),
        (403, format!("DELETE {path}"), token, evil, ""),
        (405, format!("POST {path}"), token, "", &good),
        (405, "PUT /api/meta".to_owned(), token, "", &good),
        (405, "PUT /page.js".to_owned(), token, "", &good),
        (404, "PUT /api/run/7/shifts".to_owned(), token, "", &good),
        (
            404,
            "PUT /api/run/..%2F..%2Fetc/shifts".to_owned(),
            token,
            "",
            &good,
        ),
        (
            400,
            format!("PUT {path}"),
            token,
            "",
            "{\"shifts\":{\"999\":5}}",
        ),
        (400, format!("PUT {path}"), token, "", "nonsense"),
        (413, format!("PUT {path}"), token, "", &large),
    ] {
        let (status, answer) = asked(&view, &head, token, more, body);
        assert_eq!(status, expected, "{head}: {answer}");
        assert!(answer["error"].is_string(), "{head}: {answer}");
    }
    assert_eq!(digest(place.path()), before, "nothing was written");
    let origin = "Origin: http://localhost\r\n";
    assert_eq!(
        asked(&view, &format!("PUT {path}"), token, origin, &good).0,
        200
    );
    view.end();
}

#[test]
fn where_shifts_cannot_be_kept_it_is_said() {
    let place = simulated();
    let run = place.path().join("mix.mpiscope");
    done(place.path(), "pack mix.mpiscope");
    let view = View::start(place.path(), "view mix.mpiscope.tar.zst");
    let row = row_of(&view, 0);
    let good = json!({ "shifts": { &row: 5 } }).to_string();
    assert_eq!(view.json("/api/run/0/shifts")["can_keep"], false);
    let (status, answer) = put(&view, &good);
    assert_eq!(status, 409);
    assert!(
        answer["error"]
            .as_str()
            .unwrap()
            .contains("mpiscope unpack"),
        "{answer}"
    );
    view.end();

    // Nobody can write here: a folder is in the way.
    fs::create_dir(run.join("shifts.json")).unwrap();
    fs::write(run.join("shifts.json/full"), "").unwrap();
    process::run(&mut command(place.path(), "sync --force mix.mpiscope"))
        .check(2, &["shifts.json", "--no-shifts"]);
    let view = View::start(place.path(), "view mix.mpiscope");
    let (status, answer) = put(&view, &good);
    assert_eq!(status, 409, "{answer}");
    assert!(
        answer["error"]
            .as_str()
            .unwrap()
            .contains("shifts are not kept"),
        "{answer}"
    );
    assert_eq!(view.json("/api/run/0/shifts")["shifts"], json!({}));
    view.end();
}
