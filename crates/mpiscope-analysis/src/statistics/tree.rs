//! The program from its beginning: procedures contain loops and communication
//! statements, and a call expands into the procedure called.
//!
//! Every procedure's figures are those of the statement that called it. What
//! it contains was counted for all its callers together, so its body is shown
//! once, where most of its time was spent. Calls back into a procedure that is
//! being executed have no figures of their own: they were counted with the
//! call from outside.

use std::collections::{BinaryHeap, HashMap, HashSet};

use mpiscope_model::statistics::{Figures, Kind, Statistics};

use super::{add_up, rank_numbers, Index, Spread, Sum};

/// A statement at a place in the program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    /// The statement; nothing for the program itself.
    pub statement: Option<usize>,
    /// Of a procedure, the statement that calls it here.
    pub caller: Option<usize>,
    /// What was counted.
    pub figures: Figures,
    /// How its time differs between ranks.
    pub spread: Spread,
    /// Time outside of the nodes below; nothing where the body is elsewhere
    /// or several callers share it.
    pub own: Option<u64>,
    /// Whether its own time was taken: otherwise it is that of the nodes below.
    pub timed: bool,
    /// Where its body is.
    pub body: Body,
    /// What it contains, most time first.
    pub children: Vec<Node>,
}

/// Whether a procedure's body follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Body {
    /// Here, and nowhere else.
    #[default]
    Here,
    /// Here, with what it did for all of its callers.
    Shared,
    /// With another call of the procedure.
    Elsewhere,
    /// Around this: the procedure calls itself.
    Around,
}

/// Returns the program as a tree.
pub fn tree(statistics: &Statistics) -> Node {
    let mut builder = Builder::new(statistics);
    builder.grow();
    builder.finish()
}

/// A node while the tree grows.
#[derive(Default)]
struct Draft {
    statement: usize,
    caller: Option<usize>,
    parent: Option<usize>,
    children: Vec<usize>,
    sum: Option<Sum>,
    body: Body,
}

struct Builder<'a> {
    statistics: &'a Statistics,
    ranks: Vec<u32>,
    /// What lies directly in each statement.
    contained: Vec<Vec<usize>>,
    /// Sums of each statement, of procedures for each caller.
    sums: HashMap<usize, Vec<(Option<usize>, Sum)>>,
    /// Procedures that a statement called.
    called: HashMap<usize, Vec<usize>>,
    drafts: Vec<Draft>,
    /// Procedures whose body has been placed.
    placed: HashSet<usize>,
    /// Calls whose procedure's body is not placed yet: time, and the node (earlier ones first).
    open: BinaryHeap<(u64, std::cmp::Reverse<usize>)>,
}

impl<'a> Builder<'a> {
    fn new(statistics: &'a Statistics) -> Self {
        let count = statistics.statements.len();
        let mut contained = vec![Vec::new(); count];
        for (number, statement) in statistics.statements.iter().enumerate() {
            // A parent that stands behind its child is no parent: nothing may lie in itself.
            if let Some(parent) = statement.parent.filter(|parent| *parent < number) {
                contained[parent].push(number);
            }
        }
        let index = Index::new(statistics);
        let mut sums: HashMap<usize, Vec<(Option<usize>, Sum)>> = HashMap::new();
        for record in statistics.records.iter().filter(|r| r.statement < count) {
            let of_statement = sums.entry(record.statement).or_default();
            let known = of_statement
                .iter()
                .position(|(caller, _)| *caller == record.caller);
            let at = known.unwrap_or_else(|| {
                of_statement.push((record.caller, Sum::default()));
                of_statement.len() - 1
            });
            of_statement[at].1.add(record, index.at(record.rank));
        }
        let mut called: HashMap<usize, Vec<usize>> = HashMap::new();
        for (&procedure, sums) in &sums {
            for caller in sums.iter().filter_map(|(caller, _)| *caller) {
                called.entry(caller).or_default().push(procedure);
            }
        }
        called
            .values_mut()
            .for_each(|procedures| procedures.sort_unstable());
        Self {
            statistics,
            ranks: rank_numbers(statistics),
            contained,
            sums,
            called,
            drafts: Vec::new(),
            placed: HashSet::new(),
            open: BinaryHeap::new(),
        }
    }

    fn grow(&mut self) {
        for procedure in self.procedures() {
            if self.sum(procedure, None).is_some() {
                self.add_procedure(procedure, None, None);
            }
        }
        self.place_bodies();
        // What nobody is known to have called, or only each other.
        for procedure in self.procedures() {
            if !self.placed.contains(&procedure) && self.executed(procedure) {
                let draft = self.add_procedure(procedure, None, None);
                self.drafts[draft].sum = self.total(procedure);
                self.place_bodies();
            }
        }
        let stray = (0..self.statistics.statements.len()).filter(|&number| {
            let statement = &self.statistics.statements[number];
            statement.kind != Kind::Procedure && statement.parent.is_none_or(|p| p >= number)
        });
        for number in stray.collect::<Vec<_>>() {
            self.add(number, None);
        }
        self.place_bodies();
    }

