//! What a trace does not tell of its messages and operations.
//!
//! Other tools leave things out: some have no wrapper for what completes a request, others write
//! collective operations as regions and nothing else, conversions put messages beside calls. Who
//! takes that for absent tells of programs that never wait. Ours tell all, and are not looked at.

mod pairwise;

use mpiscope_model::{EventKind, Events, LocationIndex, Matching, Processes, RegionId, Trace};

use crate::profile::traffic::{longer, longer_here};
use crate::sharers::Sharers;
use crate::timeline::{Regions, Timeline};

pub use pairwise::{untold_operations, untold_operations_among};

/// Why calls of MPI are not in a trace of ours, where [`Told::calls`](mpiscope_model::Told) says that they
/// are not.
pub const WHY_CALLS_LACK: &str =
    "(--filter, --only-mpi, made in callbacks, or with processes of another MPI_COMM_WORLD)";

/// What a trace lacks; all of it is 0 where it tells everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Sends.
    pub sends: u64,
    /// Receives.
    pub receives: u64,
    /// Sends that have no receive.
    pub unmatched_sends: u64,
    /// Nonblocking receives that were posted.
    pub posted: u64,
    /// Of these, how many have no end.
    pub unended: u64,
    /// Receives that no MPI can have made, and that their reader set aside.
    pub impossible: u64,
    /// Receives of more bytes than were sent.
    pub longer: u64,
    /// Sends and receives that stand in no call of MPI.
    pub outside: u64,
    /// Functions of MPI that do something by their name, and of which no call has an event of it.
    pub silent: Vec<Silent>,
}

/// A function of MPI of which nothing but its calls is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silent {
    /// The function.
    pub region: RegionId,
    /// What it should have told.
    pub need: Need,
    /// How often it was called.
    pub calls: u64,
}

/// What a function of MPI does for which it may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It receives a message.
    Receive,
    /// It completes requests.
    Complete,
    /// It looks for a message.
    Probe,
    /// It is a collective operation.
    Collective,
}

/// Functions that wait, without `MPI_` and in lower case, and for what.
const NEEDS: &[(Need, &[&str])] = &[
    (
        Need::Receive,
        &["recv", "mrecv", "sendrecv", "sendrecv_replace"],
    ),
    (Need::Complete, &["wait", "waitall", "waitany", "waitsome"]),
    (Need::Probe, &["probe", "mprobe"]),
    (
        Need::Collective,
        &[
            "allgather",
            "allgatherv",
            "allreduce",
            "alltoall",
            "alltoallv",
            "alltoallw",
            "barrier",
            "bcast",
            "exscan",
            "gather",
            "gatherv",
            "neighbor_allgather",
            "neighbor_allgatherv",
            "neighbor_alltoall",
            "neighbor_alltoallv",
            "neighbor_alltoallw",
            "reduce",
            "reduce_scatter",
            "reduce_scatter_block",
            "scan",
            "scatter",
            "scatterv",
        ],
    ),
];

impl Need {
    /// Returns what a function does by its name.
    pub fn of(name: &str) -> Option<Need> {
        let name = name.to_lowercase();
        let name = name.strip_prefix("mpi_")?;
        let name = name.strip_suffix("_c").unwrap_or(name);
        let row = NEEDS.iter().find(|(_, names)| names.contains(&name));
        row.map(|(need, _)| *need)
    }

    /// Returns whether an event tells of it.
    fn is_told_by(self, kind: EventKind) -> bool {
        use EventKind::*;
        match self {
            Need::Receive => matches!(kind, MpiRecv | MpiIrecv),
            Need::Complete => matches!(
                kind,
                MpiIrecv
                    | MpiIsendComplete
                    | MpiRequestTest
                    | MpiRequestCancelled
                    | NonBlockingCollectiveComplete
            ),
            Need::Probe => kind == MpiProbe,
            Need::Collective => kind == MpiCollectiveEnd,
        }
    }
}

/// OTF2's numbers of what receives a message.
const RECEIVES: [u32; 2] = [18, 19];

impl Evidence {
    /// Looks for what a trace lacks.
    pub fn of(trace: &Trace, matching: &Matching) -> Evidence {
        Evidence::among(trace, matching, None)
    }

    /// Does so together with other processes, if they share the events.
    pub fn among(
        trace: &Trace,
        matching: &Matching,
        processes: Option<&dyn Processes>,
    ) -> Evidence {
        if trace.definitions.told.posted {
            return Evidence::default();
        }
        let sharers = Sharers::of(trace, processes);
        let mut evidence = Evidence {
            longer: match sharers {
                None => longer(trace, matching).count() as u64,
                Some(sharers) => longer_here(trace, matching, sharers).len() as u64,
            },
            ..Evidence::default()
        };
        let regions = Regions::new(trace);
        let mut functions = Functions::new(trace);
        for (index, location) in (0..).map(LocationIndex).zip(&trace.locations) {
            let timeline = Timeline::new(trace, &regions, index);
            evidence.count(&location.events);
            if !location.is_thread() {
                continue;
            }
            for call in timeline.calls() {
                let events = call.enter as usize..=call.leave as usize;
                let kinds = &location.events.kinds()[events];
                evidence.outside = evidence.outside.saturating_sub(messages(kinds));
                if kinds[0] == EventKind::Enter {
                    let region = location.events.args()[call.enter as usize];
                    functions.called(region, kinds);
                }
            }
        }
        if let Some(sharers) = sharers {
            evidence.add_up(sharers.job());
            functions.add_up(sharers.job());
        }
        evidence.unmatched_sends = matching.counts().unmatched_sends;
        evidence.silent = functions.silent();
        evidence
    }

