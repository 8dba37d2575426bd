// A run that never was, and a source that answers for it: ranks compute, exchange halos with
// their neighbours and reduce; the last rank of each host computes longer, so others wait. By
// the measured clock odd hosts are late, so that some messages arrive before they were sent.

import { BINS, BLOCK, CLASS, NO_REGION, NONE, SHARES, WAITING, type Call, type Clock, type Finding, type Meta, type Row, type Run, type Summary } from "../src/protocol";
import { SourceError, type Source } from "../src/source";

export interface SyntheticCall {
  row: number;
  region: number;
  begin: number;
  end: number;
  depth: number;
  event: number;
  waiting: number;
  others: { role: string; call: SyntheticCall }[];
}

interface SyntheticMessage {
  send: SyntheticCall;
  receive: SyntheticCall;
  bytes: number;
  tag: number;
}

const REGIONS = [
  { name: "main", class: CLASS.computation, file: "halo.c", line: 10 },
  { name: "relax", class: CLASS.computation, file: "halo.c", line: 31 },
  { name: "MPI_Send", class: CLASS.pointToPoint, file: "halo.c", line: 44 },
  { name: "MPI_Recv", class: CLASS.pointToPoint, file: "halo.c", line: 45 },
  { name: "MPI_Allreduce", class: CLASS.collective, file: "halo.c", line: 52 },
  { name: "MPI_Init", class: CLASS.management, file: "halo.c", line: 12 },
  { name: "write <results>", class: CLASS.computation, file: "halo.c", line: 60 },
  { name: "MPI_File_write", class: CLASS.io, file: "halo.c", line: 61 },
];
const LABELS = ["Computation", "Point-to-point", "Collective operations", "One-sided", "I/O", "Other MPI", "Threads", "Not recorded", "Not running"];
const NAMES = ["computation", "point_to_point", "collective", "one_sided", "io", "management", "parallel", "unrecorded", "nothing"];
const MS = 1e6;
/** A sentence that is no loss. */
const PLAIN = { why: null, next: null, places: [] };

export interface Size {
  hosts: number;
  perHost: number;
  iterations: number;
}

export class Synthetic implements Source {
  readonly calls: SyntheticCall[] = [];
  readonly messages: SyntheticMessage[] = [];
  readonly collectives: SyntheticCall[][] = [];
  readonly run: Run;
  readonly asked: string[] = [];

  constructor(size: Size = { hosts: 2, perHost: 4, iterations: 12 }) {
    const rows: Row[] = [];
    const rowOf: number[] = [];
    for (let host = 0; host < size.hosts; host++) {
      const parent = rows.push(row("host", `node${host}`, null, null)) - 1;
      for (let i = 0; i < size.perHost; i++) rowOf.push(rows.push(row("process", `rank ${rowOf.length}`, parent, rowOf.length)) - 1);
    }
    const length = this.simulate(rowOf, size);
    for (const call of this.calls) {
      rows[call.row].events += 2;
      rows[call.row].depth = Math.max(rows[call.row].depth, call.depth + 1);
      rows[call.row].waiting += call.waiting;
    }
    this.run = {
      name: "halo.mpiscope",
      about: [["Program", `./halo ${size.iterations}`], ["Hosts", String(size.hosts)], ["Processes", String(rowOf.length)]],
      clocks: ["measured", "corrected"],
      clock: "corrected",
      spans: { measured: { start: "1700000000000000000", length }, corrected: { start: "1700000000000000000", length } },
      rows,
      classes: NAMES.map((name, i) => ({ name, label: LABELS[i] })),
      regions: REGIONS,
      communicators: [{ name: "MPI_COMM_WORLD", size: rowOf.length }],
      levels: levels(length),
      events: 2 * this.calls.length,
      messages: this.messages.length,
      reversed: { measured: 0, corrected: 0 },
      iterations: { count: 0, reason: "nobody looked for them" },
      notes: ["rank 1 ended early: it was killed by signal 9."],
      analysis: [
        { name: "efficiency", title: "Efficiencies", lines: ["parallel efficiency: 69 % = load balance 80 % × communication 86.3 %"], table: null, more: null },
        { name: "whatif", title: "What mending would gain", lines: [], table: { header: ["what if, each by itself", "predicted"], rows: [["all computation is balanced", "1 s"]] }, more: "… and 3 more: `mpiscope whatif --top 4`" },
      ],
      verdict: [
        { role: "headline", text: "31 % of the ranks' time between MPI_Init and MPI_Finalize is waiting, 2 % is in MPI otherwise", ...PLAIN, finding: null },
        { role: "loss", text: "Uneven computation: the last rank of each host computes longest and makes the others wait in MPI_Allreduce", ...PLAIN, why: "Sure: 100 % of all waiting is charged to what caused it", next: "Next: trace with `--sample 1ms`; give less to do there, or the others more", finding: 0 },
        { role: "fact", text: "MPI takes 31 % of the time of all ranks; most of it is waiting", ...PLAIN, finding: null },
      ],
    };
    this.run.reversed.measured = this.messages.filter((message) => this.reversed(message, "measured")).length;
  }

