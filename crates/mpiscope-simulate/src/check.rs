//! Parameters that make sense.

use crate::parameters::{Parameters, Program};

/// A parameter that cannot be simulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}, expected {expected}")]
pub struct Error {
    /// The parameter.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// What it may be.
    pub expected: String,
}

/// Events, at most: more than any machine holds.
const MOST_EVENTS: u64 = 1 << 36;
/// Ranks, at most.
const MOST_RANKS: u32 = 1 << 20;
/// Seconds that can be simulated, at most: 12 days.
const MOST_SECONDS: f64 = (1 << 20) as f64;
/// Seconds of all clocks together, at most: each takes eight bytes.
const MOST_CLOCK_SECONDS: f64 = (1u64 << 31) as f64;
/// No delay of the network exceeds a second, in the mean.
const MOST_NANOSECONDS: f64 = 1e9;

impl Parameters {
    /// Says what is wrong with the parameters, if anything is.
    ///
    /// # Errors
    /// The first value that is beyond its limits.
    pub fn check(&self) -> Result<(), Error> {
        let frequency = 1e-3;
        let (network, clocks) = (&self.network, &self.clocks);
        whole("ranks", self.ranks.into(), 1, MOST_RANKS.into())?;
        whole("hosts", self.hosts.into(), 1, self.ranks.into())?;
        whole("components", self.components.into(), 1, self.ranks.into())?;
        whole("iterations", self.iterations.into(), 0, 1 << 24)?;
        let events = u64::from(self.ranks) * u64::from(self.iterations) * 56;
        let most = match self.program {
            // The master has a part in all of them.
            Program::Workers | Program::Mix => u64::from(u32::MAX),
            _ => MOST_EVENTS,
        };
        whole("events", events as i64, 0, most as i64)?;
        for (name, value, least, most) in [
            ("start", self.start_s, 0.0, MOST_SECONDS),
            ("seconds", self.seconds, 0.0, MOST_SECONDS),
            ("imbalance", self.imbalance, 0.0, 1.0),
            (
                "computing",
                self.computing_ns.unwrap_or(0) as f64,
                0.0,
                MOST_SECONDS * 1e9,
            ),
            ("calls", self.calls.own_ns as f64, 0.0, MOST_NANOSECONDS),
            ("MPI_Init", self.calls.init_ns as f64, 0.0, MOST_NANOSECONDS),
            (
                "jitter within hosts",
                network.same_host.jitter_ns,
                0.0,
                MOST_NANOSECONDS,
            ),
            (
                "jitter between hosts",
                network.between_hosts.jitter_ns,
                0.0,
                MOST_NANOSECONDS,
            ),
            ("tail", network.tail.unwrap_or(2.0), 1.01, 100.0),
            ("congested links", network.congested_links, 0.0, 1.0),
            ("congestion", network.congestion_ns, 0.0, MOST_NANOSECONDS),
            ("clock offset", clocks.offset_s, 0.0, 1e9),
            ("drift", clocks.drift, 0.0, frequency),
            ("wander", clocks.wander, 0.0, frequency),
            ("wander tau", clocks.wander_tau_s, 1.0, MOST_SECONDS),
            ("wave", clocks.wave, 0.0, frequency),
            ("slew", clocks.slew, 0.0, frequency),
            ("time between slews", clocks.slew_every_s, 1.0, MOST_SECONDS),
            (
                "error of offsets",
                self.offsets.error_ns,
                0.0,
                MOST_NANOSECONDS,
            ),
        ] {
            number(name, value, least, most)?;
        }
        for (name, value) in [
            ("latency within hosts", network.same_host.minimum_ns),
            ("latency between hosts", network.between_hosts.minimum_ns),
            ("asymmetry", network.asymmetry_ns),
            ("exit bias", network.exit_bias_ns),
            ("read jitter", clocks.read_jitter_ns.into()),
        ] {
            whole(name, value, 0, MOST_NANOSECONDS as i64)?;
        }
        self.check_lists()?;
        let count = if clocks.per_rank {
            self.ranks
        } else {
            self.hosts
        };
        number(
            "seconds of all clocks",
            self.end_s() * f64::from(count),
            0.0,
            MOST_CLOCK_SECONDS,
        )
    }

    fn check_lists(&self) -> Result<(), Error> {
        let last_host = i64::from(self.hosts) - 1;
        for step in &self.clocks.steps {
            whole("host of a clock step", step.host.into(), 0, last_host)?;
            number("time of a clock step", step.at_s, 0.0, MOST_SECONDS)?;
            number("clock step", step.by_s, -1e6, 1e6)?;
        }
        if let Some(end) = self.early_end {
            whole("host that ends early", end.host.into(), 0, last_host)?;
            number("time of the early end", end.at_s, 0.0, MOST_SECONDS)?;
        }
        if let Some(host) = self.silent_host {
            whole("silent host", host.into(), 0, last_host)?;
        }
        for &time in &self.offsets.times_s {
            number("time of an offset measurement", time, 0.0, MOST_SECONDS)?;
        }
        Ok(())
    }

    /// Returns the true time up to which clocks are needed.
    pub(crate) fn end_s(&self) -> f64 {
        let end = self.start_s + self.seconds;
        self.offsets.times_s.iter().copied().fold(end, f64::max)
    }
}

fn number(name: &'static str, value: f64, least: f64, most: f64) -> Result<(), Error> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(Error {
            name,
            value: value.to_string(),
            expected: format!("a number from {least} to {most}"),
        }),
    }
}

fn whole(name: &'static str, value: i64, least: i64, most: i64) -> Result<(), Error> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(Error {
            name,
            value: value.to_string(),
            expected: format!("{least} to {most}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(change: impl FnOnce(&mut Parameters)) -> String {
        let mut parameters = Parameters::default();
        change(&mut parameters);
        match parameters.check() {
            Ok(()) => "fine".into(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_cannot_be_simulated_is_told_with_what_can() {
        let expect = expect_test::expect![[r#"
            fine
            ranks is 0, expected 1 to 1048576
            hosts is 65, expected 1 to 64
            drift is NaN, expected a number from 0 to 0.001
            silent host is 8, expected 0 to 7
            events is 61572651155456, expected 0 to 68719476736"#]];
        let found = [
            check(|_| {}),
            check(|p| p.ranks = 0),
            check(|p| p.hosts = 65),
            check(|p| p.clocks.drift = f64::NAN),
            check(|p| p.silent_host = Some(8)),
            check(|p| (p.ranks, p.iterations) = (1 << 20, 1 << 20)),
        ];
        expect.assert_eq(&found.join("\n"));
    }
}
