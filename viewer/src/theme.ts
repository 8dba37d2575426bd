// Light or dark: as the system says, until somebody chooses.

import type { Theme } from "./colours";

const KEY = "mpiscope-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** Shows the chosen theme, follows the system's while none is chosen, and tells of changes. */
export function startTheme(changed: (theme: Theme) => void): void {
  const apply = () => {
    const theme = chosen() ?? (dark.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    changed(theme);
  };
  dark.addEventListener("change", apply);
  addEventListener("mpiscope-theme", apply);
  apply();
}

export function switchTheme(): void {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // A page from a file may have no storage; the choice then lasts as long as the page.
    forgetful = next;
  }
  dispatchEvent(new Event("mpiscope-theme"));
}

let forgetful: Theme | null = null;

function chosen(): Theme | null {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === "light" || stored === "dark" ? stored : forgetful;
  } catch {
    return forgetful;
  }
}
