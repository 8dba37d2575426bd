//! What mending each loss of the verdict would gain: which change of a replay is that mending, by
//! what kind of loss it is. The change is said in the options of `mpiscope whatif`, read as it reads
//! them, so that whoever types them is told the same.

use mpiscope_analysis::profile::{Activity, Statement};
use mpiscope_analysis::races::CallPlace;
use mpiscope_analysis::verdict::{Doubt, Kind, Loss, Verdict};
use mpiscope_analysis::whatif::Replay;
use mpiscope_archive::model::{Matching, Trace};
use serde::{Deserialize, Serialize};

use crate::report::show;
use crate::whatif::names::typed;
use crate::whatif::{tried, Mending};

/// Events of a trace of which gains are told unasked, at most: a replay reads all of it again.
pub const FEW: usize = 1_000_000;

/// What mending one loss would gain.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gain {
    /// The change, and what the run would take; nothing if that cannot be told.
    pub mending: Option<Mending>,
    /// Why not.
    pub no_mending: Option<String>,
    /// No more than that is to be had: nothing takes no time, and ranks that lacked processors take
    /// them from each other where they compute at once.
    #[serde(default)]
    pub at_most: bool,
}

/// Returns the gain of each loss of a verdict, in its order; of a trace that may have been replayed
/// already.
pub fn all(
    trace: &Trace,
    matching: &Matching,
    verdict: &Verdict,
    asked: bool,
    replay: Option<Replay>,
) -> Vec<Gain> {
    let events = trace.event_count();
    let none = |why: String| Gain {
        mending: None,
        no_mending: Some(why),
        at_most: false,
    };
    let losses = verdict.losses.iter();
    if events > FEW && !asked {
        let why = format!(
            "not looked for in {} events, which are more than {}: --gains does",
            show::count(events as u64),
            show::count(FEW as u64)
        );
        return losses.map(|_| none(why.clone())).collect();
    }
    let mendings = |loss: &Loss| match verdict.lacks_members() {
        true => Err(MEMBERS),
        false => mendings(trace, loss),
    };
    let changes: Vec<Result<Vec<Options>, &str>> = losses.map(mendings).collect();
    let lacks_processor = |it: &Doubt| matches!(it, Doubt::WithoutProcessor { .. });
    let lack_processors = verdict.doubts.iter().any(lacks_processor);
    // Nothing is replayed where no loss can be.
    let is_any = changes.iter().any(Result::is_ok);
    let replay = replay.filter(|_| is_any);
    let replay = replay.or_else(|| is_any.then(|| Replay::of(trace, matching)));
    let gain = |(options, loss): (Result<Vec<Options>, &str>, &Loss)| match (options, &replay) {
        (Err(why), _) => none(why.to_owned()),
        (Ok(options), replay) => {
            let of_loss = |it: &Replay| first(trace, it, &options, loss);
            let found = replay.as_ref().and_then(of_loss);
            Gain {
                no_mending: found.is_none().then(|| NO_CHANGE.to_owned()),
                at_most: (found.as_ref())
                    .is_some_and(|it| is_bound(it) || lack_processors && balances(it)),
                mending: found,
            }
        }
    };
    changes.into_iter().zip(&verdict.losses).map(gain).collect()
}

/// Of changes that gain less than this share of what one of those who lost it would, another is told:
/// what two ranks do equally much of, balance changes by chance alone.
const WORTH: f64 = 0.1;

/// Returns the first change that gains a good part of what was lost, and no more than that, but where
/// that is the most that there is to gain: what takes half the time gains something though nothing was
/// lost. If there is none, the first, unless that gains more.
fn first(trace: &Trace, replay: &Replay, all: &[Options], loss: &Loss) -> Option<Mending> {
    let tried = all.iter().filter_map(|it| tried(trace, replay, it));
    let tried: Vec<Mending> = tried.collect();
    let of_each = loss.lost.0 as f64 / loss.victims.len().max(1) as f64;
    let fits = |it: &Mending| it.gain_ns <= loss.lost.0 || is_bound(it);
    let is_worth =
        |it: &Mending| it.gain_ns > 0 && fits(it) && it.gain_ns as f64 >= WORTH * of_each;
    let at = tried.iter().position(is_worth).unwrap_or(0);
    tried.into_iter().nth(at).filter(fits)
}

