//! `mpiscope export`: what others read is what `info` and `analyze` say of the run.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::trial::Json;
use common::{digest, found, missing, mpiscope, oracle, process, Case, Done, Trial};
use expect_test::expect;
use mpiscope_archive::model::Trace;
use mpiscope_archive::write::write_trace;
use rustix::process::{kill_process, Pid, Signal};
use serde_json::{json, Value};

/// A run in a folder of its own.
struct Place {
    folder: tempfile::TempDir,
    run: PathBuf,
}

impl Place {
    /// A simulated run, corrected.
    fn simulated() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("halo.mpiscope");
        let place = Place { folder, run };
        place
            .mpiscope("simulate halo -n 6 --hosts 3 --iterations 20 -o halo.mpiscope")
            .check(0, &[]);
        place.mpiscope("sync halo.mpiscope").check(0, &[]);
        place
    }

    #[track_caller]
    fn mpiscope(&self, line: &str) -> Done {
        let mut command = Command::new(mpiscope());
        process::run(command.args(line.split(' ')).current_dir(&self.folder))
    }

    #[track_caller]
    fn export(&self, words: &str) -> Done {
        self.mpiscope(&format!("export {words} {}", self.run.display()))
    }

    #[track_caller]
    fn json(&self, command: &str) -> Json {
        let done = self.mpiscope(&format!("{command} --json {}", self.run.display()));
        done.check(0, &[]);
        Json(serde_json::from_str(&done.out).unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.run.with_file_name(name)
    }

    /// Returns what there is beside the run.
    fn entries(&self) -> Vec<String> {
        let entries = fs::read_dir(self.run.parent().unwrap()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// Reads an export with readers that are not ours; nothing, with a word, without them.
#[track_caller]
fn read(format: &str, path: &Path) -> Option<Json> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/read_export.py");
    let python = oracle::python()?;
    let run =
        |words: &[&std::ffi::OsStr]| process::run(Command::new(python).arg(&script).args(words));
    if run(&["packages".as_ref()]).code != 0 {
        missing("PyPI's duckdb, pandas, polars, perfetto and protobuf");
        return None;
    }
    let done = run(&[format.as_ref(), path.as_ref()]);
    assert!(done.code == 0 && done.errors.is_empty(), "{}", done.errors);
    Some(Json(serde_json::from_str(&done.out).unwrap()))
}

/// How often each region was entered, as `info` says.
fn entered(info: &Json) -> Value {
    let regions = ["regions", "accelerator_regions"].map(|key| info.get(key).as_array().unwrap());
    let regions = regions.into_iter().flatten();
    let calls = regions.map(|it| (it["name"].as_str().unwrap().to_owned(), it["calls"].clone()));
    Value::Object(calls.collect())
}

/// Expects in tables what `info` and `analyze` say of the run.
#[track_caller]
fn check_tables(place: &Place, tables: &Json) {
    let info = place.json("info");
    let analyzed = place.json("analyze");
    for (table, figure) in [
        ("rows.events", "events"),
        ("rows.messages", "messages.point_to_point"),
        ("rows.collectives", "collective_calls"),
        ("rows.locations", "locations"),
        ("collectives", "collectives"),
        ("message_bytes", "messages.bytes"),
    ] {
        assert_eq!(tables.get(table), info.get(figure), "{table}");
    }
    assert_eq!(*tables.get("entered"), entered(&info));
    assert_eq!(*tables.get("first_ns"), 0);
    assert_eq!(tables.get("last_ns"), analyzed.get("length_ns"));
    assert_eq!(
        *tables.get("joined"),
        json!({"send": true, "receive": true})
    );
    assert_eq!(*tables.get("numbers"), true);
    assert_eq!(*tables.get("ascending"), true);
    assert_eq!(*tables.get("reversed"), 0, "in corrected time");
    assert_eq!(tables.get("waiting_ns"), analyzed.get("waiting_ns"));
    let kinds = analyzed.get("wait_states").as_array().unwrap().iter();
    let waits = kinds.map(|it| (it["kind"].as_str().unwrap().to_owned(), it["times"].clone()));
    assert_eq!(*tables.get("waits"), Value::Object(waits.collect()));
    for figure in ["below_times", "below_ns", "unknown_times"] {
        let of_analyze = analyzed.get(&format!("resolution.{figure}"));
        assert_eq!(
            tables.get(&format!("below.{figure}")),
            of_analyze,
            "{figure}"
        );
    }
}

#[test]
fn tables_hold_what_info_and_analyze_say() {
    let place = Place::simulated();
    let done = place.export("--to parquet");
    done.check(0, &[]);
    assert!(done.out.contains("halo-parquet: "), "{}", done.out);
    assert!(done.out.contains("in corrected time"), "{}", done.out);
    let Some(parquet) = read("parquet", &place.path("halo-parquet")) else {
        return;
    };
    check_tables(&place, &parquet);
    assert!(parquet.figure("below.open") > 0, "of several hosts");
    assert_eq!(parquet.text("compression"), "ZSTD");
    let delta = "DELTA_BINARY_PACKED";
    assert!(parquet.get("encodings").to_string().contains(delta));
}

#[test]
fn all_readers_of_parquet_find_the_same() {
    let place = Place::simulated();
    place.export("--to parquet").check(0, &[]);
    let Some(tables) = read("parquet", &place.path("halo-parquet")) else {
        return;
    };
    let readers = tables.get("readers").as_object().unwrap();
    assert_eq!(readers.len(), 3);
    for (name, figures) in readers {
        assert_eq!(*figures, readers["duckdb"], "{name}");
    }
    assert_eq!(readers["duckdb"][0], *tables.get("rows.events"));
    assert_eq!(tables.get("about")["mpiscope.clock"], "corrected time");
}

#[test]
fn csv_holds_the_same_tables() {
    let place = Place::simulated();
    place.export("--to csv").check(0, &[]);
    let Some(csv) = read("csv", &place.path("halo-csv")) else {
        return;
    };
    check_tables(&place, &csv);
    place.export("--to parquet").check(0, &[]);
    let Some(parquet) = read("parquet", &place.path("halo-parquet")) else {
        return;
    };
    assert_eq!(csv.get("columns"), parquet.get("columns"));
    assert_eq!(csv.get("kinds"), parquet.get("kinds"));
}

/// The events in the order in which `print --merged` has them: location and number of each.
#[track_caller]
fn merged(place: &Place) -> Value {
    let done = place.mpiscope(&format!("print --merged --json {}", place.run.display()));
    done.check(0, &[]);
    let lines = done.out.lines().skip(1);
    let events = lines.map(|line| {
        let event: Value = serde_json::from_str(line).unwrap();
        json!([event["location"], event["number"]])
    });
    events.collect()
}

/// What is in the files of a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let content = |file: fs::DirEntry| {
        let name = file.file_name().into_string().unwrap();
        (name, fs::read(file.path()).unwrap())
    };
    files.map(content).collect()
}

