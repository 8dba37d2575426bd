// The panels below: numbers and pictures of the visible window, or of the marked interval.

import type { ComponentType } from "preact";
import { useRef, useState } from "preact/hooks";
import { usePage } from "../context";
import { duration, instant, plural } from "../format";
import { PANELS, type Panel } from "../state";
import { Balance } from "./balance";
import { Calls } from "./calls";
import { Clocks } from "./clocks";
import { ComparePanel } from "./compare";
import { Flame } from "./flame";
import { IterationsPanel } from "./iterations";
import { MatrixPanel } from "./matrix";
import { ShiftsPanel } from "./shifts";
import { Sizes } from "./sizes";
import { SummaryPanel } from "./summary";
import { useSummary } from "./summary-of-window";

const TITLES: Record<Panel, [string, ComponentType]> = {
  summary: ["Summary", SummaryPanel],
  calls: ["Calls", Calls],
  flame: ["Flame graph", Flame],
  matrix: ["Matrix", MatrixPanel],
  sizes: ["Message sizes", Sizes],
  clocks: ["Clocks", Clocks],
  balance: ["Balance", Balance],
  iterations: ["Iterations", IterationsPanel],
  compare: ["Compare", ComparePanel],
  shifts: ["Shifts", ShiftsPanel],
};

/** Panels that do not show the numbers of the window. */
const OWN_DATA: readonly Panel[] = ["clocks", "iterations", "shifts", "compare"];

export function Bottom() {
  const { app, view } = usePage();
  const { value, error, asking } = useSummary();
  const tabs = useRef<HTMLDivElement>(null);
  // Two runs are needed for a comparison.
  const panels = PANELS.filter((panel) => panel !== "compare" || app.meta.runs.length > 1);
  const present = panels.includes(view.panel) ? view.panel : panels[0];
  const [, Shown] = TITLES[present];
  const [from, to] = view.interval ?? view.window;
  const ownData = OWN_DATA.includes(present);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const panel = panels[(panels.indexOf(present) + step + panels.length) % panels.length];
    app.go({ panel }, "panel");
    tabs.current?.querySelector<HTMLElement>(`#tab-${panel}`)?.focus();
  };

  return (
    <section class="bottom" aria-label="Statistics of the visible window">
      <Divider />
      <div class="tab-row">
        <div class="tabs" role="tablist" aria-label="Views" ref={tabs} onKeyDown={onKeyDown}>
          {panels.map((panel) => (
            <button role="tab" id={`tab-${panel}`} aria-selected={present === panel} aria-controls="panel" tabIndex={present === panel ? 0 : -1} onClick={() => app.go({ panel }, "panel")}>
              {TITLES[panel][0]}
            </button>
          ))}
        </div>
        <p class="of-window" hidden={ownData}>
          {value?.whole ? (
            "Of the whole run"
          ) : (
            <>
              {view.interval ? "Of the marked interval" : "Of the visible window"}: {duration(to - from)}{" "}
              <span class="quiet">
                from {instant(from, Math.max(1, (to - from) / 100))}
                {value ? `, ${plural(value.rows, "row")}` : ""}
              </span>
            </>
          )}
          {value && !value.complete && (
            <span class="approximate" title={value.note ?? ""}>
              {value.note ?? "made from coarse bins"}
            </span>
          )}
        </p>
      </div>
      <div class={`panel${asking && !ownData ? " asking" : ""}`} id="panel" role="tabpanel" aria-labelledby={`tab-${present}`} tabIndex={0}>
        {error && !ownData ? <p class="error">The numbers of this window cannot be shown. {error}</p> : !value && !ownData ? <p class="empty">The numbers of this window are on their way …</p> : <Shown />}
      </div>
    </section>
  );
}

const LEAST = 120;

/** The line above the panels, by which they are made higher or lower. */
function Divider() {
  const [height, setHeight] = useState(248);
  const set = (pixels: number) => {
    const most = Math.max(LEAST, innerHeight - 320);
    const next = Math.round(Math.min(most, Math.max(LEAST, pixels)));
    setHeight(next);
    document.documentElement.style.setProperty("--bottom", `${next}px`);
  };
  const onPointerDown = (event: PointerEvent) => {
    const element = event.currentTarget as HTMLElement;
    element.setPointerCapture(event.pointerId);
    const startY = event.clientY;
    const move = (moved: PointerEvent) => set(height + startY - moved.clientY);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", () => element.removeEventListener("pointermove", move), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: 24, ArrowDown: -24 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    set(height + step);
  };
  return (
    <div class="divider" role="separator" aria-orientation="horizontal" aria-label="Height of the panels" aria-valuenow={height} aria-valuemin={LEAST} tabIndex={0} onPointerDown={onPointerDown} onKeyDown={onKeyDown} />
  );
}
