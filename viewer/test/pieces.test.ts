import { expect, test } from "vitest";
import { coarsest, levelFor } from "../src/pieces";
import type { Run } from "../src/protocol";

test("no coarser level is asked for than a clock has", () => {
  const [clock, other] = ["measured", "corrected"] as const;
  const run = {
    levels: [0, 1, 2, 3, 4].map((level) => ({ bin: 4 ** level })),
    spans: { measured: { start: "0", length: 255 * 64 }, corrected: { start: "0", length: 1000 } },
  } as unknown as Run;
  // 256 bins of 64 ns hold the one, and of 4 ns the other: as the server says (`tile::levels`).
  expect([coarsest(run, clock), coarsest(run, other)]).toEqual([3, 1]);
  expect([0.1, 2, 1e9].map((nsPerPixel) => levelFor(run, other, nsPerPixel))).toEqual([0, 1, 1]);
  run.spans[other] = { start: "0", length: 256 };
  expect(coarsest(run, other)).toBe(1);
  run.spans[other] = { start: "0", length: 255 };
  expect(coarsest(run, other)).toBe(0);
});
