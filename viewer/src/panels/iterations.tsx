// How long each iteration takes, and what ranks do in it; a click zooms to one.

import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../context";
import { count, duration, percent, plural } from "../format";
import { columns, entries, entryAt, entryOf, lengthOf, nameOf, topOf } from "../iterations";
import { CLASS, type Iterations } from "../protocol";
import { useValue } from "../value";

export function IterationsPanel() {
  const { app, view } = usePage();
  const known = useValue(app.iterations);
  const { reason } = app.run.iterations;
  if (reason) return <p class="empty">This run has no iterations: {reason}.</p>;
  if (!known || known.run !== view.run) return <p class="empty">The iterations are on their way …</p>;
  return (
    <div class="columns iterations">
      <Told found={known.found} />
      <Chart found={known.found} />
    </div>
  );
}

/** What is to be said of all of them. */
function Told({ found }: { found: Iterations }) {
  const { app, view } = usePage();
  const { drift, slow } = found;
  return (
    <div class="iterations-told">
      <p>
        <strong>{plural(found.count, "iteration")}</strong>, from one {found.anchor ?? "call"}
        {found.collective ? "" : " of each rank"} to the next; they cover {percent(found.share)} of the time between MPI_Init and MPI_Finalize.
      </p>
      <dl class="facts">
        <dt>Median</dt>
        <dd>{duration(found.median)}</dd>
        <dt>Shortest</dt>
        <dd>{duration(found.shortest)}</dd>
        <dt>Longest</dt>
        <dd>{duration(found.longest)}</dd>
        <dt title="Those that call what most of them call, and take about as long">Alike</dt>
        <dd>{percent(found.alike)}</dd>
        {found.warm_up > 0 && (
          <>
            <dt>Warm-up</dt>
            <dd>{found.warm_up === 1 ? "the first is slow" : `the first ${count(found.warm_up)} are slow`}</dd>
          </>
        )}
        {drift && (
          <>
            <dt>Drift</dt>
            <dd>
              each {duration(Math.abs(drift.each))} {drift.each > 0 ? "longer" : "shorter"}, {duration(Math.abs(drift.in_all))} in all
            </dd>
          </>
        )}
      </dl>
      {slow.length > 0 ? (
        <>
          <h3>Much longer than the others</h3>
          <ul class="others">
            {[...slow]
              .sort((a, b) => b.length - a.length)
              .slice(0, 20)
              .map((it) => (
                <li key={it.number}>
                  <button
                    class="link"
                    aria-current={it.finding !== null && view.finding === it.finding}
                    onClick={() => (it.finding === null ? app.showIteration(entryOf(found, it.number)) : void app.followFinding(view.run, it.finding))}
                  >
                    {count(it.number)}: {duration(it.length)}
                    {it.why ? `, ${it.why}` : ""}
                  </button>
                </li>
              ))}
          </ul>
        </>
      ) : (
        <p class="quiet">No iteration takes much longer than the others.</p>
      )}
    </div>
  );
}

const HEIGHT = 150;
const LEFT = 64;

