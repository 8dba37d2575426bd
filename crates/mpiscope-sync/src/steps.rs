//! Steps of the loops over members of an operation, counted where tests are compiled.
//!
//! Statistics and checker take at most n log n steps for an operation of n members. A clock would
//! tell that of a machine; so whoever looks at a member, a place in a tree or a pair says so here.

/// Counts steps that are taken; outside of tests nothing happens.
#[inline(always)]
pub(crate) fn take(steps: usize) {
    #[cfg(test)]
    counted::TAKEN.set(counted::TAKEN.get() + steps as u64);
    #[cfg(not(test))]
    let _ = steps;
}

/// Counts the steps of a search through so many, by halves.
#[inline(always)]
pub(crate) fn search(among: usize) {
    take(1 + among.checked_ilog2().unwrap_or(0) as usize);
}

/// Counts the steps of sorting so many.
#[inline(always)]
pub(crate) fn sort(many: usize) {
    take(many * (1 + many.checked_ilog2().unwrap_or(0) as usize));
}

#[cfg(test)]
mod counted {
    use std::cell::Cell;

    thread_local! {
        pub(super) static TAKEN: Cell<u64> = const { Cell::new(0) };
    }
}

#[cfg(test)]
mod tests {
    use mpiscope_model::{Duration, Trace};

    use super::*;
    use crate::statistics::{messages, Places};
    use crate::{check, Latencies, LatencyOverride, LatencyTable};

    /// Hosts, of which neighbours have latencies of their own.
    const HOSTS: usize = 8;

    /// Returns an operation of so many members in which many a message is too early.
    fn operation(op: &str, members: usize) -> Trace {
        let ranks = |host: usize| -> String {
            let of = (host..members).step_by(HOSTS);
            of.map(|rank| format!(" {rank}")).collect()
        };
        let hosts: String = (0..HOSTS)
            .map(|host| format!("host h{host} in r{}:{}\n", host % 2, ranks(host)))
            .collect();
        let lines: String = (0..members)
            .map(|rank| {
                let (enter, leave) = (rank * 7919 % 1009, 500 + rank * 6151 % 601);
                format!("{rank}: {enter} {op}{{ {leave} }}\n")
            })
            .collect();
        let half = members / 2;
        let group = |range: std::ops::Range<usize>| -> String {
            range.map(|rank| format!(" {rank}")).collect()
        };
        let groups = [group(0..half), group(half..members)].join(" |");
        Trace::parse(&format!("comm b:{groups}\n{hosts}{lines}")).unwrap()
    }

    fn latencies(trace: &Trace, with_pairs: bool) -> LatencyTable {
        let name = |host: usize| format!("h{}", host % HOSTS);
        let pairs = (0..HOSTS).map(|it| ([name(it), name(it + 1)], Duration(40 + it as i64)));
        let latency = LatencyOverride {
            classes: [1, 5, 10, 20, 30].map(|ticks| Some(Duration(ticks))),
            pairs: pairs.filter(|_| with_pairs).collect(),
        };
        LatencyTable::new(trace, &Latencies::given(&latency))
    }

    /// Returns the steps of statistics and of the checker, and how many messages are too early.
    fn steps(op: &str, members: usize, with_pairs: bool) -> ([u64; 2], u64) {
        let trace = operation(op, members);
        let (table, times) = (latencies(&trace, with_pairs), trace.times());
        let (matching, places) = (trace.matching(), Places::by_clock(&trace));
        let counted = |work: &mut dyn FnMut() -> u64| {
            counted::TAKEN.set(0);
            let found = work();
            (counted::TAKEN.get(), found)
        };
        // On one thread: that which counts.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        pool.unwrap().install(|| {
            let of_statistics = counted(&mut || {
                let found = messages(&trace, &matching, &times, &table, &places);
                found.all().too_early.count
            });
            let of_checker = counted(&mut || check(&trace, &times, &table).clock_condition.count);
            assert_eq!(of_statistics.1, of_checker.1, "{op}, {members}");
            ([of_statistics.0, of_checker.0], of_checker.1)
        })
    }

    const OPERATIONS: [&str; 5] = [
        "barrier",
        "scan",
        "gather(root=3)",
        "bcast(root=3)",
        "barrier(comm=b)",
    ];

    /// Steps for each member and each halving of all, with all classes and partners of hosts.
    const FACTOR: u64 = 120;

    /// Eight times the members take eight times the steps, and up to half more for deeper trees.
    const GROWTH: u64 = 14;

    #[test]
    fn operations_of_n_members_take_n_log_n_steps() {
        for op in OPERATIONS {
            for with_pairs in [false, true] {
                let mut fewer: Option<[u64; 2]> = None;
                for members in [64, 512, 4096] {
                    let (taken, early) = steps(op, members, with_pairs);
                    let said = format!("{op}, pairs {with_pairs}, {members}: {taken:?}");
                    let n = members as u64;
                    // Otherwise there is nothing to count.
                    assert!(op.contains("root") || early > n * n / 20, "{said}, {early}");
                    let most = FACTOR * n * u64::from(n.ilog2());
                    let few = taken.map(|steps| (n..=most).contains(&steps));
                    assert_eq!(few, [true; 2], "{said}");
                    for (fewer, steps) in fewer.into_iter().flatten().zip(taken) {
                        assert!(steps <= GROWTH * fewer, "{said}, {fewer} before");
                    }
                    fewer = Some(taken);
                }
            }
        }
    }
}
