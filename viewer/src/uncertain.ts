// How far off times may be. A time is as sure as its clock: a duration is read on one clock and has
// no such error, what lies between two clocks has those of both.

import { duration } from "./format";
import type { Call, ClockCurves } from "./protocol";

/** "1.2 ms ± 40 µs"; as it is where nothing is known of the error, or there is none. */
export function plusMinus(text: string, uncertainty: number | null): string {
  return uncertainty === null || uncertainty === 0 ? text : `${text} ± ${duration(uncertainty)}`;
}

type End = Pick<Call, "row" | "uncertainty">;

/** How far off the time from one call to another may be; null where that is not known. */
export function between(a: End, b: End, { clocks }: ClockCurves): number | null {
  if (a.row === b.row || clocks.some(({ rows }) => rows.includes(a.row) && rows.includes(b.row))) return 0;
  return a.uncertainty === null || b.uncertainty === null ? null : a.uncertainty + b.uncertainty;
}
