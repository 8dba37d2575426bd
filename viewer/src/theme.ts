// Light or dark: as the system says, until somebody chooses.

import type { Theme } from "./colours";
import { Value } from "./value";

const KEY = "mpiscope-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

export const theme = new Value<Theme>(stored() ?? ofSystem());

theme.watch(show);
show(theme.get());
dark.addEventListener("change", () => stored() ?? theme.set(ofSystem()));

function show(now: Theme): void {
  document.documentElement.dataset.theme = now;
}

export function switchTheme(): void {
  theme.set(theme.get() === "dark" ? "light" : "dark");
  try {
    localStorage.setItem(KEY, theme.get());
  } catch {
    // A page from a file may have no storage; the choice then lasts as long as the page.
  }
}

function ofSystem(): Theme {
  return dark.matches ? "dark" : "light";
}

function stored(): Theme | null {
  try {
    const text = localStorage.getItem(KEY);
    return text === "light" || text === "dark" ? text : null;
  } catch {
    return null;
  }
}