#[test]
fn merged_rows_of_all_locations_come_in_the_order_of_time() {
    let place = Place::simulated();
    let order = merged(&place);
    for to in ["csv", "parquet"] {
        place.export(&format!("--to {to}")).check(0, &[]);
        let folder = place.path(&format!("halo-{to}"));
        let Some(plain) = read(to, &folder) else {
            return;
        };
        place
            .export(&format!("--to {to} --merged --force"))
            .check(0, &[]);
        let tables = read(to, &folder).unwrap();
        check_tables(&place, &tables);
        assert_ne!(*plain.get("order"), order);
        assert_eq!(*tables.get("order"), order, "{to}");
        for table in ["events", "messages", "collectives", "wait_states"] {
            assert_eq!(plain.get("by_time")[table], false, "{to}, {table}");
            assert_eq!(tables.get("by_time")[table], true, "{to}, {table}");
        }
        if to == "parquet" {
            let readers = tables.get("readers").as_object().unwrap();
            let read = |reader: &Value| reader[3] == order;
            assert!(readers.len() == 3 && readers.values().all(read));
            let words = "by time, of equal times by location";
            assert_eq!(tables.get("about")["mpiscope.order"], words);
        }
    }
}

/// Every row has the same words, whatever its place.
#[test]
fn merged_tables_have_the_rows_of_others() {
    let place = Place::simulated();
    place.export("--to csv").check(0, &[]);
    place.export("--to csv --merged -o merged").check(0, &[]);
    let rows = |folder: &Path| -> BTreeMap<String, Vec<Vec<u8>>> {
        let files = contents(folder).into_iter();
        let sorted = |text: Vec<u8>| {
            let mut lines: Vec<Vec<u8>> = text.split(|it| *it == b'\n').map(Vec::from).collect();
            lines.sort();
            lines
        };
        files.map(|(name, text)| (name, sorted(text))).collect()
    };
    let merged = place.folder.path().join("merged");
    assert_eq!(rows(&place.path("halo-csv")), rows(&merged));
}

