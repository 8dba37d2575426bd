// Places in the run, each a link to its row and moment.

import { usePage } from "../context";
import { count } from "../format";
import type { Place } from "../protocol";

const MOST_PLACES = 40;

/** Roles of places in words, where their names are none. */
const ROLES: Record<string, string> = { step: "begins", step_end: "ends" };
const roleOf = (role: string) => ROLES[role] ?? role.replaceAll("_", " ");

/** Places, each a link; `named` says of each on which row it is. */
export function Places({ places, named = false }: { places: Place[]; named?: boolean }) {
  const { app, view } = usePage();
  const go = async (row: number, event: number) => {
    const [time] = await app.timesOf(view.run, app.clockOf(view.run), [{ row, event }]);
    app.goTo(view.run, row, event, time[0], time[1]);
  };
  const nameOf = (row: number, text: string) => {
    const name = app.trees[view.run].fullName(row);
    return named && text ? `${name}, ${text}` : text || name;
  };
  if (places.length === 0) return null;
  return (
    <ul class="places">
      {places.slice(0, MOST_PLACES).map(({ role, row, event, text }) => (
        <li>
          <span class="quiet">{roleOf(role)}</span>
          <button class="link" onClick={() => go(row, event).catch((error: unknown) => app.failed(error))}>
            {nameOf(row, text)}
          </button>
        </li>
      ))}
      {places.length > MOST_PLACES && <li class="quiet">and {count(places.length - MOST_PLACES)} more places</li>}
    </ul>
  );
}
