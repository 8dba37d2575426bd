//! What is given up is told as if recording had been off, whenever it was given up.
#![forbid(unsafe_code)]

use std::io;

use mpiscope_rules::keep::Keeper;
use mpiscope_rules::unrecorded::Unrecorded;
use mpiscope_run::kept::{Kept, Source};
use mpiscope_run::record::{
    Begun, Channel, Collective, Fact, Member, Message, Record, Side, ThreadFact, UNSEEN,
};
use proptest::prelude::*;

/// Regions of MPI, the one of receives that are active, the first of the program's own.
const INIT: u32 = 1;
const CALL: u32 = 2;
const ACTIVE: u32 = 9;
const OWN: u32 = 10;

struct Records(Vec<Record>);

impl Source for Records {
    fn committed(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&mut self, at: u64, most: usize, into: &mut Vec<Record>) -> io::Result<()> {
        let all = self.0.get(at as usize..).unwrap_or_default();
        into.extend(all.iter().take(most.min(5)));
        Ok(())
    }
}

/// The k-th fact happens at `10 k`.
fn records(facts: &[Fact]) -> Records {
    let times = (0..).step_by(10);
    Records(
        times
            .zip(facts)
            .map(|(time, &it)| Record::new(time, it))
            .collect(),
    )
}

/// What is told after all up to each of these records was given up.
fn given_up(threads: &[&[Fact]], until: &[u64]) -> Kept {
    let mut keeper = Keeper::new(OWN, ACTIVE);
    let mut sources: Vec<Records> = threads.iter().map(|facts| records(facts)).collect();
    for until in until {
        keeper.give_up(&mut sources, until * 10).unwrap();
    }
    let begins: Vec<u64> = sources.iter().map(Records::committed).collect();
    let name = |it: &Records| {
        begins
            .iter()
            .position(|all| *all == it.committed())
            .unwrap()
            .to_string()
    };
    keeper.tell(&mut sources, name).unwrap().0
}

/// The facts that are told in place of a thread's, and how many of its own are given up.
fn told(kept: &Kept, thread: usize) -> (u64, Vec<Fact>) {
    let name = thread.to_string();
    let part = kept.buffers.iter().find(|part| part.name == name);
    let Some(part) = part else {
        return (0, Vec::new());
    };
    let facts = part
        .told
        .iter()
        .map(|&raw| Record::from_raw(raw).fact().unwrap());
    (part.first, facts.collect())
}

const ON: Fact = Fact::Switched { on: true };
const OFF: Fact = Fact::Switched { on: false };

fn enter(region: u32) -> Fact {
    Fact::Enter { region, site: 7 }
}

fn leave(region: u32) -> Fact {
    Fact::Leave { region }
}

fn call(inside: &[Fact]) -> Vec<Fact> {
    [&[enter(CALL)], inside, &[leave(CALL)]].concat()
}

fn message(peer: u32) -> Message {
    Message {
        peer,
        ..Message::default()
    }
}

fn posted(request: u32) -> Fact {
    Fact::IrecvRequest {
        request,
        message: None,
        posted: None,
    }
}

fn sent(peer: u32, messages: u64) -> Fact {
    Fact::Skipped(Channel::of(Side::Sent, &message(peer)), messages)
}

fn init() -> Vec<Fact> {
    vec![enter(INIT), leave(INIT)]
}

#[test]
fn regions_that_are_open_are_entered_again() {
    let function = Fact::EnterFunction {
        address: 4,
        site: 5,
    };
    let facts = [
        init(),
        vec![enter(OWN), function, enter(OWN + 1), leave(OWN + 1)],
        call(&[Fact::Send(message(1))]),
        call(&[Fact::Send(message(1))]),
    ]
    .concat();
    let kept = given_up(&[&facts], &[9]);
    let expected = [init(), vec![OFF, ON, sent(1, 1), enter(OWN), function]].concat();
    assert_eq!(told(&kept, 0), (9, expected));
}

#[test]
fn calls_are_not_cut_through() {
    let asks = Fact::Posted(message(1));
    let facts = [
        init(),
        call(&[]),
        vec![asks],
        call(&[Fact::Recv(message(1), None)]),
    ]
    .concat();
    for until in 3..7 {
        assert_eq!(told(&given_up(&[&facts], &[until]), 0).0, 4, "{until}");
    }
    assert_eq!(told(&given_up(&[&facts], &[7]), 0).0, 8);
}

