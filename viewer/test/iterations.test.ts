import { describe, expect, it } from "vitest";
import { columns, entryAt, entryIn, entryOf, lengthOf, nameOf, topOf, windowOf } from "../src/iterations";
import type { Iterations } from "../src/protocol";

function found(ends: number[], per = 1, count = (ends.length - 1) * per): Iterations {
  const empty = { classes: [], waiting: [], balance: { per, rows: [], computation: [], waiting: [] } };
  const lengths = ends.slice(1).map((end, i) => end - ends[i]);
  const median = [...lengths].sort((a, b) => a - b)[Math.floor((lengths.length - 1) / 2)] / per;
  return { count, anchor: "MPI_Barrier", collective: true, share: 1, alike: 1, median, shortest: 0, longest: 0, warm_up: 0, drift: null, slow: [], per, ends, from: ends.map((end) => end - 1), ...empty };
}

describe("iterations", () => {
  it("know which one a moment is in", () => {
    const it = found([10, 20, 40]);
    expect([0, 10, 19, 20, 39, 40, 99].map((time) => entryAt(it, time))).toEqual([-1, 0, 0, 1, 1, 2, 2]);
  });

  it("begin where the first row does and end where the last one does", () => {
    expect(windowOf(found([10, 20, 40]), 1)).toEqual([19, 40]);
  });

  it("know which one fills a window, however early the first row begins", () => {
    const it = found([10, 20, 40, 60]);
    it.from = [0, 1, 2, 3];
    const same = (window: readonly [number, number]) => window;
    expect(entryIn(it, [1, 40], same)).toEqual({ entry: 1, exactly: true });
    expect(entryIn(it, [2, 60], same)).toEqual({ entry: 2, exactly: true });
    expect(entryIn(it, [0, 50], same)).toEqual({ entry: 1, exactly: false });
  });

  it("are named by their numbers, several together by the first and the last", () => {
    expect(nameOf(found([0, 1, 2]), 1)).toBe("Iteration 2");
    const several = found([0, 30, 40], 3, 4);
    expect(nameOf(several, 0)).toBe("Iterations 1 to 3");
    expect(nameOf(several, 1)).toBe("Iteration 4");
    expect([lengthOf(several, 0), lengthOf(several, 1)]).toEqual([10, 10]);
    expect([1, 3, 4].map((number) => entryOf(several, number))).toEqual([0, 0, 1]);
  });

  it("share a column if there are too many, and the longest is shown", () => {
    const it = found([0, 1, 2, 9, 10, 11, 12]);
    expect(columns(it, 100)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(columns(it, 2)).toEqual([2, 3]);
  });

  it("that are very long do not make the others flat", () => {
    expect(topOf(found([0, 10, 20, 30, 1030]))).toBe(50);
    expect(topOf(found([0, 10, 20, 32]))).toBe(12);
  });
});
