//! What the parts of a trace tell each other: one interface for threads of a
//! process and for ranks of a job.
//!
//! A trace is divided into parts ([`Division`]), each with locations of its
//! own. A stage is written once, as what a part does with the events of its
//! locations and what it tells the others; it never looks at times of events
//! that are not its own. All parts run the same function and come to the same
//! calls of [`Exchange`] in the same order, as the ranks of an MPI program do.
//!
//! Nothing may depend on how many parts there are. So integers are added up
//! exactly, least and greatest are taken of what has a total order, and lists
//! are put in an order that the trace gives (of locations, clocks, operations)
//! before anything is made of them; there is no sum of floating-point numbers
//! by parts here, and there shall be none.

mod crew;
mod division;
mod gathered;
mod operations;
mod received;
mod rounds;
mod threads;
mod told;

#[cfg(test)]
pub(crate) use crew::in_bytes;
pub(crate) use crew::{sharers, Crew, Way};
pub(crate) use division::Division;
pub(crate) use gathered::gathered;
pub(crate) use mpiscope_model::plain;
pub(crate) use mpiscope_model::plain::Plain;
pub(crate) use operations::rounds_of_operations;
pub(crate) use received::each_received;
pub(crate) use rounds::{Rounds, ROUND};
pub(crate) use threads::{on_threads, Threads};
pub(crate) use told::Told;

/// One part's way to the others.
pub(crate) trait Exchange {
    /// Returns how many parts there are.
    fn parts(&self) -> usize;

    /// Returns the number of this part.
    fn me(&self) -> usize;

    /// Sends a list to each part, and returns those that were sent to this
    /// one, both by part.
    fn all_to_all<T: Plain>(&self, outgoing: Vec<Vec<T>>) -> Vec<Vec<T>>;

    /// Returns whether parts are processes, each of which goes on by itself with
    /// what comes of a stage; else part 0 does so for all.
    fn shares_nothing(&self) -> bool {
        false
    }

    /// Has those that go on, which are all processes, or the first of threads, know what all have,
    /// by part; the others get empty lists.
    fn gather<T: Plain>(&self, mine: Vec<T>) -> Vec<Vec<T>> {
        if self.shares_nothing() {
            return self.all_gather(mine);
        }
        self.to_first(mine)
    }

    /// Has the first know what all have, by part; the others get empty lists.
    fn to_first<T: Plain>(&self, mine: Vec<T>) -> Vec<Vec<T>> {
        let mut outgoing: Vec<Vec<T>> = (0..self.parts()).map(|_| Vec::new()).collect();
        outgoing[0] = mine;
        self.all_to_all(outgoing)
    }

    /// Has everybody know what the first has.
    fn told_by_first<T: Plain>(&self, mine: Vec<T>) -> Vec<T> {
        sent_by_first(self, mine)
    }

    /// Has everybody know what all have, by part.
    fn all_gather<T: Plain>(&self, mine: Vec<T>) -> Vec<Vec<T>> {
        self.all_to_all(vec![mine; self.parts()])
    }

    /// Returns the sum of a number of each part.
    fn sum(&self, mine: u64) -> u64 {
        self.all_gather(vec![mine]).into_iter().flatten().sum()
    }

    /// Returns the least number of any part.
    fn least(&self, mine: i64) -> i64 {
        let all = self.all_gather(vec![mine]).into_iter().flatten();
        all.min().unwrap_or(mine)
    }

    /// Returns the greatest number of any part.
    fn greatest(&self, mine: i64) -> i64 {
        let all = self.all_gather(vec![mine]).into_iter().flatten();
        all.max().unwrap_or(mine)
    }
}

/// Has the first send each part a list.
fn sent_by_first<E: Exchange + ?Sized, T: Plain>(exchange: &E, mine: Vec<T>) -> Vec<T> {
    let outgoing = match exchange.me() {
        0 => vec![mine; exchange.parts()],
        _ => vec![Vec::new(); exchange.parts()],
    };
    exchange.all_to_all(outgoing).swap_remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What each part learns, if all tell all others what they have.
    fn told<E: Exchange>(exchange: &E, mine: Vec<i64>) -> (Vec<Vec<i64>>, u64, i64, Vec<Vec<i64>>) {
        let to = |part: usize| mine.iter().map(|number| number + part as i64).collect();
        let mut heard = exchange.all_to_all((0..exchange.parts()).map(to).collect());
        // Some rounds more: what is sent in one does not come out of another.
        for round in 0..20u32 {
            let outgoing = (0..exchange.parts()).map(|part| vec![(round, part as u64, 1u8)]);
            for (round_of, part, one) in exchange.all_to_all(outgoing.collect()).concat() {
                assert_eq!((round_of, part, one), (round, exchange.me() as u64, 1));
            }
        }
        heard.iter_mut().for_each(|list| list.sort_unstable());
        let all = exchange.gather(mine.clone());
        (
            heard,
            exchange.sum(mine.len() as u64),
            exchange.least(mine.len() as i64),
            all,
        )
    }

    proptest! {
        #[test]
        fn threads_and_bytes_tell_the_same(
            lists in prop::collection::vec(prop::collection::vec(any::<i32>(), 0..4), 1..8),
        ) {
            let lists: Vec<Vec<i64>> = lists.iter()
                .map(|list| list.iter().map(|number| i64::from(*number)).collect())
                .collect();
            let by_threads = on_threads(lists.clone(), |exchange: &Threads, mine| told(exchange, mine));
            let by_bytes = in_bytes(lists.clone(), |exchange: &Way, mine| told(exchange, mine));
            prop_assert_eq!(&by_threads, &by_bytes);
            for (me, (heard, sum, least, all)) in by_threads.into_iter().enumerate() {
                for (list, heard) in lists.iter().zip(heard) {
                    let mut sent: Vec<i64> = list.iter().map(|number| number + me as i64).collect();
                    sent.sort_unstable();
                    prop_assert_eq!(sent, heard);
                }
                prop_assert_eq!(sum, lists.iter().map(|list| list.len() as u64).sum::<u64>());
                prop_assert_eq!(Some(least), lists.iter().map(|list| list.len() as i64).min());
                let empty = vec![Vec::new(); lists.len()];
                prop_assert_eq!(&all, if me == 0 { &lists } else { &empty });
            }
        }
    }
}
