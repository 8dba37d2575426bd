//! Ranks that did not fit into shared memory were lost, and nothing said so.

use crate::common::trial::counted;
use crate::common::{matrix, mpiscope, process, say, Trial};

/// Has a command find a shared memory of its own, of so many bytes.
fn with_memory(size: &str, line: &[String]) -> Vec<String> {
    let script = format!("mount -t tmpfs -o size={size} tmpfs /dev/shm && exec \"$@\"");
    let mut words: Vec<String> = ["unshare", "-m", "sh", "-c", &script, "sh"]
        .map(str::to_owned)
        .into();
    words.extend_from_slice(line);
    words
}

/// Whether this system lets us.
fn is_allowed(trial: &Trial) -> bool {
    let line = with_memory("1m", &["true".to_owned()]);
    let allowed = process::run(trial.command(&line[0]).args(&line[1..])).code == 0;
    if !allowed {
        say("not tested: this system allows no mount of its own (unshare -m)");
    }
    allowed
}

#[test]
fn every_rank_is_kept_where_shared_memory_is_small() {
    for case in matrix::all(&[4]) {
        // MPICH itself needs more.
        if case.mpi.launch(1)[0].contains("mpich") {
            continue;
        }
        let Some(trial) = Trial::new(case, "tests/mpi/sendrecv.c") else {
            return;
        };
        let trial = trial
            .with("OMPI_MCA_btl", "tcp,self")
            .with("PMIX_MCA_gds", "hash");
        if !is_allowed(&trial) {
            return;
        }
        for (mode, size) in [
            ("monitor", "4m"),
            ("monitor", "200k"),
            ("trace", "4m"),
            ("trace", "200k"),
        ] {
            let name = format!("{mode}-{size}");
            let mut line = vec![mpiscope().display().to_string()];
            line.extend([mode, "-o", &name, "--"].map(str::to_owned));
            line.extend(trial.line(&[]));
            let line = with_memory(size, &line);
            let done = process::run(trial.command(&line[0]).args(&line[1..]));
            done.check(0, &[]);
            let report = if mode == "trace" { "info" } else { "stats" };
            let read = process::run(trial.command(mpiscope()).args([report, &name, "--json"]));
            read.check(0, &[]);
            assert!(!read.out.contains("not complete"), "{}", read.out);
            let facts: serde_json::Value = serde_json::from_str(&read.out).unwrap();
            if mode == "trace" {
                let messages = counted(&done.out)["messages"];
                assert_eq!(
                    (&facts["ranks"], &facts["events_lost"]),
                    (&4.into(), &0.into())
                );
                assert!(
                    done.errors.contains(&format!("{messages} messages")),
                    "{done:#?}"
                );
            } else {
                assert!(done.errors.contains("of 4 ranks"), "{done:#?}");
            }
        }
    }
}
