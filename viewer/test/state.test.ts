import { expect, test } from "vitest";
import { App } from "../src/app";
import { fromFragment, History, toFragment, within, withWindow, type View } from "../src/state";
import { Synthetic } from "./synthetic";

const synthetic = new Synthetic();
const { start } = new App(synthetic, synthetic.meta(), "");

const elsewhere: View = {
  ...start,
  clock: "measured",
  window: [1_000_000.5, 2_000_000],
  crumbs: [
    [0, 100_000_000],
    [500_000, 5_000_000],
  ],
  sort: "waiting",
  folded: new Set(["0.0", "0.5"]),
  stacks: false,
  rowHeight: 12,
  top: 40,
  selected: { what: "message", run: 0, row: 1, event: 2, toRow: 3, toEvent: 4 },
  finding: 7,
  interval: [1_200_000, 1_300_000],
  path: true,
  arrows: false,
  hiddenClasses: new Set([1, 2]),
  filter: { region: "a, “b” & c=d", ranks: "0-3,7", communicator: 0, tag: 5 },
  panel: "flame",
  kind: "late_sender",
};

test("a view survives the way through the address", () => {
  expect(fromFragment(toFragment(elsewhere, start), start)).toEqual(elsewhere);
});

test("each kind of selection survives it, too", () => {
  for (const selected of [null, { what: "call", run: 0, row: 4, event: 9 }, { what: "collective", run: 0, number: 3 }] as const) {
    expect(fromFragment(toFragment({ ...start, selected }, start), start).selected).toEqual(selected);
  }
});

test("which of many hosts are folded takes little room in the address", () => {
  const hosts = Array.from({ length: 1024 }, (_, host) => `0.${65 * host}`);
  const many: View = { ...start, folded: new Set(hosts) };
  const foldings = [hosts, hosts.filter((host) => host !== "0.650"), [...hosts.slice(1), "0.3"], hosts.slice(0, 2), ["0.3"], []];
  for (const folded of foldings) {
    const fragment = toFragment({ ...many, folded: new Set(folded) }, many);
    expect(fragment.length).toBeLessThan(40);
    expect(fromFragment(fragment, many).folded).toEqual(new Set(folded));
  }
});

test("the first view needs no fragment", () => {
  expect(toFragment(start, start)).toBe("");
  expect(fromFragment("", start)).toEqual(start);
});

test("what a fragment names wrongly stays as at the start", () => {
  const view = fromFragment("clock=sundial&window=9:3&sort=colour&run=-1&selected=call:a:b:c&filter=%7B&height=NaN&interval=1", start);
  expect(view).toEqual({ ...start, selected: null });
});

test("undo and redo walk over views", () => {
  const history = new History(start);
  history.go({ ...start, path: true }, "", 0);
  history.go({ ...start, panel: "calls" }, "", 1);
  history.undo();
  expect(history.view.path).toBe(true);
  history.undo();
  expect(history.view).toBe(start);
  expect(history.canUndo).toBe(false);
  history.redo();
  history.redo();
  expect(history.view.panel).toBe("calls");
  history.undo();
  history.go({ ...start, panel: "sizes" }, "", 2);
  expect(history.canRedo).toBe(false);
});

test("the turns of a wheel are one step back", () => {
  const history = new History(start);
  for (let turn = 1; turn <= 5; turn++) history.go({ ...start, window: [0, 100 - turn] }, "zoom", 100 * turn);
  history.go({ ...start, window: [0, 10] }, "zoom", 5000);
  history.undo();
  expect(history.view.window).toEqual([0, 95]);
  history.undo();
  expect(history.view).toBe(start);
});

test("zooming in leaves breadcrumbs, and leaving them drops them", () => {
  const whole = { ...start, window: [0, 1000] as const };
  const once = withWindow(whole, [100, 200]);
  expect(once.crumbs).toEqual([[0, 1000]]);
  const twice = withWindow(once, [120, 140]);
  expect(twice.crumbs).toEqual([
    [0, 1000],
    [100, 200],
  ]);
  expect(withWindow(twice, [500, 520]).crumbs).toEqual([[0, 1000]]);
  expect(withWindow(twice, [0, 1000]).crumbs).toEqual([]);
  expect(withWindow(whole, [0, 800]).crumbs).toEqual([]);
});

test("a window stays within the run and does not become too short", () => {
  expect(within([-50, 50], 1000)).toEqual([0, 100]);
  expect(within([950, 1050], 1000)).toEqual([900, 1000]);
  expect(within([-5, 5000], 1000)).toEqual([0, 1000]);
  expect(within([10, 10], 1000)).toEqual([10, 30]);
  expect(within([0, 5], 0)).toEqual([0, 20]);
});
