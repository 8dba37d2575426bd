// Two runs side by side: the same sums of both, by state, by function or call site, and in all. Functions are
// the same if they have the same name and class, whatever number each run gives them; call sites, if their
// lines are the same, too.

import { lived, placeOf, type OfCalls, type Run, type Summary } from "./protocol";

/** A figure of both runs. */
export type Pair = readonly [number, number];

export interface OfFunction {
  name: string;
  /** Where it is called; of a function, or where nobody told, nothing. */
  place: string | null;
  class: number;
  calls: Pair;
  own: Pair;
  waiting: Pair;
}

export interface Compared {
  classes: Pair[];
  waiting: Pair;
  /** Time of all rows together while they ran. */
  lived: Pair;
  messages: Pair;
  bytes: Pair;
  /** By how far their own times are apart. */
  functions: OfFunction[];
  /** The same by function and call site; nothing where neither run tells of any. */
  sites: OfFunction[];
}

export const difference = ([a, b]: Pair) => b - a;

/** How many times as much the second is; nothing if there is nothing to compare with. */
export const ratio = ([a, b]: Pair): number | null => (a > 0 ? b / a : null);

/** Compares sums; each run's are divided by its own number, such as that of its iterations. */
export function compare(runs: readonly [Run, Run], summaries: readonly [Summary, Summary], by: Pair = [1, 1]): Compared {
  const pair = (of: (summary: Summary) => number): Pair => [of(summaries[0]) / by[0], of(summaries[1]) / by[1]];
  const total = (cells: number[][]) => cells.flat().reduce((sum, n) => sum + n, 0);
  const classes = Math.max(...summaries.map((it) => it.classes.length));
  return {
    classes: Array.from({ length: classes }, (_, i) => pair((it) => it.classes[i] ?? 0)),
    waiting: pair((it) => it.waiting),
    lived: pair(lived),
    messages: pair((it) => total(it.matrix.count)),
    bytes: pair((it) => total(it.matrix.bytes)),
    functions: byName(runs, summaries, by, (it) => it.regions),
    sites: summaries.every(({ places }) => Object.keys(places).length === 0) ? [] : byName(runs, summaries, by, (it) => it.sites),
  };
}

/** Sums of calls that have the same name, class and place, by how far their own times are apart. */
function byName(runs: readonly [Run, Run], summaries: readonly [Summary, Summary], by: Pair, of: (summary: Summary) => OfCalls[]): OfFunction[] {
  const found = new Map<string, { name: string; place: string | null; class: number; calls: [number, number]; own: [number, number]; waiting: [number, number] }>();
  summaries.forEach((summary, i) => {
    for (const { region, site, calls, exclusive, waiting } of of(summary)) {
      const { name, class: cls } = runs[i].regions[region];
      const place = placeOf(summary, site);
      const key = JSON.stringify([cls, name, place]);
      let entry = found.get(key);
      if (!entry) found.set(key, (entry = { name, place, class: cls, calls: [0, 0], own: [0, 0], waiting: [0, 0] }));
      entry.calls[i] += calls / by[i];
      entry.own[i] += exclusive / by[i];
      entry.waiting[i] += waiting / by[i];
    }
  });
  return [...found.values()].sort((a, b) => Math.abs(difference(b.own)) - Math.abs(difference(a.own)) || textOf(a).localeCompare(textOf(b)));
}

/** "MPI_Send at heat.c:42", by which its calls are found. */
export const textOf = ({ name, place }: OfFunction) => (place === null ? name : `${name} at ${place}`);

const processes = (run: Run) => new Set(run.rows.map(({ rank }) => rank).filter((rank) => rank !== null)).size;

/** Says in what the runs are not alike, so that not all numbers can be held against each other. */
export function apart([a, b]: readonly [Run, Run], clocks: readonly [string, string]): string[] {
  const of = (run: Run, what: string) => run.about.find(([known]) => known === what)?.[1];
  const base = (program: string) => program.split(/\s+/)[0].split("/").at(-1)!;
  const told: string[] = [];
  const programs = [of(a, "Program"), of(b, "Program")];
  if (programs[0] && programs[1] && base(programs[0]) !== base(programs[1])) told.push(`They are of different programs, ${base(programs[0])} and ${base(programs[1])}.`);
  const ranks = [processes(a), processes(b)];
  if (ranks[0] !== ranks[1]) told.push(`They have ${ranks[0]} and ${ranks[1]} ranks: sums over all ranks, as times here are, grow with the ranks.`);
  if (clocks[0] !== clocks[1]) told.push(`Times of the first are ${clocks[0]}, of the second ${clocks[1]}.`);
  return told;
}
