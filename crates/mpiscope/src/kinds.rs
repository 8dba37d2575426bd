//! What an archive's streams of events are of: threads, which alone make ranks,
//! and accelerators and metrics, which have times of their own.

use mpiscope_archive::model::{LocationKind, Trace};
use serde::{Deserialize, Serialize};

use crate::report::show;

/// How many locations there are of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kinds {
    /// Threads of processes.
    pub threads: u64,
    /// Streams of accelerators.
    pub accelerators: u64,
    /// Streams of metrics that belong to no thread.
    pub metrics: u64,
}

impl Kinds {
    /// Counts the locations of a trace.
    pub fn of(trace: &Trace) -> Kinds {
        let of = |kind| {
            let locations = trace.locations.iter();
            locations.filter(|location| location.kind == kind).count() as u64
        };
        Kinds {
            threads: of(LocationKind::Thread),
            accelerators: of(LocationKind::Accelerator),
            metrics: of(LocationKind::Metric),
        }
    }

    /// Names what is no thread; nothing if there is no such location.
    pub fn others(&self) -> Option<String> {
        let named = [
            (self.accelerators, "accelerator stream"),
            (self.metrics, "metric stream"),
        ];
        let there = named.iter().filter(|(count, _)| *count > 0);
        let there: Vec<String> = there
            .map(|(count, what)| show::counted(*count, what))
            .collect();
        (!there.is_empty()).then(|| there.join(" and "))
    }

    /// Counts all locations, by kind where they are not all threads.
    pub fn sentence(&self) -> String {
        match self.others() {
            None => show::counted(self.threads, "location"),
            Some(others) => format!("{}, {others}", show::counted(self.threads, "thread")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_thread_is_named() {
        let sentence = |picture: &str| Kinds::of(&Trace::parse(picture).unwrap()).sentence();
        assert_eq!(sentence("0: 1\n1: 1"), "2 locations");
        let picture = "accelerator 0.1 0.2:\nmetric 0.3:\n0: 1\n0.1: 1\n0.2: 1\n0.3: 1";
        assert_eq!(
            sentence(picture),
            "1 thread, 2 accelerator streams and 1 metric stream"
        );
    }
}
