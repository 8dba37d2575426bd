// Two runs against each other: how long they take, by state and by function, and where they differ
// most. Times lead to the calls of their run.

import { useState } from "preact/hooks";
import { apart, compare, difference, ratio, textOf, type OfFunction, type Pair } from "../compare";
import { usePage } from "../context";
import { bytes, count, duration } from "../format";
import { CLASS, WAITING, type Iterations, type Summary } from "../protocol";
import type { Window } from "../state";
import { useAnswer } from "../value";
import { Longest } from "./summary";

type Scope = "runs" | "window" | "iterations";
type Column = "name" | "own" | "ratio" | "calls" | "waiting";
const SCOPES: [Scope, string][] = [
  ["runs", "whole runs"],
  ["window", "visible window"],
  ["iterations", "an iteration"],
];
type Rows = "functions" | "sites";
const ROWS: [Rows, string][] = [
  ["functions", "function"],
  ["sites", "call site"],
];
const MOST = 200;

export function ComparePanel() {
  const { app, view } = usePage();
  const { runs } = app.meta;
  const [chosen, setChosen] = useState<readonly [number, number]>([0, 1]);
  const [scope, setScope] = useState<Scope>("runs");
  const [by, setBy] = useState<Column>("own");
  const [rows, setRows] = useState<Rows>("functions");
  const [from, to] = view.interval ?? view.window;
  const clocks = [app.clockOf(chosen[0]), app.clockOf(chosen[1])] as const;
  const both = [runs[chosen[0]], runs[chosen[1]]] as const;
  const repeat = both.every(({ iterations }) => iterations.count > 0);
  const answer = useAnswer(
    async (signal) => {
      const found = repeat ? await Promise.all(chosen.map((run, i) => app.ask.iterations(run, clocks[i], signal))) : null;
      const windows = chosen.map((_, i) => windowOf(scope, found?.[i] ?? null, [from, to], both[i].spans[clocks[i]]?.length ?? 0));
      const summaries = await Promise.all(chosen.map((run, i) => app.ask.summary(run, clocks[i], windows[i][0], windows[i][1], "", signal)));
      return { found, windows, summaries: summaries as [Summary, Summary], scope };
    },
    [...chosen, ...clocks, scope, ...(scope === "window" ? [from, to] : [])],
  );
  if (answer.error) return <p class="error">The runs cannot be compared. {answer.error}</p>;
  if (!answer.value) return <p class="empty">The numbers of both runs are on their way …</p>;
  const { found, windows, summaries } = answer.value;
  const each = answer.value.scope === "iterations" && found;
  const compared = compare(both, summaries, each ? [found[0].count, found[1].count] : [1, 1]);
  const names = both.map(({ name }) => name) as unknown as readonly [string, string];
  const lengths: Pair = [windows[0][1] - windows[0][0], windows[1][1] - windows[1][0]];
  const differs = apart(both, clocks);
  const shown = compared.classes.map((of, i) => ({ of, i })).filter(({ of, i }) => i !== CLASS.nothing && (of[0] > 0 || of[1] > 0));
  const hasSites = compared.sites.length > 0;
  const functions = sorted(compared[hasSites ? rows : "functions"], by);
  return (
    <div class={`compare${answer.asking ? " asking" : ""}`}>
      <p class="balance-head">
        {runs.length > 2 ? (
          <>
            <RunMenu label="First run" value={chosen[0]} choose={(run) => setChosen([run, chosen[1]])} /> against <RunMenu label="Second run" value={chosen[1]} choose={(run) => setChosen([chosen[0], run])} />
          </>
        ) : (
          <span>
            {names[0]} against {names[1]}
          </span>
        )}
        <span class="segments" role="group" aria-label="Compared part">
          {SCOPES.filter(([it]) => it !== "iterations" || repeat).map(([it, label]) => (
            <button aria-pressed={scope === it} onClick={() => setScope(it)}>
              {label}
            </button>
          ))}
        </span>
        {summaries.some(({ whole }) => whole) && scope !== "runs" && <span class="approximate">A report holds numbers of whole runs alone</span>}
      </p>
      {differs.map((text) => (
        <p class="approximate">{text}</p>
      ))}
      {each && (
        <p class="quiet">
          All sums are per iteration: of {count(found[0].count)} from one {found[0].anchor} to the next, and of {count(found[1].count)} from one {found[1].anchor} to the next.
        </p>
      )}
      <div class="columns">
        <table>
          <caption>{each ? "An iteration, in the mean" : "In all"}; times of states are of all rows together</caption>
          <Header first="" names={names} />
          <tbody>
            <Row name={scope === "runs" ? "Wall time" : each ? "Length, mean" : "Window"} of={each ? [lengths[0] / found[0].count, lengths[1] / found[1].count] : lengths} write={duration} />
            {found && <Row name="An iteration, median" of={[found[0].median, found[1].median]} write={duration} />}
            {shown.map(({ of, i }) => (
              <Row key={i} name={app.run.classes[i].label} swatch={`class-${i}`} of={of} write={duration} longest={{ runs: chosen, names, state: i }} />
            ))}
            <Row name="Waiting, a part of these" swatch="waiting" of={compared.waiting} write={duration} longest={{ runs: chosen, names, state: WAITING }} />
            <Row name="Messages" of={compared.messages} write={count} />
            <Row name="Bytes" of={compared.bytes} write={bytes} />
          </tbody>
        </table>
        <table class="calls by-function">
          <caption>
            {hasSites ? (
              <>
                By{" "}
                <span class="segments" role="group" aria-label="Rows">
                  {ROWS.map(([which, label]) => (
                    <button key={which} aria-pressed={rows === which} onClick={() => setRows(which)}>
                      {label}
                    </button>
                  ))}
                </span>
              </>
            ) : (
              "By function"
            )}
            {functions.length > MOST ? `, the first ${MOST} in this order` : ""}
          </caption>
          <thead>
            <tr>
              <Sort column="name" title="Function" help="Name of the function" by={by} set={setBy} />
              <Sort column="own" title="Own time: difference" help="How far the times without called functions are apart" by={by} set={setBy} />
              <Sort column="ratio" title="Ratio" help="How many times as long the second takes" by={by} set={setBy} />
              <th scope="col" class="number">
                {names[0]}
              </th>
              <th scope="col" class="number">
                {names[1]}
              </th>
              <Sort column="calls" title="Calls: difference" help="How far the numbers of calls are apart" by={by} set={setBy} />
              <Sort column="waiting" title="Waiting: difference" help="How far the times of waiting are apart" by={by} set={setBy} />
            </tr>
          </thead>
          <tbody>
            {functions.slice(0, MOST).map((it) => (
              <tr key={`${it.class} ${textOf(it)}`}>
                <th scope="row">
                  <span class={`swatch class-${it.class}`} />
                  {it.name}
                  {it.place !== null && <span class="where">{it.place}</span>}
                </th>
                <Difference of={it.own} write={duration} />
                <td class="number">{times(it.own)}</td>
                {chosen.map((run, i) => (
                  <td class="number" key={i}>
                    {it.calls[i] > 0 ? (
                      <button class="link" title="Go to its next call in this run" aria-label={`${duration(it.own[i])}: next call of ${textOf(it)} in ${names[i]}`} onClick={() => app.searching.from(textOf(it), run)}>
                        {duration(it.own[i])}
                      </button>
                    ) : (
                      duration(it.own[i])
                    )}
                  </td>
                ))}
                <Difference of={it.calls} write={figure} title={`${figure(it.calls[0])} and ${figure(it.calls[1])} calls`} />
                <Difference of={it.waiting} write={duration} title={`waits ${duration(it.waiting[0])} and ${duration(it.waiting[1])}`} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** What of a run is compared. */
function windowOf(scope: Scope, found: Iterations | null, visible: Window, length: number): Window {
  if (scope === "window") return visible;
  if (scope === "iterations" && found && found.ends.length > 1) return [found.ends[0], found.ends.at(-1)!];
  return [0, length];
}

function sorted(functions: readonly OfFunction[], by: Column): OfFunction[] {
  const size: Record<Exclude<Column, "name">, (it: OfFunction) => number> = {
    own: (it) => Math.abs(difference(it.own)),
    ratio: (it) => Math.abs(Math.log(ratio(it.own) || 1)),
    calls: (it) => Math.abs(difference(it.calls)),
    waiting: (it) => Math.abs(difference(it.waiting)),
  };
  if (by === "name") return [...functions].sort((a, b) => textOf(a).localeCompare(textOf(b), "en", { numeric: true }));
  return [...functions].sort((a, b) => size[by](b) - size[by](a));
}

function RunMenu({ label, value, choose }: { label: string; value: number; choose(run: number): void }) {
  const { app } = usePage();
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(Number(event.currentTarget.value))}>
      {app.meta.runs.map((run, i) => (
        <option value={i}>{run.name}</option>
      ))}
    </select>
  );
}

function Sort({ column, title, help, by, set }: { column: Column; title: string; help: string; by: Column; set(column: Column): void }) {
  const ascending = column === "name";
  return (
    <th scope="col" class={ascending ? "" : "number"} aria-sort={by === column ? (ascending ? "ascending" : "descending") : "none"}>
      <button title={`${help}; click to sort`} onClick={() => set(column)}>
        {title}
        <span aria-hidden="true">{by === column ? (ascending ? " ▴" : " ▾") : ""}</span>
      </button>
    </th>
  );
}

function Header({ first, names }: { first: string; names: readonly [string, string] }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first || <span class="unseen">What</span>}</th>
        {names.map((name) => (
          <th scope="col" class="number">
            {name}
          </th>
        ))}
        <th scope="col" class="number">
          Difference
        </th>
        <th scope="col" class="number">
          Ratio
        </th>
      </tr>
    </thead>
  );
}

interface Stays {
  runs: readonly [number, number];
  names: readonly [string, string];
  state: number;
}

/** Figures of both runs; those of a state lead to its longest stay. */
function Row({ name, swatch, of, write, longest }: { name: string; swatch?: string; of: Pair; write(value: number): string; longest?: Stays }) {
  const cell = (i: 0 | 1) => (longest && of[i] > 0 ? <Longest run={longest.runs[i]} state={longest.state} text={write(of[i])} label={`${write(of[i])}: ${name} of ${longest.names[i]}`} /> : write(of[i]));
  return (
    <tr>
      <th scope="row">
        {swatch && <span class={`swatch ${swatch}`} />}
        {name}
      </th>
      <td class="number">{cell(0)}</td>
      <td class="number">{cell(1)}</td>
      <Difference of={of} write={write} />
      <td class="number">{times(of)}</td>
    </tr>
  );
}

/** What differs by less than this share is told without colour. */
const MATTERS = 0.05;

function Difference({ of, write, title = "" }: { of: Pair; write(value: number): string; title?: string }) {
  const by = difference(of);
  const matters = Math.abs(by) > MATTERS * Math.max(of[0], of[1]);
  return (
    <td class={`number ${!matters ? "" : by > 0 ? "grown" : "shrunk"}`} title={title}>
      {by === 0 ? "–" : `${by > 0 ? "+" : "−"}${write(Math.abs(by))}`}
    </td>
  );
}

/** "1.24×". */
function times(of: Pair): string {
  const times = ratio(of);
  if (times === null) return of[1] > 0 ? "new" : "–";
  return times === 0 ? "gone" : `${times >= 100 ? count(times) : times.toPrecision(3)}×`;
}

/** A number of calls, which per iteration may be a fraction. */
const figure = (n: number) => (Number.isInteger(n) || n >= 100 ? count(n) : n.toPrecision(3));
