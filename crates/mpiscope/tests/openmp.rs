//! The programs of `tests/mpi/openmp`: what their threads do is in the archive, by GCC's runtime and
//! by LLVM's, as two readers see it that are not ours, and as the programs count it themselves.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::process::Command;

use common::oracle::{printed, Facts};
use common::trial::{counted, Run};
use common::{found, process, Case, Trial};

/// A compiler, and what it is to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compiler {
    Gcc,
    Clang,
}

use Compiler::{Clang, Gcc};

/// Compiles a program for OpenMP; nothing, with a word, without its compiler.
fn compiled(case: Case, source: &str, compiler: Compiler) -> Option<(Trial, tempfile::TempDir)> {
    let file = common::workspace().join("tests/mpi/openmp").join(source);
    let command = case.mpi.command(match source.ends_with(".f90") {
        true => "mpif90",
        false => "mpicc",
    });
    let is_there = match compiler {
        Gcc => true,
        Clang => has_omp_of_clang(),
    };
    if !common::mpi::is_command(&command) || !is_there {
        common::missing(&format!("{source}: no {command}, or no clang with libomp"));
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let mut compile = Command::new(&command);
    if compiler == Clang {
        compile.env("OMPI_CC", "clang").env("MPICH_CC", "clang");
    }
    compile.args(["-g", "-O1", "-fopenmp", "-pthread", "-o"]);
    compile.arg(&program).arg(file).current_dir(folder.path());
    let done = process::run(&mut compile);
    done.check(0, &[]);
    Some((Trial::of(case, program), folder))
}

fn has_omp_of_clang() -> bool {
    let mut clang = Command::new("clang");
    clang.args([
        "-fopenmp",
        "-include",
        "omp.h",
        "-E",
        "-x",
        "c",
        "/dev/null",
    ]);
    clang.output().is_ok_and(|it| it.status.success())
}

/// What a program of two ranks has shown.
struct Shown<'a> {
    run: &'a Run,
    compiler: Compiler,
    facts: &'a Facts,
    /// How often the program says that it was done.
    counted: BTreeMap<String, u64>,
}

impl Shown<'_> {
    fn kind(&self, kind: &str) -> u64 {
        self.facts.kinds.get(kind).copied().unwrap_or(0)
    }

    /// How often all threads entered a region.
    fn entered(&self, region: &str) -> u64 {
        let all = self.facts.entered.values();
        all.filter_map(|regions| regions.get(region)).sum()
    }

    /// Teams and barriers are those that the program has counted.
    #[track_caller]
    fn is_counted(&self, more_barriers: u64) {
        let (forks, members) = (self.counted["forks"], self.counted["members"]);
        for kind in ["ThreadFork", "ThreadJoin"] {
            assert_eq!(self.kind(kind), forks, "{kind}");
        }
        for kind in ["ThreadTeamBegin", "ThreadTeamEnd"] {
            assert_eq!(self.kind(kind), members, "{kind}");
        }
        assert_eq!(self.entered("omp parallel"), members);
        let barriers = self.entered("omp barrier") + self.entered("omp implicit barrier");
        assert_eq!(barriers, self.counted["barriers"] + more_barriers);
    }

    /// Expects that so many entries were made in the line of the program that holds a text.
    #[track_caller]
    fn is_at(&self, region: &str, source: &str, text: &str, entries: u64) {
        let file = common::workspace().join("tests/mpi/openmp").join(source);
        let source = std::fs::read_to_string(file).unwrap();
        let line = source.lines().position(|line| line.contains(text)).unwrap() + 1;
        let site = format!("{region} {line}");
        let sites = &self.facts.sites;
        assert_eq!(sites.get(&site), Some(&entries), "{site}: {sites:?}");
    }
}

