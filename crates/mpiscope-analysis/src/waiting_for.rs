//! Who can go on, and who waits for ever: the wait-for graph of processes.
//!
//! A call waits for one or several things, each of which one of some processes
//! can do alone (a receive from anybody), or all of them have to (a collective
//! operation). That is the AND-OR graph of Hilbrich, de Supinski, Nagel,
//! Protze, Baier and Müller, "Distributed Wait State Tracking for Runtime MPI
//! Deadlock Detection" (SC 2013). Processes are stuck if no order of events
//! releases them; with AND alone that takes a circle, with OR a knot. They are
//! found as the greatest set that nobody outside of it releases:
//!
//! ```
//! use mpiscope_analysis::waiting_for::{stuck, Need, Process, Wait};
//! let waits_for = |process| {
//!     let need = Need { of: vec![process], any: true };
//!     Process::Waits(vec![Wait { needs: vec![need], all: true }])
//! };
//! let found = stuck(&[waits_for(1), waits_for(0), waits_for(3), Process::GoesOn]);
//! assert_eq!(found.stuck, [true, true, false, false]);
//! assert_eq!(found.circles(), [[0, 1]]);
//! ```

pub mod of_trace;

/// Something that others have to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// Who can do it.
    pub of: Vec<usize>,
    /// One of them is enough; else all of them have to.
    pub any: bool,
}

impl Need {
    fn is_hopeless(&self, stuck: &[bool]) -> bool {
        match self.any {
            true => self.of.iter().all(|&process| stuck[process]),
            false => self.of.iter().any(|&process| stuck[process]),
        }
    }
}

/// What a call waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Its needs.
    pub needs: Vec<Need>,
    /// All of them have to be met; else one of them is enough.
    pub all: bool,
}

impl Wait {
    /// Returns the needs that are never met; none if the call can return.
    fn hopeless(&self, stuck: &[bool]) -> Vec<&Need> {
        let needs = self.needs.iter().filter(|need| need.is_hopeless(stuck));
        let hopeless: Vec<&Need> = needs.collect();
        match self.all || hopeless.len() == self.needs.len() {
            true => hopeless,
            false => Vec::new(),
        }
    }
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Process {
    /// It computes, or nobody knows what it waits for.
    GoesOn,
    /// It has ended, and does nothing any more.
    Over,
    /// All of its threads wait, each for this.
    Waits(Vec<Wait>),
}

/// Who waits for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stuck {
    /// Of each process, whether it does nothing any more; those that have ended do not.
    pub stuck: Vec<bool>,
    /// Of each that waits for ever, those for which it does; ended ones among them.
    pub after: Vec<Vec<usize>>,
}

/// Finds the processes that wait for ever.
pub fn stuck(processes: &[Process]) -> Stuck {
    let mut stuck: Vec<bool> = (processes.iter())
        .map(|process| !matches!(process, Process::GoesOn))
        .collect();
    loop {
        let goes_on = |(at, process): (usize, &Process)| match process {
            Process::Waits(waits) if stuck[at] => {
                let mut waits = waits.iter();
                let free = waits.len() == 0 || waits.any(|wait| wait.hopeless(&stuck).is_empty());
                free.then_some(at)
            }
            _ => None,
        };
        let free: Vec<usize> = processes.iter().enumerate().filter_map(goes_on).collect();
        if free.is_empty() {
            break;
        }
        free.into_iter().for_each(|at| stuck[at] = false);
    }
    let after = |(at, process): (usize, &Process)| match process {
        Process::Waits(waits) if stuck[at] => {
            let needs = waits.iter().flat_map(|wait| wait.hopeless(&stuck));
            let of = needs.flat_map(|need| need.of.iter().copied());
            let mut of: Vec<usize> = of.filter(|&process| stuck[process]).collect();
            of.sort_unstable();
            of.dedup();
            of
        }
        _ => Vec::new(),
    };
    let after = processes.iter().enumerate().map(after).collect();
    Stuck { stuck, after }
}

impl Stuck {
    /// Returns the groups of processes that wait for each other, each ascending.
    pub fn circles(&self) -> Vec<Vec<usize>> {
        circles(&self.after)
    }

    /// Returns those that wait for ever, ascending.
    pub fn waiting(&self) -> Vec<usize> {
        let waiting = self.after.iter().zip(0..);
        let waiting = waiting.filter(|(after, _)| !after.is_empty());
        waiting.map(|(_, at)| at).collect()
    }
}

/// Returns the groups of nodes of a graph that reach each other, each ascending.
pub(crate) fn circles(after: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); after.len()];
    for (node, next) in after.iter().enumerate() {
        next.iter().for_each(|&next| before[next].push(node));
    }
    let mut groups = Vec::new();
    let mut done = vec![false; after.len()];
    for node in 0..after.len() {
        if done[node] || after[node].is_empty() {
            continue;
        }
        let (down, up) = (reached(node, after), reached(node, &before));
        // Who is not on a circle does not reach itself.
        let group: Vec<usize> = (0..after.len()).filter(|&it| down[it] && up[it]).collect();
        group.iter().for_each(|&member| done[member] = true);
        if down[node] {
            groups.push(group);
        }
    }
    groups
}

