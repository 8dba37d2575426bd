//! MPI_Finalize: what was counted goes into the run.

use std::sync::atomic::Ordering;

use mpiscope_run::statistics::{clear, keep, snapshot};
use mpiscope_run::{directory, placement};

use crate::base::clock;
use crate::base::notice;
use crate::mpi::process::Process;

/// Writes this rank's statistics; what cannot be written stays where it is.
pub fn finish(process: &Process) {
    let Some(monitor) = super::monitor::get() else {
        return;
    };
    monitor.define_modules();
    monitor.renew_triple(clock::triple());
    let tables = monitor.tables();
    for (_, notes) in &*tables {
        notes.header().finished.store(1, Ordering::Release);
    }
    let paths: Vec<_> = tables.iter().map(|(path, _)| path.clone()).collect();
    match keep(&process.run, &paths) {
        Ok(_) => {
            for path in &paths {
                let _ = std::fs::remove_file(path);
            }
            let identity = &process.identity;
            if identity.clock_representative == identity.rank {
                snapshot::remove(&process.run, &identity.host);
            }
            if identity.rank == 0 {
                placement::remove(&process.run);
            }
            clear(&monitor.folder);
            let _ = std::fs::remove_dir(directory::buffers(&process.run));
        }
        Err(error) => notice::tell(&format!("the statistics of a rank stay in memory: {error}")),
    }
}