  meta(): Meta {
    return { version: "0.0.0", edition: 0, runs: [this.run] };
  }

  /** What a clock adds to the corrected time of a row. */
  shift(row: number, clock: Clock): number {
    const host = this.run.rows[row].parent ?? row;
    const odd = this.run.rows.filter(({ kind }, i) => kind === "host" && i < host).length % 2 === 1;
    return clock === "measured" && odd ? -1.5 * MS : 0;
  }

  private reversed({ send, receive }: SyntheticMessage, clock: Clock): boolean {
    return receive.end + this.shift(receive.row, clock) < send.begin + this.shift(send.row, clock);
  }

  private simulate(rowOf: number[], size: Size): number {
    const now = rowOf.map((_, rank) => rank * 0.02 * MS);
    const events = rowOf.map(() => 0);
    const open = (rank: number, region: number, depth: number): SyntheticCall => {
      const call = { row: rowOf[rank], region, begin: now[rank], end: NaN, depth, event: events[rank]++, waiting: 0, others: [] };
      this.calls.push(call);
      return call;
    };
    const close = (rank: number, call: SyntheticCall) => {
      call.end = now[rank];
      events[rank]++;
    };
    const all = rowOf.map((_, rank) => rank);
    const mains = all.map((rank) => open(rank, 0, 0));
    this.together(all, now, open, close, 5, 2 * MS);
    for (let iteration = 0; iteration < size.iterations; iteration++) {
      for (const rank of all) {
        const relax = open(rank, 1, 1);
        const slow = rank % size.perHost === size.perHost - 1 ? 1.6 : 1;
        now[rank] += MS * slow * (6 + 0.7 * Math.sin(3.1 * rank + iteration));
        close(rank, relax);
      }
      const sends = all.map((rank) => {
        const send = open(rank, 2, 1);
        now[rank] += 0.05 * MS;
        close(rank, send);
        return send;
      });
      for (const rank of all) {
        const from = (rank + all.length - 1) % all.length;
        const receive = open(rank, 3, 1);
        const arrival = sends[from].end + 0.1 * MS;
        receive.waiting = Math.max(0, arrival - now[rank]);
        now[rank] = Math.max(now[rank], arrival) + 0.05 * MS;
        close(rank, receive);
        receive.others.push({ role: "sent by", call: sends[from] });
        sends[from].others.push({ role: "received by", call: receive });
        this.messages.push({ send: sends[from], receive, bytes: 8 * 1024 * (1 + (rank % 3)), tag: iteration % 4 });
      }
      this.together(all, now, open, close, 4, 0.2 * MS);
    }
    const write = open(0, 6, 1);
    now[0] += 0.5 * MS;
    const io = open(0, 7, 2);
    now[0] += 2 * MS;
    close(0, io);
    close(0, write);
    for (const rank of all) close(rank, mains[rank]);
    return Math.ceil(Math.max(...now) + MS);
  }

  private together(all: number[], now: number[], open: (rank: number, region: number, depth: number) => SyntheticCall, close: (rank: number, call: SyntheticCall) => void, region: number, takes: number): void {
    const last = Math.max(...now);
    const members = all.map((rank) => {
      const call = open(rank, region, 1);
      call.waiting = last - now[rank];
      now[rank] = last + takes;
      close(rank, call);
      return call;
    });
    this.collectives.push(members);
  }

  // Answers

  async json<T>(path: string): Promise<T> {
    this.asked.push(path);
    return this.answer(path) as T;
  }

