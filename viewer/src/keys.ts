// The keys, as a table; the page acts by it, and the help is written from it.

import type { App } from "./app";

export interface Key {
  /** As `KeyboardEvent.key`; letters in lower case. */
  keys: string[];
  ctrl?: boolean;
  shift?: boolean;
  /** As the help names it. */
  shown: string;
  help: string;
  group: "Move" | "Select" | "Show" | "Shift" | "Page";
  /** Only while the time lines have the focus, as lists and fields need these keys themselves. */
  onTimeLines?: boolean;
  run(app: App): unknown;
}

const ZOOM = 0.7;
const PAN = 0.2;

export const KEYS: readonly Key[] = [
  { keys: ["w"], shown: "W", help: "Zoom in", group: "Move", run: (app) => app.zoom(ZOOM) },
  { keys: ["s"], shown: "S", help: "Zoom out", group: "Move", run: (app) => app.zoom(1 / ZOOM) },
  { keys: ["a"], shown: "A", help: "Move to earlier times", group: "Move", run: (app) => app.pan(-PAN) },
  { keys: ["d"], shown: "D", help: "Move to later times", group: "Move", run: (app) => app.pan(PAN) },
  { keys: ["f"], shown: "F", help: "Fill the window with the selection", group: "Move", run: (app) => app.frame() },
  { keys: ["0", "home"], shown: "0", help: "Show the whole run", group: "Move", run: (app) => app.wholeRun() },
  { keys: ["pageup"], shown: "Page up", help: "Scroll the rows up", group: "Move", onTimeLines: true, run: (app) => scroll(app, -1) },
  { keys: ["pagedown"], shown: "Page down", help: "Scroll the rows down", group: "Move", onTimeLines: true, run: (app) => scroll(app, 1) },
  { keys: ["arrowleft"], shown: "←", help: "Select the call before, on the same row", group: "Select", onTimeLines: true, run: (app) => app.neighbour("previous") },
  { keys: ["arrowright"], shown: "→", help: "Select the call after, on the same row", group: "Select", onTimeLines: true, run: (app) => app.neighbour("next") },
  { keys: ["arrowup"], shown: "↑", help: "Select what the row above does at that time", group: "Select", onTimeLines: true, run: (app) => app.neighbourRow(-1) },
  { keys: ["arrowdown"], shown: "↓", help: "Select what the row below does at that time", group: "Select", onTimeLines: true, run: (app) => app.neighbourRow(1) },
  { keys: ["["], shown: "[", help: "Select the previous call of the same function", group: "Select", run: (app) => app.sameKind("previous") },
  { keys: ["]"], shown: "]", help: "Select the next call of the same function", group: "Select", run: (app) => app.sameKind("next") },
  { keys: ["i"], shown: "I", help: "Show the next iteration", group: "Move", run: (app) => app.nextIteration(1) },
  { keys: ["i"], shift: true, shown: "Shift I", help: "Show the iteration before", group: "Move", run: (app) => app.nextIteration(-1) },
  { keys: ["m"], shown: "M", help: "Follow the message to its other end", group: "Select", run: (app) => app.followMessage() },
  { keys: ["/"], shown: "/", help: "Search for functions, ranks, hosts, lines, findings", group: "Select", run: () => focusOn("search") },
  { keys: ["n"], shown: "N", help: "Go to the next match of the search", group: "Select", run: (app) => app.searching.on("next") },
  { keys: ["n"], shift: true, shown: "Shift N", help: "Go to the previous match of the search", group: "Select", run: (app) => app.searching.on("previous") },
  { keys: ["escape"], shown: "Esc", help: "Close, deselect, then zoom out step by step", group: "Select", run: (app) => app.escape() },
  { keys: ["c"], shown: "C", help: "Show times by the next clock", group: "Show", run: (app) => app.switchClock(1) },
  { keys: ["c"], shift: true, shown: "Shift C", help: "Show times by the previous clock", group: "Show", run: (app) => app.switchClock(-1) },
  { keys: ["p"], shown: "P", help: "Show or hide the critical path", group: "Show", run: (app) => app.togglePath() },
  { keys: ["e"], shown: "E", help: "Show or hide the arrows of messages", group: "Show", run: (app) => app.go({ arrows: !app.view.get().arrows }) },
  { keys: ["t"], shown: "T", help: "Show or hide the call stacks", group: "Show", run: (app) => app.go({ stacks: !app.view.get().stacks }) },
  { keys: ["r"], shown: "R", help: "Sort the rows by rank, waiting or similarity", group: "Show", run: (app) => app.nextSort() },
  { keys: ["x"], shown: "X", help: "Fold or unfold all groups of rows", group: "Show", run: (app) => app.toggleFolds() },
  { keys: ["+", "="], shown: "+", help: "Make the rows higher", group: "Show", run: (app) => app.rowHeight(1) },
  { keys: ["-"], shown: "−", help: "Make the rows lower", group: "Show", run: (app) => app.rowHeight(-1) },
  { keys: ["h"], shown: "H", help: "Drag rows in time in place of the window", group: "Shift", run: (app) => app.toggleShifting() },
  { keys: ["h"], shift: true, shown: "Shift H", help: "List the shifts, type one, reset one or all", group: "Shift", run: (app) => showPanel(app, "shifts") },
  { keys: [","], shown: ",", help: "Shift the row of the selection to earlier times, by a pixel", group: "Shift", run: (app) => app.nudge(-1) },
  { keys: ["."], shown: ".", help: "Shift the row of the selection to later times, by a pixel", group: "Shift", run: (app) => app.nudge(1) },
  { keys: ["<", ";"], shown: "Shift ,", help: "The same by ten pixels, to earlier times", group: "Shift", run: (app) => app.nudge(-10) },
  { keys: [">", ":"], shown: "Shift .", help: "The same by ten pixels, to later times", group: "Shift", run: (app) => app.nudge(10) },
  { keys: ["z"], ctrl: true, shown: "Ctrl Z", help: "Undo", group: "Page", run: (app) => app.undo() },
  { keys: ["z"], ctrl: true, shift: true, shown: "Ctrl Shift Z", help: "Redo", group: "Page", run: (app) => app.redo() },
  { keys: ["g"], shown: "G", help: "Put the focus on the time lines", group: "Page", run: () => focusOn("timelines") },
  { keys: ["?"], shown: "?", help: "Show this list", group: "Page", run: (app) => app.help.set(!app.help.get()) },
];

