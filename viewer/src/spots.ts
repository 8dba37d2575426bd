// Where rows of sums lead: the longest stays of a window in a state, and its largest messages of a size.
//
// Single calls and messages are in tiles. Where a window has too many of them it is narrowed, a quarter
// at a time, to where the row has most; what is found is then of that part.

import { BINS, BLOCK, CLASS, NONE, WAITING, type Clock, type Region, type Summary } from "./protocol";
import { coarsest } from "./pieces";
import { tilePath, type Questions } from "./questions";
import { NotHeld } from "./report";
import { ranges, type Tree } from "./rows";
import type { Source } from "./source";
import type { Window } from "./state";
import { decode, UNRECORDED, type Messages, type Spans, type Tile } from "./tiles";

/** What a row of sums is about: a class of states or `WAITING`, or messages of so many bytes. */
export type Sum = { state: number } | { sizes: readonly [from: number, to: number] };

export interface Spot {
  row: number;
  begin: number;
  end: number;
  /** Nanoseconds within the window, or bytes. */
  weight: number;
  /** The call that it is; of computation the one that ends it. */
  event: number | null;
  /** It is that call; else it is told by its time alone. */
  isCall: boolean;
  /** Of waiting: the finding that tells of it. */
  finding: number | null;
  /** Of a message: where it is received. */
  to: { row: number; event: number } | null;
}

export interface Spots {
  /** The weightiest first. */
  spots: Spot[];
  /** They are of the part of the window, or of the rows, that has most of it. */
  isPart: boolean;
}

/** So many blocks of rows are looked at: those that have most. */
const MOST_BLOCKS = 8;
/** A window is looked at by tiles of a quarter of it, or wider ones. */
const TILES = 4;
/** So many rows are asked for what lies around the window. */
const MOST_EDGES = 16;

/** A run as one looks for spots in it. */
export interface Place {
  ask: Questions;
  source: Source;
  tree: Tree;
  run: number;
  clock: Clock;
  /** The rows that are looked at; none named: all. */
  rows: readonly number[] | null;
}

/** Looks for what a row of sums is about in a window. */
export async function spotsOf(place: Place, sum: Sum, window: Window): Promise<Spots> {
  const { leaves, isPart } = "state" in sum ? await weightiest(place, sum.state, window) : { leaves: leavesOf(place), isPart: false };
  let part = window;
  for (;;) {
    const spots = "state" in sum ? await stays(place, sum.state, leaves, part) : await messages(place, sum.sizes, leaves, part);
    if (spots !== null) return { spots: spots.sort((a, b) => b.weight - a.weight || a.begin - b.begin), isPart: isPart || part !== window };
    if (part[1] - part[0] <= BINS) return { spots: [], isPart: true };
    part = await fullest(place, sum, part);
  }
}

function leavesOf({ tree, rows }: Place): number[] {
  return (rows ?? tree.run.rows.map((_, row) => row)).filter((row) => tree.children[row].length === 0);
}

/** The rows that are looked at for a state: all, or those of the blocks that have most of it. */
async function weightiest(place: Place, state: number, window: Window): Promise<{ leaves: number[]; isPart: boolean }> {
  const leaves = leavesOf(place);
  const blockOf = (row: number) => Math.floor(row / BLOCK);
  if (new Set(leaves.map(blockOf)).size <= MOST_BLOCKS) return { leaves, isPart: false };
  const { balance } = await summary(place, window);
  const most = new Map<number, number>();
  for (const it of balance) most.set(blockOf(it.row), Math.max(most.get(blockOf(it.row)) ?? 0, timeIn(it, state)));
  const chosen = new Set([...most].sort((a, b) => b[1] - a[1]).slice(0, MOST_BLOCKS).map(([block]) => block));
  return { leaves: leaves.filter((row) => chosen.has(blockOf(row))), isPart: true };
}

const timeIn = (it: { classes: number[]; waiting: number }, state: number) => (state === WAITING ? it.waiting : it.classes[state]);

function summary({ ask, run, clock, rows }: Place, [from, to]: Window): Promise<Summary> {
  return ask.summary(run, clock, from, to, rows === null ? "" : ranges(rows));
}

/** The quarter of a window that has most. */
async function fullest(place: Place, sum: Sum, [from, to]: Window): Promise<Window> {
  const quarter = (to - from) / 4;
  const parts = [0, 1, 2, 3].map((i): Window => [from + i * quarter, from + (i + 1) * quarter]);
  const summaries = await Promise.all(parts.map((part) => summary(place, part)));
  if (summaries.some(({ whole }) => whole)) throw new NotHeld("single calls and messages of so wide a window");
  const weights = summaries.map((it) => ("state" in sum ? timeIn(it, sum.state) : (it.sizes.find((size) => size.from === sum.sizes[0])?.count ?? 0)));
  return parts[weights.indexOf(Math.max(...weights))];
}

