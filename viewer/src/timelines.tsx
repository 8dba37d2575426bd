// The time lines: labels of rows on the left, states and marks on the right, and what the
// pointer does there.

import { useEffect, useRef, useState } from "preact/hooks";
import type { App } from "./app";
import { usePage } from "./context";
import { duration, instant, percent, plural } from "./format";
import { callAt, collectiveAt, endsOf, messageAt, movedBy, single, xToTime, type Arrow, type Scene } from "./overlay";
import { regionOf } from "./protocol";
import { laneAt, lanesBetween, type Lane } from "./rows";
import { SORTS } from "./state";
import { shiftOf, signed, withShift, type Shifts } from "./shifts";
import { BEGIN_UNKNOWN, END_UNKNOWN } from "./tiles";
import { useValue } from "./value";

export function TimeLines() {
  const { app, stage, view } = usePage();
  useValue(stage.layout);
  // The room to scroll in is that of the view, not of the last picture: a row may have been unfolded meanwhile.
  const layout = app.layoutNow();
  const scroller = useRef<HTMLDivElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const raster = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const axis = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });

  useEffect(() => {
    stage.attach({ raster: raster.current!, overlay: overlay.current!, axis: axis.current! });
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = surface.current!;
      setSize({ width, height });
      stage.resize(width, height);
    });
    observer.observe(surface.current!);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = scroller.current!;
    if (Math.abs(element.scrollTop - view.top) > 1) element.scrollTop = view.top;
  }, [view.top, layout.height]);

  return (
    <section class="timelines" aria-label="Time lines">
      <div class="corner">
        <SortMenu />
        <ShiftButton />
      </div>
      <div class="axis">
        <canvas ref={axis} aria-hidden="true" />
      </div>
      {layout.lanes.length === 0 && (
        <p class="no-rows">{app.run.rows.length === 0 ? "This run has no rows: nothing was recorded." : "No row is left; the filter names ranks that this run does not have."}</p>
      )}
      <div class="lanes" ref={scroller} tabIndex={-1} onScroll={(event) => app.amend({ top: event.currentTarget.scrollTop })}>
        <div class="sticky">
          <Labels height={size.height} />
          <Surface surface={surface}>
            <canvas ref={raster} aria-hidden="true" />
            <canvas ref={overlay} aria-hidden="true" />
          </Surface>
        </div>
        <div class="spacer" style={{ height: `${Math.max(0, layout.height - size.height)}px` }} />
      </div>
    </section>
  );
}

function SortMenu() {
  const { app, view } = usePage();
  return (
    <label class="sort">
      <span>Rows by</span>
      <select value={view.sort} title="Order of the rows (R)" onChange={(event) => app.go({ sort: event.currentTarget.value as (typeof SORTS)[number] })}>
        {SORTS.map((sort) => (
          <option value={sort}>{sort}</option>
        ))}
      </select>
    </label>
  );
}

function ShiftButton() {
  const { app } = usePage();
  const on = useValue(app.shifting);
  return (
    <button class="shift-mode" aria-pressed={on} title="Shift rows in time by dragging them (H)" aria-label="Shift rows by dragging" onClick={() => app.toggleShifting()}>
      ⇄
    </button>
  );
}

// Labels

/** The gauge beside a row's name is full if the row waits half of its time. */
const GAUGE = 200;

function Labels({ height }: { height: number }) {
  const { stage, view } = usePage();
  const layout = useValue(stage.layout);
  if (!layout) return <div class="labels" />;
  const top = Math.max(0, Math.min(view.top, layout.height - height));
  const lanes = lanesBetween(layout, top, top + height);
  return (
    <div class="labels" role="group" aria-label="Rows">
      {lanes.map((lane) => (
        <Label key={`${lane.run}.${lane.row}`} lane={lane} y={lane.y - top} />
      ))}
    </div>
  );
}

