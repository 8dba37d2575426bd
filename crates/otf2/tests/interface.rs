//! What others may build upon: the crate needs none of its workspace, and shows nobody the crates
//! that it needs. Documentation without gaps and a package that builds alone `scripts/lint` checks.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        })
        .collect()
}

/// The files that name another crate.
fn naming(name: &str) -> Vec<String> {
    let src = root().join("src");
    let mut files: Vec<String> = (sources(&src).iter())
        .filter(|path| fs::read_to_string(path).unwrap().contains(name))
        .map(|path| path.strip_prefix(&src).unwrap().display().to_string())
        .collect();
    files.sort();
    files
}

#[test]
fn two_small_crates_are_needed_and_none_of_ours() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap();
    let lines = section.lines().take_while(|line| !line.is_empty());
    let names: Vec<_> = lines.map(|line| line.split('.').next().unwrap()).collect();
    assert_eq!(names, ["memmap2", "thiserror"]);
}

#[test]
fn types_of_other_crates_are_not_in_the_interface() {
    // Mapped files are for the crate alone, and thiserror derives traits of the standard library.
    assert_eq!(naming("memmap2"), ["map.rs"]);
    assert_eq!(naming("thiserror"), ["error.rs"]);
    let map = fs::read_to_string(root().join("src/map.rs")).unwrap();
    let shown = map.lines().filter(|line| line.starts_with("pub "));
    assert_eq!(shown.collect::<Vec<_>>(), Vec::<&str>::new());
    let library = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    assert!(library.contains("\nmod map;\n"));
}
