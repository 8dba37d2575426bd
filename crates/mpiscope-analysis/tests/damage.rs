//! Whatever a trace holds, facts come out of it, or none; never a panic.

mod common;

use common::{sums, together};
use mpiscope_analysis::breakdown::{Breakdown, By, Selection};
use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::errors::errors;
use mpiscope_analysis::profile::{Asked, Profile};
use mpiscope_analysis::races::Races;
use mpiscope_analysis::scaling::{found_kind, scale, Kind, Run};
use mpiscope_analysis::verdict::Verdict;
use mpiscope_analysis::whatif::{Changes, Replay};
use mpiscope_model::{Duration, Trace};
use proptest::prelude::*;

/// Pieces of traces, in any order and number.
const PIECES: &[&str] = &[
    "send>0",
    "send>1",
    "send>9",
    "send>1(comm=row,tag=3)",
    "send>0(comm=bridge)",
    "isend>1#1",
    "recv<0(any)",
    "recv<1(any,anytag)",
    "recv<7(any)",
    "recv<1(any,comm=bridge)",
    "irecv#1",
    "irecv#2 !posted(any,cap=3,sig=4)",
    "wait<0#1(any)",
    "wait<1#2",
    "wait#1",
    "cancel#2",
    "probe<0(any)",
    "probe<1#3(any)",
    "recv<1#3",
    "enter(MPI_Recv) !posted(any) !at(a.c:1)",
    "enter(MPI_Wait)",
    "leave(MPI_Recv)",
    "enter(MPI_Barrier)",
    "enter(MPI_Finalize)",
    "?{ !posted(0)",
    "barrier{",
    "}",
    "bcast(root=7){",
    "}scan !sig(3)",
    "scan(comm=row){",
    "icollective#4",
    "ibcast#4(root=0)",
    "bcast(root=self,comm=bridge){",
    "reduce(root=0,comm=bridge){",
    "!signal(1)",
    "!await(1)",
    "!await(2) !signal(2)",
    "off",
    "fork(2)",
    "comm_create(row)",
];

fn location(name: &'static str) -> impl Strategy<Value = String> {
    let event = (0..60u32, prop::sample::select(PIECES));
    let events = prop::collection::vec(event, 0..15);
    events.prop_map(move |events| {
        let mut line = name.to_string();
        for (time, piece) in events {
            line += &format!(" {time} {piece}");
        }
        line + "\n"
    })
}

proptest! {
    #[test]
    fn processes_that_share_any_trace_agree(
        lines in (location("0:"), location("1:"), location("2:"), location("3:")),
    ) {
        let (a, b, c, d) = lines;
        if let Ok(trace) = Trace::parse(&format!("comm row: 1 2\n{a}{b}{c}{d}")) {
            together::agree(&trace, &ClockErrors::measured(&trace));
        }
    }

    #[test]
    fn any_trace_is_looked_at(
        lines in (location("0:"), location("0.1:"), location("1:"), location("2:")),
    ) {
        let (a, b, c, d) = lines;
        let text = format!("comm row: 1 2\ncomm bridge: 0 1 | 2\n{a}{b}{c}{d}");
        let Ok(trace) = Trace::parse(&text) else {
            return Ok(());
        };
        let matching = trace.matching();
        let races = Races::find(&trace, &matching);
        let list = races.list();
        prop_assert_eq!(list.len(), races.count());
        let counted: usize = list.iter().map(|race| race.alternatives.len()).sum();
        prop_assert_eq!(counted as u64, races.alternatives());
        let groups = races.groups(&trace);
        prop_assert_eq!(groups.iter().map(|group| group.races).sum::<u64>(), list.len() as u64);
        let sent: u64 = groups.iter().flat_map(|group| &group.senders).map(|s| s.alternatives).sum();
        prop_assert_eq!(sent, races.alternatives());
        errors(&trace, &matching);
        sums::agree(&trace)?;
        let profile = Profile::of(&trace, &matching);
        Verdict::of(&trace, &matching, &profile).words(&trace);
        let all = Breakdown::of(&trace, &matching, &Selection::all(&trace));
        for by in [By::Region, By::CallPath, By::Communicator] {
            all.table(&trace, &by);
        }
        let run = Run::of(&trace, &matching);
        let mut other = run.clone();
        other.measures.ranks += 1;
        let runs = [run, other];
        found_kind(&runs);
        for size in scale(&runs, Kind::Weak, None).iter().flat_map(|it| &it.sizes) {
            prop_assert!(size.scaling_efficiency.is_finite());
            let parallel = size.efficiency.map_or(0.0, |it| it.load_balance * it.communication);
            prop_assert!(parallel <= 1.0 + 1e-9, "{:?}", size);
        }
        let replay = Replay::of(&trace, &matching);
        if replay.left_out.circles == 0 {
            prop_assert_eq!(replay.run(&Changes::default()), replay.measured());
        }
        let profile = Profile::asked(&trace, &matching, &Asked {
            replay: Some(&replay),
            ..Asked::without_causes()
        });
        let phases = profile.phases.iter().map(|it| &it.within);
        for within in [&profile.within].into_iter().chain(phases) {
            let split = within.efficiency().and_then(|it| it.split.ok());
            let shares = split.map_or([0.0; 2], |it| [it.serialization, it.transfer]);
            prop_assert!(shares.iter().all(|it| (0.0..=1.0).contains(it)), "{:?}", within);
        }
        let mut changes = Changes::default();
        changes.balance(&replay, |it| replay.is_computation(it));
        changes.scale(&replay, 3.0, |rank, _| rank == 1);
        changes.latency = Some(Duration(7));
        changes.bandwidth = Some(0.5);
        replay.run(&changes);
    }
}
