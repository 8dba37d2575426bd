//! Random programs as text fixtures: what ranks call is drawn act by act, so that all find their
//! partners; how long each call lasts is drawn for each rank by itself, so that whoever is waited for
//! may come before the call, in it or, by wrong clocks, after it.

mod collectives;
mod locks;
mod messages;
mod windows;

use std::fmt;

use proptest::prelude::*;

use messages::Pending;

/// What some ranks do next, and the number that decides about all of it.
pub type Act = (What, u64);

/// What is done.
#[derive(Clone, Copy, Debug)]
pub enum What {
    Message,
    Matched,
    Cancelled,
    Exchange,
    Complete,
    Collective,
    Neighbors,
    Duplicate,
    CreateWindow,
    Fence,
    Epoch,
    Lock,
    Notify,
}

/// A program, as the fixture language has it.
pub struct Program(pub String);

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "\n{}", self.0)
    }
}

/// Returns programs of a few ranks, which do some of `all`.
pub fn programs(all: &'static [What]) -> impl Strategy<Value = Program> {
    programs_on(groups, all)
}

/// Returns such of whom no two groups meet on an intercommunicator.
pub fn programs_of_one_group(all: &'static [What]) -> impl Strategy<Value = Program> {
    let groups = |ranks| {
        let mut groups = groups(ranks);
        groups.retain(|group| group.second.is_empty());
        groups
    };
    programs_on(groups, all)
}

fn programs_on(
    groups: fn(usize) -> Vec<Group>,
    all: &'static [What],
) -> impl Strategy<Value = Program> {
    let act = (prop::sample::select(all), any::<u64>());
    let acts = prop::collection::vec(act, 1..14);
    (2..6usize, acts, any::<u64>()).prop_map(move |(ranks, acts, number)| {
        Program(Machine::run(groups(ranks), ranks, &acts, number))
    })
}

/// Numbers that follow from the first (Steele, Lea and Flood 2014).
pub struct Dice(pub u64);

