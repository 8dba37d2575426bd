//! Programs with regions of their own, compiled with our headers and the options of a test.

use std::path::Path;

use super::{is_command, missing, mpiscope, process, workspace, Case, Trial};

/// Writes our headers into a folder.
fn headers(folder: &Path) {
    let mut line = std::process::Command::new(mpiscope());
    let done = process::run(line.arg("include").arg(folder));
    done.check(0, &[]);
    assert_eq!(done.out.trim_end(), folder.display().to_string());
}

/// Compiles a program of `tests/mpi/regions` with our headers, for so many ranks; nothing without
/// its compiler. With `cc` among the options, that is by `mpiscope cc`.
pub fn compiled(case: Case, source: &str, options: &[&str]) -> Option<(Trial, tempfile::TempDir)> {
    let has_probes = options.contains(&"cc");
    let folder = tempfile::tempdir().unwrap();
    let include = folder.path().join("include");
    headers(&include);
    let file = workspace().join("tests/mpi/regions").join(source);
    let compiler = match file.extension().unwrap().to_str().unwrap() {
        "f90" => "mpif90",
        "cpp" => "mpicxx",
        _ => "mpicc",
    };
    let compiler = case.mpi.command(compiler);
    if !is_command(&compiler) {
        missing(&format!("{source}: no {compiler}"));
        return None;
    }
    let program = folder.path().join("program");
    let mut compile = match has_probes {
        true => std::process::Command::new(mpiscope()),
        false => std::process::Command::new(&compiler),
    };
    if has_probes {
        compile.args(["cc", &compiler]);
    }
    let options = options.iter().filter(|option| **option != "cc");
    compile
        .args(["-g", "-O1", "-Wall", "-pthread"])
        .args(options);
    compile.arg("-I").arg(&include).arg("-o").arg(&program);
    if source.ends_with(".f90") {
        compile.arg(include.join("mpiscope.f90"));
    }
    compile.arg(file).current_dir(folder.path());
    let done = process::run(&mut compile);
    done.check(0, &[]);
    assert_eq!(done.errors, "", "the compiler warns");
    Some((Trial::of(case, program), folder))
}

/// Returns whether a region is the program's, and none in which MPI is called, or threads are
/// created and joined.
pub fn is_own(name: &str) -> bool {
    let of_others = ["MPI_", "mpiscope: ", "pthread_"];
    !of_others.iter().any(|it| name.starts_with(it))
}
