//! The agent's plain numbers about the first thread of its rank, which gdb reads and sets by their
//! names (`order/debugged` of the agent).

use crate::debug::debuggee::Answer;
use crate::debug::mi::quoted;
use crate::debug::ranks::Ranks;
use crate::debug::session::Session;

const STEPS: &str = "mpiscope_debug_steps";
const RECEIVES: &str = "mpiscope_debug_receives";
/// What the next receive from anybody is to take: a rank in its communicator, and a tag.
pub const SOURCE: &str = "mpiscope_debug_source";
pub const TAG: &str = "mpiscope_debug_tag";
/// Whether the record leads no further.
pub const FREE: &str = "mpiscope_debug_free";

/// How far the first thread of a rank has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Calls begun and ended.
    pub steps: u64,
    /// Receives from anybody.
    pub receives: u64,
}

impl Standing {
    /// Of a rank of which it is not known.
    pub const NOWHERE: Standing = Standing {
        steps: 0,
        receives: 0,
    };

    /// Returns the call that comes next, or that has begun and done nothing yet.
    pub fn next_call(self) -> u64 {
        self.steps / 2 + 1
    }
}

/// Asks ranks how far they have come.
pub fn standings(session: &mut Session, ranks: &Ranks) -> Vec<(u32, Result<Standing, String>)> {
    in_c(session, ranks, |session| {
        let threads = evaluate(session, ranks, "$_thread");
        let steps = evaluate(session, ranks, &number(STEPS));
        let receives = evaluate(session, ranks, &number(RECEIVES));
        let all = threads.into_iter().zip(steps).zip(receives);
        let standing = |(((rank, thread), (_, steps)), (_, receives))| {
            let of_first = |steps| match thread {
                Ok(1) => Ok(Standing {
                    steps,
                    receives: receives? as u64,
                }),
                _ => Err(
                    "has stopped in another thread than its first, whose choices alone \
                          can be made here"
                        .to_owned(),
                ),
            };
            let steps: Result<i64, String> = steps;
            let here = steps
                .map_err(|_| "has not come to MPI_Init".to_owned())
                .and_then(|steps| of_first(steps as u64));
            (rank, here)
        };
        all.map(standing).collect()
    })
}

/// Evaluates an expression on ranks.
fn evaluate(
    session: &mut Session,
    ranks: &Ranks,
    expression: &str,
) -> Vec<(u32, Result<i64, String>)> {
    let question = format!("-data-evaluate-expression {}", quoted(expression));
    let answers = session.ask_all(ranks, &question);
    let value = |(rank, answer): (u32, Answer)| {
        let value = answer.result.and_then(|fields| {
            let text = fields.text("value").unwrap_or_default();
            let value = text.parse();
            value.map_err(|_| format!("gdb says {text} of {expression}"))
        });
        (rank, value)
    };
    answers.into_iter().map(value).collect()
}

/// One of the agent's numbers, as an expression of C.
fn number(name: &str) -> String {
    format!("*(long *) &{name}")
}

/// Sets some of these numbers on ranks.
pub fn set(session: &mut Session, ranks: &Ranks, values: &[(&str, i64)]) -> Result<(), String> {
    in_c(session, ranks, |session| {
        for (name, value) in values {
            let expression = format!("{} = {value}", number(name));
            for (rank, answer) in evaluate(session, ranks, &expression) {
                answer.map_err(|error| format!("rank {rank}: {error}"))?;
            }
        }
        Ok(())
    })
}

/// Does something while gdb reads expressions as C, whatever the program is written in.
fn in_c<T>(session: &mut Session, ranks: &Ranks, act: impl FnOnce(&mut Session) -> T) -> T {
    session.ask_all(ranks, "-gdb-set language c");
    let done = act(session);
    session.ask_all(ranks, "-gdb-set language auto");
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_that_has_begun_is_the_one_that_was_to_come() {
        let before = Standing {
            steps: 6,
            receives: 1,
        };
        let within = Standing { steps: 7, ..before };
        assert_eq!((before.next_call(), within.next_call()), (4, 4));
    }
}