/** The tiles of a window; null if some of them have too many entries to tell them apart. */
async function tiles<T extends Tile>(place: Place, kind: "spans" | "messages", window: Window, block?: number): Promise<{ tiles: T[]; from: number; to: number } | null> {
  const { tree, run, clock, source } = place;
  const last = coarsest(tree.run, clock);
  let level = 0;
  while (level < last && TILES * BINS * tree.run.levels[level].bin < window[1] - window[0]) level++;
  const width = BINS * tree.run.levels[level].bin;
  const length = tree.run.spans[clock]?.length ?? 0;
  const first = Math.max(0, Math.floor(window[0] / width));
  const end = Math.max(first + 1, Math.ceil(Math.min(window[1], length) / width));
  const paths = Array.from({ length: end - first }, (_, i) => tilePath(run, clock, kind, level, first + i, block));
  const found = await Promise.all(paths.map(async (path) => decode(await source.bytes(path)) as T));
  const cut = found.some((tile) => (tile.kind === "spans" && tile.tooMany) || (tile.kind === "messages" && tile.aggregated));
  return cut ? null : { tiles: found, from: first * width, to: end * width };
}

/** The messages of a size that are sent in a window. */
async function messages(place: Place, [least, most]: readonly [number, number], leaves: readonly number[], window: Window): Promise<Spot[] | null> {
  const found = await tiles<Messages>(place, "messages", window);
  if (!found) return null;
  const wanted = new Set(leaves);
  const spots = new Map<string, Spot>();
  for (const tile of found.tiles) {
    for (let i = 0; i < tile.n; i++) {
      const [row, begin, weight] = [tile.from[i], tile.send[i], tile.size[i]];
      if (weight < least || weight > most || begin < window[0] || begin >= window[1] || !wanted.has(row)) continue;
      const spot = { row, begin, end: tile.receive[i], weight, event: tile.sendEvent[i], isCall: true, finding: null, to: { row: tile.to[i], event: tile.receiveEvent[i] } };
      spots.set(`${row}:${spot.event}:${spot.to.row}:${spot.to.event}`, spot);
    }
  }
  return [...spots.values()];
}

/** The stays of rows in a state, as far as they are in a window. */
async function stays(place: Place, state: number, leaves: readonly number[], window: Window): Promise<Spot[] | null> {
  const blocks = [...new Set(leaves.map((row) => Math.floor(row / BLOCK)))];
  const found = await Promise.all(blocks.map((block) => tiles<Spans>(place, "spans", window, block)));
  const read = found.flatMap((it) => (it ? [it] : []));
  if (read.length < found.length) return null;
  const wanted = new Set(leaves);
  if (state === WAITING) return distinct(read.flatMap((it) => it.tiles.flatMap((tile) => waits(tile, wanted, window))));
  const calls = read.flatMap((it) => callsByRow(it.tiles, place.tree.run.regions));
  const ofRows = new Map(calls.filter(([row]) => wanted.has(row)));
  const spots = [...ofRows].flatMap(([row, of]) => (state === CLASS.computation ? computing(row, of, window) : inState(row, of, state, window)));
  if (state !== CLASS.computation && state !== CLASS.nothing) return spots;
  const [from, to] = [read[0]?.from ?? 0, read[0]?.to ?? 0];
  return [...spots, ...(await edges(place, leaves, ofRows, state, window, [from, to]))];
}

interface CallAt {
  event: number;
  begin: number;
  end: number;
  depth: number;
  cls: number;
}

/** The calls of some tiles, each once, by row and time; the outer one first. */
function callsByRow(read: readonly Spans[], regions: readonly Region[]): [number, CallAt[]][] {
  const rows = new Map<number, Map<number, CallAt>>();
  for (const tile of read) {
    for (let i = 0; i < tile.n; i++) {
      // A collective operation may stand in no region.
      const cls = tile.bits[i] & UNRECORDED ? CLASS.unrecorded : (regions[tile.region[i]]?.class ?? CLASS.collective);
      if (!rows.has(tile.row[i])) rows.set(tile.row[i], new Map());
      rows.get(tile.row[i])!.set(tile.event[i], { event: tile.event[i], begin: tile.begin[i], end: tile.end[i], depth: tile.depth[i], cls });
    }
  }
  return [...rows].map(([row, calls]) => [row, [...calls.values()].sort((a, b) => a.begin - b.begin || a.depth - b.depth)]);
}

