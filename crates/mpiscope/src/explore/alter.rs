//! A record in which one receive takes another message.
//!
//! What the receive could not influence stays as recorded, so that the program
//! comes to the same receive in the same state; all that follows it runs free.

use mpiscope_archive::choices::Choices;
use mpiscope_run::order::{Found, Outcome, RankOrder, Record, Taken, ThreadOrder};

use super::keep::Keeps;

/// Which choice of a thread is to be another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Which {
    /// The nth wildcard receive or blocking probe.
    Receive(usize),
    /// The nth outcome: a poll that found a message.
    Outcome(usize),
}

/// A choice, and what it is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flip {
    /// World rank.
    pub rank: u32,
    /// Thread of the rank.
    pub thread: u32,
    /// The choice.
    pub which: Which,
    /// What it takes instead.
    pub taken: Taken,
}

/// Returns the record with one choice altered, or why there is none.
pub fn altered(
    record: &Record,
    choices: &Choices,
    keeps: &Keeps,
    flip: &Flip,
) -> Result<Record, String> {
    let mut record = record.clone();
    for rank in &mut record.ranks {
        let number = rank.rank;
        let several = rank.threads.len() > 1;
        for thread in &mut rank.threads {
            let key = (number, thread.number);
            let Some((kept, traced)) = keeps.get(&key).zip(choices.0.get(&key)) else {
                return Err(format!(
                    "rank {number}, thread {}: in the record, not in the trace",
                    thread.number
                ));
            };
            let taken: Vec<_> = traced.receives.iter().map(|it| it.taken).collect();
            if several && known(&thread.receives) != known(&taken) {
                return Err(format!(
                    "rank {number}: threads are numbered otherwise in the record than in the trace"
                ));
            }
            // A record made from the trace ends where the trace tells no more.
            let unknown = thread.outcomes.len() != traced.outcomes.len()
                && thread.outcomes != traced.told_outcomes();
            if unknown && kept.outcomes < traced.outcomes.len() {
                return Err(format!(
                    "rank {number}: {} waits and polls in the record, {} in the trace: it cannot \
                     be told which of them follow",
                    thread.outcomes.len(),
                    traced.outcomes.len()
                ));
            }
            if !unknown {
                thread.outcomes.truncate(kept.outcomes);
            }
            let keeps = |k: usize| kept.receives.get(k).copied().unwrap_or(false);
            for (k, receive) in thread.receives.iter_mut().enumerate() {
                *receive = receive.filter(|_| keeps(k));
            }
            let length = known(&thread.receives).len();
            thread.receives.truncate(length);
            let mut kept_cancels = kept.cancels.iter();
            thread
                .cancels
                .retain(|_| kept_cancels.next().copied().unwrap_or(false));
            thread.checkpoints.clear();
            thread.marks.clear();
            thread.end = None;
            thread.cut = None;
        }
        rank.finished = false;
        if several {
            // Which posts would follow is not known.
            rank.turns.clear();
        }
    }
    force(&mut record, flip)?;
    Ok(record)
}

/// Without those at the end that never came.
fn known(receives: &[Option<Taken>]) -> &[Option<Taken>] {
    let last = receives.iter().rposition(Option::is_some);
    &receives[..last.map_or(0, |last| last + 1)]
}

/// Puts a choice in the place of what a record has there.
///
/// # Errors
/// When the record does not come to it.
pub fn force(record: &mut Record, flip: &Flip) -> Result<(), String> {
    let rank = |order: &&mut RankOrder| order.rank == flip.rank;
    let of_rank = record.ranks.iter_mut().find(rank);
    let thread = |order: &&mut ThreadOrder| order.number == flip.thread;
    let threads = of_rank.map(|order| order.threads.iter_mut());
    let Some(thread) = threads.and_then(|mut threads| threads.find(thread)) else {
        return Err(format!("of rank {} nothing was recorded", flip.rank));
    };
    match flip.which {
        Which::Receive(at) => {
            if thread.receives.len() <= at {
                thread.receives.resize(at + 1, None);
            }
            thread.receives[at] = Some(flip.taken);
        }
        Which::Outcome(at) => {
            thread.outcomes.truncate(at);
            if thread.outcomes.len() < at {
                return Err(format!(
                    "rank {}: polls before it would not be held",
                    flip.rank
                ));
            }
            thread.outcomes.push(Outcome::Success {
                misses: 0,
                found: Found::Message(flip.taken),
            });
        }
    }
    Ok(())
}

