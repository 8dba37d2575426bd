//! How often a collective operation pays the latency, one after the other, as the run shows it.
//!
//! MPI does not say how libraries carry out an operation: by a binary tree it is ⌈log₂ p⌉ times for p
//! ranks, and hardware that does it by itself, or ranks that share memory, may need one. The run
//! tells: of those that waited in such an operation, alone, a tenth took at most so long since the
//! last had come; so many latencies of a message that is (whose own is found in the same way), and
//! so many stages are taken, but one at least and those of a tree at most. Where none waited, or no
//! latency is known, it is a tree.

use mpiscope_model::CollectiveOp;
use rustc_hash::FxHashMap;

use super::needs::{From, Need, Size};
use super::pass::{calls, nth, InRun};
use super::Replay;

/// Operations of about as many ranks: those that take as many stages by a tree.
type Alike = (CollectiveOp, u32);

fn alike(size: &Size) -> Option<Alike> {
    Some((size.op?, size.stages))
}

/// Finds the stages of all operations.
pub(super) fn find(replay: &mut Replay) {
    let Some(latency) = replay.latency.filter(|it| *it > 0) else {
        return;
    };
    let shown = took(replay).into_iter().filter_map(|(alike, mut took)| {
        let stages = nth(&mut took, 10)? as f64 / latency as f64;
        Some((alike, (stages.round() as u32).clamp(1, alike.1.max(1))))
    });
    let shown: FxHashMap<Alike, u32> = shown.collect();
    let sizes = replay.needs.of.iter_mut().flatten();
    for size in sizes.filter_map(|need| need.size.as_mut()) {
        let stages = alike(size).and_then(|it| shown.get(&it));
        size.stages = stages.copied().unwrap_or(size.stages);
    }
}

/// Returns what members took that waited for others of their operation and for nothing else.
fn took(replay: &Replay) -> FxHashMap<Alike, Vec<i64>> {
    let mut all: FxHashMap<Alike, Vec<i64>> = FxHashMap::default();
    for lane in 0..replay.lanes.len() {
        for (piece, needs) in calls(replay, lane) {
            let [Need {
                from: From::Group { .. },
                size: Some(size),
                ..
            }] = needs
            else {
                continue;
            };
            let call = InRun::of(replay, lane, piece, needs);
            if let Some(alike) = alike(size).filter(|_| call.waited > 0 && call.took >= 0) {
                all.entry(alike).or_default().push(call.took);
            }
        }
    }
    all
}
