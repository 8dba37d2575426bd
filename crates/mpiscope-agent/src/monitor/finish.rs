//! MPI_Finalize: what was counted goes into the run.

use std::sync::atomic::Ordering;

use mpiscope_run::directory;
use mpiscope_run::statistics::{clear, keep, snapshot};

use crate::clock;
use crate::notice;
use crate::session::Session;

/// Writes this rank's statistics; what cannot be written stays where it is.
pub fn finish(session: &Session) {
    let Some(monitor) = super::get() else { return };
    monitor.define_modules();
    monitor.renew_triple(clock::triple());
    let tables = monitor.tables();
    for (_, notes) in &*tables {
        notes.header().finished.store(1, Ordering::Release);
    }
    let paths: Vec<_> = tables.iter().map(|(path, _)| path.clone()).collect();
    match keep(&session.run, &paths) {
        Ok(_) => {
            for path in &paths {
                let _ = std::fs::remove_file(path);
            }
            let identity = &session.identity;
            if identity.clock_representative == identity.rank {
                snapshot::remove(&session.run, &identity.host);
            }
            clear(&monitor.folder);
            let _ = std::fs::remove_dir(directory::buffers(&session.run));
        }
        Err(error) => notice::tell(&format!("the statistics of a rank stay in memory: {error}")),
    }
}
