//! Root causes by their definitions, nanosecond by nanosecond and in fractions, against what is
//! found; and the laws that hold for every program.

mod common;

use std::collections::{BTreeMap, HashMap};

use common::halves;
use mpiscope_analysis::profile::{Activity, Profile};
use mpiscope_analysis::root_causes::RootCauses;
use mpiscope_analysis::wait_states::{wait_states, WaitState};
use mpiscope_model::{Event, Trace};
use proptest::prelude::*;

/// What one or all ranks do next.
#[derive(Clone, Debug)]
enum Act {
    /// A rank computes for so long.
    Work(usize, i64),
    /// The same in a region.
    Region(usize, usize, i64),
    /// It enters one of two regions, or leaves it if it is there.
    Toggle(usize, usize),
    /// From, to, and whether the sender waits for the receiver; at one of some lines.
    Message(usize, usize, bool, usize),
    Barrier(usize),
    /// A barrier of the first half, or of the second; the one in the middle is in both.
    Half(bool),
    /// One sends to all others of which the bit is set.
    Some(u8),
    Bcast(usize),
    Reduce(usize),
    Scan,
    /// Recording is off for so long.
    Off(usize, i64),
    /// All are in MPI_Init, until the last has come or, if the first bit is not set, each by itself;
    /// those of which the next bits are set a little longer.
    Init(u8),
}

fn acts(ranks: usize) -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        6 => (0..ranks, 1..20i64).prop_map(|(rank, time)| Act::Work(rank, time)),
        2 => (0..ranks, 0..2usize, 1..20i64).prop_map(|(rank, region, time)| Act::Region(rank, region, time)),
        2 => (0..ranks, 0..2usize).prop_map(|(rank, region)| Act::Toggle(rank, region)),
        6 => (0..ranks, 1..ranks, any::<bool>(), 0..3usize)
            .prop_map(move |(from, by, sync, line)| Act::Message(from, (from + by) % ranks, sync, line)),
        2 => (0..2usize).prop_map(Act::Barrier),
        2 => any::<bool>().prop_map(Act::Half),
        1 => any::<u8>().prop_map(Act::Some),
        1 => (0..ranks).prop_map(Act::Bcast),
        1 => (0..ranks).prop_map(Act::Reduce),
        1 => Just(Act::Scan),
        1 => (0..ranks, 1..9i64).prop_map(|(rank, time)| Act::Off(rank, time)),
        1 => any::<u8>().prop_map(Act::Init),
    ];
    prop::collection::vec(act, 1..30)
}

/// The ranks' clocks, and what each has done, as the fixture language has it.
struct Machine {
    now: Vec<i64>,
    done: Vec<String>,
    /// The regions that each is in, outermost first.
    open: Vec<Vec<usize>>,
    scale: i64,
    /// How many messages each sent to each, and how often all met.
    sent: HashMap<(usize, usize), usize>,
    met: usize,
    halves_met: [usize; 2],
}

impl Machine {
    /// Runs a program in which whatever is sent takes so many ticks to arrive.
    fn run(ranks: usize, acts: &[Act], scale: i64, latency: i64) -> Trace {
        let mut machine = Machine {
            now: (0..ranks as i64).map(|rank| rank % 3).collect(),
            done: (0..ranks).map(|rank| format!("{rank}:")).collect(),
            open: vec![Vec::new(); ranks],
            scale,
            sent: HashMap::new(),
            met: 0,
            halves_met: [0; 2],
        };
        (0..ranks).for_each(|rank| machine.say(rank, machine.now[rank], ""));
        acts.iter().for_each(|act| machine.act(act, latency));
        (0..ranks).for_each(|rank| machine.say(rank, machine.now[rank] + 1, ""));
        halves::trace(&machine.done)
    }

    fn say(&mut self, rank: usize, time: i64, what: &str) {
        self.done[rank] += &format!(" {} {what}", time * self.scale);
    }

