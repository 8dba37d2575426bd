//! Replays against the definitions, followed until nothing changes any more, and against programs
//! that are really run with what was changed.

mod common;

use std::collections::HashMap;

use common::halves;
use mpiscope_analysis::efficiency::{IdealNetwork as _, NoEfficiency};
use mpiscope_analysis::profile::{Activity, Asked, Profile};
use mpiscope_analysis::wait_states::Kind;
use mpiscope_analysis::whatif::{Changes, Replay};
use mpiscope_model::{Timestamp, Trace};
use proptest::prelude::*;

/// What one or all ranks do next.
#[derive(Clone, Debug)]
enum Act {
    /// A rank computes for so long.
    Work(usize, i64),
    /// The same in a region.
    Region(usize, usize, i64),
    /// From, to, and whether the sender waits for the receiver.
    Message(usize, usize, bool),
    /// Nonblocking in both directions between two ranks, completed together.
    Exchange(usize, usize, i64),
    Barrier,
    /// A barrier of the first half, or of the second; the one in the middle is in both.
    Half(bool),
    Bcast(usize),
    Reduce(usize),
    Scan,
    /// Recording is off for so long.
    Off(usize, i64),
}

fn acts(ranks: usize) -> impl Strategy<Value = Vec<Act>> {
    let pair = move |from: usize, by: usize| (from, (from + by) % ranks);
    let act = prop_oneof![
        6 => (0..ranks, 1..20i64).prop_map(|(rank, time)| Act::Work(rank, time)),
        3 => (0..ranks, 0..2usize, 1..20i64).prop_map(|(rank, region, time)| Act::Region(rank, region, time)),
        6 => (0..ranks, 1..ranks, any::<bool>()).prop_map(move |(from, by, sync)| {
            let (from, to) = pair(from, by);
            Act::Message(from, to, sync)
        }),
        3 => (0..ranks, 1..ranks, 1..9i64).prop_map(move |(from, by, time)| {
            let (from, to) = pair(from, by);
            Act::Exchange(from, to, time)
        }),
        2 => Just(Act::Barrier),
        2 => any::<bool>().prop_map(Act::Half),
        1 => (0..ranks).prop_map(Act::Bcast),
        1 => (0..ranks).prop_map(Act::Reduce),
        1 => Just(Act::Scan),
        1 => (0..ranks, 1..9i64).prop_map(|(rank, time)| Act::Off(rank, time)),
    ];
    prop::collection::vec(act, 1..30)
}

fn programs() -> impl Strategy<Value = (usize, Vec<Act>, i64, Change)> {
    let change = |ranks| {
        let factor = || prop_oneof![Just(0i64), Just(1), Just(2), Just(5)];
        (0..ranks, factor(), factor()).prop_map(|(rank, work, region)| Change {
            rank,
            work,
            region,
        })
    };
    (2..6usize).prop_flat_map(move |ranks| (Just(ranks), acts(ranks), 0..3i64, change(ranks)))
}

/// By what the computation of a rank is multiplied, and a region of all.
#[derive(Clone, Copy, Debug)]
struct Change {
    rank: usize,
    work: i64,
    region: i64,
}

const NONE: Change = Change {
    rank: 0,
    work: 1,
    region: 1,
};

impl Change {
    fn work(&self, rank: usize) -> i64 {
        if rank == self.rank {
            self.work
        } else {
            1
        }
    }

    fn region(&self, region: usize) -> i64 {
        if region == 0 {
            self.region
        } else {
            1
        }
    }

    /// Says the same to a replay.
    fn told(&self, trace: &Trace, replay: &Replay) -> Changes {
        let mut changes = Changes::default();
        let between = |it: &Activity| matches!(it, Activity::Between(..));
        changes.scale(replay, self.work as f64, |rank, it| {
            rank as usize == self.rank && between(it)
        });
        let name = |it: &Activity| match it {
            Activity::Region(region) => trace.definitions.regions[region.index()].name.as_str(),
            _ => "",
        };
        changes.scale(replay, self.region as f64, |_, it| name(it) == "f0");
        changes
    }
}

