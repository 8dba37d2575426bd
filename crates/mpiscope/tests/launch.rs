//! From the command line to the observed program and back, with a stand-in for
//! the agent that only says that it was reached.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Reports that it sees MPI_Init, in a file of the run.
const AGENT: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    #include <unistd.h>
    int PMPI_Init(int *, char ***);
    const char build[] = BUILD;
    int MPI_Not_in_any_library(void) { return 0; }
    int MPI_Init(int *argc, char ***argv) {
        char path[4096];
        const char *run = getenv("MPISCOPE_RUN");
        snprintf(path, sizeof path, "%s/seen-%d", run ? run : ".", (int)getpid());
        FILE *file = fopen(path, "w");
        if (file) {
            fprintf(file, "%s %s\n", getenv("MPISCOPE_PROGRAM"), getenv("MPISCOPE_NAME"));
            fclose(file);
        }
        return PMPI_Init(argc, argv);
    }"#;

/// Returns its argument; says whether it can see a function that its MPI lacks.
const PROGRAM: &str = r#"
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <mpi.h>
    #include <stdlib.h>
    int main(int argc, char **argv) {
        MPI_Init(&argc, &argv);
        if (dlsym(RTLD_DEFAULT, "MPI_Not_in_any_library")) return 99;
        MPI_Finalize();
        return argc > 1 ? atoi(argv[1]) : 0;
    }"#;

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Option<Bench> {
        let folder = tempfile::tempdir().unwrap();
        let bench = Bench { folder };
        bench.agent(&format!(
            "{}/{}",
            mpiscope_run::VERSION,
            mpiscope_run::INTERFACE
        ))?;
        Some(bench)
    }

    /// Makes the agent, of a build.
    fn agent(&self, build: &str) -> Option<()> {
        let build = format!("-DBUILD=\"[mpiscope-agent {build}]\"");
        let flags = ["-shared", "-fPIC", "-Wl,-z,lazy", &build];
        self.compile("gcc", AGENT, "agent.so", &flags)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles a program; without the compiler, says so and returns nothing.
    fn compile(&self, compiler: &str, source: &str, name: &str, flags: &[&str]) -> Option<()> {
        let file = self.path("source.c");
        fs::write(&file, source).unwrap();
        let mut command = Command::new(compiler);
        command.arg(file).arg("-o").arg(self.path(name)).args(flags);
        let Ok(output) = command.output() else {
            common::missing(&format!("no {compiler}"));
            return None;
        };
        assert!(output.status.success(), "{output:?}");
        Some(())
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mpiscope"));
        command
            .args(line.split_whitespace())
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .env("MPISCOPE_AGENT", self.path("agent.so"))
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    #[track_caller]
    fn check(&self, line: &str, code: i32, said: &str) {
        let output = self.run(line);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(said), "{errors}");
    }

    /// Returns how many processes the stand-in was reached in.
    fn seen(&self, run: &str) -> usize {
        let entries = fs::read_dir(self.path(run)).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("seen-")).count()
    }
}

#[track_caller]
fn check_launcher(compiler: &str, launcher: &str) {
    let Some(bench) = Bench::new() else { return };
    if bench.compile(compiler, PROGRAM, "heat", &[]).is_none() {
        return;
    }
    let output = bench.run(&format!("trace -- {launcher} -n 2 ./heat 3"));
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(bench.seen("heat.mpiscope"), 2);
    bench.run(&format!("trace -- {launcher} -n 1 ./heat : -n 1 ./heat"));
    assert_eq!(bench.seen("heat.2.mpiscope"), 2);
    bench.run("trace -o alone -- ./heat");
    assert_eq!(bench.seen("alone"), 1);
}

#[test]
fn every_process_of_open_mpi_is_reached() {
    check_launcher("mpicc.openmpi", "mpirun.openmpi --oversubscribe");
}

#[test]
fn every_process_of_mpich_is_reached() {
    check_launcher("mpicc.mpich", "mpirun.mpich");
}

#[test]
fn a_run_whose_path_holds_a_space_is_recorded_too() {
    let Some(bench) = Bench::new() else { return };
    if bench.compile("mpicc.mpich", PROGRAM, "heat", &[]).is_none() {
        return;
    }
    let mut command = bench.command("trace -o");
    command.args(["a b", "--", "./heat", "4"]);
    assert_eq!(command.status().unwrap().code(), Some(4));
    assert_eq!(bench.seen("a b"), 1);
}