#[test]
fn what_mpi_rejected_is_not_counted() {
    let rejected = Fact::Failed {
        class: 6,
        rejected: true,
    };
    let facts = [
        init(),
        call(&[Fact::Send(message(1))]),
        call(&[Fact::Send(message(1)), rejected]),
        call(&[Fact::Isend(message(2), 4), rejected]),
        call(&[posted(5), rejected]),
    ]
    .concat();
    let all = facts.len() as u64;
    let expected = [init(), vec![OFF, ON, sent(1, 1)]].concat();
    assert_eq!(told(&given_up(&[&facts], &[all]), 0), (all, expected));
}

#[test]
fn requests_that_are_active_began_unseen() {
    let begun = Begun {
        comm: 3,
        root: 0,
        signature: 0,
    };
    let collective = |request| Fact::CollectiveRequest {
        request,
        begun,
        persistent: None,
    };
    let ended = Fact::CollectiveEnd(Collective {
        comm: 3,
        op: 0,
        root: 0,
        sent: 0,
        received: 0,
        dense: false,
        signature: 0,
    });
    let facts = [
        init(),
        call(&[Fact::Isend(message(1), 1)]),
        call(&[posted(2)]),
        call(&[collective(3)]),
        call(&[collective(4)]),
        call(&[Fact::CollectiveCompletes { request: 3 }, ended]),
        call(&[Fact::Isend(message(1), 5)]),
        call(&[Fact::IsendComplete { request: 5 }]),
    ]
    .concat();
    let kept = given_up(&[&facts], &[facts.len() as u64]);
    assert_eq!(kept.unseen, [1, 2, 4]);
    let (_, mut facts) = told(&kept, 0);
    let told_last = facts.split_off(4);
    let collectives = Fact::Skipped(Channel::collective(3), 2);
    for expected in [
        enter(ACTIVE),
        Fact::UnseenIsend(message(1), 1 | UNSEEN),
        posted(2 | UNSEEN),
        sent(1, 1),
        collectives,
        leave(ACTIVE),
    ] {
        let is_told = told_last.iter().any(|it| match (it, expected) {
            (Fact::Enter { region, .. }, Fact::Enter { region: same, .. }) => *region == same,
            (it, expected) => *it == expected,
        });
        assert!(is_told, "{expected:?} in {told_last:?}");
    }
    assert_eq!(told_last.len(), 6);
}

/// All threads of a team keep what they did in it.
#[test]
fn teams_are_not_cut_through() {
    let thread = |fact| Fact::Thread(fact);
    let member = |number| {
        thread(ThreadFact::TeamBegin(Member {
            team: 1,
            number,
            size: 2,
        }))
    };
    let end = thread(ThreadFact::TeamEnd(1));
    let idle = || {
        vec![
            Fact::Sample {
                address: 1,
                periods: 1
            };
            100
        ]
    };
    let first = [
        init(),
        idle(),
        vec![thread(ThreadFact::Fork(2)), member(0)],
        idle(),
        vec![end, thread(ThreadFact::Join)],
        idle(),
    ]
    .concat();
    let mut second = first.clone();
    second[102] = Fact::Sample {
        address: 1,
        periods: 1,
    };
    second[103] = member(1);
    second[150] = end;
    second[204] = Fact::Sample {
        address: 1,
        periods: 1,
    };
    second[205] = Fact::Sample {
        address: 1,
        periods: 1,
    };
    second.pop();
    let cut = |until| {
        let kept = given_up(&[&first, &second], &[until]);
        [told(&kept, 0).0, told(&kept, 1).0]
    };
    assert_eq!(cut(101), [102, 102]);
    assert_eq!(cut(120), [102, 102], "both are in it");
    assert_eq!(cut(180), [102, 102], "one has ended its work");
    assert_eq!(cut(220), [221, 221], "it is over");
}

/// What a program does.
#[derive(Clone, Copy, Debug)]
enum Does {
    Send(u32),
    Isend(u32),
    Receive(u32),
    Irecv,
    /// Of the requests that are active, one completes, or is cancelled.
    Completes(usize, bool),
    Enters,
    Leaves,
}