const NO_CHANGE: &str = "cannot tell: no replay has a change that is its mending alone";

const MEMBERS: &str =
    "cannot tell: members of collective operations are not in the trace, and a replay \
    does not wait for them";

/// Options of `whatif`.
type Options = Vec<String>;

/// Returns the changes that mend a loss, the better one first; otherwise why there are none.
fn mendings(trace: &Trace, loss: &Loss) -> Result<Vec<Options>, &'static str> {
    const THREADS: &str = "cannot tell: what threads of a process wait for each other stays as it \
        was in a replay";
    const ONCE: &str = "cannot tell: how long MPI takes to begin is no change of the program";
    const IN_CALLS: &str =
        "cannot tell: whether nonblocking collective operations go on while ranks \
        compute is not in a trace";
    const PROGRESS: &str =
        "cannot tell: whether messages go on while ranks compute is not in a trace";
    const LOCKS: &str =
        "cannot tell: who had the lock of a window is not told, so waiting for one stays \
        as it was in a replay";
    const NAMELESS: &str = "cannot tell: it has no name by which it could be changed";
    let activity = loss.activity;
    let named = || activity.and_then(|it| typed(trace, &it));
    let network = || vec!["--latency=0".to_owned(), "--bandwidth=inf".to_owned()];
    let one = |options: Options| Some(vec![options]);
    let of_name = |options: fn(&str) -> Options| named().map(|it| vec![options(&it)]);
    let found = match (loss.kind, activity) {
        (Kind::StartUp, _) => return Err(ONCE),
        (Kind::SlowCompletion, _) => return Err(IN_CALLS),
        (Kind::LateProgress, _) => return Err(PROGRESS),
        (Kind::UnevenThreads, _) | (_, Some(Activity::Threads(_))) => return Err(THREADS),
        _ if is_for_lock(trace, loss) => return Err(LOCKS),
        (Kind::SlowRank, _) => slow_rank(loss).and_then(one),
        (Kind::SmallMessages, _) => small(trace, loss).map(|it| vec![[it, network()].concat()]),
        (Kind::Serialization, _) => waiting(trace, loss).map(|it| vec![no_wait(&it)]),
        (Kind::Transfer, Some(it)) if !is_on_file(trace, &it) => {
            named().map(|it| vec![network(), no_time(&it)])
        }
        (Kind::WrongOrder | Kind::Waiting, _) => of_name(no_wait),
        (Kind::Barrier, _) => of_name(|it| [no_wait(it), no_time(it)].concat()),
        (Kind::GrowingIterations | Kind::Contention, Some(it)) if !is_call(&it) => of_name(half),
        (_, Some(it)) if is_call(&it) => of_name(no_time),
        // What one rank alone does cannot be spread.
        _ => named().map(|it| vec![balance(&it), half(&it)]),
    };
    found.ok_or(NAMELESS)
}

/// Returns the name of what a statement calls.
fn called(trace: &Trace, place: CallPlace) -> &str {
    let region = place
        .region
        .and_then(|it| trace.definitions.regions.get(it.index()));
    region.map_or("", |it| &it.name)
}

/// Returns whether those who lost it waited for the lock of a window.
fn is_for_lock(trace: &Trace, loss: &Loss) -> bool {
    const LOCKED: [&str; 3] = ["MPI_Win_lock", "MPI_Win_unlock", "MPI_Win_flush"];
    loss.events.is_some_and(|[_, effect]| {
        let name = called(trace, CallPlace::of(trace, effect));
        LOCKED.iter().any(|it| name.starts_with(it))
    })
}

/// Returns whether a call is one on a file, for which no network is known to be.
fn is_on_file(trace: &Trace, activity: &Activity) -> bool {
    matches!(activity, Activity::Mpi(it) if called(trace, it.place).starts_with("MPI_File_"))
}

/// All calls of small messages take no time.
fn small(trace: &Trace, loss: &Loss) -> Option<Options> {
    let all = loss.activity.iter().chain(&loss.also);
    let named: Option<Vec<String>> = all.map(|it| typed(trace, it)).collect();
    Some(named?.iter().flat_map(|it| no_time(it)).collect())
}

fn is_call(activity: &Activity) -> bool {
    matches!(activity, Activity::Mpi(_))
}

