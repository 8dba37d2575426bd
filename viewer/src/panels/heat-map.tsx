// What each rank does in each iteration, as a map of colours: a rank that is always slow is a line
// across, an iteration that is slow for all a line down.

import { useEffect, useRef, useState } from "preact/hooks";
import { packed } from "../colours";
import { usePage } from "../context";
import { duration, plural } from "../format";
import type { Iterations } from "../protocol";
import { useValue } from "../value";

type What = "computation" | "waiting";
const MOST_HEIGHT = 220;
/** So many in a hundred cells have the strongest colour: the few largest must not make the rest pale. */
const STRONGEST = 0.02;

export function HeatMap() {
  const { app, view } = usePage();
  const known = useValue(app.iterations);
  const [what, setWhat] = useState<What>("computation");
  if (!known || known.run !== view.run) return null;
  const { found } = known;
  return (
    <section class="heat" aria-labelledby="heat-title">
      <p class="balance-head">
        <span id="heat-title">By rank and iteration: {what === "computation" ? "how long it computes" : "how long it waits"}</span>
        <span class="segments" role="group" aria-label="Colour">
          {(["computation", "waiting"] as const).map((it) => (
            <button aria-pressed={what === it} onClick={() => setWhat(it)}>
              {it}
            </button>
          ))}
        </span>
      </p>
      <Map found={found} what={what} />
    </section>
  );
}

function Map({ found, what }: { found: Iterations; what: What }) {
  const { app, stage, view } = usePage();
  const theme = useValue(stage.theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [at, setAt] = useState<{ row: number; column: number } | null>(null);
  const { rows, per } = found.balance;
  const cells = found.balance[what];
  const wide = cells[0]?.length ?? 0;
  const most = strongest(cells);
  useEffect(() => {
    const element = canvas.current!;
    if (wide === 0) return;
    element.width = wide;
    element.height = rows.length;
    const context = element.getContext("2d")!;
    const image = context.createImageData(wide, rows.length);
    const pixels = new Uint32Array(image.data.buffer);
    const { palette } = stage;
    const colours = ramp(packed(palette.band), packed(what === "waiting" ? palette.waiting : palette.select));
    cells.forEach((row, y) => row.forEach((ns, x) => (pixels[y * wide + x] = colours[Math.round((255 * Math.min(ns, most)) / most)])));
    context.putImageData(image, 0, 0);
  }, [found, what, theme]);
  const cellAt = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * wide);
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows.length);
    return column >= 0 && column < wide && row >= 0 && row < rows.length ? { row, column } : null;
  };
  /** The entry of the iterations that a column of the map begins in. */
  const entryOf = (column: number) => Math.floor((column * per) / found.per);
  const go = (cell: { row: number; column: number }) => {
    app.showIteration(entryOf(cell.column));
    app.reveal(view.run, rows[cell.row]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const now = at ?? { row: 0, column: -1 };
    const clamp = (value: number, n: number) => Math.min(n - 1, Math.max(0, value));
    if (by) setAt({ row: clamp(now.row + by[0], rows.length), column: clamp(now.column + by[1], wide) });
    else if (event.key === "Enter" && at) go(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const tree = app.trees[view.run];
  const name = (column: number) => (per === 1 ? `iteration ${column + 1}` : `iterations ${column * per + 1} to ${Math.min(found.count, (column + 1) * per)}, in the mean`);
  const verb = what === "computation" ? "computes" : "waits";
  return (
    <>
      <canvas
        ref={canvas}
        class="heat-map"
        style={{ height: `${Math.min(MOST_HEIGHT, Math.max(24, 14 * rows.length))}px` }}
        tabIndex={0}
        role="application"
        aria-label={`Map of ${plural(rows.length, "rank")} by ${plural(found.count, "iteration")}. Arrow keys choose a cell, Enter zooms to it.`}
        onPointerMove={(event) => setAt(cellAt(event))}
        onPointerLeave={() => setAt(null)}
        onClick={(event) => {
          const cell = cellAt(event);
          if (cell) go(cell);
        }}
        onKeyDown={onKeyDown}
      />
      <p class="quiet" role="status">
        {at
          ? `${tree.fullName(rows[at.row])} ${verb} ${duration(cells[at.row][at.column])} in ${name(at.column)}.`
          : `Each line is a rank, the lowest at the top; time runs to the right. The strongest colour is ${duration(most)}; a click zooms to the iteration.`}
      </p>
    </>
  );
}

/** The value at which colours are strongest. */
function strongest(cells: readonly number[][]): number {
  const all = cells.flat().sort((a, b) => b - a);
  return Math.max(1, all[Math.floor(all.length * STRONGEST)] ?? 1);
}

/** 256 colours from one to another, as the pixels of a picture hold them. */
export function ramp(from: number, to: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const mixed = (shift: number) => Math.round((((from >>> shift) & 255) * (255 - i) + ((to >>> shift) & 255) * i) / 255) << shift;
    return (0xff000000 | mixed(16) | mixed(8) | mixed(0)) >>> 0;
  });
}
