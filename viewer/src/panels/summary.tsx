// How the time of the window divides into classes, and what is known of the run; with several
// runs, the same beside one another. A row leads to the longest stay in its state.

import { usePage } from "../context";
import { Facts } from "./facts";
import { count, duration, percent } from "../format";
import { CLASS, lived, WAITING, type Summary } from "../protocol";
import { useAnswer } from "../value";
import { useSummary } from "./summary-of-window";

export function SummaryPanel() {
  const { app } = usePage();
  const { value } = useSummary();
  return (
    <div class="columns">
      {app.meta.runs.length > 1 ? <Comparison /> : value && <ClassTable summaries={[value]} names={[]} />}
      <About />
    </div>
  );
}

function Comparison() {
  const { app, view } = usePage();
  const [from, to] = view.interval ?? view.window;
  const answer = useAnswer((signal) => Promise.all(app.meta.runs.map((_, i) => app.ask.summary(i, app.clockOf(i), from, to, "", signal))), [view.clock, from, to]);
  if (!answer.value) return <p class="empty">{answer.error ?? "The numbers of the runs are on their way …"}</p>;
  return <ClassTable summaries={answer.value} names={app.meta.runs.map((run) => run.name)} />;
}

function ClassTable({ summaries, names }: { summaries: Summary[]; names: string[] }) {
  const { app, view } = usePage();
  const { classes } = app.run;
  const totals = summaries.map(lived);
  const shown = classes.map((cls, i) => ({ ...cls, i })).filter(({ i }) => summaries.some((summary) => summary.classes[i] > 0));
  const name = (label: string, state: number) => (names.length > 0 ? label : <Longest run={view.run} state={state} text={label} />);
  const cells = (label: string, state: number, of: (summary: Summary) => number, hasShare = true) =>
    summaries.map((summary, run) => {
      const share = totals[run] > 0 ? of(summary) / totals[run] : 0;
      return (
        <>
          <td class="number">{names.length > 0 && of(summary) > 0 ? <Longest run={run} state={state} text={duration(of(summary))} label={`${duration(of(summary))}: ${label} of ${names[run]}`} /> : duration(of(summary))}</td>
          <td class="number">{hasShare ? percent(share) : ""}</td>
          <td class="bar-cell">
            {hasShare && <span class="bar" style={{ width: `${100 * share}%` }} />}
          </td>
        </>
      );
    });
  return (
    <table class="class-table">
      <caption>Time of all rows together</caption>
      <thead>
        {names.length > 0 && (
          <tr>
            <td />
            {names.map((name) => (
              <th scope="colgroup" colSpan={3}>
                {name}
              </th>
            ))}
          </tr>
        )}
        <tr>
          <th scope="col">State</th>
          {summaries.map(() => (
            <>
              <th scope="col" class="number">
                Time
              </th>
              <th scope="col" class="number">
                Share
              </th>
              <td />
            </>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map(({ label, i }) => (
          <tr key={i} class={`of-class-${i}`}>
            <th scope="row">
              <span class={`swatch class-${i}`} />
              {name(i === CLASS.nothing ? "Not running" : label, i)}
            </th>
            {cells(label, i, (summary) => summary.classes[i], i !== CLASS.nothing)}
          </tr>
        ))}
        <tr class="of-waiting">
          <th scope="row">
            <span class="swatch waiting" />
            {name("Waiting, a part of these", WAITING)}
          </th>
          {cells("Waiting", WAITING, (summary) => summary.waiting)}
        </tr>
      </tbody>
    </table>
  );
}

/** Leads to the longest stay of a run in a state. */
export function Longest({ run, state, text, label }: { run: number; state: number; text: string; label?: string }) {
  const { app } = usePage();
  return (
    <button class="link" aria-label={label} title="Go to the longest in this window; again, to the next one" onClick={() => void app.sums.follow(run, { state })}>
      {text}
    </button>
  );
}

function About() {
  const { app } = usePage();
  const { run } = app;
  const counts: [string, string][] = [
    ["Events", count(run.events)],
    ["Messages", count(run.messages)],
  ];
  const facts = [...run.about, ...counts.filter(([what]) => !run.about.some(([known]) => known === what))];
  return (
    <div class="about">
      <h3>About the run</h3>
      <Facts facts={facts} />
    </div>
  );
}
