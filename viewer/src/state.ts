// What the page shows, as one immutable value. The fragment of the address holds it, so
// a bookmark shows the same again; undo and redo walk over its earlier values.

import { CLOCKS, type Clock } from "./protocol";
import type { Shifts } from "./shifts";

export type Sort = "rank" | "waiting" | "similarity";
export const SORTS: readonly Sort[] = ["rank", "waiting", "similarity"];

export type Panel = "summary" | "calls" | "flame" | "matrix" | "sizes" | "clocks" | "balance" | "iterations" | "compare" | "shifts";
export const PANELS: readonly Panel[] = ["summary", "calls", "flame", "matrix", "sizes", "clocks", "balance", "iterations", "compare", "shifts"];

export type Selected =
  | { what: "call"; run: number; row: number; event: number }
  | { what: "message"; run: number; row: number; event: number; toRow: number; toEvent: number }
  | { what: "collective"; run: number; number: number };

export type Window = readonly [from: number, to: number];

export interface View {
  /** The run of the panels; all runs are on the time lines. */
  readonly run: number;
  readonly clock: Clock;
  readonly window: Window;
  /** The windows around this one, the widest first. */
  readonly crumbs: readonly Window[];
  readonly sort: Sort;
  /** Rows whose children are folded, as "run.row". */
  readonly folded: ReadonlySet<string>;
  readonly stacks: boolean;
  /** Height of a row in pixels; 0 fits it to the space. */
  readonly rowHeight: number;
  /** How far the rows are scrolled, in pixels. */
  readonly top: number;
  readonly selected: Selected | null;
  readonly finding: number | null;
  readonly interval: Window | null;
  readonly path: boolean;
  readonly arrows: boolean;
  readonly hiddenClasses: ReadonlySet<number>;
  readonly filter: Filter;
  readonly panel: Panel;
  readonly kind: string;
  /** Rows moved by hand. They are kept with the run, and so not in the address. */
  readonly shifts: Shifts;
}

export interface Filter {
  readonly region: string;
  /** "0-3,7" */
  readonly ranks: string;
  readonly communicator: number | null;
  readonly tag: number | null;
}

export const NO_FILTER: Filter = { region: "", ranks: "", communicator: null, tag: null };

const SHORTEST = 20;

/** Returns the view of a window within bounds, never shorter than a few nanoseconds. */
export function within(window: Window, length: number, start = 0): Window {
  const span = Math.min(Math.max(window[1] - window[0], SHORTEST), Math.max(length - start, SHORTEST));
  const from = Math.min(Math.max(window[0], start), Math.max(length - span, start));
  return [from, from + span];
}

/** A window so much narrower than the one around it leaves a crumb behind. */
const CRUMB_RATIO = 3;

/** Returns the view with another window; zooming in leaves breadcrumbs, leaving them drops them. */
export function withWindow(view: View, window: Window): View {
  const around = view.crumbs.filter((crumb) => contains(crumb, window));
  const was = view.window;
  const innermost = around.at(-1);
  const leavesCrumb =
    contains(was, window) &&
    length(was) >= CRUMB_RATIO * length(window) &&
    (!innermost || length(innermost) >= CRUMB_RATIO * length(was));
  return { ...view, window, crumbs: leavesCrumb ? [...around, was] : around };
}

const length = (window: Window) => window[1] - window[0];
const contains = (outer: Window, inner: Window) => outer[0] <= inner[0] && inner[1] <= outer[1] && length(outer) > length(inner);

