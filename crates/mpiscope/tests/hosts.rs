//! Jobs on several hosts: namespaces of this machine (tests/hosts/cluster), which have names,
//! addresses, process ids, shared memory and clocks of their own and see the same files. Launchers
//! start them through ssh and through Slurm, as on a cluster.
//!
//! All clocks are the kernel's, told a thousand seconds apart (time_namespaces(7)), and no
//! `CLOCK_REALTIME` is: in time since 1970 they agree, so it is known what is to be measured.

//!
//! Slurm, and MPICH, whose ranks spin while they wait for another host, only with
//! MPISCOPE_TEST_ALL=1 (`make test-all`).

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::mpi::{MPICH, OPEN_MPI};
use common::{bin, inapplicable, missing, process, workspace, Done, Mpi};
use serde_json::Value;

/// Hosts that a test's commands are to run on.
struct Cluster {
    folder: tempfile::TempDir,
    words: Vec<&'static str>,
}

/// What launchers need that run as root, or with more ranks than cores.
const ENVIRONMENT: [(&str, &str); 3] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
];

/// Functions of the scripts.
const FUNCTIONS: &str = r#"
# Waits until a command succeeds.
until_true() { for _ in $(seq 600); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; echo "never: $*" >&2; exit 1; }
all_idle() { [ "$(sinfo -h -o %T)" = idle ]; }
# Runs a command in this folder on another host.
on() { ssh "$1" "cd '$PWD' && PATH='$PATH' && $2"; }
"#;

