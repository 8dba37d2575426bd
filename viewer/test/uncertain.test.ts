import { describe, expect, test } from "vitest";
import { between, plusMinus } from "../src/uncertain";

const clock = (...rows: number[]) => ({ name: "host", rows, measured_to_corrected: [], true: null });
const clocks = { clocks: [clock(1, 2), clock(3)] };
const end = (row: number, uncertainty: number | null) => ({ row, uncertainty });

describe("the error of what lies between two calls", () => {
  test("is that of both clocks", () => expect(between(end(1, 200), end(3, 300), clocks)).toBe(500));
  test("is none on one clock", () => expect(between(end(1, 200), end(2, 200), clocks)).toBe(0));
  test("is not known where that of one end is not", () => expect(between(end(1, null), end(3, 300), clocks)).toBeNull());
});

test("an error that is none or not known is not shown", () => {
  expect([400, 0, null].map((ns) => plusMinus("1 ms", ns))).toEqual(["1 ms ± 400\u00a0ns", "1 ms", "1 ms"]);
});