/** Writes what differs from the view at the start into the fragment of an address. */
export function toFragment(view: View, start: View): string {
  const parts: [string, string][] = [];
  const put = (name: string, value: string, initial: string) => {
    if (value !== initial) parts.push([name, value]);
  };
  for (const [name, field] of Object.entries(FIELDS)) put(name, field.write(view, start), field.write(start, start));
  return parts.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":")}`).join("&");
}

/** Reads a fragment; what it does not name, or names wrongly, stays as at the start. */
export function fromFragment(fragment: string, start: View): View {
  const parts = new URLSearchParams(fragment);
  let view = start;
  for (const [name, field] of Object.entries(FIELDS)) {
    const text = parts.get(name);
    if (text !== null) view = { ...view, ...field.read(text, start) };
  }
  return view;
}

interface Field {
  write(view: View, start: View): string;
  read(text: string, start: View): Partial<View>;
}

const FIELDS: Record<string, Field> = {
  run: { write: (view) => String(view.run), read: (text) => numberField(text, (run) => ({ run })) },
  clock: { write: (view) => view.clock, read: (text) => oneOf(CLOCKS, text, (clock) => ({ clock })) },
  window: { write: (view) => windowText(view.window), read: (text) => windowField(text, (window) => ({ window })) },
  crumbs: {
    write: (view) => view.crumbs.map(windowText).join(","),
    read: (text) => ({ crumbs: text.split(",").map(parseWindow).filter((window) => window !== null) }),
  },
  sort: { write: (view) => view.sort, read: (text) => oneOf(SORTS, text, (sort) => ({ sort })) },
  folded: { write: (view, start) => foldedText(view.folded, start.folded), read: (text, start) => ({ folded: parseFolded(text, start.folded) }) },
  stacks: flag("stacks"),
  height: { write: (view) => String(view.rowHeight), read: (text) => numberField(text, (rowHeight) => ({ rowHeight })) },
  top: { write: (view) => String(Math.round(view.top)), read: (text) => numberField(text, (top) => ({ top })) },
  selected: { write: (view) => selectedText(view.selected), read: (text) => ({ selected: parseSelected(text) }) },
  finding: {
    write: (view) => (view.finding === null ? "" : String(view.finding)),
    read: (text) => numberField(text, (finding) => ({ finding })),
  },
  interval: {
    write: (view) => (view.interval ? windowText(view.interval) : ""),
    read: (text) => windowField(text, (interval) => ({ interval })),
  },
  path: flag("path"),
  arrows: flag("arrows"),
  hidden: {
    write: (view) => [...view.hiddenClasses].sort().join(","),
    read: (text) => ({ hiddenClasses: new Set(text.split(",").filter(Boolean).map(Number)) }),
  },
  filter: {
    write: ({ filter }) => (filter === NO_FILTER ? "" : filterText(filter)),
    read: (text) => ({ filter: parseFilter(text) }),
  },
  panel: { write: (view) => view.panel, read: (text) => oneOf(PANELS, text, (panel) => ({ panel })) },
  kind: { write: (view) => view.kind, read: (kind) => ({ kind }) },
};

/** Nothing is folded, which no list of rows says. */
const UNFOLDED = "none";
/** Before a row that is folded at the start, and is not now. */
const OPEN = "!";

/** Writes folded rows, or what differs from those at the start where that is shorter, as of hosts by the thousand. */
function foldedText(folded: ReadonlySet<string>, start: ReadonlySet<string>): string {
  const opened = [...start].filter((key) => !folded.has(key)).map((key) => OPEN + key);
  const closed = [...folded].filter((key) => !start.has(key));
  if (opened.length + closed.length === 0) return "";
  if (folded.size === 0) return UNFOLDED;
  const all = [...folded].sort().join(",");
  const differing = [...opened, ...closed].sort().join(",");
  return opened.length > 0 && differing.length < all.length ? differing : all;
}

function parseFolded(text: string, start: ReadonlySet<string>): ReadonlySet<string> {
  if (text === UNFOLDED) return new Set();
  const keys = text.split(",").filter(Boolean);
  if (!keys.some((key) => key.startsWith(OPEN))) return new Set(keys);
  const folded = new Set(start);
  for (const key of keys) {
    if (key.startsWith(OPEN)) folded.delete(key.slice(OPEN.length));
    else folded.add(key);
  }
  return folded;
}

function flag(name: "stacks" | "path" | "arrows"): Field {
  return { write: (view) => (view[name] ? "1" : "0"), read: (text) => ({ [name]: text === "1" }) };
}

function numberField(text: string, make: (value: number) => Partial<View>): Partial<View> {
  const value = Number(text);
  return text !== "" && Number.isFinite(value) && value >= 0 ? make(value) : {};
}

function oneOf<T extends string>(values: readonly T[], text: string, make: (value: T) => Partial<View>): Partial<View> {
  const value = values.find((candidate) => candidate === text);
  return value === undefined ? {} : make(value);
}

function windowText([from, to]: Window): string {
  return `${round(from)}:${round(to)}`;
}

const round = (ns: number) => Math.round(ns * 1000) / 1000;

function parseWindow(text: string): Window | null {
  const [from, to, ...rest] = text.split(":").map(Number);
  return rest.length === 0 && Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : null;
}

function windowField(text: string, make: (window: Window) => Partial<View>): Partial<View> {
  const window = parseWindow(text);
  return window ? make(window) : {};
}

function selectedText(selected: Selected | null): string {
  if (!selected) return "";
  switch (selected.what) {
    case "call":
      return `call:${selected.run}:${selected.row}:${selected.event}`;
    case "message":
      return `message:${selected.run}:${selected.row}:${selected.event}:${selected.toRow}:${selected.toEvent}`;
    case "collective":
      return `collective:${selected.run}:${selected.number}`;
  }
}

function parseSelected(text: string): Selected | null {
  const [what, ...parts] = text.split(":");
  const n = parts.map(Number);
  if (n.some((value) => !Number.isInteger(value) || value < 0)) return null;
  if (what === "call" && n.length === 3) return { what, run: n[0], row: n[1], event: n[2] };
  if (what === "message" && n.length === 5) return { what, run: n[0], row: n[1], event: n[2], toRow: n[3], toEvent: n[4] };
  if (what === "collective" && n.length === 2) return { what, run: n[0], number: n[1] };
  return null;
}

function filterText(filter: Filter): string {
  return JSON.stringify([filter.region, filter.ranks, filter.communicator, filter.tag]);
}

function parseFilter(text: string): Filter {
  try {
    const [region, ranks, communicator, tag] = JSON.parse(text) as unknown[];
    return {
      region: typeof region === "string" ? region : "",
      ranks: typeof ranks === "string" ? ranks : "",
      communicator: typeof communicator === "number" ? communicator : null,
      tag: typeof tag === "number" ? tag : null,
    };
  } catch {
    return NO_FILTER;
  }
}

export function filtering(filter: Filter): boolean {
  return filter.region !== "" || filter.ranks !== "" || filter.communicator !== null || filter.tag !== null;
}

const UNDO_STEPS = 200;
const MERGE_MS = 600;

/** The views so far. Steps of one gesture, as the turns of a wheel, are one step back. */
export class History {
  private past: View[] = [];
  private future: View[] = [];
  private gesture = "";
  private last = -Infinity;

  constructor(public view: View) {}

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Goes on to a view; steps with the same name of a gesture shortly after one another merge. */
  go(view: View, gesture = "", now = performance.now()): void {
    const merges = gesture !== "" && gesture === this.gesture && now - this.last < MERGE_MS;
    if (!merges) {
      this.past.push(this.view);
      if (this.past.length > UNDO_STEPS) this.past.shift();
    }
    this.future = [];
    this.view = view;
    this.gesture = gesture;
    this.last = now;
  }

  /** Changes the view without a step: scrolling, and what follows from data. */
  amend(view: View): void {
    this.view = view;
  }

  undo(): void {
    const view = this.past.pop();
    if (!view) return;
    this.future.push(this.view);
    this.view = view;
    this.gesture = "";
  }

  redo(): void {
    const view = this.future.pop();
    if (!view) return;
    this.past.push(this.view);
    this.view = view;
    this.gesture = "";
  }
}
