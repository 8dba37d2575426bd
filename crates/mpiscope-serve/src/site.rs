//! What is shown: runs that were loaded, and what was found in them.

use std::collections::HashMap;

use mpiscope_analysis::finding::Findings;
use mpiscope_analysis::iterations::{Iterations, Lengths};
use mpiscope_analysis::verdict::Words;
use mpiscope_model::{EventRef, LocationIndex, Timestamp};
use mpiscope_tiles::{Clocked, Run};

use crate::analysis::Part;
use crate::answer::Answer;
use crate::findings::Listed;
use crate::long_answers::LongAnswers;
use crate::shifts::Shifts;
use crate::verdict::Sentence;

/// All that one page shows.
pub struct Site {
    /// mpiscope's version.
    pub version: String,
    /// In the order in which they were named.
    pub runs: Vec<Shown>,
    /// A job that left statistics and no trace, in place of runs.
    pub live: Option<Box<dyn Live>>,
    /// Another number after each reading: numbers of one reading mean nothing in another.
    pub edition: u32,
}

/// A job that runs, or has run, and that keeps statistics: it is looked at whenever the page asks.
pub trait Live: Send + Sync {
    /// Returns its name.
    fn name(&self) -> &str;

    /// Says what it does at this moment, and of one rank more, if it is named.
    ///
    /// # Errors
    /// When nothing can be read: why, in a sentence.
    fn look(&self, rank: Option<u32>) -> Result<serde_json::Value, String>;

    /// Writes its statistics so far as text.
    ///
    /// # Errors
    /// See [`Live::look`].
    fn written(&self) -> Result<String, String>;
}

/// What is known of a run besides its events.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Name as shown.
    pub name: String,
    /// What is known, for reading: a word and its value.
    pub facts: Vec<(String, String)>,
    /// What is missing or marked, in sentences.
    pub notes: Vec<String>,
    /// When it began is not told.
    pub is_timeless: bool,
    /// Ranks that ended early, and why.
    pub ended: Vec<(u32, String)>,
    /// What time was lost to, as `analyze` says it; nothing where nobody judged the run.
    pub verdict: Option<Words>,
    /// What analyses add up, as `analyze` and `whatif` say it.
    pub analysis: Vec<Part>,
    /// The lines of source files that were readable when the run was loaded.
    pub sources: HashMap<String, Vec<String>>,
}

/// Tells by how much corrected times of a location can be wrong at a moment.
pub type Widths = dyn Fn(LocationIndex, Timestamp) -> Option<u64> + Send + Sync;

/// A run that is shown.
pub struct Shown {
    /// What is known of it.
    pub about: About,
    /// What happened, by each of its clocks; the first is the best.
    pub run: Run,
    /// What was found.
    pub found: Listed,
    pub(crate) verdict: Vec<Sentence>,
    /// Where the program repeats itself, by the best clock; or why it does not.
    pub(crate) iterations: Result<(Iterations, Lengths), String>,
    pub(crate) long_answers: LongAnswers<Answer>,
    widths: Option<Box<Widths>>,
    pub(crate) shifts: Shifts,
    /// Whether the archive is still the one that was loaded.
    is_there: Box<dyn Fn() -> bool + Send + Sync>,
}

impl Shown {
    /// Takes a run that has its clocks, the best first, and what was found by that clock.
    pub fn new(
        about: About,
        run: Run,
        findings: Findings,
        is_there: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Shown {
        Shown::known(about, run, findings, None, is_there)
    }

    /// Does the same where it may be known from an earlier time when each of the findings is, as
    /// [`Listed::when`] told it of a list in the order of [`Listed::list`].
    pub fn known(
        about: About,
        run: Run,
        findings: Findings,
        when: Option<Vec<std::ops::Range<u64>>>,
        is_there: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Shown {
        let found = Listed::new(&run, findings, when);
        let mut verdict = crate::verdict::verdict(&run, &found, about.verdict.as_ref());
        if let Some(ended) = crate::verdict::ended(&about.ended) {
            verdict.insert(0, ended);
        }
        Shown {
            verdict,
            about,
            run,
            found,
            widths: None,
            iterations: Err("nobody looked for iterations".to_owned()),
            long_answers: LongAnswers::default(),
            shifts: Shifts::default(),
            is_there: Box::new(is_there),
        }
    }

    /// Adds what is known of how wrong corrected times can be.
    pub fn with_widths(self, widths: Option<Box<Widths>>) -> Shown {
        Shown { widths, ..self }
    }

    /// Adds where the program repeats itself, as the best clock tells, or why it does not.
    pub fn with_iterations(self, iterations: Result<(Iterations, Lengths), String>) -> Shown {
        Shown { iterations, ..self }
    }

    /// Returns where the program repeats itself, or why it does not.
    pub fn iterations(&self) -> Result<(&Iterations, &Lengths), &str> {
        match &self.iterations {
            Ok((found, lengths)) => Ok((found, lengths)),
            Err(reason) => Err(reason),
        }
    }

    /// Adds what was moved by hand.
    pub fn with_shifts(self, shifts: Shifts) -> Shown {
        Shown { shifts, ..self }
    }

    /// Returns by how much the time of an event can be wrong, give or take; nothing if nobody knows,
    /// as of times that are not corrected.
    pub(crate) fn uncertainty(&self, clock: &Clocked, event: EventRef) -> Option<u64> {
        let widths = self
            .widths
            .as_ref()
            .filter(|_| clock.view.name == "corrected")?;
        widths(event.location, clock.recorded_time(event))
    }

    /// Returns whether the archive is still the one that was loaded.
    pub fn is_there(&self) -> bool {
        (self.is_there)()
    }
}
