use expect_test::{expect, Expect};

use super::*;

/// Shows the command line with `@` before each program; `x` and what begins with `./` is executable.
#[track_caller]
fn check(style: Style, line: &str, expected: Expect) {
    let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    let is_program = |word: &OsStr| word == "x" || word.as_encoded_bytes().starts_with(b"./");
    let launcher = position(&words).expect("a launcher");
    let shown = match layout(&words, launcher, style, &is_program) {
        Err(hidden) => hidden.to_string(),
        Ok(found) => {
            let line = insert(&words, &found.programs, &["@".into()]);
            let line = line.join(OsStr::new(" ")).into_string().unwrap();
            let unknown: Vec<String> = found.unknown.iter().map(|o| format!(" ?{o}")).collect();
            line + &unknown.concat()
        }
    };
    expected.assert_eq(&shown);
}

#[track_caller]
fn open_mpi(line: &str, expected: Expect) {
    check(Style::OpenMpi, line, expected);
}

#[track_caller]
fn hydra(line: &str, expected: Expect) {
    check(Style::Hydra, line, expected);
}

#[track_caller]
fn srun(line: &str, expected: Expect) {
    check(Style::Srun, line, expected);
}

#[track_caller]
fn flux(line: &str, expected: Expect) {
    check(Style::Flux, line, expected);
}

#[test]
fn the_program_follows_the_launchers_options() {
    open_mpi(
        "mpirun -n 4 ./heat -n 512",
        expect!["mpirun -n 4 @ ./heat -n 512"],
    );
    open_mpi(
        "/opt/bin/mpirun ./heat",
        expect!["/opt/bin/mpirun @ ./heat"],
    );
    hydra(
        "mpiexec -np 4 heat 512",
        expect!["mpiexec -np 4 @ heat 512"],
    );
    srun("srun -n 64 ./heat", expect!["srun -n 64 @ ./heat"]);
}

#[test]
fn one_dash_or_two_and_two_values() {
    open_mpi(
        "mpirun --mca btl self,vader -mca pml ob1 --oversubscribe --bind-to none -x A=b ./heat",
        expect!["mpirun --mca btl self,vader -mca pml ob1 --oversubscribe --bind-to none -x A=b @ ./heat"],
    );
    hydra(
        "mpiexec -genv A b --env C d -l -ppn 2 -hosts a,b ./heat",
        expect!["mpiexec -genv A b --env C d -l -ppn 2 -hosts a,b @ ./heat"],
    );
}

#[test]
fn a_value_may_be_attached() {
    open_mpi(
        "mpirun --map-by=core ./heat",
        expect!["mpirun --map-by=core @ ./heat"],
    );
    srun(
        "srun --ntasks=4 -N2 ./heat",
        expect!["srun --ntasks=4 -N2 @ ./heat"],
    );
    srun(
        "srun -lN 2 -K0 -uK ./heat",
        expect!["srun -lN 2 -K0 -uK @ ./heat"],
    );
}

#[test]
fn a_command_of_flux_is_the_launcher() {
    flux(
        "flux run -N 2 -n4 -o exit-on-error -opmi=pmix --env-remove LD_PRELOAD -t 5m ./heat -n 512",
        expect!["flux run -N 2 -n4 -o exit-on-error -opmi=pmix --env-remove LD_PRELOAD -t 5m @ ./heat -n 512"],
    );
    flux(
        "time flux submit --wait --cores-per-task=2 -vvxn 4 -- ./heat",
        expect!["time flux submit --wait --cores-per-task=2 -vvxn 4 -- @ ./heat"],
    );
    flux("flux run --new 4 x", expect!["flux run --new 4 @ x ?--new"]);
    flux(
        "flux run -n",
        expect!["the launcher's command line names no program"],
    );
    for line in ["flux batch job.sh", "flux", "time flux jobs"] {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        assert_eq!(position(&words), None);
    }
}

#[test]
fn each_part_between_colons_has_a_program() {
    open_mpi(
        "mpirun -n 1 ./master 3 : -n 3 ./worker",
        expect!["mpirun -n 1 @ ./master 3 : -n 3 @ ./worker"],
    );
    hydra(
        "mpiexec -n 1 a : b : -n 2 c",
        expect!["mpiexec -n 1 @ a : @ b : -n 2 @ c"],
    );
    hydra(
        "mpiexec a :",
        expect!["the launcher's command line names no program"],
    );
}

#[test]
fn two_dashes_end_the_options() {
    srun("srun -n 2 -- ./heat", expect!["srun -n 2 -- @ ./heat"]);
}

#[test]
fn an_unknown_options_value_is_told_from_the_program() {
    open_mpi(
        "mpirun --new 4 ./heat",
        expect!["mpirun --new 4 @ ./heat ?--new"],
    );
    open_mpi(
        "mpirun --new ./heat",
        expect!["mpirun --new @ ./heat ?--new"],
    );
    open_mpi(
        "mpirun --new -n 4 x",
        expect!["mpirun --new -n 4 @ x ?--new"],
    );
}

#[test]
fn an_mpirun_of_unknown_make_reads_both_tables() {
    check(
        Style::Either,
        "mpirun -ppn 2 -H a -n 4 x",
        expect!["mpirun -ppn 2 -H a -n 4 @ x"],
    );
}

#[test]
fn the_launcher_may_stand_behind_a_wrapper() {
    open_mpi(
        "timeout 60 mpirun -n 2 ./heat",
        expect!["timeout 60 mpirun -n 2 @ ./heat"],
    );
    assert_eq!(position(&["./heat".into(), "mpirun".into()]), None);
}

#[test]
fn a_file_of_programs_or_no_program_is_reported() {
    open_mpi(
        "mpirun --app jobs",
        expect!["option --app keeps the programs in a file"],
    );
    hydra(
        "mpiexec -configfile c",
        expect!["option -configfile keeps the programs in a file"],
    );
    srun(
        "srun --multi-prog c",
        expect!["option --multi-prog keeps the programs in a file"],
    );
    open_mpi(
        "mpirun --version",
        expect!["the launcher's command line names no program"],
    );
    open_mpi(
        "mpirun -n",
        expect!["the launcher's command line names no program"],
    );
}

#[test]
fn launchers_say_their_make_by_version() {
    let hydra = "HYDRA build details:\n    Version:   4.0.2";
    assert_eq!(Style::of_version(hydra), Some(Style::Hydra));
    let open_mpi = "mpirun.openmpi (OpenRTE) 4.1.4";
    assert_eq!(Style::of_version(open_mpi), Some(Style::OpenMpi));
    assert_eq!(Style::of_version("bash 5"), None);
}