    fn act(&mut self, act: &Act, latency: i64) {
        let last = *self.now.iter().max().unwrap();
        match *act {
            Act::Work(rank, time) => self.now[rank] += time,
            Act::Region(rank, region, time) => {
                self.say(rank, self.now[rank], &format!("enter(f{region})"));
                self.now[rank] += time;
                self.say(rank, self.now[rank], &format!("leave(f{region})"));
            }
            Act::Toggle(rank, region) => {
                let now = self.now[rank];
                match self.open[rank].iter().position(|it| *it == region) {
                    None => {
                        self.say(rank, now, &format!("enter(in{region})"));
                        self.open[rank].push(region);
                    }
                    Some(at) => {
                        for inner in self.open[rank].split_off(at).iter().rev() {
                            self.say(rank, now, &format!("leave(in{inner})"));
                        }
                    }
                }
            }
            Act::Message(from, to, sync, line) => {
                let (sent, posted) = (self.now[from], self.now[to]);
                let arrived = posted.max(sent + latency);
                let left = if sync { posted.max(sent) } else { sent } + latency;
                let number = self.number(from, to);
                let [send, receive] = [
                    format!("send>{to}({number})"),
                    format!("recv<{from}({number})"),
                ];
                self.call(from, "MPI_Send", line, &send, [sent, sent, left]);
                self.call(
                    to,
                    "MPI_Recv",
                    line,
                    &receive,
                    [posted, arrived, arrived + latency],
                );
            }
            Act::Barrier(line) => {
                let number = self.met;
                self.met += 1;
                for rank in 0..self.now.len() {
                    let end = last + latency;
                    let enter = format!("enter(MPI_Barrier) !at(a.c:{line})");
                    self.say(rank, self.now[rank], &enter);
                    self.say(rank, self.now[rank], &format!("barrier(seq={number}){{"));
                    self.say(rank, end, "}");
                    self.say(rank, end, "leave(MPI_Barrier)");
                    self.now[rank] = end;
                }
            }
            Act::Half(is_second) => {
                let (half, ranks) = match is_second {
                    false => ("first", 0..self.now.len() / 2 + 1),
                    true => ("second", self.now.len() / 2..self.now.len()),
                };
                let number = self.halves_met[usize::from(is_second)];
                self.halves_met[usize::from(is_second)] += 1;
                let last = ranks.clone().map(|rank| self.now[rank]).max().unwrap_or(0);
                for rank in ranks {
                    let begin = self.now[rank];
                    self.say(rank, begin, &format!("barrier(comm={half},seq={number}){{"));
                    self.say(rank, last + latency, "}");
                    self.now[rank] = last + latency;
                }
            }
            // One sends to all of them when it comes, each in a call of its own.
            Act::Some(bits) => {
                let is_one = |it: &usize| bits >> it & 1 == 1;
                let ranks: Vec<usize> = (0..self.now.len()).filter(is_one).collect();
                let Some(&last) = ranks.iter().max_by_key(|rank| self.now[**rank]) else {
                    return;
                };
                for &rank in ranks.iter().filter(|rank| **rank != last) {
                    self.act(&Act::Message(last, rank, false, 9), latency);
                }
            }
            Act::Bcast(root) => {
                let sent = self.now[root];
                self.all("bcast", latency, |rank| match rank == root {
                    true => (0, format!("root={root},received=0,")),
                    false => (sent, format!("root={root},sent=0,")),
                });
            }
            Act::Reduce(root) => self.all("reduce", latency, |rank| match rank == root {
                true => (last, format!("root={root},sent=0,")),
                false => (0, format!("root={root},received=0,")),
            }),
            Act::Scan => {
                let now = self.now.clone();
                self.all("scan", latency, |rank| {
                    let last = now[..=rank].iter().max();
                    (last.copied().unwrap_or(0), String::new())
                });
            }
            Act::Off(rank, time) => {
                self.say(rank, self.now[rank], "off");
                self.now[rank] += time;
                self.say(rank, self.now[rank], "on");
            }
            Act::Init(bits) => {
                for rank in 0..self.now.len() {
                    let come = if bits & 1 == 1 { last } else { self.now[rank] };
                    let end = come + i64::from(bits >> (rank + 1) & 1);
                    self.say(rank, self.now[rank], "enter(MPI_Init)");
                    self.say(rank, end, "leave(MPI_Init)");
                    self.now[rank] = end;
                }
            }
        }
    }

    fn call(&mut self, rank: usize, name: &str, line: usize, what: &str, at: [i64; 3]) {
        self.say(rank, at[0], &format!("enter({name}) !at(a.c:{line})"));
        self.say(rank, at[1], what);
        self.say(rank, at[2], &format!("leave({name})"));
        self.now[rank] = at[2];
    }

