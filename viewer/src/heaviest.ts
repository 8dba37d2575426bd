// Which finding a row of a table of sums leads to: the heaviest of the kind, or of the rank and
// place, that the row names.

import type { Finding, Findings, Part, Run } from "./protocol";

/** What a row names. */
export interface Named {
  /** Findings of this kind alone; else those that tell of time, whatever their kind. */
  kind: string | null;
  /** The finding is of this rank. */
  rank: string | null;
  /** Its text, or one of its places, has this in it. */
  place: string | null;
  /** A function to search for where no finding is listed. */
  region: string | null;
}

/** Returns what a row names; null if it names neither a kind of findings that there are nor a place. */
export function namedBy(part: Part, row: readonly string[], run: Run, kinds: Findings["kinds"]): Named | null {
  const [first, second] = row;
  const kindOf = (name: string) => kinds.find(({ kind, label, count }) => count > 0 && (kind === name || label.toLowerCase() === name.toLowerCase()))?.kind ?? null;
  switch (part.name) {
    case "wait_states": {
      const kind = kindOf(first);
      return kind === null ? null : { kind, rank: null, place: null, region: null };
    }
    case "root_causes": {
      const kind = kindOf("root_cause");
      return kind === null ? null : { kind, rank: second ?? null, place: first, region: null };
    }
    case "whatif": {
      const place = first.replace(/^nobody waits in /, "").replace(/ (takes half as long|is balanced|takes no time.*)$/, "");
      const named = run.regions.filter(({ name }) => hasWord(place, name)).sort((a, b) => b.name.length - a.name.length)[0];
      const caused = first.startsWith("nobody waits") ? null : kindOf("root_cause");
      return named ? { kind: caused, rank: null, place, region: named.name } : null;
    }
    default:
      return null;
  }
}

/** Findings that sum up others, or are no loss. */
const APART = ["verdict", "critical_path", "root_cause", "slow_iteration"];

/** The first that suits; the list has the heaviest first. */
export function heaviest(findings: readonly Finding[], { kind, rank, place }: Named): Finding | undefined {
  const suits = (finding: Finding) => (kind === null ? finding.unit === "ns" && !APART.includes(finding.kind) && !finding.kind.startsWith("reversed_") : finding.kind === kind);
  const ofRank = findings.filter((finding) => suits(finding) && (rank === null || hasWord(finding.text, `Rank ${rank}`)));
  if (place === null) return ofRank[0];
  const there = ofRank.find(({ text, places }) => hasWord(text, place) || places.some((it) => hasWord(it.text, place)));
  // Of a rank that is named, another place is nearer than none.
  return there ?? (rank === null ? undefined : ofRank[0]);
}

/** Whether a text has a name in it that ends where it ends: work1 is not in work10. */
function hasWord(text: string, name: string): boolean {
  const goesOn = (character: string | undefined) => character !== undefined && /[\w]/.test(character);
  for (let at = text.indexOf(name); name !== "" && at >= 0; at = text.indexOf(name, at + 1)) {
    if (!goesOn(text[at - 1]) && !goesOn(text[at + name.length])) return true;
  }
  return false;
}
