//! What a run left on other hosts, and how to get at it: buffers lie in the memory of the host
//! where their rank ran.

use std::path::Path;

use mpiscope_run::placement;

use crate::report::show;

/// Says that ranks left nothing here, and where to look for it.
pub fn missing(run: &Path, ranks: &[u32]) -> String {
    let hosts = placement::hosts_of(run, ranks);
    let ranks = show::ranges(ranks);
    match &hosts[..] {
        [] => format!("of rank {ranks} nothing was found"),
        hosts => format!(
            "of rank {ranks} nothing was found here: they {}",
            ran_on(hosts, run)
        ),
    }
}

/// Says that there are no buffers at all.
pub fn nothing(run: &Path) -> String {
    let hosts: Vec<String> = placement::read(run).into_iter().map(|it| it.host).collect();
    let whose = match &hosts[..] {
        [] => "they are on the hosts where the ranks ran, until these restart".to_owned(),
        hosts => format!("the ranks {}", ran_on(hosts, run)),
    };
    format!("no buffers were found, neither in the run nor in this host's shared memory; {whose}")
}

/// Names the hosts on which ranks run that are not among those that are seen here.
pub fn not_seen(run: &Path, seen: &[u32]) -> Option<String> {
    let placed = placement::read(run).into_iter();
    let elsewhere = placed.filter(|it| it.ranks.iter().any(|rank| !seen.contains(&rank)));
    let hosts: Vec<String> = elsewhere.map(|it| it.host).collect();
    (!hosts.is_empty()).then(|| format!("ranks on {}", hosts.join(", ")))
}

fn ran_on(hosts: &[String], run: &Path) -> String {
    let run = std::path::absolute(run).unwrap_or_else(|_| run.to_owned());
    format!(
        "ran on {}, where what they left lies in memory until the host restarts: type \
         `mpiscope recover {}` there (through ssh)",
        hosts.join(", "),
        show::word(&run)
    )
}