/// Runs a program bare and traced, under each MPI, by each compiler, and looks at what is there.
#[track_caller]
fn each(source: &str, compilers: &[Compiler], look: impl Fn(&Shown)) {
    for &mpi in found() {
        for &compiler in compilers {
            let case = Case { mpi, ranks: 2 };
            let Some((trial, _folder)) = compiled(case, source, compiler) else {
                continue;
            };
            let bare = trial.untraced();
            bare.check(0, &[]);
            assert!(bare.out.ends_with(": ok\n"), "{}", bare.out);
            let run = trial.traced();
            run.done.check(0, &[]);
            assert_eq!(run.done.out, bare.out);
            run.check_shared_memory();
            let checked = run.mpiscope("check");
            checked.check(0, &[]);
            assert_eq!(checked.out.matches("nothing is against").count(), 2);
            if let Some(facts) = run.check_archives() {
                look(&Shown {
                    run: &run,
                    compiler,
                    facts: &facts,
                    counted: counted(&run.done.out),
                });
            }
        }
    }
}

#[test]
fn regions_have_their_teams_barriers_and_lines() {
    each("regions.c", &[Gcc, Clang], |shown| {
        shown.is_counted(0);
        // The runtime makes its threads as programs do; their teams tell of them.
        assert_eq!(shown.kind("ThreadCreate") + shown.kind("ThreadBegin"), 0);
        // Each thread has a location, and is the same thread in all regions.
        assert_eq!(shown.facts.locations.len(), 6);
        let own = |(location, _): &&(u64, u64)| shown.facts.entered[location]["omp parallel"] >= 5;
        assert_eq!(shown.facts.locations.iter().filter(own).count(), 6);
        shown.is_at("omp parallel", "regions.c", "/* region */", 30);
        shown.is_at("omp parallel", "regions.c", "/* loop */", 4);
        shown.is_at("omp join", "regions.c", "/* region */", 10);
        shown.is_at("omp barrier", "regions.c", "/* first barrier */", 30);
        shown.is_at("omp barrier", "regions.c", "/* second barrier */", 30);
        assert_eq!(shown.entered("omp implicit barrier"), 30);
        // A team of three threads, one of two, one of one; in each rank.
        let mut teams: Vec<u64> = (shown.facts.communicators.iter())
            .filter(|(name, ..)| name.starts_with("OpenMP team"))
            .map(|(_, _, members)| *members)
            .collect();
        teams.sort_unstable();
        assert_eq!(teams, [1, 1, 2, 2, 3, 3]);
    });
}

/// Threads of a process read one clock: what follows from their teams and barriers is so by the
/// measured times, too.
#[test]
fn the_clock_correction_uses_teams_and_barriers() {
    each("regions.c", &[Gcc, Clang], |shown| {
        let info = shown.run.json("info --json");
        // Besides MPI's, MPI_Finalize among them: each barrier of a team is an operation of its threads.
        assert_eq!(info.figure("collectives"), 8 + 30);
        // In each barrier of a team every thread waits for two, at each fork and join of it two
        // threads for one or one for two; in those of MPI each rank for the other.
        let (mpi, barriers, teams) = (2 * 8, 6 * 30, 4 * 10 + 2 * 2);
        assert_eq!(info.figure("messages.logical"), mpi + barriers + teams);
        assert_eq!(info.figure("violations.measured.reversed"), 0);
        assert_eq!(info.figure("violations.corrected.reversed"), 0);
    });
}

/// Of a team of three two wait at each barrier, and both others idle between two teams; none of that
/// is computation.
#[test]
fn threads_that_wait_for_each_other_are_wait_states() {
    each("regions.c", &[Gcc, Clang], |shown| {
        let analyzed = shown.run.json("analyze --json");
        let found = analyzed.get("wait_states").as_array().unwrap();
        let times = |kind: &str| {
            let of_kind = found.iter().find(|it| it["kind"] == kind);
            of_kind.map_or(0, |it| it["times"].as_u64().unwrap())
        };
        // Two that come in the same nanosecond do not wait for each other.
        let at_barriers = times("wait at thread barrier");
        assert!((1..=2 * 30).contains(&at_barriers), "{at_barriers}");
        assert!(times("idle threads") > 0);
        assert_eq!(analyzed.figure("contradictions"), 0);
        let (waiting, all) = ("threads_waiting_ns", "threads_ns");
        assert!(analyzed.figure(waiting) <= analyzed.figure(all));
        assert!(analyzed.figure(all) <= analyzed.figure("time_ns"));
        let unknown = analyzed.get("unknown").as_array().unwrap();
        assert!(unknown
            .iter()
            .all(|it| it["what"] != "waiting among threads"));
        let statements = analyzed.get("statements").as_array().unwrap();
        let barriers = statements.iter().filter(|it| it["call"] == "omp barrier");
        let passed = barriers.map(|it| it["calls"].as_u64().unwrap());
        assert_eq!(passed.sum::<u64>(), shown.entered("omp barrier"));
    });
}

