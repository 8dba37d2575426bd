// The statements that call MPI: what each takes now and in all, and how evenly.

import { useState } from "preact/hooks";
import { bytes, count, duration, percent } from "../format";
import { sorted, trend, type Column } from "./changes";
import type { Look, Statement } from "./protocol";
import { ColumnHeads } from "../panels/column-heads";

const MOST = 200;
const COLUMNS: [Column, string, string][] = [
  ["name", "Statement", "The function of MPI, and where it is called"],
  ["recent_share", "Now", "Share of the last second that all threads spend in it"],
  ["share", "In all", "Share of the time of all threads"],
  ["time_ns", "Time", "Time of all ranks"],
  ["imbalance", "Imbalance", "How unevenly ranks spend time in it"],
  ["calls", "Calls", "How often it was called"],
  ["calls_per_second", "Calls/s", "Calls per second"],
  ["inside", "Inside", "Ranks that are in it at this moment"],
];
/** Of a job that has ended, and of one rank, there is no now. */
const NOW: readonly Column[] = ["recent_share", "calls_per_second", "inside"];

export function Statements({ look, over, all }: { look: Look; over: boolean; all(): void }) {
  const [wanted, setBy] = useState<Column | null>(null);
  const still = over || look.rank !== null;
  const columns = COLUMNS.filter(([column]) => !still || !NOW.includes(column));
  const by = wanted && columns.some(([column]) => column === wanted) ? wanted : still ? "share" : "recent_share";
  const statements = sorted(look.rank?.statements ?? look.view.statements, by);
  return (
    <section class="live-statements" aria-labelledby="statements-title">
      <h2 id="statements-title">
        Calls of MPI by line{" "}
        {look.rank && (
          <>
            of rank {look.rank.rank}{" "}
            <button class="link" onClick={all}>
              of all ranks (Esc)
            </button>
          </>
        )}
      </h2>
      {statements.length === 0 ? (
        <p class="empty">No call of MPI has returned yet.</p>
      ) : (
        <table class="calls">
          <thead>
            <tr>
              <ColumnHeads columns={columns} by={by} sortBy={(column) => setBy(column)} />
            </tr>
          </thead>
          <tbody>
            {statements.slice(0, MOST).map((it) => (
              <tr key={`${it.name} ${it.place}`}>
                <th scope="row">
                  {it.name} <span class="quiet where">{it.place}</span>
                </th>
                {columns.slice(1).map(([column]) => (
                  <Cell column={column} of={it} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {statements.length > MOST && <p class="quiet">The first {MOST} of {count(statements.length)} statements in this order.</p>}
    </section>
  );
}

function Cell({ column, of }: { column: Column; of: Statement }) {
  const text: Record<Exclude<Column, "name">, () => string> = {
    recent_share: () => percent(of.recent_share),
    share: () => percent(of.share),
    time_ns: () => duration(of.time_ns),
    imbalance: () => percent(of.imbalance),
    calls: () => count(of.calls),
    calls_per_second: () => count(of.calls_per_second),
    inside: () => (of.inside > 0 ? count(of.inside) : ""),
  };
  const shares = column === "recent_share" || column === "share";
  const way = column === "recent_share" ? trend(of) : null;
  return (
    <td class="number" title={column === "calls" ? `${bytes(of.bytes)} sent or received` : ""}>
      {shares && <span class={`share-bar ${column}`} style={{ width: `${Math.min(60, 60 * of[column])}px` }} />}
      {way && (
        <span class={`trend ${way}`} role="img" aria-label={way === "more" ? "more than in all" : "less than in all"}>
          {way === "more" ? "▲" : "▼"}
        </span>
      )}{" "}
      {text[column as Exclude<Column, "name">]()}
    </td>
  );
}