    fn procedures(&self) -> Vec<usize> {
        let is_one = |number: &usize| self.statistics.statements[*number].kind == Kind::Procedure;
        (0..self.statistics.statements.len())
            .filter(is_one)
            .collect()
    }

    /// Returns whether anything was counted of a statement or in it.
    fn executed(&self, statement: usize) -> bool {
        let mut left = vec![statement];
        while let Some(statement) = left.pop() {
            if self.sums.contains_key(&statement) {
                return true;
            }
            let inside = self.contained[statement].iter().copied();
            left.extend(inside.filter(|&s| self.statistics.statements[s].kind != Kind::Procedure));
        }
        false
    }

    fn sum(&self, statement: usize, caller: Option<usize>) -> Option<Sum> {
        let sums = self.sums.get(&statement)?;
        let of_caller = sums.iter().find(|(other, _)| *other == caller);
        of_caller.map(|(_, sum)| sum.clone())
    }

    /// Returns the sum over all callers.
    fn total(&self, statement: usize) -> Option<Sum> {
        let sums = self.sums.get(&statement)?;
        let mut total = Sum::default();
        sums.iter().for_each(|(_, sum)| total.add_sum(sum));
        Some(total)
    }

    /// Makes the node of a loop or communication statement, or of what a call calls.
    fn add(&mut self, statement: usize, parent: Option<usize>) {
        match self.statistics.statements[statement].kind {
            Kind::Procedure => {} // one within another is called like any
            Kind::Call => {
                for procedure in self.called.get(&statement).cloned().unwrap_or_default() {
                    self.add_procedure(procedure, Some(statement), parent);
                }
            }
            Kind::Loop | Kind::Communication => {
                let sum = self.total(statement);
                let draft = self.push(statement, None, parent, sum);
                for inside in self.contained[statement].clone() {
                    self.add(inside, Some(draft));
                }
            }
        }
    }

    fn add_procedure(
        &mut self,
        procedure: usize,
        caller: Option<usize>,
        parent: Option<usize>,
    ) -> usize {
        let sum = self.sum(procedure, caller);
        let time = sum.as_ref().map_or(0, |sum| sum.figures.time);
        let draft = self.push(procedure, caller, parent, sum);
        self.open.push((time, std::cmp::Reverse(draft)));
        draft
    }

    fn push(
        &mut self,
        statement: usize,
        caller: Option<usize>,
        parent: Option<usize>,
        sum: Option<Sum>,
    ) -> usize {
        let draft = self.drafts.len();
        self.drafts.push(Draft {
            statement,
            caller,
            parent,
            sum,
            ..Draft::default()
        });
        if let Some(parent) = parent {
            self.drafts[parent].children.push(draft);
        }
        draft
    }

    /// Places the bodies of procedures, each with the call that took most time.
    fn place_bodies(&mut self) {
        while let Some((_, std::cmp::Reverse(draft))) = self.open.pop() {
            let procedure = self.drafts[draft].statement;
            self.drafts[draft].body = if self.is_within(draft, procedure) {
                Body::Around
            } else if !self.placed.insert(procedure) {
                Body::Elsewhere
            } else {
                for inside in self.contained[procedure].clone() {
                    self.add(inside, Some(draft));
                }
                let callers = self.sums.get(&procedure).map_or(0, Vec::len);
                if callers > 1 {
                    Body::Shared
                } else {
                    Body::Here
                }
            };
        }
    }

    /// Returns whether a node lies in the body of a procedure.
    fn is_within(&self, draft: usize, procedure: usize) -> bool {
        let around = |draft: &usize| self.drafts[*draft].parent;
        std::iter::successors(around(&draft), around)
            .any(|parent| self.drafts[parent].statement == procedure)
    }

    fn finish(mut self) -> Node {
        let top: Vec<usize> = (0..self.drafts.len())
            .filter(|&draft| self.drafts[draft].parent.is_none())
            .collect();
        let children: Vec<Node> = top
            .into_iter()
            .filter_map(|d| Some(self.node(d)?.0))
            .collect();
        let time = add_up(self.statistics.ranks.iter().map(|rank| rank.thread_time));
        let durations: Vec<u64> = self
            .statistics
            .ranks
            .iter()
            .map(|r| r.thread_time)
            .collect();
        Node {
            figures: Figures {
                calls: 1,
                time,
                ..Figures::default()
            },
            spread: Spread::of(&durations, &self.ranks),
            own: Some(time.saturating_sub(add_up(children.iter().map(|c| c.figures.time)))),
            timed: true,
            children: sorted(children),
            ..Node::default()
        }
    }