#[test]
fn all_forms_of_a_runtime_are_told_between_init_and_finalize() {
    each("forms.c", &[Gcc, Clang], |shown| {
        // GCC's copyprivate has two barriers, LLVM's none of its own.
        shown.is_counted(if shown.compiler == Gcc { 8 } else { 0 });
        let note = "1 parallel regions of OpenMP were entered before MPI_Init";
        let errors = &shown.run.done.errors;
        assert!(errors.contains(note), "{errors}");
    });
}

#[test]
fn teams_of_teams_meet_at_their_own_barriers() {
    each("nested.c", &[Gcc, Clang], |shown| {
        shown.is_counted(0);
        shown.is_at("omp parallel", "nested.c", "/* outer */", 12);
        shown.is_at("omp parallel", "nested.c", "/* inner */", 24);
        shown.is_at("omp barrier", "nested.c", "/* inner barrier */", 24);
        shown.is_at("omp barrier", "nested.c", "/* outer barrier */", 12);
    });
}

/// The tasks that two readers see are those that the program has made, and each is done by somebody
/// after it was created.
#[test]
fn tasks_are_created_worked_on_and_complete() {
    each("tasks.c", &[Gcc, Clang], |shown| {
        shown.is_counted(0);
        let tasks = shown.counted["tasks"];
        for kind in ["ThreadTaskCreate", "ThreadTaskComplete"] {
            assert_eq!(shown.kind(kind), tasks, "{kind}");
        }
        assert!(shown.kind("ThreadTaskSwitch") >= tasks);
        assert_eq!(shown.entered("omp task"), tasks);
        shown.is_at("omp task", "tasks.c", "/* first */", 40);
        shown.is_at("omp task", "tasks.c", "/* second */", 40);
        shown.is_at("omp task", "tasks.c", "/* at the end */", 60);
        shown.is_at("omp taskwait", "tasks.c", "/* both */", 40);
        let info = shown.run.json("info --json");
        assert_eq!(info.figure("violations.measured.reversed"), 0);
    });
}

#[test]
fn regions_of_old_compilers_have_their_teams() {
    each("old.c", &[Gcc], |shown| {
        shown.is_counted(0);
        shown.is_at("omp parallel", "old.c", "/* start */", 16);
        shown.is_at("omp join", "old.c", "/* start */", 8);
    });
}

#[test]
fn fortran_has_teams_and_lines() {
    each("regions.f90", &[Gcc], |shown| {
        shown.is_counted(0);
        shown.is_at("omp parallel", "regions.f90", "! region", 16);
        shown.is_at("omp barrier", "regions.f90", "!$omp barrier", 16);
    });
}

#[test]
fn threads_of_a_killed_process_are_recovered() {
    for &mpi in found() {
        for compiler in [Gcc, Clang] {
            let case = Case { mpi, ranks: 2 };
            let Some((trial, _folder)) = compiled(case, "killed.c", compiler) else {
                continue;
            };
            let run = trial.traced();
            assert_ne!(run.done.code, 0);
            // Nine regions of rank 1 have ended; in the tenth two threads stand in the barrier.
            let Some(begins) = printed(&run.measured(), "THREAD_TEAM_BEGIN") else {
                return;
            };
            let ends = printed(&run.measured(), "THREAD_TEAM_END").unwrap();
            let of_rank_1 = |lines: &[String]| {
                let location = |line: &&String| {
                    let location: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
                    location as u32 == 1
                };
                lines.iter().filter(location).count()
            };
            assert_eq!(
                [of_rank_1(&begins), of_rank_1(&ends)],
                [30, 27],
                "{}",
                mpi.name
            );
            let checked = run.mpiscope("check --json");
            assert!(!checked.out.contains("leave-"), "{}", checked.out);
        }
    }
}

