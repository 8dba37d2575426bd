//! Whether time stamps can be true, and of how much this is known: by a
//! correction that was done, by a fit of all clocks where that is asked for,
//! else by the measured times alone.

use mpiscope_archive::model::{Duration, Location, Matching, Timestamp, Trace};
use mpiscope_run::directory;
use mpiscope_sync::{presync, statistics, Config, LatencyTable};

use super::facts::Facts;
use crate::correction::{Corrected, Summary};
use crate::input::{self, Input};
use crate::report::figures::{messages, sum_up, violations, Checked, Messages, Violations};
use crate::report::latency::Latencies;
use crate::say;

impl Facts {
    /// Takes over what a correction found that has just been written.
    pub fn of_correction(&mut self, input: &Input, corrected: &Corrected) {
        let summary = &corrected.summary;
        self.corrected_archive = input.corrected().map(|place| directory::anchor(&place));
        self.duration_ns = corrected.elapsed.0;
        self.messages = summary.messages;
        self.violations = summary.violations;
        self.latency = Some(summary.latency.clone());
        self.uncertainty = Some(summary.uncertainty);
        self.shifts.of_correction(summary);
    }

    /// Looks at measured times, and at corrected ones if there are any; what
    /// was kept of the correction is not found anew.
    pub fn look_at_times(&mut self, input: &Input, matching: &Matching) {
        let trace = &input.trace;
        let measured = trace.times();
        let kept = Summary::kept(input);
        let corrected = self.read_corrected(input).zip(kept);
        let Some((corrected, kept)) = corrected else {
            // How soon a message can arrive is not known: only that it cannot before it was sent.
            let any = LatencyTable::new(trace, &mpiscope_sync::Latencies::default());
            let found = look(trace, matching, &measured, &any);
            self.duration_ns = longest(trace, &measured).0;
            self.messages = found.0;
            self.violations.measured = Violations {
                clock_condition: None,
                ..found.1
            };
            return;
        };
        let table = LatencyTable::new(trace, &kept.latency.to_latencies());
        let found = look(trace, matching, &measured, &table);
        self.shifts.of_correction(&kept);
        self.duration_ns = elapsed(&corrected).0;
        self.messages = found.0;
        self.violations = Checked {
            measured: found.1,
            interpolated: kept.violations.interpolated,
            corrected: Some(violations(
                &matching.assumptions,
                trace,
                &corrected,
                &table,
                None,
            )),
        };
        self.latency = Some(kept.latency);
        self.uncertainty = Some(kept.uncertainty);
    }

    /// Fits all clocks, and checks measured, interpolated and, where there are
    /// any, corrected times.
    pub fn fit_clocks(&mut self, input: &Input, matching: &Matching) {
        let trace = &input.trace;
        let measured = trace.times();
        let config = Config {
            assumptions: matching.assumptions,
            ..Config::default()
        };
        let (interpolated, fitted) = match presync(trace, matching, &config) {
            Ok(presync) => (Some(presync.times), presync.latencies),
            Err(error) => {
                let note = format!("times cannot be interpolated: {error}");
                self.notes.push(note);
                (None, mpiscope_sync::Latencies::default())
            }
        };
        self.duration_ns = match &interpolated {
            Some(times) => elapsed(times).0,
            None => longest(trace, &measured).0,
        };
        let mut table = LatencyTable::new(trace, &fitted);
        let mut latency = Latencies::of(trace, &fitted);
        let corrected = self.read_corrected(input);
        // The correction knows best which latencies it kept.
        if let Some(kept) = Summary::kept(input).filter(|_| corrected.is_some()) {
            table = LatencyTable::new(trace, &kept.latency.to_latencies());
            self.shifts.of_correction(&kept);
            latency = kept.latency;
            self.uncertainty = Some(kept.uncertainty);
        }
        self.latency = Some(latency);
        let found = look(trace, matching, &measured, &table);
        self.messages = found.0;
        self.violations = Checked {
            measured: found.1,
            interpolated: interpolated.map(|times| look(trace, matching, &times, &table).1),
            corrected: corrected
                .map(|times| violations(&matching.assumptions, trace, &times, &table, None)),
        };
    }

    /// Returns the corrected times, if there are any and they belong to these events.
    fn read_corrected(&mut self, input: &Input) -> Option<Vec<Vec<Timestamp>>> {
        let anchor = directory::anchor(&input.corrected()?);
        if !anchor.is_file() {
            return None;
        }
        let corrected = match input::read(&anchor) {
            Ok(corrected) => corrected,
            Err(error) => {
                self.damage.push(say::chain(&error));
                return None;
            }
        };
        self.corrected_archive = Some(anchor.clone());
        let lengths = |trace: &Trace| -> Vec<(u64, usize)> {
            let length = |location: &Location| (location.id, location.events.len());
            trace.locations.iter().map(length).collect()
        };
        if lengths(&corrected) != lengths(&input.trace) {
            self.damage.push(format!(
                "{} does not hold the events of the measured archive; `mpiscope sync --force` makes it anew",
                anchor.display()
            ));
            return None;
        }
        Some(corrected.times())
    }
}

/// Counts the messages of a trace, and what is wrong with one column of times.
fn look(
    trace: &Trace,
    matching: &Matching,
    times: &[Vec<Timestamp>],
    table: &LatencyTable,
) -> (Messages, Violations) {
    let places = statistics::Places::by_clock(trace);
    let found = statistics::messages(trace, matching, times, table, &places);
    let counted = messages(trace, matching, found.all().messages, None);
    (counted, sum_up(&found, statistics::backward_steps(times)))
}

/// Returns the time from the first to the last event, on one time line.
fn elapsed<'a>(times: impl IntoIterator<Item = &'a Vec<Timestamp>>) -> Duration {
    let columns = times.into_iter();
    let ends = columns.filter_map(|column| Some((*column.first()?, *column.last()?)));
    let ends = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    ends.map_or(Duration::ZERO, |(first, last)| last - first)
}

/// Returns the time from the first to the last event that a clock stamped, of the
/// clock on which it is longest: what clocks show is not to be compared.
fn longest(trace: &Trace, times: &[Vec<Timestamp>]) -> Duration {
    let clocks = trace.clocks.iter();
    let on_clock = clocks.map(|clock| {
        let columns = clock
            .locations
            .iter()
            .filter_map(|it| times.get(it.index()));
        elapsed(columns)
    });
    on_clock.max().unwrap_or_else(|| elapsed(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_different_clocks_show_makes_no_duration() {
        let trace = Trace::parse("clock 0:\nclock 1:\n0: 1 5\n1: 1000 1009").unwrap();
        let times = trace.times();
        assert_eq!((elapsed(&times).0, longest(&trace, &times).0), (1008, 9));
    }
}
