//! Where inputs become files: one folder a process, written over for each input.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use otf2::write::{Archive, Options};
use tempfile::TempDir;

use crate::draw::parts;

/// Bytes of all chunks in archives made here: the least that the format allows.
pub const CHUNK: usize = 256 * 1024;

/// In an input: here the next chunk of a file begins.
const NEXT_CHUNK: &[u8] = b"CHNK";

/// Returns a folder for what an input becomes, emptied of all that the one before left.
pub fn fresh(name: &str) -> PathBuf {
    let path = folder().join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// Returns the folder of this process; it goes where temporary files do.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let made = || tempfile::tempdir().expect("temporary folders can be made");
    FOLDER.get_or_init(made).path()
}

/// Writes a file, and makes the folders it lies in.
pub fn put(path: &Path, bytes: &[u8]) {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).expect("a folder can be made");
    }
    fs::write(path, bytes).expect("a file can be written");
}

/// Writes a file of an archive, its parts at the beginnings of chunks.
pub fn put_chunks(path: &Path, input: &[u8]) {
    let file = File::create(path).expect("a file can be written");
    for (chunk, part) in (0..).zip(parts(input, NEXT_CHUNK)) {
        let part = &part[..part.len().min(CHUNK)];
        file.write_all_at(part, chunk * CHUNK as u64)
            .expect("a file can be written");
    }
}

/// Returns the options of archives with small chunks.
pub fn options() -> Options {
    let mut options = Options::default();
    options.event_chunk = CHUNK as u64;
    options.definition_chunk = CHUNK as u64;
    options
}

/// Makes an empty archive with an anchor; returns its folder and the anchor.
pub fn empty_archive() -> (PathBuf, PathBuf) {
    let folder = fresh("archive");
    let archive = Archive::create(&folder, "traces", options()).expect("an archive can be made");
    let anchor = archive.finish(&[]).expect("an anchor can be written");
    (folder, anchor)
}
