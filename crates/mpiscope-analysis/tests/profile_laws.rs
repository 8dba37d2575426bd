//! Laws of wait states, the critical path and the profile, on programs of a few
//! ranks whose times follow from what they do; `damage.rs` looks at others.

mod common;

use std::collections::BTreeMap;

use common::{sums, together};
use mpiscope_analysis::clock_errors::{ClockErrors, HalfWidths, Resolution};
use mpiscope_analysis::critical_path::{critical_path, Step};
use mpiscope_analysis::profile::{Asked, Profile};
use mpiscope_analysis::wait_states::wrong_order::wrong_order;
use mpiscope_analysis::wait_states::{wait_states, Kind, WaitState};
use mpiscope_model::{Duration, EventKind, EventRef, LocationIndex, Timestamp, Trace};
use proptest::prelude::*;

/// Clocks that any of a few locations may share, and that are wrong by any few nanoseconds in each of
/// three windows.
fn clock_errors() -> impl Strategy<Value = ClockErrors> {
    let clock_of = prop::collection::vec(prop::option::weighted(0.95, 0..3u32), 8);
    let widths = prop::collection::vec(prop::option::weighted(0.95, 0..9i64), 3);
    let windows = prop::collection::vec(widths, 3);
    (clock_of, windows, -5..20i64, 1..40i64).prop_map(|(clock_of, windows, begin, window)| {
        let half_widths = |widths: Vec<Option<i64>>| HalfWidths {
            of_clock: widths.into_iter().map(|it| it.map(Duration)).collect(),
            pairs: Vec::new(),
        };
        ClockErrors {
            clock_of,
            begin: Timestamp(begin),
            window: Duration(window),
            windows: windows.into_iter().map(half_widths).collect(),
        }
    })
}

/// What errors of clocks can do to a sum of wait states at worst, by trying all signs that they can
/// have in each window.
fn worst(trace: &Trace, errors: &ClockErrors, states: &[&WaitState]) -> Resolution {
    let mut found = Resolution::default();
    let mut windows: BTreeMap<i64, Vec<[usize; 2]>> = BTreeMap::new();
    for state in states {
        let window = (state.end - errors.begin)
            .0
            .div_euclid(errors.window.0)
            .clamp(0, 2);
        let clock = |of: EventRef| errors.clock_of[of.location.index()].map(|it| it as usize);
        let of_clock = &errors.windows[window as usize].of_clock;
        let clocks = clock(state.call).zip(clock(state.cause));
        let half_width = clocks.and_then(|(a, b)| match a == b {
            true => Some(0),
            false => Some(of_clock[a]?.0 + of_clock[b]?.0),
        });
        match (half_width, clocks) {
            (Some(half_width), Some((a, b)))
                if half_width < state.duration().0 && !is_at_its_end(trace, state, half_width) =>
            {
                windows.entry(window).or_default().push([a, b]);
            }
            (Some(_), _) => {
                found.below_times += 1;
                found.below += state.duration();
            }
            _ => {
                found.unknown_times += 1;
                found.unknown += state.duration();
            }
        }
    }
    for (window, waits) in windows {
        let width = |clock: usize| errors.windows[window as usize].of_clock[clock];
        let error = |signs: u32, clock: usize| match (signs >> clock) & 1 {
            0 => width(clock).map_or(0, |it| it.0),
            _ => -width(clock).map_or(0, |it| it.0),
        };
        let of_signs = |signs: u32| -> i64 {
            let each = waits.iter().map(|[waiting, cause]| match waiting == cause {
                true => 0,
                false => error(signs, *cause) - error(signs, *waiting),
            });
            each.sum()
        };
        found.half_width += Duration((0..8).map(of_signs).max().unwrap_or(0));
    }
    found
}

