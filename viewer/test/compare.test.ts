import { describe, expect, it } from "vitest";
import { apart, compare, ratio, textOf } from "../src/compare";
import type { Run, Summary } from "../src/protocol";

const run = (program: string, ranks: number, regions: string[]): Run =>
  ({
    about: [["Program", program]],
    rows: Array.from({ length: ranks }, (_, rank) => ({ rank })),
    regions: regions.map((name) => ({ name, class: 1, file: null, line: null })),
  }) as unknown as Run;

const summary = (regions: [region: number, calls: number, own: number][], messages: number): Summary =>
  ({
    classes: [100, regions.reduce((sum, [, , own]) => sum + own, 0)],
    waiting: 5,
    regions: regions.map(([region, calls, exclusive]) => ({ region, site: null, calls, exclusive, inclusive: exclusive, waiting: 0 })),
    sites: [],
    places: {},
    matrix: { rows: [0, 1], count: [[0, messages], [0, 0]], bytes: [[0, 8 * messages], [0, 0]] },
  }) as unknown as Summary;

describe("two runs", () => {
  const runs = [run("./heat 10", 4, ["MPI_Send", "MPI_Recv"]), run("/opt/heat 20", 4, ["MPI_Recv", "MPI_Bcast", "MPI_Send"])] as const;
  const sums = [summary([[0, 10, 50], [1, 10, 20]], 10), summary([[0, 20, 90], [1, 1, 5], [2, 20, 60]], 20)] as const;

  it("are compared by the names of functions, the largest difference first", () => {
    const { functions, messages, bytes } = compare(runs, sums);
    expect(functions.map(({ name, own, calls }) => [name, own, calls])).toEqual([
      ["MPI_Recv", [20, 90], [10, 20]],
      ["MPI_Send", [50, 60], [10, 20]],
      ["MPI_Bcast", [0, 5], [0, 1]],
    ]);
    expect([messages, bytes]).toEqual([[10, 20], [80, 160]]);
  });

  it("are compared by iteration if each has its number", () => {
    const { functions, classes } = compare(runs, sums, [10, 20]);
    expect(functions.find(({ name }) => name === "MPI_Recv")!.calls).toEqual([1, 1]);
    expect(classes[0]).toEqual([10, 5]);
  });

  it("are compared by call site, whatever number and folder each run gives it", () => {
    const at = (run: number, sites: [region: number, site: number | null, own: number][], places: Record<number, string>) => ({ ...sums[run], places, sites: sites.map(([region, site, exclusive]) => ({ region, site, calls: 1, exclusive, inclusive: exclusive, waiting: 0 })) });
    const before = at(0, [[0, 3, 40], [0, 4, 10], [1, null, 20]], { 3: "/home/anna/heat.c:12", 4: "/home/anna/heat.c:20" });
    const after = at(1, [[2, 0, 10], [2, 1, 50], [0, null, 90]], { 0: "/tmp/heat.c:20", 1: "/tmp/heat.c:12" });
    const { sites } = compare(runs, [before, after]);
    expect(sites.map((it) => [textOf(it), it.own])).toEqual([
      ["MPI_Recv", [20, 90]],
      ["MPI_Send at heat.c:12", [40, 50]],
      ["MPI_Send at heat.c:20", [10, 10]],
    ]);
    expect(compare(runs, sums).sites).toEqual([]);
  });

  it("have no ratio to nothing", () => {
    expect([ratio([2, 3]), ratio([0, 3]), ratio([3, 0])]).toEqual([1.5, null, 0]);
  });

  it("say in what they are not alike", () => {
    expect(apart(runs, ["corrected", "corrected"])).toEqual([]);
    const other = apart([runs[0], run("./cg", 8, [])], ["corrected", "measured"]);
    expect(other).toHaveLength(3);
    expect(other[0]).toMatch(/heat and cg/);
    expect(other[1]).toMatch(/4 and 8 ranks/);
  });
});
