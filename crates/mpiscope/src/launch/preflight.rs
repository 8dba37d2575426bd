//! What can be known before a launch: where the agent goes, and what cannot work.
//!
//! A launcher of one MPI starts a program of another as N silent worlds of one,
//! and a statically linked MPI is never seen: better said at once than found out
//! after a night in the queue.

use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{bail, ensure, Result};
use mpi_abi::Family;

use crate::launch::launcher::{self, Hidden, Layout, Style};
use crate::launch::program::{self, family_name, Failure, Library, Linkage, Missing, Observed};
use crate::launch::unobserved;

/// How a command is going to be observed.
#[derive(Debug, Default)]
pub struct Plan {
    /// Before which words `mpiscope exec --` belongs, with the program's extent;
    /// empty if the agent has to travel in the environment.
    pub programs: Vec<Range<usize>>,
    /// What the run is named after.
    pub name: String,
    /// MPI libraries that the programs load.
    pub libraries: Vec<Library>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// What the programs can call past the agent.
    pub unobserved: Vec<String>,
    /// Why perhaps nothing will be recorded.
    pub doubt: Option<String>,
}

/// Looks at a command line; an error is a reason not to launch it.
pub fn plan(words: &[OsString]) -> Result<Plan> {
    let Some(at) = launcher::position(words) else {
        return plan_program(words);
    };
    program::find(&words[at])?;
    let style = style(&words[at]);
    let launcher = words[at].to_string_lossy();
    let is_program = |word: &OsStr| program::find(word).is_ok();
    let layout = match launcher::layout(words, at, style, &is_program) {
        Ok(layout) => layout,
        Err(Hidden::Absent) => bail!("{launcher}: {}", Hidden::Absent),
        Err(hidden) => return Ok(plan_environment(&words[at], &hidden)),
    };
    if style == Style::Flux {
        refuse_unwaited(&words[at..layout.programs[0].start])?;
    }
    let mut plan = Plan {
        notes: guesses(&launcher, words, &layout),
        ..Plan::default()
    };
    for range in &layout.programs {
        let command = &words[unwrapped(words, range)];
        match program::observed(command) {
            Ok(observed) => {
                let line = LauncherLine { words, at, style };
                line.check(&observed)?;
                plan.add(command, observed);
            }
            Err(Failure::Missing(Missing::NotFound(_))) if layout.elsewhere => {}
            Err(Failure::Missing(missing)) => return Err(missing.into()),
            Err(Failure::Other(error)) => plan.notes.push(format!("{error:#}")),
        }
        plan.name_after(&command[0]);
    }
    plan.programs = layout.programs;
    Ok(plan)
}

/// Commands that return before the job has begun.
const SUBMITTERS: &[&str] = &["sbatch", "qsub", "bsub", "msub"];

/// Commands of `flux` that do.
const FLUX_SUBMITTERS: &[&str] = &["batch", "bulksubmit"];

fn refuse_submitter(words: &[OsString]) -> Result<()> {
    let name = Path::new(&words[0]).file_name().and_then(OsStr::to_str);
    let name = name.unwrap_or_default();
    let command = words.get(1).and_then(|word| word.to_str());
    let submits = command.filter(|it| name == "flux" && FLUX_SUBMITTERS.contains(it));
    let name = submits.map_or(name.to_owned(), |command| format!("flux {command}"));
    ensure!(
        submits.is_none() && !SUBMITTERS.contains(&name.as_str()),
        "{name} returns before the job runs; put `mpiscope trace --` before the launcher inside the job's script"
    );
    Ok(())
}

/// `flux submit` returns before the job runs, unless it is told to wait.
fn refuse_unwaited(launcher: &[OsString]) -> Result<()> {
    let waits = launcher.iter().any(|it| it == "--wait" || it == "--watch");
    ensure!(
        waits || launcher[1] != "submit",
        "flux submit returns before the job runs; type flux run in place of it, or add --wait"
    );
    Ok(())
}

/// A program without a launcher: a world of one, or a script that launches.
fn plan_program(words: &[OsString]) -> Result<Plan> {
    let mut plan = Plan::default();
    let all = 0..words.len();
    let command = &words[unwrapped(words, &all)];
    refuse_submitter(command)?;
    match program::observed(command) {
        Ok(observed) => {
            refuse_static(&observed)?;
            plan.add(command, observed);
        }
        Err(Failure::Missing(missing)) => return Err(missing.into()),
        Err(Failure::Other(error)) => plan.notes.push(format!("{error:#}")),
    }
    plan.name_after(&command[0]);
    plan.programs.push(all);
    Ok(plan)
}

