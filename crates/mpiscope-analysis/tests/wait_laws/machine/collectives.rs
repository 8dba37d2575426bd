//! Collective operations: blocking ones with and without region, nonblocking ones, among neighbours,
//! and those that create communicators.

use super::{Dice, Group, Machine};

const ROOTED: &[&str] = &[
    "bcast", "scatter", "scatterv", "reduce", "gather", "gatherv",
];

const OTHERS: &[&str] = &[
    "barrier",
    "barrier",
    "allreduce",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "exscan",
];

const NEIGHBORS: &[&str] = &[
    "neighbor_allgather",
    "neighbor_allgatherv",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "neighbor_alltoallw",
];

/// Operations that do not exist between two groups.
const WITHIN: &[&str] = &["scan", "exscan"];

const CREATIONS: &[&str] = &["MPI_Comm_dup", "MPI_Comm_split", "MPI_Cart_create"];

impl Machine {
    /// Lets all of a communicator take part in an operation.
    pub(super) fn collective(&mut self) {
        let at = self.dice.below(self.groups.len());
        let group = self.groups[at].clone();
        let rooted = self.dice.is_one_of(2);
        let op = self.dice.pick(if rooted { ROOTED } else { OTHERS });
        if WITHIN.contains(&op) && !group.second.is_empty() {
            return;
        }
        let root = rooted.then(|| self.dice.below(group.first.len()));
        let root_is_first = group.second.is_empty() || self.dice.is_one_of(2);
        let root = match root_is_first {
            true => root,
            false => rooted.then(|| self.dice.below(group.second.len())),
        };
        let members: Vec<usize> = [&group.first[..], &group.second].concat();
        self.gather(&members);
        let persistent = self.dice.is_one_of(6).then(|| self.dice.below(2));
        let errs = self.dice.below(12 * members.len());
        for (number, &member) in members.iter().enumerate() {
            let root = root.map(|root| root_of(&group, member, root, root_is_first));
            let op = if number == errs { "allreduce" } else { op };
            self.take_part(member, op, group.name, root, persistent);
        }
    }

    /// Lets all take part in an operation of neighbours.
    pub(super) fn neighbors(&mut self) {
        let op = self.dice.pick(NEIGHBORS);
        let all: Vec<usize> = (0..self.now.len()).collect();
        self.gather(&all);
        for rank in all {
            self.take_part(rank, op, "ring", None, None);
        }
    }

    /// Lets a rank take part in an operation, which all do by the same persistent one, if by any.
    fn take_part(
        &mut self,
        rank: usize,
        op: &str,
        comm: &str,
        root: Option<String>,
        persistent: Option<usize>,
    ) {
        let particulars = particulars(&mut self.dice, op, comm, root);
        let dense = match op.ends_with("toallv") || op.ends_with("toallw") {
            true => self.dice.pick(&["", " !dense", " !dense"]),
            false => "",
        };
        let form = if persistent.is_some() {
            0
        } else {
            self.dice.below(4)
        };
        match form {
            0 => {
                let completion = [format!("i{op}#"), format!("{particulars}{dense}")];
                let request = self.request(rank, completion, false);
                let note = persistent.map_or(String::new(), |it| format!(" !persistent({it})"));
                self.call(rank, "MPI_Start", &[format!("icollective#{request}{note}")]);
            }
            1 => {
                self.pass(rank, 9);
                self.say(rank, &format!("{op}{particulars}{{"));
                self.pass(rank, 40);
                self.say(rank, &format!("}}{dense}"));
            }
            _ => {
                let what = [format!("{op}{particulars}{{"), format!("}}{dense}")];
                self.call(rank, &format!("MPI_{op}"), &what);
            }
        }
    }

    /// Lets all of a communicator create it.
    pub(super) fn duplicate(&mut self) {
        let at = self.dice.below(self.groups.len());
        let group = self.groups[at].clone();
        let name = self.dice.pick(CREATIONS);
        let members: Vec<usize> = [&group.first[..], &group.second].concat();
        self.gather(&members);
        let event = self.dice.is_one_of(2);
        for rank in members {
            match event {
                true => self.call(rank, name, &[format!("comm_create({})", group.name)]),
                false => self.call(rank, name, &[format!("!created({})", group.name)]),
            }
        }
    }
}

/// Draws what a member says of an operation.
fn particulars(dice: &mut Dice, op: &str, comm: &str, root: Option<String>) -> String {
    let mut all = vec![format!("comm={comm}")];
    all.extend(root.map(|root| format!("root={root}")));
    for side in ["sent", "received"] {
        if op != "barrier" && dice.is_one_of(6) {
            all.push(format!("{side}=0"));
        }
    }
    format!("({})", all.join(","))
}

/// Returns how a member writes the root, which is one of the first group or of the second.
fn root_of(group: &Group, member: usize, root: usize, is_first: bool) -> String {
    let of_root = if is_first {
        &group.first
    } else {
        &group.second
    };
    let is_inside = of_root.contains(&member);
    match group.second.is_empty() || !is_inside {
        true => root.to_string(),
        false if of_root[root] == member => "self".into(),
        false => "outside".into(),
    }
}
