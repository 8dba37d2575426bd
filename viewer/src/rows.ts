// Which rows are shown, in which order, how high and where: the lanes.
//
// A folded group is one lane that shows the shares of all below it.

import type { Run } from "./protocol";
import type { Sort, View } from "./state";

export interface Lane {
  run: number;
  /** The row that this lane is, or null for the headline of a run. */
  row: number | null;
  /** The groups of which it is all there is: they have no lane of their own. */
  around: readonly number[];
  name: string;
  note: string | null;
  indent: number;
  /** Whether the rows below are folded; null if there are none. */
  folded: boolean | null;
  /** How many rows with events of their own it stands for. */
  members: number;
  y: number;
  height: number;
  /** Lines of the call stack; 1 shows the innermost call only. */
  lines: number;
}

export interface Layout {
  lanes: Lane[];
  height: number;
  /** The height of an ordinary row. */
  rowHeight: number;
  /** The lane that shows a row, or the nearest fold around it. */
  laneOf(run: number, row: number): Lane | undefined;
}

/** The rows of a run as a tree, known once per run. */
export class Tree {
  readonly roots: number[] = [];
  readonly children: number[][];
  readonly members: number[];
  readonly waiting: number[];
  readonly depth: number[];

  constructor(readonly run: Run) {
    const { rows } = run;
    this.children = rows.map(() => []);
    rows.forEach((row, i) => (row.parent === null ? this.roots : this.children[row.parent]).push(i));
    this.members = rows.map(() => 0);
    this.waiting = rows.map((row) => row.waiting);
    this.depth = rows.map((row) => row.depth);
    for (let i = rows.length - 1; i >= 0; i--) {
      const below = this.children[i];
      if (below.length === 0) this.members[i] = 1;
      else {
        this.members[i] = sum(below, this.members);
        this.waiting[i] = Math.max(this.waiting[i], sum(below, this.waiting));
        this.depth[i] = Math.max(this.depth[i], ...below.map((child) => this.depth[child]));
      }
    }
  }

  rankOf(row: number): number | null {
    const { rank, parent } = this.run.rows[row];
    return rank ?? (parent === null ? null : this.rankOf(parent));
  }

  /** "rank 3" or "rank 3, thread 1": a row's name where the rows around it are not shown. */
  fullName(row: number): string {
    const { name, parent, kind } = this.run.rows[row];
    return kind === "host" || kind === "process" || parent === null ? name : `${this.run.rows[parent].name}, ${name}`;
  }
}

const sum = (rows: number[], values: number[]) => rows.reduce((total, row) => total + values[row], 0);

const MANY = 48;

/** Folds hosts of a run with many processes, and processes of one with many threads. */
export function foldedAtFirst(trees: readonly Tree[]): Set<string> {
  const folded = new Set<string>();
  trees.forEach((tree, run) => {
    const processes = tree.run.rows.filter((row) => row.kind === "process").length;
    tree.run.rows.forEach((row, i) => {
      const foldHost = row.kind === "host" && processes > MANY && tree.roots.length > 1;
      const foldProcess = row.kind === "process" && tree.run.rows.length > MANY && tree.children[i].length > 0;
      if (foldHost || foldProcess) folded.add(foldKey(run, i));
    });
  });
  return folded;
}

export const foldKey = (run: number, row: number) => `${run}.${row}`;

/** Reads "0-3,7"; null if it names no ranks, which means all. */
export function parseRanks(text: string): ((rank: number) => boolean) | null {
  const ranges = rangesIn(text).filter((range) => range !== null);
  return ranges.length === 0 ? null : (rank) => ranges.some(([low, high]) => low <= rank && rank <= high);
}

/** The rows with events of their own of the ranks that a filter names; null if it names none. */
export function rowsOfRanks(tree: Tree, ranks: string): number[] | null {
  const wanted = parseRanks(ranks);
  if (!wanted) return null;
  return tree.run.rows.map((_, row) => row).filter((row) => tree.children[row].length === 0 && wanted(tree.rankOf(row) ?? -1));
}

