//! The index of a packed run, which says where the files are. The command's own source, as the
//! command is no library.

#[allow(dead_code)]
#[path = "../../../mpiscope/src/packed/index.rs"]
mod index;

use std::fs::File;

use index::Index;

use crate::draw::Draw;
use crate::place::{fresh, put};

/// The input is the end of a packed run, or, behind an odd byte, the JSON of an index.
pub fn index(input: &[u8]) {
    let path = fresh("packed").join("run.tar.zst");
    let mut draw = Draw(input);
    match draw.once_in(2) {
        true => put(&path, &around(draw.0)),
        false => put(&path, draw.0),
    }
    let file = File::open(&path).expect("the file is there");
    let Some(index) = Index::read(&file) else {
        return;
    };
    match index.check() {
        Ok(()) => {
            index.bytes();
            index.files().count();
        }
        Err(error) => drop(error.to_string()),
    }
}

/// Puts the JSON of an index at the end of a file.
fn around(json: &[u8]) -> Vec<u8> {
    let mut bytes = zstd::bulk::compress(json, 1).expect("zstd compresses");
    let length = bytes.len() as u64;
    bytes.extend(length.to_le_bytes());
    bytes.extend(b"mpiscope");
    bytes
}
