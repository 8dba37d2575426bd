// What stands above the states: the ruler's lines, text in wide calls, collective
// operations as bands, messages as arrows, the selection with its uncertainty, the places of
// a finding and the critical path.

import type { App } from "./app";
import type { Axis } from "./axis";
import { regionColour, textOn, type Palette } from "./colours";
import { count, duration } from "./format";
import { CLASS, NONE, type Clock } from "./protocol";
import { entries, entryAt, entryOf } from "./iterations";
import type { Lane, Layout } from "./rows";
import type { Moves } from "./shifts";
import type { View } from "./state";
import { UNRECORDED, type Collectives, type Messages, type Spans } from "./tiles";

export interface Scene {
  app: App;
  view: View;
  layout: Layout;
  /** The lanes that are visible, of all in the layout. */
  lanes: Lane[];
  top: number;
  width: number;
  height: number;
  palette: Palette;
  clock: Clock;
  /** By run, how far rows are moved from the times of their tiles. */
  moves: Moves[];
  axis: Axis;
  calls: { run: number; tile: Spans }[];
  messages: PlacedMessages[];
  collectives: { run: number; tile: Collectives }[];
  /** While the clock is switched: messages by the other clock. */
  towards: { amount: number; messages: PlacedMessages[]; moves: Moves[] } | null;
  /** How many tiles are still on their way. */
  missing: number;
}

/** A tile of messages and the time that it covers. */
export interface PlacedMessages {
  run: number;
  tile: Messages;
  from: number;
  to: number;
}

const FONT = "11px system-ui, sans-serif";
const LEAST_TEXT = 28;
const NAME_GROUND = 13;
const MOST_ARROWS = 800;

function timeToX(scene: Scene, time: number): number {
  const [from, to] = scene.view.window;
  return ((time - from) / (to - from)) * scene.width;
}

export function xToTime(scene: Scene, x: number): number {
  const [from, to] = scene.view.window;
  return from + (x / scene.width) * (to - from);
}

export function drawAxis(context: CanvasRenderingContext2D, scene: Scene, scale: number, height: number): void {
  const { palette, axis, width } = scene;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = `${FONT}`;
  context.textBaseline = "middle";
  context.fillStyle = palette.quiet;
  context.strokeStyle = palette.quiet;
  const middle = height / 2;
  let free = 4;
  if (axis.base) {
    context.fillStyle = palette.text;
    context.fillText(axis.base.label, 4, middle);
    free = context.measureText(axis.base.label).width + 14;
    context.fillStyle = palette.quiet;
  }
  drawIterations(context, scene);
  for (const { time, label } of axis.ticks) {
    context.fillStyle = palette.quiet;
    const x = Math.round(timeToX(scene, time)) + 0.5;
    context.fillRect(x - 0.5, height - 5, 1, 5);
    const wide = context.measureText(label).width;
    const left = Math.min(Math.max(x - wide / 2, 4), width - wide - 4);
    if (left < free) continue;
    context.fillText(label, left, middle);
    free = left + wide + 10;
  }
}

/** Iterations narrower than this are not told apart. */
const LEAST_ITERATION = 5;

/** Iterations as a band of two shades above the axis' labels, slow ones in the colour of waiting. */
function drawIterations(context: CanvasRenderingContext2D, scene: Scene): void {
  const known = scene.app.iterations.get();
  if (!known || known.run !== scene.view.run || known.clock !== scene.clock) return;
  const { found } = known;
  const { palette, width } = scene;
  const [from, to] = scene.view.window;
  const [first, last] = [Math.max(0, entryAt(found, from)), Math.min(entries(found) - 1, entryAt(found, to))];
  const slow = new Set(found.slow.map(({ number }) => entryOf(found, number)));
  const wide = (timeToX(scene, found.ends[last + 1]) - timeToX(scene, found.ends[first])) / Math.max(1, last - first + 1);
  const apart = wide >= LEAST_ITERATION;
  if (!apart) {
    context.fillStyle = palette.line;
    const x = timeToX(scene, found.ends[first]);
    context.fillRect(x, 0, timeToX(scene, found.ends[last + 1]) - x, 3);
  }
  for (let entry = first; entry <= last; entry++) {
    if (!apart && !slow.has(entry)) continue;
    const x = Math.max(0, timeToX(scene, found.ends[entry]));
    const end = Math.min(width, timeToX(scene, found.ends[entry + 1]));
    context.fillStyle = slow.has(entry) ? palette.waiting : entry % 2 === 0 ? palette.quiet : palette.stripe;
    context.fillRect(x, 0, Math.max(1, end - x), 3);
  }
}