function Label({ lane, y }: { lane: Lane; y: number }) {
  const { app, view } = usePage();
  const drag = useRef<RowDrag | null>(null);
  const place = { transform: `translateY(${y}px)`, height: `${lane.height}px`, paddingLeft: `${6 + 12 * lane.indent}px` };
  if (lane.row === null) {
    return (
      <div class="label headline" style={place}>
        {lane.name}
      </div>
    );
  }
  const { row } = lane;
  const tree = app.trees[lane.run];
  const shift = shiftOf(tree, lane.run, view.shifts, row);
  const length = Math.max(1, tree.run.spans[app.clockOf(lane.run)]?.length ?? 1);
  const waiting = tree.waiting[lane.row] / lane.members / length;
  const text = lane.height >= 12;
  const title = `${lane.name}: waits ${duration(tree.waiting[lane.row])}, ${percent(waiting)} of its time${lane.note ? `. ${lane.note}` : ""}. ${shift === null ? "Rows below are shifted." : shift !== 0 ? `Shifted by hand by ${signed(shift)}.` : ""} Drag to shift it in time.`;
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || (event.target as HTMLElement).closest("button")) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    drag.current = new RowDrag(app, lane.run, row, event.clientX);
  };
  return (
    <div
      class={`label${lane.folded === false ? " open" : ""}`}
      style={place}
      title={title}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => drag.current?.to(event.clientX)}
      onPointerUp={() => (drag.current = null)}
      onPointerCancel={() => (drag.current = null)}
    >
      {lane.folded !== null && text && (
        <button class="fold" aria-expanded={!lane.folded} aria-label={`${lane.folded ? "Unfold" : "Fold"} ${lane.name}`} onClick={() => app.toggleFold(lane.run, lane.row!)}>
          {lane.folded ? "▸" : "▾"}
        </button>
      )}
      {text && <span class="name">{lane.name}</span>}
      {text && lane.folded && <span class="quiet">{plural(lane.members, "row")}</span>}
      {text && lane.note && (
        <span class="note" role="img" aria-label={lane.note}>
          ⚠
        </span>
      )}
      {text && shift !== 0 && <span class="shift">{shift === null ? "⇄ …" : signed(shift)}</span>}
      <span class="gauge" aria-hidden="true">
        <span style={{ width: `${Math.min(100, Math.round(GAUGE * waiting))}%` }} />
      </span>
    </div>
  );
}

/** A row that is dragged: it follows the pointer, and one step back undoes all of it. */
class RowDrag {
  private moved = false;
  private readonly shifts: Shifts;
  private readonly nsPerPixel: number;

  constructor(
    private readonly app: App,
    private readonly run: number,
    private readonly row: number,
    private readonly from: number,
  ) {
    const { shifts, window } = app.view.get();
    this.shifts = shifts;
    this.nsPerPixel = (window[1] - window[0]) / app.display.width;
  }

  to(x: number): void {
    if (!this.moved && Math.abs(x - this.from) < 4) return;
    const why = this.app.whyNoShift(this.run);
    if (why) {
      if (!this.moved) this.app.say(why);
      this.moved = true;
      return;
    }
    const by = (x - this.from) * this.nsPerPixel;
    this.app.setShifts(withShift(this.app.trees[this.run], this.run, this.shifts, this.row, (ns) => ns + by), this.moved ? "on" : "");
    this.moved = true;
    const ns = this.app.shiftOf(this.run, this.row);
    this.app.say(`${this.app.trees[this.run].fullName(this.row)} is shifted by ${ns === null ? `${signed(Math.round(by))} more` : signed(ns)}.`);
  }
}

// The surface under the pointer

interface Hover {
  x: number;
  y: number;
  lines: string[];
}

