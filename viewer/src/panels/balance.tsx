// How the time of each row divides, beside one another; a click goes to the row.

import { useState } from "preact/hooks";
import { usePage } from "../context";
import { duration, percent } from "../format";
import { CLASS } from "../protocol";
import { HeatMap } from "./heat-map";
import { useSummary } from "./summary-of-window";

type Order = "rank" | "waiting" | "computation";
const MOST = 256;

export function Balance() {
  const { app, view } = usePage();
  const { value } = useSummary();
  const [order, setOrder] = useState<Order>("rank");
  if (!value) return null;
  if (value.balance.length === 0) return <p class="empty">No row has a state in this window.</p>;
  const tree = app.trees[view.run];
  const balance = [...value.balance];
  if (order === "waiting") balance.sort((a, b) => b.waiting - a.waiting);
  if (order === "computation") balance.sort((a, b) => b.classes[CLASS.computation] - a.classes[CLASS.computation]);
  const longest = Math.max(1, ...balance.map(({ classes }) => classes.reduce((sum, ns) => sum + ns, 0)));
  const computing = balance.map(({ classes }) => classes[CLASS.computation]);
  const mean = computing.reduce((sum, ns) => sum + ns, 0) / computing.length;
  const imbalance = mean > 0 ? Math.max(...computing) / mean - 1 : 0;
  return (
    <>
      <p class="balance-head">
        The row that computes longest takes {percent(imbalance)} more than the mean.
        <span class="segments" role="group" aria-label="Order">
          {(["rank", "waiting", "computation"] as const).map((which) => (
            <button aria-pressed={order === which} onClick={() => setOrder(which)}>
              by {which}
            </button>
          ))}
        </span>
      </p>
      <table class="balance">
        <thead class="unseen">
          <tr>
            <th scope="col">Row</th>
            <th scope="col">States</th>
            <th scope="col">Computation</th>
            <th scope="col">Waiting</th>
          </tr>
        </thead>
        <tbody>
          {balance.slice(0, MOST).map(({ row, classes, waiting }) => (
            <tr key={row}>
              <th scope="row">
                <button class="link" onClick={() => app.reveal(view.run, row)}>
                  {tree.fullName(row)}
                </button>
              </th>
              <td class="stacked" title={classes.map((ns, i) => (ns > 0 ? `${app.run.classes[i].label}: ${duration(ns)}` : "")).filter(Boolean).join("\n")}>
                <span class="stack-bar">
                  {classes.map((ns, i) => ns > 0 && i !== CLASS.nothing && <span class={`class-${i}`} style={{ width: `${(100 * ns) / longest}%` }} />)}
                </span>
                <span class="waiting-bar" style={{ width: `${(100 * waiting) / longest}%` }} />
              </td>
              <td class="number">{duration(classes[CLASS.computation])}</td>
              <td class="number">{waiting > 0 ? `waits ${duration(waiting)}` : "does not wait"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <HeatMap />
      {balance.length > MOST && <p class="quiet">The first {MOST} of {balance.length} rows in this order.</p>}
    </>
  );
}