/// A piece of what a rank did, as the definition sees it.
#[derive(Clone, Debug)]
struct Piece {
    /// Of a call.
    name: &'static str,
    begin: i64,
    end: i64,
    /// 0 for work, of which the rank decides, 1 for what is not changed, else minus one minus the
    /// region.
    factor: i64,
    /// Begins of pieces, by rank and number.
    needs: Vec<(usize, usize)>,
    /// The same of a send that needs its receiver if such sends seem to.
    may_need: Option<(usize, usize)>,
}

/// The ranks' clocks, what each has done as the fixture language has it, and in pieces.
struct Machine {
    now: Vec<i64>,
    done: Vec<String>,
    pieces: Vec<Vec<Piece>>,
    change: Change,
    latency: i64,
    requests: usize,
    sent: HashMap<(usize, usize), usize>,
    met: usize,
    halves_met: [usize; 2],
}

impl Machine {
    fn run(ranks: usize, acts: &[Act], latency: i64, change: Change) -> Machine {
        let mut machine = Machine {
            now: (0..ranks as i64).map(|rank| rank % 3).collect(),
            done: (0..ranks).map(|rank| format!("{rank}:")).collect(),
            pieces: vec![Vec::new(); ranks],
            change,
            latency,
            requests: 0,
            sent: HashMap::new(),
            met: 0,
            halves_met: [0; 2],
        };
        (0..ranks).for_each(|rank| machine.say(rank, machine.now[rank], ""));
        acts.iter().for_each(|act| machine.act(act));
        (0..ranks).for_each(|rank| machine.say(rank, machine.now[rank], ""));
        machine
    }

    fn trace(&self) -> Trace {
        halves::trace(&self.done)
    }

    fn say(&mut self, rank: usize, time: i64, what: &str) {
        self.done[rank] += &format!(" {time} {what}");
    }

    /// Lets a rank do something alone.
    fn alone(&mut self, rank: usize, time: i64, factor: i64) {
        let begin = self.now[rank];
        self.now[rank] += time;
        self.pieces[rank].push(Piece {
            name: "",
            begin,
            end: begin + time,
            factor,
            needs: Vec::new(),
            may_need: None,
        });
    }

    /// Returns the piece that a rank does next.
    fn next(&self, rank: usize) -> (usize, usize) {
        (rank, self.pieces[rank].len())
    }

    /// Lets a rank be in a call until then.
    fn call(
        &mut self,
        rank: usize,
        name: &'static str,
        what: &[(i64, String)],
        end: i64,
        needs: Vec<(usize, usize)>,
    ) {
        let begin = self.now[rank];
        self.say(rank, begin, &format!("enter({name})"));
        for (time, what) in what {
            self.say(rank, *time, what);
        }
        self.say(rank, end, &format!("leave({name})"));
        self.now[rank] = end;
        self.pieces[rank].push(Piece {
            name,
            begin,
            end,
            factor: 1,
            needs,
            may_need: None,
        });
    }

