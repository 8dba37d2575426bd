import { expect, test } from "vitest";
import { App } from "../src/app";
import { pieces } from "../src/pieces";
import type { KeptShifts } from "../src/shifts";
import { Synthetic } from "./synthetic";
import { Tree } from "../src/rows";
import { allKept, exactly, leaves, listed, movesOf, ofRun, parseShift, shiftOf, withShift, NO_SHIFTS } from "../src/shifts";
import { syntheticMeta } from "./shifted";

const tree = new Tree(syntheticMeta());

test("a group is moved with all rows below it, and listed as one", () => {
  const host = withShift(tree, 0, NO_SHIFTS, 0, () => 500);
  expect(ofRun(0, host)).toEqual({ 1: 500, 2: 500 });
  expect(listed(tree, 0, host)).toEqual([{ row: 0, ns: 500 }]);
  const apart = withShift(tree, 0, host, 2, (ns) => ns - 20);
  expect(shiftOf(tree, 0, apart, 0)).toBeNull();
  expect(listed(tree, 0, apart)).toEqual([
    { row: 1, ns: 500 },
    { row: 2, ns: 480 },
  ]);
  // Rows of a host keep what they differ by.
  expect(ofRun(0, withShift(tree, 0, apart, 0, (ns) => ns + 1))).toEqual({ 1: 501, 2: 481 });
  expect(withShift(tree, 0, apart, 0, () => 0).size).toBe(0);
});

test("what a clock contains is not added again, and true times are never moved", () => {
  const kept = { shifts: { 1: 500 }, contained: { corrected: { 1: 500, 2: 7 } }, can_keep: true, why_not: null };
  const shifts = allKept([kept]);
  const by = (clock: "measured" | "corrected" | "true") => [...movesOf(tree, 0, shifts, clock, kept).by];
  expect(by("measured")).toEqual([0, 500, 0, 0]);
  expect(by("corrected")).toEqual([0, 0, -7, 0]);
  expect(by("true")).toEqual([0, 0, 0, 0]);
  expect(movesOf(tree, 0, shifts, "measured", kept).all).toEqual([0, 500]);
});

test("rows are found below groups", () => {
  expect(leaves(tree, 0)).toEqual([1, 2]);
  expect(leaves(tree, 3)).toEqual([3]);
});

test("shifts are written so that they can be typed again", () => {
  for (const [ns, text] of [
    [20_000, "+20 µs"],
    [-1_234_567, "−1.234567 ms"],
    [1_000_000_001, "+1.000000001 s"],
    [7, "+7 ns"],
    [0, "0 ns"],
  ] as const) {
    expect(exactly(ns)).toBe(text);
    expect(parseShift(text)).toBe(ns);
  }
});

test("what people type is understood or refused, and never rounded", () => {
  expect(parseShift("20us")).toBe(20_000);
  expect(parseShift("-1,5 ms")).toBe(-1_500_000);
  expect(parseShift(" 1 500 ")).toBe(1500);
  expect(parseShift("0.000000001s")).toBe(1);
  expect(parseShift("-0")).toBe(0);
  for (const text of ["", "ms", "1.5", "1.5 ns", "0.0001 µs", "1e3", "5 min", "--5", "99999999999 s", "20 µs x"]) expect(parseShift(text)).toBeNull();
});

test("of a moved row those tiles are wanted that come to lie in the window", () => {
  const run = syntheticMeta();
  const still = pieces(0, run, "measured", 0, [0, 100], 1, false, () => undefined);
  const moved = pieces(0, run, "measured", 0, [0, 100], 1, false, () => undefined, -512);
  expect(still.wanted.map(({ shares }) => shares)).toEqual(["run/0/measured/shares/0/0/0"]);
  expect(moved.wanted.map(({ shares }) => shares)).toEqual(["run/0/measured/shares/0/2/0"]);
  expect(moved.pieces[0]).toMatchObject({ from: 0, to: 256, moved: -512 });
});

/** A synthetic run that keeps shifts, and what it was asked to keep. */
class Keeping extends Synthetic {
  readonly wasKept: unknown[] = [];
  refuses = false;

  async put<T>(_path: string, what: unknown): Promise<T> {
    if (this.refuses) throw new Error("The disk is full.");
    this.wasKept.push(what);
    return { ...NOTHING_KEPT, ...(what as object) } as T;
  }
}

const NOTHING_KEPT: KeptShifts = { shifts: {}, contained: {}, can_keep: true, why_not: null };

test("a shift moves what is selected, is kept, and undone", async () => {
  const source = new Keeping();
  const app = new App(source, source.meta(), "", [structuredClone(NOTHING_KEPT)]);
  const { send } = source.messages[5];
  app.select({ what: "call", run: 0, row: send.row, event: send.event });
  for (let i = 0; i < 50 && !app.detail.get(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  const { begin } = app.detail.get()!.call!;
  app.shift(0, send.row, () => 5000);
  expect(app.detail.get()!.call!.begin).toBe(begin + 5000);
  await app.keeping.now();
  expect(source.wasKept.at(-1)).toEqual({ shifts: { [send.row]: 5000 } });
  // Who asks what is there asks at the row's own times.
  await app.selectAt(0, send.row, begin + 5000, null);
  expect(app.view.get().selected).toMatchObject({ row: send.row });
  app.undo();
  app.undo();
  expect(app.view.get().shifts.size).toBe(0);
  await app.keeping.now();
  expect(source.wasKept.at(-1)).toEqual({ shifts: {} });
});

test("what cannot be kept is shown, and said not to be kept", async () => {
  const source = new Keeping();
  source.refuses = true;
  const app = new App(source, source.meta(), "", [structuredClone(NOTHING_KEPT)]);
  app.shift(0, source.messages[5].send.row, () => 5000);
  await app.keeping.now();
  expect(app.view.get().shifts.size).toBe(1);
  expect(app.keeping.notKept.get()).toMatch(/disk is full/);
});

test("true times and reports are not moved", () => {
  const source = new Synthetic();
  const report = new App(source, source.meta(), "", [null]);
  report.shift(0, source.messages[5].send.row, () => 5000);
  expect(report.view.get().shifts.size).toBe(0);
  expect(report.notice.get()).toMatch(/report/);
});
