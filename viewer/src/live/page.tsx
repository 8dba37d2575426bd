// A job while it runs: where its ranks are, where the time goes, and what that was a moment ago.
// It asks once a second; when the job has ended, its statistics stay.

import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, count, duration, percent, plural } from "../format";
import { SourceError, type Source } from "../source";
import { switchTheme } from "../theme";
import { changes } from "./changes";
import type { Look } from "./protocol";
import { Ranks } from "./ranks";
import { Spark } from "./spark";
import { Statements } from "./statements";
import { Notes } from "../panels/notes";

const INTERVAL_MS = 1000;

/** Looks at the job again and again, until it has ended, is paused, or nobody sees the page. */
function useLooks(source: Source, rank: number | null, paused: boolean) {
  const [look, setLook] = useState<Look | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [told, setTold] = useState<string[]>([]);
  const last = useRef<Look | null>(null);
  useEffect(() => {
    let timer = 0;
    const controller = new AbortController();
    const ask = async () => {
      try {
        const next = await source.json<Look>(`live${rank === null ? "" : `?rank=${rank}`}`, controller.signal);
        const news = changes(last.current, next);
        if (news.length > 0) setTold(news);
        last.current = next;
        setLook(next);
        setError(null);
        if (next.phase === "ended" || next.phase === "died") return;
      } catch (problem) {
        if (controller.signal.aborted) return;
        setError(problem instanceof Error ? problem.message : String(problem));
        if (problem instanceof SourceError && problem.status === 401) return;
      }
      timer = setTimeout(again, INTERVAL_MS) as unknown as number;
    };
    const again = () => (document.hidden ? (timer = setTimeout(again, INTERVAL_MS) as unknown as number) : void ask());
    if (!paused || last.current === null || last.current.rank?.rank !== (rank ?? undefined)) {
      if (paused) void ask().then(() => clearTimeout(timer));
      else void ask();
    }
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [rank, paused]);
  return { look, error, told };
}

export function LivePage({ source, root }: { source: Source; root: HTMLElement }) {
  const [rank, setRank] = useState<number | null>(null);
  const [paused, setPaused] = useState(false);
  const { look, error, told } = useLooks(source, rank, paused);
  useEffect(() => {
    root.dataset.ready = look ? "true" : error ? "error" : "";
    root.dataset.phase = look?.phase ?? "";
    root.dataset.looks = String(Number(root.dataset.looks ?? 0) + (look ? 1 : 0));
    if (look) document.title = `${look.name}: ${PHASES[look.phase]} – mpiscope`;
  }, [look, error]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).matches("input, select, textarea")) return;
      if (event.key === "p") setPaused((now) => !now);
      else if (event.key === "Escape") setRank(null);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  if (!look) {
    return (
      <main class="problem" aria-busy={!error}>
        <h1>{error ? "The job cannot be shown" : "Looking at the job …"}</h1>
        <p>{error ?? "The page asks mpiscope view what the ranks do."}</p>
      </main>
    );
  }
  const over = look.phase === "ended" || look.phase === "died";
  return (
    <div class="live">
      <Head look={look} paused={paused} over={over} pause={() => setPaused(!paused)} />
      {error && (
        <div class="error-bar" role="alert">
          <strong>The page gets no answers.</strong> {error} It shows what it saw last.
        </div>
      )}
      {look.trouble && (
        <div class="error-bar" role="alert">
          <strong>The last look failed.</strong> {look.trouble}
        </div>
      )}
      <main>
        <Cycle look={look} />
        {over && (
          <p class="ended" role="status">
            <strong>The job has ended: {look.view.state}.</strong> It was observed for {duration(look.view.duration_ns)}; what it counted stays below.
          </p>
        )}
        <Figures look={look} over={over} />
        {!over && (
          <p class="quiet changed" role="status">
            {told.length > 0 ? `Last change: ${told.join("; ")}.` : "Nothing has begun or ended since the page looks."}
          </p>
        )}
        <div class="live-tables">
          <Ranks look={look} over={over} chosen={rank} choose={setRank} />
          <Statements look={look} over={over} all={() => setRank(null)} />
        </div>
        <Written source={source} name={look.name} over={over} />
        <Notes notes={look.view.notes} />
      </main>
    </div>
  );
}

const PHASES: Record<Look["phase"], string> = { running: "runs", ended: "has ended", died: "has died", silent: "tells nothing" };

