//! Random programs on random networks: what each process posts is fixed,
//! which message a wildcard gets is drawn as MPI would allow it.

use mpiscope_model::Trace;
use proptest::prelude::*;

/// What a process does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Do {
    Send {
        to: usize,
        tag: u32,
    },
    Recv {
        from: Option<usize>,
        tag: Option<u32>,
    },
    /// Posts a receive; it is completed by a [`Do::Wait`] of its number.
    Irecv {
        from: Option<usize>,
        tag: Option<u32>,
    },
    /// Completes the oldest receive under way.
    Wait,
    Probe {
        from: Option<usize>,
        tag: Option<u32>,
    },
    Barrier,
    Bcast,
    Scan,
}

/// What all processes do, and the dice that decide who goes on.
#[derive(Clone, Debug)]
pub struct Program {
    pub processes: Vec<Vec<Do>>,
    pub dice: Vec<u32>,
}

fn step(ranks: usize, communicate_only: bool) -> impl Strategy<Value = Do> {
    let peer = 0..ranks;
    let from = prop_oneof![3 => Just(None), 2 => (0..ranks).prop_map(Some)];
    let tag = prop_oneof![5 => Just(Some(0)), 1 => Just(Some(1)), 2 => Just(None)];
    let others = if communicate_only { 0 } else { 1 };
    prop_oneof![
        12 => (peer, prop_oneof![4 => Just(0u32), 1 => Just(1)]).prop_map(|(to, tag)| Do::Send { to, tag }),
        8 => (from.clone(), tag.clone()).prop_map(|(from, tag)| Do::Recv { from, tag }),
        3 => (from.clone(), tag.clone()).prop_map(|(from, tag)| Do::Irecv { from, tag }),
        3 => Just(Do::Wait),
        1 => (from, tag).prop_map(|(from, tag)| Do::Probe { from, tag }),
        others => Just(Do::Barrier),
        others => Just(Do::Bcast),
        others => Just(Do::Scan),
    ]
}

/// Programs of up to so many ranks.
pub fn programs(ranks: usize) -> impl Strategy<Value = Program> {
    (2..=ranks).prop_flat_map(|ranks| {
        let process = prop::collection::vec(step(ranks, false), 0..10);
        (
            prop::collection::vec(process, ranks),
            prop::collection::vec(any::<u32>(), 200),
        )
            .prop_map(|(processes, dice)| Program { processes, dice })
    })
}

/// Small programs of messages alone.
pub fn small(ranks: usize, steps: usize) -> impl Strategy<Value = Program> {
    (2..=ranks).prop_flat_map(move |ranks| {
        let process = prop::collection::vec(step(ranks, true), 0..steps);
        let process = process.prop_map(|mut steps| {
            let posts = steps.iter().filter(|step| matches!(step, Do::Irecv { .. }));
            let waits = vec![Do::Wait; posts.count()];
            steps.extend(waits);
            steps
        });
        (
            prop::collection::vec(process, ranks),
            prop::collection::vec(any::<u32>(), 100),
        )
            .prop_map(|(processes, dice)| Program { processes, dice })
    })
}

/// A receive that was posted.
#[derive(Clone, Copy, Debug)]
struct Post {
    from: Option<usize>,
    tag: Option<u32>,
    request: u32,
    got: Option<(usize, u32)>,
}

/// A message under way.
#[derive(Clone, Copy, Debug)]
struct Flying {
    from: usize,
    tag: u32,
}

struct Machine {
    at: Vec<usize>,
    posts: Vec<Vec<Post>>,
    /// By receiver, as sent; may arrive in another order if senders differ.
    flying: Vec<Vec<Flying>>,
    /// Arrived and not yet taken.
    arrived: Vec<Vec<Flying>>,
    text: Vec<String>,
    in_collective: Vec<bool>,
    requests: u32,
    time: u32,
    blocked_post: Vec<bool>,
}

fn fits(post: (Option<usize>, Option<u32>), message: Flying) -> bool {
    post.0.is_none_or(|from| from == message.from) && post.1.is_none_or(|tag| tag == message.tag)
}

impl Program {
    /// Runs until nobody can go on; returns what was recorded.
    pub fn run(&self) -> Trace {
        Trace::parse(&self.picture()).unwrap()
    }

    pub fn picture(&self) -> String {
        let ranks = self.processes.len();
        let mut machine = Machine {
            at: vec![0; ranks],
            posts: vec![Vec::new(); ranks],
            flying: vec![Vec::new(); ranks],
            arrived: vec![Vec::new(); ranks],
            text: (0..ranks).map(|rank| format!("{rank}:")).collect(),
            in_collective: vec![false; ranks],
            requests: 0,
            time: 0,
            blocked_post: vec![false; ranks],
        };
        let mut idle = 0;
        for turn in 0.. {
            let die = self.dice[turn % self.dice.len()] as usize;
            let moved = match die % 3 {
                0 => machine.deliver((die / 3) % ranks, die / 30),
                _ => machine.step(self, (die / 3) % ranks),
            };
            idle = if moved { 0 } else { idle + 1 };
            if idle > 4 * self.dice.len() {
                break;
            }
        }
        machine.text.join("\n")
    }
}

