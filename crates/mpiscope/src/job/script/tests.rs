use std::io::Write as _;
use std::process::{Command as Program, Stdio};

use clap::Parser as _;
use expect_test::{expect, Expect};

use super::*;

/// 64 ranks, as in bench/results/commands.md.
const TRACE: Size = Size {
    ranks: 64,
    locations: 64,
    events: 11_500_000,
    bytes: 226 << 20,
};

/// Returns the script of a line for a trace.
fn script(line: &str, trace: &Size) -> String {
    let typed: Vec<&str> = ["mpiscope"].into_iter().chain(line.split(' ')).collect();
    let command = Cli::parse_from(&typed).command;
    let asked = Asked::by(&command).expect("a script is asked for");
    let words = words(&Cli::command().get_matches_from(&typed)).unwrap();
    asked.text(trace, "/opt/mpiscope/bin/mpiscope", &words)
}

#[track_caller]
fn check(line: &str, expected: Expect) {
    let text = script(line, &TRACE);
    expected.assert_eq(&text);
    let mut bash = Program::new("bash");
    let bash = bash.arg("-n").stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut bash = bash.spawn().unwrap();
    bash.stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let done = bash.wait_with_output().unwrap();
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    // RFC 36: another sentinel than that of the directives is an error, in a comment, too.
    assert!(!text.to_lowercase().contains("# flux:"));
}

