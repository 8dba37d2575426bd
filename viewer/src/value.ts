// A value that others watch.

import { useEffect, useState } from "preact/hooks";

export class Value<T> {
  private readonly watchers = new Set<(value: T) => void>();

  constructor(private value: T) {}

  get(): T {
    return this.value;
  }

  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const watcher of [...this.watchers]) watcher(value);
  }

  watch(watcher: (value: T) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

/** The present value; the component is drawn again when it changes. */
export function useValue<T>(value: Value<T>): T {
  const [now, setNow] = useState(() => value.get());
  useEffect(() => {
    setNow(() => value.get());
    return value.watch((next) => setNow(() => next));
  }, [value]);
  return now;
}

/** What came of a question: nothing yet, an answer, or an error; while asking again the old answer stays. */
export interface Answer<T> {
  value: T | null;
  error: string | null;
  asking: boolean;
}

/** Asks again whenever what it depends on changes, after a short rest. */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, depends: readonly unknown[], restMs = 120): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ value: null, error: null, asking: true });
  useEffect(() => {
    const controller = new AbortController();
    setAnswer((old) => ({ ...old, asking: true }));
    const timer = setTimeout(() => {
      ask(controller.signal).then(
        (value) => controller.signal.aborted || setAnswer({ value, error: null, asking: false }),
        (error: unknown) => controller.signal.aborted || setAnswer({ value: null, error: error instanceof Error ? error.message : String(error), asking: false }),
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, depends);
  return answer;
}
