// How large the messages of the window are: how many, and how many bytes, per power of two;
// a row leads to its largest message.

import { usePage } from "../context";
import { bytes, count, percent } from "../format";
import { useSummary } from "./summary-of-window";

export function Sizes() {
  const { app, view } = usePage();
  const { value } = useSummary();
  if (!value) return null;
  const sizes = value.sizes.filter((size) => size.count > 0);
  if (sizes.length === 0) return <p class="empty">No message is sent in this window.</p>;
  const messages = sizes.reduce((sum, size) => sum + size.count, 0);
  const all = sizes.reduce((sum, size) => sum + size.bytes, 0);
  return (
    <table class="sizes">
      <thead>
        <tr>
          <th scope="col">Size</th>
          <th scope="col" class="number">
            Messages
          </th>
          <th scope="col">Share of messages</th>
          <th scope="col" class="number">
            Bytes
          </th>
          <th scope="col">Share of bytes</th>
        </tr>
      </thead>
      <tbody>
        {sizes.map((size) => (
          <tr key={size.from}>
            <th scope="row">
              <button class="link" title="Go to the largest of these messages; again, to the next one" onClick={() => void app.sums.follow(view.run, { sizes: [size.from, size.to] })}>
                {size.to === size.from ? bytes(size.from) : `${bytes(size.from)} to ${bytes(size.to + 1)}`}
              </button>
            </th>
            <td class="number">{count(size.count)}</td>
            <Bar share={size.count / messages} />
            <td class="number">{bytes(size.bytes)}</td>
            <Bar share={all > 0 ? size.bytes / all : 0} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bar({ share }: { share: number }) {
  return (
    <td class="bar-cell">
      <span class="bar" style={{ width: `${100 * share}%` }} /> {percent(share)}
    </td>
  );
}
