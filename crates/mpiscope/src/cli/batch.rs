//! The batch systems that job scripts are written for.

use clap::ValueEnum;

/// A system that runs jobs on a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Batch {
    /// For `sbatch`, which starts processes by `srun`
    Slurm,
    /// For the `qsub` of PBS Professional and OpenPBS, processes by `mpiexec`
    Pbs,
    /// For `flux batch`, processes by `flux run`
    Flux,
}