/// Times of a foreign archive may go back, and many may be one.
#[test]
fn merged_rows_of_one_location_keep_their_own_order() {
    let picture =
        "0: 10 enter(main) 12 metric(heat=1) 12 metric(heat=2) 9 metric(heat=3) 19 leave(main)\n\
                   1: 10 enter(main) 12 metric(heat=4) 13 metric(heat=5) 13 leave(main)";
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("told");
    fs::create_dir(&run).unwrap();
    write_trace(&Trace::parse(picture).unwrap(), &run, &[]).unwrap();
    let place = Place { folder, run };
    place.export("--to csv --merged").check(0, &[]);
    let of = |table: &str, columns: &[usize]| -> Vec<String> {
        let text = fs::read_to_string(place.path("told-csv").join(table)).unwrap();
        let row = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            let chosen: Vec<&str> = columns.iter().map(|&at| cells[at]).collect();
            chosen.join(".")
        };
        text.lines().skip(1).map(row).collect()
    };
    let expected = [
        "0.0", "1.0", "0.1", "0.2", "0.3", "1.1", "1.2", "1.3", "0.4",
    ];
    assert_eq!(of("events.csv", &[0, 3]), expected);
    let order: Vec<Value> = merged(&place).as_array().unwrap().clone();
    let order = order.iter().map(|it| format!("{}.{}", it[0], it[1]));
    assert_eq!(order.collect::<Vec<_>>(), expected);
    let values = ["1.0", "2.0", "3.0", "4.0", "5.0"];
    assert_eq!(of("metrics.csv", &[7]), values);
}

#[test]
fn a_budget_of_memory_changes_no_byte() {
    let place = Place::simulated();
    for to in ["csv", "parquet"] {
        let export = |words: &str| {
            place
                .export(&format!("--to {to} --merged -o {to} --force{words}"))
                .check(0, &[]);
            contents(&place.folder.path().join(to))
        };
        let whole = export("");
        assert_eq!(whole.len(), 9);
        assert!(export(" --memory 1M") == whole, "{to}");
    }
}

#[test]
fn formats_whose_rows_have_no_order_say_so() {
    let place = Place::simulated();
    let entries = place.entries();
    for to in ["perfetto", "speedscope"] {
        let remedy = "leave --merged out, or give --to parquet or --to csv";
        let done = place.export(&format!("--to {to} --merged"));
        done.check(2, &["puts the rows of tables in one order", remedy]);
    }
    assert_eq!(place.entries(), entries);
}

/// Expects in a time line what `info` says of the run.
#[track_caller]
fn check_perfetto(place: &Place, found: &Json) {
    let info = place.json("info");
    assert_eq!(*found.get("problems"), json!([]));
    assert_eq!(*found.get("slices"), entered(&info));
    for flows in ["flows", "paired"] {
        assert_eq!(found.get(flows), info.get("messages.point_to_point"));
    }
    let tracks = found.get("tracks").as_array().unwrap();
    assert_eq!(tracks.len() as u64, info.figure("locations"));
    assert_eq!(
        *found.get("last_ns"),
        *place.json("analyze").get("length_ns")
    );
    // The descriptors, two packets a slice, and one an instant.
    let sum = |key: &str| -> u64 {
        let counts = found.get(key).as_object().unwrap().values();
        counts.map(|count| count.as_u64().unwrap()).sum()
    };
    let descriptors = info.figure("ranks") + info.figure("locations");
    let packets = descriptors + 2 * sum("slices") + sum("instants");
    assert_eq!(found.figure("packets"), packets);
}

#[test]
fn perfetto_finds_slices_and_arrows() {
    let place = Place::simulated();
    let done = place.export("--to perfetto");
    done.check(0, &["for which Perfetto has no place"]);
    let file = place.path("halo.perfetto-trace");
    let Some(found) = read("perfetto", &file) else {
        return;
    };
    check_perfetto(&place, &found);
    for annotation in ["peer", "tag", "bytes", "communicator"] {
        assert!(
            found.get("annotations")[annotation].is_u64(),
            "{annotation}"
        );
    }
}

