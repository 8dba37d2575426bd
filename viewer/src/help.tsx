// The help: what the keys and the pointer do, written from the table of keys.

import { useEffect, useRef } from "preact/hooks";
import { usePage } from "./context";
import { KEYS, POINTER } from "./keys";
import { useValue } from "./value";

const GROUPS = ["Move", "Select", "Show", "Shift", "Page"] as const;

export function Help() {
  const { app } = usePage();
  const open = useValue(app.help);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => app.help.set(false)}>
      <div class="help-head">
        <h2 id="help-title">Keys and pointer</h2>
        <button onClick={() => app.help.set(false)}>Close</button>
      </div>
      <div class="help-groups">
        {GROUPS.map((group) => (
          <section>
            <h3>{group}</h3>
            <dl>
              {KEYS.filter((key) => key.group === group).map((key) => (
                <>
                  <dt>
                    <kbd>{key.shown}</kbd>
                  </dt>
                  <dd>{key.help}</dd>
                </>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>Pointer</h3>
          <dl>
            {POINTER.map(([what, does]) => (
              <>
                <dt>
                  <kbd>{what}</kbd>
                </dt>
                <dd>{does}</dd>
              </>
            ))}
          </dl>
        </section>
        <section>
          <h3>How to read the time lines</h3>
          <p>
            Each row is a process or a thread, and time runs to the right. Where several things happen within one pixel, the row shows their
            shares one above the other; zooming in tells them apart. The warm hatch marks time in which a call waits for another process.
            Functions of the program have a hue of their own, MPI has one colour for each kind of operation.
          </p>
          <p>
            Grey arrows are messages, from where they are sent to where they are received; a number on one says how many it stands for. Red
            arrows are messages that, by the clock shown, are received before they are sent: another clock may turn them. Dashed lines join
            the places of the finding that was followed.
          </p>
          <p>
            A row can be shifted in time by hand, where you know better than the clocks: its calls and arrows follow at once, by every clock
            but the true one. Shifts are kept with the run, and <code>mpiscope sync</code> takes them into the corrected times. Until then
            numbers, findings, searches, the overview and the bands of collective operations are those of the times before.
          </p>
          <p>
            Where the program repeats itself, the band above the axis shows its iterations in two shades, and those that take much longer than
            the others in the colour of waiting.
          </p>
          <p>
            The address holds what you see: as a bookmark, it shows the same again. Libraries within this page and their licences:{" "}
            {document.getElementById("answers") ? "at the top of the source of this file" : <a href="./licences.txt">licences.txt</a>}.
          </p>
        </section>
      </div>
    </dialog>
  );
}
