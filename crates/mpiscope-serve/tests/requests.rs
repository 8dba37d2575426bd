//! The server over a real port: who is refused, and that no question is too odd.
#![forbid(unsafe_code)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::finding::{self, Findings};
use mpiscope_analysis::iterations::Iterations;
use mpiscope_analysis::wait_states::wait_states;
use mpiscope_model::Trace;
use mpiscope_serve::{answer, About, Place, Question, Server, Shown, Site};
use mpiscope_tiles::Run;
use proptest::prelude::*;
use serde_json::Value;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

const RUN: &str = "
    0: 0 enter(MPI_Recv) 52 recv<1 60 leave(MPI_Recv) 70 barrier{ 90 } 256
    1: 0 enter(markup) 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send) 60 off 80 on 85 barrier{ 90 }
    1.1: 3 5
    2:
";

fn site(picture: &str, is_there: impl Fn() -> bool + Send + Sync + 'static) -> Site {
    let mut trace = Trace::parse(picture).unwrap();
    for region in &mut trace.definitions.regions {
        region.name = region.name.replace("markup", "<b>&");
    }
    let mut findings = Findings::default();
    let waits = wait_states(&trace, &trace.matching());
    let errors = ClockErrors::measured(&trace);
    finding::of_waits(&trace, &waits, &errors, &mut findings);
    let mut run = Run::new(trace);
    let found = Iterations::of(&run.trace, &run.matching).map_err(|it| it.to_string());
    let found = found.map(|it| {
        let lengths = it.measure(&run.trace, &run.matching);
        finding::of_iterations(&run.trace, &it, &lengths, &mut findings);
        (it, lengths)
    });
    run.add_clock("measured", None);
    let about = About {
        name: "heat".into(),
        ..About::default()
    };
    Site {
        version: "0".into(),
        runs: vec![Shown::new(about, run, findings, is_there).with_iterations(found)],
        live: None,
        edition: 0,
    }
}

fn start(site: Site) -> (Server, SocketAddr) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let gone = || Err("gone".to_owned());
    let place = Place::Port(listener);
    let server = Server::start(site, TOKEN.into(), place, Box::new(gone)).unwrap();
    (server, address)
}

/// Sends a request as it is written, and returns status, headers and body.
fn send(address: SocketAddr, request: &str) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head, answer[end + 4..].to_vec())
}

fn get(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> (u16, String, Vec<u8>) {
    let headers: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    send(
        address,
        &format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"),
    )
}

#[test]
fn only_who_has_the_token_and_comes_from_here_is_answered() {
    let (_server, address) = start(site(RUN, || true));
    let host = format!("127.0.0.1:{}", address.port());
    let bearer = format!("Bearer {TOKEN}");
    let meta = |headers: &[(&str, &str)]| get(address, "/api/meta", headers).0;
    let ours = ("Host", host.as_str());
    let token = ("Authorization", bearer.as_str());
    assert_eq!(meta(&[ours, token]), 200);
    assert_eq!(meta(&[ours]), 401);
    assert_eq!(meta(&[ours, ("Authorization", "Bearer 0")]), 401);
    assert_eq!(meta(&[ours, ("Authorization", TOKEN)]), 401);
    assert_eq!(meta(&[("Host", "evil.example"), token]), 403);
    assert_eq!(meta(&[("Host", "127.0.0.1.evil.example"), token]), 403);
    assert_eq!(meta(&[ours, token, ("Origin", "http://evil.example")]), 403);
    assert_eq!(
        meta(&[ours, token, ("Origin", &format!("http://{host}"))]),
        200
    );
    // A tunnel may begin at another port.
    assert_eq!(meta(&[("Host", "localhost:8080"), token]), 200);
    let post = send(address, &format!("POST /api/meta HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\nAuthorization: {bearer}\r\n\r\n"));
    assert_eq!(post.0, 405);
    assert_eq!(get(address, "/", &[("Host", "evil.example")]).0, 403);
}

#[test]
fn no_path_leads_to_a_file_that_is_not_the_pages() {
    let (_server, address) = start(site(RUN, || true));
    let page = get(address, "/", &[("Host", "localhost")]);
    assert_eq!(page.0, 200);
    let head = page.1.to_lowercase();
    assert!(
        head.contains("content-security-policy: default-src 'none'"),
        "{head}"
    );
    assert!(!head.contains("unsafe-inline"), "{head}");
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/./index.html",
        "/.git/config",
        "/api/../index.html/..",
        "/index.html%00.js",
    ] {
        let (status, _, body) = get(address, path, &[("Host", "localhost")]);
        assert!([400, 401, 404].contains(&status), "{path}: {status}");
        assert!(
            !String::from_utf8_lossy(&body).contains("[package]"),
            "{path}"
        );
    }
}

