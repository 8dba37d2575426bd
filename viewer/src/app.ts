// What the page can do: every key, button and link ends in one of these actions, which
// turn one view into the next and ask for what the next one needs.

import { CLOCKS, regionOf, type Clock, type Finding, type Iterations, type Meta, type Run } from "./protocol";
import { entries, entryIn, nameOf, windowOf } from "./iterations";
import { heaviest, type Named } from "./heaviest";
import { AT_MOST, Questions } from "./questions";
import { foldKey, foldedAtFirst, layout, similarityOrder, Tree, type Layout } from "./rows";
import { Keeping } from "./keeping";
import { movedDetail, movedFinding, movedPath, type Detail, type Path, type PlacedFinding } from "./marked";
import { NotHeld } from "./report";
import { allKept, movesOf, NO_SHIFTS, shiftOf, signed, withShift, type KeptShifts, type Moves, type Shifts } from "./shifts";
import { serious, SourceError, withdrawn, type Source } from "./source";
import { fromFragment, History, NO_FILTER, SORTS, toFragment, within, withWindow, type Filter, type Selected, type View, type Window } from "./state";
import { Searching } from "./searching";
import { Sums } from "./sums";
import { Value } from "./value";
import { around, centred, extent } from "./windows";

const ADDRESS_REST_MS = 250;
export const CRITICAL_PATH = "critical_path";

export class App {
  readonly ask: Questions;
  readonly trees: Tree[];
  readonly start: View;
  readonly view: Value<View>;
  readonly detail = new Value<Detail | null>(null);
  readonly selectionError = new Value<string | null>(null);
  readonly finding = new Value<PlacedFinding | null>(null);
  readonly path = new Value<Path | null>(null);
  /** Where the run of the panels repeats itself; nothing while it is not known, or if it does not. */
  readonly iterations = new Value<{ run: number; clock: Clock; found: Iterations } | null>(null);
  readonly similar = new Value<(number[] | null)[]>([]);
  /** A short message about what just happened or could not. */
  readonly notice = new Value("");
  readonly error = new Value<SourceError | null>(null);
  readonly help = new Value(false);
  readonly searching = new Searching(this);
  readonly sums = new Sums(this);
  /** The longest run by the clock shown. */
  readonly length: (clock: Clock) => number;
  /** Set by the display: how many pixels it is wide and high, and how it placed rows last. */
  display: { width: number; height: number; layout: Layout | null } = { width: 1000, height: 400, layout: null };
  /** How rows were placed last, and what for: of very many rows that is not done anew with each frame. */
  private layoutKept: { layout: Layout; of: readonly unknown[] } | null = null;
  /** Dragging moves rows in place of the window. */
  readonly shifting = new Value(false);
  readonly keeping: Keeping;
  private readonly history: History;
  private readonly moved = new Map<string, { shifts: Shifts; moves: Moves }>();
  /** The details as they were answered, at unmoved times. */
  private unmoved: { detail: Detail | null; finding: PlacedFinding | null; path: Path | null } = { detail: null, finding: null, path: null };
  private readonly remembered = new Map<string, Finding>();
  private addressTimer = 0;
  /** The view has jumped elsewhere since the address was written: that is a place to come back to. */
  private jumped = false;
  /** Done when the details of the selection are there; keys pressed in quick succession wait for it. */
  loading: Promise<void> = Promise.resolve();

  constructor(
    readonly source: Source,
    readonly meta: Meta,
    fragment: string,
    /** What is kept of each run's shifts. */
    readonly kept: (KeptShifts | null)[] = [],
  ) {
    this.ask = new Questions(source);
    this.trees = meta.runs.map((run) => new Tree(run));
    this.keeping = new Keeping(this.ask, meta.runs.length, kept, () => this.view.get().shifts, (text) => this.say(text));
    this.length = (clock) => Math.max(0, ...meta.runs.map((run) => run.spans[clockOf(run, clock)]?.length ?? 0));
    this.start = { ...firstView(meta, this.trees, this.length), shifts: allKept(kept) };
    const view = fromFragment(fragment, this.start);
    const run = Math.min(view.run, meta.runs.length - 1);
    this.history = new History({ ...view, run });
    this.view = new Value(this.history.view);
    this.history.amend({ ...this.history.view, window: this.within(view.window) });
    this.view.set(this.history.view);
    this.similar.set(meta.runs.map(() => null));
    this.settle(null);
  }

