//! Wrong clocks on purpose: `MPISCOPE_CLOCK_FAULT`.
//!
//! On one machine all ranks read one clock, so nothing would ever need to be
//! corrected. A clock fault gives chosen ranks another clock: an increasing
//! map from the host's time to the time the rank will claim, applied when
//! buffers are drained. Because the map is known, so is the truth, and a
//! correction can be judged against it.
//!
//! ```
//! use mpiscope_run::fault::{parse, Fault};
//! let faults = parse("1:offset=350us,drift=20ppm; 3:wander=5us/200ms,step=1ms@2s").unwrap();
//! let fault: &Fault = &faults[&1];
//! let epoch = 1_000_000_000;
//! assert_eq!(fault.apply(epoch, epoch), epoch + 350_000);
//! assert_eq!(fault.apply(epoch, epoch + 1_000_000_000), epoch + 1_000_370_000);
//! assert_eq!(fault.invert(epoch, epoch + 1_000_370_000), epoch + 1_000_000_000);
//! ```
//!
//! Grammar: `RANK:TERM,TERM…;RANK:…` with the terms `offset=TIME`,
//! `drift=Nppm`, `wander=TIME/PERIOD` (amplitude and period of a sine) and
//! `step=TIME@WHEN` (forward only); `RANK` may be a range `2-5`. Times take
//! `ns`, `us`, `ms` or `s`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How a rank's clock differs from its host's; times in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Fault {
    /// Constant offset.
    #[serde(default)]
    pub offset: f64,
    /// Relative drift: 1e-6 is one part per million.
    #[serde(default)]
    pub drift: f64,
    /// Amplitude of a sinusoidal wander.
    #[serde(default)]
    pub wander: f64,
    /// Period of the wander; 0 means none.
    #[serde(default)]
    pub period: f64,
    /// Size of a forward step.
    #[serde(default)]
    pub step: f64,
    /// When the step happens, after the epoch.
    #[serde(default)]
    pub step_at: f64,
}

impl Fault {
    /// Maps the host's time to the faulty clock's; both and `epoch` (the
    /// moment where drift, wander and step begin) in nanoseconds.
    pub fn apply(&self, epoch: i64, host: i64) -> i64 {
        host.saturating_add(self.error(host.saturating_sub(epoch) as f64))
    }

