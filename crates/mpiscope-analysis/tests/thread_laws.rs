//! Laws of waiting among threads, on a process whose threads do random things: what they wait for
//! follows from what they do, and is noted while they do it.

mod common;

use common::sums;
use mpiscope_analysis::critical_path::critical_path;
use mpiscope_analysis::wait_states::{wait_states, Kind};
use mpiscope_model::Trace;
use proptest::prelude::*;

/// What one or all threads of a team do next.
#[derive(Clone, Debug)]
enum Act {
    Work(usize, i64),
    Barrier,
    /// A thread holds the lock for some time.
    Lock(usize, i64),
}

/// By how much each thread begins later than the one before, and what they do.
type Team = (i64, Vec<Act>);

fn teams(threads: usize) -> impl Strategy<Value = Vec<Team>> {
    let act = prop_oneof![
        4 => (0..threads, 1..20i64).prop_map(|(thread, time)| Act::Work(thread, time)),
        2 => Just(Act::Barrier),
        3 => (0..threads, 1..9i64).prop_map(|(thread, time)| Act::Lock(thread, time)),
    ];
    let team = (0..9i64, prop::collection::vec(act, 0..9));
    prop::collection::vec(team, 1..4)
}

/// A wait: its kind, who, from when, until when.
type Wait = (Kind, usize, i64, i64);

/// The threads' clocks, and what each has done, as the fixture language has it.
struct Process {
    now: Vec<i64>,
    done: Vec<String>,
    /// When each left its last team.
    free: Vec<Option<i64>>,
    /// When the lock is given back, and by whom; how often it was acquired.
    lock: Option<(i64, usize)>,
    acquired: u32,
    waits: Vec<Wait>,
}

impl Process {
    fn run(threads: usize, teams: &[Team]) -> (Trace, Vec<Wait>) {
        let mut process = Process {
            now: vec![0; threads],
            done: (0..threads).map(|thread| format!("0.{thread}:")).collect(),
            free: vec![None; threads],
            lock: None,
            acquired: 0,
            waits: Vec::new(),
        };
        teams.iter().for_each(|team| process.team(team));
        let mut waits = process.waits;
        waits.retain(|(.., from, until)| until > from);
        waits.sort();
        (Trace::parse(&process.done.join("\n")).unwrap(), waits)
    }

    fn say(&mut self, thread: usize, what: &str) {
        self.done[thread] += &format!(" {} {what}", self.now[thread]);
    }

    fn wait(&mut self, kind: Kind, thread: usize, until: i64) {
        self.waits.push((kind, thread, self.now[thread], until));
        self.now[thread] = self.now[thread].max(until);
    }

    fn team(&mut self, (late, team): &Team) {
        let threads = self.now.len();
        let fork = self.now[0];
        self.say(0, &format!("fork({threads})"));
        for thread in 0..threads {
            match self.free[thread] {
                Some(free) if thread > 0 => self.waits.push((Kind::IdleThread, thread, free, fork)),
                _ => {}
            }
            self.now[thread] = self.now[thread].max(fork) + 1 + late * thread as i64;
            self.say(thread, "team_begin(t) ");
        }
        team.iter().for_each(|act| self.act(act));
        for thread in 0..threads {
            self.now[thread] += 1;
            self.say(thread, "team_end(t)");
            self.free[thread] = Some(self.now[thread]);
        }
        self.say(0, "enter(omp_join)");
        let last = (1..threads).map(|thread| self.now[thread]).max();
        self.wait(Kind::ThreadJoin, 0, last.unwrap_or(0));
        self.now[0] += 1;
        self.say(0, "leave(omp_join)");
        self.say(0, "join");
        self.now[0] += 2;
    }

    fn act(&mut self, act: &Act) {
        match *act {
            Act::Work(thread, time) => self.now[thread] += time,
            Act::Barrier => {
                let last = *self.now.iter().max().unwrap();
                for thread in 0..self.now.len() {
                    self.say(thread, "enter(omp_barrier)");
                    self.wait(Kind::ThreadBarrier, thread, last);
                    self.now[thread] += 1;
                    self.say(thread, "leave(omp_barrier)");
                }
            }
            Act::Lock(thread, time) => {
                self.say(thread, "enter(omp_set_lock)");
                if let Some((given_back, by)) = self.lock.filter(|(_, by)| *by != thread) {
                    assert_ne!(by, thread);
                    self.wait(Kind::ThreadLock, thread, given_back);
                }
                self.now[thread] += 1;
                self.say(thread, &format!("acquire(7,{})", self.acquired));
                self.say(thread, "leave(omp_set_lock)");
                self.now[thread] += time;
                self.say(thread, &format!("release(7,{})", self.acquired));
                self.acquired += 1;
                self.lock = Some((self.now[thread], thread));
            }
        }
    }
}

fn processes() -> impl Strategy<Value = (Trace, Vec<Wait>)> {
    let of = |threads| teams(threads).prop_map(move |teams| Process::run(threads, &teams));
    (2..5usize).prop_flat_map(of)
}

proptest! {
    #[test]
    fn threads_wait_as_long_as_the_others_are_late((trace, expected) in processes()) {
        let found = wait_states(&trace, &trace.matching());
        let found = found.iter().map(|state| {
            let thread = trace.locations[state.call.location.index()].thread as usize;
            (state.kind, thread, state.begin.0, state.end.0)
        });
        let mut found: Vec<Wait> = found.collect();
        found.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn sums_agree_and_the_critical_path_never_waits((trace, expected) in processes()) {
        sums::agree(&trace)?;
        let path = critical_path(&trace);
        prop_assert_eq!(path.contradictions, 0);
        for step in &path.steps {
            let thread = trace.locations[step.location.index()].thread as usize;
            let waits = expected.iter().filter(|(_, it, ..)| *it == thread);
            let meets = |(.., from, until): &Wait| *from < step.end.0 && step.begin.0 < *until;
            prop_assert!(!waits.clone().any(meets), "{:?}", step);
        }
    }
}
