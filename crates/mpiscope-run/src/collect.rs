//! A process as its buffers tell of it.

use std::collections::HashSet;

use crate::buffer::RECORD;
use crate::control::{Switched, Why};
use crate::kept::Kept;
use crate::process::{Process, Thread};
use crate::record::Fact;
use crate::stored::Stored;
use crate::teams::seen::Gathering;
use crate::Error;

/// Process-local region ids above this are damage.
const MAX_REGION: usize = 1 << 20;

/// Programs that make code as they run may call from anywhere: more places are not named.
const MAX_ADDRESSES: usize = 1 << 16;

impl Process {
    /// Collects what the buffers of one process hold: definitions, clock
    /// readings, and which regions occur in each thread's records. What cannot
    /// be read is returned beside it, in sentences.
    pub fn collect(buffers: &[Stored]) -> (Self, Vec<String>) {
        let mut buffers: Vec<&Stored> = buffers.iter().collect();
        buffers.sort_by_key(|buffer| buffer.thread);
        let mut stream = Vec::new();
        let mut notes = Vec::new();
        for buffer in &buffers {
            match buffer.definitions() {
                Ok(definitions) => stream.extend(definitions),
                Err(error) => notes.push(error.to_string()),
            }
            if buffer.definitions_lost > 0 {
                let lost = buffer.definitions_lost;
                notes.push(format!(
                    "{}: {lost} definitions were lost",
                    buffer.path.display()
                ));
            }
        }
        let (mut process, damaged) = Self::from_stream(&stream);
        notes.extend(damaged);
        let kept = buffers.iter().find_map(|buffer| buffer.kept.as_deref());
        if let Some(kept) = kept.filter(|kept| kept.given_up() > 0) {
            process.keeps(kept);
        }
        let mut seen = Gathered::default();
        for buffer in buffers {
            process.triples.extend(buffer.triple);
            process.threads_lost += u64::from(buffer.refused);
            process.definitions_lost += buffer.definitions_lost;
            process.threads.push(thread(buffer, &mut seen, &mut notes));
        }
        process.sites = seen.sites.ascending();
        process.functions = seen.functions.ascending();
        let found = seen.teams.finish();
        process.teams = found.teams;
        process.created_threads = found.created;
        process.seen = found.seen;
        process.samples = seen.samples.ascending();
        process.samples_kept = seen.samples_kept;
        (process, notes)
    }
}

impl Process {
    /// Takes what it says of a time that it has nothing of any more for what was said of the rest.
    fn keeps(&mut self, kept: &Kept) {
        let switched = |on, seconds, given_up| Switched {
            on,
            why: Why::Kept,
            seconds,
            given_up,
        };
        let before = self.switched.iter().rev();
        let last = before.clone().find(|it| it.seconds <= kept.seconds);
        // It was off then for another reason, and still is.
        let off = last.filter(|it| !it.on).map(|it| Switched {
            seconds: kept.seconds,
            ..*it
        });
        self.switched.retain(|it| it.seconds > kept.seconds);
        let began = [
            switched(false, 0.0, 0),
            switched(true, kept.seconds, kept.given_up()),
        ];
        self.switched.splice(0..0, began.into_iter().chain(off));
    }
}

/// What is gathered of all threads' records: addresses and teams.
#[derive(Default)]
struct Gathered {
    /// Where calls return to.
    sites: Set,
    /// Where instrumented functions begin.
    functions: Set,
    /// Where samples found threads.
    samples: Set,
    /// How many there are, and how many periods they stand for.
    samples_kept: [u64; 2],
    /// Teams of threads, and locks.
    teams: Gathering,
}

impl Gathered {
    fn sample(&mut self, address: u64, periods: u32) {
        self.samples.add(address);
        self.samples_kept[0] += 1;
        self.samples_kept[1] += u64::from(periods);
    }
}

/// Addresses, of which those that come again at once cost nothing.
struct Set {
    all: HashSet<u64>,
    latest: [u64; 64],
}

impl Default for Set {
    fn default() -> Self {
        Self {
            all: HashSet::new(),
            latest: [0; 64],
        }
    }
}

impl Set {
    fn add(&mut self, address: u64) {
        let latest = &mut self.latest[address as usize / 4 % 64];
        if address != 0 && *latest != address && self.all.len() < MAX_ADDRESSES {
            *latest = address;
            self.all.insert(address);
        }
    }

    fn ascending(self) -> Vec<u64> {
        let mut all: Vec<u64> = self.all.into_iter().collect();
        all.sort_unstable();
        all
    }
}

fn thread(buffer: &Stored, seen: &mut Gathered, notes: &mut Vec<String>) -> Thread {
    let mut used: Vec<bool> = Vec::new();
    let mut records = 0;
    let mut gaps = false;
    let scanned = buffer.records::<Error>(|record| {
        records += 1;
        let fact = record.fact();
        if let Some(Fact::Enter { site, .. } | Fact::EnterFunction { site, .. }) = fact {
            seen.sites.add(site);
        }
        match fact {
            Some(Fact::EnterFunction { address, .. }) => seen.functions.add(address),
            Some(Fact::Sample { address, periods }) => seen.sample(address, periods),
            Some(Fact::Enter { region, .. } | Fact::Leave { region }) => {
                let region = region as usize;
                if region >= used.len() && region < MAX_REGION {
                    used.resize(region + 1, false);
                }
                if let Some(used) = used.get_mut(region) {
                    *used = true;
                }
            }
            Some(Fact::Thread(fact)) => seen.teams.take(buffer.thread, fact),
            Some(fact) => gaps |= fact.needs_numbering(),
            None => {}
        }
        Ok(())
    });
    if let Err(error) = scanned {
        let missing = buffer.count().saturating_sub(records) * RECORD as u64;
        notes.push(format!("{error} ({missing} bytes of records are missing)"));
    }
    Thread {
        number: buffer.thread,
        tid: buffer.tid,
        regions: (0..)
            .zip(used)
            .filter(|(_, used)| *used)
            .map(|(id, _)| id)
            .collect(),
        records,
        lost: buffer.lost,
        gaps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns when it says that recording was switched: `+` on, `-` off, `k` as only the latest
    /// records were kept.
    fn kept(switched: &[(bool, f64)], seconds: f64) -> String {
        let control = |&(on, seconds): &(bool, f64)| Switched {
            on,
            why: Why::Control,
            seconds,
            given_up: 0,
        };
        let mut process = Process {
            switched: switched.iter().map(control).collect(),
            ..Process::default()
        };
        process.keeps(&Kept {
            seconds,
            ..Kept::default()
        });
        let text = |it: &Switched| {
            let sign = if it.on { '+' } else { '-' };
            let why = if it.why == Why::Kept { "k" } else { "" };
            format!("{sign}{}{why}", it.seconds)
        };
        let all: Vec<String> = process.switched.iter().map(text).collect();
        all.join(" ")
    }

    #[test]
    fn what_was_off_when_records_were_given_up_is_off_behind() {
        assert_eq!(kept(&[], 7.0), "-0k +7k");
        assert_eq!(kept(&[(false, 8.0), (true, 9.0)], 7.0), "-0k +7k -8 +9");
        assert_eq!(kept(&[(false, 5.0), (true, 6.0)], 7.0), "-0k +7k");
        assert_eq!(kept(&[(false, 5.0), (true, 9.0)], 7.0), "-0k +7k -7 +9");
    }
}
