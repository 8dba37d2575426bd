// Tiles: what they hold, and which are kept.
//
// The bytes become typed arrays without a copy where alignment allows it. The cache keeps
// the tiles used last; what it lacks it asks for, and only while somebody wants it.

import { BINS, SHARES } from "./protocol";
import { withdrawn, type Source } from "./source";

export interface Shares {
  kind: "shares";
  bytes: ArrayBuffer;
  rows: number;
  /** By row, bin and class (waiting last), in 1/65535. */
  shares: Uint16Array;
  /** By row and bin: the region that takes the most. */
  regions: Uint16Array;
}

export interface Spans {
  kind: "spans";
  bytes: ArrayBuffer;
  tooMany: boolean;
  n: number;
  begin: Float64Array;
  end: Float64Array;
  row: Uint32Array;
  region: Uint32Array;
  event: Uint32Array;
  depth: Uint16Array;
  bits: Uint16Array;
  waiting: { n: number; begin: Float64Array; end: Float64Array; row: Uint32Array; finding: Uint32Array };
}

export interface Messages {
  kind: "messages";
  bytes: ArrayBuffer;
  aggregated: boolean;
  n: number;
  send: Float64Array;
  receive: Float64Array;
  size: Float64Array;
  from: Uint32Array;
  to: Uint32Array;
  count: Uint32Array;
  reversed: Uint32Array;
  tag: Uint32Array;
  communicator: Uint32Array;
  sendEvent: Uint32Array;
  receiveEvent: Uint32Array;
}

export interface Collectives {
  kind: "collectives";
  bytes: ArrayBuffer;
  tooMany: boolean;
  n: number;
  firstEnter: Float64Array;
  lastEnter: Float64Array;
  lastLeave: Float64Array;
  region: Uint32Array;
  communicator: Uint32Array;
  members: Uint32Array;
  lowest: Uint32Array;
  highest: Uint32Array;
  number: Uint32Array;
}

export type Tile = Shares | Spans | Messages | Collectives;

const FORMAT = 1;
const HEADER = 16;
export const BEGIN_UNKNOWN = 1;
export const END_UNKNOWN = 2;
export const UNRECORDED = 4;

/** Reads a tile; throws if the bytes are none. */
export function decode(bytes: ArrayBuffer): Tile {
  if (bytes.byteLength < HEADER) throw new Error(`a tile has ${bytes.byteLength} bytes, fewer than its header`);
  const [format, kind, n, flags] = new Uint32Array(bytes, 0, 4) as unknown as [number, number, number, number];
  if (format !== FORMAT) throw new Error(`a tile has format ${format}; this page reads ${FORMAT}`);
  const columns = new Columns(bytes, HEADER);
  switch (kind) {
    case 1:
      return decodeShares(columns, n);
    case 2:
      return decodeSpans(columns, n, flags);
    case 3:
      return decodeMessages(columns, n, flags);
    case 4:
      return decodeCollectives(columns, n, flags);
    default:
      throw new Error(`a tile has the unknown kind ${kind}`);
  }
}

function decodeShares(columns: Columns, rows: number): Shares {
  const shares = columns.u16(rows * BINS * SHARES);
  return { kind: "shares", bytes: columns.bytes, rows, shares, regions: columns.u16(rows * BINS) };
}

function decodeSpans(columns: Columns, n: number, flags: number): Spans {
  const calls = {
    begin: columns.f64(n),
    end: columns.f64(n),
    row: columns.u32(n),
    region: columns.u32(n),
    event: columns.u32(n),
    depth: columns.u16(n),
    bits: columns.u16(n),
  };
  const w = columns.ended ? 0 : columns.u32(1)[0];
  const waiting = { n: w, begin: columns.f64(w), end: columns.f64(w), row: columns.u32(w), finding: columns.u32(w) };
  return { kind: "spans", bytes: columns.bytes, tooMany: (flags & 1) !== 0, n, ...calls, waiting };
}

function decodeMessages(columns: Columns, n: number, flags: number): Messages {
  return {
    kind: "messages",
    bytes: columns.bytes,
    aggregated: (flags & 1) !== 0,
    n,
    send: columns.f64(n),
    receive: columns.f64(n),
    size: columns.f64(n),
    from: columns.u32(n),
    to: columns.u32(n),
    count: columns.u32(n),
    reversed: columns.u32(n),
    tag: columns.u32(n),
    communicator: columns.u32(n),
    sendEvent: columns.u32(n),
    receiveEvent: columns.u32(n),
  };
}