  async bytes(path: string): Promise<ArrayBuffer> {
    this.asked.push(path);
    const [, , clock, kind, level, index, block] = path.split("/");
    const from = Number(index) * BINS * this.run.levels[Number(level)].bin;
    const to = from + BINS * this.run.levels[Number(level)].bin;
    switch (kind) {
      case "shares":
        return this.shares(clock as Clock, from, to, Number(block));
      case "spans":
        return this.spans(clock as Clock, from, to, Number(block));
      case "messages":
        return this.messageTile(clock as Clock, from, to);
      case "collectives":
        return this.collectiveTile(clock as Clock, from, to);
    }
    throw new SourceError(404, `there is no ${path}`);
  }

  private answer(path: string): unknown {
    const url = new URL(path, "http://x/");
    const [first, , third, fourth, ...rest] = url.pathname.slice(1).split("/");
    const query = url.searchParams;
    if (first === "meta") return this.meta();
    if (third === "findings") return this.findings(query);
    if (third === "clocks") return this.clockCurves();
    const clock = third as Clock;
    switch (fourth) {
      case "summary":
        return this.summary(clock, Number(query.get("from")), Number(query.get("to")));
      case "times":
        return query.get("events")!.split(",").filter(Boolean).map((name) => {
          const [row, event] = name.split(":").map(Number);
          const call = this.find(row, event);
          return [call.begin + this.shift(row, clock), call.end + this.shift(row, clock)];
        });
      case "event":
        return this.details(this.find(Number(rest[0]), Number(rest[1])), clock);
      case "at": {
        const [row, time] = [Number(query.get("row")), Number(query.get("time")) - this.shift(Number(query.get("row")), clock)];
        const at = this.calls.filter((call) => call.row === row && call.begin <= time && time <= call.end).sort((a, b) => b.depth - a.depth);
        if (at.length === 0) throw new SourceError(404, "nothing is there");
        return this.details(at[0], clock);
      }
      case "members": {
        const members = this.collectives[Number(rest[0])];
        const shift = (call: SyntheticCall) => this.shift(call.row, clock);
        return { rows: members.map(({ row }) => row), enter: members.map((call) => call.begin + shift(call)), leave: members.map((call) => call.end + shift(call)) };
      }
      case "search":
        return this.search(clock, query);
    }
    throw new SourceError(404, `there is no ${path}`);
  }

  private find(row: number, event: number): SyntheticCall {
    const call = this.calls.find((call) => call.row === row && call.event === event);
    if (!call) throw new SourceError(404, `row ${row} has no call ${event}`);
    return call;
  }

  private details(call: SyntheticCall, clock: Clock): Call {
    const region = REGIONS[call.region];
    const shift = this.shift(call.row, clock);
    const line = region.line;
    return {
      row: call.row,
      event: call.event,
      region: call.region,
      begin: call.begin + shift,
      end: call.end + shift,
      uncertainty: clock === "corrected" ? 40_000 : null,
      depth: call.depth,
      facts: region.class === CLASS.pointToPoint ? [["Tag", "7"], ["Bytes", "8192"], ["Communicator", "MPI_COMM_WORLD"]] : [],
      stack: call.depth === 0 ? [call.region] : [0, call.region],
      source: { file: region.file, line, text: [-2, -1, 0, 1, 2].map((by) => [line + by, by === 0 ? `    ${region.name}(buffer, n, MPI_DOUBLE, next, tag, world);` : "    /* … */"]) },
      others: call.others.map(({ role, call: other }) => ({ role, row: other.row, event: other.event, begin: other.begin + this.shift(other.row, clock), end: other.end + this.shift(other.row, clock) })),
      findings: this.allFindings().filter(({ places }) => places.some(({ row, event }) => row === call.row && event === call.event)).map(({ id }) => id),
    };
  }

