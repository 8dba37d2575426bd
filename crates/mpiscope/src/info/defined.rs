//! What an archive by itself says in its definitions. It is printed at once, however long the
//! trace is; what the events say follows, and where they contradict it that is said.

use std::path::{Path, PathBuf};

use mpiscope_archive::model::Trace;
use mpiscope_archive::trace::{outline, Outline};
use mpiscope_run::run_info;

use super::facts::{hosts, Facts};
use super::text;
use crate::input;
use crate::kinds::Kinds;
use crate::report::show;

/// Locations that are named in a sentence.
const MOST: usize = 6;

/// Writers count from when they began to measure, events are from when something happened: the
/// length that is defined holds unless it is wrong by more than a hundredth.
const CLOSE: u64 = 100;

/// An archive whose events nobody has read yet.
#[derive(Debug, Default)]
pub struct Defined {
    path: PathBuf,
    outline: Outline,
    /// Where numbers of events are other than was said, and not for damage.
    wrong: Vec<String>,
}

impl Defined {
    /// Reads the definitions of an archive by itself; nothing of a run, of which more is known, and
    /// where they cannot be read: whoever reads the archive will say why.
    pub fn of(input: &Path) -> Option<Defined> {
        let path = input::run_of(input);
        let is_run = path.join(run_info::FILE).exists();
        let outline = (!is_run).then(|| outline(&path).ok()).flatten()?;
        Some(Defined {
            path,
            outline,
            wrong: Vec::new(),
        })
    }

    /// Returns the begin of the report.
    pub fn text(&self) -> String {
        let it = &self.outline;
        let title = text::title(&self.path, text::kind_of_archive(it.corrected));
        let origin = text::pairs(&[
            ("written by", Some(self.writers())),
            ("format", Some(self.format())),
            ("about", Some(it.description.clone())),
            ("properties", Some(self.properties())),
            ("hosts", Some(text::hosts(&hosts(&it.trace)))),
        ]);
        let contents = text::pairs(&[
            ("duration", it.length.map(|it| show::duration(it.0 as f64))),
            ("ranks", Some(self.ranks())),
            ("events", it.all_events().map(show::count)),
            ("defined", Some(self.definitions())),
        ]);
        format!("{title}\n{origin}\n\n{contents}")
    }

    fn writers(&self) -> String {
        let Outline {
            creator, corrector, ..
        } = &self.outline;
        match corrector {
            Some(corrector) => format!("{creator}, corrected by {corrector}"),
            None => creator.clone(),
        }
    }

    fn format(&self) -> String {
        let [major, minor, bugfix] = self.outline.version;
        let id = self.outline.trace_id;
        format!("OTF2 {major}.{minor}.{bugfix}, trace {id:016x}")
    }

    /// Lists what only this archive says before what all do.
    fn properties(&self) -> String {
        let mut properties: Vec<_> = self.outline.properties.iter().collect();
        properties.sort_by_key(|(name, _)| name.starts_with("OTF2::"));
        let told = |(name, value): &(String, String)| format!("{name} {value}");
        let told: Vec<String> = properties.into_iter().map(told).collect();
        show::list(&told, MOST)
    }

    fn ranks(&self) -> String {
        let trace = &self.outline.trace;
        text::ranks(trace.ranks().len() as u64, Kinds::of(trace))
    }

    fn definitions(&self) -> String {
        let it = &self.outline.trace.definitions;
        let counts = [
            (it.regions.len(), "region"),
            (it.communicators.len(), "communicator"),
            (it.windows.len(), "window"),
            (it.metrics.len(), "metric"),
            (it.call_sites.len(), "call site"),
        ];
        let there = counts.into_iter().filter(|(count, _)| *count > 0);
        let there: Vec<String> = there
            .map(|(count, what)| show::counted(count as u64, what))
            .collect();
        there.join(", ")
    }

    /// Returns whether the number of events that was said holds.
    pub fn holds_events(&self, facts: &Facts) -> bool {
        let is_told = self.outline.all_events() == Some(facts.events);
        is_told && facts.truncated.is_empty() && self.wrong.is_empty()
    }

    /// Says where definitions tell of other numbers of events than there are.
    pub fn wrong(&self) -> Option<String> {
        let wrong = show::list(&self.wrong, MOST);
        (!self.wrong.is_empty()).then(|| format!("not as defined: {wrong}"))
    }

    /// Returns whether the length that was said holds.
    pub fn holds_duration(&self, facts: &Facts) -> bool {
        self.outline.length.is_some_and(|length| {
            let off = length.0.abs_diff(facts.duration_ns);
            off <= length.0.unsigned_abs() / CLOSE
        })
    }

    /// Compares the events that were read with those that were said to be there.
    pub fn compare(&mut self, trace: &Trace, facts: &mut Facts) {
        let mut unread = Some(0);
        for (location, &claimed) in trace.locations.iter().zip(&self.outline.events) {
            let read = location.events.len() as u64;
            match (&location.truncated, claimed) {
                (Some(_), _) => {
                    let missing = claimed.and_then(|claimed| claimed.checked_sub(read));
                    unread = unread.and_then(|sum: u64| sum.checked_add(missing?));
                }
                (None, Some(claimed)) if claimed != read => self.wrong.push(format!(
                    "{} in place of {} at location {} (rank {})",
                    show::count(read),
                    show::count(claimed),
                    location.id,
                    location.rank.0
                )),
                _ => {}
            }
        }
        if !facts.truncated.is_empty() {
            facts.events_unread = unread;
        }
    }
}
