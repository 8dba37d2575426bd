//! The program's own regions in a trace: by name, by the macros of others, and functions that a
//! compiler instrumented. What is there PyPI's `otf2` reads.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;

use common::oracle::Facts;
use common::regions::{compiled, is_own};
use common::trial::Run;
use common::{matrix, process};

const PROGRAMS: [&str; 8] = [
    "named.c",
    "named.cpp",
    "named.f90",
    "others.c",
    "functions.c",
    "killed.c",
    "frequent.c",
    "values.c",
];

/// Runs a program bare and traced, wherever it is to run; both must print the same.
fn each(source: &str, options: &[&str], check: impl Fn(&Run, &Facts)) {
    for case in matrix::cases(&PROGRAMS, source, &[1, 2]) {
        let Some((trial, _folder)) = compiled(case, source, options) else {
            continue;
        };
        let bare = trial.untraced();
        bare.check(0, &[]);
        assert!(bare.out.ends_with(": ok\n"), "{}", bare.out);
        let run = trial.traced();
        run.done.check(0, &[]);
        assert_eq!(run.done.out, bare.out);
        if let Some(facts) = run.check_archives() {
            check(&run, &facts);
        }
        let checked = run.mpiscope("check");
        checked.check(0, &[]);
    }
}

/// How often regions that are not MPI's were entered by the first thread of each rank.
fn entered(run: &Run, facts: &Facts, names: &[(&str, u64)]) {
    let expected: BTreeMap<String, u64> = (names.iter())
        .map(|&(name, times)| (name.to_owned(), times))
        .collect();
    for rank in 0..u64::from(run.trial.ranks) {
        let own = facts.entered[&rank].iter();
        let own = own.filter(|(name, _)| expected.contains_key(*name) || is_own(name));
        let own: BTreeMap<_, _> = own.map(|(name, times)| (name.clone(), *times)).collect();
        assert_eq!(own, expected, "rank {rank}");
    }
}

#[test]
fn regions_by_name_nest_and_outlive_pauses() {
    each("named.c", &[], |run, facts| {
        let names = [
            ("step", 4),
            ("phase 0", 2),
            ("phase 1", 2),
            ("a mark", 4),
            ("outer", 1),
            ("forgotten", 1),
            ("across", 2),
            ("user: MPI_Looks_like_one", 1),
        ];
        entered(run, facts, &names);
        // The other thread's location is behind those of the ranks.
        let beside = &facts.entered[&(1 << 32)];
        assert_eq!(beside["beside"], 3);
        assert_eq!(beside["left open by a thread"], 1);
        // Each is entered in the line that says so.
        let line = |text: &str| {
            let file = common::workspace().join("tests/mpi/regions/named.c");
            let source = std::fs::read_to_string(file).unwrap();
            source.lines().position(|line| line.contains(text)).unwrap() + 1
        };
        let step = format!("step {}", line("region_begin(\"step\")"));
        let ranks = u64::from(run.trial.ranks);
        assert_eq!(
            facts.sites.get(&step),
            Some(&(4 * ranks)),
            "{:?}",
            facts.sites
        );
        assert!(
            run.done.errors.contains("2 times a region was ended"),
            "{}",
            run.done.errors
        );
        let analysis = run.json("analyze --json");
        let calls = serde_json::to_string(&analysis.0["statements"]).unwrap();
        assert!(!calls.contains("MPI_Looks_like_one"), "{calls}");
    });
}

#[test]
fn a_region_ends_with_its_scope() {
    each("named.cpp", &[], |run, facts| {
        entered(run, facts, &[("refuse", 6), ("caught", 3)]);
    });
}

#[test]
fn fortran_names_regions_and_tells_values() {
    each("named.f90", &[], |run, facts| {
        entered(run, facts, &[("solve", 5), ("converged", 5)]);
        for rank in 0..u64::from(run.trial.ranks) {
            let told = [
                "residual 0.5",
                "of a single 0.5",
                "step 2",
                "far 1099511627776",
            ];
            assert_eq!(facts.values[&rank][4..8], told);
            assert_eq!(facts.values[&rank].len(), 20);
        }
    });
}

