//! A record in which one receive takes another message.
//!
//! What the receive could not influence stays as recorded, so that the program
//! comes to the same receive in the same state; all that follows it runs free.
//! What follows is told by happened-before: a choice is kept unless its post or
//! the send of its message comes after the receive.

use std::collections::HashMap;

use mpiscope_analysis::happened_before::{sweep, Columns, Known};
use mpiscope_analysis::races::Race;
use mpiscope_run::model::{EventRef, Matching, Trace};
use mpiscope_run::order::{Found, Outcome, RankOrder, Record, Taken, ThreadOrder};

use super::choices::Choices;

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

/// What is kept of a thread's choices.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// By receive.
    receives: Vec<bool>,
    /// How many outcomes.
    outcomes: usize,
}

/// What is kept, by rank and thread.
pub type Keeps = HashMap<(u32, u32), Kept>;

/// What a question of the sweep is about.
enum About {
    /// Post or send of a receive of a thread.
    Receive((u32, u32), usize),
    /// An outcome of a thread.
    Outcome((u32, u32)),
    /// The send of the message that is to be taken.
    Alternative,
}

/// Finds what may be kept if a race takes the message of another send.
pub fn keeps(
    trace: &Trace,
    matching: &Matching,
    choices: &Choices,
    race: &Race,
    send: EventRef,
) -> Keeps {
    let sends: HashMap<EventRef, EventRef> = (matching.messages.iter())
        .map(|message| (message.receive, message.send))
        .collect();
    let (mut questions, mut about) = (vec![send], vec![About::Alternative]);
    let mut keeps = Keeps::new();
    for (&key, thread) in &choices.0 {
        for (k, receive) in thread.receives.iter().enumerate() {
            let came = receive.done.map(|done| *sends.get(&done).unwrap_or(&done));
            for event in [Some(receive.post), came].into_iter().flatten() {
                questions.push(event);
                about.push(About::Receive(key, k));
            }
        }
        for &outcome in &thread.outcomes {
            questions.push(EventRef {
                location: thread.location,
                index: outcome,
            });
            about.push(About::Outcome(key));
        }
        let all = Kept {
            receives: vec![true; thread.receives.len()],
            outcomes: thread.outcomes.len(),
        };
        keeps.insert(key, all);
    }
    let columns = Columns::some(trace, [race.receive.location, race.post.location]);
    let follows = |known: &Known| {
        let latest = known.latest(race.receive.location);
        latest.is_some_and(|latest| latest >= race.receive.index)
    };
    // What the sender of the alternative knew of the racing thread must happen again.
    let mut needed = None;
    let mut late: HashMap<(u32, u32), usize> = HashMap::new();
    sweep(
        trace,
        matching,
        &columns,
        &questions,
        |k, known| match about[k] {
            About::Alternative => needed = known.latest(race.post.location),
            About::Receive(key, receive) if follows(&known) => {
                if let Some(kept) = keeps.get_mut(&key) {
                    kept.receives[receive] = false;
                }
            }
            About::Outcome(key) if follows(&known) => *late.entry(key).or_default() += 1,
            _ => {}
        },
    );
    for (key, late) in late {
        if let Some(kept) = keeps.get_mut(&key) {
            kept.outcomes -= late;
        }
    }
    after_post(choices, race, needed, &mut keeps);
    keeps
}

/// The racing thread itself: what it posted after the receive goes free, unless
/// the message that it is to take was sent because of it.
fn after_post(choices: &Choices, race: &Race, needed: Option<u32>, keeps: &mut Keeps) {
    let own = |key: &(u32, u32)| choices.0[key].location == race.post.location;
    let Some(key) = choices.0.keys().copied().find(own) else {
        return;
    };
    let Some(kept) = keeps.get_mut(&key) else {
        return;
    };
    let thread = &choices.0[&key];
    let known = |index: u32| needed.is_some_and(|needed| index <= needed);
    for (keep, receive) in kept.receives.iter_mut().zip(&thread.receives) {
        let here = |done: EventRef| done.location == race.post.location && known(done.index);
        *keep &= receive.post < race.post || receive.done.is_some_and(here);
    }
    let before = |&&index: &&u32| index < race.post.index || known(index);
    let before = thread.outcomes.iter().take_while(before).count();
    kept.outcomes = kept.outcomes.min(before);
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
            let unknown = thread.outcomes.len() != traced.outcomes.len();
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
            let last = thread.receives.iter().rposition(Option::is_some);
            thread.receives.truncate(last.map_or(0, |last| last + 1));
            thread.checkpoints.clear();
            thread.end = None;
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
    of_thread(record, flip).is_some_and(|thread| match flip.which {
        Which::Receive(at) => thread.receives.get(at) == Some(&Some(flip.taken)),
        Which::Outcome(at) => matches!(
            thread.outcomes.get(at),
            Some(Outcome::Success { found: Found::Message(taken), .. }) if *taken == flip.taken
        ),
    })
}

/// Returns whether it ends just before that choice.
pub fn was_next(record: &Record, flip: &Flip) -> bool {
    of_thread(record, flip).is_some_and(|thread| match flip.which {
        Which::Receive(at) => thread.receives.len() == at,
        Which::Outcome(at) => thread.outcomes.len() == at,
    })
}

fn of_thread<'a>(record: &'a Record, flip: &Flip) -> Option<&'a ThreadOrder> {
    let mut threads = record.rank(flip.rank)?.threads.iter();
    threads.find(|thread| thread.number == flip.thread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_analysis::races::Races;
    use mpiscope_run::model::Trace;

    /// Forces the first alternative of a rank's first race; shows what all
    /// ranks' receives are then to take, `-` where they are free.
    fn check(picture: &str, rank: u32, expected: &[&str]) {
        let trace = Trace::parse(picture).unwrap();
        let matching = trace.matching();
        let choices = Choices::of(&trace);
        let races = Races::find(&trace, &matching).list();
        let of_rank = |race: &&Race| trace.locations[race.post.location.index()].rank.0 == rank;
        let race = races.iter().find(of_rank).expect("a race");
        let send = race.alternatives[0].send;
        let keeps = keeps(&trace, &matching, &choices, race, send);
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
        let record = choices.record(&trace);
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