#[test]
fn it_can_be_left_out() {
    for &mpi in found() {
        for compiler in [Gcc, Clang] {
            let case = Case { mpi, ranks: 2 };
            let Some((trial, _folder)) = compiled(case, "regions.c", compiler) else {
                continue;
            };
            let run = trial.traced_with(&["--openmp", "off"]);
            run.done.check(0, &[]);
            let Some(facts) = run.check_archives() else {
                return;
            };
            assert_eq!(facts.locations.len(), 2);
            assert!(!facts.kinds.contains_key("ThreadFork"), "{:?}", facts.kinds);
        }
    }
}

/// The order in which the trace says that a lock was acquired, by the numbers of threads in their team.
fn holders(run: &Run, rank: u64, at_least: usize) -> Option<Vec<Vec<u64>>> {
    let acquired = printed(&run.measured(), "THREAD_ACQUIRE_LOCK")?;
    let word = |line: &str, at: usize| -> u64 {
        line.split_whitespace().nth(at).unwrap().parse().unwrap()
    };
    let after = |line: &str, word: &str| -> u64 {
        let rest = line.split_once(word).unwrap_or_else(|| panic!("{line}")).1;
        let digits = rest
            .trim_start_matches([' ', ':'])
            .split([',', ' '])
            .next()
            .unwrap();
        digits
            .parse()
            .unwrap_or_else(|_| panic!("{word} in {line}"))
    };
    let mut turns: BTreeMap<u64, BTreeMap<u64, u64>> = BTreeMap::new();
    for line in acquired
        .iter()
        .filter(|line| word(line, 1) as u32 as u64 == rank)
    {
        let of_lock = turns.entry(after(line, "Lock")).or_default();
        let before = of_lock.insert(after(line, "Acquisition Order"), word(line, 1));
        assert!(before.is_none(), "two turns have one number: {line}");
    }
    let orders = turns
        .into_values()
        .map(|turns| turns.into_values().collect());
    Some(
        orders
            .filter(|order: &Vec<u64>| order.len() >= at_least)
            .collect(),
    )
}

#[test]
fn locks_are_told_in_the_order_in_which_they_were_held() {
    for &mpi in found() {
        for compiler in [Gcc, Clang] {
            let case = Case { mpi, ranks: 2 };
            let Some((trial, _folder)) = compiled(case, "locks.c", compiler) else {
                continue;
            };
            let run = trial.traced();
            run.done.check(0, &[]);
            run.mpiscope("check").check(0, &[]);
            let Some(facts) = run.check_archives() else {
                return;
            };
            let shown = Shown {
                run: &run,
                compiler,
                facts: &facts,
                counted: counted(&run.done.out),
            };
            shown.is_counted(0);
            for kind in ["ThreadAcquireLock", "ThreadReleaseLock"] {
                assert_eq!(shown.kind(kind), shown.counted["acquired"], "{kind}");
            }
            shown.is_at("omp set lock", "locks.c", "/* set */", 120);
            shown.is_at("omp critical", "locks.c", "/* unnamed */", 120);
            shown.is_at("omp critical", "locks.c", "/* named */", 120);
            // Whoever has a lock has got it after the other gave it back, by the measured times.
            let info = run.json("info --json");
            assert_eq!(info.figure("violations.measured.reversed"), 0);
            for rank in 0..2 {
                let line = format!("holders {rank} ");
                let line = run.done.out.lines().find_map(|it| it.strip_prefix(&line));
                let told: Vec<u64> = (line.unwrap().split_whitespace())
                    .map(|number| number.parse().unwrap())
                    .collect();
                let Some(orders) = holders(&run, rank, 60) else {
                    return;
                };
                // Of three locks one was held as the program says; its threads have locations in
                // some order, but the same throughout.
                let is_it = |order: &Vec<u64>| {
                    let of: BTreeMap<u64, u64> =
                        order.iter().copied().zip(told.iter().copied()).collect();
                    order.len() == told.len()
                        && order
                            .iter()
                            .zip(&told)
                            .all(|(location, number)| of[location] == *number)
                };
                assert_eq!(orders.len(), 3, "rank {rank}");
                assert!(orders.iter().any(is_it), "rank {rank}: {told:?} {orders:?}");
            }
        }
    }
}
