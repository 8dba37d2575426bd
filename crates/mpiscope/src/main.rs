//! The `mpiscope` command: what a user types becomes calls of the libraries,
//! errors become one line, results an exit code.
#![forbid(unsafe_code)]

mod alone;
mod analyze;
mod anonymous;
mod aside;
mod cache;
mod call;
mod cc;
mod check;
mod cli;
mod clocks;
mod control;
mod correction;
mod debug;
mod diff;
mod diff_order;
mod doctor;
mod duration;
mod elsewhere;
mod end_of_run;
mod evidence;
mod exec;
mod exit;
mod explore;
mod export;
mod faults;
mod filter;
mod finish;
mod include;
mod info;
mod input;
mod job;
mod kinds;
mod launch;
mod leftovers;
mod living;
mod manual;
mod monitor;
mod notices;
mod order;
mod pack;
mod packed;
mod print;
mod profile;
mod progress;
mod proposed_filter;
mod races;
mod record;
mod recorded_command;
mod recover;
mod refine;
mod repair;
mod replay;
mod report;
mod rundir;
mod say;
mod scale;
mod shifts;
mod signals;
mod simulate;
mod size;
mod spawned;
mod stamp;
mod state;
mod stats;
mod symbols;
mod sync;
mod table;
mod terminal;
#[cfg(test)]
mod testing;
mod top;
mod trace;
mod traced;
mod uncertainty;
mod unpack;
mod unpacked;
mod view;
mod whatif;

use std::process::ExitCode;

use cli::Command;

/// The system's allocator, until a command is given a budget.
#[global_allocator]
static MEMORY: mpiscope_archive::memory::Memory = mpiscope_archive::memory::Memory;

/// Bytes of stack, as systems give them; a user's `ulimit -s` may leave less than is needed.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    if let Some(code) = signals::end_of_process() {
        return code;
    }
    // A debugger that starts a program through us loses it if another thread than the first
    // becomes the program.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == "exec")
    {
        return run();
    }
    match std::thread::Builder::new().stack_size(STACK).spawn(run) {
        Ok(thread) => thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        // Neither threads nor memory are left: the stack that is there may do.
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    signals::survive_size_limit();
    let mut command = cc::parse().command;
    if command.needs_memory() {
        leftovers::reclaim();
    }
    let code = match job::script::Asked::by(&command) {
        Some(asked) => asked.print(),
        None => job::join(&command).and_then(|()| {
            job::leave_after(|| {
                let _unpacked = unpacked::open(&mut command)?;
                dispatch(command)
            })
        }),
    };
    let code = code.unwrap_or_else(|error| {
        signals::let_end();
        say::aside(format!("error: {}", say::chain(&error)));
        exit::of(&error)
    });
    debug::dap::part();
    signals::leave();
    ExitCode::from(code)
}

fn dispatch(command: Command) -> anyhow::Result<u8> {
    match command {
        Command::Trace(arguments) => trace::run(&arguments),
        Command::Record(arguments) => record::run(&arguments),
        Command::Monitor(arguments) => monitor::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Scale(arguments) => scale::run(&arguments),
        Command::Exec(arguments) => Ok(exec::run(&arguments)),
        Command::Info(arguments) => info::run(&arguments),
        Command::Stats(arguments) => stats::run(&arguments),
        Command::Top(arguments) => top::run(&arguments),
        Command::State(arguments) => state::run(&arguments),
        Command::Control(arguments) => control::run(&arguments),
        Command::Sync(arguments) => sync::run(&arguments),
        Command::Analyze(arguments) => analyze::run(&arguments),
        Command::Whatif(arguments) => whatif::run(&arguments),
        Command::Profile(arguments) => profile::run(&arguments),
        Command::Refine(arguments) => refine::run(&arguments),
        Command::Print(arguments) => print::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Pack(arguments) => pack::run(&arguments),
        Command::Unpack(arguments) => unpack::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Repair(arguments) => repair::run(&arguments),
        Command::Races(arguments) => races::run(&arguments),
        Command::Recover(arguments) => recover::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Cc(arguments) => cc::run(&arguments),
        Command::Include(arguments) => include::run(&arguments),
        Command::View(arguments) => view::run(&arguments),
        Command::Report(arguments) => view::report::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Completions(arguments) => manual::completions(&arguments),
        Command::Man(arguments) => manual::pages(&arguments),
    }
}