/// The programs are out of our sight: the agent travels in the environment.
fn plan_environment(launcher: &OsStr, hidden: &Hidden) -> Plan {
    let note = format!(
        "{hidden}: the agent is passed on in the environment, which reaches this host for sure; \
         on others put `mpiscope exec --` before each program in that file"
    );
    let mut plan = Plan {
        notes: vec![note],
        ..Plan::default()
    };
    plan.name_after(launcher);
    plan
}

/// Leaves out `mpiscope exec … --` where the user has put it already.
fn unwrapped(words: &[OsString], range: &Range<usize>) -> Range<usize> {
    let own = Path::new(&words[range.start]).file_name() == Some(OsStr::new("mpiscope"));
    let command = words.get(range.start + 1).filter(|_| own);
    if command.is_none_or(|word| word != "exec") {
        return range.clone();
    }
    let dashes = words[range.clone()].iter().position(|word| word == "--");
    let start = range.start + dashes.map_or(2, |dashes| dashes + 1);
    if start < range.end {
        start..range.end
    } else {
        range.clone()
    }
}

fn guesses(launcher: &str, words: &[OsString], layout: &Layout) -> Vec<String> {
    let programs: Vec<_> = layout
        .programs
        .iter()
        .map(|range| words[range.start].to_string_lossy())
        .collect();
    let note = |option: &String| {
        format!(
            "option {option} of {launcher} is unknown; took {} for the program",
            programs.join(", ")
        )
    };
    layout.unknown.iter().map(note).collect()
}

impl Plan {
    /// Notes a program that is not linked with MPI.
    fn add(&mut self, command: &[OsString], observed: Observed) {
        if let Linkage::None(what) = observed.linkage {
            self.doubt = Some(format!("{} is {what}", observed.path.display()));
        }
        // A wrapper such as numactl, or an interpreter, is not what the run is about.
        let is_script = |word: &&OsString| Path::new(word).extension() == Some(OsStr::new("py"));
        if let Linkage::Shared(library) = observed.linkage {
            self.unobserved.extend(unobserved::of(&observed.path));
            self.unobserved.sort();
            self.unobserved.dedup();
            self.name_after(observed.path.as_os_str());
            self.libraries.push(library);
        } else if let Some(script) = command[1..].iter().find(is_script) {
            self.name_after(Path::new(script).with_extension("").as_os_str());
        }
    }

    /// Names the run, if it has no name yet.
    fn name_after(&mut self, word: &OsStr) {
        if self.name.is_empty() {
            let file = Path::new(word).file_name().unwrap_or(word);
            self.name = file.to_string_lossy().into_owned();
        }
    }
}

/// A launcher's command line.
struct LauncherLine<'a> {
    words: &'a [OsString],
    at: usize,
    style: Style,
}

impl LauncherLine<'_> {
    fn check(&self, observed: &Observed) -> Result<()> {
        refuse_static(observed)?;
        let Linkage::Shared(library) = &observed.linkage else {
            return Ok(());
        };
        // The standard ABI runs under every launcher.
        match (self.style.family(), library.family) {
            (Some(ours), Some(theirs)) if ours != theirs && theirs != Family::StandardAbi => {
                bail!("{}", self.mismatch(ours, theirs, observed, library))
            }
            _ => Ok(()),
        }
    }

    fn mismatch(
        &self,
        ours: Family,
        theirs: Family,
        observed: &Observed,
        library: &Library,
    ) -> String {
        let launcher = self.words[self.at].to_string_lossy();
        let found = launcher::names_of(theirs).find(|name| program::find(OsStr::new(name)).is_ok());
        let advice = match found {
            None => format!("the launcher of {} is not in PATH", family_name(theirs)),
            Some(name) => format!("type {name} in place of {launcher}"),
        };
        format!(
            "{launcher} starts programs of {}, but {} uses {} ({}): \
             each process would be a world of its own; {advice}",
            family_name(ours),
            observed.path.display(),
            family_name(theirs),
            library.path.display(),
        )
    }
}

fn refuse_static(observed: &Observed) -> Result<()> {
    if matches!(observed.linkage, Linkage::Static) {
        bail!("{}: {STATIC}", observed.path.display());
    }
    Ok(())
}

/// Why a statically linked program is not observed, and what helps.
pub const STATIC: &str = "its MPI library is statically linked, so nothing can be preloaded; \
     relink it with the shared library (without -static; libmpi.so in place of libmpi.a)";

