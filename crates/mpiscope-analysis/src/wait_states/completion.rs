//! How long ranks stay in operations that none leaves before all have come, after the first has left
//! (Scalasca's "barrier completion" and "N x N completion"). It is no waiting: the operation itself
//! takes it.
//!
//! Operations that begin in one call and end in another are left out.

use mpiscope_model::{CollectiveMember, Duration};

use super::{Kind, Times};
use crate::sharers::Sharers;
use crate::timeline::{Call, Timeline};

/// In how many operations somebody stayed longer than the first, and how long, of all members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Barriers.
    pub barrier: Times,
    /// Operations whose data all need from all.
    pub n_x_n: Times,
}

impl Completion {
    /// Adds an operation in which waiting is called so, if it is one of those.
    pub(super) fn add(&mut self, kind: Kind, members: &[CollectiveMember], lines: &[Timeline]) {
        let of = match kind {
            Kind::Barrier => &mut self.barrier,
            Kind::NxN => &mut self.n_x_n,
            _ => return,
        };
        of.add(stay(members, lines).unwrap_or_default());
    }

    pub(super) fn merge(&mut self, other: &Completion) {
        self.barrier.merge(other.barrier);
        self.n_x_n.merge(other.n_x_n);
    }
}

impl Completion {
    /// Has the first of those that share a trace know the sums of all.
    pub(crate) fn of_all(self, sharers: Option<Sharers>) -> Completion {
        let Some(sharers) = sharers else {
            return self;
        };
        let mut all = Completion::default();
        for (barrier, n_x_n) in sharers.gather(vec![(self.barrier, self.n_x_n)]) {
            all.merge(&Completion { barrier, n_x_n });
        }
        all
    }
}

/// Returns how long its members stayed after the first of them had left.
fn stay(members: &[CollectiveMember], lines: &[Timeline]) -> Option<Duration> {
    let call = |member: &CollectiveMember| {
        let line = &lines[member.exit.location.index()];
        let call = line.around(member.exit.index)?;
        (call.enter <= member.enter.index).then_some(call)
    };
    let calls: Option<Vec<Call>> = members.iter().map(call).collect();
    let calls = calls?;
    let first = calls.iter().map(|call| call.end).min()?;
    let stays = calls.iter().map(|call| call.end - first.max(call.begin));
    Some(stays.fold(Duration::ZERO, |sum, it| sum + it.max(Duration::ZERO)))
}

#[cfg(test)]
mod tests {
    use mpiscope_model::Trace;

    use super::super::{find_with, timelines, OtherSides};
    use super::*;

    #[track_caller]
    fn check(picture: &str, barrier: (u64, i64), n_x_n: (u64, i64)) {
        let trace = Trace::parse(picture).unwrap();
        let lines = timelines(&trace);
        let found = find_with(&trace, &trace.matching(), &lines, &OtherSides::new(&trace)).1;
        let told = |it: Times| (it.times, it.time.0);
        assert_eq!((told(found.barrier), told(found.n_x_n)), (barrier, n_x_n));
    }

    #[test]
    fn who_stays_after_the_first_has_left_completes() {
        check(
            "0: 0 barrier{ 50 } 60 allreduce{ 80 } 90 barrier{ 95 }
             1: 40 barrier{ 53 } 70 allreduce{ 80 } 90 barrier{ 95 }
             2: 10 barrier{ 57 } 75 allreduce{ 91 } 92 barrier{ 95 }",
            (1, 3 + 7),
            (1, 11),
        );
    }

    #[test]
    fn a_broadcast_and_what_ends_in_another_call_have_none() {
        check(
            "0: 0 bcast(root=0){ 5 } 10 enter(MPI_Ibarrier) 10 icollective#1 11 leave(MPI_Ibarrier) \
                12 enter(MPI_Wait) 19 ibarrier#1 20 leave(MPI_Wait)
             1: 0 bcast(root=0){ 9 } 10 enter(MPI_Ibarrier) 10 icollective#1 11 leave(MPI_Ibarrier) \
                12 enter(MPI_Wait) 29 ibarrier#1 30 leave(MPI_Wait)",
            (0, 0),
            (0, 0),
        );
    }
}
