//! Counters of the processor and of the system, which a thread reads as calls and regions begin and
//! end: which there are, and what came of asking for them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// As many counters as are read at a time; processors have fewer.
pub const MOST: usize = 8;

/// What a counter counts, in the words of `perf_event_open(2)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    /// `perf_event_attr.type`.
    pub source: u32,
    /// `perf_event_attr.config`.
    pub config: u64,
    /// Whether it happens in the kernel, so that in user mode there is none of it.
    pub in_kernel: bool,
}

const HARDWARE: u32 = 0;
const SOFTWARE: u32 = 1;
const CACHE: u32 = 3;
const RAW: u32 = 4;

/// Added to a cache's number for what was not found in it.
const MISSES: u64 = 1 << 16;

/// The counters that have names, which are those of `perf list`.
const NAMED: [(&str, u32, u64); 21] = [
    ("cycles", HARDWARE, 0),
    ("instructions", HARDWARE, 1),
    ("cache-references", HARDWARE, 2),
    ("cache-misses", HARDWARE, 3),
    ("branches", HARDWARE, 4),
    ("branch-misses", HARDWARE, 5),
    ("stalled-cycles-frontend", HARDWARE, 7),
    ("stalled-cycles-backend", HARDWARE, 8),
    ("ref-cycles", HARDWARE, 9),
    ("L1-dcache-loads", CACHE, 0),
    ("L1-dcache-load-misses", CACHE, MISSES),
    ("LLC-loads", CACHE, 2),
    ("LLC-load-misses", CACHE, 2 | MISSES),
    ("dTLB-loads", CACHE, 3),
    ("dTLB-load-misses", CACHE, 3 | MISSES),
    ("task-clock", SOFTWARE, 1),
    ("page-faults", SOFTWARE, 2),
    ("context-switches", SOFTWARE, 3),
    ("cpu-migrations", SOFTWARE, 4),
    ("minor-faults", SOFTWARE, 5),
    ("major-faults", SOFTWARE, 6),
];

/// What the scheduler does, which is never in user mode.
const IN_KERNEL: [&str; 2] = ["context-switches", "cpu-migrations"];

impl Counter {
    /// Returns the counter of a name, or of the processor's own code for it (`r01c2`).
    pub fn named(name: &str) -> Option<Counter> {
        if let Some((name, source, config)) = NAMED.iter().find(|(it, ..)| *it == name) {
            return Some(Counter {
                source: *source,
                config: *config,
                in_kernel: IN_KERNEL.contains(name),
            });
        }
        let code = name.strip_prefix('r')?;
        let is_code = !code.is_empty() && code.bytes().all(|it| it.is_ascii_hexdigit());
        let config = is_code.then(|| u64::from_str_radix(code, 16).ok())??;
        Some(Counter {
            source: RAW,
            config,
            in_kernel: false,
        })
    }
}

/// Returns the unit of a counter's values, as OTF2 has it; `#` is a mere number.
pub fn unit(name: &str) -> &'static str {
    match name.split(':').next() {
        Some("task-clock") => "ns",
        _ => "#",
    }
}

/// Reads a list of counters: `cycles,instructions`.
pub fn read(text: &str) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = Vec::new();
    for name in text.split(',').map(str::trim) {
        if Counter::named(name).is_none() {
            let known: Vec<_> = NAMED.iter().map(|(name, ..)| *name).collect();
            return Err(format!(
                "no counter is called `{name}`; there are {}, and the processor's own by their codes (r01c2)",
                known.join(", ")
            ));
        }
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    match names.len() {
        0..=MOST => Ok(names),
        many => Err(format!(
            "{many} counters are asked for; at most {MOST} are read at a time"
        )),
    }
}

/// What a process says of its counters beside their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counted {
    /// Those that it has, as they are called in the trace: `cycles:u` is of user mode alone.
    pub names: Vec<String>,
    /// Those that it has not, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<(String, String)>,
    /// The least thousandths of its time that any thread's were at work, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_work: Option<u64>,
    /// Threads that got none.
    #[serde(skip_serializing_if = "is_zero")]
    pub threads_without: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The counters of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// Those of which there are values of any rank.
    pub names: Vec<String>,
    /// Those that were asked for and that ranks have not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refused>,
    /// Ranks whose counters were at work for a part of the time only, and the least thousandths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<(u32, u64)>,
    /// Threads that got none.
    #[serde(skip_serializing_if = "is_zero")]
    pub threads_without: u64,
}

