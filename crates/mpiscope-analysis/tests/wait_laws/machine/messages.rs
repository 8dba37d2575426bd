//! Messages: blocking, nonblocking, synchronous, both at once, and probes.

use super::{Dice, Group, Machine};

/// What a rank has begun and not completed.
#[derive(Clone)]
pub(super) struct Pending {
    pub request: u32,
    /// What its completion says, without the request's number.
    pub completion: [String; 2],
    /// It may stay as it is for ever, or be cancelled.
    pub may_stay: bool,
}

/// A message as both sides write it.
struct Drawn {
    send: String,
    receive: String,
}

impl Machine {
    /// Lets a rank send to another one, each in one of several ways.
    pub(super) fn message(&mut self) {
        let (mut from, to) = self.pair();
        if self.dice.is_one_of(12) {
            from = to;
        }
        let drawn = draw(&mut self.dice, &self.groups, from, to);
        self.gather(&[from, to]);
        self.send(from, &drawn.send);
        if self.dice.is_one_of(4) {
            self.call_or_not(to, "MPI_Probe", &format!("probe<{}", drawn.receive));
        }
        self.receive(to, &drawn.receive);
    }

    /// Lets a rank find a message that another one takes, and maybe receive the next one before.
    pub(super) fn matched(&mut self) {
        let (from, to) = self.pair();
        let drawn = draw(&mut self.dice, &self.groups, from, to);
        let two = self.dice.is_one_of(2);
        self.gather(&[from, to]);
        (0..=usize::from(two)).for_each(|_| self.send(from, &drawn.send));
        let (rank, rest) = drawn.receive.split_at(1);
        self.call(to, "MPI_Mprobe", &[format!("probe<{rank}#999{rest}")]);
        if two {
            self.receive(to, &drawn.receive);
        }
        self.call(to, "MPI_Mrecv", &[format!("recv<{rank}#999{rest}")]);
    }

    /// Lets a rank send what it takes back later.
    pub(super) fn cancelled(&mut self) {
        let (from, to) = self.pair();
        let drawn = draw(&mut self.dice, &self.groups, from, to);
        let request = self.request(from, [String::from("cancel#"), String::new()], false);
        let (to, rest) = drawn.send.split_at(1);
        let post = format!("isend>{to}#{request}{rest}");
        self.call(from, "MPI_Isend", &[post]);
    }

    fn send(&mut self, from: usize, message: &str) {
        if self.dice.is_one_of(2) {
            let name = self.dice.pick(&["MPI_Send", "MPI_Ssend", "MPI_Rsend"]);
            return self.call_or_not(from, name, &format!("send>{message}"));
        }
        let request = self.request(from, [String::from("wait#"), String::new()], true);
        let (to, rest) = message.split_at(1);
        let sync = self.dice.pick(&["", " !sync"]);
        let post = format!("isend>{to}#{request}{rest}{sync}");
        self.call_or_not(from, "MPI_Isend", &post);
    }

    fn receive(&mut self, to: usize, message: &str) {
        if self.dice.is_one_of(2) {
            return self.call_or_not(to, "MPI_Recv", &format!("recv<{message}"));
        }
        let (from, rest) = message.split_at(1);
        let completion = [format!("wait<{from}#"), rest.to_owned()];
        let request = self.request(to, completion, true);
        self.call_or_not(to, "MPI_Irecv", &format!("irecv#{request}"));
    }

    /// Lets two ranks send to each other in one call.
    pub(super) fn exchange(&mut self) {
        let (one, other) = self.pair();
        self.gather(&[one, other]);
        let there = draw(&mut self.dice, &self.groups[..2], one, other);
        let back = draw(&mut self.dice, &self.groups[..2], other, one);
        for (rank, send, receive) in [(one, &there, &back), (other, &back, &there)] {
            let what = [
                format!("send>{}", send.send),
                format!("recv<{}", receive.receive),
            ];
            self.call(rank, "MPI_Sendrecv", &what);
        }
    }

    /// Begins something at a rank, and returns the lowest number that is free.
    pub(super) fn request(&mut self, rank: usize, completion: [String; 2], may_stay: bool) -> u32 {
        let pending = &self.pending[rank];
        let is_free = |it: &u32| pending.iter().all(|other| other.request != *it);
        let request = (1..).find(is_free).expect("there are many numbers");
        self.pending[rank].push(Pending {
            request,
            completion,
            may_stay,
        });
        request
    }

    /// Lets a rank complete some of what it has begun.
    pub(super) fn complete(&mut self) {
        let rank = self.dice.below(self.now.len());
        let count = self.dice.below(4).min(self.pending[rank].len());
        let name = self.dice.pick(&["MPI_Waitall", "MPI_Waitsome", "MPI_Test"]);
        let mut what = Vec::new();
        for _ in 0..count {
            let at = self.dice.below(self.pending[rank].len());
            let pending = self.pending[rank].remove(at);
            let [before, after] = &pending.completion;
            what.push(format!("{before}{}{after}", pending.request));
        }
        let others = self.pending[rank].iter();
        what.extend(others.take(1).map(|it| format!("test#{}", it.request)));
        self.call(rank, name, &what);
    }

    /// Completes most of what a rank has begun; of the rest some is cancelled.
    pub(super) fn complete_all(&mut self, rank: usize) {
        let mut what = Vec::new();
        for it in std::mem::take(&mut self.pending[rank]) {
            let [before, after] = &it.completion;
            let is_receive = before.contains('<');
            match self.dice.below(12) {
                0 if it.may_stay => {}
                1 if it.may_stay && is_receive => what.push(format!("cancel#{}", it.request)),
                _ => what.push(format!("{before}{}{after}", it.request)),
            }
        }
        if !what.is_empty() {
            self.call(rank, "MPI_Waitall", &what);
        }
    }
}

/// Draws a communicator and a tag for a message.
fn draw(dice: &mut Dice, groups: &[Group], from: usize, to: usize) -> Drawn {
    let has = |group: &&Group| rank_in(group, from, to).is_some();
    let fitting: Vec<&Group> = groups.iter().filter(has).collect();
    let group = fitting[dice.below(fitting.len())];
    let rest = format!("(tag={},comm={})", dice.below(2), group.name);
    let rank = |me, of| rank_in(group, me, of).expect("both are in it");
    Drawn {
        send: format!("{}{rest}", rank(from, to)),
        receive: format!("{}{rest}", rank(to, from)),
    }
}

/// Returns how a member of a communicator writes another one.
fn rank_in(group: &Group, me: usize, of: usize) -> Option<usize> {
    let (mine, other) = match group.second.contains(&me) {
        true => (&group.second, &group.first),
        false => (&group.first, &group.second),
    };
    let there = if group.second.is_empty() { mine } else { other };
    mine.iter().find(|it| **it == me)?;
    there.iter().position(|it| *it == of)
}
