// Shifts are kept with their runs: soon after they rest, one request after the other.

import type { Questions } from "./questions";
import { ofRun, type KeptShifts, type Shifts } from "./shifts";
import { Value } from "./value";

const KEEP_REST_MS = 300;

export class Keeping {
  /** Why the shifts shown are not kept with the run, if they are not. */
  readonly notKept = new Value<string | null>(null);
  private timer = 0;
  private done: Promise<void> = Promise.resolve();

  constructor(
    private readonly ask: Questions,
    private readonly runs: number,
    /** What is kept of each run's shifts. */
    private readonly kept: (KeptShifts | null)[],
    /** The shifts shown. */
    private readonly shown: () => Shifts,
    private readonly say: (text: string) => void,
  ) {}

  /** Has the shifts kept, once they rest. */
  soon(): void {
    if (!this.ask.canKeep) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.now(), KEEP_REST_MS) as unknown as number;
  }

  /** Has the shifts kept that are not yet. */
  now(): Promise<void> {
    clearTimeout(this.timer);
    this.done = this.done.then(() => this.all());
    return this.done;
  }

  private async all(): Promise<void> {
    for (let run = 0; run < this.runs; run++) {
      const kept = this.kept[run];
      const now = ofRun(run, this.shown());
      if (!kept || JSON.stringify(kept.shifts) === JSON.stringify(now)) continue;
      if (!kept.can_keep) {
        this.notKept.set(kept.why_not ?? "This run keeps no shifts.");
        continue;
      }
      try {
        kept.shifts = (await this.ask.keepShifts(run, now)).shifts;
        this.notKept.set(null);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        if (this.notKept.get() !== why) this.say(`The shifts are shown, and not kept with the run. ${why}`);
        this.notKept.set(why);
      }
    }
  }
}