    fn number(&mut self, from: usize, to: usize) -> String {
        let sent = self.sent.entry((from, to)).or_default();
        *sent += 1;
        format!("seq={}", *sent - 1)
    }

    /// Lets all meet; each needs something that comes at its own time.
    fn all(&mut self, what: &str, latency: i64, part: impl Fn(usize) -> (i64, String)) {
        let number = self.met;
        self.met += 1;
        for rank in 0..self.now.len() {
            let begin = self.now[rank];
            let (needs, how) = part(rank);
            let end = begin.max(needs) + latency;
            self.say(rank, begin, &format!("{what}({how}seq={number}){{"));
            self.say(rank, end, "}");
            self.now[rank] = end;
        }
    }
}

/// What a rank does in a tick, and in which regions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Tick {
    Call(String, Vec<String>),
    Region(Vec<String>),
    Between(String, String),
    Unrecorded,
    Waits(usize),
}

impl Tick {
    /// Returns what it is compared with: the same by any path, and all computation in no region.
    fn group(&self) -> Tick {
        match self {
            Tick::Call(call, _) => Tick::Call(call.clone(), Vec::new()),
            Tick::Region(path) => Tick::Region(path.last().cloned().into_iter().collect()),
            Tick::Between(..) => Tick::Between(String::new(), String::new()),
            other => other.clone(),
        }
    }
}

/// Says what each location does in each tick, read off its events one by one.
fn ticks(trace: &Trace, states: &[WaitState], scale: i64, end: usize) -> Vec<Vec<Tick>> {
    let of = |location: usize| {
        let events = &trace.locations[location].events;
        let mut row = vec![Tick::Unrecorded; end];
        let (mut inside, mut around): (Option<String>, Vec<String>) = (None, Vec::new());
        let (mut last, mut is_off) = ("begin".to_owned(), false);
        let mut unnamed: Vec<usize> = Vec::new();
        for index in 0..events.len() {
            let event = events.event(index);
            let region =
                |it: mpiscope_model::RegionId| trace.definitions.regions[it.index()].name.clone();
            let site = || events.call_site(index).map_or(0, |it| it.0);
            let mut name_rest = |to: &str, last: &str| {
                for at in unnamed.drain(..) {
                    row[at] = Tick::Between(last.to_owned(), to.to_owned());
                }
            };
            match event {
                Event::Enter(it) if region(it).starts_with("MPI_") => {
                    let name = format!("{} {} {:?}", region(it), site(), around.last());
                    name_rest(&name, &last);
                    last.clone_from(&name);
                    inside = Some(name);
                }
                Event::Leave(it) if region(it).starts_with("MPI_") => inside = None,
                Event::Enter(it) => around.push(region(it)),
                Event::Leave(_) => drop(around.pop()),
                Event::MpiCollectiveBegin if inside.is_none() => {
                    let name = format!("operation {:?}", around.last());
                    name_rest(&name, &last);
                    last.clone_from(&name);
                    inside = Some(name);
                }
                Event::MpiCollectiveEnd(_)
                    if inside
                        .as_ref()
                        .is_some_and(|it| it.starts_with("operation")) =>
                {
                    inside = None;
                }
                Event::MeasurementOnOff(on) => {
                    if !on {
                        name_rest("end", &last);
                        // What comes next is told as what is at the begin.
                        last = "begin".to_owned();
                    }
                    is_off = !on;
                }
                _ => {}
            }
            let Some(next) = events.times().get(index + 1) else {
                name_rest("end", &last);
                break;
            };
            let time = |it: i64| (it / scale) as usize;
            let these = time(events.times()[index].0)..time(next.0);
            match (&inside, around.last()) {
                (Some(call), _) => row[these].fill(Tick::Call(call.clone(), around.clone())),
                _ if is_off => row[these].fill(Tick::Unrecorded),
                (None, Some(_)) => row[these].fill(Tick::Region(around.clone())),
                (None, None) => unnamed.extend(these),
            }
        }
        row
    };
    let mut rows: Vec<Vec<Tick>> = (0..trace.locations.len()).map(of).collect();
    for (number, state) in states.iter().enumerate() {
        let row = &mut rows[state.call.location.index()];
        for at in state.begin.0 / scale..state.end.0 / scale {
            row[at as usize] = Tick::Waits(number);
        }
    }
    rows
}

/// What is charged, in fractions of ticks.
#[derive(Default, Debug)]
struct Expected {
    costs: HashMap<(u32, Tick), [f64; 2]>,
    unrecorded: f64,
    indirect: f64,
    propagating: f64,
}

