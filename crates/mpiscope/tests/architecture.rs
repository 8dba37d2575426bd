//! The house stands as ARCHITECTURE.md says: arrows between crates, circles among the modules
//! of each, where unsafe code may live, what the agent shows to the programs it is loaded into.
#![forbid(unsafe_code)]

#[path = "architecture/imports.rs"]
mod imports;
#[path = "architecture/words.rs"]
mod words;

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{bin, workspace};
use imports::{circles, imports, Imports};
use object::{Object, ObjectSymbol};
use serde_json::Value;

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Reads the table of a section: name, what it knows, what it depends on.
fn documented(heading: &str) -> Arrows {
    let text = fs::read_to_string(workspace().join("ARCHITECTURE.md")).unwrap();
    let sections = text.split("\n## ");
    let section = sections.filter_map(|section| section.strip_prefix(heading));
    let text = section.last().unwrap();
    let quoted = |cell: &str| -> BTreeSet<String> {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let row = |line: &str| {
        let cells: Vec<&str> = line.strip_prefix("| `")?.split(" | ").collect();
        let [name, _, arrows] = cells[..] else {
            return None;
        };
        Some((name.trim_matches('`').to_owned(), quoted(arrows)))
    };
    text.lines().filter_map(row).collect()
}

/// Asks cargo; dependencies of tests and build scripts are no arrows.
fn actual() -> Arrows {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(workspace())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let arrows = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        let ours = all.filter(|d| d["path"].is_string() && d["kind"].is_null());
        (
            text(&package["name"]),
            ours.map(|d| text(&d["name"])).collect(),
        )
    };
    metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(arrows)
        .collect()
}

#[test]
fn the_page_is_made_of_short_entries() {
    const LONGEST: usize = 600;
    let text = fs::read_to_string(workspace().join("ARCHITECTURE.md")).unwrap();
    let long = text.lines().filter(|line| line.chars().count() > LONGEST);
    assert_eq!(long.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn arrows_between_crates_are_those_of_the_table() {
    let documented = documented("The crates\n");
    assert!(documented.len() >= 7, "{documented:?}");
    assert_eq!(actual(), documented);
}

/// As many modules may import each other in a circle: what one reads in an afternoon.
const LARGEST_CIRCLE: usize = 10;

#[test]
fn modules_that_import_each_other_are_few() {
    let too_large = |name: &String| {
        let imports = imports(name);
        let circles = circles(&imports).into_iter();
        let large = circles.filter(|circle| circle.len() > LARGEST_CIRCLE);
        large
            .map(|circle| {
                format!(
                    "{name}: {}\n{}",
                    circle.len(),
                    arrows_within(&imports, &circle)
                )
            })
            .collect::<String>()
    };
    let found: String = actual().keys().map(too_large).collect();
    assert!(found.is_empty(), "modules in a circle:\n{found}");
}

fn arrows_within(imports: &Imports, circle: &BTreeSet<String>) -> String {
    let within = |from: &String| -> Vec<&str> {
        let to = imports[from].intersection(circle);
        to.map(String::as_str).collect()
    };
    let line = |from| format!("  {from} -> {}\n", within(from).join(", "));
    circle.iter().map(line).collect()
}

/// A layer of the agent is a folder; what lies beside them is the library's own.
#[test]
fn layers_of_the_agent_import_only_what_the_table_allows() {
    let allowed = documented("The agent's layers\n");
    let layer = |module: &str| module.split("::").next().unwrap_or_default().to_owned();
    let reached = |from: &str| -> BTreeSet<String> {
        let mut reached = BTreeSet::from([from.to_owned()]);
        let mut left = vec![from.to_owned()];
        while let Some(next) = left.pop() {
            let below = allowed.get(&next).into_iter().flatten();
            left.extend(below.filter(|to| reached.insert((*to).clone())).cloned());
        }
        reached
    };
    let imports = imports("mpiscope-agent");
    let layers: BTreeSet<String> = imports.keys().map(|module| layer(module)).collect();
    let expected: BTreeSet<String> = allowed.keys().cloned().collect();
    let beside = ["crate", "mark"].map(str::to_owned).into();
    assert_eq!(layers, expected.union(&beside).cloned().collect());
    let upward = imports.iter().flat_map(|(from, to)| {
        let reached = reached(&layer(from));
        let wrong = to.iter().filter(move |to| !reached.contains(&layer(to)));
        wrong.map(move |to| format!("{from} -> {to}"))
    });
    assert_eq!(upward.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn arrows_go_to_the_module_that_defines_a_name() {
    // `crate::Error` is re-exported by lib.rs; `std::path::Path` is none of ours.
    let imports = imports("mpiscope-run");
    let named: Vec<&str> = imports["directory"].iter().map(String::as_str).collect();
    assert_eq!(named, ["error", "shared_memory"]);
}

#[test]
fn circles_are_found_through_others() {
    let arrows = [
        ("a", &["b"][..]),
        ("b", &["c"]),
        ("c", &["b", "d"]),
        ("d", &[]),
    ];
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let imports: Imports = arrows.map(|(from, to)| (from.to_owned(), set(to))).into();
    assert_eq!(circles(&imports), [set(&["b", "c"])]);
}

#[test]
fn words_of_rust_leave_out_comments_literals_and_tests() {
    let text = r##"
        use a::{self, b}; // use c;
        /* d /* e */ f */ let g: &'h str = "i::j\"" ; let k = ['\'', 'l', '"'];
        #[cfg(test)]
        mod tests { fn m() { n::o(); } }
        const P: &str = r#"q "r" s"#;
    "##;
    let words = words::without_tests(words::words(text)).join(" ");
    let expected =
        "use a :: { self , b } ; let g : & h str = ; let k = [ , , ] ; const P : & str = ;";
    assert_eq!(words, expected);
}

/// Crates that may be unsafe, and in which files; empty means in all.
const UNSAFE: [(&str, &[&str]); 7] = [
    ("mpi-abi", &[]),
    ("mpiscope-agent", &[]),
    ("otf2", &["map.rs"]),
    ("mpiscope-fuzz", &["allocator.rs"]),
    ("mpiscope-archive", &["memory/processors.rs", "memory.rs"]),
    (
        "mpiscope-run",
        &[
            "buffer.rs",
            "mapping.rs",
            "order/buffer.rs",
            "shared_memory.rs",
            "statistics/table.rs",
            "system.rs",
        ],
    ),
    ("mpiscope-sync", &["prefetch.rs"]),
];

#[test]
fn unsafe_code_lives_where_the_invariants_say() {
    for name in actual().keys() {
        let src = workspace().join("crates").join(name).join("src");
        let mut files = Vec::new();
        sources(&src, &mut files);
        let allowed = UNSAFE.iter().find(|(crate_, _)| crate_ == name);
        let roots = ["lib.rs", "main.rs"].map(|root| src.join(root));
        let root: String = roots.iter().flat_map(fs::read_to_string).collect();
        match allowed {
            None => assert!(root.contains("#![forbid(unsafe_code)]"), "{name}"),
            Some((_, [])) => {}
            Some((_, mapping)) => {
                assert!(root.contains("#![deny(unsafe_code)]"), "{name}");
                let found: Vec<&Path> = files
                    .iter()
                    .filter(|file| is_unsafe(file))
                    .map(|f| f.strip_prefix(&src).unwrap())
                    .collect();
                let mapping: Vec<&Path> = mapping.iter().map(Path::new).collect();
                assert_eq!(found, mapping, "{name}");
            }
        }
    }
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, files),
            false => files.push(path),
        }
    }
    files.sort();
}

