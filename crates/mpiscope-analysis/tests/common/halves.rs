//! Programs whose ranks also meet in halves; the rank in the middle is in both.

use std::ops::Range;

use mpiscope_model::Trace;

/// Returns the trace of what each rank has done, with communicators `first` and `second` of the
/// halves.
pub fn trace(done: &[String]) -> Trace {
    let ranks = done.len();
    let half = |ranks: Range<usize>| -> String { ranks.map(|rank| format!(" {rank}")).collect() };
    let [first, second] = [half(0..ranks / 2 + 1), half(ranks / 2..ranks)];
    let comms = format!("comm first:{first}\ncomm second:{second}\n");
    Trace::parse(&(comms + &done.join("\n"))).unwrap()
}