function Surface({ surface, children }: { surface: { current: HTMLDivElement | null }; children: preact.ComponentChildren }) {
  const { app, stage } = usePage();
  const shifting = useValue(app.shifting);
  const [hover, setHover] = useState<Hover | null>(null);
  const gesture = useRef<Gesture | null>(null);

  useEffect(() => {
    const element = surface.current!;
    const wheel = (event: WheelEvent) => onWheel(event, app, element);
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, []);

  const local = (event: MouseEvent) => {
    const box = surface.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || !stage.scene) return;
    surface.current!.setPointerCapture(event.pointerId);
    const { x, y } = local(event);
    const { window, top } = app.view.get();
    const lane = app.shifting.get() && !event.shiftKey ? laneAt(stage.scene.layout, y + stage.scene.top) : undefined;
    const row = lane && lane.row !== null ? new RowDrag(app, lane.run, lane.row, event.clientX) : null;
    gesture.current = { x, y, window, top, moved: false, marks: event.shiftKey, row };
    surface.current!.focus({ preventScroll: true });
  };

  const onPointerMove = (event: PointerEvent) => {
    const { x, y } = local(event);
    const going = gesture.current;
    if (!going) return setHover(stage.scene && event.pointerType === "mouse" ? { x, y, lines: whatIsAt(stage.scene, x, y) } : null);
    if (!going.moved && Math.hypot(x - going.x, y - going.y) < 4) return;
    going.moved = true;
    setHover(null);
    if (going.row) return going.row.to(event.clientX);
    drag(app, going, x, y, surface.current!.clientWidth);
  };

  const onPointerUp = (event: PointerEvent) => {
    const going = gesture.current;
    gesture.current = null;
    if (going && !going.moved) {
      const { x, y } = local(event);
      click(app, stage.scene!, x, y);
    }
  };

  return (
    <div
      id="timelines"
      class={`surface${shifting ? " shifting" : ""}`}
      role="application"
      tabIndex={0}
      aria-label="Time lines. Arrow keys select calls, W S A D move in time, question mark shows all keys."
      aria-describedby="spoken"
      ref={surface}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => (gesture.current = null)}
      onPointerLeave={() => setHover(null)}
      onDblClick={(event) => stage.scene && fillWith(app, stage.scene, local(event).x, local(event).y)}
    >
      {children}
      {hover && <div class="ruler" style={{ transform: `translateX(${hover.x}px)` }} />}
      {hover && hover.lines.length > 0 && <Tooltip hover={hover} width={surface.current!.clientWidth} height={surface.current!.clientHeight} />}
    </div>
  );
}

function Tooltip({ hover: { x, y, lines }, width, height }: { hover: Hover; width: number; height: number }) {
  const style = {
    ...(x > width / 2 ? { right: `${width - x + 12}px` } : { left: `${x + 12}px` }),
    ...(y > height / 2 ? { bottom: `${height - y + 12}px` } : { top: `${y + 14}px` }),
  };
  return (
    <div class="tooltip" style={style} aria-hidden="true">
      {lines.map((line, i) => (i === 0 ? <strong>{line}</strong> : <span>{line}</span>))}
    </div>
  );
}

interface Gesture {
  x: number;
  y: number;
  window: readonly [number, number];
  top: number;
  moved: boolean;
  /** Whether it selects an interval, or moves the window. */
  marks: boolean;
  /** The row that it moves in place of the window. */
  row: RowDrag | null;
}

function onWheel(event: WheelEvent, app: App, element: HTMLElement): void {
  event.preventDefault();
  const pixels = event.deltaMode === 1 ? 20 : 1;
  const { layout, height } = app.display;
  if (event.shiftKey) {
    const most = Math.max(0, (layout?.height ?? 0) - height);
    const by = (event.deltaY || event.deltaX) * pixels;
    return app.amend({ top: Math.min(most, Math.max(0, app.view.get().top + by)) });
  }
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return app.pan((event.deltaX * pixels) / element.clientWidth);
  const at = (event.clientX - element.getBoundingClientRect().left) / element.clientWidth;
  app.zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY * pixels)) * 0.0022), at);
}

function drag(app: App, { x: startX, y: startY, window, top, marks }: Gesture, x: number, y: number, width: number): void {
  const perPixel = (window[1] - window[0]) / width;
  if (marks) {
    const times = [startX, x].map((at) => window[0] + Math.min(Math.max(at, 0), width) * perPixel).sort((a, b) => a - b);
    if (times[1] > times[0]) app.go({ interval: [times[0], times[1]] }, "interval");
    return;
  }
  const by = (startX - x) * perPixel;
  app.setWindow([window[0] + by, window[1] + by], "drag");
  const most = Math.max(0, (app.display.layout?.height ?? 0) - app.display.height);
  if (most > 0) app.amend({ top: Math.min(most, Math.max(0, top + startY - y)) });
}

