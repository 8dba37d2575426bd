// What was found, in words; every sentence and row leads to its place.

import { useEffect, useState } from "preact/hooks";
import { usePage } from "../context";
import type { App } from "../app";
import { count, duration } from "../format";
import { focusOn } from "../keys";
import type { Finding } from "../protocol";
import { useAnswer } from "../value";
import { Places } from "./places";

/** A sentence that leads to its finding. */
export function FindingLink({ id, text }: { id: number; text: string }) {
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
      {chosen && finding.places.length > 1 && <Places places={finding.places} />}
    </li>
  );
}
