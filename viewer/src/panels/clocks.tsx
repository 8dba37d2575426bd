// How far each clock was off over the run, how sure that is, and which messages arrive
// before they were sent.

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { usePage } from "../context";
import { count, duration, percent } from "../format";
import type { ClockCurves } from "../protocol";
import { useAnswer, useValue } from "../value";

type Curve = ClockCurves["clocks"][number];

export function Clocks() {
  const { app, view } = usePage();
  const answer = useAnswer((signal) => app.ask.clocks(view.run, signal), [view.run], 0);
  const [chosen, setChosen] = useState(0);
  if (answer.error) return <p class="error">The clocks cannot be shown. {answer.error}</p>;
  if (!answer.value) return <p class="empty">The clocks are on their way …</p>;
  const { clocks } = answer.value;
  return (
    <div class="columns clocks">
      <Reversed />
      {clocks.length === 0 ? (
        <p class="empty">How far the clocks of this run are off cannot be told: it holds no measurements of them.</p>
      ) : (
        <>
          <table>
            <caption>Clocks</caption>
            <thead>
              <tr>
                <th scope="col">Clock</th>
                <th scope="col" class="number">
                  Rows
                </th>
                <th scope="col" class="number">
                  Offset at start
                </th>
                <th scope="col" class="number">
                  At end
                </th>
                <th scope="col" class="number">
                  ± at most
                </th>
              </tr>
            </thead>
            <tbody>
              {clocks.map((clock, i) => (
                <ClockRow key={clock.name} clock={clock} chosen={i === chosen} choose={() => setChosen(i)} />
              ))}
            </tbody>
          </table>
          <CurvePlot curve={clocks[Math.min(chosen, clocks.length - 1)]} />
        </>
      )}
    </div>
  );
}

function ClockRow({ clock, chosen, choose }: { clock: Curve; chosen: boolean; choose(): void }) {
  const { app, view } = usePage();
  const offsets = clock.measured_to_corrected;
  const widths = offsets.flatMap(([, , width]) => (width === null ? [] : [width]));
  return (
    <tr class={chosen ? "chosen" : ""}>
      <th scope="row">
        <button class="link" aria-pressed={chosen} onClick={choose}>
          {clock.name}
        </button>
      </th>
      <td class="number">
        <button class="link" title="Show the first of them" disabled={clock.rows.length === 0} onClick={() => app.reveal(view.run, clock.rows[0])}>
          {count(clock.rows.length)}
        </button>
      </td>
      <td class="number">{offsets.length > 0 ? duration(offsets[0][1]) : "–"}</td>
      <td class="number">{offsets.length > 0 ? duration(offsets.at(-1)![1]) : "–"}</td>
      <td class="number">{widths.length > 0 ? duration(Math.max(...widths)) : "not known"}</td>
    </tr>
  );
}

function CurvePlot({ curve }: { curve: Curve }) {
  const { stage } = usePage();
  const theme = useValue(stage.theme);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current!;
    const { palette } = stage;
    const points = curve.measured_to_corrected;
    if (points.length === 0) return;
    const seconds = points.map(([time]) => time / 1e9);
    const offset = points.map(([, ns]) => ns);
    const low = points.map(([, ns, width]) => (width === null ? null : ns - width));
    const high = points.map(([, ns, width]) => (width === null ? null : ns + width));
    const series: uPlot.Series[] = [
      {},
      { label: "least", stroke: "transparent", points: { show: false } },
      { label: "most", stroke: "transparent", points: { show: false } },
      { label: "offset", stroke: palette.select, width: 2 },
    ];
    const data: (number | null)[][] = [seconds, low, high, offset];
    if (curve.true) {
      series.push({ label: "true offset", stroke: palette.reversed, width: 1.5, dash: [6, 4] });
      data.push(interpolated(curve.true, points.map(([time]) => time)));
    }
    const axis = { stroke: palette.quiet, grid: { stroke: palette.line, width: 1 }, ticks: { stroke: palette.line, width: 1 }, font: "11px system-ui, sans-serif" };
    const plot = new uPlot(
      {
        width: Math.max(240, element.clientWidth),
        height: 168,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false } },
        series,
        bands: [{ series: [2, 1], fill: `${palette.select}33` }],
        axes: [
          { ...axis, values: (_, ticks) => ticks.map((tick) => duration(tick * 1e9)) },
          { ...axis, size: 78, values: (_, ticks) => ticks.map((tick) => duration(tick)) },
        ],
      },
      data as uPlot.AlignedData,
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(240, element.clientWidth), height: 168 }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [curve, theme]);
  return (
    <figure class="curve">
      <figcaption>
        Offset of {curve.name} over the run, with its uncertainty{curve.true ? "; dashed: the true offset" : ""}
      </figcaption>
      <div ref={frame} role="img" aria-label={`Curve of the offset of ${curve.name}; the table beside it has its ends`} />
    </figure>
  );
}

/** Values of a curve at other times, by straight lines. */
export function interpolated(curve: readonly (readonly [number, number])[], times: readonly number[]): (number | null)[] {
  let i = 0;
  return times.map((time) => {
    while (i + 2 < curve.length && curve[i + 1][0] < time) i++;
    const a = curve[i];
    const b = curve[i + 1] ?? a;
    if (!a) return null;
    return b[0] === a[0] ? a[1] : a[1] + ((time - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
  });
}

const MOST_LISTED = 30;

/** By each clock, how many messages arrive before they were sent; those of the clock shown as a list. */
function Reversed() {
  const { app, view } = usePage();
  const { run } = app;
  const clock = app.clockOf(view.run);
  const list = useAnswer((signal) => app.ask.findings(view.run, MOST_LISTED, 0, `reversed_${clock}`, signal), [view.run, clock], 0);
  useEffect(() => {
    if (list.value) app.remember(view.run, list.value.findings);
  }, [list.value]);
  return (
    <div class="reversed-list">
      <table>
        <caption>Messages that arrive before they were sent</caption>
        <tbody>
          {app.clocks
            .filter((name) => run.clocks.includes(name))
            .map((name) => {
              const n = run.reversed[name] ?? 0;
              return (
                <tr class={name === clock ? "chosen" : ""}>
                  <th scope="row">
                    <button class="link" onClick={() => app.setClock(name)}>
                      {name}
                    </button>
                  </th>
                  <td class={`number${n > 0 ? " violation" : ""}`}>{count(n)}</td>
                  <td class="number quiet">{run.messages > 0 ? percent(n / run.messages) : ""}</td>
                </tr>
              );
            })}
        </tbody>
      </table>
      {list.value && list.value.findings.length > 0 && (
        <>
          <h3>The earliest of them, by {clock} time</h3>
          <ul class="others">
            {list.value.findings.map((finding) => (
              <li>
                <button class="link violation" aria-current={view.finding === finding.id} onClick={() => void app.followFinding(view.run, finding.id)}>
                  {finding.text}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