export function drawOverlay(context: CanvasRenderingContext2D, scene: Scene, scale: number): void {
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, scene.width, scene.height);
  context.font = FONT;
  context.textBaseline = "middle";
  drawGrid(context, scene);
  drawHeadlines(context, scene);
  drawCollectives(context, scene);
  drawNames(context, scene);
  drawMessages(context, scene);
  drawPath(context, scene);
  drawFinding(context, scene);
  drawSelection(context, scene);
  drawInterval(context, scene);
}

function drawGrid(context: CanvasRenderingContext2D, scene: Scene): void {
  context.fillStyle = scene.palette.quiet;
  context.globalAlpha = 0.13;
  for (const { time } of scene.axis.ticks) context.fillRect(Math.round(timeToX(scene, time)), 0, 1, scene.height);
  context.globalAlpha = 1;
}

function drawHeadlines(context: CanvasRenderingContext2D, scene: Scene): void {
  for (const lane of scene.lanes) {
    if (lane.row !== null) continue;
    context.fillStyle = scene.palette.band;
    context.fillRect(0, lane.y - scene.top, scene.width, lane.height);
  }
}

// Names in calls

function drawNames(context: CanvasRenderingContext2D, scene: Scene): void {
  const { app, palette } = scene;
  const lanes = new Map(scene.lanes.filter(({ members }) => members === 1).map((lane) => [`${lane.run}.${lane.row!}`, lane]));
  const named = new Set<string>();
  for (const { run, tile } of scene.calls) {
    const { regions } = app.meta.runs[run];
    let row = -1;
    let lane: Lane | undefined;
    for (let i = 0; i < tile.n; i++) {
      if (tile.row[i] !== row) {
        row = tile.row[i];
        lane = lanes.get(`${run}.${row}`);
      }
      if (!lane) continue;
      const box = boxOf(scene, lane, tile, i);
      if (!box || box.width < LEAST_TEXT || box.height < 11) continue;
      const key = `${run}.${row}.${tile.event[i]}`;
      if (named.has(key)) continue;
      named.add(key);
      const region = regions[tile.region[i]];
      if (!region || (tile.bits[i] & UNRECORDED) !== 0) continue;
      if (lane.lines === 1 && covered(scene, movedBy(scene, lane), tile, i)) continue;
      const hidden = scene.view.hiddenClasses.has(region.class);
      drawName(context, region.name, box, hidden ? palette.quiet : textOn(regionColour(region.name, region.class, palette)), region.class, palette);
    }
  }
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How far a lane is moved from the times of its tiles. */
export function movedBy(scene: Scene, { run, row }: Lane): number {
  return row === null ? 0 : scene.moves[run].by[row];
}

/** Where a call is drawn, as far as it is visible. */
function boxOf(scene: Scene, lane: Lane, tile: Spans, i: number): Box | null {
  const by = movedBy(scene, lane);
  const left = Math.max(0, timeToX(scene, tile.begin[i] + by));
  const right = Math.min(scene.width, timeToX(scene, tile.end[i] + by));
  if (right < 0 || left > scene.width) return null;
  return { x: left, width: right - left, ...lineOf(scene, lane, tile.depth[i]) };
}

/** Where the line of a depth is. */
function lineOf(scene: Scene, lane: Lane, depth: number): { y: number; height: number } {
  if (lane.lines === 1) return { y: lane.y - scene.top + 1, height: lane.height - 2 };
  const height = (lane.height - 2) / lane.lines;
  return { y: lane.y - scene.top + 1 + Math.min(depth, lane.lines - 1) * height, height: height - 1 };
}

/** Whether calls within it take the middle of a call's visible part; then its name would stand on theirs. */
function covered(scene: Scene, by: number, tile: Spans, i: number): boolean {
  const [from, to] = scene.view.window.map((time) => time - by);
  const middle = (Math.max(from, tile.begin[i]) + Math.min(to, tile.end[i])) / 2;
  for (let j = i + 1; j < tile.n && tile.row[j] === tile.row[i]; j++) {
    if (tile.depth[j] > tile.depth[i] && tile.begin[j] <= middle && middle <= tile.end[j]) return true;
  }
  return false;
}

function drawName(context: CanvasRenderingContext2D, name: string, box: Box, colour: string, cls: number, palette: Palette): void {
  const text = shortened(context, name, box.width - 8);
  if (text === "") return;
  const wide = context.measureText(text).width;
  const x = box.x + 4;
  const y = box.y + box.height / 2 + 0.5;
  if (cls !== CLASS.computation) {
    // The ground leaves the edges free, so that a hatch shows above and below the name.
    const ground = Math.min(box.height, NAME_GROUND);
    context.fillStyle = palette.classes[cls];
    context.fillRect(x - 2, box.y + (box.height - ground) / 2, wide + 4, ground);
  }
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

function shortened(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const fitting = Math.floor((text.length * (width - 8)) / context.measureText(text).width);
  return fitting < 3 ? "" : `${text.slice(0, fitting)}…`;
}

// Collective operations

/** How much a band tints what lies beneath, and how much the selected one does. */
const BAND_TINT = { all: 0.06, chosen: 0.25 };
/** Bands narrower than this are not drawn. */
const LEAST_BAND = 6;

/** Bands that overlap tint what lies beneath once: all of them are one shape. */
function drawCollectives(context: CanvasRenderingContext2D, scene: Scene): void {
  const { palette, view, app } = scene;
  const [bands, edges] = [new Path2D(), new Path2D()];
  let chosen: { band: Box; last: number } | null = null;
  let drawn = 0;
  const seen = new Set<string>();
  for (const { run, tile } of scene.collectives) {
    for (let i = 0; i < tile.n; i++) {
      const key = `${run}.${tile.number[i]}`;
      if (seen.has(key) || (view.filter.communicator !== null && tile.communicator[i] !== view.filter.communicator)) continue;
      seen.add(key);
      const band = bandOf(scene, run, tile, i);
      if (!band || band.width < LEAST_BAND) continue;
      const last = Math.round(timeToX(scene, tile.lastEnter[i]));
      if (view.selected?.what === "collective" && view.selected.run === run && view.selected.number === tile.number[i]) chosen = { band, last };
      bands.rect(band.x, band.y, band.width, band.height);
      addEdges(edges, band, last, 1);
      drawn++;
    }
  }
  context.fillStyle = palette.classes[CLASS.collective];
  context.globalAlpha = BAND_TINT.all;
  context.fill(bands);
  context.globalAlpha = faintness(scene, drawn);
  context.fill(edges);
  if (chosen) {
    const { band, last } = chosen;
    context.globalAlpha = BAND_TINT.chosen;
    context.fillRect(band.x, band.y, band.width, band.height);
    context.globalAlpha = 1;
    const own = new Path2D();
    addEdges(own, band, last, 2);
    context.fill(own);
    drawMembers(context, scene, app);
  }
  context.globalAlpha = 1;
}

/** The upper and lower edge of a band, and where its last member enters. */
function addEdges(path: Path2D, { x, y, width, height }: Box, last: number, wide: number): void {
  path.rect(x, y, width, 1);
  path.rect(x, y + height - 1, width, 1);
  path.rect(last, y, wide, height);
}

/** The more marks to a pixel, the fainter each, so that the states stay readable below. */
function faintness({ width }: Scene, marks: number, least = 0.13): number {
  return Math.max(least, Math.min(0.8, (0.12 * width) / (marks + 1)));
}

/** Where the band of a collective operation is. */
function bandOf(scene: Scene, run: number, tile: Collectives, i: number): Box | null {
  const left = Math.max(-1, timeToX(scene, tile.firstEnter[i]));
  const right = Math.min(scene.width + 1, timeToX(scene, tile.lastLeave[i]));
  if (right < 0 || left > scene.width) return null;
  const low = scene.layout.laneOf(run, tile.lowest[i]);
  const high = scene.layout.laneOf(run, tile.highest[i]);
  if (!low || !high) return null;
  const y = Math.min(low.y, high.y) - scene.top;
  const bottom = Math.max(low.y + low.height, high.y + high.height) - scene.top;
  return { x: left, y, width: right - left, height: bottom - y };
}

/** Outlines what each member of the selected operation does, from its enter to its leave. */
function drawMembers(context: CanvasRenderingContext2D, scene: Scene, app: App): void {
  const detail = app.detail.get();
  if (!detail?.members) return;
  context.strokeStyle = scene.palette.select;
  context.lineWidth = 1.5;
  detail.members.rows.forEach((row, i) => {
    const lane = scene.layout.laneOf(detail.selected.run, row);
    if (!lane) return;
    const x = timeToX(scene, detail.members!.enter[i]);
    const width = timeToX(scene, detail.members!.leave[i]) - x;
    context.strokeRect(x, lane.y - scene.top + 1, Math.max(width, 2), lane.height - 2);
  });
}

// Messages

export interface Arrow {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  run: number;
  tile: Messages;
  i: number;
  /** How many messages it bundles, and how many of them are reversed. */
  count: number;
  reversed: number;
  bundle: boolean;
  /** It is the one of so many like it that is drawn. */
  oneOf: number;
}

/** The arrows that can be seen, without those that the filter leaves out. */
function arrows(scene: Scene): Arrow[] {
  const { view } = scene;
  const other = otherTimes(scene);
  const found: Arrow[] = [];
  const seen = new Set<string>();
  for (const { run, tile } of scene.messages) {
    for (let i = 0; i < tile.n; i++) {
      if (filteredOut(view, tile, i)) continue;
      const key = tile.aggregated ? null : `${run}.${tile.from[i]}.${tile.sendEvent[i]}.${tile.to[i]}.${tile.receiveEvent[i]}`;
      if (key !== null) {
        if (seen.has(key)) continue;
        seen.add(key);
      }
      const from = scene.layout.laneOf(run, tile.from[i]);
      const to = scene.layout.laneOf(run, tile.to[i]);
      if (!from || !to || from === to) continue;
      const moved = key === null ? undefined : other?.get(key);
      const amount = scene.towards?.amount ?? 0;
      let [send, receive] = endsOf(scene, run, tile, i);
      if (moved) {
        send += amount * (moved[0] - send);
        receive += amount * (moved[1] - receive);
      }
      const arrow = { x1: timeToX(scene, send), y1: middle(scene, from), x2: timeToX(scene, receive), y2: middle(scene, to), run, tile, i, count: tile.count[i], reversed: tile.reversed[i], bundle: tile.aggregated, oneOf: 1 };
      if (visible(scene, arrow)) found.push(arrow);
    }
  }
  return found;
}

/** When a message is sent and received, as far as its rows are moved. */
export function endsOf(scene: Scene, run: number, tile: Messages, i: number, { by } = scene.moves[run]): [number, number] {
  return [tile.send[i] + by[tile.from[i]], tile.receive[i] + by[tile.to[i]]];
}

function otherTimes(scene: Scene): Map<string, [number, number]> | null {
  if (!scene.towards) return null;
  const times = new Map<string, [number, number]>();
  for (const { run, tile } of scene.towards.messages) {
    if (tile.aggregated) continue;
    for (let i = 0; i < tile.n; i++) times.set(`${run}.${tile.from[i]}.${tile.sendEvent[i]}.${tile.to[i]}.${tile.receiveEvent[i]}`, endsOf(scene, run, tile, i, scene.towards.moves[run]));
  }
  return times;
}

function filteredOut({ filter, hiddenClasses }: View, tile: Messages, i: number): boolean {
  if (hiddenClasses.has(CLASS.pointToPoint)) return true;
  if (tile.aggregated) return false;
  return (filter.communicator !== null && tile.communicator[i] !== filter.communicator) || (filter.tag !== null && tile.tag[i] !== filter.tag);
}

const middle = (scene: Scene, lane: Lane) => lane.y - scene.top + lane.height / 2;

function visible(scene: Scene, { x1, y1, x2, y2 }: Arrow): boolean {
  return Math.max(x1, x2) >= 0 && Math.min(x1, x2) <= scene.width && Math.max(y1, y2) >= 0 && Math.min(y1, y2) <= scene.height;
}

/** Of bundles of messages so many are drawn per tile, the largest. */
const BUNDLES = 5;
/** How far right an arrow of a bundle ends. */
const BUNDLE_SLANT = 8;

interface Drawn {
  arrows: Arrow[];
  /** How many messages there are, and how many of them the arrows stand for; the same of reversed ones. */
  messages: number;
  shown: number;
  reversed: number;
  reversedShown: number;
}

const drawnOf = new WeakMap<Scene, Drawn>();

/** The arrows that are drawn: of single messages as many as fit, of bundles the largest. */
function drawn(scene: Scene): Drawn {
  let known = drawnOf.get(scene);
  if (!known) {
    const all = arrows(scene);
    const chosen = chosenOf(scene, all);
    const sum = (list: Arrow[], what: (arrow: Arrow) => number) => list.reduce((total, arrow) => total + what(arrow), 0);
    const [messages, shown] = [all, chosen].map((list) => sum(list, ({ count }) => count));
    const [reversed, reversedShown] = [all, chosen].map((list) => sum(list, reversedIn));
    known = { arrows: chosen, messages, shown, reversed, reversedShown };
    drawnOf.set(scene, known);
  }
  return known;
}

/**
 * Where messages of one tile are bundled, those of its neighbours are, too: single arrows beside
 * bundles would look like a burst that begins at the tile's edge.
 */
function chosenOf(scene: Scene, all: Arrow[]): Arrow[] {
  const bundled = new Set(scene.messages.filter(({ tile }) => tile.aggregated).map(({ run }) => run));
  const byTile = new Map<Messages, Arrow[]>();
  for (const arrow of all) {
    const list = byTile.get(arrow.tile);
    if (list) list.push(arrow);
    else byTile.set(arrow.tile, [arrow]);
  }
  const single: Arrow[] = [];
  const chosen: Arrow[] = [];
  for (const { run, tile, from, to } of scene.messages) {
    const own = byTile.get(tile) ?? [];
    const few = !tile.aggregated && own.length <= BUNDLES;
    if (few || !bundled.has(run)) for (const arrow of own) single.push(arrow);
    else chosen.push(...bundles(scene, tile.aggregated ? own : together(own), from, to));
  }
  // Reversed ones are thinned apart, so that few of them are not lost among many others. While the clock is
  // switched they turn, and the same stay chosen.
  const turned = (arrow: Arrow) => (scene.towards ? arrow.reversed > 0 : isReversed(arrow));
  return [...thinned(single.filter((arrow) => !turned(arrow))), ...thinned(single.filter(turned)), ...chosen];
}

/** Of too many arrows each n-th, in all tiles alike. */
function thinned(all: Arrow[]): Arrow[] {
  const oneOf = Math.max(1, Math.ceil(all.length / MOST_ARROWS));
  return oneOf === 1 ? all : all.filter((_, n) => n % oneOf === 0).map((arrow) => ({ ...arrow, oneOf }));
}

/** Messages of a tile as bundles, one for each two rows. */
function together(all: Arrow[]): Arrow[] {
  const pairs = new Map<string, Arrow>();
  for (const arrow of all) {
    const key = `${arrow.tile.from[arrow.i]} ${arrow.tile.to[arrow.i]}`;
    const pair = pairs.get(key);
    if (!pair) pairs.set(key, { ...arrow, reversed: reversedIn(arrow), bundle: true });
    else {
      pair.count += arrow.count;
      pair.reversed += reversedIn(arrow);
    }
  }
  return [...pairs.values()];
}

/** How many of its messages arrive before they were sent. */
function reversedIn(arrow: Arrow): number {
  return arrow.bundle ? arrow.reversed : Number(isReversed(arrow));
}

/** The largest bundles of a tile, side by side over its time: their mean times would all be in its middle. */
function bundles(scene: Scene, all: Arrow[], from: number, to: number): Arrow[] {
  const largest = all.sort((a, b) => b.count - a.count).slice(0, BUNDLES);
  const left = Math.max(0, timeToX(scene, from));
  const right = Math.min(scene.width, timeToX(scene, to));
  return largest
    .sort((a, b) => a.y1 - b.y1 || a.y2 - b.y2)
    .map((arrow, k) => {
      const x1 = left + ((k + 0.5) * (right - left)) / largest.length - BUNDLE_SLANT / 2;
      return { ...arrow, x1, x2: x1 + BUNDLE_SLANT };
    });
}

/** How many arrows are drawn, and where, for tests: the sum of where they begin, and of where they end. */
export function arrowsOf(scene: Scene): string {
  const { arrows: all } = drawn(scene);
  const sum = (x: (arrow: Arrow) => number) => Math.round(all.reduce((total, arrow) => total + x(arrow), 0));
  return `${all.length}:${sum(({ x1 }) => x1)}:${sum(({ x2 }) => x2)}`;
}

/** Reversed arrows stay red however many there are. */
const LEAST_RED = 0.3;

function drawMessages(context: CanvasRenderingContext2D, scene: Scene): void {
  const known = drawn(scene);
  const { arrows: all } = known;
  const { palette } = scene;
  const heads = all.length < scene.width;
  for (const reversed of [false, true]) {
    context.strokeStyle = context.fillStyle = reversed ? palette.reversed : palette.arrow;
    context.globalAlpha = reversed ? faintness(scene, all.length, LEAST_RED) : faintness(scene, all.length);
    const byWidth = new Map<number, Path2D>();
    const points = new Path2D();
    for (const arrow of all) {
      if (isReversed(arrow) !== reversed) continue;
      const width = Math.min(4, 1 + 0.6 * Math.log10(arrow.count || 1)) + (reversed ? 0.4 : 0);
      const rounded = Math.round(2 * width) / 2;
      let path = byWidth.get(rounded);
      if (!path) byWidth.set(rounded, (path = new Path2D()));
      path.moveTo(arrow.x1, arrow.y1);
      path.lineTo(arrow.x2, arrow.y2);
      if (heads) addHead(points, arrow);
    }
    for (const [width, path] of byWidth) {
      context.lineWidth = width;
      context.stroke(path);
    }
    context.fill(points);
  }
  context.globalAlpha = 1;
  drawCounts(context, scene, all);
  if (known.shown < known.messages) drawLeftOut(context, scene, known);
}

/** Says how many messages there are where not all can be drawn. */
function drawLeftOut(context: CanvasRenderingContext2D, scene: Scene, { messages, shown, reversed, reversedShown }: Drawn): void {
  const red = reversed === 0 ? "" : `, ${count(reversedShown)} of ${count(reversed)} reversed ones`;
  const text = `Arrows show ${count(shown)} of ${count(messages)} messages${red}; zoom in for more`;
  const width = context.measureText(text).width + 12;
  context.globalAlpha = 0.92;
  context.fillStyle = scene.palette.background;
  context.fillRect(scene.width - width - 4, scene.height - 22, width, 18);
  context.globalAlpha = 1;
  context.fillStyle = scene.palette.quiet;
  context.fillText(text, scene.width - width + 2, scene.height - 12.5);
}

/** Of one message its direction on screen decides, so that an arrow changes colour as it turns. */
function isReversed({ bundle, reversed, x1, x2 }: Arrow): boolean {
  return bundle ? reversed > 0 : x2 < x1;
}

const HEAD = 7;

function addHead(path: Path2D, { x1, y1, x2, y2 }: Arrow): void {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 14) return;
  const ux = (x2 - x1) / length;
  const uy = (y2 - y1) / length;
  path.moveTo(x2, y2);
  path.lineTo(x2 - HEAD * ux - 0.4 * HEAD * uy, y2 - HEAD * uy + 0.4 * HEAD * ux);
  path.lineTo(x2 - HEAD * ux + 0.4 * HEAD * uy, y2 - HEAD * uy - 0.4 * HEAD * ux);
  path.closePath();
}

/** An arrow that stands for several messages says for how many. */
function drawCounts(context: CanvasRenderingContext2D, scene: Scene, all: Arrow[]): void {
  const several = all.filter(({ bundle, count }) => bundle && count > 1);
  const taken: Box[] = [];
  for (const { x1, y1, x2, y2, count: messages, reversed } of several.sort((a, b) => b.count - a.count)) {
    const text = `${count(messages)}×`;
    const width = context.measureText(text).width + 6;
    const box = { x: Math.min(Math.max((x1 + x2 - width) / 2, 0), scene.width - width), y: (y1 + y2) / 2 - 7, width, height: 14 };
    if (taken.some((other) => overlap(other, box))) continue;
    taken.push(box);
    context.fillStyle = scene.palette.background;
    context.globalAlpha = 0.9;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    context.fillStyle = reversed > 0 ? scene.palette.reversed : scene.palette.text;
    context.fillText(text, box.x + 3, box.y + 7.5);
  }
}

const overlap = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

// Critical path, findings, selection

function drawPath(context: CanvasRenderingContext2D, scene: Scene): void {
  const path = scene.app.path.get();
  if (!path || path.clock !== scene.clock) return;
  const line = new Path2D();
  let last: { x: number; y: number } | null = null;
  for (const { row, begin, end } of path.segments) {
    const lane = scene.layout.laneOf(path.run, row);
    if (!lane) continue;
    const x1 = timeToX(scene, begin);
    const x2 = Math.max(timeToX(scene, end), x1 + 1);
    const y = lane.y - scene.top + 0.5;
    if (x2 >= -1 && x1 <= scene.width + 1) line.rect(Math.max(x1, -4), y, Math.min(x2, scene.width + 4) - Math.max(x1, -4), lane.height - 1);
    if (last && Math.max(last.x, x1) >= 0 && Math.min(last.x, x1) <= scene.width && last.y !== middle(scene, lane)) {
      line.moveTo(last.x, last.y);
      line.lineTo(x1, middle(scene, lane));
    }
    last = { x: x2, y: middle(scene, lane) };
  }
  context.strokeStyle = scene.palette.background;
  context.lineWidth = 4;
  context.stroke(line);
  context.strokeStyle = scene.palette.path;
  context.lineWidth = 2;
  context.stroke(line);
}

/** Joins the places of a finding: what waits to what causes it; candidates of a race are stars. */
function drawFinding(context: CanvasRenderingContext2D, scene: Scene): void {
  const placed = scene.app.finding.get();
  if (!placed || placed.clock !== scene.clock) return;
  const spots = placed.finding.places.slice(0, placed.times.length).flatMap((place, i) => {
    const lane = scene.layout.laneOf(placed.run, place.row);
    const [begin, end] = placed.times[i];
    return lane ? [{ role: place.role, lane, x1: timeToX(scene, begin), x2: timeToX(scene, end) }] : [];
  });
  const first = spots[0];
  if (!first) return;
  context.strokeStyle = scene.palette.cause;
  context.fillStyle = scene.palette.cause;
  context.lineWidth = 2;
  for (const spot of spots) context.strokeRect(spot.x1, spot.lane.y - scene.top + 0.5, Math.max(spot.x2 - spot.x1, 3), spot.lane.height - 1);
  context.setLineDash([5, 3]);
  for (const spot of spots.slice(1, 64)) {
    context.beginPath();
    context.moveTo((first.x1 + first.x2) / 2, middle(scene, first.lane));
    context.lineTo((spot.x1 + spot.x2) / 2, middle(scene, spot.lane));
    context.stroke();
  }
  context.setLineDash([]);
  for (const spot of spots) if (spot.role === "candidate" || spot.role === "receive") drawStar(context, (spot.x1 + spot.x2) / 2, middle(scene, spot.lane));
}

function drawStar(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  for (let i = 0; i < 10; i++) {
    const radius = i % 2 === 0 ? 7 : 3;
    const angle = (Math.PI * i) / 5 - Math.PI / 2;
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  context.closePath();
  context.fill();
}

function drawSelection(context: CanvasRenderingContext2D, scene: Scene): void {
  const detail = scene.app.detail.get();
  if (!detail || detail.clock !== scene.clock) return;
  const { palette } = scene;
  const { run } = detail.selected;
  for (const call of [detail.call, detail.receive]) {
    if (!call || detail.selected.what === "collective") continue;
    const lane = scene.layout.laneOf(run, call.row);
    if (!lane) continue;
    const x = timeToX(scene, call.begin);
    const width = Math.max(timeToX(scene, call.end) - x, 3);
    const { y, height } = lineOf(scene, lane, call.depth);
    context.lineWidth = 2;
    context.strokeStyle = palette.background;
    context.strokeRect(x - 2.5, y - 2, width + 5, height + 4);
    context.strokeStyle = palette.select;
    context.strokeRect(x - 1, y - 0.5, width + 2, height + 1);
    if (call.uncertainty !== null && call.uncertainty > 0) {
      drawErrorBar(context, scene, call.begin, call.uncertainty, y + height + 3);
      drawErrorBar(context, scene, call.end, call.uncertainty, y + height + 3);
    }
    for (const other of call.others) {
      const end = scene.layout.laneOf(run, other.row);
      if (!end || end === lane) continue;
      context.setLineDash([2, 3]);
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(x + width / 2, y + height / 2);
      context.lineTo(timeToX(scene, (other.begin + other.end) / 2), middle(scene, end));
      context.stroke();
      context.setLineDash([]);
    }
  }
}

/** How far off the time may be, as a bar from the earliest to the latest. */
function drawErrorBar(context: CanvasRenderingContext2D, scene: Scene, time: number, uncertainty: number, y: number): void {
  const left = timeToX(scene, time - uncertainty);
  const right = timeToX(scene, time + uncertainty);
  if (right - left < 3) return;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(left, y);
  context.lineTo(right, y);
  for (const x of [left, right]) {
    context.moveTo(x, y - 3);
    context.lineTo(x, y + 3);
  }
  context.stroke();
}

function drawInterval(context: CanvasRenderingContext2D, scene: Scene): void {
  const { interval } = scene.view;
  if (!interval) return;
  const left = timeToX(scene, interval[0]);
  const right = timeToX(scene, interval[1]);
  context.fillStyle = scene.palette.select;
  context.globalAlpha = 0.14;
  context.fillRect(left, 0, right - left, scene.height);
  context.globalAlpha = 1;
  context.fillRect(left, 0, 1.5, scene.height);
  context.fillRect(right - 1.5, 0, 1.5, scene.height);
  const text = duration(interval[1] - interval[0]);
  const width = context.measureText(text).width + 12;
  const x = Math.min(Math.max((left + right - width) / 2, 2), scene.width - width - 2);
  context.fillRect(x, 3, width, 18);
  context.fillStyle = textOn(scene.palette.select);
  context.fillText(text, x + 6, 12.5);
}

// What the pointer is on

const NEAR = 5;

/** The message whose arrow passes near a point. */
export function messageAt(scene: Scene, x: number, y: number): Arrow | undefined {
  let nearest: Arrow | undefined;
  let least = NEAR;
  for (const arrow of drawn(scene).arrows) {
    const away = distance(arrow, x, y);
    if (away < least) {
      least = away;
      nearest = arrow;
    }
  }
  return nearest;
}

function distance({ x1, y1, x2, y2 }: Arrow, x: number, y: number): number {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const t = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x1 - t * dx, y - y1 - t * dy);
}

/** The call that is drawn at a point: the innermost, or on a stack that of the line. */
export function callAt(scene: Scene, lane: Lane, x: number, y: number): { tile: Spans; i: number } | undefined {
  let found: { tile: Spans; i: number } | undefined;
  for (const { run, tile } of scene.calls) {
    if (run !== lane.run) continue;
    for (let i = 0; i < tile.n; i++) {
      if (tile.row[i] !== lane.row!) continue;
      const box = boxOf(scene, lane, tile, i);
      if (!box || x < box.x || x > box.x + Math.max(box.width, 1)) continue;
      if (lane.lines > 1 ? y >= box.y && y <= box.y + box.height + 1 : !found || tile.depth[i] >= found.tile.depth[found.i]) found = { tile, i };
    }
  }
  return found;
}

/** The collective operation whose band is at a point. */
export function collectiveAt(scene: Scene, x: number, y: number): { run: number; number: number } | undefined {
  for (const { run, tile } of scene.collectives) {
    for (let i = 0; i < tile.n; i++) {
      const band = bandOf(scene, run, tile, i);
      if (band && band.width >= LEAST_BAND && x >= band.x && x <= band.x + band.width && y >= band.y && y <= band.y + band.height) return { run, number: tile.number[i] };
    }
  }
  return undefined;
}

/** The collective operation that a call is a part of, among those that are loaded. */
export function collectiveOf(scene: Scene, run: number, call: { row: number; region: number; begin: number; end: number }): number | undefined {
  const by = scene.moves[run].by[call.row];
  for (const { run: of, tile } of scene.collectives) {
    if (of !== run) continue;
    for (let i = 0; i < tile.n; i++) {
      const within = tile.firstEnter[i] <= call.begin - by && call.end - by <= tile.lastLeave[i] && tile.lowest[i] <= call.row && call.row <= tile.highest[i];
      if (within && tile.region[i] === call.region) return tile.number[i];
    }
  }
  return undefined;
}

/** Whether an arrow stands for one message with known ends. */
export function single({ bundle, tile, i }: Arrow): boolean {
  return !bundle && tile.sendEvent[i] !== NONE && tile.receiveEvent[i] !== NONE;
}
