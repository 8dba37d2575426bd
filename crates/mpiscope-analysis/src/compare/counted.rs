//! Runs of which statistics were kept in place of a trace, as rows.
//!
//! Their times are of another kind. A trace's are those that its clock showed, and what recording
//! took is in them: of a short call, most of it. Of a statistic's it is taken off, and in virtual
//! time also what observation of others made one wait. So runs of several kinds are shown side by
//! side, as far as all know the same, and not judged.

use std::collections::BTreeMap;

use mpiscope_model::statistics::{Kind, Process, Statement, Statistics};

use super::key::base;
use super::{Call, Key, Measures};

/// From what a run is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Its events.
    #[default]
    Trace,
    /// What was counted; waiting was not told apart.
    Statistics,
    /// What was counted in virtual time, and waiting as far as it was told apart.
    VirtualTime,
}

impl Source {
    /// Returns what such runs are called.
    pub fn name(self) -> &'static str {
        match self {
            Source::Trace => "traces",
            Source::Statistics => "statistics",
            Source::VirtualTime => "statistics in virtual time",
        }
    }
}

impl Measures {
    /// Reads what a run counted, in virtual time or not.
    ///
    /// Each call has its time, and all threads together what is outside of MPI. The run took as long
    /// as the longest that a rank was between MPI_Init and MPI_Finalize. What observation took is in
    /// none of it.
    pub fn of_statistics(all: &Statistics, is_virtual: bool) -> Measures {
        let mut run = Measures {
            ranks: all.ranks.len() as u64,
            source: match is_virtual {
                true => Source::VirtualTime,
                false => Source::Statistics,
            },
            ..Measures::default()
        };
        let mut in_mpi = BTreeMap::new();
        run.count_calls(all, &mut in_mpi);
        for process in &all.ranks {
            let mpi = in_mpi.get(&process.rank).copied().unwrap_or_default();
            run.time_ns = run.time_ns.max(mpi.length(process));
            run.add(Key::Computation, mpi.computation(process), 0);
        }
        run.add(Key::Time, run.time_ns, 1);
        run.total_ns = run
            .value_of(&Key::Computation)
            .saturating_add(run.value_of(&Key::Mpi));
        run
    }

    fn count_calls(&mut self, all: &Statistics, in_mpi: &mut BTreeMap<u32, InMpi>) {
        let is_virtual = self.source == Source::VirtualTime;
        // Nothing of it is a value, too.
        self.add(Key::Mpi, 0, 0);
        if is_virtual {
            self.add(Key::Waiting, 0, 0);
        }
        let call = |it: &Statement| (it.kind == Kind::Communication).then(|| self::call(all, it));
        let calls: Vec<Option<Call>> = all.statements.iter().map(call).collect();
        for statement in all.statements.iter().filter(|it| it.line > 0) {
            self.name_file(&statement.file);
        }
        for record in &all.records {
            let Some(Some(call)) = calls.get(record.statement) else {
                continue;
            };
            let of_rank: &mut InMpi = in_mpi.entry(record.rank).or_default();
            let figures = &record.figures;
            if call.is_outside() {
                of_rank.outside = of_rank.outside.saturating_add(figures.time);
                continue;
            }
            of_rank.inside = of_rank.inside.saturating_add(figures.time);
            let waiting = match is_virtual {
                true => figures.delay.min(figures.time),
                false => 0,
            };
            self.add(Key::Mpi, ns(figures.time), figures.calls);
            self.add(
                Key::Call(call.clone()),
                ns(figures.time - waiting),
                figures.calls,
            );
            if waiting > 0 {
                self.add(Key::Waiting, ns(waiting), 0);
                self.add(Key::WaitingIn(call.clone()), ns(waiting), 0);
            }
        }
    }

    /// Returns what all kinds of runs know: how long it took, MPI and computation, and of each call
    /// its time, waiting included.
    pub(super) fn as_counted(&self) -> Measures {
        let mut run = Measures {
            rows: BTreeMap::new(),
            iterations: Vec::new(),
            phases: None,
            ..self.clone()
        };
        run.add(Key::Mpi, 0, 0);
        for (key, row) in &self.rows {
            match key {
                Key::Time => run.add(Key::Time, row.ns, row.visits),
                Key::Computation => run.add(Key::Computation, row.ns, 0),
                Key::Call(call) | Key::WaitingIn(call) => {
                    run.add(Key::Call(call.clone()), row.ns, row.visits);
                    run.add(Key::Mpi, row.ns, row.visits);
                }
                _ => {}
            }
        }
        run.total_ns = run
            .value_of(&Key::Computation)
            .saturating_add(run.value_of(&Key::Mpi));
        run
    }

    fn value_of(&self, key: &Key) -> i64 {
        self.rows.get(key).map_or(0, |row| row.ns)
    }
}

/// Time of a rank in MPI, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct InMpi {
    /// In MPI_Init and MPI_Finalize.
    outside: u64,
    /// In all other calls.
    inside: u64,
}

impl InMpi {
    /// Returns how long a process was between both, without what observation took of a thread.
    fn length(&self, process: &Process) -> i64 {
        let of_one = match process.thread_time {
            0 => 0,
            all => u128::from(process.intrusion) * u128::from(process.duration) / u128::from(all),
        };
        let of_one = u64::try_from(of_one).unwrap_or(u64::MAX);
        let left = process.duration.saturating_sub(self.outside);
        ns(left.saturating_sub(of_one))
    }

    fn computation(&self, process: &Process) -> i64 {
        let taken = [self.outside, self.inside, process.intrusion];
        let left = |time: u64, taken: &u64| time.saturating_sub(*taken);
        ns(taken.iter().fold(process.thread_time, left))
    }
}

fn ns(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

/// Names a statement as a trace does.
fn call(all: &Statistics, statement: &Statement) -> Call {
    let parent = |it: &&Statement| all.statements.get(it.parent?);
    let mut around = std::iter::successors(parent(&statement), parent);
    let procedure = around.find(|it| it.kind == Kind::Procedure);
    let is_line = statement.line > 0;
    Call {
        name: match statement.name.is_empty() {
            true => "a call".to_owned(),
            false => statement.name.clone(),
        },
        file: base(&statement.file).to_owned(),
        function: procedure.map_or_else(String::new, |it| it.name.clone()),
        at: match is_line {
            true => statement.line.into(),
            false => statement.offset,
        },
        is_line,
    }
}
