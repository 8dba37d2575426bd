// The display: from a view to pixels. It places the lanes, asks for tiles, lets the worker
// draw the states, and draws text, arrows and marks above them. Drawing is at most one frame
// behind; whatever happens meanwhile is drawn together next.

import type { App } from "./app";
import { axis } from "./axis";
import { packed, PALETTES, regionColour, type Palette, type Theme } from "./colours";
import { arrowsOf, drawAxis, drawOverlay, type Scene } from "./overlay";
import { coarsest, overlayTiles, pieces } from "./pieces";
import { BINS, BLOCK, type Clock, type Run } from "./protocol";
import type { Job, LaneJob, Piece } from "./raster";
import type { FromWorker, ToWorker } from "./raster.worker";
import RasterWorker from "./raster.worker?worker&inline";
import { lanesBetween, type Lane, type Layout } from "./rows";
import { tilePath } from "./questions";
import { NotHeld } from "./report";
import type { Moves } from "./shifts";
import type { View, Window } from "./state";
import { Tiles, type Tile } from "./tiles";
import { Value } from "./value";

/** How long the switch of the clock shows events on their way. */
const SWITCH_MS = 400;
/** Arrows of rows with so many different shifts follow them into the window. */
const MOST_MOVES = 12;
/** The switch begins once the other clock's tiles are there, or after this time. */
const SWITCH_WAIT_MS = 2000;

export class Stage {
  readonly tiles: Tiles;
  /** Rises when a tile arrives; the minimap watches it. */
  readonly arrivals = new Value(0);
  /** Rises with each frame that is drawn. */
  readonly drawn = new Value(0);
  readonly layout = new Value<Layout | null>(null);
  readonly theme = new Value<Theme>("light");
  /** What was drawn last, for hits of the pointer. */
  scene: Scene | null = null;
  private readonly worker = new RasterWorker();
  private canvases: { raster: HTMLCanvasElement; overlay: HTMLCanvasElement; axis: HTMLCanvasElement } | null = null;
  private width = 0;
  private height = 0;
  private scheduled = false;
  private painting: { id: number; began: number; scene: Scene } | null = null;
  private again = false;
  private ids = 0;
  private shownClock: Clock;
  private switching: { asked: number; began: number | null } | null = null;
  private readonly colours = new Map<string, Job["regions"][number]>();
  private minimapWants: string[] = [];

  constructor(
    private readonly app: App,
    private readonly root: HTMLElement,
  ) {
    this.shownClock = app.view.get().clock;
    this.tiles = new Tiles(app.source, {
      arrived: (path, tile) => this.arrived(path, tile),
      dropped: (path) => this.send({ drop: path }),
      failed: (error) => {
        if (!(error instanceof NotHeld)) app.failed(error);
        this.draw();
      },
    });
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.painted(data);
    app.view.watch(() => this.draw());
    app.detail.watch(() => this.draw());
    app.finding.watch(() => this.draw());
    app.path.watch(() => this.draw());
    app.iterations.watch(() => this.draw());
    app.similar.watch(() => this.draw());
    app.shifting.watch(() => this.draw());
    this.theme.watch(() => {
      this.colours.clear();
      this.draw();
    });
  }

  attach(canvases: { raster: HTMLCanvasElement; overlay: HTMLCanvasElement; axis: HTMLCanvasElement }): void {
    this.canvases = canvases;
    this.draw();
  }

  resize(width: number, height: number): void {
    this.width = Math.max(1, Math.round(width));
    this.height = Math.max(1, Math.round(height));
    this.draw();
  }

  get palette(): Palette {
    return PALETTES[this.theme.get()];
  }

  /** The minimap's tiles are asked for after those of the window. */
  wantForMinimap(paths: string[]): void {
    this.minimapWants = paths;
    this.draw();
  }