    /// Adds what others have counted among their events.
    fn add_up(&mut self, sharers: &dyn Processes) {
        let mut counts = [
            &mut self.sends,
            &mut self.receives,
            &mut self.posted,
            &mut self.unended,
            &mut self.impossible,
            &mut self.longer,
            &mut self.outside,
        ];
        let all = sharers.share_all(counts.iter().map(|count| **count).collect());
        for (place, count) in counts.iter_mut().enumerate() {
            **count = all.iter().map(|of_one| of_one[place]).sum();
        }
    }

    fn count(&mut self, events: &Events) {
        let of = |wanted: fn(EventKind) -> bool| {
            let kinds = events.kinds().iter();
            kinds.filter(|kind| wanted(**kind)).count() as u64
        };
        self.sends += of(is_send);
        self.receives += of(is_receive);
        let posted = of(|kind| kind == EventKind::MpiIrecvRequest);
        let ended =
            of(|kind| kind == EventKind::MpiIrecv || kind == EventKind::MpiRequestCancelled);
        self.posted += posted;
        self.unended += posted.saturating_sub(ended);
        self.outside += messages(events.kinds());
        let others = events.kinds().iter().zip(events.args());
        let set_aside =
            others.filter(|(kind, number)| **kind == EventKind::Other && RECEIVES.contains(number));
        self.impossible += set_aside.count() as u64;
    }

    /// Returns whether messages were received of which the trace does not tell.
    pub fn lacks_receives(&self) -> bool {
        let receives = |it: &Silent| matches!(it.need, Need::Receive | Need::Complete);
        let untold = self.unended > 0 || self.impossible > 0 || self.receives == 0;
        self.unmatched_sends > 0 && (untold || self.silent.iter().any(receives))
    }
}

fn is_send(kind: EventKind) -> bool {
    matches!(kind, EventKind::MpiSend | EventKind::MpiIsend)
}

fn is_receive(kind: EventKind) -> bool {
    matches!(kind, EventKind::MpiRecv | EventKind::MpiIrecv)
}

/// Counts sends and receives.
fn messages(kinds: &[EventKind]) -> u64 {
    let is_one = |kind: &&EventKind| is_send(**kind) || is_receive(**kind);
    kinds.iter().filter(is_one).count() as u64
}

/// How often functions were called, and how often their calls told what they did; by region.
struct Functions(Vec<Option<(Need, u64, u64)>>);

impl Functions {
    fn new(trace: &Trace) -> Functions {
        let regions = trace.definitions.regions.iter();
        let need = |name: &str| Need::of(name).map(|need| (need, 0, 0));
        Functions(regions.map(|region| need(&region.name)).collect())
    }

    fn called(&mut self, region: u32, kinds: &[EventKind]) {
        if let Some(Some((need, calls, told))) = self.0.get_mut(region as usize) {
            *calls += 1;
            *told += u64::from(kinds.iter().any(|kind| need.is_told_by(*kind)));
        }
    }

    /// Adds what others have counted among their events.
    fn add_up(&mut self, sharers: &dyn Processes) {
        let rows = |row: &Option<(Need, u64, u64)>| row.map_or((0, 0), |it| (it.1, it.2));
        let all = sharers.share_all(self.0.iter().map(rows).collect());
        for (place, row) in self.0.iter_mut().enumerate() {
            if let Some((_, calls, told)) = row {
                *calls = all.iter().map(|of_one| of_one[place].0).sum();
                *told = all.iter().map(|of_one| of_one[place].1).sum();
            }
        }
    }

    fn silent(self) -> Vec<Silent> {
        let functions = (0..).map(RegionId).zip(self.0);
        let silent = functions.filter_map(|(region, counted)| match counted {
            Some((need, calls, 0)) if calls > 0 => Some(Silent {
                region,
                need,
                calls,
            }),
            _ => None,
        });
        silent.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As if another tool had written it.
    fn foreign(picture: &str) -> Evidence {
        let mut trace = Trace::parse(picture).unwrap();
        trace.definitions.told.posted = false;
        Evidence::of(&trace, &trace.matching())
    }

    #[test]
    fn what_ours_do_not_tell_did_not_happen() {
        let trace = Trace::parse("0: 1 send>1\n1: 2 enter(MPI_Recv) 9 leave(MPI_Recv)").unwrap();
        assert_eq!(Evidence::of(&trace, &trace.matching()), Evidence::default());
    }

    #[test]
    fn calls_without_their_events_are_silent() {
        let evidence = foreign(
            "0: 1 enter(MPI_Send) 2 send>1 3 leave(MPI_Send) 4 enter(MPI_Barrier) 9 leave(MPI_Barrier)
             1: 1 enter(MPI_Recv) 3 leave(MPI_Recv) 4 enter(MPI_Barrier) 9 leave(MPI_Barrier)",
        );
        let silent: Vec<_> = evidence
            .silent
            .iter()
            .map(|it| (it.need, it.calls))
            .collect();
        assert_eq!(silent, [(Need::Collective, 2), (Need::Receive, 1)]);
        assert!(evidence.lacks_receives());
        assert_eq!((evidence.sends, evidence.outside), (1, 0));
    }

    #[test]
    fn messages_beside_calls_are_outside() {
        let evidence = foreign("0: 1 send>1 2\n1: 1 enter(MPI_Recv) 2 recv<0 3 leave(MPI_Recv)");
        assert_eq!((evidence.outside, evidence.silent.len()), (1, 0));
        assert!(!evidence.lacks_receives());
    }
}
