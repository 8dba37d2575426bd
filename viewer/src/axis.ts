// The time axis: ticks at 1, 2 or 5 times a power of ten, labelled as a person reads
// times. Deep inside a run the labels would be long and alike, so there the axis names
// one time in full and counts from it.

import { duration, instant } from "./format";

export interface Tick {
  time: number;
  label: string;
}

export interface Axis {
  ticks: Tick[];
  step: number;
  /** The time from which the labels count, or null if they count from the start of the run. */
  base: { time: number; label: string } | null;
}

const LABEL_PIXELS = 90;

/** Returns the ticks of a window on so many pixels. */
export function axis(from: number, to: number, pixels: number): Axis {
  const step = stepFor(((to - from) * LABEL_PIXELS) / Math.max(pixels, 1));
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  const base = Math.max(Math.abs(from), Math.abs(to)) / step > 20_000 ? first * step : null;
  const ticks: Tick[] = [];
  for (let i = first; i <= last; i++) {
    const time = i * step;
    ticks.push({ time, label: base === null ? label(time, step) : `+${time === base ? "0" : label(time - base, step)}` });
  }
  return { ticks, step, base: base === null ? null : { time: base, label: instant(base, step) } };
}

/** Returns the least of 1, 2, 5 times a power of ten that is not below a length; whole seconds in a minute are 60. */
export function stepFor(length: number): number {
  if (length > 20e9) {
    const steps = [30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400];
    return 1e9 * (steps.find((step) => step * 1e9 >= length) ?? 86400 * Math.ceil(length / 86400e9));
  }
  const power = 10 ** Math.floor(Math.log10(Math.max(length, 1e-3)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= length * (1 - 1e-9))!;
}

function label(time: number, step: number): string {
  if (time === 0) return "0";
  if (step < 30e9) return instant(time, step);
  const odd = time % 60e9;
  return odd !== 0 && time >= 3600e9 ? `${duration(time - odd)} ${duration(odd)}` : duration(time);
}