    fn act(&mut self, act: &Act) {
        let latency = self.latency;
        let last = *self.now.iter().max().unwrap();
        match *act {
            Act::Work(rank, time) => {
                let factor = self.change.work(rank);
                self.alone(rank, time * factor, 0);
            }
            Act::Region(rank, region, time) => {
                let factor = self.change.region(region);
                self.say(rank, self.now[rank], &format!("enter(f{region})"));
                self.alone(rank, time * factor, 1);
                self.pieces[rank].last_mut().unwrap().factor = -(region as i64) - 1;
                self.say(rank, self.now[rank], &format!("leave(f{region})"));
            }
            Act::Off(rank, time) => {
                self.say(rank, self.now[rank], "off");
                self.alone(rank, time, 1);
                self.say(rank, self.now[rank], "on");
            }
            Act::Message(from, to, sync) => {
                let (sent, posted) = (self.now[from], self.now[to]);
                let arrived = posted.max(sent + latency);
                let left = if sync { posted.max(sent) } else { sent } + latency;
                let number = self.number(from, to);
                let note = if sync { " !sync" } else { "" };
                let (send, receive) = (self.next(from), self.next(to));
                let what = [(sent, format!("send>{to}(seq={number}){note}"))];
                let needs = if sync { vec![receive] } else { Vec::new() };
                self.call(from, "MPI_Send", &what, left, needs);
                self.pieces[from].last_mut().unwrap().may_need = Some(receive);
                let what = [(arrived, format!("recv<{from}(seq={number})"))];
                self.call(to, "MPI_Recv", &what, arrived, vec![send]);
            }
            Act::Exchange(a, b, time) => self.exchange([a, b], time),
            Act::Barrier => {
                let number = self.number_of_all();
                let all = 0..self.now.len();
                self.meet(
                    all,
                    |_| (last, format!("barrier(seq={number})")),
                    |_, _| true,
                );
            }
            Act::Half(second) => {
                let (half, ranks) = match second {
                    false => ("first", 0..self.now.len() / 2 + 1),
                    true => ("second", self.now.len() / 2..self.now.len()),
                };
                let number = self.halves_met[usize::from(second)];
                self.halves_met[usize::from(second)] += 1;
                let last = ranks.clone().map(|rank| self.now[rank]).max().unwrap();
                self.meet(
                    ranks,
                    |_| (last, format!("barrier(comm={half},seq={number})")),
                    |_, _| true,
                );
            }
            Act::Bcast(root) => {
                let (sent, number) = (self.now[root], self.number_of_all());
                let part = |rank| match rank == root {
                    true => (0, format!("bcast(root={root},received=0,seq={number})")),
                    false => (sent, format!("bcast(root={root},sent=0,seq={number})")),
                };
                let all = 0..self.now.len();
                self.meet(all, part, |rank, other| rank != root && other == root);
            }
            Act::Reduce(root) => {
                let number = self.number_of_all();
                let part = |rank| match rank == root {
                    true => (last, format!("reduce(root={root},sent=0,seq={number})")),
                    false => (0, format!("reduce(root={root},received=0,seq={number})")),
                };
                let all = 0..self.now.len();
                self.meet(all, part, |rank, _| rank == root);
            }
            Act::Scan => {
                let (now, number) = (self.now.clone(), self.number_of_all());
                let part = |rank: usize| {
                    let last = now[..=rank].iter().max().unwrap();
                    (*last, format!("scan(seq={number})"))
                };
                let all = 0..self.now.len();
                self.meet(all, part, |rank, other| other < rank);
            }
        }
    }

    fn exchange(&mut self, ranks: [usize; 2], time: i64) {
        let mut posts = Vec::new();
        let mut requests = Vec::new();
        for (rank, other) in [(ranks[0], ranks[1]), (ranks[1], ranks[0])] {
            let (receive, send) = (self.requests, self.requests + 1);
            self.requests += 2;
            let number = self.number(rank, other);
            posts.push(self.next(rank));
            let now = self.now[rank];
            let what = [
                (now, format!("irecv#{receive}")),
                (now, format!("isend>{other}#{send}(seq={number})")),
            ];
            self.call(rank, "MPI_Startall", &what, now + self.latency, Vec::new());
            self.alone(rank, time * self.change.work(rank), 0);
            requests.push((receive, send, number));
        }
        let sent = posts.clone();
        let sent_at = [0, 1].map(|it| {
            let (rank, piece): (usize, usize) = sent[it];
            self.pieces[rank][piece].begin
        });
        for side in [0, 1] {
            let (rank, other) = (ranks[side], ranks[1 - side]);
            let now = self.now[rank];
            let end = now.max(sent_at[1 - side]) + self.latency;
            let (receive, send, _) = requests[side];
            let number = requests[1 - side].2;
            let what = [
                (end, format!("wait#{send}")),
                (end, format!("wait<{other}#{receive}(seq={number})")),
            ];
            self.call(rank, "MPI_Waitall", &what, end, vec![posts[1 - side]]);
        }
    }

    fn number(&mut self, from: usize, to: usize) -> usize {
        let sent = self.sent.entry((from, to)).or_default();
        *sent += 1;
        *sent - 1
    }

    fn number_of_all(&mut self) -> usize {
        self.met += 1;
        self.met - 1
    }

