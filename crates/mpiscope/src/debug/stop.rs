//! Why and where a program stopped, in a few words.

use std::path::Path;

use super::mi::Fields;

/// A place in the program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// The function; `??` where gdb does not know.
    pub function: String,
    /// The source file as the compiler was given it, and the line.
    pub source: Option<(String, u32)>,
    /// The source file's path.
    pub path: Option<String>,
    /// The library that the function is in, if it has no source.
    pub library: Option<String>,
}

/// A stop of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// Why.
    pub reason: Reason,
    /// Where, if anywhere.
    pub frame: Option<Frame>,
}

/// Why a program stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A breakpoint, by gdb's number.
    Breakpoint(u32),
    /// A watched expression changed.
    Watchpoint(String),
    /// A step is done.
    Step,
    /// The function returned, perhaps with a value.
    Finished(Option<String>),
    /// We asked it to.
    Halted,
    /// It came to where it was to stop.
    Asked,
    /// Another signal came.
    Signal(String),
    /// It ended: its exit code, or the signal's name.
    Exited(Result<u8, String>),
    /// Something else.
    Other(String),
}

/// Reads a frame as MI writes it.
pub fn frame(fields: &Fields) -> Frame {
    let text = |name| fields.text(name).map(str::to_owned);
    let line = fields.text("line").and_then(|line| line.parse().ok());
    Frame {
        function: text("func").unwrap_or_else(|| "??".to_owned()),
        source: text("file").zip(line),
        path: text("fullname"),
        library: text("from"),
    }
}

/// Reads the fields of `*stopped`.
pub fn stop(fields: &Fields) -> Stop {
    Stop {
        reason: reason(fields),
        frame: fields.tuple("frame").map(frame),
    }
}

fn reason(fields: &Fields) -> Reason {
    let text = |name| fields.text(name).unwrap_or_default();
    match text("reason") {
        "breakpoint-hit" => Reason::Breakpoint(text("bkptno").parse().unwrap_or(0)),
        "watchpoint-trigger" | "read-watchpoint-trigger" | "access-watchpoint-trigger" => {
            Reason::Watchpoint(watched(fields))
        }
        "end-stepping-range" | "location-reached" => Reason::Step,
        "function-finished" => Reason::Finished(fields.text("return-value").map(str::to_owned)),
        "exited-normally" => Reason::Exited(Ok(0)),
        // In octal, as gdb prints it.
        "exited" => Reason::Exited(Ok(u8::from_str_radix(text("exit-code"), 8).unwrap_or(1))),
        "exited-signalled" => Reason::Exited(Err(text("signal-name").to_owned())),
        "signal-received" => match text("signal-name") {
            "SIGINT" | "0" => Reason::Halted,
            name => Reason::Signal(name.to_owned()),
        },
        other => Reason::Other(other.to_owned()),
    }
}

/// Returns what a watchpoint saw: `x: 1 to 2`.
fn watched(fields: &Fields) -> String {
    let of = |name| {
        ["wpt", "hw-rwpt", "hw-awpt"]
            .iter()
            .find_map(|kind| fields.tuple(kind)?.text(name))
    };
    let expression = of("exp").unwrap_or("?");
    let value = fields.tuple("value");
    let part = |name| value.and_then(|value| value.text(name));
    match (part("old"), part("new").or(part("value"))) {
        (Some(old), Some(new)) => format!("{expression}: {old}, now {new}"),
        (_, Some(new)) => format!("{expression}: {new}"),
        _ => expression.to_owned(),
    }
}

impl Frame {
    /// Returns the name of the MPI function that this is, or that it wraps:
    /// `agent::exports::MPI_Recv::wrapper` is a wrapper of the agent.
    pub fn mpi_name(&self) -> Option<&str> {
        let own = self.function.split('<').next();
        own?.split("::").find(|part| is_mpi(part))
    }

    /// Writes it as a line of a backtrace.
    pub fn show(&self) -> String {
        let wrapper = self.mpi_name().filter(|name| *name != self.function);
        match (&self.source, &self.library) {
            _ if wrapper.is_some() => wrapper.unwrap_or_default().to_owned(),
            (Some((file, line)), _) => format!("{} at {}:{line}", self.function, base(file)),
            (None, Some(library)) => format!("{} in {}", self.function, base(library)),
            (None, None) => self.function.clone(),
        }
    }
}