    /// Returns the first host time that the faulty clock shows as `local` or later.
    pub fn invert(&self, epoch: i64, local: i64) -> i64 {
        let since = local.saturating_sub(epoch) as f64;
        let reach = self.offset.abs()
            + self.wander.abs()
            + self.step
            + self.drift.abs() * 2.0 * (since.abs() + self.offset.abs() + self.step)
            + 2.0;
        let (mut low, mut high) = (
            local.saturating_sub(reach as i64),
            local.saturating_add(reach as i64),
        );
        while low < high {
            // Their difference may exceed what a time can hold.
            let middle = low.saturating_add_unsigned(low.abs_diff(high) / 2);
            if self.apply(epoch, middle) < local {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    fn error(&self, since: f64) -> i64 {
        let wander = if self.period > 0.0 {
            self.wander * (std::f64::consts::TAU * since / self.period).sin()
        } else {
            0.0
        };
        let step = if since >= self.step_at {
            self.step
        } else {
            0.0
        };
        (self.offset + self.drift * since + wander + step).round_ties_even() as i64
    }

    /// Rejects maps that do not increase.
    fn check(self, rank: &str) -> Result<Self, String> {
        let steepest = if self.period > 0.0 {
            std::f64::consts::TAU * self.wander.abs() / self.period
        } else {
            0.0
        };
        if self.drift.abs() + steepest > 0.01 {
            return Err(format!(
                "rank {rank}: drift and wander together exceed 10000 ppm, no clock is that wrong"
            ));
        }
        if self.step < 0.0 || self.step_at < 0.0 {
            return Err(format!(
                "rank {rank}: a clock only steps forward, and after the start"
            ));
        }
        Ok(self)
    }
}

/// Parses the value of `MPISCOPE_CLOCK_FAULT`.
///
/// # Errors
/// A sentence that names the term and what was expected.
pub fn parse(text: &str) -> Result<BTreeMap<u32, Fault>, String> {
    let mut faults = BTreeMap::new();
    for part in text.split(';').map(str::trim).filter(|p| !p.is_empty()) {
        let (ranks, terms) = part
            .split_once(':')
            .ok_or_else(|| format!("`{part}`: expected RANK:TERM,TERM…"))?;
        let mut fault = Fault::default();
        for term in terms.split(',').map(str::trim).filter(|t| !t.is_empty()) {
            read_term(&mut fault, term)?;
        }
        let fault = fault.check(ranks.trim())?;
        for rank in read_ranks(ranks.trim())? {
            faults.insert(rank, fault);
        }
    }
    Ok(faults)
}

/// The highest rank that may be named.
const MOST: u32 = 1 << 20;

fn read_ranks(text: &str) -> Result<std::ops::RangeInclusive<u32>, String> {
    let number = |t: &str| {
        t.trim()
            .parse::<u32>()
            .map_err(|_| format!("`{text}`: expected a rank or a range such as 2-5"))
    };
    let ranks = match text.split_once('-') {
        Some((first, last)) => number(first)?..=number(last)?,
        None => number(text).map(|rank| rank..=rank)?,
    };
    match ranks.is_empty() || *ranks.end() > MOST {
        true => Err(format!("`{text}`: expected ranks in order, at most {MOST}")),
        false => Ok(ranks),
    }
}

fn read_term(fault: &mut Fault, term: &str) -> Result<(), String> {
    let (name, value) = term
        .split_once('=')
        .ok_or_else(|| format!("`{term}`: expected NAME=VALUE"))?;
    match name.trim() {
        "offset" => fault.offset = read_time(value)?,
        "drift" => fault.drift = read_drift(value)?,
        "wander" => {
            let (amplitude, period) = value
                .split_once('/')
                .ok_or_else(|| format!("`{term}`: expected wander=AMPLITUDE/PERIOD"))?;
            fault.wander = read_time(amplitude)?;
            fault.period = read_time(period)?;
            if fault.period <= 0.0 {
                return Err(format!("`{term}`: the period must be positive"));
            }
        }
        "step" => {
            let (size, at) = value
                .split_once('@')
                .ok_or_else(|| format!("`{term}`: expected step=TIME@WHEN"))?;
            fault.step = read_time(size)?;
            fault.step_at = read_time(at)?;
        }
        other => return Err(format!("`{other}`: expected offset, drift, wander or step")),
    }
    Ok(())
}

fn read_drift(text: &str) -> Result<f64, String> {
    text.trim()
        .strip_suffix("ppm")
        .and_then(|n| n.trim().parse::<f64>().ok())
        .filter(|n| n.is_finite())
        .map(|ppm| ppm * 1e-6)
        .ok_or_else(|| format!("`{text}`: expected a drift such as 20ppm"))
}

fn read_time(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let units = [
        ("ns", 1.0),
        ("us", 1e3),
        ("µs", 1e3),
        ("ms", 1e6),
        ("s", 1e9),
    ];
    units
        .iter()
        .find_map(|(suffix, scale)| {
            let number = text.strip_suffix(suffix)?.trim().parse::<f64>().ok()?;
            Some(number * scale)
        })
        .filter(|t| t.is_finite() && t.abs() < 1e15)
        .ok_or_else(|| format!("`{text}`: expected a time such as 350us, 2ms or 1s"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A damaged `run.json` may hold any fault.
    #[test]
    fn faults_as_large_as_time_itself_are_undone_too() {
        let fault = |offset, drift| Fault {
            offset,
            drift,
            ..Fault::default()
        };
        for fault in [fault(1e300, 0.0), fault(-1e300, 1e300), fault(9.3e18, -0.5)] {
            for local in [i64::MIN, -1, 0, 1, i64::MAX] {
                fault.invert(0, local);
            }
        }
        assert_eq!(fault(350.0, 0.0).invert(0, -1_000), -1_350);
    }

    #[test]
    fn map_increases_and_inverts() {
        let fault =
            parse("0-1:offset=-3ms,drift=-50ppm,wander=40us/100ms,step=1ms@300ms").unwrap()[&1];
        let epoch = 1_700_000_000_000_000_000;
        let mut last = i64::MIN;
        for host in (0..1_000_000_000).step_by(99_991).map(|t| epoch + t) {
            let local = fault.apply(epoch, host);
            assert!(local > last);
            last = local;
            let back = fault.invert(epoch, local);
            assert!((back - host).abs() <= 1, "{host} -> {local} -> {back}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, word) in [
            ("offset=1us", "RANK:TERM"),
            ("x:offset=1us", "expected a rank"),
            ("0-4294967295:offset=1us", "at most"),
            ("3-1:offset=1us", "in order"),
            ("1:offset=1", "expected a time"),
            ("1:drift=1", "expected a drift"),
            ("1:jump=1us", "expected offset, drift"),
            ("1:wander=5us", "AMPLITUDE/PERIOD"),
            ("1:wander=1s/1s", "exceed"),
            ("1:step=-1us@1s", "forward"),
        ] {
            let message = parse(text).unwrap_err();
            assert!(message.contains(word), "{text}: {message}");
        }
    }
}