/// Returns whether a record of a forced run has the choice that was forced.
pub fn was_forced(record: &Record, flip: &Flip) -> bool {
    let key = (flip.rank, flip.thread);
    of_thread(record, key).is_some_and(|thread| match flip.which {
        Which::Receive(at) => thread.receives.get(at) == Some(&Some(flip.taken)),
        Which::Outcome(at) => matches!(
            thread.outcomes.get(at),
            Some(Outcome::Success { found: Found::Message(taken), .. }) if *taken == flip.taken
        ),
    })
}

/// Returns whether it ends just before that choice.
pub fn was_next(record: &Record, flip: &Flip) -> bool {
    let key = (flip.rank, flip.thread);
    of_thread(record, key).is_some_and(|thread| match flip.which {
        Which::Receive(at) => thread.receives.len() == at,
        Which::Outcome(at) => thread.outcomes.len() == at,
    })
}

/// Returns the choices of a thread, by world rank and its number.
pub fn of_thread(record: &Record, (rank, number): (u32, u32)) -> Option<&ThreadOrder> {
    let mut threads = record.rank(rank)?.threads.iter();
    threads.find(|thread| thread.number == number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::keep::keeps;
    use mpiscope_analysis::races::{Race, Races};
    use mpiscope_archive::model::Trace;

    /// Forces the first alternative of a rank's first race; shows what all
    /// ranks' receives are then to take, `-` where they are free.
    fn check(picture: &str, rank: u32, expected: &[&str]) -> Record {
        let trace = Trace::parse(picture).unwrap();
        let matching = trace.matching();
        let choices = Choices::of(&trace);
        let races = Races::find(&trace, &matching).list();
        let of_rank = |race: &&Race| trace.locations[race.post.location.index()].rank.0 == rank;
        let race = races.iter().find(of_rank).expect("a race");
        let send = race.alternatives[0].send;
        let record = choices.record(&trace);
        let keeps = keeps(&trace, &matching, (&choices, &record), race, send);
        let at = choices.0[&(rank, 0)]
            .receives
            .iter()
            .position(|receive| receive.post == race.post);
        let flip = Flip {
            rank,
            thread: 0,
            which: Which::Receive(at.unwrap()),
            taken: Taken {
                source: trace.locations[send.location.index()].rank.0,
                tag: None,
            },
        };
        let altered = altered(&record, &choices, &keeps, &flip).unwrap();
        assert!(was_forced(&altered, &flip) && !was_forced(&record, &flip));
        let line = |order: &RankOrder| {
            let receives = order.threads[0].receives.iter();
            let words = receives.map(|taken| match taken {
                Some(taken) => taken.source.to_string(),
                None => "-".to_owned(),
            });
            words.collect::<Vec<_>>().join(" ")
        };
        let lines: Vec<String> = altered.ranks.iter().map(line).collect();
        assert_eq!(lines, expected);
        altered
    }

    #[test]
    fn the_racing_rank_is_held_until_the_race_and_free_after_it() {
        check(
            "0: 5 recv<1(any) 6 send>1 7 recv<1(any) 8 recv<2(any) 9 recv<2(any)
             1: 1 send>0 6 recv<0 7 send>0
             2: 1 send>0 2 send>0",
            0,
            &["2", "", ""],
        );
    }

    #[test]
    fn ranks_that_do_not_know_of_the_race_keep_their_order() {
        check(
            "0: 5 recv<1(any) 6 recv<2(any)
             1: 1 send>0
             2: 1 send>0
             3: 5 recv<4(any) 6 recv<5(any)
             4: 1 send>3
             5: 1 send>3",
            0,
            &["2", "", "", "4 5", "", ""],
        );
    }

    #[test]
    fn what_is_cancelled_after_the_race_may_be_received() {
        let post = |at: u32, id: u32| {
            format!("{at} enter(MPI_Irecv) {at} irecv#{id} {at} leave(MPI_Irecv)")
        };
        let (first, second) = (post(1, 1), post(3, 2));
        let altered = check(
            &format!(
                "0: {first} 2 cancel#1 {second} 5 recv<1(any) 6 recv<2(any) 7 cancel#2
                 1: 1 send>0
                 2: 1 send>0
                 3: {first} 9 cancel#1"
            ),
            0,
            &["2", "", "", ""],
        );
        let cancelled = |rank: usize| altered.ranks[rank].threads[0].cancels.len();
        assert_eq!([cancelled(0), cancelled(3)], [1, 1]);
    }

    #[test]
    fn what_the_alternative_needs_is_kept() {
        // Rank 0 answers rank 2, which sends the alternative only then.
        check(
            "0: 1 irecv#1 2 recv<2(any,tag=1) 3 send>2 4 wait<1#1(any) 5 recv<2(any)
             1: 1 send>0
             2: 1 send>0(tag=1) 4 recv<0 5 send>0",
            0,
            &["2 2", "", ""],
        );
    }
}