function Head({ look, paused, over, pause }: { look: Look; paused: boolean; over: boolean; pause(): void }) {
  const { view, hosts } = look;
  const heard = look.heard_ns === null ? null : Math.max(0, view.at_ns - look.heard_ns);
  const started = look.started_ns === null ? null : new Date(look.started_ns / 1e6);
  return (
    <header class="header live-head">
      <h1 class="run-name">
        <img src="./icon.svg" alt="" width="18" height="18" />
        <span title={[look.command, look.mpi].filter(Boolean).join("\n")}>{look.name}</span>
      </h1>
      <span class={`phase phase-${look.phase}`}>{paused && !over ? "paused" : PHASES[look.phase]}</span>
      <p class="live-facts">
        {(look.program || look.command) && <code>{look.program || look.command}</code>} {plural(look.world, "rank")} on {hosts.length === 1 ? hosts[0] : plural(hosts.length, "host")}
        {started && (
          <>
            , since <time dateTime={started.toISOString()}>{started.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" })}</time>
          </>
        )}
        , observed for {duration(view.duration_ns)}
        {!over && heard !== null && <span class="quiet"> (last heard {heard < 2e9 ? "just now" : `${duration(heard)} ago`})</span>}
      </p>
      <div class="tools">
        {!over && (
          <button title="Stop looking, or go on (P)" aria-pressed={paused} onClick={pause}>
            {paused ? "Go on" : "Pause"}
          </button>
        )}
        <button title="Light or dark" aria-label="Switch between light and dark" onClick={switchTheme}>
          ◐
        </button>
      </div>
    </header>
  );
}

/** Ranks that wait for each other, each for the next. */
function Cycle({ look: { view } }: { look: Look }) {
  const step = (rank: number) => {
    const call = view.ranks.find((it) => it.rank === rank)?.threads[0];
    return `rank ${rank}${call ? ` (${call.name}${call.place ? ` at ${call.place}` : ""})` : ""}`;
  };
  if (view.cycle.length === 0) return null;
  return (
    <p class="cycle" role="alert">
      <strong>These ranks wait for each other:</strong> {view.cycle.slice(0, 8).map(step).join(" → ")}
      {view.cycle.length > 8 ? " → …" : ""} → rank {view.cycle[0]}
    </p>
  );
}

/** What is to be said of all ranks, now and over the last minutes. */
function Figures({ look, over }: { look: Look; over: boolean }) {
  const { view, course } = look;
  const last = course.at(-1);
  const waits = view.ranks.filter((it) => it.waiting_ns !== null);
  const waiting = waits.reduce((sum, it) => sum + it.waiting_ns!, 0) / Math.max(1, view.ranks.reduce((sum, it) => sum + it.time_ns, 0));
  const now = (value: number | null | undefined, all: string) => (over || value === null || value === undefined ? all : percent(value));
  const figures: [string, string, string, (number | null)[], number?][] = [
    ["In MPI", now(last?.mpi, percent(view.mpi_share)), over ? "of the time" : `now; ${percent(view.mpi_share)} in all`, course.map(({ mpi }) => mpi), 1],
    ["Waiting", waits.length === 0 ? "not known" : now(last?.waiting, percent(waiting)), waits.length === 0 ? "not told apart from transfer" : over ? "of the time" : `now; ${percent(waiting)} in all`, course.map(({ waiting }) => waiting), 1],
    ["Calls of MPI", over ? count(view.ranks.reduce((sum, it) => sum + it.calls, 0)) : `${count(view.calls_per_second)}/s`, over ? "in all" : `${count(view.ranks.reduce((sum, it) => sum + it.calls, 0))} in all`, course.map((it) => it.calls_per_second)],
    ["Messages", over ? bytes(view.ranks.reduce((sum, it) => sum + it.bytes, 0)) : `${bytes(view.bytes_per_second)}/s`, "sent or received", course.map((it) => it.bytes_per_second)],
    ["Imbalance", percent(view.imbalance), "of the time outside of MPI, that a balance would save", []],
  ];
  return (
    <dl class="figures">
      {figures.map(([what, value, more, values, most]) => (
        <div>
          <dt>{what}</dt>
          <dd>
            <strong>{value}</strong> <span class="quiet">{more}</span>
            {values.length > 1 && <Spark values={values} most={most} label={`${what} over the last ${duration(course.at(-1)!.at_ns - course[0].at_ns)}`} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The report of `mpiscope stats`: of an ended job at once, of others on request. */
function Written({ source, name, over }: { source: Source; name: string; over: boolean }) {
  const [open, setOpen] = useState(over);
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (over) setOpen(true);
  }, [over]);
  useEffect(() => {
    if (!open) return;
    source.json<{ text: string }>("live/statistics").then(
      (answer) => setText(answer.text),
      (error: unknown) => setText(error instanceof Error ? error.message : String(error)),
    );
  }, [open, over]);
  return (
    <details class="written" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Statistics by source line{over ? "" : " so far"}, as <code>mpiscope stats {name}</code> tells them
      </summary>
      {open && <pre tabIndex={0}>{text ?? "The statistics are on their way …"}</pre>}
    </details>
  );
}
