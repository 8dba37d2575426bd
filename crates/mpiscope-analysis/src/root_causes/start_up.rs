//! From when on ranks can be compared: since all of them were in MPI_Init.
//!
//! Launchers start processes one after the other, and nobody records what a process did before. So
//! the begin of the run is a bad one to compare ranks from: the last one to start has "not been
//! recorded" for the longest, and whatever it delays later would be laid to that. MPI need not
//! synchronize in MPI_Init (MPI 4.1, §11.2), so that it makes no wait states; but where nobody had
//! left it when the last one entered, all were there at that moment, and what made a rank late
//! afterwards happened afterwards.

use mpiscope_model::{CollectiveOp, Timestamp};

use super::Known;

/// Returns when the last rank entered MPI_Init, if all have called it and none had left it by then.
/// Worlds that begin apart, as spawned ones do, were never in it together.
pub(super) fn all_in_init(known: &Known) -> Option<Timestamp> {
    let mut all = known.matching.collectives.iter();
    let init = all.find(|it| it.op == CollectiveOp::Init && it.complete)?;
    let members = || known.matching.members_of(init).iter();
    let time = |event: mpiscope_model::EventRef| {
        known.lines[event.location.index()].times[event.index as usize]
    };
    let entered = members().map(|it| time(it.enter)).max()?;
    let left = members().map(|it| time(it.exit)).min()?;
    (entered <= left).then_some(entered)
}