/// Returns when all were in their first MPI_Init, if that was at one moment.
fn all_in_init(trace: &Trace) -> Option<i64> {
    let region = |it: mpiscope_model::RegionId| &trace.definitions.regions[it.index()].name;
    let first = |location: &mpiscope_model::Location| {
        let events = &location.events;
        let is_init = |index: &usize, entered: bool| match events.event(*index) {
            Event::Enter(it) => entered && region(it) == "MPI_Init",
            Event::Leave(it) => !entered && region(it) == "MPI_Init",
            _ => false,
        };
        let time = |index: usize| events.times()[index].0;
        let find = |entered: bool| (0..events.len()).find(|it| is_init(it, entered));
        Some([time(find(true)?), time(find(false)?)])
    };
    let all: Option<Vec<[i64; 2]>> = trace.locations.iter().map(first).collect();
    let all = all?;
    let entered = all.iter().map(|it| it[0]).max()?;
    all.iter().all(|it| it[1] >= entered).then_some(entered)
}

/// What made a wait state's delayer late: by how much each tick exceeds, and waits.
struct Reasons {
    excess: Vec<(Tick, f64)>,
    waits: Vec<(usize, f64)>,
}

impl Reasons {
    fn of(
        trace: &Trace,
        rows: &[Vec<Tick>],
        states: &[WaitState],
        number: usize,
        scale: i64,
    ) -> Reasons {
        let state = &states[number];
        let (waits, other) = (state.call.location.index(), state.cause.location.index());
        let is_there = |at: usize, one: &WaitState, all: &[WaitState]| {
            let same =
                |it: &&WaitState| it.cause.location == one.cause.location && it.end == one.end;
            one.cause.location.index() == at
                || all
                    .iter()
                    .filter(same)
                    .any(|it| it.call.location.index() == at)
        };
        let before = states.iter().filter(|it| it.end < state.end);
        let both = before.filter(|it| is_there(waits, it, states) && is_there(other, it, states));
        let since = both
            .map(|it| (it.end.0 / scale) as usize)
            .max()
            .unwrap_or(0);
        let met = all_in_init(trace).filter(|it| *it <= state.begin.0);
        let since = since.max(met.map_or(0, |it| (it / scale) as usize));
        let until = (state.end.0 / scale) as usize;
        let count = |location: usize| {
            let mut sums: BTreeMap<Tick, i64> = BTreeMap::new();
            rows[location][since..until]
                .iter()
                .for_each(|tick| *sums.entry(tick.clone()).or_default() += 1);
            sums
        };
        let (own, others) = (count(waits), count(other));
        let of_group = |sums: &BTreeMap<Tick, i64>, group: &Tick| -> i64 {
            let of = sums.iter().filter(|(it, _)| it.group() == *group);
            of.map(|(_, time)| time).sum()
        };
        let mut reasons = Reasons {
            excess: Vec::new(),
            waits: Vec::new(),
        };
        let mut parts: BTreeMap<Tick, Vec<(Tick, f64)>> = BTreeMap::new();
        for (tick, time) in &others {
            if let Tick::Waits(number) = tick {
                reasons.waits.push((*number, *time as f64));
                continue;
            }
            let more = (time - own.get(tick).copied().unwrap_or(0)).max(0) as f64;
            let of_group = parts.entry(tick.group()).or_default();
            of_group.push((tick.clone(), more));
        }
        for (group, parts) in parts {
            let all = of_group(&others, &group) - of_group(&own, &group);
            let sum: f64 = parts.iter().map(|(_, more)| more).sum();
            let part = |(tick, more): (Tick, f64)| (tick, more * all.max(0) as f64 / sum);
            let exceeding = parts.into_iter().filter(|it| it.1 > 0.0);
            reasons.excess.extend(exceeding.map(part));
        }
        reasons
    }

    fn all(&self) -> f64 {
        let excess: f64 = self.excess.iter().map(|it| it.1).sum();
        excess + self.waits.iter().map(|it| it.1).sum::<f64>()
    }
}