fn balance(name: &str) -> Options {
    vec![format!("--balance={name}")]
}

fn half(name: &str) -> Options {
    vec![format!("--scale={name}=0.5")]
}

fn no_time(name: &str) -> Options {
    vec![format!("--scale={name}=0")]
}

fn no_wait(name: &str) -> Options {
    vec![format!("--no-wait={name}")]
}

/// A slow rank computes as long as the others do in the mean.
fn slow_rank(loss: &Loss) -> Option<Options> {
    let (own, others) = loss.evidence.compared.filter(|it| it.0 .0 > 0)?;
    let factor = others.0.max(0) as f64 / own.0 as f64;
    let rank = loss.ranks.first()?;
    Some(vec![
        format!("--scale=computation={factor:.3}"),
        format!("--rank={rank}"),
    ])
}

/// Names the call in which was waited longest.
fn waiting(trace: &Trace, loss: &Loss) -> Option<String> {
    let [_, effect] = loss.events?;
    let statement = Statement {
        place: CallPlace::of(trace, effect),
        within: None,
    };
    typed(trace, &Activity::Mpi(statement))
}

fn time(ns: i64) -> String {
    show::duration(ns as f64)
}

/// Returns whether the change is as much as can be thought of: nothing takes no time.
fn is_bound(mending: &Mending) -> bool {
    let takes_no_time =
        |it: &str| it.ends_with("=0") && !it.starts_with("--rank=") || it.starts_with("--no-wait=");
    mending.options.iter().any(|it| takes_no_time(it))
}

fn balances(mending: &Mending) -> bool {
    let all = &mending.options;
    all.iter().any(|it| it.starts_with("--balance"))
}

