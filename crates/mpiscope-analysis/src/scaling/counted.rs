//! What computation scalability is made of, where runs have counters: instructions, instructions per
//! cycle, and cycles per second.

use mpiscope_model::Trace;

use crate::breakdown::{Only, Selection};
use crate::counters::Counters;
use crate::timeline::is_mpi;

/// What all ranks of a run counted outside of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Useful {
    /// Instructions.
    pub instructions: u64,
    /// Cycles.
    pub cycles: u64,
}

/// The factors of computation scalability, by the definitions of the POP project.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// The instructions that are ideal, by those of the run.
    pub instructions: f64,
    /// Instructions per cycle, by those of the reference.
    pub per_cycle: f64,
    /// Cycles in a second of computation, by those of the reference.
    pub frequency: f64,
}

impl Useful {
    /// Adds up what a trace tells; nothing if it does not have both counters.
    pub fn of(trace: &Trace) -> Option<Useful> {
        let regions = trace.definitions.regions.iter();
        let only = Only {
            regions: regions.map(|region| !is_mpi(region)).collect(),
            outside: true,
            ..Only::default()
        };
        let selection = Selection {
            only: Some(only),
            ..Selection::all(trace)
        };
        let counted = Counters::of(trace, &selection)?;
        let names = counted.metrics.iter().map(|id| {
            let metric = trace.definitions.metrics.get(id.index());
            metric.map_or("", |metric| metric.name.as_str())
        });
        let names: Vec<&str> = names.collect();
        let sum = |known: [&str; 3]| {
            let at = names.iter().position(|name| known.contains(name))?;
            let ranks = counted.ranks.values();
            Some(ranks.fold(0, |sum: u64, counts| sum.saturating_add(counts[at])))
        };
        let useful = Useful {
            instructions: sum(["instructions", "instructions:u", "PAPI_TOT_INS"])?,
            cycles: sum(["cycles", "cycles:u", "PAPI_TOT_CYC"])?,
        };
        (useful.instructions > 0 && useful.cycles > 0).then_some(useful)
    }

    /// Returns what a computation scalability is made of, if `ideal` times the reference's
    /// instructions are ideal.
    pub fn factors(self, first: Useful, ideal: f64, scalability: f64) -> Factors {
        let ratio = |a: u64, b: u64| a as f64 / b as f64;
        let instructions = ideal * ratio(first.instructions, self.instructions);
        let per_cycle =
            ratio(self.instructions, self.cycles) / ratio(first.instructions, first.cycles);
        Factors {
            instructions,
            per_cycle,
            frequency: scalability / (instructions * per_cycle),
        }
    }
}
