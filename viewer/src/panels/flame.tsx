// The flame graph: call paths of the window, as wide as their time; a click goes into one.

import { useState } from "preact/hooks";
import { regionColour, textOn } from "../colours";
import { usePage } from "../context";
import { duration, percent, plural } from "../format";
import { placeOf, type CallPath } from "../protocol";
import { useValue } from "../value";
import { useSummary } from "./summary-of-window";

const LEAST_SHARE = 0.002;
const LINE = 20;

interface Cell {
  node: CallPath;
  path: number[];
  depth: number;
  left: number;
  width: number;
}

/** Returns the boxes of a tree below a call path, as fractions of the width. */
export function cells(tree: CallPath): Cell[] {
  const found: Cell[] = [];
  const visit = (node: CallPath, path: number[], depth: number, left: number, perNs: number): void => {
    const width = node.time * perNs;
    if (width < LEAST_SHARE) return;
    found.push({ node, path, depth, left, width });
    let at = left;
    node.children.forEach((child, i) => {
      visit(child, [...path, i], depth + 1, at, perNs);
      at += child.time * perNs;
    });
  };
  if (tree.time > 0) visit(tree, [], 0, 0, 1 / tree.time);
  return found;
}

function descend(tree: CallPath, path: readonly number[]): CallPath | null {
  let node: CallPath | undefined = tree;
  for (const i of path) node = node?.children[i];
  return node ?? null;
}

export function Flame() {
  const { app, stage } = usePage();
  const { value } = useSummary();
  const [into, setInto] = useState<number[]>([]);
  useValue(stage.theme);
  if (!value) return null;
  const { regions } = app.run;
  const root = descend(value.tree, into) ?? value.tree;
  const all = cells(root);
  if (all.length < 2) return <p class="empty">No recorded call is in this window, so there are no call paths.</p>;
  const deepest = Math.max(...all.map(({ depth }) => depth));
  return (
    <div class="flame" style={{ height: `${(deepest + 1) * LINE}px` }}>
      {all.map(({ node, path, depth, left, width }) => {
        const region = node.region === null ? null : regions[node.region];
        const place = placeOf(value, node.site);
        const called = region ? region.name : "All rows";
        const name = place === null ? called : `${called} at ${place}`;
        const colour = region ? regionColour(region.name, region.class, stage.palette) : stage.palette.band;
        const text = `${name}: ${duration(node.time)}, ${percent(node.time / Math.max(value.tree.time, 1))}, ${plural(node.calls, "call")}`;
        const top = depth === 0;
        return (
          <button
            key={path.join(".")}
            title={top && into.length > 0 ? `${text}. Click to go out.` : text}
            aria-label={text}
            style={{ left: `${100 * left}%`, width: `${100 * width}%`, top: `${depth * LINE}px`, backgroundColor: colour, color: textOn(colour) }}
            onClick={() => setInto(top ? into.slice(0, -1) : [...into, ...path])}
          >
            {width > 0.02 ? (place === null ? called : `${called} ${place}`) : ""}
          </button>
        );
      })}
    </div>
  );
}
