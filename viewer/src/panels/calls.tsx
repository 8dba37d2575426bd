// What is called in the window, by function or by call site, sorted by any column.

import { useState } from "preact/hooks";
import { regionColour } from "../colours";
import { usePage } from "../context";
import { count, duration, percent } from "../format";
import { placeOf, type OfCalls } from "../protocol";
import { useValue } from "../value";
import { useSummary } from "./summary-of-window";
import { ColumnHeads } from "./column-heads";

type Column = "name" | "calls" | "inclusive" | "exclusive" | "waiting" | "mean";
const COLUMNS: [Column, string, string][] = [
  ["name", "Function", "Name of the function"],
  ["calls", "Calls", "How often it was called"],
  ["exclusive", "Own time", "Time without the functions that it calls"],
  ["inclusive", "With called", "Time with the functions that it calls"],
  ["waiting", "Waiting", "Time in which it waits for another process"],
  ["mean", "Mean", "Time per call, with the functions that it calls"],
];
const MOST = 300;

type By = "regions" | "sites";
const BY: [By, string][] = [
  ["regions", "Function"],
  ["sites", "Call site"],
];

/** A row; its text finds its calls. */
type Entry = OfCalls & { name: string; place: string | null; text: string; mean: number };

export function Calls() {
  const { app, stage, view } = usePage();
  const { value } = useSummary();
  const [by, setBy] = useState<Column>("exclusive");
  const [rows, setRows] = useState<By>("regions");
  useValue(stage.theme);
  if (!value) return null;
  const { regions } = app.run;
  const entries = value[rows].map((entry): Entry => {
    const { name } = regions[entry.region];
    const place = placeOf(value, entry.site);
    return { ...entry, name, place, text: place === null ? name : `${name} at ${place}`, mean: entry.inclusive / Math.max(entry.calls, 1) };
  });
  entries.sort(by === "name" ? (a, b) => a.text.localeCompare(b.text, "en", { numeric: true }) : (a, b) => b[by] - a[by]);
  if (entries.length === 0) return <p class="empty">No recorded call is in this window; the program computes.</p>;
  const total = Math.max(1, value.classes.reduce((sum, ns) => sum + ns, 0));
  return (
    <>
      <div class="calls-by">
        By
        <span class="segments" role="group" aria-label="Rows">
          {BY.map(([which, label]) => (
            <button key={which} aria-pressed={rows === which} onClick={() => setRows(which)}>
              {label}
            </button>
          ))}
        </span>
        {rows === "sites" && Object.keys(value.places).length === 0 && <span class="quiet">No call of this window tells where in the program it stands.</span>}
      </div>
      <table class="calls">
        <thead>
          <tr>
            <ColumnHeads columns={COLUMNS} by={by} sortBy={(column) => setBy(column)} />
            <th scope="col">Share of own time</th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, MOST).map((entry) => {
            const region = regions[entry.region];
            const colour = regionColour(region.name, region.class, stage.palette);
            const filtered = view.filter.region === entry.name;
            return (
              <tr key={`${entry.region}.${entry.site}`}>
                <th scope="row">
                  <button class="link" aria-pressed={filtered} title={filtered ? "Show all functions again" : "Fade all other functions"} onClick={() => app.setFilter({ region: filtered ? "" : entry.name })}>
                    <span class="swatch" style={{ backgroundColor: colour }} />
                    {entry.name}
                  </button>
                  <button class="next-call" title="Go to its next call in time (N goes on, Shift N back)" aria-label={`Next call of ${entry.text}`} onClick={() => app.searching.from(entry.text)}>
                    ›
                  </button>
                  {entry.place !== null && (
                    <span class="where" title={value.places[entry.site!]}>
                      {entry.place}
                    </span>
                  )}
                  {entry.place === null && region.file && region.line !== null && <span class="quiet where">{`${region.file}:${region.line}`}</span>}
                </th>
                <td class="number">{count(entry.calls)}</td>
                <td class="number">{duration(entry.exclusive)}</td>
                <td class="number">{duration(entry.inclusive)}</td>
                <td class="number">{entry.waiting > 0 ? duration(entry.waiting) : "–"}</td>
                <td class="number">{duration(entry.mean)}</td>
                <td class="bar-cell">
                  <span class="bar" style={{ width: `${(100 * entry.exclusive) / total}%`, backgroundColor: colour }} /> {percent(entry.exclusive / total)}
                </td>
              </tr>
            );
          })}
        </tbody>
        {entries.length > MOST && (
          <caption>
            The first {MOST} of {count(entries.length)} {rows === "regions" ? "functions" : "call sites"}
          </caption>
        )}
      </table>
    </>
  );
}