/** Bars of all iterations, stacked by what ranks do in the mean. */
function Chart({ found }: { found: Iterations }) {
  const { app, stage, view } = usePage();
  const theme = useValue(stage.theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(frame.current?.clientWidth ?? 0));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  const wide = Math.max(1, width - LEFT - 4);
  const shown = columns(found, wide / 2);
  const step = wide / Math.max(1, shown.length);
  const columnOf = (entry: number) => Math.min(shown.length - 1, Math.floor((entry * shown.length) / Math.max(1, entries(found))));
  useEffect(() => {
    if (width > 0) draw();
  }, [found, width, theme, at, view.window]);

  const draw = () => {
    const { palette } = stage;
    const scale = devicePixelRatio || 1;
    const element = canvas.current!;
    element.width = width * scale;
    element.height = HEIGHT * scale;
    const context = element.getContext("2d")!;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, HEIGHT);
    context.font = "11px system-ui, sans-serif";
    const top = topOf(found);
    const high = HEIGHT - 22;
    const y = (ns: number) => 8 + (high - 8) * (1 - Math.min(1, ns / top));
    const ranks = Math.max(1, found.balance.rows.length);
    const [from, to] = [entryAt(found, view.window[0]), entryAt(found, view.window[1])];
    if (from > 0 || to < entries(found) - 1) {
      context.fillStyle = palette.select;
      context.globalAlpha = 0.13;
      const left = LEFT + columnOf(Math.max(0, from)) * step;
      context.fillRect(left, 0, Math.max(2, LEFT + (columnOf(Math.max(0, to)) + 1) * step - left), high);
      context.globalAlpha = 1;
    }
    const gap = step > 4 ? 1 : 0;
    shown.forEach((entry, column) => {
      const n = Math.min(found.per, found.count - entry * found.per) * ranks;
      const x = LEFT + column * step;
      let done = 0;
      const part = (ns: number, colour: string) => {
        if (ns <= 0) return;
        context.fillStyle = colour;
        const [upper, lower] = [y((done += ns)), y(done - ns)];
        context.fillRect(x, upper, Math.max(0.75, step - gap), Math.max(0, lower - upper));
      };
      found.classes[entry].forEach((ns, cls) => cls !== CLASS.nothing && part(ns / n, palette.classes[cls]));
      const all = done;
      done = all - found.waiting[entry] / n;
      part(all - done, palette.waiting);
      if (lengthOf(found, entry) > top * 1.001) {
        context.fillStyle = palette.reversed;
        context.fillRect(x, 2, Math.max(1.5, step - gap), 4);
      }
      if (entry === at) {
        context.strokeStyle = palette.select;
        context.lineWidth = 2;
        context.strokeRect(x - 1, 1, Math.max(2, step) + 1, high);
      }
    });
    context.strokeStyle = palette.quiet;
    context.fillStyle = palette.quiet;
    context.lineWidth = 1;
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(LEFT, Math.round(y(found.median)) + 0.5);
    context.lineTo(width, Math.round(y(found.median)) + 0.5);
    context.stroke();
    context.setLineDash([]);
    context.textAlign = "right";
    context.textBaseline = "middle";
    const median = y(found.median);
    context.fillText(duration(found.median), LEFT - 6, median);
    if (median > 26) context.fillText(duration(top), LEFT - 6, 12);
    if (high - median > 16) context.fillText("0", LEFT - 6, high - 4);
    context.textBaseline = "alphabetic";
    context.textAlign = "left";
    context.fillText("1", LEFT, HEIGHT - 6);
    context.textAlign = "right";
    context.fillText(count(found.count), width - 4, HEIGHT - 6);
  };

  const entryOfPointer = (event: MouseEvent) => {
    const x = event.clientX - canvas.current!.getBoundingClientRect().left - LEFT;
    const column = Math.floor(x / step);
    return x < 0 || column >= shown.length ? null : shown[column];
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) setAt(Math.min(entries(found) - 1, Math.max(0, (at ?? (by > 0 ? -1 : 0)) + by)));
    else if (event.key === "Enter" && at !== null) app.showIteration(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <figure class="iterations-chart">
      <figcaption>
        Length of each iteration{found.per > 1 ? `, ${plural(found.per, "iteration")} a bar` : ""}: what ranks do in the mean, waiting on top; dashed: the median
      </figcaption>
      <div ref={frame}>
        <canvas
          ref={canvas}
          style={{ width: "100%", height: `${HEIGHT}px` }}
          tabIndex={0}
          role="application"
          aria-label={`Bars of ${plural(found.count, "iteration")}. Left and right arrow choose one, Enter zooms to it.`}
          onPointerMove={(event) => setAt(entryOfPointer(event))}
          onPointerLeave={() => setAt(null)}
          onClick={(event) => {
            const entry = entryOfPointer(event);
            if (entry !== null) app.showIteration(entry);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <p class="quiet" role="status">
        {at === null || at >= entries(found) ? "A click on a bar zooms to the iteration; the keys I and Shift I go from one to the next." : describe(found, at)}
      </p>
    </figure>
  );
}

function describe(found: Iterations, entry: number): string {
  const n = Math.min(found.per, found.count - entry * found.per) * Math.max(1, found.balance.rows.length);
  const computing = found.classes[entry][CLASS.computation] / n;
  const waiting = found.waiting[entry] / n;
  return `${nameOf(found, entry)}: ${duration(lengthOf(found, entry))}; in the mean a rank computes ${duration(computing)} and waits ${duration(waiting)}.`;
}
