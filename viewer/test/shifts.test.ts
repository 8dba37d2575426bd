import { expect, test } from "vitest";
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
