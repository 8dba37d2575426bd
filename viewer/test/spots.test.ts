// Rows of sums lead to the longest stays in a state, and to the largest messages.

import { expect, test } from "vitest";
import { App } from "../src/app";
import { CLASS, WAITING, type Clock } from "../src/protocol";
import { NotHeld } from "../src/report";
import { spotsOf, type Sum } from "../src/spots";
import type { Window } from "../src/state";
import { Synthetic, tile } from "./synthetic";

const synthetic = new Synthetic();
const open = (fragment = "", source = synthetic) => new App(source, source.meta(), fragment);
const length = (app: App) => app.length("corrected");
const look = (app: App, sum: Sum, window: Window, rows: number[] | null = null, source = app.source) =>
  spotsOf({ ask: app.ask, source, tree: app.trees[0], run: 0, clock: "corrected" as Clock, rows }, sum, window);
const callsOf = (...classes: number[]) => synthetic.calls.filter(({ region }) => classes.includes(synthetic.run.regions[region].class));

test("a class leads to its calls in the window, the longest first, each once", async () => {
  const app = open();
  const { spots, isPart } = await look(app, { state: CLASS.collective }, [0, length(app)]);
  const byLength = callsOf(CLASS.collective).map(({ begin, end }) => end - begin).sort((a, b) => b - a);
  expect(isPart).toBe(false);
  expect(spots.map(({ weight }) => weight)).toEqual(byLength);
  const some = await look(app, { state: CLASS.collective }, [0, length(app) / 2]);
  expect(some.spots.length).toBeLessThan(spots.length);
  expect(some.spots.every(({ begin }) => begin < length(app) / 2)).toBe(true);
});

test("computation leads to the time between two calls of MPI, and to the function there", async () => {
  const app = open();
  const { spots } = await look(app, { state: CLASS.computation }, [0, length(app)]);
  const relax = synthetic.calls.filter(({ region }) => region === 1).sort((a, b) => b.end - b.begin - (a.end - a.begin))[0];
  expect(spots[0]).toMatchObject({ row: relax.row, begin: relax.begin, end: relax.end, isCall: false });
  await app.sums.follow(0, { state: CLASS.computation });
  expect(app.view.get()).toMatchObject({ selected: { row: relax.row, event: relax.event }, interval: [relax.begin, relax.end] });
});

test("computation that goes on beyond all tiles of the window is found, and what does not run is not it", async () => {
  // No program functions are recorded, and the window holds no call.
  const bare = new Synthetic();
  bare.calls.splice(0, bare.calls.length, ...bare.calls.filter(({ region }) => region > 1));
  const app = open("", bare);
  const relax = synthetic.calls.filter(({ region }) => region === 1)[12];
  const middle = (relax.begin + relax.end) / 2;
  const { spots } = await look(app, { state: CLASS.computation }, [middle, middle + 2000], [relax.row]);
  expect(spots).toHaveLength(1);
  expect(spots[0]).toMatchObject({ row: relax.row, begin: relax.begin, end: relax.end });
  const idle = await look(app, { state: CLASS.nothing }, [0, length(app)]);
  const last = Math.max(...bare.calls.map(({ end }) => end));
  expect(idle.spots.some(({ end, event }) => end === length(app) && event === null)).toBe(true);
  expect(idle.spots.every(({ begin, end }) => begin === 0 || end === length(app))).toBe(true);
  expect((await look(app, { state: CLASS.computation }, [0, length(app)])).spots.every(({ end }) => end <= last)).toBe(true);
});

test("waiting leads to each time of waiting", async () => {
  const app = open();
  const { spots } = await look(app, { state: WAITING }, [0, length(app)]);
  expect(spots[0].weight).toBe(Math.max(...synthetic.calls.map(({ waiting }) => waiting)));
  expect(spots).toHaveLength(synthetic.calls.filter(({ waiting }) => waiting > 0).length);
});

test("a size leads to its messages, the largest first", async () => {
  const app = open();
  const { spots } = await look(app, { sizes: [16384, 32767] }, [0, length(app)]);
  const sizes = synthetic.messages.map(({ bytes }) => bytes).filter((bytes) => bytes >= 16384 && bytes <= 32767);
  expect(spots.map(({ weight }) => weight)).toEqual(sizes.sort((a, b) => b - a));
});

