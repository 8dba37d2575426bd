//! Ranks that share a processor: that they stood still is told, and nobody is surely slow.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::path::Path;

use common::{found, missing, oracle, Case, Trial};

const PROGRAM: &str = "tests/mpi/analyze/one_processor.c";

/// Returns whether the kernel counts how long a thread was ready to run; the first one of this process
/// has slept, when what it ran is added up.
fn is_counted() -> bool {
    let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let ran = text.split_whitespace().next();
    ran.is_some_and(|ran| ran != "0")
}

/// Checks what independent readers see of what both ranks got.
fn is_in_the_archive(anchor: &Path) {
    for property in ["MPISCOPE::RUN_DELAY_NS", "MPISCOPE::PROCESSORS"] {
        let Some(printed) = oracle::printed(anchor, "LOCATION_GROUP_PROPERTY") else {
            return;
        };
        let of = printed.iter().filter(|line| line.contains(property));
        assert_eq!(of.count(), 2, "{property} in {printed:?}");
    }
}

#[test]
fn ranks_that_had_no_processor_are_told() {
    if !is_counted() {
        return missing("/proc/self/schedstat counts nothing: a kernel without CONFIG_SCHED_INFO");
    }
    for mpi in found() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, PROGRAM) else {
            continue;
        };
        let run = trial.traced();
        is_in_the_archive(&run.measured());
        is_in_the_archive(&run.corrected());
        let json = run.json("analyze --json");
        let delay = |rank: usize| json.figure(&format!("by_rank.{rank}.run_delay_ns"));
        // Each computed for 0.3 s on the same processor, so 0.3 s were lost at least.
        assert!(
            delay(0) + delay(1) > 150_000_000,
            "{} {}",
            delay(0),
            delay(1)
        );
        let text = run.mpiscope("analyze");
        text.check(0, &[]);
        for words in ["had no processor", "without a processor"] {
            assert!(text.out.contains(words), "{words}: {}", text.out);
        }
        assert!(!text.out.contains("sure: "), "{}", text.out);
    }
}
