// What analyses add up, in the words of `mpiscope analyze` and `mpiscope whatif`: efficiencies, waiting
// by kind, root causes, what mending would gain. Whatever parts there are is shown alike.

import type { Part } from "../protocol";
import { Words } from "./words";

export function Analysis({ parts }: { parts: Part[] }) {
  return (
    <>
      {parts.map((part) => (
        <details class="analysis" key={part.name} open>
          <summary>{part.title}</summary>
          {part.lines.map((line) => (
            <p>{line}</p>
          ))}
          {part.table && <Sums {...part.table} title={part.title} />}
          {part.more && <p class="quiet"><Words text={part.more} /></p>}
        </details>
      ))}
    </>
  );
}

function Sums({ header, rows, title }: { header: string[]; rows: string[][]; title: string }) {
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
          {rows.map(([first, ...others]) => (
            <tr>
              <th scope="row">{first}</th>
              {others.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