#[test]
fn an_archive_that_is_gone_is_said_to_be_where_it_is_asked_for_again() {
    let is_there = Arc::new(AtomicBool::new(true));
    let seen = Arc::clone(&is_there);
    let site = site(RUN, move || seen.load(Ordering::SeqCst));
    let ask = |path: &str| answer(&site, &Question::new(path, None).unwrap()).status;
    assert_eq!(ask("/api/meta"), 200);
    assert_eq!(ask("/api/run/0/measured/shares/0/0/0"), 200);
    is_there.store(false, Ordering::SeqCst);
    assert_eq!(ask("/api/meta"), 410);
    assert_eq!(ask("/api/run/0/measured/shares/0/0/0"), 410);
}

#[test]
fn a_run_that_was_changed_is_read_again_when_a_page_is_loaded() {
    const TILE: &str = "/api/run/0/measured/shares/0/0/0";
    let is_there = Arc::new(AtomicBool::new(true));
    let seen = Arc::clone(&is_there);
    let first = site(RUN, move || seen.load(Ordering::SeqCst));
    let can_be_read = Arc::new(AtomicBool::new(false));
    let can = Arc::clone(&can_be_read);
    let again = move || match can.load(Ordering::SeqCst) {
        true => Ok(site(RUN, || true)),
        false => Err("heat is being written".to_owned()),
    };
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let place = Place::Port(listener);
    let _server = Server::start(first, TOKEN.into(), place, Box::new(again)).unwrap();
    let ask = |path: &str| {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n\
             Connection: close\r\n\r\n"
        );
        let (status, _, body) = send(address, &request);
        (status, String::from_utf8_lossy(&body).into_owned())
    };
    let edition = |text: &str| serde_json::from_str::<Value>(text).unwrap()["edition"].clone();
    let (status, meta) = ask("/api/meta");
    assert_eq!((status, edition(&meta)), (200, 0.into()));
    assert_eq!(ask(&format!("{TILE}?edition=0")).0, 200);
    is_there.store(false, Ordering::SeqCst);
    assert_eq!(ask(TILE).0, 410);
    // What cannot be read says why, and is tried again.
    let (status, why) = ask("/api/meta");
    assert!(status == 410 && why.contains("being written"), "{why}");
    assert_eq!(ask(TILE).0, 410);
    can_be_read.store(true, Ordering::SeqCst);
    let (status, meta) = ask("/api/meta");
    assert_eq!((status, edition(&meta)), (200, 2.into()));
    // Who was there before has other numbers in mind.
    assert_eq!(ask(&format!("{TILE}?edition=2")).0, 200);
    let (status, why) = ask(&format!("{TILE}?edition=0"));
    assert!(status == 410 && why.contains("read again"), "{why}");
    assert_eq!(ask("/api/meta").1, meta);
}

#[test]
fn questions_have_answers() {
    let site = site(RUN, || true);
    let ask = |path: &str, query: &str| {
        let answer = answer(&site, &Question::new(path, Some(query)).unwrap());
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(answer.status, 200, "{path}: {text}");
        if !answer.is_json {
            return serde_json::Value::Null;
        }
        serde_json::from_slice(&answer.body).unwrap()
    };
    let meta = ask("/api/meta", "");
    let run = &meta["runs"][0];
    assert_eq!(run["clock"], "measured");
    assert_eq!(
        run["regions"][1]["name"], "<b>&",
        "markup is the page's to escape"
    );
    assert_eq!(run["spans"]["measured"]["length"], 256);
    let findings = ask("/api/run/0/findings", "kind=late_sender");
    assert_eq!(findings["total"], 1);
    assert_eq!(
        findings["findings"][0]["text"],
        "Rank 0 waits 50 ns for rank 1 in MPI_Recv"
    );
    let row = findings["findings"][0]["places"][0]["row"]
        .as_u64()
        .unwrap();
    let times = ask(
        "/api/run/0/measured/times",
        &format!("events={row}:0,{row}:1"),
    );
    assert_eq!(times, serde_json::json!([[0, 60], [52, 52]]));
    let event = ask(&format!("/api/run/0/measured/event/{row}/1"), "");
    assert_eq!((&event["begin"], &event["end"]), (&0.into(), &60.into()));
    assert_eq!(event["others"][0]["role"], "sent by");
    assert_eq!(event["findings"], serde_json::json!([0]));
    let at = ask("/api/run/0/measured/at", &format!("row={row}&time=30"));
    assert_eq!(at["event"], 0);
    let found = ask("/api/run/0/measured/search", "text=send");
    assert_eq!(
        (&found["total"], &found["found"]["begin"]),
        (&1.into(), &50.into())
    );
    let before = ask(
        "/api/run/0/measured/search",
        "text=recv&direction=previous&from=100",
    );
    assert_eq!(before["found"]["end"], 60);
    let tag = ask("/api/run/0/measured/search", "tag=99");
    assert_eq!(tag["found"], serde_json::Value::Null);
    let summary = ask("/api/run/0/measured/summary", "");
    assert_eq!(summary["waiting"], 50);
    assert_eq!(summary["matrix"]["count"].to_string(), "[[0,0],[1,0]]");
    ask("/api/run/0/clocks", "");
    ask("/api/run/0/measured/members/0", "");
    ask("/api/run/0/measured/collectives/0/0", "");
}