  private allFindings(): Finding[] {
    const waits = this.collectives.slice(1).map((members, id): Finding => {
      const last = members.reduce((a, b) => (a.begin > b.begin ? a : b));
      const first = members.reduce((a, b) => (a.begin < b.begin ? a : b));
      const name = (call: SyntheticCall) => this.run.rows[call.row].name;
      return {
        id,
        kind: "wait_at_nxn",
        label: "Wait at N×N",
        text: `${name(first)} waits ${(first.waiting / MS).toFixed(2)} ms for ${name(last)}`,
        weight: members.reduce((sum, { waiting }) => sum + waiting, 0),
        unit: "ns",
        places: [{ role: "waits", row: first.row, event: first.event, text: name(first) }, { role: "causes", row: last.row, event: last.event, text: name(last) }],
      };
    });
    const path = this.collectives.slice(1).map((members, i): Finding => {
      const last = members.reduce((a, b) => (a.begin > b.begin ? a : b));
      const first = this.calls.filter((call) => call.row === last.row && call.region === 1 && call.end <= last.begin).at(-1)!;
      const place = (role: string, call: SyntheticCall) => ({ role, row: call.row, event: call.event, text: REGIONS[call.region].name });
      const name = this.run.rows[last.row].name;
      return { id: waits.length + i, kind: "critical_path", label: "Critical path", text: `${name} is on the critical path`, weight: last.end - first.begin, unit: "ns", places: [place("step", first), place("step_end", last)] };
    });
    return [...waits, ...path].sort((a, b) => b.weight - a.weight);
  }

  private findings(query: URLSearchParams): unknown {
    const all = this.allFindings();
    const kind = query.get("kind");
    const kinds = ["wait_at_nxn", "critical_path"].map((kind) => {
      const of = all.filter((finding) => finding.kind === kind);
      return { kind, label: of[0]?.label ?? kind, unit: "ns", measure: "time", count: of.length, weight: of.reduce((sum, { weight }) => sum + weight, 0) };
    });
    const chosen = kind ? all.filter((finding) => finding.kind === kind) : all;
    const offset = Number(query.get("offset") ?? 0);
    return { total: chosen.length, kinds, findings: chosen.slice(offset, offset + Number(query.get("limit") ?? 100)) };
  }

  private search(clock: Clock, query: URLSearchParams): unknown {
    const text = (query.get("text") ?? "").toLowerCase();
    const row = query.get("row");
    const from = Number(query.get("from"));
    const next = query.get("direction") !== "previous";
    const matching = this.calls
      .filter((call) => REGIONS[call.region].name.toLowerCase().includes(text) && (row === null || call.row === Number(row)))
      .map((call) => ({ row: call.row, event: call.event, begin: call.begin + this.shift(call.row, clock), end: call.end + this.shift(call.row, clock) }))
      .sort((a, b) => a.begin - b.begin);
    const found = next ? matching.find(({ begin }) => begin > from) : matching.filter(({ begin }) => begin < from).at(-1);
    return { total: matching.length, found: found ?? null };
  }

  private clockCurves(): unknown {
    const { length } = this.run.spans.corrected!;
    const hosts = this.run.rows.flatMap(({ kind, name }, row) => (kind === "host" ? [{ row, name }] : []));
    return {
      clocks: hosts.map(({ row, name }) => ({
        name: `clock of ${name}`,
        rows: this.run.rows.flatMap(({ parent }, i) => (parent === row ? [i] : [])),
        measured_to_corrected: Array.from({ length: 60 }, (_, i) => {
          const time = (i * length) / 59;
          return [time, -this.shift(row + 1, "measured") + 40_000 * Math.sin(i / 9), 30_000 + 400 * Math.abs(i - 30)];
        }),
        true: null,
      })),
    };
  }