/// Whether a receiver came when the send that waited for it ended, as far as clocks tell.
fn is_at_its_end(trace: &Trace, state: &WaitState, half_width: i64) -> bool {
    if state.kind != Kind::LateReceiver || half_width == 0 {
        return false;
    }
    let events = &trace.locations[state.call.location.index()].events;
    let after = state.call.index as usize..;
    let mut kinds = events.kinds()[after.clone()].iter();
    let leaves = kinds.position(|it| *it == EventKind::Leave);
    let end = events.times()[after][leaves.expect("sends end")];
    (end - state.end).0 <= half_width
}

/// What one or all ranks do next.
#[derive(Clone, Debug)]
enum Act {
    Work(usize, i64),
    /// From, to, and whether the sender waits for the receiver.
    Message(usize, usize, bool),
    Barrier,
    Bcast(usize),
    Reduce(usize),
}

fn acts(ranks: usize) -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        4 => (0..ranks, 1..20i64).prop_map(|(rank, time)| Act::Work(rank, time)),
        4 => (0..ranks, 1..ranks, any::<bool>())
            .prop_map(move |(from, by, sync)| Act::Message(from, (from + by) % ranks, sync)),
        1 => Just(Act::Barrier),
        1 => (0..ranks).prop_map(Act::Bcast),
        1 => (0..ranks).prop_map(Act::Reduce),
    ];
    prop::collection::vec(act, 1..14)
}

/// The ranks' clocks, and what each has done, as the fixture language has it.
struct Machine {
    now: Vec<i64>,
    done: Vec<String>,
}

impl Machine {
    /// Runs a program in which whatever is sent takes a tick to arrive.
    fn run(ranks: usize, acts: &[Act]) -> Trace {
        let mut machine = Machine {
            now: vec![0; ranks],
            done: (0..ranks).map(|rank| format!("{rank}: 0")).collect(),
        };
        acts.iter().for_each(|act| machine.act(act));
        let ends = machine.done.iter().zip(&machine.now);
        let lines: Vec<String> = ends
            .map(|(done, now)| format!("{done} {}", now + 1))
            .collect();
        Trace::parse(&lines.join("\n")).unwrap()
    }

    fn act(&mut self, act: &Act) {
        let last = self.now.iter().max().unwrap() + 1;
        match *act {
            Act::Work(rank, time) => self.now[rank] += time,
            Act::Message(from, to, sync) => {
                let (sent, posted) = (self.now[from] + 1, self.now[to] + 1);
                let arrived = posted.max(sent + 1);
                let left = if sync { posted.max(sent) } else { sent } + 1;
                self.call(from, "MPI_Send", &format!("send>{to}"), sent, left);
                self.call(
                    to,
                    "MPI_Recv",
                    &format!("{arrived} recv<{from}"),
                    posted,
                    arrived + 1,
                );
            }
            Act::Barrier => self.all(|_| (last, "barrier".into())),
            Act::Bcast(root) => {
                let sent = self.now[root] + 1;
                self.all(|rank| match rank == root {
                    true => (0, format!("bcast(root={root},received=0)")),
                    false => (sent, format!("bcast(root={root},sent=0)")),
                });
            }
            Act::Reduce(root) => self.all(|rank| match rank == root {
                true => (last, format!("reduce(root={root},sent=0)")),
                false => (0, format!("reduce(root={root},received=0)")),
            }),
        }
    }

    fn call(&mut self, rank: usize, name: &str, what: &str, begin: i64, end: i64) {
        let time = if what.starts_with("send") {
            begin.to_string()
        } else {
            String::new()
        };
        self.done[rank] += &format!(" {begin} enter({name}) {time} {what} {end} leave({name})");
        self.now[rank] = end;
    }

    /// Lets all meet; each needs something that comes at its own time.
    fn all(&mut self, part: impl Fn(usize) -> (i64, String)) {
        for rank in 0..self.now.len() {
            let begin = self.now[rank] + 1;
            let (needs, operation) = part(rank);
            let end = begin.max(needs) + 1;
            self.done[rank] += &format!(" {begin} {operation}{{ {end} }}");
            self.now[rank] = end;
        }
    }
}

