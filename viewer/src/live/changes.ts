// What is different from one look at a job to the next, and in which order rows stand.

import type { Look, Rank, Statement } from "./protocol";

export type Column = "name" | "recent_share" | "share" | "time_ns" | "imbalance" | "calls" | "calls_per_second" | "inside";

/** Rows by a column: names ascending, numbers with the largest first. */
export function sorted(statements: readonly Statement[], by: Column): Statement[] {
  const name = (it: Statement) => `${it.name} ${it.place}`;
  const compare = by === "name" ? (a: Statement, b: Statement) => name(a).localeCompare(name(b)) : (a: Statement, b: Statement) => b[by] - a[by];
  return [...statements].sort((a, b) => compare(a, b) || name(a).localeCompare(name(b)));
}

export type RankColumn = "rank" | "computation" | "waiting" | "for" | "calls_per_second";

export function sortedRanks(ranks: readonly Rank[], by: RankColumn): Rank[] {
  const key: Record<RankColumn, (it: Rank) => number> = {
    rank: (it) => -it.rank,
    computation: (it) => 1 - it.mpi_share,
    waiting: (it) => (it.waiting_ns ?? 0) / Math.max(1, it.time_ns),
    for: (it) => it.threads[0]?.for_ns ?? 0,
    calls_per_second: (it) => it.calls_per_second,
  };
  return [...ranks].sort((a, b) => key[by](b) - key[by](a) || a.rank - b.rank);
}

/** Of a statement, whether it takes clearly more or less of the time now than in all. */
export function trend({ recent_share, share }: Statement): "more" | "less" | null {
  const apart = recent_share - share;
  if (Math.abs(apart) < 0.01) return null;
  if (apart > 0.25 * share) return "more";
  return apart < -0.25 * share ? "less" : null;
}

const MOST_NAMED = 4;

/** Sentences on what has changed since the look before. */
export function changes(before: Look | null, now: Look): string[] {
  if (!before) return [];
  const known = new Set(before.view.statements.map(({ name, place }) => `${name} ${place}`));
  const fresh = now.view.statements.filter(({ name, place }) => !known.has(`${name} ${place}`));
  const was = new Map(before.view.ranks.map(({ rank, state }) => [rank, state]));
  const told: string[] = [];
  for (const [state, text] of [["ended", "has ended"], ["died", "has died"], ["silent", "tells nothing any more"], ["running", "runs again"]] as const) {
    const ranks = now.view.ranks.filter((it) => it.state === state && was.has(it.rank) && was.get(it.rank) !== state).map(({ rank }) => rank);
    if (ranks.length > 0) told.push(ranks.length === 1 ? `rank ${ranks[0]} ${text}` : `${ranks.length} ranks: each ${text}`);
  }
  const begun = now.view.ranks.filter(({ rank }) => !was.has(rank)).length;
  if (begun > 0) told.push(`${begun} more ${begun === 1 ? "rank is" : "ranks are"} seen`);
  if (fresh.length > 0) {
    const named = fresh.slice(0, MOST_NAMED).map(({ name, place }) => `${name} at ${place}`);
    told.push(`called for the first time: ${named.join(", ")}${fresh.length > MOST_NAMED ? `, and ${fresh.length - MOST_NAMED} more` : ""}`);
  }
  return told;
}

/** The points of a small curve in a box: as tall as the largest value, or as a given one. */
export function curve(values: readonly (number | null)[], width: number, height: number, most = Math.max(0, ...values.map((it) => it ?? 0))): string {
  const step = width / Math.max(1, values.length - 1);
  const y = (value: number) => height - 1 - (height - 2) * (most > 0 ? Math.min(1, value / most) : 0);
  return values.map((value, i) => (value === null ? null : `${(i * step).toFixed(1)},${y(value).toFixed(1)}`)).filter(Boolean).join(" ");
}