    /// Lets some meet: each needs something that comes at its own time, of some others.
    fn meet(
        &mut self,
        ranks: std::ops::Range<usize>,
        part: impl Fn(usize) -> (i64, String),
        needs: impl Fn(usize, usize) -> bool,
    ) {
        let pieces: Vec<_> = ranks.clone().map(|rank| self.next(rank)).collect();
        for rank in ranks {
            let begin = self.now[rank];
            let (come, what) = part(rank);
            let end = begin.max(come) + self.latency;
            let others = pieces
                .iter()
                .filter(|(other, _)| *other != rank && needs(rank, *other));
            let what = [(begin, format!("{what}{{")), (end, "}".to_owned())];
            self.call(
                rank,
                "MPI_Collective",
                &what,
                end,
                others.copied().collect(),
            );
        }
    }
}

impl Piece {
    /// Returns how long it waited in the run, and what it took beside that.
    fn in_run(&self, pieces: &[Vec<Piece>]) -> (i64, i64) {
        let came = self.needs.iter().map(|(rank, at)| pieces[*rank][*at].begin);
        let came = came.max().unwrap_or(self.begin).max(self.begin);
        (came - self.begin, self.end - came)
    }
}

/// Returns how long calls of a name take that need others and did not wait: the median.
fn own_time(pieces: &[Vec<Piece>], like: &Piece) -> Option<i64> {
    let like = |it: &&Piece| it.name == like.name && !it.needs.is_empty();
    let all = pieces
        .iter()
        .flatten()
        .filter(like)
        .map(|it| it.in_run(pieces));
    let mut all: Vec<i64> = all.filter(|it| it.0 == 0).map(|it| it.1).collect();
    all.sort_unstable();
    all.get(all.len() / 2).copied()
}

/// Replays pieces by the definition: from the times of the run, as often as anything changes.
fn by_definition(pieces: &[Vec<Piece>], first: &[i64], change: Change) -> Vec<Vec<i64>> {
    let begins = |(rank, own): (usize, &Vec<Piece>)| -> Vec<i64> {
        let ends = own.iter().map(|it| it.end);
        [first[rank]].into_iter().chain(ends).collect()
    };
    let mut times: Vec<Vec<i64>> = pieces.iter().enumerate().map(begins).collect();
    loop {
        let before = times.clone();
        for (rank, own) in pieces.iter().enumerate() {
            for (at, piece) in own.iter().enumerate() {
                let begin = times[rank][at];
                let factor = match piece.factor {
                    0 => change.work(rank),
                    1 => 1,
                    region => change.region((-region - 1) as usize),
                };
                let come = |time: &dyn Fn(usize, usize) -> i64| {
                    piece.needs.iter().map(|(rank, at)| time(*rank, *at)).max()
                };
                let now = come(&|rank, at| times[rank][at])
                    .unwrap_or(begin)
                    .max(begin);
                let (waited, took) = piece.in_run(pieces);
                let own = own_time(pieces, piece).unwrap_or(took);
                let took = match own < took && now - begin < waited {
                    true => {
                        let part = (now - begin) as f64 / waited as f64;
                        own + ((took - own) as f64 * part).round() as i64
                    }
                    false => took,
                };
                times[rank][at + 1] = now + took * factor;
            }
        }
        if times == before {
            return times;
        }
    }
}

/// Returns when pieces begin on an ideal network, by the definition: as [`by_definition`], where calls
/// take no time but wait. Of a part of the time all is as it was at its begin, nothing is waited for
/// that had come before, nor what came after its end; `None` stands for that.
fn ideal(pieces: &[Vec<Piece>], first: &[i64], (from, to): (i64, i64)) -> i64 {
    // Each piece that is cut by an end of the part is but its part within.
    let clip = |time: i64| time.clamp(from, to);
    let mut times: Vec<Vec<i64>> = (pieces.iter().zip(first))
        .map(|(own, first)| {
            let ends = own.iter().map(|it| clip(it.end));
            [clip(*first)].into_iter().chain(ends).collect()
        })
        .collect();
    loop {
        let before = times.clone();
        for (rank, own) in pieces.iter().enumerate() {
            for (at, piece) in own.iter().enumerate() {
                let begin = times[rank][at];
                let length = clip(piece.end) - clip(piece.begin);
                let came = piece.needs.iter().filter_map(|(rank, at)| {
                    let in_run = pieces[*rank].get(*at).map(|it| it.begin);
                    let in_run = in_run.unwrap_or_else(|| pieces[*rank].last().unwrap().end);
                    (in_run > from && in_run <= to).then(|| times[*rank][*at])
                });
                times[rank][at + 1] = match piece.name.is_empty() {
                    true => begin + length,
                    false => came.fold(begin, i64::max),
                };
            }
        }
        if times == before {
            let ends = times.iter().map(|own| *own.last().unwrap());
            return ends.fold(from, i64::max) - from;
        }
    }
}

