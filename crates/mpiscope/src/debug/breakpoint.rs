//! Breakpoints of one gdb: what it answers when one is set, and how those at MPI functions stop
//! once a call.

use super::debuggee::Answer;
use super::mi::{quoted, Fields};
use super::stop;

/// Holds in the agent's function that a program's call reaches first, not in the MPI's of
/// the same name, nor in those that MPI calls within.
const OUTERMOST: &str = "$_mpi_outermost()";

/// Teaches gdb what [`OUTERMOST`] is; fails where gdb was built without Python.
const TEACH: &str = concat!(
    r#"python exec("class Outermost(gdb.Function):\n"#,
    r#"  def invoke(self):\n"#,
    r#"    frame = gdb.newest_frame().older()\n"#,
    r#"    while frame is not None:\n"#,
    r#"      parts = (frame.name() or '').split('::')\n"#,
    r#"      mpi = ('MPI_', 'PMPI_', 'mpi_', 'pmpi_')\n"#,
    r#"      if any(part.startswith(mpi) for part in parts): return False\n"#,
    r#"      frame = frame.older()\n"#,
    r#"    return True\n"#,
    r#"Outermost('_mpi_outermost')")"#
);

/// Returns the command that teaches gdb what an outermost MPI call is.
pub fn lesson() -> String {
    format!("-interpreter-exec console {}", quoted(TEACH))
}

/// Returns the option that makes a breakpoint stop only if its condition holds, and once a call
/// if it is an MPI function's and gdb knows what that means.
pub fn condition(condition: Option<&str>, outermost: bool) -> String {
    let condition = match (condition, outermost) {
        (Some(condition), true) => format!("{OUTERMOST} && ({condition})"),
        (None, true) => OUTERMOST.to_owned(),
        (Some(condition), false) => condition.to_owned(),
        (None, false) => return String::new(),
    };
    format!(" -c {}", quoted(&condition))
}

/// A breakpoint that a gdb has set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inserted {
    /// The number by which this gdb knows it.
    pub number: u32,
    /// Where it is, in words.
    pub place: String,
    /// Its line.
    pub line: Option<u32>,
    /// Whether its place is not known yet.
    pub pending: bool,
}

/// Reads what gdb says of a new breakpoint.
pub fn inserted(answer: Answer) -> Result<Inserted, String> {
    let fields = answer.result?;
    let found = ["bkpt", "wpt", "hw-rwpt", "hw-awpt"]
        .iter()
        .find_map(|name| fields.tuple(name));
    let new = found.ok_or("gdb told no number")?;
    let number = new.text("number").and_then(|number| number.parse().ok());
    let number = number.ok_or("gdb told no number")?;
    let first = new.tuples("locations").into_iter().next().unwrap_or(new);
    let line = new.text("line").or_else(|| first.text("line"));
    Ok(Inserted {
        number,
        place: place(new),
        line: line.and_then(|line| line.parse().ok()),
        pending: new.text("pending").is_some(),
    })
}

fn place(new: &Fields) -> String {
    if let Some(expression) = new.text("exp") {
        return format!(", when {expression} changes");
    }
    if new.text("pending").is_some() {
        return " where it is not known yet; looked for in libraries as they are loaded".to_owned();
    }
    match new.tuples("locations").len() {
        0 if new.text("func").is_none() => String::new(),
        0 => format!(", {}", stop::frame(new).show()),
        count => format!(" at {count} locations"),
    }
}