  get run(): Run {
    return this.meta.runs[this.view.get().run];
  }

  /** How far the rows of a run are drawn from the times of their tiles. */
  moves(run: number, clock: Clock = this.clockOf(run)): Moves {
    const { shifts } = this.view.get();
    const key = `${run} ${clock}`;
    const known = this.moved.get(key);
    if (known?.shifts === shifts) return known.moves;
    const moves = movesOf(this.trees[run], run, shifts, clock, this.kept[run] ?? null);
    this.moved.set(key, { shifts, moves });
    return moves;
  }

  /** The whole of all runs by a clock, with what is moved beyond their begin and end. */
  whole(clock: Clock = this.view.get().clock): Window {
    const moved = this.trees.flatMap((_, run) => this.moves(run, clockOf(this.meta.runs[run], clock)).all);
    return [Math.min(0, ...moved), this.length(clock) + Math.max(0, ...moved)];
  }

  /** Where rows lie in the view as it is now, whether that was drawn or not. */
  layoutNow(): Layout {
    const view = this.view.get();
    const similar = this.similar.get();
    const { height } = this.display;
    const of = [view.sort, view.folded, view.stacks, view.rowHeight, view.filter.ranks, similar, height];
    if (!this.layoutKept?.of.every((it, i) => it === of[i])) this.layoutKept = { layout: layout(this.trees, view, similar, height), of };
    return this.layoutKept!.layout;
  }

  /** A window as far as it lies within the run. */
  within(window: Window, clock: Clock = this.view.get().clock): Window {
    const [start, end] = this.whole(clock);
    return within(window, end, start);
  }

  /** The clock by which a run is shown: the chosen one, or its best if it lacks that. */
  clockOf(run: number): Clock {
    return clockOf(this.meta.runs[run], this.view.get().clock);
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  // Views

  go(change: Partial<View>, gesture = ""): void {
    const before = this.view.get();
    const after = { ...before, ...change };
    if (isJump(before, after, gesture) && !this.jumped) {
      this.writeAddress();
      this.jumped = true;
    }
    this.history.go(after, gesture);
    this.show(before);
  }

  amend(change: Partial<View>): void {
    const before = this.view.get();
    this.history.amend({ ...before, ...change });
    this.show(before);
  }

  undo(): void {
    const before = this.view.get();
    if (!this.history.canUndo) return this.say("There is nothing to undo.");
    this.history.undo();
    this.notice.set("");
    this.show(before);
  }

  redo(): void {
    const before = this.view.get();
    if (!this.history.canRedo) return this.say("There is nothing to redo.");
    this.history.redo();
    this.notice.set("");
    this.show(before);
  }

  /** Shows what another address names, as the browser's Back and Forward do. */
  readAddress(fragment: string): void {
    clearTimeout(this.addressTimer);
    this.jumped = false;
    if (fragment === toFragment(this.view.get(), this.start)) return;
    this.goBack({ ...fromFragment(fragment, this.start), shifts: this.view.get().shifts });
  }

  /** Shows a view whose address is there already. */
  private goBack(view: View): void {
    const before = this.view.get();
    this.history.go(view);
    this.show(before);
  }

  private show(before: View): void {
    this.view.set(this.history.view);
    this.settle(before);
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => this.writeAddress(), ADDRESS_REST_MS) as unknown as number;
  }

  private writeAddress(): void {
    if (typeof history === "undefined") return;
    const fragment = toFragment(this.view.get(), this.start);
    const address = fragment === "" ? location.pathname + location.search : `#${fragment}`;
    clearTimeout(this.addressTimer);
    if (this.jumped) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    this.jumped = false;
  }

