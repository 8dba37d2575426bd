//! What is shown: runs that were loaded, and what was found in them.

use mpiscope_analysis::finding::Findings;
use mpiscope_tiles::Run;

use crate::findings::Listed;
use crate::verdict::Sentence;

/// All that one page shows.
pub struct Site {
    /// mpiscope's version.
    pub version: String,
    /// In the order in which they were named.
    pub runs: Vec<Shown>,
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
    /// Ranks that ended early, and why.
    pub ended: Vec<(u32, String)>,
}

/// A run that is shown.
pub struct Shown {
    /// What is known of it.
    pub about: About,
    /// What happened, by each of its clocks; the first is the best.
    pub run: Run,
    /// What was found.
    pub found: Listed,
    pub(crate) verdict: Vec<Sentence>,
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
        let found = Listed::new(&run, findings);
        Shown {
            verdict: crate::verdict::verdict(&run, &found),
            about,
            run,
            found,
            is_there: Box::new(is_there),
        }
    }

    /// Returns whether the archive is still the one that was loaded.
    pub fn is_there(&self) -> bool {
        (self.is_there)()
    }
}
