// The questions of PROTOCOL.md, one function each.

import type { Source } from "./source";
import type { KeptShifts } from "./shifts";
import type { Call, Clock, ClockCurves, Findings, Found, Iterations, Members, Meta, Summary } from "./protocol";

export type TileKind = "shares" | "spans" | "messages" | "collectives";

/** The path of a tile; tiles never change, so it also names the tile in caches. */
export function tilePath(run: number, clock: Clock, kind: TileKind, level: number, index: number, block?: number): string {
  const tile = `run/${run}/${clock}/${kind}/${level}/${index}`;
  return block === undefined ? tile : `${tile}/${block}`;
}

export interface SearchFor {
  text: string;
  class: number | null;
  communicator: number | null;
  tag: number | null;
  row: number | null;
  from: number;
  direction: "next" | "previous";
}

/** So many findings or times are asked for at once. */
export const AT_MOST = 1000;

export class Questions {
  constructor(private readonly source: Source) {}

  meta(): Promise<Meta> {
    return this.source.json("meta");
  }

  summary(run: number, clock: Clock, from: number, to: number, rows: string, signal?: AbortSignal): Promise<Summary> {
    const only = rows === "" ? {} : { rows };
    return this.source.json(`run/${run}/${clock}/summary?${query({ from: Math.floor(from), to: Math.ceil(to), ...only })}`, signal);
  }

  findings(run: number, limit: number, offset = 0, kind = "", signal?: AbortSignal): Promise<Findings> {
    const only = kind === "" ? {} : { kind };
    return this.source.json(`run/${run}/findings?${query({ ...only, limit, offset })}`, signal);
  }

  times(run: number, clock: Clock, events: readonly { row: number; event: number }[], signal?: AbortSignal): Promise<[number, number][]> {
    const list = events.map(({ row, event }) => `${row}:${event}`).join(",");
    return this.source.json(`run/${run}/${clock}/times?events=${list}`, signal);
  }

  call(run: number, clock: Clock, row: number, event: number, signal?: AbortSignal): Promise<Call> {
    return this.source.json(`run/${run}/${clock}/event/${row}/${event}`, signal);
  }

  at(run: number, clock: Clock, row: number, time: number, depth: number | null, signal?: AbortSignal): Promise<Call> {
    const only = depth === null ? {} : { depth };
    return this.source.json(`run/${run}/${clock}/at?${query({ row, time: Math.round(time), ...only })}`, signal);
  }

  members(run: number, clock: Clock, number: number, signal?: AbortSignal): Promise<Members> {
    return this.source.json(`run/${run}/${clock}/members/${number}`, signal);
  }

  search(run: number, clock: Clock, what: SearchFor, signal?: AbortSignal): Promise<Found> {
    const given = Object.entries(what).filter(([, value]) => value !== null && value !== "");
    return this.source.json(`run/${run}/${clock}/search?${query(Object.fromEntries(given))}`, signal);
  }

  iterations(run: number, clock: Clock, signal?: AbortSignal): Promise<Iterations> {
    return this.source.json(`run/${run}/${clock}/iterations`, signal);
  }

  /** What is kept of rows moved by hand; null if that is not known. */
  shifts(run: number): Promise<KeptShifts | null> {
    return this.source.json<KeptShifts>(`run/${run}/shifts`).catch(() => null);
  }

  /** Has shifts kept with a run. */
  keepShifts(run: number, shifts: Record<string, number>): Promise<KeptShifts> {
    return this.source.put!(`run/${run}/shifts`, { shifts });
  }

  get canKeep(): boolean {
    return this.source.put !== undefined;
  }

  clocks(run: number, signal?: AbortSignal): Promise<ClockCurves> {
    return this.source.json(`run/${run}/clocks`, signal);
  }
}

function query(parts: Record<string, string | number>): string {
  return Object.entries(parts)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}
