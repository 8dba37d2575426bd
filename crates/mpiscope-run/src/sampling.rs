//! Samples: where threads computed, as a timer of each has it noted.
//!
//! A period is so much processor time of a thread. Where several end before the thread can be
//! looked at, as the kernel counts processor time by its own ticks, one sample stands for all of
//! them. Periods that end in MPI, in the agent or where OpenMP's runtime waits are counted, and
//! nothing is noted of them.

use serde::{Deserialize, Serialize};

/// Number of the interrupt generator: the timer of each thread.
pub const TIMER: u32 = 0;

/// What a process says of its samples beside its records; sums until now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Sampled {
    /// Nanoseconds of a period.
    pub interval: u64,
    /// Periods that ended in MPI, in the agent, or where OpenMP waits.
    pub within: u64,
    /// Periods of which the samples had no room in the buffer at that moment.
    pub no_room: u64,
    /// Periods of threads that were not yet recorded, or are not.
    pub unknown: u64,
    /// Threads that got no timer.
    pub no_timer: u64,
    /// Somebody else has taken the signal of the timers, and nothing was noted from then on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gave_way: bool,
    /// No timer could be made at all.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
}

/// The samples of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Samples {
    /// Nanoseconds of processor time after which a thread was looked at.
    pub interval_ns: u64,
    /// Samples in the archive.
    pub taken: u64,
    /// Periods that these stand for.
    pub periods: u64,
    /// Periods that ended in MPI, in the agent, or where OpenMP waits.
    pub within: u64,
    /// Periods of which the samples had no room in the buffer at that moment.
    pub no_room: u64,
    /// Periods of threads that were not yet recorded, or are not.
    pub unknown: u64,
    /// Threads that got no timer.
    pub no_timer: u64,
    /// Ranks on which somebody else has taken the signal of the timers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gave_way: Vec<u32>,
    /// Ranks on which no timer could be made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<u32>,
}

/// What is known of the samples of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OfProcess {
    /// World rank.
    pub rank: u32,
    /// Samples in its records, and periods that these stand for.
    pub kept: [u64; 2],
    /// What it says beside them.
    pub sampled: Sampled,
}

impl Samples {
    /// Adds up what is known of processes; nothing if none was to take any.
    pub fn of(processes: impl Iterator<Item = OfProcess>) -> Option<Self> {
        processes.fold(None, |all, own| {
            let mut all: Self = all.unwrap_or_default();
            all.add(&own);
            Some(all)
        })
    }

    fn add(&mut self, own: &OfProcess) {
        let (rank, said) = (own.rank, own.sampled);
        self.interval_ns = self.interval_ns.max(said.interval);
        let [taken, periods] = own.kept;
        for (sum, more) in [
            (&mut self.taken, taken),
            (&mut self.periods, periods),
            (&mut self.within, said.within),
            (&mut self.no_room, said.no_room),
            (&mut self.unknown, said.unknown),
            (&mut self.no_timer, said.no_timer),
        ] {
            *sum = sum.saturating_add(more);
        }
        self.gave_way.extend(said.gave_way.then_some(rank));
        self.refused.extend(said.refused.then_some(rank));
    }

    /// Says how many samples there are, and that they are samples.
    pub fn sentence(&self) -> String {
        let interval = interval(self.interval_ns);
        if self.taken == 0 {
            return format!(
                "no sample was taken: one was due after each {interval} of a thread's processor time outside of \
                 MPI; {} periods ended in MPI, in the agent or in OpenMP's waiting",
                self.within
            );
        }
        let (samples, stand) = match self.taken {
            1 => ("1 sample".to_owned(), "stands"),
            taken => (format!("{taken} samples"), "stand"),
        };
        format!(
            "{samples} of where threads computed {stand} for {} periods of {interval} of their processor time \
             each; of {} periods that ended in MPI, in the agent or in OpenMP's waiting none was taken. They \
             are samples: what is short or rare may be missing",
            self.periods, self.within
        )
    }

    /// Says what was not kept, each in a sentence.
    pub fn not_kept(&self) -> Vec<String> {
        let counted = [
            (
                self.no_room,
                "periods of computation have no sample, as the buffers had no room for them at that moment",
            ),
            (
                self.unknown,
                "periods of computation have no sample: they are of threads that were not recorded, or not yet",
            ),
        ];
        // A thread is not recorded in its first moments: so little is no loss.
        let little = (self.periods + self.within) / 100;
        let counted = counted.into_iter().filter(|(count, _)| *count > little);
        let counted = counted.map(|(count, what)| format!("not complete: {count} {what}"));
        let ranks = [
            (
                &self.gave_way,
                "no samples were taken any more once somebody else had taken the signal of the timers",
            ),
            (&self.refused, "the system refused timers, and no samples were taken"),
        ];
        let ranks = ranks.into_iter().filter(|(ranks, _)| !ranks.is_empty());
        let ranks = ranks.map(|(ranks, what)| {
            let numbers: Vec<_> = ranks.iter().take(8).map(u32::to_string).collect();
            let more = if ranks.len() > 8 { " …" } else { "" };
            format!("not complete: on rank {}{more} {what}", numbers.join(", "))
        });
        let threads = (self.no_timer > 0).then(|| {
            let threads = self.no_timer;
            format!("not complete: {threads} threads got no timer (ulimit -i), and have no samples")
        });
        counted.chain(threads).chain(ranks).collect()
    }
}

/// Writes a period as people do: `1 ms`.
pub fn interval(nanoseconds: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")];
    let unit = UNITS.iter().find(|(unit, _)| nanoseconds >= *unit);
    let &(unit, name) = unit.unwrap_or(&(1, "ns"));
    let text = format!("{:.3}", nanoseconds as f64 / unit as f64);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_written_as_people_do() {
        for (nanoseconds, text) in [
            (1_000_000, "1 ms"),
            (1_500_000, "1.5 ms"),
            (20_000, "20 us"),
            (2_000_000_000, "2 s"),
            (7, "7 ns"),
        ] {
            assert_eq!(interval(nanoseconds), text);
        }
    }

    #[test]
    fn what_processes_say_is_added_up() {
        let process = |rank, kept, sampled| OfProcess {
            rank,
            kept,
            sampled,
        };
        let sampled = Sampled {
            interval: 1_000_000,
            within: 5,
            ..Sampled::default()
        };
        let gave_way = Sampled {
            gave_way: true,
            ..sampled
        };
        let all = [process(0, [2, 8], sampled), process(1, [1, 1], gave_way)];
        let samples = Samples::of(all.into_iter()).unwrap();
        assert_eq!((samples.taken, samples.periods, samples.within), (3, 9, 10));
        assert_eq!(samples.gave_way, [1]);
        assert_eq!(samples.not_kept().len(), 1);
        assert!(samples.sentence().contains("3 samples"));
        assert_eq!(Samples::of(std::iter::empty()), None);
    }
}