/// Returns what can be reached from a node in at least one step.
fn reached(node: usize, next: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut stack = next[node].clone();
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            stack.extend(&next[node]);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A line per process: `-` goes on, `x` is over, `1&2` waits for both, `1|2` for one of
    /// them, `1,2` for two things, `1;2` for one of two, and `/` parts threads.
    fn processes(picture: &str) -> Vec<Process> {
        let number = |text: &str| text.trim().parse().unwrap();
        let need = |text: &str| Need {
            any: text.contains('|'),
            of: text.split(['|', '&']).map(number).collect(),
        };
        let wait = |text: &str| Wait {
            all: !text.contains(';'),
            needs: text.split([',', ';']).map(need).collect(),
        };
        let process = |line: &str| match line.trim() {
            "-" => Process::GoesOn,
            "x" => Process::Over,
            line => Process::Waits(line.split('/').map(wait).collect()),
        };
        picture.lines().map(process).collect()
    }

    #[track_caller]
    fn check(picture: &str, waiting: &[usize], circles: &[&[usize]]) {
        let found = stuck(&processes(picture));
        assert_eq!(found.waiting(), waiting);
        assert_eq!(found.circles(), circles);
    }

    #[test]
    fn a_circle_is_enough_where_each_waits_for_all() {
        check("1\n2\n0\n0", &[0, 1, 2, 3], &[&[0, 1, 2]]);
        check("1&2\n0\n-", &[0, 1], &[&[0, 1]]);
        check("1,2\n0\n-", &[0, 1], &[&[0, 1]]);
        check("1\n2\n-", &[], &[]);
    }

    #[test]
    fn it_takes_a_knot_where_one_of_several_is_enough() {
        check("1|2\n0|2\n-", &[], &[]);
        check("1|2\n0|2\n0|1", &[0, 1, 2], &[&[0, 1, 2]]);
        check("1;2\n0\n-", &[], &[]);
        check("1;2\n0\n0", &[0, 1, 2], &[&[0, 1, 2]]);
    }

    #[test]
    fn who_waits_for_one_that_has_ended_waits_for_ever_and_in_no_circle() {
        check("1\nx\n0", &[0, 2], &[]);
        check("1|2\nx\n-", &[], &[]);
    }

    #[test]
    fn a_process_of_which_one_thread_goes_on_is_not_stuck() {
        check("1/2\n0\n-", &[], &[]);
        check("1/1\n0", &[0, 1], &[&[0, 1]]);
    }

    fn need(size: usize) -> impl Strategy<Value = Need> {
        (prop::collection::vec(0..size, 1..4), any::<bool>()).prop_map(|(of, any)| Need { of, any })
    }

    fn process(size: usize) -> impl Strategy<Value = Process> {
        let wait = (prop::collection::vec(need(size), 1..4), any::<bool>());
        let wait = wait.prop_map(|(needs, all)| Wait { needs, all });
        prop_oneof![
            1 => Just(Process::GoesOn),
            1 => Just(Process::Over),
            6 => prop::collection::vec(wait, 1..3).prop_map(Process::Waits),
        ]
    }

    /// Plays events: whoever has gone on can do what others wait for, until nothing happens.
    fn released(processes: &[Process]) -> Vec<bool> {
        let mut free: Vec<bool> = processes.iter().map(|it| *it == Process::GoesOn).collect();
        for _ in processes {
            for (at, process) in processes.iter().enumerate() {
                let Process::Waits(waits) = process else {
                    continue;
                };
                let met = |need: &Need| match need.any {
                    true => need.of.iter().any(|&it| free[it]),
                    false => need.of.iter().all(|&it| free[it]),
                };
                let returns = |wait: &Wait| match wait.all {
                    true => wait.needs.iter().all(met),
                    false => wait.needs.iter().any(met),
                };
                free[at] |= waits.iter().any(returns);
            }
        }
        free
    }

    proptest! {
        /// A process goes on if and only if there is an order of events that releases it.
        #[test]
        fn who_is_stuck_is_released_by_no_order_of_events(
            processes in (1usize..7).prop_flat_map(|size| prop::collection::vec(process(size), size)),
        ) {
            let found = stuck(&processes);
            let free: Vec<bool> = found.stuck.iter().map(|stuck| !stuck).collect();
            prop_assert_eq!(&free, &released(&processes));
            // Each chain of those who wait for ever ends in a circle or at one that has ended.
            for at in found.waiting() {
                prop_assert!(!found.after[at].is_empty());
            }
        }
    }
}
