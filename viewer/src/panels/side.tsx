// The side: what the run says, its findings, and what is selected.

import { usePage } from "../context";
import { FindingsList, Verdict } from "./findings";
import { Selection } from "./selection";

export function Side() {
  const { view } = usePage();
  const selecting = view.selected !== null;
  return (
    <aside class={`side${selecting ? " selecting" : ""}`} aria-label="Findings and selection">
      <Selection />
      <Verdict />
      <FindingsList />
    </aside>
  );
}
