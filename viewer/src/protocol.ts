// What the server answers, as PROTOCOL.md describes it.

export type Clock = "measured" | "interpolated" | "corrected" | "true";
export const CLOCKS: readonly Clock[] = ["measured", "interpolated", "corrected", "true"];

export interface Meta {
  version: string;
  /** Another number after each reading of the runs. */
  edition: number;
  runs: Run[];
  /** A job that keeps statistics, in place of runs. */
  live?: { name: string } | null;
}

export interface Run {
  name: string;
  about: [string, string][];
  clocks: Clock[];
  clock: Clock;
  spans: Partial<Record<Clock, { start: string; length: number }>>;
  rows: Row[];
  classes: { name: string; label: string }[];
  regions: Region[];
  communicators: { name: string; size: number }[];
  levels: { bin: number }[];
  events: number;
  messages: number;
  reversed: Partial<Record<Clock, number>>;
  iterations: { count: number; anchor?: string | null; reason?: string };
  notes: string[];
  analysis: Part[];
  verdict: Sentence[];
}

/** What an analysis adds up, in the words of the terminal. */
export interface Part {
  name: string;
  title: string;
  lines: string[];
  /** The first column names the rows. */
  table: { header: string[]; rows: string[][] } | null;
  /** What the table leaves out, or what tells more. */
  more: string | null;
}

/** What a run says for itself, in a sentence. */
export interface Sentence {
  role: "certain" | "headline" | "loss" | "cannot_tell" | "fact";
  text: string;
  /** Of a loss: how sure it is, and what to look at next. */
  why: string | null;
  next: string | null;
  finding: number | null;
  /** Of a loss: where it is caused, and where it is felt. */
  places: Place[];
}

export interface Row {
  parent: number | null;
  kind: "host" | "process" | "thread" | "accelerator" | "metric";
  name: string;
  rank: number | null;
  thread: number | null;
  events: number;
  depth: number;
  waiting: number;
  note: string | null;
}

export interface Region {
  name: string;
  class: number;
  file: string | null;
  line: number | null;
}

/** A region of a run; time that was not recorded has none. */
export function regionOf(run: Run, region: number): Region {
  return run.regions[region] ?? { name: "Not recorded", class: CLASS.unrecorded, file: null, line: null };
}

/** The classes of states, by number. */
export const CLASS = {
  computation: 0,
  pointToPoint: 1,
  collective: 2,
  oneSided: 3,
  io: 4,
  management: 5,
  parallel: 6,
  unrecorded: 7,
  nothing: 8,
} as const;
export const CLASSES = 9;
/** Waiting has its share beside those of the classes, of which it is a part. */
export const WAITING = 9;
export const SHARES = 10;

export const BINS = 256;
export const BLOCK = 32;
export const NO_REGION = 65535;
export const NONE = 4294967295;

export interface Summary {
  from: number;
  to: number;
  rows: number;
  classes: number[];
  waiting: number;
  /** By function. */
  regions: OfCalls[];
  /** By function and call site. */
  sites: OfCalls[];
  /** How call sites are written, by number: `heat.c:42`. */
  places: Record<number, string>;
  balance: { row: number; classes: number[]; waiting: number }[];
  matrix: { rows: number[]; count: number[][]; bytes: number[][] };
  sizes: { from: number; to: number; count: number; bytes: number }[];
  tree: CallPath;
  complete: boolean;
  note?: string;
  /** Of the whole run, though a part was asked for: a report holds no more. */
  whole?: boolean;
}

/** The time that processes ran for: shares are of it, whatever else the window holds. */
export function lived({ classes }: Summary): number {
  return classes.reduce((sum, ns) => sum + ns, 0) - (classes[CLASS.nothing] ?? 0);
}

/** What calls of a function did: all of them, or those of one call site. */
export interface OfCalls {
  region: number;
  site: number | null;
  calls: number;
  inclusive: number;
  exclusive: number;
  waiting: number;
}

/** Says where in the program a call stands, without folders, or nothing if nobody told. */
export function placeOf({ places }: Pick<Summary, "places">, site: number | null): string | null {
  return site === null ? null : (places[site]?.replace(/^.*\//, "") ?? null);
}

export interface CallPath {
  region: number | null;
  site: number | null;
  calls: number;
  time: number;
  children: CallPath[];
}

export interface Findings {
  total: number;
  kinds: { kind: string; label: string; unit: Finding["unit"]; measure: "certain" | "time" | "count" | "apart"; count: number; weight: number }[];
  findings: Finding[];
}

export interface Finding {
  id: number;
  kind: string;
  label: string;
  text: string;
  weight: number;
  unit: "ns" | "count";
  places: Place[];
}

export interface Place {
  role: string;
  row: number;
  event: number;
  text: string;
}

export interface Call {
  row: number;
  event: number;
  region: number;
  begin: number;
  end: number;
  uncertainty: number | null;
  depth: number;
  facts: [string, string][];
  /** A report holds no more of it than its name and its time. */
  partial?: boolean;
  stack: number[];
  source: { file: string; line: number; text: [number, string][] } | null;
  others: { role: string; row: number; event: number; begin: number; end: number }[];
  findings: number[];
}

export interface Members {
  rows: number[];
  enter: number[];
  leave: number[];
}

export interface Found {
  total: number | null;
  found: { row: number; event: number; begin: number; end: number } | null;
}

export interface ClockCurves {
  clocks: {
    name: string;
    rows: number[];
    measured_to_corrected: [number, number, number | null][];
    true: [number, number][] | null;
  }[];
}

/** Where a program repeats itself; entries stand for `per` iterations each. */
export interface Iterations {
  count: number;
  /** Why there are none; then there is nothing else. */
  reason?: string;
  anchor: string | null;
  collective: boolean;
  share: number;
  alike: number;
  median: number;
  shortest: number;
  longest: number;
  warm_up: number;
  drift: { each: number; in_all: number } | null;
  slow: { number: number; length: number; row: number; why: string | null; finding: number | null }[];
  per: number;
  /** When the last row is done with the iteration before, and of the first entry when it begins. */
  ends: number[];
  /** When the first row is. */
  from: number[];
  classes: number[][];
  waiting: number[];
  balance: { per: number; rows: number[]; computation: number[][]; waiting: number[][] };
}