/// Expects that calls open and close in order, and that times never go back; returns how many
/// there are.
#[track_caller]
fn check_speedscope(file: &Path) -> u64 {
    let json: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let schema = "https://www.speedscope.app/file-format-schema.json";
    assert_eq!(json["$schema"], schema);
    let frames = json["shared"]["frames"].as_array().unwrap();
    assert!(frames.iter().all(|frame| frame["name"].is_string()));
    let mut calls = 0;
    for profile in json["profiles"].as_array().unwrap() {
        assert_eq!(profile["type"], "evented");
        assert_eq!(profile["unit"], "nanoseconds");
        let at = |value: &Value| value.as_i64().unwrap();
        let (mut open, mut now) = (Vec::new(), at(&profile["startValue"]));
        for event in profile["events"].as_array().unwrap() {
            assert!(at(&event["at"]) >= now, "{event}");
            now = at(&event["at"]);
            let frame = event["frame"].as_u64().unwrap();
            assert!(frame < frames.len() as u64);
            match event["type"].as_str() {
                Some("O") => open.push(frame),
                _ => assert_eq!(open.pop(), Some(frame), "{event}"),
            }
            calls += u64::from(event["type"] == "O");
        }
        assert!(open.is_empty(), "{open:?}");
        assert!(now <= at(&profile["endValue"]));
    }
    calls
}

#[test]
fn speedscope_finds_balanced_calls() {
    let place = Place::simulated();
    place
        .export("--to speedscope")
        .check(0, &["for which speedscope has no place"]);
    let calls = check_speedscope(&place.path("halo.speedscope.json"));
    let entered = entered(&place.json("info"));
    let expected = entered.as_object().unwrap().values();
    assert_eq!(calls, expected.map(|it| it.as_u64().unwrap()).sum::<u64>());
}

