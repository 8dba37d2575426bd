import { describe, expect, it } from "vitest";
import { changes, curve, sorted, sortedRanks, trend } from "../src/live/changes";
import type { Look, Rank, Statement } from "../src/live/protocol";

const statement = (name: string, share: number, recent_share = share): Statement => ({ name, place: "a.c:1", time_ns: 1000 * share, share, calls: 1, bytes: 0, recent_share, calls_per_second: 0, imbalance: 0, inside: 0 });
const rank = (number: number, state: Rank["state"] = "running", mpi_share = 0): Rank => ({ rank: number, host: "n", pid: 1, state, threads: [], mpi_share, time_ns: 100, work_ns: 100, waiting_ns: null, calls: 0, bytes: 0, calls_per_second: 0, bytes_per_second: 0 });
const look = (ranks: Rank[], statements: Statement[]): Look => ({ view: { ranks, statements } }) as unknown as Look;

describe("a job that is looked at", () => {
  it("has its statements sorted by any column", () => {
    const all = [statement("b", 0.1, 0.5), statement("a", 0.3, 0.2)];
    expect(sorted(all, "recent_share").map(({ name }) => name)).toEqual(["b", "a"]);
    expect(sorted(all, "share").map(({ name }) => name)).toEqual(["a", "b"]);
    expect(sorted(all, "name").map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("has its ranks sorted, the first number first", () => {
    const all = [rank(2, "running", 0.9), rank(0, "running", 0.5), rank(1, "running", 0.1)];
    expect(sortedRanks(all, "rank").map((it) => it.rank)).toEqual([0, 1, 2]);
    expect(sortedRanks(all, "computation").map((it) => it.rank)).toEqual([1, 0, 2]);
  });

  it("says what takes more or less than it did in all", () => {
    expect(trend(statement("x", 0.1, 0.2))).toBe("more");
    expect(trend(statement("x", 0.2, 0.1))).toBe("less");
    expect(trend(statement("x", 0.2, 0.21))).toBeNull();
    expect(trend(statement("x", 0.001, 0.004))).toBeNull();
  });

  it("says what has begun or ended since the look before", () => {
    const before = look([rank(0), rank(1)], [statement("a", 1)]);
    expect(changes(null, before)).toEqual([]);
    expect(changes(before, before)).toEqual([]);
    const now = look([rank(0), rank(1, "ended"), rank(2)], [statement("a", 1), statement("b", 1)]);
    expect(changes(before, now)).toEqual(["rank 1 has ended", "1 more rank is seen", "called for the first time: b at a.c:1"]);
  });

  it("has curves that end at the top and leave out what is not known", () => {
    expect(curve([0, null, 10], 100, 12)).toBe("0.0,11.0 100.0,1.0");
    expect(curve([0.5], 100, 12, 1)).toBe("0.0,6.0");
  });
});
