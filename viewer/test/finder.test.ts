// The search finds whatever the page knows by a name or a number.

import { expect, test } from "vitest";
import { App } from "../src/app";
import { find, type Hit, type Known } from "../src/finder";
import type { Findings } from "../src/protocol";
import { Synthetic } from "./synthetic";

const synthetic = new Synthetic();
const open = () => new App(synthetic, synthetic.meta(), "");
const only = (findings: Findings): Known => ({ findings, summary: { sites: [], places: {} } });
const found = async (text: string) => {
  const app = open();
  await app.searching.learn();
  return find(text, app.run, app.trees[0], app.searching.known.get());
};
const titles = async (text: string) => (await found(text)).map(({ title }) => title);
const first = async (text: string, title: string): Promise<Hit> => (await found(text)).find((group) => group.title === title)!.hits[0];

test("functions come first, all that match before each", async () => {
  const [group] = await found("MPI_");
  expect(group.title).toBe("Functions");
  expect(group.hits[0].to).toEqual({ calls: { text: "mpi_" } });
  expect(group.hits.length).toBeLessThan(group.all);
  expect((await first("relax", "Functions")).to).toEqual({ calls: { text: "relax" } });
});

test("a number is a rank, and a tag", async () => {
  const rank = await first("3", "Ranks and threads");
  expect(rank.text).toBe("rank 3");
  expect((await first("3", "Tags")).to).toEqual({ calls: { text: "", tag: 3 } });
  expect((await first("tag 2", "Tags")).to).toEqual({ calls: { text: "", tag: 2 } });
  expect((await titles("3"))[0]).toBe("Ranks and threads");
});

test("the rank that is meant comes before those that begin like it", async () => {
  const crowd = new Synthetic({ hosts: 2, perHost: 8, iterations: 1 });
  const app = new App(crowd, crowd.meta(), "");
  const ranks = find("rank 1", app.run, app.trees[0], null).find(({ title }) => title === "Ranks and threads")!;
  expect(ranks.hits.map(({ text }) => text)).toEqual(["rank 1", "rank 10", "rank 11", "rank 12", "rank 13"]);
  expect(ranks.all).toBe(7);
});

test("hosts, communicators, source lines, kinds and words of findings", async () => {
  expect((await first("node1", "Hosts")).to).toEqual({ row: 5 });
  expect((await first("comm_world", "Communicators")).to).toEqual({ calls: { text: "", communicator: 0 } });
  expect((await first("halo.c:44", "Source lines")).to).toEqual({ calls: { text: "MPI_Send" } });
  expect(await first("solve.c:30", "Source lines")).toEqual({ text: "solve.c:30", note: "MPI_Recv", to: { calls: { text: "MPI_Recv at solve.c:30" } } });
  expect((await first("wait at", "Kinds of findings")).to).toEqual({ kind: "wait_at_nxn" });
});

test("findings that have the text as it stands come before those that have its words", () => {
  const app = open();
  const finding = (id: number, text: string) => ({ id, kind: "late_sender", label: "Late sender", text, weight: 1, unit: "ns" as const, places: [] });
  const known: Findings = { total: 2, kinds: [], findings: [finding(1, "Rank 2 waits 7 ms for rank 1"), finding(2, "Rank 0 waits 1 ms for rank 7")] };
  const [group] = find("rank 7", app.run, app.trees[0], only(known)).filter(({ title }) => title === "Findings");
  expect(group.hits.map(({ to }) => to)).toEqual([{ finding: 2 }, { finding: 1 }]);
});

test("a source line that only a finding names leads to the finding", () => {
  const app = open();
  const finding = { id: 9, kind: "late_sender", label: "Late sender", text: "Rank 1 waits 1 ms for rank 2 in MPI_Waitall at src/heat-2d.c:25", weight: 1, unit: "ns" as const, places: [] };
  const known: Findings = { total: 1, kinds: [], findings: [finding] };
  const lines = find("heat-2d.c:25", app.run, app.trees[0], only(known)).find(({ title }) => title === "Source lines")!;
  expect(lines.hits).toEqual([{ text: "heat-2d.c:25", note: "Late sender", to: { finding: 9 } }]);
});

test("nothing is found of nothing", async () => {
  expect(await found("  ")).toEqual([]);
  expect(await found("no such thing")).toEqual([]);
});

test("what is chosen is gone to, and N goes on with it", async () => {
  const app = open();
  await app.searching.goTo(await first("rank 3", "Ranks and threads"));
  const { selected } = app.view.get();
  const row = synthetic.run.rows.findIndex(({ rank }) => rank === 3);
  expect(selected).toMatchObject({ what: "call", row });
  for (let i = 0; i < 20 && !app.detail.get(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  await app.searching.on("next");
  expect(app.view.get().selected).toMatchObject({ row });
  expect(app.view.get().selected).not.toEqual(selected);
  await app.searching.goTo({ text: "", to: { kind: "wait_at_nxn" } });
  expect(app.view.get()).toMatchObject({ kind: "wait_at_nxn" });
  expect(app.view.get().finding).not.toBeNull();
});

test("tags and communicators are asked for by their numbers", async () => {
  const source = new Synthetic();
  const app = new App(source, source.meta(), "");
  await app.searching.goTo({ text: "", to: { calls: { text: "", tag: 2 } } });
  await app.searching.goTo({ text: "", to: { calls: { text: "", communicator: 0 } } });
  const asked = source.asked.filter((path) => path.includes("/search?"));
  expect(asked[0]).toMatch(/tag=2/);
  expect(asked.at(-1)).toMatch(/communicator=0/);
});

test("where none is further on, the first of the run is gone to", async () => {
  const app = open();
  const { send } = synthetic.messages.at(-1)!;
  app.select({ what: "call", run: 0, row: send.row, event: send.event });
  for (let i = 0; i < 20 && !app.detail.get(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  await app.searching.goTo({ text: "", to: { calls: { text: "MPI_Init" } } });
  const init = synthetic.calls.find(({ region }) => region === 5)!;
  expect(synthetic.calls.find((it) => app.view.get().selected?.what === "call" && it.row === (app.view.get().selected as { row: number }).row && it.event === (app.view.get().selected as { event: number }).event)!.region).toBe(init.region);
});

test("a function is looked for in the run that is named", async () => {
  const meta = synthetic.meta();
  const app = new App(synthetic, { ...meta, runs: [meta.runs[0], meta.runs[0]] }, "");
  app.searching.from("MPI_Init", 1);
  for (let i = 0; i < 20 && !app.detail.get(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(app.view.get()).toMatchObject({ run: 1, selected: { what: "call", run: 1 } });
});