#[test]
fn values_of_metrics_are_exported_and_printed() {
    let folder = tempfile::tempdir().unwrap();
    let picture = "0: 10 enter(main) 12 metric(residual=0.5,heat[K]=300u) 19 leave(main)\n\
                   1: 13 metric(residual=-1e-300) 14 metric(heat[K]=-5)";
    let run = folder.path().join("told");
    fs::create_dir(&run).unwrap();
    write_trace(&Trace::parse(picture).unwrap(), &run, &[]).unwrap();
    let place = Place { folder, run };
    place.export("--to csv").check(0, &[]);
    let rows = fs::read_to_string(place.path("told-csv/metrics.csv")).unwrap();
    let rows = rows.replace("\r\n", "\n");
    expect![[r#"
        location,rank,thread,number,time_ns,metric,unit,value
        0,0,0,1,2,residual,,0.5
        0,0,0,1,2,heat,K,300.0
        1,1,0,0,3,residual,,-1e-300
        1,1,0,1,4,heat,K,-5.0
    "#]]
    .assert_eq(&rows);
    let printed = place.mpiscope("print told");
    printed.check(0, &[]);
    let lines = printed.out.lines().filter(|line| line.contains(" metric "));
    expect![[r#"
        0.000000002  rank 0  metric            main residual = 0.5, heat = 300 K
        0.000000003  rank 1  metric            residual = -1e-300
        0.000000004  rank 1  metric            heat = -5 K"#]]
    .assert_eq(&lines.collect::<Vec<_>>().join("\n"));
    let printed = place.mpiscope("print told --json");
    let lines = printed.out.lines().filter_map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        Some(line.get("metrics")?.to_string())
    });
    expect![[r#"
        [{"metric":"residual","value":0.5},{"metric":"heat","unit":"K","value":300}]
        [{"metric":"residual","value":-1e-300}]
        [{"metric":"heat","unit":"K","value":-5}]"#]]
    .assert_eq(&lines.collect::<Vec<_>>().join("\n"));
    let exported = place.export("--to perfetto");
    exported.check(0, &[]);
    assert!(exported.out.contains("4 metric values"), "{}", exported.out);
    if let Some(found) = read("perfetto", &place.path("told.perfetto-trace")) {
        assert_eq!(
            *found.get("values"),
            json!([
                ["rank 0", "residual", "", 2, 0.5],
                ["rank 0", "heat", "K", 2, 300.0],
                ["rank 1", "residual", "", 3, -1e-300],
                ["rank 1", "heat", "K", 4, -5],
            ])
        );
    }
}

#[test]
fn measured_times_are_exported_where_asked_for() {
    let place = Place::simulated();
    let done = place.export("--to csv --measured");
    done.check(0, &[]);
    assert!(done.out.contains("in measured time"), "{}", done.out);
    let measured = place
        .json("info")
        .figure("violations.measured.reversed_point_to_point");
    let said = done.errors.contains("received before sent; `mpiscope sync");
    assert_eq!(said, measured > 0, "{measured}: {}", done.errors);
    let corrected = "export --to csv --measured halo.mpiscope/corrected/traces.otf2";
    place.mpiscope(corrected).check(2, &["are corrected"]);
}

#[test]
fn nothing_is_replaced_unless_asked_for_and_the_archive_never() {
    let place = Place::simulated();
    let before = digest(&place.run);
    let entries = place.entries();
    for (to, name) in [
        ("parquet", "halo-parquet"),
        ("csv", "halo-csv"),
        ("perfetto", "halo.perfetto-trace"),
        ("speedscope", "halo.speedscope.json"),
    ] {
        let export = |words: &str| place.export(&format!("--to {to}{words}"));
        export("").check(0, &[]);
        export("").check(2, &[name, "--force"]);
        export(" --force").check(0, &[]);
        for part in ["", "/traces.otf2", "/traces", "/traces/0.evt"] {
            let words = format!(" --force -o halo.mpiscope{part}");
            export(&words).check(2, &["halo.mpiscope"]);
        }
        export(" -o no/such/place").check(2, &["no/such/place"]);
    }
    assert_eq!(digest(&place.run), before);
    assert_eq!(
        place.entries().len(),
        entries.len() + 4,
        "{:?}",
        place.entries()
    );
}

#[test]
fn who_interrupts_leaves_nothing_half_written() {
    let place = Place::simulated();
    place
        .mpiscope("simulate halo -n 16 --iterations 3000 -o large.mpiscope")
        .check(0, &[]);
    let entries = place.entries();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        // A suite that runs in the background may ignore signals, and what it starts does, too.
        let mut command = Command::new("env");
        command
            .arg("--default-signal=INT,TERM,HUP")
            .arg(mpiscope())
            .args(["export", "--to", "csv", "large.mpiscope"])
            .current_dir(&place.folder);
        let mut child = command.spawn().unwrap();
        // Until it has begun to write.
        while place.entries() == entries && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        let status = child.wait().unwrap();
        assert!(!status.success(), "{signal:?}: {status}");
        assert_eq!(place.entries(), entries, "{signal:?}");
    }
}

#[test]
fn of_a_damaged_archive_what_could_be_read_is_exported() {
    let place = Place::simulated();
    let whole = place.json("info").figure("events");
    let events = place.run.join("corrected/traces/1.evt");
    let length = fs::metadata(&events).unwrap().len();
    let file = OpenOptions::new().write(true).open(&events).unwrap();
    file.set_len(length / 2).unwrap();
    let words = ["only the first", "events could be read"];
    for to in ["csv", "parquet", "perfetto", "speedscope"] {
        place.export(&format!("--to {to}")).check(3, &words);
    }
    check_speedscope(&place.path("halo.speedscope.json"));
    let lines = fs::read_to_string(place.path("halo-csv/events.csv")).unwrap();
    let rows = lines.lines().count() as u64 - 1;
    assert!((1..whole).contains(&rows), "{rows} of {whole}");
    let Some(found) = read("perfetto", &place.path("halo.perfetto-trace")) else {
        return;
    };
    assert_eq!(*found.get("problems"), json!([]));
    // Nothing at all can be read.
    fs::remove_dir_all(place.run.join("corrected")).unwrap();
    fs::write(place.run.join("traces.def"), "cut").unwrap();
    place.export("--to csv --force").check(3, &["traces.def"]);
}

#[test]
fn what_has_no_events_is_told_what_would_have_them() {
    let place = Place::simulated();
    place
        .mpiscope("export --to csv nowhere")
        .check(2, &["nowhere"]);
    place.mpiscope("export halo.mpiscope").check(2, &["--to"]);
}

#[test]
fn a_real_run_is_exported_with_its_lines() {
    for &mpi in found() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/analyze/late.c") else {
            continue;
        };
        let run = trial.traced();
        run.done.check(0, &[]);
        let place = Place {
            folder: tempfile::tempdir().unwrap(),
            run: run.path.clone(),
        };
        for to in ["parquet", "perfetto", "speedscope"] {
            place.export(&format!("--to {to}")).check(0, &[]);
        }
        check_speedscope(&place.path("run.speedscope.json"));
        let Some(tables) = read("parquet", &place.path("run-parquet")) else {
            continue;
        };
        check_tables(&place, &tables);
        assert!(tables.get("call_sites").to_string().contains("late.c:"));
        if let Some(found) = read("perfetto", &place.path("run.perfetto-trace")) {
            check_perfetto(&place, &found);
            assert!(found.get("sites").to_string().contains("late.c:"));
        }
    }
}
