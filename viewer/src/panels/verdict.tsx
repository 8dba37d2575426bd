// What the run says for itself, the most telling first: what is wrong for certain, how much time was
// lost and what to, in the words of `mpiscope analyze`, and what else is to be known.

import { useEffect } from "preact/hooks";
import { CRITICAL_PATH } from "../app";
import { usePage } from "../context";
import { duration, plural } from "../format";
import type { Clock, Finding, Findings, Sentence } from "../protocol";
import type { Questions } from "../questions";
import { useAnswer } from "../value";
import { Analysis } from "./analysis";
import { FindingLink } from "./findings";
import { Notes } from "./notes";
import { Places } from "./places";
import { Words } from "./words";

type Kind = Findings["kinds"][number];

/** The sentences about the whole run and the three largest findings. */
export function Verdict() {
  const { app, view } = usePage();
  const { verdict, notes } = app.run;
  const largest = useAnswer((signal) => largestFindings(app.ask, view.run, app.meta.runs[view.run].clock, signal), [view.run], 0);
  useEffect(() => {
    if (largest.value) app.remember(view.run, largest.value.map(({ finding }) => finding));
  }, [largest.value]);
  const of = (...roles: Sentence["role"][]) => verdict.filter(({ role }) => roles.includes(role));
  return (
    <section class="verdict" aria-labelledby="verdict-title">
      <h2 id="verdict-title">What {app.meta.runs.length > 1 ? app.run.name : "the run"} tells</h2>
      <RunSwitch />
      {verdict.length === 0 && <p class="empty">The analysis of this run says nothing.</p>}
      <Sentences list={of("certain")} />
      <Judgement headline={of("headline")} losses={of("loss")} doubts={of("cannot_tell")} />
      <Sentences list={of("fact")} />
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
      <Analysis parts={app.run.analysis} />
      <Notes notes={notes} />
    </section>
  );
}

function Sentences({ list }: { list: Sentence[] }) {
  if (list.length === 0) return null;
  return (
    <ul class="sentences">
      {list.map((said) => (
        <li><Told {...said} /></li>
      ))}
    </ul>
  );
}

/** A sentence, which leads to its finding if it has one. */
function Told({ text, finding }: Sentence) {
  return finding === null ? <>{text}</> : <FindingLink id={finding} text={text} />;
}

/** How much was lost, what to, how sure that is and what to look at next. */
function Judgement({ headline, losses, doubts }: { headline: Sentence[]; losses: Sentence[]; doubts: Sentence[] }) {
  if (headline.length === 0) return null;
  return (
    <div class="judgement">
      <h3>Verdict</h3>
      <p class="lost">{headline[0].text}</p>
      <ol class="losses">
        {losses.map((said) => (
          <li>
            <Told {...said} />
            <p class="quiet">{said.why && <Words text={said.why} />}</p>
            <p>{said.next && <Words text={said.next} />}</p>
            <Places places={said.places} named />
          </li>
        ))}
      </ol>
      {doubts.map(({ text }) => (
        <p class="quiet"><Words text={text} /></p>
      ))}
    </div>
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
 * another clock than the best makes of messages; what time was lost to stands above.
 */
async function largestFindings(ask: Questions, run: number, best: Clock, signal: AbortSignal): Promise<{ kind: Kind; finding: Finding }[]> {
  const { kinds } = await ask.findings(run, 1, 0, "", signal);
  const counts = (kind: string) => kind !== CRITICAL_PATH && kind !== "verdict" && (!kind.startsWith("reversed_") || kind === `reversed_${best}`);
  const heaviest = kinds.filter(({ kind, count }) => counts(kind) && count > 0).sort(byWeight);
  return Promise.all(
    heaviest.slice(0, 3).map(async (kind) => {
      const { findings } = await ask.findings(run, 1, 0, kind.kind, signal);
      return { kind, finding: findings[0] };
    }),
  );
}
