//! Minimum latencies with their sources, as they are printed and kept.

use std::collections::BTreeMap;

use mpiscope_archive::model::{Duration, Trace};
use mpiscope_sync::{Class, Latency, LatencySource, PairLatency, Topology};
use serde::{Deserialize, Serialize};

use crate::report::places::Places;
use crate::report::show;

/// The least time that messages take.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Latencies {
    /// Of the classes of messages that are possible in the trace: `same_process`,
    /// `same_clock`, `same_host`, `same_rack`, `far`.
    #[serde(flatten)]
    classes: BTreeMap<String, MinimumLatency>,
    /// Of pairs of hosts that were given one of their own.
    #[serde(default)]
    pairs: Vec<HostPair>,
}

/// One minimum latency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MinimumLatency {
    /// In nanoseconds.
    pub ns: i64,
    /// Where the figure comes from.
    pub source: String,
    /// The clocks whose messages or measurement told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<[String; 2]>,
}

/// That between two hosts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostPair {
    /// Their names.
    pub hosts: [String; 2],
    /// Their latency.
    #[serde(flatten)]
    pub latency: MinimumLatency,
}

/// The key of a class in JSON.
fn key(class: Class) -> String {
    class.name().replace('-', "_")
}

impl Latencies {
    /// Takes the latencies of a trace, and names the clocks that told them.
    pub fn of(trace: &Trace, latencies: &mpiscope_sync::Latencies) -> Latencies {
        let clocks = Places::clocks(trace);
        let classes = Topology::new(trace).classes();
        let classes = classes.into_iter().map(|class| {
            let found = MinimumLatency::new(&latencies.of(class), &clocks);
            (key(class), found)
        });
        let pairs = latencies.pairs.iter().map(|pair| HostPair {
            hosts: pair.hosts.clone(),
            latency: MinimumLatency::new(&pair.latency, &clocks),
        });
        Latencies {
            classes: classes.collect(),
            pairs: pairs.collect(),
        }
    }

    /// Returns them as a correction takes them.
    pub fn to_latencies(&self) -> mpiscope_sync::Latencies {
        let value =
            |kept: &MinimumLatency| Latency::new(Duration(kept.ns), LatencySource::Configured);
        let mut latencies = mpiscope_sync::Latencies::default();
        for class in Class::ALL {
            if let Some(kept) = self.class(class) {
                latencies.set(class, value(kept));
            }
        }
        let pairs = self.pairs.iter().map(|pair| PairLatency {
            hosts: pair.hosts.clone(),
            latency: value(&pair.latency),
        });
        latencies.pairs = pairs.collect();
        latencies
    }

    /// Returns that of a class, if there are such messages. Runs corrected by
    /// the first version tell two classes only.
    fn class(&self, class: Class) -> Option<&MinimumLatency> {
        let all_clocks = || match Class::BETWEEN_CLOCKS.contains(&class) {
            true => self.classes.get("different_clocks"),
            false => None,
        };
        self.classes.get(&key(class)).or_else(all_clocks)
    }

    /// Returns them as properties of an archive.
    pub fn properties(&self) -> Vec<(String, String)> {
        let of_class = |class: Class| {
            let name = format!("MPISCOPE::LATENCY_{}_NS", key(class).to_uppercase());
            Some((name, self.class(class)?.ns.to_string()))
        };
        let mut properties: Vec<(String, String)> =
            Class::ALL.into_iter().filter_map(of_class).collect();
        if !self.pairs.is_empty() {
            let pair = |pair: &HostPair| format!("{}={}", pair.hosts.join(":"), pair.latency.ns);
            let pairs: Vec<String> = self.pairs.iter().map(pair).collect();
            properties.push(("MPISCOPE::LATENCY_OF_HOSTS_NS".into(), pairs.join(", ")));
        }
        properties
    }

    /// Returns all figures with their sources.
    pub fn sentence(&self) -> String {
        let of_class = |class: Class| Some(format!("{} {}", self.class(class)?, between(class)));
        let classes = Class::ALL.into_iter().filter_map(of_class);
        let of_pair = |pair: &HostPair| {
            let [a, b] = &pair.hosts;
            format!("{} between {a} and {b}", pair.latency)
        };
        let all: Vec<String> = classes.chain(self.pairs.iter().map(of_pair)).collect();
        match (&all[..], self.class(Class::SameClock)) {
            ([], _) => "no messages are possible".to_owned(),
            ([_], Some(only)) => only.to_string(),
            _ => all.join(", "),
        }
    }
}

fn between(class: Class) -> &'static str {
    match class {
        Class::SameProcess => "between threads",
        Class::SameClock => "within a clock",
        Class::SameHost => "between clocks of a host",
        Class::SameRack => "between hosts of a rack",
        Class::Far => "between hosts",
    }
}

impl MinimumLatency {
    fn new(latency: &Latency, clocks: &Places) -> MinimumLatency {
        let named = |clock: u32| clocks.names.get(clock as usize).cloned();
        let told = latency
            .clocks
            .and_then(|(a, b)| Some([named(a)?, named(b)?]));
        MinimumLatency {
            ns: latency.value.0,
            source: latency.source.to_string(),
            clocks: told,
        }
    }
}

impl std::fmt::Display for MinimumLatency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = show::duration(self.ns as f64);
        if self.source == LatencySource::Unknown.to_string() {
            return write!(f, "unknown ({value} used)");
        }
        match &self.clocks {
            Some([a, b]) => write!(f, "{value} ({} of {a} and {b})", self.source),
            None => write!(f, "{value} ({})", self.source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use mpiscope_sync::{correct, Config};

    fn latencies(picture: &str) -> Latencies {
        let trace = Trace::parse(picture).unwrap();
        let mut config = Config::default();
        config.latency.pairs = vec![(["a", "a"].map(str::to_owned), Duration(30_000))];
        Latencies::of(&trace, &correct(&trace, &config).unwrap().report.latencies)
    }

    const PICTURE: &str = "host a: 0 1\nhost b: 2
        0: 0 send>1 1000 recv<1 2000 send>2 5000 recv<2
        1: 500 recv<0 500 send>0
        2: 90000 recv<0 90000 send>0";

    #[test]
    fn each_figure_has_a_source() {
        expect!["450 ns (shortest exchange of a rank 0 and a rank 1) between clocks of a host, 1.35 µs (shortest exchange of a rank 0 and b) between hosts, 30 µs (as configured) between a and a"]
            .assert_eq(&latencies(PICTURE).sentence());
    }

    #[test]
    fn what_is_kept_is_what_was_used() {
        let latencies = latencies(PICTURE);
        let json = serde_json::to_string(&latencies).unwrap();
        let kept: Latencies = serde_json::from_str(&json).unwrap();
        assert_eq!(kept, latencies);
        let used = kept.to_latencies();
        assert_eq!(used.of(Class::SameHost).value, Duration(450));
        assert_eq!(used.pairs[0].latency.value, Duration(30_000));
    }

    #[test]
    fn two_classes_of_an_older_run_are_understood() {
        let old =
            r#"{"same_clock":{"ns":3,"source":"x"},"different_clocks":{"ns":5,"source":"y"}}"#;
        let kept: Latencies = serde_json::from_str(old).unwrap();
        let values = Class::ALL.map(|class| kept.to_latencies().of(class).value.0);
        assert_eq!(values, [1, 3, 5, 5, 5]);
    }
}