  /** Asks for what the view shows besides tiles. */
  private settle(before: View | null): void {
    const view = this.view.get();
    if (!before || before.selected !== view.selected || before.clock !== view.clock) this.loading = this.loadSelected(view);
    if (!before || before.finding !== view.finding || before.clock !== view.clock || before.run !== view.run) void this.loadFinding(view);
    if (view.path && (!before?.path || before.clock !== view.clock || before.run !== view.run)) void this.loadPath(view);
    if (!view.path) this.showPath(null);
    if (!before || before.clock !== view.clock || before.run !== view.run) void this.loadIterations(view);
    if (before && before.shifts !== view.shifts) this.followShifts();
    if (view.sort === "similarity" && before?.sort !== "similarity") void this.loadSimilarity();
  }

  say(text: string): void {
    this.notice.set("");
    this.notice.set(text);
  }

  /** Shows an error that concerns the whole page; others go to where they arose. */
  failed(error: unknown): void {
    if (withdrawn(error)) return;
    if (serious(error)) this.error.set(error);
    else this.say(error instanceof Error ? error.message : String(error));
  }

  /** An answer came: the server is there again. */
  answered(): void {
    if (this.error.get()?.status === 0) this.error.set(null);
  }

  /** Asks whether the server is there again. */
  async askAgain(): Promise<void> {
    try {
      await this.ask.meta();
      this.answered();
      this.amend({});
    } catch (error) {
      this.failed(error);
    }
  }

  /** Has a run that was changed read again; the page is loaded anew if that can be shown, and else stays as it is. */
  async readAgain(): Promise<void> {
    this.say("The run is read again …");
    try {
      await this.keeping.now();
      await this.ask.meta();
      // What could not be kept would be lost.
      const lost = this.keeping.notKept.get();
      if (lost === null) location.reload();
      else this.say(`The shifts are not kept with the run. ${lost} Load the page again to see it without them.`);
    } catch (error) {
      this.failed(error);
    }
  }

  // Window

  setWindow(window: Window, gesture = ""): void {
    const view = this.view.get();
    const next = this.within(window);
    if (next[0] === view.window[0] && next[1] === view.window[1]) return;
    this.go(withWindow(view, next), gesture);
  }

  /** Zooms by a factor (below 1: in), about a fraction of the window. */
  zoom(factor: number, at = 0.5): void {
    const [from, to] = this.view.get().window;
    const anchor = from + at * (to - from);
    this.setWindow([anchor - (anchor - from) * factor, anchor + (to - anchor) * factor], "zoom");
  }

  pan(fraction: number): void {
    const [from, to] = this.view.get().window;
    const by = fraction * (to - from);
    this.setWindow([from + by, to + by], "pan");
  }

  wholeRun(): void {
    this.setWindow(this.whole());
  }

  /** Fills the window with the interval, the selection, or the finding. */
  async frame(): Promise<void> {
    await this.loading;
    const { interval } = this.view.get();
    const detail = this.detail.get();
    const finding = this.finding.get();
    if (interval) {
      this.go({ ...withWindow(this.view.get(), this.within(interval)), interval: null });
    } else if (detail) this.setWindow(around(detail.window, 0.25));
    else if (finding) this.setWindow(around(extent(finding.times), 0.25));
    else this.say("Nothing is selected. Click a call, or press / to search for one.");
  }

  // Selection

  select(selected: Selected | null, change: Partial<View> = {}): void {
    this.go({ ...change, selected, ...(selected ? { run: selected.run } : {}) });
  }

  /** Selects what a row does at a time. */
  async selectAt(run: number, row: number, time: number, depth: number | null): Promise<void> {
    const clock = this.clockOf(run);
    try {
      const call = await this.ask.at(run, clock, row, time - this.moves(run, clock).by[row], depth);
      this.select({ what: "call", run, row: call.row, event: call.event }, { finding: null });
    } catch (error) {
      if (error instanceof SourceError && error.status === 404 && !(error instanceof NotHeld)) {
        this.select(null, { finding: null });
        this.say("No recorded call is there; the program computes.");
      } else this.failed(error);
    }
  }