/// The values that `print` finds, as PyPI's reader does.
fn printed(run: &Run) -> BTreeMap<u64, Vec<String>> {
    let mut values: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let done = run.mpiscope("print --json");
    done.check(0, &[]);
    for line in done.out.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        for value in line["metrics"].as_array().into_iter().flatten() {
            let text = format!("{} {}", value["metric"].as_str().unwrap(), value["value"]);
            let location = line["location"].as_u64().unwrap();
            values.entry(location).or_default().push(text);
        }
    }
    values
}

#[test]
fn values_are_told_by_name_and_kind() {
    each("values.c", &[], |run, facts| {
        for rank in 0..u64::from(run.trial.ranks) {
            let mut expected = Vec::new();
            for (step, residual) in ["1.0", "0.5", "0.25", "0.125"].iter().enumerate() {
                if rank == 1 {
                    expected.push("of rank 1 0.5".to_owned());
                }
                expected.push(format!("residual {residual}"));
                expected.push(format!("cells {}", 100 * rank as usize + step));
            }
            expected.push("residual 7".to_owned());
            assert_eq!(facts.values[&rank], expected);
            assert_eq!(facts.values[&(1 << 32 | rank)], ["of a thread -5"]);
        }
        assert_eq!(printed(run), facts.values);
    });
}

#[test]
fn macros_of_other_tools_name_regions() {
    each("others.c", &[], |run, facts| {
        let names = [
            ("mpe state", 2),
            ("mpe event", 2),
            ("scorep region", 3),
            ("counted", 3),
            ("scorep by name", 1),
            ("nvtx range", 1),
            ("nvtx with attributes", 1),
            ("nvtx mark", 1),
        ];
        entered(run, facts, &names);
    });
}

/// What `functions.c` enters between MPI_Init and MPI_Finalize, and outside of MPI's calls.
fn functions_are_there(run: &Run, facts: &Facts) {
    let names = [
        ("work", 5),
        ("exchange", 3),
        ("down", 5),
        ("around", 1),
        ("leap", 1),
        ("handler", 1),
    ];
    entered(run, facts, &names);
    assert_eq!(facts.entered[&(1 << 32)]["beside"], 1);
}

#[test]
fn functions_that_a_compiler_instrumented_are_traced() {
    each("functions.c", &["-finstrument-functions"], |run, facts| {
        functions_are_there(run, facts);
        let calls = facts.sites.keys().any(|site| site.starts_with("work "));
        assert!(calls, "{:?}", facts.sites);
    });
}

#[test]
fn what_is_often_entered_and_soon_over_is_left_out_and_counted() {
    for case in matrix::cases(&PROGRAMS, "frequent.c", &[1, 2]) {
        let compiled = compiled(case, "frequent.c", &["-finstrument-functions"]);
        let Some((trial, _folder)) = compiled else {
            continue;
        };
        let run = trial.traced();
        run.done.check(0, &[]);
        let told = run
            .done
            .errors
            .contains("entries of functions that are many and soon over are left out");
        assert!(
            told && run.done.errors.contains("tiny ("),
            "{}",
            run.done.errors
        );
        let left_out = run.facts();
        let left_out = &left_out.0["left_out"][0];
        assert_eq!(left_out["function"], "tiny");
        let left_out = left_out["entries"].as_u64().unwrap();
        let Some(facts) = run.check_archives() else {
            continue;
        };
        let ranks = u64::from(run.trial.ranks);
        let traced: u64 = (0..ranks).map(|rank| facts.entered[&rank]["tiny"]).sum();
        assert_eq!(traced + left_out, 50_000 * ranks);
        for rank in 0..ranks {
            assert_eq!(facts.entered[&rank]["long_enough"], 20);
        }
    }
}

#[test]
fn a_killed_program_has_said_what_is_left_out() {
    for case in matrix::cases(&PROGRAMS, "frequent.c", &[1]) {
        let compiled = compiled(case, "frequent.c", &["-finstrument-functions", "-DKILLED"]);
        let Some((trial, _folder)) = compiled else {
            continue;
        };
        let run = trial.traced();
        assert_ne!(run.done.code, 0);
        assert!(run.done.errors.contains("tiny ("), "{}", run.done.errors);
        let info = run.mpiscope("info");
        assert!(info.out.contains("are left out"), "{}", info.out);
    }
}