fn is_unsafe(file: &Path) -> bool {
    let text = fs::read_to_string(file).unwrap();
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"]
        .iter()
        .any(|word| code.clone().any(|line| line.contains(word)))
}

/// Of these the program must hear from its MPI itself, or reads them too often.
fn belongs_to_mpi_alone(name: &str) -> bool {
    let name = name.to_lowercase();
    let name = name.trim_start_matches('p').trim_end_matches('_');
    let name = name.trim_end_matches("_f08");
    let names = [
        "mpi_get_version",
        "mpi_get_library_version",
        "mpi_wtime",
        "mpi_wtick",
    ];
    names.contains(&name) || name.starts_with("mpi_abi_")
}

/// What is no function of MPI: counted, so that replay knows which thread is which, and traced; jumps that may leave a call; asked for
/// functions of MPI by programs that open their library themselves; called by the objects that
/// `mpiscope cc` makes, and by those of `-finstrument-functions`; asked for by LLVM's OpenMP; read and
/// set by gdb.
const OWN: [&str; 23] = [
    "pthread_create",
    "pthread_join",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "dlsym",
    "ompt_start_tool",
    "mpiscope_probe_register",
    "__cyg_profile_func_enter",
    "__cyg_profile_func_exit",
    "mpiscope_region_begin",
    "mpiscope_region_begin_from",
    "mpiscope_region_end",
    "mpiscope_mark",
    "mpiscope_mark_from",
    "mpiscope_metric",
    "mpiscope_metric_int",
    "mpiscope_debug_steps",
    "mpiscope_debug_receives",
    "mpiscope_debug_source",
    "mpiscope_debug_tag",
    "mpiscope_debug_free",
];

/// What programs call of OpenMP's runtimes: offered where a program begins with one that has it.
fn is_of_openmp(name: &str) -> bool {
    let starts = ["GOMP_", "omp_", "__kmpc_"];
    starts.iter().any(|start| name.starts_with(start))
}

#[test]
fn the_agent_shows_mpi_functions_and_little_else() {
    let data = fs::read(bin().join("libmpiscope_agent.so")).unwrap();
    let file = object::File::parse(&*data).unwrap();
    let symbols = file
        .dynamic_symbols()
        .filter(|symbol| symbol.is_definition());
    let names: Vec<String> = symbols
        .map(|symbol| symbol.name().unwrap().to_owned())
        .collect();
    for name in ["MPI_Init", "MPI_Send", "mpi_send_", "MPI_Finalize"] {
        assert!(names.iter().any(|exported| exported == name), "no {name}");
    }
    // A call past MPI_Send, by PMPI_Send, is seen there.
    let stem = |name: &str| name.to_lowercase().trim_start_matches('p').to_owned();
    let of_mpi = |name: &&String| stem(name).starts_with("mpi_");
    let wrong: Vec<&String> = names
        .iter()
        .filter(|name| !OWN.contains(&name.as_str()))
        .filter(|name| !is_of_openmp(name))
        .filter(|name| !of_mpi(name) || belongs_to_mpi_alone(name))
        .collect();
    assert_eq!(wrong, Vec::<&String>::new());
}
