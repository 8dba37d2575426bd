// Iterations as the page shows them: which one a moment belongs to, and which stand under a pixel.

import type { Iterations } from "./protocol";
import type { Window } from "./state";

/** How many entries there are; each stands for `per` iterations. */
export const entries = (found: Iterations) => Math.max(0, found.ends.length - 1);

/** From where the first row begins it to where the last row is done. */
export function windowOf(found: Iterations, entry: number): Window {
  return [Math.min(found.from[entry], found.ends[entry]), found.ends[entry + 1]];
}

/** How long an iteration of an entry takes, in the mean. */
export function lengthOf(found: Iterations, entry: number): number {
  const count = Math.min(found.per, found.count - entry * found.per);
  return (found.ends[entry + 1] - found.ends[entry]) / Math.max(1, count);
}

/** "Iteration 7", "Iterations 8 to 14". */
export function nameOf(found: Iterations, entry: number): string {
  const first = entry * found.per + 1;
  const last = Math.min(found.count, first + found.per - 1);
  return first === last ? `Iteration ${first}` : `Iterations ${first} to ${last}`;
}

/** The entry that a moment is in: −1 before the first, as many as there are after the last. */
export function entryAt(found: Iterations, time: number): number {
  let [low, high] = [0, found.ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (found.ends[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The entry that fills a window, or else the one in its middle. Rows begin an iteration one after the
 * other, so that windows of several overlap, and a middle alone does not tell which it is.
 */
export function entryIn(found: Iterations, window: Window, placed: (window: Window) => Window): { entry: number; exactly: boolean } {
  const last = entryAt(found, window[1]) - 1;
  for (const entry of [last, last + 1]) {
    if (entry < 0 || entry >= entries(found)) continue;
    const [from, to] = placed(windowOf(found, entry));
    if (Math.abs(from - window[0]) < 1 && Math.abs(to - window[1]) < 1) return { entry, exactly: true };
  }
  return { entry: entryAt(found, (window[0] + window[1]) / 2), exactly: false };
}

/** Which entry a numbered iteration, from 1, belongs to. */
export const entryOf = (found: Iterations, number: number) => Math.floor((number - 1) / found.per);

/** For each of so many columns the entry that it shows: the longest of those below it. */
export function columns(found: Iterations, width: number): number[] {
  const n = entries(found);
  const wide = Math.max(1, Math.floor(width));
  if (n <= wide) return Array.from({ length: n }, (_, entry) => entry);
  return Array.from({ length: wide }, (_, column) => {
    let best = Math.floor((column * n) / wide);
    for (let entry = best + 1; entry < Math.floor(((column + 1) * n) / wide); entry++) {
      if (lengthOf(found, entry) > lengthOf(found, best)) best = entry;
    }
    return best;
  });
}

/** The length at which bars end: a few very long ones must not make the others flat. */
export function topOf(found: Iterations): number {
  const longest = Math.max(...Array.from({ length: entries(found) }, (_, entry) => lengthOf(found, entry)), 1);
  return Math.min(longest, Math.max(1, 5 * found.median));
}
