// What the search field finds besides calls: everything the page knows by a name or a number, by kind.

import { count } from "./format";
import { placeOf, type Finding, type Findings, type Run, type Summary } from "./protocol";
import type { Tree } from "./rows";

/** Which calls to look for, one after the other. */
export interface Sought {
  text: string;
  row?: number;
  communicator?: number;
  tag?: number;
}

export interface Hit {
  text: string;
  /** What else is known of it, in a few words. */
  note?: string;
  /** Where it leads: to calls one after the other, to a row, a finding, or the heaviest finding of a kind. */
  to: { calls: Sought } | { row: number } | { finding: number } | { kind: string };
}

export interface Group {
  title: string;
  hits: Hit[];
  /** So many are found, of which the first are told. */
  all: number;
}

/** What is looked through besides the run itself. */
export interface Known {
  findings: Findings;
  /** The numbers of the whole run, which name call sites. */
  summary: Pick<Summary, "sites" | "places">;
}

const MOST = 5;

/** Returns what a text finds, by kind; of findings and call sites only where they are known. */
export function find(text: string, run: Run, tree: Tree, known: Known | null): Group[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const words = wanted.split(/\s+/);
  const has = (...parts: (string | null)[]) => {
    const all = parts.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const isNumber = /^\d+$/.test(wanted);
  const groups = [
    ["Functions", functions(wanted, run)],
    ["Ranks and threads", ranks(wanted, isNumber, run, tree, has)],
    ["Hosts", run.rows.flatMap(({ kind, name }, row): Hit[] => (kind === "host" && has(name) ? [{ text: name, note: rowsBelow(tree, row), to: { row } }] : []))],
    ["Communicators", run.communicators.flatMap(({ name, size }, communicator): Hit[] => (has("communicator", name) ? [{ text: name, note: `${count(size)} ranks`, to: { calls: { text: "", communicator } } }] : []))],
    ["Tags", tags(wanted)],
    ["Source lines", lines(run, known).filter(({ text, note }) => has(text, note ?? null))],
    ["Kinds of findings", (known?.findings.kinds ?? []).filter(({ kind, label, count: n }) => n > 0 && has(label, kind)).map(({ kind, label, count: n }): Hit => ({ text: label, note: count(n), to: { kind } }))],
    ["Findings", findings(wanted, (known?.findings.findings ?? []).filter((it) => has(it.label, it.text)))],
  ] as [string, Hit[]][];
  // A number is a rank or a tag rather than a part of a function's name.
  if (isNumber) groups.push(groups.shift()!);
  return groups.filter(([, hits]) => hits.length > 0).map(([title, hits]) => ({ title, hits: hits.slice(0, MOST), all: hits.length }));
}

/** Calls of all functions that have the text in their names, then those of each. */
function functions(wanted: string, run: Run): Hit[] {
  const names = [...new Set(run.regions.map(({ name }) => name).filter((name) => name.toLowerCase().includes(wanted)))];
  if (names.length === 0) return [];
  const each = names.sort((a, b) => a.length - b.length).map((name): Hit => ({ text: name, to: { calls: { text: name } } }));
  if (names.length === 1) return each;
  return [{ text: `All with “${wanted}” in their names`, note: count(names.length), to: { calls: { text: wanted } } }, ...each];
}

function ranks(wanted: string, isNumber: boolean, run: Run, tree: Tree, has: (text: string) => boolean): Hit[] {
  const hits = run.rows.flatMap(({ kind, rank, thread }, row) => {
    const text = tree.fullName(row);
    const isExact = (isNumber && kind === "process" && rank === Number(wanted)) || text.toLowerCase() === wanted;
    if (kind === "host" || !(isExact || has(text))) return [];
    const leaf = tree.children[row].length === 0;
    return [{ isExact, rank: rank ?? 0, thread: thread ?? 0, hit: { text, ...(leaf ? {} : { note: rowsBelow(tree, row) }), to: leaf ? { calls: { text: "", row } } : { row } } as Hit }];
  });
  return hits.sort((a, b) => Number(b.isExact) - Number(a.isExact) || a.rank - b.rank || a.thread - b.thread).map(({ hit }) => hit);
}

const rowsBelow = (tree: Tree, row: number) => `${count(tree.members[row])} rows`;

/** Those that have the text as it stands come before those that have its words. */
function findings(wanted: string, having: readonly Finding[]): Hit[] {
  const literally = (it: Finding) => Number(it.text.toLowerCase().includes(wanted));
  return [...having].sort((a, b) => literally(b) - literally(a)).map(({ id, label, text }) => ({ text, note: label, to: { finding: id } }));
}

/** "7" or "tag 7". */
function tags(wanted: string): Hit[] {
  const tag = /^(?:tag\s*)?(\d{1,9})$/.exec(wanted)?.[1];
  return tag === undefined ? [] : [{ text: `Messages with tag ${tag}`, to: { calls: { text: "", tag: Number(tag) } } }];
}

/** Lines of sources that call sites, functions or findings name; those of findings alone lead to the heaviest one there. */
function lines(run: Run, known: Known | null): Hit[] {
  const hits: Hit[] = [];
  for (const { region, site } of known?.summary.sites ?? []) {
    const place = placeOf(known!.summary, site);
    const { name } = run.regions[region];
    if (place !== null) hits.push({ text: place, note: name, to: { calls: { text: `${name} at ${place}` } } });
  }
  for (const { name, file, line } of run.regions) {
    if (file && line !== null) hits.push({ text: `${file.split("/").at(-1)}:${line}`, note: name, to: { calls: { text: name } } });
  }
  const told = new Set(hits.map(({ text }) => text));
  for (const { id, label, text, places } of known?.findings.findings ?? []) {
    for (const [line] of [text, ...places.map((it) => it.text)].join("\n").matchAll(/[\w+-]+\.\w+:\d+/g)) {
      if (told.has(line)) continue;
      told.add(line);
      hits.push({ text: line, note: label, to: { finding: id } });
    }
  }
  return hits;
}
