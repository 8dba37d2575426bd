// What is to be known besides, folded below all else.

import { plural } from "../format";

export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <details class="notes">
      <summary>{plural(notes.length, "note")}</summary>
      <ul>
        {notes.map((note) => (
          <li>{note}</li>
        ))}
      </ul>
    </details>
  );
}
