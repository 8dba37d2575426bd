// Rows of sums that lead to what they are about: one after the other, the longest or largest first.

import type { App } from "./app";
import { bytes, duration } from "./format";
import type { Clock } from "./protocol";
import { rowsOfRanks, type Tree } from "./rows";
import { spotsOf, type Spot, type Spots, type Sum } from "./spots";
import { withWindow, type Selected } from "./state";
import { centred } from "./windows";

export class Sums {
  /** What the row that was followed last leads to, how far one has gone along that, and what was shown then. */
  private walk: { of: string; found: Spots; at: number; shown: readonly unknown[] } | null = null;

  constructor(private readonly app: App) {}

  /** Goes to the longest or largest of what a row of sums is about in the window; again, to the next one. */
  async follow(run: number, sum: Sum): Promise<void> {
    const clock = this.app.clockOf(run);
    const { window, interval, filter } = this.app.view.get();
    const of = JSON.stringify([run, clock, sum, filter.ranks]);
    const shown = () => [this.app.view.get().window, this.app.view.get().interval];
    try {
      const { walk } = this;
      const goesOn = walk?.of === of && shown().every((it, i) => it === walk.shown[i]);
      const place = { ask: this.app.ask, source: this.app.source, tree: this.app.trees[run], run, clock, rows: rowsOfRanks(this.app.trees[run], filter.ranks) };
      const found = goesOn ? walk.found : await spotsOf(place, sum, interval ?? window);
      const n = found.spots.length;
      if (n === 0) return this.app.say("Single ones cannot be told apart here: there are too many at a time.");
      const at = goesOn ? (walk.at + 1) % n : 0;
      await this.goToSpot(run, clock, found.spots[at]);
      this.walk = { of, found, at, shown: shown() };
      this.app.say(told(this.app.trees[run], sum, found, at));
    } catch (error) {
      this.app.failed(error);
    }
  }

  /** Selects a call or a message; a time without a call is marked, and the call that stands for it selected. */
  private async goToSpot(run: number, clock: Clock, { row, isCall, finding, to, ...at }: Spot): Promise<void> {
    let { event } = at;
    if (finding !== null) return this.app.followFinding(run, finding);
    const by = this.app.moves(run, clock).by[row];
    const [begin, end] = [at.begin + by, at.end + by];
    if (!isCall && event !== null) event = await this.functionAt(run, clock, row, (at.begin + at.end) / 2, event);
    if (event === null && isCall) return this.app.selectAt(run, row, (begin + end) / 2, null);
    const selected: Selected | null = to ? { what: "message", run, row, event: event!, toRow: to.row, toEvent: to.event } : event === null ? null : { what: "call", run, row, event };
    const view = this.app.view.get();
    const visible = begin < view.window[1] && end > view.window[0];
    const change = visible ? {} : withWindow(view, this.app.within(centred(view.window, begin, end)));
    this.app.go({ ...change, run, selected, finding: null, ...(isCall ? {} : { interval: [begin, end] as const }) });
    if (to) this.app.reveal(run, to.row);
    this.app.reveal(run, row);
  }

  /** The innermost call at a time, or another one where the program's functions are not recorded. */
  private functionAt(run: number, clock: Clock, row: number, time: number, other: number): Promise<number> {
    return this.app.ask.at(run, clock, row, time, null).then(
      (call) => call.event,
      () => other,
    );
  }
}

/** Says what one of the spots of a row of sums is. */
function told(tree: Tree, sum: Sum, { spots, isPart }: Spots, at: number): string {
  const { row, weight, to } = spots[at];
  const isSize = "sizes" in sum;
  const rank = at === 0 ? `the ${isSize ? "largest" : "longest"} of ${spots.length}` : `number ${at + 1} of ${spots.length} by ${isSize ? "size" : "length"}`;
  const what = to ? `${tree.fullName(row)} to ${tree.fullName(to.row)}: ${bytes(weight)}` : `${tree.fullName(row)}: ${duration(weight)}`;
  return `${what}, ${spots.length === 1 ? "the only one" : rank}${isPart ? " where there is most of it" : ""}.`;
}
