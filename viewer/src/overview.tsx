// The strip with the whole run: the window is moved and resized on it.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { PALETTES } from "./colours";
import { usePage } from "./context";
import { instant } from "./format";
import { drawOverview, overview, overviewTiles } from "./minimap";
import { useValue } from "./value";

const EDGE = 6;

export function OverviewStrip() {
  const { app, stage, view } = usePage();
  const theme = useValue(stage.theme);
  const arrivals = useValue(stage.arrivals);
  const strip = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const length = Math.max(1, app.length(view.clock));
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(strip.current?.clientWidth ?? 0));
    observer.observe(strip.current!);
    return () => observer.disconnect();
  }, []);
  const columns = Math.max(1, width);
  const wanted = useMemo(() => app.trees.flatMap((tree, run) => overviewTiles(run, tree, app.clockOf(run), columns)), [width, view.clock]);
  const loaded = useMemo(() => wanted.filter((path) => stage.tiles.get(path)).length, [wanted, arrivals]);
  useEffect(() => {
    if (width > 0) stage.wantForMinimap(wanted);
  }, [wanted]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const element = canvas.current!;
      const height = strip.current!.clientHeight;
      element.width = columns;
      element.height = height;
      const context = element.getContext("2d")!;
      app.trees.forEach((tree, run) => {
        const part = height / app.trees.length;
        drawOverview(context, overview(run, tree, app.clockOf(run), columns, length, (path) => stage.tiles.get(path)), run * part, part, PALETTES[theme]);
      });
    }, 30);
    return () => clearTimeout(timer);
  }, [loaded, theme, wanted]);

  const [from, to] = view.window;
  const left = (from / length) * columns;
  const wide = Math.max(((to - from) / length) * columns, 3);

  const onPointerDown = (event: PointerEvent) => {
    const target = event.currentTarget as HTMLElement;
    target.setPointerCapture(event.pointerId);
    const start = event.offsetX;
    const perPixel = length / columns;
    const grip = Math.abs(start - left) < EDGE ? "from" : Math.abs(start - left - wide) < EDGE ? "to" : start > left && start < left + wide && wide < columns - 1 ? "move" : "draw";
    const move = (moved: PointerEvent) => {
      const by = (moved.offsetX - start) * perPixel;
      if (grip === "move") app.setWindow([from + by, to + by], "overview");
      else if (grip === "from") app.setWindow([Math.min(from + by, to - 1), to], "overview");
      else if (grip === "to") app.setWindow([from, Math.max(to + by, from + 1)], "overview");
      else if (Math.abs(moved.offsetX - start) > 3) app.setWindow([Math.min(start, moved.offsetX) * perPixel, Math.max(start, moved.offsetX) * perPixel], "overview");
    };
    const up = (event: PointerEvent) => {
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerup", up);
      if (grip === "draw" && Math.abs(event.offsetX - start) <= 3) {
        const half = (to - from) / 2;
        app.setWindow([start * perPixel - half, start * perPixel + half]);
      }
    };
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", up);
  };

  return (
    <section class="overview" aria-label="Overview of the whole run">
      <div class="overview-label">
        <span>Whole run</span>
        <span class="quiet">{instant(length, length / 1000)}</span>
      </div>
      <div class="strip" ref={strip} onPointerDown={onPointerDown}>
        <canvas ref={canvas} aria-hidden="true" />
        <div class="shade" style={{ left: 0, width: `${Math.max(left, 0)}px` }} />
        <div class="shade" style={{ left: `${left + wide}px`, right: 0 }} />
        <div class="frame" style={{ left: `${left}px`, width: `${wide}px` }} />
      </div>
    </section>
  );
}