    /// Makes a draft a node; nothing if it was never executed.
    fn node(&mut self, draft: usize) -> Option<(Node, Sum)> {
        let Draft {
            statement,
            caller,
            children,
            sum,
            body,
            ..
        } = std::mem::take(&mut self.drafts[draft]);
        let below: Vec<(Node, Sum)> = children.into_iter().filter_map(|c| self.node(c)).collect();
        if sum.is_none() && below.is_empty() {
            return None;
        }
        let timed = sum.is_some();
        let sum = sum.unwrap_or_else(|| {
            let mut all = Sum::default();
            below.iter().for_each(|(_, sum)| all.add_sum(sum));
            Sum {
                figures: Figures {
                    time: all.figures.time,
                    ..Figures::default()
                },
                ..all
            }
        });
        let inside = add_up(below.iter().map(|(node, _)| node.figures.time));
        let node = Node {
            statement: Some(statement),
            caller,
            spread: sum.spread(&self.ranks),
            own: (body == Body::Here).then(|| sum.figures.time.saturating_sub(inside)),
            figures: sum.figures.clone(),
            timed,
            body,
            children: sorted(below.into_iter().map(|(node, _)| node).collect()),
        };
        Some((node, sum))
    }
}

fn sorted(mut nodes: Vec<Node>) -> Vec<Node> {
    nodes.sort_by_key(|node| (std::cmp::Reverse(node.figures.time), node.statement));
    nodes
}

#[cfg(test)]
mod tests {
    use super::super::testing::parse;
    use super::*;
    use expect_test::{expect, Expect};

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let all = parse(text);
        let mut lines = Vec::new();
        draw(&all, &tree(&all), 0, &mut lines);
        expected.assert_eq(&lines.join("\n"));
    }

    fn draw(all: &Statistics, node: &Node, depth: usize, lines: &mut Vec<String>) {
        let name = |number: usize| {
            let statement = &all.statements[number];
            format!("{} {}", statement.name, statement.line)
        };
        let called = node
            .caller
            .map_or(String::new(), |c| format!(" at {}", name(c)));
        let own = node.own.map_or(String::new(), |own| format!(" own {own}"));
        let body = match node.body {
            Body::Here => String::new(),
            body => format!(" {body:?}"),
        };
        let what = node.statement.map_or("program".into(), name);
        let (margin, time) = ("  ".repeat(depth), node.figures.time);
        let calls = node.figures.calls;
        lines.push(format!(
            "{margin}{what}{called}: {calls}x {time}{own}{body}"
        ));
        node.children
            .iter()
            .for_each(|child| draw(all, child, depth + 1, lines));
    }

    #[test]
    fn a_call_expands_into_the_procedure_called() {
        check(
            "procedure main 1-9
               loop for 2-8
                 call work 3
                 call MPI_Send 4
             procedure work 20-30
               call MPI_Recv 21
               call MPI_Test 22
             @0 0 1x 900
             @0 1 1x 800
             @0 4<2 10x 600
             @0 3>1 10x 50
             @0 5>1 10x 400",
            expect![[r#"
                program: 1x 1000 own 100
                  main 1: 1x 900 own 100
                    for 2: 1x 800 own 150
                      work 20 at work 3: 10x 600 own 200
                        MPI_Recv 21: 10x 400 own 400
                      MPI_Send 4: 10x 50 own 50"#]],
        );
    }

    #[test]
    fn a_procedure_called_from_two_places_has_the_time_of_each() {
        check(
            "procedure main 1-9
               call work 3
               call work 4
             procedure work 20-30
               call MPI_Recv 21
             @0 0 1x 900
             @0 3<1 1x 10
             @0 3<2 1x 800
             @0 4>1 2x 500",
            expect![[r#"
                program: 1x 1000 own 100
                  main 1: 1x 900 own 90
                    work 20 at work 4: 1x 800 Shared
                      MPI_Recv 21: 2x 500 own 500
                    work 20 at work 3: 1x 10 Elsewhere"#]],
        );
    }

    #[test]
    fn recursion_ends_at_the_procedure_that_is_around() {
        check(
            "procedure main 1-9
               call x 3
             procedure x 20-30
               call y 21
             procedure y 40-50
               call x 41
             @0 0 1x 900
             @0 2<1 1x 800
             @0 4<3 5x 700
             @0 2<5 4x 60",
            expect![[r#"
                program: 1x 1000 own 100
                  main 1: 1x 900 own 100
                    x 20 at x 3: 1x 800 Shared
                      y 40 at y 21: 5x 700 own 640
                        x 20 at x 41: 4x 60 Around"#]],
        );
    }

    #[test]
    fn functions_known_by_their_symbol_have_the_time_of_what_they_contain() {
        check(
            "function main 0
               call MPI_Send 4
             function exchange 0
               call MPI_Recv 14
               call MPI_Send 15
             @0 1>1 2x 10
             @0 3>1 2x 30
             @1 3>0 2x 40",
            expect![[r#"
                program: 1x 2000 own 1920
                  exchange 0: 0x 70 own 0
                    MPI_Recv 14: 4x 70 own 70
                  main 0: 0x 10 own 0
                    MPI_Send 4: 2x 10 own 10"#]],
        );
    }

    #[test]
    fn what_only_calls_itself_is_not_lost() {
        check(
            "procedure x 20-30
               call x 21
             call MPI_Finalize 7
             @0 0<1 3x 70
             @0 2 1x 5",
            expect![[r#"
                program: 1x 1000 own 925
                  x 20: 3x 70 own 0
                    x 20 at x 21: 3x 70 Around
                  MPI_Finalize 7: 1x 5 own 5"#]],
        );
    }
}
