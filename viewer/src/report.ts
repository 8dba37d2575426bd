// A report answers from the file that the page itself is in. It holds what the page begins
// with and tiles as far as there was room; a coarser tile that has all calls answers for the
// finer ones below it. What it does not hold it says, and the page shows less.

import { BINS, BLOCK, type Call, type Finding, type Findings, type Found, type Meta, type Summary } from "./protocol";
import { decode, type Spans } from "./tiles";
import { SourceError, type Source } from "./source";

/** A report does not hold this detail; mpiscope view would tell. */
export class NotHeld extends SourceError {
  constructor(what: string) {
    super(404, `This report does not hold ${what}; mpiscope view shows it.`);
  }
}

type Kept<T> = Record<string, T>;

export class Report implements Source {
  private readonly opened = new Map<string, Promise<ArrayBuffer>>();
  private readonly calls = new Map<string, Promise<Spans | null>>();

  constructor(private readonly answers: Record<string, string>) {}

  /** Returns the report that a document holds, if it is one. */
  static of(page: Document): Report | null {
    const text = page.getElementById("answers")?.textContent;
    return text ? new Report(JSON.parse(text) as Record<string, string>) : null;
  }

  async bytes(path: string): Promise<ArrayBuffer> {
    const [, run, clock, kind, level, index, block] = path.split("/");
    const place = (above: number) => [`run/${run}/${clock}/${kind}/${+level + above}/${Math.floor(+index / 4 ** above)}`, ...(block === undefined ? [] : [block])].join("/");
    if (path in this.answers) return this.held(path);
    // Calls and messages lie at the same times in coarser tiles; shares do not.
    for (let above = 1; kind !== "shares" && +level + above < 32; above++) {
      if (place(above) in this.answers) return this.held(place(above));
    }
    throw new NotHeld("this detail");
  }

  async json<T>(path: string): Promise<T> {
    return (await this.answer(path)) as T;
  }

  private async answer(path: string): Promise<unknown> {
    const [name, query = ""] = path.split("?");
    const asked = new URLSearchParams(query);
    const parts = name.split("/");
    const run = `run/${parts[1]}`;
    const clocked = `${run}/${parts[2]}`;
    switch (parts[0] === "run" ? (parts[3] ?? parts[2]) : name) {
      case "findings":
        return listed(await this.kept<Findings>(`${run}/findings`), asked);
      case "summary":
        return this.summary(`${clocked}/summary`, +parts[1], parts[2], asked);
      case "times":
        return this.times(await this.kept<Kept<[number, number]>>(`${clocked}/times`), clocked, asked);
      case "event":
        return this.event(clocked, +parts[4], +parts[5]);
      case "at":
        return this.at(clocked, asked);
      case "search":
        return this.search(clocked, +parts[1], asked);
      default:
        return this.kept(name);
    }
  }

  private async kept<T>(name: string): Promise<T> {
    if (!(name in this.answers)) throw new NotHeld("that");
    return JSON.parse(new TextDecoder().decode(await this.held(name))) as T;
  }

  private held(name: string): Promise<ArrayBuffer> {
    const known = this.opened.get(name);
    if (known) return known;
    const bytes = opened(this.answers[name]);
    this.opened.set(name, bytes);
    return bytes;
  }

  /** A report has numbers of the whole run alone. */
  private async summary(name: string, run: number, clock: string, asked: URLSearchParams): Promise<Summary> {
    const { runs } = await this.kept<Meta>("meta");
    const length = runs[run].spans[clock as keyof (typeof runs)[number]["spans"]]?.length ?? 0;
    const whole = +(asked.get("from") ?? 0) <= 0 && +(asked.get("to") ?? length) >= length && !asked.has("rows");
    const summary = await this.kept<Summary>(name);
    if (whole) return summary;
    return { ...summary, complete: false, whole: true, note: "A report holds numbers of the whole run alone." };
  }

  private async times(known: Kept<[number, number]>, clocked: string, asked: URLSearchParams): Promise<[number, number][]> {
    const events = (asked.get("events") ?? "").split(",").filter((it) => it !== "");
    return Promise.all(
      events.map(async (name) => {
        if (name in known) return known[name];
        const [row, event] = name.split(":").map(Number);
        const { begin, end } = await this.event(clocked, row, event);
        return [begin, end] as [number, number];
      }),
    );
  }

  /** A call, by any of its events. */
  private async event(clocked: string, row: number, event: number): Promise<Call> {
    const name = `${row}:${event}`;
    const described = (await this.kept<Kept<Call>>(`${clocked}/events`))[name];
    if (described) return described;
    // Events within a call are told by their time: theirs is the innermost call around it.
    const time = (await this.kept<Kept<[number, number]>>(`${clocked}/times`))[name]?.[0];
    let found: { spans: Spans; i: number } | null = null;
    for await (const spans of this.callsOf(clocked, row)) {
      for (let i = 0; i < spans.n; i++) {
        if (spans.row[i] !== row || spans.event[i] > event) continue;
        const around = time !== undefined && spans.begin[i] <= time && time <= spans.end[i];
        if (spans.event[i] !== event && !around) continue;
        if (found === null || spans.event[i] > found.spans.event[found.i]) found = { spans, i };
      }
    }
    if (!found) throw new NotHeld("this call");
    return callOf(found.spans, found.i);
  }

