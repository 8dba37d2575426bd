// Numbers as a person reads them: a unit, three significant figures, a thin space.

const UNITS: readonly [number, string][] = [
  [3600e9, "h"],
  [60e9, "min"],
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
];
const NBSP = "\u00a0";

/** "1.24 ms"; minutes and hours as "2 min 05 s". */
export function duration(ns: number): string {
  const size = Math.abs(ns);
  const sign = ns < 0 ? "−" : "";
  if (size === 0) return `0${NBSP}s`;
  if (size < 1) return `${sign}${size.toPrecision(2)}${NBSP}ns`;
  if (size >= 3600e9) return `${sign}${pair(size / 60e9, 60, "h", "min")}`;
  if (size >= 60e9) return `${sign}${pair(size / 1e9, 60, "min", "s")}`;
  const [scale, unit] = unitFor(size);
  return `${sign}${figures(size / scale)}${NBSP}${unit}`;
}

function pair(small: number, ratio: number, bigUnit: string, smallUnit: string): string {
  const whole = Math.round(small);
  return `${Math.floor(whole / ratio)}${NBSP}${bigUnit} ${String(whole % ratio).padStart(2, "0")}${NBSP}${smallUnit}`;
}

/** Returns the largest unit that is not larger than the size, once rounded to three figures. */
function unitFor(size: number): [number, string] {
  return UNITS.find(([scale, unit]) => unit !== "h" && unit !== "min" && size >= scale * 0.9995) ?? [1, "ns"];
}

/** Three significant figures; whole numbers from 100. */
function figures(value: number): string {
  if (value >= 99.95) return String(Math.round(value));
  if (value >= 9.995) return value.toFixed(1);
  return value.toFixed(2);
}

/** A time as far into the run as it is, as precise as a step: "1.020 45 s" for a step of 10 µs. */
export function instant(ns: number, step: number): string {
  const [scale, unit] = unitFor(Math.max(Math.abs(ns), step));
  const digits = Math.max(0, Math.min(12, Math.ceil(Math.log10(scale / Math.max(step, 1e-3)) - 1e-9)));
  return `${ns < 0 ? "−" : ""}${grouped((Math.abs(ns) / scale).toFixed(digits))}${NBSP}${unit}`;
}

/** Groups the digits behind the point by three, if there are many. */
function grouped(number: string): string {
  const [whole, fraction] = number.split(".");
  const left = Number(whole).toLocaleString("en-GB");
  if (fraction === undefined) return left;
  return fraction.length < 5 ? `${left}.${fraction}` : `${left}.${fraction.replace(/(\d{3})(?=\d)/g, "$1\u2009")}`;
}

export function count(n: number): string {
  return Math.round(n).toLocaleString("en-GB");
}

/** "3 messages", "1 message". */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function percent(share: number): string {
  if (share > 0 && share < 0.001) return `<${NBSP}0.1${NBSP}%`;
  return `${(100 * share).toFixed(1)}${NBSP}%`;
}

export function bytes(n: number): string {
  if (n < 1024) return `${Math.round(n)}${NBSP}B`;
  const power = Math.min(4, Math.floor(Math.log2(n) / 10));
  const scaled = n / 1024 ** power;
  return `${Number.isInteger(scaled) ? scaled : figures(scaled)}${NBSP}${["B", "KiB", "MiB", "GiB", "TiB"][power]}`;
}