  private summary(clock: Clock, from: number, to: number): Summary {
    const leaves = this.run.rows.flatMap(({ kind }, row) => (kind === "process" ? [row] : []));
    const balance = leaves.map((row) => {
      const shares = this.shareOf(row, clock, from, to);
      return { row, classes: shares.slice(0, WAITING).map((share) => share * (to - from)), waiting: shares[WAITING] * (to - from) };
    });
    const inside = this.calls.filter((call) => call.end + this.shift(call.row, clock) > from && call.begin + this.shift(call.row, clock) < to);
    const time = (call: SyntheticCall) => Math.min(call.end, to) - Math.max(call.begin, from);
    const regions = REGIONS.map((_, region) => {
      const of = inside.filter((call) => call.region === region);
      const inclusive = of.reduce((sum, call) => sum + time(call), 0);
      return { region, site: null, calls: of.length, inclusive, exclusive: region === 0 ? inclusive * 0.1 : inclusive, waiting: of.reduce((sum, { waiting }) => sum + waiting, 0) };
    }).filter(({ calls }) => calls > 0);
    const matrix = leaves.map((sender) => leaves.map((receiver) => this.messages.filter(({ send, receive }) => send.row === sender && receive.row === receiver)));
    const main = regions.find(({ region }) => region === 0);
    // Each function is called from one line.
    const sites = regions.map((it) => ({ ...it, site: it.region === 0 ? null : it.region }));
    return {
      from,
      to,
      rows: leaves.length,
      classes: balance[0].classes.map((_, i) => balance.reduce((sum, { classes }) => sum + classes[i], 0)),
      waiting: balance.reduce((sum, { waiting }) => sum + waiting, 0),
      regions: regions.sort((a, b) => b.exclusive - a.exclusive),
      sites: sites.sort((a, b) => b.exclusive - a.exclusive),
      places: Object.fromEntries(sites.flatMap(({ site }) => (site === null ? [] : [[site, `/home/anna/solve.c:${10 * site}`]]))),
      balance,
      matrix: { rows: leaves, count: matrix.map((line) => line.map((cell) => cell.length)), bytes: matrix.map((line) => line.map((cell) => cell.reduce((sum, { bytes }) => sum + bytes, 0))) },
      sizes: [8192, 16384].map((size) => {
        const of = this.messages.filter(({ bytes }) => bytes >= size && bytes < 2 * size);
        return { from: size, to: 2 * size - 1, count: of.length, bytes: of.reduce((sum, { bytes }) => sum + bytes, 0) };
      }),
      tree: {
        region: null,
        site: null,
        calls: 0,
        time: main?.inclusive ?? 0,
        children: main ? [{ region: 0, site: null, calls: main.calls, time: main.inclusive, children: regions.filter(({ region }) => region !== 0).map(({ region, calls, inclusive }) => ({ region, site: region, calls, time: inclusive, children: [] })) }] : [],
      },
      complete: true,
    };
  }

  // Tiles

  private rowsOf(row: number): number[] {
    const below = this.run.rows.flatMap(({ parent }, i) => (parent === row ? [i] : []));
    return below.length === 0 ? [row] : below;
  }

  /** The shares of classes and of waiting of a row, or the mean of a host's rows. */
  shareOf(row: number, clock: Clock, from: number, to: number): number[] {
    const sums = new Array<number>(SHARES).fill(0);
    const rows = this.rowsOf(row);
    for (const of of rows) {
      const shift = this.shift(of, clock);
      const add = (cls: number, begin: number, end: number) => (sums[cls] += Math.max(0, Math.min(end, to) - Math.max(begin, from)));
      sums[CLASS.nothing] += to - from;
      for (const call of this.callsOf(of)) {
        const begin = call.begin + shift;
        const end = call.end + shift;
        if (end <= from || begin >= to) continue;
        const cls = REGIONS[call.region].class;
        const before = sums[cls];
        add(cls, begin, end);
        const added = sums[cls] - before;
        if (call.depth === 0) sums[CLASS.nothing] -= added;
        else sums[CLASS.computation] -= added;
        add(WAITING, begin, begin + call.waiting);
      }
    }
    return sums.map((ns) => ns / (to - from) / rows.length);
  }

  private readonly byRow = new Map<number, SyntheticCall[]>();

  private callsOf(row: number): SyntheticCall[] {
    let calls = this.byRow.get(row);
    if (!calls) this.byRow.set(row, (calls = this.calls.filter((call) => call.row === row).sort((a, b) => a.depth - b.depth || a.begin - b.begin)));
    return calls;
  }

  private shares(clock: Clock, from: number, to: number, block: number): ArrayBuffer {
    const rows = this.run.rows.slice(block * BLOCK, (block + 1) * BLOCK).map((_, i) => block * BLOCK + i);
    const shares = new Uint16Array(rows.length * BINS * SHARES);
    const regions = new Uint16Array(rows.length * BINS).fill(NO_REGION);
    const bin = (to - from) / BINS;
    rows.forEach((row, i) => {
      for (let b = 0; b < BINS; b++) {
        const start = from + b * bin;
        this.shareOf(row, clock, start, start + bin).forEach((share, c) => (shares[(i * BINS + b) * SHARES + c] = Math.round(65535 * Math.min(1, Math.max(0, share)))));
      }
    });
    return tile(1, rows.length, 0, [shares, regions]);
  }