impl Cluster {
    fn new(words: &[&'static str]) -> Cluster {
        // All hosts see it, and /tmp may be each one's own.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let words = words.to_vec();
        Cluster { folder, words }
    }

    /// Runs a script on the first of some hosts; nothing where hosts cannot be made, which is said.
    fn run(&self, hosts: u32, script: &str) -> Option<Done> {
        let mut command = Command::new(workspace().join("tests/hosts/cluster"));
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .args(&self.words)
            .arg(self.path("cluster"))
            .arg(hosts.to_string())
            .args(["bash", "-euc", &format!("{FUNCTIONS}{script}")])
            .current_dir(&self.folder)
            .env("PATH", format!("{}:{path}", bin().display()))
            .envs(ENVIRONMENT);
        let done = process::run(&mut command);
        match done.code {
            77 => inapplicable(&done.errors),
            78 => missing(&done.errors),
            _ => return Some(done),
        }
        None
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns what a command says of a run as JSON.
    #[track_caller]
    fn json(&self, words: &str) -> Value {
        let done = common::folder::in_folder(self.folder.path(), words);
        done.check(0, &[]);
        serde_json::from_str(&done.out).unwrap()
    }
}

/// Whether all is to be tried.
fn everything() -> bool {
    std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1")
}

/// Whether a test that takes a Slurm is left out, which is said.
fn leaves_out_slurm() -> bool {
    let leaves_out = !everything();
    if leaves_out {
        inapplicable("Slurm is started with MPISCOPE_TEST_ALL=1 alone");
    }
    leaves_out
}

fn example(mpi: &Mpi, name: &str) -> Option<String> {
    let program = mpi.compile(&format!("examples/{name}.c"))?;
    Some(program.display().to_string())
}

/// Expects of a run on two hosts that all is there, and their clocks were told apart and measured.
#[track_caller]
fn check_two_clocks(cluster: &Cluster, run: &str) {
    let info = cluster.json(&format!("info --json {run}"));
    assert_eq!(
        info["hosts"],
        serde_json::json!(["node0", "node1"]),
        "{run}"
    );
    assert_eq!(info["state"], "finished", "{run}");
    assert_eq!(info["events_lost"], 0);
    assert_eq!(info["messages"]["unmatched_sends"], 0);
    assert_eq!(info["violations"]["corrected"]["clock_condition"], 0);
    let clocks = info["clocks"].as_array().unwrap();
    assert_eq!(clocks.len(), 2, "{run}: {clocks:?}");
    for clock in clocks {
        assert_eq!(
            clock["source"], "monotonic",
            "{run}: the counter knows no namespaces"
        );
    }
    let text = std::fs::read_to_string(cluster.path(run).join("run.json")).unwrap();
    let of_run: Value = serde_json::from_str(&text).unwrap();
    let offsets = of_run["clocks"][1]["offsets"].as_array().unwrap();
    assert!(offsets.len() >= 2, "{run}: {offsets:?}");
    for measured in offsets {
        let [offset, half_width] =
            ["offset", "half_width"].map(|key| measured[key].as_f64().unwrap());
        // What reading three clocks one after the other is wrong by.
        let readings = 5_000.0;
        assert!(offset.abs() <= half_width + readings, "{run}: {measured}");
    }
    assert!(!cluster.path(run).join("placement.json").exists());
}

#[test]
fn launchers_that_use_ssh() {
    let cluster = Cluster::new(&[]);
    let mut script = String::new();
    if let Some(heat) = example(&OPEN_MPI, "heat") {
        script += &format!(
            "mpiscope trace -o openmpi.mpiscope -- mpirun.openmpi -H node0:2,node1:2 {heat} 128 60\n"
        );
    }
    if let Some(heat) = example(&MPICH, "heat").filter(|_| everything()) {
        script += &format!(
            "mpiscope trace -o mpich.mpiscope -- mpirun.mpich -launcher ssh -hosts node0,node1 -n 2 {heat} 128 60\n"
        );
    }
    let Some(done) = cluster.run(2, &script) else {
        return;
    };
    done.check(0, &[]);
    for run in ["openmpi.mpiscope", "mpich.mpiscope"] {
        if script.contains(run) {
            check_two_clocks(&cluster, run);
        }
    }
}

#[test]
fn containers_of_one_kernel_whose_clocks_say_different_times() {
    let cluster = Cluster::new(&["--kernels", "one"]);
    let Some(heat) = example(&OPEN_MPI, "heat") else {
        return;
    };
    let script = format!(
        "mpiscope trace -o run.mpiscope -- mpirun.openmpi -H node0:2,node1:2 {heat} 128 60\n"
    );
    if let Some(done) = cluster.run(2, &script) {
        done.check(0, &[]);
        check_two_clocks(&cluster, "run.mpiscope");
    }
}

/// Returns the job script that the book shows.
fn book_script() -> String {
    let book = std::fs::read_to_string(workspace().join("book/src/clusters.md")).unwrap();
    let script = book.split_once("```bash\n").unwrap().1;
    script.split_once("```").unwrap().0.to_owned()
}

/// The run is corrected once more by a job whose script is printed, with changes as its comments say.
const JOB_SCRIPT: &str = r#"
mv heat.mpiscope/corrected alone
mpiscope sync --emit-sbatch heat.mpiscope >correct.sh
sed -i 's/--ntasks=1$/--ntasks=2/; s/srun \(.*\)--ntasks=1/srun --mpi=pmix \1--ntasks=2/' correct.sh
sbatch --test-only correct.sh
sbatch -Q -W -o correct.out correct.sh
grep -q 'corrected archive: ' correct.out
diff -r --exclude=traces.otf2 alone heat.mpiscope/corrected
"#;

#[test]
fn a_batch_system() {
    if leaves_out_slurm() {
        return;
    }
    let cluster = Cluster::new(&["--slurm"]);
    let mut script = "until_true all_idle\n".to_owned();
    let mut runs = Vec::new();
    if let Some(heat) = example(&OPEN_MPI, "heat") {
        let job = cluster.path("job.sh");
        std::fs::write(job, book_script()).unwrap();
        script += &format!(
            "ln -s {heat} heat; sbatch -Q -W -o job.out job.sh\n\
             salloc -Q -N2 -n4 --ntasks-per-node=2 \
                 mpiscope trace -o salloc.mpiscope -- mpirun.openmpi ./heat 128 60\n\
             mkdir exec; srun --mpi=pmix -N2 -n4 -D exec mpiscope exec -- ../heat 128 60\n\
             mpiscope sync exec/heat.mpiscope >sync.out\n"
        );
        script += JOB_SCRIPT;
        runs.extend(["heat", "salloc", "exec/heat"]);
    }
    if let Some(heat) = example(&MPICH, "heat") {
        script +=
            &format!("mpiscope trace -o pmi2.mpiscope -- srun --mpi=pmi2 -N2 -n2 {heat} 128 60\n");
        runs.push("pmi2");
    }
    if let Some(done) = cluster.run(2, &script) {
        done.check(0, &[]);
        for run in runs {
            check_two_clocks(&cluster, &format!("{run}.mpiscope"));
        }
    }
}

#[test]
fn a_job_that_dies_recovers_on_all_its_hosts() {
    if leaves_out_slurm() {
        return;
    }
    let cluster = Cluster::new(&["--slurm"]);
    let Some(heat) = example(&OPEN_MPI, "heat") else {
        return;
    };
    let forever = book_script().replace("512 300", "512 1000000");
    std::fs::write(cluster.path("job.sh"), forever).unwrap();
    let script = format!(
        r#"
        until_true all_idle
        ln -s {heat} heat
        sbatch -Q -W -o job.out job.sh &
        until_true on node1 'mpiscope state heat.mpiscope | grep -q MPI_Waitall'
        on node1 'pkill -KILL -x heat || pkill -KILL -f heat-c'
        wait || true
        "#
    );
    let Some(done) = cluster.run(2, &script) else {
        return;
    };
    done.check(0, &[]);
    let said = std::fs::read_to_string(cluster.path("job.out")).unwrap();
    let info = cluster.json("info --json heat.mpiscope");
    assert_eq!(info["state"], "recovered", "{said}");
    assert_eq!(info["ranks_missing"], serde_json::json!([]), "{said}");
    assert!(said.contains("what 4 ranks had committed"), "{said}");
}

#[test]
fn what_a_dead_run_left_on_each_host_becomes_one_archive() {
    let cluster = Cluster::new(&[]);
    let Some(heat) = example(&OPEN_MPI, "heat") else {
        return;
    };
    // All ranks are on other hosts than the command, and each host has its own memory.
    let script = format!(
        r#"
        mpiscope trace -o run.mpiscope -- mpirun.openmpi -H node1:2,node2:2 {heat} 512 1000000 &
        until_true on node1 'mpiscope state run.mpiscope | grep -q MPI_Waitall'
        until_true on node2 'mpiscope state run.mpiscope | grep -q MPI_Waitall'
        mpiscope state run.mpiscope >seen-from-node0
        on node1 'mpiscope state run.mpiscope' >seen-from-node1
        on node1 'mpiscope control run.mpiscope off; mpiscope control run.mpiscope on' 2>controlled
        on node1 'pkill -KILL -f heat-c'
        wait || true
        mpiscope recover run.mpiscope || true
        on node1 'mpiscope recover run.mpiscope' 2>recovered-on-node1
        mpiscope info --json run.mpiscope >half.json
        on node2 'mpiscope recover run.mpiscope' 2>recovered-on-node2
        on node2 'mpiscope recover run.mpiscope' 2>again
        "#
    );
    let Some(done) = cluster.run(3, &script) else {
        return;
    };
    let read = |name: &str| std::fs::read_to_string(cluster.path(name)).unwrap();
    done.check(
        0,
        &[
            "ended without MPI_Finalize",
            "the ranks ran on node1, node2",
        ],
    );
    assert!(read("seen-from-node0").contains("They run on node1, node2"));
    assert!(read("seen-from-node1").contains("on node2, too (through ssh)"));
    assert!(read("controlled").contains("ranks on node2 are not reached from here"));
    assert!(read("recovered-on-node1").contains("they ran on node2"));
    let half: Value = serde_json::from_str(&read("half.json")).unwrap();
    assert_eq!(half["ranks_missing"], serde_json::json!([2, 3]));
    assert!(read("recovered-on-node2").contains("what 4 ranks had committed"));
    assert!(read("again").contains("is complete: nothing to recover"));
    let info = cluster.json("info --json run.mpiscope");
    assert_eq!(info["ranks_missing"], serde_json::json!([]));
    assert_eq!(info["state"], "recovered");
    assert!(info["events"].as_u64() > half["events"].as_u64());
    assert_eq!(info["clocks"].as_array().unwrap().len(), 2);
}

#[test]
fn statistics_are_seen_from_every_host() {
    let cluster = Cluster::new(&[]);
    let Some(heat) = example(&OPEN_MPI, "heat") else {
        return;
    };
    let script = format!(
        r#"
        export MPISCOPE_SNAPSHOTS=1
        mpiscope monitor -o run.mpiscope -- mpirun.openmpi -x MPISCOPE_SNAPSHOTS -H node0:2,node1:2 {heat} 512 1000000 &
        until_true sh -c 'mpiscope top --once run.mpiscope | grep -q "4 ranks running"'
        on node1 'mpiscope top --once run.mpiscope' >top
        on node1 'pkill -KILL -f heat-c'
        wait || true
        on node1 'mpiscope recover run.mpiscope'
        mpiscope recover run.mpiscope
        mpiscope stats --json run.mpiscope >stats.json
        "#
    );
    let Some(done) = cluster.run(2, &script) else {
        return;
    };
    done.check(0, &[]);
    let top = std::fs::read_to_string(cluster.path("top")).unwrap();
    assert!(
        top.contains("4 ranks running") && !top.contains("not complete"),
        "{top}"
    );
    let stats = std::fs::read_to_string(cluster.path("stats.json")).unwrap();
    let stats: Value = serde_json::from_str(&stats).unwrap();
    assert_eq!(stats["ranks"].as_array().unwrap().len(), 4);
}

/// Returns what replays say that went as recorded: how many choices each had.
fn choices(errors: &str) -> Vec<&str> {
    let told = errors
        .lines()
        .filter_map(|line| line.strip_prefix("mpiscope: replayed as recorded: "));
    told.collect()
}

#[test]
fn an_order_is_recorded_and_repeated() {
    let cluster = Cluster::new(&[]);
    let launches = [
        (&OPEN_MPI, "mpirun.openmpi -H node0:2,node1:2"),
        (&MPICH, "mpirun.mpich -launcher ssh -hosts node0,node1 -n 2"),
    ];
    let mut script = String::new();
    for (mpi, launch) in launches {
        let is_tried = *mpi == OPEN_MPI || everything();
        if let Some(workers) = example(mpi, "workers").filter(|_| is_tried) {
            let run = format!("{}.mpiscope", mpi.suffix);
            script += &format!(
                "mpiscope record -o {run} -- {launch} {workers} 1000 20\n\
                 mpiscope replay {run} -- {launch} {workers} 1000 20\n"
            );
        }
    }
    let Some(done) = cluster.run(2, &script) else {
        return;
    };
    done.check(0, &[]);
    let replays = script.matches("mpiscope replay").count();
    assert_eq!(choices(&done.errors).len(), replays, "{done:#?}");
    assert!(choices(&done.errors)
        .iter()
        .all(|choices| *choices != "0 choices"));
}