#[test]
fn a_script_for_slurm() {
    check(
        "sync --force --emit-sbatch /home/me/heat.mpiscope",
        expect![[r#"
            #!/bin/bash
            #SBATCH --job-name=mpiscope-sync
            #SBATCH --ntasks=2
            #SBATCH --cpus-per-task=2
            #SBATCH --mem-per-cpu=512M
            #SBATCH --time=00:06:00
            #
            # The trace has 64 ranks, 64 locations, 11,500,000 events and 226 MiB on disk. What was measured is
            # in mpiscope's BENCHMARKS.md.
            #
            # Tasks, 2: one for every 8,000,000 events, at most one for each rank and 16 in all. That is a
            # guess: how much faster more of them are was not measured on a cluster.
            #
            # Processors of a task, 2: more were not measured; --threads N asks for another number.
            #
            # Memory of a task, 1024 MiB: 55 bytes an event as measured, half as much again, and 64 MiB for the
            # process, where it has to read the whole trace, as where several threads of a rank call MPI; else
            # it needs less. --memory SIZE bounds it, at some 4 times the time.
            #
            # Time, 6 minutes: 3.7 million events a second by one process with one thread as measured, four
            # times that to be safe; all tasks read the trace and it is written once, at 100 MB/s together,
            # which is a guess; and five minutes.
            #
            # To change a figure, change it above, and the number of tasks also where they are started. Queue,
            # account and what else your site asks for are lines more above. Where the library of the launcher's
            # MPI is not found, MPISCOPE_LIBMPI=/.../libmpi.so names it.
            #
            # The memory of a task is asked for by processor, as Slurm has it. Where Slurm was not told how much
            # its nodes have, it finds none with that much (Requested node configuration is not available):
            # leave the line out.
            #
            # If `srun --mpi=list` has another default than your MPI needs: srun --mpi=pmix for Open MPI,
            # --mpi=pmi2 for MPICH.
            #
            # All paths are absolute. To submit it: sbatch FILE

            exec srun --kill-on-bad-exit=1 --ntasks=2 --cpus-per-task=2 \
                /opt/mpiscope/bin/mpiscope sync --force /home/me/heat.mpiscope
        "#]],
    );
}

#[test]
fn a_script_for_pbs() {
    check(
        "sync --emit-sbatch=pbs /home/me/heat.mpiscope",
        expect![[r#"
            #!/bin/bash
            #PBS -N mpiscope-sync
            #PBS -l select=2:ncpus=2:mpiprocs=1:mem=1024mb
            #PBS -l walltime=00:06:00
            #
            # The trace has 64 ranks, 64 locations, 11,500,000 events and 226 MiB on disk. What was measured is
            # in mpiscope's BENCHMARKS.md.
            #
            # Tasks, 2: one for every 8,000,000 events, at most one for each rank and 16 in all. That is a
            # guess: how much faster more of them are was not measured on a cluster.
            #
            # Processors of a task, 2: more were not measured; --threads N asks for another number.
            #
            # Memory of a task, 1024 MiB: 55 bytes an event as measured, half as much again, and 64 MiB for the
            # process, where it has to read the whole trace, as where several threads of a rank call MPI; else
            # it needs less. --memory SIZE bounds it, at some 4 times the time.
            #
            # Time, 6 minutes: 3.7 million events a second by one process with one thread as measured, four
            # times that to be safe; all tasks read the trace and it is written once, at 100 MB/s together,
            # which is a guess; and five minutes.
            #
            # To change a figure, change it above, and the number of tasks also where they are started. Queue,
            # account and what else your site asks for are lines more above. Where the library of the launcher's
            # MPI is not found, MPISCOPE_LIBMPI=/.../libmpi.so names it.
            #
            # A task is a chunk. PBS may begin without your modules: load that of your MPI before mpiexec.
            #
            # Open MPI's mpiexec gives a process one processor, unless --bind-to none is behind it.
            #
            # All paths are absolute. To submit it: qsub FILE

            exec mpiexec -n 2 \
                /opt/mpiscope/bin/mpiscope sync /home/me/heat.mpiscope
        "#]],
    );
}

#[test]
fn a_script_for_flux() {
    check(
        "sync --emit-sbatch=flux /home/me/heat.mpiscope",
        expect![[r#"
            #!/bin/bash
            #flux: --job-name=mpiscope-sync
            #flux: --nslots=2
            #flux: --cores-per-slot=2
            #flux: --time-limit=6m
            #
            # The trace has 64 ranks, 64 locations, 11,500,000 events and 226 MiB on disk. What was measured is
            # in mpiscope's BENCHMARKS.md.
            #
            # Tasks, 2: one for every 8,000,000 events, at most one for each rank and 16 in all. That is a
            # guess: how much faster more of them are was not measured on a cluster.
            #
            # Processors of a task, 2: more were not measured; --threads N asks for another number.
            #
            # Memory of a task, 1024 MiB: 55 bytes an event as measured, half as much again, and 64 MiB for the
            # process, where it has to read the whole trace, as where several threads of a rank call MPI; else
            # it needs less. --memory SIZE bounds it, at some 4 times the time.
            #
            # Time, 6 minutes: 3.7 million events a second by one process with one thread as measured, four
            # times that to be safe; all tasks read the trace and it is written once, at 100 MB/s together,
            # which is a guess; and five minutes.
            #
            # To change a figure, change it above, and the number of tasks also where they are started. Queue,
            # account and what else your site asks for are lines more above. Where the library of the launcher's
            # MPI is not found, MPISCOPE_LIBMPI=/.../libmpi.so names it.
            #
            # Flux is not asked for memory: where the tasks of a node need more than it has, ask for more nodes
            # by --nodes, above and behind `flux run`.
            #
            # All paths are absolute. To submit it: flux batch FILE

            exec flux run -o exit-on-error --ntasks=2 --cores-per-task=2 \
                /opt/mpiscope/bin/mpiscope sync /home/me/heat.mpiscope
        "#]],
    );
}

/// Returns the lines that have this word.
#[track_caller]
fn check_lines(line: &str, trace: &Size, word: &str, expected: Expect) {
    let text = script(line, trace);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(word)).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn what_is_typed_goes_on_with_absolute_paths_in_quotes() {
    let line =
        "sync --emit-sbatch=slurm -o /a/it's --lmin n1:n7=4us --lmin=1us --assume init,finalize \
                --plot /b/$HOME --json /c/../heat`id`.mpiscope";
    check_lines(
        line,
        &TRACE,
        "bin/mpiscope",
        expect![[
            r#"    /opt/mpiscope/bin/mpiscope sync '--output=/a/it'\''s' --lmin=n1:n7=4us --lmin=1us --assume=init --assume=finalize '--plot=/b/$HOME' --json '/c/../heat`id`.mpiscope'"#
        ]],
    );
    let here = std::env::current_dir().unwrap();
    let text = script("sync --emit-sbatch heat.mpiscope", &TRACE);
    let last = text.trim_end().rsplit(' ').next().unwrap();
    assert_eq!(Path::new(last), here.join("heat.mpiscope"));
}

#[test]
fn what_a_script_cannot_hold_is_refused() {
    let typed = ["mpiscope", "sync", "--emit-sbatch", "/a\n#SBATCH --uid=0"];
    let error = words(&Cli::command().get_matches_from(typed)).unwrap_err();
    assert!(error.to_string().contains("control characters"), "{error}");
}

/// What the error says of an archive with these events.
#[track_caller]
fn check_refused(picture: &str, says: &str) {
    let folder = tempfile::tempdir().unwrap();
    let trace = mpiscope_archive::model::Trace::parse(picture).unwrap();
    mpiscope_archive::write::write_trace(&trace, folder.path(), &[]).unwrap();
    match Size::of(folder.path()) {
        Ok(size) => assert_eq!(format!("{size:?}"), says),
        Err(error) => assert!(error.to_string().contains(says), "{error}"),
    }
}

#[test]
fn what_has_no_events_or_is_not_there_is_refused() {
    check_refused("0:", "this archive has no events");
    let error = Size::of(Path::new("/no/such/run")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/no/such/run: there is no such run or archive"
    );
}

#[test]
fn a_false_claim_of_events_makes_a_large_job() {
    let trace = Size {
        events: u64::MAX,
        ..TRACE
    };
    check_lines(
        "sync --emit-sbatch a",
        &trace,
        "--mem",
        expect![[r#"
            #SBATCH --mem-per-cpu=4398046511136M
            # MPI; else it needs less. --memory SIZE bounds it, at some 4 times the time."#]],
    );
}

#[test]
fn a_job_is_as_large_as_the_trace() {
    let of = |events, ranks| Size {
        ranks,
        locations: ranks,
        events,
        bytes: events * 16,
    };
    let asks = |line: &str, trace: &Size, expected| check_lines(line, trace, "#SBATCH", expected);
    // One task does for a small trace, and there are no more than ranks.
    asks(
        "sync --emit-sbatch a",
        &of(1, 4),
        expect![[r#"
        #SBATCH --job-name=mpiscope-sync
        #SBATCH --ntasks=1
        #SBATCH --cpus-per-task=2
        #SBATCH --mem-per-cpu=64M
        #SBATCH --time=00:06:00"#]],
    );
    asks(
        "sync --emit-sbatch a",
        &of(1_000_000_000, 4),
        expect![[r#"
        #SBATCH --job-name=mpiscope-sync
        #SBATCH --ntasks=4
        #SBATCH --cpus-per-task=2
        #SBATCH --mem-per-cpu=39392M
        #SBATCH --time=00:37:00"#]],
    );
    asks(
        "sync --emit-sbatch a",
        &of(1_000_000_000, 4096),
        expect![[r#"
        #SBATCH --job-name=mpiscope-sync
        #SBATCH --ntasks=16
        #SBATCH --cpus-per-task=2
        #SBATCH --mem-per-cpu=39392M
        #SBATCH --time=01:09:00"#]],
    );
    // What is given holds.
    asks(
        "sync --emit-sbatch --memory 1G --threads 6 a",
        &of(1_000_000_000, 4096),
        expect![[r#"
            #SBATCH --job-name=mpiscope-sync
            #SBATCH --ntasks=16
            #SBATCH --cpus-per-task=6
            #SBATCH --mem-per-cpu=352M
            #SBATCH --time=02:03:00"#]],
    );
}
