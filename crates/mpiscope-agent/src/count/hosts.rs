//! Which ranks are on this host, and what is prepared for those on others.

use std::os::unix::fs::MetadataExt as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mpi_abi::{Code, OwnComm};
use mpiscope_hash::stable;
use mpiscope_run::process::{Identity, Members, Ping};
use mpiscope_run::shared_memory::SHARED_MEMORY;
use mpiscope_run::ticks::Triple;

use super::monitor::Monitor;
use super::settings::Settings;
use super::virtual_clock::Remote;
use crate::mpi::process::Process;
use crate::peers::common_clock::{ClockLine, CommonClock};
use crate::peers::page;
use crate::peers::remote_clocks::{RemoteClocks, LIMIT, SHORT_LIMIT};

/// Finds out which ranks are on this host, if a virtual clock needs to know: those
/// that read one kernel's clock, and see the same shared memory, as containers of
/// one host need not.
pub fn find_near(own: OwnComm, settings: Settings, identity: &Identity) -> Result<Members, Code> {
    if !settings.virtual_clock {
        return Ok(Members::default());
    }
    let memory = std::fs::metadata(SHARED_MEMORY).map_or(0, |folder| folder.dev());
    let mine = stable(&(&identity.boot_id, identity.time_offset, memory)).to_le_bytes();
    let all = own.allgather(&mine)?;
    let near = (0u32..)
        .zip(all.chunks_exact(8))
        .filter(|(_, host)| *host == mine);
    Ok(Members::new(
        &near.map(|(rank, _)| rank).collect::<Vec<_>>(),
    ))
}

impl Monitor {
    /// Prepares what processes of several hosts tell each other for their virtual clocks.
    pub fn join_hosts(
        &'static self,
        process: &Process,
        own: OwnComm<'static>,
        first: Triple,
        ping: Option<Ping>,
    ) -> Result<(), Code> {
        if !self.settings.virtual_clock || process.representatives.is_empty() {
            return Ok(());
        }
        let common = CommonClock::agree(process, own, first, ping)?;
        let common = self.common.get_or_init(|| common);
        page::show_line(common.line());
        let limit = match self.settings.sampled {
            true => SHORT_LIMIT,
            false => LIMIT,
        };
        let remote_clocks = RemoteClocks::new(own, common, limit);
        // While one thread asks another host, the rest would wait for it; and who asks waits for
        // those who do not tell.
        let all = own.all_true(remote_clocks.is_ok() && !process.at_once)?;
        let _ = self.remote_clocks.set(Mutex::new(remote_clocks?));
        if all {
            let remote = match self.settings.sampled {
                true => Remote::Sample,
                false => Remote::All,
            };
            let channels = self.channels(process).lock();
            channels
                .unwrap_or_else(PoisonError::into_inner)
                .join(remote);
        }
        Ok(())
    }

    /// Returns the ways to other hosts, if there are any.
    pub(super) fn remote_clocks(&self) -> Option<MutexGuard<'_, RemoteClocks>> {
        let remote_clocks = self.remote_clocks.get()?;
        Some(remote_clocks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns this clock in the time of all hosts, if there are several.
    pub(super) fn line(&self) -> Option<ClockLine> {
        self.common.get().map(CommonClock::line)
    }

    /// Ends that, on all ranks, which make no more calls that are observed.
    pub fn leave_hosts(&self) {
        if let Some(mut remote_clocks) = self.remote_clocks() {
            remote_clocks.finish();
        }
        page::leave_hosts();
    }
}