fn by_definition(trace: &Trace, scale: i64) -> Expected {
    let states = wait_states(trace, &trace.matching());
    let ends = trace
        .locations
        .iter()
        .filter_map(|it| it.events.times().last());
    let end = ends.map(|it| it.0 / scale).max().unwrap_or(0) as usize;
    let rows = ticks(trace, &states, scale, end);
    let all = 0..states.len();
    let reasons: Vec<Reasons> = all
        .map(|it| Reasons::of(trace, &rows, &states, it, scale))
        .collect();
    let mut propagated = vec![None; states.len()];
    let mut expected = Expected::default();
    for number in 0..states.len() {
        let own = (states[number].duration().0 / scale) as f64;
        let long = propagated_by(number, &states, &reasons, &mut propagated, scale);
        let whole = reasons[number].all();
        assert!(whole >= own - 1e-6, "each is explained: {whole} of {own}");
        if long > 0.0 {
            expected.propagating += own;
        }
        let waits: f64 = reasons[number].waits.iter().map(|it| it.1).sum();
        expected.indirect += own * waits / whole;
        let rank = trace.locations[states[number].cause.location.index()]
            .rank
            .0;
        for (tick, more) in &reasons[number].excess {
            if *tick == Tick::Unrecorded {
                expected.unrecorded += (own + long) * more / whole;
                continue;
            }
            let costs = expected.costs.entry((rank, tick.clone())).or_default();
            costs[0] += own * more / whole;
            costs[1] += long * more / whole;
        }
    }
    expected
}

/// Returns what a wait propagated: of each that it is a reason of, its share.
fn propagated_by(
    number: usize,
    states: &[WaitState],
    reasons: &[Reasons],
    known: &mut Vec<Option<f64>>,
    scale: i64,
) -> f64 {
    if let Some(known) = known[number] {
        return known;
    }
    let mut sum = 0.0;
    for other in 0..states.len() {
        let mut waits = reasons[other].waits.iter();
        if let Some((_, part)) = waits.find(|it| it.0 == number) {
            let own = (states[other].duration().0 / scale) as f64;
            let long = propagated_by(other, states, reasons, known, scale);
            sum += (own + long) * part / reasons[other].all();
        }
    }
    known[number] = Some(sum);
    sum
}

fn found(trace: &Trace) -> (Profile, RootCauses) {
    let profile = Profile::of(trace, &trace.matching());
    let causes = profile.causes.clone().unwrap();
    (profile, causes)
}

/// Names an activity, reached by a path, as ticks are.
fn tick(trace: &Trace, activity: &Activity, path: Vec<String>) -> Tick {
    use mpiscope_analysis::profile::Statement;
    let regions = &trace.definitions.regions;
    let statement = |it: &Statement| {
        let within = it.within.map(|it| regions[it.index()].name.clone());
        match it.place.region {
            None => format!("operation {within:?}"),
            Some(region) => {
                let site = it.place.site.map_or(0, |it| it.0);
                format!("{} {site} {within:?}", regions[region.index()].name)
            }
        }
    };
    let or_end = |it: &Option<Statement>, end: &str| it.as_ref().map_or(end.to_owned(), statement);
    match activity {
        Activity::Mpi(it) | Activity::Threads(it) => Tick::Call(statement(it), path),
        Activity::Region(it) => {
            assert_eq!(path.last(), Some(&regions[it.index()].name));
            Tick::Region(path)
        }
        Activity::Between(from, to) => Tick::Between(or_end(from, "begin"), or_end(to, "end")),
        Activity::Unrecorded => Tick::Unrecorded,
    }
}

/// Compares what is found with what the definitions say, up to what rounding to nanoseconds does.
fn agree(trace: &Trace, scale: i64) -> Result<(), TestCaseError> {
    let expected = by_definition(trace, scale);
    let (profile, causes) = found(trace);
    let near = |found: i64, expected: f64| {
        let difference = (found as f64 - expected * scale as f64).abs();
        difference <= 1e-9 * expected * scale as f64 + 1e4
    };
    let mut costs: HashMap<(u32, Tick), [i64; 2]> = HashMap::new();
    for (number, delay) in causes.delays.iter().enumerate() {
        let activity = &profile.activities[delay.activity as usize].0;
        for of in causes.paths_of(number) {
            let path = causes.call_paths.regions(of.path).into_iter();
            let path = path.map(|it| trace.definitions.regions[it.index()].name.clone());
            let tick = tick(trace, activity, path.collect());
            let sums = costs.entry((delay.rank, tick)).or_default();
            sums[0] += of.short_term.0;
            sums[1] += of.long_term.0;
        }
    }
    for (of, sums) in &expected.costs {
        let [short, long] = costs.remove(of).unwrap_or_default();
        prop_assert!(
            near(short, sums[0]),
            "short-term {:?}: {} {:?}",
            of,
            short,
            sums
        );
        prop_assert!(
            near(long, sums[1]),
            "long-term {:?}: {} {:?}",
            of,
            long,
            sums
        );
    }
    prop_assert!(
        costs.values().flatten().all(|it| *it < 10_000),
        "{:?}",
        costs
    );
    prop_assert!(near(causes.rest.unrecorded.0, expected.unrecorded));
    prop_assert!(near(causes.indirect.0, expected.indirect));
    prop_assert!(near(causes.propagating.0, expected.propagating));
    Ok(())
}

