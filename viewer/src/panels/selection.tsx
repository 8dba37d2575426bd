// What is selected: what it is, how long, how sure its times are, where in the source, and
// its other ends.

import type { Detail } from "../marked";
import { usePage } from "../context";
import { Facts } from "./facts";
import { duration, instant, plural } from "../format";
import { regionColour } from "../colours";
import { collectiveOf } from "../overlay";
import { CLASS, regionOf, type Call } from "../protocol";
import { capital } from "../say";
import { exactly } from "../shifts";
import { between, plusMinus } from "../uncertain";
import { useAnswer, useValue } from "../value";

export function Selection() {
  const { app, view } = usePage();
  const detail = useValue(app.detail);
  const error = useValue(app.selectionError);
  if (!view.selected) return null;
  return (
    <section class="selection" aria-labelledby="selection-title">
      <div class="selection-head">
        <h2 id="selection-title">Selection</h2>
        <button onClick={() => void app.frame()} title="Fill the window with it (F)">
          Zoom to it
        </button>
        <button onClick={() => app.select(null, { finding: null })} title="Deselect (Esc)" aria-label="Deselect">
          ✕
        </button>
      </div>
      {error && <p class="error">The selection cannot be shown. {error}</p>}
      {!detail && !error && <p class="empty">Its details are on their way …</p>}
      {detail && <SelectionBody detail={detail} />}
    </section>
  );
}

function SelectionBody({ detail }: { detail: Detail }) {
  if (detail.members) return <CollectiveDetails detail={detail} />;
  if (detail.receive && detail.call) return <MessageDetails detail={detail} send={detail.call} receive={detail.receive} />;
  return detail.call ? <CallDetails detail={detail} call={detail.call} /> : null;
}

function CallDetails({ detail, call }: { detail: Detail; call: Call }) {
  const { app } = usePage();
  const ns = app.shiftOf(detail.selected.run, call.row);
  const shift: [string, string][] = ns ? [["Row shifted by hand", exactly(ns)]] : [];
  const length = call.end - call.begin;
  const when = (time: number) => plusMinus(at(time, length), call.uncertainty);
  const ends: [string, string][] = call.facts.some(([what]) => what === "End") ? [] : [["Ends at", when(call.end)]];
  return (
    <>
      <CallTitle detail={detail} call={call} />
      <Facts facts={[["Duration", duration(length)], ["Begins at", when(call.begin)], ...ends, ...shift, ...call.facts]} />
      <Others detail={detail} call={call} />
      <Operation detail={detail} call={call} />
      <FindingsOf detail={detail} call={call} />
      <Stack detail={detail} call={call} />
      <Source call={call} />
    </>
  );
}

function CallTitle({ detail, call }: { detail: Detail; call: Call }) {
  const { app, stage } = usePage();
  useValue(stage.theme);
  const run = app.meta.runs[detail.selected.run];
  const region = regionOf(run, call.region);
  return (
    <p class="selection-name">
      <span class="swatch" style={{ backgroundColor: regionColour(region.name, region.class, stage.palette) }} />
      <strong>{region.name}</strong> on {app.trees[detail.selected.run].fullName(call.row)}
    </p>
  );
}

const at = (time: number, length: number) => instant(time, Math.max(1, length / 100));

function Others({ detail, call }: { detail: Detail; call: Call }) {
  const { app } = usePage();
  const { run } = detail.selected;
  if (call.others.length === 0) return null;
  const shown = call.others.slice(0, 8);
  return (
    <>
      <h3>Other end</h3>
      <ul class="others">
        {shown.map(({ role, row, event, begin, end }) => (
          <li>
            <button class="link" onClick={() => app.goTo(run, row, event, begin, end)}>
              {capital(role)} {app.trees[run].fullName(row)}
            </button>
            <span class="quiet">{relative(begin - call.begin)}</span>
          </li>
        ))}
        {call.others.length > shown.length && <li class="quiet">and {plural(call.others.length - shown.length, "other")}</li>}
      </ul>
    </>
  );
}

/** Leads from a call to the collective operation that it is a part of. */
function Operation({ detail, call }: { detail: Detail; call: Call }) {
  const { app, stage } = usePage();
  useValue(stage.drawn);
  const { run } = detail.selected;
  if (regionOf(app.meta.runs[run], call.region).class !== CLASS.collective || !stage.scene) return null;
  const number = collectiveOf(stage.scene, run, call);
  if (number === undefined) return null;
  return (
    <p class="operation">
      <button onClick={() => app.select({ what: "collective", run, number })}>Show all members of this operation</button>
    </p>
  );
}

/** "1.2 ms later": when the other end begins, seen from the selection. */
function relative(ns: number): string {
  return ns === 0 ? "at the same time" : `begins ${duration(Math.abs(ns))} ${ns > 0 ? "later" : "earlier"}`;
}