  private spans(clock: Clock, from: number, to: number, block: number): ArrayBuffer {
    const touching = this.run.rows
      .map((_, row) => row)
      .slice(block * BLOCK, (block + 1) * BLOCK)
      .flatMap((row) => this.callsOf(row))
      .map((call) => ({ call, begin: call.begin + this.shift(call.row, clock), end: call.end + this.shift(call.row, clock) }))
      .filter(({ begin, end }) => end > from && begin < to);
    const waiting = touching.filter(({ call }) => call.waiting > 0);
    return tile(2, touching.length, 0, [
      Float64Array.from(touching, ({ begin }) => begin),
      Float64Array.from(touching, ({ end }) => end),
      Uint32Array.from(touching, ({ call }) => call.row),
      Uint32Array.from(touching, ({ call }) => call.region),
      Uint32Array.from(touching, ({ call }) => call.event),
      Uint16Array.from(touching, ({ call }) => call.depth),
      new Uint16Array(touching.length),
      Uint32Array.of(waiting.length),
      Float64Array.from(waiting, ({ begin }) => begin),
      Float64Array.from(waiting, ({ begin, call }) => begin + call.waiting),
      Uint32Array.from(waiting, ({ call }) => call.row),
      new Uint32Array(waiting.length).fill(NONE),
    ]);
  }

  private messageTile(clock: Clock, from: number, to: number): ArrayBuffer {
    const list = this.messages
      .map((message) => ({ ...message, sent: message.send.begin + this.shift(message.send.row, clock), received: message.receive.end + this.shift(message.receive.row, clock), early: this.reversed(message, clock) }))
      .filter(({ sent, received }) => Math.max(sent, received) > from && Math.min(sent, received) < to);
    return tile(3, list.length, 0, [
      Float64Array.from(list, ({ sent }) => sent),
      Float64Array.from(list, ({ received }) => received),
      Float64Array.from(list, ({ bytes }) => bytes),
      Uint32Array.from(list, ({ send }) => send.row),
      Uint32Array.from(list, ({ receive }) => receive.row),
      new Uint32Array(list.length).fill(1),
      Uint32Array.from(list, ({ early }) => Number(early)),
      Uint32Array.from(list, ({ tag }) => tag),
      new Uint32Array(list.length),
      Uint32Array.from(list, ({ send }) => send.event),
      Uint32Array.from(list, ({ receive }) => receive.event),
    ]);
  }

  private collectiveTile(clock: Clock, from: number, to: number): ArrayBuffer {
    const list = this.collectives
      .map((members, number) => {
        const enter = members.map((call) => call.begin + this.shift(call.row, clock));
        const leave = members.map((call) => call.end + this.shift(call.row, clock));
        return { members, number, first: Math.min(...enter), last: Math.max(...enter), leave: Math.max(...leave) };
      })
      .filter(({ first, leave }) => leave > from && first < to);
    return tile(4, list.length, 0, [
      Float64Array.from(list, ({ first }) => first),
      Float64Array.from(list, ({ last }) => last),
      Float64Array.from(list, ({ leave }) => leave),
      Uint32Array.from(list, ({ members }) => members[0].region),
      new Uint32Array(list.length),
      Uint32Array.from(list, ({ members }) => members.length),
      Uint32Array.from(list, ({ members }) => Math.min(...members.map(({ row }) => row))),
      Uint32Array.from(list, ({ members }) => Math.max(...members.map(({ row }) => row))),
      Uint32Array.from(list, ({ number }) => number),
    ]);
  }
}

function row(kind: Row["kind"], name: string, parent: number | null, rank: number | null): Row {
  return { parent, kind, name, rank, thread: rank === null ? null : 0, events: 0, depth: 0, waiting: 0, note: null };
}

function levels(length: number): { bin: number }[] {
  const list = [{ bin: 1024 }];
  while (list.at(-1)!.bin * BINS < length) list.push({ bin: 4 * list.at(-1)!.bin });
  return list;
}

/** Writes a tile of the protocol. */
export function tile(kind: number, n: number, flags: number, columns: (Uint16Array | Uint32Array | Float64Array)[]): ArrayBuffer {
  const header = Uint32Array.of(1, kind, n, flags);
  const parts = [header, ...columns].map((column) => new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  const bytes = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes.buffer;
}
