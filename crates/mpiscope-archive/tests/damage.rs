//! Whatever bytes a run directory holds, reading it ends in a trace or in a
//! sentence, never in a panic.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{finalize, small_run};
use mpiscope_archive::corrected::write_corrected;
use mpiscope_archive::trace::read_trace;
use mpiscope_run::buffer::DEFINITIONS_AT;
use mpiscope_run::directory;
use mpiscope_run::recover::recover;
use mpiscope_run::stored::Stored;

/// Numbers that are the same in every run (Knuth's constants).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

fn files(run: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = [run.to_owned(), run.join("traces")]
        .iter()
        .flat_map(|directory| fs::read_dir(directory).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && path.extension().is_some_and(|e| e != "buffer"))
        .collect();
    files.sort();
    files
}

#[test]
fn a_damaged_archive_is_read_as_far_as_it_goes() {
    let run = tempfile::tempdir().unwrap();
    finalize(run.path(), &small_run(run.path()));
    let files = files(run.path());
    let mut dice = Dice(1);
    let mut read = 0;
    for _ in 0..200 {
        let path = &files[dice.below(files.len())];
        let whole = fs::read(path).unwrap();
        let mut damaged = whole.clone();
        for _ in 0..=dice.below(3) {
            let at = dice.below(damaged.len());
            damaged[at] = dice.below(256) as u8;
        }
        fs::write(path, &damaged).unwrap();
        match read_trace(run.path()) {
            Ok(trace) => {
                read += 1;
                let _ = trace.matching();
                let _ = write_corrected(run.path(), &run.path().join("c"), &trace.times(), &[]);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        fs::write(path, &whole).unwrap();
    }
    assert!(read > 50, "only {read} of 200 were read");
}

#[test]
fn damaged_buffers_are_recovered_as_far_as_they_go() {
    let run = tempfile::tempdir().unwrap();
    let kept = directory::buffers(run.path());
    fs::create_dir_all(&kept).unwrap();
    for buffer in small_run(run.path()) {
        buffer
            .copy_to(&kept.join(buffer.path.file_name().unwrap()))
            .unwrap();
    }
    let path = kept.join("node1-102-1000-0.buffer");
    let whole = fs::read(&path).unwrap();
    let records_at = Stored::open(&path, run.path()).unwrap().records_at as usize;
    let mut dice = Dice(2);
    let mut recovered = 0;
    for trial in 0..150 {
        let mut damaged = whole.clone();
        let (start, length) = [
            (0, 200),
            (DEFINITIONS_AT, 3_000),
            (records_at, whole.len() - records_at),
        ][trial % 3];
        for _ in 0..=dice.below(3) {
            damaged[start + dice.below(length)] = dice.below(256) as u8;
        }
        use std::os::unix::fs::FileExt;
        let write = |bytes: &[u8]| {
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.write_all_at(&bytes[start..start + length], start as u64)
                .unwrap();
        };
        write(&damaged);
        if recover(run.path()).is_ok() {
            recovered += 1;
            read_trace(run.path()).unwrap();
        }
        write(&whole);
    }
    assert_eq!(recovered, 150, "two ranks are whole in any case");
}