const overlap = ([from, to]: Window, begin: number, end: number) => Math.max(0, Math.min(to, end) - Math.max(from, begin));

function spot(row: number, begin: number, end: number, weight: number, event: number | null, isCall: boolean): Spot {
  return { row, begin, end, weight, event, isCall, finding: null, to: null };
}

/** Calls of a class, by their own time: that of calls within them is those calls'. */
function inState(row: number, calls: readonly CallAt[], state: number, window: Window): Spot[] {
  const own = new Map<CallAt, number>();
  const around: CallAt[] = [];
  for (const call of calls) {
    while (around.length > 0 && around.at(-1)!.end <= call.begin) around.pop();
    const time = overlap(window, call.begin, call.end);
    const outer = around.at(-1);
    if (outer) own.set(outer, own.get(outer)! - time);
    own.set(call, time);
    around.push(call);
  }
  return calls.filter((call) => call.cls === state && own.get(call)! > 0).map((call) => spot(row, call.begin, call.end, own.get(call)!, call.event, state !== CLASS.unrecorded));
}

/** Where a row is in none of MPI and its like, between its first and its last call. */
function computing(row: number, calls: readonly CallAt[], window: Window): Spot[] {
  const spots: Spot[] = [];
  let since = calls[0].begin;
  const until = (end: number, next: CallAt | null) => {
    const weight = overlap(window, since, end);
    if (weight > 0) spots.push(spot(row, since, end, weight, next?.event ?? null, false));
  };
  for (const call of calls) {
    if (call.cls === CLASS.computation) continue;
    if (call.begin > since) until(call.begin, call);
    since = Math.max(since, call.end);
  }
  until(calls.reduce((last, { end }) => Math.max(last, end), 0), null);
  return spots;
}

/**
 * What rows do before the first call of the tiles that were read, and after the last: they compute, if there
 * is another call further out, and do not run otherwise. The longest are asked for.
 */
async function edges(place: Place, leaves: readonly number[], calls: ReadonlyMap<number, CallAt[]>, state: number, window: Window, read: Window): Promise<Spot[]> {
  const length = place.tree.run.spans[place.clock]?.length ?? 0;
  const sides = leaves.flatMap((row) => {
    const of = calls.get(row);
    if (!of) return [{ row, begin: 0, end: length, before: true, after: true, event: null as number | null }];
    const last = of.reduce((end, call) => Math.max(end, call.end), 0);
    return [
      { row, begin: 0, end: of[0].begin, before: true, after: false, event: of[0].event as number | null },
      { row, begin: last, end: length, before: false, after: true, event: of.at(-1)!.event as number | null },
    ];
  });
  const inWindow = sides.map((side) => ({ ...side, weight: overlap(window, side.begin, side.end) })).filter(({ weight }) => weight > 0);
  const longest = inWindow.sort((a, b) => b.weight - a.weight).slice(0, MOST_EDGES);
  const told = longest.map(async (side): Promise<Spot[]> => {
    const beyond = (direction: "next" | "previous", from: number) => place.ask.search(place.run, place.clock, { text: "", class: null, communicator: null, tag: null, row: side.row, from, direction }).then(({ found }) => found);
    const earlier = side.before && read[0] > 0 ? await beyond("previous", Math.min(side.end, read[0])) : null;
    const later = side.after && read[1] < length ? await beyond("next", Math.max(side.begin, read[1] - 1)) : null;
    const begin = earlier?.end ?? side.begin;
    const end = later?.begin ?? side.end;
    const computes = (side.before ? earlier !== null : true) && (side.after ? later !== null : true);
    const weight = overlap(window, begin, end);
    if (weight <= 0 || computes !== (state === CLASS.computation)) return [];
    return [spot(side.row, begin, end, weight, computes ? (later?.event ?? side.event) : null, false)];
  });
  return (await Promise.all(told)).flat();
}

/** What touches two tiles is in both. */
function distinct(spots: readonly Spot[]): Spot[] {
  return [...new Map(spots.map((it) => [`${it.row}:${it.begin}`, it])).values()];
}

/** Where rows wait, each with the finding that tells of it. */
function waits({ waiting }: Spans, wanted: ReadonlySet<number>, window: Window): Spot[] {
  return Array.from({ length: waiting.n }, (_, i): Spot => {
    const [begin, end] = [waiting.begin[i], waiting.end[i]];
    return { ...spot(waiting.row[i], begin, end, overlap(window, begin, end), null, true), finding: waiting.finding[i] === NONE ? null : waiting.finding[i] };
  }).filter(({ row, weight }) => weight > 0 && wanted.has(row));
}
