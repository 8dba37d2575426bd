// How the time of the window divides into classes, and what is known of the run; with several
// runs, the same beside one another.

import { usePage } from "../context";
import { Facts } from "./facts";
import { count, duration, percent } from "../format";
import { CLASS, lived, type Summary } from "../protocol";
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
  const { app } = usePage();
  const { classes } = app.run;
  const totals = summaries.map(lived);
  const shown = classes.map((cls, i) => ({ ...cls, i })).filter(({ i }) => summaries.some((summary) => summary.classes[i] > 0));
  const cells = (of: (summary: Summary) => number, hasShare = true) =>
    summaries.map((summary, run) => {
      const share = totals[run] > 0 ? of(summary) / totals[run] : 0;
      return (
        <>
          <td class="number">{duration(of(summary))}</td>
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
          <tr class={`of-class-${i}`}>
            <th scope="row">
              <span class={`swatch class-${i}`} />
              {i === CLASS.nothing ? "Not running" : label}
            </th>
            {cells((summary) => summary.classes[i], i !== CLASS.nothing)}
          </tr>
        ))}
        <tr class="of-waiting">
          <th scope="row">
            <span class="swatch waiting" />
            Waiting, a part of these
          </th>
          {cells((summary) => summary.waiting)}
        </tr>
      </tbody>
    </table>
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