impl Machine {
    /// Lets a message arrive that no earlier one of its sender is before.
    fn deliver(&mut self, to: usize, die: usize) -> bool {
        let flying = &mut self.flying[to];
        if flying.is_empty() {
            return false;
        }
        let sender = flying[die % flying.len()].from;
        let first = flying
            .iter()
            .position(|message| message.from == sender)
            .unwrap();
        let message = flying.remove(first);
        let waiting = self.posts[to]
            .iter_mut()
            .find(|post| post.got.is_none() && fits((post.from, post.tag), message));
        match waiting {
            Some(post) => post.got = Some((message.from, message.tag)),
            None => self.arrived[to].push(message),
        }
        true
    }

    fn say(&mut self, rank: usize, what: &str) {
        self.time += 1;
        self.text[rank] += &format!(" {} {what}", self.time);
    }

    fn post(&mut self, rank: usize, from: Option<usize>, tag: Option<u32>) -> u32 {
        self.requests += 1;
        let mut post = Post {
            from,
            tag,
            request: self.requests,
            got: None,
        };
        let arrived = &mut self.arrived[rank];
        if let Some(at) = arrived
            .iter()
            .position(|message| fits((from, tag), *message))
        {
            let message = arrived.remove(at);
            post.got = Some((message.from, message.tag));
        }
        self.posts[rank].push(post);
        self.requests
    }

    fn step(&mut self, program: &Program, rank: usize) -> bool {
        let Some(&next) = program.processes[rank].get(self.at[rank]) else {
            return false;
        };
        let wild = |from: Option<usize>, tag: Option<u32>| {
            format!(
                "{}{}",
                if from.is_none() { ",any" } else { "" },
                if tag.is_none() { ",anytag" } else { "" }
            )
        };
        match next {
            Do::Send { to, tag } => {
                self.flying[to].push(Flying { from: rank, tag });
                self.say(rank, &format!("send>{to}(tag={tag})"));
            }
            Do::Recv { from, tag } => {
                if !self.blocked_post[rank] {
                    self.blocked_post[rank] = true;
                    self.post(rank, from, tag);
                }
                let post = *self.posts[rank].last().unwrap();
                let Some((source, got)) = post.got else {
                    return false;
                };
                self.blocked_post[rank] = false;
                self.posts[rank].pop();
                self.say(
                    rank,
                    &format!("recv<{source}(tag={got}{})", wild(from, tag)),
                );
            }
            Do::Irecv { from, tag } => {
                let request = self.post(rank, from, tag);
                self.say(rank, &format!("irecv#{request}"));
            }
            Do::Wait => {
                let Some(post) = self.posts[rank].first().copied() else {
                    self.at[rank] += 1;
                    return true;
                };
                let Some((source, got)) = post.got else {
                    return false;
                };
                self.posts[rank].remove(0);
                let flags = wild(post.from, post.tag);
                self.say(
                    rank,
                    &format!("wait<{source}#{}(tag={got}{flags})", post.request),
                );
            }
            Do::Probe { from, tag } => {
                let Some(found) = self.arrived[rank]
                    .iter()
                    .find(|m| fits((from, tag), **m))
                    .copied()
                else {
                    return false;
                };
                self.say(
                    rank,
                    &format!("probe<{}(tag={}{})", found.from, found.tag, wild(from, tag)),
                );
            }
            Do::Barrier | Do::Bcast | Do::Scan => return self.collective(program, rank, next),
        }
        self.at[rank] += 1;
        true
    }

    /// All meet; those who wait for others are stricter than MPI asks.
    fn collective(&mut self, program: &Program, rank: usize, what: Do) -> bool {
        let name = match what {
            Do::Barrier => "barrier",
            Do::Bcast => "bcast(root=0)",
            _ => "scan",
        };
        if !std::mem::replace(&mut self.in_collective[rank], true) {
            self.say(rank, &format!("{name}{{"));
            return true;
        }
        let all_in = (0..self.at.len()).all(|other| {
            self.in_collective[other] && program.processes[other].get(self.at[other]) == Some(&what)
        });
        if !all_in {
            return false;
        }
        for other in 0..self.at.len() {
            self.say(other, "}");
            self.in_collective[other] = false;
            self.at[other] += 1;
        }
        true
    }
}
