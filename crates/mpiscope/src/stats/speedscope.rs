//! The tree as a profile that speedscope reads
//! (<https://www.speedscope.app/file-format-schema.json>): each place in the
//! program with the time spent there and in nothing below.

use std::path::Path;

use mpiscope_analysis::statistics::{Body, Node};
use mpiscope_archive::model::statistics::Statistics;
use serde_json::{json, Value};

use super::labels;
use crate::packed;

/// Returns the profile.
pub fn profile(statistics: &Statistics, root: &Node, run: &Path) -> Value {
    let mut profile = Profile::default();
    profile.add(statistics, root, &mut Vec::new());
    let end: u64 = profile.weights.iter().sum();
    json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": format!("mpiscope {}", mpiscope_run::VERSION),
        "name": packed::given(run),
        "activeProfileIndex": 0,
        "shared": { "frames": profile.frames },
        "profiles": [{
            "type": "sampled",
            "name": "all ranks",
            "unit": "nanoseconds",
            "startValue": 0,
            "endValue": end,
            "samples": profile.samples,
            "weights": profile.weights,
        }],
    })
}

#[derive(Default)]
struct Profile {
    frames: Vec<Value>,
    samples: Vec<Vec<usize>>,
    weights: Vec<u64>,
}

impl Profile {
    fn add(&mut self, statistics: &Statistics, node: &Node, stack: &mut Vec<usize>) {
        stack.push(self.frames.len());
        self.frames.push(frame(statistics, node));
        let (own, below) = parts(node);
        if own > 0 {
            self.samples.push(stack.clone());
            self.weights.push(own);
        }
        for child in below {
            self.add(statistics, child, stack);
        }
        stack.pop();
    }
}

fn frame(statistics: &Statistics, node: &Node) -> Value {
    let statement = node
        .statement
        .and_then(|number| statistics.statements.get(number));
    match statement {
        Some(statement) if statement.line > 0 => json!({
            "name": labels::node(statistics, node), "file": statement.file, "line": statement.line
        }),
        _ => json!({ "name": labels::node(statistics, node) }),
    }
}

/// Returns a node's own time, and what is drawn below it: not a body that was
/// counted for several callers together, as nobody knows this caller's part.
pub fn parts(node: &Node) -> (u64, &[Node]) {
    match node.body {
        Body::Here => (node.own.unwrap_or(0), &node.children),
        _ => (node.figures.time, &[]),
    }
}
