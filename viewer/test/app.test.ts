// The actions of the page against the synthetic run.

import { expect, test } from "vitest";
import { App } from "../src/app";
import { hueOf, regionColour, PALETTES } from "../src/colours";
import { overview, overviewTiles } from "../src/minimap";
import { byWeight } from "../src/panels/verdict";
import { cells } from "../src/panels/flame";
import { CLASS, SHARES, WAITING } from "../src/protocol";
import { describe as inWords } from "../src/say";
import { decode, type Tile } from "../src/tiles";
import { Synthetic } from "./synthetic";

const synthetic = new Synthetic();
const open = (fragment = "") => new App(synthetic, synthetic.meta(), fragment);
const settled = async (app: App) => {
  for (let i = 0; i < 20 && !app.detail.get(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  return app.detail.get()!;
};

test("a finding leads to its places", async () => {
  const app = open();
  await app.followFinding(0, 3);
  const [from, to] = app.view.get().window;
  const { call } = await settled(app);
  expect(app.view.get().finding).toBe(3);
  expect(call!.begin).toBeGreaterThanOrEqual(from);
  expect(call!.end).toBeLessThanOrEqual(to);
  expect(call!.findings).toContain(3);
});

test("what a finding names is scrolled to, also in a group that was folded", async () => {
  const crowd = new Synthetic({ hosts: 6, perHost: 20, iterations: 2 });
  const app = new App(crowd, crowd.meta(), "");
  app.display.height = 200;
  const last = crowd.meta().runs[0].rows.length - 1;
  expect(app.layoutNow().laneOf(0, last)).toMatchObject({ folded: true });
  app.reveal(0, last);
  const { y, height, row } = app.layoutNow().laneOf(0, last)!;
  const { top } = app.view.get();
  expect(row).toBe(last);
  expect(y).toBeGreaterThanOrEqual(top);
  expect(y + height).toBeLessThanOrEqual(top + 200);
});

test("rows are placed anew only when something moves them", () => {
  const app = open();
  const before = app.layoutNow();
  app.zoom(0.5);
  expect(app.layoutNow()).toBe(before);
  app.toggleFolds();
  expect(app.layoutNow()).not.toBe(before);
});

test("the largest findings are what is wrong for certain, then what takes time, then counts", () => {
  const kind = (measure: "certain" | "time" | "count" | "apart", weight: number) => ({ kind: measure, label: "", unit: "ns" as const, measure, count: 1, weight });
  const kinds = [kind("apart", 9e9), kind("count", 5), kind("time", 40), kind("certain", 1), kind("time", 1e6)];
  expect(kinds.sort(byWeight).map(({ measure, weight }) => [measure, weight])).toEqual([
    ["certain", 1],
    ["time", 1e6],
    ["time", 40],
    ["count", 5],
    ["apart", 9e9],
  ]);
});

test("the critical path goes from segment to segment", async () => {
  const app = open();
  app.togglePath();
  for (let i = 0; i < 20 && !app.path.get(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  const { segments } = app.path.get()!;
  expect(segments).toHaveLength(12);
  for (const [i, { begin, end }] of segments.entries()) {
    expect(end).toBeGreaterThan(begin);
    if (i > 0) expect(begin).toBeGreaterThanOrEqual(segments[i - 1].begin);
  }
});

test("a message leads to its other end and back", async () => {
  const app = open();
  const { send, receive } = synthetic.messages[5];
  app.select({ what: "call", run: 0, row: send.row, event: send.event });
  await settled(app);
  await app.followMessage();
  expect(app.view.get().selected).toMatchObject({ row: receive.row, event: receive.event });
});

test("the next of its kind is the next call of the same function on the row", async () => {
  const app = open();
  const { send } = synthetic.messages[0];
  app.select({ what: "call", run: 0, row: send.row, event: send.event });
  await settled(app);
  await app.sameKind("next");
  const selected = app.view.get().selected;
  const next = synthetic.calls.filter((call) => call.row === send.row && call.region === send.region)[1];
  expect(selected).toMatchObject({ row: send.row, event: next.event });
  app.undo();
  expect(app.view.get().selected).toMatchObject({ event: send.event });
});

test("the clock switch keeps the window and says so", () => {
  const app = open("window=1000000:2000000");
  app.switchClock();
  expect(app.view.get()).toMatchObject({ clock: "measured", window: [1e6, 2e6] });
  expect(app.notice.get()).toContain("measured");
});

test("zooming keeps the time under the pointer", () => {
  const app = open("window=1000000:2000000");
  app.zoom(0.5, 0.25);
  expect(app.view.get().window).toEqual([1_125_000, 1_625_000]);
});

test("the selection is told in words", async () => {
  const app = open();
  const { send, receive } = synthetic.messages[1];
  app.select({ what: "message", run: 0, row: send.row, event: send.event, toRow: receive.row, toEvent: receive.event });
  const text = inWords(await settled(app), app.run, app.trees[0]);
  expect(text).toMatch(/^Message from rank 0 to rank 1, sent at .*, received at .*\.$/);
});

test("Escape goes back out step by step", async () => {
  const app = open();
  app.setWindow([1e6, 2e6]);
  app.go({ interval: [1.2e6, 1.4e6] });
  app.select({ what: "call", run: 0, row: 1, event: 0 });
  app.escape();
  expect(app.view.get().interval).toBeNull();
  app.escape();
  expect(app.view.get().selected).toBeNull();
  app.escape();
  expect(app.view.get().window).toEqual([0, app.length("corrected")]);
});

test("the overview holds the same shares as the rows", async () => {
  const app = open();
  const tiles = new Map<string, Tile>();
  for (const path of overviewTiles(0, app.trees[0], "corrected", 100)) tiles.set(path, decode(await synthetic.bytes(path)));
  const { shares } = overview(0, app.trees[0], "corrected", 100, app.length("corrected"), (path) => tiles.get(path));
  const mean = (cls: number) => Array.from({ length: 100 }, (_, x) => shares[x * SHARES + cls]).reduce((a, b) => a + b) / 100;
  const summary = await app.ask.summary(0, "corrected", 0, app.length("corrected"), "");
  const total = summary.classes.reduce((a, b) => a + b);
  expect(mean(CLASS.collective)).toBeCloseTo(summary.classes[CLASS.collective] / total, 2);
  expect(mean(WAITING)).toBeCloseTo(summary.waiting / total, 2);
});

test("a flame graph's boxes lie within their callers", () => {
  const leaf = (time: number) => ({ region: 1, site: null, calls: 1, time, children: [] });
  const found = cells({ region: null, site: null, calls: 0, time: 100, children: [{ region: 0, site: null, calls: 1, time: 80, children: [leaf(30), leaf(0.01), leaf(20)] }] });
  expect(found.map(({ depth, left, width }) => [depth, left, width])).toEqual([
    [0, 0, 1],
    [1, 0, 0.8],
    [2, 0, 0.3],
    [2, expect.closeTo(0.3001), 0.2],
  ]);
});

test("a function has the same hue everywhere, clear of the hues of waiting and violations", () => {
  for (const name of ["main", "solve", "MPI_Send", "", "operator<<", "ß"]) {
    expect(hueOf(name)).toBeGreaterThanOrEqual(110);
    expect(hueOf(name)).toBeLessThanOrEqual(310);
  }
  expect(regionColour("solve", CLASS.computation, PALETTES.light)).toBe(regionColour("solve", CLASS.computation, PALETTES.light));
  expect(regionColour("MPI_Send", CLASS.pointToPoint, PALETTES.light)).toBe("#0072b2");
});