impl Dice {
    /// Draws a number below another.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    /// Returns whether one of `of` cases has come.
    pub fn is_one_of(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Any communicator or window: its name, and the world ranks of its group or groups.
#[derive(Clone)]
struct Group {
    name: &'static str,
    first: Vec<usize>,
    second: Vec<usize>,
}

/// The ranks' clocks, and what each has called.
pub struct Machine {
    now: Vec<i64>,
    said: Vec<String>,
    dice: Dice,
    groups: Vec<Group>,
    pending: Vec<Vec<Pending>>,
    /// How often the locks of windows were held in an order that is told.
    held: u64,
}

impl Machine {
    fn run(groups: Vec<Group>, ranks: usize, acts: &[Act], number: u64) -> String {
        let mut machine = Machine {
            now: vec![0; ranks],
            said: vec![String::new(); ranks],
            dice: Dice(number),
            groups,
            pending: vec![Vec::new(); ranks],
            held: 0,
        };
        let definitions = machine.definitions();
        let main = machine.dice.is_one_of(2);
        if main {
            (0..ranks).for_each(|rank| machine.say(rank, "enter(main)"));
        }
        machine.all_call("MPI_Init", 3);
        for (what, number) in acts {
            machine.dice = Dice(*number);
            machine.act(*what);
        }
        (0..ranks).for_each(|rank| machine.complete_all(rank));
        machine.end(main);
        let lines = machine.said.iter().enumerate();
        let lines: Vec<String> = lines.map(|(rank, said)| format!("{rank}:{said}")).collect();
        definitions + &lines.join("\n")
    }

    fn act(&mut self, what: What) {
        match what {
            What::Message => self.message(),
            What::Matched => self.matched(),
            What::Cancelled => self.cancelled(),
            What::Exchange => self.exchange(),
            What::Complete => self.complete(),
            What::Collective => self.collective(),
            What::Neighbors => self.neighbors(),
            What::Duplicate => self.duplicate(),
            What::CreateWindow => self.create_window(),
            What::Fence => self.fence(),
            What::Epoch => self.epoch(),
            What::Lock => self.lock(),
            What::Notify => self.notify(),
        }
    }

    /// Returns the lines of communicators and windows.
    fn definitions(&mut self) -> String {
        let ranks = |ranks: &[usize]| {
            let ranks: Vec<String> = ranks.iter().map(usize::to_string).collect();
            ranks.join(" ")
        };
        let mut lines = String::new();
        for group in &self.groups[1..] {
            let second = match group.second.is_empty() {
                true => String::new(),
                false => format!(" | {}", ranks(&group.second)),
            };
            lines += &format!("comm {}: {}{second}\n", group.name, ranks(&group.first));
        }
        let all = self.now.len();
        let mut edges = String::new();
        for from in 0..all {
            let to: Vec<usize> = (0..all).filter(|_| self.dice.is_one_of(2)).collect();
            edges.extend(to.iter().map(|to| format!(" {from}>{to}")));
        }
        lines += &format!("comm ring: {} edges{edges}\n", ranks(&self.groups[0].first));
        lines + "win w: world\nwin v: back\n"
    }

    /// Says something at a rank's time.
    fn say(&mut self, rank: usize, what: &str) {
        self.said[rank] += &format!(" {} {what}", self.now[rank]);
    }

    /// Lets a rank's time go on, by less than so much.
    fn pass(&mut self, rank: usize, below: usize) {
        self.now[rank] += self.dice.below(below) as i64;
    }

    /// Lets ranks that are far behind catch up, so that most meet in their calls.
    fn gather(&mut self, ranks: &[usize]) {
        let last = ranks.iter().map(|rank| self.now[*rank]).max().unwrap_or(0);
        for &rank in ranks {
            let near = last - self.dice.below(40) as i64;
            if !self.dice.is_one_of(4) {
                self.now[rank] = self.now[rank].max(near);
            }
        }
    }

    /// Lets a rank call a function in which all of `what` happens.
    fn call(&mut self, rank: usize, name: &str, what: &[String]) {
        self.pass(rank, 9);
        let inner = self.dice.is_one_of(8);
        self.say(rank, &format!("enter({name})"));
        for what in what {
            self.pass(rank, 4);
            self.say(rank, what);
        }
        if inner {
            self.say(rank, "enter(MPI_Type_size)");
            self.say(rank, "leave(MPI_Type_size)");
        }
        let most = self.dice.pick(&[2, 8, 40]);
        self.pass(rank, most);
        self.say(rank, &format!("leave({name})"));
    }

    /// Does the same, or lets it happen outside of functions, as where only messages were recorded.
    fn call_or_not(&mut self, rank: usize, name: &str, what: &str) {
        if !self.dice.is_one_of(10) {
            return self.call(rank, name, &[what.to_owned()]);
        }
        self.pass(rank, 20);
        self.say(rank, what);
    }

    /// Mostly all call a function in which they meet.
    fn all_call(&mut self, name: &str, of: usize) {
        if !self.dice.is_one_of(of) {
            let all: Vec<usize> = (0..self.now.len()).collect();
            self.gather(&all);
            all.iter().for_each(|rank| self.call(*rank, name, &[]));
        }
    }

    /// Ends all ranks; one may have died in a barrier.
    fn end(&mut self, main: bool) {
        let dies = match self.dice.is_one_of(4) {
            true => Some(self.dice.below(self.now.len())),
            false => None,
        };
        match dies {
            Some(dies) => self.last_barrier(dies),
            None => self.all_call("MPI_Finalize", 4),
        }
        for rank in (0..self.now.len()).filter(|rank| main && Some(*rank) != dies) {
            self.pass(rank, 9);
            self.say(rank, "leave(main)");
        }
    }

    fn last_barrier(&mut self, dies: usize) {
        for rank in 0..self.now.len() {
            let end = self.now[rank] + 9;
            match rank == dies {
                true => self.say(rank, &format!("enter(MPI_Barrier) {end} ?{{")),
                false => self.call(rank, "MPI_Barrier", &["barrier{".into(), "}".into()]),
            }
        }
    }

    /// Draws two ranks, one that sends and another one.
    fn pair(&mut self) -> (usize, usize) {
        let all = self.now.len();
        let from = self.dice.below(all);
        (from, (from + 1 + self.dice.below(all - 1)) % all)
    }

    /// Draws some ranks.
    fn some(&mut self) -> Vec<usize> {
        let all = 0..self.now.len();
        all.filter(|_| self.dice.is_one_of(2)).collect()
    }
}

/// Returns the communicators that messages and operations are drawn from.
fn groups(ranks: usize) -> Vec<Group> {
    let all: Vec<usize> = (0..ranks).collect();
    let half = ranks / 2;
    let group = |name, first: &[usize], second: &[usize]| Group {
        name,
        first: first.to_vec(),
        second: second.to_vec(),
    };
    let back: Vec<usize> = (0..ranks).rev().collect();
    vec![
        group("world", &all, &[]),
        group("back", &back, &[]),
        group("half", &all[..half + 1], &[]),
        group("bridge", &all[..half], &all[half..]),
    ]
}