  private async loadSelected(view: View): Promise<void> {
    const { selected } = view;
    this.selectionError.set(null);
    if (!selected) return this.showDetail(null);
    const clock = clockOf(this.meta.runs[selected.run] ?? this.run, view.clock);
    try {
      const detail = await this.detailOf(selected, clock);
      if (this.view.get().selected === selected) this.showDetail(detail);
    } catch (error) {
      if (this.view.get().selected !== selected) return;
      this.showDetail(null);
      this.selectionError.set(error instanceof Error ? error.message : String(error));
    }
  }

  private async detailOf(selected: Selected, clock: Clock): Promise<Detail> {
    const nothing = { selected, clock, call: null, receive: null, members: null };
    switch (selected.what) {
      case "call": {
        const call = await this.ask.call(selected.run, clock, selected.row, selected.event);
        return { ...nothing, call, window: [call.begin, call.end] };
      }
      case "message": {
        const { run, row, event, toRow, toEvent } = selected;
        const [call, receive] = await Promise.all([this.ask.call(run, clock, row, event), this.ask.call(run, clock, toRow, toEvent)]);
        return { ...nothing, call, receive, window: extent([[call.begin, call.end], [receive.begin, receive.end]]) };
      }
      case "collective": {
        const members = await this.ask.members(selected.run, clock, selected.number);
        const last = members.enter.indexOf(Math.max(...members.enter));
        const call = last < 0 ? null : await this.ask.at(selected.run, clock, members.rows[last], members.enter[last], null).catch(() => null);
        return { ...nothing, members: { ...members, call }, window: [Math.min(...members.enter), Math.max(...members.leave)] };
      }
    }
  }

  /** The previous or next call of the selected one's region, on its row. */
  async sameKind(direction: "next" | "previous"): Promise<void> {
    await this.loading;
    const call = this.detail.get()?.call;
    const run = this.view.get().selected?.run;
    if (!call || run === undefined) return this.say("Select a call first; [ and ] then go to others of its kind.");
    await this.searching.search({ text: regionOf(this.meta.runs[run], call.region).name, row: call.row, from: call.begin }, direction, run);
  }

  /** The previous or next call of the selected one's row, of any kind. */
  async neighbour(direction: "next" | "previous"): Promise<void> {
    await this.loading;
    const call = this.detail.get()?.call;
    const run = this.view.get().selected?.run;
    if (!call || run === undefined) return this.selectFirstRow();
    await this.searching.search({ text: "", row: call.row, from: call.begin }, direction, run);
  }

  /** The call at the same time on the lane above or below. */
  async neighbourRow(step: 1 | -1): Promise<void> {
    await this.loading;
    const detail = this.detail.get();
    const { layout } = this.display;
    if (!detail?.call || !layout) return this.selectFirstRow();
    const { run } = detail.selected;
    const lanes = layout.lanes.filter((lane) => lane.row !== null && lane.folded === null);
    const at = lanes.findIndex((lane) => lane.run === run && lane.row! === detail.call!.row);
    const next = lanes[at + step];
    if (!next) return this.say(step > 0 ? "This is the last row." : "This is the first row.");
    await this.selectAt(next.run, next.row!, (detail.call.begin + detail.call.end) / 2, null);
    this.reveal(next.run, next.row!);
  }

  private async selectFirstRow(): Promise<void> {
    const lane = this.display.layout?.lanes.find(({ row, folded }) => row !== null && folded === null);
    if (!lane) return this.say("All rows are folded; press X to unfold them.");
    await this.searching.search({ text: "", row: lane.row!, from: this.view.get().window[0] }, "next", lane.run);
  }

  /** Goes to the other end of the selected message or call. */
  async followMessage(): Promise<void> {
    await this.loading;
    const detail = this.detail.get();
    if (!detail?.call) return this.say("Select a call or a message first; M then goes to its other end.");
    const { run } = detail.selected;
    const other = detail.receive ?? detail.call.others[0];
    if (!other) return this.say("This call has no other end.");
    this.goTo(run, other.row, other.event, other.begin, other.end);
  }