#[test]
fn all_functions_are_traced_or_none_if_that_is_asked_for() {
    for (which, expected) in [("all", Some(50_000)), ("none", None)] {
        for case in matrix::cases(&PROGRAMS, "frequent.c", &[1]) {
            let compiled = compiled(case, "frequent.c", &["-finstrument-functions"]);
            let Some((trial, _folder)) = compiled else {
                continue;
            };
            let run = trial.traced_with(&["--functions", which]);
            run.done.check(0, &[]);
            assert!(!run.done.errors.contains("left out"), "{}", run.done.errors);
            if let Some(facts) = run.check_archives() {
                assert_eq!(facts.entered[&0].get("tiny").copied(), expected);
            }
        }
    }
}

#[test]
fn procedures_with_probes_are_traced() {
    each("functions.c", &["cc"], |run, facts| {
        functions_are_there(run, facts);
    });
}

#[test]
fn probes_that_are_many_and_soon_over_are_left_out() {
    for case in matrix::cases(&PROGRAMS, "frequent.c", &[1]) {
        let Some((trial, _folder)) = compiled(case, "frequent.c", &["cc"]) else {
            continue;
        };
        let run = trial.traced();
        run.done.check(0, &[]);
        assert!(
            run.done.errors.contains("tiny (40000 times)"),
            "{}",
            run.done.errors
        );
        if let Some(facts) = run.check_archives() {
            assert_eq!(facts.entered[&0]["tiny"], 10_000);
        }
    }
}

#[test]
fn functions_without_debug_information_have_a_place() {
    let options = ["-finstrument-functions", "-g0", "-s"];
    each("functions.c", &options, |run, facts| {
        for rank in 0..u64::from(run.trial.ranks) {
            let own = facts.entered[&rank].keys().filter(|name| is_own(name));
            let own: Vec<_> = own.collect();
            assert_eq!(own.len(), 6, "{own:?}");
            assert!(
                own.iter().all(|name| name.starts_with("program+0x")),
                "{own:?}"
            );
        }
    });
}

#[test]
fn regions_of_a_killed_program_are_recovered() {
    for case in matrix::cases(&PROGRAMS, "killed.c", &[1]) {
        let Some((trial, _folder)) = compiled(case, "killed.c", &["-finstrument-functions"]) else {
            continue;
        };
        let run = trial.traced();
        assert_ne!(run.done.code, 0);
        if let Some(facts) = common::oracle::read(&run.measured()) {
            entered(&run, &facts, &[("outer", 1), ("solve", 1), ("inner", 1)]);
        }
    }
}

/// Loads the module of the package that names regions by itself, as the rest of it is not needed.
const PYTHON: &str = "\
import importlib.util, sys
spec = importlib.util.spec_from_file_location('regions', sys.argv[1])
regions = importlib.util.module_from_spec(spec)
spec.loader.exec_module(regions)
from mpi4py import MPI

@regions.region('decorated')
def work():
    with regions.region('solve'):
        MPI.COMM_WORLD.Barrier()
    regions.mark('done')
    regions.metric('residual', 0.25)
    regions.metric('steps', 3)
    regions.metric('large', 2**80)

for step in range(3):
    work()
try:
    with regions.region('left by an exception'):
        raise ValueError
except ValueError:
    print('ok')
";

#[test]
fn python_names_regions() {
    let module = common::workspace().join("crates/mpiscope-python/python/mpiscope/_region.py");
    let module = module.to_str().unwrap();
    // All of these load the same agent, and one of them is enough.
    let Some(python) = common::python::pythons().into_iter().next() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let run = |mode: &[&str]| {
        let words = ["-c", PYTHON, module];
        process::run(&mut python.command(folder.path(), mode, 1, &words))
    };
    run(&[]).check(0, &[]);
    let traced = run(&["trace"]);
    traced.check(0, &[]);
    assert_eq!(traced.out, "ok\n");
    if let Some(facts) = common::oracle::read(&folder.path().join("run/traces.otf2")) {
        let own = &facts.entered[&0];
        for (name, times) in [
            ("decorated", 3),
            ("solve", 3),
            ("done", 3),
            ("left by an exception", 1),
        ] {
            assert_eq!(own.get(name), Some(&times), "{name}: {own:?}");
        }
        let told = ["residual 0.25", "steps 3", "large 1.2089258196146292e+24"];
        assert_eq!(facts.values[&0], told.repeat(3));
    }
}
