//! `mpiscope view`: what a browser gets, who gets nothing, and what cannot be shown.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::view::{answers, ask, command, done, odd, simulated, written, View, MARKUP};
use common::{matrix, process, Trial};
use mpiscope_run::buffer::Writer;
use mpiscope_run::directory;
use mpiscope_run::order::{self, RankOrder, Record};
use mpiscope_run::run_info::RunInfo;
use serde_json::Value;

#[test]
fn a_run_is_shown_by_all_its_clocks() {
    let place = simulated();
    let analyzed = done(place.path(), "analyze --json mix.mpiscope");
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
    // The first sentences are those of `analyze`, word for word.
    let analyzed: Value = serde_json::from_str(&analyzed.out).unwrap();
    let share =
        100.0 * analyzed["waiting_ns"].as_f64().unwrap() / analyzed["time_ns"].as_f64().unwrap();
    as_judged(run, &analyzed["verdict"]);
    let of_all = with_role(run, "fact")[0];
    let said = of_all["text"].as_str().unwrap();
    assert!(
        said.ends_with(&format!("wait for others {share:.0} % of the time")),
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

/// Returns the sentences of a run that play a part.
fn with_role<'a>(run: &'a Value, role: &str) -> Vec<&'a Value> {
    let all = run["verdict"].as_array().unwrap().iter();
    all.filter(|it| it["role"] == role).collect()
}

/// Checks that a run is judged in the words of `analyze`, and that each loss leads to its places.
#[track_caller]
fn as_judged(run: &Value, analyzed: &Value) {
    let begun = |text: &Value| mpiscope_analysis::finding::sentence(text.as_str().unwrap());
    assert_eq!(
        with_role(run, "headline")[0]["text"],
        begun(&analyzed["text"])
    );
    let losses = with_role(run, "loss");
    let expected = analyzed["losses"].as_array().unwrap();
    assert!(!losses.is_empty());
    assert_eq!(losses.len(), expected.len());
    for (told, loss) in losses.iter().zip(expected) {
        assert_eq!(told["text"], begun(&loss["text"]));
        assert_eq!(told["why"], begun(&loss["why"]));
        let next = loss["next"].as_str().unwrap();
        assert_eq!(told["next"], format!("Next: {next}"));
        assert!(told["finding"].is_u64() && told["places"][0]["row"].is_u64());
    }
    let doubts = with_role(run, "cannot_tell");
    let doubts: Vec<&str> = doubts
        .iter()
        .map(|it| it["text"].as_str().unwrap())
        .collect();
    let expected = analyzed["cannot_tell"].as_array().unwrap().iter();
    let expected = expected.map(|it| format!("Cannot tell: {}", it.as_str().unwrap()));
    assert_eq!(doubts, expected.collect::<Vec<_>>());
}

/// Returns what a run tells in sums of a sort.
#[track_caller]
fn part<'a>(run: &'a Value, name: &str) -> &'a Value {
    let mut parts = run["analysis"].as_array().unwrap().iter();
    parts.find(|it| it["name"] == name).expect(name)
}

/// Returns the texts of a list.
fn texts(list: &Value) -> Vec<&str> {
    let all = list.as_array().into_iter().flatten();
    all.map(|it| it.as_str().unwrap()).collect()
}

/// Returns a text with single blanks for all that is blank.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that all that a part says, the terminal says, too.
#[track_caller]
fn as_in_the_terminal(part: &Value, terminal: &str) {
    let rows = part["table"]["rows"].as_array().into_iter().flatten();
    let rows = rows.map(|row| texts(row).join(" "));
    let header = texts(&part["table"]["header"]).join(" ");
    let lines = texts(&part["lines"]).into_iter().map(str::to_owned);
    for told in lines.chain([header]).chain(rows) {
        let told = words(&told);
        assert!(terminal.contains(&told), "{told:?} is not in {terminal}");
    }
}