/// Finds out whose launcher this is: by name, by what the name links to, by asking it.
pub fn style(launcher: &OsStr) -> Style {
    let named = Style::of_name(launcher).unwrap_or(Style::Either);
    if named != Style::Either {
        return named;
    }
    let Ok(path) = program::find(launcher) else {
        return named;
    };
    let target = path.canonicalize().unwrap_or_else(|_| path.clone());
    let linked = Style::of_name(target.as_os_str()).filter(|style| *style != Style::Either);
    linked
        .or_else(|| Style::of_version(&version(&path)))
        .unwrap_or(named)
}

/// Returns what a program prints when asked for its version.
pub fn version(program: &Path) -> String {
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{compile, missing};

    const MPI: &str = "#include <mpi.h>\nint main(){MPI_Init(0,0);return MPI_Finalize();}";

    fn words(line: &[&OsStr]) -> Vec<OsString> {
        line.iter().map(|word| word.to_os_string()).collect()
    }

    #[track_caller]
    fn check_mismatch(launcher: &str, compiler: &str, advice: &str) {
        let launcher = OsStr::new(launcher);
        if program::find(launcher).is_err() {
            return missing(&format!("no {}", launcher.display()));
        }
        let Some(program) = compile(compiler, MPI, &[]) else {
            return;
        };
        let program = program.path().as_os_str();
        let error = plan(&words(&[launcher, "-n".as_ref(), "4".as_ref(), program])).unwrap_err();
        assert!(error.to_string().contains(advice), "{error}");
    }

    #[test]
    fn a_launcher_of_another_mpi_is_refused() {
        check_mismatch(
            "mpirun.openmpi",
            "mpicc.mpich",
            "type mpirun.mpich in place of",
        );
        check_mismatch(
            "mpirun.mpich",
            "mpicc.openmpi",
            "type mpirun.openmpi in place of",
        );
    }

    #[test]
    fn the_right_launcher_is_accepted() {
        for (launcher, compiler) in [
            ("mpirun.openmpi", "mpicc.openmpi"),
            ("mpirun.mpich", "mpicc.mpich"),
        ] {
            let Some(program) = compile(compiler, MPI, &[]) else {
                continue;
            };
            let path = program.path().as_os_str();
            let plan = plan(&words(&[
                launcher.as_ref(),
                "-n".as_ref(),
                "4".as_ref(),
                path,
            ]))
            .unwrap();
            assert_eq!(plan.programs.len(), 1);
            assert_eq!(plan.programs[0], 3..4);
            assert_eq!(plan.name, "compiled");
            assert!(plan.doubt.is_none());
        }
    }

    #[test]
    fn a_static_mpi_is_refused_with_advice() {
        let source = "int PMPI_Init(){return 0;} int main(){return PMPI_Init();}";
        let Some(program) = compile("gcc", source, &[]) else {
            return;
        };
        let error = plan(&words(&[program.path().as_os_str()])).unwrap_err();
        assert!(error.to_string().contains("relink"), "{error}");
    }

    #[test]
    fn a_program_without_mpi_is_only_doubted() {
        let plan = plan(&words(&["sh".as_ref(), "-c".as_ref(), "true".as_ref()])).unwrap();
        assert!(plan.doubt.unwrap().contains("not linked with MPI"));
        assert_eq!(plan.name, "sh");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = plan(&words(&["./no-such".as_ref()])).unwrap_err();
        assert_eq!(error.to_string(), "./no-such: program not found");
    }

    #[test]
    fn a_job_is_traced_inside_its_script() {
        let refused = |line: &str, says: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let error = plan(&words).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        };
        refused("sbatch job.sh", "sbatch returns before");
        refused("/usr/bin/flux batch job.sh", "inside the job's script");
        refused("flux bulksubmit sh", "flux bulksubmit returns before");
    }

    #[test]
    fn flux_submit_is_to_wait() {
        let check = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            refuse_unwaited(&words).is_ok()
        };
        assert!(check("flux run -n 4") && check("flux submit --wait -n 4"));
        assert!(!check("flux submit -n 4") && !check("flux submit --wait-event=start"));
    }

    #[test]
    fn our_own_exec_is_not_put_twice() {
        let line: Vec<OsString> = "mpiscope exec -- ./heat 5"
            .split(' ')
            .map(OsString::from)
            .collect();
        assert_eq!(unwrapped(&line, &(0..5)), 3..5);
        assert_eq!(unwrapped(&line[3..], &(0..2)), 0..2);
    }
}
