// The side: what the run says, its findings, and what is selected.

import { FindingsList } from "./findings";
import { Selection } from "./selection";
import { Verdict } from "./verdict";

export function Side() {
  return (
    <aside class="side" aria-label="Findings and selection">
      <div class="told">
        <Verdict />
        <FindingsList />
      </div>
      <Selection />
    </aside>
  );
}