#[test]
fn sums_are_told_in_the_words_and_figures_of_the_terminal() {
    let place = simulated();
    let analyzed = words(&done(place.path(), "analyze --top 20 mix.mpiscope").out);
    let replayed = words(&done(place.path(), "whatif mix.mpiscope").out);
    let json =
        |line: &str| -> Value { serde_json::from_str(&done(place.path(), line).out).unwrap() };
    let facts = json("analyze --json mix.mpiscope");
    let gains = json("whatif --json mix.mpiscope");
    let view = View::start(place.path(), "view mix.mpiscope");
    let meta = view.json("/api/meta");
    let run = &meta["runs"][0];
    for name in ["efficiency", "wait_states", "root_causes"] {
        as_in_the_terminal(part(run, name), &analyzed);
    }
    as_in_the_terminal(part(run, "whatif"), &replayed);
    let rows = |name: &str| part(run, name)["table"]["rows"].as_array().unwrap().clone();
    let firsts = |name: &str| -> Vec<Value> { rows(name).iter().map(|it| it[0].clone()).collect() };
    let of = |list: &Value, field: &str| -> Vec<Value> {
        let all = list.as_array().unwrap().iter();
        all.map(|it| it[field].clone()).collect()
    };
    assert_eq!(firsts("wait_states"), of(&facts["wait_states"], "kind"));
    let delays = of(&facts["root_causes"]["delays"], "rank");
    let ranks: Vec<String> = delays.iter().take(20).map(Value::to_string).collect();
    let told = rows("root_causes");
    let told: Vec<&str> = told.iter().map(|it| it[1].as_str().unwrap()).collect();
    assert_eq!(told, ranks);
    let changes = of(&gains["mendings"], "change");
    let told = firsts("whatif");
    assert!(!told.is_empty() && told.iter().all(|it| changes.contains(it)));
    assert_eq!(told[0], changes[0]);
    // What is no wait state of its own stands beside those: one line for each pattern there is.
    let patterns = &facts["patterns"];
    let times = |name: &str| -> u64 {
        let fields = patterns[name].as_object().unwrap().iter();
        let times = fields.filter(|it| it.0.ends_with("times"));
        times.map(|it| it.1.as_u64().unwrap()).sum()
    };
    let is_any = |names: &[&str]| names.iter().any(|it| times(it) > 0);
    let expected = [
        is_any(&["late_sender_wrong_order"]),
        is_any(&["late_receiver_wrong_order"]),
        is_any(&["late_complete"]),
        is_any(&["barrier_completion", "n_x_n_completion"]),
    ];
    let expected = expected.into_iter().filter(|it| *it).count();
    assert!(expected > 0);
    assert_eq!(texts(&part(run, "wait_states")["lines"]).len(), expected);
    let parallel = facts["efficiency"]["parallel"].as_f64().unwrap();
    let lines = texts(&part(run, "efficiency")["lines"]).join("\n");
    let told = lines.split_once("parallel efficiency: ").unwrap().1;
    let told: f64 = told.split(' ').next().unwrap().parse().unwrap();
    assert!((told - 100.0 * parallel).abs() < 0.1, "{told}, {parallel}");
    view.end();
    // What is kept of the run, and a report of it, tell the same.
    let again = View::start(place.path(), "view mix.mpiscope");
    assert_eq!(
        again.json("/api/meta")["runs"][0]["analysis"],
        run["analysis"]
    );
    again.end();
    done(place.path(), "report -o sums.html mix.mpiscope");
    let held = answers(&place.path().join("sums.html"));
    let held: Value = serde_json::from_slice(&held["meta"]).unwrap();
    assert_eq!(held["runs"][0]["analysis"], run["analysis"]);
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
fn odd_runs_are_shown_as_they_are() {
    let place = tempfile::tempdir().unwrap();
    for (anchor, rows) in odd(place.path()) {
        let name = anchor.display().to_string();
        let view = View::start(place.path(), &format!("view {name}"));
        let meta = view.json("/api/meta");
        let run = &meta["runs"][0];
        let shown = run["rows"].as_array().unwrap();
        let own = shown.iter().filter(|row| row["rank"].is_u64()).count();
        assert_eq!(own, rows, "{name}");
        assert!(!run["verdict"].as_array().unwrap().is_empty(), "{name}");
        let clock = run["clock"].as_str().unwrap();
        let last = run["levels"].as_array().unwrap().len() - 1;
        let asked = [
            format!("shares/{last}/0/0"),
            format!("spans/{last}/0/0"),
            "shares/0/0/0".to_owned(),
            format!("messages/{last}/0"),
            "summary".to_owned(),
            "search?text=&from=0&direction=next".to_owned(),
        ];
        for question in asked {
            let (status, _) = view.get(&format!("/api/run/0/{clock}/{question}"), &view.token);
            assert_eq!(status, 200, "{name}: {question}");
        }
        view.end();
        let report = place.path().join("odd.html");
        let line = format!("report --force -o odd.html --svg odd.svg {name}");
        process::run(&mut command(place.path(), &line)).check_calm();
        done(place.path(), &format!("report --force -o odd.html {name}"));
        assert!(!fs::read_to_string(report).unwrap().contains(MARKUP));
    }
}

/// Writes a run of functions that wait for nobody: little is found in it for its size.
fn functions(place: &Path, function: &str) -> PathBuf {
    let call = |i: u64| {
        format!(
            " {} enter({function}) {} leave({function})",
            1000 * i,
            1000 * i + i % 977 + 1
        )
    };
    let rank = |rank| format!("{rank}:{}\n", (1..40_000).map(call).collect::<String>());
    let picture: String = (0..2).map(rank).collect();
    written(
        place,
        "functions",
        &mpiscope_archive::model::Trace::parse(&picture).unwrap(),
    )
}

#[test]
fn what_was_found_is_kept_and_not_believed_of_another_archive() {
    let place = tempfile::tempdir().unwrap();
    let settle = || std::thread::sleep(std::time::Duration::from_millis(200));
    let kept = place.path().join("functions/traces.mpiscope-cache.view");
    // It is written anew, by another file in its place, whenever it is not believed.
    let written = || {
        let kept = fs::metadata(&kept).unwrap();
        (kept.ino(), kept.modified().unwrap())
    };
    let line = format!("view {}", functions(place.path(), "solve").display());
    settle();
    let said = |line: &str| {
        let view = View::start(place.path(), line);
        let meta = view.json("/api/meta");
        let clock = meta["runs"][0]["clock"].as_str().unwrap().to_owned();
        let asked = [
            "summary?from=5000&to=70000",
            "summary",
            "search?text=o&from=9&direction=next",
        ];
        let answers = asked.map(|it| view.json(&format!("/api/run/0/{clock}/{it}")));
        view.end();
        (meta, answers)
    };
    let first = said(&line);
    let (size, before) = (fs::metadata(&kept).unwrap().len(), written());
    let folder = fs::read_dir(place.path().join("functions/traces")).unwrap();
    let events: u64 = folder.map(|it| it.unwrap().metadata().unwrap().len()).sum();
    assert!(size < events / 10, "{size} of {events}");
    assert_eq!((said(&line), written()), (first.clone(), before));
    let anew = said(&format!("{line} --no-cache"));
    assert_eq!((anew, written()), (first, before));
    // Another archive in its place, of the same size.
    functions(place.path(), "sleep");
    settle();
    let (other, _) = said(&line);
    assert_eq!(other["runs"][0]["regions"][0]["name"], "sleep");
    assert_ne!(written(), before);
}

#[test]
fn iterations_of_a_real_program_are_those_that_it_made() {
    const PROGRAM: &str = "examples/cloud.c";
    const STEPS: u32 = 40;
    let cases = matrix::cases(&[PROGRAM], PROGRAM, &[2]).into_iter();
    for trial in cases.filter_map(|case| Trial::new(case, PROGRAM)) {
        let run = trial.arguments(&[300, STEPS]).traced();
        run.done.check(0, &[]);
        // From one reduction to the next, of which each step has one.
        let found = run.json("analyze --json");
        let count = found.figure("iterations.count");
        assert_eq!(count, u64::from(STEPS) - 1);
        let anchor = found.text("iterations.anchor.call").to_owned();
        assert!(
            anchor == "MPI_Allreduce" || anchor == "MPI_Sendrecv",
            "{anchor}"
        );
        let line = found.figure("iterations.anchor.line");
        let view = View::start(&run.trial.path(""), "view run");
        let told = &view.json("/api/meta")["runs"][0]["iterations"];
        assert_eq!(told["count"], count);
        assert_eq!(told["anchor"], format!("{anchor} at cloud.c:{line}"));
        view.end();
    }
}

#[test]
fn regions_and_pauses_of_a_real_program_are_in_its_rows() {
    const PROGRAM: &str = "tests/mpi/regions/named.c";
    for case in matrix::cases(&[PROGRAM], PROGRAM, &[2]) {
        let compiler = case.mpi.command("mpicc");
        if !common::mpi::is_command(&compiler) {
            common::missing(&format!("{PROGRAM}: no {compiler}"));
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        done(folder.path(), "include include");
        let mut compile = Command::new(&compiler);
        compile.args(["-g", "-O1", "-pthread", "-Iinclude", "-o", "named"]);
        compile.arg(common::workspace().join(PROGRAM));
        process::run(compile.current_dir(folder.path())).check(0, &[]);
        let run = Trial::of(case, folder.path().join("named")).traced();
        run.done.check(0, &[]);
        let view = View::start(&run.trial.path(""), "view run");
        let meta = view.json("/api/meta");
        // A step, a phase in it, and the barrier in that.
        let rows = meta["runs"][0]["rows"].as_array().unwrap();
        let deepest = rows.iter().map(|row| row["depth"].as_u64().unwrap()).max();
        assert!(deepest >= Some(3), "{deepest:?}");
        let asked = "/api/run/0/corrected/search?text=phase%200&from=0&direction=next";
        assert_eq!(view.json(asked)["total"], 4);
        let summary = view.json("/api/run/0/corrected/summary");
        let classes = meta["runs"][0]["classes"].as_array().unwrap();
        let off = classes.iter().position(|it| it["name"] == "unrecorded");
        assert!(summary["classes"][off.unwrap()].as_u64() > Some(0));
        view.end();
    }
}

#[test]
fn calls_of_one_function_are_told_apart_by_their_lines() {
    const PROGRAM: &str = "tests/mpi/view/lines.c";
    let text = fs::read_to_string(common::workspace().join(PROGRAM)).unwrap();
    let line = |word: &str| 1 + text.lines().position(|it| it.ends_with(word)).unwrap();
    let places = [("// many", 30), ("// few", 10)].map(|it| (line(it.0), it.1));
    for case in matrix::cases(&[PROGRAM], PROGRAM, &[2]) {
        let Some(trial) = Trial::new(case, PROGRAM) else {
            continue;
        };
        let run = trial.traced();
        run.done.check(0, &[]);
        let view = View::start(&run.trial.path(""), "view run");
        let regions = &view.json("/api/meta")["runs"][0]["regions"];
        let summary = view.json("/api/run/0/corrected/summary");
        let sends = |list: &str| -> Vec<Value> {
            let all = summary[list].as_array().unwrap().iter();
            let is_send = |it: &&Value| {
                regions[it["region"].as_u64().unwrap() as usize]["name"] == "MPI_Send"
            };
            all.filter(is_send).cloned().collect()
        };
        let [together] = &sends("regions")[..] else {
            panic!("{summary:#}");
        };
        assert_eq!(
            (&together["calls"], &together["site"]),
            (&40.into(), &Value::Null)
        );
        let by_line = sends("sites");
        assert_eq!(by_line.len(), 2, "{summary:#}");
        for (line, calls) in places {
            let place = format!("lines.c:{line}");
            let is_there = |it: &&Value| {
                let written = &summary["places"][it["site"].to_string()];
                written.as_str().unwrap().ends_with(&place)
            };
            let of_line = by_line.iter().find(is_there).unwrap();
            assert_eq!(of_line["calls"], calls, "{place}");
            // They are searched for as they are shown.
            let asked = format!("/api/run/0/corrected/search?text=MPI_Send%20at%20{place}&from=0");
            let found = view.json(&asked);
            assert_eq!(found["total"], calls, "{place}");
            let (row, event) = (&found["found"]["row"], &found["found"]["event"]);
            let call = view.json(&format!("/api/run/0/corrected/event/{row}/{event}"));
            assert_eq!(call["source"]["line"], line);
        }
        let boxes = summary["tree"].to_string().matches("\"calls\":30").count();
        assert!(boxes >= 1, "{summary:#}");
        view.end();
    }
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
    // What there is of an order without a trace has no time.
    let order = Record {
        ranks: vec![RankOrder::default()],
        ..Record::default()
    };
    order::write(&place.path().join("order.mpiscope"), &order).unwrap();
    refused(
        "view order.mpiscope",
        &["an order record and no trace", "cannot be told"],
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

#[test]
fn a_report_answers_as_the_server_does() {
    let place = simulated();
    done(place.path(), "report mix.mpiscope");
    let held = answers(&place.path().join("mix.html"));
    let view = View::start(place.path(), "view mix.mpiscope");
    let mut tiles = 0;
    for (question, held) in &held {
        // Lists are put together otherwise, and `meta` says what a report names.
        let listed = ["/times", "/events", "/findings"];
        if question == "meta" || listed.iter().any(|it| question.ends_with(it)) {
            continue;
        }
        let (status, told) = view.get(&format!("/api/{question}"), &view.token);
        assert_eq!((status, &told == held), (200, true), "{question}");
        tiles += 1;
    }
    assert!(tiles > 40, "{tiles}");
    let meta: Value = serde_json::from_slice(&held["meta"]).unwrap();
    let told = view.json("/api/meta");
    assert_eq!(meta["runs"][0]["verdict"], told["runs"][0]["verdict"]);
    view.end();
}

#[test]
fn a_report_is_as_large_as_it_may_be() {
    let place = simulated();
    done(place.path(), "report mix.mpiscope -o all.html");
    let some = done(place.path(), "report mix.mpiscope -o some.html --size 400K");
    assert!(some.out.contains("a greater --size than 4"), "{}", some.out);
    let size = |name| fs::metadata(place.path().join(name)).unwrap().len();
    assert!(size("some.html") <= 400 << 10, "{}", size("some.html"));
    assert!(size("all.html") > size("some.html"));
    assert!(!some.out.contains("That is more"), "{}", some.out);
    let least = done(place.path(), "report mix.mpiscope -o least.html --size 1K");
    assert!(
        least.out.contains("That is more than 1.0 KiB"),
        "{}",
        least.out
    );
    assert!(size("least.html") <= size("some.html"));
    let held = answers(&place.path().join("some.html"));
    assert!(held.contains_key("run/0/findings"));
}

#[test]
fn an_anonymous_report_names_no_host_and_no_file() {
    let place = simulated();
    done(place.path(), "report mix.mpiscope --anonymize");
    let held = answers(&place.path().join("mix.html"));
    let folder = place.path().to_string_lossy().into_owned();
    for (question, answer) in held {
        let text = String::from_utf8_lossy(&answer);
        for word in ["node0", "node1", "mix.mpiscope", folder.as_str()] {
            assert!(!text.contains(word), "{question} says {word}");
        }
    }
}

#[test]
fn the_verdict_of_an_anonymous_report_names_no_line() {
    let place = tempfile::tempdir().unwrap();
    let picture = "0: 0 enter(MPI_Recv) !at(secret.c:42) 52 recv<1 60 leave(MPI_Recv)
                   1: 0 50 enter(MPI_Send) !at(secret.c:7) 50 send>0 54 leave(MPI_Send)";
    let trace = mpiscope_archive::model::Trace::parse(picture).unwrap();
    let anchor = written(place.path(), "secret", &trace);
    for (option, is_named) in [("", true), (" --anonymize", false)] {
        let line = format!("report {} -o secret.html --force{option}", anchor.display());
        done(place.path(), &line);
        let held = answers(&place.path().join("secret.html"));
        let meta: Value = serde_json::from_slice(&held["meta"]).unwrap();
        let run = &meta["runs"][0];
        assert!(!with_role(run, "headline").is_empty() && !with_role(run, "loss").is_empty());
        let told = run["verdict"].to_string();
        assert_eq!(told.contains("secret.c:7"), is_named, "{told}");
    }
}

/// A program may name a communicator after a file and a host.
#[test]
fn an_anonymous_report_names_no_communicator_of_the_program() {
    let place = tempfile::tempdir().unwrap();
    let picture = "0: 0 enter(MPI_Recv) 52 recv<1 60 leave(MPI_Recv)
                   1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send)";
    let mut trace = mpiscope_archive::model::Trace::parse(picture).unwrap();
    trace.definitions.communicators[0].name = "/home/hidden/data.nc on vm".to_owned();
    let anchor = written(place.path(), "run", &trace);
    for (option, is_named) in [("", true), (" --anonymize", false)] {
        let line = format!("report {} -o run.html --force{option}", anchor.display());
        done(place.path(), &line);
        let held = answers(&place.path().join("run.html"));
        let says = |word: &str| {
            let mut answers = held.values();
            answers.any(|answer| String::from_utf8_lossy(answer).contains(word))
        };
        assert_eq!(says("hidden/data.nc"), is_named);
        assert_eq!(says("communicator 0"), !is_named);
    }
}

#[test]
fn a_report_replaces_nothing_that_is_none() {
    let place = simulated();
    let refused = |line: &str, words: &[&str]| {
        process::run(&mut command(place.path(), line)).check(2, words);
    };
    fs::write(place.path().join("mix.html"), "my own page").unwrap();
    refused("report mix.mpiscope", &["mix.html exists", "--force"]);
    refused("report --force mix.mpiscope", &["no earlier report"]);
    done(place.path(), "report mix.mpiscope -o why.html");
    done(place.path(), "report mix.mpiscope -o why.html --force");
    refused("report -o mix.mpiscope mix.mpiscope", &["is a directory"]);
    refused("report none.mpiscope", &["no such run"]);
}

#[test]
fn a_window_is_drawn_without_a_browser() {
    let place = simulated();
    let refused = |line: &str, words: &[&str]| {
        process::run(&mut command(place.path(), line)).check(2, words);
    };
    let line = "report mix.mpiscope --svg mix.svg --png mix.png --from 1ms --to 3ms --rank 0-3";
    done(place.path(), line);
    let [svg, png] = ["mix.svg", "mix.png"].map(|it| fs::read(place.path().join(it)).unwrap());
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let svg = String::from_utf8(svg).unwrap();
    assert!(
        svg.contains("mix.mpiscope · corrected time · 1 ms to 3 ms"),
        "{svg}"
    );
    assert!(svg.contains(">rank 3<") && !svg.contains(">rank 4<"));
    assert!(!place.path().join("mix.html").exists());
    refused(line, &["mix.svg exists", "--force"]);
    done(
        place.path(),
        &format!("{line} --force --dark --clock measured"),
    );
    done(
        place.path(),
        "report mix.mpiscope --svg hidden.svg --anonymize",
    );
    let hidden = fs::read_to_string(place.path().join("hidden.svg")).unwrap();
    assert!(!hidden.contains("mix.mpiscope") && !hidden.contains("node0"));
    for (arguments, words) in [
        ("--from 3ms --to 1ms", ["--from", "nothing to draw"]),
        ("--from 1000", ["behind the end", "lasts"]),
        ("--rank 99", ["--rank", "there are ranks 0-7"]),
        ("--clock yesterday", ["yesterday", "measured"]),
        ("--height 70", ["do not fit", "fewer ranks"]),
        ("mix.mpiscope", ["of one run", "name one"]),
    ] {
        refused(
            &format!("report mix.mpiscope --svg other.svg {arguments}"),
            &words,
        );
    }
    assert!(!place.path().join("other.svg").exists());
    refused("report mix.mpiscope --from 1ms", &["--svg", "--png"]);
    refused(
        "report mix.mpiscope --svg mix.mpiscope",
        &["is a directory"],
    );
}