function FindingsOf({ detail, call }: { detail: Detail; call: Call }) {
  const { app } = usePage();
  const { run } = detail.selected;
  const ids = call.findings.slice(0, 5);
  const found = useAnswer(() => Promise.all(ids.map((id) => app.findingById(run, id))), [run, ids.join()], 0);
  if (ids.length === 0) return null;
  return (
    <>
      <h3>Findings here</h3>
      <ul class="others">
        {found.value?.map(
          (finding) =>
            finding && (
              <li>
                <button class="link" onClick={() => void app.followFinding(run, finding.id)}>
                  {finding.label}: {finding.text}
                </button>
              </li>
            ),
        )}
        {call.findings.length > ids.length && <li class="quiet">and {call.findings.length - ids.length} more</li>}
      </ul>
    </>
  );
}

function Stack({ detail, call }: { detail: Detail; call: Call }) {
  const { app } = usePage();
  const run = app.meta.runs[detail.selected.run];
  if (call.stack.length < 2) return null;
  return (
    <>
      <h3>Called by</h3>
      <p class="stack">{call.stack.map((region) => regionOf(run, region).name).join(" ▸ ")}</p>
    </>
  );
}

function Source({ call }: { call: Call }) {
  const { source } = call;
  if (call.partial) return <p class="empty">This report holds the time of the call alone. mpiscope view tells what was sent, to whom, and where the call stands in the source.</p>;
  if (!source) return <p class="empty">The source line of this call is not known.</p>;
  return (
    <>
      <h3 class="source-title">
        {source.file}:{source.line}
      </h3>
      {source.text.length === 0 ? (
        <p class="empty">The text of this file cannot be read here.</p>
      ) : (
        <pre class="source" tabIndex={0} aria-label={`Source, line ${source.line}`}>
          {source.text.map(([line, text]) => (
            <div class={line === source.line ? "here" : ""}>
              <span class="line">{line}</span>
              {text}
            </div>
          ))}
        </pre>
      )}
    </>
  );
}

function MessageDetails({ detail, send, receive }: { detail: Detail; send: Call; receive: Call }) {
  const { app } = usePage();
  const { run } = detail.selected;
  const tree = app.trees[run];
  const end = (role: string, call: Call) => (
    <li>
      <button class="link" onClick={() => app.goTo(run, call.row, call.event, call.begin, call.end)}>
        {role} {tree.fullName(call.row)} in {regionOf(tree.run, call.region).name}
      </button>
    </li>
  );
  const travel = receive.end - send.begin;
  const clocks = useAnswer((signal) => app.ask.clocks(run, signal), [run], 0);
  const error = clocks.value && between(send, receive, clocks.value);
  const when = (time: number, call: Call) => plusMinus(at(time, Math.abs(travel)), call.uncertainty);
  return (
    <>
      <p class="selection-name">
        <strong>Message</strong> from {tree.fullName(send.row)} to {tree.fullName(receive.row)}
      </p>
      {travel < 0 && <p class="violation">It arrives {duration(-travel)} before it was sent: these clocks disagree.</p>}
      <Facts facts={[["From send to receive", plusMinus(duration(travel), error)], ["Sent at", when(send.begin, send)], ["Received at", when(receive.end, receive)], ...send.facts]} />
      <h3>Ends</h3>
      <ul class="others">
        {end("Sent by", send)}
        {end("Received by", receive)}
      </ul>
      <Source call={receive} />
    </>
  );
}

function CollectiveDetails({ detail }: { detail: Detail }) {
  const { app } = usePage();
  const { run } = detail.selected;
  const members = detail.members!;
  const tree = app.trees[run];
  const order = members.rows.map((_, i) => i).sort((a, b) => members.enter[b] - members.enter[a]);
  const last = order[0];
  const name = members.call ? regionOf(tree.run, members.call.region).name : "Collective operation";
  return (
    <>
      <p class="selection-name">
        <strong>{name}</strong> of {plural(members.rows.length, "member")}
      </p>
      <Facts
        facts={[
          ["From first enter to last leave", duration(detail.window[1] - detail.window[0])],
          ["Enters spread over", duration(members.enter[last] - detail.window[0])],
          ...(members.call?.facts ?? []),
        ]}
      />
      <h3>Members, the last to enter first</h3>
      <ul class="others">
        {order.slice(0, 12).map((i) => (
          <li>
            <button class="link" onClick={() => void app.selectAt(run, members.rows[i], members.enter[i], null)}>
              {tree.fullName(members.rows[i])}
            </button>
            <span class="quiet">
              {i === last ? "enters last" : `enters ${duration(members.enter[last] - members.enter[i])} earlier`}, stays {duration(members.leave[i] - members.enter[i])}
            </span>
          </li>
        ))}
        {order.length > 12 && <li class="quiet">and {plural(order.length - 12, "other")}</li>}
      </ul>
      {members.call && <Source call={members.call} />}
    </>
  );
}
