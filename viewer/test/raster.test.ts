// Known tiles, drawn, as a picture of letters: one letter is one pixel.

import { expect, test } from "vitest";
import { BINS, CLASS, NO_REGION, SHARES, WAITING } from "../src/protocol";
import { Raster, type Job, type Piece } from "../src/raster";
import { decode, type Shares, type Spans } from "../src/tiles";
import { tile } from "./synthetic";

const LETTERS: [number, string][] = [
  [1, "."], // background
  [10, "c"], // computation
  [11, "P"], // point-to-point
  [12, "C"], // collective
  [17, "u"], // not recorded
  [20, "~"], // waiting
  [21, "f"], // faded
  [22, "/"], // stripe of what was not recorded
  [30, "m"], // the function main
  [31, "s"], // the function solve
];
// Regions: 0 main, 1 solve, 2 MPI_Recv, 3 MPI_Barrier.
const CLASS_OF = [CLASS.computation, CLASS.computation, CLASS.pointToPoint, CLASS.collective];

function jobOf(width: number, height: number, piece: Partial<Piece>, change: Partial<Job> = {}): Job {
  return {
    width,
    height,
    scale: 1,
    from: 0,
    to: 100,
    lanes: [{ y: 0, height, lines: 1, row: 0, pieces: 0, run: 0, group: false }],
    pieces: [[{ from: 0, to: 100, shares: null, spans: null, start: 0, bin: 100 / BINS, ...piece }]],
    towards: null,
    colours: { background: 1, classes: [10, 11, 12, 13, 14, 15, 16, 17, 18], waiting: 20, faded: 21, stripe: 22 },
    regions: [{ colour: Uint32Array.of(30, 31, 0, 0), class: Uint8Array.from(CLASS_OF), shown: null }],
    hidden: new Array<boolean>(9).fill(false),
    ...change,
  };
}

function draw(job: Job, tiles: Record<string, Shares | Spans>): string[] {
  const raster = new Raster();
  for (const [path, made] of Object.entries(tiles)) raster.add(path, made);
  const pixels = raster.paint(job);
  return Array.from({ length: job.height }, (_, y) => Array.from(pixels.subarray(y * job.width, (y + 1) * job.width), (pixel) => LETTERS.find(([colour]) => colour === pixel)?.[1] ?? "?").join(""));
}

type Entry = [begin: number, end: number, region: number, depth: number, bits?: number];

function spans(entries: Entry[], waiting: [number, number][] = []): Spans {
  return decode(
    tile(2, entries.length, 0, [
      Float64Array.from(entries, ([begin]) => begin),
      Float64Array.from(entries, ([, end]) => end),
      new Uint32Array(entries.length),
      Uint32Array.from(entries, ([, , region]) => region),
      Uint32Array.from(entries, (_, i) => i),
      Uint16Array.from(entries, ([, , , depth]) => depth),
      Uint16Array.from(entries, ([, , , , bits]) => bits ?? 0),
      Uint32Array.of(waiting.length),
      Float64Array.from(waiting, ([begin]) => begin),
      Float64Array.from(waiting, ([, end]) => end),
      new Uint32Array(waiting.length),
      new Uint32Array(waiting.length),
    ]),
  ) as Spans;
}

/** Shares of one row; `of` says the shares of each bin, in hundredths by class. */
function shares(of: (bin: number) => Record<number, number>, region = NO_REGION): Shares {
  const values = new Uint16Array(BINS * SHARES);
  for (let bin = 0; bin < BINS; bin++) for (const [cls, share] of Object.entries(of(bin))) values[bin * SHARES + Number(cls)] = Math.round((65535 * share) / 100);
  return decode(tile(1, 1, 0, [values, new Uint16Array(BINS).fill(region)])) as Shares;
}

test("calls are drawn from begin to end, the innermost on top", () => {
  const tiles = { t: spans([[0, 100, 0, 0], [20, 50, 2, 1], [60, 80, 1, 1]]) };
  expect(draw(jobOf(10, 2, { spans: "t" }), tiles)).toEqual(["mmPPPmssmm", "mmPPPmssmm"]);
});

test("between calls the program computes", () => {
  expect(draw(jobOf(10, 1, { spans: "t" }), { t: spans([[20, 50, 2, 0]]) })).toEqual(["ccPPPccccc"]);
});

test("what is under a pixel is never hidden: short calls show their share", () => {
  const short = Array.from({ length: 20 }, (_, i): Entry => [5 * i, 5 * i + 2.5, 2, 0]);
  expect(draw(jobOf(10, 4, { spans: "t" }), { t: spans(short) })).toEqual(["PPPPPPPPPP", "PPPPPPPPPP", "cccccccccc", "cccccccccc"]);
});

test("bins show the same shares as the calls that they sum up", () => {
  const tiles = { t: shares(() => ({ [CLASS.computation]: 50, [CLASS.pointToPoint]: 25, [CLASS.collective]: 25 })) };
  expect(draw(jobOf(3, 4, { shares: "t" }), tiles)).toEqual(["PPP", "CCC", "ccc", "ccc"]);
});

