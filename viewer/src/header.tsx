// The headline: which run, by which clock, where in time, and the search.

import { usePage } from "./context";
import { duration, instant, plural } from "./format";
import type { Clock } from "./protocol";
import { Search } from "./search";
import { switchTheme } from "./theme";

const CLOCK_HELP: Record<Clock, string> = {
  measured: "Times as each process's clock gave them",
  interpolated: "Times after the offsets measured at start and end are taken away",
  corrected: "Times after correction by the messages: none arrives before it was sent",
  true: "Times as they really were, which only a simulated run knows",
};

export function Header() {
  return (
    <header class="header">
      <RunName />
      <ClockSwitch />
      <Crumbs />
      <Search />
      <Tools />
    </header>
  );
}

function RunName() {
  const { app, view } = usePage();
  const { runs } = app.meta;
  return (
    <h1 class="run-name">
      <img src="./icon.svg" alt="" width="18" height="18" />
      {runs.length === 1 ? (
        <span title={runs[0].about.map(([what, is]) => `${what}: ${is}`).join("\n")}>{runs[0].name}</span>
      ) : (
        <select aria-label="Run of the panels" value={view.run} onChange={(event) => app.go({ run: Number(event.currentTarget.value), selected: null, finding: null })}>
          {runs.map((run, i) => (
            <option value={i}>{run.name}</option>
          ))}
        </select>
      )}
    </h1>
  );
}

function ClockSwitch() {
  const { app, view } = usePage();
  const reversed = app.run.reversed[app.clockOf(view.run)] ?? 0;
  return (
    <div class="clock-switch">
      <div class="segments" role="group" aria-label="Clock of the times">
        {app.clocks.map((clock) => (
          <button aria-pressed={view.clock === clock} title={`${CLOCK_HELP[clock]} (C)`} onClick={() => app.setClock(clock)}>
            {clock}
          </button>
        ))}
      </div>
      <ReversedLink count={reversed} />
    </div>
  );
}

/** How many messages arrive before they were sent, by the clock shown; leads to their list. */
function ReversedLink({ count }: { count: number }) {
  const { app } = usePage();
  if (count === 0) return null;
  return (
    <button class="reversed" title="These messages arrive before they were sent; show their list" onClick={() => app.go({ panel: "clocks" })}>
      ◂ {plural(count, "message")} reversed
    </button>
  );
}

function Crumbs() {
  const { app, view } = usePage();
  const [from, to] = view.window;
  const length = app.length(view.clock);
  const isWhole = to - from >= length;
  // By another clock the whole run is a little longer or shorter.
  const between = view.crumbs.filter((crumb) => crumb[1] - crumb[0] < 0.98 * length);
  return (
    <nav class="crumbs" aria-label="Zoom">
      <ol>
        {!isWhole && (
          <li>
            <button class="link" onClick={() => app.wholeRun()}>
              Whole run, {duration(length)}
            </button>
          </li>
        )}
        {between.map((crumb, i) => (
          <li key={i}>
            <button class="link" onClick={() => app.setWindow(crumb)}>
              {duration(crumb[1] - crumb[0])}
            </button>
          </li>
        ))}
        <li aria-current="true" title={`From ${instant(from, (to - from) / 100)} to ${instant(to, (to - from) / 100)}`}>
          {isWhole ? "Whole run, " : ""}
          {duration(to - from)} <span class="quiet">from {instant(from, Math.max(1, (to - from) / 100))}</span>
        </li>
      </ol>
    </nav>
  );
}

function Tools() {
  const { app } = usePage();
  return (
    <div class="tools">
      <button title="Undo (Ctrl Z)" aria-label="Undo" onClick={() => app.undo()}>
        ↶
      </button>
      <button title="Redo (Ctrl Shift Z)" aria-label="Redo" onClick={() => app.redo()}>
        ↷
      </button>
      <button title="Light or dark" aria-label="Switch between light and dark" onClick={switchTheme}>
        ◐
      </button>
      <button title="Keys and help (?)" aria-label="Help" onClick={() => app.help.set(true)}>
        ?
      </button>
    </div>
  );
}