/// Who waits at this tick, for whom.
fn waits_at(states: &[WaitState], at: LocationIndex, tick: i64) -> Option<&WaitState> {
    let mut of = states.iter().filter(|state| state.call.location == at);
    of.find(|state| state.begin.0 < tick && tick <= state.end.0)
}

/// Walks back tick by tick, as the definition says.
fn by_ticks(trace: &Trace, states: &[WaitState]) -> Vec<LocationIndex> {
    let end = |at: &usize| trace.locations[*at].events.times().last().copied();
    let last = (0..trace.locations.len()).rev().max_by_key(end).unwrap();
    let mut at = LocationIndex(last as u32);
    let ticks = (1..=end(&last).unwrap().0).rev();
    let mut path: Vec<LocationIndex> = ticks
        .map(|tick| {
            while let Some(state) = waits_at(states, at, tick) {
                at = state.cause.location;
            }
            at
        })
        .collect();
    path.reverse();
    path
}

/// Returns the entry of a message's call, which is the event before it.
fn before(event: EventRef) -> EventRef {
    EventRef {
        index: event.index - 1,
        ..event
    }
}

/// Returns the receives that waited for a late sender although the sender of a message that is
/// received later had entered its send before, and whether one of the same rank had: by the text
/// alone.
fn receives_in_wrong_order(trace: &Trace) -> Vec<(EventRef, i64, bool)> {
    let messages = trace.matching().messages;
    let mut found: Vec<_> = Vec::new();
    for late in &messages {
        let (enter, came) = (before(late.receive), trace.time(before(late.send)));
        let later = messages.iter().filter(|it| {
            it.receive.location == late.receive.location && it.receive.index > late.receive.index
        });
        let there: Vec<_> = later
            .filter(|it| trace.time(before(it.send)) < came)
            .collect();
        let wait = came.0 - trace.time(enter).0;
        let same = (there.iter()).any(|it| it.send.location == late.send.location);
        if wait > 0 && !there.is_empty() {
            found.push((enter, wait, same));
        }
    }
    found.sort();
    found
}

/// Whether a location receives something, or takes part in an operation, between two of its events.
fn acts_between(trace: &Trace, after: EventRef, before: EventRef) -> bool {
    let kinds = trace.locations[after.location.index()].events.kinds();
    let between = &kinds[after.index as usize + 1..before.index as usize];
    let acts = [EventKind::MpiRecv, EventKind::MpiCollectiveBegin];
    between.iter().any(|kind| acts.contains(kind))
}

/// Of sends, which last until the receiver has come where they are synchronous, and one tick else: the
/// wait ends before the call does.
fn sends_in_wrong_order(trace: &Trace) -> Vec<(EventRef, i64, bool)> {
    let messages = trace.matching().messages;
    let mut found: Vec<_> = Vec::new();
    for late in &messages {
        let (enter, came) = (before(late.send), trace.time(before(late.receive)));
        let leave = EventRef {
            index: late.send.index + 1,
            ..late.send
        };
        let later = messages
            .iter()
            .filter(|it| it.send.location == late.send.location && it.send.index > late.send.index);
        let later = later.filter(|it| !acts_between(trace, late.send, it.send));
        let there: Vec<_> = later
            .filter(|it| trace.time(before(it.receive)) < came)
            .collect();
        let wait = came.0 - trace.time(enter).0;
        let same = (there.iter()).any(|it| it.receive.location == late.receive.location);
        if wait > 0 && came <= trace.time(leave) && !there.is_empty() {
            found.push((enter, wait, same));
        }
    }
    found.sort();
    found
}

/// Returns how long each receive had to wait for its sender, by the text alone:
/// its entry is the event before it, and so is its sender's.
fn late_senders(trace: &Trace) -> Vec<(EventRef, i64)> {
    let messages = trace.matching().messages;
    let late = messages.iter().map(|message| {
        let (enter, sent) = (before(message.receive), before(message.send));
        (enter, trace.time(sent).0 - trace.time(enter).0)
    });
    let mut late: Vec<_> = late.filter(|(_, wait)| *wait > 0).collect();
    late.sort();
    late
}

