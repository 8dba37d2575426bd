import { expect, test } from "vitest";
import { heaviest, namedBy } from "../src/heaviest";
import type { Finding, Findings, Part } from "../src/protocol";
import { syntheticMeta } from "./shifted";

const region = (name: string) => ({ name, class: 0, file: null, line: null });
const run = { ...syntheticMeta(), regions: ["work1", "work10", "MPI_Waitall"].map(region) };
const kind = (kind: string, label: string): Findings["kinds"][number] => ({ kind, label, unit: "ns", measure: "time", count: 1, weight: 1 });
const kinds = [kind("late_sender", "Late sender"), kind("root_cause", "Root cause of waiting")];
const part = (name: string): Part => ({ name, title: "", lines: [], table: null, more: null });
const finding = (id: number, kind: string, text: string): Finding => ({ id, kind, label: "", text, weight: 1, unit: "ns", places: [] });
const findings = [
  finding(1, "verdict", "Uneven computation in work1"),
  finding(2, "root_cause", "Rank 12 causes 3 ms of waiting, directly: work1 takes longer there"),
  finding(3, "root_cause", "Rank 1 causes 2 ms of waiting, directly: work10 takes longer there"),
  finding(4, "root_cause", "Rank 1 causes 1 ms of waiting, directly: work1 takes longer there"),
  finding(5, "late_sender", "Rank 1 waits 1 ms for rank 2 in MPI_Waitall at heat.c:25"),
];
const leadsTo = (name: string, ...row: string[]) => {
  const named = namedBy(part(name), row, run, kinds);
  return named && heaviest(findings, named)?.id;
};

test("a row of waiting leads to the heaviest finding of its kind, if there are any", () => {
  expect(leadsTo("wait_states", "late sender", "3")).toBe(5);
  expect(leadsTo("wait_states", "wait at barrier", "0")).toBeNull();
});

test("a root cause leads to the finding of its rank and place", () => {
  expect(leadsTo("root_causes", "work1", "1")).toBe(4);
  expect(leadsTo("root_causes", "work10", "1")).toBe(3);
});

test("what mending would gain leads to what it would mend", () => {
  expect(leadsTo("whatif", "work1 takes half as long")).toBe(2);
  expect(leadsTo("whatif", "nobody waits in MPI_Waitall at heat.c:25")).toBe(5);
  expect(leadsTo("whatif", "the network takes no time")).toBeNull();
});

test("efficiencies lead nowhere", () => expect(leadsTo("efficiency", "work1")).toBeNull());
