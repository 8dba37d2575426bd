//! Statistics in place of a trace: what every statement of a program did, per
//! rank and peer.
//!
//! Two tables, as Li and Zhang describe them: the static one of the program's
//! [`Statement`]s, of which each lies in another, and the dynamic one of
//! [`Record`]s that a run counted. A record names its statement by number.
//!
//! ```
//! use mpiscope_model::statistics::{Figures, Kind, Record, Statement, Statistics};
//!
//! let send = Statement { kind: Kind::Communication, name: "MPI_Send".into(), ..Statement::default() };
//! let record = Record { figures: Figures { calls: 3, time: 70, ..Figures::default() }, ..Record::default() };
//! let statistics = Statistics { statements: vec![send], records: vec![record], ..Statistics::default() };
//! assert_eq!(statistics.statements[statistics.records[0].statement].name, "MPI_Send");
//! ```

pub use crate::structure::Kind;
use crate::structure::Structure;

/// What the processes of one run counted; times in nanoseconds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Statistics {
    /// The statements of the program that are known; a parent is of lower number.
    pub statements: Vec<Statement>,
    /// What was counted, by rank.
    pub records: Vec<Record>,
    /// The processes, by rank.
    pub ranks: Vec<Process>,
}

/// A statement of the program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statement {
    /// What it is.
    pub kind: Kind,
    /// A procedure's own name; of a call that of the procedure called; of a loop its keyword.
    pub name: String,
    /// Where it stands: a source file, or the module where no source is known.
    pub file: String,
    /// Its first line; 0 if it is not known.
    pub line: u32,
    /// Its last line.
    pub end: u32,
    /// Place in the module, where no line is known.
    pub offset: u64,
    /// The innermost loop or procedure around it.
    pub parent: Option<usize>,
    /// Whether its own time was taken: a procedure known by its symbol alone has none.
    pub timed: bool,
}

impl Statement {
    /// Returns the statements of a source file, in its order.
    pub fn of(structure: &Structure) -> Vec<Statement> {
        let statements = structure.statements.iter();
        let of_file = |statement: &crate::structure::Statement| Statement {
            kind: statement.kind,
            name: statement.name.clone(),
            file: structure.file.clone(),
            line: statement.line,
            end: statement.end,
            offset: 0,
            parent: statement.parent.map(|parent| parent as usize),
            timed: statement.probe,
        };
        statements.map(of_file).collect()
    }

    /// Returns the file's name without its folders.
    pub fn short_file(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or_default()
    }

    /// Returns where it stands, as `heat.c:42`, `heat.c:12-40` or `heat+0x11d3`.
    pub fn place(&self) -> String {
        let file = self.short_file();
        match (self.line, self.end) {
            (0, _) if self.offset == 0 => file.to_owned(),
            (0, _) => format!("{file}+{:#x}", self.offset),
            (line, end) if end > line => format!("{file}:{line}-{end}"),
            (line, _) => format!("{file}:{line}"),
        }
    }
}

/// With whom a communication statement was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Peer {
    /// A world rank.
    Rank(u32),
    /// Everybody in a communicator of so many.
    All(u32),
    /// Whoever came.
    Any,
    /// All that have no record of their own, as their number is bounded.
    Others,
    /// Nobody, or several in one call.
    #[default]
    None,
}

/// Which way messages went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Side {
    /// There are none.
    #[default]
    None,
    /// Sent by this rank.
    Sent,
    /// Received by this rank.
    Received,
    /// A collective operation.
    Collective,
}

/// What one thread counted of one statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// World rank.
    pub rank: u32,
    /// Thread of the rank.
    pub thread: u32,
    /// Number of the statement.
    pub statement: usize,
    /// Of a procedure, the statement that called it, if that is known.
    pub caller: Option<usize>,
    /// Of a communication statement, with whom.
    pub peer: Peer,
    /// And which way.
    pub side: Side,
    /// The numbers.
    pub figures: Figures,
}

/// Numbers that can be added up; times in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Figures {
    /// Calls, or how often a procedure or loop was executed.
    pub calls: u64,
    /// Messages, or iterations of a loop where they were counted.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Time, the cost of observation taken off.
    pub time: u64,
    /// The cost of observation that was taken off.
    pub intrusion: u64,
    /// Of the time, waiting for partners, in calls in which that was told apart.
    pub delay: u64,
    /// Calls in which it was.
    pub separated: u64,
    /// The longest call, observation included.
    pub longest: u64,
    /// Messages by size: 0 bytes, 1, 2 to 3, 4 to 7 and so on; bins without any are left out.
    pub histogram: Vec<(u8, u64)>,
}

impl Figures {
    /// Adds what another record counted.
    pub fn add(&mut self, other: &Figures) {
        self.calls = self.calls.saturating_add(other.calls);
        self.messages = self.messages.saturating_add(other.messages);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.time = self.time.saturating_add(other.time);
        self.intrusion = self.intrusion.saturating_add(other.intrusion);
        self.delay = self.delay.saturating_add(other.delay);
        self.separated = self.separated.saturating_add(other.separated);
        self.longest = self.longest.max(other.longest);
        for &(bin, count) in &other.histogram {
            match self.histogram.binary_search_by_key(&bin, |&(bin, _)| bin) {
                Ok(at) => self.histogram[at].1 = self.histogram[at].1.saturating_add(count),
                Err(at) => self.histogram.insert(at, (bin, count)),
            }
        }
    }

    /// Returns the time that is not known to be waiting.
    pub fn transmission(&self) -> u64 {
        self.time.saturating_sub(self.delay)
    }
}

impl<'a> FromIterator<&'a Figures> for Figures {
    fn from_iter<I: IntoIterator<Item = &'a Figures>>(all: I) -> Self {
        let mut sum = Figures::default();
        all.into_iter().for_each(|one| sum.add(one));
        sum
    }
}

/// One process of the run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Process {
    /// World rank.
    pub rank: u32,
    /// Its host.
    pub host: String,
    /// Operating-system process id.
    pub pid: u32,
    /// When it began to be observed, nanoseconds since 1970.
    pub started: u64,
    /// For how long it was observed.
    pub duration: u64,
    /// The same of all its threads together.
    pub thread_time: u64,
    /// MPI calls.
    pub calls: u64,
    /// Time in them, observation taken off.
    pub mpi: u64,
    /// What observation cost it in all.
    pub intrusion: u64,
    /// Statements and peers that there was no room for.
    pub refused: u64,
}
