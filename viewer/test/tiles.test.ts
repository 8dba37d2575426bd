import { expect, test } from "vitest";
import { BINS, SHARES } from "../src/protocol";
import type { Source } from "../src/source";
import { decode, Tiles, type Tile } from "../src/tiles";
import { tile } from "./synthetic";

const spans = (n: number, w: number) =>
  tile(2, n, 0, [
    Float64Array.from({ length: n }, (_, i) => 10 * i),
    Float64Array.from({ length: n }, (_, i) => 10 * i + 5),
    new Uint32Array(n).fill(3),
    Uint32Array.from({ length: n }, (_, i) => i),
    new Uint32Array(n),
    new Uint16Array(n).fill(1),
    new Uint16Array(n),
    Uint32Array.of(w),
    Float64Array.from({ length: w }, (_, i) => i + 0.5),
    Float64Array.from({ length: w }, (_, i) => i + 0.75),
    new Uint32Array(w).fill(7),
    new Uint32Array(w).fill(9),
  ]);

test("calls and the waiting behind them are read, aligned or not", () => {
  for (const n of [0, 1, 2, 5]) {
    const read = decode(spans(n, 2));
    if (read.kind !== "spans") throw new Error(read.kind);
    expect([...read.end]).toEqual(Array.from({ length: n }, (_, i) => 10 * i + 5));
    expect([...read.waiting.begin]).toEqual([0.5, 1.5]);
    expect([...read.waiting.end]).toEqual([0.75, 1.75]);
    expect([...read.waiting.finding]).toEqual([9, 9]);
  }
});

test("a tile with too many calls says so", () => {
  const read = decode(tile(2, 0, 1, [Uint32Array.of(0)]));
  expect(read).toMatchObject({ kind: "spans", tooMany: true, n: 0 });
});

test("shares are read by row, bin and class", () => {
  const shares = new Uint16Array(2 * BINS * SHARES);
  shares[(1 * BINS + 4) * SHARES + 2] = 65535;
  const read = decode(tile(1, 2, 0, [shares, new Uint16Array(2 * BINS).fill(8)]));
  if (read.kind !== "shares") throw new Error(read.kind);
  expect(read.shares[(BINS + 4) * SHARES + 2]).toBe(65535);
  expect(read.regions.length).toBe(2 * BINS);
});

test("bytes that are no tile are refused", () => {
  expect(() => decode(new ArrayBuffer(8))).toThrow("fewer than its header");
  expect(() => decode(Uint32Array.of(2, 1, 0, 0).buffer)).toThrow("format 2");
  expect(() => decode(Uint32Array.of(1, 9, 0, 0).buffer)).toThrow("unknown kind 9");
  expect(() => decode(spans(3, 0).slice(0, 40))).toThrow("within a column");
});

/** A source whose answers wait until the test lets them go. */
class Waiting implements Source {
  readonly open = new Map<string, (bytes: ArrayBuffer) => void>();
  json<T>(): Promise<T> {
    throw new Error("not asked");
  }
  bytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
    return new Promise((resolve, reject) => {
      this.open.set(path, resolve);
      signal?.addEventListener("abort", () => {
        this.open.delete(path);
        reject(new DOMException("withdrawn", "AbortError"));
      });
    });
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

function tilesOf(source: Source, limit?: number) {
  const arrived: string[] = [];
  const dropped: string[] = [];
  const failed: unknown[] = [];
  const events = { arrived: (path: string, _: Tile) => arrived.push(path), dropped: (path: string) => dropped.push(path), failed: (error: unknown) => failed.push(error) };
  return { tiles: new Tiles(source, events, limit), arrived, dropped, failed };
}

test("questions for tiles that nobody wants any more are withdrawn", async () => {
  const source = new Waiting();
  const { tiles, failed } = tilesOf(source);
  tiles.want(["a", "b"]);
  expect([...source.open.keys()]).toEqual(["a", "b"]);
  tiles.want(["b", "c"]);
  await settle();
  expect([...source.open.keys()]).toEqual(["b", "c"]);
  expect(failed).toEqual([]);
});

test("at most six questions are open at once, the most urgent first", async () => {
  const source = new Waiting();
  const { tiles } = tilesOf(source);
  const wanted = Array.from({ length: 10 }, (_, i) => `t${i}`);
  tiles.want(wanted);
  expect(source.open.size).toBe(6);
  source.open.get("t0")!(spans(1, 0));
  await settle();
  expect(source.open.has("t6")).toBe(true);
  expect(wanted.filter((path) => tiles.settled(path))).toEqual(["t0"]);
});

test("the tiles used last are kept, and never one that is wanted is dropped", async () => {
  const source = new Waiting();
  const size = spans(4, 0).byteLength;
  const { tiles, dropped } = tilesOf(source, 2 * size);
  for (const path of ["a", "b"]) {
    tiles.want([path]);
    source.open.get(path)!(spans(4, 0));
    await settle();
  }
  tiles.get("a");
  tiles.want(["c"]);
  source.open.get("c")!(spans(4, 0));
  await settle();
  expect(dropped).toEqual(["b"]);
  expect(tiles.get("a")).toBeDefined();
});

test("a tile that cannot be read is told of and not asked for again at once", async () => {
  const source = new Waiting();
  const { tiles, failed } = tilesOf(source);
  tiles.want(["a"]);
  source.open.get("a")!(new ArrayBuffer(3));
  source.open.clear();
  await settle();
  tiles.want(["a"]);
  expect(failed).toHaveLength(1);
  expect(source.open.size).toBe(0);
});
