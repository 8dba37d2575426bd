// The overview of the whole run: for each column of pixels the share of computation, MPI and
// waiting over all rows, and where messages arrive before they were sent.

import type { Palette } from "./colours";
import { coarsest, levelFor, overlayTiles } from "./pieces";
import { BINS, BLOCK, CLASS, SHARES, WAITING, type Clock } from "./protocol";
import { tilePath } from "./questions";
import type { Tree } from "./rows";
import type { Tile } from "./tiles";

/** Columns of the overview: shares of each class and of waiting, and reversed messages. */
export interface Overview {
  shares: Float32Array;
  reversed: Float32Array;
  columns: number;
}

/** Above so many blocks of rows the overview is made of the coarsest level only. */
const FINE_BLOCKS = 4;
/** At most so many blocks are looked at, evenly spread. */
const MOST_BLOCKS = 64;

/** The level and blocks that the overview of a run is made of: rows that stand for all below them, such as hosts, tell as much as those. */
function plan(tree: Tree, clock: Clock, columns: number, length: number): { level: number; blocks: number[] } {
  const { run } = tree;
  const all = [...new Set(tree.roots.map((row) => Math.floor(row / BLOCK)))];
  const step = Math.ceil(all.length / MOST_BLOCKS);
  const level = all.length <= FINE_BLOCKS ? levelFor(run, clock, length / columns) : coarsest(run, clock);
  return { level, blocks: all.filter((_, i) => i % step === 0) };
}

/** The paths of the tiles that the overview needs. */
export function overviewTiles(index: number, tree: Tree, clock: Clock, columns: number): string[] {
  const length = tree.run.spans[clock]?.length ?? 0;
  const { level, blocks } = plan(tree, clock, columns, length);
  const tiles = Math.max(1, Math.ceil(length / (BINS * tree.run.levels[level].bin)));
  const shares = blocks.flatMap((block) => Array.from({ length: tiles }, (_, i) => tilePath(index, clock, "shares", level, i, block)));
  return [...shares, ...overlayTiles(index, tree.run, clock, "messages", [0, length], length / columns)];
}

/** Sums what is there of a run's tiles into columns over a length of time. */
export function overview(index: number, tree: Tree, clock: Clock, columns: number, over: number, tiles: (path: string) => Tile | undefined): Overview {
  const shares = new Float32Array(columns * SHARES);
  const reversed = new Float32Array(columns);
  const { run } = tree;
  const length = run.spans[clock]?.length ?? 0;
  const { level } = plan(tree, clock, columns, length);
  const bin = run.levels[level].bin;
  const isRoot = new Set(tree.roots);
  const perColumn = over / columns;
  for (const path of overviewTiles(index, tree, clock, columns)) {
    const tile = tiles(path);
    if (tile?.kind === "messages") addReversed(reversed, tile, perColumn);
    if (tile?.kind !== "shares") continue;
    const [block, i] = path.split("/").reverse().map(Number);
    for (let at = 0; at < tile.rows; at++) {
      const row = block * BLOCK + at;
      if (isRoot.has(row)) addRow(shares, columns, tile.shares, at, tree.members[row], i * BINS * bin, bin, perColumn);
    }
  }
  return { shares: normalised(shares, columns), reversed, columns };
}

/** Adds the shares of a row that stands for so many. */
function addRow(sums: Float32Array, columns: number, shares: Uint16Array, row: number, members: number, start: number, bin: number, perColumn: number): void {
  for (let b = 0; b < BINS; b++) {
    const from = (start + b * bin) / perColumn;
    const to = (start + (b + 1) * bin) / perColumn;
    const at = (row * BINS + b) * SHARES;
    for (let x = Math.floor(from); x < Math.min(to, columns); x++) {
      const part = members * (Math.min(x + 1, to) - Math.max(x, from));
      for (let c = 0; c < SHARES; c++) sums[x * SHARES + c] += part * shares[at + c];
    }
  }
}

/** Makes the classes of each column sum up to 1; waiting stays a part of them. */
function normalised(sums: Float32Array, columns: number): Float32Array {
  for (let x = 0; x < columns; x++) {
    let total = 0;
    for (let c = 0; c < WAITING; c++) total += sums[x * SHARES + c];
    if (total > 0) for (let c = 0; c < SHARES; c++) sums[x * SHARES + c] /= total;
  }
  return sums;
}

function addReversed(columns: Float32Array, tile: { n: number; receive: Float64Array; reversed: Uint32Array }, perColumn: number): void {
  for (let i = 0; i < tile.n; i++) {
    if (tile.reversed[i] === 0) continue;
    const x = Math.floor(tile.receive[i] / perColumn);
    if (x >= 0 && x < columns.length) columns[x] += tile.reversed[i];
  }
}

/** Draws one run's overview: from below computation, MPI by class, waiting; on top marks of reversed messages. */
export function drawOverview(context: CanvasRenderingContext2D, { shares, reversed, columns }: Overview, y: number, height: number, palette: Palette): void {
  const mark = 4;
  const plot = height - mark;
  for (let x = 0; x < columns; x++) {
    const at = x * SHARES;
    const recorded = 1 - shares[at + CLASS.nothing] - shares[at + CLASS.unrecorded];
    if (recorded > 0.001) {
      let edge = y + height;
      const waiting = Math.min(shares[at + WAITING], recorded);
      let rest = waiting;
      const stack = (share: number, colour: string) => {
        if (share <= 0) return;
        context.fillStyle = colour;
        context.fillRect(x, edge - share * plot, 1, share * plot + 0.5);
        edge -= share * plot;
      };
      stack(shares[at + CLASS.computation] + shares[at + CLASS.parallel], palette.classes[CLASS.computation]);
      const mpi = [CLASS.io, CLASS.management, CLASS.oneSided, CLASS.collective, CLASS.pointToPoint];
      for (const c of mpi.reverse()) {
        const without = Math.max(0, shares[at + c] - rest);
        rest -= shares[at + c] - without;
        stack(without, palette.classes[c]);
      }
      stack(waiting, palette.waiting);
    }
    if (reversed[x] > 0) {
      context.fillStyle = palette.reversed;
      context.fillRect(x - 0.5, y, 2, mark);
    }
  }
}
