// The numbers of the visible window, asked for once for all panels.

import { usePage } from "../context";
import type { App } from "../app";
import type { Summary } from "../protocol";
import { ranges, rowsOfRanks } from "../rows";
import { serious, withdrawn } from "../source";
import { useValue, Value, type Answer } from "../value";

const REST_MS = 160;

/** Asks for the summary of what an application shows, a moment after it rests. */
class WindowSummary {
  readonly answer = new Value<Answer<Summary>>({ value: null, error: null, asking: true });
  private key = "";
  private timer = 0;
  private asked: AbortController | null = null;

  constructor(private readonly app: App) {
    app.view.watch(() => this.update());
    this.update();
  }

  private update(): void {
    const { run, window, interval, filter } = this.app.view.get();
    const clock = this.app.clockOf(run);
    const [from, to] = interval ?? window;
    const rows = ranges(rowsOfRanks(this.app.trees[run], filter.ranks) ?? []);
    const key = `${run} ${clock} ${from} ${to} ${rows}`;
    if (key === this.key) return;
    this.key = key;
    clearTimeout(this.timer);
    this.asked?.abort();
    this.answer.set({ ...this.answer.get(), asking: true });
    this.timer = setTimeout(() => {
      this.asked = new AbortController();
      this.app.ask.summary(run, clock, from, to, rows, this.asked.signal).then(
        (value) => this.answer.set({ value, error: null, asking: false }),
        (error: unknown) => this.failed(error),
      );
    }, REST_MS) as unknown as number;
  }

  private failed(error: unknown): void {
    if (withdrawn(error)) return;
    if (serious(error)) this.app.failed(error);
    this.answer.set({ value: null, error: error instanceof Error ? error.message : String(error), asking: false });
  }
}

const summaries = new WeakMap<App, WindowSummary>();

export function useSummary(): Answer<Summary> {
  const { app } = usePage();
  let summary = summaries.get(app);
  if (!summary) summaries.set(app, (summary = new WindowSummary(app)));
  return useValue(summary.answer);
}