  /** Selects a call elsewhere and moves the window there, as narrow as it is. */
  goTo(run: number, row: number, event: number, begin: number, end: number): void {
    const view = this.view.get();
    const visible = begin >= view.window[0] && end <= view.window[1];
    const change = visible ? {} : withWindow(view, this.within(centred(view.window, begin, end)));
    this.select({ what: "call", run, row, event }, { ...change, finding: view.finding });
    this.reveal(run, row);
  }

  /** Unfolds and scrolls until a row can be seen. */
  reveal(run: number, row: number): void {
    const view = this.view.get();
    const folded = new Set(view.folded);
    const { rows } = this.meta.runs[run];
    for (let at = rows[row]?.parent ?? null; at !== null; at = rows[at].parent) folded.delete(foldKey(run, at));
    if (folded.size !== view.folded.size) this.amend({ folded });
    const lane = this.layoutNow().laneOf(run, row);
    if (!lane) return;
    const { top } = this.view.get();
    const { height } = this.display;
    if (lane.y < top || lane.y + lane.height > top + height) this.amend({ top: Math.max(0, lane.y - height / 3) });
  }

  escape(): void {
    const view = this.view.get();
    if (this.help.get()) this.help.set(false);
    else if (this.shifting.get()) this.toggleShifting();
    else if (view.interval) this.go({ interval: null });
    else if (view.selected || view.finding !== null) this.go({ selected: null, finding: null });
    else if (view.crumbs.length > 0) this.setWindow(view.crumbs.at(-1)!);
    else this.wholeRun();
  }

  // Findings

  remember(run: number, findings: readonly Finding[]): void {
    for (const finding of findings) this.remembered.set(`${run}.${finding.id}`, finding);
  }

  async findingById(run: number, id: number): Promise<Finding | null> {
    const key = `${run}.${id}`;
    for (let offset = 0; !this.remembered.has(key); offset += AT_MOST) {
      const page = await this.ask.findings(run, AT_MOST, offset);
      this.remember(run, page.findings);
      if (offset + AT_MOST >= page.total) break;
    }
    return this.remembered.get(key) ?? null;
  }

