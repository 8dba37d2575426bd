//! Whatever the text, it is read without a panic and keeps its lines.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;

use mpiscope_instrument::{instrument, Dialect, Loops, Options, Source};
use proptest::prelude::*;

const FOLDERS: [(&str, Dialect); 4] = [
    ("c", Dialect::C),
    ("cxx", Dialect::Cxx),
    ("f", Dialect::Fixed { columns: 72 }),
    ("f90", Dialect::Free),
];

/// Returns the lines of all sources of the corpus in a folder, with those of one file together.
fn corpus(folder: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/instrument");
    let mut files: Vec<_> = fs::read_dir(root.join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let lines = files.iter().flat_map(|file| {
        let text = fs::read(file).unwrap();
        text.split(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    });
    lines.collect()
}

fn check(text: &[u8], dialect: Dialect) {
    let source = Source {
        text,
        file: "a",
        directory: "/",
        dialect,
    };
    let options = Options {
        loops: Loops::All,
        ..Options::default()
    };
    let breaks = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
    match instrument(&source, &options) {
        Ok(found) => {
            assert_eq!(breaks(&found.body), breaks(text));
            for (number, statement) in found.structure.statements.iter().enumerate() {
                assert!(statement
                    .parent
                    .is_none_or(|parent| (parent as usize) < number));
                assert!(statement.line as usize <= breaks(text) + 1, "{statement:?}");
            }
        }
        Err(reason) => assert!(!reason.0.contains("failed"), "{reason}"),
    }
}

#[test]
fn every_source_of_the_corpus_keeps_its_lines() {
    for (folder, dialect) in FOLDERS {
        check(&corpus(folder).join(&b'\n'), dialect);
    }
}

#[test]
fn a_text_that_is_nested_without_end_is_left_alone() {
    let text = [b"int f() { return ".to_vec(), vec![b'('; 100_000]].concat();
    check(&text, Dialect::C);
    let ifs = "if (1) ".repeat(50_000);
    check(format!("void f() {{ {ifs} ; }}").as_bytes(), Dialect::Cxx);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn damaged_sources_keep_their_lines(
        which in 0..FOLDERS.len(),
        start in 0.0..1.0,
        length in 1usize..80,
        damage in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let (folder, dialect) = FOLDERS[which];
        let lines = corpus(folder);
        let start = (start * lines.len() as f64) as usize;
        let mut text = lines[start..(start + length).min(lines.len())].join(&b'\n');
        for (place, byte) in damage {
            if !text.is_empty() {
                let at = place.index(text.len());
                text[at] = byte;
            }
        }
        check(&text, dialect);
    }
}