fn does() -> impl Strategy<Value = Does> {
    prop_oneof![
        (0u32..3).prop_map(Does::Send),
        (0u32..3).prop_map(Does::Isend),
        (0u32..3).prop_map(Does::Receive),
        Just(Does::Irecv),
        (any::<usize>(), prop::bool::weighted(0.2)).prop_map(|(k, out)| Does::Completes(k, out)),
        Just(Does::Enters),
        Just(Does::Leaves),
    ]
}

fn facts(program: &[Does]) -> Vec<Fact> {
    let mut facts = init();
    let (mut active, mut next, mut open) = (Vec::new(), 0, 0);
    for does in program {
        next += 1;
        let inside = match *does {
            Does::Send(peer) => Fact::Send(message(peer)),
            Does::Isend(peer) => {
                active.push((next, true));
                Fact::Isend(message(peer), next)
            }
            Does::Receive(peer) => Fact::Recv(message(peer), None),
            Does::Irecv => {
                active.push((next, false));
                posted(next)
            }
            Does::Completes(..) if active.is_empty() => continue,
            Does::Completes(k, is_cancelled) => {
                let (request, sends) = active.remove(k % active.len());
                match (is_cancelled, sends) {
                    (true, _) => Fact::RequestCancelled { request },
                    (_, true) => Fact::IsendComplete { request },
                    (_, false) => Fact::Irecv(message(request % 3), request),
                }
            }
            Does::Enters => {
                facts.push(enter(OWN + open));
                open += 1;
                continue;
            }
            Does::Leaves if open == 0 => continue,
            Does::Leaves => {
                open -= 1;
                facts.push(leave(OWN + open));
                continue;
            }
        };
        facts.extend(call(&[inside]));
    }
    facts
}

/// What is told, in an order that does not depend on tables: counts by channel between the posts.
fn in_order(facts: &[Fact]) -> Vec<String> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for fact in facts {
        let is_count = matches!(fact, Fact::Skipped(..) | Fact::UnseenIsend(..));
        if !is_count {
            all.push(Vec::new());
        }
        all.last_mut().unwrap().push(format!("{fact:?}"));
    }
    all.iter_mut().for_each(|part| part.sort());
    all.concat()
}

proptest! {
    /// Against recording that is off from MPI_Init on: given up at once, or piece by piece.
    #[test]
    fn what_is_given_up_is_told_as_if_recording_had_been_off(
        program in prop::collection::vec(does(), 0..60),
        pieces in prop::collection::vec(0..150u64, 1..5),
    ) {
        let facts = facts(&program);
        let kept = given_up(&[&facts], &pieces);
        let last = *pieces.iter().max().unwrap();
        let (first, all) = told(&kept, 0);
        let at_once = given_up(&[&facts], &[last]);
        prop_assert_eq!(&kept.unseen, &at_once.unseen);
        prop_assert_eq!((first, in_order(&all)), {
            let (first, all) = told(&at_once, 0);
            (first, in_order(&all))
        });
        prop_assume!(first > 0);
        let mut off = Unrecorded::default();
        off.begin();
        let mut open = Vec::new();
        for fact in &facts[..first as usize] {
            match *fact {
                Fact::Enter { region, .. } if region >= OWN => open.push(*fact),
                Fact::Leave { region } if region >= OWN => drop(open.pop()),
                fact => prop_assert_eq!(off.note(fact), None),
            }
        }
        let counted: Vec<Fact> = off.into_facts().into_iter()
            .map(|fact| fact.with_ids(|id| id | UNSEEN))
            .collect();
        let is_active = counted.iter().any(|fact| matches!(fact, Fact::IrecvRequest { .. }));
        let active = is_active.then_some((Fact::Enter { region: ACTIVE, site: 0 }, leave(ACTIVE)));
        let mut expected = [init(), vec![OFF, ON]].concat();
        expected.extend(active.map(|it| it.0));
        expected.extend(counted);
        expected.extend(active.map(|it| it.1));
        expected.extend(open);
        prop_assert_eq!(in_order(&all), in_order(&expected));
    }
}