/// Says it, in the words of `whatif`.
pub fn text(gain: &Gain) -> String {
    let Some(it) = &gain.mending else {
        let why = gain.no_mending.as_deref().unwrap_or_default();
        return format!("what mending it would gain: {why}");
    };
    let whole = it.predicted_ns.saturating_add(it.gain_ns);
    let share = |ns: i64, whole: i64| show::share(ns.max(0) as u64, whole.max(0) as u64);
    let of = |ns: i64| format!("{} of {} ({})", time(ns), time(whole), share(ns, whole));
    let said = match it.gain_ns {
        1.. => format!(
            "mending it would gain {}{}",
            if gain.at_most { "at most " } else { "" },
            of(it.gain_ns)
        ),
        0 => format!("mending it alone would gain nothing of {}", time(whole)),
        longer => format!(
            "mending it alone would gain nothing, and cost {}",
            of(longer.saturating_neg())
        ),
    };
    format!("{said}, if {}", it.change)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use mpiscope_analysis::profile::Profile;
    use mpiscope_analysis::verdict::{Certainty, Evidence};
    use mpiscope_archive::model::{Duration, Scheduled};

    use super::*;

    const PICTURE: &str = "
        0: 0 enter(MPI_Recv) !at(a.c:7) 52 recv<1 60 leave(MPI_Recv) 70 enter(f) 80 leave(f) \
           90 enter(MPI_Barrier) !at(a.c:9) 90 barrier{ 99 } 99 leave(MPI_Barrier) 100
        1: 0 50 enter(MPI_Send) !at(a.c:8) 50 send>0 54 leave(MPI_Send) \
           95 enter(MPI_Barrier) !at(a.c:9) 95 barrier{ 99 } 99 leave(MPI_Barrier) 100";

    /// A loss of that kind.
    fn loss(kind: Kind, activity: Activity, trace: &Trace) -> Loss {
        let profile = Profile::of(trace, &trace.matching());
        let waits = profile.waits.values().next().unwrap();
        Loss {
            kind,
            lost: Duration(50),
            ranks: vec![1],
            victims: vec![0],
            activity: Some(activity),
            also: Vec::new(),
            source: None,
            certainty: Certainty::Sure,
            evidence: Evidence {
                compared: Some((Duration(80), Duration(20))),
                ..Evidence::default()
            },
            events: Some([waits.longest.cause, waits.longest.call]),
        }
    }

    #[test]
    fn each_kind_of_loss_has_a_mending_or_a_reason_why_not() {
        let trace = Trace::parse(PICTURE).unwrap();
        let matching = trace.matching();
        let replay = Replay::of(&trace, &matching);
        let named = |name: &str| {
            let mut all = replay.activities.iter();
            *all.find(|it| typed(&trace, it).as_deref() == Some(name))
                .unwrap()
        };
        let [work, send, receive, barrier] = [
            "..MPI_Send@a.c:8",
            "MPI_Send@a.c:8",
            "MPI_Recv@a.c:7",
            "MPI_Barrier@a.c:9",
        ]
        .map(named);
        let rows = [
            (Kind::GrowingIterations, work),
            (Kind::GrowingIterations, send),
            (Kind::SmallMessages, send),
            (Kind::WrongOrder, receive),
            (Kind::Contention, work),
            (Kind::Barrier, barrier),
            (Kind::FileAccess, send),
            (Kind::SlowRank, work),
            (Kind::Serialization, work),
            (Kind::LateSenderChain, work),
            (Kind::UnevenComputation, named("f")),
            (Kind::UnevenThreads, work),
            (Kind::SlowCall, send),
            (Kind::Waiting, receive),
            (Kind::Transfer, send),
            (Kind::StartUp, send),
            (Kind::UnevenComputation, Activity::Unrecorded),
        ];
        let said = rows.map(|(kind, activity)| {
            let verdict = Verdict {
                losses: vec![loss(kind, activity, &trace)],
                ..Verdict::default()
            };
            let gains = all(&trace, &matching, &verdict, false, None);
            format!("{}: {}", kind.name(), text(&gains[0]))
        });
        expect![[r#"
            growing_iterations: mending it would gain 25 ns of 100 ns (25 %), if ..MPI_Send@a.c:8 takes 0.5 times as long
            growing_iterations: mending it would gain at most 4 ns of 100 ns (4 %), if MPI_Send@a.c:8 takes no time of its own
            small_messages: mending it would gain at most 8 ns of 100 ns (8 %), if MPI_Send@a.c:8 takes no time of its own and the latency is 0 ns and the bandwidth is infinite
            wrong_order: mending it alone would gain nothing of 100 ns, if nobody waits in MPI_Recv@a.c:7
            contention: mending it would gain 25 ns of 100 ns (25 %), if ..MPI_Send@a.c:8 takes 0.5 times as long
            barrier: mending it would gain at most 4 ns of 100 ns (4 %), if MPI_Barrier@a.c:9 takes no time of its own and nobody waits in MPI_Barrier@a.c:9
            file_access: mending it would gain at most 4 ns of 100 ns (4 %), if MPI_Send@a.c:8 takes no time of its own
            slow_rank: mending it would gain 42 ns of 100 ns (42 %), if computation takes 0.25 times as long on rank 1
            serialization: mending it alone would gain nothing of 100 ns, if nobody waits in MPI_Recv@a.c:7
            late_sender_chain: mending it would gain 25 ns of 100 ns (25 %), if ..MPI_Send@a.c:8 takes 0.5 times as long
            uneven_computation: mending it alone would gain nothing of 100 ns, if f is balanced
            uneven_threads: what mending it would gain: cannot tell: what threads of a process wait for each other stays as it was in a replay
            slow_call: mending it would gain at most 4 ns of 100 ns (4 %), if MPI_Send@a.c:8 takes no time of its own
            waiting: mending it alone would gain nothing of 100 ns, if nobody waits in MPI_Recv@a.c:7
            transfer: mending it would gain at most 4 ns of 100 ns (4 %), if the latency is 0 ns and the bandwidth is infinite
            start_up: what mending it would gain: cannot tell: how long MPI takes to begin is no change of the program
            uneven_computation: what mending it would gain: cannot tell: it has no name by which it could be changed"#]].assert_eq(&said.join("\n"));
    }

    /// What computes for half the time gains, though next to nothing was lost to it.
    #[test]
    fn no_mending_gains_more_than_was_lost() {
        let trace = Trace::parse(PICTURE).unwrap();
        let matching = trace.matching();
        let replay = Replay::of(&trace, &matching);
        let mut all = replay.activities.iter();
        let work = all.find(|it| typed(&trace, it).as_deref() == Some("..MPI_Send@a.c:8"));
        let rows = [
            (Kind::UnevenComputation, 50),
            (Kind::UnevenComputation, 10),
            (Kind::GrowingIterations, 50),
            (Kind::GrowingIterations, 10),
        ];
        let said = rows.map(|(kind, lost)| {
            let of_kind = loss(kind, *work.unwrap(), &trace);
            let verdict = Verdict {
                losses: vec![Loss {
                    lost: Duration(lost),
                    ..of_kind
                }],
                ..Verdict::default()
            };
            text(&super::all(&trace, &matching, &verdict, false, None)[0])
        });
        expect![[r#"
            mending it would gain 25 ns of 100 ns (25 %), if ..MPI_Send@a.c:8 takes 0.5 times as long
            mending it alone would gain nothing of 100 ns, if ..MPI_Send@a.c:8 is balanced
            mending it would gain 25 ns of 100 ns (25 %), if ..MPI_Send@a.c:8 takes 0.5 times as long
            what mending it would gain: cannot tell: no replay has a change that is its mending alone"#]].assert_eq(&said.join("\n"));
    }

    #[test]
    fn only_what_takes_no_time_is_the_utmost() {
        let told = |options: &[&str]| {
            is_bound(&Mending {
                kind: crate::whatif::Kind::Scale,
                change: String::new(),
                options: options.iter().map(|it| (*it).to_owned()).collect(),
                predicted_ns: 0,
                gain_ns: 1,
            })
        };
        for options in [
            &["--scale=f=0"] as &[&str],
            &["--no-wait=f"],
            &["--latency=0", "--bandwidth=inf"],
        ] {
            assert!(told(options), "{options:?}");
        }
        for options in [
            &["--scale=f=0.5"] as &[&str],
            &["--balance=f"],
            &["--scale=computation=0.25", "--rank=0"],
        ] {
            assert!(!told(options), "{options:?}");
        }
    }

    #[test]
    fn what_gains_nothing_and_what_costs_is_told_so() {
        let gain = |gain_ns: i64| Gain {
            mending: Some(Mending {
                kind: crate::whatif::Kind::Balance,
                change: "f is balanced".to_owned(),
                options: Vec::new(),
                predicted_ns: 100 - gain_ns,
                gain_ns,
            }),
            no_mending: None,
            at_most: false,
        };
        let said = [40, 0, -10].map(|ns| text(&gain(ns)));
        expect![[r#"
            mending it would gain 40 ns of 100 ns (40 %), if f is balanced
            mending it alone would gain nothing of 100 ns, if f is balanced
            mending it alone would gain nothing, and cost 10 ns of 100 ns (10 %), if f is balanced"#]].assert_eq(&said.join("\n"));
        let most = text(&Gain {
            at_most: true,
            ..gain(40)
        });
        assert!(
            most.starts_with("mending it would gain at most 40 ns"),
            "{most}"
        );
    }

    #[test]
    fn ranks_that_lacked_processors_gain_by_balance_what_is_predicted_at_most() {
        // Rank 1 computes for 80 ns, rank 0 for 20.
        let mut trace = Trace::parse(
            "0: 0 enter(MPI_Barrier) !at(a.c:7) 0 barrier{ 0 } 0 leave(MPI_Barrier) 20 enter(MPI_Barrier) !at(a.c:9) 20 barrier{ 80 } 80 leave(MPI_Barrier) 80
             1: 0 enter(MPI_Barrier) !at(a.c:7) 0 barrier{ 0 } 0 leave(MPI_Barrier) 80 enter(MPI_Barrier) !at(a.c:9) 80 barrier{ 80 } 80 leave(MPI_Barrier) 80",
        )
        .unwrap();
        let told = |trace: &Trace| -> String {
            let matching = trace.matching();
            let profile = Profile::of(trace, &matching);
            let verdict = Verdict::of(trace, &matching, &profile);
            text(&all(trace, &matching, &verdict, false, None)[0])
        };
        let said = told(&trace);
        assert!(
            said.starts_with("mending it would gain 30 ns of 80 ns"),
            "{said}"
        );
        for process in &mut trace.definitions.processes {
            process.scheduled = Some(Scheduled {
                delay: Duration(20),
                processors: 2,
            });
        }
        let said = told(&trace);
        assert!(
            said.starts_with("mending it would gain at most 30 ns of 80 ns"),
            "{said}"
        );
    }
}
