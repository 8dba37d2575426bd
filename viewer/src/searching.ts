// The search: what is typed, what it finds, and the next and the previous call of it.

import type { App } from "./app";
import type { Hit, Known, Sought } from "./finder";
import { AT_MOST } from "./questions";
import { withWindow } from "./state";
import { Value } from "./value";
import { centred } from "./windows";

const COUNT_REST_MS = 250;

export class Searching {
  readonly text = new Value("");
  readonly matches = new Value<number | null>(null);
  /** What is looked through, of the run of the panels. */
  readonly known = new Value<({ run: number } & Known) | null>(null);
  private countTimer = 0;
  /** What was chosen of what was found; N goes on with it until another text is typed. */
  private sought: Sought | null = null;

  constructor(private readonly app: App) {}

  /** Goes to the next or previous call of what is looked for. */
  async search(what: Omit<Sought, "row"> & { row: number | null; from: number }, direction: "next" | "previous", run = this.app.view.get().run): Promise<void> {
    const { filter, window } = this.app.view.get();
    const { by } = this.app.moves(run);
    const from = what.from - (what.row === null ? 0 : by[what.row]);
    try {
      const answer = await this.app.ask.search(run, this.app.clockOf(run), { class: null, communicator: filter.communicator, tag: filter.tag, ...what, from, direction });
      this.matches.set(answer.total);
      if (!answer.found) return this.app.say(`No ${direction} call ${what.text === "" ? "" : `matches “${what.text}”`}.`.replace(" .", "."));
      const { row, event } = answer.found;
      const [begin, end] = [answer.found.begin + by[row], answer.found.end + by[row]];
      const view = this.app.view.get();
      const visible = begin >= window[0] && end <= window[1];
      const change = visible ? {} : withWindow(view, this.app.within(centred(window, begin, end)));
      this.app.select({ what: "call", run, row, event }, { ...change, finding: null });
      this.app.reveal(run, row);
    } catch (error) {
      this.app.failed(error);
    }
  }

  /** Takes the text of the search field, and counts what it matches once it rests. */
  type(text: string): void {
    this.sought = null;
    this.text.set(text);
    this.matches.set(null);
    clearTimeout(this.countTimer);
    this.countTimer = setTimeout(() => void this.countMatches(text.trim()), COUNT_REST_MS) as unknown as number;
  }

  private async countMatches(text: string): Promise<void> {
    if (text === "") return;
    const { run, filter } = this.app.view.get();
    try {
      const { total } = await this.app.ask.search(run, this.app.clockOf(run), { text, class: null, communicator: filter.communicator, tag: filter.tag, row: null, from: 0, direction: "next" });
      if (this.text.get().trim() === text) this.matches.set(total);
    } catch {
      // The search itself says what is wrong.
    }
  }

  /** Goes to the next call whose function has this in its name; N and Shift N go on from there. */
  from(text: string, run = this.app.view.get().run): void {
    if (run !== this.app.view.get().run) this.app.go({ run, selected: null, finding: null });
    this.type(text);
    void this.on("next");
  }

  /** Goes where something leads that the search found. */
  async goTo({ text, to }: Hit): Promise<void> {
    const { run } = this.app.view.get();
    if ("calls" in to) {
      this.sought = to.calls;
      const { selected } = this.app.view.get();
      await this.on("next");
      if (this.app.view.get().selected !== selected) return;
      // There is none further on: the first of the run is looked for.
      this.app.notice.set("");
      return this.search({ row: null, ...to.calls, from: 0 }, "next");
    }
    if ("finding" in to) return this.app.followFinding(run, to.finding);
    if ("kind" in to) {
      this.app.go({ kind: to.kind }, "kind");
      return this.app.followHeaviest(run, { kind: to.kind, rank: null, place: null, region: null });
    }
    this.app.reveal(run, to.row);
    this.app.say(`${text} is shown.`);
  }

  /** Asks for what the search looks through, once for each run. */
  async learn(): Promise<void> {
    const { run } = this.app.view.get();
    if (this.known.get()?.run === run) return;
    const clock = this.app.clockOf(run);
    try {
      const [findings, summary] = await Promise.all([this.app.ask.findings(run, AT_MOST), this.app.ask.summary(run, clock, 0, this.app.meta.runs[run].spans[clock]?.length ?? 0, "")]);
      this.app.remember(run, findings.findings);
      this.known.set({ run, findings, summary });
    } catch (error) {
      this.app.failed(error);
    }
  }

  /** Searches by what was chosen, or by the text of the search field, from the selection on. */
  async on(direction: "next" | "previous"): Promise<void> {
    await this.app.loading;
    const sought = this.sought ?? { text: this.text.get().trim() };
    if (Object.values(sought).every((it) => it === "")) return this.app.say("Type a part of a name, as in “send”, or “rank 3”.");
    const call = this.app.detail.get()?.call;
    const [from, to] = this.app.view.get().window;
    // Across rows the order is that of times as they are recorded.
    const begin = call && call.begin - this.app.moves(this.app.view.get().run).by[call.row];
    await this.search({ row: null, ...sought, from: begin ?? (direction === "next" ? from : to) }, direction);
  }
}
