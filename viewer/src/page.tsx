// The page's parts and where they stand.

import { usePage } from "./context";
import { Header } from "./header";
import { Help } from "./help";
import { Legend } from "./legend";
import { OverviewStrip } from "./overview";
import { Bottom } from "./panels/bottom";
import { Side } from "./panels/side";
import { describe } from "./say";
import type { SourceError } from "./source";
import { TimeLines } from "./timelines";
import { useValue } from "./value";

export function ViewerPage() {
  const { app } = usePage();
  const error = useValue(app.error);
  return (
    <div class="page">
      <a class="skip" href="#timelines" onClick={(event) => skipTo(event, "timelines")}>
        Go to the time lines
      </a>
      <Header />
      {error && <ErrorBar error={error} />}
      <OverviewStrip />
      <main class="middle">
        <TimeLines />
        <Side />
      </main>
      <Legend />
      <Bottom />
      <Help />
      <Spoken />
    </div>
  );
}

/** A link within the page would change the fragment, which holds the view. */
function skipTo(event: Event, id: string): void {
  event.preventDefault();
  document.getElementById(id)?.focus();
}

/** What is shown would be lost if the page were loaded again and there were nothing, so it is asked for first. */
function ErrorBar({ error: { status, message } }: { error: SourceError }) {
  const { app } = usePage();
  const rest = {
    0: "What is shown stays.",
    410: "What is shown stays.",
  }[status] ?? "What is shown stays; the address that mpiscope view printed last leads to the run again.";
  return (
    <div class="error-bar" role="alert">
      <strong>The page gets no answers.</strong> {message} {rest} {status === 0 && <button onClick={() => void app.askAgain()}>Ask again</button>}
      {status === 410 && <button onClick={() => void app.readAgain()}>Show the run as it is now</button>}
    </div>
  );
}

/** What is selected and what happened, for screen readers; the notice is also shown for a moment. */
function Spoken() {
  const { app } = usePage();
  const detail = useValue(app.detail);
  const notice = useValue(app.notice);
  const run = detail ? app.meta.runs[detail.selected.run] : null;
  return (
    <>
      <p class="unseen" aria-live="polite" id="spoken">
        {detail && run ? describe(detail, run, app.trees[detail.selected.run]) : ""}
      </p>
      <p class="notice" role="status" key={notice} hidden={notice === ""}>
        {notice}
      </p>
    </>
  );
}

/** A page that cannot show a run, and why. */
export function Problem({ title, text, busy = false }: { title: string; text: string; busy?: boolean }) {
  return (
    <main class="problem" aria-busy={busy}>
      <h1>{title}</h1>
      <p>{text}</p>
      {!busy && (
        <p class="quiet">
          The address that <code>mpiscope view</code> prints holds a token after <code>#token=</code>; each start prints another one. If the
          page is behind a tunnel, the <code>ssh -N -L</code> line that it prints must be running.
        </p>
      )}
    </main>
  );
}
