// Each rank: what it does now, and where its time goes.

import { useState } from "preact/hooks";
import { count, duration, percent } from "../format";
import { sortedRanks, type RankColumn } from "./changes";
import type { Look, Rank } from "./protocol";

const MOST = 256;
const COLUMNS: [RankColumn, string, string][] = [
  ["rank", "Rank", "Number of the rank"],
  ["computation", "Computes", "Share of its time outside of MPI"],
  ["waiting", "Waits", "Share of its time in which it waits for others, where that is told apart"],
  ["for", "Is in", "The call that it is in; sorted by how long it has been there"],
  ["calls_per_second", "Calls/s", "Calls of MPI per second"],
];

export function Ranks({ look, over, chosen, choose }: { look: Look; over: boolean; chosen: number | null; choose(rank: number | null): void }) {
  const [by, setBy] = useState<RankColumn>("rank");
  const ranks = sortedRanks(look.view.ranks, by);
  const recent = new Map(look.recent.map((it) => [it.rank, it]));
  const columns = over ? COLUMNS.filter(([column]) => column !== "calls_per_second") : COLUMNS;
  return (
    <section class="live-ranks" aria-labelledby="ranks-title">
      <h2 id="ranks-title">
        Ranks <span class="quiet">computation, MPI, waiting{over ? "" : "; above: in all, below: now"}</span>
      </h2>
      <table>
        <thead>
          <tr>
            {columns.map(([column, title, help]) => (
              <>
                <th scope="col" class={column === "rank" || column === "for" ? "" : "number"} aria-sort={by === column ? (column === "rank" ? "ascending" : "descending") : "none"}>
                  <button title={`${help}; click to sort`} onClick={() => setBy(column)}>
                    {title}
                    <span aria-hidden="true">{by === column ? (column === "rank" ? " ▴" : " ▾") : ""}</span>
                  </button>
                </th>
                {column === "rank" && <td class="time-bars" />}
              </>
            ))}
          </tr>
        </thead>
        <tbody>
          {ranks.slice(0, MOST).map((rank) => (
            <Row key={rank.rank} rank={rank} now={over || rank.state !== "running" ? undefined : recent.get(rank.rank)} over={over} chosen={chosen === rank.rank} choose={() => choose(chosen === rank.rank ? null : rank.rank)} />
          ))}
        </tbody>
      </table>
      {ranks.length > MOST && <p class="quiet">The first {MOST} of {count(ranks.length)} ranks in this order.</p>}
    </section>
  );
}

function Row({ rank, now, over, chosen, choose }: { rank: Rank; now: Look["recent"][number] | undefined; over: boolean; chosen: boolean; choose(): void }) {
  const waiting = rank.waiting_ns === null ? null : rank.waiting_ns / Math.max(1, rank.time_ns);
  const call = rank.threads[0];
  return (
    <tr class={chosen ? "chosen" : ""}>
      <th scope="row">
        <button class="link" aria-pressed={chosen} title={`${rank.host}, process ${rank.pid}; click for its statements`} onClick={choose}>
          {rank.rank}
        </button>
        {rank.state !== "running" && !over && <span class={`state-${rank.state}`}> {rank.state}</span>}
      </th>
      <td class="time-bars">
        <TimeBar mpi={rank.mpi_share} waiting={waiting} what="in all" />
        {now && <TimeBar mpi={now.mpi} waiting={now.waiting} what="now" />}
      </td>
      <td class="number">{percent(1 - rank.mpi_share)}</td>
      <td class="number">{waiting === null ? "–" : percent(waiting)}</td>
      <td class="doing">
        {call ? (
          <>
            {call.name}
            {call.place && <span class="quiet"> {call.place}</span>}
            <span class={call.for_ns > 1e9 ? "long" : "quiet"}> {duration(call.for_ns)}</span>
            {call.waits_for && <span class="quiet">, waits for {call.waits_for}</span>}
            {rank.threads.length > 1 && <span class="quiet"> +{rank.threads.length - 1}</span>}
          </>
        ) : (
          <span class="quiet">{rank.state === "running" ? "its own code" : rank.state === "ended" ? "has ended" : ""}</span>
        )}
      </td>
      {!over && <td class="number">{count(rank.calls_per_second)}</td>}
    </tr>
  );
}

function TimeBar({ mpi, waiting, what }: { mpi: number; waiting: number | null; what: string }) {
  const waits = Math.min(mpi, waiting ?? 0);
  const title = `${what}: computes ${percent(1 - mpi)}, in MPI ${percent(mpi)}${waiting === null ? "" : `, of that waiting ${percent(waits)}`}`;
  return (
    <span class={`time-bar ${what === "now" ? "now" : ""}`} title={title}>
      <span class="class-0" style={{ width: `${100 * (1 - mpi)}%` }} />
      <span class="class-1" style={{ width: `${100 * (mpi - waits)}%` }} />
      <span class="waits" style={{ width: `${100 * waits}%` }} />
    </span>
  );
}
