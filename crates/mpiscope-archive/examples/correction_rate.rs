//! What the two forms of a corrected archive cost: time to write and to read them, and room.
//!
//! `cargo run --release -p mpiscope-archive --example correction_rate RUN [ROUNDS]`, where the run
//! has been corrected; what is written goes into the run and is removed again.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Instant;

use mpiscope_archive::corrected::{write_correction, Correction, Times};
use mpiscope_archive::progress::Progress;
use mpiscope_archive::trace::read_trace;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let run = std::env::args().nth(1).ok_or("which run?")?;
    let rounds: u32 = std::env::args().nth(2).map_or(Ok(3), |n| n.parse())?;
    let run = Path::new(&run);
    let trace = read_trace(run)?;
    let times = read_trace(&run.join("corrected"))?.times();
    let properties = [("MPISCOPE::CORRECTED".to_owned(), "true".to_owned())];
    let place = run.join("correction_rate");
    for _ in 0..rounds {
        for told in [Times::Rewritten, Times::ClockOffsets, Times::Auto] {
            let correction = Correction {
                times: &times,
                properties: &properties,
                measured: Some((&trace, told)),
                knots: &[],
            };
            let began = (Instant::now(), processor());
            let written = write_correction(run, &place, &correction, &Progress::default())?;
            let wrote = (began.0.elapsed(), processor() - began.1);
            let began = Instant::now();
            let again = read_trace(&place)?;
            let read = began.elapsed();
            assert!(again.times() == times, "{told:?}");
            println!(
                "{told:?}: written in {wrote:.3?} s (wall, processor), read in {read:.3?}; {} locations keep their \
                 events, {} do not, {} offsets, {} bytes of its own",
                written.kept,
                written.rewritten,
                written.offsets,
                own_bytes(&place)?
            );
            fs::remove_dir_all(&place)?;
        }
    }
    Ok(())
}

/// Bytes of files that have no name elsewhere.
fn own_bytes(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let data = entry.metadata()?;
        bytes += match data.is_dir() {
            true => own_bytes(&entry.path())?,
            false if data.nlink() == 1 => data.len(),
            false => 0,
        };
    }
    Ok(bytes)
}

/// Seconds of processor time of this process so far.
fn processor() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks.filter_map(|it| it.parse::<f64>().ok()).sum::<f64>() / 100.0
}
