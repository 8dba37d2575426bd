//! What gets probes.

/// What gets probes, and what does not.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which loops.
    pub loops: Loops,
    /// Whether a call says from which statement it comes.
    pub calls: bool,
    /// Patterns of procedures that get none.
    pub exclude: Vec<String>,
    /// Patterns of procedures that alone get some; empty means all.
    pub only: Vec<String>,
    /// Lines whose announcements did not compile.
    pub unannounced: Vec<u32>,
    /// Lines that did not compile, and why: their procedures get no probes.
    pub refused: Vec<(u32, String)>,
    /// The object file that will be made: with the source, it names Fortran's probes.
    pub object: String,
}

/// Which loops get probes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loops {
    /// None.
    None,
    /// Those that contain calls or communication.
    #[default]
    Calls,
    /// All.
    All,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            loops: Loops::default(),
            calls: true,
            exclude: Vec::new(),
            only: Vec::new(),
            unannounced: Vec::new(),
            refused: Vec::new(),
            object: String::new(),
        }
    }
}

impl Options {
    /// Returns whether a procedure is wanted at all.
    pub(crate) fn wants(&self, procedure: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|p| matches(p, procedure));
        (self.only.is_empty() || any(&self.only)) && !any(&self.exclude)
    }

    /// Returns why the lines of a procedure did not compile.
    pub(crate) fn refusal(&self, (first, last): (u32, u32)) -> Option<&str> {
        let within = |(line, _): &&(u32, String)| (first..=last).contains(line);
        self.refused.iter().find(within).map(|(_, why)| &**why)
    }
}

/// Returns whether a pattern, in which `*` stands for any text and `?` for a
/// character, is all of `name`.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    // Where the last star stood, and how much it has swallowed so far.
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((at, swallowed)) = star else {
                    return false;
                };
                star = Some((at, swallowed + 1));
                p = at + 1;
                n = swallowed + 1;
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}