/// Returns the first frame that is the program's own: outside of MPI and with source.
pub fn own(frames: &[Frame]) -> Option<usize> {
    let after_mpi = mpi(frames).map_or(0, |at| at + 1);
    let own = frames[after_mpi..]
        .iter()
        .position(|frame| frame.source.is_some());
    own.map(|at| after_mpi + at)
}

/// Returns the frame of the MPI call that the program is in; of the agent's wrapper, if that
/// is around it.
pub fn mpi(frames: &[Frame]) -> Option<usize> {
    frames.iter().rposition(|frame| frame.mpi_name().is_some())
}

/// Returns whether a function is MPI's, by its name in C or in Fortran.
pub fn is_mpi(function: &str) -> bool {
    ["MPI_", "PMPI_", "mpi_", "pmpi_"]
        .iter()
        .any(|prefix| function.starts_with(prefix))
}

/// Says where a stack stands: in the program's source, or where it left it.
pub fn place(frames: &[Frame]) -> String {
    match own(frames) {
        None => frames.first().map(Frame::show).unwrap_or_default(),
        Some(0) => frames[0].show(),
        Some(at) => format!(
            "in {}, called by {}",
            frames[at - 1]
                .mpi_name()
                .unwrap_or(&frames[at - 1].function),
            frames[at].show()
        ),
    }
}

/// Returns a path's last part.
pub fn base(path: &str) -> &str {
    let name = Path::new(path).file_name().and_then(|name| name.to_str());
    name.unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::mi::{parse, Record};

    #[track_caller]
    fn read(line: &str) -> Stop {
        match parse(line) {
            Some(Record::Exec { fields, .. }) => stop(&fields),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_breakpoint_stands_in_the_source() {
        let stop = read(
            r#"*stopped,reason="breakpoint-hit",bkptno="2",frame={func="main",file="src/a.c",fullname="/h/src/a.c",line="6"}"#,
        );
        assert_eq!(stop.reason, Reason::Breakpoint(2));
        assert_eq!(stop.frame.unwrap().show(), "main at a.c:6");
    }

    #[test]
    fn the_end_has_a_code() {
        let ends = |line| read(line).reason;
        assert_eq!(
            ends(r#"*stopped,reason="exited-normally""#),
            Reason::Exited(Ok(0))
        );
        assert_eq!(
            ends(r#"*stopped,reason="exited",exit-code="021""#),
            Reason::Exited(Ok(17))
        );
        let killed = r#"*stopped,reason="exited-signalled",signal-name="SIGKILL""#;
        assert_eq!(ends(killed), Reason::Exited(Err("SIGKILL".into())));
    }

    #[test]
    fn an_interrupt_is_a_halt() {
        let line = |name| format!(r#"*stopped,reason="signal-received",signal-name="{name}""#);
        assert_eq!(read(&line("SIGINT")).reason, Reason::Halted);
        assert_eq!(
            read(&line("SIGSEGV")).reason,
            Reason::Signal("SIGSEGV".into())
        );
    }

    #[test]
    fn a_watchpoint_tells_both_values() {
        let line = r#"*stopped,reason="watchpoint-trigger",wpt={number="3",exp="x"},value={old="1",new="2"}"#;
        assert_eq!(read(line).reason, Reason::Watchpoint("x: 1, now 2".into()));
    }

    #[test]
    fn within_a_library_the_callers_place_counts() {
        let library = |function: &str| Frame {
            function: function.into(),
            library: Some("/lib/libmpi.so".into()),
            ..Frame::default()
        };
        let main = Frame {
            function: "main".into(),
            source: Some(("a.c".into(), 7)),
            ..Frame::default()
        };
        let wrapper = library("agent::exports::MPI_Recv::wrapper");
        assert_eq!(wrapper.show(), "MPI_Recv");
        let stack = [library("poll"), wrapper, main];
        assert_eq!(place(&stack), "in MPI_Recv, called by main at a.c:7");
        assert_eq!(place(&stack[..1]), "poll in libmpi.so");
        assert_eq!(place(&[]), "");
        assert_eq!((mpi(&stack), own(&stack)), (Some(1), Some(2)));
    }
}
