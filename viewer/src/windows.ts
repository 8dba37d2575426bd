// Windows of time: around what they show.

import type { Window } from "./state";

/** A window with a margin on both sides, as a fraction of its length. */
export function around([from, to]: Window, margin: number): Window {
  const extra = Math.max((to - from) * margin, 10);
  return [from - extra, to + extra];
}

/** The window that holds all intervals. */
export function extent(intervals: readonly (readonly [number, number])[]): Window {
  return [Math.min(...intervals.map(([begin]) => begin)), Math.max(...intervals.map(([, end]) => end))];
}

/** A window as long as another, about an interval; longer if the interval is. */
export function centred([from, to]: Window, begin: number, end: number): Window {
  const length = Math.max(to - from, 1.5 * (end - begin));
  const middle = (begin + end) / 2;
  return [middle - length / 2, middle + length / 2];
}
