//! Tasks: a process whose threads create tasks, work on them, wait for them and are joined, and what
//! each of them waits for, straight from the definitions.
//!
//! Who is in a taskwait waits for the last of the tasks that its own task has created since the one
//! before; who is there or at a barrier, for the creation of a task that it then works on; who is at a
//! barrier, for the last to come; who joins a thread, for its end. A thread that works on tasks meanwhile waits from the end of the
//! last of them; if it was at work when the other one came, it did not wait.

mod twin;

use proptest::prelude::*;

use super::machine::{Dice, Program};

pub use twin::waits;

/// What a thread does next.
#[derive(Clone, Copy, Debug)]
enum Act {
    Create,
    Run,
    Wait,
    Barrier,
}

/// Returns programs of one process, whose threads have tasks.
pub fn programs() -> impl Strategy<Value = Program> {
    use Act::*;
    let act = prop::sample::select(&[Create, Create, Create, Run, Run, Wait, Wait, Barrier]);
    let acts = prop::collection::vec((act, any::<u64>()), 1..25);
    (2..5usize, acts).prop_map(|(threads, acts)| Program(Team::run(threads, &acts)))
}

/// A task: who created it, and as which of its tasks.
#[derive(Clone, Copy)]
struct Task(usize, usize);

/// The threads' clocks, and what each has done.
struct Team {
    now: Vec<i64>,
    said: Vec<String>,
    dice: Dice,
    /// How many tasks each has created.
    created: Vec<usize>,
    /// Tasks that nobody has worked on.
    open: Vec<Task>,
}

impl Team {
    fn run(threads: usize, acts: &[(Act, u64)]) -> String {
        let mut team = Team {
            now: vec![0; threads],
            said: vec![String::new(); threads],
            dice: Dice(0),
            created: vec![0; threads],
            open: Vec::new(),
        };
        team.create_threads();
        team.say(0, &format!("fork({threads})"));
        (0..threads).for_each(|thread| team.say(thread, "team_begin(t)"));
        for (act, number) in acts {
            team.dice = Dice(*number);
            team.act(*act);
        }
        (0..threads).for_each(|thread| team.say(thread, "team_end(t)"));
        team.say(0, "join");
        team.join_threads();
        let lines = team.said.iter().enumerate();
        let lines: Vec<String> = lines
            .map(|(thread, said)| format!("0.{thread}:{said}"))
            .collect();
        lines.join("\n")
    }

    fn create_threads(&mut self) {
        for thread in 1..self.now.len() {
            self.say(0, &format!("thread_create(p,{thread})"));
            self.say(thread, &format!("thread_begin(p,{thread})"));
        }
    }

    /// Ends all threads but the first, which waits for each in turn.
    fn join_threads(&mut self) {
        for thread in 1..self.now.len() {
            self.pass(thread, 20);
            self.say(thread, &format!("thread_end(p,{thread})"));
            self.pass(0, 9);
            self.say(0, "enter(pthread_join)");
            self.pass(0, 40);
            self.say(0, &format!("thread_wait(p,{thread})"));
            self.pass(0, 4);
            self.say(0, "leave(pthread_join)");
        }
    }

    fn act(&mut self, act: Act) {
        let thread = self.dice.below(self.now.len());
        self.catch_up(thread);
        match act {
            Act::Create => self.create(thread),
            Act::Run => self.work(thread, 2, None),
            Act::Wait => self.region(thread, "omp_taskwait", 2, None),
            Act::Barrier => {
                for thread in 0..self.now.len() {
                    self.catch_up(thread);
                    self.region(thread, "omp_barrier", 2, None);
                }
            }
        }
    }

    /// Lets a thread that is far behind catch up, mostly.
    fn catch_up(&mut self, thread: usize) {
        let last = self.now.iter().max().copied().unwrap_or(0);
        if !self.dice.is_one_of(4) {
            let near = last - self.dice.below(40) as i64;
            self.now[thread] = self.now[thread].max(near);
        }
    }

    fn say(&mut self, thread: usize, what: &str) {
        self.said[thread] += &format!(" {} {what}", self.now[thread]);
    }

    fn pass(&mut self, thread: usize, below: usize) {
        self.now[thread] += self.dice.below(below) as i64;
    }

    fn create(&mut self, thread: usize) {
        self.pass(thread, 9);
        self.created[thread] += 1;
        let task = Task(thread, self.created[thread]);
        self.say(thread, &format!("task_create(t,{},{})", task.0, task.1));
        self.open.push(task);
    }

    /// Lets a thread work on a task, in which it may create others and wait for them, and go on with
    /// the one before.
    fn work(&mut self, thread: usize, depth: usize, before: Option<Task>) {
        if self.open.is_empty() {
            return;
        }
        let at = self.dice.below(self.open.len());
        let task = self.open.remove(at);
        self.pass(thread, 20);
        self.switch(thread, task);
        self.say(thread, "enter(work)");
        if depth > 1 && self.dice.is_one_of(3) {
            self.create(thread);
            self.region(thread, "omp_taskwait", depth - 1, Some(task));
        }
        self.pass(thread, 20);
        self.say(thread, "leave(work)");
        if !self.dice.is_one_of(8) {
            self.say(thread, &format!("task_complete(t,{},{})", task.0, task.1));
        }
        self.switch(thread, before.unwrap_or(Task(thread, 0)));
    }

    fn switch(&mut self, thread: usize, task: Task) {
        self.say(thread, &format!("task_switch(t,{},{})", task.0, task.1));
    }

    /// Lets a thread be in a region in which threads wait, and work there.
    fn region(&mut self, thread: usize, name: &str, depth: usize, task: Option<Task>) {
        self.pass(thread, 9);
        self.say(thread, &format!("enter({name})"));
        for _ in 0..self.dice.below(1 + depth) {
            self.work(thread, depth - 1, task);
        }
        self.pass(thread, 40);
        self.say(thread, &format!("leave({name})"));
    }
}
