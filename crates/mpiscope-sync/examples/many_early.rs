//! How long the checker and the statistics look at barriers whose members all
//! left too early, where pairs of hosts have latencies of their own.
//!
//! ```text
//! cargo run --release -p mpiscope-sync --example many_early [MEMBERS [HOSTS [TIMES]]]
//! ```
//!
//! The least time of the processors and by the clock of several TIMES is shown.

mod timed;

use mpiscope_model::{Duration, Trace};
use mpiscope_sync::statistics::{messages, Places};
use mpiscope_sync::{check, Latencies, LatencyOverride, LatencyTable};
use timed::least;

fn main() {
    let number = |n, default| match std::env::args().nth(n) {
        Some(text) => text.parse().expect("a number"),
        None => default,
    };
    let (members, hosts, times) = (number(1, 4096usize), number(2, 64usize), number(3, 5usize));
    let of_host = |host: usize| {
        let ranks = (host..members)
            .step_by(hosts)
            .map(|rank| format!(" {rank}"));
        format!("host h{host}:{}\n", ranks.collect::<String>())
    };
    let of_rank = |rank: usize| {
        format!(
            "{rank}: {} barrier{{ {} }}\n",
            100_000 + rank,
            50_000 - rank
        )
    };
    let hosts_of: String = (0..hosts).map(of_host).collect();
    let ranks: String = (0..members).map(of_rank).collect();
    let trace = Trace::parse(&format!("{hosts_of}{ranks}")).expect("a trace");
    // A ring of hosts.
    let pair = |host: usize| {
        let names = [host, (host + 1) % hosts].map(|host| format!("h{host}"));
        (names, Duration(1_000 + host as i64))
    };
    let latency = LatencyOverride {
        classes: [1, 200, 400, 800, 900].map(|ticks| Some(Duration(ticks))),
        pairs: (0..hosts).map(pair).collect(),
    };
    let table = LatencyTable::new(&trace, &Latencies::given(&latency));
    let (matching, columns) = (trace.matching(), trace.times());
    let places = Places::by_clock(&trace);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a thread").install(|| {
        let checked = least(times, || check(&trace, &columns, &table));
        let counted = least(times, || {
            messages(&trace, &matching, &columns, &table, &places)
        });
        println!("{members} members on {hosts} hosts");
        let found = checked.1.clock_condition;
        println!("checker    {}  {found:?}", checked.0);
        println!("statistics {}  {:?}", counted.0, counted.1.all().too_early);
    });
}