test("ranks that the filter leaves out are left out", async () => {
  const app = open();
  const { spots } = await look(app, { state: CLASS.collective }, [0, length(app)], [3]);
  expect(new Set(spots.map(({ row }) => row))).toEqual(new Set([3]));
});

test("where tiles have too many entries the window is narrowed to where there is most, which is said", async () => {
  const app = open();
  const cut = {
    json: <T>(path: string) => synthetic.json<T>(path),
    bytes: async (path: string) => {
      const level = Number(path.split("/")[4]);
      return level > 2 ? tile(path.includes("spans") ? 2 : 3, 0, 1, [Uint32Array.of(0)]) : synthetic.bytes(path);
    },
  };
  const found = await look(app, { state: CLASS.collective }, [0, length(app)], null, cut);
  expect(found.isPart).toBe(true);
  expect(found.spots.length).toBeGreaterThan(0);
});

test("a row is followed from spot to spot, and from the last to the first", async () => {
  const app = open();
  const { spots } = await look(app, { state: CLASS.io }, [0, length(app)]);
  expect(spots).toHaveLength(1);
  await app.sums.follow(0, { state: CLASS.io });
  expect(app.view.get().selected).toMatchObject({ what: "call", event: spots[0].event });
  expect(app.notice.get()).toMatch(/^rank 0: 2\.00\sms, the only one\.$/);
  const messages = await look(app, { sizes: [8192, 16383] }, [0, length(app)]);
  const seen: (number | undefined)[] = [];
  for (let i = 0; i <= messages.spots.length; i++) {
    await app.sums.follow(0, { sizes: [8192, 16383] });
    const { selected } = app.view.get();
    expect(selected?.what).toBe("message");
    seen.push(selected?.what === "message" ? selected.toEvent * 100 + selected.toRow : undefined);
  }
  expect(new Set(seen).size).toBe(messages.spots.length);
  expect(seen.at(-1)).toBe(seen[0]);
  expect(app.view.get().window).toEqual([0, length(app)]);
});

test("computation is marked, and goes on in the window from before", async () => {
  const app = open();
  await app.sums.follow(0, { state: CLASS.computation });
  const first = app.view.get().interval!;
  await app.sums.follow(0, { state: CLASS.computation });
  const second = app.view.get().interval!;
  expect(second[1] - second[0]).toBeLessThan(first[1] - first[0]);
  expect(second[0] >= first[1] || second[1] <= first[0]).toBe(true);
  expect(app.notice.get()).toMatch(/number 2 of \d+ by length\.$/);
});

test("a report that lacks what is needed says so", async () => {
  const without = { json: <T>(path: string) => synthetic.json<T>(path), bytes: () => Promise.reject(new NotHeld("this detail")) };
  const app = new App(without, synthetic.meta(), "");
  await app.sums.follow(0, { state: CLASS.collective });
  expect(app.notice.get()).toMatch(/report does not hold/);
  expect(app.view.get().selected).toBeNull();
});

test("a wait that a finding tells of leads to the finding", async () => {
  const app = open();
  const { calls } = synthetic;
  const wait = calls.reduce((a, b) => (a.waiting > b.waiting ? a : b));
  const listed = {
    json: <T>(path: string) => synthetic.json<T>(path),
    bytes: async (path: string) => {
      if (!path.includes("spans")) return synthetic.bytes(path);
      const times = [Float64Array.of(wait.begin), Float64Array.of(wait.begin + wait.waiting)];
      return tile(2, 0, 0, [Uint32Array.of(1), ...times, Uint32Array.of(wait.row), Uint32Array.of(3)]);
    },
  };
  const other = new App(listed, synthetic.meta(), "");
  await other.sums.follow(0, { state: WAITING });
  expect(other.view.get().finding).toBe(3);
  await app.sums.follow(0, { state: WAITING });
  expect(app.view.get()).toMatchObject({ finding: null, selected: { what: "call", row: wait.row } });
});