/** Writes ascending numbers as "0-3,7". */
export function ranges(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const n of numbers) {
    const last = parts.at(-1);
    if (last && last[1] === n - 1) last[1] = n;
    else parts.push([n, n]);
  }
  return parts.map(([low, high]) => (low === high ? `${low}` : `${low}-${high}`)).join(",");
}

/** Whether a part of the text names no ranks, and so is not heeded. */
export function misspelt(text: string): boolean {
  return rangesIn(text).some((range) => range === null || range[0] > range[1]);
}

function rangesIn(text: string): ([number, number] | null)[] {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  return parts.map((part) => {
    const match = part.match(/^(\d+)(?:\s*[-–]\s*(\d+))?$/);
    return match && [Number(match[1]), Number(match[2] ?? match[1])];
  });
}

const HEADLINE = 24;
const GROUP_OPEN = 16;
const LEAST = 14;
/** Few rows are drawn high, so that they use the space; higher they would tell no more. */
const MOST = 84;
const STACK_LINE = { least: 13, most: 60, margin: 4 };
const STACK_LINES = 12;

/** Places the lanes of all runs. `similar` gives the place of each row by similarity, once known. */
export function layout(trees: readonly Tree[], view: View, similar: readonly (readonly number[] | null)[], space: number): Layout {
  const ranks = parseRanks(view.filter.ranks);
  const lanes: Lane[] = [];
  trees.forEach((tree, run) => {
    if (trees.length > 1) lanes.push(headline(tree, run));
    const compare = comparison(tree, view.sort, similar[run] ?? null);
    const visit = (row: number, indent: number, around: number[] = []): void => {
      if (!shown(tree, row, ranks)) return;
      const below = tree.children[row];
      if (below.length > 0 && tree.members[row] === 1) return visit(below[0], indent, [...around, row]);
      const folded = below.length === 0 ? null : view.folded.has(foldKey(run, row));
      lanes.push(lane(tree, run, row, around, indent, folded, view));
      if (folded === false) for (const child of [...below].sort(compare)) visit(child, indent + 1);
    };
    for (const root of [...tree.roots].sort(compare)) visit(root, 0);
  });
  return place(lanes, trees, view, space);
}

function headline(tree: Tree, run: number): Lane {
  return { run, row: null, around: [], name: tree.run.name, note: null, indent: 0, folded: null, members: 0, y: 0, height: HEADLINE, lines: 0 };
}

function lane(tree: Tree, run: number, row: number, around: number[], indent: number, folded: boolean | null, view: View): Lane {
  const { note } = tree.run.rows[row];
  const name = [...around, row].map((it) => tree.run.rows[it].name).join(" · ");
  const lines = folded === null && view.stacks ? Math.min(STACK_LINES, Math.max(1, tree.depth[row])) : 1;
  return { run, row, around, name, note, indent, folded, members: tree.members[row], y: 0, height: 0, lines };
}

function shown(tree: Tree, row: number, ranks: ((rank: number) => boolean) | null): boolean {
  if (!ranks) return true;
  const rank = tree.rankOf(row);
  return rank === null ? tree.children[row].some((child) => shown(tree, child, ranks)) : ranks(rank);
}

function comparison(tree: Tree, sort: Sort, similar: readonly number[] | null): (a: number, b: number) => number {
  if (sort === "waiting") return (a, b) => tree.waiting[b] - tree.waiting[a] || a - b;
  const likeness = (row: number): number => (tree.children[row].length === 1 ? likeness(tree.children[row][0]) : (similar?.[row] ?? 0));
  if (sort === "similarity" && similar) return (a, b) => likeness(a) - likeness(b) || a - b;
  return (a, b) => (tree.rankOf(a) ?? 0) - (tree.rankOf(b) ?? 0) || a - b;
}