/// A counter that was asked for and is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// What it is called.
    pub name: String,
    /// Why it is not there.
    pub why: String,
    /// On which ranks.
    pub ranks: Vec<u32>,
}

impl Counters {
    /// Puts together what ranks say; nothing if none was to count.
    pub fn of<'a>(processes: impl Iterator<Item = (u32, &'a Counted)>) -> Option<Self> {
        let mut all: Option<Self> = None;
        let mut refused: BTreeMap<(&str, &str), Vec<u32>> = BTreeMap::new();
        for (rank, own) in processes {
            let all = all.get_or_insert_with(Self::default);
            for name in &own.names {
                if !all.names.contains(name) {
                    all.names.push(name.clone());
                }
            }
            for (name, why) in &own.refused {
                refused.entry((name, why)).or_default().push(rank);
            }
            all.shared.extend(own.at_work.map(|share| (rank, share)));
            all.threads_without += own.threads_without;
        }
        let mut all = all?;
        let refused = refused.into_iter().map(|((name, why), ranks)| Refused {
            name: name.to_owned(),
            why: why.to_owned(),
            ranks,
        });
        all.refused = refused.collect();
        Some(all)
    }

    /// Says what was counted.
    pub fn sentence(&self) -> String {
        if self.names.is_empty() {
            return "no counter is in the trace, though some were asked for".to_owned();
        }
        let of_user_mode = match self.names.iter().any(|name| name.ends_with(":u")) {
            true => "; what ends with :u counts user mode alone, as the system permits no more",
            false => "",
        };
        format!(
            "{} {} in the trace as each call and region begins and ends, but for polls{of_user_mode}",
            self.names.join(", "),
            if self.names.len() == 1 { "is" } else { "are" },
        )
    }

    /// Says what was not counted, each in a sentence.
    pub fn not_kept(&self) -> Vec<String> {
        let refused = self.refused.iter().map(|refused| {
            let (name, why) = (&refused.name, &refused.why);
            format!(
                "not complete: the counter {name} is not there on rank {}: {why}",
                ranks(&refused.ranks)
            )
        });
        let least = self.shared.iter().map(|(_, share)| *share).min();
        let shared = least.map(|least| {
            let of: Vec<u32> = self.shared.iter().map(|(rank, _)| *rank).collect();
            format!(
                "not complete: on rank {} counters were at work for a part of the time only ({:.1} % at least), \
                 as somebody else uses the processor's or it has too few; values are as much too small",
                ranks(&of),
                least as f64 / 10.0
            )
        });
        let threads = (self.threads_without > 0).then(|| {
            format!(
                "not complete: {} threads got no counters",
                self.threads_without
            )
        });
        refused.chain(shared).chain(threads).collect()
    }
}

/// Names the first of many ranks.
fn ranks(ranks: &[u32]) -> String {
    let numbers: Vec<_> = ranks.iter().take(8).map(u32::to_string).collect();
    let more = if ranks.len() > 8 { " …" } else { "" };
    format!("{}{more}", numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_have_names_or_codes() {
        assert_eq!(read("cycles, r1C2,cycles").unwrap(), ["cycles", "r1C2"]);
        assert_eq!(
            Counter::named("r1c2").map(|it| (it.source, it.config)),
            Some((RAW, 0x1c2))
        );
        for name in ["r", "rx", "Cycles", "", "r+1", "r10000000000000000"] {
            assert!(read(name).unwrap_err().contains("cache-misses"), "{name}");
        }
        let many: Vec<_> = NAMED.iter().take(9).map(|(name, ..)| *name).collect();
        assert!(read(&many.join(",")).unwrap_err().contains("at most 8"));
    }

    #[test]
    fn ranks_without_a_counter_are_named_with_the_reason() {
        let own = Counted {
            names: vec!["task-clock:u".to_owned()],
            refused: vec![("cycles".to_owned(), "so it is".to_owned())],
            ..Counted::default()
        };
        let other = Counted {
            at_work: Some(512),
            ..own.clone()
        };
        let all = Counters::of([(0, &own), (3, &other)].into_iter()).unwrap();
        assert!(all.sentence().starts_with("task-clock:u is in"));
        assert_eq!(
            all.not_kept()[0],
            "not complete: the counter cycles is not there on rank 0, 3: so it is"
        );
        assert!(all.not_kept()[1].contains("on rank 3 ") && all.not_kept()[1].contains("51.2 %"));
        assert_eq!(all.not_kept().len(), 2);
        assert_eq!(Counters::of(std::iter::empty()), None);
    }
}