/// Five iterations between six barriers, of which the third takes long as rank 0 computes.
const LOOP: &str = "
    0: 0 5 barrier{ 10 } 15 barrier{ 20 } 25 barrier{ 30 } 62 barrier{ 70 } 75 barrier{ 80 } 85 barrier{ 90 } 95
    1: 0 5 barrier{ 10 } 15 barrier{ 20 } 25 barrier{ 30 } 35 barrier{ 70 } 75 barrier{ 80 } 85 barrier{ 90 } 95
";

#[test]
fn a_call_says_what_is_its_own_and_not_what_calls_within_it_do() {
    let picture = "
        0: 0 enter(solve) 5 enter(MPI_Send) 6 send>1(tag=7) 8 leave(MPI_Send) 9 leave(solve)
        1: 0 enter(MPI_Recv) 8 recv<0(tag=7) 9 leave(MPI_Recv)";
    let site = site(picture, || true);
    let facts = |event: u32| {
        let path = format!("/api/run/0/measured/event/0/{event}");
        let answer = answer(&site, &Question::new(&path, Some("")).unwrap());
        let told: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
        told["facts"].to_string()
    };
    assert_eq!(facts(0), "[]");
    assert!(facts(1).contains("[\"Tag\",\"7\"]"), "{}", facts(1));
}

#[test]
fn iterations_are_told_with_what_ranks_do_in_them() {
    let site = site(LOOP, || true);
    let ask = |path: &str| answer(&site, &Question::new(path, None).unwrap()).value();
    let meta = ask("/api/meta");
    assert_eq!(meta["runs"][0]["iterations"]["count"], 5);
    let found = ask("/api/run/0/measured/iterations");
    assert_eq!(found["ends"], serde_json::json!([10, 20, 30, 70, 80, 90]));
    assert_eq!(
        (&found["median"], &found["longest"]),
        (&10.into(), &40.into())
    );
    assert_eq!(found["slow"][0]["number"], 3);
    assert_eq!(
        found["slow"][0]["why"],
        "rank 0 computes 27 ns longer than usual"
    );
    let finding = found["slow"][0]["finding"].as_u64().unwrap();
    let findings = ask("/api/run/0/findings");
    let listed = &findings["findings"][finding as usize];
    assert_eq!(
        listed["text"],
        "Iteration 3 takes 40 ns in place of 10 ns: rank 0 computes 27 ns longer than usual"
    );
    // All that rows did is in the sums, class by class.
    let sums: Vec<u64> = found["classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|classes| {
            classes
                .as_array()
                .unwrap()
                .iter()
                .map(|it| it.as_u64().unwrap())
                .sum()
        })
        .collect();
    assert_eq!(sums, [20, 20, 80, 20, 20]);
    assert_eq!(
        found["balance"]["computation"],
        serde_json::json!([[5, 5, 32, 5, 5], [5, 5, 5, 5, 5]])
    );
    assert_eq!(
        found["balance"]["waiting"][1],
        serde_json::json!([0, 0, 27, 0, 0])
    );
    let none = answer(
        &self::site(RUN, || true),
        &Question::new("/api/run/0/measured/iterations", None).unwrap(),
    );
    assert_eq!(none.value()["count"], 0);
    assert!(none.value()["reason"].is_string());
}

/// Parts of addresses, sensible ones and others.
fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("0".to_owned()),
        Just("measured".to_owned()),
        (0u32..40).prop_map(|it| it.to_string()),
        any::<u64>().prop_map(|it| it.to_string()),
        any::<i64>().prop_map(|it| it.to_string()),
        any::<f64>().prop_map(|it| it.to_string()),
        "\\PC{0,12}",
    ]
}

fn shared() -> &'static [Site; 2] {
    static SITES: OnceLock<[Site; 2]> = OnceLock::new();
    SITES.get_or_init(|| [site(RUN, || true), site("", || true)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_question_is_too_odd(
        name in prop::sample::select(vec![
            "shares", "spans", "messages", "collectives", "members", "summary", "event", "at",
            "times", "search", "findings", "clocks", "iterations", "shifts", "",
        ]),
        parts in prop::collection::vec(part(), 0..4),
        parameters in prop::collection::vec((prop::sample::select(vec![
            "row", "time", "depth", "from", "to", "rows", "text", "class", "tag", "communicator",
            "direction", "events", "kind", "limit", "offset",
        ]), part()), 0..5),
    ) {
        let path = format!("/api/run/0/measured/{name}/{}", parts.join("/"));
        let pairs: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        for path in [path.trim_end_matches('/').to_owned(), format!("/api/run/0/{name}")] {
            for site in shared() {
                let question = Question::new(&path, Some(&pairs.join("&"))).unwrap();
                let answer = answer(site, &question);
                prop_assert!([200, 400, 404].contains(&answer.status), "{path}: {}", answer.status);
            }
        }
    }
}
