// What is marked on rows: the selection, a finding, the critical path; and where it stands
// when rows are moved by hand.

import type { Call, Clock, Finding, Members } from "./protocol";
import type { Moves } from "./shifts";
import type { Selected, Window } from "./state";
import { extent } from "./windows";

/** What is known of the selection: calls with their other ends, or a collective's members. */
export interface Detail {
  selected: Selected;
  clock: Clock;
  call: Call | null;
  /** Of a message: the call that received it. */
  receive: Call | null;
  members: (Members & { call: Call | null }) | null;
  /** When it begins and ends. */
  window: Window;
}

export interface PlacedFinding {
  finding: Finding;
  run: number;
  clock: Clock;
  times: [number, number][];
}

export interface PathSegment {
  row: number;
  begin: number;
  end: number;
}

export interface Path {
  run: number;
  clock: Clock;
  segments: PathSegment[];
}

export function movedDetail(detail: Detail, { by, all }: Moves): Detail {
  if (all.length === 1) return detail;
  const at = <T extends { row: number; begin: number; end: number }>(it: T): T => ({ ...it, begin: it.begin + by[it.row], end: it.end + by[it.row] });
  const moved = (call: Call | null) => call && { ...at(call), others: call.others.map(at) };
  const [call, receive] = [moved(detail.call), moved(detail.receive)];
  if (detail.members) {
    const { members } = detail;
    const each = (times: number[]) => times.map((time, i) => time + by[members.rows[i]]);
    const [enter, leave] = [each(members.enter), each(members.leave)];
    return { ...detail, call, receive, members: { ...members, enter, leave, call: moved(members.call) }, window: [Math.min(...enter), Math.max(...leave)] };
  }
  return { ...detail, call, receive, window: extent([call, receive].flatMap((it): [number, number][] => (it ? [[it.begin, it.end]] : []))) };
}

export function movedFinding(placed: PlacedFinding, { by }: Moves): PlacedFinding {
  const at = (i: number) => by[placed.finding.places[i].row];
  return { ...placed, times: placed.times.map(([begin, end], i): [number, number] => [begin + at(i), end + at(i)]) };
}

export function movedPath(path: Path, { by }: Moves): Path {
  return { ...path, segments: path.segments.map((it) => ({ ...it, begin: it.begin + by[it.row], end: it.end + by[it.row] })) };
}
