// Shifts: rows that were moved in time by hand, as somebody knows that their clocks are off.
//
// A shift belongs to a row with events of its own; a group is moved with all rows below it. It is
// added to whatever clock is shown, but for what that clock's times contain of it already, as
// corrected times may; true times are known, and never moved. Tiles stay as they are: what is drawn
// is moved, and what is asked of a row is asked at its own times.

import { duration } from "./format";
import type { Clock } from "./protocol";
import { foldKey, type Tree } from "./rows";

/** By "run.row", in whole nanoseconds; rows that are not there have none. */
export type Shifts = ReadonlyMap<string, number>;
export const NO_SHIFTS: Shifts = new Map();

/** What the server keeps of a run's shifts. */
export interface KeptShifts {
  shifts: Record<string, number>;
  /** What of them the times of a clock contain. */
  contained: Partial<Record<Clock, Record<string, number>>>;
  can_keep: boolean;
  why_not: string | null;
}

/** How far rows are drawn from the times that their tiles have, by one clock. */
export interface Moves {
  /** By row; of a group that of all rows below it, or 0 if they differ. */
  by: Float64Array;
  /** The different ones, 0 first. */
  all: number[];
}

/** A shift may be 104 days, which numbers hold exactly. */
export const MOST_SHIFT = 2 ** 53;

export function movesOf(tree: Tree, run: number, shifts: Shifts, clock: Clock, kept: KeptShifts | null): Moves {
  const by = new Float64Array(tree.run.rows.length);
  const contained = kept?.contained[clock] ?? {};
  const of = (row: number) => (clock === "true" ? 0 : (shifts.get(foldKey(run, row)) ?? 0) - (contained[row] ?? 0));
  for (let row = by.length - 1; row >= 0; row--) {
    const [first, ...rest] = tree.children[row];
    if (first === undefined) by[row] = of(row);
    else by[row] = rest.every((child) => by[child] === by[first]) ? by[first] : 0;
  }
  return { by, all: [...new Set([0, ...by])] };
}

/** The shift of a row, or of all rows below it if they have the same; null if they differ. */
export function shiftOf(tree: Tree, run: number, shifts: Shifts, row: number): number | null {
  if (shifts.size === 0) return 0;
  const below = leaves(tree, row).map((leaf) => shifts.get(foldKey(run, leaf)) ?? 0);
  return below.every((ns) => ns === below[0]) ? (below[0] ?? 0) : null;
}

/** The rows with events of their own that a row stands for. */
export function leaves(tree: Tree, row: number): number[] {
  const below = tree.children[row];
  return below.length === 0 ? [row] : below.flatMap((child) => leaves(tree, child));
}

/** Returns shifts in which the rows below a row have another. */
export function withShift(tree: Tree, run: number, shifts: Shifts, row: number, change: (ns: number) => number): Shifts {
  const next = new Map(shifts);
  for (const leaf of leaves(tree, row)) {
    const key = foldKey(run, leaf);
    const ns = Math.round(Math.min(MOST_SHIFT, Math.max(-MOST_SHIFT, change(shifts.get(key) ?? 0))));
    if (ns === 0) next.delete(key);
    else next.set(key, ns);
  }
  return next;
}

/** The rows that are shifted, a group in place of rows that are shifted alike. */
export function listed(tree: Tree, run: number, shifts: Shifts): { row: number; ns: number }[] {
  if (shifts.size === 0) return [];
  const visit = (row: number): { row: number; ns: number }[] => {
    const ns = shiftOf(tree, run, shifts, row);
    if (ns !== null) return ns === 0 ? [] : [{ row, ns }];
    return tree.children[row].flatMap(visit);
  };
  return tree.roots.flatMap(visit);
}

/** The shifts of a run as the server takes them. */
export function ofRun(run: number, shifts: Shifts): Record<string, number> {
  const own = [...shifts].filter(([key]) => key.startsWith(`${run}.`));
  return Object.fromEntries(own.map(([key, ns]): [string, number] => [key.slice(key.indexOf(".") + 1), ns]).sort(([a], [b]) => +a - +b));
}

/** All shifts that the server keeps. */
export function allKept(kept: readonly (KeptShifts | null)[]): Shifts {
  return new Map(kept.flatMap((of, run) => Object.entries(of?.shifts ?? {}).map(([row, ns]): [string, number] => [foldKey(run, +row), ns])));
}

/** "+1.24 ms": with its sign. */
export function signed(ns: number): string {
  return `${ns > 0 ? "+" : ""}${duration(ns)}`;
}

const UNITS: readonly [string, number][] = [
  ["s", 9],
  ["ms", 6],
  ["µs", 3],
  ["ns", 0],
];

/** "+1.234567 ms": to the nanosecond, as it may be typed again. */
export function exactly(ns: number): string {
  const size = Math.abs(ns);
  const [unit, power] = UNITS.find(([, power]) => size >= 10 ** power) ?? ["ns", 0];
  const digits = String(size).padStart(power + 1, "0");
  const whole = digits.slice(0, digits.length - power);
  const rest = digits.slice(digits.length - power).replace(/0+$/, "");
  return `${ns > 0 ? "+" : ns < 0 ? "−" : ""}${whole}${rest === "" ? "" : `.${rest}`} ${unit}`;
}

/** Reads what exactly() writes and what people type: "20us", "-1.5 ms", "1500" (nanoseconds); null if it is no shift. */
export function parseShift(text: string): number | null {
  const match = /^([+-]?)(\d+)(?:[.,](\d+))?(ns|us|µs|ms|s)?$/.exec(text.replace(/[\s\u2009\u00a0]/g, "").replace("−", "-").replace("μ", "µ"));
  if (!match) return null;
  const [, sign, whole, rest = "", unit = "ns"] = match;
  const power = UNITS.find(([name]) => name === unit.replace("us", "µs"))![1];
  // Digits are moved rather than multiplied, so that nothing is rounded; what is beyond a nanosecond is refused.
  if (rest.replace(/0+$/, "").length > power) return null;
  const ns = Number(whole + rest.padEnd(power, "0").slice(0, power));
  return ns > MOST_SHIFT ? null : sign === "-" ? 0 - ns : ns;
}
