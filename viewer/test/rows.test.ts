import { expect, test } from "vitest";
import { App } from "../src/app";
import { foldedAtFirst, laneAt, lanesBetween, layout, misspelt, parseRanks, similarityOrder, Tree } from "../src/rows";
import type { View } from "../src/state";
import { Synthetic } from "./synthetic";

const synthetic = new Synthetic({ hosts: 2, perHost: 3, iterations: 2 });
const { start, trees } = new App(synthetic, synthetic.meta(), "");
const names = (view: Partial<View>, similar: (number[] | null)[] = [null]) => layout(trees, { ...start, ...view }, similar, 400).lanes.map(({ name }) => name);

test("hosts stand before their processes", () => {
  expect(names({})).toEqual(["node0", "rank 0", "rank 1", "rank 2", "node1", "rank 3", "rank 4", "rank 5"]);
});

test("a folded host is one lane for all its processes", () => {
  const placed = layout(trees, { ...start, folded: new Set(["0.0"]) }, [null], 400);
  expect(placed.lanes.map(({ name }) => name)).toEqual(["node0", "node1", "rank 3", "rank 4", "rank 5"]);
  expect(placed.lanes[0]).toMatchObject({ folded: true, members: 3, lines: 1 });
  expect(placed.laneOf(0, 2)?.name).toBe("node0");
  expect(placed.laneOf(0, 6)?.name).toBe("rank 4");
});

test("a host of a single process is one lane: that process", () => {
  const single = new Synthetic({ hosts: 3, perHost: 1, iterations: 2 });
  const { start, trees } = new App(single, single.meta(), "");
  const placed = layout(trees, { ...start, folded: new Set(["0.0"]) }, [null], 400);
  expect(placed.lanes.map(({ name }) => name)).toEqual(["node0 · rank 0", "node1 · rank 1", "node2 · rank 2"]);
  expect(placed.lanes[0]).toMatchObject({ row: 1, folded: null, members: 1 });
  expect([placed.laneOf(0, 2), placed.laneOf(0, 3)]).toEqual([placed.lanes[1], placed.lanes[1]]);
  const order = trees[0].run.rows.map((_, row) => -row);
  const sorted = layout(trees, { ...start, sort: "similarity" }, [order], 400);
  expect(sorted.lanes.map(({ row }) => row)).toEqual([5, 3, 1]);
});

test("sorting by waiting puts who waits longest first, within each host", () => {
  const tree = trees[0];
  const sorted = names({ sort: "waiting" });
  const first = sorted.slice(1, 4).map((name) => tree.waiting[tree.run.rows.findIndex((row) => row.name === name)]);
  expect(first).toEqual([...first].sort((a, b) => b - a));
  expect(names({})).not.toEqual(sorted);
});

test("sorting by similarity follows the order that it is given", () => {
  const order = trees[0].run.rows.map((_, row) => -row);
  expect(names({ sort: "similarity" }, [order])).toEqual(["node1", "rank 5", "rank 4", "rank 3", "node0", "rank 2", "rank 1", "rank 0"]);
});

test("rows with like shares become neighbours", () => {
  const shares = [[0.9, 0.1], [0.2, 0.8], [0.88, 0.12], [0.25, 0.75]];
  const order = similarityOrder(4, shares.map((shares, row) => ({ row, shares })));
  expect(Math.abs(order[0] - order[2])).toBe(1);
  expect(Math.abs(order[1] - order[3])).toBe(1);
});

test("the order by similarity is there for equal rows and for none", () => {
  expect(similarityOrder(2, [0, 1].map((row) => ({ row, shares: [1, 0] })))).toEqual([0, 1]);
  expect(similarityOrder(2, [])).toEqual([0, 0]);
});

test("a filter of ranks leaves out other rows, and hosts without rows", () => {
  expect(names({ filter: { ...start.filter, ranks: "0, 2" } })).toEqual(["node0", "rank 0", "rank 2"]);
});

test("ranks are read as numbers and ranges", () => {
  const wanted = parseRanks("0-3, 7")!;
  expect([0, 3, 4, 7, 8].filter(wanted)).toEqual([0, 3, 7]);
  expect(parseRanks("all")).toBeNull();
  expect(["", "0-3, 7", "2 5"].some(misspelt)).toBe(false);
  expect(["abc", "0-3,x", "3-", "5-2"].every(misspelt)).toBe(true);
});

test("lanes follow one another without gaps, and are found by their height", () => {
  const placed = layout(trees, start, [null], 400);
  let y = 0;
  for (const lane of placed.lanes) {
    expect(lane.y).toBe(y);
    expect(laneAt(placed, y + lane.height / 2)).toBe(lane);
    y += lane.height;
  }
  expect(placed.height).toBe(y);
  expect(laneAt(placed, y + 1)).toBeUndefined();
  expect(laneAt(placed, -1)).toBeUndefined();
  const second = placed.lanes[1];
  expect(lanesBetween(placed, second.y + 1, second.y + second.height)).toEqual([second]);
});

test("a run with many processes is folded at first", () => {
  const many = new Tree(new Synthetic({ hosts: 4, perHost: 16, iterations: 1 }).run);
  expect(foldedAtFirst([many]).size).toBe(4);
  expect(foldedAtFirst(trees).size).toBe(0);
});

test("of several runs each has a headline", () => {
  expect(layout([trees[0], trees[0]], start, [null, null], 800).lanes.filter(({ row }) => row === null)).toHaveLength(2);
});
