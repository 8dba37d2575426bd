// What was found, in words; every sentence and row leads to its place.

import { useEffect, useState } from "preact/hooks";
import { usePage } from "../context";
import { CRITICAL_PATH, type App } from "../app";
import { count, duration, plural } from "../format";
import { focusOn } from "../keys";
import type { Clock, Finding, Findings } from "../protocol";
import type { Questions } from "../questions";
import { useAnswer } from "../value";
import { Notes } from "./notes";

type Kind = Findings["kinds"][number];

/** The sentences about the whole run and the three largest findings. */
export function Verdict() {
  const { app, view } = usePage();
  const { verdict, notes } = app.run;
  const largest = useAnswer((signal) => largestFindings(app.ask, view.run, app.meta.runs[view.run].clock, signal), [view.run], 0);
  useEffect(() => {
    if (largest.value) app.remember(view.run, largest.value.map(({ finding }) => finding));
  }, [largest.value]);
  return (
    <section class="verdict" aria-labelledby="verdict-title">
      <h2 id="verdict-title">What {app.meta.runs.length > 1 ? app.run.name : "the run"} tells</h2>
      <RunSwitch />
      {verdict.length === 0 && <p class="empty">The analysis of this run says nothing.</p>}
      <ul class="sentences">
        {verdict.map(({ text, finding }) => (
          <li>{finding === null ? text : <FindingLink id={finding} text={text} />}</li>
        ))}
      </ul>
      {largest.value && largest.value.length > 0 && (
        <>
          <h3 title="The largest of three kinds: first what is wrong for certain, then what takes most time, then what is only counted">Largest findings</h3>
          <ol class="largest">
            {largest.value.map(({ kind, finding }) => (
              <li>
                <FindingLink id={finding.id} text={finding.text} />
                <span class="amount">
                  {kind.label}: {plural(kind.count, "time")}{finding.unit === "ns" ? `, ${duration(kind.weight)} in all` : ""}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      <Notes notes={notes} />
    </section>
  );
}

/** With several runs: of which one verdict, findings and panels are. */
function RunSwitch() {
  const { app, view } = usePage();
  if (app.meta.runs.length < 2) return null;
  return (
    <div class="kinds" role="group" aria-label="Run of the verdict and the findings">
      {app.meta.runs.map(({ name }, run) => (
        <button aria-pressed={view.run === run} onClick={() => view.run !== run && app.go({ run, selected: null, finding: null })}>
          {name}
        </button>
      ))}
    </div>
  );
}

/** What weights may measure, in the order in which kinds are told: times and counts cannot be compared. */
const MEASURES = ["certain", "time", "count", "apart"];

/** Puts what is wrong for certain first, then what takes time, then what is counted, each by weight. */
export function byWeight(a: Kind, b: Kind): number {
  return MEASURES.indexOf(a.measure) - MEASURES.indexOf(b.measure) || b.weight - a.weight;
}

/**
 * The largest finding of each of the first three kinds. The critical path is no fault, nor is what
 * another clock than the best makes of messages.
 */
async function largestFindings(ask: Questions, run: number, best: Clock, signal: AbortSignal): Promise<{ kind: Kind; finding: Finding }[]> {
  const { kinds } = await ask.findings(run, 1, 0, "", signal);
  const counts = (kind: string) => kind !== CRITICAL_PATH && (!kind.startsWith("reversed_") || kind === `reversed_${best}`);
  const heaviest = kinds.filter(({ kind, count }) => counts(kind) && count > 0).sort(byWeight);
  return Promise.all(
    heaviest.slice(0, 3).map(async (kind) => {
      const { findings } = await ask.findings(run, 1, 0, kind.kind, signal);
      return { kind, finding: findings[0] };
    }),
  );
}

function FindingLink({ id, text }: { id: number; text: string }) {
  const { app, view } = usePage();
  return (
    <button class="link" aria-current={view.finding === id} onClick={(event) => follow(app, view.run, id, event)}>
      {text}
    </button>
  );
}

/** Goes to a finding; who clicked it looks at the time lines then, and so do the arrow keys. */
function follow(app: App, run: number, id: number, event: MouseEvent): void {
  if (event.detail > 0) focusOn("timelines");
  void app.followFinding(run, id);
}

function weight({ weight, unit }: Pick<Finding, "weight" | "unit">): string {
  return unit === "ns" ? duration(weight) : `${count(weight)}×`;
}

const PAGE = 50;

/** All findings, by kind. */
export function FindingsList() {
  const { app, view } = usePage();
  const [limit, setLimit] = useState(PAGE);
  const answer = useAnswer((signal) => app.ask.findings(view.run, limit, 0, view.kind, signal), [view.run, view.kind, limit], 0);
  useEffect(() => {
    if (answer.value) app.remember(view.run, answer.value.findings);
  }, [answer.value]);
  useEffect(() => setLimit(PAGE), [view.kind, view.run]);
  const found = answer.value;
  return (
    <section class="findings" aria-labelledby="findings-title" aria-busy={answer.asking}>
      <h2 id="findings-title">Findings</h2>
      {found && found.kinds.length > 0 && (
        <div class="kinds" role="group" aria-label="Kind of the findings">
          <KindButton kind="" label="All" n={found.kinds.reduce((sum, { count }) => sum + count, 0)} />
          {found.kinds.map(({ kind, label, count }) => (
            <KindButton key={kind} kind={kind} label={label} n={count} />
          ))}
        </div>
      )}
      {answer.error && <p class="error">The findings cannot be shown. {answer.error}</p>}
      {!found && !answer.error && <p class="empty">The findings are on their way …</p>}
      {found && found.findings.length === 0 && <p class="empty">Nothing was found: no wait states, races or violations worth a mention.</p>}
      {found && (
        <ul class="finding-list" onKeyDown={walk} aria-describedby="walk-keys">
          {found.findings.map((finding, i) => (
            <FindingRow key={finding.id} finding={finding} reached={found.findings.some(({ id }) => id === view.finding) ? finding.id === view.finding : i === 0} />
          ))}
        </ul>
      )}
      {found && found.findings.length > 0 && (
        <p class="walk-keys" id="walk-keys">
          <kbd>↑</kbd> <kbd>↓</kbd> walk along this list, <kbd>Enter</kbd> follows, <kbd>Esc</kbd> leaves for the time lines
        </p>
      )}
      {found && found.findings.length < total(found, view.kind) && (
        <button class="more" onClick={() => setLimit(limit * 2)}>
          Show more of {count(total(found, view.kind))}
        </button>
      )}
    </section>
  );
}

/** Arrow keys walk along the list, which Tab passes in one step; Escape leaves it for the time lines. */
function walk(event: KeyboardEvent): void {
  if (event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    return focusOn("timelines");
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const list = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(".finding")];
  const next = list[list.indexOf(event.target as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

function total(found: { total: number; kinds: { kind: string; count: number }[] }, kind: string): number {
  return kind === "" ? found.total : (found.kinds.find((entry) => entry.kind === kind)?.count ?? found.total);
}

function KindButton({ kind, label, n }: { kind: string; label: string; n: number }) {
  const { app, view } = usePage();
  return (
    <button aria-pressed={view.kind === kind} onClick={() => app.go({ kind }, "kind")}>
      {label} <span class="quiet">{count(n)}</span>
    </button>
  );
}

function FindingRow({ finding, reached }: { finding: Finding; reached: boolean }) {
  const { app, view } = usePage();
  const chosen = view.finding === finding.id;
  return (
    <li>
      <button class="finding" tabIndex={reached ? 0 : -1} aria-current={chosen} onClick={(event) => follow(app, view.run, finding.id, event)}>
        <span class={`kind kind-${finding.kind}`}>{finding.label}</span>
        <span class="amount">{weight(finding)}</span>
        <span class="text">{finding.text}</span>
      </button>
      {chosen && finding.places.length > 1 && <Places finding={finding} />}
    </li>
  );
}

const MOST_PLACES = 40;

/** Roles of places in words, where their names are none. */
const ROLES: Record<string, string> = { step: "begins", step_end: "ends" };
const roleOf = (role: string) => ROLES[role] ?? role.replaceAll("_", " ");

/** The places of the chosen finding, each a link. */
function Places({ finding }: { finding: Finding }) {
  const { app, view } = usePage();
  const go = async (row: number, event: number) => {
    const [time] = await app.timesOf(view.run, app.clockOf(view.run), [{ row, event }]);
    app.goTo(view.run, row, event, time[0], time[1]);
  };
  return (
    <ul class="places">
      {finding.places.slice(0, MOST_PLACES).map(({ role, row, event, text }) => (
        <li>
          <span class="quiet">{roleOf(role)}</span>
          <button class="link" onClick={() => go(row, event).catch((error: unknown) => app.failed(error))}>
            {text || app.trees[view.run].fullName(row)}
          </button>
        </li>
      ))}
      {finding.places.length > MOST_PLACES && <li class="quiet">and {count(finding.places.length - MOST_PLACES)} more places</li>}
    </ul>
  );
}