function click(app: App, scene: Scene, x: number, y: number): void {
  const message = messageAt(scene, x, y);
  if (message && single(message)) {
    const { run, tile, i } = message;
    return app.select({ what: "message", run, row: tile.from[i], event: tile.sendEvent[i], toRow: tile.to[i], toEvent: tile.receiveEvent[i] }, { finding: null });
  }
  const lane = laneAt(scene.layout, y + scene.top);
  if (!lane || lane.row === null) return app.select(null, { finding: null });
  if (lane.folded === null) {
    const call = callAt(scene, lane, x, y);
    if (call) return app.select({ what: "call", run: lane.run, row: lane.row!, event: call.tile.event[call.i] }, { finding: null });
  }
  const collective = collectiveAt(scene, x, y);
  if (collective) return app.select({ what: "collective", ...collective }, { finding: null });
  if (lane.folded !== null) return app.toggleFold(lane.run, lane.row);
  void app.selectAt(lane.run, lane.row!, xToTime(scene, x), lane.lines > 1 ? Math.floor(((y + scene.top - lane.y) / lane.height) * lane.lines) : null);
}

/** Fills the window with the call or band at a point. */
function fillWith(app: App, scene: Scene, x: number, y: number): void {
  const lane = laneAt(scene.layout, y + scene.top);
  const call = lane && lane.row !== null ? callAt(scene, lane, x, y) : undefined;
  if (call) {
    const by = movedBy(scene, lane!);
    const begin = call.tile.begin[call.i] + by;
    const end = call.tile.end[call.i] + by;
    const margin = (end - begin) / 4;
    return app.setWindow([begin - margin, end + margin]);
  }
  app.zoom(0.25, x / scene.width);
}

/** What is under the pointer, in a few lines. */
function whatIsAt(scene: Scene, x: number, y: number): string[] {
  const { app } = scene;
  const step = (scene.view.window[1] - scene.view.window[0]) / scene.width;
  const time = instant(xToTime(scene, x), step);
  const message = messageAt(scene, x, y);
  if (message) return [...messageLines(scene, message), time];
  const lane = laneAt(scene.layout, y + scene.top);
  if (!lane) return [time];
  if (lane.row === null) return [lane.name, time];
  const call = lane.folded === null ? callAt(scene, lane, x, y) : undefined;
  if (call) {
    const { tile, i } = call;
    const { name } = regionOf(app.meta.runs[lane.run], tile.region[i]);
    const unknown = [tile.bits[i] & BEGIN_UNKNOWN ? "Its begin is not known" : "", tile.bits[i] & END_UNKNOWN ? "Its end is not known" : ""].filter(Boolean);
    return [name, ...unknown, `${duration(tile.end[i] - tile.begin[i])} on ${lane.name}`, time];
  }
  return [lane.name, ...(lane.folded ? [`Shares of ${plural(lane.members, "row")}; click to unfold`] : []), time];
}

function messageLines(scene: Scene, arrow: Arrow): string[] {
  const { run, tile, i, bundle, count, oneOf } = arrow;
  const tree = scene.app.trees[run];
  const ends = `${tree.fullName(tile.from[i])} → ${tree.fullName(tile.to[i])}`;
  if (bundle) return [ends, plural(count, "message"), ...(arrow.reversed > 0 ? [`${plural(arrow.reversed, "message")} of them reversed`] : [])];
  const [send, receive] = endsOf(scene, run, tile, i);
  const reversed = receive < send ? ["It arrives before it was sent"] : [];
  const others = oneOf > 1 ? [`Drawn for ${oneOf} messages around here; zoom in for the others`] : [];
  return [ends, `Message, ${duration(receive - send)} on its way`, ...reversed, ...others];
}
