// A run of one host with two processes, and a process of no host.

import type { Row, Run } from "../src/protocol";

const row = (kind: Row["kind"], parent: number | null, rank: number | null): Row => ({ parent, kind, name: rank === null ? "node" : `rank ${rank}`, rank, thread: 0, events: 2, depth: 1, waiting: 0, note: null });

export function syntheticMeta(): Run {
  return {
    name: "run",
    about: [],
    clocks: ["measured", "corrected"],
    clock: "corrected",
    spans: { measured: { start: "0", length: 1000 }, corrected: { start: "0", length: 1000 } },
    rows: [row("host", null, null), row("process", 0, 0), row("process", 0, 1), row("process", null, 2)],
    classes: [],
    regions: [],
    communicators: [],
    levels: [{ bin: 1 }, { bin: 4 }],
    events: 8,
    messages: 0,
    reversed: {},
    iterations: { count: 0, reason: "nobody looked for them" },
    notes: [],
    analysis: [],
    verdict: [],
  };
}
