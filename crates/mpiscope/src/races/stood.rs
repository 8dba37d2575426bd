//! Where each rank stood when a run ended that did not come to its end.

use std::borrow::Cow;

use mpiscope_analysis::errors::{self, Standing};
use mpiscope_archive::model::Trace;
use serde::{Deserialize, Serialize};

use crate::call::SourcePlace;
use crate::report::show;

/// Where a thread of a rank stood.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stood {
    /// World rank.
    pub rank: u32,
    /// Number of the location in the archive.
    pub location: u64,
    /// `in a call`, `between calls` or `finalized`.
    pub standing: Cow<'static, str>,
    /// The call that it was in, or the last one before.
    pub call: Option<SourcePlace>,
    /// Number of the event that entered it.
    pub event: Option<u32>,
    /// What the call waits for; nothing if that cannot be told.
    pub waits_for: Vec<WaitsFor>,
}

/// What has to be done for a call to return.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WaitsFor {
    /// World ranks that have to do it.
    pub ranks: Vec<u32>,
    /// One of them is enough.
    pub any: bool,
}

/// Lists where all stood.
pub fn stood(trace: &Trace, stands: &[errors::Stand]) -> Vec<Stood> {
    let stood = |stand: &errors::Stand| {
        let location = &trace.locations[stand.location.index()];
        let waits_for = stand.waits_for.iter().map(|waits| WaitsFor {
            ranks: waits.ranks.iter().map(|rank| rank.0).collect(),
            any: waits.any,
        });
        Stood {
            rank: location.rank.0,
            location: location.id,
            standing: Cow::Borrowed(match stand.standing {
                Standing::Within => IN_CALL,
                Standing::Outside => BETWEEN,
                Standing::Finalized => FINALIZED,
            }),
            call: stand.call.map(|call| SourcePlace::of(trace, call)),
            event: stand.call.map(|call| call.index),
            waits_for: waits_for.collect(),
        }
    };
    stands.iter().map(stood).collect()
}

const IN_CALL: &str = "in a call";
const BETWEEN: &str = "between calls";
const FINALIZED: &str = "finalized";

/// Writes a table, ranks that stood alike in one row.
pub fn table(all: &[Stood]) -> String {
    let mut rows: Vec<([String; 2], Vec<u32>)> = Vec::new();
    for stood in all {
        let row = [stood.place(), stood.shown_wait()];
        match rows.iter_mut().find(|(other, _)| *other == row) {
            Some((_, ranks)) => ranks.push(stood.rank),
            None => rows.push((row, vec![stood.rank])),
        }
    }
    let rows = rows.into_iter().map(|([place, wait], mut ranks)| {
        ranks.dedup();
        [show::ranges(&ranks), place, wait]
    });
    super::text::table(
        ["ranks", "stood at the end", "waits for"],
        rows.collect(),
        &[],
    )
}

impl Stood {
    /// Returns whether it came to MPI_Finalize.
    pub fn is_finalized(&self) -> bool {
        self.standing == FINALIZED
    }

    fn place(&self) -> String {
        let call = self.call.as_ref().map(SourcePlace::shown);
        match (&*self.standing, call) {
            (IN_CALL, Some(call)) => format!("in {call}"),
            (FINALIZED, _) => "at MPI_Finalize".to_owned(),
            (_, Some(call)) => format!("after {call}"),
            (_, None) => "not known".to_owned(),
        }
    }

    fn shown_wait(&self) -> String {
        let mut waits: Vec<String> = self.waits_for.iter().map(WaitsFor::shown).collect();
        waits.dedup();
        match (self.standing == IN_CALL, waits.is_empty()) {
            (false, _) => String::new(),
            (true, true) => "cannot be told".to_owned(),
            (true, false) => show::list(&waits, 4),
        }
    }
}

impl WaitsFor {
    /// Writes `rank 3`, `one of ranks 0-2`.
    pub fn shown(&self) -> String {
        let ranks = show::ranges(&self.ranks);
        match (self.ranks.len(), self.any) {
            (1, _) => format!("rank {ranks}"),
            (_, true) => format!("one of ranks {ranks}"),
            (_, false) => format!("ranks {ranks}"),
        }
    }
}