function decodeCollectives(columns: Columns, n: number, flags: number): Collectives {
  return {
    kind: "collectives",
    bytes: columns.bytes,
    tooMany: (flags & 1) !== 0,
    n,
    firstEnter: columns.f64(n),
    lastEnter: columns.f64(n),
    lastLeave: columns.f64(n),
    region: columns.u32(n),
    communicator: columns.u32(n),
    members: columns.u32(n),
    lowest: columns.u32(n),
    highest: columns.u32(n),
    number: columns.u32(n),
  };
}

/** Takes one column after the other from a tile's bytes. */
class Columns {
  constructor(
    readonly bytes: ArrayBuffer,
    private at: number,
  ) {}

  get ended(): boolean {
    return this.at >= this.bytes.byteLength;
  }

  u16(n: number): Uint16Array {
    return new Uint16Array(this.bytes, this.take(2 * n), n);
  }

  u32(n: number): Uint32Array {
    return new Uint32Array(this.bytes, this.take(4 * n), n);
  }

  f64(n: number): Float64Array {
    const from = this.take(8 * n);
    return from % 8 === 0 ? new Float64Array(this.bytes, from, n) : new Float64Array(this.bytes.slice(from, from + 8 * n));
  }

  private take(length: number): number {
    const from = this.at;
    this.at += length;
    if (this.at > this.bytes.byteLength) throw new Error(`a tile ends after ${this.bytes.byteLength} bytes, within a column`);
    return from;
  }
}

const KEPT_BYTES = 192 << 20;
const AT_ONCE = 6;
const ASK_AGAIN_MS = 3000;

/** Keeps tiles by path, those used last; asks for those that are wanted. */
export class Tiles {
  private readonly kept = new Map<string, Tile>();
  private readonly failed = new Map<string, { error: unknown; at: number }>();
  private readonly asked = new Map<string, AbortController>();
  private wanted: string[] = [];
  private total = 0;

  constructor(
    private readonly source: Source,
    private readonly events: {
      arrived(path: string, tile: Tile): void;
      dropped(path: string): void;
      failed(error: unknown): void;
    },
    private readonly limit = KEPT_BYTES,
  ) {}

  get(path: string): Tile | undefined {
    const tile = this.kept.get(path);
    if (tile) {
      this.kept.delete(path);
      this.kept.set(path, tile);
    }
    return tile;
  }

  /** Whether a tile is there, or cannot be had. */
  settled(path: string): boolean {
    return this.kept.has(path) || this.failed.has(path);
  }

  /** Sets which tiles are wanted, the most urgent first; questions for others are withdrawn. */
  want(paths: string[]): void {
    this.wanted = paths;
    const now = new Set(paths);
    for (const [path, controller] of this.asked) {
      if (!now.has(path)) {
        controller.abort();
        this.asked.delete(path);
      }
    }
    this.ask();
  }

  private open(path: string): boolean {
    if (this.kept.has(path) || this.asked.has(path)) return false;
    const failure = this.failed.get(path);
    return !failure || performance.now() - failure.at > ASK_AGAIN_MS;
  }

  private ask(): void {
    for (const path of this.wanted) {
      if (this.asked.size >= AT_ONCE) return;
      if (this.open(path)) void this.fetch(path);
    }
  }

  private async fetch(path: string): Promise<void> {
    const controller = new AbortController();
    this.asked.set(path, controller);
    try {
      const tile = decode(await this.source.bytes(path, controller.signal));
      this.finish(path, controller);
      this.keep(path, tile);
    } catch (error) {
      this.finish(path, controller);
      if (!withdrawn(error)) {
        this.failed.set(path, { error, at: performance.now() });
        this.events.failed(error);
      }
    }
    this.ask();
  }

  private finish(path: string, controller: AbortController): void {
    if (this.asked.get(path) === controller) this.asked.delete(path);
  }

  private keep(path: string, tile: Tile): void {
    this.failed.delete(path);
    this.kept.set(path, tile);
    this.total += tile.bytes.byteLength;
    for (const [old, { bytes }] of this.kept) {
      if (this.total <= this.limit || old === path) break;
      if (this.wanted.includes(old)) continue;
      this.kept.delete(old);
      this.total -= bytes.byteLength;
      this.events.dropped(old);
    }
    this.events.arrived(path, tile);
  }
}
