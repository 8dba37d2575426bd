// A report answers as the server does, as far as it holds the answers.

import { describe, expect, it } from "vitest";
import { NotHeld, Report } from "../src/report";
import { decode } from "../src/tiles";
import type { Call, Findings, Found, Meta, Summary } from "../src/protocol";
import { Synthetic } from "./synthetic";

async function packed(bytes: ArrayBuffer | string): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString("base64");
}

const source = new Synthetic();

/** Takes answers of the synthetic run into a report. */
async function report(more: Record<string, string> = {}): Promise<Report> {
  const meta = await source.json<Meta>("meta");
  const top = meta.runs[0].levels.length - 1;
  const answers: Record<string, string> = {};
  const keep = async (question: string, by = question) => (answers[by] = await packed(JSON.stringify(await source.json(question))));
  await keep("meta");
  await keep("run/0/findings?limit=1000", "run/0/findings");
  await keep("run/0/corrected/summary?from=0&to=1000000000", "run/0/corrected/summary");
  for (const kind of ["spans", "shares"]) {
    const path = `run/0/corrected/${kind}/${top}/0/0`;
    answers[path] = await packed(await source.bytes(path));
  }
  answers["run/0/corrected/times"] = await packed("{}");
  answers["run/0/corrected/events"] = await packed("{}");
  return new Report({ ...answers, ...more });
}

describe("a report", () => {
  it("gives the tiles that it holds, and coarser calls in place of finer ones", async () => {
    const held = await report();
    const meta = await held.json<Meta>("meta");
    const top = meta.runs[0].levels.length - 1;
    const spans = decode(await held.bytes(`run/0/corrected/spans/${top}/0/0`));
    const finer = decode(await held.bytes(`run/0/corrected/spans/${top - 2}/3/0`));
    expect(spans.kind).toBe("spans");
    expect(finer).toEqual(spans);
    await expect(held.bytes(`run/0/corrected/shares/${top - 2}/3/0`)).rejects.toBeInstanceOf(NotHeld);
    await expect(held.bytes("run/0/measured/spans/0/0/0")).rejects.toBeInstanceOf(NotHeld);
  });

  it("lists findings by kind, a part at a time", async () => {
    const held = await report();
    const all = await held.json<Findings>("run/0/findings?limit=1000&offset=0");
    const { kind } = all.findings[0];
    const some = await held.json<Findings>(`run/0/findings?kind=${kind}&limit=1&offset=0`);
    expect(some.findings).toHaveLength(1);
    expect(some.total).toBe(all.findings.filter((it) => it.kind === kind).length);
    const rest = await held.json<Findings>("run/0/findings?limit=1000&offset=1");
    expect(rest.findings).toEqual(all.findings.slice(1));
  });

  it("says that numbers are of the whole where a part was asked for", async () => {
    const held = await report();
    const part = await held.json<Summary>("run/0/corrected/summary?from=5&to=10");
    expect(part.complete).toBe(false);
    expect(part.note).toMatch(/whole run/);
  });

  it("finds the call that an event lies in", async () => {
    const first = await (await report()).json<Found>("run/0/corrected/search?text=mpi&from=0&direction=next");
    const { row, event, begin, end } = first.found!;
    const time = (begin + end) / 2;
    const times = await packed(JSON.stringify({ [`${row}:${event + 1}`]: [time, time] }));
    const call = await (await report({ "run/0/corrected/times": times })).json<Call>(`run/0/corrected/event/${row}/${event + 1}`);
    expect([call.event, call.begin, call.end]).toEqual([event, begin, end]);
  });

  it("finds calls by their place and by their name", async () => {
    const held = await report();
    const next = await held.json<Found>("run/0/corrected/search?text=mpi&from=0&direction=next");
    const found = next.found!;
    const call = await held.json<Call>(`run/0/corrected/event/${found.row}/${found.event}`);
    expect([call.begin, call.end]).toEqual([found.begin, found.end]);
    const there = await held.json<Call>(`run/0/corrected/at?row=${found.row}&time=${(found.begin + found.end) / 2}`);
    expect(there.depth).toBeGreaterThanOrEqual(call.depth);
    const [times] = await held.json<[number, number][]>(`run/0/corrected/times?events=${found.row}:${found.event}`);
    expect(times).toEqual([found.begin, found.end]);
    const last = await held.json<Found>("run/0/corrected/search?text=mpi&direction=previous");
    expect(last.found!.begin).toBeGreaterThanOrEqual(found.begin);
    await expect(held.json("run/0/corrected/search?text=x&tag=3")).rejects.toBeInstanceOf(NotHeld);
  });
});
