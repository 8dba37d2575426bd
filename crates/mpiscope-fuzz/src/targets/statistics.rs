//! What processes have counted: the file that a rank leaves, and the table of one that counts.
//! What can be read is made into the statistics of a program, and all questions are asked of it.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

use miniz_oxide::deflate::compress_to_vec_zlib;
use mpiscope_analysis::statistics as questions;
use mpiscope_archive::unify::unify;
use mpiscope_run::statistics::{self, Process};

use crate::draw::parts;
use crate::place::{fresh, put};

/// The input is the file of a rank.
pub fn file(input: &[u8]) {
    let run = fresh("run");
    let mut whole = input.to_vec();
    whole.resize(input.len().next_multiple_of(4096), 0);
    put(&statistics::path(&run, 0), &whole);
    read(&run);
}

/// In an input: behind it stand the entries.
const ENTRIES: &[u8] = b"ENTRIES:";

/// Packs a header and entries as a rank does.
fn packed(input: &[u8]) -> Vec<u8> {
    let parts = parts(input, ENTRIES);
    let header = compress_to_vec_zlib(parts[0], 1);
    let mut bytes = b"MPSSTATF".to_vec();
    bytes.extend(1u32.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    bytes.extend(compress_to_vec_zlib(parts.get(1).unwrap_or(&&[][..]), 1));
    bytes
}

/// The input is the header of such a file and its entries, not compressed.
pub fn unpacked(input: &[u8]) {
    file(&packed(input));
}

/// The input is the table of a process that counts: its header, its notes and its entries, each
/// in their place of the file.
pub fn table(input: &[u8]) {
    const NOTES_AT: u64 = 4096;
    const ENTRIES_AT: u64 = NOTES_AT + (1 << 20);
    let path = fresh("tables").join("a-1-0.statistics");
    let file = File::create(&path).expect("a file can be written");
    file.set_len(ENTRIES_AT).expect("a file can be written");
    for (part, at) in parts(input, ENTRIES).iter().zip([0, NOTES_AT, ENTRIES_AT]) {
        file.write_all_at(part, at).expect("a file can be written");
    }
    match statistics::live(&[path]) {
        Ok(process) => ask(&[process]),
        Err(error) => drop(error.to_string()),
    }
}

fn read(run: &std::path::Path) {
    let found = statistics::read_run(run, "");
    for error in &found.errors {
        drop(error.to_string());
    }
    ask(&found.processes);
}

fn ask(processes: &[Process]) {
    let all = unify(processes, &HashMap::new(), |_| Vec::new());
    questions::totals(&all);
    questions::tree(&all);
    questions::matrix(&all, 8);
    questions::wait_states::wait_states(&all);
    questions::wait_states::pairs(&all);
    for rank in [0, 1] {
        questions::totals(&questions::of_rank(&all, rank));
    }
}