function place(lanes: Lane[], trees: readonly Tree[], view: View, space: number): Layout {
  const { rowHeight, stackLine } = fit(lanes, view, space);
  let y = 0;
  const byRow = new Map<string, Lane>();
  for (const lane of lanes) {
    lane.y = y;
    if (lane.row !== null) {
      lane.height = lane.folded === false ? GROUP_OPEN : lane.lines > 1 ? lane.lines * stackLine + STACK_LINE.margin : rowHeight;
      for (const row of [lane.row, ...lane.around]) byRow.set(foldKey(lane.run, row), lane);
    }
    y += lane.height;
  }
  const laneOf = (run: number, row: number): Lane | undefined => {
    for (let at: number | null = row; at !== null; at = trees[run].run.rows[at]?.parent ?? null) {
      const found = byRow.get(foldKey(run, at));
      if (found) return found;
    }
    return undefined;
  };
  return { lanes, height: y, rowHeight, laneOf };
}

/** How high rows and the lines of stacks are: as chosen, or so that all lanes fit if they can. */
function fit(lanes: Lane[], view: View, space: number): { rowHeight: number; stackLine: number } {
  if (view.rowHeight > 0) return { rowHeight: view.rowHeight, stackLine: Math.max(4, Math.round(0.65 * view.rowHeight)) };
  let fixed = 0;
  let lines = 0;
  let rows = 0;
  for (const { row, folded, lines: deep } of lanes) {
    if (row === null) fixed += HEADLINE;
    else if (folded === false) fixed += GROUP_OPEN;
    else if (deep > 1) {
      fixed += STACK_LINE.margin;
      lines += deep;
    } else rows++;
  }
  const share = (space - fixed) / Math.max(1, rows + lines * (STACK_LINE.most / MOST));
  return {
    rowHeight: clamp(Math.floor(share), LEAST, MOST),
    stackLine: clamp(Math.floor((share * STACK_LINE.most) / MOST), STACK_LINE.least, STACK_LINE.most),
  };
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** The lane at a height, or undefined below the last. */
export function laneAt({ lanes }: Layout, y: number): Lane | undefined {
  let low = 0;
  let high = lanes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lanes[middle].y + lanes[middle].height <= y) low = middle + 1;
    else high = middle;
  }
  return y < 0 ? undefined : lanes[low];
}

/** The lanes that touch a range of heights. */
export function lanesBetween(layout: Layout, top: number, bottom: number): Lane[] {
  const first = laneAt(layout, Math.max(top, 0));
  if (!first) return [];
  const from = layout.lanes.indexOf(first);
  const lanes: Lane[] = [];
  for (let i = from; i < layout.lanes.length && layout.lanes[i].y < bottom; i++) lanes.push(layout.lanes[i]);
  return lanes;
}

/**
 * Returns each row's place in an order in which rows with like shares of their time are
 * neighbours: along the first principal component, found by power iteration.
 */
export function similarityOrder(rows: number, profiles: readonly { row: number; shares: number[] }[]): number[] {
  const n = profiles.length;
  const order = new Array<number>(rows).fill(0);
  if (n === 0) return order;
  const d = profiles[0].shares.length;
  const mean = Array.from({ length: d }, (_, j) => profiles.reduce((total, { shares }) => total + shares[j], 0) / n);
  const centred = profiles.map(({ shares }) => shares.map((value, j) => value - mean[j]));
  let axis = Array.from({ length: d }, (_, j) => 1 + j / d);
  for (let step = 0; step < 32; step++) {
    const next = new Array<number>(d).fill(0);
    for (const row of centred) {
      const along = dot(row, axis);
      for (let j = 0; j < d; j++) next[j] += along * row[j];
    }
    const norm = Math.hypot(...next);
    if (norm === 0) break;
    axis = next.map((value) => value / norm);
  }
  const along = centred.map((row, i) => ({ row: profiles[i].row, at: dot(row, axis) }));
  along.sort((a, b) => a.at - b.at || a.row - b.row).forEach(({ row }, i) => (order[row] = i));
  return order;
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((total, value, i) => total + value * b[i], 0);