  /** Draws with the next frame. */
  draw(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      if (this.painting) this.again = true;
      else this.frame();
    });
  }

  private arrived(path: string, tile: Tile): void {
    if (tile.kind === "shares" || (tile.kind === "spans" && !tile.tooMany)) this.send({ add: path, bytes: tile.bytes });
    this.app.answered();
    this.arrivals.set(this.arrivals.get() + 1);
    this.draw();
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private frame(): void {
    if (!this.canvases || this.width < 2) return;
    const began = performance.now();
    const view = this.app.view.get();
    this.app.display = { ...this.app.display, width: this.width, height: this.height };
    const placed = this.app.layoutNow();
    this.app.display.layout = placed;
    this.layout.set(placed);
    const top = Math.max(0, Math.min(view.top, placed.height - this.height));
    const lanes = lanesBetween(placed, top, top + this.height);
    const wants = new Wants();
    const nsPerPixel = (view.window[1] - view.window[0]) / this.width;
    const amount = this.advance(view);
    const [moves, towards] = [this.moves(this.shownClock), this.moves(view.clock)];
    const key = (lane: Lane) => blockKey(lane, moves, towards);
    const now = this.collect(lanes, view, this.shownClock, nsPerPixel, wants, moves, key);
    const next = this.shownClock === view.clock ? null : this.collect(lanes, view, view.clock, nsPerPixel, wants, towards, key);
    this.tiles.want([...wants.paths(), ...this.minimapWants]);
    if (this.switching && this.switching.began === null) this.beginSwitch(wants);
    const scene: Scene = {
      app: this.app,
      view,
      layout: placed,
      lanes,
      top,
      width: this.width,
      height: this.height,
      palette: this.palette,
      clock: this.shownClock,
      axis: axis(view.window[0], view.window[1], this.width),
      calls: now.calls,
      messages: now.messages,
      collectives: now.collectives,
      moves,
      towards: next && amount > 0 ? { amount, messages: next.messages, moves: towards } : null,
      missing: wants.missing(this.tiles),
    };
    const job = this.job(scene, now, key, next && amount > 0 ? { pieces: next.pieces, amount } : null);
    this.painting = { id: ++this.ids, began, scene };
    this.send({ paint: job, id: this.painting.id });
  }

  private moves(clock: Clock): Moves[] {
    return this.app.meta.runs.map((meta, run) => this.app.moves(run, meta.clocks.includes(clock) ? clock : meta.clock));
  }

  /** How far the switch of the clock has come, 0 to 1; at its end the new clock is the one shown. */
  private advance(view: View): number {
    if (view.clock === this.shownClock) {
      this.switching = null;
      return 0;
    }
    this.switching ??= { asked: performance.now(), began: null };
    const { began } = this.switching;
    if (began === null) return 0;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const t = calm ? 1 : (performance.now() - began) / SWITCH_MS;
    if (t >= 1) {
      this.shownClock = view.clock;
      this.switching = null;
      return 0;
    }
    this.again = true;
    return t * t * (3 - 2 * t);
  }

  private beginSwitch(wants: Wants): void {
    const waited = performance.now() - this.switching!.asked;
    if (wants.missing(this.tiles) === 0 || waited > SWITCH_WAIT_MS) this.switching!.began = performance.now();
    this.again = true;
  }

  /** The pieces and marks of all lanes by one clock. */
  private collect(lanes: Lane[], view: View, clock: Clock, nsPerPixel: number, wants: Wants, moves: Moves[], keyOf: (lane: Lane) => string) {
    const lookup = (path: string) => this.tiles.get(path);
    const blocks = new Map<string, { run: number; block: number; grouped: boolean; moved: number }>();
    for (const lane of lanes) {
      const { run, row, members } = lane;
      if (row === null) continue;
      const key = keyOf(lane);
      const known = blocks.get(key);
      if (known) known.grouped &&= members > 1;
      else blocks.set(key, { run, block: Math.floor(row / BLOCK), grouped: members > 1, moved: moves[run].by[row] });
    }
    const lists: Piece[][] = [];
    const listOf = new Map<string, number>();
    const calls: { run: number; block: number; path: string }[] = [];
    for (const [key, { run, block, grouped, moved }] of blocks) {
      const meta = this.app.meta.runs[run];
      const own = meta.clocks.includes(clock) ? clock : meta.clock;
      const found = pieces(run, meta, own, block, view.window, nsPerPixel, grouped, lookup, moved);
      listOf.set(key, lists.push(found.pieces) - 1);
      for (const { shares, spans } of found.wanted) wants.add(shares, spans);
      wants.coarse(tilePath(run, own, "shares", coarsest(meta, own), 0, block));
      for (const { spans } of found.pieces) if (spans !== null) calls.push({ run, block, path: spans });
    }
    const messages: Scene["messages"] = [];
    const collectives: Scene["collectives"] = [];
    this.app.meta.runs.forEach((meta, run) => {
      const own = meta.clocks.includes(clock) ? clock : meta.clock;
      // Both ends of an arrow may be moved, so messages are wanted of all times that come to lie in the window.
      const windows = moves[run].all.slice(0, MOST_MOVES).map((by): Window => [view.window[0] - by, view.window[1] - by]);
      if (view.arrows) {
        for (const path of new Set(windows.flatMap((window) => overlayTiles(run, meta, own, "messages", window, nsPerPixel)))) {
          wants.mark(path);
          const tile = lookup(path);
          if (tile?.kind === "messages") messages.push({ run, tile, ...covered(meta, own, path) });
        }
      }
      for (const path of overlayTiles(run, meta, own, "collectives", view.window, nsPerPixel)) {
        wants.mark(path);
        const tile = lookup(path);
        if (tile?.kind === "collectives") collectives.push({ run, tile });
      }
    });
    const once = new Map(calls.map((call) => [call.path, call]));
    const spans = [...once.values()].flatMap(({ run, path }) => {
      const tile = lookup(path);
      return tile?.kind === "spans" ? [{ run, tile }] : [];
    });
    return { pieces: lists, listOf, calls: spans, messages, collectives };
  }

  private job(scene: Scene, now: { pieces: Piece[][]; listOf: Map<string, number> }, key: (lane: Lane) => string, towards: Job["towards"]): Job {
    const scale = Math.min(2, Math.max(1, devicePixelRatio));
    const lanes = scene.lanes.filter(({ row }) => row !== null).map((lane): LaneJob => {
      const y = Math.round((lane.y - scene.top) * scale);
      const gap = lane.height >= 8 ? 2 : lane.height >= 5 ? 1 : 0;
      return {
        y: y + Math.round(scale),
        height: Math.max(1, Math.round((lane.y - scene.top + lane.height) * scale) - y - Math.round(gap * scale)),
        lines: lane.lines,
        row: lane.row!,
        pieces: now.listOf.get(key(lane))!,
        run: lane.run,
        group: lane.members > 1,
      };
    });
    const { palette, view } = scene;
    return {
      width: Math.round(this.width * scale),
      height: Math.round(this.height * scale),
      scale,
      from: view.window[0],
      to: view.window[1],
      lanes,
      pieces: now.pieces,
      towards,
      colours: {
        background: packed(palette.background),
        classes: palette.classes.map(packed),
        waiting: packed(palette.waiting),
        faded: packed(palette.faded),
        stripe: packed(palette.stripe),
      },
      regions: this.app.meta.runs.map((_, run) => this.regions(run, view)),
      hidden: palette.classes.map((_, cls) => view.hiddenClasses.has(cls)),
    };
  }

  private regions(run: number, view: View): Job["regions"][number] {
    const wanted = view.filter.region.toLowerCase();
    const key = `${run} ${wanted}`;
    const known = this.colours.get(key);
    if (known) return known;
    const { regions } = this.app.meta.runs[run];
    const made = {
      colour: Uint32Array.from(regions, (region) => packed(regionColour(region.name, region.class, this.palette))),
      class: Uint8Array.from(regions, (region) => region.class),
      shown: wanted === "" ? null : Uint8Array.from(regions, (region) => (region.name.toLowerCase().includes(wanted) ? 1 : 0)),
    };
    this.colours.set(key, made);
    return made;
  }

  private painted({ id, pixels }: FromWorker): void {
    if (!this.painting || this.painting.id !== id || !this.canvases) return;
    const { scene, began } = this.painting;
    this.painting = null;
    this.scene = scene;
    const { raster, overlay, axis: axisCanvas } = this.canvases;
    const scale = Math.min(2, Math.max(1, devicePixelRatio));
    const width = Math.round(scene.width * scale);
    const height = Math.round(scene.height * scale);
    fit(raster, width, height, scene.width, scene.height);
    raster.getContext("2d")!.putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
    fit(overlay, width, height, scene.width, scene.height);
    drawOverlay(overlay.getContext("2d")!, scene, scale);
    const axisHeight = axisCanvas.parentElement!.clientHeight;
    fit(axisCanvas, width, Math.round(axisHeight * scale), scene.width, axisHeight);
    drawAxis(axisCanvas.getContext("2d")!, scene, scale, axisHeight);
    this.drawn.set(this.drawn.get() + 1);
    this.tell(scene, performance.now() - began);
    if (this.again) {
      this.again = false;
      this.draw();
    }
  }

  /** Mirrors what is shown in attributes, for tests. */
  private tell(scene: Scene, ms: number): void {
    const { dataset } = this.root;
    dataset.window = scene.view.window.map((time) => Math.round(time)).join(":");
    dataset.clock = scene.view.clock;
    dataset.moving = String(this.switching !== null);
    dataset.rows = String(scene.layout.lanes.length);
    dataset.missing = String(scene.missing);
    dataset.messages = String(scene.messages.reduce((total, { tile }) => total + tile.n, 0));
    dataset.calls = String(scene.calls.reduce((total, { tile }) => total + tile.n, 0));
    dataset.arrows = arrowsOf(scene);
    dataset.shifts = [...scene.view.shifts].map(([key, ns]) => `${key}:${ns}`).sort().join(",");
    dataset.shifting = String(this.app.shifting.get());
    dataset.frames = String(Number(dataset.frames ?? 0) + 1);
    dataset.frameMs = ms.toFixed(1);
    if (scene.missing === 0) dataset.ready = "true";
  }
}

