// Rows that were moved by hand: the list, where each can be typed exactly, and how they are kept.

import { useState } from "preact/hooks";
import { usePage } from "../context";
import { exactly, listed, parseShift } from "../shifts";
import { useValue } from "../value";

export function ShiftsPanel() {
  const { app, view } = usePage();
  const tree = app.trees[view.run];
  const shifts = listed(tree, view.run, view.shifts);
  const why = app.whyNoShift(view.run);
  return (
    <div class="columns shifts">
      <div>
        {shifts.length === 0 ? (
          <p class="empty">No row is shifted. Drag a row's name, or type below by how much a row's clock is off.</p>
        ) : (
          <table>
            <caption>Rows shifted by hand</caption>
            <tbody>
              {shifts.map(({ row, ns }) => (
                <tr key={row}>
                  <th scope="row">
                    <button class="link" onClick={() => app.reveal(view.run, row)}>
                      {tree.fullName(row)}
                    </button>
                  </th>
                  <td>
                    <ShiftField name={tree.fullName(row)} ns={ns} set={(to) => app.shift(view.run, row, () => to)} disabled={why !== null} />
                  </td>
                  <td>
                    <button disabled={why !== null} aria-label={`Reset the shift of ${tree.fullName(row)}`} onClick={() => app.shift(view.run, row, () => 0)}>
                      Reset
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {why === null && <NewShift />}
        {shifts.length > 0 && why === null && (
          <button class="reset-all" onClick={() => app.resetShifts(view.run)}>
            Reset all
          </button>
        )}
      </div>
      <HowKept why={why} />
    </div>
  );
}

/** A shift that is typed; Enter takes it. */
function ShiftField({ name, ns, set, disabled, id }: { name: string; ns: number | null; set(ns: number): void; disabled?: boolean; id?: string }) {
  const shown = ns === null ? "" : exactly(ns);
  const [text, setText] = useState<string | null>(null);
  const typed = parseShift(text ?? shown);
  const wrong = text !== null && typed === null;
  const take = () => {
    if (text === null || typed === null) return;
    setText(null);
    if (typed !== ns) set(typed);
  };
  return (
    <input
      {...(id ? { id } : {})}
      class="shift-field"
      aria-label={`Shift of ${name}`}
      aria-invalid={wrong}
      title={wrong ? "A number and a unit are expected, as in −1.5 ms; nanoseconds are the least" : "Enter takes it; ns, µs, ms, s"}
      placeholder="+20 µs"
      value={text ?? shown}
      disabled={disabled}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={() => (wrong ? setText(null) : take())}
      onKeyDown={(event) => event.key === "Enter" && take()}
    />
  );
}

/** A menu of more rows than this takes long to make, and nobody finds a row in it. */
const MOST_OPTIONS = 2000;

/** A row that is named by typing, where there are too many for a menu. */
function RowField({ row, choose }: { row: number; choose(row: number): void }) {
  const { app, view } = usePage();
  const tree = app.trees[view.run];
  const [text, setText] = useState(tree.fullName(row));
  const named = (name: string) => tree.run.rows.findIndex((_, i) => tree.fullName(i) === name.trim());
  const [wrong, setWrong] = useState(false);
  const take = () => {
    const found = named(text);
    setWrong(found < 0);
    if (found >= 0) choose(found);
  };
  return (
    <input
      id="shift-row"
      value={text}
      aria-invalid={wrong}
      title={wrong ? "No row has this name" : "The name of a host, a process or a thread, such as rank 3"}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === "Enter" && take()}
    />
  );
}

function NewShift() {
  const { app, view } = usePage();
  const tree = app.trees[view.run];
  const selected = view.selected?.what === "call" && view.selected.run === view.run ? view.selected.row : 0;
  const [chosen, setChosen] = useState<number | null>(null);
  const row = chosen ?? selected;
  if (!tree.run.rows[row]) return null;
  return (
    <p class="new-shift">
      <label>
        Shift{" "}
        {tree.run.rows.length > MOST_OPTIONS ? (
          <RowField key={row} row={row} choose={setChosen} />
        ) : (
          <select id="shift-row" value={row} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
            {tree.run.rows.map((_, i) => (
              <option value={i}>{tree.fullName(i)}</option>
            ))}
          </select>
        )}
      </label>{" "}
      by <ShiftField id="shift-by" key={row} name={tree.fullName(row)} ns={app.shiftOf(view.run, row) || null} set={(to) => app.shift(view.run, row, () => to)} />
    </p>
  );
}

/** Where shifts are kept, and what becomes of them. */
function HowKept({ why }: { why: string | null }) {
  const { app, view } = usePage();
  const notKept = useValue(app.keeping.notKept);
  const kept = app.kept[view.run];
  const cannot = notKept ?? (kept && !kept.can_keep ? kept.why_not : null);
  const contained = Object.keys(kept?.contained.corrected ?? {}).length > 0;
  return (
    <div class="how-kept">
      {why && <p>{why}</p>}
      {why === null && (cannot ? <p class="error">These shifts are shown in this page alone. {cannot}</p> : <p>Shifts are kept with the run.</p>)}
      <p class="quiet">
        A shift says that the clock of a row is off by so much. It is added to the times by every clock but the true one
        {contained ? ", and to corrected times as far as they were not corrected with it" : ""}. <code>mpiscope sync --force</code> takes it
        into the corrected times, as far as no message contradicts. Until then numbers of windows, findings, searches, the overview and the
        bands of collective operations are those of the times before.
      </p>
    </div>
  );
}
