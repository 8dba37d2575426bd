import { expect, test } from "vitest";
import { axis, stepFor } from "../src/axis";
import { bytes, duration, instant, percent } from "../src/format";

const labels = (from: number, to: number, pixels = 500) => axis(from, to, pixels).ticks.map(({ label }) => label.replace(/\u00a0|\u2009/g, " "));
const plain = (text: string) => text.replace(/\u00a0|\u2009/g, " ");

test("ticks stand at round times", () => {
  expect(labels(0, 1e9)).toEqual(["0", "200 ms", "400 ms", "600 ms", "800 ms", "1.0 s"]);
  expect(labels(0, 50)).toEqual(["0", "10 ns", "20 ns", "30 ns", "40 ns", "50 ns"]);
});

test("ticks of a long run are minutes and hours", () => {
  expect(labels(0, 600e9)).toEqual(["0", "2 min 00 s", "4 min 00 s", "6 min 00 s", "8 min 00 s", "10 min 00 s"]);
  expect(labels(0, 10 * 3600e9)).toEqual(["0", "2 h 00 min", "4 h 00 min", "6 h 00 min", "8 h 00 min", "10 h 00 min"]);
});

test("deep inside a run the axis names one time and counts from it", () => {
  const { base } = axis(1_020_400_000, 1_020_410_000, 500);
  expect(plain(base!.label)).toBe("1.020 400 s");
  expect(labels(1_020_400_000, 1_020_410_000)).toEqual(["+0", "+2 µs", "+4 µs", "+6 µs", "+8 µs", "+10 µs"]);
});

test("labels have room at any zoom, and none is missing", () => {
  for (let span = 20; span < 1e15; span *= 1.7) {
    for (const from of [0, 12_345, 1e9, 3.6e12]) {
      const { ticks, step } = axis(from, from + span, 900);
      expect((step * 900) / span).toBeGreaterThanOrEqual(89.9);
      expect(ticks.length).toBeGreaterThanOrEqual(Math.floor(span / step) - 1);
      expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    }
  }
});

test("steps are 1, 2 or 5 times a power of ten", () => {
  expect([0.9, 1, 3, 20, 21, 700].map(stepFor)).toEqual([1, 1, 5, 20, 50, 1000]);
});

test("numbers have units that a person reads", () => {
  expect([0, 7, 1240, 1_240_000, 999_960, 59e9, 125e9, 7500e9, -1500].map(duration).map(plain)).toEqual(["0 s", "7.00 ns", "1.24 µs", "1.24 ms", "1.00 ms", "59.0 s", "2 min 05 s", "2 h 05 min", "−1.50 µs"]);
  expect(plain(instant(1_020_450_000, 10_000))).toBe("1.020 45 s");
  expect([512, 8192, 1_500_000].map(bytes).map(plain)).toEqual(["512 B", "8 KiB", "1.43 MiB"]);
  expect([0, 0.0004, 0.317].map(percent).map(plain)).toEqual(["0.0 %", "< 0.1 %", "31.7 %"]);
});
