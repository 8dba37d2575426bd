//! Packed runs: a run or an archive in one file, `heat.mpiscope.tar.zst`.
//!
//! To everybody else the file is a tar archive that zstd has compressed: `tar -xf` gives the run
//! back, times of change included. The tar stream is cut into pieces, each a zstd frame with a
//! checksum of its own: all cores pack and unpack, and damage costs no more than the files that
//! it touches. An index stands at the end, in a frame that zstd skips; it says which bytes of the
//! stream are which file, and so how much there will be before anything is written.

mod index;
mod names;
mod read;
mod salvage;
mod write;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use names::{as_given, given, remember};
pub use read::Packed;
pub use write::{write, Source};

/// The ending of a packed run's name.
pub const ENDING: &str = ".tar.zst";

/// Returns whether this is a file that zstd has compressed (RFC 8878, §3.1.1).
pub fn is_packed(path: &Path) -> bool {
    let mut begin = [0; 4];
    let is_file = path.is_file();
    is_file
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok())
        && begin == [0x28, 0xB5, 0x2F, 0xFD]
}