/// Ten thousand programs where all is tested, else some.
fn some() -> ProptestConfig {
    let all = std::env::var_os("MPISCOPE_TEST_ALL").is_some();
    ProptestConfig::with_cases(if all { 10_000 } else { 300 })
}

proptest! {
    #![proptest_config(some())]

    #[test]
    fn what_is_unchanged_is_as_it_was((ranks, acts, latency, _) in programs()) {
        let trace = Machine::run(ranks, &acts, latency, NONE).trace();
        let replay = Replay::of(&trace, &trace.matching());
        prop_assert_eq!(replay.run(&Changes::default()), replay.measured());
        prop_assert_eq!(replay.left_out.circles, 0);
        prop_assert_eq!(replay.left_out.contradictions, 0);
        let ends: Vec<i64> = replay.measured().ranks.iter().map(|it| it.end.0).collect();
        let last = |it: &mpiscope_model::Location| it.events.times().last().unwrap().0;
        prop_assert_eq!(ends, trace.locations.iter().map(last).collect::<Vec<_>>());
    }

    #[test]
    fn waiting_is_that_of_wait_states((ranks, acts, latency, _) in programs()) {
        let trace = Machine::run(ranks, &acts, latency, NONE).trace();
        let matching = trace.matching();
        let replay = Replay::of(&trace, &matching);
        let profile = Profile::without_causes(&trace, &matching);
        let of_windows = [Kind::LatePost, Kind::EarlyWait, Kind::WindowLock, Kind::OneSided];
        prop_assert!(profile.waits.keys().all(|(_, kind)| !of_windows.contains(kind)));
        let sums: Vec<i64> = profile.ranks.iter().map(|it| it.waiting.0).collect();
        let found: Vec<i64> = replay.measured().ranks.iter().map(|it| it.waiting.0).collect();
        // Of sends that went into a buffer no replay says that they waited.
        match replay.left_out.buffered {
            0 => prop_assert_eq!(found, sums),
            _ => prop_assert!(found.iter().zip(&sums).all(|(a, b)| a <= b)),
        }
    }

    #[test]
    fn replays_are_what_the_definitions_say((ranks, acts, latency, change) in programs()) {
        let machine = Machine::run(ranks, &acts, latency, NONE);
        let trace = machine.trace();
        let replay = Replay::of(&trace, &trace.matching());
        let outcome = replay.run(&change.told(&trace, &replay));
        let mut pieces = machine.pieces;
        if replay.rendezvous().is_some() {
            let all = pieces.iter_mut().flatten();
            all.for_each(|piece| piece.needs.extend(piece.may_need));
        }
        let first: Vec<i64> = (0..ranks as i64).map(|rank| rank % 3).collect();
        let expected = by_definition(&pieces, &first, change);
        let ends: Vec<i64> = outcome.ranks.iter().map(|it| it.end.0).collect();
        let expected: Vec<i64> = expected.iter().map(|it| *it.last().unwrap()).collect();
        prop_assert_eq!(ends, expected);
    }

    /// Where transfers take no time there is nothing that a replay does not know.
    #[test]
    fn changed_programs_take_as_long_as_was_said((ranks, acts, _, change) in programs()) {
        let trace = Machine::run(ranks, &acts, 0, NONE).trace();
        let replay = Replay::of(&trace, &trace.matching());
        let outcome = replay.run(&change.told(&trace, &replay));
        let ends: Vec<i64> = outcome.ranks.iter().map(|it| it.end.0).collect();
        prop_assert_eq!(ends, Machine::run(ranks, &acts, 0, change).now);
    }

    #[test]
    fn a_run_is_never_longer_for_less_work((ranks, acts, _, change) in programs()) {
        let trace = Machine::run(ranks, &acts, 0, NONE).trace();
        let replay = Replay::of(&trace, &trace.matching());
        let length = replay.run(&change.told(&trace, &replay)).length();
        let measured = replay.measured().length();
        let factors = [change.work, change.region];
        if factors.iter().all(|it| *it <= 1) {
            prop_assert!(length <= measured);
        }
        if factors.iter().all(|it| *it >= 1) {
            prop_assert!(length >= measured);
        }
        let mut nobody_waits = Changes::default();
        nobody_waits.no_wait(&replay, |_| true);
        let outcome = replay.run(&nobody_waits);
        prop_assert_eq!(outcome.waiting().0, 0);
        for (now, before) in outcome.ranks.iter().zip(&replay.measured().ranks) {
            prop_assert_eq!(now.time, before.time - before.waiting);
        }
        let mut balanced = Changes::default();
        balanced.balance(&replay, |it| replay.is_computation(it));
        replay.run(&balanced);
    }

    /// Of the whole and of any part of the time.
    #[test]
    fn the_ideal_replay_is_what_the_definition_says(
        (ranks, acts, latency, _) in programs(),
        ends in (0..200i64, 0..200i64),
    ) {
        let machine = Machine::run(ranks, &acts, latency, NONE);
        let trace = machine.trace();
        let replay = Replay::of(&trace, &trace.matching());
        let mut pieces = machine.pieces;
        if replay.rendezvous().is_some() {
            let all = pieces.iter_mut().flatten();
            all.for_each(|piece| piece.needs.extend(piece.may_need));
        }
        let first: Vec<i64> = (0..ranks as i64).map(|rank| rank % 3).collect();
        let last = *machine.now.iter().max().unwrap();
        // Rank 1 begins after the second.
        for (from, to) in [(0, last), (0, 0), (ends.0.min(ends.1), ends.0.max(ends.1))] {
            let found = replay.ideal(Timestamp(from), Timestamp(to)).unwrap().0;
            prop_assert_eq!(found, ideal(&pieces, &first, (from, to)), "{} to {}", from, to);
        }
    }

    /// Where messages take no time a program takes as long as its replay on an ideal network.
    #[test]
    fn a_program_takes_its_ideal_time_where_messages_take_none((ranks, acts, latency, _) in programs()) {
        let trace = Machine::run(ranks, &acts, latency, NONE).trace();
        let replay = Replay::of(&trace, &trace.matching());
        let truth = Machine::run(ranks, &acts, 0, NONE);
        let last = |machine: &Machine| Timestamp(*machine.now.iter().max().unwrap());
        let end = last(&Machine::run(ranks, &acts, latency, NONE));
        let found = replay.ideal(Timestamp(0), end).unwrap();
        // Where plain sends seem to have waited for their receivers they do on an ideal network, too.
        match replay.rendezvous() {
            None => prop_assert_eq!(found, last(&truth) - Timestamp(0)),
            Some(_) => prop_assert!(found >= last(&truth) - Timestamp(0)),
        }
    }

    #[test]
    fn efficiencies_multiply_and_none_is_more_than_one((ranks, acts, latency, _) in programs()) {
        let trace = Machine::run(ranks, &acts, latency, NONE).trace();
        let matching = trace.matching();
        let replay = Replay::of(&trace, &matching);
        let asked = Asked { replay: Some(&replay), ..Asked::without_causes() };
        let profile = Profile::asked(&trace, &matching, &asked);
        let is_off = acts.iter().any(|it| matches!(it, Act::Off(..)));
        prop_assert_eq!(profile.within.ranks == Err(NoEfficiency::Unrecorded), is_off);
        let phases = profile.phases.iter().map(|it| &it.within);
        for it in [&profile.within].into_iter().chain(phases).filter_map(|it| it.efficiency()) {
            let split = it.split.unwrap();
            let product = it.load_balance * split.serialization * split.transfer;
            prop_assert!((product - it.parallel).abs() < 1e-12);
            let all = [it.parallel, it.load_balance, it.communication, split.serialization, split.transfer];
            prop_assert!(all.iter().all(|it| (0.0..=1.0).contains(it)), "{:?}", it);
        }
    }
}