  private async at(clocked: string, asked: URLSearchParams): Promise<Call> {
    const row = Number(asked.get("row"));
    const time = Number(asked.get("time"));
    const depth = asked.get("depth");
    let deepest: { spans: Spans; i: number } | null = null;
    let covered = false;
    for await (const { spans, from, to } of this.tilesOf(clocked, row)) {
      covered ||= from <= time && time < to;
      for (let i = 0; i < spans.n; i++) {
        if (spans.row[i] !== row || spans.begin[i] > time || spans.end[i] < time) continue;
        if (depth !== null && spans.depth[i] > +depth) continue;
        if (deepest === null || spans.depth[i] >= deepest.spans.depth[deepest.i]) deepest = { spans, i };
      }
    }
    if (!deepest && covered) throw new SourceError(404, "There is no call there.");
    if (!deepest) throw new NotHeld("the calls there");
    return this.event(clocked, row, deepest.spans.event[deepest.i]);
  }

  private async search(clocked: string, run: number, asked: URLSearchParams): Promise<Found> {
    if (asked.has("tag") || asked.has("communicator")) throw new NotHeld("tags and communicators to search for");
    const { regions, rows } = (await this.kept<Meta>("meta")).runs[run];
    const text = (asked.get("text") ?? "").toLowerCase();
    if (/ at \S/.test(text)) throw new NotHeld("the call sites to search for");
    const wanted = regions.map((it) => it.name.toLowerCase().includes(text) && (!asked.has("class") || it.class === Number(asked.get("class"))));
    const only = asked.get("row");
    const next = asked.get("direction") !== "previous";
    const from = Number(asked.get("from") ?? (next ? 0 : Infinity));
    let found: Found["found"] = null;
    for (let block = 0; block * BLOCK < rows.length; block++) {
      for await (const spans of this.callsOf(clocked, block * BLOCK)) {
        for (let i = 0; i < spans.n; i++) {
          const begin = spans.begin[i];
          if (!wanted[spans.region[i]] || (only !== null && spans.row[i] !== +only)) continue;
          if (next ? begin <= from && asked.has("from") : begin >= from) continue;
          if (found && (next ? begin >= found.begin : begin <= found.begin)) continue;
          found = { row: spans.row[i], event: spans.event[i], begin, end: spans.end[i] };
        }
      }
    }
    return { total: null, found };
  }

  private async *callsOf(clocked: string, row: number): AsyncGenerator<Spans> {
    for await (const { spans } of this.tilesOf(clocked, row)) yield spans;
  }

  /** The held tiles of calls of a row's block, and their windows. */
  private async *tilesOf(clocked: string, row: number): AsyncGenerator<{ spans: Spans; from: number; to: number }> {
    const { levels } = (await this.kept<Meta>("meta")).runs[Number(clocked.split("/")[1])];
    const block = `/${Math.floor(row / BLOCK)}`;
    for (const name of Object.keys(this.answers)) {
      if (!name.startsWith(`${clocked}/spans/`) || !name.endsWith(block)) continue;
      let spans = this.calls.get(name);
      if (!spans) {
        spans = this.held(name).then((bytes) => {
          const tile = decode(bytes);
          return tile.kind === "spans" ? tile : null;
        });
        this.calls.set(name, spans);
      }
      const tile = await spans;
      const [level, index] = name.split("/").slice(4).map(Number);
      const width = BINS * levels[level].bin;
      if (tile) yield { spans: tile, from: index * width, to: (index + 1) * width };
    }
  }
}

async function opened(answer: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(answer), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

function listed(all: Findings, asked: URLSearchParams): Findings {
  const kind = asked.get("kind");
  const suiting: Finding[] = kind ? all.findings.filter((it) => it.kind === kind) : all.findings;
  const offset = Number(asked.get("offset") ?? 0);
  return { ...all, total: suiting.length, findings: suiting.slice(offset, offset + Number(asked.get("limit") ?? 100)) };
}

/** A call of which the report holds no more than where it is. */
function callOf(spans: Spans, i: number): Call {
  const outer = [...spans.region.keys()].filter((j) => spans.row[j] === spans.row[i] && spans.depth[j] <= spans.depth[i] && spans.begin[j] <= spans.begin[i] && spans.end[j] >= spans.end[i]);
  outer.sort((a, b) => spans.depth[a] - spans.depth[b]);
  return {
    row: spans.row[i],
    event: spans.event[i],
    region: spans.region[i],
    begin: spans.begin[i],
    end: spans.end[i],
    uncertainty: null,
    depth: spans.depth[i],
    facts: [],
    partial: true,
    stack: outer.map((j) => spans.region[j]),
    source: null,
    others: [],
    findings: [],
  };
}
