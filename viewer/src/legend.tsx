// The legend: what the colours mean, how much of the window each takes, and the filters.

import { usePage } from "./context";
import { percent, plural } from "./format";
import { CLASS, lived, type Summary } from "./protocol";
import { misspelt } from "./rows";
import { filtering, NO_FILTER } from "./state";
import { useSummary } from "./panels/summary-of-window";

export function Legend() {
  const { app, view } = usePage();
  const { value } = useSummary();
  const { classes } = app.run;
  const total = value ? lived(value) : 0;
  const shown = classes.map((cls, i) => ({ ...cls, i })).filter(({ i }) => i !== CLASS.nothing && (!value || value.classes[i] > 0 || i === CLASS.computation || view.hiddenClasses.has(i)));
  return (
    <section class="legend" aria-label="Legend and filters">
      <ul>
        {shown.map(({ label, i }) => (
          <li key={i}>
            <button aria-pressed={!view.hiddenClasses.has(i)} title={`${label}: ${hint(value, app.run.regions, i)}. Click to ${view.hiddenClasses.has(i) ? "show" : "fade"} it.`} onClick={() => app.toggleClass(i)}>
              <span class={`swatch class-${i}`} />
              {label}
              <span class="share">{value && total > 0 ? percent(value.classes[i] / total) : ""}</span>
            </button>
          </li>
        ))}
        <li>
          <span class="plain" title="Part of the calls above in which they wait for another process">
            <span class="swatch waiting" />
            Waiting
            <span class="share">{value && total > 0 ? percent(value.waiting / total) : ""}</span>
          </span>
        </li>
      </ul>
      <Filters />
    </section>
  );
}

function hint(summary: Summary | null, regions: { class: number }[], cls: number): string {
  if (!summary) return "its share is not known yet";
  const calls = summary.regions.filter(({ region }) => regions[region]?.class === cls).reduce((sum, { calls }) => sum + calls, 0);
  return plural(calls, "call");
}

function Filters() {
  const { app, view } = usePage();
  const { filter } = view;
  const { communicators } = app.run;
  const wrong = misspelt(filter.ranks);
  return (
    <details class="filters">
      <summary>
        Filter{filtering(filter) ? " (on)" : ""}
      </summary>
      <div class="filter-box">
      <div class="filter-fields">
        <label>
          Function
          <input id="filter-region" value={filter.region} placeholder="part of a name" onInput={(event) => app.setFilter({ region: event.currentTarget.value })} />
        </label>
        <label>
          Ranks
          <input id="filter-ranks" value={filter.ranks} placeholder="0-3,7" aria-invalid={wrong} {...(wrong ? { "aria-describedby": "filter-wrong" } : {})} onInput={(event) => app.setFilter({ ranks: event.currentTarget.value })} />
        </label>
        <label>
          Communicator
          <select id="filter-communicator" value={filter.communicator ?? ""} onChange={(event) => app.setFilter({ communicator: numberOrNull(event.currentTarget.value) })}>
            <option value="">all</option>
            {communicators.map(({ name, size }, i) => (
              <option value={i}>
                {name} ({size})
              </option>
            ))}
          </select>
        </label>
        <label>
          Tag
          <input id="filter-tag" type="number" min="0" value={filter.tag ?? ""} placeholder="all" onInput={(event) => app.setFilter({ tag: numberOrNull(event.currentTarget.value) })} />
        </label>
        <button disabled={!filtering(filter)} onClick={() => app.setFilter(NO_FILTER)}>
          Clear
        </button>
      </div>
      {wrong && (
        <p class="filter-wrong" id="filter-wrong" role="status">
          Ranks are numbers and ranges from low to high, such as 0-3,7; what is written otherwise is not heeded.
        </p>
      )}
      <p class="quiet">Other functions are faded; rows of other ranks and messages of other communicators and tags are left out.</p>
      </div>
    </details>
  );
}

function numberOrNull(text: string): number | null {
  return text === "" || !Number.isFinite(Number(text)) ? null : Number(text);
}
