// What analyses add up, in the words of `mpiscope analyze` and `mpiscope whatif`: efficiencies, waiting
// by kind, root causes, what mending would gain. Whatever parts there are is shown alike; rows that name
// a kind of findings, or a place, lead to the heaviest of these.

import { usePage } from "../context";
import { namedBy, type Named } from "../heaviest";
import { focusOn } from "../keys";
import type { Part } from "../protocol";
import { useAnswer } from "../value";
import { Words } from "./words";

export function Analysis({ parts }: { parts: Part[] }) {
  const { app, view } = usePage();
  const found = useAnswer((signal) => app.ask.findings(view.run, 1, 0, "", signal), [view.run], 0);
  const kinds = found.value?.kinds ?? [];
  return (
    <>
      {parts.map((part) => (
        <details class="analysis" key={part.name} open>
          <summary>{part.title}</summary>
          {part.lines.map((line) => (
            <p>{line}</p>
          ))}
          {part.table && <Sums {...part.table} title={part.title} named={(row) => namedBy(part, row, app.run, kinds)} />}
          {part.more && <p class="quiet"><Words text={part.more} /></p>}
        </details>
      ))}
    </>
  );
}

function RowName({ text, named }: { text: string; named: Named | null }) {
  const { app, view } = usePage();
  if (!named) return <>{text}</>;
  const follow = (event: MouseEvent) => {
    if (event.detail > 0) focusOn("timelines");
    void app.followHeaviest(view.run, named);
  };
  return (
    <button class="link" title="Go to the heaviest finding of it" onClick={follow}>
      {text}
    </button>
  );
}

function Sums({ header, rows, title, named }: { header: string[]; rows: string[][]; title: string; named: (row: string[]) => Named | null }) {
  return (
    <div class="sums" tabIndex={0} role="region" aria-label={`${title}: table`}>
      <table>
        <thead>
          <tr>
            {header.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">
                <RowName text={row[0]} named={named(row)} />
              </th>
              {row.slice(1).map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
