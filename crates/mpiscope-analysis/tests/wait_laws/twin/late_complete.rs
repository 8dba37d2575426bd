//! Late complete: what of early waits came after the origin had called its last operation on windows,
//! or had begun its epoch.

use mpiscope_analysis::wait_states::{Kind, WaitState};

use super::Twin;

const OPERATIONS: [&str; 4] = ["MPI_Put", "MPI_Get", "MPI_Accumulate", "MPI_Win_start"];

impl Twin<'_> {
    /// Returns how often wait states were longer than they had to be so, and by how much.
    pub fn late_complete(&self, waits: &[WaitState]) -> (u64, i64) {
        let early = waits.iter().filter(|it| it.kind == Kind::EarlyWait);
        let late: Vec<i64> = early.map(|it| self.late(it)).filter(|it| *it > 0).collect();
        (late.len() as u64, late.iter().sum())
    }

    fn late(&self, wait: &WaitState) -> i64 {
        let complete = (wait.cause.location.index(), wait.cause.index as usize);
        let before = self.calls.iter();
        let before = before.filter(|it| it.location == complete.0 && it.leave < complete.1);
        let mut operations = before.filter(|it| OPERATIONS.contains(&&*it.name));
        let last = operations.next_back().expect("epochs start");
        wait.end.0 - last.end.max(wait.begin.0)
    }
}