/** Rows of a block share pieces, if they are moved alike. */
function blockKey({ run, row }: Lane, moves: Moves[], towards: Moves[]): string {
  return `${run}.${Math.floor(row! / BLOCK)}.${moves[run].by[row!]}.${towards[run].by[row!]}`;
}

/** The time that a tile of messages covers, by the level and number in its path. */
function covered(run: Run, clock: Clock, path: string): { from: number; to: number } {
  const [index, level] = path.split("/").reverse().map(Number);
  const width = BINS * run.levels[level].bin;
  return { from: index * width, to: Math.min((index + 1) * width, run.spans[clock]?.length ?? Infinity) };
}

function fit(canvas: HTMLCanvasElement, width: number, height: number, cssWidth: number, cssHeight: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.width = `${cssWidth}px`;
  canvas.style.height = `${cssHeight}px`;
}

/** The tiles that a frame wants, the most urgent first: coarse ones stand in for all others. */
class Wants {
  private readonly coarsest = new Set<string>();
  private readonly shares = new Set<string>();
  private readonly rest = new Set<string>();

  coarse(path: string): void {
    this.coarsest.add(path);
  }

  add(shares: string, spans: string | null): void {
    this.shares.add(shares);
    if (spans !== null) this.rest.add(spans);
  }

  mark(path: string): void {
    this.rest.add(path);
  }

  paths(): string[] {
    return [...new Set([...this.coarsest, ...this.shares, ...this.rest])];
  }

  missing(tiles: Tiles): number {
    return this.paths().filter((path) => !tiles.settled(path)).length;
  }
}