test("a bin of one function has its colour, unless the row stands for several", () => {
  const tiles = { t: shares(() => ({ [CLASS.computation]: 100 }), 1) };
  expect(draw(jobOf(3, 1, { shares: "t" }), tiles)).toEqual(["sss"]);
  const job = jobOf(3, 1, { shares: "t" });
  job.lanes[0].group = true;
  expect(draw(job, tiles)).toEqual(["ccc"]);
});

test("waiting is a hatch on the upper part of the calls", () => {
  const tiles = { t: spans([[0, 100, 3, 0]], [[0, 60]]) };
  expect(draw(jobOf(10, 3, { spans: "t" }), tiles)).toEqual(["~~~CCCCCCC", "~~CCC~CCCC", "~CCC~~CCCC"]);
});

test("time that was not recorded is striped, and time outside the run stays empty", () => {
  const tiles = { t: shares((bin) => (bin < 128 ? { [CLASS.unrecorded]: 100 } : { [CLASS.nothing]: 100 })) };
  expect(draw(jobOf(10, 2, { shares: "t" }), tiles)).toEqual(["/uuuu.....", "uuuuu....."]);
});

test("a stack has a line for each depth", () => {
  const job = jobOf(10, 6, { spans: "t" });
  job.lanes[0].lines = 2;
  const [main, , , call] = draw(job, { t: spans([[0, 100, 0, 0], [20, 50, 2, 1]]) });
  expect(main).toBe("mmmmmmmmmm");
  expect(call).toBe("..PPP.....");
});

test("filters fade other classes and functions", () => {
  const tiles = { t: spans([[0, 100, 0, 0], [20, 50, 2, 1]]) };
  const hidden = jobOf(10, 1, { spans: "t" });
  hidden.hidden[CLASS.pointToPoint] = true;
  expect(draw(hidden, tiles)).toEqual(["mmfffmmmmm"]);
  const filtered = jobOf(10, 1, { spans: "t" });
  filtered.regions[0].shown = Uint8Array.of(0, 0, 1, 0);
  expect(draw(filtered, tiles)).toEqual(["ffPPPfffff"]);
});

test("a coarser tile stands in with bins wider than a pixel", () => {
  const tiles = { t: shares((bin) => (bin === 0 ? { [CLASS.pointToPoint]: 100 } : { [CLASS.computation]: 100 })) };
  expect(draw(jobOf(10, 1, { shares: "t", bin: 40 }), tiles)).toEqual(["PPPPcccccc"]);
});

test("while the clock is switched a call is on its way", () => {
  const towards = (amount: number) => ({ amount, pieces: [[{ from: 0, to: 100, shares: null, spans: "b", start: 0, bin: 1 }]] });
  const tiles = { a: spans([[0, 20, 2, 0]]), b: spans([[40, 60, 2, 0]]) };
  expect(draw(jobOf(10, 1, { spans: "a" }, { towards: towards(0) }), tiles)).toEqual(["PPcccccccc"]);
  expect(draw(jobOf(10, 1, { spans: "a" }, { towards: towards(0.5) }), tiles)).toEqual(["ccPPcccccc"]);
  expect(draw(jobOf(10, 1, { spans: "a" }, { towards: towards(1) }), tiles)).toEqual(["ccccPPcccc"]);
});

test("shares of waiting never exceed the lane, and rows beyond the tile draw nothing", () => {
  const job = jobOf(4, 2, { shares: "t" });
  job.lanes[0].row = 31;
  expect(draw(job, { t: shares(() => ({ [CLASS.collective]: 100, [WAITING]: 100 })) })).toEqual(["....", "...."]);
});

test("recording off within a call is hatched, with the stack and without", () => {
  const tiles = { t: spans([[0, 100, 0, 0], [40, 70, NO_REGION, 0, 4], [10, 20, 2, 1]]) };
  const folded = draw(jobOf(10, 1, { spans: "t" }), tiles)[0];
  expect(folded.replaceAll("/", "u")).toBe("mPmmuuummm");
  const stack = jobOf(10, 4, { spans: "t" }, { lanes: [{ y: 0, height: 4, lines: 2, row: 0, pieces: 0, run: 0, group: false }] });
  expect(draw(stack, tiles)[0].replaceAll("/", "u")).toBe("mmmmuuummm");
});

test("a row that was moved by hand is drawn where it was moved to, calls and waiting", () => {
  const tiles = { spans: spans([[20, 50, 2, 0]], [[20, 30]]) };
  const still = draw(jobOf(10, 1, { spans: "spans" }), tiles);
  const moved = draw(jobOf(10, 1, { spans: "spans", from: 40, to: 140, start: 40, moved: 40 }), tiles);
  expect(still).toEqual(["cc~PPccccc"]);
  // What was before the begin of the run is not there.
  expect(moved).toEqual(["....cc~PPc"]);
});
