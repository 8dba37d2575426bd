// Who sends how much to whom, as a map of colours with the heaviest pairs as a list.

import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../context";
import { bytes, count, plural } from "../format";
import { useValue } from "../value";
import { useSummary } from "./summary-of-window";

type Measure = "bytes" | "count";

export function MatrixPanel() {
  const { app, stage, view } = usePage();
  const { value } = useSummary();
  const theme = useValue(stage.theme);
  const [measure, setMeasure] = useState<Measure>("bytes");
  const [under, setUnder] = useState<[number, number] | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const matrix = value?.matrix;
  const n = matrix?.rows.length ?? 0;
  const cell = n === 0 ? 1 : Math.max(2, Math.min(24, Math.floor(190 / n)));
  useEffect(() => {
    if (canvas.current && matrix) draw(canvas.current, matrix[measure], cell, theme === "dark");
  }, [matrix, measure, theme, cell]);
  if (!matrix) return null;
  const pairs = matrix.rows
    .flatMap((_, from) => matrix.rows.map((_, to) => ({ from, to, count: matrix.count[from][to], bytes: matrix.bytes[from][to] })))
    .filter((pair) => pair.count > 0)
    .sort((a, b) => b[measure] - a[measure]);
  if (pairs.length === 0) return <p class="empty">No message is sent in this window.</p>;
  const tree = app.trees[view.run];
  const name = (i: number) => tree.fullName(matrix.rows[i]);
  const text = (from: number, to: number) => `${name(from)} → ${name(to)}: ${plural(matrix.count[from][to], "message")}, ${bytes(matrix.bytes[from][to])}`;
  const at = (event: MouseEvent): [number, number] | null => {
    const to = Math.floor(event.offsetX / cell);
    const from = Math.floor(event.offsetY / cell);
    return from >= 0 && from < n && to >= 0 && to < n ? [from, to] : null;
  };
  return (
    <div class="columns matrix">
      <figure>
        <figcaption>
          Rows send, columns receive
          <span class="segments" role="group" aria-label="Measure">
            {(["bytes", "count"] as const).map((which) => (
              <button aria-pressed={measure === which} onClick={() => setMeasure(which)}>
                {which === "bytes" ? "Bytes" : "Messages"}
              </button>
            ))}
          </span>
        </figcaption>
        <canvas ref={canvas} role="img" aria-label={`Matrix of messages among ${n} rows; the list beside it names the heaviest pairs`} onPointerMove={(event) => setUnder(at(event))} onPointerLeave={() => setUnder(null)} />
        <p class="under">{under ? text(...under) : " "}</p>
      </figure>
      <table>
        <caption>Heaviest pairs</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col" class="number">
              Messages
            </th>
            <th scope="col" class="number">
              Bytes
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.slice(0, 20).map((pair) => (
            <tr>
              {[pair.from, pair.to].map((end) => (
                <td>
                  <button class="link" onClick={() => app.reveal(view.run, matrix.rows[end])}>
                    {name(end)}
                  </button>
                </td>
              ))}
              <td class="number">{count(pair.count)}</td>
              <td class="number">{bytes(pair.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Paints each pair by the logarithm of its value, from the background to a full blue. */
function draw(canvas: HTMLCanvasElement, values: number[][], cell: number, dark: boolean): void {
  const n = values.length;
  canvas.width = canvas.height = n * cell;
  const context = canvas.getContext("2d")!;
  const most = Math.log1p(Math.max(...values.map((row) => Math.max(...row))));
  const [empty, low, full] = dark ? [[27, 34, 44], [31, 58, 86], [124, 199, 242]] : [[240, 243, 247], [198, 219, 239], [8, 64, 129]];
  values.forEach((row, from) =>
    row.forEach((value, to) => {
      const share = value > 0 ? Math.log1p(value) / most : 0;
      const colour = value > 0 ? low.map((c, i) => Math.round(c + share * (full[i] - c))) : empty;
      context.fillStyle = `rgb(${colour.join(",")})`;
      context.fillRect(to * cell, from * cell, cell - (cell > 4 ? 1 : 0), cell - (cell > 4 ? 1 : 0));
    }),
  );
}