/// Expects what holds for every trace.
fn laws(trace: &Trace) -> Result<(), TestCaseError> {
    let (profile, causes) = found(trace);
    let states = wait_states(trace, &trace.matching());
    let waiting: i64 = states.iter().map(|state| state.duration().0).sum();
    prop_assert_eq!(causes.waiting.0, waiting);
    let charged: i64 = causes.delays.iter().map(|it| it.costs().0).sum();
    prop_assert_eq!(charged + causes.rest.all().0, waiting);
    for delay in &causes.delays {
        prop_assert!(delay.short_term.0 >= 0 && delay.long_term.0 >= 0 && delay.costs().0 > 0);
        prop_assert!(states.contains(&delay.longest));
        let activity = profile.activities[delay.activity as usize].0;
        prop_assert!(activity != Activity::Unrecorded);
    }
    for (number, delay) in causes.delays.iter().enumerate() {
        let paths = causes.paths_of(number);
        let short: i64 = paths.iter().map(|it| it.short_term.0).sum();
        let long: i64 = paths.iter().map(|it| it.long_term.0).sum();
        prop_assert_eq!((short, long), (delay.short_term.0, delay.long_term.0));
    }
    for part in [
        causes.direct(),
        causes.indirect,
        causes.propagating,
        causes.terminal(),
    ] {
        prop_assert!(part.0 >= 0 && part.0 <= waiting);
    }
    // What is terminal propagates nothing: long-term costs come of those that are not.
    let long: i64 = causes.delays.iter().map(|it| it.long_term.0).sum();
    prop_assert!(long <= causes.indirect.0);
    if causes.propagating.0 == 0 {
        prop_assert_eq!(causes.indirect.0, 0);
    }
    prop_assert!(causes.rest.unrecorded.0 >= 0);
    prop_assert!(causes.rest.contradicting.0 >= 0);
    prop_assert!(causes.rest.without_excess.0 >= 0);
    Ok(())
}

fn programs() -> impl Strategy<Value = (usize, Vec<Act>, i64)> {
    (2..6usize).prop_flat_map(|ranks| (Just(ranks), acts(ranks), 0..2i64))
}

/// Ten thousand programs where all is tested, else some.
fn some() -> ProptestConfig {
    let all = std::env::var_os("MPISCOPE_TEST_ALL").is_some();
    ProptestConfig::with_cases(if all { 10_000 } else { 300 })
}

proptest! {
    #![proptest_config(some())]

    #[test]
    fn costs_are_what_the_definitions_say((ranks, acts, latency) in programs()) {
        let scale = 1_000_000;
        let trace = Machine::run(ranks, &acts, scale, latency);
        laws(&trace)?;
        agree(&trace, scale)?;
        let causes = found(&trace).1;
        prop_assert_eq!(causes.rest.without_excess.0, 0);
        if latency > 0 {
            prop_assert_eq!(causes.rest.contradicting.0, 0);
        }
    }

    #[test]
    fn longer_times_have_longer_costs((ranks, acts, latency) in programs()) {
        let costs = |scale: i64| {
            let causes = found(&Machine::run(ranks, &acts, scale, latency)).1;
            let of = |it: &mpiscope_analysis::root_causes::Delay| ((it.rank, it.activity), it.costs().0);
            causes.delays.iter().map(of).collect::<BTreeMap<_, _>>()
        };
        let (short, long) = (costs(1_000_000), costs(7_000_000));
        for (of, cost) in &long {
            let cost_before = short.get(of).copied().unwrap_or(0);
            prop_assert!((cost - 7 * cost_before).abs() < 100_000);
        }
    }
}