/** The pointer's part of the help. */
export const POINTER: readonly [string, string][] = [
  ["Wheel", "Zoom at the pointer"],
  ["Shift wheel", "Scroll the rows"],
  ["Drag", "Move in time, and up and down"],
  ["Shift drag", "Select an interval of time"],
  ["Drag a row's name", "Shift the row in time, with all rows below it"],
  ["Click", "Select a call, a message or a collective operation"],
  ["Double click", "Fill the window with what is there"],
];

/** Returns the row of the table that a key press means. */
export function keyFor(event: { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean }, onTimeLines: boolean): Key | undefined {
  if (event.altKey) return undefined;
  const key = event.key.toLowerCase();
  const letter = /^[a-z]$/.test(key);
  const ctrl = event.ctrlKey || event.metaKey;
  return KEYS.find(
    (entry) =>
      entry.keys.includes(key) && Boolean(entry.ctrl) === ctrl && (!letter || Boolean(entry.shift) === event.shiftKey) && (!entry.onTimeLines || onTimeLines),
  );
}

/** Acts on the keys of a document, except where somebody types. */
export function listen(document: Document, app: App): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.key === "Escape" && target.matches("input, select")) return target.blur();
    if (target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
    const key = keyFor(event, target.id === "timelines" || target === document.body);
    if (!key) return;
    event.preventDefault();
    void key.run(app);
  });
}

function showPanel(app: App, panel: "shifts"): void {
  app.go({ panel }, "panel");
  setTimeout(() => focusOn("panel"));
}

export function focusOn(id: string): void {
  const element = document.getElementById(id);
  element?.focus();
  if (element instanceof HTMLInputElement) element.select();
}

function scroll(app: App, pages: number): void {
  const { height, layout } = app.display;
  const most = Math.max(0, (layout?.height ?? 0) - height);
  app.amend({ top: Math.min(most, Math.max(0, app.view.get().top + 0.8 * pages * height)) });
}