fn programs() -> impl Strategy<Value = Trace> {
    let of = |ranks| acts(ranks).prop_map(move |acts| Machine::run(ranks, &acts));
    (2..5usize).prop_flat_map(of)
}

proptest! {
    #[test]
    fn the_critical_path_is_the_one_that_ticks_find(trace in programs()) {
        let states = wait_states(&trace, &trace.matching());
        let path = critical_path(&trace);
        prop_assert_eq!(path.contradictions, 0);
        let of_tick = |step: &Step| {
            vec![step.location; (step.end - step.begin).0 as usize]
        };
        let ticks: Vec<_> = path.steps.iter().flat_map(of_tick).collect();
        prop_assert_eq!(&ticks, &by_ticks(&trace, &states));
        for (tick, &at) in (1..).zip(&ticks) {
            prop_assert!(waits_at(&states, at, tick).is_none(), "waits at {}", tick);
        }
    }

    #[test]
    fn processes_that_share_a_trace_agree(trace in programs(), errors in clock_errors()) {
        prop_assert!(together::agree(&trace, &errors));
    }

    #[test]
    fn receives_wait_as_long_as_their_senders_are_late(trace in programs()) {
        let states = wait_states(&trace, &trace.matching());
        prop_assert!(states.iter().all(|state| !state.contradicts));
        let found = states.iter().filter(|state| state.kind == Kind::LateSender);
        let found: Vec<_> = found.map(|state| (state.call, state.duration().0)).collect();
        prop_assert_eq!(found, late_senders(&trace));
    }

    #[test]
    fn calls_in_wrong_order_are_those_that_the_definition_names(trace in programs()) {
        let found = wrong_order(&trace, &trace.matching());
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.wait.call, it.wait.duration().0, it.same_rank))
            .collect();
        let sides = [receives_in_wrong_order(&trace), sends_in_wrong_order(&trace)];
        prop_assert_eq!(found, sides.concat());
    }

    #[test]
    fn sums_are_open_by_the_worst_that_errors_of_clocks_can_do(
        trace in programs(),
        errors in clock_errors(),
    ) {
        let asked = Asked { causes: false, errors, ..Asked::default() };
        let profile = Profile::asked(&trace, &trace.matching(), &asked);
        let states = wait_states(&trace, &trace.matching());
        let found = profile.waiting_of_ranks.resolution;
        let worst = |states: &[&WaitState]| worst(&trace, &asked.errors, states);
        prop_assert_eq!(found, worst(&states.iter().collect::<Vec<_>>()));
        // Each by itself, as the tables have it.
        let own = states.iter().map(|it| asked.errors.of_wait(&trace, it));
        let own: Vec<_> = own.collect();
        let below = own.iter().flatten().filter(|it| it.is_below).count();
        prop_assert_eq!(below as u64, found.below_times);
        let unknown = own.iter().filter(|it| it.is_none()).count();
        prop_assert_eq!(unknown as u64, found.unknown_times);
        for (kind, count) in &profile.waiting_of_kinds {
            let of_kind: Vec<_> = states.iter().filter(|it| it.kind == *kind).collect();
            prop_assert_eq!(count.resolution, worst(&of_kind));
        }
        for (rank, sum) in (0..).zip(&profile.ranks) {
            let own: Vec<_> = states.iter().filter(|it| it.call.location.0 == rank).collect();
            let below = worst(&own);
            prop_assert!(sum.resolution.half_width >= below.half_width);
            let rest = Resolution { half_width: below.half_width, ..sum.resolution };
            prop_assert_eq!(rest, below);
        }
    }

    #[test]
    fn sums_agree_with_each_other(trace in programs()) {
        sums::agree(&trace)?;
    }
}