#[test]
fn exit_codes_are_those_of_a_shell() {
    let Some(bench) = Bench::new() else { return };
    bench.check("exec -- ./none", 127, "program not found");
    bench.check("exec -- /etc/passwd", 126, "not executable");
    bench.check("exec -- false", 1, "");
    bench.check("trace -- ./none", 2, "./none: program not found");
    bench.check("trace -- mpirun-none", 2, "program not found");
    bench.check("trace", 2, "COMMAND");
    bench.check("trace -- false", 1, "nothing was recorded");
    bench.check("trace --buffer 3X -- true", 2, "such as 64M");
}

#[test]
fn a_program_without_mpi_runs_and_leaves_no_run() {
    let Some(bench) = Bench::new() else { return };
    bench.check("trace -- true", 2, "is not linked with MPI");
    assert!(!bench.path("true.mpiscope").exists());
}

#[test]
fn who_ignores_a_signal_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let said = folder.path().join("said");
    let script = format!("touch begun; sleep 1; touch {}", said.display());
    let mut child = Command::new("env")
        .arg("--ignore-signal=HUP")
        .arg(common::mpiscope())
        .args(["trace", "-o", "run", "--", "sh", "-c", &script])
        .stderr(Stdio::null())
        .current_dir(&folder)
        .spawn()
        .unwrap();
    while !folder.path().join("begun").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::HUP).unwrap();
    child.wait().unwrap();
    assert!(said.exists());
}

#[test]
fn what_is_done_once_is_not_started_by_a_launcher() {
    let folder = tempfile::tempdir().unwrap();
    let under = |variable: &str, size: &str, words: &str| {
        let mut command = Command::new(common::mpiscope());
        command.args(words.split(' ')).current_dir(&folder);
        common::process::run(command.env(variable, size))
    };
    let made = under("PMI_SIZE", "1", "simulate halo -n 2 -o halo.mpiscope");
    made.check(0, &[]);
    for variable in ["PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"] {
        let refused = under(variable, "2", "whatif halo.mpiscope");
        let words = ["a launcher started 2 processes", "without the launcher"];
        refused.check(2, &words);
        refused.check(2, &["what can be started so are `mpiscope sync`"]);
        let refused = under(variable, "2", "analyze halo.mpiscope");
        refused.check(2, &["cannot work together"]);
        let refused = under(variable, "2", "trace -- true");
        refused.check(2, &["`mpiscope trace … -- mpirun -n 2 ./program`"]);
        under(variable, "2", "info halo.mpiscope").check(0, &[]);
    }
    assert!(!folder.path().join("halo.mpiscope/corrected").exists());
}

#[test]
fn nothing_is_overwritten_without_force() {
    let Some(bench) = Bench::new() else { return };
    fs::create_dir(bench.path("thesis")).unwrap();
    bench.check("trace -o thesis -- true", 2, "--force");
    bench.check("trace -o thesis --force -- true", 2, "no run of mpiscope");
    assert!(bench.path("thesis").exists());
}

#[test]
fn an_agent_of_another_build_is_told_apart() {
    let Some(bench) = Bench::new() else { return };
    let own = format!("this command is {}/", mpiscope_run::VERSION);
    for (build, word) in [("9.9.9/9", "(9.9.9/9;"), ("0.0.1/0", "(0.0.1/0;")] {
        bench.agent(build).unwrap();
        bench.check("record -- false", 2, word);
        bench.check("trace -- false", 2, &own);
    }
    fs::write(bench.path("agent.so"), [0; 5000]).unwrap();
    bench.check("trace -- false", 2, "(an older version;");
}

#[test]
fn a_program_is_not_started_unobserved_among_others_that_would_wait_for_it() {
    let Some(bench) = Bench::new() else { return };
    fs::remove_file(bench.path("agent.so")).unwrap();
    bench.check("exec -- false", 2, "cannot be observed");
    bench.check("trace -- false", 2, "MPISCOPE_AGENT");
}

#[test]
fn an_interrupted_trace_passes_the_signal_on_and_lives() {
    let Some(bench) = Bench::new() else { return };
    let mut command = bench.command("trace -- sh -c");
    command.arg("trap 'exit 5' TERM; touch ready; while :; do sleep 0.05; done");
    let mut process = command.spawn().unwrap();
    wait_for(&bench.path("ready"));
    let id = process.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(sent.success());
    assert_eq!(process.wait().unwrap().code(), Some(5));
}

fn wait_for(path: &Path) {
    for _ in 0..1000 {
        if path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{} did not appear", path.display());
}
