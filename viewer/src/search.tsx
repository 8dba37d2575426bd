// The search field, with what it finds as a list below it: arrow keys choose, Enter goes there.

import { useState } from "preact/hooks";
import { usePage } from "./context";
import { find, type Hit } from "./finder";
import { count, plural } from "./format";
import { focusOn } from "./keys";
import { useValue } from "./value";

export function Search() {
  const { app, view } = usePage();
  const text = useValue(app.searching.text);
  const matches = useValue(app.searching.matches);
  const known = useValue(app.searching.known);
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const groups = isOpen ? find(text, app.run, app.trees[view.run], known?.run === view.run ? known : null) : [];
  const hits = groups.flatMap((group) => group.hits);
  const chosen = Math.min(at, hits.length - 1);
  const choose = (hit: Hit) => {
    setOpen(false);
    void app.searching.goTo(hit);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (hits.length === 0) setOpen(true);
      else setAt((chosen + step + hits.length) % hits.length);
    } else if (event.key === "Enter" && event.shiftKey) {
      event.preventDefault();
      void app.searching.on("previous");
    } else if (event.key === "Enter" && hits.length > 0) {
      event.preventDefault();
      choose(hits[chosen]);
    }
  };
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void app.searching.on("next");
      }}
    >
      <input
        id="search"
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder="Search ( / )"
        title="Functions, ranks, hosts, communicators, tags, source lines, findings"
        aria-label="Search for functions, ranks, hosts, communicators, tags, source lines and findings"
        aria-autocomplete="list"
        aria-expanded={hits.length > 0}
        aria-controls="found"
        {...(hits.length > 0 ? { "aria-activedescendant": `found-${chosen}` } : {})}
        value={text}
        onFocus={() => void app.searching.learn()}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          app.searching.type(event.currentTarget.value);
          setAt(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="found" role="listbox" aria-label="Found" hidden={hits.length === 0}>
        {groups.map(({ title, hits: of, all }) => (
          <div role="group" aria-label={title} key={title}>
            <p aria-hidden="true" class="quiet">
              {title}
              {all > of.length && `, ${of.length} of ${count(all)}`}
            </p>
            {of.map((hit) => {
              const i = hits.indexOf(hit);
              return (
                <div
                  role="option"
                  id={`found-${i}`}
                  key={i}
                  aria-selected={i === chosen}
                  ref={(element) => {
                    if (i === chosen) element?.scrollIntoView({ block: "nearest" });
                  }}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => {
                    choose(hit);
                    focusOn("timelines");
                  }}
                >
                  <span>{hit.text}</span>
                  {hit.note && <span class="quiet">{hit.note}</span>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <span class="matches quiet" role="status">
        {matches === null || (matches === 0 && hits.length > 0) ? "" : plural(matches, "call")}
      </span>
      <button type="button" title="Previous match (Shift N)" aria-label="Previous match" onClick={() => void app.searching.on("previous")}>
        ‹
      </button>
      <button type="submit" title="Next match (N)" aria-label="Next match">
        ›
      </button>
    </form>
  );
}
