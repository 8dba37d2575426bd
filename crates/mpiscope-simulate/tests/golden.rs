//! Small traces as text. If one of them changes, all traces under these
//! parameters do, and figures published for them come out no more: that is a
//! change to tell of.
#![forbid(unsafe_code)]

use expect_test::{expect_file, ExpectFile};
use mpiscope_simulate::parameters::Program;
use mpiscope_simulate::{simulate, Parameters};

fn check(program: Program, iterations: u32, expect: ExpectFile) {
    let mut parameters = Parameters {
        program,
        iterations,
        ranks: 4,
        hosts: 2,
        seconds: 0.001,
        ..Parameters::default()
    };
    parameters.clocks.offset_s = 1e-3;
    let simulated = simulate(&parameters).unwrap();
    let trace = &simulated.trace;
    let recorded = trace.print(&trace.times());
    let lines = simulated.truth.iter().map(|column| {
        let times: Vec<String> = column.iter().map(|time| time.0.to_string()).collect();
        format!("// {}\n", times.join(" "))
    });
    expect.assert_eq(&(recorded + "// in truth:\n" + &lines.collect::<String>()));
}

#[test]
fn halo() {
    check(Program::Halo, 2, expect_file!["golden/halo.txt"]);
}

#[test]
fn pairs() {
    check(Program::Pairs, 4, expect_file!["golden/pairs.txt"]);
}

#[test]
fn workers() {
    check(Program::Workers, 3, expect_file!["golden/workers.txt"]);
}

#[test]
fn collectives() {
    check(
        Program::Collectives,
        52,
        expect_file!["golden/collectives.txt"],
    );
}
