// Which tiles show a window: those of the level whose bins are about a pixel wide, and
// while one of them is missing, a coarser one in its place.

import type { Clock, Run } from "./protocol";
import { BINS, BLOCK } from "./protocol";
import { tilePath, type TileKind } from "./questions";
import type { Piece } from "./raster";
import type { Tile } from "./tiles";
import type { Window } from "./state";

/** A bin may be so many pixels wide. */
const WIDEST_BIN = 2;
/** Calls are asked for where about so many at most are in a tile. */
const MOST_CALLS = 1 << 16;

/** Returns the level of which one tile holds all by a clock: the finest such one, as coarser ones are of longer clocks. */
export function coarsest(run: Run, clock: Clock): number {
  const length = run.spans[clock]?.length ?? 0;
  const level = run.levels.findIndex(({ bin }) => length < BINS * bin);
  return level < 0 ? run.levels.length - 1 : level;
}

/** Returns the coarsest level whose bins are at most two pixels wide, or the finest. */
export function levelFor(run: Run, clock: Clock, nsPerPixel: number): number {
  const last = coarsest(run, clock);
  let level = 0;
  while (level < last && run.levels[level + 1].bin <= WIDEST_BIN * nsPerPixel) level++;
  return level;
}

export interface Wanted {
  shares: string;
  spans: string | null;
}

/** Looks up loaded tiles. */
export type Lookup = (path: string) => Tile | undefined;

/** Returns the pieces of a block of rows over a window, and the paths of the tiles that they should be made of; rows may be moved from the times of their tiles. */
export function pieces(run: number, meta: Run, clock: Clock, block: number, window: Window, nsPerPixel: number, grouped: boolean, tiles: Lookup, moved = 0): { pieces: Piece[]; wanted: Wanted[] } {
  const level = levelFor(meta, clock, nsPerPixel);
  const length = meta.spans[clock]?.length ?? 0;
  const width = BINS * meta.levels[level].bin;
  const result: Piece[] = [];
  const wanted: Wanted[] = [];
  for (const index of indices([window[0] - moved, window[1] - moved], length, width)) {
    const shares = tilePath(run, clock, "shares", level, index, block);
    const spans = grouped || expected(meta, block, length, width) > MOST_CALLS ? null : tilePath(run, clock, "spans", level, index, block);
    wanted.push({ shares, spans });
    const loaded = spans === null ? undefined : tiles(spans);
    const exact = loaded?.kind === "spans" && !loaded.tooMany;
    const { start, ...standing } = standIn(run, meta, clock, block, level, index, tiles);
    result.push({
      from: index * width + moved,
      to: Math.min((index + 1) * width, length) + moved,
      spans: exact ? spans : null,
      ...standing,
      start: start + moved,
      moved,
    });
  }
  return { pieces: result, wanted };
}

function standIn(run: number, meta: Run, clock: Clock, block: number, level: number, index: number, tiles: Lookup): Pick<Piece, "shares" | "start" | "bin"> {
  for (let coarser = level; coarser <= coarsest(meta, clock); coarser++) {
    const bin = meta.levels[coarser].bin;
    const at = Math.floor((index * meta.levels[level].bin) / bin);
    const shares = tilePath(run, clock, "shares", coarser, at, block);
    if (tiles(shares)) return { shares, start: at * BINS * bin, bin };
  }
  return { shares: null, start: 0, bin: 1 };
}

/** About how many calls a tile of a block holds. */
function expected(meta: Run, block: number, length: number, width: number): number {
  let events = 0;
  for (let row = block * BLOCK; row < Math.min((block + 1) * BLOCK, meta.rows.length); row++) events += meta.rows[row].events;
  return (events / 2) * Math.min(1, width / Math.max(length, 1));
}

/** The tiles of messages or collectives over a window. */
export function overlayTiles(run: number, meta: Run, clock: Clock, kind: TileKind, window: Window, nsPerPixel: number): string[] {
  const level = levelFor(meta, clock, nsPerPixel);
  const length = meta.spans[clock]?.length ?? 0;
  return indices(window, length, BINS * meta.levels[level].bin).map((index) => tilePath(run, clock, kind, level, index));
}

/** The numbers of the tiles of a width that touch a window of a run of a length. */
function indices([from, to]: Window, length: number, width: number): number[] {
  const first = Math.max(0, Math.floor(from / width));
  const last = Math.min(Math.ceil(to / width), Math.max(1, Math.ceil(length / width)));
  return Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
}
