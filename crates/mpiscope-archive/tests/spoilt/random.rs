//! Archives whose bytes are changed or cut at random.

use std::fs;
use std::path::{Path, PathBuf};

/// Numbers that look random (SplitMix64; Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// Changes some of the bytes, or cuts them.
    fn spoil(&mut self, bytes: &mut Vec<u8>) {
        const TELLING: [u8; 6] = [0, 1, 4, 8, 0x7f, 0xff];
        if bytes.is_empty() {
            return;
        }
        if self.below(8) == 0 {
            bytes.truncate(self.below(bytes.len()));
            return;
        }
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            bytes[at] = match self.below(2) {
                0 => TELLING[self.below(TELLING.len())],
                _ => self.below(256) as u8,
            };
        }
    }
}

/// Returns all files of an archive, with their names within its directory.
fn files(anchor: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let directory = anchor.parent().unwrap();
    let inner = anchor.with_extension("");
    let entries = [directory, &inner]
        .into_iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<(PathBuf, Vec<u8>)> = paths
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.strip_prefix(directory).unwrap();
            (name.to_owned(), fs::read(&path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// Visits archives that are spoilt, as many of each that is kept; MPISCOPE_TEST_ALL=1 asks for
/// more, MPISCOPE_TEST_SEED for others.
pub fn spoilt(rounds: u64, mut visit: impl FnMut(&Path)) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let kept = [
        "otf2/tests/archives/every-record/traces.otf2",
        "otf2/tests/archives/messages/traces.otf2",
        "mpiscope/tests/archives/eztrace/eztrace_log.otf2",
    ];
    let many = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    let rounds = if many { 50 * rounds } else { rounds };
    let seed = std::env::var("MPISCOPE_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
    for anchor in kept.map(|anchor| crates.join(anchor)) {
        let whole = files(&anchor);
        for round in 0..rounds {
            println!(
                "MPISCOPE_TEST_SEED={seed}: {}, round {round}",
                anchor.display()
            );
            let mut random = Random(seed ^ round << 32);
            let directory = tempfile::tempdir().unwrap();
            fs::create_dir(directory.path().join(anchor.file_stem().unwrap())).unwrap();
            let spoilt = random.below(whole.len());
            for (at, (name, bytes)) in whole.iter().enumerate() {
                let mut bytes = bytes.clone();
                // One file for certain, and now and then others.
                if at == spoilt || random.below(8) == 0 {
                    random.spoil(&mut bytes);
                }
                fs::write(directory.path().join(name), bytes).unwrap();
            }
            visit(&directory.path().join(anchor.file_name().unwrap()));
        }
    }
}