  /** Goes to the places of a finding: the window spans them, the first is selected. */
  async followFinding(run: number, id: number): Promise<void> {
    try {
      const finding = await this.findingById(run, id);
      if (!finding) return this.say("This finding is not in the list that the server gives.");
      const clock = clockOfKind(this.meta.runs[run], finding.kind) ?? this.clockOf(run);
      const placed = await this.placed(run, finding, clock);
      if (placed.times.length === 0) {
        this.go({ run, clock, finding: id });
        return this.say("This finding has no place on the time lines.");
      }
      const first = finding.places[0];
      const view = this.view.get();
      this.unmoved.finding = placed;
      const shown = movedFinding(placed, this.moves(placed.run, placed.clock));
      const window = this.within(around(extent(shown.times), 0.4), clock);
      this.finding.set(shown);
      this.select({ what: "call", run, row: first.row, event: first.event }, { ...withWindow(view, window), clock, finding: id, interval: null });
      for (const { row } of [...finding.places].slice(0, 64).reverse()) this.reveal(run, row);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Goes to the heaviest finding of what a row of sums names; where none is listed, to a call of its function. */
  async followHeaviest(run: number, named: Named): Promise<void> {
    try {
      const limit = named.rank === null && named.place === null ? 1 : AT_MOST;
      const { findings } = await this.ask.findings(run, limit, 0, named.kind ?? "");
      this.remember(run, findings);
      const found = heaviest(findings, named);
      if (found) return await this.followFinding(run, found.id);
      if (named.region !== null) return this.searching.from(named.region);
      this.say("No finding of it is listed.");
    } catch (error) {
      this.failed(error);
    }
  }

  private async placed(run: number, finding: Finding, clock: Clock): Promise<PlacedFinding> {
    const places = finding.places.slice(0, AT_MOST);
    const times = places.length === 0 ? [] : await this.ask.times(run, clock, places);
    return { finding, run, clock, times };
  }

  private async loadFinding(view: View): Promise<void> {
    if (view.finding === null) return this.showFinding(null);
    const clock = clockOf(this.meta.runs[view.run], view.clock);
    const present = this.finding.get();
    if (present?.finding.id === view.finding && present.run === view.run && present.clock === clock) return;
    try {
      const finding = await this.findingById(view.run, view.finding);
      const placed = finding && (await this.placed(view.run, finding, clock));
      if (this.view.get().finding === view.finding) this.showFinding(placed);
    } catch (error) {
      this.failed(error);
    }
  }

  togglePath(): void {
    this.go({ path: !this.view.get().path });
  }

  private async loadPath(view: View): Promise<void> {
    const clock = clockOf(this.meta.runs[view.run], view.clock);
    try {
      const steps = await this.pathSteps(view.run);
      if (steps.length === 0) return this.say("The critical path of this run is not known.");
      const places = steps.flatMap((finding) => finding.places);
      const times: [number, number][] = [];
      for (let i = 0; i < places.length; i += AT_MOST) times.push(...(await this.ask.times(view.run, clock, places.slice(i, i + AT_MOST))));
      let at = 0;
      const segments = steps.map(({ places: of }) => {
        const [begin, end] = extent(times.slice(at, (at += of.length)));
        return { row: of[0].row, begin, end };
      });
      if (this.view.get().path) this.showPath({ run: view.run, clock, segments: segments.sort((a, b) => a.begin - b.begin) });
    } catch (error) {
      this.failed(error);
    }
  }

  /** The findings that are segments of the critical path, each with places at its begin and end. */
  private async pathSteps(run: number): Promise<Finding[]> {
    const steps: Finding[] = [];
    for (let total = 1; steps.length < total; ) {
      const page = await this.ask.findings(run, AT_MOST, steps.length, CRITICAL_PATH);
      if (page.findings.length === 0) break;
      steps.push(...page.findings.filter(({ places }) => places.length > 0));
      total = page.kinds.find(({ kind }) => kind === CRITICAL_PATH)?.count ?? 0;
    }
    this.remember(run, steps);
    return steps;
  }

  // Iterations

  private async loadIterations({ run, clock: shown }: View): Promise<void> {
    const clock = clockOf(this.meta.runs[run], shown);
    this.iterations.set(null);
    if (!(this.meta.runs[run].iterations.count > 0)) return;
    try {
      const found = await this.ask.iterations(run, clock);
      const now = this.view.get();
      if (found.count > 0 && now.run === run && clockOf(this.run, now.clock) === clock) this.iterations.set({ run, clock, found });
    } catch (error) {
      this.failed(error);
    }
  }

  /** Fills the window with an entry of the iterations. */
  showIteration(entry: number): void {
    const known = this.iterations.get();
    if (!known) return;
    this.setWindow(windowOf(known.found, entry));
    this.say(`${nameOf(known.found, entry)} of ${known.found.count}.`);
  }

  /** Goes from the iteration in the window to the one before or after. */
  nextIteration(step: 1 | -1): void {
    const known = this.iterations.get();
    if (!known) {
      const { reason } = this.run.iterations;
      return this.say(reason ? `This run has no iterations: ${reason}.` : "The iterations are on their way.");
    }
    const { found } = known;
    const { window, clock } = this.view.get();
    const { entry, exactly } = entryIn(found, window, (of) => within(of, this.length(clock)));
    // From the whole run one gets to an iteration first, not past it.
    const next = exactly ? entry + step : Math.min(Math.max(0, entry), entries(found) - 1);
    if (next < 0 || next >= entries(found)) return this.say(step > 0 ? "This is the last iteration." : "This is the first iteration.");
    this.showIteration(next);
  }

  // Rows moved by hand

  /** The times of events as they are shown. */
  async timesOf(run: number, clock: Clock, events: readonly { row: number; event: number }[]): Promise<[number, number][]> {
    const times = await this.ask.times(run, clock, events);
    const { by } = this.moves(run, clock);
    return times.map(([begin, end], i) => [begin + by[events[i].row], end + by[events[i].row]]);
  }

  private showDetail(detail: Detail | null): void {
    this.unmoved.detail = detail;
    this.detail.set(detail && movedDetail(detail, this.moves(detail.selected.run, detail.clock)));
  }

  private showFinding(finding: PlacedFinding | null): void {
    this.unmoved.finding = finding;
    this.finding.set(finding && movedFinding(finding, this.moves(finding.run, finding.clock)));
  }

  private showPath(path: Path | null): void {
    this.unmoved.path = path;
    this.path.set(path && movedPath(path, this.moves(path.run, path.clock)));
  }

  /** What is marked follows the rows that it is on. */
  private followShifts(): void {
    this.showDetail(this.unmoved.detail);
    this.showFinding(this.unmoved.finding);
    this.showPath(this.unmoved.path);
    this.keeping.soon();
  }

  /** Says why rows cannot be moved now; null if they can. */
  whyNoShift(run: number): string | null {
    if (!this.ask.canKeep) return "A report shows rows as they are; in mpiscope view they can be shifted.";
    if (this.clockOf(run) === "true") return "These times are the true ones: there is nothing to shift. Press C for another clock.";
    return null;
  }

  toggleShifting(): void {
    const why = this.whyNoShift(this.view.get().run);
    if (!this.shifting.get() && why) return this.say(why);
    this.shifting.set(!this.shifting.get());
    this.say(this.shifting.get() ? "Drag a row to shift it in time; H or Esc ends that." : "Dragging moves the window again.");
  }

  /** Shifts a row, with all rows below it; steps of one gesture are one step back. */
  shift(run: number, row: number, change: (ns: number) => number, gesture = ""): void {
    const why = this.whyNoShift(run);
    if (why) return this.say(why);
    const { shifts } = this.view.get();
    this.setShifts(withShift(this.trees[run], run, shifts, row, change), gesture);
    const ns = this.shiftOf(run, row);
    this.say(ns === null ? `Rows of ${this.trees[run].fullName(row)} are shifted.` : ns === 0 ? `${this.trees[run].fullName(row)} is not shifted.` : `${this.trees[run].fullName(row)} is shifted by ${signed(ns)}.`);
  }

  /** Shows shifts; with the gesture "on" as a part of the step before. */
  setShifts(shifts: Shifts, gesture = ""): void {
    if (gesture === "on") this.amend({ shifts });
    else this.go({ shifts }, gesture);
  }

  resetShifts(run: number): void {
    const why = this.whyNoShift(run);
    if (why) return this.say(why);
    const { shifts } = this.view.get();
    this.setShifts(new Map([...shifts].filter(([key]) => !key.startsWith(`${run}.`))));
    this.say("No row is shifted any more.");
  }

  /** The shift of a row; null if rows below it differ. */
  shiftOf(run: number, row: number): number | null {
    return shiftOf(this.trees[run], run, this.view.get().shifts, row);
  }

  /** Shifts the row of the selection by pixels. */
  nudge(pixels: number): void {
    const { selected, window } = this.view.get();
    if (!selected || selected.what === "collective") return this.say("Select a call of the row to be shifted first, or press Shift H for the list of shifts.");
    const by = Math.max(1, Math.round(((window[1] - window[0]) / this.display.width) * Math.abs(pixels))) * Math.sign(pixels);
    this.shift(selected.run, selected.row, (ns) => ns + by, "nudge");
  }

  // Clocks, rows, filters

  get clocks(): Clock[] {
    return CLOCKS.filter((clock) => this.meta.runs.some((run) => run.clocks.includes(clock)));
  }

  switchClock(step: 1 | -1 = 1): void {
    const { clocks } = this;
    if (clocks.length < 2) return this.say(`This run has times by one clock only: ${clocks[0]}.`);
    const at = clocks.indexOf(this.view.get().clock);
    this.setClock(clocks[(at + step + clocks.length) % clocks.length]);
  }

  setClock(clock: Clock): void {
    if (clock === this.view.get().clock) return;
    const { window, clock: before } = this.view.get();
    const all = this.whole(before);
    const whole = window[1] - window[0] >= all[1] - all[0];
    this.go({ clock, window: whole ? this.whole(clock) : this.within(window, clock) });
    this.say(`Times are ${clock} now.`);
  }

  nextSort(): void {
    const at = SORTS.indexOf(this.view.get().sort);
    const sort = SORTS[(at + 1) % SORTS.length];
    this.go({ sort });
    this.say(`Rows are sorted by ${sort}.`);
  }

  toggleFold(run: number, row: number): void {
    const folded = new Set(this.view.get().folded);
    const key = foldKey(run, row);
    if (!folded.delete(key)) folded.add(key);
    this.go({ folded });
  }

  /** Folds every group, or unfolds all if any is folded. */
  toggleFolds(): void {
    const { folded } = this.view.get();
    if (folded.size > 0) return this.go({ folded: new Set() });
    const all = new Set<string>();
    this.trees.forEach((tree, run) => tree.run.rows.forEach((_, row) => tree.children[row].length > 0 && all.add(foldKey(run, row))));
    this.go({ folded: all });
  }

  rowHeight(step: 1 | -1): void {
    const now = this.view.get().rowHeight || this.display.layout?.rowHeight || 20;
    this.go({ rowHeight: Math.min(80, Math.max(4, Math.round(now * (step > 0 ? 1.25 : 0.8)))) }, "height");
  }

  toggleClass(cls: number): void {
    const hiddenClasses = new Set(this.view.get().hiddenClasses);
    if (!hiddenClasses.delete(cls)) hiddenClasses.add(cls);
    this.go({ hiddenClasses });
  }

  setFilter(change: Partial<Filter>, gesture = "filter"): void {
    const filter = { ...this.view.get().filter, ...change };
    const none = filter.region === "" && filter.ranks === "" && filter.communicator === null && filter.tag === null;
    this.go({ filter: none ? NO_FILTER : filter }, gesture);
  }

  private async loadSimilarity(): Promise<void> {
    try {
      const similar = await Promise.all(
        this.meta.runs.map(async (run, i) => {
          const length = run.spans[this.clockOf(i)]?.length ?? 0;
          const { balance } = await this.ask.summary(i, this.clockOf(i), 0, length, "");
          const rows = this.trees[i].members.filter((_, row) => this.trees[i].children[row].length === 0).length;
          if (balance.length < rows) this.say(`Only the first ${balance.length} of ${rows} rows are sorted by similarity.`);
          const profiles = balance.map(({ row, classes, waiting }) => ({ row, shares: [...classes, waiting].map((ns) => ns / Math.max(length, 1)) }));
          return similarityOrder(run.rows.length, profiles);
        }),
      );
      this.similar.set(similar);
    } catch (error) {
      this.failed(error);
    }
  }
}

/** Whether a step leads to another place, to which Back is the way back; zooming and moving on do not. */
function isJump(before: View, after: View, gesture: string): boolean {
  if (gesture !== "") return false;
  return before.window !== after.window || before.clock !== after.clock || before.run !== after.run || (after.finding !== null && before.finding !== after.finding);
}

function clockOf(run: Run, clock: Clock): Clock {
  return run.clocks.includes(clock) ? clock : run.clock;
}

/** Messages that arrive before they were sent do so by one clock only, which the kind names. */
function clockOfKind(run: Run, kind: string): Clock | undefined {
  return run.clocks.find((clock) => kind === `reversed_${clock}`);
}

function firstView(meta: Meta, trees: readonly Tree[], length: (clock: Clock) => number): View {
  const { clock } = meta.runs[0];
  return {
    run: 0,
    clock,
    window: [0, length(clock)],
    crumbs: [],
    sort: "rank",
    folded: foldedAtFirst(trees),
    stacks: true,
    rowHeight: 0,
    top: 0,
    selected: null,
    finding: null,
    interval: null,
    path: false,
    arrows: true,
    hiddenClasses: new Set(),
    filter: NO_FILTER,
    panel: "summary",
    kind: "",
    shifts: NO_SHIFTS,
  };
}
