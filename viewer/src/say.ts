// The selection in words, for readers that do not see the time lines.

import type { Detail } from "./marked";
import { duration, instant } from "./format";
import { regionOf, type Call, type Run } from "./protocol";
import type { Tree } from "./rows";

export function describe(detail: Detail, run: Run, tree: Tree): string {
  const { call, receive, members, selected } = detail;
  if (selected.what === "message" && call && receive) {
    const late = receive.end < call.begin ? " It arrives before it was sent, so the clocks disagree." : "";
    return `Message from ${tree.fullName(call.row)} to ${tree.fullName(receive.row)}, sent at ${at(call.begin, detail)}, received at ${at(receive.end, detail)}.${late}`;
  }
  if (members) {
    const name = members.call ? regionOf(run, members.call.region).name : "Collective operation";
    return `${name} of ${members.rows.length} members, ${duration(detail.window[1] - detail.window[0])} from ${at(detail.window[0], detail)}.`;
  }
  return call ? describeCall(call, run, tree, detail) : "";
}

function describeCall(call: Call, run: Run, tree: Tree, detail: Detail): string {
  const others = call.others.map(({ role, row }) => ` ${capital(role)} ${tree.fullName(row)}.`).join("");
  return `${regionOf(run, call.region).name} on ${tree.fullName(call.row)}, ${duration(call.end - call.begin)} from ${at(call.begin, detail)}.${others}`;
}

const at = (time: number, { window }: Detail) => instant(time, Math.max(1, (window[1] - window[0]) / 100));

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
